//! A position on the globe.

use crate::distance::Meters;

/// A position in degrees: latitude −90 to 90, longitude −180 to 180 (WGS 84).
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub struct Point {
    /// Degrees north of the equator.
    pub lat: f64,
    /// Degrees east of Greenwich.
    pub lon: f64,
}

impl Point {
    /// The point at this latitude and longitude.
    pub const fn new(lat: f64, lon: f64) -> Self {
        Self { lat, lon }
    }

    /// The great-circle distance (haversine).
    pub fn distance(self, other: Self) -> Meters {
        Meters::haversine(self, other)
    }
}
