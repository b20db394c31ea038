//! What we may ask a host for, by the answer to our question for its robots.txt.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::robots::{Ground, Robots, Verdict};

/// RFC 9309, 2.4: "Crawlers SHOULD NOT use the cached version for more than 24 hours, unless the
/// robots.txt file is unreachable."
const KEPT: Duration = Duration::from_hours(24);

/// A server that is down is mostly up again within the hour, and one more request in an hour hurts
/// nobody.
const RETRIED: Duration = Duration::from_hours(1);

/// What the answer to our question for a robots.txt means.
///
/// ```
/// use fetch::Standing;
///
/// let standing = Standing::of(200, b"User-agent: *\nDisallow: /", "strabo");
/// assert!(!standing.allows("/"));
/// assert!(standing.allows("/robots.txt"));
/// assert!(Standing::of(404, b"", "strabo").allows("/"));
/// assert!(!Standing::of(503, b"", "strabo").allows("/"));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Standing {
    /// The host has told its rules.
    ///
    /// RFC 9309, 2.3.1.1: "If the crawler successfully downloads the robots.txt file, the crawler
    /// MUST follow the parseable rules."
    Rules(Robots),
    /// The host has no robots.txt for us, and everything is allowed.
    ///
    /// RFC 9309, 2.3.1.3: "If a server status code indicates that the robots.txt file is
    /// unavailable to the crawler, then the crawler MAY access any resources on the server."
    Unavailable,
    /// The host could not tell its rules, and nothing is allowed for now.
    ///
    /// RFC 9309, 2.3.1.4: "If the robots.txt file is unreachable due to server or network errors,
    /// this means the robots.txt file is undefined and the crawler MUST assume complete disallow."
    Unreachable,
}

impl Standing {
    /// What an answer with this status and this body means.
    ///
    /// A redirect counts as a server error here, because it is one that led nowhere: whoever asks
    /// has followed at least five. (RFC 9309, 2.3.1.2: "If there are more than five consecutive
    /// redirects, crawlers MAY assume that the robots.txt file is unavailable"; we do not.)
    /// 429 is no word about robots.txt, but a request to ask less.
    pub fn of(status: u16, body: &[u8], product_token: &str) -> Self {
        match status {
            200..300 => Self::Rules(Robots::parse(body, product_token)),
            429 => Self::Unreachable,
            400..500 => Self::Unavailable,
            _ => Self::Unreachable,
        }
    }

    /// Whether we may ask for this path, with its query if it has one.
    pub fn allows(&self, path_and_query: &str) -> bool {
        self.verdict(path_and_query).allowed
    }

    /// Whether we may ask for this path, with its query if it has one, and on what ground.
    ///
    /// RFC 9309, 2.2.2: "The /robots.txt URI is implicitly allowed."
    pub fn verdict(&self, path_and_query: &str) -> Verdict<'_> {
        if path_and_query == "/robots.txt" {
            return Verdict { allowed: true, ground: Ground::Itself };
        }
        match self {
            Self::Rules(robots) => robots.verdict(path_and_query),
            Self::Unavailable => Verdict { allowed: true, ground: Ground::Unavailable },
            Self::Unreachable => Verdict { allowed: false, ground: Ground::Unreachable },
        }
    }

    /// How long this holds: afterwards robots.txt is asked for again.
    pub fn lifetime(&self) -> Duration {
        match self {
            Self::Rules(_) | Self::Unavailable => KEPT,
            Self::Unreachable => RETRIED,
        }
    }

    /// The rules, if the host has told any.
    pub fn robots(&self) -> Option<&Robots> {
        match self {
            Self::Rules(robots) => Some(robots),
            Self::Unavailable | Self::Unreachable => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(status: u16, path: &str, expected: &str) {
        let standing = Standing::of(status, b"User-agent: *\nDisallow: /a", "strabo");
        let verdict = standing.verdict(path);
        let told = format!("{} {}", if verdict.allowed { "yes" } else { "no" }, verdict.ground);
        assert_eq!(told, expected, "{status} {path}");
    }

    #[test]
    fn rules_that_came_are_followed() {
        check(200, "/a", "no robots.txt line 2: Disallow: /a");
        check(206, "/b", "yes robots.txt has no rule for this path");
    }

    #[test]
    fn a_host_without_robots_txt_allows_everything() {
        check(404, "/a", "yes robots.txt does not exist");
        check(403, "/a", "yes robots.txt does not exist");
    }

    #[test]
    fn a_host_in_trouble_is_left_alone_for_now() {
        let left_alone = "no robots.txt could not be read: nothing is asked until it can be";
        check(429, "/b", left_alone);
        check(500, "/b", left_alone);
        check(301, "/b", left_alone);
        check(0, "/b", left_alone);
        assert!(Standing::Unreachable.lifetime() < Standing::Unavailable.lifetime());
    }

    #[test]
    fn robots_txt_itself_is_always_allowed() {
        check(500, "/robots.txt", "yes robots.txt itself is always allowed");
        assert!(Standing::of(200, b"User-agent: *\nDisallow: /", "a").allows("/robots.txt"));
        assert!(!Standing::of(200, b"User-agent: *\nDisallow: /", "a").allows("/robots.txt?a"));
    }
}
