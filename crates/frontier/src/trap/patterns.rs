//! What the patterns of one host have brought, and which of them have ended.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use url::Url;
use xxhash_rust::xxh3::xxh3_64;

use crate::trap::pattern::{Pattern, pattern};
use crate::trap::pattern_yield::{BRANCH, Brought, NARROW, PatternYield, WIDE};

/// How many patterns of a host are told apart. A site has some dozens; where names are made up, the
/// rest share one yield and end together, at less than 200 pages.
const MOST_PATTERNS: usize = 128;

/// How many paths of a host are watched for the sets of their parameters.
const MOST_PATHS: usize = 256;

/// How many sets of parameter names one path may have. Four filters that can each be there or not
/// have sixteen, and a page, a language and an order come on top.
const MOST_SETS: usize = 32;

/// The yield of the patterns of one host.
///
/// A URL counts for its own pattern and for the next wider one, so that a list with filters, which
/// has a pattern for every choice of them, ends as a whole, and so does a folder of made-up names. It
/// also counts for the branch of the site it lies in, so that folders in folders without end do.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Patterns {
    yields: BTreeMap<u64, PatternYield>,
    /// Of all patterns that found no room.
    others: PatternYield,
    /// The sets of parameter names that links to a path have had, as hashes.
    sets: BTreeMap<u64, Vec<u64>>,
}

impl Patterns {
    /// Whether the link should be fetched by what its like have brought. Asking counts; ask once for
    /// each link.
    pub fn admits(&mut self, url: &Url) -> bool {
        if !self.admits_set(url) {
            return false;
        }
        let own = pattern(url);
        let yield_of_own = self.of(own.id());
        if has_several_parameters(url) && yield_of_own.is_spent_list() {
            return yield_of_own.is_trial();
        }
        let is_proven = yield_of_own.is_proven();
        let is_admitted = yield_of_own.admits_by(NARROW);
        is_admitted && (is_proven || self.admits_around(&own))
    }

    /// Whether what lies around a pattern is worth fetching.
    fn admits_around(&mut self, own: &Pattern) -> bool {
        self.of(own.wider().id()).admits_by(WIDE)
            && own.branch().is_none_or(|it| self.of(it.id()).admits_by(BRANCH))
    }

    /// Counts a page that was fetched.
    pub fn learn(&mut self, url: &Url, outcome: Brought) {
        let own = pattern(url);
        self.of(own.id()).learn(outcome);
        self.of(own.wider().id()).learn(outcome);
        if let Some(branch) = own.branch() {
            self.of(branch.id()).learn(outcome);
        }
        if let Some(query) = url.query().filter(|it| it.contains('&')) {
            self.of(own.id()).watch(query);
        }
    }

    /// Counts a page that is what the crawl looks for, besides learning of it.
    pub fn learn_wanted(&mut self, url: &Url) {
        self.of(pattern(url).id()).learn_wanted();
    }

    /// Counts links that a page brought and nobody had found before, if they are of other patterns and
    /// do not lie below the page itself.
    ///
    /// A page that has no wording of its own is worth what it leads to, as a list of pictures.
    pub fn learn_links<'a>(
        &mut self,
        url: &Url,
        found: impl Iterator<Item = &'a Url>,
        has_own_wording: bool,
    ) {
        if has_own_wording && !has_several_parameters(url) {
            return;
        }
        let own = pattern(url);
        let is_other = |it: &Url| it.path() != url.path() && pattern(it) != own;
        let is_below = |it: &Url| it.path().starts_with(url.path()) && url.path() != "/";
        let led = found.filter(|it| is_other(it) && !is_below(it)).count();
        if led > 0 && !has_own_wording {
            self.of(own.id()).excuse();
            self.of(own.wider().id()).excuse();
            if let Some(branch) = own.branch() {
                self.of(branch.id()).excuse();
            }
        }
        let yield_of_own = self.of(own.id());
        yield_of_own.led = yield_of_own.led.saturating_add(u32::try_from(led).unwrap_or(u32::MAX));
    }

    /// What the pattern of the URL has brought.
    pub fn yield_of(&self, url: &Url) -> &PatternYield {
        self.yields.get(&pattern(url).id()).unwrap_or(&self.others)
    }

    fn of(&mut self, id: u64) -> &mut PatternYield {
        if self.yields.len() >= MOST_PATTERNS && !self.yields.contains_key(&id) {
            return &mut self.others;
        }
        self.yields.entry(id).or_default()
    }

    /// Whether the path has not been seen under too many choices of parameters. One parameter alone
    /// always passes.
    fn admits_set(&mut self, url: &Url) -> bool {
        let Some(query) = url.query().filter(|it| it.contains('&')) else { return true };
        let path = xxh3_64(url.path().as_bytes());
        if self.sets.len() >= MOST_PATHS && !self.sets.contains_key(&path) {
            return true;
        }
        let set = names(query);
        let sets = self.sets.entry(path).or_default();
        if sets.contains(&set) {
            return true;
        }
        let has_room = sets.len() < MOST_SETS;
        if has_room {
            sets.push(set);
        }
        has_room
    }
}

fn has_several_parameters(url: &Url) -> bool {
    url.query().is_some_and(|it| it.contains('&'))
}

/// One number for the names of the parameters, in whatever order and however often they come.
fn names(query: &str) -> u64 {
    let mut names: Vec<_> =
        query.split('&').map(|it| it.split_once('=').map_or(it, |it| it.0)).collect();
    names.sort_unstable();
    names.dedup();
    xxh3_64(names.join("&").as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// How many pages are fetched of a host with these paths, in this order.
    #[track_caller]
    fn check(
        paths: impl Iterator<Item = String>,
        outcome: Brought,
        expected: std::ops::Range<usize>,
    ) {
        let mut patterns = Patterns::default();
        let mut fetched = 0;
        for path in paths {
            let url = Url::parse(&format!("https://example.org{path}")).unwrap();
            if patterns.admits(&url) {
                patterns.learn(&url, outcome);
                fetched += 1;
            }
        }
        assert!(expected.contains(&fetched), "{fetched} were fetched");
        assert!(patterns.yields.len() <= MOST_PATTERNS && patterns.sets.len() <= MOST_PATHS);
    }

    #[test]
    fn an_endless_calendar_ends() {
        let days = (0..10_000).map(|it| {
            format!("/kalender/{}/{}/{}", 2000 + it / 372, it / 31 % 12 + 1, it % 31 + 1)
        });
        check(days, Brought::Repeated, 6..30);
        let months =
            (0..10_000).map(|it| format!("/kalender?jahr={}&monat={}", it / 12, it % 12 + 1));
        check(months, Brought::Repeated, 6..30);
    }

    #[test]
    fn a_decent_site_loses_nothing() {
        check((0..10_000).map(|it| format!("/artikel/{it}")), Brought::New, 10_000..10_001);
        check((1..=400).map(|it| format!("/shop?page={it}")), Brought::New, 400..401);
        let names = (0..1_000).map(|it| format!("/name{}x/seite", "abcdefghij".repeat(it % 3 + 1)));
        check(names, Brought::New, 1_000..1_001);
    }

    #[test]
    fn filters_that_can_be_combined_end_as_a_whole() {
        let choices = |it: u32| {
            let chosen = (0..12)
                .filter(move |bit| it >> bit & 1 == 1)
                .map(|bit| format!("f{}=x", char::from(b'a' + bit)));
            format!("/liste?{}", chosen.collect::<Vec<_>>().join("&"))
        };
        check((1..4096).map(choices), Brought::Repeated, 6..60);
        check((1..4096).map(choices), Brought::New, 40..60);
    }

    #[test]
    fn a_list_under_several_parameters_is_worth_what_it_leads_to() {
        let list = |it: u32| {
            let (filter, order) = (it % 11, it % 7);
            Url::parse(&format!("https://example.org/find?f={filter}&o={order}")).unwrap()
        };
        let fetched = |leads: u32| {
            let mut patterns = Patterns::default();
            let visits = (0..5_000).filter(|it| {
                let url = list(*it);
                let is_admitted = patterns.admits(&url);
                if is_admitted {
                    patterns.learn(&url, Brought::New);
                    let found: Vec<_> = (0..leads)
                        .map(|to| {
                            Url::parse(&format!("https://example.org/thing/{it}-{to}")).unwrap()
                        })
                        .collect();
                    let further = list(it + 1);
                    patterns.learn_links(&url, found.iter().chain([&further]), true);
                }
                is_admitted
            });
            visits.count()
        };
        assert_eq!(fetched(1), 5_000);
        assert!((40..50).contains(&fetched(0)));
    }

    #[test]
    fn a_site_in_one_script_has_time_to_show_what_the_crawl_looks_for() {
        let page = |it: usize| format!("/index.php?id={it}&c=firms");
        check((0..10_000).map(page), Brought::New, 150..190);
        let mut patterns = Patterns::default();
        let mut fetched = 0;
        for number in 0..1_000 {
            let url = Url::parse(&format!("http://a.example{}", page(number))).unwrap();
            if patterns.admits(&url) {
                patterns.learn(&url, Brought::New);
                fetched += 1;
                if number % 4 == 0 {
                    patterns.learn_wanted(&url);
                }
            }
        }
        assert_eq!(fetched, 1_000);
    }

    #[test]
    fn paths_with_made_up_names_end_together() {
        let word = |it: u32| {
            (0..6).map(|at| char::from(b'a' + (it >> (at * 4) & 15) as u8)).collect::<String>()
        };
        let made_up = |it: u32| format!("/{}", word(it * 7919));
        check((0..10_000).map(made_up), Brought::Repeated, 16..100);
        let nested = |it: u32| format!("/{}/{}", word(it * 7919), word(it * 104_729));
        check((0..10_000).map(nested), Brought::Repeated, 16..200);
    }

    #[test]
    fn printed_views_close_nothing_but_themselves() {
        let mut patterns = Patterns::default();
        let url = |path: &str| Url::parse(&format!("https://example.org{path}")).unwrap();
        for page in ["/de/print/1", "/de/print/2"] {
            assert!(patterns.admits(&url(page)));
            patterns.learn(&url(page), Brought::Echo);
        }
        assert!(!patterns.admits(&url("/de/print/3")));
        assert!(patterns.admits(&url("/de/contact")) && patterns.admits(&url("/de/print/all/1")));
    }

    #[test]
    fn folders_in_folders_end_as_a_branch() {
        let nested = |it: u32| {
            let folders =
                (0..5).map(|at| ["a", "b", "list", "news"][(it >> (2 * at) & 3) as usize]);
            format!("/archive/{}/", folders.collect::<Vec<_>>().join("/"))
        };
        check((0..1024).map(nested), Brought::Repeated, 12..30);
        check((0..1024).map(nested), Brought::New, 1024..1025);
    }

    #[test]
    fn a_list_without_words_is_worth_what_it_leads_to() {
        let url = |path: String| Url::parse(&format!("https://example.org{path}")).unwrap();
        let fetched = |leads: bool| {
            let mut patterns = Patterns::default();
            let visits = (0..500).filter(|it| {
                let page = url(format!("/gallery/{it}"));
                let is_admitted = patterns.admits(&page);
                if is_admitted {
                    patterns.learn(&page, Brought::Repeated);
                    let (below, other) = (format!("/gallery/{it}/large"), format!("/p/{it}.html"));
                    let found = url(if leads { other } else { below });
                    patterns.learn_links(&page, [&found].into_iter(), false);
                }
                is_admitted
            });
            visits.count()
        };
        assert_eq!(fetched(true), 500);
        assert!(fetched(false) < 20);
    }

    #[test]
    fn good_pages_beside_a_trap_are_not_lost() {
        let mut patterns = Patterns::default();
        let mut visit = |path: &str, outcome| {
            let url = Url::parse(&format!("https://example.org{path}")).unwrap();
            let is_admitted = patterns.admits(&url);
            if is_admitted {
                patterns.learn(&url, outcome);
            }
            is_admitted
        };
        let articles = (0..2_000).filter(|it| {
            let _ = (0..5)
                .map(|trap| visit(&format!("/x{}{trap}", "y".repeat(it % 30)), Brought::Repeated))
                .count();
            visit(&format!("/{it}.html"), Brought::New)
        });
        assert_eq!(articles.count(), 2_000);
    }

    #[test]
    fn what_was_learnt_survives_being_stored() {
        let url = Url::parse("https://example.org/a/1?b=2&c=3").unwrap();
        let mut patterns = Patterns::default();
        assert!(patterns.admits(&url));
        patterns.learn(&url, Brought::New);
        let stored = postcard::to_stdvec(&patterns).unwrap();
        assert_eq!(postcard::from_bytes::<Patterns>(&stored).unwrap(), patterns);
        assert_eq!(patterns.yield_of(&url).new, 1);
    }
}
