//! Cron lines, as crontab(5) has them.

use std::fmt;
use std::str::FromStr;

use jiff::civil::{Date, DateTime};
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Span, Timestamp};

/// A line longer than this is none.
const LONGEST: usize = 1000;
/// The 29th of February on a given weekday comes every 28 years, and over the year 2100 in 40.
const MOST_DAYS: u32 = 41 * 366;
const MINUTE: SignedDuration = SignedDuration::from_secs(60);

const MONTHS: [&str; 12] =
    ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
const WEEKDAYS: [&str; 7] = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"];

/// The times of a cron line: minute, hour, day of the month, month, day of the week.
///
/// A line whose minute and hour are fixed runs once where the clock is put back, and right after
/// the hour that is left out where it is put forward.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cron {
    text: String,
    minutes: u64,
    hours: u64,
    days: u64,
    months: u64,
    weekdays: u64,
    /// With a star in one of the two kinds of days both must fit, otherwise either.
    has_free_days: bool,
    /// Without a star in minute or hour it is meant once a day, whatever the clock does.
    is_fixed: bool,
}

/// This is no cron line.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoCron {
    /// It does not have five fields.
    #[error(
        "\"{0}\" is no cron line: write minute, hour, day of the month, month and day of the week"
    )]
    Fields(String),
    /// It is a name that is none.
    #[error("\"{0}\" is no timing: write @hourly, @daily, @weekly, @monthly or @yearly")]
    Name(String),
    /// A field makes no sense.
    #[error("\"{text}\" is no {field} of a cron line: {reason}")]
    Field {
        /// Which.
        field: &'static str,
        /// What was written.
        text: String,
        /// What is wrong with it.
        reason: String,
    },
    /// No day ever fits.
    #[error("\"{0}\" never comes: no month has such a day")]
    Never(String),
}

/// A field of a cron line: what it is called, its smallest and largest number, and their names.
struct Field {
    name: &'static str,
    least: u32,
    most: u32,
    names: &'static [&'static str],
}

const FIELDS: [Field; 5] = [
    Field { name: "minute", least: 0, most: 59, names: &[] },
    Field { name: "hour", least: 0, most: 23, names: &[] },
    Field { name: "day of the month", least: 1, most: 31, names: &[] },
    Field { name: "month", least: 1, most: 12, names: &MONTHS },
    Field { name: "day of the week", least: 0, most: 7, names: &WEEKDAYS },
];

impl FromStr for Cron {
    type Err = NoCron;

    fn from_str(text: &str) -> Result<Self, NoCron> {
        let text = text.trim();
        let line = match text {
            "@yearly" | "@annually" => "0 0 1 1 *",
            "@monthly" => "0 0 1 * *",
            "@weekly" => "0 0 * * 0",
            "@daily" | "@midnight" => "0 0 * * *",
            "@hourly" => "0 * * * *",
            name if name.starts_with('@') => return Err(NoCron::Name(shortened(name))),
            line => line,
        };
        let wrong = || NoCron::Fields(shortened(text));
        if line.len() > LONGEST {
            return Err(wrong());
        }
        let parts: Vec<_> = line.split_whitespace().collect();
        let [minute, hour, day, month, weekday] = parts[..] else { return Err(wrong()) };
        let weekdays = FIELDS[4].read(weekday)?;
        let cron = Self {
            text: text.to_owned(),
            minutes: FIELDS[0].read(minute)?,
            hours: FIELDS[1].read(hour)?,
            days: FIELDS[2].read(day)?,
            months: FIELDS[3].read(month)?,
            // Sunday is 0 and 7.
            weekdays: (weekdays | weekdays >> 7) & 0x7f,
            has_free_days: day.contains('*') || weekday.contains('*'),
            is_fixed: !minute.contains('*') && !hour.contains('*'),
        };
        if cron.never_comes() { Err(NoCron::Never(text.to_owned())) } else { Ok(cron) }
    }
}

impl Field {
    /// The numbers of a field as bits.
    fn read(&self, text: &str) -> Result<u64, NoCron> {
        let mut bits = 0;
        for part in text.split(',') {
            bits |= self.part(part).map_err(|reason| NoCron::Field {
                field: self.name,
                text: text.to_owned(),
                reason,
            })?;
        }
        Ok(bits)
    }

    /// `*`, `5`, `1-5`, `mon-fri`, and the first and last with `/2` behind them.
    fn part(&self, text: &str) -> Result<u64, String> {
        let (range, step) = match text.split_once('/') {
            Some((range, step)) => (range, Some(step)),
            None => (text, None),
        };
        let (first, last) = if range == "*" {
            (self.least, self.most)
        } else if let Some((first, last)) = range.split_once('-') {
            (self.number(first)?, self.number(last)?)
        } else {
            let number = self.number(range)?;
            if step.is_some() {
                return Err(format!("write {number}-{}/{}", self.most, step.unwrap_or("1")));
            }
            (number, number)
        };
        if first > last {
            return Err(format!("{first} is behind {last}: write two ranges with a comma between"));
        }
        let step = match step {
            None => 1,
            Some(text) => {
                let step = text.parse().ok().filter(|it| (1..=self.most).contains(it));
                step.ok_or_else(|| format!("\"{text}\" is no step: write 1 to {}", self.most))?
            }
        };
        Ok((first..=last).step_by(step as usize).fold(0, |bits, it| bits | 1 << it))
    }

    fn number(&self, text: &str) -> Result<u32, String> {
        let named = self.names.iter().position(|it| it.eq_ignore_ascii_case(text));
        if let Some(at) = named {
            return Ok(at as u32 + self.least);
        }
        let is_number = !text.is_empty() && text.bytes().all(|it| it.is_ascii_digit());
        let number =
            text.parse().ok().filter(|it| is_number && (self.least..=self.most).contains(it));
        number.ok_or_else(|| {
            let or_name = if self.names.is_empty() { "" } else { " or a name of three letters" };
            format!("\"{text}\" is not from {} to {}{or_name}", self.least, self.most)
        })
    }
}

impl Cron {
    /// The first moment that fits after this one.
    pub fn next(&self, after: Timestamp, zone: &TimeZone) -> Option<Timestamp> {
        // Seconds do not count: the first candidate is the next full minute.
        let from = after.checked_add(MINUTE).ok()?;
        let from = Timestamp::from_second(from.as_second().div_euclid(60) * 60).ok()?;
        let mut date = zone.to_datetime(from).date();
        for _ in 0..MOST_DAYS {
            let (start, end) = (start_of(date, zone)?, start_of(date.tomorrow().ok()?, zone)?);
            let from = from.max(start);
            let found = if has_change(zone, start, end) {
                self.next_minute(from, end, zone)
            } else if self.fits_day(date) {
                self.next_on(date, zone.to_datetime(from)).and_then(|it| timestamp(it, zone))
            } else {
                None
            };
            if found.is_some() {
                return found;
            }
            date = date.tomorrow().ok()?;
        }
        None
    }

    /// The first time on a day without changes of the clock that is not before this one.
    fn next_on(&self, date: Date, from: DateTime) -> Option<DateTime> {
        let is_first = from.date() == date;
        let hour = if is_first { from.hour() } else { 0 };
        for hour in hour..24 {
            if self.hours >> hour & 1 == 0 {
                continue;
            }
            let least = if is_first && hour == from.hour() { from.minute() } else { 0 };
            if let Some(minute) = (least..60).find(|it| self.minutes >> it & 1 == 1) {
                return Some(date.at(hour, minute, 0, 0));
            }
        }
        None
    }

    /// The first moment from this one on that fits, minute by minute.
    fn next_minute(&self, from: Timestamp, end: Timestamp, zone: &TimeZone) -> Option<Timestamp> {
        let mut now = from;
        while now < end {
            if self.fits_moment(now, zone) {
                return Some(now);
            }
            now = now.checked_add(MINUTE).ok()?;
        }
        None
    }

    fn fits_moment(&self, moment: Timestamp, zone: &TimeZone) -> bool {
        let time = zone.to_datetime(moment);
        if !self.is_fixed {
            return self.fits(time);
        }
        let before = moment.checked_sub(SignedDuration::from_nanos(1)).unwrap_or(moment);
        let old = zone.to_offset(before).to_datetime(moment);
        // Put forward just now: what was left out is made up for.
        if old < time {
            let mut missed = old;
            while missed < time {
                if self.fits(missed) {
                    return true;
                }
                let Ok(next) = missed.checked_add(Span::new().minutes(1)) else { break };
                missed = next;
            }
        }
        // Put back: the first time is the one that counts.
        let is_again =
            zone.to_ambiguous_timestamp(time).compatible().is_ok_and(|first| first < moment);
        self.fits(time) && !is_again
    }

    fn fits(&self, time: DateTime) -> bool {
        self.hours >> time.hour() & 1 == 1
            && self.minutes >> time.minute() & 1 == 1
            && self.fits_day(time.date())
    }

    fn fits_day(&self, date: Date) -> bool {
        let day = self.days >> date.day() & 1 == 1;
        let weekday = self.weekdays >> date.weekday().to_sunday_zero_offset() & 1 == 1;
        let either = if self.has_free_days { day && weekday } else { day || weekday };
        self.months >> date.month() & 1 == 1 && either
    }

    /// The 30th of February and its like, if no weekday fits instead.
    fn never_comes(&self) -> bool {
        let longest = |month: u32| match month {
            2 => 29,
            4 | 6 | 9 | 11 => 30,
            _ => 31,
        };
        let months = (1..=12).filter(|it| self.months >> it & 1 == 1);
        let some = months.map(longest).max().unwrap_or(0);
        self.has_free_days && (1..=some).all(|it| self.days >> it & 1 == 0)
    }
}

impl fmt::Display for Cron {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

/// The first moment of a day.
fn start_of(date: Date, zone: &TimeZone) -> Option<Timestamp> {
    let midnight = date.at(0, 0, 0, 0);
    let ambiguous = zone.to_ambiguous_timestamp(midnight);
    let jiff::tz::AmbiguousOffset::Gap { before, .. } = ambiguous.offset() else {
        return ambiguous.compatible().ok();
    };
    // Midnight is left out: the day begins when the clock is put forward.
    let moment = before.to_timestamp(midnight).ok()?;
    let just_behind = moment.checked_add(SignedDuration::from_nanos(1)).ok()?;
    Some(zone.preceding(just_behind).next().map_or(moment, |it| it.timestamp()))
}

/// Whether the clock is put forward or back between these moments, or at the first.
fn has_change(zone: &TimeZone, start: Timestamp, end: Timestamp) -> bool {
    let before = start.checked_sub(SignedDuration::from_nanos(1)).unwrap_or(start);
    zone.following(before).next().is_some_and(|it| it.timestamp() < end)
}

fn timestamp(time: DateTime, zone: &TimeZone) -> Option<Timestamp> {
    zone.to_ambiguous_timestamp(time).compatible().ok()
}

fn shortened(text: &str) -> String {
    text.chars().take(60).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn moment(text: &str) -> Timestamp {
        text.parse().expect("a time")
    }

    /// Central European time, and one that changes at midnight.
    fn berlin() -> TimeZone {
        TimeZone::posix("CET-1CEST,M3.5.0,M10.5.0/3").expect("a zone")
    }

    fn havana() -> TimeZone {
        TimeZone::posix("CST5CDT,M3.2.0/0,M11.1.0/1").expect("a zone")
    }

    #[track_caller]
    fn check(line: &str, after: &str, expected: &str) {
        let cron: Cron = line.parse().expect("a cron line");
        let next = cron.next(moment(after), &TimeZone::UTC).map(|it| it.to_string());
        assert_eq!(next.as_deref(), Some(expected), "{line} after {after}");
    }

    #[test]
    fn fields_have_numbers_names_ranges_steps_and_lists() {
        check("* * * * *", "2026-01-01T00:00:00Z", "2026-01-01T00:01:00Z");
        check("* * * * *", "2026-01-01T00:00:59.9Z", "2026-01-01T00:01:00Z");
        check("5 4 * * *", "2026-01-01T04:05:00Z", "2026-01-02T04:05:00Z");
        check("*/15 * * * *", "2026-01-01T00:46:00Z", "2026-01-01T01:00:00Z");
        check("10-20/5,50 9 * * *", "2026-01-01T09:15:00Z", "2026-01-01T09:20:00Z");
        check("0 3 * * mon-fri", "2026-11-13T03:00:00Z", "2026-11-16T03:00:00Z");
        check("0 0 1 JAN,jul *", "2026-01-01T00:00:00Z", "2026-07-01T00:00:00Z");
        check("@weekly", "2026-11-16T00:00:00Z", "2026-11-22T00:00:00Z");
        check("0 0 * * 7", "2026-11-16T00:00:00Z", "2026-11-22T00:00:00Z");
    }

    #[test]
    fn two_kinds_of_days_mean_either_unless_one_has_a_star() {
        // The 13th of November 2026 is a Friday.
        check("0 0 20 * fri", "2026-11-13T00:00:00Z", "2026-11-20T00:00:00Z");
        check("0 0 18 * fri", "2026-11-13T00:00:00Z", "2026-11-18T00:00:00Z");
        check("0 0 */2 * fri", "2026-11-13T00:00:00Z", "2026-11-27T00:00:00Z");
        check("0 0 29 2 *", "2096-03-01T00:00:00Z", "2104-02-29T00:00:00Z");
    }

    #[test]
    fn what_is_left_out_in_spring_comes_right_after() {
        let next = |line: &str, after: &str, zone: &TimeZone| {
            let cron: Cron = line.parse().expect("a cron line");
            cron.next(moment(after), zone).map(|it| it.to_string()).unwrap_or_default()
        };
        // At 01:00 UTC clocks go from 2 to 3.
        assert_eq!(next("30 2 * * *", "2026-03-28T12:00:00Z", &berlin()), "2026-03-29T01:00:00Z");
        assert_eq!(next("*/20 * * * *", "2026-03-29T00:45:00Z", &berlin()), "2026-03-29T01:00:00Z");
        // At midnight clocks go to 1.
        assert_eq!(next("0 0 * * *", "2026-03-07T12:00:00Z", &havana()), "2026-03-08T05:00:00Z");
    }

    #[test]
    fn what_comes_twice_in_autumn_is_done_once() {
        let cron: Cron = "30 2 * * *".parse().expect("a cron line");
        let first = cron.next(moment("2026-10-24T12:00:00Z"), &berlin()).expect("a time");
        assert_eq!(first.to_string(), "2026-10-25T00:30:00Z");
        let second = cron.next(first, &berlin()).expect("a time");
        assert_eq!(second.to_string(), "2026-10-26T01:30:00Z");
    }

    #[test]
    fn what_is_no_cron_line_is_told() {
        let told = |text: &str| text.parse::<Cron>().expect_err(text).to_string();
        assert!(told("* * * *").ends_with("month and day of the week"));
        assert_eq!(
            told("0 24 * * *"),
            "\"24\" is no hour of a cron line: \"24\" is not from 0 to 23"
        );
        assert!(told("0 0 * * fri-mon").contains("5 is behind 1"));
        assert!(told("5/15 * * * *").contains("write 5-59/15"));
        assert!(told("*/0 * * * *").contains("is no step"));
        assert!(told("@reboot").contains("write @hourly"));
        assert!(told("0 0 31 feb,apr *").contains("never comes"));
        assert!(told("0 0 1 foo *").contains("a name of three letters"));
        assert!(told("+1 0 1 * *").contains("is not from 0 to 59"));
    }

    /// The same, minute by minute.
    fn slow_twin(cron: &Cron, after: Timestamp, zone: &TimeZone, most: u32) -> Option<Timestamp> {
        let start = Timestamp::from_second(after.as_second().div_euclid(60) * 60 + 60).ok()?;
        let mut now = start;
        for _ in 0..most {
            if cron.fits_moment(now, zone) {
                return Some(now);
            }
            now += MINUTE;
        }
        None
    }

    fn field(least: u32, most: u32) -> impl Strategy<Value = String> {
        let number = least..=most;
        prop_oneof![
            3 => Just("*".to_owned()),
            3 => number.clone().prop_map(|it| it.to_string()),
            1 => (1..=most).prop_map(|it| format!("*/{it}")),
            1 => (number.clone(), number.clone(), 1..=most)
                .prop_map(|(a, b, step)| format!("{}-{}/{step}", a.min(b), a.max(b))),
            1 => (number.clone(), number).prop_map(|(a, b)| format!("{a},{b}")),
        ]
    }

    proptest! {
        #[test]
        fn the_slow_twin_agrees(
            minute in field(0, 59),
            hour in field(0, 23),
            day in field(1, 31),
            month in field(1, 12),
            weekday in field(0, 7),
            start in 1_700_000_000_i64..1_900_000_000,
            zone in 0..3,
        ) {
            let line = format!("{minute} {hour} {day} {month} {weekday}");
            let Ok(cron) = line.parse::<Cron>() else { return Ok(()) };
            let zone = [TimeZone::UTC, berlin(), havana()][zone as usize].clone();
            let after = Timestamp::from_second(start).expect("a time");
            let next = cron.next(after, &zone);
            let most = 40 * 1440;
            let twin = slow_twin(&cron, after, &zone, most);
            let end = after + MINUTE * (most as i32);
            prop_assert_eq!(next.filter(|it| *it <= end), twin, "{}", line);
        }

        #[test]
        fn near_a_change_of_the_clock_the_slow_twin_agrees_too(
            minute in field(0, 59),
            hour in field(0, 4),
            minutes in 0_i64..6000,
            change in 0..4,
        ) {
            let changes = ["2026-03-27", "2026-10-23", "2026-03-06", "2026-10-30"];
            let zone = if change < 2 { berlin() } else { havana() };
            let start = moment(&format!("{}T00:00:00Z", changes[change as usize]));
            let after = start + SignedDuration::from_mins(minutes);
            let cron: Cron = format!("{minute} {hour} * * *").parse().expect("a cron line");
            let twin = slow_twin(&cron, after, &zone, 5 * 1440);
            prop_assert_eq!(cron.next(after, &zone), twin, "{}", cron);
        }

        #[test]
        fn any_text_is_a_cron_line_or_an_error(text in "[0-9*/,@a-z -]{0,30}") {
            let _ = text.parse::<Cron>();
        }
    }
}
