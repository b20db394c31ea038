//! The words of a stretch of text, with what stands between them.

use std::ops::Range;

/// What stands before a word, from what hardly parts to what surely does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Gap {
    /// A hyphen, a slash, an apostrophe or nothing, without blanks: one written word.
    Tight,
    /// Blanks, or the full stop of an abbreviation.
    Blank,
    /// A comma, a colon, a bracket, a table cell.
    Comma,
    /// The end of a line.
    Line,
    /// The end of a sentence.
    Stop,
}

/// A word as it is compared, and where it stands.
#[derive(Clone, Debug)]
pub(crate) struct Token {
    /// The word, folded.
    pub(crate) text: String,
    /// Its bytes in the text.
    pub(crate) range: Range<usize>,
    /// How far it is parted from the word before.
    pub(crate) gap: Gap,
    /// The mark that parts it, if one does: `/`, `-`, `#`, `:`, `(`.
    pub(crate) mark: Option<char>,
    /// It begins with a capital letter.
    pub(crate) capital: bool,
}

/// The words of a stretch of text.
pub(crate) struct Tokens<'t> {
    whole: &'t str,
    list: Vec<Token>,
}

/// A word of more letters before a full stop ends a sentence rather than being an abbreviation.
const LONGEST_ABBREVIATION: usize = 5;

impl<'t> Tokens<'t> {
    /// The words of `whole[window]`; their ranges count from the start of `whole`.
    pub(crate) fn new(whole: &'t str, window: Range<usize>, most: usize) -> Self {
        let offset = window.start;
        let mut list: Vec<Token> = Vec::new();
        for word in text::words(&whole[window]).take(most) {
            let range = word.start + offset..word.end + offset;
            let before = list.last().map_or("", |it: &Token| it.text.as_str());
            let gap = if list.is_empty() { Gap::Line } else { gap(before, word.before) };
            let mark = word.before.chars().rfind(|it| "/-–#:(&+|\t".contains(*it));
            let capital = whole[range.clone()].chars().next().is_some_and(char::is_uppercase);
            list.push(Token { text: word.text, range, gap, mark, capital });
        }
        Self { whole, list }
    }

    pub(crate) fn len(&self) -> usize {
        self.list.len()
    }

    pub(crate) fn get(&self, at: usize) -> Option<&Token> {
        self.list.get(at)
    }

    /// The word at a place, folded; nothing beyond the end.
    pub(crate) fn word(&self, at: usize) -> &str {
        self.list.get(at).map_or("", |it| it.text.as_str())
    }

    /// What parts a word from the one before; beyond the end, a sentence's end.
    pub(crate) fn gap(&self, at: usize) -> Gap {
        self.list.get(at).map_or(Gap::Stop, |it| it.gap)
    }

    /// True if this mark stands right before the word.
    pub(crate) fn marked(&self, at: usize, mark: char) -> bool {
        self.list.get(at).is_some_and(|it| it.mark == Some(mark))
    }

    pub(crate) fn is_capital(&self, at: usize) -> bool {
        self.list.get(at).is_some_and(|it| it.capital)
    }

    /// The word as it is written.
    pub(crate) fn written(&self, at: usize) -> &'t str {
        self.list.get(at).map_or("", |it| &self.whole[it.range.clone()])
    }

    /// The bytes from the first to the last of some words.
    pub(crate) fn bytes(&self, words: Range<usize>) -> Range<usize> {
        if words.is_empty() || words.end > self.len() {
            return 0..0;
        }
        self.list[words.start].range.start..self.list[words.end - 1].range.end
    }

    /// The bytes of some words, with the full stop of a last abbreviation.
    pub(crate) fn bytes_with_stop(&self, words: Range<usize>) -> Range<usize> {
        let mut bytes = self.bytes(words.clone());
        let short = !words.is_empty() && self.word(words.end - 1).len() <= LONGEST_ABBREVIATION;
        let numeric = self.word(words.end.saturating_sub(1)).bytes().all(|it| it.is_ascii_digit());
        let runs_on = self.word(words.end).bytes().next().is_some_and(|it| it.is_ascii_digit())
            && self.gap(words.end) <= Gap::Blank;
        if (short || runs_on) && !numeric && self.whole[bytes.end..].starts_with('.') {
            bytes.end += 1;
        }
        bytes
    }

    /// The text of some words.
    pub(crate) fn slice(&self, words: Range<usize>) -> &'t str {
        &self.whole[self.bytes(words)]
    }

    /// The first word from `at` on that a comma or more parts from the one before.
    pub(crate) fn segment_end(&self, at: usize) -> usize {
        (at + 1..self.len()).find(|&it| self.gap(it) >= Gap::Comma).unwrap_or(self.len())
    }

    /// The first word of the segment that the word before `end` lies in.
    pub(crate) fn segment_start(&self, end: usize) -> usize {
        (0..end).rev().find(|&it| self.gap(it) >= Gap::Comma).unwrap_or(0)
    }
}

fn gap(before: &str, between: &str) -> Gap {
    let mut widest = Gap::Tight;
    let mut dashed = false;
    for mark in between.chars() {
        let here = match mark {
            '\n' | '\r' => Gap::Line,
            '!' | '?' | '…' => Gap::Stop,
            ',' | ';' | ':' | '(' | ')' | '|' | '\t' | '•' | '·' | '[' | ']' | '«' | '»' | '"'
            | '“' | '”' | '„' | '>' | '<' | '=' | '*' | '→' => Gap::Comma,
            _ if mark.is_whitespace() => Gap::Blank,
            '-' | '–' | '—' | '/' | '~' | '.' => {
                dashed |= mark != '.';
                Gap::Tight
            }
            _ => Gap::Tight,
        };
        widest = widest.max(here);
    }
    let lone_dash = dashed && widest == Gap::Blank && between.starts_with(char::is_whitespace);
    match widest {
        Gap::Blank if between.starts_with('.') && ends_sentence(before) => Gap::Stop,
        Gap::Blank if lone_dash && between.ends_with(char::is_whitespace) => Gap::Comma,
        _ => widest,
    }
}

fn ends_sentence(word: &str) -> bool {
    let is_short = word.len() <= LONGEST_ABBREVIATION
        || ["str", "pl", "strat"].iter().any(|it| word.ends_with(it));
    let is_number = word.bytes().all(|it| it.is_ascii_digit());
    !is_short && !is_number
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &[Gap]) {
        let tokens = Tokens::new(text, 0..text.len(), 40);
        let gaps: Vec<_> = (1..tokens.len()).map(|at| tokens.gap(at)).collect();
        assert_eq!(gaps, expected, "{text:?}");
    }

    #[test]
    fn commas_lines_and_sentences_part_more_than_blanks() {
        check("Lange Str. 5, Ort", &[Gap::Blank, Gap::Blank, Gap::Comma]);
        check("one\ntwo\tthree", &[Gap::Line, Gap::Comma]);
        check("They left. We stayed", &[Gap::Blank, Gap::Blank, Gap::Blank]);
        check("everything. We", &[Gap::Stop]);
    }

    #[test]
    fn a_hyphen_joins_and_a_dash_parts() {
        check("Karl-Marx-Allee", &[Gap::Tight, Gap::Tight]);
        check("Via Roma 10 - 00184", &[Gap::Blank, Gap::Blank, Gap::Comma]);
    }

    #[test]
    fn an_abbreviation_keeps_its_full_stop() {
        let text = "Am Markpl. 5";
        let tokens = Tokens::new(text, 0..text.len(), 40);
        assert_eq!(&text[tokens.bytes_with_stop(0..2)], "Am Markpl.");
    }
}
