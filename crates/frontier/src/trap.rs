//! Places on the web that have no end, or that show the same thing over and over.
//!
//! [`suspicion()`] goes by the URL alone. The others learn from what has been fetched and are asked
//! before the next fetch: [`Patterns`] for one host, [`NotFoundPages`] for one host, [`Mirrors`] and
//! [`Floods`] for the whole crawl. None of them knows a clock or a disk; all have bounds and can be
//! stored.

mod dates;
mod flood;
mod mirror;
mod not_found;
mod pattern;
mod pattern_yield;
mod patterns;
mod shape;
mod suspicion;

pub use dates::Month;
pub use flood::{Floods, registered_domain};
pub use mirror::{Mirrors, Shown};
pub use not_found::{NotFoundPages, are_alike};
pub use pattern::{Pattern, pattern};
pub use pattern_yield::{Brought, PatternYield};
pub use patterns::Patterns;
pub use suspicion::{Suspicion, suspicion};
