//! How long we wait for a host.

use std::future::Future;
use std::time::Duration;

use tokio::time::{Instant, timeout_at};

use crate::error::{FetchError, Phase};

/// When a time is too far away to be reckoned: as good as never.
const NEVER: Duration = Duration::from_hours(365 * 24);

/// The time that is left for one link.
pub(crate) struct Patience<'a> {
    host: &'a str,
    end: Instant,
}

impl<'a> Patience<'a> {
    /// Patience with a host from now on.
    pub(crate) fn new(host: &'a str, now: Instant, whole: Duration) -> Self {
        Self { host, end: after(now, whole) }
    }

    /// What the step gives, if it gives it within its own time and within that for the whole.
    /// A step without any time is not begun.
    pub(crate) async fn within<F: Future>(
        &self,
        phase: Phase,
        limit: Duration,
        step: F,
    ) -> Result<F::Output, FetchError> {
        let now = Instant::now();
        let own = after(now, limit);
        let phase = if self.end <= own { Phase::Whole } else { phase };
        let end = own.min(self.end);
        let late = || FetchError::Timeout { host: self.host.to_owned(), phase };
        if end <= now {
            return Err(late());
        }
        timeout_at(end, step).await.map_err(|_| late())
    }
}

fn after(now: Instant, time: Duration) -> Instant {
    now.checked_add(time).unwrap_or_else(|| now + NEVER)
}
