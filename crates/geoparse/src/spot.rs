//! Where a text may name a place: the longest names of the gazetteer, read from each capital word.

use gazetteer::{Found, Gazetteer, NameClass, Walk, long_form};

use crate::cue::Cue;
use crate::first_word::{first_step, stem};
use crate::lexicon::{self, language_bit};
use crate::person::Persons;
use crate::token::{Gap, Shape, Tokens};

/// How many words a name may have. The longest of the world's names have ten or so.
const MOST_WORDS: usize = 10;
/// From here on a word is among the few hundred commonest of its language.
const VERY_COMMON: f32 = 5.7;

/// How the words of a sentence are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Writing {
    /// As usual: names have capitals, ordinary words do not.
    Usual,
    /// A headline In Which Most Words Have Capitals.
    Title,
    /// ALL IN CAPITALS.
    Upper,
    /// all in small letters.
    Lower,
}

/// A sentence: from one word to before another.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sentence {
    pub(crate) first: usize,
    pub(crate) end: usize,
    pub(crate) writing: Writing,
}

/// A stretch of words that bears the name of a place.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Spot {
    /// Its first word.
    pub(crate) first: usize,
    /// The word behind it.
    pub(crate) end: usize,
    pub(crate) found: Found,
    pub(crate) writing: Writing,
    /// True if it begins its sentence.
    pub(crate) begins: bool,
}

/// The sentences of a text, in order.
pub(crate) fn sentences(tokens: &Tokens) -> Vec<Sentence> {
    let mut list = Vec::new();
    let mut first = 0;
    for at in 1..=tokens.len() {
        if at == tokens.len() || begins_sentence(tokens, at) {
            list.push(Sentence { first, end: at, writing: writing(tokens, first, at) });
            first = at;
        }
    }
    list.retain(|it| it.first < it.end);
    list
}

fn begins_sentence(tokens: &Tokens, at: usize) -> bool {
    let Some(token) = tokens.get(at) else { return true };
    if token.gap.has(Gap::BREAK) {
        return true;
    }
    token.gap.has(Gap::STOP)
        && token.shape != Shape::Lower
        && !is_abbreviation(tokens.word(at - 1))
        && !tokens.get(at - 1).is_some_and(|it| it.is_dotted)
}

/// True for words that mostly have a full stop behind them which ends no sentence.
fn is_abbreviation(word: &str) -> bool {
    word.len() == 1 && !word.as_bytes()[0].is_ascii_digit()
        || matches!(
            word,
            "st" | "ste"
                | "mt"
                | "ft"
                | "mr"
                | "mrs"
                | "ms"
                | "dr"
                | "prof"
                | "rev"
                | "sen"
                | "rep"
                | "gov"
                | "gen"
                | "col"
                | "capt"
                | "lt"
                | "sgt"
                | "jr"
                | "no"
                | "nr"
                | "vs"
                | "str"
                | "jan"
                | "feb"
                | "aug"
                | "sept"
                | "oct"
                | "nov"
                | "dec"
                | "hon"
                | "bzw"
                | "ca"
                | "mme"
                | "mlle"
                | "av"
                | "bd"
        )
}

fn writing(tokens: &Tokens, first: usize, end: usize) -> Writing {
    let (mut words, mut upper, mut capital) = (0, 0, 0);
    for at in first..end {
        let Some(token) = tokens.get(at) else { break };
        if token.folded_length() < 2 || token.shape == Shape::Number {
            continue;
        }
        // Small words have no capital in a headline either.
        let counts = token.shape != Shape::Lower || token.folded_length() > 3;
        words += usize::from(counts);
        upper += usize::from(token.shape == Shape::Upper);
        capital += usize::from(token.shape == Shape::Capital);
    }
    match words {
        3.. if upper + capital == 0 => Writing::Lower,
        3.. if upper * 10 >= words * 6 => Writing::Upper,
        4.. if (upper + capital) * 10 >= words * 8 => Writing::Title,
        _ => Writing::Usual,
    }
}

/// Reads the names of the gazetteer in a text.
pub(crate) struct Reader<'a> {
    pub(crate) gazetteer: &'a Gazetteer,
    pub(crate) tokens: &'a Tokens,
    pub(crate) persons: &'a Persons<'a>,
    pub(crate) languages: u32,
}

impl Reader<'_> {
    /// The longest names that stand in a sentence.
    pub(crate) fn spots(&self, sentence: Sentence, into: &mut Vec<Spot>) {
        let mut at = sentence.first;
        while at < sentence.end {
            let found =
                if self.may_begin(sentence, at) { self.longest(sentence, at) } else { None };
            // What looks like a person is one, unless the gazetteer knows the whole name: Sierra Leone.
            let found = found
                .filter(|it| it.end >= self.persons.end_of(at).max(at + 1) && self.is_whole(it));
            at = found.map_or(at + 1, |it| it.end);
            into.extend(found);
        }
    }

    /// True if a spot is not part of a person's name, or is all of it.
    fn is_whole(&self, spot: &Spot) -> bool {
        let is_person = self.persons.has(spot.first) || self.persons.has(spot.end - 1);
        let begins = spot.first == 0 || !self.persons.has(spot.first - 1);
        !is_person || spot.end > spot.first + 1 && begins
    }

    fn may_begin(&self, sentence: Sentence, at: usize) -> bool {
        let Some(token) = self.tokens.get(at) else { return false };
        if token.folded_length() < 2 || token.shape == Shape::Number {
            return false;
        }
        sentence.writing == Writing::Lower || token.is_capital() && !self.only_begins(sentence, at)
    }

    /// True for a common word that has its capital from beginning the sentence and stands alone.
    fn only_begins(&self, sentence: Sentence, at: usize) -> bool {
        let stands_alone = || self.tokens.get(at + 1).is_some_and(|it| it.shape == Shape::Lower);
        at == sentence.first
            && sentence.writing == Writing::Usual
            && stands_alone()
            && lexicon::look_up(self.tokens.word(at)).ordinary_in(self.languages) > VERY_COMMON
    }

    fn longest(&self, sentence: Sentence, first: usize) -> Option<Spot> {
        let begin = first_step(self.gazetteer, self.tokens.word(first));
        let mut best = None;
        if self.may_end(sentence, first, first) {
            best = begin
                .found
                .or_else(|| begin.without_s.filter(|it| self.may_lose_s(*it)))
                .map(|it| (first + 1, it));
        }
        let mut at = first + 1;
        let mut next = begin.walk;
        let end = sentence.end.min(first + MOST_WORDS);
        while let Some(walk) = next.filter(|_| at < end && self.goes_on(sentence, at)) {
            let word = self.tokens.word(at);
            next = self.gazetteer.step(walk, long_form(word).unwrap_or(word));
            let found = || next.and_then(|it| self.gazetteer.found(it));
            if self.may_end(sentence, first, at) {
                best = found()
                    .or_else(|| self.uninflected(walk, word))
                    .map(|it| (at + 1, it))
                    .or(best);
            }
            at += 1;
        }
        let (end, found) = best?;
        Some(Spot { first, end, found, writing: sentence.writing, begins: first == sentence.first })
    }

    /// The name that goes on with a word without its last `s`.
    fn uninflected(&self, walk: Walk, word: &str) -> Option<Found> {
        let found = self.gazetteer.found(self.gazetteer.step(walk, stem(word)?)?)?;
        self.may_lose_s(found).then_some(found)
    }

    /// `Russians` are Russian; where the language has such a genitive, `Deutschlands` is of Deutschland.
    fn may_lose_s(&self, found: Found) -> bool {
        let is_plural = || {
            let mut bearers = self.gazetteer.bearers(found);
            bearers.next().is_some_and(|(_, class)| class == NameClass::Demonym)
        };
        // In a text too short to tell its language, a country may have one.
        let may_be = self.languages == u32::MAX && found.importance() > 0.7;
        self.has_genitive() || may_be || is_plural()
    }

    /// True for German, Dutch, Swedish, Danish and Norwegian.
    fn has_genitive(&self) -> bool {
        ["de", "nl", "sv", "da", "no"].iter().any(|it| self.languages == language_bit(it))
    }

    /// True if a name can go on over the gap before this word.
    fn goes_on(&self, sentence: Sentence, at: usize) -> bool {
        let Some(token) = self.tokens.get(at) else { return false };
        // `Frankfurt (Oder)` is one name.
        let simple = Gap::BLANK.and(Gap::HYPHEN).and(Gap::APOSTROPHE).and(Gap::OPEN);
        let gap_is_small = token.gap.is_only(simple)
            || token.gap.is_only(simple.and(Gap::STOP))
                && is_abbreviation(self.tokens.word(at - 1));
        let fits = sentence.writing == Writing::Lower
            || token.shape != Shape::Lower
            || self.tokens.cue(at).has(Cue::INSIDE)
            || token.gap.has(Gap::HYPHEN);
        gap_is_small && fits
    }

    fn may_end(&self, sentence: Sentence, first: usize, at: usize) -> bool {
        let Some(token) = self.tokens.get(at) else { return false };
        let is_open =
            (first + 1..=at).any(|it| self.tokens.get(it).is_some_and(|it| it.gap.has(Gap::OPEN)));
        let is_closed = || self.tokens.get(at + 1).is_none_or(|it| it.gap.has(Gap::CLOSE));
        if is_open && !is_closed() {
            return false;
        }
        sentence.writing == Writing::Lower
            || token.is_capital()
            || token.shape == Shape::Number && at > first
            || token.gap.has(Gap::HYPHEN) && at > first
    }
}
