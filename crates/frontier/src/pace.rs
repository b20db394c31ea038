//! How fast a host may be asked: its delay, and how it is left alone after it complained.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::moment::Moment;

/// The delay between two requests to one host, in general.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Delays {
    /// The shortest; zero turns politeness off.
    pub least: Duration,
    /// The longest that a slow answer can lead to.
    pub most: Duration,
    /// The longest wish in a robots.txt that is granted.
    pub longest_wish: Duration,
    /// How many times its last answer took a host is left alone.
    pub per_answer: f64,
    /// How long a host is left alone that said it has too much to do, for the first time.
    pub first_pause: Duration,
    /// The longest that it is left alone.
    pub longest_pause: Duration,
}

impl Default for Delays {
    fn default() -> Self {
        Self {
            least: Duration::from_secs(1),
            most: Duration::from_secs(30),
            // Crawl-delay asks for minutes now and then, and gets them. What is longer is no pace any
            // more but a typing error, or milliseconds.
            longest_wish: Duration::from_hours(1),
            // Half of a host's time at most is spent on us, and a struggling one has time to rest.
            per_answer: 2.0,
            first_pause: Duration::from_mins(1),
            longest_pause: Duration::from_hours(24),
        }
    }
}

/// What a host's last answers say about how fast it may be asked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Pace {
    /// What its robots.txt wishes for, in milliseconds.
    pub wished: Option<u64>,
    /// How long its answers take, on a moving average, in milliseconds.
    pub answer: f64,
    /// How many complaints or failures came in a row.
    pub refusals: u8,
    /// Before this moment it is not asked.
    pub next: Moment,
    /// When that was settled.
    pub at: Moment,
}

/// How a request ended, as far as the pace is concerned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ended {
    /// With an answer, after this time.
    Answered(Duration),
    /// With an answer, after this time, that leads on: whether the host is well is not known yet.
    LedOn(Duration),
    /// With a complaint, or an error and a word about how long to wait, or not at all.
    Refused(Option<Duration>),
}

/// The share of the newest answer in the average of how long answers take.
const NEWEST: f64 = 0.3;

impl Pace {
    /// Takes in how a request ended, and tells when the next one may begin.
    pub fn after(&mut self, delays: &Delays, ended: Ended, now: Moment) -> Moment {
        let wait = match ended {
            Ended::Answered(time) | Ended::LedOn(time) => {
                if matches!(ended, Ended::Answered(_)) {
                    self.refusals = 0;
                }
                let millis = time.as_secs_f64() * 1000.0;
                let before = if self.answer == 0.0 { millis } else { self.answer };
                self.answer = before + NEWEST * (millis - before);
                self.delay(delays)
            }
            Ended::Refused(wish) => {
                let doubled = 1_u32 << self.refusals.min(16);
                self.refusals = self.refusals.saturating_add(1);
                let pause = delays.first_pause.saturating_mul(doubled);
                let wish = wish.unwrap_or_default().min(delays.longest_pause);
                pause.min(delays.longest_pause).max(wish).max(self.delay(delays))
            }
        };
        self.next = self.next_by(now).max(now + wait);
        self.at = now;
        self.next
    }

    /// When the host may be asked, by a clock that may have been set back since it was asked last:
    /// then what it still had to wait begins anew.
    pub fn next_by(&mut self, now: Moment) -> Moment {
        if now < self.at {
            self.next = now + self.next.since(self.at);
            self.at = now;
        }
        self.next
    }

    /// How long to wait after an answer.
    pub fn delay(&self, delays: &Delays) -> Duration {
        if delays.least.is_zero() {
            return Duration::ZERO;
        }
        let wished = Duration::from_millis(self.wished.unwrap_or_default());
        let wished = wished.min(delays.longest_wish);
        let answer = (self.answer * delays.per_answer / 1000.0).max(0.0);
        let answer = Duration::try_from_secs_f64(answer).unwrap_or(Duration::MAX);
        delays.least.max(wished).max(answer.min(delays.most))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const START: Moment = Moment(1_000_000);

    fn seconds(wait: u64) -> Duration {
        Duration::from_secs(wait)
    }

    #[track_caller]
    fn check(mut pace: Pace, ended: Ended, expected: Duration) {
        assert_eq!(pace.after(&Delays::default(), ended, START), START + expected);
    }

    #[test]
    fn a_quick_host_is_asked_every_second() {
        check(Pace::default(), Ended::Answered(Duration::from_millis(80)), seconds(1));
    }

    #[test]
    fn a_slow_host_is_left_alone_for_twice_its_answer() {
        check(Pace::default(), Ended::Answered(seconds(4)), seconds(8));
        check(Pace::default(), Ended::Answered(seconds(400)), seconds(30));
    }

    #[test]
    fn a_share_of_answers_without_bounds_is_the_longest_delay() {
        let pace = Pace { answer: 1000.0, ..Pace::default() };
        for (per_answer, expected) in [(f64::INFINITY, 30), (1e300, 30), (f64::NAN, 1), (-1.0, 1)] {
            let delays = Delays { per_answer, ..Delays::default() };
            assert_eq!(pace.delay(&delays), seconds(expected), "{per_answer}");
        }
    }

    #[test]
    fn a_wish_in_robots_txt_is_granted_within_reason() {
        let wishing = |millis| Pace { wished: Some(millis), ..Pace::default() };
        check(wishing(5_000), Ended::Answered(seconds(0)), seconds(5));
        check(wishing(200), Ended::Answered(seconds(0)), seconds(1));
        check(wishing(120_000), Ended::Answered(seconds(0)), seconds(120));
        check(wishing(120_000), Ended::Answered(seconds(400)), seconds(120));
        check(wishing(86_400_000), Ended::Answered(seconds(0)), seconds(3_600));
    }

    #[test]
    fn each_complaint_in_a_row_doubles_the_pause_up_to_a_day() {
        let mut pace = Pace::default();
        let mut now = START;
        let mut pauses = Vec::new();
        for _ in 0..13 {
            let next = pace.after(&Delays::default(), Ended::Refused(None), now);
            pauses.push(next.since(now).as_secs() / 60);
            now = next;
        }
        assert_eq!(pauses, [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 1440, 1440]);
        pace.after(&Delays::default(), Ended::Answered(seconds(0)), now);
        assert_eq!(pace.refusals, 0);
    }

    #[test]
    fn an_answer_that_leads_on_takes_no_complaint_back() {
        let mut pace = Pace { refusals: 3, ..Pace::default() };
        let led_on = Ended::LedOn(seconds(4));
        assert_eq!(pace.after(&Delays::default(), led_on, START), START + seconds(8));
        assert_eq!(pace.refusals, 3);
    }

    #[test]
    fn retry_after_is_obeyed_if_it_is_longer() {
        check(Pace::default(), Ended::Refused(Some(seconds(600))), seconds(600));
        check(Pace::default(), Ended::Refused(Some(seconds(5))), seconds(60));
        check(Pace::default(), Ended::Refused(Some(Duration::MAX)), seconds(86_400));
    }

    #[test]
    fn a_clock_that_was_set_back_makes_nobody_wait_longer_than_before() {
        let mut pace = Pace::default();
        pace.after(&Delays::default(), Ended::Refused(None), START);
        let earlier = START - Duration::from_hours(5);
        assert_eq!(pace.next_by(earlier), earlier + seconds(60));
        assert_eq!(pace.next_by(earlier + seconds(60)), earlier + seconds(60));
    }

    #[test]
    fn without_politeness_only_a_complaint_makes_us_wait() {
        let delays = Delays { least: Duration::ZERO, ..Delays::default() };
        let mut pace = Pace { wished: Some(9_000), ..Pace::default() };
        assert_eq!(pace.after(&delays, Ended::Answered(seconds(3)), START), START);
        assert_eq!(pace.after(&delays, Ended::Refused(None), START), START + seconds(60));
    }
}
