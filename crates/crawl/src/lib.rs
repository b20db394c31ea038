//! The loop: a link is taken, fetched, kept, read, judged, and its links go back to the frontier.
//!
//! Takes a [`Task`], which says what to look for, where to begin and how much to spend; gives an
//! archive of pages and a log of judgements, and goes on where it was whenever it is opened again.
//! [`Tasks`] are kept and timed, a [`Company`] runs several with shared courtesy, and a [`Control`]
//! answers questions about a crawl that runs. It knows neither HTTP nor HTML, nor what a link is
//! worth: `fetch`, `page` and `focus` do. Next on the way: the `index` crate reads the archive.
//!
//! ```
//! use std::io::{Read, Write};
//! use std::net::TcpListener;
//!
//! use crawl::{Crawl, Ending, Surroundings, Task};
//!
//! // A host on this machine that answers everything with a page that links to one other.
//! let host = TcpListener::bind("127.0.0.1:0")?;
//! let seed = format!("http://{}/", host.local_addr()?);
//! std::thread::spawn(move || {
//!     for mut stream in host.incoming().flatten() {
//!         let page = "<p>Ships leave for <a href='/islands'>the islands</a>.";
//!         let length = page.len();
//!         let head = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nConnection: close";
//!         let _ = stream.read(&mut [0; 4096]);
//!         let _ = write!(stream, "{head}\r\nContent-Length: {length}\r\n\r\n{page}");
//!     }
//! });
//!
//! let folder = tempfile::tempdir()?;
//! let around = Surroundings::new(folder.path(), world::gazetteer());
//! let mut task = Task { seeds: vec![seed], allow_private: true, ..Task::default() };
//! task.politeness.delay = 0.0;
//! let crawl = Crawl::open(task, None, &around)?;
//! let runtime = tokio::runtime::Runtime::new()?;
//! assert_eq!(runtime.block_on(crawl.run())?, Ending::Finished);
//! assert_eq!(crawl.progress().pages, 2);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod answer;
mod budget;
mod clock;
mod company;
mod control;
mod counters;
mod crawl;
mod desk;
mod doing;
mod ending;
mod error;
mod goal;
mod idle;
mod insight;
mod keeper;
mod ledger;
mod line;
mod mark;
mod metrics;
mod mishap;
mod model;
mod parameters;
mod passages;
mod promise;
mod pulse;
mod reading;
mod refused_seeds;
mod region;
mod registrants;
mod replay;
mod revisit;
mod schedule;
mod setback;
mod sitemaps;
mod slots;
mod status;
mod stopwatch;
mod surroundings;
mod task;
mod task_state;
mod tasks;
mod topic_file;
mod traps;
mod user_info;
mod whois;
mod wish;
mod words;

pub use crate::budget::{Budget, NoBudget, Spent};
pub use crate::clock::Clock;
pub use crate::company::{Company, Event};
pub use crate::control::{Control, Reply, Request, ask, serve};
pub use crate::counters::Progress;
pub use crate::crawl::{Crawl, LostSeed};
pub use crate::doing::Doing;
pub use crate::ending::Ending;
pub use crate::error::Error;
pub use crate::goal::{Goal, Judgement};
pub use crate::idle::inquire;
pub use crate::insight::{Archived, Explanation, HostReport, LastVisit, QueuedLink, Ruling, Step};
pub use crate::metrics::Exposition;
pub use crate::pulse::Pulse;
pub use crate::region::{RegionPart, Understood, region};
pub use crate::registrants::Registrants;
pub use crate::revisit::Revisits;
pub use crate::schedule::{Cron, NoCron, NoSchedule, Schedule, zone};
pub use crate::slots::Slots;
pub use crate::status::{Activity, Run, SpentSoFar, Status};
pub use crate::surroundings::Surroundings;
pub use crate::task::{Limits, Politeness, Task};
pub use crate::task_state::TaskState;
pub use crate::tasks::{Listed, Tasks};
pub use crate::topic_file::TopicFile;
pub use crate::wish::Wish;
pub use focus::{
    GazetteerKinship, NAMES as STRATEGIES, Score, Tie, Topic, TopicDraft, TopicSettings,
};
pub use frontier::{Glob, Scope};
