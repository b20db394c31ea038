//! Outlines in the file: rings of fixed-point corners, found by their boxes.

use geo::{Coord, InteriorPoint, LineString, MultiPolygon, Polygon};
use rstar::{AABB, PointDistance, RTree, RTreeObject};

use crate::file::{Section, read_u32};
use earth::{Bounds, Point};

/// How many steps a degree has in the file: a step is 11 cm.
const STEPS: f64 = 1e6;

/// A coordinate in steps.
pub(crate) fn steps(degrees: f64) -> i32 {
    (degrees * STEPS).round() as i32
}

/// A coordinate in degrees.
pub(crate) fn degrees(steps: i32) -> f64 {
    f64::from(steps) / STEPS
}

/// Bytes of a ring's row: shape, first corner, number of corners, whether it opens a polygon, box.
const RING: usize = 4 * 8;

/// The outlines of a file.
pub(crate) struct Shapes {
    /// Per shape: the place, the first ring. One row more at the end.
    table: Section,
    rings: Section,
    corners: Section,
}

/// Outlines on their way into a file.
#[derive(Default)]
pub(crate) struct ShapeWriter {
    table: Vec<u8>,
    rings: Vec<u8>,
    corners: Vec<u8>,
}

impl ShapeWriter {
    /// Adds the next shape.
    pub(crate) fn push(&mut self, place: u32, outline: &MultiPolygon<f64>) {
        let shape = (self.table.len() / 8) as u32;
        self.row(place);
        for polygon in &outline.0 {
            self.ring(shape, true, polygon.exterior());
            for hole in polygon.interiors() {
                self.ring(shape, false, hole);
            }
        }
    }

    fn row(&mut self, place: u32) {
        self.table.extend_from_slice(&place.to_le_bytes());
        self.table.extend_from_slice(&((self.rings.len() / RING) as u32).to_le_bytes());
    }

    fn ring(&mut self, shape: u32, exterior: bool, ring: &LineString<f64>) {
        let first = (self.corners.len() / 8) as u32;
        let corners: Vec<_> = ring.0.iter().map(|at| (steps(at.y), steps(at.x))).collect();
        let side = |pick: fn(&(i32, i32)) -> i32| corners.iter().map(pick);
        let (south, north) = (side(|it| it.0).min(), side(|it| it.0).max());
        let (west, east) = (side(|it| it.1).min(), side(|it| it.1).max());
        for number in [shape, first, corners.len() as u32, u32::from(exterior)] {
            self.rings.extend_from_slice(&number.to_le_bytes());
        }
        for number in [south, west, north, east] {
            self.rings.extend_from_slice(&number.unwrap_or(0).to_le_bytes());
        }
        for (lat, lon) in corners {
            self.corners.extend_from_slice(&lat.to_le_bytes());
            self.corners.extend_from_slice(&lon.to_le_bytes());
        }
    }

    /// The three sections: table, rings, corners.
    pub(crate) fn finish(mut self) -> [Vec<u8>; 3] {
        self.row(0);
        [self.table, self.rings, self.corners]
    }
}

/// A ring's box, for the tree that finds rings around a point.
pub(crate) struct RingBox {
    ring: u32,
    low: [i32; 2],
    high: [i32; 2],
}

impl RTreeObject for RingBox {
    type Envelope = AABB<[i32; 2]>;

    fn envelope(&self) -> Self::Envelope {
        AABB::from_corners(self.low, self.high)
    }
}

impl PointDistance for RingBox {
    fn distance_2(&self, _point: &[i32; 2]) -> i32 {
        0
    }

    fn contains_point(&self, point: &[i32; 2]) -> bool {
        (0..2).all(|axis| (self.low[axis]..=self.high[axis]).contains(&point[axis]))
    }
}

impl Shapes {
    pub(crate) fn new(table: Section, rings: Section, corners: Section) -> Self {
        Self { table, rings, corners }
    }

    pub(crate) fn count(&self) -> usize {
        (self.table.len() / 8).saturating_sub(1)
    }

    /// The place whose outline this is.
    pub(crate) fn place(&self, shape: u32) -> u32 {
        self.table.u32_at(shape as usize * 2)
    }

    fn rings_of(&self, shape: u32) -> std::ops::Range<u32> {
        let (from, to) = (shape as usize * 2 + 1, shape as usize * 2 + 3);
        self.table.u32_at(from)..self.table.u32_at(to).min((self.rings.len() / RING) as u32)
    }

    fn ring_number(&self, ring: u32, column: usize) -> u32 {
        self.rings.u32_at(ring as usize * (RING / 4) + column)
    }

    fn ring_corners(&self, ring: u32) -> &[u8] {
        let first = self.ring_number(ring, 1) as usize * 8;
        let length = self.ring_number(ring, 2) as usize * 8;
        self.corners.as_ref().get(first..first + length).unwrap_or(&[])
    }

    fn ring_box(&self, ring: u32) -> RingBox {
        let side = |column| self.ring_number(ring, column) as i32;
        RingBox { ring, low: [side(4), side(5)], high: [side(6), side(7)] }
    }

    /// The tree of all rings' boxes: some thousands of them, built when first asked for.
    pub(crate) fn tree(&self) -> RTree<RingBox> {
        let count = (self.rings.len() / RING) as u32;
        RTree::bulk_load((0..count).map(|ring| self.ring_box(ring)).collect())
    }

    /// The shapes that hold a point: those of whose rings an odd number runs around it.
    pub(crate) fn holding(&self, tree: &RTree<RingBox>, point: Point) -> Vec<u32> {
        let at = [steps(point.lat), steps(point.lon)];
        let around = tree.locate_in_envelope_intersecting(AABB::from_point(at));
        let mut inside: Vec<u32> = around
            .filter(|it| is_inside(self.ring_corners(it.ring), at))
            .map(|it| self.ring_number(it.ring, 0))
            .collect();
        inside.sort_unstable();
        inside.chunk_by(|a, b| a == b).filter(|run| run.len() % 2 == 1).map(|run| run[0]).collect()
    }

    /// The shapes whose boxes touch the box of this one.
    pub(crate) fn around(&self, tree: &RTree<RingBox>, shape: u32) -> Vec<u32> {
        let rings = self.rings_of(shape).map(|ring| self.ring_box(ring).envelope());
        let mut shapes: Vec<_> = rings
            .flat_map(|it| tree.locate_in_envelope_intersecting(it))
            .map(|it| self.ring_number(it.ring, 0))
            .collect();
        shapes.sort_unstable();
        shapes.dedup();
        shapes
    }

    /// The box of a shape.
    pub(crate) fn bounds(&self, shape: u32) -> Option<Bounds> {
        let boxes = self.rings_of(shape).map(|ring| {
            let RingBox { low, high, .. } = self.ring_box(ring);
            Bounds::new(degrees(low[0]), degrees(low[1]), degrees(high[0]), degrees(high[1]))
        });
        boxes.reduce(Bounds::union)
    }

    /// The outline as `geo` knows it.
    pub(crate) fn outline(&self, shape: u32) -> MultiPolygon<f64> {
        let mut polygons: Vec<Polygon<f64>> = Vec::new();
        for ring in self.rings_of(shape) {
            let line = self.line(ring);
            let exterior = self.ring_number(ring, 3) == 1;
            match polygons.last_mut() {
                Some(polygon) if !exterior => polygon.interiors_push(line),
                _ => polygons.push(Polygon::new(line, Vec::new())),
            }
        }
        MultiPolygon(polygons)
    }

    fn line(&self, ring: u32) -> LineString<f64> {
        let corners = self.ring_corners(ring).chunks_exact(8);
        corners.map(|it| Coord { x: degrees(corner(it).1), y: degrees(corner(it).0) }).collect()
    }
}

/// A point that is certainly inside: the middle if it is, else one on the longest way through.
pub fn point_inside(outline: &MultiPolygon<f64>) -> Option<Point> {
    use geo::{Area, Centroid, Contains};
    let largest =
        outline.0.iter().max_by(|a, b| a.unsigned_area().total_cmp(&b.unsigned_area()))?;
    let middle = largest.centroid().filter(|middle| largest.contains(middle));
    let inside = middle.or_else(|| largest.interior_point())?;
    Some(Point::new(inside.y(), inside.x()))
}

fn corner(bytes: &[u8]) -> (i32, i32) {
    (read_u32(bytes, 0) as i32, read_u32(bytes, 4) as i32)
}

/// Whether a line from the point to the east crosses the ring an odd number of times.
fn is_inside(corners: &[u8], [lat, lon]: [i32; 2]) -> bool {
    let mut inside = false;
    let mut corners = corners.chunks_exact(8).map(corner);
    let Some(mut from) = corners.next() else { return false };
    for to in corners {
        if (from.0 > lat) != (to.0 > lat) {
            let (rise, run) =
                (i64::from(to.0) - i64::from(from.0), i64::from(to.1) - i64::from(from.1));
            let up = i64::from(lat) - i64::from(from.0);
            let across = i64::from(lon) - i64::from(from.1);
            // across < run * up / rise, without dividing.
            let (left, right) = (across * rise, run * up);
            inside ^= if rise > 0 { left < right } else { left > right };
        }
        from = to;
    }
    inside
}
