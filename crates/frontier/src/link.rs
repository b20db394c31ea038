//! Links: as they come in, and as the frontier knows them.

use std::fmt;

use serde::{Deserialize, Serialize};
use url::Url;

use crate::host::HostId;
use crate::moment::Moment;
use crate::priority::Priority;

/// The number of a link, in the order in which links were found.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
pub struct LinkId(pub u64);

/// A link that somebody found.
#[derive(Clone, Debug)]
pub struct Link {
    /// Where it points, in normal form.
    pub url: Url,
    /// What it is expected to be.
    pub kind: Kind,
    /// The link whose page it was found on.
    pub via: Option<LinkId>,
    /// How many links it is away from a seed.
    pub depth: u16,
    /// How many links it is away from where its host was entered.
    pub inside: u16,
    /// How many redirects led to it in a row.
    pub redirects: u8,
    /// What it is worth.
    pub priority: Priority,
    /// What the strategy wants to remember of it.
    pub note: Vec<u8>,
}

impl Link {
    /// A link from which a crawl begins.
    pub fn seed(url: Url) -> Self {
        Self {
            url,
            kind: Kind::Page,
            via: None,
            depth: 0,
            inside: 0,
            redirects: 0,
            priority: Priority(1.0),
            note: Vec::new(),
        }
    }
}

/// What a link is expected to lead to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Kind {
    /// A page.
    #[default]
    Page,
    /// A sitemap or a feed.
    Sitemap,
}

/// What the frontier knows of a link.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Entry {
    /// Where it points, in normal form.
    pub url: String,
    /// The host it is on.
    pub host: HostId,
    /// What it is expected to be.
    pub kind: Kind,
    /// The link whose page it was found on.
    pub via: Option<LinkId>,
    /// How many links it is away from a seed.
    pub depth: u16,
    /// How many links it is away from where its host was entered.
    pub inside: u16,
    /// How many redirects led to it in a row.
    pub redirects: u8,
    /// What it is worth.
    pub priority: Priority,
    /// What the strategy wants to remember of it.
    pub note: Vec<u8>,
    /// When it was found.
    pub found: Moment,
    /// What became of it.
    pub state: State,
    /// How often it was tried since it was last visited.
    pub tries: u8,
    /// The last visit.
    pub visit: Option<Visit>,
}

/// What became of a link.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum State {
    /// It waits for its turn.
    Queued,
    /// It is not to be asked before this moment: a failure that may pass, or a page to see again.
    Waiting(Moment),
    /// It was visited.
    Visited,
    /// It leads to another link.
    Redirected(LinkId),
    /// It will not be visited, for this reason.
    Dropped(String),
}

impl fmt::Display for State {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Queued => write!(f, "queued"),
            Self::Waiting(_) => write!(f, "waiting"),
            Self::Visited => write!(f, "visited"),
            Self::Redirected(_) => write!(f, "redirected"),
            Self::Dropped(reason) => write!(f, "dropped: {reason}"),
        }
    }
}

/// What a visit found, as far as the next one needs it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Visit {
    /// When the answer came.
    pub at: Moment,
    /// The status of the answer.
    pub status: u16,
    /// A digest of the body, as it was transferred.
    pub digest: u64,
    /// A digest of what it says, as the caller makes it: by it a change is told.
    pub wording: u64,
    /// What the server calls this version.
    pub etag: Option<String>,
    /// When the server says it was changed.
    pub last_modified: Option<String>,
    /// Whether it was what the crawl looks for.
    pub relevant: bool,
    /// How often it was looked at again.
    pub checks: u16,
    /// How often it had changed then.
    pub changes: u16,
    /// Since when it is looked at.
    pub first: Moment,
    /// When the answer came whose body is in the archive.
    pub kept: Moment,
}
