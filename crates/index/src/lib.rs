//! From an archive of pages to a generation: documents with three indexes that always agree.
//!
//! Takes WARC archives and files of JSON lines, a gazetteer and an [`Order`]; gives a [`Generation`]: words in
//! tantivy, points in a packed R-tree, places in the location hierarchy, rolled up. A generation is written aside and
//! made current by one rename; it never changes afterwards. It has never heard of HTTP. Next on the way: the `search`
//! crate.
//!
//! ```
//! # fn main() -> Result<(), index::Error> {
//! # let directory = tempfile::tempdir()?;
//! # let file = directory.path().join("pages.jsonl");
//! # let library = index::Library::at(directory.path().join("index"));
//! std::fs::write(&file, r#"{"id":"1","title":"Old mill","text":"A mill.","place":"Helsinki"}"#)?;
//! let order = index::Order { sources: vec![file], ..Default::default() };
//! let report = library.index(world::gazetteer(), &order, &mut |_| {})?;
//! assert_eq!(report.documents, 1);
//!
//! let generation = library.open(world::gazetteer())?;
//! let at = generation.by_id("1").expect("it was just indexed");
//! assert_eq!(generation.document(at)?.title, "Old mill");
//! # Ok(())
//! # }
//! ```

mod build;
mod clause;
mod dead;
mod document;
mod duplicates;
mod error;
mod facts;
mod fields;
mod generation;
mod intake;
mod library;
mod like;
mod pages;
mod sections;
mod shard;
mod source;
mod space;
mod spot;
mod towns;
mod verify;

pub use tantivy::TERMINATED;

pub use crate::build::{Order, Phase, Progress, Report};
pub use crate::clause::Clause;
pub use crate::dead::Dead;
pub use crate::document::{Document, Mark, StreetLine};
pub use crate::error::Error;
pub use crate::facts::{Facts, words_of_code};
pub use crate::fields::{stem_term, terms_of_word};
pub use crate::generation::{Address, FileFact, Generation, Manifest, ShardFact, Topic};
pub use crate::intake::Skip;
pub use crate::library::Library;
pub use crate::shard::{Part, Shard};
pub use crate::source::Source;
pub use crate::space::{Cell, Space};
pub use crate::spot::{Spot, city_radius, fixed, point};
pub use crate::verify::Verified;
