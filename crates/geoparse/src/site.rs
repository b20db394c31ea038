//! Where a site is at home, learned from its pages: to a local newspaper, Paris may be the one next door.

use gazetteer::{Gazetteer, Kind, PlaceId};

use crate::mention::{Class, Mention};
use crate::quick::QuickMap;
use crate::spherical::Spherical;

/// A home is where at least this part of what a site names is near.
const LEAST_SHARE: f32 = 0.2;
/// One page is no site: with fewer mentions nothing is said.
const LEAST_MENTIONS: u32 = 8;
/// Of this many places the most often named is looked at; more change nothing.
const MOST_PLACES: usize = 200;

/// What the pages of a site have named so far.
#[derive(Clone, Debug, Default)]
pub struct Site {
    places: QuickMap<PlaceId, f32>,
    mentions: u32,
}

impl Site {
    /// Takes note of a page.
    pub fn add(&mut self, mentions: &[Mention]) {
        for it in mentions.iter().filter(|it| it.is_listed && it.class != Class::Demonym) {
            if let Some(place) = it.place {
                *self.places.entry(place).or_default() += it.confidence;
                self.mentions += 1;
            }
        }
    }

    /// The place that most of what the site names is near, if there is one.
    ///
    /// Countries and regions are named everywhere and do not count.
    pub fn home(&self, gazetteer: &Gazetteer) -> Option<PlaceId> {
        if self.mentions < LEAST_MENTIONS {
            return None;
        }
        let mut local: Vec<(PlaceId, f32, Spherical)> = self
            .places
            .iter()
            .map(|(id, weight)| (gazetteer.place(*id), *weight))
            .filter(|(place, _)| place.kind() >= Kind::County)
            .map(|(place, weight)| (place.id(), weight, Spherical::of(place.point())))
            .collect();
        local.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        local.truncate(MOST_PLACES);
        let whole: f32 = local.iter().map(|it| it.1).sum();
        let near = |at: Spherical| local.iter().map(|it| it.1 * at.nearness(it.2)).sum::<f32>();
        let (home, weight) = local
            .iter()
            .map(|it| (it.0, near(it.2)))
            .max_by(|a, b| a.1.total_cmp(&b.1).then(b.0.cmp(&a.0)))?;
        (weight >= LEAST_SHARE * whole).then_some(home)
    }
}
