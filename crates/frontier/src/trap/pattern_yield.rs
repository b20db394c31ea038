//! How much the pages of one pattern have brought, and whether more of them are worth fetching.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_64;

/// When a pattern ends.
#[derive(Debug, Clone, Copy)]
pub(super) struct Terms {
    /// After so many pages in a row that brought nothing new, once it has brought something.
    patience: u32,
    /// After so many pages if none has brought anything, and so many more for each that has.
    first_patience: u32,
    /// So many pages it may have before any must have brought something.
    advance: u32,
    /// After so many pages if all have repeated the page on which their link stood.
    echoes: u32,
}

/// The terms of one script of a host. Where every fourth page is new, thirty in vain come by accident
/// once in five thousand times. A script that begins with six in vain, such as the printed view of
/// pages that are known, hardly ever brings anything later.
///
/// Two printed views are enough: whatever else lies around them has patterns of its own.
pub(super) const NARROW: Terms = Terms { patience: 30, first_patience: 6, advance: 100, echoes: 2 };

/// The terms of a whole folder or of a script under all its parameters. What lies there is mixed, so
/// that a longer dry stretch is no proof; yet a trap that ends here has cost less than 200 pages.
pub(super) const WIDE: Terms =
    Terms { patience: 80, first_patience: 16, advance: 120, echoes: u32::MAX };

/// The terms of all that lies in a first folder, where most of a site may lie. Only what has no end and
/// never shows the same path twice comes so far, such as links that add a folder to themselves.
pub(super) const BRANCH: Terms =
    Terms { patience: 80, first_patience: 12, advance: 150, echoes: u32::MAX };

/// So many pages each new one pays for. A pattern in which every fourth page is new has no limit;
/// one in which every tenth is ends after 168 pages.
const PAID_BY_NEW: u32 = 4;

/// So many pages of a list under several parameters each link pays for that leads to something new.
const PAID_BY_LED: u32 = 2;

/// So many links a page is worth that is what the crawl looks for.
const LED_BY_WANTED: u32 = 4;

/// So many pages a list under several parameters may have before it must have led anywhere.
const LIST_ADVANCE: u32 = 40;

/// The same where a parameter has another value on nearly every page: it may be the number of a page,
/// in a site that keeps all its pages in one script. A trap that ends here has cost less than 200.
const SCRIPT_ADVANCE: u32 = 150;

/// Of 128 places so many are taken by the values of a parameter that has another one on each of some
/// thirty pages. Orders and filters have a dozen values.
const MANY_VALUES: u32 = 24;

/// The values of so many parameters are watched.
const MOST_WATCHED: usize = 6;

/// A closed pattern is tried again after so many links were turned away, then after twice as many
/// and so on: a site may have changed, and a try costs little.
const FIRST_TRIAL: u32 = 64;

/// What fetching a page came to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Brought {
    /// A page unlike those known before.
    New,
    /// A page that is known already, or nearly so.
    Repeated,
    /// The same as the page on which its link stood.
    Echo,
    /// An answer with nothing in it: an empty page, a redirect to the start, not a page at all.
    Empty,
    /// No page: not found, gone, forbidden. Failures that pass, such as timeouts, tell nothing of a
    /// pattern and need not be learnt.
    Failed,
}

/// What the pages of one pattern of one host have brought so far.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PatternYield {
    /// How many were fetched.
    pub fetched: u32,
    /// How many of these were new.
    pub new: u32,
    /// How many in a row, up to the last, were not.
    pub in_vain: u32,
    /// How many were the same as the page on which their link stood.
    pub echoed: u32,
    /// How many links to pages of other patterns they brought that nobody had found before.
    pub led: u32,
    /// Of parameters, by a hash of the name, which of 128 places their values have taken.
    values: BTreeMap<u32, u128>,
    /// How many links were turned away since the last trial.
    turned_away: u32,
    /// After how many comes the next trial.
    until_trial: u32,
}

impl Default for PatternYield {
    fn default() -> Self {
        Self {
            fetched: 0,
            new: 0,
            in_vain: 0,
            echoed: 0,
            led: 0,
            values: BTreeMap::new(),
            turned_away: 0,
            until_trial: FIRST_TRIAL,
        }
    }
}

impl PatternYield {
    /// Counts a page that was fetched.
    pub fn learn(&mut self, outcome: Brought) {
        self.fetched = self.fetched.saturating_add(1);
        self.echoed = self.echoed.saturating_add(u32::from(outcome == Brought::Echo));
        if outcome != Brought::New {
            self.in_vain = self.in_vain.saturating_add(1);
            return;
        }
        self.new = self.new.saturating_add(1);
        self.in_vain = 0;
    }

    /// Takes back that the last page was in vain: it has led elsewhere.
    pub(super) fn excuse(&mut self) {
        self.new = self.new.saturating_add(1);
        self.in_vain = 0;
    }

    /// Counts a page that is what the crawl looks for.
    pub(super) fn learn_wanted(&mut self) {
        self.led = self.led.saturating_add(LED_BY_WANTED);
    }

    /// Watches the values of the parameters of a page that was fetched.
    pub(super) fn watch(&mut self, query: &str) {
        for parameter in query.split('&') {
            let (name, value) = parameter.split_once('=').unwrap_or((parameter, ""));
            let name = xxh3_64(name.as_bytes()) as u32;
            if self.values.len() >= MOST_WATCHED && !self.values.contains_key(&name) {
                continue;
            }
            *self.values.entry(name).or_default() |= 1 << (xxh3_64(value.as_bytes()) % 128);
        }
    }

    /// Whether the pattern has ended: too many pages in a row in vain, or too many for their yield.
    pub fn is_closed(&self) -> bool {
        self.is_closed_by(NARROW)
    }

    /// Whether the next page should be fetched. Asking counts, since of the links that a closed
    /// pattern turns away some are let through on trial.
    pub fn admits(&mut self) -> bool {
        self.admits_by(NARROW)
    }

    pub(super) fn admits_by(&mut self, terms: Terms) -> bool {
        !self.is_closed_by(terms) || self.is_trial()
    }

    /// Whether this one of the links that are turned away is let through on trial.
    pub(super) fn is_trial(&mut self) -> bool {
        self.turned_away = self.turned_away.saturating_add(1);
        let is_trial = self.turned_away >= self.until_trial;
        if is_trial {
            self.turned_away = 0;
            self.until_trial = self.until_trial.saturating_mul(2);
        }
        is_trial
    }

    /// Whether the pattern has shown that it is worth fetching, whatever lies around it.
    pub(super) fn is_proven(&self) -> bool {
        self.new >= 3 && self.new.saturating_mul(PAID_BY_NEW) >= self.fetched
    }

    fn is_closed_by(&self, terms: Terms) -> bool {
        let limit = self.new.saturating_mul(PAID_BY_NEW).saturating_add(terms.advance);
        let patience = terms.first_patience.saturating_mul(self.new.saturating_add(1));
        let is_echo = self.new == 0 && self.echoed >= terms.echoes;
        is_echo || self.in_vain >= patience.min(terms.patience) || self.fetched >= limit
    }

    /// Whether a list under several parameters has ended: such a list is worth what it leads to, for
    /// its own pages are the same things in ever new selections.
    pub(super) fn is_spent_list(&self) -> bool {
        let is_script = self.values.values().any(|it| it.count_ones() >= MANY_VALUES);
        let advance = if is_script { SCRIPT_ADVANCE } else { LIST_ADVANCE };
        self.fetched >= self.led.saturating_mul(PAID_BY_LED).saturating_add(advance)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// How many of so many pages are fetched if those that the function names are new.
    #[track_caller]
    fn check(pages: u32, is_new: impl Fn(u32) -> bool, expected: u32) {
        let mut pattern = PatternYield::default();
        for page in 0..pages {
            if pattern.admits() {
                pattern.learn(if is_new(page) { Brought::New } else { Brought::Repeated });
            }
        }
        assert_eq!(pattern.fetched, expected);
    }

    #[test]
    fn a_pattern_whose_pages_are_new_has_no_limit() {
        check(10_000, |_| true, 10_000);
        check(10_000, |page| page % 4 == 0, 10_000);
    }

    #[test]
    fn a_pattern_that_brings_nothing_is_closed_after_six_pages() {
        check(6, |_| false, 6);
        // Seven are trials.
        check(10_000, |_| false, 13);
    }

    #[test]
    fn a_pattern_that_shows_where_one_comes_from_is_closed_after_two_pages() {
        let mut pattern = PatternYield::default();
        pattern.learn(Brought::Echo);
        assert!(!pattern.is_closed());
        pattern.learn(Brought::Echo);
        assert!(pattern.is_closed());
        pattern.learn(Brought::New);
        assert!(!pattern.is_closed());
    }

    #[test]
    fn a_pattern_that_brought_something_is_given_more_time() {
        check(10_000, |page| page < 4, 4 + 30 + 7);
    }

    #[test]
    fn a_pattern_that_brings_little_ends_early() {
        check(160, |page| page % 10 == 0, 160);
        check(10_000, |page| page % 10 == 0, 175);
    }

    #[test]
    fn a_pattern_that_gets_better_is_opened_again() {
        let mut pattern = PatternYield::default();
        (0..30).for_each(|_| pattern.learn(Brought::Failed));
        assert!(pattern.is_closed());
        assert_eq!((0..64).filter(|_| pattern.admits()).count(), 1);
        pattern.learn(Brought::New);
        assert!(!pattern.is_closed());
    }
}
