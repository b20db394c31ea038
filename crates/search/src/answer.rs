//! The answer to a query: hits, facets, and how they came about.

use earth::{Bearing, Bounds, Meters, Point};
use gazetteer::PlaceId;

use crate::plan::Chosen;
use crate::snippet::Piece;

/// The answer to a query.
#[derive(Clone, Debug, Default)]
pub struct Answer {
    /// The hits asked for, in order.
    pub hits: Vec<Hit>,
    /// How many documents there are in all; nothing if they were not counted.
    pub total: Option<u64>,
    /// How many of them are no farther away than what is called near; nothing where that was not asked, or not counted.
    pub total_near: Option<u64>,
    /// How many more there are that nearly repeat one of them.
    pub duplicates: u64,
    /// What they are, by place, site, language and time.
    pub facets: Option<Facets>,
    /// Where distances are measured from.
    pub center: Option<Point>,
    /// How far away what is called near is at most; nothing where that was not asked. Hits that are farther are marked.
    pub near: Option<Meters>,
    /// The box around the ground that was asked about.
    pub frame: Option<Bounds>,
    /// Lines around the ground that was asked about, to be drawn; none if it is all that is in some places.
    pub outline: Vec<Vec<Point>>,
    /// The places within which all was sought.
    pub within: Vec<PlaceId>,
    /// What would have been found with another spelling or with fewer words.
    pub suggestions: Vec<Suggestion>,
    /// The plan for every shard.
    pub plans: Vec<Chosen>,
    /// The generation that answered.
    pub generation: u64,
}

/// One document of an answer.
#[derive(Clone, Debug)]
pub struct Hit {
    /// The id of the document.
    pub id: String,
    /// Where it is.
    pub url: String,
    /// Its title, with the words asked for marked.
    pub title: Vec<Piece>,
    /// The part that shows why it was found.
    pub snippet: Vec<Piece>,
    /// When it was published, in seconds since 1970.
    pub published: Option<i64>,
    /// Its language.
    pub language: String,
    /// The place of it that fits.
    pub place: Option<HitPlace>,
    /// True if it is farther away than anybody calls near, where that was asked.
    pub is_far: bool,
    /// Its score, from 0 to 1.
    pub score: f64,
    /// How the score came about, if that was asked for.
    pub explanation: Option<Explanation>,
}

/// The place of a document that fits a query.
#[derive(Clone, Debug, PartialEq)]
pub struct HitPlace {
    /// The place it is, or is in.
    pub place: Option<PlaceId>,
    /// What it is called: the address if it is one, then the place.
    pub label: String,
    /// Street and house number, if the document says them.
    pub street_line: Option<String>,
    /// Where it is.
    pub point: Point,
    /// How far it is from where distances are measured, and in which direction.
    pub way: Option<(Meters, Bearing)>,
}

/// How a score came about.
#[derive(Clone, Debug, PartialEq)]
pub struct Explanation {
    /// What each word gave, together the text score.
    pub words: Vec<WordScore>,
    /// The text score, from 0 to 1.
    pub text: f64,
    /// How well the place lies, from 0 to 1.
    pub lie: f64,
    /// How much of the document is about the place, from 0 to 1.
    pub part: f64,
    /// How sure it is that the place is meant, from 0 to 1.
    pub sure: f64,
    /// What the place weighs: part and sureness together.
    pub weight: f64,
    /// The place score: lie times weight.
    pub place: f64,
    /// Text score times place score.
    pub score: f64,
}

/// What a word gave to a text score.
#[derive(Clone, Debug, PartialEq)]
pub struct WordScore {
    /// The word.
    pub word: String,
    /// How rare it is.
    pub rareness: f64,
    /// How often the document has it.
    pub times: u32,
    /// How often the title has it.
    pub in_title: u32,
    /// How often headings and links to the document have it.
    pub in_strong: u32,
    /// What that gives.
    pub score: f64,
}

/// What the documents of an answer are.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Facets {
    /// All places one level below the one asked about, with how many documents are about them, the most first.
    pub places: Vec<(PlaceId, u64)>,
    /// Sites, as many as anybody reads.
    pub sites: Vec<(String, u64)>,
    /// Languages, likewise.
    pub languages: Vec<(String, u64)>,
    /// Months, as year and month, in order.
    pub months: Vec<((i16, i8), u64)>,
    /// Documents without a date.
    pub undated: u64,
}

/// Another query that would find something.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Suggestion {
    /// A word may be misspelt.
    Spelling {
        /// As it was written.
        word: String,
        /// As the documents have it.
        instead: String,
        /// In how many of them.
        documents: u64,
    },
    /// Without this word there are documents.
    Without {
        /// The word.
        word: String,
        /// So many.
        documents: u64,
    },
}
