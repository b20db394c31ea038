//! From other people's data to facts a gazetteer is built of.
//!
//! Takes files as geonames.org, openstreetmap.org, openaddresses.io and naturalearthdata.com publish them, tables
//! of one's own, and the packages the default world is made of; gives [`gazetteer::Fact`]s to a [`Sink`].
//! It has never heard of how a gazetteer keeps them. Next on the way: a [`gazetteer::Draft`].
//!
//! ```
//! use std::io::Write;
//! use import::{Sink, tsv};
//!
//! let mut table = tempfile::NamedTempFile::new()?;
//! table.write_all(b"name\tlat\tlon\nOur club\t53.14\t8.21\n")?;
//!
//! let mut facts = Vec::new();
//! let mut keep = |fact| facts.push(fact);
//! let mut sink = Sink::new(false, &mut keep, &|_| {});
//! tsv(table.path(), &mut sink)?;
//! assert_eq!(sink.report().kept, 1);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod dateline;
mod features;
mod geonames;
mod join;
mod lines;
mod natural_earth;
mod openaddresses;
mod osm;
mod outline;
pub mod packages;
mod shapefile;
mod sink;
mod source;
#[cfg(test)]
mod trial;
mod tsv;
mod wire;

pub use crate::geonames::{Geonames, GeonamesOptions};
pub use crate::join::Join;
pub use crate::natural_earth::natural_earth;
pub use crate::openaddresses::openaddresses;
pub use crate::osm::osm;
pub use crate::sink::{BadRecord, ImportError, Report, Sink};
pub use crate::tsv::tsv;
