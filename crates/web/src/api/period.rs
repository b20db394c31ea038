//! A period of time, as `OpenSearch` and OGC write it, turned into operators of the query language.

use jiff::ToSpan;
use jiff::civil::Date;

use crate::inquiry::Refusal;

/// From one day to another, both included; an open end is nothing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Period {
    pub(crate) first: Option<Date>,
    pub(crate) last: Option<Date>,
}

impl Period {
    /// The period of `2024-05-01/2024-05-31`, `2024-05-01/..`, `../2024-05-31` or of one day or moment.
    pub(crate) fn of_interval(text: &str) -> Result<Self, Refusal> {
        match text.split_once('/') {
            Some((first, last)) => Self::between(first, last),
            None => Self::between(text, text),
        }
    }

    /// The period between two days or moments; a blank or two dots are an open end.
    pub(crate) fn between(first: &str, last: &str) -> Result<Self, Refusal> {
        let period = Self { first: day(first)?, last: day(last)? };
        match (period.first, period.last) {
            (Some(first), Some(last)) if last < first => Err(Refusal::bad(format!(
                "{first} is later than {last}: write the earlier day first"
            ))),
            _ => Ok(period),
        }
    }

    /// The text with operators that ask for this period.
    pub(crate) fn within(self, text: &str) -> String {
        let mut parts = vec![text.trim().to_owned()];
        parts.extend(self.first.map(|it| format!("after:{it}")));
        // The day that is named is not before itself.
        let end = self.last.and_then(|it| it.checked_add(1.day()).ok());
        parts.extend(end.map(|it| format!("before:{it}")));
        parts.retain(|it| !it.is_empty());
        parts.join(" ")
    }
}

/// The day of `2024-05-31` or of a moment on it, `2024-05-31T12:00:00Z`.
fn day(text: &str) -> Result<Option<Date>, Refusal> {
    let text = text.trim();
    if text.is_empty() || text == ".." {
        return Ok(None);
    }
    let no =
        || Refusal::bad(format!("\"{text}\" is no time: write 2024-05-31 or 2024-05-31T12:00:00Z"));
    let (date, time) = text.split_once(['T', 't']).map_or((text, None), |it| (it.0, Some(it.1)));
    let date = if time.is_some() {
        let moment: jiff::Timestamp = text.parse().map_err(|_| no())?;
        moment.to_zoned(jiff::tz::TimeZone::UTC).date()
    } else {
        date.parse::<Date>().map_err(|_| no())?
    };
    if date.year() > 0 { Ok(Some(date)) } else { Err(no()) }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[track_caller]
    fn check(interval: &str, expected: &str) {
        assert_eq!(Period::of_interval(interval).unwrap().within("museum"), expected);
    }

    #[test]
    fn an_interval_becomes_operators_and_its_last_day_counts() {
        check("2024-05-01/2024-05-31", "museum after:2024-05-01 before:2024-06-01");
        check("2024-05-01T10:00:00Z/..", "museum after:2024-05-01");
        check("/2024-05-31", "museum before:2024-06-01");
        check("2024-05-31", "museum after:2024-05-31 before:2024-06-01");
        check("../..", "museum");
        check("9999-12-30/9999-12-31", "museum after:9999-12-30");
    }

    #[test]
    fn what_is_no_interval_is_refused() {
        for text in ["yesterday", "2024-13-01", "2024-05-31/2024-05-01", "a/b/c", "-0001-01-01"] {
            assert!(Period::of_interval(text).is_err(), "{text}");
        }
    }

    proptest! {
        #[test]
        fn any_text_is_a_period_or_none(text in any::<String>()) {
            let _ = Period::of_interval(&text);
        }

        #[test]
        fn any_day_is_read(year in 1i16..=9999, month in 1i8..=12, day in 1i8..=28) {
            let text = format!("{year:04}-{month:02}-{day:02}");
            let period = Period::of_interval(&text).unwrap();
            prop_assert_eq!(period.first.unwrap().to_string(), text);
        }
    }
}
