//! An answer as the crawl sees it, whether it came just now or lies in the archive.

use std::net::IpAddr;
use std::time::Duration;

use archive::{Http, Record};
use bytes::Bytes;
use fetch::{Response, Standing, Truncated};
use frontier::Moment;
use jiff::Timestamp;
use jiff::civil::DateTime;
use jiff::tz::TimeZone;
use url::Url;
use xxhash_rust::xxh3::xxh3_64;

use crate::clock::moment;

/// What is read of a robots.txt at most; RFC 9309 asks for 500 KiB.
pub(crate) const LARGEST_ROBOTS: usize = 512 << 10;

/// An answer, unpacked.
#[derive(Clone, Debug)]
pub(crate) struct Answer {
    pub(crate) url: Url,
    /// When it was asked for.
    pub(crate) at: Moment,
    pub(crate) status: u16,
    pub(crate) told: Told,
    pub(crate) body: Bytes,
    /// A digest of the body as it was transferred.
    pub(crate) digest: u64,
    /// How many bytes were transferred.
    pub(crate) size: u64,
    pub(crate) took: Duration,
    pub(crate) address: Option<IpAddr>,
    /// The body was not read, because of its type.
    pub(crate) is_unwanted: bool,
    /// The same body as the last time, as far as the archive knows.
    pub(crate) is_unchanged: bool,
    /// Why there is less of the body than there was to come.
    pub(crate) cut: Option<Truncated>,
}

/// The headers that matter.
#[derive(Clone, Debug, Default)]
pub(crate) struct Told {
    pub(crate) content_type: Option<String>,
    pub(crate) content_language: Option<String>,
    pub(crate) last_modified: Option<String>,
    pub(crate) etag: Option<String>,
    pub(crate) location: Option<String>,
    pub(crate) retry_after: Option<String>,
    /// Each of several on its own line: a name in one does not speak for the next.
    pub(crate) robots_tag: Option<String>,
    pub(crate) link: Option<String>,
}

impl Told {
    /// Of headers, by all values of each name.
    fn of<'a>(all: impl Fn(&'static str) -> Vec<&'a str>) -> Self {
        let text = |name| all(name).first().map(|it| (*it).to_owned());
        let joined = |name, by: &str| Some(all(name).join(by)).filter(|it| !it.is_empty());
        Self {
            content_type: text("content-type"),
            content_language: text("content-language"),
            last_modified: text("last-modified"),
            etag: text("etag"),
            location: text("location"),
            retry_after: text("retry-after"),
            robots_tag: joined("x-robots-tag", "\n"),
            link: joined("link", ", "),
        }
    }

    /// How long the host wishes to be left alone, if it says so in seconds or as a date.
    pub(crate) fn retry_after(&self, now: Moment) -> Option<Duration> {
        let text = self.retry_after.as_deref()?.trim();
        if !text.is_empty() && text.bytes().all(|it| it.is_ascii_digit()) {
            // More than a number can hold is as long as can be.
            return Some(Duration::from_secs(text.parse().unwrap_or(u64::MAX)));
        }
        Some(moment(date(text)?).since(now))
    }
}

/// A date of HTTP. RFC 9110, 5.6.7: "A recipient that parses a timestamp value in an HTTP field MUST accept all three
/// HTTP-date formats."
fn date(text: &str) -> Option<Timestamp> {
    if let Ok(date) = jiff::fmt::rfc2822::parse(text) {
        return Some(date.timestamp());
    }
    let old = ["%A, %d-%b-%y %H:%M:%S GMT", "%a %b %e %H:%M:%S %Y"];
    let date = old.into_iter().find_map(|it| DateTime::strptime(it, text).ok())?;
    TimeZone::UTC.to_timestamp(date).ok()
}

impl Answer {
    /// An answer that came just now.
    pub(crate) fn live(url: Url, at: Moment, response: &Response, unpacked: usize) -> Self {
        let all = |name: &'static str| -> Vec<_> {
            let values = response.headers.get_all(name).iter();
            values.filter_map(|it| it.to_str().ok()).collect()
        };
        let decoded = response.decoded(unpacked);
        Self {
            url,
            at,
            status: response.status,
            told: Told::of(all),
            cut: response.truncated.or(decoded.truncated.then_some(Truncated::Length)),
            body: decoded.bytes,
            digest: xxh3_64(&response.body),
            size: (response.head.len() + response.body.len()) as u64,
            took: response.timing.whole,
            address: response.address.map(|it| it.ip()),
            is_unwanted: response.unwanted,
            is_unchanged: response.status == 304,
        }
    }

    /// An answer of the archive.
    pub(crate) fn archived(url: Url, record: &Record, http: Http) -> Self {
        let digest = record.payload().map(|it| xxh3_64(&it)).unwrap_or_default();
        let told = Told::of(|name| http.headers.all(name).collect());
        Self {
            url,
            at: record.date.map(moment).unwrap_or_default(),
            status: http.status,
            told,
            digest,
            size: record.length,
            took: Duration::ZERO,
            address: record.headers.get("WARC-IP-Address").and_then(|it| it.parse().ok()),
            is_unwanted: record.headers.get("WARC-Truncated") == Some("unspecified"),
            is_unchanged: record.kind == archive::Kind::Revisit || http.status == 304,
            cut: cut(record).or(http.truncated.then_some(Truncated::Length)),
            body: http.body.into(),
        }
    }

    /// Leaves out what would not have been unpacked with this limit.
    pub(crate) fn cut_at(&mut self, unpacked: usize) {
        if self.body.len() > unpacked {
            self.body.truncate(unpacked);
            self.cut = self.cut.or(Some(Truncated::Length));
        }
    }

    /// What it says if it was asked for as a robots.txt. Of one that broke off, whose rules go on in the part
    /// that never came, nothing is known; one that is merely longer than anybody has to read counts as it is.
    pub(crate) fn standing(&self, token: &str) -> Standing {
        match self.cut {
            Some(Truncated::Time | Truncated::Disconnect) if (200..300).contains(&self.status) => {
                Standing::Unreachable
            }
            _ => Standing::of(self.status, &self.body, token),
        }
    }
}

/// Why the body of a record was cut off when it was fetched.
fn cut(record: &Record) -> Option<Truncated> {
    let reason = record.headers.get("WARC-Truncated")?;
    let all = [Truncated::Length, Truncated::Time, Truncated::Disconnect];
    all.into_iter().find(|it| it.as_str() == reason)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// For how many seconds a host wishes to be left alone, on a Sunday in November.
    #[track_caller]
    fn check(retry_after: &str, expected: Option<u64>) {
        let told = Told { retry_after: Some(retry_after.to_owned()), ..Told::default() };
        let now = moment("1994-11-06T08:49:00Z".parse().expect("a time"));
        assert_eq!(told.retry_after(now), expected.map(Duration::from_secs), "{retry_after}");
    }

    #[test]
    fn a_host_says_in_any_form_of_http_how_long_it_is_to_be_left_alone() {
        check(" 120 ", Some(120));
        check("0", Some(0));
        check("99999999999999999999999", Some(u64::MAX));
        check("Sun, 06 Nov 1994 08:49:37 GMT", Some(37));
        check("Sunday, 06-Nov-94 08:49:37 GMT", Some(37));
        check("Sun Nov  6 08:49:37 1994", Some(37));
        check("Sun, 06 Nov 1994 08:48:00 GMT", Some(0));
        for nonsense in ["", "soon", "-5", "1.5", "1994-11-06"] {
            check(nonsense, None);
        }
    }
}
