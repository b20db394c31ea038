//! The streets and houses under a picture.

use super::path::Path;
use super::view::View;
use super::world::{put_line, put_ring};
use crate::mercator::{Frame, Spot};
use crate::outline::Outline;
use crate::town::{self, Piece};

/// The most bytes that the paths of a town may have: more than for a country, since houses have many corners.
const BUDGET: usize = 42_000;

/// How far, in pixels, a corner may be away from what is drawn; twice as far where that is too much for a page.
const TOLERANCE: f64 = 0.5;

/// Polygons of neighbouring tiles reach this many pixels into each other, so that no seam shows.
const OVERLAP: f64 = 0.3;

/// Beyond the picture's edge nothing is drawn but what a street needs.
const MARGIN: f64 = 20.0;

/// What is known of a town, in pixels.
#[derive(Default)]
pub(super) struct Town {
    pub(super) green: Path,
    pub(super) water: Path,
    pub(super) coast: Path,
    pub(super) buildings: Path,
    pub(super) rails: Path,
    pub(super) paths: Path,
    pub(super) minor: Path,
    pub(super) major: Path,
}

impl Town {
    /// What has room in a picture.
    pub(super) fn under(view: &View) -> Self {
        let mut zoom = view.whole_zoom();
        loop {
            let pieces = town::pieces(view.frame, zoom);
            let mut town = Self::of(view, TOLERANCE, &pieces);
            if town.size() > BUDGET {
                town = Self::of(view, 2.0 * TOLERANCE, &pieces);
            }
            if town.size() <= BUDGET || zoom <= town::FIRST {
                return town;
            }
            // With less zoom there is less in it: first paths go, then houses.
            zoom -= 1;
        }
    }

    fn of(view: &View, tolerance: f64, pieces: &[Piece]) -> Self {
        let mut town = Self::default();
        pieces.iter().for_each(|piece| town.add(view, tolerance, piece));
        town
    }

    fn size(&self) -> usize {
        let areas = [&self.green, &self.water, &self.buildings];
        let lines = [&self.coast, &self.rails, &self.paths, &self.minor, &self.major];
        areas.into_iter().chain(lines).map(|path| path.text().len()).sum()
    }

    fn add(&mut self, view: &View, tolerance: f64, piece: &Piece) {
        let path = match (piece.layer.as_str(), piece.class()) {
            ("green", _) => &mut self.green,
            ("water", _) => &mut self.water,
            ("coast", _) => &mut self.coast,
            ("buildings", _) => &mut self.buildings,
            (_, "rail") => &mut self.rails,
            (_, "path") => &mut self.paths,
            (_, "minor") => &mut self.minor,
            _ => &mut self.major,
        };
        let pixels =
            |line: &Vec<Spot>| -> Vec<Spot> { line.iter().map(|&spot| view.pixel(spot)).collect() };
        match &piece.outline {
            Outline::Polygon(rings) => {
                let frame = seen(view, piece, OVERLAP);
                rings.iter().for_each(|ring| put_ring(path, tolerance, frame, &pixels(ring)));
            }
            Outline::Lines(lines) => {
                let frame = seen(view, piece, 0.0);
                lines.iter().for_each(|line| put_line(path, tolerance, frame, &pixels(line)));
            }
            Outline::Point(_) => {}
        }
    }
}

/// What of a piece's tile is seen, with so much around the tile.
fn seen(view: &View, piece: &Piece, around: f64) -> Frame {
    let picture = view.pixels(MARGIN);
    let tile = piece.tile.frame(0.0);
    let (low, high) = (view.pixel(tile.low), view.pixel(tile.high));
    Frame {
        low: [0, 1].map(|axis| (low[axis] - around).max(picture.low[axis])),
        high: [0, 1].map(|axis| (high[axis] + around).min(picture.high[axis])),
    }
}
