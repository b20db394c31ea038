//! Streets, houses, green and water of the towns that come with the program: a sample, from OpenStreetMap.

use std::sync::OnceLock;

use crate::basemap::{Basemap, Source};
use crate::mercator::{Frame, TileId};
use crate::outline::Outline;
use crate::tile::{self, Value};

/// Under the Open Database License, so it stands apart from the map of the world.
static BYTES: &[u8] = include_bytes!("../../../data/towns.pmtiles");
static TOWNS: OnceLock<Basemap> = OnceLock::new();

/// The one zoom that was baked. A step of its tiles is half a metre, so it serves the deeper zooms too.
pub(crate) const BAKED: u8 = 14;

/// The first zoom at which towns are drawn.
pub(crate) const FIRST: u8 = 12;

/// The layers of a town, in the order in which they are drawn.
pub(crate) const LAYERS: [&str; 5] = ["green", "water", "coast", "buildings", "roads"];

/// Something of a town.
pub(crate) struct Piece {
    /// One of [`LAYERS`].
    pub(crate) layer: String,
    pub(crate) outline: Outline,
    pub(crate) tags: Vec<(String, Value)>,
    /// The tile it was cut to, and so to be cut to again where no margin is wanted.
    pub(crate) tile: TileId,
}

impl Piece {
    /// `major`, `minor`, `path` or `rail` for a road.
    pub(crate) fn class(&self) -> &str {
        match self.tags.iter().find(|(key, _)| key == "class") {
            Some((_, Value::Text(class))) => class,
            _ => "",
        }
    }

    /// The first zoom at which there is room for it.
    fn zoom(&self) -> u8 {
        match (self.layer.as_str(), self.class()) {
            ("roads", "path") => 16,
            ("buildings", _) => 15,
            ("roads", "minor") | ("green", _) => 13,
            _ => FIRST,
        }
    }
}

/// What is known of towns in a frame and has room at a zoom, in tiles of one zoom.
pub(crate) fn pieces(frame: Frame, zoom: u8) -> Vec<Piece> {
    if zoom < FIRST {
        return Vec::new();
    }
    let towns = TOWNS.get_or_init(|| {
        Basemap::new("the embedded towns", Source::Static(BYTES)).expect("a test opens it")
    });
    let count = 1_i64 << BAKED;
    let number = |at: f64| (at * count as f64).floor() as i64;
    let rows = number(frame.low[1]).max(0)..=number(frame.high[1]).min(count - 1);
    let mut pieces = Vec::new();
    for y in rows {
        for x in number(frame.low[0]).max(0)..=number(frame.high[0]).min(count - 1) {
            let tile = TileId { z: BAKED, x: x as u32, y: y as u32 };
            // A test reads every tile there is, so nothing is lost with the error.
            let Ok(Some(bytes)) = towns.tile(tile.z, tile.x, tile.y) else { continue };
            for layer in tile::read(&bytes) {
                for feature in layer.features {
                    for outline in Outline::of(tile, layer.extent, &feature.shape) {
                        let (layer, tags) = (layer.name.clone(), feature.tags.clone());
                        let piece = Piece { layer, outline, tags, tile };
                        if piece.zoom() <= zoom {
                            pieces.push(piece);
                        }
                    }
                }
            }
        }
    }
    pieces
}

#[cfg(test)]
mod tests {
    use earth::Point;

    use super::*;
    use crate::mercator::spot;

    #[test]
    fn helsinki_and_monaco_have_streets_and_houses() {
        check((43.7396, 7.4268), 16, &["roads", "buildings", "coast"]);
        check((60.1699, 24.9384), 16, &["roads", "buildings", "green"]);
    }

    #[test]
    fn houses_and_paths_wait_until_there_is_room() {
        let pieces = around((43.7396, 7.4268), 12);
        assert!(pieces.iter().all(|it| it.layer != "buildings" && it.class() != "path"));
        assert!(around((43.7396, 7.4268), 11).is_empty());
    }

    #[test]
    fn elsewhere_there_is_nothing() {
        assert!(around((48.86, 2.35), 16).is_empty());
        assert!(around((89.9, 180.0), 16).is_empty());
    }

    fn around((lat, lon): (f64, f64), zoom: u8) -> Vec<Piece> {
        let [x, y] = spot(Point::new(lat, lon));
        pieces(Frame { low: [x - 1e-5, y - 1e-5], high: [x + 1e-5, y + 1e-5] }, zoom)
    }

    #[track_caller]
    fn check(at: (f64, f64), zoom: u8, expected: &[&str]) {
        let pieces = around(at, zoom);
        for layer in expected {
            assert!(pieces.iter().any(|it| it.layer == *layer), "no {layer}");
        }
        assert!(pieces.iter().all(|it| LAYERS.contains(&it.layer.as_str())));
    }
}
