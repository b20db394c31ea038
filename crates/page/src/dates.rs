//! The dates of a page as they are met.

use jiff::Timestamp;
use jiff::civil::{Date, DateTime};
use jiff::fmt::rfc2822;
use jiff::tz::Offset;

use crate::element::Element;
use crate::page_date::{DateSource, PageDate};
use crate::tag::Tag;
use crate::written_date::{plausible, written_date};

/// What happened on a date.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Event {
    Published,
    Modified,
}

/// The most trustworthy date of each event so far; of equals the first.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Dates {
    pub(crate) published: Option<PageDate>,
    pub(crate) modified: Option<PageDate>,
}

/// Longer values are no dates.
const LONGEST_DATE: usize = 64;

impl Dates {
    /// Takes in a date as it is written.
    pub(crate) fn note(&mut self, event: Event, value: &str, source: DateSource) {
        let slot = match event {
            Event::Published => &mut self.published,
            Event::Modified => &mut self.modified,
        };
        if slot.is_none_or(|known| source < known.source) {
            let found = parse(value).map(|at| PageDate { at, source });
            *slot = found.or(*slot);
        }
    }

    /// A `<meta>`.
    pub(crate) fn meta(&mut self, tag: &Tag<'_>) {
        let name = tag.name.raw().or(tag.property.raw()).or(tag.http_equiv.raw());
        let (Some(name), Some(content)) = (name, tag.content.text()) else { return };
        if let Some(event) = event_of_meta(name) {
            self.note(event, &content, DateSource::Meta);
        }
    }

    /// An element with `itemprop`.
    pub(crate) fn property(&mut self, element: Element, tag: &Tag<'_>) {
        for property in tag.itemprop.words() {
            let event = match property {
                "datePublished" | "dateCreated" => Event::Published,
                "dateModified" => Event::Modified,
                _ => continue,
            };
            if let Some(value) = tag.machine_value(element) {
                self.note(event, &value, DateSource::JsonLd);
            }
        }
    }

    /// A `<time>`. One that is a property of something is the date of that thing.
    pub(crate) fn time_element(&mut self, tag: &Tag<'_>) {
        let is_of_thing = tag.itemprop.is_given() || tag.class.words().any(|it| it == "dt-start");
        if let Some(value) = tag.datetime.text().filter(|_| !is_of_thing) {
            self.note(Event::Published, &value, DateSource::TimeElement);
        }
    }

    /// The page's URL: `/2024/03/12/`, `/2024-03-12-title`, `/20240312/`.
    pub(crate) fn url(&mut self, url: &str) {
        let path = url.split_once("://").map_or(url, |(_, rest)| rest);
        let path = path.split(['?', '#']).next().unwrap_or_default();
        if let (Some(at), true) = (date_in_path(path), self.published.is_none()) {
            self.published = Some(PageDate { at, source: DateSource::Url });
        }
    }
}

/// A date as machines write it, or people.
fn parse(value: &str) -> Option<DateTime> {
    let value = value.trim();
    if value.len() < 4 || value.len() > LONGEST_DATE {
        return None;
    }
    with_offset(value).or_else(|| without_offset(value)).filter(|at| plausible(at.date()))
}

fn with_offset(value: &str) -> Option<DateTime> {
    let found = value.parse::<Timestamp>().ok();
    let found = found.or_else(|| rfc2822::parse(value).ok().map(|it| it.timestamp()));
    found.map(|it| Offset::UTC.to_datetime(it))
}

fn without_offset(value: &str) -> Option<DateTime> {
    if let Ok(found) = value.parse::<DateTime>() {
        return Some(found);
    }
    let date = value.get(..10).and_then(|it| it.parse::<Date>().ok());
    let date = date.or_else(|| year_and_month(value)).or_else(|| written_date(value));
    Some(date?.at(0, 0, 0, 0))
}

/// `2024-03` is its first day.
fn year_and_month(value: &str) -> Option<Date> {
    let (year, month) = value.split_once('-')?;
    if year.len() != 4 || month.len() != 2 {
        return None;
    }
    Date::new(year.parse().ok()?, month.parse().ok()?, 1).ok()
}

fn event_of_meta(name: &str) -> Option<Event> {
    Some(match name.to_ascii_lowercase().as_str() {
        "article:published_time"
        | "article:published"
        | "og:published_time"
        | "date"
        | "pubdate"
        | "publishdate"
        | "publish-date"
        | "publish_date"
        | "dc.date"
        | "dc.date.issued"
        | "dc.date.created"
        | "dcterms.date"
        | "dcterms.created"
        | "dcterms.issued"
        | "citation_publication_date"
        | "citation_date"
        | "parsely-pub-date"
        | "sailthru.date" => Event::Published,
        "article:modified_time"
        | "article:modified"
        | "og:updated_time"
        | "last-modified"
        | "lastmod"
        | "modified"
        | "revised"
        | "dc.date.modified"
        | "dcterms.modified" => Event::Modified,
        _ => return None,
    })
}

/// The first run of digits and dividers that is a day of the calendar.
fn date_in_path(path: &str) -> Option<DateTime> {
    let runs = path.split(|it: char| !it.is_ascii_digit() && !matches!(it, '/' | '-' | '_' | '.'));
    let mut dates = runs.filter_map(date_in_run);
    dates.next().map(|date| date.at(0, 0, 0, 0))
}

fn date_in_run(run: &str) -> Option<Date> {
    let mut numbers = run.split(|it: char| !it.is_ascii_digit()).filter(|it| !it.is_empty());
    let year = numbers.find(|it| matches!(it.len(), 4 | 8))?;
    let (year, month, day) = match year.len() {
        8 => (&year[..4], &year[4..6], &year[6..]),
        _ => (year, numbers.next()?, numbers.next().unwrap_or("1")),
    };
    if month.len() > 2 || day.len() > 2 {
        return None;
    }
    let date = Date::new(year.parse().ok()?, month.parse().ok()?, day.parse().ok()?).ok()?;
    plausible(date).then_some(date)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(value: &str, expected: Option<&str>) {
        let found = parse(value).map(|at| at.to_string());
        assert_eq!(found.as_deref(), expected, "{value}");
    }

    #[track_caller]
    fn check_url(url: &str, expected: Option<&str>) {
        let mut dates = Dates::default();
        dates.url(url);
        let found = dates.published.map(|it| it.at.date().to_string());
        assert_eq!(found.as_deref(), expected, "{url}");
    }

    #[test]
    fn machines_write_dates_in_many_ways() {
        check("2024-03-12T10:00:00+01:00", Some("2024-03-12T09:00:00"));
        check("2024-03-12T10:00:00Z", Some("2024-03-12T10:00:00"));
        check("2024-03-12T10:00:00+0100", Some("2024-03-12T09:00:00"));
        check("2024-03-12 10:00:00", Some("2024-03-12T10:00:00"));
        check("2024-03-12", Some("2024-03-12T00:00:00"));
        check("2024-03", Some("2024-03-01T00:00:00"));
        check("20240312", Some("2024-03-12T00:00:00"));
        check("Tue, 12 Mar 2024 10:00:00 GMT", Some("2024-03-12T10:00:00"));
        check("12. März 2024", Some("2024-03-12T00:00:00"));
    }

    #[test]
    fn what_no_page_can_have_is_no_date() {
        check("", None);
        check("yesterday", None);
        check("0001-01-01T00:00:00Z", None);
        check("2024-13-45", None);
        check(&"2024-03-12 ".repeat(20), None);
    }

    #[test]
    fn urls_have_dates() {
        check_url("https://a.example/2024/03/12/title", Some("2024-03-12"));
        check_url("https://a.example/news/2024-03-12-title.html", Some("2024-03-12"));
        check_url("https://a.example/20240312/title", Some("2024-03-12"));
        check_url("https://a.example/2024/03/title", Some("2024-03-01"));
        check_url("https://a.example/12345678/", None);
        check_url("https://a.example/p/2024?x=2024/01/01", None);
    }

    #[test]
    fn the_better_source_counts_and_of_equals_the_first() {
        let mut dates = Dates::default();
        dates.note(Event::Published, "2024-01-01", DateSource::TimeElement);
        dates.note(Event::Published, "2024-02-02", DateSource::JsonLd);
        dates.note(Event::Published, "2024-03-03", DateSource::JsonLd);
        dates.note(Event::Published, "2024-04-04", DateSource::Meta);
        let found = dates.published.map(|it| (it.at.date().to_string(), it.source));
        assert_eq!(found, Some(("2024-02-02".to_owned(), DateSource::JsonLd)));
    }
}
