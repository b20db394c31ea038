//! From a query to an answer: the best documents on the ground that was asked about, and why they are the best.
//!
//! Takes a [`query::Query`] and an [`index::Generation`]; gives an [`Answer`]. There are several plans for a query;
//! all give the same documents in the same order, and a slow twin in the tests says so. It has never heard of HTML.
//! Next on the way: the `web` crate.
//!
//! ```no_run
//! # fn main() -> Result<(), index::Error> {
//! # let (gazetteer, query): (gazetteer::Gazetteer, query::Query) = todo!();
//! let generation = index::Library::at("data/index").open(&gazetteer)?;
//! let engine = search::Engine::new(&generation, &gazetteer);
//! let answer = engine.answer(&query, &search::Options::default())?;
//! for hit in &answer.hits {
//!     println!("{} {:.3}", hit.url, hit.score);
//! }
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
pub use crate::snippet::{Piece, PieceKind};
