//! Hosts: whom to ask, how they behaved.

use std::net::IpAddr;

use serde::{Deserialize, Serialize};
use url::Url;

use crate::moment::Moment;
use crate::pace::Pace;

/// The number of a host.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
pub struct HostId(pub u32);

/// A scheme, a name and a port, with what the crawl learned of it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Host {
    /// As it stands in its URLs: `https://example.org`.
    pub origin: String,
    /// How fast it may be asked.
    pub pace: Pace,
    /// Where it was last found.
    pub address: Option<IpAddr>,
    /// How many links of it are known.
    pub known: u64,
    /// How many answers it gave.
    pub visited: u64,
    /// How many of them were what the crawl looks for.
    pub relevant: u64,
    /// How many of them were errors.
    pub errors: u64,
    /// How many of them brought nothing new.
    pub duplicates: u64,
    /// How many bytes it sent.
    pub bytes: u64,
    /// How deep it has sunk: hosts that yield nothing are asked after all others.
    pub sunk: u8,
    /// The rules of its robots.txt, as the caller writes them.
    pub manners: Option<Manners>,
}

/// What a host allows, kept for a while.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Manners {
    /// The rules, as the caller writes them.
    pub rules: Vec<u8>,
    /// Until when they hold.
    pub until: Moment,
}

/// Scheme, name and port, as they stand in a URL.
pub(crate) fn origin(url: &Url) -> &str {
    &url[..url::Position::BeforePath]
}

/// Whom politeness is owed at a URL: the name, whatever the scheme, and the port if it is an odd one.
pub fn gate_of(url: &Url) -> &str {
    gate_name(origin(url))
}

/// Whom politeness is owed at an origin.
pub(crate) fn gate_name(origin: &str) -> &str {
    let name = origin.split_once("://").map_or(origin, |(_, name)| name);
    name.rsplit_once('@').map_or(name, |(_, name)| name)
}
