//! One line of a catalogue: where an answer is, and what it is.

use std::io::Write;

use jiff::Timestamp;
use serde::Deserialize;

use crate::date;
use crate::digest::Digest;
use crate::headers::decode;
use crate::http;
use crate::position::Position;
use crate::record::{Kind, Record};
use crate::surt::surt;

/// What the catalogue calls answers whose body is in another record.
const REVISIT: &str = "warc/revisit";

/// Where an answer is, and what it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The URL turned round, by which catalogues are ordered: `org,example)/a`.
    pub key: String,
    /// What was asked for.
    pub url: String,
    /// When, to the second.
    pub date: Timestamp,
    /// The media type of the body.
    pub mime: Option<String>,
    /// The status of the answer.
    pub status: Option<u16>,
    /// The digest of the body in base 32.
    pub digest: Option<String>,
    /// Where the record is.
    pub position: Position,
    /// How long it is in the file, packed.
    pub length: u64,
}

impl Entry {
    /// Whether the body is in another record.
    pub fn is_revisit(&self) -> bool {
        self.mime.as_deref() == Some(REVISIT)
    }

    /// Reads a line of a catalogue; nothing if it is none.
    pub(crate) fn read(line: &[u8]) -> Option<Self> {
        let (key, rest) = split(line)?;
        let (time, json) = split(rest)?;
        let fields: Fields<'_> = serde_json::from_slice(json).ok()?;
        let is_stated = |it: &String| !it.is_empty() && it != "-";
        Some(Self {
            key: decode(key),
            url: fields.url.into_owned(),
            date: date::parse(std::str::from_utf8(time).ok()?)?,
            mime: fields.mime.filter(is_stated),
            status: fields.status.and_then(|it| it.number()).and_then(|it| it.try_into().ok()),
            digest: fields.digest.filter(is_stated),
            position: Position { file: fields.filename, offset: fields.offset.number()? },
            length: fields.length.and_then(|it| it.number()).unwrap_or(0),
        })
    }
}

/// The word, and what is behind the blank that ends it.
fn split(line: &[u8]) -> Option<(&[u8], &[u8])> {
    let at = memchr::memchr(b' ', line)?;
    Some((&line[..at], &line[at + 1..]))
}

#[derive(Deserialize)]
struct Fields<'a> {
    #[serde(borrow)]
    url: std::borrow::Cow<'a, str>,
    mime: Option<String>,
    status: Option<Number>,
    digest: Option<String>,
    length: Option<Number>,
    offset: Number,
    filename: String,
}

/// Numbers are written as strings by most programs, and as numbers by some.
#[derive(Deserialize)]
#[serde(untagged)]
enum Number {
    Number(u64),
    Text(String),
}

impl Number {
    fn number(&self) -> Option<u64> {
        match self {
            Self::Number(number) => Some(*number),
            Self::Text(text) => text.parse().ok(),
        }
    }
}

/// A line of a catalogue before it is known where the record will be.
#[derive(Clone, Debug)]
pub(crate) struct Draft(Vec<u8>);

impl Draft {
    pub(crate) fn new(
        url: &str,
        date: Timestamp,
        mime: Option<&str>,
        status: Option<u16>,
        digest: Option<Digest>,
        length: u64,
    ) -> Self {
        let letters = digest.map(|it| it.letters());
        let digest = letters.as_ref().and_then(|it| std::str::from_utf8(it).ok());
        Self::stated(url, date, mime, status, digest, length)
    }

    fn stated(
        url: &str,
        date: Timestamp,
        mime: Option<&str>,
        status: Option<u16>,
        digest: Option<&str>,
        length: u64,
    ) -> Self {
        let mut line = Vec::with_capacity(384);
        line.extend_from_slice(surt(url).as_bytes());
        line.push(b' ');
        line.extend_from_slice(date::digits(date).as_bytes());
        line.extend_from_slice(b" {\"url\": ");
        put(&mut line, url);
        line.extend_from_slice(b", \"mime\": ");
        put(&mut line, mime.unwrap_or("-"));
        match status {
            Some(status) => write!(line, ", \"status\": \"{status}\""),
            None => write!(line, ", \"status\": \"-\""),
        }
        .expect("memory can be written to");
        line.extend_from_slice(b", \"digest\": ");
        put(&mut line, digest.unwrap_or("-"));
        write!(line, ", \"length\": \"{length}\"").expect("memory can be written to");
        Self(line)
    }

    /// What the catalogue says about a record that takes so many bytes in its file; nothing if the
    /// record is no answer.
    pub(crate) fn of(record: &Record, length: u64) -> Option<Self> {
        if !matches!(record.kind, Kind::Response | Kind::Revisit | Kind::Resource) {
            return None;
        }
        let (url, date) = (record.target.as_deref()?, record.date?);
        let about = http::about(&record.body).filter(|_| record.kind != Kind::Resource);
        let mime = match (record.kind, &about) {
            (Kind::Revisit, _) => Some(REVISIT.to_owned()),
            (_, Some((_, headers))) => headers.get("Content-Type").map(bare),
            _ => record.content_type.as_deref().map(bare),
        };
        let digest = record.payload_digest().map(|it| it.rsplit(':').next().unwrap_or(it));
        Some(Self::stated(url, date, mime.as_deref(), about.map(|it| it.0), digest, length))
    }

    /// Puts the whole line at the end of `out`, for a record at that place.
    pub(crate) fn write(&self, offset: u64, file: &str, out: &mut Vec<u8>) {
        out.extend_from_slice(&self.0);
        write!(out, ", \"offset\": \"{offset}\", \"filename\": ")
            .expect("memory can be written to");
        put(out, file);
        out.extend_from_slice(b"}\n");
    }
}

/// The media type without its parameters.
fn bare(mime: &str) -> String {
    mime.split(';').next().unwrap_or_default().trim().to_ascii_lowercase()
}

fn put(line: &mut Vec<u8>, text: &str) {
    serde_json::to_writer(line, text).expect("memory can be written to");
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn line(url: &str) -> Vec<u8> {
        let date = "2026-01-02T03:04:05.6Z".parse().unwrap();
        let digest = Some(Digest::of(b"hello"));
        let mut line = Vec::new();
        Draft::new(url, date, Some("text/html"), Some(200), digest, 99).write(
            7,
            "a.warc.gz",
            &mut line,
        );
        line
    }

    #[track_caller]
    fn check(line: &[u8], is_entry: bool) {
        assert_eq!(Entry::read(line).is_some(), is_entry, "{}", decode(line));
    }

    #[test]
    fn a_line_is_written_as_other_programs_write_it() {
        let expected = "org,example)/a 20260102030405 {\"url\": \"http://example.org/a\", \
            \"mime\": \"text/html\", \"status\": \"200\", \
            \"digest\": \"VL2MMHO4YXUKFWV63YHTWSBM3GXKSQ2N\", \"length\": \"99\", \
            \"offset\": \"7\", \"filename\": \"a.warc.gz\"}\n";
        assert_eq!(decode(&line("http://example.org/a")), expected);
    }

    #[test]
    fn lines_of_other_programs_are_read() {
        check(b"a 2026 {\"url\":\"b\",\"offset\":\"1\",\"filename\":\"c\"}", true);
        check(b"a 2026 {\"url\":\"b\",\"offset\":1,\"filename\":\"c\",\"more\":[1,{}]}", true);
        check(b"a 2026 {\"url\":\"b\",\"filename\":\"c\"}", false);
        check(b"a x {\"url\":\"b\",\"offset\":1,\"filename\":\"c\"}", false);
        check(b"!meta {\"sorted\":true}", false);
        check(b"", false);
    }

    proptest! {
        #[test]
        fn what_was_written_is_read(url in "(http://[a-z.]{1,10}/)?.{0,40}") {
            let entry = Entry::read(&line(&url)).expect("our own line is readable");
            prop_assert_eq!(&entry.url, &url);
            prop_assert_eq!(entry.key, surt(&url));
            prop_assert_eq!((entry.status, entry.length, entry.position.offset), (Some(200), 99, 7));
        }

        #[test]
        fn any_line_is_read_or_refused(line in prop::collection::vec(any::<u8>(), 0..200)) {
            Entry::read(&line);
            Entry::read(&[b"a 2026 {\"url\":", &line[..], b"}"].concat());
        }
    }
}
