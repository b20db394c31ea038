//! What is known about a page before its text is read.

use gazetteer::{Gazetteer, Kind, PlaceId};

use crate::name::{Bearer, Within, bearer};
use crate::spherical::Spherical;

/// What is known about a page before its text is read. Nothing, by default.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Hints {
    /// The language, as a two-letter code.
    pub language: Option<String>,
    /// The country of the site by its two letters: that of its top-level domain, say.
    pub country: Option<String>,
    /// Where the site is at home: the place of its own address, or the one most of its pages are about.
    pub home: Option<PlaceId>,
    /// Places that the page is surely about, such as those of its addresses.
    pub anchors: Vec<PlaceId>,
}

/// The hints, looked up.
pub(crate) struct Home {
    country: Option<PlaceId>,
    home: Option<(PlaceId, Spherical, Within)>,
    anchors: Vec<(PlaceId, Spherical)>,
}

impl Home {
    pub(crate) fn of(gazetteer: &Gazetteer, hints: &Hints) -> Self {
        let look_up = |id: PlaceId| bearer(gazetteer, id, gazetteer::NameClass::Main);
        let home = hints.home.map(look_up).map(|it| (it.place, it.spherical, it.within));
        Self {
            country: hints.country.as_deref().and_then(|it| country(gazetteer, it)),
            home,
            anchors: hints
                .anchors
                .iter()
                .map(|it| (*it, Spherical::of(gazetteer.place(*it).point())))
                .collect(),
        }
    }

    /// How much a place is at home here, 0 to 1.
    pub(crate) fn nearness(&self, bearer: &Bearer) -> f32 {
        let is_in = |place: PlaceId| bearer.place == place || bearer.within.has(place);
        let country: f32 = self.country.filter(|it| is_in(*it)).map_or(0.0, |_| 0.4);
        let home = self.home.as_ref().map_or(0.0, |(place, at, within)| {
            let shared = within.iter().find(|(holder, _)| is_in(*holder)).map_or(
                0.0,
                |(_, kind)| match kind {
                    Kind::Country => 0.3,
                    Kind::Region => 0.6,
                    _ => 0.8,
                },
            );
            if is_in(*place) { 1.0 } else { at.nearness(bearer.spherical).max(shared) }
        });
        let anchors = self
            .anchors
            .iter()
            .map(|(place, at)| if is_in(*place) { 1.0 } else { at.nearness(bearer.spherical) });
        anchors.fold(country.max(home), f32::max)
    }
}

/// The country with these two letters.
fn country(gazetteer: &Gazetteer, code: &str) -> Option<PlaceId> {
    let is_it = |place: &gazetteer::Place<'_>| {
        place.kind() == Kind::Country
            && place.tag("iso2").is_some_and(|it| it.eq_ignore_ascii_case(code))
    };
    gazetteer.named(code).map(|it| it.0).find(is_it).map(|it| it.id())
}
