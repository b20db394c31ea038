//! A moment in time, as the frontier counts it.

use std::fmt;
use std::ops::{Add, Sub};
use std::time::Duration;

use serde::{Deserialize, Serialize};

/// Milliseconds since 1970. Where the time comes from is the caller's affair.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
pub struct Moment(pub u64);

impl Moment {
    /// How long after another moment this is; nothing if it is before.
    pub fn since(self, other: Self) -> Duration {
        Duration::from_millis(self.0.saturating_sub(other.0))
    }
}

impl Add<Duration> for Moment {
    type Output = Self;
    fn add(self, time: Duration) -> Self {
        // Rounded up, so that a delay is never shorter than was asked for.
        let millis = u64::try_from(time.as_nanos().div_ceil(1_000_000)).unwrap_or(u64::MAX);
        Self(self.0.saturating_add(millis))
    }
}

impl Sub<Duration> for Moment {
    type Output = Self;
    fn sub(self, time: Duration) -> Self {
        Self(self.0.saturating_sub(u64::try_from(time.as_millis()).unwrap_or(u64::MAX)))
    }
}

impl fmt::Display for Moment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{:03}", self.0 / 1000, self.0 % 1000)
    }
}
