//! The base map under a picture, gathered from its tiles.

use super::path::Path;
use super::view::View;
use crate::basemap::Basemap;
use crate::clip;
use crate::mercator::{Frame, Spot};
use crate::simplify;
use crate::tile::{self, Feature, Layer, Shape, Step, Value};

/// How far, in pixels, a corner may be away from what is drawn.
pub(super) const TOLERANCE: f64 = 0.4;

/// Where that is too much for a page, the tolerance grows, at most so many times.
const MOST_GROWTH: usize = 5;

/// Rings that are smaller than this many squares of the tolerance are left out: at first two square pixels.
const SMALLEST_RING: f64 = 12.0;

/// The most bytes that the paths of the base map may have. A page without JavaScript is to stay small.
const BUDGET: usize = 30_000;

/// Polygons of neighbouring tiles reach this many pixels into each other, so that no seam shows.
const OVERLAP: f64 = 0.4;

/// Beyond the picture's edge nothing is drawn but what a thick line needs.
const MARGIN: f64 = 4.0;

/// Rivers up to this rank are the great ones.
const GREAT_RIVER: u64 = 3;

/// What the tiles under a picture have, in its pixels.
#[derive(Default)]
pub(super) struct World {
    pub(super) land: Path,
    pub(super) lakes: Path,
    pub(super) great_rivers: Path,
    pub(super) rivers: Path,
    pub(super) regions: Path,
    pub(super) borders: Path,
    pub(super) disputed: Path,
    /// The best known first.
    pub(super) cities: Vec<City>,
    tolerance: f64,
}

/// A city in the picture.
pub(super) struct City {
    pub(super) name: String,
    pub(super) at: Spot,
    pub(super) is_capital: bool,
    rank: u64,
    people: u64,
}

impl World {
    /// Gathers the tiles of a picture.
    pub(super) fn under(basemap: &Basemap, view: &View) -> Self {
        let sheets = sheets(basemap, view);
        let mut tolerance = TOLERANCE;
        let mut world = Self::of(view, &sheets, tolerance);
        for _ in 0..MOST_GROWTH {
            if world.size() <= BUDGET {
                break;
            }
            // Halving the bytes takes about twice the tolerance.
            tolerance *= (world.size() as f64 / BUDGET as f64).clamp(1.2, 2.0);
            world = Self::of(view, &sheets, tolerance);
        }
        world
    }

    fn of(view: &View, sheets: &[Sheet], tolerance: f64) -> Self {
        let mut world = Self { tolerance, ..Self::default() };
        for sheet in sheets {
            sheet.layers.iter().for_each(|layer| world.add(sheet, layer));
        }
        world.add_the_far_south(view);
        world.cities.sort_by(|a, b| (a.rank, b.people, &a.name).cmp(&(b.rank, a.people, &b.name)));
        world
    }

    fn size(&self) -> usize {
        let lines =
            [&self.great_rivers, &self.rivers, &self.regions, &self.borders, &self.disputed];
        let paths = [&self.land, &self.lakes].into_iter().chain(lines);
        paths.map(|path| path.text().len()).sum()
    }

    fn add(&mut self, sheet: &Sheet, layer: &Layer) {
        let steps = f64::from(layer.extent);
        for feature in &layer.features {
            let lines: &mut Path = match (layer.name.as_str(), &feature.shape) {
                ("land", Shape::Polygons(rings)) => {
                    let path = &mut self.land;
                    rings.iter().for_each(|it| sheet.ring(self.tolerance, steps, path, it));
                    continue;
                }
                ("lakes", Shape::Polygons(rings)) => {
                    let path = &mut self.lakes;
                    rings.iter().for_each(|it| sheet.ring(self.tolerance, steps, path, it));
                    continue;
                }
                ("cities", Shape::Points(points)) => {
                    let city = |&step: &Step| City::of(feature, sheet.pixel(steps, step));
                    self.cities.extend(points.iter().filter_map(city));
                    continue;
                }
                ("rivers", _) if number(feature, "rank") <= GREAT_RIVER => &mut self.great_rivers,
                ("rivers", _) => &mut self.rivers,
                // Natural Earth says from which zoom on a line between regions is worth showing.
                ("regions", _) if number(feature, "rank") as f64 > sheet.view.zoom() => continue,
                ("regions", _) => &mut self.regions,
                ("borders", _) if feature.tag("disputed").is_some() => &mut self.disputed,
                ("borders", _) => &mut self.borders,
                _ => continue,
            };
            if let Shape::Lines(pieces) = &feature.shape {
                pieces.iter().for_each(|it| sheet.line(self.tolerance, steps, lines, it));
            }
        }
    }

    /// Mercator's square ends at 85 degrees; what is south of it is ice.
    fn add_the_far_south(&mut self, view: &View) {
        let [_, edge] = view.pixel([0.0, 1.0]);
        let [width, height] = view.size;
        if edge < height {
            let top = edge.max(-MARGIN) - OVERLAP;
            let (left, right, foot) = (-MARGIN, width + MARGIN, height + MARGIN);
            self.land.ring(&[[left, top], [right, top], [right, foot], [left, foot]]);
        }
    }
}

impl City {
    fn of(feature: &Feature, at: Spot) -> Option<Self> {
        let Some(Value::Text(name)) = feature.tag("name") else { return None };
        Some(Self {
            name: name.clone(),
            at,
            is_capital: feature.tag("capital").is_some(),
            rank: number(feature, "rank"),
            people: number(feature, "people"),
        })
    }
}

fn number(feature: &Feature, tag: &str) -> u64 {
    match feature.tag(tag) {
        Some(Value::Number(number)) => *number,
        _ => 0,
    }
}

/// The tiles of a picture.
fn sheets(basemap: &Basemap, view: &View) -> Vec<Sheet> {
    let (first, last) = basemap.zooms();
    let z = view.whole_zoom().min(last);
    if z < first {
        return Vec::new();
    }
    let count = 1_i64 << z;
    let side = 1.0 / count as f64;
    let number = |at: f64| (at * count as f64).floor() as i64;
    let rows = number(view.frame.low[1]).max(0)..=number(view.frame.high[1]).min(count - 1);
    let mut sheets = Vec::new();
    for row in rows {
        for column in number(view.frame.low[0])..=number(view.frame.high[0]) {
            let x = column.rem_euclid(count) as u32;
            // What of a file cannot be read is not drawn.
            let Ok(Some(bytes)) = basemap.tile(z, x, row as u32) else { continue };
            let low = view.pixel([column as f64 * side, row as f64 * side]);
            let layers = tile::read(&bytes);
            sheets.push(Sheet { low, side: side * view.scale, view: *view, layers });
        }
    }
    sheets
}

/// A tile where it lies in the picture.
struct Sheet {
    layers: Vec<Layer>,
    low: Spot,
    /// Its width in pixels.
    side: f64,
    view: View,
}

impl Sheet {
    fn pixel(&self, steps: f64, step: Step) -> Spot {
        [0, 1].map(|axis| self.low[axis] + f64::from(step[axis]) * self.side / steps)
    }

    /// What of the tile is seen, with so much around the tile.
    fn frame(&self, around: f64) -> Frame {
        let picture = self.view.pixels(MARGIN);
        Frame {
            low: [0, 1].map(|it| (self.low[it] - around).max(picture.low[it])),
            high: [0, 1].map(|it| (self.low[it] + self.side + around).min(picture.high[it])),
        }
    }

    fn ring(&self, tolerance: f64, steps: f64, path: &mut Path, ring: &[Step]) {
        let pixels: Vec<Spot> = ring.iter().map(|&step| self.pixel(steps, step)).collect();
        put_ring(path, tolerance, self.frame(OVERLAP), &pixels);
    }

    fn line(&self, tolerance: f64, steps: f64, path: &mut Path, line: &[Step]) {
        let pixels: Vec<Spot> = line.iter().map(|&step| self.pixel(steps, step)).collect();
        put_line(path, tolerance, self.frame(0.0), &pixels);
    }
}

/// Adds what is seen of a ring.
pub(super) fn put_ring(path: &mut Path, tolerance: f64, frame: Frame, ring: &[Spot]) {
    let ring = simplify::ring(tolerance, &clip::ring(frame, ring));
    let edges = ring.iter().zip(ring.iter().cycle().skip(1));
    let double_area: f64 = edges.map(|(a, b)| a[0] * b[1] - b[0] * a[1]).sum();
    if double_area.abs() >= 2.0 * SMALLEST_RING * tolerance * tolerance {
        path.ring(&ring);
    }
}

/// Adds what is seen of a line.
pub(super) fn put_line(path: &mut Path, tolerance: f64, frame: Frame, line: &[Spot]) {
    for piece in clip::line(frame, line) {
        path.line(&simplify::line(tolerance, &piece));
    }
}
