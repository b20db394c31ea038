//! What a host answered.

use std::net::SocketAddr;
use std::time::Duration;

use bytes::Bytes;
use http::header::{CONTENT_ENCODING, TRANSFER_ENCODING};
use http::{HeaderMap, StatusCode, Version};
use hyper::ext::ReasonPhrase;

use crate::request::Head;

/// What a host answered, as it was transferred.
#[derive(Clone, Debug)]
pub struct Response {
    /// The status, such as 200.
    pub status: u16,
    /// The protocol that was spoken.
    pub protocol: Protocol,
    /// The address that answered; nothing if a proxy stood between.
    pub address: Option<SocketAddr>,
    /// The request, as HTTP/1.1 writes it.
    pub request_head: Vec<u8>,
    /// Status line and header lines with the empty line, as HTTP/1.1 writes them, without `Transfer-Encoding`.
    pub head: Vec<u8>,
    /// The header lines.
    pub headers: HeaderMap,
    /// The body, still packed as `Content-Encoding` says.
    pub body: Bytes,
    /// Why there is less of the body than there was to come.
    pub truncated: Option<Truncated>,
    /// The body was not read because it was not wanted.
    pub unwanted: bool,
    /// How long it took.
    pub timing: Timing,
}

impl Response {
    /// The body, unpacked, at most `largest` bytes of it.
    pub fn decoded(&self, largest: usize) -> Decoded {
        let codings = self.headers.get_all(CONTENT_ENCODING).iter();
        // A coding that cannot be read is unknown, which the body may turn out not to need.
        let codings: Vec<_> = codings.map(|it| it.to_str().unwrap_or("unreadable")).collect();
        if codings.is_empty() && self.body.len() <= largest {
            return Decoded { bytes: self.body.clone(), truncated: false, flawed: false };
        }
        let unpacked = archive::unpack(&codings.join(","), &self.body, largest);
        Decoded {
            bytes: unpacked.body.into(),
            truncated: unpacked.truncated,
            flawed: unpacked.flawed && self.truncated.is_none(),
        }
    }

    /// The head, to be judged.
    pub fn head(&self) -> Head<'_> {
        Head { status: self.status, headers: &self.headers }
    }
}

/// A body, unpacked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decoded {
    /// What was packed, or its beginning.
    pub bytes: Bytes,
    /// Whether there is more, beyond what was allowed or behind some damage.
    pub truncated: bool,
    /// Whether it was not packed as stated, though all of it was transferred.
    pub flawed: bool,
}

/// The protocol that was spoken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Protocol {
    /// HTTP/1.0
    Http10,
    /// HTTP/1.1
    Http11,
    /// HTTP/2
    Http2,
}

impl Protocol {
    /// The name that WARC files know it by.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Http10 => "http/1.0",
            Self::Http11 => "http/1.1",
            Self::Http2 => "h2",
        }
    }

    pub(crate) fn of(version: Version) -> Self {
        match version {
            Version::HTTP_2 => Self::Http2,
            Version::HTTP_10 => Self::Http10,
            _ => Self::Http11,
        }
    }
}

/// Why there is less of a body than there was to come.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Truncated {
    /// It is longer than allowed.
    Length,
    /// It took longer than allowed.
    Time,
    /// The connection ended, or rubbish came.
    Disconnect,
}

impl Truncated {
    /// The word that WARC files have for it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Length => "length",
            Self::Time => "time",
            Self::Disconnect => "disconnect",
        }
    }
}

/// How long it took.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Timing {
    /// Until the connection stood; nothing if there was one.
    pub connect: Option<Duration>,
    /// From the beginning to the end of the answer's head.
    pub first_byte: Duration,
    /// From the beginning to the end.
    pub whole: Duration,
}

/// The head of an answer as HTTP/1.1 writes it. The body that goes with it is no longer in chunks.
pub(crate) fn head_bytes(parts: &http::response::Parts) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(512);
    let version: &[u8] =
        if parts.version == Version::HTTP_10 { b"HTTP/1.0 " } else { b"HTTP/1.1 " };
    bytes.extend_from_slice(version);
    bytes.extend_from_slice(parts.status.as_str().as_bytes());
    bytes.push(b' ');
    bytes.extend_from_slice(reason(parts.status, parts.extensions.get()));
    bytes.extend_from_slice(b"\r\n");
    for (name, value) in &parts.headers {
        if name != TRANSFER_ENCODING {
            bytes.extend_from_slice(name.as_str().as_bytes());
            bytes.extend_from_slice(b": ");
            bytes.extend_from_slice(value.as_bytes());
            bytes.extend_from_slice(b"\r\n");
        }
    }
    bytes.extend_from_slice(b"\r\n");
    bytes
}

/// What stands behind the status; hyper keeps it where it is not the usual phrase.
fn reason(status: StatusCode, phrase: Option<&ReasonPhrase>) -> &[u8] {
    let usual = || status.canonical_reason().unwrap_or_default().as_bytes();
    phrase.map_or_else(usual, ReasonPhrase::as_bytes)
}
