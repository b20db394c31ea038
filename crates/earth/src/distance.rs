//! Lengths along the surface of the earth.

use std::fmt;

use crate::point::Point;

/// The mean radius of the earth (IUGG), on which all great-circle distances here are computed.
const EARTH_RADIUS: f64 = 6_371_008.8;

/// A length in metres.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd, Default)]
pub struct Meters(pub f64);

impl Meters {
    /// The great-circle distance between two points.
    pub fn haversine(a: Point, b: Point) -> Self {
        let (lat_a, lat_b) = (a.lat.to_radians(), b.lat.to_radians());
        let half_lat = ((lat_b - lat_a) / 2.0).sin();
        let half_lon = ((b.lon - a.lon).to_radians() / 2.0).sin();
        let chord = half_lat * half_lat + lat_a.cos() * lat_b.cos() * half_lon * half_lon;
        Self(2.0 * EARTH_RADIUS * chord.sqrt().min(1.0).asin())
    }

    /// This length in kilometres.
    pub fn km(self) -> f64 {
        self.0 / 1000.0
    }
}

/// As people say it: `850 m`, `1.2 km`, `177 km`.
impl fmt::Display for Meters {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            m if m < 995.0 => write!(f, "{m:.0} m"),
            m if m < 9950.0 => write!(f, "{:.1} km", m / 1000.0),
            m => write!(f, "{:.0} km", m / 1000.0),
        }
    }
}
