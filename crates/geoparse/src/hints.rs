//! What is known about a page before its text is read.

use earth::Point;
use gazetteer::PlaceId;

use crate::name::Bearer;
use crate::spherical::Spherical;

/// What is known about a page before its text is read. Nothing, by default.
#[derive(Clone, Debug, Default)]
pub struct Hints {
    /// Where the site is at home: its own address, or where most of its pages are.
    pub home: Option<Point>,
    /// The country of the site: of its top-level domain, say.
    pub country: Option<PlaceId>,
    /// The language, as a two-letter code.
    pub language: Option<String>,
}

impl Hints {
    /// How much a place is at home here, 0 to 1.
    pub(crate) fn home(&self, bearer: &Bearer) -> f32 {
        let near = self.home.map_or(0.0, |home| Spherical::of(home).nearness(bearer.spherical));
        let inside = self
            .country
            .map_or(0.0, |it| if bearer.place == it || bearer.within.has(it) { 0.5 } else { 0.0 });
        near.max(inside)
    }
}
