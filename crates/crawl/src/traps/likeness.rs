//! In what a page is like those before it.

use frontier::{Brought, Entry, LinkId, Shown};
use url::Url;
use xxhash_rust::xxh3::xxh3_64;

use crate::reading::ReadPage;

/// A page that has come, and the link under which it came.
#[derive(Clone, Copy)]
pub(super) struct Arrival<'a> {
    pub(super) id: LinkId,
    pub(super) entry: &'a Entry,
    pub(super) url: &'a Url,
    pub(super) read: &'a ReadPage,
}

impl Arrival<'_> {
    /// Whether the crawl looks for such pages.
    pub(super) fn is_wanted(&self) -> bool {
        self.read.judgement.relevant == Some(true)
    }

    /// Whether the link was visited before.
    pub(super) fn is_again(&self) -> bool {
        self.entry.visit.is_some()
    }
}

/// In what a page is like those before it.
pub(super) struct Likeness {
    /// The link under which the same content was there before, or much of it.
    pub(super) alike: Option<LinkId>,
    /// The link that it repeats.
    pub(super) original: Option<LinkId>,
    /// The digest of its longest passage that does not stand on many pages, 0 if there is none.
    pub(super) paragraph: u64,
    /// Whether it is what its host says when there is no such page.
    pub(super) is_not_found: bool,
    /// Whether it looks like one of the last pages of its host.
    pub(super) is_alike: bool,
    /// Whether it says something that the last pages of its host did not say, or did not need to.
    pub(super) has_own_wording: bool,
}

impl Likeness {
    /// Whether the page brings nothing new.
    pub(super) fn is_repetition(&self) -> bool {
        self.original.is_some() || self.is_not_found || self.is_alike || !self.has_own_wording
    }

    /// What a link has brought that was found on the page `via`.
    pub(super) fn brought(&self, via: Option<LinkId>) -> Brought {
        if self.is_not_found {
            return Brought::Failed;
        }
        if self.original.is_some() && self.original == via {
            return Brought::Echo;
        }
        if self.is_repetition() { Brought::Repeated } else { Brought::New }
    }

    /// What the page shows of its host. It counts for a mirror by the page that it repeats.
    pub(super) fn shown(&self, page: Arrival) -> Shown {
        Shown {
            digest: self.alike.unwrap_or(page.id).0,
            wording: page.read.page.wording,
            title: digest(&page.read.page.title),
            paragraph: self.paragraph,
            finding: page.read.judgement.finding,
        }
    }
}

fn digest(text: &str) -> u64 {
    if text.is_empty() { 0 } else { xxh3_64(text.as_bytes()) }
}
