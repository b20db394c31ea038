//! What time it is, and how one waits.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use frontier::Moment;
use jiff::Timestamp;

/// A clock that follows that of the system forward and never goes back: where that is set back it runs
/// on evenly, until it is overtaken.
///
/// A hurried one does not wait: it is put forward instead. Tests use it.
#[derive(Clone, Debug)]
pub struct Clock {
    start: Instant,
    at_start: Moment,
    /// How far it was put forward where others wait, in milliseconds.
    ahead: Arc<AtomicU64>,
    /// How far the system's clock was put forward since the start, in milliseconds: the machine was
    /// asleep, or somebody told it the time.
    leapt: Arc<AtomicU64>,
    is_hurried: bool,
}

impl Clock {
    /// The clock of the system, as it stands now.
    pub fn system() -> Self {
        Self {
            start: Instant::now(),
            at_start: moment(Timestamp::now()),
            ahead: Arc::default(),
            leapt: Arc::default(),
            is_hurried: false,
        }
    }

    /// A clock that is put forward where others wait.
    pub fn hurried() -> Self {
        Self { is_hurried: true, ..Self::system() }
    }

    /// What time it is.
    pub fn now(&self) -> Moment {
        self.at(self.start.elapsed(), moment(Timestamp::now()))
    }

    /// What time it is when so much has passed evenly and the system says this.
    fn at(&self, elapsed: Duration, system: Moment) -> Moment {
        let elapsed = u64::try_from(elapsed.as_millis()).unwrap_or(u64::MAX);
        let evenly = self.at_start.0.saturating_add(elapsed);
        let leap = system.0.saturating_sub(evenly);
        let leapt = self.leapt.fetch_max(leap, Ordering::Relaxed).max(leap);
        Moment(evenly + leapt + self.ahead.load(Ordering::Relaxed))
    }

    /// How long it has been running. While the machine was asleep it was not.
    pub(crate) fn ran(&self) -> Duration {
        self.start.elapsed() + Duration::from_millis(self.ahead.load(Ordering::Relaxed))
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

#[cfg(test)]
mod tests {
    use super::*;

    /// What the clock shows by and by, in seconds since its start, when so many have passed evenly and
    /// the system has counted so many.
    #[track_caller]
    fn check(story: &[(u64, i64)], expected: &[u64]) {
        let clock = Clock::system();
        let shown = story.iter().map(|(passed, counted)| {
            let system = clock.at_start.0.saturating_add_signed(counted * 1000);
            clock.at(Duration::from_secs(*passed), Moment(system)).since(clock.at_start).as_secs()
        });
        assert_eq!(shown.collect::<Vec<_>>(), expected);
    }

    #[test]
    fn it_follows_the_system_forward() {
        check(&[(5, 5), (10, 3610), (20, 3620)], &[5, 3610, 3620]);
    }

    #[test]
    fn it_never_goes_back() {
        check(&[(5, 5), (10, -3600), (20, -3590), (30, 31)], &[5, 10, 20, 31]);
        check(&[(5, 3605), (10, 10), (20, 20)], &[3605, 3610, 3620]);
    }
}
