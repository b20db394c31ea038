//! A point as a direction from the middle of the earth, for many distances that need not be exact.

use earth::Point;

/// The radius of the earth in kilometres.
const RADIUS: f32 = 6371.0;
/// At this distance two places are half as near as if they were one: a county away.
const NEAR_KM: f32 = 50.0;

/// A point as a direction from the middle of the earth.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Spherical([f32; 3]);

impl Spherical {
    pub(crate) fn of(point: Point) -> Self {
        let (lat, lon) = (point.lat.to_radians() as f32, point.lon.to_radians() as f32);
        Self([lat.cos() * lon.cos(), lat.cos() * lon.sin(), lat.sin()])
    }

    /// How near another point is: 1 if they are one, a half at fifty kilometres, next to nothing far away.
    pub(crate) fn nearness(self, other: Self) -> f32 {
        1.0 / (1.0 + self.chord_km2(other) / (NEAR_KM * NEAR_KM))
    }

    /// The distance straight through the earth, in kilometres, squared.
    pub(crate) fn chord_km2(self, other: Self) -> f32 {
        let step = |at: usize| self.0[at] - other.0[at];
        RADIUS * RADIUS * (step(0) * step(0) + step(1) * step(1) + step(2) * step(2))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_chord_is_the_distance_where_it_is_short() {
        let (one, other) = (Point::new(53.14118, 8.21467), Point::new(53.07582, 8.80717));
        let chord = Spherical::of(one).chord_km2(Spherical::of(other)).sqrt();
        assert!((f64::from(chord) - one.distance(other).km()).abs() < 0.1);
    }

    #[test]
    fn what_is_far_is_not_near() {
        let (one, other) =
            (Spherical::of(Point::new(0.0, 179.9)), Spherical::of(Point::new(0.0, -179.9)));
        assert!(one.nearness(other) > 0.8);
        assert!(one.nearness(Spherical::of(Point::new(0.0, 0.0))) < 0.001);
    }
}
