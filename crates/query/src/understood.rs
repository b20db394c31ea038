//! What was understood of what somebody asked.

use std::ops::Range;

use crate::query::Query;

/// What was understood: a query, what else may be meant, and what there is to say about it.
#[derive(Clone, Debug, PartialEq)]
pub struct Understood {
    /// The text that was read, cut if it was too long. Of three fields, one text that says the same.
    pub text: String,
    /// The most probable reading.
    pub query: Query,
    /// Other readings, the most probable first.
    pub others: Vec<Other>,
    /// What the user should know.
    pub notes: Vec<Note>,
    /// The parts that were understood, in the order they stand in the text.
    pub chips: Vec<Chip>,
}

/// Another reading.
#[derive(Clone, Debug, PartialEq)]
pub struct Other {
    /// What it asks, in a few words: `ham in York, England, United Kingdom`.
    pub label: String,
    /// What speaks for it.
    pub why: String,
    /// The query it would be.
    pub query: Query,
}

/// Something the user should know.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    /// What it is about.
    pub kind: NoteKind,
    /// The note itself, a sentence without its full stop.
    pub text: String,
}

/// What a note is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoteKind {
    /// The text was too long.
    Cut,
    /// A place may be another of the same name.
    Ambiguous,
    /// A choice does not fit the text it was made for.
    Choice,
    /// The position of the user is needed.
    Position,
    /// An operator is not written as it should be.
    Operator,
    /// Words were left out that only open a question.
    Opener,
    /// A place or a relation that was asked for is not known.
    Unknown,
    /// A place is less exact than what was asked for.
    Inexact,
    /// The region drawn on the map takes the place of what the text names.
    Region,
}

/// A part of the text that was understood, to be shown and taken away.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chip {
    /// What it is.
    pub kind: ChipKind,
    /// How to show it.
    pub label: String,
    /// Where it stands in the text that was read, in bytes: without these bytes the query does without it. Nothing
    /// for what was drawn on the map.
    pub span: Option<Range<usize>>,
}

/// What a chip shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChipKind {
    /// A question's opening that was left out.
    Opener,
    /// A word.
    Word,
    /// A phrase.
    Phrase,
    /// A word or phrase that may not be there.
    Excluded,
    /// A word or phrase of the title.
    Title,
    /// A site, sought or excluded.
    Site,
    /// A language.
    Language,
    /// A first day.
    After,
    /// A day that is too late.
    Before,
    /// A topic.
    Topic,
    /// The order of the answers.
    Sort,
    /// The relation with its places.
    Space,
}
