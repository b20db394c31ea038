//! The document: all that is kept of one page.

use std::ops::Range;

use gazetteer::{Gazetteer, PlaceId};
use serde::{Deserialize, Serialize};

use crate::spot::Spot;

/// All that is kept of one page: its text, its facts, the ground it is about.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Document {
    /// The name it was given, or one made from its URL; no two documents share one.
    pub id: String,
    /// Where it is; empty for a document that is on no web.
    pub url: String,
    /// Its title.
    pub title: String,
    /// Its main text, a line for each paragraph.
    pub text: String,
    /// Where the headings stand in the text, in bytes.
    pub headings: Vec<Range<u32>>,
    /// Its language by two letters; empty if it is not known.
    pub language: String,
    /// When it was published, in seconds since 1970.
    pub published: Option<i64>,
    /// When it was fetched, in seconds since 1970.
    pub fetched: Option<i64>,
    /// The topics it was filed under.
    pub topics: Vec<String>,
    /// The simhash of its text.
    pub fingerprint: u64,
    /// The places it is about, with where they are.
    pub spots: Vec<Spot>,
    /// The streets and house numbers of its spots, as far as it says them.
    pub street_lines: Vec<StreetLine>,
    /// The narrowest place that holds most of it.
    pub focus: Option<u32>,
    /// The place it names most often.
    pub most_frequent: Option<u32>,
    /// Where its text names places.
    pub marks: Vec<Mark>,
    /// What the links to it say, each wording once.
    pub anchors: Vec<String>,
    /// The URL that it wants to be known by, if that is another one.
    pub canonical: Option<String>,
    /// A fingerprint of what it was made from, to see whether that has changed.
    pub source: u64,
}

/// Street and house number of a spot.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StreetLine {
    /// The latitude of the spot, in 1e-7 degrees.
    pub lat: i32,
    /// Its longitude.
    pub lon: i32,
    /// As the document writes it: `Mannerheimintie 2`.
    pub text: String,
}

/// A place named in the text of a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Mark {
    /// Where the name starts in the text, in bytes.
    pub start: u32,
    /// Where it ends.
    pub end: u32,
    /// The place that is meant.
    pub place: u32,
}

impl Document {
    /// What documents are told apart by: the fingerprint of the id.
    pub fn key(&self) -> u64 {
        key(&self.id)
    }

    /// Street and house number of one of its spots, if it says them.
    pub fn street_line(&self, spot: &Spot) -> Option<&str> {
        let street_line =
            self.street_lines.iter().find(|it| (it.lat, it.lon) == (spot.lat, spot.lon))?;
        Some(&street_line.text)
    }

    /// What one of its spots is called, as one would write it: `Mannerheimintie 2, Helsinki, Uusimaa, Finland`; nothing
    /// for a bare point.
    pub fn label(&self, gazetteer: &Gazetteer, spot: &Spot) -> Option<String> {
        let place = spot.place.filter(|it| (*it as usize) < gazetteer.len());
        let place = place.map(|it| gazetteer.place(PlaceId(it)).label());
        let parts: Vec<String> =
            self.street_line(spot).map(str::to_owned).into_iter().chain(place).collect();
        (!parts.is_empty()).then(|| parts.join(", "))
    }

    /// The host of the URL, in lower case; empty if it has none.
    pub fn host(&self) -> &str {
        host(&self.url)
    }
}

/// The fingerprint of an id.
pub(crate) fn key(id: &str) -> u64 {
    xxhash_rust::xxh3::xxh3_64(id.as_bytes())
}

/// The id of a document that has none but its URL.
pub(crate) fn id_of_url(url: &str) -> String {
    format!("{:016x}", xxhash_rust::xxh3::xxh3_64(url.as_bytes()))
}

/// The key of the document at a URL, if the URL is all it is known by.
pub(crate) fn key_of_url(url: &str) -> u64 {
    key(&id_of_url(url))
}

/// The host of a URL.
pub(crate) fn host(url: &str) -> &str {
    let Some((_, rest)) = url.split_once("://") else { return "" };
    let authority = rest.split(['/', '?', '#']).next().unwrap_or_default();
    let host = authority.rsplit('@').next().unwrap_or_default();
    host.split(':').next().unwrap_or_default()
}
