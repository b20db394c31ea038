//! What a task is doing, in a word.

use jiff::Timestamp;

use crate::status::Activity;
use crate::task_state::TaskState;
use crate::wish::Wish;

/// What a task is doing. The words for it are the same wherever tasks are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Doing {
    /// It runs.
    Running,
    /// It runs, or would, but begins no new requests.
    Paused,
    /// It waits for the last answers.
    Stopping,
    /// It is due, and begins or goes on as soon as somebody runs the tasks.
    Due,
    /// It is due later.
    Waiting,
    /// It is not to run; started, it begins or goes on.
    Stopped,
    /// Its last round has come to its end.
    Done,
    /// Its last run could not go on.
    Failed,
    /// Its file cannot be read.
    Unreadable,
}

impl Doing {
    /// All of them.
    pub const ALL: [Self; 9] = [
        Self::Running,
        Self::Paused,
        Self::Stopping,
        Self::Due,
        Self::Waiting,
        Self::Stopped,
        Self::Done,
        Self::Failed,
        Self::Unreadable,
    ];

    /// What a task is doing whose file can be read, by what is wanted of it and what its crawl says, if one was ever
    /// begun.
    pub fn of(state: &TaskState, activity: Option<Activity>, now: Timestamp) -> Self {
        match activity {
            Some(Activity::Running) => return Self::Running,
            Some(Activity::Paused) => return Self::Paused,
            Some(Activity::Stopping) => return Self::Stopping,
            Some(Activity::Idle) | None => {}
        }
        match state.wanted {
            Wish::Pause => Self::Paused,
            Wish::Run if state.is_due(now) => Self::Due,
            Wish::Run if state.next.is_some() => Self::Waiting,
            _ if state.error.is_some() => Self::Failed,
            _ if state.is_in_round || state.ended.is_none() => Self::Stopped,
            _ => Self::Done,
        }
    }

    /// The word for it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Running => "running",
            Self::Paused => "paused",
            Self::Stopping => "stopping",
            Self::Due => "due",
            Self::Waiting => "waiting",
            Self::Stopped => "stopped",
            Self::Done => "done",
            Self::Failed => "failed",
            Self::Unreadable => "unreadable",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(state: &TaskState, expected: Doing) {
        let now = "2026-06-01T00:00:00Z".parse().expect("a time");
        assert_eq!(Doing::of(state, None, now), expected, "{state:?}");
        assert_eq!(Doing::of(state, Some(Activity::Idle), now), expected, "{state:?}");
        assert_eq!(Doing::of(state, Some(Activity::Running), now), Doing::Running, "{state:?}");
    }

    #[test]
    fn a_word_says_what_a_task_is_doing() {
        let usual = TaskState::default;
        let run = || TaskState { wanted: Wish::Run, ..usual() };
        let at = |text: &str| Some(text.to_owned());
        let ended = || at("2026-01-01T00:00:00Z");
        check(&usual(), Doing::Stopped);
        check(&TaskState { ended: ended(), ..usual() }, Doing::Done);
        check(&TaskState { is_in_round: true, ended: ended(), ..usual() }, Doing::Stopped);
        check(&TaskState { error: at("the disk is full"), ..usual() }, Doing::Failed);
        check(&TaskState { wanted: Wish::Pause, ..usual() }, Doing::Paused);
        check(&TaskState { next: at("2026-01-01T00:00:00Z"), ..run() }, Doing::Due);
        check(&TaskState { next: at("9000-01-01T00:00:00Z"), ..run() }, Doing::Waiting);
        check(&TaskState { is_in_round: true, ..run() }, Doing::Due);
        let failed = |next| TaskState {
            is_in_round: true,
            error: at("the disk is full"),
            next: at(next),
            ..run()
        };
        check(&failed("9000-01-01T00:00:00Z"), Doing::Waiting);
        check(&failed("2026-01-01T00:00:00Z"), Doing::Due);
    }
}
