//! A place as programs get it.

use earth::{Bounds, Point};
use gazetteer::{Gazetteer, Kind, Place};
use serde::Serialize;
use serde_json::{Value, json};
use utoipa::ToSchema;

/// A place in a few facts.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = Place)]
pub(crate) struct PlaceCard {
    /// The id that stays the same when the gazetteer is built anew.
    #[schema(example = "gn:658225")]
    pub(crate) id: String,
    #[schema(example = "Helsinki")]
    pub(crate) name: String,
    /// The name with what it is part of.
    #[schema(example = "Helsinki, Uusimaa, Finland")]
    pub(crate) label: String,
    /// What sort of place it is: country, region, county, city, street, …
    #[schema(example = "city")]
    pub(crate) kind: &'static str,
    /// Longitude and latitude.
    pub(crate) point: [f64; 2],
    /// West, south, east and north of its outline, if it has one; across the date line the west is greater than the
    /// east.
    pub(crate) bounds: Option<[f64; 4]>,
    /// How many people live there; 0 if nobody counted.
    pub(crate) population: u64,
}

/// What a place is part of.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct Holder {
    pub(crate) id: String,
    pub(crate) name: String,
    pub(crate) kind: &'static str,
}

impl PlaceCard {
    pub(crate) fn of(place: &Place<'_>) -> Self {
        Self {
            id: place.key().to_owned(),
            name: place.name().to_owned(),
            label: place.label(),
            kind: place.kind().name(),
            point: pair(place.point()),
            bounds: place.bounds().map(edges),
            population: place.population(),
        }
    }
}

/// What a place is part of, the narrowest first, without the world.
pub(crate) fn holders(gazetteer: &Gazetteer, place: &Place<'_>) -> Vec<Holder> {
    let wider = gazetteer.ancestors(place.id()).filter(|it| it.kind() != Kind::World);
    let holder = |it: Place<'_>| Holder {
        id: it.key().to_owned(),
        name: it.name().to_owned(),
        kind: it.kind().name(),
    };
    wider.map(holder).collect()
}

/// A point as `GeoJSON` has it: longitude first.
pub(crate) fn pair(point: Point) -> [f64; 2] {
    [point.lon, point.lat]
}

/// A box as `GeoJSON` has it: west, south, east, north.
pub(crate) fn edges(bounds: Bounds) -> [f64; 4] {
    [bounds.west, bounds.south, bounds.east, bounds.north]
}

/// A point as a geometry.
pub(crate) fn point_geometry(point: Point) -> Value {
    json!({ "type": "Point", "coordinates": pair(point) })
}

/// The outline of a place as a geometry, or its point if it has none.
///
/// Outer lines run counterclockwise and inner ones clockwise, as RFC 7946 wants them.
pub(crate) fn outline_geometry(place: &Place<'_>) -> Value {
    use geo::orient::{Direction, Orient};
    let Some(outline) = place.outline() else { return point_geometry(place.point()) };
    let outline = outline.orient(Direction::Default);
    let ring = |it: &geo::LineString<f64>| it.0.iter().map(|at| [at.x, at.y]).collect::<Vec<_>>();
    let polygon = |it: &geo::Polygon<f64>| {
        std::iter::once(it.exterior()).chain(it.interiors()).map(ring).collect::<Vec<_>>()
    };
    json!({ "type": "MultiPolygon", "coordinates": outline.0.iter().map(polygon).collect::<Vec<_>>() })
}
