//! From other people's data to facts a gazetteer is built of.

mod dateline;
mod features;
mod geonames;
mod lines;
mod natural_earth;
mod openaddresses;
mod osm;
mod outline;
mod shapefile;
pub mod packages;
mod sink;
#[cfg(test)]
mod trial;

pub use crate::geonames::{Geonames, GeonamesOptions};
pub use crate::natural_earth::natural_earth;
pub use crate::openaddresses::openaddresses;
pub use crate::osm::osm;
pub use crate::sink::{BadRecord, ImportError, Report, Sink};
