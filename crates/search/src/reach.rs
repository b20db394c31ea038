//! A reach: a part of the globe, and how well a point in it fits.

use earth::{Bounds, Meters, Point};
use index::Cell;

use crate::center::{Center, haversine};

/// A part of the globe, and how well a point in it fits, from 0 (not at all) to 1.
#[derive(Clone, Debug)]
pub(crate) struct Reach {
    shape: Shape,
    /// Where distances are measured from.
    center: Center,
}

#[derive(Clone, Debug)]
enum Shape {
    /// Everywhere; nearer is better. At `scale` it is half as good. What is nearer than `core` is all the same.
    Near { scale: f64, core: f64 },
    /// From one distance to another, as haversines; all fit the same.
    Ring { from: f64, to: f64, bounds: Bounds },
    /// A box; all fit the same.
    Box { cells: Vec<Cell>, bounds: Bounds },
    /// A polygon; all fit the same.
    Polygon { ring: Vec<Point>, bounds: Bounds },
    /// A direction: best straight ahead, and nearer is better.
    Sector { bearing: f64, from: f64, to: f64, scale: f64, bounds: Bounds },
    /// Between two points: best on the way.
    Ellipse { other: Center, whole: f64, slack: f64, bounds: Bounds },
    /// Along a line: best on it.
    Corridor { line: Vec<Point>, width: f64, bounds: Bounds },
}

/// A sector is a quarter of the circle.
const HALF_SECTOR: f64 = 45.0;

impl Reach {
    pub(crate) fn near(center: Point, scale: Meters, core: Meters) -> Self {
        Self {
            shape: Shape::Near { scale: scale.0.max(1.0), core: core.0 },
            center: Center::at(center),
        }
    }

    pub(crate) fn ring(center: Point, from: Meters, to: Meters) -> Self {
        // The inner edge belongs to the ring, the middle of a full circle too.
        let from_haversine = if from.0 <= 0.0 { -1.0 } else { haversine(from) };
        let to_haversine = if to.0 >= 2.0e7 { 1.0 } else { haversine(to) };
        let bounds = Bounds::around(center, Meters(to.0 * 1.000_001 + 0.1));
        let shape = Shape::Ring { from: from_haversine, to: to_haversine, bounds };
        Self { shape, center: Center::at(center) }
    }

    pub(crate) fn bounds(bounds: Bounds) -> Self {
        let cells = exact_cells(bounds);
        Self { shape: Shape::Box { cells, bounds }, center: Center::at(bounds.center()) }
    }

    pub(crate) fn polygon(ring: Vec<Point>) -> Option<Self> {
        let bounds = Bounds::of(ring.iter().copied()).filter(|_| ring.len() >= 3)?;
        Some(Self { shape: Shape::Polygon { ring, bounds }, center: Center::at(bounds.center()) })
    }

    pub(crate) fn sector(
        center: Point,
        bearing: f64,
        from: Meters,
        to: Meters,
        scale: Meters,
    ) -> Self {
        let bounds = Bounds::around(center, to);
        let shape =
            Shape::Sector { bearing, from: from.0, to: to.0, scale: scale.0.max(1.0), bounds };
        Self { shape, center: Center::at(center) }
    }

    /// The ellipse around two points; `stretch` is how much longer the way over a point may be.
    pub(crate) fn between(one: Point, other: Point, stretch: f64) -> Self {
        let whole = one.distance(other).0;
        let slack = (whole * stretch).max(2_000.0);
        let middle = one.destination(one.bearing(other), Meters(whole / 2.0));
        let bounds = Bounds::around(middle, Meters((whole + slack) / 2.0 + 1.0));
        let shape = Shape::Ellipse { other: Center::at(other), whole, slack, bounds };
        Self { shape, center: Center::at(one) }
    }

    pub(crate) fn along(line: Vec<Point>, width: Meters) -> Option<Self> {
        let first = *line.first()?;
        let bounds = line.windows(2).map(|it| leg_bounds(it[0], it[1], width));
        let bounds = bounds.reduce(Bounds::union)?;
        let shape = Shape::Corridor { line, width: width.0, bounds };
        Some(Self { shape, center: Center::at(first) })
    }

    /// The point that distances are measured from.
    pub(crate) fn center(&self) -> Point {
        self.center.point()
    }

    /// The boxes that hold all of it; nothing if it is everywhere.
    pub(crate) fn cells(&self) -> Option<Vec<Cell>> {
        match &self.shape {
            Shape::Near { .. } => None,
            Shape::Box { cells, .. } => Some(cells.clone()),
            Shape::Ring { bounds, .. }
            | Shape::Polygon { bounds, .. }
            | Shape::Sector { bounds, .. }
            | Shape::Ellipse { bounds, .. }
            | Shape::Corridor { bounds, .. } => Some(Cell::of(*bounds)),
        }
    }

    /// True if every point of the boxes is in it.
    pub(crate) fn fills_its_cells(&self) -> bool {
        matches!(self.shape, Shape::Box { .. })
    }

    /// The box around it; nothing if it is everywhere.
    pub(crate) fn frame(&self) -> Option<Bounds> {
        match &self.shape {
            Shape::Near { .. } => None,
            Shape::Box { bounds, .. }
            | Shape::Ring { bounds, .. }
            | Shape::Polygon { bounds, .. }
            | Shape::Sector { bounds, .. }
            | Shape::Ellipse { bounds, .. }
            | Shape::Corridor { bounds, .. } => Some(*bounds),
        }
    }

    /// The distance of a point from where distances are measured.
    pub(crate) fn distance(&self, lat: i32, lon: i32) -> f64 {
        self.center.distance(lat, lon)
    }

    /// How well a point fits; nothing if it is not in it.
    #[inline]
    pub(crate) fn fit(&self, lat: i32, lon: i32) -> Option<f32> {
        match &self.shape {
            Shape::Near { scale, core } => {
                let far = (self.center.distance(lat, lon) - core).max(0.0);
                Some((scale / (scale + far)) as f32)
            }
            Shape::Ring { from, to, .. } => {
                let at = self.center.haversine(lat, lon);
                (at > *from && at <= *to).then_some(1.0)
            }
            Shape::Box { cells, .. } => cells.iter().any(|it| it.holds(lat, lon)).then_some(1.0),
            Shape::Polygon { ring, bounds } => {
                let at = index::point(lat, lon);
                (bounds.contains(at) && is_inside(ring, bounds, at)).then_some(1.0)
            }
            Shape::Sector { bearing, from, to, scale, .. } => {
                let far = self.center.distance(lat, lon);
                if far < *from || far > *to || far == 0.0 {
                    return None;
                }
                let course = self.center.point().bearing(index::point(lat, lon)).degrees();
                let off = ((course - bearing + 540.0).rem_euclid(360.0) - 180.0).abs();
                (off <= HALF_SECTOR)
                    .then(|| (off.to_radians().cos() * scale / (scale + far)) as f32)
            }
            Shape::Ellipse { other, whole, slack, .. } => {
                let way = self.center.distance(lat, lon) + other.distance(lat, lon);
                let detour = way - whole;
                (detour <= *slack).then(|| (1.0 - 0.9 * detour.max(0.0) / slack) as f32)
            }
            Shape::Corridor { line, width, .. } => {
                let at = index::point(lat, lon);
                let off =
                    line.windows(2).map(|it| off_leg(it[0], it[1], at)).fold(f64::MAX, f64::min);
                (off <= *width).then(|| (1.0 - 0.9 * off / width) as f32)
            }
        }
    }

    /// True if a point is nearer than the ring: within its inner edge.
    #[inline]
    pub(crate) fn is_short_of(&self, lat: i32, lon: i32) -> bool {
        match &self.shape {
            Shape::Ring { from, .. } => self.center.haversine(lat, lon) <= *from,
            _ => false,
        }
    }

    /// No point farther than this fits better; nothing if distance does not decide.
    pub(crate) fn best_beyond(&self, distance: Meters) -> Option<f32> {
        match &self.shape {
            Shape::Near { scale, core } => {
                Some((scale / (scale + (distance.0 - core).max(0.0))) as f32)
            }
            _ => None,
        }
    }

    /// The disc around the center with this radius.
    pub(crate) fn disc(&self, radius: Meters) -> Vec<Cell> {
        Cell::of(Bounds::around(self.center.point(), Meters(radius.0 * 1.000_001 + 0.1)))
    }
}

/// The cells of a box, to the last digit.
fn exact_cells(bounds: Bounds) -> Vec<Cell> {
    let up = |degrees: f64| (degrees * 1e7 - 1e-4).ceil() as i32;
    let down = |degrees: f64| (degrees * 1e7 + 1e-4).floor() as i32;
    let cell = |west: f64, east: f64| Cell {
        south: up(bounds.south),
        west: up(west),
        north: down(bounds.north),
        east: down(east),
    };
    if bounds.west <= bounds.east {
        vec![cell(bounds.west, bounds.east)]
    } else {
        vec![cell(bounds.west, 180.0), cell(-180.0, bounds.east)]
    }
}

/// The even-odd rule, in degrees; a ring over the date line is unrolled from the western edge of its box.
fn is_inside(ring: &[Point], bounds: &Bounds, at: Point) -> bool {
    let unrolled =
        |lon: f64| if bounds.west > bounds.east && lon < bounds.west { lon + 360.0 } else { lon };
    let x = unrolled(at.lon);
    let mut inside = false;
    let mut last = ring[ring.len() - 1];
    for &point in ring {
        let (x0, x1) = (unrolled(last.lon), unrolled(point.lon));
        if (point.lat > at.lat) != (last.lat > at.lat)
            && x < (x0 - x1) * (at.lat - point.lat) / (last.lat - point.lat) + x1
        {
            inside = !inside;
        }
        last = point;
    }
    inside
}

/// A box that holds a leg and all within the width of it.
fn leg_bounds(one: Point, other: Point, width: Meters) -> Bounds {
    let middle = one.destination(one.bearing(other), Meters(one.distance(other).0 / 2.0));
    Bounds::around(middle, Meters(one.distance(other).0 / 2.0 + width.0))
}

/// How far a point is from a leg of a line, along great circles.
fn off_leg(one: Point, other: Point, at: Point) -> f64 {
    let (leg, way) = (one.distance(other).0, one.distance(at).0);
    if leg == 0.0 || way == 0.0 {
        return way;
    }
    let turn = (one.bearing(at).degrees() - one.bearing(other).degrees()).to_radians();
    let radius = 6_371_008.8;
    let off = ((way / radius).sin() * turn.sin()).clamp(-1.0, 1.0).asin() * radius;
    let ahead = ((way / radius).cos() / (off / radius).cos()).clamp(-1.0, 1.0).acos() * radius;
    if turn.cos() < 0.0 {
        way
    } else if ahead > leg {
        other.distance(at).0
    } else {
        off.abs()
    }
}
