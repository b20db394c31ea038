//! How a crawl is doing, as operators see it.

use frontier::Counts;
use serde::{Deserialize, Serialize};

use crate::budget::{Budget, Spent};
use crate::counters::Progress;
use crate::task::Task;

/// How a crawl is doing.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Status {
    /// What its task is called.
    pub name: String,
    /// Whether it runs.
    pub activity: Activity,
    /// The region it is about.
    pub region: Vec<String>,
    /// Whether it looks for something in particular.
    #[serde(default)]
    pub has_goal: bool,
    /// Which link is next.
    pub strategy: String,
    /// How many pages are fetched at a time.
    pub threads: usize,
    /// How many pages it began with.
    pub seeds: usize,
    /// How much it may spend.
    pub budget: Budget,
    /// What it has spent.
    pub spent: SpentSoFar,
    /// Its links.
    pub links: Counts,
    /// What it has done since it was begun.
    pub total: Progress,
    /// The run that is going on.
    pub run: Option<Run>,
}

/// Whether a crawl runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Activity {
    /// It runs.
    Running,
    /// It runs, but begins no new requests.
    Paused,
    /// It waits for the last answers.
    Stopping,
    /// It does not run.
    Idle,
}

/// What was spent, with the time in seconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct SpentSoFar {
    /// Answers.
    pub pages: u64,
    /// Bytes, as they were transferred.
    pub bytes: u64,
    /// Time, in seconds.
    pub seconds: f64,
}

/// The run of a crawl that is going on.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Run {
    /// When it began.
    pub since: String,
    /// How long it has gone on, in seconds.
    pub seconds: f64,
    /// Answers a second since it began.
    pub pages_per_second: f64,
    /// Answers a second in the last minute.
    pub lately: f64,
    /// What it has done.
    pub progress: Progress,
}

impl Status {
    /// A task that does not run.
    pub(crate) fn of(task: &Task, spent: Spent, links: Counts, total: Progress) -> Self {
        Self {
            name: task.name.clone(),
            activity: Activity::Idle,
            region: task.region.clone(),
            has_goal: task.has_goal(),
            strategy: task.strategy.clone(),
            threads: task.threads,
            seeds: task.seeds.len(),
            budget: task.budget,
            spent: SpentSoFar {
                pages: spent.pages,
                bytes: spent.bytes,
                seconds: spent.time.as_secs_f64(),
            },
            links,
            total,
            run: None,
        }
    }
}
