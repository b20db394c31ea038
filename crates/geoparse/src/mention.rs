//! A place named in a text.

use std::ops::Range;

use earth::Point;
use gazetteer::PlaceId;

use crate::reason::Reason;

/// In what way a text names a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Class {
    /// The place itself: `in Paris`.
    Place,
    /// The people or what is theirs: `French`.
    Demonym,
    /// Those who act for it: `Paris denied it`.
    Metonym,
    /// A building, a sight, a piece of nature: `the Eiffel Tower`.
    Poi,
    /// A street.
    Street,
    /// Part of an address.
    AddressPart,
}

/// A place named in a text.
#[derive(Clone, Debug)]
pub struct Mention {
    /// Where it stands, in bytes.
    pub span: Range<usize>,
    /// In what way it is named.
    pub class: Class,
    /// The place, or what it lies in or near; nothing if the text gives no clue.
    pub place: Option<PlaceId>,
    /// Where it is.
    pub point: Option<Point>,
    /// True if the gazetteer knows the place itself; else it is somewhere in or near that place.
    pub is_listed: bool,
    /// How sure it is that this place is meant, 0 to 1.
    pub confidence: f32,
    /// Why, if that was asked for.
    pub why: Option<Box<Why>>,
}

/// Why a mention was taken for a place, and for this one.
#[derive(Clone, Debug, Default)]
pub struct Why {
    /// What spoke for and against its being a place, in logarithms of the odds.
    pub is_place: Vec<(Reason, f32)>,
    /// The places of its name that were considered, the most probable first.
    pub candidates: Vec<Considered>,
}

/// A place that was considered.
#[derive(Clone, Debug)]
pub struct Considered {
    /// The place.
    pub place: PlaceId,
    /// How probable it is among the places of its name.
    pub share: f32,
    /// What spoke for it, in logarithms of the odds.
    pub reasons: Vec<(Reason, f32)>,
}
