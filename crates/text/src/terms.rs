//! Terms: what a text is searched by, read one by one into one buffer.

use std::ops::Range;

use crate::fold::{fold_char, joins};

/// Nobody searches for longer words, and what runs on without a blank for longer is no word.
const LONGEST: usize = 64;

/// Reads the terms of a text: its folded words, and every character by itself where words are written together
/// (Chinese, Japanese, Thai), so that part of such a run is found as a phrase.
///
/// ```
/// let mut terms = text::Terms::of("Die Straße, 東京!");
/// let mut term = String::new();
/// let mut all = Vec::new();
/// while terms.read(&mut term).is_some() {
///     all.push(term.clone());
/// }
/// assert_eq!(all, ["die", "strasse", "東", "京"]);
/// ```
pub struct Terms<'t> {
    text: &'t str,
    at: usize,
}

impl<'t> Terms<'t> {
    /// The terms of this text.
    pub fn of(text: &'t str) -> Self {
        Self { text, at: 0 }
    }

    /// Puts the next term into the buffer and tells where it stands in the text.
    pub fn read(&mut self, term: &mut String) -> Option<Range<usize>> {
        term.clear();
        let bytes = self.text.as_bytes();
        while bytes.get(self.at).is_some_and(|it| it.is_ascii() && !it.is_ascii_alphanumeric()) {
            self.at += 1;
        }
        let mut start = None;
        while let Some(&byte) = bytes.get(self.at) {
            if byte.is_ascii_alphanumeric() {
                start.get_or_insert(self.at);
                if term.len() < LONGEST {
                    term.push(char::from(byte.to_ascii_lowercase()));
                }
                self.at += 1;
                continue;
            }
            if byte.is_ascii() {
                if start.is_some() {
                    break;
                }
                self.at += 1;
                continue;
            }
            let Some(letter) = self.text[self.at..].chars().next() else { break };
            let stands_alone = stands_alone(letter);
            if stands_alone && start.is_some() {
                break;
            }
            let length = term.len();
            fold_char(letter, term);
            let is_part = term.len() > length || (start.is_some() && joins(letter));
            if length >= LONGEST {
                term.truncate(length);
            }
            if !is_part {
                if start.is_some() {
                    break;
                }
                self.at += letter.len_utf8();
                continue;
            }
            start.get_or_insert(self.at);
            self.at += letter.len_utf8();
            if stands_alone {
                break;
            }
        }
        start.map(|start| start..self.at)
    }
}

/// The terms of a text, all at once.
pub fn terms(text: &str) -> Vec<String> {
    let (mut reader, mut term, mut all) = (Terms::of(text), String::new(), Vec::new());
    while reader.read(&mut term).is_some() {
        all.push(term.clone());
    }
    all
}

/// True for letters of scripts that put no blanks between words.
fn stands_alone(letter: char) -> bool {
    matches!(letter,
        '\u{0e01}'..='\u{0e2e}' | '\u{3041}'..='\u{30ff}' | '\u{3400}'..='\u{4dbf}'
        | '\u{4e00}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{3134f}')
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &[&str]) {
        assert_eq!(terms(text), expected);
    }

    #[test]
    fn words_are_folded() {
        check("Lange Straße 5, 26122 Oldenburg", &["lange", "strasse", "5", "26122", "oldenburg"]);
        check("  Mu\u{308}nchen—Łódź  ", &["munchen", "lodz"]);
        check("", &[]);
    }

    #[test]
    fn what_is_written_without_blanks_is_read_letter_by_letter() {
        check("東京タワーtower", &["東", "京", "タ", "ワ", "ー", "tower"]);
        check("Rue东1", &["rue", "东", "1"]);
    }

    #[test]
    fn what_is_too_long_for_a_word_is_cut() {
        assert_eq!(terms(&"x".repeat(1000)), ["x".repeat(LONGEST)]);
    }

    proptest! {
        #[test]
        fn every_term_stands_where_it_says(text in any::<String>()) {
            let (mut reader, mut term, mut end) = (Terms::of(&text), String::new(), 0);
            while let Some(span) = reader.read(&mut term) {
                prop_assert!(span.start >= end && span.end > span.start);
                prop_assert!(text.get(span.clone()).is_some());
                prop_assert!(!term.is_empty() && term.len() <= LONGEST + 16);
                end = span.end;
            }
        }

        #[test]
        fn a_term_read_again_is_itself(text in "[a-zA-Zäöüßéèçłø0-9東京ァ-ヴ ,.-]{0,60}") {
            for term in terms(&text) {
                prop_assert_eq!(terms(&term), vec![term]);
            }
        }

        #[test]
        fn short_words_of_scripts_with_blanks_are_words(text in "[a-zA-Zäöüß0-9 ,.-]{0,60}") {
            let words: Vec<_> = crate::words(&text).map(|it| it.text).collect();
            prop_assert_eq!(terms(&text), words);
        }
    }
}
