//! An answer as the crawl sees it, whether it came just now or lies in the archive.

use std::net::IpAddr;
use std::time::Duration;

use archive::{Http, Record};
use bytes::Bytes;
use fetch::Response;
use frontier::Moment;
use url::Url;
use xxhash_rust::xxh3::xxh3_64;

use crate::clock::moment;

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
        if let Ok(seconds) = text.parse() {
            return Some(Duration::from_secs(seconds));
        }
        let date = jiff::fmt::rfc2822::parse(text).ok()?.timestamp();
        Some(moment(date).since(now))
    }
}

impl Answer {
    /// An answer that came just now.
    pub(crate) fn live(url: Url, at: Moment, response: &Response, unpacked: usize) -> Self {
        let all = |name: &'static str| -> Vec<_> {
            let values = response.headers.get_all(name).iter();
            values.filter_map(|it| it.to_str().ok()).collect()
        };
        Self {
            url,
            at,
            status: response.status,
            told: Told::of(all),
            body: response.decoded(unpacked).bytes,
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
            is_unwanted: false,
            is_unchanged: record.kind == archive::Kind::Revisit || http.status == 304,
            body: http.body.into(),
        }
    }
}
