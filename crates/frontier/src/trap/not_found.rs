//! Hosts that answer "not found" with status 200.
//!
//! They are known by what they say where their status is honest. No made-up address is asked for to find
//! out: where a host never says 404, all its excuses but the first are near-duplicates of each other, and
//! found as such.

use serde::{Deserialize, Serialize};
use url::Url;

/// Up to so many bits apart, two fingerprints are of nearly the same page (Manku, Jain and Das Sarma
/// 2007, who found 3 of 64 right for the web).
const NEARLY: u32 = 3;

/// A host has one page for "not found", perhaps one for each section or language.
const MOST_PAGES: usize = 8;

/// Whether two fingerprints are of nearly the same page. That of a page without words, 0, is like none.
pub fn are_alike(one: u64, other: u64) -> bool {
    one != 0 && other != 0 && (one ^ other).count_ones() <= NEARLY
}

/// What a host shows where it has nothing to show.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct NotFoundPages {
    fingerprints: Vec<u64>,
}

impl NotFoundPages {
    /// Takes the fingerprint of a page that is known to say "not found".
    pub fn learn(&mut self, fingerprint: u64) {
        let has_room = self.fingerprints.len() < MOST_PAGES;
        if has_room && fingerprint != 0 && !self.holds(fingerprint) {
            self.fingerprints.push(fingerprint);
        }
    }

    /// Whether the page says "not found", though its status does not. The start page never does:
    /// many hosts show it for whatever they do not have.
    pub fn includes(&self, url: &Url, fingerprint: u64) -> bool {
        let is_start = url.path() == "/" && url.query().is_none();
        !is_start && self.holds(fingerprint)
    }

    fn holds(&self, fingerprint: u64) -> bool {
        self.fingerprints.iter().any(|it| are_alike(*it, fingerprint))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SORRY: u64 = 0x1234_5678_9abc_def0;

    #[track_caller]
    fn check(path: &str, fingerprint: u64, expected: bool) {
        let mut pages = NotFoundPages::default();
        pages.learn(SORRY);
        let url = Url::parse("https://example.org").unwrap().join(path).unwrap();
        assert_eq!(pages.includes(&url, fingerprint), expected);
    }

    #[test]
    fn a_page_like_one_that_was_not_found_is_none() {
        check("/a", SORRY, true);
        check("/a", SORRY ^ 0b111, true);
        check("/a", SORRY ^ 0b1111, false);
        check("/a", 0, false);
        check("/", SORRY, false);
    }

    #[test]
    fn only_so_many_pages_are_kept() {
        let mut pages = NotFoundPages::default();
        (1..100_u64).for_each(|it| pages.learn(it.wrapping_mul(0x9e37_79b9_7f4a_7c15)));
        assert_eq!(pages.fingerprints.len(), MOST_PAGES);
    }
}
