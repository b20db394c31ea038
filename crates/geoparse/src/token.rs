//! The words of a text as the geoparser sees them: folded, with their case and what stands between them.

use text::{fold_char, joins};

use crate::cue::{Cue, cue};

/// What stands between a word and the one before it, as a set.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Gap(u16);

impl Gap {
    pub(crate) const BLANK: Self = Self(1);
    pub(crate) const COMMA: Self = Self(1 << 1);
    /// A full stop, or what ends a sentence like one.
    pub(crate) const STOP: Self = Self(1 << 2);
    /// The end of a line or of a table cell.
    pub(crate) const BREAK: Self = Self(1 << 3);
    pub(crate) const HYPHEN: Self = Self(1 << 4);
    pub(crate) const APOSTROPHE: Self = Self(1 << 5);
    pub(crate) const OPEN: Self = Self(1 << 6);
    pub(crate) const CLOSE: Self = Self(1 << 7);
    pub(crate) const QUOTE: Self = Self(1 << 8);
    pub(crate) const COLON: Self = Self(1 << 9);
    /// Anything else: a dash, a slash, a bullet.
    pub(crate) const OTHER: Self = Self(1 << 10);

    pub(crate) fn has(self, any: Self) -> bool {
        self.0 & any.0 != 0
    }

    pub(crate) fn and(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// True if nothing but these stands there.
    pub(crate) fn is_only(self, these: Self) -> bool {
        self.0 & !these.0 == 0
    }

    const fn of(letter: char) -> Self {
        match letter {
            ' ' | '\u{a0}' | '\u{2000}'..='\u{200a}' | '\u{202f}' | '\u{205f}' | '\u{3000}' => {
                Self::BLANK
            }
            '\n' | '\t' | '\r' | '\u{2028}' | '\u{2029}' => Self::BREAK,
            ',' => Self::COMMA,
            '.' | '!' | '?' | ';' => Self::STOP,
            ':' => Self::COLON,
            '-' | '\u{2010}' | '\u{2011}' | '⸗' => Self::HYPHEN,
            '\'' | '’' | '‘' | '`' | '´' => Self::APOSTROPHE,
            '(' | '[' => Self::OPEN,
            ')' | ']' => Self::CLOSE,
            '"' | '“' | '”' | '„' | '«' | '»' => Self::QUOTE,
            _ => Self::OTHER,
        }
    }
}

/// How a word is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shape {
    /// `bath`
    Lower,
    /// `Bath`
    Capital,
    /// `BATH`, `USA`
    Upper,
    /// `5`, `5a`, `M5V`
    Number,
}

/// A word of a text.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Token {
    /// Where it stands in the text, in bytes.
    pub(crate) start: u32,
    pub(crate) end: u32,
    /// What stands before it.
    pub(crate) gap: Gap,
    pub(crate) shape: Shape,
    /// True for `U.S.`, which is one word.
    pub(crate) is_dotted: bool,
    /// Where its folded form lies.
    folded: (u32, u32),
}

impl Token {
    pub(crate) fn is_capital(&self) -> bool {
        matches!(self.shape, Shape::Capital | Shape::Upper)
    }

    pub(crate) fn folded_length(&self) -> usize {
        (self.folded.1 - self.folded.0) as usize
    }
}

/// The words of a text in order.
#[derive(Debug, Default)]
pub(crate) struct Tokens {
    folded: String,
    list: Vec<Token>,
}

impl Tokens {
    /// Takes a text apart.
    pub(crate) fn of(text: &str) -> Self {
        let mut tokens = Self {
            folded: String::with_capacity(text.len()),
            list: Vec::with_capacity(text.len() / 5),
        };
        let mut at = 0;
        while let Some(next) = tokens.read_word(text, at) {
            at = next;
        }
        tokens
    }

    pub(crate) fn len(&self) -> usize {
        self.list.len()
    }

    pub(crate) fn get(&self, index: usize) -> Option<&Token> {
        self.list.get(index)
    }

    /// What a word says about the names beside it; nothing behind the last one.
    pub(crate) fn cue(&self, index: usize) -> Cue {
        if index < self.list.len() { cue(self.word(index)) } else { Cue::default() }
    }

    /// The folded form of a word.
    pub(crate) fn word(&self, index: usize) -> &str {
        let (start, end) = self.list[index].folded;
        &self.folded[start as usize..end as usize]
    }

    /// `U.S.` is one word: single letters with nothing but full stops between them.
    fn joins_initials(&self, is_followed_by_stop: bool) -> bool {
        let Some(last) = self.list.last() else { return false };
        last.is_capital() && (last.is_dotted || last.end == last.start + 1 && is_followed_by_stop)
    }

    /// Reads the gap and the word from there; gives where the word ends.
    fn read_word(&mut self, text: &str, from: usize) -> Option<usize> {
        let bytes = text.as_bytes();
        let mut gap = Gap::default();
        let mut at = from;
        let begin = self.folded.len();
        // The gap.
        let start = loop {
            let byte = *bytes.get(at)?;
            if byte.is_ascii() {
                if byte.is_ascii_alphanumeric() {
                    break at;
                }
                gap = gap.and(GAPS[usize::from(byte)]);
                at += 1;
                continue;
            }
            let letter = text[at..].chars().next()?;
            fold_char(letter, &mut self.folded);
            if self.folded.len() > begin {
                self.folded.truncate(begin);
                break at;
            }
            gap = gap.and(Gap::of(letter));
            at += letter.len_utf8();
        };
        let mut case = Case::default();
        // The word.
        while let Some(&byte) = bytes.get(at) {
            if LETTERS[usize::from(byte)] != 0 {
                let run = at;
                while let Some(kind @ 1..) = bytes.get(at).map(|it| LETTERS[usize::from(*it)]) {
                    case.see_ascii(kind);
                    at += 1;
                }
                let before = self.folded.len();
                self.folded.push_str(&text[run..at]);
                self.folded[before..].make_ascii_lowercase();
                continue;
            }
            if byte.is_ascii() {
                break;
            }
            let Some(letter) = text[at..].chars().next() else { break };
            if let Some(length) = broken_word(&text[at..], letter) {
                at += length;
                continue;
            }
            let before = self.folded.len();
            fold_char(letter, &mut self.folded);
            if self.folded.len() == before && !joins(letter) {
                break;
            }
            case.see(letter);
            at += letter.len_utf8();
        }
        let is_letter = at == start + 1;
        if is_letter && gap == Gap::STOP && self.joins_initials(bytes.get(at) == Some(&b'.')) {
            if let Some(last) = self.list.last_mut() {
                last.end = at as u32;
                last.folded.1 = self.folded.len() as u32;
                last.shape = Shape::Upper;
                last.is_dotted = true;
            }
            return Some(at);
        }
        self.list.push(Token {
            is_dotted: false,
            start: start as u32,
            end: at as u32,
            gap,
            shape: case.shape(),
            folded: (begin as u32, self.folded.len() as u32),
        });
        Some(at)
    }
}

/// How long the mark is by which a printer or a scanner broke a word in two, with the blanks behind it.
fn broken_word(rest: &str, letter: char) -> Option<usize> {
    if letter == '\u{ad}' {
        return Some(letter.len_utf8());
    }
    if letter != '¬' {
        return None;
    }
    let behind = rest[letter.len_utf8()..].trim_start_matches([' ', '\n']);
    let goes_on = behind.chars().next().is_some_and(char::is_lowercase);
    goes_on.then(|| rest.len() - behind.len())
}

const SMALL: u8 = 1;
const LARGE: u8 = 2;
const DIGIT: u8 = 4;

/// What each ASCII byte is as part of a word; 0 for what is none.
static LETTERS: [u8; 256] = {
    let mut table = [0; 256];
    let mut byte = 0_u8;
    while byte < 128 {
        table[byte as usize] = match byte {
            b'a'..=b'z' => SMALL,
            b'A'..=b'Z' => LARGE,
            b'0'..=b'9' => DIGIT,
            _ => 0,
        };
        byte += 1;
    }
    table
};

/// What each ASCII byte is between words.
static GAPS: [Gap; 128] = {
    let mut table = [Gap::OTHER; 128];
    let mut byte = 0_u8;
    while byte < 128 {
        table[byte as usize] = Gap::of(byte as char);
        byte += 1;
    }
    table
};

/// What was seen of a word's case.
#[derive(Default)]
struct Case {
    kinds: u8,
    letters: u32,
    starts_large: bool,
}

impl Case {
    fn see_ascii(&mut self, kind: u8) {
        self.starts_large |= kind == LARGE && self.letters == 0;
        self.letters += u32::from(kind != DIGIT);
        self.kinds |= kind;
    }

    fn see(&mut self, letter: char) {
        let is_letter = letter.is_alphabetic();
        // Scripts without case write all words as names.
        let is_large = letter.is_uppercase() || is_letter && !letter.is_lowercase();
        match letter {
            _ if letter.is_numeric() => self.kinds |= DIGIT,
            _ if is_large => self.see_ascii(LARGE),
            _ if is_letter => self.see_ascii(SMALL),
            _ => {}
        }
    }

    fn shape(&self) -> Shape {
        match self {
            Self { kinds, .. } if kinds & DIGIT != 0 => Shape::Number,
            Self { kinds: LARGE, letters: 2.., .. } => Shape::Upper,
            Self { starts_large: true, .. } => Shape::Capital,
            _ => Shape::Lower,
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn words_know_their_case_and_what_stands_before_them() {
        let tokens = Tokens::of("In BATH, near St. Ives\n5 km");
        let words: Vec<_> = (0..tokens.len()).map(|it| tokens.word(it)).collect();
        assert_eq!(words, ["in", "bath", "near", "st", "ives", "5", "km"]);
        let shapes: Vec<_> = tokens.list.iter().map(|it| it.shape).collect();
        assert_eq!(shapes[..3], [Shape::Capital, Shape::Upper, Shape::Lower]);
        assert_eq!(shapes[5], Shape::Number);
        assert!(tokens.list[2].gap.has(Gap::COMMA));
        assert!(tokens.list[4].gap.has(Gap::STOP));
        assert!(tokens.list[5].gap.has(Gap::BREAK));
    }

    #[test]
    fn initials_with_stops_are_one_word() {
        let tokens = Tokens::of("the U.S. and Washington, D.C., by J. Smith");
        let words: Vec<_> = (0..tokens.len()).map(|it| tokens.word(it)).collect();
        assert_eq!(words, ["the", "us", "and", "washington", "dc", "by", "j", "smith"]);
    }

    #[test]
    fn a_word_broken_at_the_end_of_a_line_is_one_word() {
        let tokens = Tokens::of("nach Neuen¬ burg und Deutſch\u{ad}land");
        let words: Vec<_> = (0..tokens.len()).map(|it| tokens.word(it)).collect();
        assert_eq!(words, ["nach", "neuenburg", "und", "deutschland"]);
    }

    proptest! {
        #[test]
        fn any_text_is_taken_apart_on_its_borders(text in any::<String>()) {
            let tokens = Tokens::of(&text);
            let mut last = 0;
            for token in &tokens.list {
                prop_assert!(text.get(token.start as usize..token.end as usize).is_some());
                prop_assert!(last <= token.start && token.start < token.end);
                last = token.end;
            }
        }
    }
}
