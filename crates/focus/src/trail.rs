//! The way a crawl has gone: which links were first met on a page, and what came of them.

use std::collections::{HashMap, VecDeque};

use serde::{Deserialize, Serialize};
use url::Url;
use xxhash_rust::xxh3::xxh3_64;

use crate::regression::Sample;

/// So many of the last pages are remembered, and so many of the links that were first met on them: some
/// thirty megabytes.
const MEMORY: usize = 20_000;
const MOST_LEADS: usize = 400_000;
/// Of one page so many links are remembered.
const MOST_OF_PAGE: usize = 200;
/// So many of the last pages are kept with a crawl, about a megabyte: what is learned after a restart is
/// repeated among enough of what was learned before it.
const MOST_KEPT: usize = 2_000;
/// What came of a link is told so many pages back. Few ways to a page are longer.
const STEPS: usize = 4;
/// What has changed by less is not told on.
const WORTH_TELLING: f32 = 0.01;

/// The last pages that were visited, each with the links that were first met on it.
#[derive(Default)]
pub(crate) struct Trail {
    pages: VecDeque<Stop>,
    /// How many pages were forgotten.
    forgotten: u64,
    /// On which page a link was first met, counted from the first page of all.
    met_on: HashMap<u64, u64>,
}

/// A page on the way.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Stop {
    /// The link that led there.
    link: u64,
    sample: Sample,
    leads: Vec<Lead>,
}

/// A link that was first met on a page.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(crate) struct Lead {
    link: u64,
    /// What it seemed to be worth when it was met, or what it was worth when it was followed.
    worth: f32,
}

impl Lead {
    /// A link that seems to be worth so much.
    pub(crate) fn new(url: &Url, worth: f32) -> Self {
        Self { link: number(url), worth }
    }
}

impl Trail {
    /// How many pages are remembered.
    pub(crate) fn len(&self) -> usize {
        self.pages.len()
    }

    /// What was learned from a page.
    pub(crate) fn sample(&self, at: usize) -> Option<&Sample> {
        self.pages.get(at).map(|it| &it.sample)
    }

    /// Takes in the page that was visited last.
    pub(crate) fn visit(&mut self, url: &Url, sample: Sample) {
        if self.pages.len() >= MEMORY {
            self.forget();
        }
        self.pages.push_back(Stop { link: number(url), sample, leads: Vec::new() });
    }

    /// Takes in the links that were first met on the page that was visited last.
    pub(crate) fn meet(&mut self, mut leads: Vec<Lead>) {
        let Some(at) = self.pages.len().checked_sub(1) else { return };
        // They were to be followed in this order, whatever came of them.
        leads.sort_by(|one, other| other.worth.total_cmp(&one.worth));
        leads.truncate(MOST_OF_PAGE);
        let number = self.forgotten + at as u64;
        self.met_on.extend(leads.iter().map(|it| (it.link, number)));
        let page = &mut self.pages[at];
        page.sample.harvest = Some(harvest(page.sample.is_relevant, &leads));
        page.leads = leads;
        while self.met_on.len() > MOST_LEADS && self.pages.len() > 1 {
            self.forget();
        }
    }

    /// Forgets the oldest page.
    fn forget(&mut self) {
        let Some(oldest) = self.pages.pop_front() else { return };
        for lead in oldest.leads {
            // It may have been taken for new once more, on a later page.
            if self.met_on.get(&lead.link) == Some(&self.forgotten) {
                self.met_on.remove(&lead.link);
            }
        }
        self.forgotten += 1;
    }

    /// Tells the page on which the last page was first met what that was worth, and so on; gives the pages
    /// that are worth something else now.
    pub(crate) fn tell(&mut self) -> Vec<usize> {
        let last = self.pages.back();
        let worth = last.and_then(|it| Some((it.link, it.sample.worth()?)));
        worth.map_or_else(Vec::new, |(link, worth)| self.tell_of(link, worth))
    }

    /// A link is not followed after all: tells that to the pages that led to it, and gives those that are
    /// worth something else now.
    pub(crate) fn forgo(&mut self, url: &Url) -> Vec<usize> {
        self.tell_of(number(url), 0.0)
    }

    /// A link leads on to another one: what comes of that came of it.
    pub(crate) fn forward(&mut self, from: &Url, to: &Url) {
        let (from, to) = (number(from), number(to));
        let Some(met_on) = self.met_on.remove(&from) else { return };
        let at = met_on.checked_sub(self.forgotten);
        let page = at.and_then(|it| self.pages.get_mut(it as usize));
        let lead = page.and_then(|it| it.leads.iter_mut().find(|it| it.link == from));
        if let Some(lead) = lead {
            lead.link = to;
            self.met_on.insert(to, met_on);
        }
    }

    /// Tells the page on which a link was first met what that was worth, the page on which that page was
    /// first met what it is worth by that, and so on.
    fn tell_of(&mut self, mut link: u64, mut worth: f32) -> Vec<usize> {
        let mut changed = Vec::new();
        for _ in 0..STEPS {
            let met_on = self.met_on.get(&link).and_then(|it| it.checked_sub(self.forgotten));
            let Some(at) = met_on.map(|it| it as usize) else { break };
            let Some(page) = self.pages.get_mut(at) else { break };
            let Some(lead) = page.leads.iter_mut().find(|it| it.link == link) else { break };
            lead.worth = worth;
            let harvest = harvest(page.sample.is_relevant, &page.leads);
            let was = page.sample.harvest.replace(harvest);
            if was.is_some_and(|it| (it - harvest).abs() < WORTH_TELLING) {
                break;
            }
            changed.push(at);
            link = page.link;
            let Some(next) = page.sample.worth() else { break };
            worth = next;
        }
        changed
    }

    /// The end of the way, as it is kept with a crawl.
    pub(crate) fn end(&self) -> Vec<Stop> {
        let skipped = self.pages.len().saturating_sub(MOST_KEPT);
        self.pages.iter().skip(skipped).cloned().collect()
    }

    /// The way that ended so; nothing if something in it is no share.
    pub(crate) fn of(end: Vec<Stop>) -> Option<Self> {
        let is_share = |it: f32| (0.0..=1.0).contains(&it);
        let is_sound = |it: &Stop| {
            it.leads.len() <= MOST_OF_PAGE
                && it.leads.iter().all(|it| is_share(it.worth))
                && it.sample.harvest.is_none_or(is_share)
        };
        if end.len() > MOST_KEPT || !end.iter().all(is_sound) {
            return None;
        }
        let leads =
            (0..).zip(&end).flat_map(|(at, it)| it.leads.iter().map(move |it| (it.link, at)));
        let met_on = leads.collect();
        Some(Self { pages: end.into(), forgotten: 0, met_on })
    }
}

/// The share of relevant pages among a page and the first of the links that were first met on it, when as
/// many of these are followed as make it largest.
fn harvest(is_relevant: bool, leads: &[Lead]) -> f32 {
    let mut found = if is_relevant { 1.0 } else { 0.0 };
    let mut largest: f32 = found;
    for (lead, visits) in leads.iter().zip(2_u32..) {
        found += lead.worth;
        largest = largest.max(found / visits as f32);
    }
    largest
}

fn number(url: &Url) -> u64 {
    xxh3_64(url.as_str().as_bytes())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn url(name: &str) -> Url {
        Url::parse(&format!("http://a.example/{name}")).unwrap()
    }

    fn sample(is_relevant: bool) -> Sample {
        Sample { terms: Box::default(), is_relevant, harvest: None }
    }

    fn visit(
        trail: &mut Trail,
        name: &str,
        is_relevant: bool,
        leads: &[(&str, f32)],
    ) -> Vec<usize> {
        trail.visit(&url(name), sample(is_relevant));
        trail.meet(leads.iter().map(|(name, worth)| Lead::new(&url(name), *worth)).collect());
        trail.tell()
    }

    #[track_caller]
    fn check(trail: &Trail, at: usize, harvest: f32) {
        let found = trail.sample(at).and_then(|it| it.harvest).unwrap();
        assert!((found - harvest).abs() < 1e-4, "{found} instead of {harvest}");
    }

    #[test]
    fn as_many_links_count_as_make_the_harvest_largest() {
        let check = |is_relevant, worth: &[f32], expected: f32| {
            let mut trail = Trail::default();
            let names = ["a", "b", "c"];
            let leads: Vec<_> = names.into_iter().zip(worth.iter().copied()).collect();
            visit(&mut trail, "page", is_relevant, &leads);
            check(&trail, 0, expected);
        };
        check(false, &[], 0.0);
        check(true, &[0.5, 0.9], 1.0);
        check(false, &[0.1, 0.8, 0.8], 1.6 / 3.0);
        check(false, &[0.6], 0.3);
    }

    #[test]
    fn what_came_of_a_link_is_told_to_the_pages_before() {
        let mut trail = Trail::default();
        visit(&mut trail, "home", false, &[("list", 0.2)]);
        check(&trail, 0, 0.1);
        // The list turns out to be rich, so that the way to it was worth its while.
        assert_eq!(visit(&mut trail, "list", false, &[("a", 0.9), ("b", 0.9)]), [0]);
        check(&trail, 0, 0.3);
        // Its first entry is what is looked for, its second is not.
        assert_eq!(visit(&mut trail, "a", true, &[]), [1, 0]);
        check(&trail, 1, 1.9 / 3.0);
        assert_eq!(visit(&mut trail, "b", false, &[]), [1, 0]);
        check(&trail, 1, 0.5);
        check(&trail, 0, 0.25);
    }

    #[test]
    fn a_link_that_is_not_followed_is_worth_nothing() {
        let mut trail = Trail::default();
        visit(&mut trail, "home", false, &[("list", 0.2)]);
        visit(&mut trail, "list", false, &[("a", 0.9)]);
        check(&trail, 0, 0.225);
        assert_eq!(trail.forgo(&url("a")), [1, 0]);
        check(&trail, 1, 0.0);
        check(&trail, 0, 0.0);
        assert_eq!(trail.forgo(&url("never-met")), Vec::<usize>::new());
    }

    #[test]
    fn what_comes_of_a_link_that_leads_on_is_told_as_well() {
        let mut trail = Trail::default();
        visit(&mut trail, "list", false, &[("a", 0.2)]);
        trail.forward(&url("a"), &url("b"));
        trail.forward(&url("b"), &url("c"));
        assert_eq!(visit(&mut trail, "c", true, &[]), [0]);
        check(&trail, 0, 0.5);
    }

    #[test]
    fn the_first_of_many_pages_is_forgotten_with_its_links() {
        let mut trail = Trail::default();
        visit(&mut trail, "home", false, &[("late", 0.5), ("later", 0.4)]);
        for at in 0..MEMORY - 1 {
            visit(&mut trail, &at.to_string(), false, &[]);
        }
        assert_eq!(visit(&mut trail, "late", true, &[]), Vec::<usize>::new());
        assert_eq!((trail.len(), trail.met_on.len()), (MEMORY, 0));
    }

    #[test]
    fn pages_with_links_without_end_are_forgotten_sooner() {
        let mut trail = Trail::default();
        for at in 0..2 * MOST_LEADS / MOST_OF_PAGE {
            let leads = (0..MOST_OF_PAGE).map(|it| Lead::new(&url(&format!("{at}/{it}")), 0.5));
            trail.visit(&url(&at.to_string()), sample(false));
            trail.meet(leads.collect());
            trail.tell();
        }
        assert_eq!(trail.len(), MOST_LEADS / MOST_OF_PAGE);
        assert_eq!(trail.met_on.len(), MOST_LEADS);
    }

    #[test]
    fn a_way_that_was_kept_goes_on() {
        let mut trail = Trail::default();
        (0..MOST_KEPT).for_each(|at| drop(visit(&mut trail, &at.to_string(), false, &[])));
        visit(&mut trail, "list", false, &[("a", 0.2)]);
        let mut trail = Trail::of(trail.end()).expect("it was sound");
        assert_eq!(trail.len(), MOST_KEPT);
        check(&trail, MOST_KEPT - 1, 0.1);
        assert_eq!(visit(&mut trail, "a", true, &[]), [MOST_KEPT - 1]);
        check(&trail, MOST_KEPT - 1, 0.5);
    }

    #[test]
    fn a_way_with_what_is_no_share_is_refused() {
        let mut trail = Trail::default();
        visit(&mut trail, "list", false, &[("a", f32::NAN)]);
        assert!(Trail::of(trail.end()).is_none());
    }

    proptest! {
        #[test]
        fn any_way_has_shares_for_harvests(
            visits in prop::collection::vec((0..9_u8, any::<bool>(), prop::collection::vec((0..9_u8, 0.0..1.0_f32), 0..5)), 0..30),
        ) {
            let mut trail = Trail::default();
            for (name, is_relevant, leads) in visits {
                trail.visit(&url(&name.to_string()), sample(is_relevant));
                trail.meet(leads.iter().map(|(name, worth)| Lead::new(&url(&name.to_string()), *worth)).collect());
                for at in trail.tell() {
                    prop_assert!(at < trail.len());
                }
            }
            for at in 0..trail.len() {
                let harvest = trail.sample(at).and_then(|it| it.harvest);
                prop_assert!(harvest.is_some_and(|it| (0.0..=1.0).contains(&it)));
            }
        }
    }
}
