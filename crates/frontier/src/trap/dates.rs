//! Dates in URLs, by which endless calendars are known.

use std::str::FromStr;

use serde::{Deserialize, Serialize};
use url::Url;

use crate::trap::shape::is_number;

/// Names of parameters that hold a year.
const YEARS: [&str; 5] = ["year", "jahr", "yr", "y", "annee"];

/// Names of parameters that hold a month beside one that holds a year.
const MONTHS: [&str; 5] = ["month", "monat", "mon", "m", "mois"];

/// A month of a year. Nobody needs to know more of today than this.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Month {
    /// Of the common era.
    pub year: u16,
    /// From 1 to 12.
    pub month: u8,
}

impl Month {
    /// How many months lie between the two, less than 0 if the other is earlier.
    pub fn until(self, other: Self) -> i32 {
        (i32::from(other.year) - i32::from(self.year)) * 12 + i32::from(other.month)
            - i32::from(self.month)
    }
}

/// Words in a path, or names of parameters, beside which a number is a date.
const CALENDARS: [&str; 13] = [
    "kalend",
    "calend",
    "agenda",
    "termin",
    "event",
    "veranstaltung",
    "archiv",
    "date",
    "datum",
    "month",
    "monat",
    "week",
    "woche",
];

/// The month that the URL names: `/2031/07`, `/2031-07-14`, `?year=2031&month=7`, and where it
/// speaks of a calendar also `/2031/7` and `/20310714`, which elsewhere are ids and pages.
///
/// The last one, if there are several. A year alone is no date.
pub(super) fn named(url: &Url) -> Option<Month> {
    of_parameters(url).or_else(|| of_path(url.path()))
}

/// Whether words follow the date in the path, as with articles: `/2019/07/14/the-old-harbour`.
pub(super) fn has_title(url: &Url) -> bool {
    let last = url.path().rsplit('/').find(|it| !it.is_empty()).unwrap_or_default();
    let letters = last.bytes().filter(u8::is_ascii_alphabetic).count();
    letters > 3 && url.query().is_none() && Sight::Calendar.of_piece(last).is_none()
}

fn of_path(path: &str) -> Option<Month> {
    let sight = Sight::of(path);
    let segments: Vec<_> = path.split('/').rev().take(8).collect();
    let of_pair = |at: usize| sight.month(segments.get(at + 1)?, segments[at]);
    (0..segments.len()).find_map(|at| sight.of_piece(segments[at]).or_else(|| of_pair(at)))
}

fn of_parameters(url: &Url) -> Option<Month> {
    let query = url.query()?;
    let parameters = || query.split('&').filter_map(|it| it.split_once('='));
    let value = |names: [&str; 5]| {
        let is = |name: &str| names.iter().any(|it| name.eq_ignore_ascii_case(it));
        parameters().find(|it| is(it.0)).map(|it| it.1)
    };
    let (year, number) = (value(YEARS), value(MONTHS));
    let of_pair = year.zip(number).and_then(|(year, number)| Sight::Calendar.month(year, number));
    of_pair.or_else(|| parameters().find_map(|(name, value)| Sight::of(name).of_piece(value)))
}

/// How ready we are to see dates in numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Sight {
    /// Something speaks of a calendar.
    Calendar,
    /// Nothing does: a date must look like nothing else.
    Plain,
}

impl Sight {
    fn of(text: &str) -> Self {
        let text = text.to_ascii_lowercase();
        let is_calendar = CALENDARS.iter().any(|it| text.contains(it));
        if is_calendar { Self::Calendar } else { Self::Plain }
    }

    /// The month of `2031-07`, `2031-07-14`, `2031_07`, `203107` and `20310714`.
    fn of_piece(self, piece: &str) -> Option<Month> {
        if is_number(piece) {
            let is_written =
                self == Self::Calendar && matches!(piece.len(), 6 | 8) && day(&piece[6..]);
            return is_written.then(|| self.month(&piece[..4], &piece[4..6])).flatten();
        }
        let mut parts = piece.splitn(4, ['-', '_', '.']);
        let found = self.month(parts.next()?, parts.next()?)?;
        let is_date = parts.next().is_none_or(day) && parts.next().is_none();
        is_date.then_some(found)
    }

    fn month(self, year: &str, month: &str) -> Option<Month> {
        let found = Month { year: number(year)?, month: number(month)? };
        let is_likely = match self {
            Self::Calendar => year.len() == 4 && month.len() <= 2,
            Self::Plain => (1900..=2100).contains(&found.year) && month.len() == 2,
        };
        (is_likely && (1..=12).contains(&found.month)).then_some(found)
    }
}

fn day(text: &str) -> bool {
    text.is_empty() || number::<u8>(text).is_some_and(|it| (1..=31).contains(&it))
}

/// The number, if the text is one without sign.
fn number<T: FromStr>(text: &str) -> Option<T> {
    is_number(text).then(|| text.parse().ok()).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(path: &str, expected: Option<(u16, u8)>) {
        let url = Url::parse(&format!("https://example.org{path}")).unwrap();
        assert_eq!(named(&url), expected.map(|(year, month)| Month { year, month }), "{path}");
    }

    #[test]
    fn dates_stand_in_paths() {
        check("/kalender/2031/07", Some((2031, 7)));
        check("/2031/07/14/name", Some((2031, 7)));
        check("/news/2031-07-14", Some((2031, 7)));
        check("/termine/2031/7", Some((2031, 7)));
        check("/termine/20310714/", Some((2031, 7)));
    }

    #[test]
    fn dates_stand_in_parameters() {
        check("/k?jahr=2031&monat=7", Some((2031, 7)));
        check("/k?date=2031-07", Some((2031, 7)));
        check("/k?month=203107", Some((2031, 7)));
        check("/k?year=9731&month=2", Some((9731, 2)));
    }

    #[test]
    fn other_numbers_are_no_dates() {
        check("/artikel/2031", None);
        check("/artikel/203107/", None);
        check("/artikel?id=203107", None);
        check("/thread/5012/3", None);
        check("/thread/5012/12", None);
        check("/artikel/20311399", None);
        check("/2031/17", None);
        check("/tel/0441-12-34", None);
        check("/v/2031-07-14-15", None);
    }

    #[test]
    fn months_are_counted() {
        let (from, to) = (Month { year: 2030, month: 11 }, Month { year: 2031, month: 2 });
        assert_eq!((from.until(to), to.until(from)), (3, -3));
    }
}
