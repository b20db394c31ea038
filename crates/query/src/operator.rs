//! Operators: `site:example.org`, `after:2024-05`, `sort:distance` and the like.

use jiff::civil::Date;
use jiff::{Span, ToSpan};

use crate::query::Sort;

/// What an operator asks.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Operator {
    Site(String),
    Language(String),
    /// The words are the value's own.
    Title,
    After(Date),
    Before(Date),
    Topic(String),
    Sort(Sort),
}

const NAMES: [&str; 8] = ["site", "lang", "title", "intitle", "after", "before", "inclass", "sort"];

/// The name of the operator with which a text begins, and where its value begins.
pub(crate) fn name(text: &str) -> Option<(&'static str, usize)> {
    let (before, _) = text.split_once(':')?;
    let name = NAMES.into_iter().find(|it| it.eq_ignore_ascii_case(before))?;
    Some((name, before.len() + 1))
}

/// The operator of this name with this value, or what would have worked.
pub(crate) fn operator(today: Date, name: &str, value: &str) -> Result<Operator, &'static str> {
    match name {
        "site" => host(value).map(Operator::Site).ok_or("write site:example.org"),
        "lang" => language(value).map(Operator::Language).ok_or("write lang:de"),
        "after" => {
            date(today, value).map(Operator::After).ok_or("write after:2024-05-01 or after:7d")
        }
        "before" => {
            date(today, value).map(Operator::Before).ok_or("write before:2024 or before:7d")
        }
        "sort" => sort(value)
            .map(Operator::Sort)
            .ok_or("write sort:distance, sort:time or sort:relevance"),
        "inclass" => topic(value).map(Operator::Topic).ok_or("write inclass:transport"),
        _ if text::words(value).next().is_some() => Ok(Operator::Title),
        _ => Err("write title:word or title:\"a phrase\""),
    }
}

/// The host of `example.org`, `https://www.example.org/page` or `.org`.
fn host(value: &str) -> Option<String> {
    let rest = value.split_once("://").map_or(value, |it| it.1);
    let host = rest.split(['/', '?', '#', ':']).next()?.trim_matches('.').to_lowercase();
    let is_host = !host.is_empty()
        && host.chars().all(|it| it.is_alphanumeric() || matches!(it, '-' | '.'))
        && host.starts_with(char::is_alphanumeric)
        && host.ends_with(char::is_alphanumeric);
    is_host.then_some(host)
}

/// The code of `de` or `de-AT`.
fn language(value: &str) -> Option<String> {
    let code = value.split(['-', '_']).next()?.to_ascii_lowercase();
    ((2..=3).contains(&code.len()) && code.bytes().all(|it| it.is_ascii_lowercase()))
        .then_some(code)
}

fn topic(value: &str) -> Option<String> {
    text::words(value).next()?;
    Some(value.replace('"', " ").split_whitespace().collect::<Vec<_>>().join(" "))
}

fn sort(value: &str) -> Option<Sort> {
    match value.to_ascii_lowercase().as_str() {
        "relevance" => Some(Sort::Relevance),
        "distance" => Some(Sort::Distance),
        "time" | "date" => Some(Sort::Time),
        _ => None,
    }
}

/// The day of `2024-05-01`, the first day of `2024-05` or `2024`, or the day that was so long ago: `7d`, `2w`, `3m`, `1y`.
fn date(today: Date, value: &str) -> Option<Date> {
    match value.to_ascii_lowercase().as_str() {
        "today" => Some(today),
        "yesterday" => today.checked_sub(1.day()).ok(),
        value => written(value).or_else(|| ago(today, value)),
    }
}

fn written(value: &str) -> Option<Date> {
    let mut parts = value.split('-');
    let year = number(parts.next()?, 4..=4)?;
    let month = parts.next().map_or(Some(1), |it| number(it, 1..=2))?;
    let day = parts.next().map_or(Some(1), |it| number(it, 1..=2))?;
    let is_whole = parts.next().is_none() && year > 0;
    if is_whole { Date::new(year, month as i8, day as i8).ok() } else { None }
}

fn ago(today: Date, value: &str) -> Option<Date> {
    let count = i64::from(number(value.get(..value.len().checked_sub(1)?)?, 1..=4)?);
    let span = match value.as_bytes().last()? {
        b'd' => Span::new().try_days(count),
        b'w' => Span::new().try_weeks(count),
        b'm' => Span::new().try_months(count),
        b'y' => Span::new().try_years(count),
        _ => return None,
    };
    today.checked_sub(span.ok()?).ok().filter(|it| it.year() > 0)
}

fn number(digits: &str, lengths: std::ops::RangeInclusive<usize>) -> Option<i16> {
    let is_number = lengths.contains(&digits.len()) && digits.bytes().all(|it| it.is_ascii_digit());
    if is_number { digits.parse().ok() } else { None }
}

#[cfg(test)]
mod tests {
    use jiff::civil::date as day;

    use super::*;

    const TODAY: Date = day(2024, 3, 31);

    #[track_caller]
    fn check(text: &str, expected: Operator) {
        let (name, start) = name(text).expect("it has a name");
        assert_eq!(operator(TODAY, name, &text[start..]), Ok(expected));
    }

    #[track_caller]
    fn refuse(text: &str, advice: &str) {
        let (name, start) = name(text).expect("it has a name");
        assert_eq!(operator(TODAY, name, &text[start..]), Err(advice));
    }

    #[test]
    fn a_site_is_a_host() {
        check("site:Example.ORG", Operator::Site("example.org".into()));
        check("site:https://www.example.org/a?b", Operator::Site("www.example.org".into()));
        check("site:.fi", Operator::Site("fi".into()));
        check("site:bücher.example", Operator::Site("bücher.example".into()));
        refuse("site:", "write site:example.org");
        refuse("site:a_b", "write site:example.org");
    }

    #[test]
    fn days_months_and_years_are_dates() {
        check("after:2024-05-01", Operator::After(day(2024, 5, 1)));
        check("after:2024-5", Operator::After(day(2024, 5, 1)));
        check("before:2024", Operator::Before(day(2024, 1, 1)));
        refuse("before:24", "write before:2024 or before:7d");
        refuse("before:2024-02-30", "write before:2024 or before:7d");
        refuse("after:2024-01-01-01", "write after:2024-05-01 or after:7d");
    }

    #[test]
    fn a_time_ago_counts_from_today() {
        check("after:7d", Operator::After(day(2024, 3, 24)));
        check("after:2w", Operator::After(day(2024, 3, 17)));
        check("after:1m", Operator::After(day(2024, 2, 29)));
        check("before:1y", Operator::Before(day(2023, 3, 31)));
        check("after:yesterday", Operator::After(day(2024, 3, 30)));
        refuse("after:9999y", "write after:2024-05-01 or after:7d");
        refuse("after:d", "write after:2024-05-01 or after:7d");
    }

    #[test]
    fn the_other_operators_know_their_values() {
        check("lang:de-AT", Operator::Language("de".into()));
        check("LANG:FI", Operator::Language("fi".into()));
        check("sort:Distance", Operator::Sort(Sort::Distance));
        check("inclass:public  transport", Operator::Topic("public transport".into()));
        check("title:word", Operator::Title);
        refuse("lang:german", "write lang:de");
        refuse("sort:size", "write sort:distance, sort:time or sort:relevance");
        refuse("title:", "write title:word or title:\"a phrase\"");
    }

    #[test]
    fn only_our_names_are_operators() {
        assert_eq!(name("http://example.org"), None);
        assert_eq!(name("site"), None);
    }
}
