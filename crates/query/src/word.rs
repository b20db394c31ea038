//! Words of a query with where they stand and how they are written.

use std::ops::Range;

/// A word that may be theme, relation or place.
#[derive(Clone, Debug)]
#[allow(
    clippy::struct_excessive_bools,
    reason = "each is a piece of evidence, and all go together"
)]
pub(crate) struct Word {
    /// Folded.
    pub(crate) text: String,
    /// Its bytes in the text.
    pub(crate) span: Range<usize>,
    /// The number of what was written in one piece: `rock-climbing` is two words and one chunk.
    pub(crate) chunk: usize,
    /// A comma, a semicolon or a line end stands before it.
    pub(crate) after_comma: bool,
    /// A dash or a hyphen stands before it.
    pub(crate) after_dash: bool,
    /// Something that is no word stands before it: an operator, a phrase.
    pub(crate) after_wall: bool,
    /// It begins with a capital letter.
    pub(crate) is_capital: bool,
    /// It has capital letters only, two at least.
    pub(crate) is_upper: bool,
    /// It has small letters only, if letters at all.
    pub(crate) is_small: bool,
    /// It is part of an operator that was not understood, so never a place.
    pub(crate) is_literal: bool,
    /// It is part of something made for machines, such as a key or an e-mail address, so never a name.
    pub(crate) is_technical: bool,
}

impl Word {
    /// True if a comma or an operator stands before it, over which no phrase goes on.
    pub(crate) fn begins_anew(&self) -> bool {
        self.after_comma || self.after_wall
    }

    pub(crate) fn has_digit(&self) -> bool {
        self.text.bytes().any(|it| it.is_ascii_digit())
    }
}

/// The words of one chunk, which starts at this byte of the text.
pub(crate) fn words_of(chunk: &str, start: usize, number: usize) -> impl Iterator<Item = Word> {
    let is_technical =
        chunk.trim_end_matches(|it: char| !it.is_alphanumeric()).contains([':', '@', '_']);
    text::words(chunk).map(move |word| {
        let written = &chunk[word.start..word.end];
        let letters = || written.chars().filter(|it| it.is_alphabetic());
        Word {
            span: start + word.start..start + word.end,
            chunk: number,
            // The comma in `3,5 km` parts nothing.
            after_comma: word.before.contains([',', ';'])
                && !(word.before.len() == 1
                    && is_digit_before(chunk, word.start - 1)
                    && written.starts_with(|it: char| it.is_ascii_digit())),
            after_dash: word.before.contains(is_dash),
            after_wall: false,
            is_capital: written.chars().next().is_some_and(char::is_uppercase),
            is_upper: letters().count() > 1 && letters().all(char::is_uppercase),
            is_small: !letters().any(char::is_uppercase),
            is_literal: false,
            is_technical,
            text: word.text,
        }
    })
}

fn is_digit_before(text: &str, at: usize) -> bool {
    text[..at].ends_with(|it: char| it.is_ascii_digit())
}

pub(crate) fn is_dash(letter: char) -> bool {
    matches!(letter, '-' | '\u{2010}'..='\u{2015}' | '→')
}
