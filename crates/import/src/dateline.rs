//! Outlines that cross the date line, cut there.

use geo::algorithm::area::Area;
use geo::{Coord, LineString, MultiPolygon, Polygon};

use crate::outline::nested;

/// How near to a pole an edge runs along it rather than over the date line.
///
/// Antarctica is drawn with an edge from −180° to 180° along the pole.
const POLAR: f64 = 89.9;

/// The same outline with every longitude from −180° to 180° and no edge across the date line.
///
/// An edge of more than 180° of longitude is taken to go the short way round. A ring around a pole is
/// led to the pole along the date line. Pieces without area are dropped.
pub(crate) fn cut_at_dateline(outline: MultiPolygon<f64>) -> MultiPolygon<f64> {
    if outline.iter().flat_map(rings).all(is_within) {
        return outline;
    }
    MultiPolygon(outline.into_iter().flat_map(|polygon| pieces(&polygon)).collect())
}

fn rings(polygon: &Polygon<f64>) -> impl Iterator<Item = &LineString<f64>> {
    std::iter::once(polygon.exterior()).chain(polygon.interiors())
}

/// True for a ring that does not cross the date line.
fn is_within(ring: &LineString<f64>) -> bool {
    ring.0.iter().all(|at| at.x.abs() <= 180.0)
        && ring.0.windows(2).all(|edge| !jumps(edge[0], edge[1]))
}

fn jumps(from: Coord<f64>, to: Coord<f64>) -> bool {
    let along_pole = from.y.abs() > POLAR && to.y.abs() > POLAR;
    (to.x - from.x).abs() > 180.0 && !along_pole
}

/// The pieces of one polygon, each back between −180° and 180°.
fn pieces(polygon: &Polygon<f64>) -> Vec<Polygon<f64>> {
    let Some(unrolled) = unrolled(polygon) else { return Vec::new() };
    let mut rest = vec![unrolled];
    let mut cut = Vec::new();
    // An unrolled ring starts within ±180° and, however often it goes round, is cut at most so far.
    for turn in [-2.0_f64, -1.0, 0.0, 1.0, 2.0] {
        let east = 180.0 + 360.0 * turn;
        let (inside, beyond): (Vec<_>, Vec<_>) = rest.iter().map(|p| split(p, east)).unzip();
        cut.extend(inside.into_iter().flatten().map(|piece| shifted(&piece, -360.0 * turn)));
        rest = beyond.into_iter().flatten().collect();
    }
    cut.retain(|piece| rings(piece).all(|ring| ring.0.iter().all(|at| at.x.abs() <= 180.0)));
    cut
}

/// The polygon with its longitudes running on over ±180°; none if it has no area or odd numbers.
fn unrolled(polygon: &Polygon<f64>) -> Option<Polygon<f64>> {
    let exterior = unrolled_ring(polygon.exterior())?;
    let middle = middle(&exterior);
    let holes = polygon.interiors().iter().filter_map(unrolled_ring).map(|hole| {
        let turns = ((middle - self::middle(&hole)) / 360.0).round();
        hole.0.iter().map(|at| Coord { x: at.x + 360.0 * turns, y: at.y }).collect()
    });
    let holes = holes.collect();
    Some(Polygon::new(exterior, holes))
}

fn unrolled_ring(ring: &LineString<f64>) -> Option<LineString<f64>> {
    let mut run: Vec<Coord<f64>> = Vec::with_capacity(ring.0.len() + 3);
    let usable = |at: &&Coord<f64>| at.x.abs() <= 720.0 && at.y.abs() <= 90.0;
    let mut shift = 0.0;
    let mut before: Option<Coord<f64>> = None;
    for &at in ring.0.iter().filter(usable) {
        if let Some(before) = before.filter(|&before| jumps(before, at)) {
            shift -= ((at.x - before.x) / 360.0).round() * 360.0;
        }
        before = Some(at);
        run.push(Coord { x: at.x + shift, y: at.y });
    }
    led_to_pole(&mut run);
    (run.len() > 3).then(|| LineString::new(run))
}

/// Closes a ring that ends a whole turn from where it began: it goes round a pole.
fn led_to_pole(run: &mut Vec<Coord<f64>>) {
    let (Some(&first), Some(&last)) = (run.first(), run.last()) else { return };
    if (last.x - first.x).abs() < 180.0 {
        return;
    }
    let pole = if run.iter().map(|at| at.y).sum::<f64>() < 0.0 { -90.0 } else { 90.0 };
    run.push(Coord { x: last.x, y: pole });
    run.push(Coord { x: first.x, y: pole });
    run.push(first);
}

/// Half way between the westernmost and the easternmost point.
fn middle(ring: &LineString<f64>) -> f64 {
    let west = ring.0.iter().map(|at| at.x).fold(f64::INFINITY, f64::min);
    let east = ring.0.iter().map(|at| at.x).fold(f64::NEG_INFINITY, f64::max);
    f64::midpoint(west, east)
}

fn shifted(polygon: &Polygon<f64>, by: f64) -> Polygon<f64> {
    let shift =
        |ring: &LineString<f64>| ring.0.iter().map(|at| Coord { x: at.x + by, y: at.y }).collect();
    Polygon::new(shift(polygon.exterior()), polygon.interiors().iter().map(shift).collect())
}

/// What lies west and what lies east of a meridian.
fn split(polygon: &Polygon<f64>, meridian: f64) -> (Vec<Polygon<f64>>, Vec<Polygon<f64>>) {
    let mut crossings = Vec::new();
    let (mut west, mut east) = (Side::default(), Side::default());
    for ring in rings(polygon) {
        split_ring(ring, meridian, &mut crossings, &mut west, &mut east);
    }
    let partners = partners(&crossings);
    (west.polygons(&partners), east.polygons(&partners))
}

/// One side of the meridian.
#[derive(Default)]
struct Side {
    /// Parts of rings from one crossing to another.
    arcs: Vec<Arc>,
    /// Rings that do not touch the meridian.
    whole: Vec<LineString<f64>>,
}

/// Part of a ring from one crossing to another, both by their number.
struct Arc {
    from: usize,
    to: usize,
    points: Vec<Coord<f64>>,
}

/// Shares a ring out to both sides; `crossings` gathers the latitudes where it goes over.
fn split_ring(
    ring: &LineString<f64>,
    meridian: f64,
    crossings: &mut Vec<f64>,
    west: &mut Side,
    east: &mut Side,
) {
    let is_west = |at: Coord<f64>| at.x < meridian;
    let points = &ring.0[..ring.0.len().saturating_sub(1)];
    let next = |index: usize| points[(index + 1) % points.len()];
    let goes_over = |index: &usize| is_west(points[*index]) != is_west(next(*index));
    let over: Vec<usize> = (0..points.len()).filter(goes_over).collect();
    if over.is_empty() {
        let is_west = points.first().is_some_and(|&at| is_west(at));
        if is_west { &mut *west } else { &mut *east }.whole.push(ring.clone());
        return;
    }
    let first = crossings.len();
    crossings.extend(over.iter().map(|&index| latitude(points[index], next(index), meridian)));
    for (number, &start) in over.iter().enumerate() {
        let following = (number + 1) % over.len();
        let (from, to) = (first + number, first + following);
        let at = |crossing: usize| Coord { x: meridian, y: crossings[crossing] };
        let length = (over[following] + points.len() - start - 1) % points.len() + 1;
        let between = (1..=length).map(|step| points[(start + step) % points.len()]);
        let points = std::iter::once(at(from)).chain(between).chain([at(to)]).collect();
        let side = if is_west(next(start)) { &mut *west } else { &mut *east };
        side.arcs.push(Arc { from, to, points });
    }
}

/// The latitude at which the edge meets the meridian.
fn latitude(a: Coord<f64>, b: Coord<f64>, meridian: f64) -> f64 {
    a.y + (b.y - a.y) * ((meridian - a.x) / (b.x - a.x))
}

/// For every crossing the one at the other end of the stretch of meridian inside the polygon.
///
/// From south to north every second stretch is inside; a closed ring crosses an even number of times.
fn partners(crossings: &[f64]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..crossings.len()).collect();
    order.sort_by(|&a, &b| crossings[a].total_cmp(&crossings[b]));
    let mut partners = vec![0; crossings.len()];
    for pair in order.chunks_exact(2) {
        partners[pair[0]] = pair[1];
        partners[pair[1]] = pair[0];
    }
    partners
}

impl Side {
    /// Joins the arcs along the meridian to rings, and gives the holes to the rings around them.
    fn polygons(self, partners: &[usize]) -> Vec<Polygon<f64>> {
        let mut whole = self.whole;
        let mut outers = joined(&self.arcs, partners);
        if self.arcs.is_empty() && !whole.is_empty() {
            outers.push(whole.remove(0));
        }
        let mut polygons = nested(outers, whole).0;
        polygons.retain(|polygon| polygon.unsigned_area() > 0.0);
        polygons
    }
}

/// Rings of arcs: each crossing has one arc on this side and one partner, so all of them close.
fn joined(arcs: &[Arc], partners: &[usize]) -> Vec<LineString<f64>> {
    let mut at_crossing = vec![None; partners.len()];
    for (number, arc) in arcs.iter().enumerate() {
        at_crossing[arc.from] = Some(number);
        at_crossing[arc.to] = Some(number);
    }
    let mut used = vec![false; arcs.len()];
    let mut rings = Vec::new();
    for start in 0..arcs.len() {
        let mut ring = Vec::new();
        let mut walk = Some((start, arcs[start].from));
        while let Some((number, from)) = walk.filter(|&(number, _)| !used[number]) {
            used[number] = true;
            let arc = &arcs[number];
            let forward = arc.from == from;
            if forward {
                ring.extend(&arc.points);
            } else {
                ring.extend(arc.points.iter().rev());
            }
            let on = partners[if forward { arc.to } else { arc.from }];
            walk = at_crossing[on].map(|number| (number, on));
        }
        ring.dedup();
        if ring.len() > 2 {
            rings.push(LineString::new(ring));
        }
    }
    rings
}

#[cfg(test)]
mod tests {
    use geo::{BoundingRect, polygon};
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn an_outline_away_from_the_date_line_stays_as_it_is() {
        let square = square(10.0, 20.0);
        assert_eq!(cut_at_dateline(square.clone()), square);
    }

    #[test]
    fn an_outline_that_touches_the_date_line_stays_as_it_is() {
        let square = square(170.0, 180.0);
        assert_eq!(cut_at_dateline(square.clone()), square);
    }

    #[test]
    fn a_box_over_the_date_line_becomes_two() {
        check(square(177.0, -178.0), &[(177.0, 180.0, 30.0), (-180.0, -178.0, 20.0)]);
    }

    #[test]
    fn longitudes_beyond_180_are_brought_back() {
        check(square(177.0, 182.0), &[(177.0, 180.0, 30.0), (-180.0, -178.0, 20.0)]);
        check(square(-200.0, -190.0), &[(160.0, 170.0, 100.0)]);
    }

    #[test]
    fn a_hole_over_the_date_line_is_cut_too() {
        let ring = MultiPolygon(vec![polygon!(
            exterior: [
                (x: 170.0, y: 0.0), (x: -170.0, y: 0.0), (x: -170.0, y: 10.0), (x: 170.0, y: 10.0),
            ],
            interiors: [[
                (x: 179.0, y: 4.0), (x: -179.0, y: 4.0), (x: -179.0, y: 6.0), (x: 179.0, y: 6.0),
            ]],
        )]);
        check(ring, &[(170.0, 180.0, 98.0), (-180.0, -170.0, 98.0)]);
    }

    #[test]
    fn a_hole_on_one_side_stays_with_its_side() {
        let ring = MultiPolygon(vec![polygon!(
            exterior: [
                (x: 170.0, y: 0.0), (x: -170.0, y: 0.0), (x: -170.0, y: 10.0), (x: 170.0, y: 10.0),
            ],
            interiors: [[
                (x: -179.0, y: 4.0), (x: -178.0, y: 4.0), (x: -178.0, y: 6.0), (x: -179.0, y: 6.0),
            ]],
        )]);
        check(ring, &[(170.0, 180.0, 100.0), (-180.0, -170.0, 98.0)]);
    }

    #[test]
    fn a_comb_over_the_date_line_falls_apart_into_its_teeth() {
        let comb = MultiPolygon(vec![polygon![
            (x: 178.0, y: 0.0), (x: -178.0, y: 0.0), (x: -178.0, y: 1.0), (x: 179.0, y: 1.0),
            (x: 179.0, y: 2.0), (x: -178.0, y: 2.0), (x: -178.0, y: 3.0), (x: 178.0, y: 3.0),
        ]]);
        check(comb, &[(178.0, 180.0, 5.0), (-180.0, -178.0, 2.0), (-180.0, -178.0, 2.0)]);
    }

    #[test]
    fn a_ring_around_the_south_pole_is_led_to_it() {
        let ring = (0..12).map(|step| f64::from(step) * 30.0 - 165.0).map(|x| (x, -70.0));
        let ring = MultiPolygon(vec![Polygon::new(ring.collect(), Vec::new())]);
        let cut = cut_at_dateline(ring);
        let area: f64 = cut.iter().map(Area::unsigned_area).sum();
        assert!((area - 360.0 * 20.0).abs() < 1e-6, "{area}");
    }

    #[test]
    fn antarctica_with_its_edge_along_the_pole_stays_as_it_is() {
        let drawn = MultiPolygon(vec![polygon![
            (x: -180.0, y: -90.0), (x: 180.0, y: -90.0), (x: 180.0, y: -84.0), (x: 90.0, y: -66.0),
            (x: 0.0, y: -70.0), (x: -90.0, y: -73.0), (x: -180.0, y: -84.0),
        ]]);
        assert_eq!(cut_at_dateline(drawn.clone()), drawn);
    }

    proptest! {
        #[test]
        fn a_star_anywhere_keeps_its_area(
            east in -180.0..180.0_f64,
            lengths in prop::collection::vec(0.5..30.0_f64, 3..40),
        ) {
            let star = star(&lengths);
            let area: f64 = star.iter().map(Area::unsigned_area).sum();
            let wrapped = star.iter().map(|polygon| {
                let wrap = |x: f64| (x + east + 180.0).rem_euclid(360.0) - 180.0;
                let ring = polygon.exterior().0.iter().map(|at| (wrap(at.x), at.y)).collect();
                Polygon::new(ring, Vec::new())
            });
            let cut = cut_at_dateline(wrapped.collect());
            let after: f64 = cut.iter().map(Area::unsigned_area).sum();
            prop_assert!((area - after).abs() < 1e-6 * area.max(1.0), "{} {}", area, after);
            prop_assert!(cut.iter().flat_map(rings).all(is_within));
        }

        #[test]
        fn any_numbers_are_survived(
            points in prop::collection::vec((any::<f64>(), any::<f64>()), 0..30),
            wide in prop::collection::vec((-400.0..400.0_f64, -95.0..95.0_f64), 0..30),
            hole in prop::collection::vec((-400.0..400.0_f64, -95.0..95.0_f64), 0..30),
        ) {
            let any = Polygon::new(points.into(), Vec::new());
            let wide = Polygon::new(wide.into(), vec![hole.into()]);
            let cut = cut_at_dateline(MultiPolygon(vec![any, wide]));
            prop_assert!(cut.iter().flat_map(rings).flat_map(|r| &r.0).all(|at| at.x.abs() <= 180.0));
        }
    }

    #[track_caller]
    fn check(outline: MultiPolygon<f64>, expected: &[(f64, f64, f64)]) {
        let cut = cut_at_dateline(outline);
        let found: Vec<_> = cut
            .iter()
            .map(|polygon| {
                let bounds = polygon.bounding_rect().unwrap();
                (bounds.min().x, bounds.max().x, polygon.unsigned_area())
            })
            .collect();
        assert_eq!(found, expected);
    }

    fn square(west: f64, east: f64) -> MultiPolygon<f64> {
        let corners = vec![(west, 0.0), (east, 0.0), (east, 10.0), (west, 10.0)];
        MultiPolygon(vec![Polygon::new(corners.into(), Vec::new())])
    }

    fn star(lengths: &[f64]) -> MultiPolygon<f64> {
        let turn = std::f64::consts::TAU / lengths.len() as f64;
        let point = |(number, length): (usize, &f64)| {
            let (sin, cos) = (turn * number as f64).sin_cos();
            (length * cos, length * sin)
        };
        let ring: Vec<_> = lengths.iter().enumerate().map(point).collect();
        MultiPolygon(vec![Polygon::new(ring.into(), Vec::new())])
    }
}
