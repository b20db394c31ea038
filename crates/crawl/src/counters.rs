//! What a crawl has done so far, counted.

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::PoisonError;
use std::sync::atomic::{AtomicU64, Ordering};

use serde::{Deserialize, Serialize};

/// What a crawl has done since it was started; many may count at once.
#[derive(Debug, Default)]
pub(crate) struct Counters {
    pub(crate) pages: AtomicU64,
    pub(crate) read: AtomicU64,
    pub(crate) relevant: AtomicU64,
    pub(crate) bytes: AtomicU64,
    pub(crate) duplicates: AtomicU64,
    pub(crate) robots: AtomicU64,
    /// Answers and failures that brought no page, or less of a list than there is, by class.
    errors: Mutex<BTreeMap<String, u64>>,
    /// Links that were not taken in, by reason.
    filtered: Mutex<BTreeMap<&'static str, u64>>,
}

/// The counts at one moment.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Progress {
    /// Answers.
    pub pages: u64,
    /// Those that are pages one can read, or say that such a page is as it was.
    pub read: u64,
    /// Those that are what the crawl looks for.
    pub relevant: u64,
    /// Bytes, as they were transferred.
    pub bytes: u64,
    /// Pages that were there before under another link.
    pub duplicates: u64,
    /// Answers to questions for robots.txt.
    pub robots: u64,
    /// Answers and failures that brought no page, or less of a list than there is, by class.
    pub errors: BTreeMap<String, u64>,
    /// Links that were not taken in, by reason.
    pub filtered: BTreeMap<String, u64>,
    /// Links that wait for their turn.
    pub queued: u64,
    /// Links that are known.
    pub known: u64,
    /// Hosts that are known.
    pub hosts: u64,
    /// Hosts that have links to visit.
    pub hosts_with_links: u64,
    /// Requests on their way.
    pub in_flight: u64,
    /// What stands in the way, if the crawl waits.
    pub waiting_for: Option<String>,
}

impl Progress {
    /// What was done before and now; of what is counted at one moment only the later counts.
    #[must_use]
    pub fn plus(&self, later: Self) -> Self {
        let sum = |before: &BTreeMap<String, u64>, later: BTreeMap<String, u64>| {
            let mut sum = before.clone();
            for (key, count) in later {
                *sum.entry(key).or_default() += count;
            }
            sum
        };
        Self {
            pages: self.pages + later.pages,
            read: self.read + later.read,
            relevant: self.relevant + later.relevant,
            bytes: self.bytes + later.bytes,
            duplicates: self.duplicates + later.duplicates,
            robots: self.robots + later.robots,
            errors: sum(&self.errors, later.errors),
            filtered: sum(&self.filtered, later.filtered),
            ..later
        }
    }

    /// The share of answers that are what the crawl looks for.
    pub fn harvest(&self) -> f64 {
        if self.pages == 0 { 0.0 } else { self.relevant as f64 / self.pages as f64 }
    }
}

impl Counters {
    pub(crate) fn error(&self, class: &str) {
        let mut errors = self.errors.lock().unwrap_or_else(PoisonError::into_inner);
        match errors.get_mut(class) {
            Some(count) => *count += 1,
            None => drop(errors.insert(class.to_owned(), 1)),
        }
    }

    pub(crate) fn filtered(&self, reason: &'static str) {
        self.filtered_all(reason, 1);
    }

    /// So many links are not taken in.
    pub(crate) fn filtered_all(&self, reason: &'static str, count: usize) {
        if count > 0 {
            let mut filtered = self.filtered.lock().unwrap_or_else(PoisonError::into_inner);
            *filtered.entry(reason).or_default() += count as u64;
        }
    }

    pub(crate) fn progress(&self) -> Progress {
        let errors = self.errors.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let filtered = self.filtered.lock().unwrap_or_else(PoisonError::into_inner);
        Progress {
            pages: self.pages.load(Ordering::Relaxed),
            read: self.read.load(Ordering::Relaxed),
            relevant: self.relevant.load(Ordering::Relaxed),
            bytes: self.bytes.load(Ordering::Relaxed),
            duplicates: self.duplicates.load(Ordering::Relaxed),
            robots: self.robots.load(Ordering::Relaxed),
            errors,
            filtered: filtered
                .iter()
                .map(|(reason, count)| ((*reason).to_owned(), *count))
                .collect(),
            ..Progress::default()
        }
    }
}
