//! From other people's data to facts a gazetteer is built of.

pub mod packages;
mod sink;

pub use crate::sink::{BadRecord, ImportError, Report, Sink};
