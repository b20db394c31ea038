//! Dates as sitemaps and feeds write them.

use jiff::Timestamp;
use jiff::civil::{Date, DateTime};
use jiff::fmt::rfc2822::DateTimeParser;
use jiff::tz::TimeZone;

/// Feeds often have the wrong day of the week, which says nothing.
static FEEDS: DateTimeParser = DateTimeParser::new().relaxed_weekday(true);

/// The time of `2004-12-23T18:00:15+00:00`, in any precision from the year on, or of
/// `Thu, 23 Dec 2004 18:00:15 GMT`.
///
/// Dates of sitemaps without a zone are taken for UTC, as a day more or less says nothing about
/// whether a page has changed.
pub(super) fn parse(text: &str) -> Option<Timestamp> {
    let text = text.trim();
    if let Ok(time) = text.parse() {
        return Some(time);
    }
    if let Ok(time) = FEEDS.parse_timestamp(text) {
        return Some(time);
    }
    let time = civil(text)?;
    time.to_zoned(TimeZone::UTC).ok().map(|it| it.timestamp())
}

fn civil(text: &str) -> Option<DateTime> {
    let is_date = |it: u8| it.is_ascii_digit() || b"-T:. ".contains(&it);
    if !text.bytes().all(is_date) {
        return None;
    }
    if text.len() > 7 {
        return text.parse().ok();
    }
    let (year, month) = text.split_once('-').unwrap_or((text, "1"));
    let is_year = year.len() == 4;
    let first = Date::new(year.parse().ok()?, month.parse().ok()?, 1).ok()?;
    is_year.then(|| first.into())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[track_caller]
    fn check(text: &str, expected: &str) {
        let time = parse(text).map(|it| it.to_string());
        assert_eq!(time.as_deref().unwrap_or("none"), expected, "{text}");
    }

    #[test]
    fn sitemaps_have_dates_in_every_precision() {
        check(" 2004-12-23T18:00:15+01:00 ", "2004-12-23T17:00:15Z");
        check("2004-12-23T18:00:15.5Z", "2004-12-23T18:00:15.5Z");
        check("2004-12-23T18:00Z", "2004-12-23T18:00:00Z");
        check("2004-12-23T18:00:15", "2004-12-23T18:00:15Z");
        check("2004-12-23 18:00:15", "2004-12-23T18:00:15Z");
        check("2004-12-23", "2004-12-23T00:00:00Z");
        check("2004-12", "2004-12-01T00:00:00Z");
        check("2004", "2004-01-01T00:00:00Z");
    }

    #[test]
    fn feeds_have_dates_like_letters() {
        check("Thu, 05 Jan 2017 13:34:51 +0100", "2017-01-05T12:34:51Z");
        check("05 Jan 17 13:34:54 GMT", "2017-01-05T13:34:54Z");
        check("Mon, 05 Jan 2017 13:34:51 GMT", "2017-01-05T13:34:51Z");
        check("05 Jan 17 13:34:55", "none");
    }

    #[test]
    fn what_is_no_date_is_none() {
        check("", "none");
        check("now", "none");
        check("2004-13", "none");
        check("204-1", "none");
        check("2004-12-32", "none");
        check("0000-00-00", "none");
    }

    proptest! {
        #[test]
        fn any_text_may_be_a_date(text in "\\PC*", digits in "[0-9T:. +Z-]{0,30}") {
            parse(&text);
            parse(&digits);
        }
    }
}
