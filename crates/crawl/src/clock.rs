//! What time it is, and how one waits.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use frontier::Moment;
use jiff::Timestamp;

/// A clock that runs evenly from when it was made, whatever happens to that of the system.
///
/// A hurried one does not wait: it is put forward instead. Tests use it.
#[derive(Clone, Debug)]
pub struct Clock {
    start: Instant,
    at_start: Moment,
    ahead: Arc<AtomicU64>,
    is_hurried: bool,
}

impl Clock {
    /// The clock of the system, as it stands now.
    pub fn system() -> Self {
        let at_start = u64::try_from(Timestamp::now().as_millisecond()).unwrap_or_default();
        Self {
            start: Instant::now(),
            at_start: Moment(at_start),
            ahead: Arc::default(),
            is_hurried: false,
        }
    }

    /// A clock that is put forward where others wait.
    pub fn hurried() -> Self {
        Self { is_hurried: true, ..Self::system() }
    }

    /// What time it is.
    pub fn now(&self) -> Moment {
        let ahead = Duration::from_millis(self.ahead.load(Ordering::Relaxed));
        let passed = self.start.elapsed() + ahead;
        Moment(self.at_start.0 + u64::try_from(passed.as_millis()).unwrap_or(u64::MAX))
    }

    /// Comes back at this moment.
    pub async fn wait_until(&self, moment: Moment) {
        let wait = moment.since(self.now());
        if self.is_hurried {
            self.ahead.fetch_add(wait.as_millis() as u64, Ordering::Relaxed);
            tokio::task::yield_now().await;
        } else {
            tokio::time::sleep(wait).await;
        }
    }

    /// Whether waiting makes sense while something else is going on: a hurried clock would run away.
    pub(crate) fn is_hurried(&self) -> bool {
        self.is_hurried
    }
}

/// A moment as the archive writes it.
pub(crate) fn timestamp(moment: Moment) -> Timestamp {
    let millis = i64::try_from(moment.0).unwrap_or(i64::MAX);
    Timestamp::from_millisecond(millis).unwrap_or(Timestamp::MAX)
}

/// A date of the archive as the frontier counts it.
pub(crate) fn moment(timestamp: Timestamp) -> Moment {
    Moment(u64::try_from(timestamp.as_millisecond()).unwrap_or_default())
}
