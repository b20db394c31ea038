//! How fast pages have come lately.

use std::collections::VecDeque;
use std::time::Duration;

use frontier::Moment;

/// How fast pages have come lately, from counts that are noted now and then.
#[derive(Clone, Debug)]
pub struct Pulse {
    span: Duration,
    beats: VecDeque<(Moment, u64)>,
}

impl Pulse {
    /// A pulse over so long.
    pub fn over(span: Duration) -> Self {
        Self { span, beats: VecDeque::new() }
    }

    /// Notes how many pages there are by now.
    pub fn beat(&mut self, now: Moment, pages: u64) {
        // The last beat before the span is kept, so that the span is covered.
        while self.beats.len() > 1 && self.beats[1].0 + self.span <= now {
            self.beats.pop_front();
        }
        self.beats.push_back((now, pages));
    }

    /// Pages a second between the oldest and the newest beat.
    pub fn rate(&self) -> f64 {
        let (Some(first), Some(last)) = (self.beats.front(), self.beats.back()) else { return 0.0 };
        let seconds = last.0.since(first.0).as_secs_f64();
        if seconds > 0.0 { last.1.saturating_sub(first.1) as f64 / seconds } else { 0.0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(beats: &[(u64, u64)], expected: f64) {
        let mut pulse = Pulse::over(Duration::from_secs(10));
        for (second, pages) in beats {
            pulse.beat(Moment(second * 1000), *pages);
        }
        assert!((pulse.rate() - expected).abs() < 1e-9, "{} is not {expected}", pulse.rate());
    }

    #[test]
    fn what_was_long_ago_does_not_count() {
        check(&[(0, 0), (5, 1000), (10, 1000), (15, 1050), (20, 1100)], 10.0);
    }

    #[test]
    fn without_two_beats_there_is_no_rate() {
        check(&[], 0.0);
        check(&[(3, 7)], 0.0);
        check(&[(3, 7), (3, 9)], 0.0);
    }
}
