//! Hosts that repeat another host.

use std::collections::{BTreeMap, HashMap, VecDeque};

use serde::{Deserialize, Serialize};

/// A host is compared by its first pages. A mirror shows in these; later a host may as well quote.
const FIRST_PAGES: u8 = 20;

/// So many pages that two hosts share make a mirror. Three may be an imprint, terms and a parked
/// start page.
const SHARED_PAGES: u8 = 5;

/// How many digests are remembered, the latest: some megabytes.
const MOST_DIGESTS: usize = 100_000;

/// How many hosts are watched at a time, the latest.
const MOST_HOSTS: usize = 20_000;

/// How many hosts may be known as mirrors.
const MOST_MIRRORS: usize = 100_000;

/// What is known of hosts that have the same pages.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct Mirrors {
    /// Who showed a page first, by the digest of its contents.
    first: HashMap<u64, u32>,
    order: VecDeque<u64>,
    /// The first pages of hosts, as long as they are few.
    young: HashMap<u32, Young>,
    young_order: VecDeque<u32>,
    numbers: HashMap<String, u32>,
    /// Which host a mirror repeats.
    originals: BTreeMap<String, String>,
    next_number: u32,
}

/// What the first pages of a host were.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
struct Young {
    host: String,
    pages: u8,
    /// How many of them another host had shown before.
    shared: BTreeMap<u32, u8>,
}

impl Mirrors {
    /// The host that this one repeats, as far as is known.
    pub fn original_of(&self, host: &str) -> Option<&str> {
        self.originals.get(host).map(String::as_str)
    }

    /// Counts a page of the host by the digest of its contents; gives the host that it turns out, or
    /// is known, to repeat.
    pub fn learn(&mut self, host: &str, digest: u64) -> Option<&str> {
        if !self.originals.contains_key(host) {
            let number = self.number_of(host);
            self.compare(number, digest);
            self.remember(number, digest);
        }
        self.original_of(host)
    }

    fn number_of(&mut self, host: &str) -> u32 {
        if let Some(number) = self.numbers.get(host) {
            return *number;
        }
        if self.young_order.len() >= MOST_HOSTS {
            self.forget_oldest();
        }
        let number = self.next_number;
        self.next_number = number.wrapping_add(1);
        self.numbers.insert(host.to_owned(), number);
        self.young.insert(number, Young { host: host.to_owned(), ..Young::default() });
        self.young_order.push_back(number);
        number
    }

    fn forget_oldest(&mut self) {
        let oldest = self.young_order.pop_front().and_then(|it| self.young.remove(&it));
        if let Some(young) = oldest {
            self.numbers.remove(&young.host);
        }
    }

    fn compare(&mut self, number: u32, digest: u64) {
        let other = self.first.get(&digest).copied().filter(|it| *it != number);
        let Some(young) = self.young.get_mut(&number).filter(|it| it.pages < FIRST_PAGES) else {
            return;
        };
        young.pages += 1;
        let Some(other) = other else { return };
        let shared = young.shared.entry(other).or_default();
        *shared += 1;
        // Two thirds, since a mirror may have pages of its own, such as one about mirrors.
        let is_mirror = *shared >= SHARED_PAGES && *shared * 3 >= young.pages * 2;
        let host = young.host.clone();
        let original = self.young.get(&other).map(|it| it.host.clone());
        if let Some(original) =
            original.filter(|_| is_mirror && self.originals.len() < MOST_MIRRORS)
        {
            // The original may have turned out a mirror itself.
            let original = self.originals.get(&original).cloned().unwrap_or(original);
            self.originals.insert(host, original);
        }
    }

    fn remember(&mut self, number: u32, digest: u64) {
        if self.first.contains_key(&digest) {
            return;
        }
        if self.order.len() >= MOST_DIGESTS
            && let Some(oldest) = self.order.pop_front()
        {
            self.first.remove(&oldest);
        }
        self.first.insert(digest, number);
        self.order.push_back(digest);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn learnt(pages: &[(&str, std::ops::Range<u64>)]) -> Mirrors {
        let mut mirrors = Mirrors::default();
        for (host, digests) in pages {
            digests.clone().for_each(|it| {
                mirrors.learn(host, it);
            });
        }
        mirrors
    }

    #[track_caller]
    fn check(pages: &[(&str, std::ops::Range<u64>)], host: &str, expected: Option<&str>) {
        assert_eq!(learnt(pages).original_of(host), expected);
    }

    #[test]
    fn a_host_that_begins_like_another_repeats_it() {
        check(&[("a.example", 0..20), ("b.example", 0..5)], "b.example", Some("a.example"));
        check(&[("a.example", 0..20), ("b.example", 0..4)], "b.example", None);
        check(&[("a.example", 0..20), ("b.example", 0..5)], "a.example", None);
    }

    #[test]
    fn a_mirror_may_have_some_pages_of_its_own() {
        check(
            &[("a.example", 0..20), ("b.example", 100..102), ("b.example", 0..5)],
            "b.example",
            Some("a.example"),
        );
    }

    #[test]
    fn a_host_that_quotes_later_is_no_mirror() {
        check(
            &[("a.example", 0..20), ("b.example", 100..120), ("b.example", 0..20)],
            "b.example",
            None,
        );
        check(
            &[("a.example", 0..20), ("b.example", 100..110), ("b.example", 0..10)],
            "b.example",
            None,
        );
    }

    #[test]
    fn the_mirror_of_a_mirror_repeats_the_original() {
        let pages = [("a.example", 0..20), ("b.example", 0..9), ("c.example", 0..9)];
        check(&pages, "c.example", Some("a.example"));
    }

    #[test]
    fn what_is_remembered_has_bounds() {
        let mut mirrors = Mirrors::default();
        for it in 0..(MOST_DIGESTS as u64 + 10) {
            mirrors.learn(&format!("h{}.example", it / 3), it);
        }
        assert!(mirrors.first.len() <= MOST_DIGESTS && mirrors.order.len() <= MOST_DIGESTS);
        assert!(mirrors.young.len() <= MOST_HOSTS && mirrors.numbers.len() <= MOST_HOSTS);
    }

    #[test]
    fn what_was_learnt_survives_being_stored() {
        let mirrors = learnt(&[("a.example", 0..9), ("b.example", 0..9)]);
        let stored = postcard::to_stdvec(&mirrors).unwrap();
        let read: Mirrors = postcard::from_bytes(&stored).unwrap();
        assert_eq!(read.original_of("b.example"), Some("a.example"));
    }
}
