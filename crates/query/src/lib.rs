//! From what somebody asks to a query: theme, relation and place.
//!
//! Takes a text as people type it into one box, or three fields, in any of nine languages, and what is known of who
//! asks ([`Asked`]); gives what was understood ([`Understood`]): the [`Query`], other readings, notes, chips to show.
//! It knows no clock, disk or network, and has never heard of an index. Next on the way: the `search` crate.
//!
//! ```
//! use gazetteer::{Draft, Fact, Gazetteer, Kind, PlaceFact};
//! use jiff::civil::date;
//! use query::{Asked, Parser, Relation};
//!
//! let mut draft = Draft::new();
//! let mut rome = PlaceFact::new("rome", Kind::City, "Rome").at(41.9, 12.5).within("world");
//! rome.population = 2_800_000;
//! draft.add(Fact::Place(rome));
//! let mut file = Vec::new();
//! draft.finish(&mut file)?;
//! let gazetteer = Gazetteer::from_bytes("example", file)?;
//!
//! let parser = Parser::new(&gazetteer);
//! let understood = parser.understand(&Asked::new("greek restaurants near Rome", date(2024, 5, 1)));
//! assert_eq!(understood.query.theme.to_string(), "greek restaurants");
//! let space = understood.query.space.expect("it names a place");
//! assert_eq!(space.relation, Relation::Near);
//! assert_eq!(space.anchors[0].label, "Rome");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod asked;
mod candidate;
mod inflection;
mod lexicon;
mod locator;
mod operator;
mod parser;
mod phrasebook;
mod pieces;
mod query;
mod reading;
mod reason;
mod region;
mod relation;
mod space;
mod theme;
mod understood;
mod vocabulary;
mod word;

pub use crate::asked::Asked;
pub use crate::parser::Parser;
pub use crate::phrasebook::name_after_relation;
pub use crate::query::{Query, Sort};
pub use crate::region::{NoRegion, Region, parse_position};
pub use crate::relation::Relation;
pub use crate::space::{Anchor, Choice, Space, Spot};
pub use crate::theme::{Term, Theme};
pub use crate::understood::{Chip, ChipKind, Note, NoteKind, Other, Understood};
