//! The places a page means: text in, mentions, addresses and a footprint out.
//!
//! Takes a [`page::Page`], or a bare text, and what is known about it ([`Hints`]); gives a [`Survey`] with every place
//! the page names, where it stands, which place it is and how sure that is, and what ground the page is about.
//! It knows no network. Next on the way: the `index` crate, and `focus`, which learns from it what links are worth.
//!
//! ```
//! use gazetteer::{Draft, Fact, Gazetteer, Kind, PlaceFact};
//! use geoparse::{Geoparser, Hints};
//!
//! let mut draft = Draft::new();
//! draft.add(Fact::Place(PlaceFact::new("fr", Kind::Country, "France").at(46.0, 2.0).within("world")));
//! draft.add(Fact::Place(PlaceFact::new("ly", Kind::City, "Lyon").at(45.75, 4.85).within("fr")));
//! let mut file = Vec::new();
//! draft.finish(&mut file)?;
//! let gazetteer = Gazetteer::from_bytes("example", file)?;
//!
//! let text = "She moved to Lyon, France, in spring.";
//! let mentions = Geoparser::new(&gazetteer).mentions(text, &Hints::default());
//! let places: Vec<_> = mentions.iter().map(|it| &text[it.span.clone()]).collect();
//! assert_eq!(places, ["Lyon", "France"]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod address;
mod cue;
mod first_word;
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

pub use crate::address::{Address, AddressParts, Addresses, Part, Position};
pub use crate::footprint::{Footprint, Node, Sighting, WeightedPlace, WeightedPoint};
pub use crate::geoparser::Geoparser;
pub use crate::hints::Hints;
pub use crate::mention::{Class, Considered, Mention, Why};
pub use crate::reason::{Reason, Weights};
pub use crate::region::Region;
pub use crate::site::Site;
pub use crate::survey::{StatedPlace, Survey};
pub use crate::url_places::{UrlPlace, url_places};
