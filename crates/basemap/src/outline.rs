//! Something to draw on Mercator's square, and how it gets into a tile.

use crate::clip;
use crate::mercator::{Spot, TileId};
use crate::simplify;
use crate::tile::{self, EXTENT, Shape, Step, tidy_ring};

/// How far shapes reach over the edge of their tile, as a share of it: what a thick line needs.
pub(crate) const MARGIN: f64 = 64.0 / EXTENT as f64;

/// Rings smaller than this many square steps are left out: less than half a pixel.
const SMALLEST_RING: i64 = 24;

/// Where something is.
#[derive(Clone, Debug)]
pub(crate) enum Outline {
    Point(Spot),
    Lines(Vec<Vec<Spot>>),
    /// An outer ring and its holes, none of them with its end repeated.
    Polygon(Vec<Vec<Spot>>),
}

impl Outline {
    /// The same with fewer corners, none of which was farther away than the tolerance from what is left.
    pub(crate) fn simplified(&self, tolerance: f64) -> Self {
        match self {
            Self::Point(spot) => Self::Point(*spot),
            Self::Lines(lines) => {
                Self::Lines(lines.iter().map(|it| simplify::line(tolerance, it)).collect())
            }
            Self::Polygon(rings) => {
                Self::Polygon(rings.iter().map(|it| simplify::ring(tolerance, it)).collect())
            }
        }
    }

    /// What of it lies in the tile and the margin around it; none if nothing does.
    pub(crate) fn clipped(&self, tile: TileId, margin: f64) -> Option<Self> {
        let frame = tile.frame(margin);
        match self {
            // A point belongs to one tile, or its name would be written twice.
            Self::Point(spot) => {
                let frame = tile.frame(0.0);
                let is_in = |axis: usize| (frame.low[axis]..frame.high[axis]).contains(&spot[axis]);
                (is_in(0) && is_in(1)).then_some(Self::Point(*spot))
            }
            Self::Lines(lines) => {
                let pieces: Vec<_> = lines.iter().flat_map(|it| clip::line(frame, it)).collect();
                (!pieces.is_empty()).then_some(Self::Lines(pieces))
            }
            Self::Polygon(rings) => {
                let mut rings = rings.iter().map(|it| clip::ring(frame, it));
                let outer = rings.next().filter(|ring| ring.len() > 2)?;
                let holes = rings.filter(|ring| ring.len() > 2);
                Some(Self::Polygon([outer].into_iter().chain(holes).collect()))
            }
        }
    }

    /// Its shape in the steps of a tile; none if it is too small to be seen.
    pub(crate) fn shape(&self, tile: TileId) -> Option<Shape> {
        let steps = |line: &Vec<Spot>| -> Vec<Step> {
            let mut steps: Vec<Step> =
                line.iter().map(|&spot| tile.steps(f64::from(EXTENT), spot)).collect();
            steps.dedup();
            steps
        };
        match self {
            Self::Point(spot) => Some(Shape::Points(vec![tile.steps(f64::from(EXTENT), *spot)])),
            Self::Lines(lines) => {
                let lines: Vec<_> = lines.iter().map(steps).filter(|line| line.len() > 1).collect();
                (!lines.is_empty()).then_some(Shape::Lines(lines))
            }
            Self::Polygon(rings) => {
                let large = |ring: &Vec<Step>| tile::double_area(ring).abs() >= 2 * SMALLEST_RING;
                let mut rings = rings.iter().map(steps).enumerate();
                let tidy = |(number, ring)| tidy_ring(ring, number == 0).filter(large);
                let outer = rings.next().and_then(tidy)?;
                Some(Shape::Polygons([outer].into_iter().chain(rings.filter_map(tidy)).collect()))
            }
        }
    }

    /// The outlines of a shape in a tile that is `extent` steps wide.
    pub(crate) fn of(tile: TileId, extent: u32, shape: &Shape) -> Vec<Self> {
        let place = |step: Step| tile.spot(f64::from(extent), step);
        let line = |steps: &Vec<Step>| -> Vec<Spot> { steps.iter().map(|&it| place(it)).collect() };
        match shape {
            Shape::Points(points) => points.iter().map(|&it| Self::Point(place(it))).collect(),
            Shape::Lines(lines) => vec![Self::Lines(lines.iter().map(line).collect())],
            Shape::Polygons(rings) => {
                let mut polygons: Vec<Vec<Vec<Spot>>> = Vec::new();
                for ring in rings {
                    match polygons.last_mut() {
                        // Holes go the other way round.
                        Some(polygon) if tile::double_area(ring) < 0 => polygon.push(line(ring)),
                        _ => polygons.push(vec![line(ring)]),
                    }
                }
                polygons.into_iter().map(Self::Polygon).collect()
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_outline_comes_back_from_its_tile() {
        let tile = TileId { z: 2, x: 1, y: 2 };
        let square = |low: f64, high: f64| {
            vec![[low, low + 0.25], [high, low + 0.25], [high, high + 0.25], [low, high + 0.25]]
        };
        let outline = Outline::Polygon(vec![square(0.3, 0.4), square(0.33, 0.36)]);
        let shape = outline.shape(tile).unwrap();
        let back = Outline::of(tile, EXTENT, &shape);
        assert_eq!(back.len(), 1);
        let Outline::Polygon(rings) = &back[0] else { panic!("no polygon") };
        assert_eq!(rings.iter().map(Vec::len).collect::<Vec<_>>(), [4, 4]);
        assert!((rings[0][0][0] - 0.3).abs() < 1e-4);
    }

    #[test]
    fn what_is_too_small_to_be_seen_has_no_shape() {
        let tile = TileId { z: 0, x: 0, y: 0 };
        let dot = vec![[0.5, 0.5], [0.5001, 0.5], [0.5001, 0.5001]];
        assert!(Outline::Polygon(vec![dot]).shape(tile).is_none());
        assert!(Outline::Lines(vec![vec![[0.5, 0.5], [0.500_01, 0.5]]]).shape(tile).is_none());
    }
}
