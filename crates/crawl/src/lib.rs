//! The loop: a link is taken, fetched, kept, read, judged, and its links go back to the frontier.

mod answer;
mod budget;
mod clock;
mod counters;
mod crawl;
mod desk;
mod error;
mod goal;
mod keeper;
mod ledger;
mod passages;
mod reading;
mod revisit;
mod task;
mod traps;
mod words;

pub use crate::budget::{Budget, NoBudget, Spent};
pub use crate::clock::Clock;
pub use crate::counters::Progress;
pub use crate::crawl::{Crawl, Ending, Surroundings, Wish};
pub use crate::error::Error;
pub use crate::goal::{Goal, Judgement};
pub use crate::revisit::Revisits;
pub use crate::task::{Limits, Politeness, Task};
