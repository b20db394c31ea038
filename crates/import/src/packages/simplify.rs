//! Borders with fewer vertices, both sides alike.

use std::collections::{BTreeMap, BTreeSet};

use super::topology::{Spot, Topology};

/// How far, in steps of a hundred-thousandth of a degree, a border may move: about 800 metres.
///
/// Natural Earth at 1:10 million is not much more exact. Of 864,000 vertices 321,000 stay, and one
/// city in 250 changes sides; at 400 it would be 420,000 and one in 480.
const COARSE: f64 = 700.0;

/// A feature's borders move by at most its width divided by this: a town keeps its shape.
const FINE_FEATURE: f64 = 40.0;

/// An island's coast moves by at most its width divided by this.
const FINE_ISLAND: f64 = 8.0;

/// Rings with fewer distinct vertices show nothing.
const LEAST_VERTICES: usize = 4;

/// Below this a tolerance removes nothing but vertices on straight lines.
const FINEST: f64 = 1.0;

/// Simplifies every arc once; `exact` features keep every vertex.
///
/// Arcs that would cross or fall onto each other, and rings that would collapse, are done again
/// more finely until all is well.
pub(super) fn simplify(exact: &BTreeSet<usize>, topology: &mut Topology) {
    let full: Vec<Vec<Spot>> = topology.arcs.iter().map(|arc| arc.spots.clone()).collect();
    let mut tolerances = tolerances(exact, topology);
    let mut stale: BTreeSet<usize> = (0..full.len()).collect();
    while !stale.is_empty() {
        for &number in &stale {
            let spots = thin(tolerances[number], &full[number]);
            topology.arcs[number].spots = spots;
        }
        stale = clashing(topology);
        stale.extend(collapsed(topology));
        stale.retain(|&number| tolerances[number] > 0.0);
        for &number in &stale {
            let finer = tolerances[number] / 2.0;
            tolerances[number] = if finer < FINEST { 0.0 } else { finer };
        }
    }
}

/// For each arc the finer of what its two features and, if it is an island, itself allow.
fn tolerances(exact: &BTreeSet<usize>, topology: &Topology) -> Vec<f64> {
    let mut widths: BTreeMap<usize, Extent> = BTreeMap::new();
    for arc in &topology.arcs {
        for feature in [arc.left, arc.right].into_iter().flatten() {
            widths.entry(feature).or_default().add(&arc.spots);
        }
    }
    let allowed = |feature: usize| {
        if exact.contains(&feature) { 0.0 } else { widths[&feature].width() / FINE_FEATURE }
    };
    let of_arc = |arc: &super::topology::Arc| {
        let sides = [arc.left, arc.right].into_iter().flatten();
        let least = sides.map(allowed).fold(COARSE, f64::min);
        if arc.spots.first() != arc.spots.last() {
            return least;
        }
        let mut island = Extent::default();
        island.add(&arc.spots);
        least.min(island.width() / FINE_ISLAND)
    };
    topology.arcs.iter().map(of_arc).collect()
}

/// The box around some vertices.
#[derive(Clone, Copy)]
struct Extent {
    low: Spot,
    high: Spot,
}

impl Default for Extent {
    fn default() -> Self {
        Self { low: (i32::MAX, i32::MAX), high: (i32::MIN, i32::MIN) }
    }
}

impl Extent {
    fn add(&mut self, spots: &[Spot]) {
        for &(x, y) in spots {
            self.low = (self.low.0.min(x), self.low.1.min(y));
            self.high = (self.high.0.max(x), self.high.1.max(y));
        }
    }

    /// The longer side in steps of latitude.
    fn width(&self) -> f64 {
        let across = f64::from(self.high.0) - f64::from(self.low.0);
        let along = f64::from(self.high.1) - f64::from(self.low.1);
        (across * squeeze(self.low.1 / 2 + self.high.1 / 2)).max(along)
    }
}

/// How long a step of longitude is at this latitude, in steps of latitude.
fn squeeze(y: i32) -> f64 {
    (f64::from(y) / 1e5).to_radians().cos().max(0.05)
}

/// The arc without the vertices that lie within the tolerance of the line left (Douglas-Peucker).
///
/// Both ends stay; of a closed arc also the vertex farthest from its start.
fn thin(tolerance: f64, spots: &[Spot]) -> Vec<Spot> {
    if tolerance <= 0.0 || spots.len() < 3 {
        return spots.to_vec();
    }
    let last = spots.len() - 1;
    let mut kept = vec![false; spots.len()];
    (kept[0], kept[last]) = (true, true);
    if spots[0] == spots[last] {
        let (far, _) = farthest(spots, 0, last);
        kept[far] = true;
        thin_between(tolerance, spots, &mut kept, 0, far);
        thin_between(tolerance, spots, &mut kept, far, last);
    } else {
        thin_between(tolerance, spots, &mut kept, 0, last);
    }
    spots.iter().zip(kept).filter(|(_, kept)| *kept).map(|(&spot, _)| spot).collect()
}

fn thin_between(tolerance: f64, spots: &[Spot], kept: &mut [bool], from: usize, to: usize) {
    let mut open = vec![(from, to)];
    while let Some((from, to)) = open.pop() {
        if to - from < 2 {
            continue;
        }
        let (far, distance) = farthest(spots, from, to);
        if distance > tolerance {
            kept[far] = true;
            open.extend([(from, far), (far, to)]);
        }
    }
}

/// The vertex between two others that is farthest from the line between them.
fn farthest(spots: &[Spot], from: usize, to: usize) -> (usize, f64) {
    let (a, b) = (spots[from], spots[to]);
    let distances = (from + 1..to).map(|number| (number, distance(spots[number], a, b)));
    distances.max_by(|a, b| a.1.total_cmp(&b.1).then(b.0.cmp(&a.0))).unwrap_or((from, 0.0))
}

/// The distance of a vertex from a straight line between two others, in steps of latitude.
fn distance(spot: Spot, a: Spot, b: Spot) -> f64 {
    let squeeze = squeeze(a.1);
    let flat =
        |s: Spot| ((f64::from(s.0) - f64::from(a.0)) * squeeze, f64::from(s.1) - f64::from(a.1));
    let ((px, py), (bx, by)) = (flat(spot), flat(b));
    let length = bx * bx + by * by;
    let along = if length > 0.0 { ((px * bx + py * by) / length).clamp(0.0, 1.0) } else { 0.0 };
    (px - along * bx).hypot(py - along * by)
}

/// The arcs of rings that have too few vertices left.
fn collapsed(topology: &Topology) -> BTreeSet<usize> {
    let rings = topology.features().flat_map(|feature| topology.rings(&[feature]));
    let small = rings.filter(|(ring, _)| ring.len() <= LEAST_VERTICES);
    small.flat_map(|(_, arcs)| arcs).collect()
}

/// One side of a cell in the search for crossings, in steps: a fifth of a degree.
const CELL: i32 = 20_000;

/// A piece of an arc, with the arc's number.
type Segment = (usize, Spot, Spot);

/// The arcs of which a segment crosses, touches or covers a segment of another or its own.
fn clashing(topology: &Topology) -> BTreeSet<usize> {
    let mut cells: BTreeMap<(i32, i32), Vec<Segment>> = BTreeMap::new();
    for (number, arc) in topology.arcs.iter().enumerate() {
        for pair in arc.spots.windows(2) {
            let (a, b) = (pair[0], pair[1]);
            for x in a.0.min(b.0).div_euclid(CELL)..=a.0.max(b.0).div_euclid(CELL) {
                for y in a.1.min(b.1).div_euclid(CELL)..=a.1.max(b.1).div_euclid(CELL) {
                    cells.entry((x, y)).or_default().push((number, a, b));
                }
            }
        }
    }
    let mut clashing = BTreeSet::new();
    for segments in cells.values_mut() {
        segments.sort_unstable_by_key(|&(_, a, b)| a.0.min(b.0));
        for (at, &(number, a, b)) in segments.iter().enumerate() {
            let east = a.0.max(b.0);
            let rest = segments[at + 1..].iter().take_while(|&&(_, c, d)| c.0.min(d.0) <= east);
            for &(other, c, d) in rest {
                if clash((a, b), (c, d)) {
                    clashing.extend([number, other]);
                }
            }
        }
    }
    clashing
}

/// True if two segments share more than an end of both.
fn clash((a, b): (Spot, Spot), (c, d): (Spot, Spot)) -> bool {
    let apart = |p: i32, q: i32, r: i32, s: i32| p.max(q) < r.min(s) || r.max(s) < p.min(q);
    if apart(a.0, b.0, c.0, d.0) || apart(a.1, b.1, c.1, d.1) {
        return false;
    }
    let sides = [turn(a, b, c), turn(a, b, d), turn(c, d, a), turn(c, d, b)];
    if sides == [0; 4] {
        return overlap((a, b), (c, d));
    }
    if a == c || a == d || b == c || b == d {
        return false;
    }
    sides[0] * sides[1] <= 0 && sides[2] * sides[3] <= 0
}

/// True if two segments on one line share more than a point.
fn overlap((a, b): (Spot, Spot), (c, d): (Spot, Spot)) -> bool {
    let (a, b, c, d) = (a.min(b), a.max(b), c.min(d), c.max(d));
    a.max(c) < b.min(d)
}

/// On which side of the line from `a` to `b` a vertex lies: 1 left, −1 right, 0 on it.
fn turn(a: Spot, b: Spot, c: Spot) -> i64 {
    let wide = |s: Spot| (i64::from(s.0), i64::from(s.1));
    let ((ax, ay), (bx, by), (cx, cy)) = (wide(a), wide(b), wide(c));
    ((bx - ax) * (cy - ay) - (by - ay) * (cx - ax)).signum()
}

#[cfg(test)]
mod tests {
    use geo::{Area, MultiPolygon, polygon};

    use super::*;
    use crate::packages::topology::tests::square;

    /// A square of two degrees whose right side, shared with the other, has a small dent.
    fn neighbours() -> [MultiPolygon<f64>; 2] {
        let left = polygon![
            (x: 0.0, y: 0.0), (x: 2.0, y: 0.0), (x: 2.002, y: 1.0), (x: 2.0, y: 2.0),
            (x: 0.0, y: 2.0),
        ];
        let right = polygon![
            (x: 2.0, y: 0.0), (x: 4.0, y: 0.0), (x: 4.0, y: 2.0), (x: 2.0, y: 2.0),
            (x: 2.002, y: 1.0),
        ];
        [left.into(), right.into()]
    }

    #[test]
    fn neighbours_still_touch_after_simplifying() {
        let mut topology = Topology::new(&neighbours());
        simplify(&BTreeSet::new(), &mut topology);
        assert_eq!(topology.join(&[0]).0[0].exterior().0.len(), 5);
        assert!((topology.join(&[0, 1]).unsigned_area() - 8.0).abs() < 1e-9);
        assert_eq!(topology.join(&[0, 1]).0.len(), 1);
    }

    #[test]
    fn an_exact_feature_keeps_every_vertex() {
        let mut topology = Topology::new(&neighbours());
        simplify(&BTreeSet::from([1]), &mut topology);
        assert_eq!(topology.join(&[0]).0[0].exterior().0.len(), 6);
    }

    #[test]
    fn an_island_keeps_four_vertices() {
        let mut topology = Topology::new(&[square(0.0, 0.0, 0.00004)]);
        simplify(&BTreeSet::new(), &mut topology);
        assert_eq!(topology.join(&[0]).0[0].exterior().0.len(), 5);
    }

    #[test]
    fn crossing_is_noticed_and_meeting_is_not() {
        assert!(clash(((0, 0), (2, 2)), ((0, 2), (2, 0))));
        assert!(clash(((0, 0), (4, 0)), ((2, 0), (2, 2))));
        assert!(clash(((0, 0), (4, 0)), ((0, 0), (4, 0))));
        assert!(!clash(((0, 0), (4, 0)), ((4, 0), (8, 0))));
        assert!(!clash(((0, 0), (4, 0)), ((4, 0), (2, 2))));
    }
}
