//! A spot: one place of a document, where it is, and what part of the document is about it.

use earth::Point;
use gazetteer::{Kind, Place, PlaceId};
use serde::{Deserialize, Serialize};

/// Fixed-point degrees: 1e-7 of a degree is a centimetre.
const UNIT: f64 = 1e7;
/// A place wider than this is an area: a page about Finland is not a page from the middle of Finland.
const WIDEST_POINT_KM: f64 = 25.0;
/// Stands for no place.
pub(crate) const NO_PLACE: u32 = u32::MAX;

/// One place of a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Spot {
    /// Latitude in 1e-7 degrees.
    pub lat: i32,
    /// Longitude in 1e-7 degrees.
    pub lon: i32,
    /// The place it is, or is in; nothing for a point in the middle of nowhere.
    pub place: Option<u32>,
    /// The part of the document that is about it, in 255ths; at least 1.
    pub part: u8,
    /// How sure it is that it is meant, in 255ths; kept to seven bits.
    pub sure: u8,
    /// True for a region or a country: it is found by name and by overlap, not by distance.
    pub is_area: bool,
}

impl Spot {
    /// A spot at a point.
    pub fn new(point: Point, place: Option<PlaceId>, part: f64, sure: f64) -> Self {
        Self {
            lat: fixed(point.lat),
            lon: fixed(point.lon),
            place: place.map(|it| it.0),
            part: ((part * 255.0).round() as u8).max(1),
            sure: seven_bits((sure * 127.0).round() as u8),
            is_area: false,
        }
    }

    /// The spot of a whole place.
    pub fn of_place(place: &Place<'_>, part: f64, sure: f64) -> Self {
        Self { is_area: is_area(place), ..Self::new(place.point(), Some(place.id()), part, sure) }
    }

    /// Where it is.
    pub fn point(&self) -> Point {
        point(self.lat, self.lon)
    }
}

/// 127ths as 255ths: what is written and read again is the same.
fn seven_bits(value: u8) -> u8 {
    let value = value.min(127);
    value << 1 | value >> 6
}

/// Degrees in fixed point.
pub fn fixed(degrees: f64) -> i32 {
    (degrees * UNIT).round() as i32
}

/// The point at these fixed-point degrees.
pub fn point(lat: i32, lon: i32) -> Point {
    Point::new(f64::from(lat) / UNIT, f64::from(lon) / UNIT)
}

/// True if a place is too wide to be a point on a map of a town.
fn is_area(place: &Place<'_>) -> bool {
    match (place.kind(), place.bounds()) {
        (Kind::World | Kind::Continent | Kind::Country, None) => true,
        (_, Some(bounds)) => {
            let south_west = Point::new(bounds.south, bounds.west);
            let north_east = Point::new(bounds.north, bounds.east);
            place.kind() != Kind::City
                && south_west.distance(north_east).km() > 2.0 * WIDEST_POINT_KM
        }
        (kind, None) => kind == Kind::Region,
    }
}

/// About how far a city of so many people reaches from its middle, in metres: a village of a thousand 1.2 km, a city of
/// half a million 8 km, one of ten million 19 km.
pub fn city_radius(people: u64) -> f64 {
    150.0 * (people.max(300) as f64).powf(0.3)
}

/// Bits of latitude and longitude taken in turn: numbers that are near mean points that are near (Morton's curve).
pub(crate) fn curve(lat: i32, lon: i32) -> u64 {
    fn spread(value: u32) -> u64 {
        let mut x = u64::from(value);
        x = (x | (x << 16)) & 0x0000_ffff_0000_ffff;
        x = (x | (x << 8)) & 0x00ff_00ff_00ff_00ff;
        x = (x | (x << 4)) & 0x0f0f_0f0f_0f0f_0f0f;
        x = (x | (x << 2)) & 0x3333_3333_3333_3333;
        (x | (x << 1)) & 0x5555_5555_5555_5555
    }
    let turned = |value: i32| (value as u32) ^ 0x8000_0000;
    spread(turned(lat)) << 1 | spread(turned(lon))
}
