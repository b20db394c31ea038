//! When a page was written, and how we know.

use jiff::civil::DateTime;

/// A date with its source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PageDate {
    /// In universal time if the page says its offset, else as the page has it. A date without a
    /// time of day is its midnight.
    pub at: DateTime,
    /// Who says so.
    pub source: DateSource,
}

/// Who says when, from the most to the least trustworthy.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum DateSource {
    /// `datePublished` or `dateModified` of JSON-LD or microdata.
    JsonLd,
    /// A `<meta>` element.
    Meta,
    /// The first `<time>` element.
    TimeElement,
    /// A date in the path of the URL.
    Url,
    /// The header `Last-Modified`. Many servers put the time of the request there.
    Header,
    /// A date near the beginning of the text. It may belong to what the text tells.
    Text,
}
