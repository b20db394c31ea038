//! A position on the globe.

use std::fmt;

use crate::bearing::Bearing;
use crate::distance::{EARTH_RADIUS, Meters};

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

    /// The point at this latitude and longitude, if the globe has it.
    ///
    /// Longitudes may count from −180 or, as some data sets do, from 0 to 360;
    /// the point's own longitude is at least −180 and less than 180.
    pub fn checked(lat: f64, lon: f64) -> Option<Self> {
        let on_the_globe = (-90.0..=90.0).contains(&lat) && (-180.0..=360.0).contains(&lon);
        on_the_globe.then(|| Self::new(lat, wrap_longitude(lon)))
    }

    /// The great-circle distance (haversine).
    pub fn distance(self, other: Self) -> Meters {
        Meters::haversine(self, other)
    }

    /// The direction in which the great circle to the other point sets out.
    ///
    /// From a point to itself it is north.
    pub fn bearing(self, to: Self) -> Bearing {
        let (from_lat, to_lat) = (self.lat.to_radians(), to.lat.to_radians());
        let turn = (to.lon - self.lon).to_radians();
        let east = turn.sin() * to_lat.cos();
        let north = from_lat.cos() * to_lat.sin() - from_lat.sin() * to_lat.cos() * turn.cos();
        Bearing::new(east.atan2(north).to_degrees())
    }

    /// Where one arrives after this distance on the great circle that sets out in this direction.
    #[must_use]
    pub fn destination(self, bearing: Bearing, distance: Meters) -> Self {
        let lat = self.lat.to_radians();
        let course = bearing.degrees().to_radians();
        let angle = distance.0 / EARTH_RADIUS;

        let height = lat.sin() * angle.cos() + lat.cos() * angle.sin() * course.cos();
        let east = course.sin() * angle.sin() * lat.cos();
        let north = angle.cos() - lat.sin() * height;
        let lon = self.lon + east.atan2(north).to_degrees();
        Self::new(height.clamp(-1.0, 1.0).asin().to_degrees(), wrap_longitude(lon))
    }
}

/// The same meridian, counted from −180 up to but not including 180.
pub(crate) fn wrap_longitude(lon: f64) -> f64 {
    // Leaves what is in range as it is: the detour below costs the last digits.
    if (-180.0..180.0).contains(&lon) {
        return lon;
    }
    let wrapped = (lon + 180.0).rem_euclid(360.0) - 180.0;
    if wrapped >= 180.0 { -180.0 } else { wrapped }
}

/// As one would type it, to about a metre: `60.17, 24.94`.
impl fmt::Display for Point {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}, {}", five_decimals(self.lat), five_decimals(self.lon))
    }
}

fn five_decimals(degrees: f64) -> String {
    let text = format!("{degrees:.5}");
    match text.trim_end_matches('0').trim_end_matches('.') {
        "-0" => "0".to_owned(),
        trimmed => trimmed.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const OLDENBURG: Point = Point::new(53.14118, 8.21467);
    const BREMEN: Point = Point::new(53.07582, 8.80717);

    #[test]
    fn a_point_reads_as_one_would_type_it() {
        check(60.17, 24.94, "60.17, 24.94");
        check(53.0, -8.0, "53, -8");
        check(100.0 / 3.0, -0.5, "33.33333, -0.5");
        check(-0.000_001, 0.000_001, "0, 0");
    }

    #[test]
    fn longitudes_from_0_to_360_are_folded() {
        assert_eq!(Point::checked(10.0, 350.0), Some(Point::new(10.0, -10.0)));
        assert_eq!(Point::checked(10.0, 180.0), Some(Point::new(10.0, -180.0)));
        assert_eq!(Point::checked(90.0, 24.94), Some(Point::new(90.0, 24.94)));
    }

    #[test]
    fn what_is_not_on_the_globe_is_no_point() {
        let off_the_globe = [(90.1, 0.0), (-90.1, 0.0), (0.0, 360.1), (0.0, -180.1)];
        let not_finite = [(f64::NAN, 0.0), (0.0, f64::NAN), (f64::INFINITY, 0.0)];
        for (lat, lon) in off_the_globe.into_iter().chain(not_finite) {
            assert_eq!(Point::checked(lat, lon), None, "{lat} {lon}");
        }
    }

    #[test]
    fn bremen_lies_to_the_east_of_oldenburg() {
        let bearing = OLDENBURG.bearing(BREMEN).degrees();
        assert!((bearing - 100.15).abs() < 0.1, "{bearing}");
    }

    #[test]
    fn the_way_across_the_date_line_is_the_short_one() {
        let (fiji, samoa) = (Point::new(-18.0, 178.0), Point::new(-14.0, -172.0));
        assert!(fiji.bearing(samoa).degrees() < 90.0);
        assert!(fiji.distance(samoa).km() < 1200.0);
    }

    #[test]
    fn a_quarter_of_the_equator_north_is_the_pole() {
        let quarter = Meters(EARTH_RADIUS * std::f64::consts::FRAC_PI_2);
        let pole = Point::default().destination(Bearing::new(0.0), quarter);
        assert!((pole.lat - 90.0).abs() < 1e-6);
    }

    proptest! {
        #[test]
        fn going_there_by_bearing_and_distance_arrives(
            a in points(), b in points(),
        ) {
            // Close to the antipode every direction is the shortest: the bearing is ill-defined.
            prop_assume!(a.distance(b).km() < 19_900.0);
            let arrived = a.destination(a.bearing(b), a.distance(b));
            prop_assert!(arrived.distance(b).0 < 1.0, "{arrived} is not {b}");
        }

        #[test]
        fn a_wrapped_longitude_is_the_same_meridian(lon in -2000.0..2000.0_f64) {
            let wrapped = wrap_longitude(lon);
            prop_assert!((-180.0..180.0).contains(&wrapped));
            let turns = (lon - wrapped) / 360.0;
            prop_assert!((turns - turns.round()).abs() < 1e-9);
        }
    }

    #[track_caller]
    fn check(lat: f64, lon: f64, expected: &str) {
        assert_eq!(Point::new(lat, lon).to_string(), expected);
    }

    fn points() -> impl Strategy<Value = Point> {
        (-89.9..89.9_f64, -180.0..180.0_f64).prop_map(|(lat, lon)| Point::new(lat, lon))
    }
}
