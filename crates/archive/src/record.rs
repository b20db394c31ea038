//! One record of an archive.

use std::borrow::Cow;

use jiff::Timestamp;

use crate::headers::{Headers, LONGEST, MOST_LINES};
use crate::http::{self, Http};
use crate::{date, digest};

/// What a record is, by its `WARC-Type`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// About the archive itself.
    Warcinfo,
    /// What a server answered, with its protocol's envelope.
    Response,
    /// A thing without an envelope: a file, an answer whose head was not kept.
    Resource,
    /// What the crawler asked.
    Request,
    /// About another record.
    Metadata,
    /// An answer whose body is already in another record.
    Revisit,
    /// Another record in another format.
    Conversion,
    /// A further piece of a record that was cut.
    Continuation,
    /// A kind that the standard does not name, or none.
    Other,
}

impl Kind {
    fn named(name: &str) -> Self {
        match name.to_ascii_lowercase().as_str() {
            "warcinfo" => Self::Warcinfo,
            "response" => Self::Response,
            "resource" => Self::Resource,
            "request" => Self::Request,
            "metadata" => Self::Metadata,
            "revisit" => Self::Revisit,
            "conversion" => Self::Conversion,
            "continuation" => Self::Continuation,
            _ => Self::Other,
        }
    }
}

/// One record of an archive.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    /// What it is.
    pub kind: Kind,
    /// Its `WARC-Record-ID` without the angle brackets. Records of ARC files have none.
    pub id: Option<String>,
    /// The URL it is about, without angle brackets and with its blanks written `%20`.
    pub target: Option<String>,
    /// When it was fetched or made.
    pub date: Option<Timestamp>,
    /// Of the record's block: `application/http; msgtype=response` where there is an envelope. In ARC
    /// files it is that of what is inside.
    pub content_type: Option<String>,
    /// All named values of the record. Those of ARC files have been given their WARC names.
    pub headers: Headers,
    /// The block: everything behind the record's head, envelope and all.
    pub body: Vec<u8>,
    /// How long the block is in the file, kept or not.
    pub length: u64,
    /// Whether `body` is less than there once was: cut by us or, as the record states, by others.
    pub truncated: bool,
    /// Where it begins in the file; in a packed file, where the member begins that holds its head.
    pub offset: u64,
}

impl Record {
    pub(crate) fn new(headers: Headers, offset: u64) -> Self {
        let bare = |name| Some(unbracketed(headers.get(name)?)).filter(|it| !it.is_empty());
        Self {
            kind: headers.get("WARC-Type").map_or(Kind::Other, Kind::named),
            id: bare("WARC-Record-ID").map(str::to_owned),
            target: bare("WARC-Target-URI").map(|it| it.replace(' ', "%20")),
            date: headers.get("WARC-Date").and_then(date::parse),
            content_type: headers.get("Content-Type").map(str::to_owned),
            body: Vec::new(),
            length: 0,
            truncated: headers.get("WARC-Truncated").is_some()
                || headers.get("WARC-Segment-Number").is_some(),
            offset,
            headers,
        }
    }

    /// The HTTP response in it, unpacked to at most 16 MB; nothing if it holds none.
    pub fn http(&self) -> Option<Http> {
        self.http_within(http::LARGEST_BODY)
    }

    /// The HTTP response in it, unpacked to at most `largest` bytes.
    pub fn http_within(&self, largest: usize) -> Option<Http> {
        if !matches!(self.kind, Kind::Response | Kind::Revisit | Kind::Other) {
            return None;
        }
        let mut http = http::read(&self.body, largest)?;
        http.truncated |= self.truncated;
        Some(http)
    }

    /// The body of the HTTP response in it as it was sent: out of its chunks, but still packed.
    pub fn payload(&self) -> Option<Cow<'_, [u8]>> {
        if !matches!(self.kind, Kind::Response | Kind::Revisit | Kind::Other) {
            return None;
        }
        let (sent, joined) = http::payloads(&self.body)?;
        Some(joined.map_or(Cow::Borrowed(sent), Cow::Owned))
    }

    /// The id of the record that has the body of this revisit.
    pub fn refers_to(&self) -> Option<&str> {
        self.headers.get("WARC-Refers-To").map(unbracketed)
    }

    /// The URL of the record that has the body of this revisit.
    pub fn refers_to_target(&self) -> Option<Cow<'_, str>> {
        let target = unbracketed(self.headers.get("WARC-Refers-To-Target-URI")?);
        Some(if target.contains(' ') { target.replace(' ', "%20").into() } else { target.into() })
    }

    /// When the record was made that has the body of this revisit.
    pub fn refers_to_date(&self) -> Option<Timestamp> {
        date::parse(self.headers.get("WARC-Refers-To-Date")?)
    }

    /// The named values that are the body of a record about the archive or about another record.
    pub fn fields(&self) -> Headers {
        let mut fields = Headers::default();
        if matches!(self.kind, Kind::Warcinfo | Kind::Metadata) {
            let body = &self.body[..self.body.len().min(LONGEST)];
            for line in body.split(|it| *it == b'\n').take(MOST_LINES) {
                fields.take_line(line.strip_suffix(b"\r").unwrap_or(line));
            }
        }
        fields
    }

    /// The digest of what is inside the envelope, as the record states it: `sha1:` and base 32.
    pub fn payload_digest(&self) -> Option<&str> {
        self.headers.get("WARC-Payload-Digest")
    }

    /// Whether the body is the one of which the record states the digests.
    ///
    /// Nothing if that cannot be told: it states none that we know (we know SHA-1, in base 32,
    /// hexadecimal or base 64), or `body` is not all of it.
    pub fn digest_agrees(&self) -> Option<bool> {
        if self.body.len() as u64 != self.length {
            return None;
        }
        let block = self.headers.get("WARC-Block-Digest");
        let block = block.and_then(|stated| digest::agrees(stated, &[&self.body]));
        // Of a body that was cut before it was written, the digest may be that of the whole.
        let payload = self.payload_digest().filter(|_| !self.truncated);
        let payload = payload.and_then(|stated| self.payload_agrees(stated));
        match (block, payload) {
            (Some(false), _) | (_, Some(false)) => Some(false),
            (Some(true), _) | (_, Some(true)) => Some(true),
            (None, None) => None,
        }
    }

    /// A revisit states the digest of a body that it does not hold.
    ///
    /// Whether the chunks of a chunked body count is read differently by different crawlers, so that
    /// both readings are right.
    fn payload_agrees(&self, stated: &str) -> Option<bool> {
        match self.kind {
            Kind::Response => match http::payloads(&self.body) {
                Some((sent, Some(joined))) => digest::agrees(stated, &[sent, &joined]),
                Some((sent, None)) => digest::agrees(stated, &[sent]),
                None => digest::agrees(stated, &[&self.body]),
            },
            Kind::Resource | Kind::Conversion | Kind::Warcinfo | Kind::Metadata => {
                digest::agrees(stated, &[&self.body])
            }
            _ => None,
        }
    }
}

/// Ids are written in angle brackets; old versions of Wget write URLs so, too.
fn unbracketed(value: &str) -> &str {
    let value = value.trim();
    value.strip_prefix('<').and_then(|it| it.strip_suffix('>')).unwrap_or(value)
}
