//! Links in, the next polite link out; durable.
//!
//! Takes links as they are found; gives the best one whose host may be asked now. Nothing is lost
//! when the process is killed: what was committed is there, and what was taken but not finished is
//! queued again. The clock is a parameter. It has never heard of HTTP or HTML.
//! Next on the way: the `fetch` crate.
//!
//! ```
//! use std::sync::Arc;
//! use std::time::Duration;
//!
//! use frontier::{Courtesy, Ended, Frontier, Link, Moment, Next, Settings, normal_form};
//!
//! let folder = tempfile::tempdir()?;
//! let file = folder.path().join("frontier.redb");
//! let courtesy = Arc::new(Courtesy::default());
//! let mut frontier = Frontier::open(&file, Settings::default(), courtesy)?;
//! let now = Moment(1_700_000_000_000);
//! let harbour = Link::seed(normal_form("HTTP://Example.org:80/harbour#top")?);
//! let pier = Link::seed(normal_form("http://example.org/pier")?);
//! frontier.add(&[harbour.clone(), harbour, pier], false, now)?;
//! assert_eq!(frontier.counts().known, 2);
//!
//! let Next::Link(taken) = frontier.next(now)? else { panic!("nobody was asked yet") };
//! assert_eq!(taken.entry.url, "http://example.org/harbour");
//! // Its host is asked one thing at a time, and left alone for a second after it has answered.
//! assert!(!matches!(frontier.next(now)?, Next::Link(_)));
//! let answered = Ended::Answered(Duration::from_millis(80));
//! frontier.give_back(taken.id, Some(answered), None, now)?;
//! let Next::Wait(moment) = frontier.next(now)? else { panic!("the delay has begun") };
//! assert!(moment.since(now) >= Duration::from_secs(1));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

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
pub use crate::host::{Host, HostId, Manners, gate_of};
pub use crate::link::{Entry, Kind, Link, LinkId, State, Visit};
pub use crate::moment::Moment;
pub use crate::normal::{Address, LONGEST, NoLink, Rules, normal_form, readable};
pub use crate::pace::{Delays, Ended, Pace};
pub use crate::priority::Priority;
pub use crate::scope::{Candidate, Glob, OutOfScope, Scope, Selection};
pub use crate::trap::{
    Brought, Floods, Mirrors, Month, NotFoundPages, Pattern, PatternYield, Patterns, Shown,
    Suspicion, are_alike, pattern, registered_domain, suspicion,
};
