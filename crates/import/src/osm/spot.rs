//! Where a node is, in eight bytes, and where the nodes of interest are.

use earth::Point;
use geo::Coord;

/// How many metres a unit of latitude is: 10⁻⁷ degrees on the mean great circle.
const METERS: f64 = 6_371_008.8 * std::f64::consts::PI / 180.0 / 1e7;

/// A position in units of 10⁻⁷ degrees, as exact as OpenStreetMap keeps it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Spot {
    pub(crate) lat: i32,
    pub(crate) lon: i32,
}

impl Spot {
    /// From 10⁻⁹ degrees; none if it is not on earth.
    pub(crate) fn from_nano(lat: i64, lon: i64) -> Option<Self> {
        let on_earth =
            lat.unsigned_abs() <= 90_000_000_000 && lon.unsigned_abs() <= 180_000_000_000;
        on_earth.then_some(Self { lat: (lat / 100) as i32, lon: (lon / 100) as i32 })
    }

    /// The same position in degrees.
    pub(crate) fn point(self) -> Point {
        Point::new(f64::from(self.lat) / 1e7, f64::from(self.lon) / 1e7)
    }

    /// The same position in degrees, longitude first.
    pub(crate) fn coord(self) -> Coord<f64> {
        let Point { lat, lon } = self.point();
        Coord { x: lon, y: lat }
    }

    /// How many metres another spot is away, east and north; holds over some kilometres.
    fn to(self, other: Self) -> [f64; 2] {
        let shrink = (f64::from(self.lat) / 1e7).to_radians().cos();
        let east = (f64::from(other.lon) - f64::from(self.lon)) * METERS * shrink;
        let north = (f64::from(other.lat) - f64::from(self.lat)) * METERS;
        [east, north]
    }

    /// The distance in metres; holds over some kilometres.
    pub(crate) fn distance(self, other: Self) -> f64 {
        let [east, north] = self.to(other);
        east.hypot(north)
    }

    /// The distance in metres to the line from `a` to `b`.
    pub(crate) fn distance_to_line(self, a: Self, b: Self) -> f64 {
        let ([ax, ay], [bx, by]) = (self.to(a), self.to(b));
        let (dx, dy) = (bx - ax, by - ay);
        let square = dx * dx + dy * dy;
        let along =
            if square > 0.0 { (-(ax * dx + ay * dy) / square).clamp(0.0, 1.0) } else { 0.0 };
        (ax + along * dx).hypot(ay + along * dy)
    }

    /// The spot this part of the way from here to another.
    pub(crate) fn toward(self, other: Self, part: f64) -> Self {
        let between = |a: i32, b: i32| (f64::from(a) + (f64::from(b) - f64::from(a)) * part) as i32;
        Self { lat: between(self.lat, other.lat), lon: between(self.lon, other.lon) }
    }
}

/// The mean of some spots; none of none.
pub(crate) fn mean(spots: &[Spot]) -> Option<Spot> {
    let count = i64::try_from(spots.len()).ok().filter(|&count| count > 0)?;
    let lat = spots.iter().map(|spot| i64::from(spot.lat)).sum::<i64>() / count;
    let lon = spots.iter().map(|spot| i64::from(spot.lon)).sum::<i64>() / count;
    Some(Spot { lat: lat as i32, lon: lon as i32 })
}

/// Where a node is before the file has told.
const NOWHERE: Spot = Spot { lat: i32::MIN, lon: i32::MIN };

/// Where the nodes of interest are: sixteen bytes for each.
#[derive(Debug, Default)]
pub(crate) struct Nodes {
    ids: Vec<i64>,
    /// In the order of the ids.
    spots: Vec<Spot>,
    /// At this length repeated ids are dropped.
    full: usize,
}

impl Nodes {
    /// Notes that a node is of interest.
    pub(crate) fn want(&mut self, id: i64) {
        if self.ids.len() >= self.full.max(1 << 20) {
            self.tidy();
            self.full = self.ids.len() * 2;
        }
        self.ids.push(id);
    }

    /// Ends the list of interest.
    pub(crate) fn close(&mut self) {
        self.tidy();
        self.ids.shrink_to_fit();
        self.spots = vec![NOWHERE; self.ids.len()];
    }

    fn tidy(&mut self) {
        self.ids.sort_unstable();
        self.ids.dedup();
    }

    /// Notes where a node is, if it is of interest.
    pub(crate) fn put(&mut self, id: i64, spot: Spot) {
        if let Ok(at) = self.ids.binary_search(&id) {
            self.spots[at] = spot;
        }
    }

    /// Where a node is, if it is of interest and in the file.
    pub(crate) fn get(&self, id: i64) -> Option<Spot> {
        let at = self.ids.binary_search(&id).ok()?;
        Some(self.spots[at]).filter(|&spot| spot != NOWHERE)
    }

    /// Where these nodes are, as far as it is known.
    pub(crate) fn spots(&self, ids: &[i64]) -> Vec<Spot> {
        ids.iter().filter_map(|&id| self.get(id)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nodes_nobody_asked_for_are_not_kept() {
        let mut nodes = Nodes::default();
        for id in [5, 3, 5] {
            nodes.want(id);
        }
        nodes.close();
        for id in [3, 4] {
            nodes.put(id, spot(0.0, 0.0));
        }
        assert_eq!([3, 4, 5].map(|id| nodes.get(id).is_some()), [true, false, false]);
    }

    #[test]
    fn distances_are_those_on_the_globe() {
        let (a, b) = (spot(60.17, 24.93), spot(60.18, 24.95));
        let globe = a.point().distance(b.point()).0;
        assert!((a.distance(b) - globe).abs() < globe * 1e-3);
    }

    #[test]
    fn the_distance_to_a_line_is_that_to_its_nearest_point() {
        let (west, east) = (spot(0.0, 0.0), spot(0.0, 0.02));
        assert!((spot(0.001, 0.01).distance_to_line(west, east) - 111.2).abs() < 0.1);
        assert!((spot(0.0, 0.021).distance_to_line(west, east) - 111.2).abs() < 0.1);
        assert!((spot(0.001, 0.0).distance_to_line(west, west) - 111.2).abs() < 0.1);
    }

    #[test]
    fn a_spot_off_the_earth_is_none() {
        assert_eq!(Spot::from_nano(91_000_000_000, 0), None);
        assert_eq!(Spot::from_nano(i64::MIN, 0), None);
    }

    fn spot(lat: f64, lon: f64) -> Spot {
        Spot { lat: (lat * 1e7) as i32, lon: (lon * 1e7) as i32 }
    }
}
