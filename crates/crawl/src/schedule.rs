//! When a task runs: once, every so often, or at the times of a cron line.

mod cron;
mod zone;

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use jiff::Timestamp;
use jiff::tz::TimeZone;
use serde::{Deserialize, Serialize};

pub use self::cron::{Cron, NoCron};
pub use self::zone::zone;

/// The longest time between two runs: ten years, so that sums stay within the calendar.
const LONGEST: Duration = Duration::from_hours(10 * 366 * 24);

/// When a task runs.
///
/// ```
/// use crawl::Schedule;
///
/// let schedule: Schedule = "0 3 * * mon-fri".parse()?;
/// let friday = "2026-11-13T12:00:00Z".parse()?;
/// let next = schedule.next(friday, &jiff::tz::TimeZone::UTC);
/// assert_eq!(next, Some("2026-11-16T03:00:00Z".parse()?));
/// assert_eq!("every 90 min".parse::<Schedule>()?.to_string(), "every 90 minutes");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum Schedule {
    /// When it is started, and not again.
    #[default]
    Once,
    /// When it is started, and so long after each beginning again.
    Every(Duration),
    /// At the times of a cron line.
    Cron(Cron),
}

/// This says no time to run.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoSchedule {
    /// It is neither of the forms.
    #[error(
        "\"{0}\" is no timing: write \"once\", \"every 30 minutes\" or a cron line such as \"0 3 * * mon-fri\""
    )]
    Form(String),
    /// It looks like a cron line, but is none.
    #[error(transparent)]
    Cron(#[from] NoCron),
}

impl Schedule {
    /// When to run next after a run that began at this moment; nothing if never again.
    pub fn next(&self, after: Timestamp, zone: &TimeZone) -> Option<Timestamp> {
        match self {
            Self::Once => None,
            Self::Every(time) => after.checked_add(*time).ok(),
            Self::Cron(cron) => cron.next(after, zone),
        }
    }

    /// When to run for the first time after it was started at this moment.
    pub fn first(&self, started: Timestamp, zone: &TimeZone) -> Option<Timestamp> {
        match self {
            Self::Once | Self::Every(_) => Some(started),
            Self::Cron(cron) => cron.next(started, zone),
        }
    }
}

impl FromStr for Schedule {
    type Err = NoSchedule;

    fn from_str(text: &str) -> Result<Self, NoSchedule> {
        let wrong = || NoSchedule::Form(text.to_owned());
        let trimmed = text.trim();
        if trimmed.eq_ignore_ascii_case("once") {
            return Ok(Self::Once);
        }
        let every = trimmed.get(..5).filter(|it| it.eq_ignore_ascii_case("every"));
        if every.is_some() {
            return interval(trimmed[5..].trim()).map(Self::Every).ok_or_else(wrong);
        }
        if trimmed.starts_with('@') || trimmed.split_whitespace().count() >= 5 {
            return Ok(Self::Cron(trimmed.parse()?));
        }
        Err(wrong())
    }
}

/// `30 minutes`, `2h`, `day`.
fn interval(text: &str) -> Option<Duration> {
    let split = text.find(|it: char| !it.is_ascii_digit()).unwrap_or(text.len());
    let (number, unit) = text.split_at(split);
    let number: u64 = if number.is_empty() { 1 } else { number.parse().ok()? };
    let seconds = match unit.trim().to_ascii_lowercase().as_str() {
        "s" | "sec" | "second" | "seconds" => 1,
        "m" | "min" | "minute" | "minutes" => 60,
        "h" | "hour" | "hours" => 3600,
        "d" | "day" | "days" => 86_400,
        "w" | "week" | "weeks" => 604_800,
        _ => return None,
    };
    let time = Duration::from_secs(number.checked_mul(seconds)?);
    (!time.is_zero() && time <= LONGEST).then_some(time)
}

impl fmt::Display for Schedule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Once => write!(f, "once"),
            Self::Every(time) => {
                let seconds = time.as_secs();
                let units = [(86_400, "day"), (3600, "hour"), (60, "minute"), (1, "second")];
                let fits = units.into_iter().find(|it| seconds.is_multiple_of(it.0));
                let (size, unit) = fits.unwrap_or((1, "second"));
                let count = seconds / size;
                write!(f, "every {count} {unit}{}", if count == 1 { "" } else { "s" })
            }
            Self::Cron(cron) => write!(f, "{cron}"),
        }
    }
}

impl TryFrom<String> for Schedule {
    type Error = NoSchedule;
    fn try_from(text: String) -> Result<Self, NoSchedule> {
        text.parse()
    }
}

impl From<Schedule> for String {
    fn from(schedule: Schedule) -> Self {
        schedule.to_string()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &str) {
        assert_eq!(text.parse::<Schedule>().expect("it is one").to_string(), expected);
    }

    #[test]
    fn a_schedule_is_once_every_or_cron() {
        check(" Once ", "once");
        check("every 30 minutes", "every 30 minutes");
        check("every day", "every 1 day");
        check("every 1s", "every 1 second");
        check("Every 48 h", "every 2 days");
        check("0 3 * * mon-fri", "0 3 * * mon-fri");
        check("@daily", "@daily");
    }

    #[test]
    fn what_is_none_is_told() {
        for text in ["", "twice", "every", "every 0 s", "every blue moon", "every -1 h", "3 * *"] {
            let told = text.parse::<Schedule>().expect_err(text).to_string();
            assert!(told.contains("write \"once\""), "{told}");
        }
        let told = "61 * * * *".parse::<Schedule>().expect_err("it is none").to_string();
        assert!(told.contains("minute"), "{told}");
    }

    #[test]
    fn the_next_run_counts_from_the_beginning_of_the_last() {
        let start: Timestamp = "2026-01-01T00:00:00Z".parse().expect("a time");
        let next = |text: &str| {
            let schedule: Schedule = text.parse().expect("it is one");
            schedule.next(start, &TimeZone::UTC).map(|it| it.to_string())
        };
        assert_eq!(next("once"), None);
        assert_eq!(next("every 90 seconds").as_deref(), Some("2026-01-01T00:01:30Z"));
        assert_eq!(next("0 0 * * *").as_deref(), Some("2026-01-02T00:00:00Z"));
    }

    proptest! {
        #[test]
        fn any_text_is_a_schedule_or_an_error(text in ".{0,40}") {
            let _ = text.parse::<Schedule>();
        }

        #[test]
        fn a_schedule_is_read_as_it_is_written(seconds in 1_u64..1_000_000) {
            let schedule = Schedule::Every(Duration::from_secs(seconds));
            prop_assert_eq!(schedule.to_string().parse::<Schedule>(), Ok(schedule));
        }
    }
}
