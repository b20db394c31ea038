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

    /// The key that a document must have to get in; nothing while there is room.
    #[inline]
    pub(crate) fn bar(&self) -> Option<f64> {
        if self.heap.len() < self.most { None } else { self.heap.peek().map(|it| it.0.key) }
    }

    #[inline]
    pub(crate) fn add(&mut self, entry: Entry) {
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

    /// Drops the documents of a shard, which will all come again. What they drove out would be driven out again.
    pub(crate) fn forget(&mut self, shard: u32) {
        self.heap.retain(|it| it.0.address.shard != shard);
        self.groups.retain(|_, it| it.address.shard != shard);
    }

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
