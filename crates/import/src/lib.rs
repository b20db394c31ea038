//! From other people's data to facts a gazetteer is built of.

mod geonames;
mod lines;
mod sink;
#[cfg(test)]
mod trial;

pub use crate::geonames::{Geonames, GeonamesOptions};
pub use crate::sink::{BadRecord, ImportError, Report, Sink};
