//! The archive: what servers answered, kept in WARC files, ours and anyone's.
//!
//! Takes a file of WARC 1.0 or 1.1 (or of its ancestor ARC), plain or packed with gzip or zstd; gives
//! one [`Record`] after the other, and a [`Broken`] for every stretch that could not be read.
//! A record that holds an HTTP response gives it as [`Http`], unpacked. Memory stays bounded whatever
//! the file says. Next on the way: the `page` crate reads the body.
//!
//! ```
//! let file = b"WARC/1.0\r\n\
//!     WARC-Type: response\r\n\
//!     WARC-Target-URI: https://example.org/harbour\r\n\
//!     Content-Length: 61\r\n\
//!     \r\n\
//!     HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\nShips leave here\r\n\r\n";
//! let mut records = archive::Records::new(&file[..]);
//!
//! let record = records.next().expect("there is a record")?;
//! assert_eq!(record.target.as_deref(), Some("https://example.org/harbour"));
//! let http = record.http().expect("it holds a response");
//! assert_eq!(http.status, 200);
//! assert_eq!(http.headers.get("content-type"), Some("text/plain"));
//! assert_eq!(http.body, b"Ships leave here");
//! assert!(records.next().is_none());
//! # Ok::<(), archive::Broken>(())
//! ```
//!
//! And the other way: takes an [`Exchange`] with a server, [`pack`]s it, and a [`Writer`] appends it
//! to files of WARC 1.1 that any other program reads, with a [`Catalogue`] beside them. A writer that
//! was killed goes on with [`Writer::resume`].
//!
//! ```
//! use archive::{Catalogue, Exchange, Response, Settings, Writer};
//!
//! let folder = tempfile::tempdir()?;
//! let mut writer = Writer::open(folder.path(), &Settings::default())?;
//! let packed = archive::pack(&Exchange {
//!     url: "https://example.org/harbour",
//!     date: "2026-01-02T03:04:05.678Z".parse()?,
//!     address: Some("192.0.2.7".parse()?),
//!     protocol: Some("http/1.1"),
//!     request: b"GET /harbour HTTP/1.1\r\nHost: example.org\r\n\r\n",
//!     response: Some(Response::new(b"HTTP/1.1 200 OK\r\n\r\n", b"Ships leave here")),
//!     fields: &[("via", "https://example.org/"), ("hops", "L")],
//! });
//! let position = writer.append(&packed)?;
//! writer.sync()?;
//!
//! let record = archive::read_at(folder.path(), &position)?;
//! assert_eq!(record.http().expect("it holds a response").body, b"Ships leave here");
//! let found = Catalogue::open(folder.path())?.find("https://example.org/harbour")?;
//! assert_eq!(found[0].position, position);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod bits;
mod broken;
mod catalogue;
mod chunks;
mod codes;
mod coding;
mod date;
mod deflate;
mod digest;
mod entry;
mod exchange;
mod failure;
mod files;
mod head;
mod headers;
mod http;
mod members;
mod message;
mod packed;
mod packer;
mod packing;
mod position;
mod record;
mod record_id;
mod records;
mod repeats;
mod resume;
mod sorter;
mod source;
mod surt;
mod tail;
mod verify;
mod writer;

pub use crate::broken::{Broken, Error};
pub use crate::catalogue::{Catalogue, Progress};
pub use crate::coding::{Unpacked, unpack};
pub use crate::date::parse as parse_date;
pub use crate::digest::Digest;
pub use crate::entry::Entry;
pub use crate::exchange::{Exchange, Response, Revisit, Sameness, Truncated};
pub use crate::failure::Failure;
pub use crate::headers::Headers;
pub use crate::http::{Flaws, Http};
pub use crate::packed::{Packed, pack};
pub use crate::position::{Position, read_at, read_within};
pub use crate::record::{Kind, Record};
pub use crate::records::{Limits, Records, open};
pub use crate::verify::{Verified, verify};
pub use crate::writer::{Flushing, Settings, Writer};
