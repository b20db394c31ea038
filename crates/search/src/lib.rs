//! From a query to an answer: the best documents on the ground that was asked about, and why they are the best.
//!
//! Takes a [`query::Query`] and an [`index::Generation`]; gives an [`Answer`]. There are several plans for a query;
//! all give the same documents in the same order, and a slow twin in the tests says so. It has never heard of HTML.
//! Next on the way: the `web` crate.
//!
//! ```
//! # fn main() -> Result<(), index::Error> {
//! # let directory = tempfile::tempdir()?;
//! # let file = directory.path().join("pages.jsonl");
//! # let library = index::Library::at(directory.path().join("index"));
//! # std::fs::write(&file, r#"{"id":"1","title":"Old mill","text":"A mill.","place":"Helsinki"}"#)?;
//! # let order = index::Order { sources: vec![file], ..Default::default() };
//! # library.index(world::gazetteer(), &order, &mut |_| {})?;
//! let gazetteer = world::gazetteer();
//! let generation = library.open(gazetteer)?;
//! let asked = query::Asked::new("mill near Espoo", jiff::civil::date(2024, 5, 1));
//! let query = query::Parser::new(gazetteer).understand(&asked).query;
//!
//! let engine = search::Engine::new(&generation, gazetteer);
//! let answer = engine.answer(&query, &search::Options::default())?;
//! assert_eq!(answer.total, Some(1));
//! let (distance, _) = answer.hits[0].place.as_ref().and_then(|it| it.way).expect("it has a point");
//! assert!(distance.km() > 10.0 && distance.km() < 25.0);
//! # Ok(())
//! # }
//! ```

mod answer;
mod center;
mod engine;
mod facets;
mod ground;
mod plan;
mod prepare;
mod reach;
mod snippet;
mod top;
mod wanted;

pub use crate::answer::{Answer, Explanation, Facets, Hit, HitPlace, Suggestion, WordScore};
pub use crate::engine::{Bare, BareGround, Engine, FARTHEST, MOST_HITS, Neighbours, Options};
pub use crate::plan::{Chosen, Plan};
pub use crate::prepare::reach_of_spot;
pub use crate::snippet::{Piece, PieceKind};
