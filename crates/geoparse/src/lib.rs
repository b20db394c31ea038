//! The places a page means: text in, mentions, addresses and a footprint out.

mod address;
mod cue;
mod footprint;
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
mod region;
mod resolve;
mod sight;
mod site;
mod spherical;
mod spot;
mod survey;
mod token;
mod url_places;

pub use crate::address::{Address, AddressParts, Addresses, Hints as AddressHints, Part, Position};
pub use crate::footprint::{Footprint, Node, Sighting, WeightedPlace, WeightedPoint};
pub use crate::geoparser::Geoparser;
pub use crate::hints::Hints;
pub use crate::mention::{Class, Considered, Mention, Why};
pub use crate::reason::{Reason, Weights};
pub use crate::region::Region;
pub use crate::site::Site;
pub use crate::survey::{StatedPlace, Survey};
pub use crate::url_places::{UrlPlace, url_places};
