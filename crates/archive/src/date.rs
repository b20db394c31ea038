//! Dates as archives write them.

use jiff::Timestamp;
use jiff::civil::DateTime;
use jiff::tz::Offset;

/// The time of `2014-01-02T03:04:05Z`, in any precision from the year on, or of the digits alone.
///
/// WARC 1.1 allows fractions of a second and less than a second; ARC writes 14 digits, and some
/// writers more, which say nothing.
pub fn parse(text: &str) -> Option<Timestamp> {
    let text = text.trim();
    if let Ok(time) = text.parse() {
        return Some(time);
    }
    let digits: Vec<_> = text.bytes().filter(u8::is_ascii_digit).collect();
    let foreign = text.bytes().any(|it| !it.is_ascii_digit() && !b"-T:Z. ".contains(&it));
    if foreign || digits.len() < 4 || digits.len() > 23 {
        return None;
    }
    let number = |from: usize, len: usize, missing: i16| match digits.get(from..from + len) {
        Some(digits) => digits.iter().fold(0, |number, it| number * 10 + i16::from(it - b'0')),
        None => missing,
    };
    let small = |from, missing| i8::try_from(number(from, 2, missing)).ok();
    let (month, day) = (small(4, 1)?, small(6, 1)?);
    let (hour, minute, second) = (small(8, 0)?, small(10, 0)?, small(12, 0)?);
    let time = DateTime::new(number(0, 4, 0), month, day, hour, minute, second, 0).ok()?;
    Some(time.to_zoned(jiff::tz::TimeZone::UTC).ok()?.timestamp())
}

/// The 14 digits of the time, to the second: as catalogues and names of files have it.
pub(crate) fn digits(time: Timestamp) -> String {
    let it = Offset::UTC.to_datetime(time);
    format!(
        "{:04}{:02}{:02}{:02}{:02}{:02}",
        it.year().max(0),
        it.month(),
        it.day(),
        it.hour(),
        it.minute(),
        it.second()
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &str) {
        let time = parse(text).map(|it| it.to_string());
        assert_eq!(time.as_deref().unwrap_or("none"), expected, "{text}");
    }

    #[test]
    fn dates_of_warc_are_read_in_every_precision() {
        check("2014-01-02T03:04:05Z", "2014-01-02T03:04:05Z");
        check("2014-01-02T03:04:05.123456Z", "2014-01-02T03:04:05.123456Z");
        check("2014-01-02T03:04Z", "2014-01-02T03:04:00Z");
        check("2014-01-02", "2014-01-02T00:00:00Z");
        check("2014-01", "2014-01-01T00:00:00Z");
        check("2014", "2014-01-01T00:00:00Z");
    }

    #[test]
    fn dates_of_arc_are_digits() {
        check("20140102030405", "2014-01-02T03:04:05Z");
        check("201401020304050000", "2014-01-02T03:04:05Z");
    }

    #[test]
    fn what_is_no_date_is_none() {
        check("", "none");
        check("yesterday", "none");
        check("2014-13-02T03:04:05Z", "none");
        check("999", "none");
    }

    #[test]
    fn a_time_is_14_digits() {
        let time = parse("2014-01-02T03:04:05.9Z").unwrap();
        assert_eq!(digits(time), "20140102030405");
        assert_eq!(digits(Timestamp::MIN).len(), 14);
        assert_eq!(digits(Timestamp::MAX).len(), 14);
    }
}
