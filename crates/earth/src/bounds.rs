//! A box between two parallels and two meridians.

use crate::distance::{EARTH_RADIUS, Meters};
use crate::point::{Point, wrap_longitude};

/// A box on the globe, edges included.
///
/// If it crosses the date line, its west is greater than its east.
/// A box that reaches a pole contains it, whatever longitude the pole is written with.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bounds {
    /// The southern edge, a latitude.
    pub south: f64,
    /// The western edge, a longitude from −180 to 180.
    pub west: f64,
    /// The northern edge, a latitude.
    pub north: f64,
    /// The eastern edge, a longitude from −180 to 180.
    pub east: f64,
}

/// Degrees by which [`Bounds::widen`] goes further than asked: a tenth of a millimetre,
/// so that rounding never leaves out a point that haversine finds within the distance.
const ROUNDING: f64 = 1e-9;

impl Bounds {
    /// The whole globe.
    pub const WORLD: Self = Self::new(-90.0, -180.0, 90.0, 180.0);

    /// The box between these edges.
    pub const fn new(south: f64, west: f64, north: f64, east: f64) -> Self {
        Self { south, west, north, east }
    }

    /// The smallest box around all points; none around no points.
    ///
    /// It crosses the date line if that makes it narrower.
    pub fn of(points: impl IntoIterator<Item = Point>) -> Option<Self> {
        let (lats, mut lons): (Vec<f64>, Vec<f64>) =
            points.into_iter().map(|point| (point.lat, wrap_longitude(point.lon))).unzip();
        lons.sort_by(f64::total_cmp);
        let (west, east) = narrowest_span(&lons)?;
        let south = lats.iter().copied().fold(90.0, f64::min);
        let north = lats.iter().copied().fold(-90.0, f64::max);
        Some(Self::new(south, west, north, east))
    }

    /// The smallest box around all points within this distance of the point.
    ///
    /// Where the circle holds a pole, the box goes all the way around.
    pub fn around(point: Point, distance: Meters) -> Self {
        let lon = wrap_longitude(point.lon);
        Self::new(point.lat, lon, point.lat, lon).widen(distance)
    }

    /// Whether the point lies in the box or on its edge.
    pub fn contains(self, point: Point) -> bool {
        let between_parallels = self.south <= point.lat && point.lat <= self.north;
        between_parallels && (point.lat.abs() >= 90.0 || self.spans(point.lon))
    }

    /// Whether the boxes have a point in common.
    pub fn intersects(self, other: Self) -> bool {
        let (south, north) = (self.south.max(other.south), self.north.min(other.north));
        let at_a_pole = south <= -90.0 || north >= 90.0;
        south <= north && (at_a_pole || self.spans(other.west) || other.spans(self.west))
    }

    /// The smallest box around both.
    #[must_use]
    pub fn union(self, other: Self) -> Self {
        let (south, north) = (self.south.min(other.south), self.north.max(other.north));
        // Whatever the smallest span is, it begins where one box begins and ends where one ends.
        let ends = [(self, self), (other, other), (self, other), (other, self)];
        ends.into_iter()
            .map(|(first, last)| Self::new(south, first.west, north, last.east))
            .filter(|both| both.spans_all_of(self) && both.spans_all_of(other))
            .min_by(|a, b| a.width().total_cmp(&b.width()))
            .unwrap_or(Self { south, north, ..Self::WORLD })
    }

    /// The point halfway between the edges.
    pub fn center(self) -> Point {
        let lon = wrap_longitude(self.west + self.width() / 2.0);
        Point::new(f64::midpoint(self.south, self.north), lon)
    }

    /// The smallest box around all points within this distance of the box.
    #[must_use]
    pub fn widen(self, distance: Meters) -> Self {
        let angle = distance.0.max(0.0) / EARTH_RADIUS + ROUNDING.to_radians();
        let (south, north) = (self.south - angle.to_degrees(), self.north + angle.to_degrees());
        let all_around = Self { south: south.max(-90.0), north: north.min(90.0), ..Self::WORLD };
        if south <= -90.0 || north >= 90.0 {
            return all_around;
        }

        // Meridians draw together towards the poles: the edge nearest to one decides. A circle
        // touches its outermost meridian at a right angle, not at its centre's latitude.
        let nearest_to_a_pole = self.south.abs().max(self.north.abs()).to_radians();
        let sideways = (angle.sin() / nearest_to_a_pole.cos()).min(1.0).asin().to_degrees();
        if self.width() + 2.0 * sideways >= 360.0 {
            return all_around;
        }
        let (west, east) = (self.west - sideways, self.east + sideways);
        Self::new(south, wrap_longitude(west), north, wrap_longitude(east))
    }

    /// Degrees of longitude from west to east.
    fn width(self) -> f64 {
        let width = self.east - self.west;
        if width < 0.0 { width + 360.0 } else { width }
    }

    /// Whether the meridian runs through the box.
    fn spans(self, lon: f64) -> bool {
        let lon = wrap_longitude(lon);
        // The date line has two names, and either edge may use either.
        self.spans_as_written(lon) || (lon <= -180.0 && self.spans_as_written(180.0))
    }

    fn spans_as_written(self, lon: f64) -> bool {
        if self.west <= self.east {
            self.west <= lon && lon <= self.east
        } else {
            self.west <= lon || lon <= self.east
        }
    }

    /// Whether every meridian through the other box runs through this one too.
    fn spans_all_of(self, other: Self) -> bool {
        if self.width() >= 360.0 {
            return true;
        }
        let room = Self { west: other.west, ..self }.width() % 360.0;
        self.spans(other.west) && other.width() <= room
    }
}

/// The shortest way from west to east past all of these sorted longitudes.
fn narrowest_span(lons: &[f64]) -> Option<(f64, f64)> {
    let (&first, &last) = (lons.first()?, lons.last()?);
    let mut widest_gap = first + 360.0 - last;
    let mut span = (first, last);
    for pair in lons.windows(2) {
        let gap = pair[1] - pair[0];
        if gap > widest_gap {
            widest_gap = gap;
            span = (pair[1], pair[0]);
        }
    }
    // A box that only reaches the date line does not cross it.
    let (west, east) = span;
    Some(if west > east && east <= -180.0 { (west, 180.0) } else { span })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::bearing::Bearing;

    const FIJI: Bounds = Bounds::new(-20.0, 177.0, -16.0, -178.0);

    #[test]
    fn a_box_contains_what_is_between_its_edges() {
        let finland = Bounds::new(59.8, 20.5, 70.1, 31.6);
        check(finland, (60.17, 24.94), true);
        check(finland, (59.8, 20.5), true);
        check(finland, (59.33, 18.06), false);
    }

    #[test]
    fn a_box_may_cross_the_date_line() {
        check(FIJI, (-18.0, 178.0), true);
        check(FIJI, (-18.0, -179.0), true);
        check(FIJI, (-18.0, 180.0), true);
        check(FIJI, (-18.0, -180.0), true);
        check(FIJI, (-18.0, 0.0), false);
    }

    #[test]
    fn the_date_line_has_two_names() {
        check(Bounds::new(0.0, 170.0, 1.0, 180.0), (0.5, -180.0), true);
        check(Bounds::new(0.0, -180.0, 1.0, -170.0), (0.5, 180.0), true);
        let (left, right) =
            (Bounds::new(0.0, 170.0, 1.0, 180.0), Bounds::new(0.0, -180.0, 1.0, -9.0));
        assert!(left.intersects(right) && right.intersects(left));
        assert_eq!(left.union(right), Bounds::new(0.0, 170.0, 1.0, -9.0));
    }

    #[test]
    fn the_pole_has_every_longitude() {
        let (europe, america) =
            (Bounds::new(60.0, 0.0, 90.0, 40.0), Bounds::new(60.0, -120.0, 90.0, -60.0));
        check(europe, (90.0, -100.0), true);
        assert!(europe.intersects(america));
    }

    #[test]
    fn no_points_have_no_box() {
        assert_eq!(Bounds::of([]), None);
    }

    #[test]
    fn the_box_around_points_takes_the_short_way() {
        let points = [(-18.0, 178.0), (-14.0, -172.0), (-17.0, 179.5)];
        check_of(&points, Bounds::new(-18.0, 178.0, -14.0, -172.0));
        check_of(&[(1.0, 170.0), (2.0, 180.0)], Bounds::new(1.0, 170.0, 2.0, 180.0));
        check_of(&[(60.0, 20.0), (50.0, -8.0)], Bounds::new(50.0, -8.0, 60.0, 20.0));
    }

    #[test]
    fn around_a_place_near_the_pole_goes_all_the_way_around() {
        let around = Bounds::around(Point::new(89.5, 20.0), Meters(100_000.0));
        check(around, (89.9, -160.0), true);
        check(around, (90.0, 0.0), true);
        check(around, (88.0, 20.0), false);
        assert_eq!((around.west, around.east), (-180.0, 180.0));
    }

    #[test]
    fn half_the_globe_around_anywhere_is_the_world() {
        assert_eq!(Bounds::around(Point::new(10.0, 20.0), Meters(20_100_000.0)), Bounds::WORLD);
    }

    #[test]
    fn the_center_of_fiji_is_in_fiji() {
        assert_eq!(FIJI.center(), Point::new(-18.0, 179.5));
        assert_eq!(Bounds::WORLD.center(), Point::new(0.0, 0.0));
    }

    #[test]
    fn two_boxes_that_close_the_ring_make_the_whole_ring() {
        let union = Bounds::new(0.0, -100.0, 1.0, 100.0).union(Bounds::new(0.0, 90.0, 1.0, -90.0));
        assert_eq!((union.west, union.east), (-180.0, 180.0));
    }

    proptest! {
        #[test]
        fn around_contains_every_point_within_the_distance(
            center in points(), course in 0.0..360.0, share in 0.0..=1.0, km in distances(),
        ) {
            let distance = Meters(km * 1000.0);
            let point = center.destination(Bearing::new(course), Meters(distance.0 * share));
            let around = Bounds::around(center, distance);
            prop_assert!(center.distance(point) > distance || around.contains(point));
        }

        #[test]
        fn around_is_no_larger_than_the_circle(
            lat in -70.0..70.0, lon in -180.0..180.0, km in 1.0..2000.0,
        ) {
            let center = Point::new(lat, lon);
            let rim = (0..3600).map(|tenth| {
                center.destination(Bearing::new(f64::from(tenth) / 10.0), Meters(km * 1000.0))
            });
            let around = Bounds::around(center, Meters(km * 1000.0));
            let of = Bounds::of(rim).unwrap();
            prop_assert!((around.south - of.south).abs() < 0.001);
            prop_assert!((around.north - of.north).abs() < 0.001);
            prop_assert!((around.width() - of.width()).abs() < 0.001);
        }

        #[test]
        fn a_box_contains_the_points_it_was_made_of(
            points in prop::collection::vec(points(), 1..6),
        ) {
            let bounds = Bounds::of(points.iter().copied()).unwrap();
            prop_assert!(points.into_iter().all(|point| bounds.contains(point)));
        }

        #[test]
        fn no_span_that_begins_and_ends_at_points_is_narrower(
            points in prop::collection::vec(points(), 1..6),
        ) {
            let found = Bounds::of(points.iter().copied()).unwrap();
            for (first, last) in points.iter().flat_map(|a| points.iter().map(move |b| (a, b))) {
                let other = Bounds::new(-90.0, first.lon, 90.0, last.lon);
                if points.iter().all(|point| other.spans(point.lon)) {
                    prop_assert!(found.width() <= other.width() + 1e-9);
                }
            }
        }

        #[test]
        fn boxes_intersect_if_a_point_of_the_grid_is_in_both(a in grid_boxes(), b in grid_boxes()) {
            let together = grid().any(|point| a.contains(point) && b.contains(point));
            prop_assert_eq!(a.intersects(b), together);
        }

        #[test]
        fn a_union_contains_what_either_contains(a in grid_boxes(), b in grid_boxes()) {
            let union = a.union(b);
            for point in grid().filter(|&point| a.contains(point) || b.contains(point)) {
                prop_assert!(union.contains(point), "{point} is not in {union:?}");
            }
        }

        #[test]
        fn no_box_of_the_grid_around_both_is_narrower_than_the_union(
            a in grid_boxes(), b in grid_boxes(),
        ) {
            let union = a.union(b);
            for (west, east) in grid_lons().flat_map(|w| grid_lons().map(move |e| (w, e))) {
                let ring = Bounds::new(-90.0, west, 90.0, east);
                let covers = |inner: Bounds| {
                    half_grid_lons().all(|lon| !inner.spans(lon) || ring.spans(lon))
                };
                if covers(a) && covers(b) {
                    prop_assert!(union.width() <= ring.width(), "{union:?} {ring:?}");
                }
            }
        }

        #[test]
        fn a_widened_box_contains_what_is_near_the_box(
            a in grid_boxes(), near in points(), km in distances(),
        ) {
            let distance = Meters(km * 1000.0);
            let widened = a.widen(distance);
            for point in grid().filter(|&point| a.contains(point)) {
                prop_assert!(widened.contains(point));
                prop_assert!(near.distance(point) > distance || widened.contains(near));
            }
        }

        #[test]
        fn a_box_contains_its_center(a in grid_boxes()) {
            prop_assert!(a.contains(a.center()));
        }
    }

    #[track_caller]
    fn check(bounds: Bounds, (lat, lon): (f64, f64), contains: bool) {
        assert_eq!(bounds.contains(Point::new(lat, lon)), contains);
    }

    #[track_caller]
    fn check_of(points: &[(f64, f64)], expected: Bounds) {
        let points = points.iter().map(|&(lat, lon)| Point::new(lat, lon));
        assert_eq!(Bounds::of(points), Some(expected));
    }

    /// Everywhere, but often at a pole or on the date line.
    fn points() -> impl Strategy<Value = Point> {
        let lat = prop_oneof![-90.0..90.0_f64, 89.0..90.0_f64, Just(90.0), Just(-90.0)];
        let lon = prop_oneof![-180.0..180.0_f64, 179.0..180.0_f64, Just(180.0), Just(-180.0)];
        (lat, lon).prop_map(|(lat, lon)| Point::new(lat, lon))
    }

    fn distances() -> impl Strategy<Value = f64> {
        prop_oneof![0.0..1.0, 1.0..1000.0, 1000.0..20_100.0]
    }

    /// Boxes with their edges on the lines of the grid: trying its points settles everything.
    fn grid_boxes() -> impl Strategy<Value = Bounds> {
        (-3..=3, -3..=3, -6..=6, -6..=6).prop_map(|(a, b, west, east): (i32, i32, i32, i32)| {
            let lat = |n: i32| f64::from(n) * 30.0;
            Bounds::new(lat(a.min(b)), lat(west), lat(a.max(b)), lat(east))
        })
    }

    fn grid() -> impl Iterator<Item = Point> {
        (-3..=3).flat_map(|lat| grid_lons().map(move |lon| Point::new(f64::from(lat) * 30.0, lon)))
    }

    fn grid_lons() -> impl Iterator<Item = f64> {
        (-6..=6).map(|n| f64::from(n) * 30.0)
    }

    /// The lines of the grid and the lines between them: a span is known by both.
    fn half_grid_lons() -> impl Iterator<Item = f64> {
        (-12..=12).map(|n| f64::from(n) * 15.0)
    }
}
