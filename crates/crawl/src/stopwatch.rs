//! How long something went on, without its breaks.

use std::time::Duration;

/// How long something went on, without its breaks. What time it is comes in, as time since some start.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stopwatch {
    /// What was counted up to the last break.
    before: Duration,
    /// Since when it goes on, if it does.
    since: Option<Duration>,
}

impl Stopwatch {
    /// One that begins now.
    pub(crate) fn begin(now: Duration) -> Self {
        Self { before: Duration::ZERO, since: Some(now) }
    }

    /// Goes on from now, or does not.
    pub(crate) fn go(&mut self, on: bool, now: Duration) {
        self.before = self.shown(now);
        self.since = on.then_some(now);
    }

    /// How long it went on up to now.
    pub(crate) fn shown(&self, now: Duration) -> Duration {
        self.before + self.since.map_or(Duration::ZERO, |it| now.saturating_sub(it))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn breaks_do_not_count() {
        let seconds = Duration::from_secs;
        let mut watch = Stopwatch::begin(seconds(10));
        assert_eq!(watch.shown(seconds(15)), seconds(5));
        watch.go(false, seconds(15));
        watch.go(false, seconds(20));
        assert_eq!(watch.shown(seconds(90)), seconds(5));
        watch.go(true, seconds(100));
        watch.go(true, seconds(102));
        assert_eq!(watch.shown(seconds(104)), seconds(9));
    }
}
