//! Polygons out of loose rings.

use geo::algorithm::bounding_rect::BoundingRect;
use geo::algorithm::contains::Contains;
use geo::{LineString, MultiPolygon, Point, Polygon};
use rstar::primitives::{GeomWithData, Rectangle};
use rstar::{AABB, RTree};

/// How many rings around a hole are looked at; outlines drawn by people have one or two.
const AROUND: usize = 64;

/// How many points of a hole are tried: those it shares with the ring around it lie in nothing.
const TRIED: usize = 8;

/// Outer rings with the holes that lie in them; a hole that lies in none is dropped.
pub(crate) fn nested(
    outers: Vec<LineString<f64>>,
    holes: Vec<LineString<f64>>,
) -> MultiPolygon<f64> {
    let mut polygons: Vec<Polygon<f64>> =
        outers.into_iter().map(|ring| Polygon::new(ring, Vec::new())).collect();
    if holes.is_empty() {
        return MultiPolygon(polygons);
    }
    let boxes = RTree::bulk_load(polygons.iter().enumerate().filter_map(boxed).collect());
    for hole in holes {
        if let Some(around) = around(&hole, &polygons, &boxes) {
            polygons[around].interiors_push(hole);
        }
    }
    MultiPolygon(polygons)
}

type Boxed = GeomWithData<Rectangle<[f64; 2]>, usize>;

fn boxed((number, polygon): (usize, &Polygon<f64>)) -> Option<Boxed> {
    let bounds = polygon.bounding_rect()?;
    let [min, max] = [bounds.min(), bounds.max()];
    Some(GeomWithData::new(Rectangle::from_corners([min.x, min.y], [max.x, max.y]), number))
}

/// The number of the polygon a hole lies in.
fn around(
    hole: &LineString<f64>,
    polygons: &[Polygon<f64>],
    boxes: &RTree<Boxed>,
) -> Option<usize> {
    let first = hole.0.first()?;
    let near = boxes.locate_in_envelope_intersecting(AABB::from_point([first.x, first.y]));
    let mut near = near.map(|found| found.data).take(AROUND);
    let lies_in = |&number: &usize| {
        let mut points = hole.0.iter().take(TRIED).map(|&at| Point::from(at));
        points.any(|point| polygons[number].contains(&point))
    };
    near.find(lies_in)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hole_goes_to_the_ring_around_it() {
        let outline = nested(vec![square(0.0, 10.0), square(20.0, 30.0)], vec![square(22.0, 24.0)]);
        let holes: Vec<_> = outline.iter().map(|polygon| polygon.interiors().len()).collect();
        assert_eq!(holes, [0, 1]);
    }

    #[test]
    fn a_hole_may_touch_the_ring_around_it() {
        let outline = nested(vec![square(0.0, 10.0)], vec![square(0.0, 4.0)]);
        assert_eq!(outline.0[0].interiors().len(), 1);
    }

    #[test]
    fn a_hole_in_nothing_is_dropped() {
        let outline = nested(vec![square(0.0, 10.0)], vec![square(50.0, 60.0)]);
        assert_eq!(outline.0[0].interiors().len(), 0);
    }

    /// A square; the one from 0 to 4 touches that from 0 to 10 with one corner, not its inside.
    fn square(from: f64, to: f64) -> LineString<f64> {
        LineString::from(vec![(from, from), (to, from), (to, to), (from, to), (from, from)])
    }
}
