//! A map of the world to draw answers on, without asking anybody for it.
//!
//! Takes the number of a tile, or a box and what to draw in it; gives vector tiles and pictures. The map is made once
//! from Natural Earth and is part of the program; the operator may serve another. Towns are lettered from the gazetteer.
//! It has never heard of pages or answers. Next on the way: the `web` crate.
//!
//! ```
//! use basemap::{Drawing, Pin, svg};
//! use earth::{Bounds, Point};
//!
//! let tile = basemap::tile(6, 36, 18).expect("there is land around Helsinki");
//! assert_eq!(tile[..2], [0x1f, 0x8b], "tiles are in gzip");
//!
//! let helsinki = Pin { number: 1, point: Point::new(60.17, 24.94), label: "Ateneum".to_owned() };
//! let drawing = Drawing { title: "One result".to_owned(), pins: vec![helsinki], ..Drawing::default() };
//! let picture = svg(Bounds::new(59.0, 21.0, 62.0, 28.0), 640, 400, &drawing);
//! assert!(picture.starts_with("<svg ") && picture.contains("Tallinn"));
//! ```

#![allow(clippy::doc_markdown, reason = "PMTiles, TileJSON and OpenStreetMap are names, not items")]

mod bake;
mod basemap;
mod clip;
mod drawing;
mod mercator;
mod outline;
mod pmtiles;
mod simplify;
mod streets;
mod svg;
mod tile;
mod town;
mod wire;

pub use crate::bake::{BakeError, Baked, ZoomSize, bake, bake_towns};
pub use crate::basemap::{Basemap, BasemapError, tile};
pub use crate::drawing::{Drawing, Ground, Mark, Pin, Rings};
pub use crate::streets::street_tile;
pub use crate::svg::svg;
