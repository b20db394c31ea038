//! When to look at a page again: often if it changes often.

use std::time::Duration;

use frontier::{Moment, Visit};
use serde::{Deserialize, Serialize};

use crate::error::Error;
use crate::task::{LONGEST, check_number, seconds};

/// How often pages are looked at again.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Revisits {
    /// After how many hours a page is looked at again that was seen only once.
    pub first: f64,
    /// The shortest time, in hours.
    pub shortest: f64,
    /// The longest time, in hours.
    pub longest: f64,
}

impl Default for Revisits {
    fn default() -> Self {
        // A week for a start; news are looked at every hour at most, what never changes twice a year.
        Self { first: 7.0 * 24.0, shortest: 1.0, longest: 180.0 * 24.0 }
    }
}

impl Revisits {
    /// Whether its paces are times that do not contradict each other.
    pub(crate) fn check(&self) -> Result<(), Error> {
        let longest = LONGEST / 3600.0;
        check_number("revisits.longest", self.longest, "hours", 0.0..=longest)?;
        check_number("revisits.shortest", self.shortest, "hours", 0.0..=self.longest)?;
        check_number("revisits.first", self.first, "hours", 0.0..=longest)
    }

    /// When a page is to be looked at again.
    ///
    /// It is taken to change at random times at an even rate. Of n looks at it, x found a change;
    /// several changes between two looks are seen as one, which the estimate of Cho and
    /// Garcia-Molina (2003) makes up for: rate = -ln((n - x + 0.5) / (n + 0.5)) / mean interval.
    /// It is looked at again when one change is to be expected, but not later than after the time it
    /// was watched and the first wait together: where nothing ever changes each wait is twice the one
    /// before, since one look that finds nothing is no proof for half a year.
    pub fn next(&self, visit: &Visit) -> Moment {
        let hours = |it: f64| seconds(it * 3600.0);
        // A task that says otherwise is refused; one that was kept by an earlier version may.
        let (longest, shortest) = (hours(self.longest), hours(self.shortest));
        let shortest = shortest.min(longest);
        let (n, x) = (f64::from(visit.checks), f64::from(visit.changes.min(visit.checks)));
        let watched = visit.at.since(visit.first);
        if visit.checks == 0 || watched.is_zero() {
            return visit.at + hours(self.first);
        }
        let mean = watched.as_secs_f64() / n;
        let rate = -((n - x + 0.5) / (n + 0.5)).ln() / mean;
        // Without any change the rate is 0 and the wait endless.
        let wait = Duration::try_from_secs_f64(1.0 / rate).unwrap_or(Duration::MAX);
        let wait = wait.min(watched.saturating_add(hours(self.first)));
        visit.at + wait.clamp(shortest, longest)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const DAY: Duration = Duration::from_hours(24);

    /// After how many days a page is looked at again that was watched daily.
    #[track_caller]
    fn check(checks: u16, changes: u16, expected: f64) {
        let first = Moment(1_700_000_000_000);
        let at = first + DAY * u32::from(checks);
        let visit = Visit { at, first, checks, changes, ..Visit::default() };
        let wait = Revisits::default().next(&visit).since(at).as_secs_f64() / DAY.as_secs_f64();
        assert!((wait - expected).abs() < 0.01, "{wait}");
    }

    #[test]
    fn a_page_seen_once_is_looked_at_after_a_week() {
        check(0, 0, 7.0);
    }

    #[test]
    fn the_wait_follows_the_changes() {
        // -ln(5.5 / 10.5) = 0.6466 changes a day.
        check(10, 5, 1.0 / 0.6466);
        // -ln(9.5 / 10.5) = 0.1001 changes a day.
        check(10, 1, 1.0 / 0.1001);
        // -ln(0.5 / 10.5) = 3.0445 changes a day.
        check(10, 10, 1.0 / 3.0445);
    }

    #[test]
    fn a_wait_is_twice_the_last_one_at_most() {
        let mut visit = Visit { first: Moment(1_700_000_000_000), ..Visit::default() };
        visit.at = visit.first;
        let mut days = Vec::new();
        for _ in 0..7 {
            let next = Revisits::default().next(&visit);
            days.push(next.since(visit.at).as_secs() / DAY.as_secs());
            visit.at = next;
            visit.checks += 1;
        }
        assert_eq!(days, [7, 14, 28, 56, 112, 180, 180]);
    }

    #[test]
    fn paces_that_make_no_sense_are_waits_all_the_same() {
        let first = Moment(1_700_000_000_000);
        let at = first + DAY;
        let numbers = [0.0, -1.0, 1e9, 1e300, f64::NAN, f64::INFINITY, f64::NEG_INFINITY];
        for (first_wait, shortest, longest) in numbers
            .iter()
            .flat_map(|a| numbers.iter().flat_map(move |b| numbers.map(|c| (*a, *b, c))))
        {
            let revisits = Revisits { first: first_wait, shortest, longest };
            for (checks, changes) in [(0, 0), (1, 0), (1, 1), (9, 12), (u16::MAX, u16::MAX)] {
                let visit = Visit { at, first, checks, changes, ..Visit::default() };
                assert!(revisits.next(&visit) >= at, "{revisits:?}");
            }
        }
    }

    #[test]
    fn the_wait_has_bounds() {
        check(10, 0, 17.0);
        check(365, 0, 180.0);
        let hour = Duration::from_hours(1);
        let first = Moment(1_700_000_000_000);
        let at = first + Duration::from_mins(10);
        let visit = Visit { at, first, checks: 10, changes: 10, ..Visit::default() };
        assert_eq!(Revisits::default().next(&visit), at + hour);
    }
}
