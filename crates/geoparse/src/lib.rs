//! The places a page means: text in, mentions, addresses and a footprint out.

mod address;
mod cue;
mod geoparser;
mod hints;
mod judge;
mod language;
mod lexicon;
mod mention;
mod name;
mod person;
mod quick;
mod reason;
mod resolve;
mod sight;
mod spherical;
mod spot;
mod token;

pub use crate::address::{Address, AddressParts, Addresses, Hints as AddressHints, Part, Position};
pub use crate::geoparser::Geoparser;
pub use crate::hints::Hints;
pub use crate::mention::{Class, Mention};
pub use crate::reason::{Reason, Weights};
