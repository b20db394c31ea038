//! A topic made from samples: the terms that pages about it use most.

use std::collections::{HashMap, HashSet};
use std::hash::Hash;

use gazetteer::PlaceId;
use geoparse::Mention;
use xxhash_rust::xxh3::xxh3_64;

use crate::common_word::is_common_word;
use crate::topic::place_of;
use crate::word::{Word, words};

/// Shorter words say nothing.
const SHORTEST: usize = 3;
/// Of a longer sample only the beginning is read.
const MOST_WORDS: usize = 50_000;
/// More different terms than this are not counted; the frequent ones come early.
const MOST_TERMS: usize = 2_000_000;
/// A term that fewer of the samples have belongs to them and not to the topic: one in twenty.
const LEAST_SHARE: usize = 20;
/// Two words are a phrase if the rarer of them hardly stands without the other.
const PHRASE: f64 = 0.75;
/// A word of which other pages have at least this part of its share here is everybody's.
const SHARED: f64 = 0.5;
/// So many different neighbours are told apart.
const NEIGHBOURS: usize = 4;
/// Of a term that was met less often its neighbours prove nothing.
const OFTEN: usize = 12;

/// Terms counted over samples of a topic.
#[derive(Clone, Debug, Default)]
pub struct TopicDraft {
    samples: usize,
    words: HashMap<String, Tally>,
    pairs: HashMap<(String, String), Tally>,
    places: HashMap<PlaceId, Tally>,
}

/// How often a term was met, in how many samples, and between which words.
#[derive(Clone, Debug, Default)]
struct Tally {
    times: usize,
    samples: usize,
    before: Vec<u64>,
    after: Vec<u64>,
}

impl Tally {
    fn count(&mut self, is_new: bool) {
        self.times += 1;
        self.samples += usize::from(is_new);
    }

    /// Notes what stands beside the term.
    fn meet(&mut self, before: u64, after: u64) {
        for (list, neighbour) in [(&mut self.before, before), (&mut self.after, after)] {
            if list.len() < NEIGHBOURS && !list.contains(&neighbour) {
                list.push(neighbour);
            }
        }
    }

    /// True for a term that always stands between the same words: it belongs to a sentence that many
    /// pages have, and not to what they are about. (Accessor variety: Feng, Chen, Deng and Zheng,
    /// 2004.)
    fn is_fixed(&self) -> bool {
        self.times >= OFTEN && self.before.len().max(self.after.len()) < NEIGHBOURS
    }
}

impl TopicDraft {
    /// How many samples were added.
    pub fn samples(&self) -> usize {
        self.samples
    }

    /// Adds a page about the topic: its text, and the places it names there.
    pub fn add(&mut self, text: &str, mentions: &[Mention]) {
        self.samples += 1;
        let mut met_words = HashSet::new();
        let mut met_pairs = HashSet::new();
        let mut before: Option<&Word> = None;
        let words = words(text);
        let mut mention = 0;
        for (at, word) in words.iter().enumerate().take(MOST_WORDS) {
            while mentions.get(mention).is_some_and(|it| it.span.end <= word.span.start) {
                mention += 1;
            }
            let is_place = mentions.get(mention).is_some_and(|it| it.span.start < word.span.end);
            if is_place || !is_telling(&word.text) {
                before = None;
                continue;
            }
            if let Some(before) = before.filter(|it| !it.is_end) {
                let pair = (before.text.clone(), word.text.clone());
                let is_new = met_pairs.insert(pair.clone());
                if let Some(tally) = tally(&mut self.pairs, pair) {
                    tally.count(is_new);
                    tally.meet(left_of(&words, at - 1), right_of(&words, at));
                }
            }
            let is_new = met_words.insert(word.text.as_str());
            if let Some(tally) = tally(&mut self.words, word.text.clone()) {
                tally.count(is_new);
                tally.meet(left_of(&words, at), right_of(&words, at));
            }
            before = Some(word);
        }
        let mut met = HashSet::new();
        for place in mentions.iter().filter_map(place_of) {
            if let Some(tally) = tally(&mut self.places, place) {
                tally.count(met.insert(place));
            }
        }
    }

    /// The keywords, at most so many, with weights of which the greatest is 1.
    ///
    /// What pages about anything else have as well is none, if there are such pages to compare with.
    pub fn keywords(&self, others: &Self, most: usize) -> Vec<(String, f64)> {
        let mut words = self.words.clone();
        let mut terms: Vec<(String, Tally)> = Vec::new();
        let pairs = self.pairs.iter().filter(|it| self.is_typical(it.1));
        let pairs = pairs.filter(|it| !self.is_shared(it.1, others, others.pairs.get(it.0)));
        let mut pairs: Vec<_> = pairs.collect();
        pairs.sort_by(|a, b| b.1.times.cmp(&a.1.times).then(a.0.cmp(b.0)));
        for ((one, other), tally) in pairs {
            let times = |word: &String| words.get(word).map_or(0, |it| it.times);
            let rarer = times(one).min(times(other));
            if rarer == 0 || (tally.times as f64) < PHRASE * rarer as f64 {
                continue;
            }
            // What stands in the phrase does not stand for itself.
            for word in [one, other] {
                if let Some(word) = words.get_mut(word) {
                    word.times = word.times.saturating_sub(tally.times);
                }
            }
            terms.push((format!("{one} {other}"), tally.clone()));
        }
        let words = words.into_iter().filter(|it| self.is_typical(&it.1));
        terms.extend(words.filter(|it| !self.is_shared(&it.1, others, others.words.get(&it.0))));
        weighed(terms, most)
    }

    /// The places, at most so many, with weights of which the greatest is 1.
    pub fn places(&self, most: usize) -> Vec<(PlaceId, f64)> {
        let common = self.places.iter().filter(|it| self.is_common(it.1));
        weighed(common.map(|(place, tally)| (*place, tally.clone())).collect(), most)
    }

    /// Whether a word or a phrase is one of many samples, in words of their own.
    fn is_typical(&self, tally: &Tally) -> bool {
        self.is_common(tally) && !tally.is_fixed()
    }

    /// Whether a term is nearly as usual on pages about anything else.
    fn is_shared(&self, here: &Tally, others: &Self, there: Option<&Tally>) -> bool {
        let share = |count: usize, of: usize| count as f64 / of.max(1) as f64;
        let there = share(there.map_or(0, |it| it.samples), others.samples);
        there >= SHARED * share(here.samples, self.samples)
    }

    fn is_common(&self, tally: &Tally) -> bool {
        let least = (self.samples / LEAST_SHARE).max(2).min(self.samples);
        tally.times > 0 && tally.samples >= least
    }
}

/// The most frequent terms by the share of the greatest.
fn weighed<T: Ord>(mut terms: Vec<(T, Tally)>, most: usize) -> Vec<(T, f64)> {
    terms.sort_by(|a, b| b.1.times.cmp(&a.1.times).then_with(|| a.0.cmp(&b.0)));
    terms.truncate(most);
    let greatest = terms.first().map_or(1, |it| it.1.times.max(1)) as f64;
    // Nobody reads more than two places of a weight, and a file is easier to change by hand so.
    let weight = |times: usize| ((times as f64 / greatest * 100.0).round() / 100.0).max(0.01);
    terms.into_iter().map(|(term, tally)| (term, weight(tally.times))).collect()
}

/// The tally of a term, if it can still be counted.
fn tally<T: Eq + Hash>(tallies: &mut HashMap<T, Tally>, term: T) -> Option<&mut Tally> {
    let is_full = tallies.len() >= MOST_TERMS;
    if is_full && !tallies.contains_key(&term) {
        return None;
    }
    Some(tallies.entry(term).or_default())
}

/// The word before this one as a number; 0 at the beginning of a sentence.
fn left_of(words: &[Word], at: usize) -> u64 {
    let before = at.checked_sub(1).and_then(|it| words.get(it));
    before.filter(|it| !it.is_end).map_or(0, |it| xxh3_64(it.text.as_bytes()))
}

/// The word behind this one as a number; 0 at the end of a sentence.
fn right_of(words: &[Word], at: usize) -> u64 {
    let is_end = words.get(at).is_some_and(|it| it.is_end);
    let after = words.get(at + 1).filter(|_| !is_end);
    after.map_or(0, |it| xxh3_64(it.text.as_bytes()))
}

/// Whether a word may say what a page is about.
fn is_telling(word: &str) -> bool {
    word.chars().count() >= SHORTEST
        && !word.contains(|it: char| it.is_numeric())
        && !is_common_word(word)
}

#[cfg(test)]
mod tests {
    use geoparse::Class;

    use super::*;

    fn mention(text: &str, name: &str, place: u32) -> Vec<Mention> {
        text.match_indices(name)
            .map(|(at, _)| Mention {
                span: at..at + name.len(),
                class: Class::Place,
                place: Some(PlaceId(place)),
                point: None,
                is_listed: true,
                confidence: 1.0,
                why: None,
            })
            .collect()
    }

    #[track_caller]
    fn check(texts: &[&str], keywords: &[(&str, f64)]) {
        let mut draft = TopicDraft::default();
        for text in texts {
            draft.add(text, &mention(text, "Jever", 7));
        }
        let found = draft.keywords(&TopicDraft::default(), 3);
        let shown: Vec<_> = found.iter().map(|it| (it.0.as_str(), it.1)).collect();
        assert_eq!(shown, keywords);
    }

    #[test]
    fn the_most_frequent_words_are_keywords_by_their_share() {
        check(
            &["The harbour and the harbour. Ships!", "A harbour in 2019 and 17 ships", "harbour"],
            &[("harbour", 1.0), ("ships", 0.5)],
        );
    }

    #[test]
    fn two_words_that_stand_together_are_a_phrase() {
        check(
            &["the tidal gate, a gate; tidal gate", "tidal gate and gate. Or gate", "gate"],
            &[("gate", 1.0), ("tidal gate", 0.75)],
        );
    }

    #[test]
    fn names_of_places_are_no_keywords_and_no_part_of_a_phrase() {
        check(&["the Jever brewery", "in Jever a brewery"], &[("brewery", 1.0)]);
        let mut draft = TopicDraft::default();
        for text in ["Jever and Jever", "in Jever"] {
            draft.add(text, &mention(text, "Jever", 7));
        }
        assert_eq!(draft.places(5), [(PlaceId(7), 1.0)]);
        assert_eq!(draft.samples(), 2);
    }

    #[test]
    fn a_sentence_that_every_page_has_is_not_the_topic() {
        let texts: Vec<_> = ["old", "new", "long", "wide", "stone", "small"]
            .iter()
            .map(|it| {
                format!("The {it} bridge of {it} stones. Our opening hours vary. {it} bridge")
            })
            .collect();
        let texts: Vec<_> = texts.iter().chain(&texts).map(String::as_str).collect();
        check(&texts, &[("bridge", 1.0), ("stones", 0.5), ("long", 0.25)]);
    }

    #[test]
    fn what_other_pages_have_as_well_is_not_the_topic() {
        let drafted = |texts: &[&str]| {
            let mut draft = TopicDraft::default();
            texts.iter().for_each(|it| draft.add(it, &[]));
            draft
        };
        let here = drafted(&["we open a mill", "open the mill", "open mill"]);
        let there = drafted(&["please open it", "a bridge", "open"]);
        let none = TopicDraft::default();
        let words = |others: &TopicDraft| {
            here.keywords(others, 5).into_iter().map(|it| it.0).collect::<Vec<_>>()
        };
        assert_eq!(words(&none), ["mill", "open"]);
        assert_eq!(words(&there), ["mill"]);
    }

    #[test]
    fn what_a_single_sample_has_is_not_the_topic() {
        check(&["mill mill mill", "bridge", "bridge"], &[("bridge", 1.0)]);
        check(&["mill"], &[("mill", 1.0)]);
        check(&[], &[]);
    }
}
