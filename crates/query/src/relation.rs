//! How what is sought lies to a place.

use std::fmt;

use earth::{Compass, Meters};

/// How what is sought lies to a place.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Relation {
    /// Inside it; what a place without any relation means.
    In,
    /// Not far from it; how far depends on how large it is.
    Near,
    /// Right there: at an address or a sight.
    At,
    /// No farther than this.
    Within(Meters),
    /// At least the first distance away and at most the second.
    Ring(Meters, Meters),
    /// In it or around it, on all sides.
    Around,
    /// Not inside it.
    Outside,
    /// In this direction, seen from it.
    Toward(Compass),
    /// Between two places.
    Between,
    /// Along the line through several places, in their order.
    Along,
    /// Partly inside it, partly not.
    Overlaps,
    /// Touching its border.
    NextTo,
}

impl Relation {
    /// The relation in one or two lower-case words, without its distance: `within`, `next to`.
    pub fn name(self) -> &'static str {
        match self {
            Self::In => "in",
            Self::Near => "near",
            Self::At => "at",
            Self::Within(_) => "within",
            Self::Ring(..) => "ring",
            Self::Around => "around",
            Self::Outside => "outside",
            Self::Toward(compass) => compass.long_name(),
            Self::Between => "between",
            Self::Along => "along",
            Self::Overlaps => "overlapping",
            Self::NextTo => "next to",
        }
    }

    /// How many places it needs at least.
    pub(crate) fn least_anchors(self) -> usize {
        if matches!(self, Self::Between | Self::Along) { 2 } else { 1 }
    }
}

/// As one would write it before a place: `within 5000 m of`, `north-east of`.
impl fmt::Display for Relation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Within(Meters(far)) => write!(f, "within {far} m of"),
            Self::Ring(Meters(near), Meters(far)) => write!(f, "between {near} and {far} m from"),
            Self::Toward(compass) => write!(f, "{} of", compass.long_name()),
            _ => f.write_str(self.name()),
        }
    }
}
