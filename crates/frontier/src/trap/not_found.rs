//! Hosts that answer "not found" with status 200.

use serde::{Deserialize, Serialize};
use url::Url;
use xxhash_rust::xxh3::xxh3_64;

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
    is_probed: bool,
}

impl NotFoundPages {
    /// A URL of the host that nobody made, to be fetched once; none if that has been done.
    pub fn probe(&self, host: &Url) -> Option<Url> {
        let name = xxh3_64(host.host_str()?.as_bytes());
        (!self.is_probed).then(|| host.join(&format!("/{name:016x}.html")).ok()).flatten()
    }

    /// Takes the answer to the probe: the fingerprint of the page, if the host claimed that there is
    /// one, and none if it said that there is not.
    pub fn learn_probe(&mut self, fingerprint: Option<u64>) {
        self.is_probed = true;
        if let Some(fingerprint) = fingerprint {
            self.learn(fingerprint);
        }
    }

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
        pages.learn_probe(Some(SORRY));
        let url = Url::parse("https://example.org").unwrap().join(path).unwrap();
        assert_eq!(pages.includes(&url, fingerprint), expected);
    }

    #[test]
    fn a_page_like_that_of_a_made_up_path_is_not_found() {
        check("/a", SORRY, true);
        check("/a", SORRY ^ 0b111, true);
        check("/a", SORRY ^ 0b1111, false);
        check("/a", 0, false);
        check("/", SORRY, false);
    }

    #[test]
    fn a_host_is_probed_once() {
        let host = Url::parse("https://example.org/a/b?c").unwrap();
        let mut pages = NotFoundPages::default();
        let probe = pages.probe(&host).unwrap();
        assert!(probe.path().len() == 22 && probe.query().is_none(), "{probe}");
        pages.learn_probe(None);
        assert_eq!(pages.probe(&host), None);
        assert!(!pages.includes(&host, SORRY));
    }

    #[test]
    fn only_so_many_pages_are_kept() {
        let mut pages = NotFoundPages::default();
        (1..100_u64).for_each(|it| pages.learn(it.wrapping_mul(0x9e37_79b9_7f4a_7c15)));
        assert_eq!(pages.fingerprints.len(), MOST_PAGES);
    }
}
