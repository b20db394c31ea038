//! Distances from one point to many, without trigonometry where both are near.

use earth::{Meters, Point};

/// The mean radius of the earth in metres, as `earth` has it.
const EARTH_RADIUS: f64 = 6_371_008.8;
/// Fixed-point degrees to radians.
const UNIT: f64 = std::f64::consts::PI / 180.0 / 1e7;
/// Up to so many radians the series below are right to the last digits that matter: a millimetre.
const NEAR: f64 = 0.35;

/// A point that distances are measured from.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Center {
    point: Point,
    lat: f64,
    lon: f64,
    cos: f64,
    sin: f64,
}

impl Center {
    pub(crate) fn at(point: Point) -> Self {
        let (lat, lon) = (point.lat.to_radians(), point.lon.to_radians());
        Self { point, lat, lon, cos: lat.cos(), sin: lat.sin() }
    }

    pub(crate) fn point(&self) -> Point {
        self.point
    }

    /// The haversine of the angle to a point in fixed-point degrees: grows with the distance, and is quicker.
    #[inline]
    pub(crate) fn haversine(&self, lat: i32, lon: i32) -> f64 {
        let up = f64::from(lat) * UNIT - self.lat;
        let mut turn = f64::from(lon) * UNIT - self.lon;
        if turn > std::f64::consts::PI {
            turn -= std::f64::consts::TAU;
        } else if turn < -std::f64::consts::PI {
            turn += std::f64::consts::TAU;
        }
        if up.abs() < NEAR && turn.abs() < NEAR {
            // The cosine of the other latitude, from its difference to this one.
            let cos = self.cos * (1.0 - 2.0 * half_sine_squared(up)) - self.sin * sine(up);
            half_sine_squared(up) + self.cos * cos * half_sine_squared(turn)
        } else {
            let (rise, swing) = ((up / 2.0).sin(), (turn / 2.0).sin());
            rise * rise + self.cos * (f64::from(lat) * UNIT).cos() * swing * swing
        }
    }

    /// The distance to a point in fixed-point degrees.
    #[inline]
    pub(crate) fn distance(&self, lat: i32, lon: i32) -> f64 {
        meters(self.haversine(lat, lon))
    }
}

/// The distance of a haversine.
#[inline]
pub(crate) fn meters(haversine: f64) -> f64 {
    2.0 * EARTH_RADIUS * haversine.clamp(0.0, 1.0).sqrt().asin()
}

/// The haversine of a distance; that of half the globe for all that is farther.
pub(crate) fn haversine(distance: Meters) -> f64 {
    let half = (distance.0 / EARTH_RADIUS / 2.0).clamp(0.0, std::f64::consts::FRAC_PI_2);
    half.sin().powi(2)
}

/// The square of the sine of half an angle, by its series.
#[inline]
fn half_sine_squared(x: f64) -> f64 {
    let square = x * x;
    square / 4.0
        * (1.0
            - square / 12.0 * (1.0 - square / 30.0 * (1.0 - square / 56.0 * (1.0 - square / 90.0))))
}

/// The sine of an angle, by its series.
#[inline]
fn sine(x: f64) -> f64 {
    let square = x * x;
    x * (1.0 - square / 6.0 * (1.0 - square / 20.0 * (1.0 - square / 42.0 * (1.0 - square / 72.0))))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn it_measures_what_earth_measures(
            lat in -900_000_000..=900_000_000i32, lon in -1_800_000_000..=1_800_000_000i32,
            up in -300_000_000..300_000_000i32, turn in -300_000_000..300_000_000i32,
        ) {
            let there = ((lat + up).clamp(-900_000_000, 900_000_000), (lon / 2 + turn));
            let center = Center::at(index::point(lat, lon / 2));
            let expected = center.point().distance(index::point(there.0, there.1)).0;
            let found = center.distance(there.0, there.1);
            prop_assert!((found - expected).abs() <= 0.01 + expected * 1e-9, "{found} {expected}");
        }
    }
}
