//! Links in, the next polite link out; durable.
//!
//! Takes links as they are found; gives the best one whose host may be asked now. Nothing is lost
//! when the process is killed: what was committed is there, and what was taken but not finished is
//! queued again. The clock is a parameter. It has never heard of HTTP or HTML.
//! Next on the way: the `fetch` crate.

mod courtesy;
mod error;
mod file_kind;
mod frontier;
mod host;
mod link;
mod moment;
mod normal;
mod pace;
mod priority;
mod scope;
mod seen;
mod store;
mod trap;
mod turns;

pub use crate::courtesy::{Courtesy, Gates, Permit};
pub use crate::error::Error;
pub use crate::file_kind::{FileKind, Wanted};
pub use crate::frontier::{Added, Counts, Frontier, Next, Outcome, Settings, Taken, Tally};
pub use crate::host::{Host, HostId, Manners, gate_name};
pub use crate::link::{Entry, Kind, Link, LinkId, State, Visit};
pub use crate::moment::Moment;
pub use crate::normal::{Address, LONGEST, NoLink, Rules, normal_form, readable};
pub use crate::pace::{Delays, Ended, Pace};
pub use crate::priority::Priority;
pub use crate::scope::{Candidate, Glob, OutOfScope, Scope, Selection};
pub use crate::trap::{
    Brought, Floods, Mirrors, Month, NotFoundPages, Pattern, PatternYield, Patterns, Suspicion,
    are_alike, pattern, suspicion,
};
