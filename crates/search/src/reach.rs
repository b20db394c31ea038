//! A reach: a part of the globe, and how well a point in it fits.

use earth::{Bounds, Meters, Point};
use index::Cell;

use crate::center::{Center, haversine, meters};

/// A part of the globe, and how well a point in it fits, from 0 (not at all) to 1.
#[derive(Clone, Debug)]
pub(crate) struct Reach {
    shape: Shape,
    /// Where distances are measured from.
    center: Center,
    /// Boxes that hold all of it, to look at before anything is measured; none if it is everywhere.
    cells: Vec<Cell>,
    frame: Option<Bounds>,
    /// Nobody calls near what is farther, of a reach that is everywhere.
    end: Option<Meters>,
}

#[derive(Clone, Debug)]
enum Shape {
    /// Everywhere; nearer is better. At `scale` it is half as good. What is nearer than `core` is all the same.
    Near { scale: f64, core: f64 },
    /// From one distance to another, as haversines; all fit the same.
    Ring { from: f64, to: f64 },
    /// A box; all fit the same.
    Box,
    /// A polygon; all fit the same.
    Polygon { ring: Vec<Point>, bounds: Bounds },
    /// A direction: best straight ahead, and nearer is better.
    Sector { bearing: f64, from: f64, to: f64, scale: f64 },
    /// Between two points: best on the way.
    Ellipse { other: Center, whole: f64, slack: f64 },
    /// Along a line: best on it.
    Corridor { legs: Vec<Leg>, width: f64 },
}

/// A sector is a quarter of the circle.
const HALF_SECTOR: f64 = 45.0;

impl Reach {
    fn bounded(shape: Shape, center: Point, bounds: Bounds) -> Self {
        Self {
            shape,
            center: Center::at(center),
            cells: Cell::of(bounds),
            frame: Some(bounds),
            end: None,
        }
    }

    pub(crate) fn near(center: Point, scale: Meters, core: Meters) -> Self {
        let shape = Shape::Near { scale: scale.0.max(1.0), core: core.0 };
        Self { shape, center: Center::at(center), cells: Vec::new(), frame: None, end: None }
    }

    /// The same, with how far away what is called near is at most. What is farther fits no worse for that.
    pub(crate) fn ending(self, end: Meters) -> Self {
        Self { end: Some(end), ..self }
    }

    /// How far away what is called near is at most; nothing if distance is no matter of words.
    pub(crate) fn end(&self) -> Option<Meters> {
        self.end
    }

    pub(crate) fn ring(center: Point, from: Meters, to: Meters) -> Self {
        // The inner edge belongs to the ring, the middle of a full circle too.
        let from = if from.0 <= 0.0 { -1.0 } else { haversine(from) };
        let bounds = disc(center, to);
        let to = if to.0 >= 2.0e7 { 1.0 } else { haversine(to) };
        Self::bounded(Shape::Ring { from, to }, center, bounds)
    }

    pub(crate) fn bounds(bounds: Bounds) -> Self {
        Self { cells: exact_cells(bounds), ..Self::bounded(Shape::Box, bounds.center(), bounds) }
    }

    pub(crate) fn polygon(ring: Vec<Point>) -> Option<Self> {
        let bounds = Bounds::of(ring.iter().copied()).filter(|_| ring.len() >= 3)?;
        Some(Self::bounded(Shape::Polygon { ring, bounds }, bounds.center(), bounds))
    }

    pub(crate) fn sector(
        center: Point,
        bearing: f64,
        from: Meters,
        to: Meters,
        scale: Meters,
    ) -> Self {
        let shape = Shape::Sector { bearing, from: from.0, to: to.0, scale: scale.0.max(1.0) };
        Self::bounded(shape, center, disc(center, to))
    }

    /// The ellipse around two points; `stretch` is how much longer the way over a point may be.
    pub(crate) fn between(one: Point, other: Point, stretch: f64) -> Self {
        let whole = one.distance(other).0;
        let slack = (whole * stretch).max(2_000.0);
        let middle = one.destination(one.bearing(other), Meters(whole / 2.0));
        let bounds = disc(middle, Meters(f64::midpoint(whole, slack) + 1.0));
        Self::bounded(Shape::Ellipse { other: Center::at(other), whole, slack }, one, bounds)
    }

    pub(crate) fn along(line: &[Point], width: Meters) -> Option<Self> {
        let first = *line.first()?;
        let beads: Vec<Bounds> =
            line.windows(2).flat_map(|it| beads(it[0], it[1], width)).collect();
        let bounds = beads.iter().copied().reduce(Bounds::union)?;
        let cells = beads.into_iter().flat_map(Cell::of).collect();
        let legs = line.windows(2).map(|it| Leg::of(it[0], it[1])).collect();
        let shape = Shape::Corridor { legs, width: width.0 };
        Some(Self { cells, ..Self::bounded(shape, first, bounds) })
    }

    /// The point that distances are measured from.
    pub(crate) fn center(&self) -> Point {
        self.center.point()
    }

    /// The boxes that hold all of it; nothing if it is everywhere.
    pub(crate) fn cells(&self) -> Option<&[Cell]> {
        (!self.is_everywhere()).then_some(&self.cells)
    }

    fn is_everywhere(&self) -> bool {
        matches!(self.shape, Shape::Near { .. })
    }

    /// True if every point of the boxes is in it.
    pub(crate) fn fills_its_cells(&self) -> bool {
        matches!(self.shape, Shape::Box)
    }

    /// The box around it; nothing if it is everywhere.
    pub(crate) fn frame(&self) -> Option<Bounds> {
        self.frame
    }

    /// Its edge, to be drawn: a line around each part of it. Of what is everywhere, where it is half as good.
    pub(crate) fn rings(&self) -> Vec<Vec<Point>> {
        let center = self.center.point();
        let circle = |radius: f64| arc_around(center, radius, 0.0, 360.0);
        match &self.shape {
            Shape::Near { scale, core } => vec![circle(scale + core)],
            Shape::Ring { from, to } => {
                let inner = (*from > 0.0).then(|| circle(meters(*from)));
                std::iter::once(circle(meters(*to))).chain(inner).collect()
            }
            Shape::Box => self.frame.map(corners).into_iter().collect(),
            Shape::Polygon { ring, .. } => vec![ring.clone()],
            Shape::Sector { bearing, from, to, .. } => {
                let (left, right) = (bearing - HALF_SECTOR, bearing + HALF_SECTOR);
                let mut ring = arc_around(center, *to, left, right);
                ring.extend(arc_around(center, *from, left, right).into_iter().rev());
                vec![ring]
            }
            Shape::Ellipse { other, whole, slack } => {
                let other = other.point();
                vec![ellipse(center, other, *whole, *slack)]
            }
            Shape::Corridor { legs, width } => legs
                .iter()
                .map(|it| corridor(off_sphere(it.ends[0]), off_sphere(it.ends[1]), *width))
                .collect(),
        }
    }

    /// The distance of a point from where distances are measured.
    pub(crate) fn distance(&self, lat: i32, lon: i32) -> f64 {
        self.center.distance(lat, lon)
    }

    /// The distance of the nearest of the points that are in it.
    pub(crate) fn nearest(&self, points: impl Iterator<Item = (i32, i32)>) -> Option<f64> {
        let is_everywhere = self.is_everywhere();
        let on_it = points.filter(|it| is_everywhere || self.fit(it.0, it.1).is_some());
        on_it.map(|it| self.center.haversine(it.0, it.1)).min_by(f64::total_cmp).map(meters)
    }

    /// How well a point fits; nothing if it is not in it.
    #[inline]
    pub(crate) fn fit(&self, lat: i32, lon: i32) -> Option<f32> {
        if !self.is_everywhere() && !self.cells.iter().any(|it| it.holds(lat, lon)) {
            return None;
        }
        match &self.shape {
            Shape::Near { scale, core } => {
                let far = (self.center.distance(lat, lon) - core).max(0.0);
                Some((scale / (scale + far)) as f32)
            }
            Shape::Ring { from, to } => {
                let at = self.center.haversine(lat, lon);
                (at > *from && at <= *to).then_some(1.0)
            }
            Shape::Box => Some(1.0),
            Shape::Polygon { ring, bounds } => {
                let at = index::point(lat, lon);
                (bounds.contains(at) && is_inside(ring, bounds, at)).then_some(1.0)
            }
            Shape::Sector { bearing, from, to, scale } => {
                let far = self.center.distance(lat, lon);
                if far < *from || far > *to || far == 0.0 {
                    return None;
                }
                let course = self.center.point().bearing(index::point(lat, lon)).degrees();
                let off = ((course - bearing + 540.0).rem_euclid(360.0) - 180.0).abs();
                (off <= HALF_SECTOR)
                    .then(|| (off.to_radians().cos() * scale / (scale + far)) as f32)
            }
            Shape::Ellipse { other, whole, slack } => {
                let way = self.center.distance(lat, lon) + other.distance(lat, lon);
                let detour = way - whole;
                (detour <= *slack).then(|| (1.0 - 0.9 * detour.max(0.0) / slack) as f32)
            }
            Shape::Corridor { legs, width } => {
                let at = on_sphere(index::point(lat, lon));
                let off = legs.iter().map(|it| it.off(at)).fold(f64::MAX, f64::min);
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

    /// Boxes that hold all that is no farther from the center than this.
    pub(crate) fn disc(&self, radius: Meters) -> Vec<Cell> {
        Cell::of(disc(self.center.point(), radius))
    }

    /// What fits at least so well is no farther than this; nothing if distance does not decide.
    pub(crate) fn farthest(&self, fit: f64) -> Option<Meters> {
        match &self.shape {
            Shape::Near { scale, core } if fit > 0.0 => Some(Meters(scale / fit - scale + core)),
            _ => None,
        }
    }
}

/// A turn of the circle is drawn with a corner every so many degrees.
const CORNER: f64 = 5.0;

/// The points at a distance from a center, from one bearing to another.
fn arc_around(center: Point, radius: f64, from: f64, to: f64) -> Vec<Point> {
    let steps = ((to - from) / CORNER).ceil().max(1.0) as usize;
    let bearing = |step: usize| from + (to - from) * step as f64 / steps as f64;
    let at = |step| center.destination(earth::Bearing::new(bearing(step)), Meters(radius));
    (0..=steps).map(at).collect()
}

/// The points over which the way from one to another is longer by the slack.
fn ellipse(one: Point, other: Point, whole: f64, slack: f64) -> Vec<Point> {
    let course = one.bearing(other).degrees();
    // Seen from one of its foci an ellipse is a (1 − e²) / (1 − e cos θ) wide; a is half the longest way.
    let (axis, eccentricity) = (f64::midpoint(whole, slack), whole / (whole + slack).max(1.0));
    let parameter = axis * (1.0 - eccentricity * eccentricity);
    let at = |turn: f64| {
        let far = parameter / (1.0 - eccentricity * turn.to_radians().cos());
        one.destination(earth::Bearing::new(course + turn), Meters(far))
    };
    (0..=(360.0 / CORNER) as usize).map(|it| at(it as f64 * CORNER)).collect()
}

/// What is no farther from a leg than the width.
fn corridor(one: Point, other: Point, width: f64) -> Vec<Point> {
    // Half a circle around each end, on the side that looks away from the other end.
    let half = |end: Point, from: Point| {
        let away = end.bearing(from).degrees() + 180.0;
        arc_around(end, width, away - 90.0, away + 90.0)
    };
    [half(other, one), half(one, other)].concat()
}

fn corners(bounds: Bounds) -> Vec<Point> {
    let Bounds { south, west, north, east } = bounds;
    [(south, west), (south, east), (north, east), (north, west)]
        .map(|(lat, lon)| Point::new(lat, lon))
        .to_vec()
}

fn off_sphere(vector: Vector) -> Point {
    let lat = vector[2].clamp(-1.0, 1.0).asin().to_degrees();
    Point::new(lat, vector[1].atan2(vector[0]).to_degrees())
}

/// The box around a disc, a little wider than it has to be.
fn disc(center: Point, radius: Meters) -> Bounds {
    Bounds::around(center, Meters(radius.0 * 1.000_001 + 0.1))
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

/// Boxes that together hold all within the width of a leg: around points on it, two widths apart.
fn beads(one: Point, other: Point, width: Meters) -> impl Iterator<Item = Bounds> {
    /// A narrow corridor over a continent has no more beads than this; they are larger instead.
    const MOST: f64 = 64.0;
    let length = one.distance(other).0;
    let count = (length / (2.0 * width.0.max(1.0))).ceil().clamp(1.0, MOST);
    let step = length / count;
    // What lies beyond an end of the leg is within the width, too.
    let radius = Meters((step / 2.0 + width.0) * 1.001 + 1.0);
    let bearing = one.bearing(other);
    (0..count as usize)
        .map(move |it| disc(one.destination(bearing, Meters(step * (it as f64 + 0.5))), radius))
}

/// A leg of a line: a part of a great circle, in vectors of the unit sphere.
#[derive(Clone, Copy, Debug)]
struct Leg {
    ends: [Vector; 2],
    /// The axis of the great circle; nothing for a leg without length.
    axis: Vector,
    /// What has a positive part along both lies beside the leg, not before or behind it.
    inward: [Vector; 2],
}

type Vector = [f64; 3];

fn on_sphere(point: Point) -> Vector {
    let (lat, lon) = (point.lat.to_radians(), point.lon.to_radians());
    [lat.cos() * lon.cos(), lat.cos() * lon.sin(), lat.sin()]
}

fn dot(a: Vector, b: Vector) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

fn cross(a: Vector, b: Vector) -> Vector {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

/// The angle between two points of the sphere, in metres on the ground; exact for small ones, too.
fn arc(a: Vector, b: Vector) -> f64 {
    let gap = [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
    2.0 * (dot(gap, gap).sqrt() / 2.0).clamp(0.0, 1.0).asin() * 6_371_008.8
}

impl Leg {
    fn of(one: Point, other: Point) -> Self {
        let ends = [on_sphere(one), on_sphere(other)];
        let normal = cross(ends[0], ends[1]);
        let length = dot(normal, normal).sqrt();
        let axis = if length > 0.0 { normal.map(|it| it / length) } else { [0.0; 3] };
        Self { ends, axis, inward: [cross(axis, ends[0]), cross(ends[1], axis)] }
    }

    /// How far a point is from the leg.
    fn off(&self, at: Vector) -> f64 {
        let is_beside = dot(self.inward[0], at) > 0.0 && dot(self.inward[1], at) > 0.0;
        if is_beside {
            dot(self.axis, at).clamp(-1.0, 1.0).asin().abs() * 6_371_008.8
        } else {
            arc(self.ends[0], at).min(arc(self.ends[1], at))
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn fixed(point: Point) -> (i32, i32) {
        (index::fixed(point.lat), index::fixed(point.lon))
    }

    /// A little toward the middle is inside, a little away from it is not.
    #[track_caller]
    fn check_edge(reach: &Reach, middle: Point) {
        for point in reach.rings().concat() {
            let (far, course) = (middle.distance(point).0, middle.bearing(point));
            let at = |part: f64| fixed(middle.destination(course, Meters(far * part)));
            let ((lat, lon), (beyond_lat, beyond_lon)) = (at(0.98), at(1.02));
            assert!(reach.fit(lat, lon).is_some(), "{point:?} is beyond the edge");
            assert!(reach.fit(beyond_lat, beyond_lon).is_none(), "{point:?} is short of the edge");
        }
    }

    #[test]
    fn the_line_drawn_is_the_edge() {
        let (one, other) = (Point::new(60.0, 24.0), Point::new(60.5, 26.0));
        let middle = one.destination(one.bearing(other), Meters(one.distance(other).0 / 2.0));
        check_edge(&Reach::ring(one, Meters(0.0), Meters(5_000.0)), one);
        check_edge(&Reach::between(one, other, 0.15), middle);
        check_edge(&Reach::bounds(Bounds::new(60.0, 24.0, 60.2, 24.4)), Point::new(60.1, 24.2));
        check_edge(&Reach::along(&[one, other], Meters(9_000.0)).expect("a line"), middle);
        let sector = Reach::sector(one, 0.0, Meters(1_000.0), Meters(90_000.0), Meters(5_000.0));
        check_edge(&sector, one.destination(earth::Bearing::new(0.0), Meters(50_000.0)));
    }

    proptest! {
        #[test]
        fn a_leg_is_as_far_as_its_nearest_point(
            lat in -80.0..80.0f64, lon in -180.0..180.0f64, course in 0.0..360.0f64, length in 1.0e3..1.0e6f64,
            up in -5.0..5.0f64, turn in -5.0..5.0f64,
        ) {
            let one = Point::new(lat, lon);
            let way = |far: f64| one.destination(earth::Bearing::new(course), Meters(far));
            let at = Point::checked((lat + up).clamp(-90.0, 90.0), (lon + turn + 540.0).rem_euclid(360.0) - 180.0).unwrap();
            let off = Leg::of(one, way(length)).off(on_sphere(at));
            let steps = 2_000;
            let nearest = (0..=steps)
                .map(|it| way(length * f64::from(it) / f64::from(steps)).distance(at).0)
                .fold(f64::MAX, f64::min);
            prop_assert!(off <= nearest + 1.0 && off >= nearest - length / f64::from(steps) - 1.0, "{off} {nearest}");
        }
    }
}
