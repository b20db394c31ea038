//! Outlines that share their borders: every border is one arc with a feature on either side.
//!
//! Because a border is kept once, simplifying it changes both neighbours alike, and joining
//! features is leaving out the arcs between them.

use std::collections::{BTreeMap, BTreeSet};

use geo::{Area, Coord, LineString, MultiPolygon, Polygon};

/// Coordinates are kept in steps of this many to the degree (about a metre).
///
/// At five decimals every border of Natural Earth's features is the same on both sides.
const STEPS: f64 = 1e5;

/// A vertex in steps: x is the longitude, y the latitude.
pub(super) type Spot = (i32, i32);

/// A piece of border between two places where three or more areas meet.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Arc {
    pub(super) spots: Vec<Spot>,
    /// The feature to the left, walking along the spots.
    pub(super) left: Option<usize>,
    /// The feature to the right.
    pub(super) right: Option<usize>,
}

/// All borders of a set of features.
#[derive(Debug, Default)]
pub(super) struct Topology {
    pub(super) arcs: Vec<Arc>,
    /// Edges claimed by two features from the same side; the second claim is dropped.
    pub(super) contested: usize,
    /// The arcs on the border of each feature.
    around: BTreeMap<usize, Vec<usize>>,
}

/// An edge with its ends in order, and the features to its left and right.
#[derive(Clone, Copy)]
struct Edge {
    ends: [Spot; 2],
    left: Option<usize>,
    right: Option<usize>,
}

impl Topology {
    /// The borders of these features.
    pub(super) fn new(features: &[MultiPolygon<f64>]) -> Self {
        let (edges, contested) = edges(features);
        let arcs = Walk::new(&edges).arcs();
        let mut around: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for (number, arc) in arcs.iter().enumerate() {
            for feature in [arc.left, arc.right].into_iter().flatten() {
                around.entry(feature).or_default().push(number);
            }
        }
        Self { arcs, contested, around }
    }

    /// The features that have a border.
    pub(super) fn features(&self) -> impl Iterator<Item = usize> + '_ {
        self.around.keys().copied()
    }

    /// How many vertices all arcs have.
    pub(super) fn vertices(&self) -> usize {
        self.arcs.iter().map(|arc| arc.spots.len()).sum()
    }

    /// The outline of several features joined into one.
    pub(super) fn join(&self, features: &[usize]) -> MultiPolygon<f64> {
        polygons(self.rings(features).into_iter().map(|(spots, _)| spots).collect())
    }

    /// The closed rings around these features with the arcs each is made of.
    ///
    /// What belongs to the features is always on the left.
    pub(super) fn rings(&self, features: &[usize]) -> Vec<(Vec<Spot>, Vec<usize>)> {
        let features: BTreeSet<usize> = features.iter().copied().collect();
        let inside = |side: Option<usize>| side.is_some_and(|side| features.contains(&side));
        let around = features.iter().filter_map(|feature| self.around.get(feature)).flatten();
        let numbers: BTreeSet<usize> = around.copied().collect();
        let border = numbers.into_iter().filter_map(|number| {
            let arc = &self.arcs[number];
            match (inside(arc.left), inside(arc.right)) {
                (true, false) => Some((number, arc.spots.clone())),
                (false, true) => Some((number, arc.spots.iter().rev().copied().collect())),
                _ => None,
            }
        });
        chain(&border.collect::<Vec<_>>())
    }
}

/// The edges of all rings, each once; inner rings are turned so that the inside is left.
fn edges(features: &[MultiPolygon<f64>]) -> (Vec<Edge>, usize) {
    let mut claims: Vec<([Spot; 2], bool, usize)> = Vec::new();
    for (number, feature) in features.iter().enumerate() {
        for (ring, outer) in feature.iter().flat_map(rings_of) {
            let mut spots: Vec<Spot> = ring.coords().map(|&at| spot(at)).collect();
            spots.dedup();
            if (twice_area(&spots) > 0) != outer {
                spots.reverse();
            }
            for pair in spots.windows(2) {
                let forward = pair[0] < pair[1];
                let ends = if forward { [pair[0], pair[1]] } else { [pair[1], pair[0]] };
                claims.push((ends, forward, number));
            }
        }
    }
    claims.sort_unstable();
    let mut contested = 0;
    let mut edges = Vec::new();
    for same in claims.chunk_by(|a, b| a.0 == b.0) {
        let mut edge = Edge { ends: same[0].0, left: None, right: None };
        for &(_, forward, feature) in same {
            let side = if forward { &mut edge.left } else { &mut edge.right };
            contested += usize::from(side.is_some());
            side.get_or_insert(feature);
        }
        // A feature on both sides is a crack of no width.
        if edge.left != edge.right {
            edges.push(edge);
        }
    }
    (edges, contested)
}

fn rings_of(polygon: &Polygon<f64>) -> impl Iterator<Item = (&LineString<f64>, bool)> {
    let inner = polygon.interiors().iter().map(|ring| (ring, false));
    [(polygon.exterior(), true)].into_iter().chain(inner)
}

fn spot(at: Coord<f64>) -> Spot {
    ((at.x * STEPS).round() as i32, (at.y * STEPS).round() as i32)
}

fn coord((x, y): Spot) -> Coord<f64> {
    Coord { x: f64::from(x) / STEPS, y: f64::from(y) / STEPS }
}

/// Twice the signed area of a closed ring: positive if it runs anticlockwise.
fn twice_area(ring: &[Spot]) -> i64 {
    let cross = |pair: &[Spot]| {
        let ((ax, ay), (bx, by)) = (pair[0], pair[1]);
        i64::from(ax) * i64::from(by) - i64::from(bx) * i64::from(ay)
    };
    ring.windows(2).map(cross).sum()
}

/// Walks along edges from junction to junction.
struct Walk<'a> {
    edges: &'a [Edge],
    /// Each vertex with each edge that ends there, sorted.
    ends: Vec<(Spot, usize)>,
    done: Vec<bool>,
}

impl<'a> Walk<'a> {
    fn new(edges: &'a [Edge]) -> Self {
        let both = |(number, edge): (usize, &Edge)| edge.ends.map(|spot| (spot, number));
        let mut ends: Vec<(Spot, usize)> = edges.iter().enumerate().flat_map(both).collect();
        ends.sort_unstable();
        Self { edges, ends, done: vec![false; edges.len()] }
    }

    /// Every edge in one arc; a ring without junctions is one closed arc.
    fn arcs(mut self) -> Vec<Arc> {
        let mut arcs = Vec::new();
        for at in 0..self.ends.len() {
            let (spot, edge) = self.ends[at];
            if !self.done[edge] && self.is_junction(spot) {
                arcs.push(self.follow(spot, edge));
            }
        }
        for edge in 0..self.edges.len() {
            if !self.done[edge] {
                arcs.push(self.follow(self.edges[edge].ends[0], edge));
            }
        }
        arcs
    }

    fn follow(&mut self, from: Spot, first: usize) -> Arc {
        let (left, right) = self.sides(first, from);
        let mut spots = vec![from];
        let (mut here, mut edge) = (from, first);
        loop {
            self.done[edge] = true;
            let [a, b] = self.edges[edge].ends;
            here = if here == a { b } else { a };
            spots.push(here);
            if here == from || self.is_junction(here) {
                return Arc { spots, left, right };
            }
            let next = self.at(here).iter().map(|&(_, next)| next).find(|&next| next != edge);
            edge = next.expect("a vertex that is no junction has two edges");
        }
    }

    /// True where an arc ends: not two edges meet, or other features lie beside them.
    fn is_junction(&self, spot: Spot) -> bool {
        let [(_, a), (_, b)] = *self.at(spot) else { return true };
        // Seen from the vertex, one edge comes in and the other goes out.
        let ((left, right), outgoing) = (self.sides(a, spot), self.sides(b, spot));
        (right, left) != outgoing
    }

    fn at(&self, spot: Spot) -> &[(Spot, usize)] {
        let start = self.ends.partition_point(|end| end.0 < spot);
        let length = self.ends[start..].iter().take_while(|end| end.0 == spot).count();
        &self.ends[start..start + length]
    }

    /// The features to the left and right of an edge, walking away from this end.
    fn sides(&self, edge: usize, from: Spot) -> (Option<usize>, Option<usize>) {
        let edge = &self.edges[edge];
        if edge.ends[0] == from { (edge.left, edge.right) } else { (edge.right, edge.left) }
    }
}

/// Puts directed pieces together to closed rings.
///
/// Where rings touch, the walk takes the first way clockwise from where it came: that keeps the
/// wedge of inside it walks along, so rings touch but never cross.
fn chain(pieces: &[(usize, Vec<Spot>)]) -> Vec<(Vec<Spot>, Vec<usize>)> {
    let mut starts: BTreeMap<Spot, Vec<usize>> = BTreeMap::new();
    for (number, (_, spots)) in pieces.iter().enumerate() {
        starts.entry(spots[0]).or_default().push(number);
    }
    let mut done = vec![false; pieces.len()];
    let mut rings = Vec::new();
    for first in 0..pieces.len() {
        if done[first] {
            continue;
        }
        let (mut ring, mut arcs) = (Vec::new(), Vec::new());
        let mut piece = Some(first);
        while let Some(number) = piece {
            done[number] = true;
            let (arc, spots) = &pieces[number];
            arcs.push(*arc);
            ring.extend_from_slice(&spots[usize::from(!ring.is_empty())..]);
            let end = spots[spots.len() - 1];
            if end == pieces[first].1[0] {
                break;
            }
            let back = spots[spots.len() - 2];
            let open = starts.get(&end).into_iter().flatten().copied().filter(|&n| !done[n]);
            piece = open.min_by(|&a, &b| {
                let turn = |n: usize| clockwise(end, back, pieces[n].1[1]);
                turn(a).total_cmp(&turn(b))
            });
        }
        if ring.first() == ring.last() && ring.len() > 3 {
            rings.push((ring, arcs));
        }
    }
    rings
}

/// The angle turned clockwise around `middle` to come from one direction to another.
fn clockwise(middle: Spot, from: Spot, to: Spot) -> f64 {
    let angle = |spot: Spot| {
        let (dx, dy) =
            (f64::from(spot.0) - f64::from(middle.0), f64::from(spot.1) - f64::from(middle.1));
        dy.atan2(dx)
    };
    let turn = (angle(from) - angle(to)).rem_euclid(std::f64::consts::TAU);
    if turn < 1e-12 { std::f64::consts::TAU } else { turn }
}

/// Sorts rings into polygons: those running anticlockwise are outer rings, the others holes.
fn polygons(rings: Vec<Vec<Spot>>) -> MultiPolygon<f64> {
    let line = |spots: &[Spot]| LineString::new(spots.iter().map(|&spot| coord(spot)).collect());
    let (outer, inner): (Vec<_>, Vec<_>) = rings
        .into_iter()
        .filter(|ring| twice_area(ring) != 0)
        .partition(|ring| twice_area(ring) > 0);
    let mut outer: Vec<(Vec<Spot>, Vec<LineString<f64>>)> =
        outer.into_iter().map(|ring| (ring, Vec::new())).collect();
    outer.sort_by_key(|(ring, _)| twice_area(ring));
    for hole in inner {
        // The smallest ring around a hole is its own.
        if let Some((_, holes)) = outer.iter_mut().find(|(ring, _)| surrounds(ring, &hole)) {
            holes.push(line(&hole));
        }
    }
    let mut polygons: Vec<Polygon<f64>> =
        outer.into_iter().map(|(ring, holes)| Polygon::new(line(&ring), holes)).collect();
    polygons.sort_by(|a, b| b.unsigned_area().total_cmp(&a.unsigned_area()));
    MultiPolygon::new(polygons)
}

/// True if a ring lies within another, judged by the middles of its edges.
///
/// A hole may touch its ring in vertices, so those are not asked.
fn surrounds(ring: &[Spot], hole: &[Spot]) -> bool {
    if twice_area(ring) < -twice_area(hole) {
        return false;
    }
    let middle = |pair: &[Spot]| {
        let (a, b) = (coord(pair[0]), coord(pair[1]));
        Coord { x: f64::midpoint(a.x, b.x), y: f64::midpoint(a.y, b.y) }
    };
    let asked: Vec<_> = hole.windows(2).take(9).map(middle).collect();
    let within = asked.iter().filter(|&&at| holds(ring, at)).count();
    2 * within > asked.len()
}

fn holds(ring: &[Spot], at: Coord<f64>) -> bool {
    let crosses = |pair: &[Spot]| {
        let (a, b) = (coord(pair[0]), coord(pair[1]));
        (a.y > at.y) != (b.y > at.y) && at.x < (b.x - a.x) * (at.y - a.y) / (b.y - a.y) + a.x
    };
    ring.windows(2).filter(|pair| crosses(pair)).count() % 2 == 1
}

#[cfg(test)]
pub(super) mod tests {
    use geo::{MultiPolygon, polygon};

    use super::*;

    pub(in super::super) fn square(x: f64, y: f64, side: f64) -> MultiPolygon<f64> {
        polygon![
            (x: x, y: y), (x: x + side, y: y), (x: x + side, y: y + side), (x: x, y: y + side),
        ]
        .into()
    }

    #[test]
    fn two_squares_side_by_side_share_one_arc() {
        let topology = Topology::new(&[square(0.0, 0.0, 1.0), square(1.0, 0.0, 1.0)]);
        let shared = |arc: &&Arc| arc.left.is_some() && arc.right.is_some();
        assert_eq!(topology.arcs.len(), 3);
        assert_eq!(topology.arcs.iter().filter(shared).count(), 1);
    }

    #[test]
    fn two_squares_joined_are_one_rectangle() {
        let topology = Topology::new(&[square(0.0, 0.0, 1.0), square(1.0, 0.0, 1.0)]);
        let both = topology.join(&[0, 1]);
        assert_eq!(both.0.len(), 1);
        assert!((both.unsigned_area() - 2.0).abs() < 1e-9);
        assert!((topology.join(&[0]).unsigned_area() - 1.0).abs() < 1e-9);
    }

    #[test]
    fn squares_that_touch_in_a_corner_stay_two_polygons() {
        let topology = Topology::new(&[square(0.0, 0.0, 1.0), square(1.0, 1.0, 1.0)]);
        let both = topology.join(&[0, 1]);
        assert_eq!(both.0.len(), 2);
        assert!(both.iter().all(|polygon| polygon.exterior().0.len() == 5));
    }

    #[test]
    fn a_country_around_another_has_a_hole() {
        let outer = square(0.0, 0.0, 4.0).0.remove(0).into_inner().0;
        let hole = square(1.0, 1.0, 1.0).0.remove(0).into_inner().0;
        let around = MultiPolygon::from(Polygon::new(outer, vec![hole]));
        let topology = Topology::new(&[around, square(1.0, 1.0, 1.0)]);
        let around = topology.join(&[0]);
        assert_eq!((around.0.len(), around.0[0].interiors().len()), (1, 1));
        assert!((topology.join(&[0, 1]).unsigned_area() - 16.0).abs() < 1e-9);
        assert!(topology.join(&[0, 1]).0[0].interiors().is_empty());
    }
}
