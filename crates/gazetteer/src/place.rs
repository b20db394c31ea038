//! A place of a gazetteer.

use earth::{Bounds, Point};
use geo::MultiPolygon;

use crate::draft::split_tags;
use crate::fact::{Name, NameClass, PlaceFact, Seat};
use crate::gazetteer::Gazetteer;
use crate::kind::Kind;
use crate::layout::{self, PlaceRow};
use crate::shape::degrees;

/// The number of a place in its gazetteer. A parent's is always smaller than its children's.
///
/// It changes when the gazetteer is built anew; what lasts is the place's [key](Place::key).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PlaceId(pub u32);

impl PlaceId {
    /// The root of every hierarchy.
    pub const WORLD: Self = Self(0);
}

/// A place, looked at in its gazetteer.
#[derive(Clone, Copy)]
pub struct Place<'g> {
    pub(crate) gazetteer: &'g Gazetteer,
    pub(crate) id: PlaceId,
    pub(crate) row: PlaceRow,
}

impl<'g> Place<'g> {
    /// Its number in this gazetteer.
    pub fn id(&self) -> PlaceId {
        self.id
    }

    /// The id that stays the same over rebuilds: `gn:2855745`.
    pub fn key(&self) -> &'g str {
        self.gazetteer.strings.get(self.row.key)
    }

    /// The name to show.
    pub fn name(&self) -> &'g str {
        self.gazetteer.strings.get(self.row.name)
    }

    /// What sort of place it is.
    pub fn kind(&self) -> Kind {
        self.row.kind
    }

    /// Where it is; for what has an area, a point inside.
    pub fn point(&self) -> Point {
        Point::new(degrees(self.row.lat), degrees(self.row.lon))
    }

    /// How many people live there; 0 if nobody counted.
    pub fn population(&self) -> u64 {
        self.row.population
    }

    /// Of what it is the seat.
    pub fn seat(&self) -> Seat {
        match self.row.seat {
            0 => Seat::None,
            1 => Seat::County,
            2 => Seat::Region,
            _ => Seat::Country,
        }
    }

    /// How well known it is, 0 to 1.
    pub fn importance(&self) -> f64 {
        f64::from(self.row.rank) / f64::from(u16::MAX)
    }

    /// What it is part of; nothing for the world.
    pub fn parent(&self) -> Option<Place<'g>> {
        // A parent always has the smaller number; so even a damaged file cannot send us in circles.
        (self.row.parent < self.id.0).then(|| self.gazetteer.place(PlaceId(self.row.parent)))
    }

    /// The country it lies in, itself if it is one.
    pub fn country(&self) -> Option<Place<'g>> {
        (self.row.country != 0).then(|| self.gazetteer.place(PlaceId(self.row.country)))
    }

    /// Its names beside the one to show.
    pub fn names(&self) -> impl Iterator<Item = (NameClass, &'g str)> + 'g {
        let gazetteer = self.gazetteer;
        let end = gazetteer.row(PlaceId(self.id.0.saturating_add(1))).names;
        let range = self.row.names..end.min((gazetteer.names.len() / 4) as u32);
        range.map(move |at| {
            let (class, text) = layout::unpack_name(gazetteer.names.u32_at(at as usize));
            (class, gazetteer.strings.get(text))
        })
    }

    /// The value of a tag: `tz`, `iso2`, `iata`, …
    pub fn tag(&self, word: &str) -> Option<&'g str> {
        let pairs = self.gazetteer.strings.get(self.row.tags).split('\u{1e}');
        pairs
            .filter_map(|it| it.split_once('\u{1f}'))
            .find(|(known, _)| *known == word)
            .map(|(_, value)| value)
    }

    /// Its outline, if the gazetteer has one.
    pub fn outline(&self) -> Option<MultiPolygon<f64>> {
        (self.row.shape != u32::MAX).then(|| self.gazetteer.shapes.outline(self.row.shape))
    }

    /// True if the gazetteer has its outline.
    pub fn has_outline(&self) -> bool {
        self.row.shape != u32::MAX
    }

    /// The box of its outline, if it has one; it may cross the date line.
    pub fn bounds(&self) -> Option<Bounds> {
        if self.has_outline() { self.gazetteer.shapes.bounds(self.row.shape) } else { None }
    }

    /// Name and what it is part of, as one would write it: `Oldenburg, Lower Saxony, Germany`.
    pub fn label(&self) -> String {
        let shown = |place: &Place<'_>| {
            matches!(place.kind(), Kind::Country | Kind::Region | Kind::City) || place.id == self.id
        };
        let mut parts: Vec<&str> = Vec::new();
        for place in self.gazetteer.lineage(self.id).filter(shown) {
            if parts.last() != Some(&place.name()) {
                parts.push(place.name());
            }
        }
        parts.join(", ")
    }

    /// What a source would have to say for the gazetteer to know this place.
    pub fn fact(&self) -> PlaceFact {
        let names = self.names().map(|(class, text)| Name { text: text.to_owned(), class });
        PlaceFact {
            key: self.key().to_owned(),
            kind: self.kind(),
            name: self.name().to_owned(),
            point: Some(self.point()),
            parent: self.parent().map_or_else(String::new, |it| it.key().to_owned()),
            population: self.population(),
            seat: self.seat(),
            names: names.collect(),
            adjacent: self
                .gazetteer
                .published_neighbours(self.id)
                .map(|it| it.key().to_owned())
                .collect(),
            tags: split_tags(self.gazetteer.strings.get(self.row.tags)),
        }
    }
}
