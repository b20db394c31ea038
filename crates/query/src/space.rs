//! Where a query looks: a relation and the places it relates to.

use std::fmt;
use std::ops::Range;

use earth::Point;
use gazetteer::{PlaceId, Precision};

use crate::region::Region;
use crate::relation::Relation;

/// Where a query looks: a relation and the places it relates to.
#[derive(Clone, Debug, PartialEq)]
pub struct Space {
    /// How what is sought lies to the anchors.
    pub relation: Relation,
    /// Two for [`Relation::Between`], two or more for [`Relation::Along`], else one.
    pub anchors: Vec<Anchor>,
}

/// A place that a query names.
#[derive(Clone, Debug, PartialEq)]
pub struct Anchor {
    /// As it was written.
    pub text: String,
    /// Where it stands in the text that was read, in bytes.
    pub span: Range<usize>,
    /// What was understood.
    pub at: Spot,
    /// The key of its place, which outlives the gazetteer's build; nothing where there is no place.
    pub key: Option<String>,
    /// How to show it: `Athens, Attica, Greece`.
    pub label: String,
    /// How sure it is that this one is meant, 0 to 1.
    pub confidence: f64,
    /// What else the text may mean, the most probable first.
    pub others: Vec<Choice>,
}

/// What an anchor is.
#[derive(Clone, Debug, PartialEq)]
pub enum Spot {
    /// A place of the gazetteer.
    Place(PlaceId),
    /// An address, as exact as the gazetteer knows it.
    Address {
        /// The narrowest place that is known of it: the street, or the town.
        place: Option<PlaceId>,
        /// The point of the house, or of that place.
        point: Point,
        /// As one would write it: `Mannerheimintie 2, Helsinki, Uusimaa, Finland`.
        label: String,
        /// How exact the point is.
        precision: Precision,
    },
    /// A coordinate, or a code for one.
    Point(Point),
    /// Where the user is.
    Me(Point),
    /// What was drawn on the map.
    Drawn(Region),
}

/// A place that may be chosen instead.
#[derive(Clone, Debug, PartialEq)]
pub struct Choice {
    /// The place.
    pub place: PlaceId,
    /// How to show it: `Athens, Georgia, United States`.
    pub label: String,
}

impl Space {
    /// True if it is a region drawn on the map, which no text can write.
    pub(crate) fn is_drawn(&self) -> bool {
        self.anchors.iter().any(|it| matches!(it.at, Spot::Drawn(_)))
    }
}

/// As one would write it, the places in brackets so that nothing is left to guess:
/// `within 5000 m of [Berlin gn:2950159]`.
impl fmt::Display for Space {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let anchors: Vec<String> = self.anchors.iter().map(Anchor::to_string).collect();
        let joint = if self.relation == Relation::Between { " and " } else { ", " };
        write!(f, "{} {}", self.relation, anchors.join(joint))
    }
}

/// In brackets, with its key if it has one: `[Berlin gn:2950159]`.
impl fmt::Display for Anchor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (&self.at, &self.key) {
            (Spot::Me(_), _) => f.write_str("[me]"),
            (Spot::Place(_), Some(key)) => write!(f, "[{} {key}]", self.text),
            (Spot::Point(point), _) => write!(f, "[geo:{},{}]", point.lat, point.lon),
            _ => write!(f, "[{}]", self.text),
        }
    }
}
