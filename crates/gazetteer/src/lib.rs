//! The places of the world: their names, their hierarchy, their shapes, how they lie to each other.
//!
//! Takes names, points and free text; gives places. Facts go in through a [`Draft`], which writes one file;
//! [`Gazetteer`] opens that file. It has never heard of pages. Next on the way: the `geoparse` crate.
//!
//! ```
//! use gazetteer::{Draft, Fact, Gazetteer, Kind, PlaceFact};
//!
//! let mut draft = Draft::new();
//! draft.add(Fact::Place(PlaceFact::new("de", Kind::Country, "Germany").at(51.1, 10.4).within("world")));
//! draft.add(Fact::Place(PlaceFact::new("ol", Kind::City, "Oldenburg").at(53.14, 8.21).within("de")));
//! let mut file = Vec::new();
//! draft.finish(&mut file)?;
//!
//! let gazetteer = Gazetteer::from_bytes("example", file)?;
//! let (oldenburg, _) = gazetteer.named("OLDENBURG").next().expect("it was put in");
//! assert_eq!(oldenburg.label(), "Oldenburg, Germany");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod asked;
mod draft;
mod fact;
mod file;
mod gazetteer;
mod geocode;
mod hierarchy;
mod importance;
mod kd;
mod key;
mod kind;
mod layout;
mod name_index;
mod place;
mod reading;
mod reverse;
mod section_writer;
mod shape;
mod spelling;
mod strings;
mod suggest;
mod topology;
pub mod tsv;
mod walk;
mod wkt;

pub use crate::draft::{Draft, Settled, WORLD};
pub use crate::fact::{Fact, HouseFact, Name, NameClass, PlaceFact, Seat, ShapeFact, SourceFact};
pub use crate::file::FileError;
pub use crate::gazetteer::{Gazetteer, House};
pub use crate::geocode::{Candidate, Precision};
pub use crate::key::is_key;
pub use crate::kind::{Kind, UnknownKind};
pub use crate::place::{Place, PlaceId};
pub use crate::reverse::Surroundings;
pub use crate::shape::point_inside;
pub use crate::spelling::{long_form, spelling};
pub use crate::suggest::Suggestion;
pub use crate::topology::{Relation, Topology};
pub use crate::walk::{Found, Walk};
