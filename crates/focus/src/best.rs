//! Our own strategy: what a link leads to, and what can be reached by way of it, learned while
//! crawling.

use page::Area;
use serde::{Deserialize, Serialize};
use url::Url;

use crate::aim::Aim;
use crate::best_note::{Note, Promise};
use crate::broad::Broad;
use crate::distance::Away;
use crate::link_terms::{Home, LinkTerms};
use crate::regression::{Prediction, Regression, Sample, Weight};
use crate::strategy::{Candidate, Source, Stale, Strategy, Value, Visited};
use crate::term::{Dictionary, Term};
use crate::trail::{Lead, Stop, Trail};
use crate::yields::{self, Groups, NEAR_CLASSES, Yields, near_class};

/// How much hope counts beside what was learned. On nine simulated webs two other weights made no sure
/// difference.
const HOPE: f32 = 0.3;
/// With every page so many earlier ones are learned from once more. On nine simulated webs more brought
/// nothing.
const REPEATS: usize = 6;
/// All links are valued anew when so many pages more were heard of, in per cent. On nine simulated webs
/// doing so more often made no sure difference, and it takes its time.
const GROWTH: u64 = 12;
/// Earlier than after so many pages more not all links are valued anew.
const FEWEST: u64 = 40;
/// A link stays where it is in its queue if its value has changed by less than this.
const WORTH_MOVING: f32 = 0.01;
/// How many terms an explanation names.
const MOST_NAMED: usize = 8;
/// What the bytes of a model begin with. Another number, another form.
const FORM: u16 = 4;

/// What is thought of links before the first page was seen. Places of the region, or of the topic, are
/// promising, as are the topic's keywords; other places are not, and what is near a seed is of its kind:
/// so Kozanidis orders links, and Ahlers and Boll do.
///
/// How much each says is a guess, which some pages that say otherwise outweigh.
const HUNCHES: [(&str, f32); 16] = [
    ("any", -1.8),
    ("depth:1", 1.2),
    ("depth:2", 0.4),
    ("away:1", 0.3),
    ("host:@roi", 1.0),
    ("path:@roi", 0.8),
    ("anchor:@roi", 0.8),
    ("ctx:@roi", 0.4),
    ("source:@roi", 0.4),
    ("ctx:@addr", 0.5),
    ("anchor:@key", 0.8),
    ("ctx:@key", 0.4),
    ("parent:@rel", 0.5),
    ("host:@geo", -0.4),
    ("path:@geo", -0.4),
    ("anchor:@geo", -0.4),
];

/// How far the last relevant page is away, and the seed.
const AWAY: [&str; 6] = ["away:0", "away:1", "away:2", "away:3", "away:4", "away:5"];
const DEPTH: [&str; 8] =
    ["depth:0", "depth:1", "depth:2", "depth:3", "depth:4", "depth:5", "depth:6", "depth:7"];
/// How near the page on which a link was found comes to what is looked for, for links that stay with whom the page belongs to
/// and for others; the last ones are for pages that name no place.
const NEAR: [[&str; NEAR_CLASSES + 1]; 2] = [
    ["near:same:0", "near:same:1", "near:same:2", "near:same:3", "near:same:4", "near:same:none"],
    [
        "near:other:0",
        "near:other:1",
        "near:other:2",
        "near:other:3",
        "near:other:4",
        "near:other:none",
    ],
];
/// Terms for a place of the region beside those in the host.
const PROMISING: [&str; 4] = ["path:@roi", "anchor:@roi", "ctx:@roi", "title:@roi"];

/// Values a link by the chance that its page is relevant, by the harvest to be had by way of it, or by
/// what its host lets hope for, whichever is most.
///
/// The first two are logistic regressions over the words of the link, its URL and the text around it, the places
/// they name, how much the page it stands on and its host are about the region, and how pages of its host,
/// of its folder and beside it have done so far. They learn from every page at once, and from earlier ones
/// again. A page that is worth nothing by itself was worth its visit if it led to links that are worth
/// something: as soon as these are valued, the link that led to it learns of them, and again when they
/// were followed and have shown what they are. Nothing is known beforehand but the gazetteer and a few
/// hunches, which are soon forgotten.
pub struct Best {
    reader: LinkTerms,
    names: Dictionary,
    model: Regression,
    yields: Yields,
    trail: Trail,
    /// Whether the links of the last page are still to be valued.
    is_open: bool,
    heard: u64,
    /// At how many pages all links are valued anew.
    next: u64,
    lot: u64,
    /// Whether nobody looks for anything: then what is nearer to a seed comes first.
    is_aimless: bool,
    /// The terms of the link that is being valued.
    terms: Vec<Term>,
}

/// What is kept of what was learned.
#[derive(Serialize, Deserialize)]
struct Kept {
    form: u16,
    heard: u64,
    weights: Vec<(Term, Weight)>,
    names: Vec<(Term, String)>,
    yields: Yields,
    trail: Vec<Stop>,
}

impl Best {
    /// The strategy for an aim.
    pub fn new(aim: &Aim) -> Self {
        let mut model = Regression::default();
        let mut names = Dictionary::default();
        for (name, weight) in HUNCHES {
            model.expect(Term::of(name), weight);
            names.add(Term::of(name), name);
        }
        Self {
            reader: LinkTerms::with_hints(aim),
            names,
            model,
            yields: Yields::default(),
            trail: Trail::default(),
            is_open: false,
            heard: 0,
            next: FEWEST,
            lot: 1,
            is_aimless: aim.region.is_none() && aim.topic.is_none(),
            terms: Vec::new(),
        }
    }

    fn predict(&self, note: &Note<'_>) -> Prediction {
        self.model.predict(self.terms(note))
    }

    /// What is known of a link now: what was noted, and how its like have done since.
    fn terms<'n>(&self, note: &Note<'n>) -> impl Iterator<Item = Term> + use<'n> {
        let so_far = self.yields.terms(note.groups, note.promise);
        let host = self.yields.host(note.groups, note.promise);
        note.terms().chain(so_far).chain(host)
    }

    /// What a link is worth, from 0 to 1.
    fn worth(&self, note: &Note<'_>) -> f32 {
        let Prediction { relevant, harvest } = self.predict(note);
        let hope = self.yields.hope(note.groups, note.promise);
        relevant.max(harvest).max(HOPE * hope)
    }

    /// Reads the terms of a link.
    fn read(&mut self, home: &Home<'_>, about: &[&'static str], away: Away, link: &Candidate<'_>) {
        let near = home.nearness().map_or(NEAR_CLASSES, |it| near_class(it) as usize);
        let near = NEAR[usize::from(!home.is_home_of(link.url))][near];
        self.terms.clear();
        let terms = &mut self.terms;
        let names = &mut self.names;
        let mut add = |term: Term, name: &str| {
            terms.push(term);
            names.add(term, name);
        };
        self.reader.read(home, link, &mut add);
        let mut one = |name: &str| add(Term::of(name), name);
        one("any");
        about.iter().for_each(|it| one(it));
        one(near);
        one(AWAY[usize::from(away.0).min(AWAY.len() - 1)]);
        one(DEPTH[usize::from(link.depth).min(DEPTH.len() - 1)]);
        one(area_term(link.link.map(|it| it.area)));
        terms.sort_unstable();
        terms.dedup();
    }

    /// Whether the link that was read names a place of the region.
    fn promise(&self) -> Promise {
        let has = |name: &str| self.terms.binary_search(&Term::of(name)).is_ok();
        Promise::of(has("host:@roi"), PROMISING.iter().any(|it| has(it)))
    }

    /// Takes a page in, and learns from it and from some of before.
    fn take_in(&mut self, url: &Url, sample: Sample) {
        self.model.learn(&sample);
        for _ in 0..REPEATS.min(self.trail.len()) {
            let at = self.draw(self.trail.len());
            self.trail.sample(at).into_iter().for_each(|it| self.model.learn(it));
        }
        self.trail.visit(url, sample);
        self.learn_from_ways();
    }

    /// Learns what the last page was worth as a way to others, by what the links are worth that were
    /// first met on it.
    fn look_ahead(&mut self, first_met: Vec<Lead>) {
        self.trail.meet(first_met);
        let last = self.trail.len().checked_sub(1).and_then(|it| self.trail.sample(it));
        last.into_iter().for_each(|it| self.model.learn_harvest(it));
        self.learn_from_ways();
    }

    /// Learns from the pages that led to the last one, now that it is known what that is worth.
    fn learn_from_ways(&mut self) {
        let changed = self.trail.tell();
        let samples = changed.into_iter().filter_map(|it| self.trail.sample(it));
        samples.for_each(|it| self.model.learn_harvest(it));
    }

    /// The terms of a link that say most, each with what it says, and what the others say together: the
    /// sum makes the chance.
    fn what_says(&self, note: &Note<'_>, says: impl Fn(Term) -> f32) -> String {
        let mut terms: Vec<_> = self.terms(note).map(|it| (it, says(it))).collect();
        terms.retain(|it| it.1 != 0.0);
        terms.sort_by(|one, other| other.1.abs().total_cmp(&one.1.abs()));
        let others = terms.split_off(MOST_NAMED.min(terms.len()));
        let name = |it| match self.names.find(it) {
            Some(name) => name.to_owned(),
            None => yields::name_of(it).unwrap_or_else(|| self.names.name(it)),
        };
        let mut told: Vec<_> =
            terms.into_iter().map(|(term, says)| format!("{} {says:+.2}", name(term))).collect();
        if !others.is_empty() {
            let sum: f32 = others.iter().map(|it| it.1).sum();
            told.push(format!("{} others {sum:+.2}", others.len()));
        }
        if told.is_empty() { "no known terms".to_owned() } else { told.join(", ") }
    }

    /// A number below `end`, by lot (Knuth's linear congruential generator).
    fn draw(&mut self, end: usize) -> usize {
        self.lot = self
            .lot
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.lot >> 33) as usize % end
    }
}

impl Strategy for Best {
    fn name(&self) -> &'static str {
        "best"
    }

    fn value(&mut self, source: &Source<'_>, links: &[Candidate<'_>]) -> Vec<Value> {
        if self.is_aimless {
            return Broad.value(source, links);
        }
        let away = Away::of_links_on(source);
        let home = Home::of(source);
        let about = self.reader.about(source);
        let mut first_met = Vec::new();
        let mut values = Vec::with_capacity(links.len());
        for link in links {
            self.read(&home, &about, away, link);
            let groups = Groups::of(source.url, link.link.map(|it| it.area), link.url);
            if !link.is_known {
                self.yields.meet(groups);
            }
            let note = Note::write(away, self.promise(), groups, &self.terms);
            let priority = Note::read(&note).map_or(0.0, |it| self.worth(&it));
            if !link.is_known {
                first_met.push(Lead::new(link.url, priority));
            }
            values.push(Value { priority, note });
        }
        // A seed and a list were not heard of.
        if std::mem::take(&mut self.is_open) {
            self.look_ahead(first_met);
        }
        values
    }

    fn raises(&self) -> bool {
        !self.is_aimless
    }

    fn hear(&mut self, visited: &Visited<'_>) -> Stale {
        self.is_open = false;
        let Some(note) = Note::read(visited.note) else { return Stale::Nothing };
        let is_relevant = match visited.relevant {
            Some(is_relevant) => is_relevant,
            None if visited.is_in_vain => false,
            None => return Stale::Nothing,
        };
        let terms = self.terms(&note).collect();
        // Nothing can be reached from an error.
        let harvest = visited.is_in_vain.then_some(0.0);
        let sample = Sample { terms, is_relevant, harvest };
        self.take_in(visited.url, sample);
        self.is_open = !visited.is_in_vain;
        self.yields.add(note.groups, is_relevant, visited.nearness);
        self.heard += 1;
        if self.heard >= self.next {
            self.next = self.heard + (self.heard * GROWTH / 100).max(FEWEST);
            self.names.tidy(|it| self.model.knows(it));
            return Stale::Queue;
        }
        if self.yields.is_news(note.groups) { Stale::Host } else { Stale::Nothing }
    }

    fn forgo(&mut self, url: &Url) {
        // It is learned when the pages that led there have their turn again: a trap has hundreds of such
        // links, and learning at each of them would say as often what was said of one page.
        self.trail.forgo(url);
    }

    fn forward(&mut self, from: &Url, to: &Url) {
        self.trail.forward(from, to);
    }

    fn revalue(&self, value: &Value) -> f32 {
        let Some(note) = Note::read(&value.note) else { return value.priority };
        let worth = self.worth(&note);
        if (worth - value.priority).abs() > WORTH_MOVING { worth } else { value.priority }
    }

    fn explain(&self, value: &Value, depth: u16) -> Vec<String> {
        let Some(note) = Note::read(&value.note) else {
            return Broad.explain(value, depth);
        };
        let Prediction { relevant, harvest } = self.predict(&note);
        let hope = self.yields.hope(note.groups, note.promise);
        let by_terms = self.what_says(&note, |it| self.model.says(it));
        let harvest_by_terms = self.what_says(&note, |it| self.model.says_of_harvest(it));
        vec![
            format!("relevant {relevant:.4}, harvest by way of it {harvest:.4}"),
            format!("relevant so far: {}; hope {hope:.4}", self.yields.in_words(note.groups)),
            format!("relevant by {by_terms}"),
            format!("harvest by {harvest_by_terms}"),
            format!("priority {:.4}", self.worth(&note)),
        ]
    }

    fn model(&self) -> Option<Vec<u8>> {
        let names = self.names.names(|it| self.model.knows(it));
        let kept = Kept {
            form: FORM,
            heard: self.heard,
            weights: self.model.weights(),
            names: names.into_iter().map(|(term, name)| (term, name.to_owned())).collect(),
            yields: self.yields.clone(),
            trail: self.trail.end(),
        };
        postcard::to_stdvec(&kept).ok()
    }

    fn recall(&mut self, model: &[u8]) -> bool {
        let Ok(kept) = postcard::from_bytes::<Kept>(model) else { return false };
        let Some(regression) = Regression::of(kept.weights) else { return false };
        let Some(trail) = Trail::of(kept.trail) else { return false };
        if kept.form != FORM {
            return false;
        }
        self.model = regression;
        self.yields = kept.yields;
        for (term, name) in kept.names {
            self.names.add(term, &name);
        }
        self.trail = trail;
        self.is_open = false;
        self.heard = kept.heard;
        self.next = self.heard + FEWEST;
        true
    }

    fn take_over(&mut self, model: &[u8]) -> bool {
        let is_read = self.recall(model);
        if is_read {
            self.yields = Yields::default();
            self.trail = Trail::default();
            (self.heard, self.next) = (0, FEWEST);
        }
        is_read
    }
}

fn area_term(area: Option<Area>) -> &'static str {
    match area {
        None => "area:none",
        Some(Area::Body) => "area:body",
        Some(Area::Main) => "area:main",
        Some(Area::Navigation) => "area:navigation",
        Some(Area::Header) => "area:header",
        Some(Area::Footer) => "area:footer",
        Some(Area::Aside) => "area:aside",
        Some(Area::Comments) => "area:comments",
        Some(Area::Notice) => "area:notice",
    }
}

#[cfg(test)]
mod tests {
    use page::{Page, Response};
    use proptest::prelude::*;
    use url::Url;

    use super::*;
    use crate::strategy::Strategy as _;
    use crate::term::MOST_NAMES;
    use crate::toponyms::tests::{aim, topic_aim};

    const HOME: &str = "http://portal.example/";

    /// A page of links in the form `/firms/1`, `/news/1`.
    fn page() -> Page {
        let link = |kind: &str, it: u32| format!("<p><a href='/{kind}/{it}'>{kind} {it}</a></p>");
        let html: String = (0..60).flat_map(|it| [link("firms", it), link("news", it)]).collect();
        page::read(&Response { url: Some(HOME), ..Response::new(html.as_bytes()) })
    }

    fn source<'a>(url: &'a Url, page: &'a Page) -> Source<'a> {
        Source {
            url,
            page: Some(page),
            relevant: Some(false),
            similarity: None,
            nearness: None,
            depth: 0,
            note: &[],
        }
    }

    fn valued(best: &mut Best, page: &Page) -> Vec<(Url, Value)> {
        let home = Url::parse(HOME).unwrap();
        let urls: Vec<Url> = page.links.iter().map(|it| it.url.clone()).collect();
        let links: Vec<_> = urls
            .iter()
            .zip(&page.links)
            .map(|(url, link)| Candidate { url, link: Some(link), depth: 1, is_known: false })
            .collect();
        let values = best.value(&source(&home, page), &links);
        urls.into_iter().zip(values).collect()
    }

    fn hear(best: &mut Best, url: &Url, note: &[u8], is_relevant: bool) -> Stale {
        let relevant = Some(is_relevant);
        best.hear(&Visited { url, note, relevant, is_in_vain: false, nearness: None, depth: 1 })
    }

    /// A strategy that has seen firms, which are relevant, and news, which are not.
    fn taught(page: &Page) -> Best {
        let mut best = Best::new(&aim());
        for (url, value) in valued(&mut best, page).iter().take(60) {
            hear(&mut best, url, &value.note, url.path().starts_with("/firms"));
        }
        best
    }

    #[test]
    fn links_like_those_that_led_to_relevant_pages_come_first() {
        let page = page();
        let best = taught(&page);
        let mut fresh = Best::new(&aim());
        for (url, value) in valued(&mut fresh, &page).iter().skip(60) {
            let now = best.revalue(value);
            assert_eq!(now > 0.5, url.path().starts_with("/firms"), "{url} {now}");
        }
    }

    #[test]
    fn a_page_is_worth_the_links_that_are_first_met_on_it() {
        let mut best = Best::new(&aim());
        let page = page();
        let links = valued(&mut best, &page);
        // News lead to shops, which are relevant, firms to jobs; news and firms are not.
        for (url, value) in links.iter().take(60) {
            hear(&mut best, url, &value.note, false);
            let is_news = url.path().starts_with("/news");
            let inner = Source { note: &value.note, depth: 1, ..source(url, &page) };
            let deep = if is_news { "/shops/1" } else { "/jobs/1" };
            let deep = Url::parse(HOME).unwrap().join(deep).unwrap();
            let candidate = Candidate { url: &deep, link: None, depth: 2, is_known: false };
            let note = best.value(&inner, &[candidate])[0].note.clone();
            hear(&mut best, &deep, &note, is_news);
        }
        let harvest = |path: &str| {
            let (_, value) = links.iter().rfind(|it| it.0.path().starts_with(path)).unwrap();
            best.predict(&Note::read(&value.note).unwrap()).harvest
        };
        let (news, firms) = (harvest("/news"), harvest("/firms"));
        assert!(news > 1.5 * firms, "{news} {firms}");
    }

    #[test]
    fn if_nobody_looks_for_anything_what_is_nearer_to_a_seed_comes_first() {
        let values = valued(&mut Best::new(&Aim::default()), &page());
        assert!(values.iter().all(|it| it.1 == Value { priority: 0.5, note: Vec::new() }));
    }

    #[test]
    fn it_begins_with_places_of_the_region() {
        let mut best = Best::new(&aim());
        let html = "<p><a href='/a'>Oldenburg</a></p><p><a href='/b'>Bad Urach</a></p>";
        let page = page::read(&Response { url: Some(HOME), ..Response::new(html.as_bytes()) });
        let values = valued(&mut best, &page);
        assert!(values[0].1.priority > values[1].1.priority);
    }

    #[test]
    fn for_a_topic_it_begins_with_its_places_and_keywords() {
        let mut best = Best::new(&topic_aim("storm tide", &["ol"]));
        let html = "<p><a href='/a'>The storm tide in Oldenburg</a></p>\
                    <p><a href='/b'>The storm tide</a></p><p><a href='/c'>Oldenburg</a></p>\
                    <p><a href='/d'>Some pictures of cats</a></p><p><a href='/e'>Bad Urach</a></p>";
        let page = page::read(&Response { url: Some(HOME), ..Response::new(html.as_bytes()) });
        let values = valued(&mut best, &page);
        let worth: Vec<f32> = values.iter().map(|it| it.1.priority).collect();
        assert!(worth[0] > worth[1].max(worth[2]), "{worth:?}");
        assert!(worth[1].min(worth[2]) > worth[3], "{worth:?}");
        assert!(worth[3] > worth[4], "{worth:?}");
    }

    #[test]
    fn what_was_learned_survives_being_kept() {
        let page = page();
        let best = taught(&page);
        let model = best.model().unwrap();
        let mut other = Best::new(&aim());
        assert!(other.recall(&model));
        for (_, value) in valued(&mut Best::new(&aim()), &page) {
            assert_eq!(best.revalue(&value).to_bits(), other.revalue(&value).to_bits());
            assert_eq!(best.explain(&value, 1), other.explain(&value, 1));
        }
        assert!(!other.recall(&model[1..]));
    }

    #[test]
    fn after_a_restart_what_was_learned_before_is_not_unlearned() {
        let page = page();
        let mut best = taught(&page);
        let mut other = Best::new(&aim());
        assert!(other.recall(&best.model().unwrap()));
        let links = valued(&mut Best::new(&aim()), &page);
        let (firms, news): (Vec<_>, Vec<_>) =
            links.iter().skip(60).partition(|it| it.0.path().starts_with("/firms"));
        // For a while there is nothing but news.
        for (url, value) in news {
            hear(&mut best, url, &value.note, false);
            hear(&mut other, url, &value.note, false);
        }
        let chance = |it: &Best| it.predict(&Note::read(&firms[0].1.note).unwrap()).relevant;
        let (went_on, restarted) = (chance(&best), chance(&other));
        assert!((went_on - restarted).abs() < 0.05, "{went_on} {restarted}");
    }

    #[test]
    fn another_crawl_begins_with_what_words_say_alone() {
        let page = page();
        let best = taught(&page);
        let mut other = Best::new(&aim());
        assert!(other.take_over(&best.model().unwrap()));
        let links = valued(&mut other, &page);
        let told = other.explain(&links[60].1, 1);
        assert!(told[1].starts_with("relevant so far: host 0 of 0"), "{told:?}");
        assert!(links[60].1.priority > links[61].1.priority, "firms before news");
        let stale: Vec<_> =
            links.iter().map(|it| hear(&mut other, &it.0, &it.1.note, false)).collect();
        let first = stale.iter().position(|it| *it == Stale::Queue);
        assert_eq!(first, Some(FEWEST as usize - 1), "all links are valued anew as in any crawl");
    }

    #[test]
    fn every_value_can_be_explained() {
        let page = page();
        let best = taught(&page);
        let (_, value) = &valued(&mut Best::new(&aim()), &page)[60];
        let told = best.explain(value, 1);
        assert_eq!(told.len(), 5);
        assert!(told[0].starts_with("relevant 0."), "{told:?}");
        let so_far = "relevant so far: host 30 of 60, folder 30 of 30, siblings 30 of 30; hope ";
        assert!(told[1].starts_with(so_far), "{told:?}");
        assert!(told[2].contains("firms +"), "{told:?}");
        assert!(told[2].contains("yield:host up to 60 % of 30+ +"), "{told:?}");
        assert_eq!(
            best.explain(&Value { priority: 1.0, note: Vec::new() }, 0),
            ["it is a seed: 1"]
        );
    }

    #[test]
    fn names_are_told_however_many_were_met() {
        let page = page();
        let mut best = Best::new(&aim());
        (0..MOST_NAMES as u32).for_each(|it| best.names.add(Term(it), "x"));
        for (url, value) in valued(&mut best, &page).iter().take(60) {
            hear(&mut best, url, &value.note, url.path().starts_with("/firms"));
        }
        let links = valued(&mut best, &page);
        let told = best.explain(&links[60].1, 1);
        assert!(told.iter().all(|it| !it.contains(" #")), "{told:?}");
    }

    #[test]
    fn the_terms_of_an_explanation_make_its_chances() {
        let page = page();
        let best = taught(&page);
        let check = |says: &str, expected: f32| {
            let last_word = |it: &str| it.rsplit(' ').next().and_then(|it| it.parse::<f32>().ok());
            let sum: f32 = says.split(", ").filter_map(last_word).sum();
            let chance = 1.0 / (1.0 + (-sum).exp());
            assert!((chance - expected).abs() < 0.02, "{chance} instead of {expected}: {says}");
        };
        for (_, value) in valued(&mut Best::new(&aim()), &page).iter().skip(60) {
            let Prediction { relevant, harvest } = best.predict(&Note::read(&value.note).unwrap());
            let told = best.explain(value, 1);
            check(told[2].strip_prefix("relevant by ").unwrap(), relevant);
            check(told[3].strip_prefix("harvest by ").unwrap(), harvest);
        }
    }

    proptest! {
        #[test]
        fn any_bytes_are_survived(note in prop::collection::vec(any::<u8>(), 0..80), relevant: Option<bool>) {
            let mut best = Best::new(&aim());
            let url = Url::parse(HOME).unwrap();
            for _ in 0..3 {
                best.hear(&Visited { url: &url, note: &note, relevant, is_in_vain: true, nearness: None, depth: 1 });
            }
            let value = Value { priority: 0.5, note: note.clone() };
            prop_assert!((0.0..=1.0).contains(&best.revalue(&value)));
            best.explain(&value, 3);
            best.recall(&note);
        }
    }
}
