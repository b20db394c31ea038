//! From other people's data to facts a gazetteer is built of.

mod sink;

pub use crate::sink::{BadRecord, ImportError, Report, Sink};
