//! The ground a query asks about, made ready to run: which documents are there, and how well they fit.

use std::cell::RefCell;
use std::collections::HashMap;

use earth::Meters;
use gazetteer::{Gazetteer, PlaceId};
use index::{Clause, Error, Shard, Spot};

use crate::reach::Reach;

/// The ground a query asks about.
#[derive(Debug)]
pub(crate) enum Ground {
    /// None: words alone.
    Anywhere,
    /// Points in a part of the globe, but for those in a place.
    Points { reach: Reach, not_in: Option<PlaceId> },
    /// Places by name: any in these, and these themselves.
    Places(Places),
}

/// Places by name.
#[derive(Debug, Default)]
pub(crate) struct Places {
    /// All in these places counts.
    pub(crate) within: Vec<PlaceId>,
    /// These places count themselves, each as much as it fits.
    pub(crate) naming: HashMap<u32, f32>,
    /// What is in this place does not count.
    pub(crate) not_in: Option<PlaceId>,
    /// Where distances are measured from.
    pub(crate) center: Option<earth::Point>,
    /// Fits that were worked out.
    pub(crate) known: RefCell<HashMap<u32, f32>>,
}

/// How much of a place's weight remains if a document is hardly about it.
const LEAST_PART: f32 = 0.3;

/// What a spot of a document weighs: how much of the document is about it, and how sure that is.
///
/// A page that names four towns alike counts two thirds in each: 0.3 + 0.7 × √¼.
#[inline]
pub(crate) fn weight(part: u8, sure: u8) -> f32 {
    if part == 255 && sure == 255 {
        return 1.0;
    }
    let part = f32::from(part) / 255.0;
    f32::from(sure) / 255.0 * (LEAST_PART + (1.0 - LEAST_PART) * part.sqrt())
}

/// How well a document fits, and which of its spots does.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Fit {
    /// How well, from 0 to 1.
    pub(crate) score: f32,
    /// How well the spot lies, without what it weighs.
    pub(crate) lie: f32,
    /// What the spot weighs.
    pub(crate) weight: f32,
    /// The spot.
    pub(crate) spot: Spot,
    /// How far it is from where distances are measured.
    pub(crate) distance: Option<f64>,
}

impl Places {
    /// How well a place fits, worked out once.
    fn fit(&self, gazetteer: &Gazetteer, place: u32) -> f32 {
        if let Some(known) = self.known.borrow().get(&place) {
            return *known;
        }
        let id = PlaceId(place);
        let is_in = |whole: &PlaceId| gazetteer.holds(*whole, id) || *whole == id;
        let fit = if self.not_in.as_ref().is_some_and(is_in) {
            0.0
        } else if self.within.iter().any(is_in) {
            1.0
        } else {
            self.naming.get(&place).copied().unwrap_or(0.0)
        };
        self.known.borrow_mut().insert(place, fit);
        fit
    }
}

impl Ground {
    /// The part of it that people call near; nothing if distance is no matter of words.
    pub(crate) fn near(&self) -> Option<Self> {
        let Self::Points { reach, not_in } = self else { return None };
        let ring = Reach::ring(reach.center(), Meters(0.0), reach.end()?);
        Some(Self::Points { reach: ring, not_in: *not_in })
    }

    /// The documents that may be on it, from the hierarchy; nothing if the hierarchy does not tell.
    pub(crate) fn clause(&self, shard: &Shard) -> Result<Option<Clause>, Error> {
        let Self::Places(places) = self else { return Ok(None) };
        let within = places.within.iter().map(|it| it.0);
        Ok(Some(shard.within_or_naming(within, places.naming.keys().copied())?))
    }

    /// How well a document fits: that of its best spot. Nothing if it is elsewhere.
    #[inline]
    pub(crate) fn score(&self, gazetteer: &Gazetteer, shard: &Shard, document: u32) -> Option<f32> {
        match self {
            Self::Anywhere => Some(1.0),
            Self::Points { reach, not_in: None } => {
                let mut best = None;
                for (lat, lon, part, sure) in shard.space.document_points(document) {
                    if let Some(lie) = reach.fit(lat, lon) {
                        let score = lie * weight(part, sure);
                        if best.is_none_or(|it| score > it) {
                            best = Some(score);
                        }
                    }
                }
                best
            }
            _ => self.fit(gazetteer, shard, document).map(|it| it.score),
        }
    }

    /// True if a document fits at all.
    #[inline]
    pub(crate) fn holds(&self, gazetteer: &Gazetteer, shard: &Shard, document: u32) -> bool {
        match self {
            Self::Anywhere => true,
            Self::Points { reach, not_in: None } => {
                let mut points = shard.space.document_points(document);
                points.any(|it| reach.fit(it.0, it.1).is_some())
            }
            _ => shard.space.spots(document).any(|it| self.lie(gazetteer, &it).is_some()),
        }
    }

    /// How well a document fits, with all that makes it so.
    pub(crate) fn fit(&self, gazetteer: &Gazetteer, shard: &Shard, document: u32) -> Option<Fit> {
        // Of spots that fit alike the nearest is shown.
        self.first_fit(gazetteer, shard, document, |one, other| {
            one.score > other.score || (one.score >= other.score && one.distance < other.distance)
        })
    }

    /// Its nearest spot that fits; one that has no distance, an area, only if there is no other.
    pub(crate) fn nearest(
        &self,
        gazetteer: &Gazetteer,
        shard: &Shard,
        document: u32,
    ) -> Option<Fit> {
        let far = |it: &Fit| it.distance.unwrap_or(f64::INFINITY);
        self.first_fit(gazetteer, shard, document, |one, other| {
            far(one) < far(other) || (far(one) <= far(other) && one.score > other.score)
        })
    }

    /// The first of the spots that fit, in this order.
    fn first_fit(
        &self,
        gazetteer: &Gazetteer,
        shard: &Shard,
        document: u32,
        is_before: impl Fn(&Fit, &Fit) -> bool,
    ) -> Option<Fit> {
        let fits = shard.space.spots(document).filter_map(|spot| {
            let (lie, distance) = self.lie(gazetteer, &spot)?;
            let weight = weight(spot.part, spot.sure);
            Some(Fit { score: lie * weight, lie, weight, spot, distance })
        });
        fits.reduce(|first, it| if is_before(&it, &first) { it } else { first })
    }

    /// How well a spot lies, and how far off it is.
    fn lie(&self, gazetteer: &Gazetteer, spot: &Spot) -> Option<(f32, Option<f64>)> {
        match self {
            Self::Anywhere => None,
            Self::Points { reach, not_in } => {
                let is_in = |whole: &PlaceId| {
                    spot.place.is_some_and(|it| {
                        *whole == PlaceId(it) || gazetteer.holds(*whole, PlaceId(it))
                    })
                };
                if spot.is_area || not_in.as_ref().is_some_and(is_in) {
                    return None;
                }
                let lie = reach.fit(spot.lat, spot.lon)?;
                Some((lie, Some(reach.distance(spot.lat, spot.lon))))
            }
            Self::Places(places) => {
                let fit = places.fit(gazetteer, spot.place?);
                let distance = || Some(places.center?.distance(spot.point()).0);
                (fit > 0.0).then(|| (fit, if spot.is_area { None } else { distance() }))
            }
        }
    }

    /// How far the nearest spot is that is on it.
    pub(crate) fn distance(
        &self,
        gazetteer: &Gazetteer,
        shard: &Shard,
        document: u32,
    ) -> Option<f64> {
        if let Self::Points { reach, not_in: None } = self {
            let points = shard.space.document_points(document);
            reach.nearest(points.map(|it| (it.0, it.1)))
        } else {
            let spots = shard.space.spots(document);
            spots.filter_map(|it| self.lie(gazetteer, &it)?.1).min_by(f64::total_cmp)
        }
    }
}
