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

mod broken;
mod chunks;
mod coding;
mod date;
mod digest;
mod head;
mod headers;
mod http;
mod packing;
mod record;
mod records;
mod source;

pub use crate::broken::{Broken, Error};
pub use crate::coding::{Unpacked, unpack};
pub use crate::headers::Headers;
pub use crate::http::{Flaws, Http};
pub use crate::record::{Kind, Record};
pub use crate::records::{Limits, Records, open};
