//! Domains that make up hosts without end.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_64;

/// So many hosts a domain may have before any of them has brought anything: a town with its
/// departments, a university with its institutes.
const ADVANCE: usize = 32;

/// A new page pays for one more host. On a platform each host has many; on a farm, which shows the
/// same thing everywhere, hosts soon outnumber new pages.
const PAID_BY_NEW: usize = 1;

/// How many hosts of one domain are kept apart in the end.
const MOST_HOSTS: usize = 10_000;

/// How many domains are watched. Those that come later are let pass.
const MOST_DOMAINS: usize = 200_000;

/// How many hosts each registered domain has shown, and what they brought.
///
/// A domain is what the Public Suffix List calls so: the blogs of a platform that is on the list are
/// domains of their own.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Floods {
    domains: BTreeMap<String, Hosts>,
}

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
struct Hosts {
    /// As hashes.
    known: BTreeSet<u64>,
    new_pages: u32,
}

impl Hosts {
    /// How many the domain may have.
    fn most(&self) -> usize {
        (ADVANCE + PAID_BY_NEW * self.new_pages as usize).min(MOST_HOSTS)
    }
}

impl Floods {
    /// Whether pages of the host should be fetched: it is known, or its domain may have one more.
    pub fn admits(&mut self, host: &str) -> bool {
        let domain = registered_domain(host);
        if self.domains.len() >= MOST_DOMAINS && !self.domains.contains_key(domain) {
            return true;
        }
        let hosts = self.domains.entry(domain.to_owned()).or_default();
        let hash = xxh3_64(host.as_bytes());
        if hosts.known.contains(&hash) {
            return true;
        }
        let has_room = hosts.known.len() < hosts.most();
        if has_room {
            hosts.known.insert(hash);
        }
        has_room
    }

    /// Whether the host would be let in. Asking counts nothing.
    pub fn would_admit(&self, host: &str) -> bool {
        let domain = registered_domain(host);
        let Some(hosts) = self.domains.get(domain) else { return true };
        hosts.known.contains(&xxh3_64(host.as_bytes())) || hosts.known.len() < hosts.most()
    }

    /// Counts a page of the host that was unlike those known before.
    pub fn learn_new(&mut self, host: &str) {
        if let Some(hosts) = self.domains.get_mut(registered_domain(host)) {
            hosts.new_pages = hosts.new_pages.saturating_add(1);
        }
    }
}

/// The domain that somebody registered and the host is part of; addresses stand for themselves.
pub fn registered_domain(host: &str) -> &str {
    let is_address = host.ends_with(']') || host.ends_with(|it: char| it.is_ascii_digit());
    if is_address { host } else { psl::domain_str(host).unwrap_or(host) }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// How many of so many hosts are let in if each brings so many new pages.
    #[track_caller]
    fn check(hosts: usize, domain: &str, new_pages: usize, expected: usize) {
        let mut floods = Floods::default();
        let mut let_in = 0;
        for host in (0..hosts).map(|it| format!("h{it}.{domain}")) {
            if floods.admits(&host) {
                let_in += 1;
                (0..new_pages).for_each(|_| floods.learn_new(&host));
            }
        }
        assert_eq!(let_in, expected);
    }

    #[test]
    fn a_farm_of_hosts_is_cut_short() {
        check(5_000, "farm.example", 0, 32);
    }

    #[test]
    fn a_domain_whose_hosts_bring_something_grows() {
        check(5_000, "stadt.example", 1, 5_000);
        check(20_000, "platform.example", 3, MOST_HOSTS);
    }

    #[test]
    fn blogs_of_a_listed_platform_are_domains_of_their_own() {
        check(500, "blogspot.com", 0, 500);
    }

    #[test]
    fn whoever_asks_and_brings_no_link_is_not_counted() {
        let mut floods = Floods::default();
        assert!((0..100).all(|it| floods.would_admit(&format!("h{it}.farm.example"))));
        assert!((0..32).all(|it| floods.admits(&format!("h{it}.farm.example"))));
        assert!(floods.would_admit("h0.farm.example") && !floods.would_admit("h99.farm.example"));
    }

    #[test]
    fn a_host_that_was_let_in_stays() {
        let mut floods = Floods::default();
        assert!(floods.admits("first.farm.example"));
        (0..100).for_each(|it| {
            floods.admits(&format!("h{it}.farm.example"));
        });
        assert!(floods.admits("first.farm.example"));
        assert!(!floods.admits("last.farm.example"));
    }

    #[test]
    fn addresses_are_domains() {
        assert_eq!(registered_domain("127.0.0.1"), "127.0.0.1");
        assert_eq!(registered_domain("[::1]"), "[::1]");
        assert_eq!(registered_domain("a.b.example.co.uk"), "example.co.uk");
        assert_eq!(registered_domain("localhost"), "localhost");
    }
}
