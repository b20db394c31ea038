//! The door: how often one may try to sign in, and whether a form comes from our own pages.

use std::net::IpAddr;
use std::num::NonZeroU32;

use axum::http::{HeaderMap, header};
use governor::{DefaultDirectRateLimiter, DefaultKeyedRateLimiter, Quota, RateLimiter};

use crate::guard::household;

/// People mistype; programs that guess need more.
const PER_ADDRESS: NonZeroU32 = NonZeroU32::new(5).expect("it is not zero");
/// Whoever has many addresses has no more guesses than this a minute with all of them.
const IN_ALL: NonZeroU32 = NonZeroU32::new(30).expect("it is not zero");

/// Counts attempts to sign in.
pub(crate) struct Door {
    of_address: DefaultKeyedRateLimiter<IpAddr>,
    of_all: DefaultDirectRateLimiter,
}

impl Door {
    pub(crate) fn new() -> Self {
        Self {
            of_address: RateLimiter::keyed(Quota::per_minute(PER_ADDRESS)),
            of_all: RateLimiter::direct(Quota::per_minute(IN_ALL)),
        }
    }

    /// Whether one more attempt from this address is heard.
    pub(crate) fn hears(&self, who: IpAddr) -> bool {
        // Addresses that have not tried for long are forgotten.
        self.of_address.retain_recent();
        self.of_address.check_key(&household(who)).is_ok() && self.of_all.check().is_ok()
    }
}

/// Whether a form was sent from a page of this server.
///
/// Browsers say so in `Sec-Fetch-Site`, which no page can forge, or in `Origin`. A program that is
/// no browser says neither, and nobody can make it send what it does not want to.
pub(crate) fn is_from_here(headers: &HeaderMap, is_behind_proxy: bool) -> bool {
    let text = |name: &str| headers.get(name).map(|it| it.to_str().unwrap_or("?"));
    if let Some(site) = text("sec-fetch-site") {
        return site == "same-origin";
    }
    let Some(origin) = text(header::ORIGIN.as_str()) else { return true };
    let Some((_, origin)) = origin.split_once("://") else { return false };
    let forwarded = text("x-forwarded-host").filter(|_| is_behind_proxy);
    let host = forwarded.or_else(|| text(header::HOST.as_str())).unwrap_or_default();
    origin.eq_ignore_ascii_case(host)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(headers: &[(&'static str, &'static str)], expected: bool) {
        let mut map = HeaderMap::new();
        for (name, value) in headers {
            map.insert(*name, value.parse().expect("a value"));
        }
        assert_eq!(is_from_here(&map, true), expected, "{headers:?}");
    }

    #[test]
    fn forms_of_other_sites_are_told_from_ours() {
        check(&[("host", "a.example:8080"), ("origin", "http://a.example:8080")], true);
        check(&[("host", "a.example"), ("origin", "https://b.example")], false);
        check(&[("host", "a.example"), ("origin", "null")], false);
        check(&[("host", "a.example"), ("origin", "https://a.example.b.example")], false);
        check(
            &[
                ("host", "inner:1"),
                ("x-forwarded-host", "a.example"),
                ("origin", "https://a.example"),
            ],
            true,
        );
        check(
            &[
                ("host", "inner:1"),
                ("sec-fetch-site", "same-origin"),
                ("origin", "https://a.example"),
            ],
            true,
        );
        check(
            &[
                ("host", "a.example"),
                ("sec-fetch-site", "cross-site"),
                ("origin", "https://a.example"),
            ],
            false,
        );
        check(&[("host", "a.example"), ("sec-fetch-site", "same-site")], false);
        check(&[("host", "a.example")], true);
    }

    #[test]
    fn who_guesses_is_not_heard_for_long() {
        let door = Door::new();
        let address = |number: u8| IpAddr::from([192, 0, 2, number]);
        let heard = (0..20).filter(|_| door.hears(address(1))).count();
        assert_eq!(heard, 5);
        assert!(door.hears(address(2)));
        let heard = (3..100).filter(|it| door.hears(address(*it))).count();
        assert!((20..=26).contains(&heard), "{heard}");
    }
}
