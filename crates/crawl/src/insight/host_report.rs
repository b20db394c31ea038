//! A host as operators see it.

use fetch::Standing;
use frontier::{Delays, Host, Moment};
use serde::{Deserialize, Serialize};

use crate::clock::timestamp;

/// A host as operators see it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct HostReport {
    /// As it stands in its URLs: `https://example.org`.
    pub origin: String,
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
    /// How long to wait between two requests, in seconds.
    pub delay: f64,
    /// When it may be asked again, if that is not now.
    pub next: Option<String>,
    /// How many complaints or failures came in a row.
    pub refusals: u8,
    /// How deep it has sunk: hosts that yield nothing are asked after all others.
    pub sunk: u8,
    /// Where it was last found.
    pub address: Option<String>,
    /// What is known of its robots.txt.
    pub robots: String,
}

impl HostReport {
    pub(crate) fn of(host: &Host, delays: &Delays, now: Moment) -> Self {
        Self {
            origin: host.origin.clone(),
            known: host.known,
            visited: host.visited,
            relevant: host.relevant,
            errors: host.errors,
            duplicates: host.duplicates,
            bytes: host.bytes,
            delay: host.pace.delay(delays).as_secs_f64(),
            next: (host.pace.next > now).then(|| timestamp(host.pace.next).to_string()),
            refusals: host.pace.refusals,
            sunk: host.sunk,
            address: host.address.map(|it| it.to_string()),
            robots: robots(host),
        }
    }
}

fn robots(host: &Host) -> String {
    match standing(host) {
        None => "not asked yet".to_owned(),
        Some(Standing::Unavailable) => "does not exist".to_owned(),
        Some(Standing::Unreachable) => "cannot be read".to_owned(),
        Some(Standing::Rules(robots)) => match robots.crawl_delay() {
            Some(delay) => format!("has rules, asks for {} s", delay.as_secs_f64()),
            None => "has rules".to_owned(),
        },
    }
}

/// What the host allows, as far as it said.
pub(super) fn standing(host: &Host) -> Option<Standing> {
    postcard::from_bytes(&host.manners.as_ref()?.rules).ok()
}
