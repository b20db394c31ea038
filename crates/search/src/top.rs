//! The best documents seen so far.

use std::cmp::{Ordering, Reverse};
use std::collections::{BinaryHeap, HashMap};

use index::Address;

/// A document in the running.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Entry {
    /// What it is ordered by: more is better.
    pub(crate) key: f64,
    /// True if it stands for its group of near-duplicates, or has none.
    pub(crate) leads: bool,
    pub(crate) address: Address,
    /// Its group of near-duplicates.
    pub(crate) group: Option<u32>,
}

impl Ord for Entry {
    /// The better one is the greater one; no two documents are equal.
    fn cmp(&self, other: &Self) -> Ordering {
        self.key
            .total_cmp(&other.key)
            .then(self.leads.cmp(&other.leads))
            .then(other.address.cmp(&self.address))
    }
}

impl PartialOrd for Entry {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Entry {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Entry {}

/// The best documents seen so far, up to so many, one of each group.
#[derive(Debug)]
pub(crate) struct Top {
    most: usize,
    heap: BinaryHeap<Reverse<Entry>>,
    groups: HashMap<u32, Entry>,
}

impl Top {
    pub(crate) fn new(most: usize) -> Self {
        Self { most, heap: BinaryHeap::with_capacity(most.min(1024) + 1), groups: HashMap::new() }
    }
}

/// Takes documents as they are found.
pub(crate) trait Sink {
    /// A document with a lower key need not come.
    fn bar(&self) -> f64;
    /// Takes a document.
    fn add(&mut self, entry: Entry);
}

impl Sink for Top {
    #[inline]
    fn bar(&self) -> f64 {
        if self.heap.len() < self.most {
            return f64::NEG_INFINITY;
        }
        self.heap.peek().map_or(f64::INFINITY, |it| it.0.key)
    }

    #[inline]
    fn add(&mut self, entry: Entry) {
        if self.most == 0
            || (self.heap.len() >= self.most && self.heap.peek().is_some_and(|it| entry < it.0))
        {
            return;
        }
        if let Some(group) = entry.group {
            match self.groups.get(&group) {
                Some(known) if *known > entry => return,
                Some(known) => {
                    let known = *known;
                    self.heap.retain(|it| it.0 != known);
                }
                None => {}
            }
            self.groups.insert(group, entry);
        }
        self.heap.push(Reverse(entry));
        if self.heap.len() > self.most
            && let Some(Reverse(Entry { group: Some(group), .. })) = self.heap.pop()
        {
            self.groups.remove(&group);
        }
    }
}

impl Top {
    /// How many documents there may be.
    pub(crate) fn most(&self) -> usize {
        self.most
    }

    /// The documents, the best first.
    pub(crate) fn into_best(self) -> Vec<Entry> {
        let mut list: Vec<Entry> = self.heap.into_iter().map(|it| it.0).collect();
        list.sort_unstable_by(|a, b| b.cmp(a));
        list
    }
}
