//! A crawl that does not run, as it lies on the disk.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use focus::Aim;
use frontier::{Courtesy, Frontier};

use crate::clock::Clock;
use crate::control::{self, Reply, Request};
use crate::error::Error;
use crate::insight::Insight;
use crate::mark::{kept_progress, kept_spent};
use crate::status::Status;
use crate::task::Task;
use crate::tasks::Tasks;
use crate::traps::Traps;

/// How often a crawl is asked again that is just beginning or ending.
const TRIES: u32 = 20;
/// How long to wait between.
const BETWEEN: std::time::Duration = std::time::Duration::from_millis(100);

/// Asks the crawl of a task: the process that runs it, or else what lies on the disk.
///
/// A wish to a crawl that does not run changes nothing.
pub fn inquire(data: &Path, name: &str, request: &Request) -> Result<Reply, Error> {
    let task = Tasks::at(data).task(name)?;
    let folder = data.join("tasks").join(name);
    let mut tries = 0;
    loop {
        if let Some(reply) = control::ask(&folder, request)? {
            return Ok(reply);
        }
        match Idle::open(data, &task) {
            Ok(mut idle) => return idle.answer(request),
            // It has its frontier open, but does not listen yet, or no more.
            Err(Error::Frontier(frontier::Error::InUse(_))) if tries < TRIES => {
                tries += 1;
                std::thread::sleep(BETWEEN);
            }
            Err(error) => return Err(error),
        }
    }
}

/// A crawl that does not run.
struct Idle<'a> {
    task: &'a Task,
    folder: PathBuf,
    archive: PathBuf,
    frontier: Option<Frontier>,
}

impl<'a> Idle<'a> {
    fn open(data: &Path, task: &'a Task) -> Result<Self, Error> {
        let folder = data.join("tasks").join(&task.name);
        let file = folder.join("frontier.redb");
        let frontier = if file.exists() {
            let settings = frontier::Settings {
                delays: task.politeness.delays(),
                connections: task.politeness.connections,
            };
            let frontier = Frontier::open(&file, settings, Arc::new(Courtesy::default()))?;
            // As long as the frontier is ours no crawl can begin: the socket is one left behind.
            let _ = fs::remove_file(folder.join("control.sock"));
            Some(frontier)
        } else {
            None
        };
        Ok(Self { task, folder, archive: data.join("archive"), frontier })
    }

    fn answer(&mut self, request: &Request) -> Result<Reply, Error> {
        let mut strategy = focus::named(&self.task.strategy, &Aim::default())?;
        let Some(frontier) = &mut self.frontier else {
            return self.answer_unbegun(request);
        };
        if let Some(model) = frontier.fact("model")? {
            strategy.recall(&model);
        }
        // They may be many, and nothing else asks for them.
        let traps = match request {
            Request::Explain { .. } => Traps::recall(self.folder.join("traps"))?,
            _ => Traps::default(),
        };
        let mut insight = Insight {
            frontier,
            strategy: strategy.as_ref(),
            traps: &traps,
            task: self.task,
            now: Clock::system().now(),
        };
        Ok(match request {
            Request::Status => {
                let frontier = insight.frontier;
                let spent = kept_spent(frontier)?;
                let mut total = kept_progress(frontier)?;
                let counts = frontier.counts();
                (total.queued, total.known, total.hosts) =
                    (counts.queued, counts.known, counts.hosts);
                total.hosts_with_links = frontier.hosts_with_links() as u64;
                Reply::Status(Box::new(Status::of(self.task, spent, counts, total)))
            }
            Request::Frontier { top } => Reply::Frontier(insight.top(*top)?),
            Request::Hosts { limit } => Reply::Hosts(insight.hosts(*limit)?),
            Request::Explain { url } => {
                let mut explanation = insight.explain(url)?;
                explanation.look_into(&self.archive)?;
                Reply::Explanation(Box::new(explanation))
            }
            Request::Wish { .. } | Request::Threads { .. } => Reply::Done,
        })
    }

    /// What a crawl tells that has never run.
    fn answer_unbegun(&self, request: &Request) -> Result<Reply, Error> {
        let unbegun = || Error::Unbegun(self.task.name.clone());
        Ok(match request {
            Request::Status => {
                let status = Status::of(
                    self.task,
                    crate::budget::Spent::default(),
                    frontier::Counts::default(),
                    crate::counters::Progress::default(),
                );
                Reply::Status(Box::new(status))
            }
            Request::Frontier { .. } => Reply::Frontier(Vec::new()),
            Request::Hosts { .. } => Reply::Hosts(Vec::new()),
            Request::Explain { .. } => return Err(unbegun()),
            Request::Wish { .. } | Request::Threads { .. } => Reply::Done,
        })
    }
}
