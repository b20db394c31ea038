//! Outlines cut where the longitude jumps from 180 to −180.

use geo::{Coord, LineString, MultiPolygon, Polygon};

/// The outline in pieces that do not cross the date line.
///
/// A step of more than half the globe between two vertices is taken for a step across the line.
pub(super) fn cut(outline: MultiPolygon<f64>) -> MultiPolygon<f64> {
    MultiPolygon::new(outline.0.into_iter().flat_map(cut_polygon).collect())
}

fn cut_polygon(polygon: Polygon<f64>) -> Vec<Polygon<f64>> {
    if !crosses(polygon.exterior()) {
        return vec![polygon];
    }
    let (outer, inner) = polygon.into_inner();
    let outer = unroll(&outer, None);
    let start = outer[0].x;
    let inner: Vec<_> = inner.iter().map(|ring| unroll(ring, Some(start))).collect();
    // Unrolled, the ring lies on one sheet of longitudes from −540 to 540: three strips of 360.
    let strips = [-360.0, 0.0, 360.0];
    strips.iter().filter_map(|&shift| strip(shift, &outer, &inner)).collect()
}

fn crosses(ring: &LineString<f64>) -> bool {
    ring.0.windows(2).any(|pair| (pair[1].x - pair[0].x).abs() > 180.0)
}

/// The ring with longitudes that run on instead of jumping.
fn unroll(ring: &LineString<f64>, near: Option<f64>) -> Vec<Coord<f64>> {
    let mut last = near;
    let mut unrolled = Vec::with_capacity(ring.0.len());
    for &at in &ring.0 {
        let x = last.map_or(at.x, |last: f64| at.x + 360.0 * ((last - at.x) / 360.0).round());
        unrolled.push(Coord { x, y: at.y });
        last = Some(x);
    }
    unrolled
}

/// What lies between −180 and 180 after shifting the sheet, or nothing.
fn strip(shift: f64, outer: &[Coord<f64>], inner: &[Vec<Coord<f64>>]) -> Option<Polygon<f64>> {
    let clip = |ring: &[Coord<f64>]| {
        let shifted: Vec<_> = ring.iter().map(|at| Coord { x: at.x + shift, y: at.y }).collect();
        let east = clip_half(&shifted, |x| 180.0 - x, 180.0);
        clip_half(&east, |x| x + 180.0, -180.0)
    };
    let outer = clip(outer);
    let has_width = outer.iter().any(|at| at.x.abs() < 180.0);
    let holes = inner.iter().map(|ring| clip(ring)).filter(|ring| ring.len() > 3);
    has_width.then(|| Polygon::new(LineString::new(outer), holes.map(LineString::new).collect()))
}

/// The part of a closed ring where `inside` is not negative (Sutherland-Hodgman at `edge`).
fn clip_half(ring: &[Coord<f64>], inside: impl Fn(f64) -> f64, edge: f64) -> Vec<Coord<f64>> {
    let mut clipped = Vec::with_capacity(ring.len());
    for pair in ring.windows(2) {
        let (a, b) = (pair[0], pair[1]);
        if inside(a.x) >= 0.0 {
            clipped.push(a);
        }
        if (inside(a.x) > 0.0 && inside(b.x) < 0.0) || (inside(a.x) < 0.0 && inside(b.x) > 0.0) {
            let part = (edge - a.x) / (b.x - a.x);
            clipped.push(Coord { x: edge, y: a.y + part * (b.y - a.y) });
        }
    }
    if let Some(&first) = clipped.first() {
        clipped.push(first);
    }
    clipped
}

#[cfg(test)]
mod tests {
    use geo::{Area, BoundingRect, polygon};

    use super::*;

    #[test]
    fn a_ring_across_the_date_line_becomes_two() {
        let ring = polygon![
            (x: 179.0, y: 0.0), (x: -178.0, y: 0.0), (x: -178.0, y: 1.0), (x: 179.0, y: 1.0),
        ];
        let pieces = cut(ring.into());
        let mut areas: Vec<f64> = pieces.iter().map(Area::unsigned_area).collect();
        areas.sort_by(f64::total_cmp);
        assert_eq!(areas, [1.0, 2.0]);
        let rect = pieces.bounding_rect().unwrap();
        assert_eq!((rect.min().x, rect.max().x), (-180.0, 180.0));
    }

    #[test]
    fn a_ring_that_stays_on_one_side_is_left_alone() {
        let ring = polygon![(x: 170.0, y: 0.0), (x: 180.0, y: 0.0), (x: 180.0, y: 1.0)];
        assert_eq!(cut(ring.clone().into()), ring.into());
    }
}
