//! A text in pieces: words, phrases, operators, brackets.

use std::ops::Range;

use jiff::civil::Date;

use crate::operator::{self, Operator};
use crate::query::Sort;
use crate::theme::{Term, Theme};
use crate::understood::{Chip, ChipKind, Note, NoteKind};
use crate::word::{Word, is_dash, words_of};

/// A text in pieces. What only has one reading is read; the words are still open.
#[derive(Debug, Default)]
pub(crate) struct Pieces {
    pub(crate) words: Vec<Word>,
    pub(crate) brackets: Vec<Bracket>,
    /// Phrases, titles, exclusions, operators.
    pub(crate) theme: Theme,
    pub(crate) sort: Sort,
    pub(crate) notes: Vec<Note>,
    pub(crate) chips: Vec<Chip>,
}

/// A place written out: `[Berlin gn:2950159]`.
#[derive(Clone, Debug)]
pub(crate) struct Bracket {
    /// What stands between the brackets.
    pub(crate) text: String,
    /// Its bytes, with the brackets.
    pub(crate) span: Range<usize>,
    /// How many words stand before it.
    pub(crate) word: usize,
    /// A comma stands between the last of these words and it.
    pub(crate) after_comma: bool,
}

/// The pieces of a text.
pub(crate) fn pieces(today: Date, text: &str) -> Pieces {
    let mut reader =
        Reader { text, today, at: 0, chunk: 0, gap: Gap::default(), pieces: Pieces::default() };
    while reader.step() {}
    reader.pieces
}

/// What stood between the last word and what comes next.
#[derive(Default)]
struct Gap {
    comma: bool,
    dash: bool,
    wall: bool,
}

struct Reader<'a> {
    text: &'a str,
    today: Date,
    at: usize,
    chunk: usize,
    gap: Gap,
    pieces: Pieces,
}

impl Reader<'_> {
    /// Reads the next piece; false at the end.
    fn step(&mut self) -> bool {
        let start = self.at;
        let Some(letter) = self.text[start..].chars().next() else { return false };
        if letter == '[' && self.bracket() {
            return true;
        }
        let rest = &self.text[start..];
        let from = start
            + rest
                .find(|it| starts_piece(it) || it.is_whitespace() || it == '[')
                .unwrap_or(rest.len());
        let is_excluded = letter == '-' && self.is_apart(start) && self.may_be_excluded(from);
        if (is_excluded || starts_piece(letter)) && self.piece(start, from, is_excluded) {
            return true;
        }
        self.gap.comma |= matches!(letter, ',' | ';' | '\n');
        self.gap.dash |= is_dash(letter);
        self.at = start + letter.len_utf8();
        true
    }

    /// True if no word ends right before this byte.
    fn is_apart(&self, at: usize) -> bool {
        self.text[..at].chars().next_back().is_none_or(|it| !is_word(it))
    }

    /// True if a word or a quote begins here; `-5` is a number.
    fn may_be_excluded(&self, from: usize) -> bool {
        self.text[from..].starts_with(|it: char| starts_piece(it) && !it.is_ascii_digit())
    }

    /// True if what looks like a quote ends a number of seconds: `53° 8' 24"`.
    fn is_seconds(&self, at: usize) -> bool {
        self.text[..at].ends_with(|it: char| it.is_ascii_digit())
            && self.text[..at].contains(['°', 'º', '˚'])
    }

    /// Reads what begins with a word or a quote; false if it is a quote without an end.
    fn piece(&mut self, start: usize, from: usize, is_excluded: bool) -> bool {
        let rest = &self.text[from..];
        if let Some((inner, end)) = quoted(rest).filter(|_| !self.is_seconds(from)) {
            self.take(start..from + end);
            self.term(inner, start..from + end, (true, false, is_excluded));
            return true;
        }
        if !rest.starts_with(is_word) {
            return false;
        }
        let end = from + chunk_end(rest);
        match operator::name(&self.text[from..end]) {
            Some((name, value)) => self.operator(name, start, from + value, end, is_excluded),
            None if is_excluded => {
                self.take(start..end);
                self.term(&self.text[from..end], start..end, (false, false, true));
            }
            None => self.words(from..end, false),
        }
        true
    }

    fn operator(&mut self, name: &str, start: usize, from: usize, end: usize, is_excluded: bool) {
        let quote = quoted(&self.text[from..]);
        let (value, end) = match quote {
            Some((inner, length)) => (inner, from + length),
            None => (self.text[from..end].trim_end_matches(|it| !is_word(it)), end),
        };
        let read = operator::operator(self.today, name, value).and_then(|read| {
            let may_be_excluded = matches!(read, Operator::Title | Operator::Site(_));
            let advice = "only site: and title: can be excluded";
            if is_excluded && !may_be_excluded { Err(advice) } else { Ok(read) }
        });
        match read {
            Ok(Operator::Title) => {
                self.take(start..end);
                self.term(value, start..end, (quote.is_some(), true, is_excluded));
            }
            Ok(read) => self.obey(read, start..end, is_excluded),
            Err(advice) => {
                let written = &self.text[start..end];
                let text = format!("{written} is read as a word: {advice}");
                self.pieces.notes.push(Note { kind: NoteKind::Operator, text });
                let chunk = start + (from - start) + chunk_end(&self.text[from..]);
                if is_excluded {
                    self.take(start..chunk);
                    let from = start + self.text[start..].find(is_word).unwrap_or(0);
                    self.term(&self.text[from..chunk], start..chunk, (false, false, true));
                } else {
                    self.words(start..chunk, true);
                }
            }
        }
    }

    fn obey(&mut self, operator: Operator, span: Range<usize>, is_excluded: bool) {
        self.take(span.clone());
        let theme = &mut self.pieces.theme;
        let (kind, label) = match operator {
            Operator::Site(host) => {
                let list = if is_excluded { &mut theme.not_sites } else { &mut theme.sites };
                let label = if is_excluded { format!("not {host}") } else { host.clone() };
                list.push(host);
                (ChipKind::Site, label)
            }
            Operator::Language(code) => {
                theme.languages.push(code.clone());
                (ChipKind::Language, code)
            }
            Operator::After(day) => {
                theme.after = Some(day);
                (ChipKind::After, day.to_string())
            }
            Operator::Before(day) => {
                theme.before = Some(day);
                (ChipKind::Before, day.to_string())
            }
            Operator::Topic(topic) => {
                theme.topics.push(topic.clone());
                (ChipKind::Topic, topic)
            }
            Operator::Sort(sort) => {
                self.pieces.sort = sort;
                (ChipKind::Sort, sort.name().to_owned())
            }
            Operator::Title => return,
        };
        self.pieces.chips.push(Chip { kind, label, span: Some(span) });
    }

    /// Adds a term if it has a word at all.
    fn term(&mut self, written: &str, span: Range<usize>, how: (bool, bool, bool)) {
        let (is_phrase, in_title, is_excluded) = how;
        let spans: Vec<_> = text::words(written).map(|it| (it.start, it.end, it.text)).collect();
        let (Some(first), Some(last)) = (spans.first(), spans.last()) else { return };
        self.pieces.theme.terms.push(Term {
            text: written[first.0..last.1]
                .replace(if is_phrase { '"' } else { '\n' }, " ")
                .split_whitespace()
                .collect::<Vec<_>>()
                .join(" "),
            words: spans.iter().map(|it| it.2.clone()).collect(),
            is_phrase,
            in_title,
            is_excluded,
            is_common: false,
            span,
        });
    }

    fn words(&mut self, span: Range<usize>, is_literal: bool) {
        let mut gap = std::mem::take(&mut self.gap);
        for mut word in words_of(&self.text[span.clone()], span.start, self.chunk) {
            word.after_comma |= gap.comma;
            word.after_dash |= gap.dash;
            word.after_wall |= gap.wall;
            word.is_literal = is_literal;
            gap = Gap::default();
            self.pieces.words.push(word);
        }
        let tail = self.pieces.words.last().map_or(span.start, |it| it.span.end).max(span.start);
        self.gap.comma = self.text[tail..span.end].contains([',', ';']);
        self.chunk += 1;
        self.at = span.end;
    }

    fn bracket(&mut self) -> bool {
        let rest = &self.text[self.at + 1..];
        let Some(length) = rest.find(']') else { return false };
        let span = self.at..self.at + length + 2;
        self.pieces.brackets.push(Bracket {
            text: rest[..length].replace('[', " ").trim().to_owned(),
            span: span.clone(),
            word: self.pieces.words.len(),
            after_comma: self.gap.comma,
        });
        self.take(span);
        true
    }

    /// Goes on behind what is no word.
    fn take(&mut self, span: Range<usize>) {
        self.at = span.end;
        self.gap.wall = true;
        self.chunk += 1;
    }
}

/// True for what is or begins a folded word.
pub(crate) fn is_word(letter: char) -> bool {
    let mut folded = String::new();
    text::fold_char(letter, &mut folded);
    !folded.is_empty()
}

/// True for what begins a word or a quote.
fn starts_piece(letter: char) -> bool {
    is_word(letter) || closing(letter).is_some()
}

/// Where a chunk of words ends: at a blank, a quote or a bracket.
fn chunk_end(text: &str) -> usize {
    let mut degrees = false;
    let mut last = ' ';
    for (at, letter) in text.char_indices() {
        degrees |= matches!(letter, '°' | 'º' | '˚');
        // In `53° 8' 24" N` a quote is seconds.
        let is_seconds = last.is_ascii_digit() && degrees;
        let is_quote = closing(letter).is_some() || matches!(letter, '“' | '»');
        if letter.is_whitespace() || matches!(letter, '[' | ']') || (is_quote && !is_seconds) {
            return at;
        }
        last = letter;
    }
    text.len()
}

/// What closes a quote that this letter opens.
fn closing(letter: char) -> Option<&'static [char]> {
    match letter {
        '"' => Some(&['"']),
        '„' => Some(&['“', '”', '"']),
        '“' => Some(&['”', '"', '“']),
        '”' => Some(&['”', '"']),
        '«' => Some(&['»']),
        '»' => Some(&['«', '»']),
        _ => None,
    }
}

/// What stands in the quotes with which a text begins, and where they end.
fn quoted(text: &str) -> Option<(&str, usize)> {
    let open = text.chars().next()?;
    let close = closing(open)?;
    let inner = &text[open.len_utf8()..];
    let length = inner.find(close)?;
    let end = inner[length..].chars().next()?.len_utf8();
    Some((&inner[..length], open.len_utf8() + length + end))
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;

    use super::*;

    /// The words, with bars before those that begin anew, and the terms.
    #[track_caller]
    fn check(text: &str, words: &str, terms: &str) {
        let pieces = pieces(date(2024, 5, 1), text);
        let bar = |it: &Word| if it.begins_anew() { "| " } else { "" };
        let read: Vec<_> =
            pieces.words.iter().map(|it| format!("{}{}", bar(it), it.text)).collect();
        let found: Vec<_> = pieces.theme.terms.iter().map(ToString::to_string).collect();
        assert_eq!((read.join(" ").as_str(), found.join(" ").as_str()), (words, terms), "{text}");
    }

    #[test]
    fn commas_and_operators_part_words() {
        check("Paris, Texas", "paris | texas", "");
        check("Paris,Texas", "paris | texas", "");
        check("3,5 km", "3 5 km", "");
        check("museums lang:de Berlin", "museums | berlin", "");
    }

    #[test]
    fn a_minus_excludes_where_a_word_begins() {
        check("rock -roll", "rock", "-roll");
        check("rock-roll", "rock roll", "");
        check("(-roll)", "", "-roll");
        check("-5", "5", "");
        check("--roll", "", "-roll");
    }

    #[test]
    fn a_quote_without_an_end_is_no_quote() {
        check("\"old town", "old town", "");
        check("old \"town\" hall", "old | hall", "\"town\"");
        check("53° 8' 24\" N, 8° 13' 0\" E", "53 8 24 n | 8 13 0 e", "");
    }

    #[test]
    fn brackets_are_no_words() {
        check("hotels near [New York] cheap", "hotels near | cheap", "");
        let read = pieces(date(2024, 5, 1), "hotels near [New York] cheap");
        assert_eq!((read.brackets[0].text.as_str(), read.brackets[0].word), ("New York", 2));
        check("[New York", "new york", "");
    }
}
