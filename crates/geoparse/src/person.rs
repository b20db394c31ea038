//! The persons a text names, as far as their names could be taken for places.

use std::collections::HashSet;

use crate::cue::Cue;
use crate::lexicon;
use crate::spot::{Sentence, Writing};
use crate::token::{Gap, Shape, Token, Tokens};

/// From here on a word is a given name of which many people have heard.
const USUAL_GIVEN: f32 = 5.8;
/// From here on a word is a given name if a surname stands behind it.
const RARE_GIVEN: f32 = 5.2;
const USUAL_SURNAME: f32 = 4.0;

/// Which words of a text are part of a person's name, and the names persons are called by.
#[derive(Debug, Default)]
pub(crate) struct Persons<'t> {
    /// For every word, where the person's name ends that it is part of; 0 for other words.
    words: Vec<u32>,
    surnames: HashSet<&'t str>,
}

impl<'t> Persons<'t> {
    /// Finds the persons: a given name or a title with capital words behind it.
    pub(crate) fn of(tokens: &'t Tokens, sentences: &[Sentence]) -> Self {
        let mut persons = Self { words: vec![0; tokens.len()], surnames: HashSet::new() };
        for sentence in sentences.iter().filter(|it| it.writing != Writing::Lower) {
            let mut at = sentence.first;
            while at < sentence.end {
                at = persons.read(tokens, *sentence, at).max(at + 1);
            }
        }
        persons
    }

    /// Where the person's name ends that this word is part of; 0 if it is part of none.
    pub(crate) fn end_of(&self, word: usize) -> usize {
        self.words.get(word).map_or(0, |it| *it as usize)
    }

    /// True if this word is part of a person's name.
    pub(crate) fn has(&self, word: usize) -> bool {
        self.end_of(word) > 0
    }

    /// True if somebody on the page is called so.
    pub(crate) fn is_called(&self, word: &str) -> bool {
        self.surnames.contains(word)
    }

    /// Reads a person's name from there; gives where it ends.
    fn read(&mut self, tokens: &'t Tokens, sentence: Sentence, first: usize) -> usize {
        // `Signor Modena`, `signor Modena`, `Anna Modena`: somebody's name goes on with a capital.
        let next_is_capital = tokens.get(first + 1).is_some_and(Token::is_capital);
        let Some(token) = tokens.get(first) else { return first };
        if !token.is_capital() && !next_is_capital {
            return first;
        }
        let word = tokens.word(first);
        let cue = tokens.cue(first);
        let has_title =
            cue.has(Cue::POLITE) || cue.has(Cue::TITLE) && token.shape == Shape::Capital;
        if !token.is_capital() && !has_title {
            return first;
        }
        let given = lexicon::look_up(word).given();
        let has_surname = || {
            first + 1 < tokens.len()
                && lexicon::look_up(tokens.word(first + 1)).surname() >= USUAL_SURNAME
        };
        let is_given = !cue.has(Cue::CALENDAR)
            && (given >= USUAL_GIVEN || given >= RARE_GIVEN && has_surname());
        if !has_title && !is_given {
            return first;
        }
        let start = if has_title { first + 1 } else { first };
        let mut end = start;
        while end < sentence.end && end < start + 4 && goes_on(tokens, first, end) {
            end += 1;
        }
        let long_enough = if has_title { end > start } else { end > start + 1 };
        let last = end.saturating_sub(1);
        if !long_enough || !may_end(tokens, start, last) {
            return first;
        }
        self.words[start..end].fill(end as u32);
        self.surnames.insert(tokens.word(last));
        end
    }
}

/// True if a person's name can go on with this word: a capital word, an initial, `von`.
fn goes_on(tokens: &Tokens, first: usize, at: usize) -> bool {
    let Some(token) = tokens.get(at) else { return false };
    if at == first {
        return true;
    }
    let before = tokens.word(at - 1);
    let after_initial = before.len() == 1 || tokens.cue(at - 1).has(Cue::TITLE) || before == "jr";
    let small = Gap::BLANK.and(Gap::HYPHEN).and(Gap::QUOTE).and(Gap::APOSTROPHE);
    let gap_is_small =
        token.gap.is_only(small) || after_initial && token.gap.is_only(small.and(Gap::STOP));
    gap_is_small
        && (token.is_capital()
            || matches!(tokens.word(at), "von" | "van" | "de" | "der" | "la" | "bin" | "al"))
}

/// True if the last word can be a surname here: no `County`, no `Police`, no `Street`.
fn may_end(tokens: &Tokens, start: usize, last: usize) -> bool {
    let word = tokens.word(last);
    let other = Cue::SORT_AFTER.and(Cue::WAY).and(Cue::SIGHT).and(Cue::FIRM).and(Cue::OF_A_TOWN);
    let is_capital = tokens.get(last).is_some_and(Token::is_capital);
    let middle_is_other = (start + 1..last).any(|it| tokens.cue(it).has(other.and(Cue::CALENDAR)));
    is_capital
        && !tokens.cue(last).has(other.and(Cue::CALENDAR))
        && !middle_is_other
        && word.len() > 1
}
