//! A topic made from samples: the terms that pages about it use most.

use std::collections::{HashMap, HashSet};

use gazetteer::PlaceId;
use geoparse::Mention;

use crate::stop_word::is_stop_word;
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

/// Terms counted over samples of a topic.
#[derive(Clone, Debug, Default)]
pub struct TopicDraft {
    samples: usize,
    words: HashMap<String, Tally>,
    pairs: HashMap<(String, String), Tally>,
    places: HashMap<PlaceId, Tally>,
}

/// How often a term was met, and in how many samples.
#[derive(Clone, Copy, Debug, Default)]
struct Tally {
    times: usize,
    samples: usize,
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
        for word in words.iter().take(MOST_WORDS) {
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
                count(&mut self.pairs, pair, is_new);
            }
            let is_new = met_words.insert(word.text.as_str());
            count(&mut self.words, word.text.clone(), is_new);
            before = Some(word);
        }
        let mut met = HashSet::new();
        for place in mentions.iter().filter_map(place_of) {
            count(&mut self.places, place, met.insert(place));
        }
    }

    /// The keywords, at most so many, with weights of which the greatest is 1.
    pub fn keywords(&self, most: usize) -> Vec<(String, f64)> {
        let mut words = self.words.clone();
        let mut terms: Vec<(String, Tally)> = Vec::new();
        let mut pairs: Vec<_> = self.pairs.iter().filter(|it| self.is_common(*it.1)).collect();
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
            terms.push((format!("{one} {other}"), *tally));
        }
        terms.extend(words.into_iter().filter(|it| self.is_common(it.1)));
        weighed(terms, most)
    }

    /// The places, at most so many, with weights of which the greatest is 1.
    pub fn places(&self, most: usize) -> Vec<(PlaceId, f64)> {
        let common = self.places.iter().filter(|it| self.is_common(*it.1));
        weighed(common.map(|(place, tally)| (*place, *tally)).collect(), most)
    }

    fn is_common(&self, tally: Tally) -> bool {
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

fn count<T: Eq + std::hash::Hash>(tallies: &mut HashMap<T, Tally>, term: T, is_new: bool) {
    if tallies.len() >= MOST_TERMS && !tallies.contains_key(&term) {
        return;
    }
    let tally = tallies.entry(term).or_default();
    tally.times += 1;
    tally.samples += usize::from(is_new);
}

/// Whether a word may say what a page is about.
fn is_telling(word: &str) -> bool {
    word.chars().count() >= SHORTEST
        && !word.contains(|it: char| it.is_numeric())
        && !is_stop_word(word)
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
        let found = draft.keywords(3);
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
    fn what_a_single_sample_has_is_not_the_topic() {
        check(&["mill mill mill", "bridge", "bridge"], &[("bridge", 1.0)]);
        check(&["mill"], &[("mill", 1.0)]);
        check(&[], &[]);
    }
}
