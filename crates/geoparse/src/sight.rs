//! Places that say themselves what they are: `Golden Gate Bridge`, `Neches River`, `rue de la Paix`.
//!
//! The gazetteer need not know them. A town's name at their beginning is part of theirs and no mention of the
//! town: the University of Oxford is no city.

use crate::cue::Cue;
use crate::lexicon;
use crate::mention::Class;
use crate::spot::{Sentence, Writing};
use crate::token::{Gap, Shape, Token, Tokens};

/// How many words such a name may have.
const MOST_WORDS: usize = 7;

/// A stretch of words that names a thing by what it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Sight {
    /// Its first word.
    pub(crate) first: usize,
    /// The word behind it.
    pub(crate) end: usize,
    pub(crate) class: Class,
}

/// The sights of a sentence.
pub(crate) fn sights(tokens: &Tokens, sentence: Sentence, into: &mut Vec<Sight>) {
    if matches!(sentence.writing, Writing::Lower | Writing::Upper) {
        return;
    }
    let finder = Finder { tokens, sentence };
    let mut at = sentence.first;
    // Up to here no word ends the name of a thing, as an earlier look has shown.
    let mut tailless = sentence.first;
    while at < sentence.end {
        let found = finder.way(at).or_else(|| finder.headed(at)).or_else(|| {
            if at < tailless {
                return None;
            }
            let (found, looked_at) = finder.tailed(at);
            tailless = looked_at;
            found
        });
        at = found.map_or(at + 1, |it| it.end);
        into.extend(found);
    }
}

struct Finder<'a> {
    tokens: &'a Tokens,
    sentence: Sentence,
}

impl Finder<'_> {
    fn token(&self, at: usize) -> Option<&Token> {
        if at < self.sentence.end { self.tokens.get(at) } else { None }
    }

    fn is_capital(&self, at: usize) -> bool {
        self.token(at).is_some_and(Token::is_capital)
    }

    /// True if only a blank or a hyphen stands before this word.
    fn is_close(&self, at: usize) -> bool {
        let close = Gap::BLANK.and(Gap::HYPHEN).and(Gap::APOSTROPHE).and(Gap::OTHER);
        self.token(at).is_some_and(|it| {
            it.gap.is_only(close)
                || it.gap.is_only(close.and(Gap::STOP)) && self.tokens.word(at - 1).len() == 1
        })
    }

    /// Where a run of capital words from here ends, with `of`, `de la`, `&` between them.
    fn run_end(&self, first: usize) -> usize {
        let mut end = first;
        let mut at = first;
        while at < self.sentence.end
            && at < first + MOST_WORDS
            && (at == first || self.is_close(at))
        {
            if self.is_capital(at)
                || self.token(at).is_some_and(|it| it.shape == Shape::Number) && at > first
            {
                at += 1;
                end = at;
            } else if is_small(self.tokens.word(at)) {
                at += 1;
            } else {
                break;
            }
        }
        end
    }

    /// `Golden Gate Bridge`: capital words that end in what the thing is.
    ///
    /// Gives also up to where there certainly is no such name.
    fn tailed(&self, first: usize) -> (Option<Sight>, usize) {
        if !self.is_capital(first) || self.is_ordinary_beginning(first) {
            return (None, first);
        }
        let run = self.run_end(first);
        let is_tail = |at: &usize| tail(self.tokens.cue(*at)).is_some();
        let Some(last) = (first + 1..run).rev().find(is_tail) else { return (None, run) };
        // `St. Paul Police Station House` goes on.
        let end = last + 1;
        let goes_on = end < run && self.is_close(end) && self.is_capital(end);
        let class = tail(self.tokens.cue(last)).filter(|_| !goes_on);
        (class.map(|class| Sight { first, end, class }), first)
    }

    /// `Lake Tahoe`, `University of Oxford`: what the thing is comes first.
    fn headed(&self, first: usize) -> Option<Sight> {
        if !self.is_capital(first) {
            return None;
        }
        let class = head(self.tokens.word(first))?;
        let joined =
            matches!(self.token(first + 1).map(|_| self.tokens.word(first + 1)), Some("of"));
        let name = if joined { first + 2 } else { first + 1 };
        let needs_of = class == Class::Poi;
        if needs_of != joined || !self.is_close(name) || !self.is_capital(name) {
            return None;
        }
        let end = self.run_end(name);
        (end > name).then_some(Sight { first, end, class })
    }

    /// `rue de la Paix`, `Calle Mayor`, `Bahnhofstraße`.
    fn way(&self, first: usize) -> Option<Sight> {
        let word = self.tokens.word(first);
        let class = Class::Street;
        if self.is_capital(first) && is_way_word(word) {
            return Some(Sight { first, end: first + 1, class });
        }
        // The name follows at once, or behind small words.
        let next = self.token(first + 1);
        if !next.is_some_and(|it| it.is_capital() || it.folded_length() < 6) {
            return None;
        }
        let is_head = matches!(
            word,
            "rue"
                | "avenue"
                | "boulevard"
                | "quai"
                | "chemin"
                | "impasse"
                | "faubourg"
                | "calle"
                | "avenida"
                | "paseo"
                | "via"
                | "viale"
                | "piazza"
                | "corso"
                | "rua"
                | "praca"
                | "ulica"
                | "ul"
        );
        if !is_head {
            return None;
        }
        let mut name = first + 1;
        while self.is_close(name) && is_small(self.tokens.word(name)) {
            name += 1;
        }
        if !self.is_close(name) || !self.is_capital(name) {
            return None;
        }
        let end = self.run_end(name);
        (end > name).then_some(Sight { first, end, class })
    }

    /// `The`, `At` and other words that have a capital because they begin a sentence.
    fn is_ordinary_beginning(&self, at: usize) -> bool {
        let word = self.tokens.word(at);
        let ordinary = lexicon::look_up(word).ordinary();
        let begins = at == self.sentence.first
            && (ordinary > 5.0 || ordinary > 3.5 && !self.is_capital(at + 1));
        let small = Cue::LOCATIVE.and(Cue::WEAK_LOCATIVE).and(Cue::TITLE).and(Cue::CALENDAR);
        begins
            || self.tokens.cue(at).has(small)
            || matches!(
                word,
                "the" | "a" | "an" | "this" | "that" | "his" | "her" | "our" | "their"
            )
    }
}

/// Small words that stand inside a name: `University of Oxford`, `rue de la Paix`.
fn is_small(word: &str) -> bool {
    const SMALL: [&str; 17] = [
        "of", "the", "de", "la", "le", "les", "du", "des", "d", "l", "del", "della", "dei", "di",
        "da", "do", "dos",
    ];
    SMALL.contains(&word)
}

/// What a name that ends so names.
fn tail(cue: Cue) -> Option<Class> {
    if cue.has(Cue::WAY) {
        Some(Class::Street)
    } else if cue.has(Cue::NATURE) {
        Some(Class::Place)
    } else if cue.has(Cue::SIGHT) {
        Some(Class::Poi)
    } else {
        None
    }
}

/// What a name that begins so names.
fn head(word: &str) -> Option<Class> {
    match word {
        "lake" | "mount" | "cape" | "lac" | "lago" | "mont" | "monte" | "isle" | "loch" | "rio" => {
            Some(Class::Place)
        }
        "university" | "museum" | "cathedral" | "church" | "bank" | "college" | "institute"
        | "academy" | "bay" => Some(Class::Poi),
        _ => None,
    }
}

/// True for words that are streets by their ending, in German, Dutch, Finnish and Swedish.
fn is_way_word(word: &str) -> bool {
    const ENDINGS: [&str; 14] = [
        "strasse", "str", "gasse", "allee", "platz", "damm", "ufer", "straat", "plein", "laan",
        "gracht", "katu", "gatan", "vagen",
    ];
    let last = word.as_bytes().last();
    word.len() > 6
        && last.is_some_and(|it| b"erzmftnu".contains(it))
        && ENDINGS.iter().any(|it| word.ends_with(it))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::spot::sentences;

    #[track_caller]
    fn check(text: &str, expected: &[(&str, Class)]) {
        let tokens = Tokens::of(text);
        let mut found = Vec::new();
        for sentence in sentences(&tokens) {
            sights(&tokens, sentence, &mut found);
        }
        let shown: Vec<_> = found
            .iter()
            .map(|it| {
                let start = tokens.get(it.first).map_or(0, |token| token.start as usize);
                let end = tokens.get(it.end - 1).map_or(0, |token| token.end as usize);
                (&text[start..end], it.class)
            })
            .collect();
        assert_eq!(shown, expected);
    }

    #[test]
    fn what_a_thing_is_may_end_its_name() {
        check("They crossed the Golden Gate Bridge at dawn", &[("Golden Gate Bridge", Class::Poi)]);
        check("floods along the Neches River near town", &[("Neches River", Class::Place)]);
        check("a shop on Lower Abbey Street in town", &[("Lower Abbey Street", Class::Street)]);
    }

    #[test]
    fn what_a_thing_is_may_begin_its_name() {
        check("we swam in Lake Tahoe all day", &[("Lake Tahoe", Class::Place)]);
        check(
            "she taught at the University of Oxford then",
            &[("University of Oxford", Class::Poi)],
        );
    }

    #[test]
    fn streets_are_known_by_their_words() {
        check("il habite rue de la Paix depuis", &[("rue de la Paix", Class::Street)]);
        check("der Laden in der Bahnhofstraße ist zu", &[("Bahnhofstraße", Class::Street)]);
    }

    #[test]
    fn an_ordinary_beginning_is_no_part_of_a_name() {
        check("The Bridge was closed all day", &[]);
        check("He saw a bridge there", &[]);
    }
}
