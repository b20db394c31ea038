//! Hosts that repeat another host.

use std::collections::{BTreeMap, HashMap, VecDeque};

use serde::{Deserialize, Deserializer, Serialize};
use xxhash_rust::xxh3::xxh3_64;

use crate::trap::flood::registered_domain;

/// A host is compared by its first pages. A mirror shows in these; later a host may as well quote.
const FIRST_PAGES: u8 = 20;

/// So many pages that two hosts share make a mirror. Three may be an imprint, terms and a parked
/// start page.
const SHARED_PAGES: u8 = 5;

/// So many paths make a mirror if two hosts of one domain show the same under each of them, and so many
/// if the start page is not among them. On most sites of one domain the terms are the same.
const SAME_PATHS: u8 = 3;
const SAME_PATHS_WITHOUT_START: u8 = 5;

/// For every path under which two hosts show something else, so many must be the same.
const SAME_PER_OTHER: u8 = 4;

/// So many findings that two hosts share under the same paths make a mirror, if one of them has what the crawl
/// looks for. The branches of a firm have the same site, the address of its seat on each, and their own on one
/// page that may not have been met yet.
const SAME_FINDINGS: usize = 3;

/// How many digests are remembered, the latest: some megabytes.
const MOST_DIGESTS: usize = 50_000;

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
    /// What was shown under a path of a domain, and by whom.
    paths: HashMap<u64, (u32, Shown)>,
    path_order: VecDeque<u64>,
    /// How two hosts of one domain compare, the one that was met first first.
    pairs: BTreeMap<(u32, u32), Pair>,
    /// The first pages of hosts, as long as they are few.
    young: HashMap<u32, Young>,
    young_order: VecDeque<u32>,
    numbers: HashMap<String, u32>,
    /// Which host a mirror repeats: always one that is no mirror itself.
    #[serde(deserialize_with = "settled")]
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
    /// How many pages it has shown in all.
    shown: u32,
    /// Whether one of them is what the crawl looks for.
    is_wanted: bool,
}

/// What a host shows under a path, as digests.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Shown {
    /// The contents; of a page that repeats another, the other's.
    pub digest: u64,
    /// Its words, 0 if it has none.
    pub wording: u64,
    /// Its title, 0 if it has none.
    pub title: u64,
    /// Its longest paragraph that does not stand on many pages, 0 if there is none.
    pub paragraph: u64,
    /// What it has of what the crawl looks for, 0 if it has nothing.
    pub finding: u64,
}

impl Shown {
    /// Whether another host shows the same, as far as can be told. Lists of links differ on copies that
    /// are not of the same day, titles and paragraphs do not.
    fn is_like(self, other: Self) -> Option<bool> {
        if self.finding != other.finding {
            return Some(false);
        }
        let is_equal = |one: u64, other: u64| one != 0 && one == other;
        if self.digest == other.digest || is_equal(self.wording, other.wording) {
            return Some(true);
        }
        let can_be_told = self.paragraph != 0 && other.paragraph != 0;
        match is_equal(self.title, other.title) {
            true if !can_be_told => None,
            true => Some(self.paragraph == other.paragraph),
            false => Some(false),
        }
    }
}

/// The paths that two hosts of one domain have in common.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
struct Pair {
    same: u8,
    other: u8,
    /// Whether the start pages are the same, if both are known.
    start: Option<bool>,
    /// What was the same the last time: a page that is shown everywhere proves nothing.
    last: Option<Shown>,
    /// What both have of what the crawl looks for, as long as it is little.
    findings: Vec<u64>,
    /// Whether one of them has something under a path that the other has not.
    has_own: bool,
}

impl Pair {
    fn learn(&mut self, is_start: bool, before: Shown, shown: Shown, is_same: bool) {
        if is_start {
            self.start = Some(is_same);
        }
        let finding = shown.finding;
        self.has_own |= finding != before.finding;
        if is_same && finding != 0 && self.findings.len() < SAME_FINDINGS {
            self.findings.retain(|it| *it != finding);
            self.findings.push(finding);
        }
        if !is_same {
            self.other = self.other.saturating_add(1);
        } else if self.last.is_none_or(|it| it.is_like(shown) == Some(false)) {
            self.same = self.same.saturating_add(1);
            self.last = Some(shown);
        }
    }

    /// Whether one of the two repeats the other; `is_wanted` if one of them has what the crawl looks for.
    fn is_mirror(&self, is_wanted: bool) -> bool {
        if self.has_own || is_wanted && self.findings.len() < SAME_FINDINGS {
            return false;
        }
        let least = match self.start {
            Some(true) => SAME_PATHS,
            Some(false) => return false,
            None => SAME_PATHS_WITHOUT_START,
        };
        self.same >= least && self.same >= self.other.saturating_mul(SAME_PER_OTHER)
    }
}

impl Mirrors {
    /// The host that this one repeats, as far as is known.
    pub fn original_of(&self, host: &str) -> Option<&str> {
        self.originals.get(host).map(String::as_str)
    }

    /// Counts a page of the host, under this path and query; gives the host that it turns out, or is
    /// known, to repeat.
    pub fn learn(&mut self, host: &str, path: &str, shown: Shown) -> Option<&str> {
        if !self.originals.contains_key(host) {
            let number = self.number_of(host);
            self.compare(number, shown.digest);
            self.remember(number, shown.digest);
            self.compare_paths(number, path, shown);
        }
        self.original_of(host)
    }

    /// Compares the page with what another host of the domain has under the same path.
    ///
    /// This holds as well where both are visited at the same time, and each is first with some pages.
    fn compare_paths(&mut self, number: u32, path: &str, shown: Shown) {
        let Some(young) = self.young.get_mut(&number) else { return };
        young.shown = young.shown.saturating_add(1);
        young.is_wanted |= shown.finding != 0;
        let key = xxh3_64(format!("{} {path}", registered_domain(&young.host)).as_bytes());
        let Some((first, before)) = self.paths.get(&key).copied() else {
            if self.path_order.len() >= MOST_DIGESTS
                && let Some(oldest) = self.path_order.pop_front()
            {
                self.paths.remove(&oldest);
            }
            self.paths.insert(key, (number, shown));
            self.path_order.push_back(key);
            return;
        };
        let hosts = (first.min(number), first.max(number));
        if first == number {
            return;
        }
        if self.pairs.len() >= MOST_HOSTS && !self.pairs.contains_key(&hosts) {
            self.pairs.pop_first();
        }
        let pair = self.pairs.entry(hosts).or_default();
        if let Some(is_same) = before.is_like(shown) {
            pair.learn(path == "/", before, shown, is_same);
        }
        let is_wanted = |it: &u32| self.young.get(it).is_some_and(|it| it.is_wanted);
        if pair.is_mirror(is_wanted(&hosts.0) || is_wanted(&hosts.1)) {
            self.pairs.remove(&hosts);
            self.join(hosts.0, hosts.1);
        }
    }

    /// Of two hosts that are the same, the one that has shown more stays: links led there.
    fn join(&mut self, one: u32, other: u32) {
        let (Some(one), Some(other)) = (self.young.get(&one), self.young.get(&other)) else {
            return;
        };
        let (original, mirror) = if other.shown > one.shown {
            (&other.host, &one.host)
        } else {
            (&one.host, &other.host)
        };
        let (original, mirror) = (original.clone(), mirror.clone());
        self.note(original, mirror);
    }

    fn note(&mut self, original: String, mirror: String) {
        // The original may have turned out a mirror itself.
        let original = self.originals.get(&original).cloned().unwrap_or(original);
        if self.originals.len() >= MOST_MIRRORS || original == mirror {
            return;
        }
        // So may the mirror have been taken for the original of others.
        for repeated in self.originals.values_mut().filter(|it| **it == mirror) {
            repeated.clone_from(&original);
        }
        self.originals.insert(mirror, original);
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
        if let Some(original) = self.young.get(&other).filter(|_| is_mirror) {
            let original = original.host.clone();
            self.note(original, host);
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

/// Which host each mirror repeats in the end. What earlier versions kept may lead from mirror to mirror, even
/// in a circle; then the host of the first name in it is the original.
fn settled<'d, D: Deserializer<'d>>(kept: D) -> Result<BTreeMap<String, String>, D::Error> {
    let kept: BTreeMap<String, String> = BTreeMap::deserialize(kept)?;
    Ok(kept
        .keys()
        .map(|it| (it.clone(), end_of(&kept, it).to_owned()))
        .filter(|(mirror, original)| mirror != original)
        .collect())
}

/// Where the way from a host ends that leads from mirror to original.
fn end_of<'a>(originals: &'a BTreeMap<String, String>, host: &'a str) -> &'a str {
    let mut passed: Vec<&str> = Vec::new();
    let mut at = host;
    while let Some(next) = originals.get(at) {
        if let Some(begin) = passed.iter().position(|it| *it == at) {
            return passed[begin..].iter().min().copied().unwrap_or(at);
        }
        passed.push(at);
        at = next;
    }
    at
}

#[cfg(test)]
mod tests {
    use super::*;

    fn learnt(pages: &[(&str, std::ops::Range<u64>)]) -> Mirrors {
        let mut mirrors = Mirrors::default();
        for (host, digests) in pages {
            digests.clone().for_each(|it| {
                mirrors.learn(
                    host,
                    &format!("/{host}/{it}"),
                    Shown { digest: it, ..Shown::default() },
                );
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

    /// Which host repeats which, after these were visited in turn: host, path, words.
    #[track_caller]
    fn check_paths(visits: &[(&str, &str, u64)], expected: &[(&str, &str)]) {
        let mut mirrors = Mirrors::default();
        for (number, (host, path, wording)) in visits.iter().enumerate() {
            let shown =
                Shown { digest: 1000 + number as u64, wording: *wording, ..Shown::default() };
            mirrors.learn(&format!("{host}.a.example"), path, shown);
        }
        let host = |it: &str| format!("{it}.a.example");
        let expected: BTreeMap<_, _> = expected.iter().map(|it| (host(it.0), host(it.1))).collect();
        assert_eq!(mirrors.originals, expected);
    }

    #[test]
    fn hosts_of_a_domain_with_the_same_under_the_same_paths_are_one() {
        let both = [("www", "/", 1), ("old", "/", 1), ("old", "/b", 2), ("www", "/b", 2)];
        check_paths(&both, &[]);
        check_paths(
            &[&both[..], &[("old", "/c", 3), ("www", "/c", 3)]].concat(),
            &[("old", "www")],
        );
        // More links lead to the other one, though it was met later.
        let more = [("old", "/x", 8), ("old", "/y", 9), ("old", "/c", 3), ("www", "/c", 3)];
        check_paths(&[&both[..], &more].concat(), &[("www", "old")]);
    }

    /// Whether the second of two hosts of a domain repeats the first, by what each has under its paths of what the
    /// crawl looks for.
    #[track_caller]
    fn check_findings(one: [u64; 6], other: [u64; 6], is_mirror: bool) {
        let mut mirrors = Mirrors::default();
        for (host, findings) in [("north.a.example", one), ("south.a.example", other)] {
            for (wording, finding) in (1..).zip(findings) {
                let digest = wording + 100 * u64::from(host.starts_with('s'));
                let shown = Shown { digest, wording, finding, ..Shown::default() };
                let path = if wording == 1 { "/".to_owned() } else { format!("/{wording}") };
                mirrors.learn(host, &path, shown);
            }
        }
        let original = is_mirror.then_some("north.a.example");
        assert_eq!(mirrors.original_of("south.a.example"), original);
    }

    #[test]
    fn branches_of_a_firm_that_the_crawl_looks_for_are_several() {
        check_findings([0; 6], [0; 6], true);
        // One has an address.
        check_findings([0, 0, 0, 7, 0, 0], [0; 6], false);
        // Both have one, each its own.
        check_findings([0, 0, 0, 7, 0, 0], [0, 0, 0, 8, 0, 0], false);
        // Both have that of the seat.
        check_findings([0, 0, 0, 7, 7, 7], [0, 0, 0, 7, 7, 7], false);
    }

    #[test]
    fn hosts_with_the_same_findings_are_one() {
        check_findings([0, 0, 0, 7, 8, 9], [0, 0, 0, 7, 8, 9], true);
        check_findings([0, 0, 6, 7, 8, 9], [0, 0, 5, 7, 8, 9], false);
    }

    #[test]
    fn hosts_of_a_platform_have_their_terms_in_common_and_not_their_start() {
        let terms = |host| {
            ["/imprint", "/terms", "/help", "/press", "/jobs", "/rss"]
                .map(|it| (host, it, it.len() as u64))
        };
        let visits = [&[("anna", "/", 1)][..], &terms("anna"), &[("otto", "/", 2)], &terms("otto")];
        check_paths(&visits.concat(), &[]);
    }

    #[test]
    fn pages_are_the_same_by_title_and_paragraph_or_it_cannot_be_told() {
        let shown = |digest, title, paragraph| Shown {
            digest,
            title,
            paragraph,
            wording: digest,
            finding: 0,
        };
        let check = |one: Shown, other: Shown, expected| assert_eq!(one.is_like(other), expected);
        check(shown(1, 5, 7), shown(2, 5, 7), Some(true));
        check(shown(1, 5, 7), shown(2, 5, 8), Some(false));
        check(shown(1, 5, 0), shown(2, 5, 8), None);
        check(shown(1, 5, 7), shown(2, 6, 7), Some(false));
        check(shown(1, 0, 0), shown(1, 6, 7), Some(true));
    }

    #[test]
    fn a_page_that_is_shown_everywhere_proves_nothing() {
        let host = |host| ["/", "/a", "/b", "/c", "/d", "/e"].map(|it| (host, it, 7));
        check_paths(&[host("one"), host("two")].concat(), &[]);
    }

    #[test]
    fn the_mirror_of_a_mirror_repeats_the_original() {
        let pages = [("a.example", 0..20), ("b.example", 0..9), ("c.example", 0..9)];
        check(&pages, "c.example", Some("a.example"));
    }

    #[test]
    fn what_an_original_turns_out_to_repeat_its_mirrors_repeat_too() {
        let mut mirrors = Mirrors::default();
        for (original, mirror) in [("b", "c"), ("c", "d"), ("a", "b"), ("d", "a"), ("d", "e")] {
            mirrors.note(original.to_owned(), mirror.to_owned());
        }
        for mirror in ["b", "c", "d", "e"] {
            assert_eq!(mirrors.original_of(mirror), Some("a"), "{mirror}");
        }
        assert_eq!(mirrors.original_of("a"), None);
    }

    #[test]
    fn chains_and_circles_of_mirrors_that_were_kept_are_resolved() {
        let kept =
            [("a", "b"), ("b", "c"), ("x", "z"), ("y", "x"), ("z", "y"), ("w", "z"), ("s", "s")];
        let originals = kept.map(|(mirror, original)| (mirror.to_owned(), original.to_owned()));
        let mirrors = Mirrors { originals: originals.into(), ..Mirrors::default() };
        let stored = postcard::to_stdvec(&mirrors).unwrap();
        let read: Mirrors = postcard::from_bytes(&stored).unwrap();
        let found: Vec<_> =
            "abcsxyzw".split("").filter_map(|it| Some((it, read.original_of(it)?))).collect();
        assert_eq!(found, [("a", "c"), ("b", "c"), ("y", "x"), ("z", "x"), ("w", "x")]);
    }

    #[test]
    fn what_is_remembered_has_bounds() {
        let mut mirrors = Mirrors::default();
        for it in 0..(MOST_DIGESTS as u64 + 10) {
            let host = format!("h{}.example", it / 3);
            mirrors.learn(&host, &format!("/{it}"), Shown { digest: it, ..Shown::default() });
        }
        assert!(mirrors.first.len() <= MOST_DIGESTS && mirrors.order.len() <= MOST_DIGESTS);
        assert!(mirrors.paths.len() <= MOST_DIGESTS && mirrors.path_order.len() <= MOST_DIGESTS);
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
