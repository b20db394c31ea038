//! What pages are to be about: keywords and places, each with a weight, after Hou, Wu, Chen and Li.

use std::collections::HashMap;

use gazetteer::{Gazetteer, PlaceId};
use geoparse::{Class, Mention};
use page::Page;

use crate::tie::{Kinship, Tie};
use crate::vector::{cosine, related, soft_cosine};
use crate::word::{folded, words};

/// A topic of more keywords or places is a dictionary.
const MOST_TERMS: usize = 500;
/// A keyword of more words is a sentence.
const MOST_WORDS: usize = 8;
/// Of a page that names more places, those named most often are looked at.
const MOST_PLACES: usize = 500;
/// What a part of a topic's place counts, if parts are added to the topic.
const PART: f64 = 0.6;

/// What pages are to be about.
#[derive(Clone, Debug, PartialEq)]
pub struct Topic {
    /// What it is called.
    pub name: String,
    keywords: Vec<Keyword>,
    places: Vec<(PlaceId, f64)>,
    settings: TopicSettings,
    /// The keywords that begin with a word.
    by_first_word: HashMap<String, Vec<usize>>,
}

/// How strictly pages are judged.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TopicSettings {
    /// The keywords of a page have to be more similar to those of the topic than this, 0 to 1.
    pub sigma1: f64,
    /// The places of a page have to be more similar to those of the topic than this, 0 to 1.
    pub sigma2: f64,
    /// What the keywords count for the order of links; with `b` it is 1.
    pub a: f64,
    /// What the places count for the order of links.
    pub b: f64,
    /// What a place counts that only holds a place of the topic, 0 to 1: a page about Asia is hardly
    /// one about Korea.
    pub ancestor_factor: f64,
    /// Whether places are compared by a cosine that never exceeds 1.
    pub soft_cosine: bool,
    /// Whether the parts of the topic's places become places of the topic.
    pub expand_children: bool,
    /// Whether links of pages that are not about the topic are followed, after others.
    pub follow_rejected: bool,
}

impl Default for TopicSettings {
    /// The paper's numbers. It leaves the links of rejected pages; ours are followed, because pages
    /// about a topic are often linked by way of others.
    fn default() -> Self {
        Self {
            sigma1: 0.5,
            sigma2: 0.5,
            a: 0.4,
            b: 0.6,
            ancestor_factor: 1.0,
            soft_cosine: false,
            expand_children: false,
            follow_rejected: true,
        }
    }
}

/// A word or a phrase.
#[derive(Clone, Debug, PartialEq)]
struct Keyword {
    phrase: String,
    words: Vec<String>,
    weight: f64,
}

/// Why something is no topic.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum NoTopic {
    /// There is nothing to look for.
    #[error("the topic has neither keywords nor places: give some of one kind at least")]
    Empty,
    /// There is too much to look for.
    #[error("the topic has {0} keywords or places: {MOST_TERMS} of each is the most")]
    Many(usize),
    /// A keyword has no words.
    #[error("the keyword \"{0}\" has no letters: leave it out")]
    Wordless(String),
    /// A keyword has too many words.
    #[error("the keyword \"{0}\" has more than {MOST_WORDS} words: give a shorter phrase")]
    Long(String),
    /// A weight makes no sense.
    #[error("\"{term}\" has the weight {weight}: write a number above 0")]
    Weight {
        /// What it is the weight of.
        term: String,
        /// The weight.
        weight: f64,
    },
    /// A setting makes no sense.
    #[error("{name} is {value}: write a number from 0 to 1")]
    Setting {
        /// Which.
        name: &'static str,
        /// What it is.
        value: f64,
    },
    /// The two parts are no whole.
    #[error("a is {a} and b is {b}: together they have to be 1")]
    Parts {
        /// The keywords' part.
        a: f64,
        /// The places' part.
        b: f64,
    },
}

/// How much a page is about a topic.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Score {
    /// How often the page has each keyword, in the topic's order.
    pub keywords: Vec<usize>,
    /// The places of the page with what they have to do with those of the topic, the most frequent
    /// first.
    pub places: Vec<Part>,
    /// How similar the keywords are, 0 to 1.
    pub keyword_similarity: f64,
    /// How similar the places are; it may exceed 1.
    pub raw_place_similarity: f64,
    /// The same, but at most 1.
    pub place_similarity: f64,
    /// Both together, 0 to 1: what the links of the page are worth.
    pub similarity: f64,
    /// Whether the page is about the topic.
    pub is_accepted: bool,
    /// How similar all terms are as one list, without regard to how places lie to each other: what
    /// crawlers did before.
    pub one_vector: f64,
}

/// A place of a page with what it has to do with those of a topic.
#[derive(Clone, Debug, PartialEq)]
pub struct Part {
    /// The place.
    pub place: PlaceId,
    /// How often the page names it.
    pub times: f64,
    /// The places of the topic it has to do with: which, how, and what that counts.
    pub ties: Vec<(usize, Tie, f64)>,
}

impl Topic {
    /// A topic of keywords, which may be phrases, and places, each with a weight above 0.
    pub fn new(
        name: &str,
        keywords: &[(String, f64)],
        places: &[(PlaceId, f64)],
        settings: TopicSettings,
    ) -> Result<Self, NoTopic> {
        settings.check()?;
        match (keywords.len(), places.len()) {
            (0, 0) => return Err(NoTopic::Empty),
            (one, other) if one.max(other) > MOST_TERMS => {
                return Err(NoTopic::Many(one.max(other)));
            }
            _ => {}
        }
        let keywords = keywords.iter().map(|(phrase, weight)| Keyword::new(phrase, *weight));
        let keywords = keywords.collect::<Result<Vec<_>, _>>()?;
        if let Some((place, weight)) = places.iter().find(|it| !is_weight(it.1)) {
            return Err(NoTopic::Weight { term: format!("place {}", place.0), weight: *weight });
        }
        let mut by_first_word: HashMap<String, Vec<usize>> = HashMap::new();
        for (at, keyword) in keywords.iter().enumerate() {
            by_first_word.entry(keyword.words[0].clone()).or_default().push(at);
        }
        let places = places.to_vec();
        Ok(Self { name: name.to_owned(), keywords, places, settings, by_first_word })
    }

    /// The same with the parts of its places, one step down, as places of their own.
    #[must_use]
    pub fn expanded(mut self, gazetteer: &Gazetteer) -> Self {
        for (place, weight) in self.places.clone() {
            for part in gazetteer.children(place) {
                if self.places.len() >= MOST_TERMS {
                    return self;
                }
                if self.places.iter().all(|it| it.0 != part.id()) {
                    self.places.push((part.id(), weight * PART));
                }
            }
        }
        self
    }

    /// Its keywords with their weights.
    pub fn keywords(&self) -> impl ExactSizeIterator<Item = (&str, f64)> {
        self.keywords.iter().map(|it| (it.phrase.as_str(), it.weight))
    }

    /// Its places with their weights.
    pub fn places(&self) -> &[(PlaceId, f64)] {
        &self.places
    }

    /// How strictly it judges.
    pub fn settings(&self) -> TopicSettings {
        self.settings
    }

    /// How often a text has each keyword, in the topic's order.
    pub fn count(&self, text: &str) -> Vec<usize> {
        let words = words(text);
        let mut counts = vec![0; self.keywords.len()];
        // Where the last find of each keyword ended: a word belongs to one find only.
        let mut ends = vec![0; self.keywords.len()];
        for (at, word) in words.iter().enumerate() {
            for &number in self.by_first_word.get(&word.text).into_iter().flatten() {
                let wanted = &self.keywords[number].words;
                let stands = words.get(at..at + wanted.len()).is_some_and(|found| {
                    found.iter().zip(wanted).all(|(one, other)| one.text == *other)
                });
                if stands && at >= ends[number] {
                    counts[number] += 1;
                    ends[number] = at + wanted.len();
                }
            }
        }
        counts
    }

    /// Whether a text has any keyword.
    pub(crate) fn names_keyword(&self, text: &str) -> bool {
        self.count(text).iter().any(|it| *it > 0)
    }

    /// The places that the mentions in the text of a page name, each with how often.
    ///
    /// Streets are no places of a topic, what only lies somewhere near a place is not the place, and
    /// what menus and links to other pages name is not what this one is about.
    pub fn count_places(page: &Page, mentions: &[Mention]) -> Vec<(PlaceId, f64)> {
        let has_main = page.blocks.iter().any(|it| it.is_main);
        let is_main = |mention: &&Mention| {
            let at = page.blocks.partition_point(|it| it.range.end <= mention.span.start);
            !has_main || page.blocks.get(at).is_some_and(|it| it.is_main)
        };
        let mut counts: HashMap<PlaceId, f64> = HashMap::new();
        for place in mentions.iter().filter(is_main).filter_map(place_of) {
            *counts.entry(place).or_default() += 1.0;
        }
        let mut list: Vec<_> = counts.into_iter().collect();
        list.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        list
    }

    /// How much a page is about the topic, by its main text and by the places that the mentions in it
    /// name.
    pub fn score_page(&self, ties: &impl Kinship, page: &Page, mentions: &[Mention]) -> Score {
        let main = page.main_text();
        let text = if main.trim().is_empty() { &page.text } else { &main };
        self.score(ties, text, &Self::count_places(page, mentions))
    }

    /// How much a page is about the topic, by its text and by the places it names, each with how
    /// often.
    pub fn score(&self, ties: &impl Kinship, text: &str, places: &[(PlaceId, f64)]) -> Score {
        self.score_counts(ties, self.count(text), places)
    }

    fn score_counts(
        &self,
        ties: &impl Kinship,
        counts: Vec<usize>,
        places: &[(PlaceId, f64)],
    ) -> Score {
        let mut places: Vec<_> = places.iter().copied().filter(|it| it.1 > 0.0).collect();
        places.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        places.truncate(MOST_PLACES);
        let settings = self.settings;
        let keyword_similarity = cosine(self.keyword_pairs(&counts));
        let raw = self.compare(ties, &places);
        let place_similarity = raw.clamp(0.0, 1.0);
        let passes_keywords = self.keywords.is_empty() || keyword_similarity > settings.sigma1;
        let passes_places = self.places.is_empty() || place_similarity > settings.sigma2;
        let similarity = match (self.keywords.is_empty(), self.places.is_empty()) {
            (false, true) => keyword_similarity,
            (true, _) => place_similarity,
            _ => settings.a * keyword_similarity + settings.b * place_similarity,
        };
        Score {
            keyword_similarity,
            raw_place_similarity: raw,
            place_similarity,
            similarity: similarity.clamp(0.0, 1.0),
            is_accepted: passes_keywords && passes_places,
            one_vector: self.one_vector(&counts, &places),
            places: places.iter().map(|it| self.part(ties, *it)).collect(),
            keywords: counts,
        }
    }

    fn keyword_pairs<'a>(&'a self, counts: &'a [usize]) -> impl Iterator<Item = (f64, f64)> + 'a {
        self.keywords.iter().zip(counts).map(|(it, count)| (it.weight, *count as f64))
    }

    fn compare(&self, ties: &impl Kinship, places: &[(PlaceId, f64)]) -> f64 {
        let weight = |one: PlaceId, other: PlaceId| {
            ties.tie(one, other).weight(self.settings.ancestor_factor)
        };
        let topic: Vec<f64> = self.places.iter().map(|it| it.1).collect();
        let page: Vec<f64> = places.iter().map(|it| it.1).collect();
        let between = |x: usize, y: usize| weight(self.places[x].0, places[y].0);
        if self.settings.soft_cosine {
            let in_topic = |x: usize, y: usize| weight(self.places[x].0, self.places[y].0);
            let in_page = |x: usize, y: usize| weight(places[x].0, places[y].0);
            soft_cosine(&topic, &page, between, in_topic, in_page)
        } else {
            related(&topic, &page, between)
        }
    }

    /// The cosine over all terms of the topic as one list, places only where they are the same.
    fn one_vector(&self, counts: &[usize], places: &[(PlaceId, f64)]) -> f64 {
        let times = |place: PlaceId| places.iter().find(|it| it.0 == place).map_or(0.0, |it| it.1);
        let places = self.places.iter().map(|(place, weight)| (*weight, times(*place)));
        cosine(self.keyword_pairs(counts).chain(places))
    }

    fn part(&self, known: &impl Kinship, (place, times): (PlaceId, f64)) -> Part {
        let related = |(at, it): (usize, &(PlaceId, f64))| {
            let how = known.tie(it.0, place);
            (at, how, how.weight(self.settings.ancestor_factor))
        };
        let list = self.places.iter().enumerate().map(related);
        Part { place, times, ties: list.filter(|it| it.1 != Tie::Disjoint).collect() }
    }
}

impl Keyword {
    fn new(phrase: &str, weight: f64) -> Result<Self, NoTopic> {
        let words = folded(phrase);
        match words.len() {
            0 => Err(NoTopic::Wordless(phrase.to_owned())),
            count if count > MOST_WORDS => Err(NoTopic::Long(phrase.to_owned())),
            _ if !is_weight(weight) => Err(NoTopic::Weight { term: phrase.to_owned(), weight }),
            _ => Ok(Self { phrase: phrase.to_owned(), words, weight }),
        }
    }
}

impl TopicSettings {
    fn check(&self) -> Result<(), NoTopic> {
        let parts = [
            ("sigma1", self.sigma1),
            ("sigma2", self.sigma2),
            ("a", self.a),
            ("b", self.b),
            ("ancestor_factor", self.ancestor_factor),
        ];
        if let Some((name, value)) = parts.into_iter().find(|it| !(0.0..=1.0).contains(&it.1)) {
            return Err(NoTopic::Setting { name, value });
        }
        let is_whole = (self.a + self.b - 1.0).abs() < 1e-6;
        if is_whole { Ok(()) } else { Err(NoTopic::Parts { a: self.a, b: self.b }) }
    }
}

/// The place of a mention, as pages are counted by it.
pub(crate) fn place_of(mention: &Mention) -> Option<PlaceId> {
    mention.place.filter(|_| mention.is_listed && mention.class != Class::Street)
}

/// Weights beyond this are somebody's joke, and their squares have no end.
fn is_weight(weight: f64) -> bool {
    weight > 0.0 && weight < 1e9
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The hierarchy of the paper's example, every place behind the one that holds it.
    const FAMILY: [(&str, &str); 15] = [
        ("World", ""),
        ("Asia", "World"),
        ("North America", "World"),
        ("North Korea", "Asia"),
        ("South Korea", "Asia"),
        ("Japan", "Asia"),
        ("China", "Asia"),
        ("Iran", "Asia"),
        ("America", "North America"),
        ("Pyongyang", "North Korea"),
        ("North Pyongan", "North Korea"),
        ("Yongbyon", "North Pyongan"),
        ("Seoul", "South Korea"),
        ("Tehran", "Iran"),
        ("reactor", "Yongbyon"),
    ];

    struct Family;

    impl Kinship for Family {
        fn tie(&self, of_topic: PlaceId, of_page: PlaceId) -> Tie {
            let parent = |it: PlaceId| Some(id(FAMILY[it.0 as usize].1)).filter(|_| it.0 > 0);
            let steps = |part: PlaceId, whole: PlaceId| {
                std::iter::successors(Some(part), |it| parent(*it)).position(|it| it == whole)
            };
            match (steps(of_page, of_topic), steps(of_topic, of_page)) {
                (Some(0), _) => Tie::Equal,
                (Some(steps), _) => Tie::Holds(steps),
                (_, Some(steps)) => Tie::Within(steps),
                _ => Tie::Disjoint,
            }
        }
    }

    fn id(name: &str) -> PlaceId {
        PlaceId(FAMILY.iter().position(|it| it.0 == name).unwrap_or(0) as u32)
    }

    fn keywords() -> Vec<(String, f64)> {
        let list = [
            ("nuclear test", 1.0),
            ("nuclear gallery", 0.29),
            ("resolution", 0.26),
            ("launch", 0.24),
            ("sanction", 0.21),
        ];
        list.map(|(phrase, weight)| (phrase.to_owned(), weight)).to_vec()
    }

    fn topic(settings: TopicSettings) -> Topic {
        let places = [
            ("North Korea", 1.0),
            ("South Korea", 0.34),
            ("America", 0.20),
            ("Japan", 0.07),
            ("China", 0.06),
        ];
        let places = places.map(|(name, weight)| (id(name), weight));
        Topic::new("korea", &keywords(), &places, settings).expect("it is a topic")
    }

    /// How often a page has each keyword, and its places.
    type Counted = ([usize; 5], &'static [(&'static str, f64)]);

    const PAGES: [Counted; 4] = [
        ([4, 0, 0, 1, 2], &[("North Korea", 3.0), ("Pyongyang", 2.0), ("South Korea", 1.0)]),
        ([3, 0, 2, 0, 1], &[("Iran", 5.0), ("Tehran", 2.0), ("America", 2.0), ("China", 1.0)]),
        ([4, 0, 0, 1, 2], &[("Yongbyon", 2.0), ("Seoul", 1.0)]),
        ([0, 0, 3, 0, 2], &[]),
    ];

    fn score(settings: TopicSettings, page: usize) -> Score {
        let (counts, places) = PAGES[page - 1];
        let places: Vec<_> = places.iter().map(|(name, times)| (id(name), *times)).collect();
        topic(settings).score_counts(&Family, counts.to_vec(), &places)
    }

    #[track_caller]
    fn near(found: f64, expected: f64) {
        assert!((found - expected).abs() < 1e-6, "{found}, not {expected}");
    }

    #[track_caller]
    fn check(page: usize, keywords: f64, raw: f64, both: f64, is_accepted: bool) {
        let found = score(TopicSettings::default(), page);
        near(found.keyword_similarity, keywords);
        near(found.raw_place_similarity, raw);
        near(found.place_similarity, raw.min(1.0));
        near(found.similarity, both);
        assert_eq!(found.is_accepted, is_accepted);
    }

    #[test]
    fn a_page_is_about_the_topic_by_its_keywords_and_by_its_places() {
        check(1, 0.908_304, 1.124_596, 0.963_322, true);
        check(2, 0.890_430, 0.073_118, 0.400_043, false);
        check(3, 0.908_304, 0.416_154, 0.613_014, false);
        check(4, 0.297_279, 0.0, 0.4 * 0.297_279, false);
    }

    #[test]
    fn a_place_counts_by_the_steps_to_those_of_the_topic() {
        let only = |name: &str| {
            let places = [(id(name), 1.0)];
            topic(TopicSettings::default())
                .score_counts(&Family, vec![0; 5], &places)
                .raw_place_similarity
        };
        near(only("North Korea"), 0.926_840);
        near(only("Pyongyang"), 0.556_104);
        near(only("Yongbyon"), 0.370_736);
        near(only("South Korea"), 0.315_126);
        near(only("Asia"), 0.817_473);
        let tie = |name: &str| Family.tie(id("North Korea"), id(name)).weight(1.0);
        near(tie("Pyongyang"), 0.6);
        near(tie("Yongbyon"), 0.4);
        near(tie("reactor"), 0.2);
    }

    #[test]
    fn a_soft_cosine_never_exceeds_one() {
        let soft = TopicSettings { soft_cosine: true, ..TopicSettings::default() };
        near(score(soft, 1).raw_place_similarity, 0.913_888);
        near(score(soft, 2).raw_place_similarity, 0.062_861);
        near(score(soft, 3).raw_place_similarity, 0.416_154);
    }

    #[test]
    fn all_terms_as_one_list_let_a_page_about_another_country_through() {
        near(score(TopicSettings::default(), 1).one_vector, 0.924_115);
        near(score(TopicSettings::default(), 2).one_vector, 0.618_236);
        assert!(score(TopicSettings::default(), 2).one_vector > 0.5);
    }

    #[test]
    fn without_the_steps_a_page_is_known_by_the_same_places_only() {
        struct Exact;
        impl Kinship for Exact {
            fn tie(&self, one: PlaceId, other: PlaceId) -> Tie {
                if one == other { Tie::Equal } else { Tie::Disjoint }
            }
        }
        let similarity = |page: usize| {
            let places = PAGES[page - 1].1.iter().map(|(name, times)| (id(name), *times));
            let places: Vec<_> = places.collect();
            let topic = topic(TopicSettings::default());
            topic.score_counts(&Exact, vec![0; 5], &places).raw_place_similarity
        };
        near(similarity(1), 0.827_346);
        near(similarity(3), 0.0);
    }

    #[test]
    fn a_whole_counts_less_if_that_is_wished() {
        let half = TopicSettings { ancestor_factor: 0.5, ..TopicSettings::default() };
        let places = [(id("Asia"), 1.0)];
        let found = topic(half).score_counts(&Family, vec![0; 5], &places);
        near(found.raw_place_similarity, 0.817_473 / 2.0);
    }

    #[test]
    fn a_topic_of_one_kind_asks_for_that_kind_only() {
        let settings = TopicSettings::default();
        let topic = Topic::new("tests", &keywords(), &[], settings).expect("it is one");
        let found = topic.score_counts(&Family, vec![4, 0, 0, 1, 2], &[]);
        assert!(found.is_accepted);
        near(found.similarity, 0.908_304);
        let topic = Topic::new("korea", &[], &[(id("North Korea"), 1.0)], settings).expect("one");
        let found = topic.score_counts(&Family, vec![], &[(id("Pyongyang"), 3.0)]);
        assert!(found.is_accepted);
        near(found.similarity, 0.6);
    }

    #[test]
    fn keywords_are_found_as_sequences_of_folded_words() {
        let topic = topic(TopicSettings::default());
        let counts = topic.count(
            "The NUCLEAR TEST of May; a nuclear-test, a nuclear, test. Sanction? Résolution \
             resolutions nuclear",
        );
        assert_eq!(counts, [3, 0, 1, 0, 1]);
        assert_eq!(topic.count(""), [0; 5]);
    }

    #[test]
    fn what_menus_name_is_not_what_a_page_is_about() {
        let html = "<nav><ul><li><a href=/a>Aurich</a></li><li><a href=/b>Emden</a></li></ul></nav>\
                    <article><p>The dike of Jever was raised after the last storm tide, and the people \
                    of Jever celebrated that with music for three long days.</p></article>";
        let page = page::read(&page::Response::new(html.as_bytes()));
        let mention = |name: &str, place: u32| {
            let found = page.text.match_indices(name).map(move |(at, _)| Mention {
                span: at..at + name.len(),
                class: Class::Place,
                place: Some(PlaceId(place)),
                point: None,
                is_listed: true,
                confidence: 1.0,
                why: None,
            });
            found.collect::<Vec<_>>()
        };
        let mentions = [mention("Aurich", 1), mention("Emden", 2), mention("Jever", 3)].concat();
        assert_eq!(mentions.len(), 4);
        assert_eq!(Topic::count_places(&page, &mentions), [(PlaceId(3), 2.0)]);
    }

    #[test]
    fn a_word_belongs_to_one_find_only() {
        let keywords = [("ha ha".to_owned(), 1.0)];
        let topic = Topic::new("t", &keywords, &[], TopicSettings::default()).expect("it is one");
        assert_eq!(topic.count("ha ha ha ha ha"), [2]);
    }

    #[test]
    fn what_is_no_topic_is_told_with_the_way_out() {
        let told = |keywords: &[(&str, f64)], settings| {
            let keywords: Vec<_> = keywords.iter().map(|it| (it.0.to_owned(), it.1)).collect();
            Topic::new("t", &keywords, &[], settings).expect_err("it is none").to_string()
        };
        let usual = TopicSettings::default();
        assert_eq!(
            told(&[], usual),
            "the topic has neither keywords nor places: give some of one kind at least"
        );
        assert_eq!(told(&[("…", 1.0)], usual), "the keyword \"…\" has no letters: leave it out");
        assert_eq!(told(&[("x", -1.0)], usual), "\"x\" has the weight -1: write a number above 0");
        assert_eq!(
            told(&[("x", 1.0)], TopicSettings { sigma1: 1.5, ..usual }),
            "sigma1 is 1.5: write a number from 0 to 1"
        );
        assert_eq!(
            told(&[("x", 1.0)], TopicSettings { b: 0.7, ..usual }),
            "a is 0.4 and b is 0.7: together they have to be 1"
        );
        assert!(told(&[("x", f64::NAN)], usual).contains("has the weight NaN"));
    }
}
