//! What is written: one question to a server and what came of it.

use std::net::IpAddr;

use jiff::Timestamp;

use crate::digest::Digest;

/// One question to a server and what came of it.
///
/// It is written as a response with its request and what else there is to say about them; without a
/// response only what there is to say: why there is none.
#[derive(Clone, Debug)]
pub struct Exchange<'a> {
    /// What was asked for.
    pub url: &'a str,
    /// When it was asked for. As many digits are written as the time has.
    pub date: Timestamp,
    /// Which server was asked.
    pub address: Option<IpAddr>,
    /// In which protocol: `http/1.1`, `h2`.
    pub protocol: Option<&'a str>,
    /// The request line and the headers that were sent; nothing if they are not to be kept.
    pub request: &'a [u8],
    /// What was answered, if anything was.
    pub response: Option<Response<'a>>,
    /// Further facts with their names: `via`, `hops`, `duration`, `error`.
    pub fields: &'a [(&'a str, &'a str)],
}

/// What a server answered.
#[derive(Clone, Copy, Debug)]
pub struct Response<'a> {
    /// The status line and the headers.
    ///
    /// They are written as they are, with two exceptions. `Transfer-Encoding` is written as
    /// `X-Crawler-Transfer-Encoding`, since the body is no longer in chunks. And versions above 1.1
    /// are written as 1.1, since an archive has no other form for them; the protocol tells.
    pub head: &'a [u8],
    /// The body, out of its chunks, but packed as it was sent.
    pub body: &'a [u8],
    /// The digest of the body, if it was taken already.
    pub digest: Option<Digest>,
    /// Why the body is less than the server had, if it is.
    pub truncated: Option<Truncated>,
    /// Where the body is already, if it is. Then it is not written again.
    pub revisit: Option<Revisit<'a>>,
}

impl<'a> Response<'a> {
    /// A whole answer with a body of its own.
    pub fn new(head: &'a [u8], body: &'a [u8]) -> Self {
        Self { head, body, digest: None, truncated: None, revisit: None }
    }
}

/// Why a body is less than the server had.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Truncated {
    /// It was longer than we take.
    Length,
    /// It took longer than we wait.
    Time,
    /// The connection broke.
    Disconnect,
    /// Something else.
    Unspecified,
}

impl Truncated {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Length => "length",
            Self::Time => "time",
            Self::Disconnect => "disconnect",
            Self::Unspecified => "unspecified",
        }
    }
}

/// The earlier answer that has the body.
#[derive(Clone, Copy, Debug)]
pub struct Revisit<'a> {
    /// How it is known that the body is the same.
    pub sameness: Sameness,
    /// What was asked for then.
    pub url: &'a str,
    /// When it was asked for then: the date of the record, with all its digits.
    pub date: Timestamp,
}

/// How it is known that a body is the same as an earlier one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sameness {
    /// Both have the same digest.
    Digest,
    /// The server said so, with status 304. The digest of the body, if it is written, is that of then.
    NotModified,
}

impl Sameness {
    /// As the standard names it.
    pub(crate) fn profile(self) -> &'static str {
        match self {
            Self::Digest => "http://netpreserve.org/warc/1.1/revisit/identical-payload-digest",
            Self::NotModified => "http://netpreserve.org/warc/1.1/revisit/server-not-modified",
        }
    }
}
