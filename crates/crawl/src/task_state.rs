//! What is wanted of a task, and how its runs went.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::ending::Ending;
use crate::wish::Wish;

/// What is wanted of a task, and how its runs went. It is what a state file says.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct TaskState {
    /// What the operator wants it to do.
    pub wanted: Wish,
    /// Whether a round has begun that has not come to its end; one that failed has not.
    pub is_in_round: bool,
    /// How many rounds have begun.
    pub rounds: u64,
    /// When the last run began.
    pub began: Option<String>,
    /// When the last run ended.
    pub ended: Option<String>,
    /// How the last run ended.
    pub ending: Option<Ending>,
    /// What went wrong in the last run.
    pub error: Option<String>,
    /// When the next round is due, or one that failed goes on.
    pub next: Option<String>,
}

impl Default for TaskState {
    fn default() -> Self {
        Self {
            wanted: Wish::Stop,
            is_in_round: false,
            rounds: 0,
            began: None,
            ended: None,
            ending: None,
            error: None,
            next: None,
        }
    }
}

impl TaskState {
    /// Whether it is to run now.
    pub fn is_due(&self, now: Timestamp) -> bool {
        self.wanted == Wish::Run && (self.goes_on() || self.next().is_some_and(|it| it <= now))
    }

    /// Whether its round goes on as soon as somebody runs the tasks. One that failed waits until it is due, or until
    /// somebody wants it to go on: what was in its way is hardly gone at once.
    pub(crate) fn goes_on(&self) -> bool {
        self.is_in_round && self.error.is_none()
    }

    /// A time as the state file has it: to the millisecond.
    pub(crate) fn written(time: Timestamp) -> String {
        Timestamp::from_millisecond(time.as_millisecond()).unwrap_or(time).to_string()
    }

    /// When the next round is due; a time that cannot be read is none.
    pub(crate) fn next(&self) -> Option<Timestamp> {
        self.next.as_deref()?.parse().ok()
    }
}
