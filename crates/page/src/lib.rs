//! A page, read: what it says, where it points, and what it states for machines.
//!
//! Takes a [`Response`], the bytes with the headers that explain them; gives a [`Page`] with title,
//! text, links, dates, language and the places that its markup states. Every byte string is a page.
//! It has never heard of the gazetteer. Next on the way: the `geoparse` crate.
//!
//! ```
//! use page::{Reach, Response};
//!
//! let html = "<title>The old harbour</title><h1>Harbour</h1>
//!     <p>Ships leave for <a href='/islands'>the islands</a> every morning.";
//! let url = Some("https://example.org/harbour");
//! let page = page::read(&Response { url, ..Response::new(html.as_bytes()) });
//!
//! assert_eq!(page.text, "Harbour\nShips leave for the islands every morning.");
//! let link = &page.links[0];
//! assert_eq!(link.url.as_str(), "https://example.org/islands");
//! assert_eq!(link.words(&page), "the islands");
//! assert_eq!(link.before(&page, 2, Reach::Block), "leave for");
//! ```

mod area_hints;
mod base;
mod block;
mod charset;
mod common_words;
mod dates;
mod element;
mod entity;
mod fingerprint;
mod flow;
mod head;
mod items;
mod json_ld;
mod language;
mod link;
mod link_header;
mod links;
mod main_text;
mod map_link;
mod page;
mod page_date;
mod place;
mod plus_codes;
mod reader;
mod response;
mod robots;
mod sections;
mod stack;
mod tag;
mod tokens;
mod wording;
mod words;
mod written_date;

pub use crate::block::{Area, Block, Role};
pub use crate::fingerprint::fingerprint;
pub use crate::head::Alternate;
pub use crate::language::{Language, detect_language};
pub use crate::link::{Link, Reach, Rel};
pub use crate::page::{Page, Truncated, read};
pub use crate::page_date::{DateSource, PageDate};
pub use crate::place::{PlaceSource, StructuredPlace};
pub use crate::response::Response;
pub use crate::robots::Robots;
