//! What kept a link from bringing a page, and what can be done about it.

use std::collections::HashMap;
use std::fmt;
use std::sync::{Mutex, PoisonError};

use fetch::FetchError;
use frontier::{Kind, Taken};

use crate::answer::Answer;
use crate::reading::Reading;

/// Of so many links it is kept what they met; who begins with more mostly fails with the first ones already.
const MOST: usize = 10_000;
/// So many seeds are warned of at once; all are told of in the end.
const MOST_WARNED: usize = 10;

/// What to do about what may pass, as long as the link waits for its turn or its day, and when it was given up.
const LATER: &str = "the same command asks for it again later";
const GIVEN_UP: &str = "it was given up, --revisit asks for it again";

/// Why a link was dropped that leads on and on.
pub(crate) const TOO_MANY_REDIRECTS: &str = "too many redirects";

/// What kept a link from bringing a page, and the way out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Setback {
    fact: String,
    way_out: &'static str,
}

impl fmt::Display for Setback {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}; {}", self.fact, self.way_out)
    }
}

impl Setback {
    /// There was no answer.
    pub(crate) fn failure(error: &FetchError) -> Self {
        Self { fact: error.to_string(), way_out: way_out(error.class()) }
    }

    /// The host could not say what it allows.
    pub(crate) fn silent_rules(answer: &Answer) -> Self {
        let fact = match answer.status {
            200..300 => "its host breaks off in the middle of its robots.txt".to_owned(),
            status => format!("its host answers the question for robots.txt with status {status}"),
        };
        Self {
            fact,
            way_out: "nothing is asked until that can be read, the same command asks again later",
        }
    }

    /// What an answer lacks; nothing if it is a page, or leads to one.
    pub(crate) fn of(reading: &Reading, answer: &Answer) -> Option<Self> {
        match reading {
            Reading::Page(_) | Reading::List(_) | Reading::Elsewhere(_) | Reading::Unchanged => {
                None
            }
            Reading::Unwanted => Some(Self::unwanted(answer.told.content_type.as_deref())),
            Reading::Gone(_) | Reading::Complaint | Reading::Trouble => {
                Some(Self::status(answer.status))
            }
        }
    }

    /// It is nothing that has links or addresses.
    pub(crate) fn unwanted(content_type: Option<&str>) -> Self {
        let kind = content_type.and_then(|it| it.split(';').next()).map(str::trim);
        Self {
            fact: kind.map_or("it is no page".to_owned(), |it| format!("it is no page but {it}")),
            way_out: "begin with a page that links to it",
        }
    }

    /// The answer was an error.
    pub(crate) fn status(status: u16) -> Self {
        let fact = format!("its host answers with status {status}");
        let way_out = match status {
            404 | 410 => "there is no such page, look for a typing error or its new address",
            400..500 => "begin with a page that anybody may see",
            _ => LATER,
        };
        Self { fact, way_out }
    }

    /// It leads to itself again, mostly after the attempt to set a cookie.
    pub(crate) fn circle() -> Self {
        let fact = "it leads round in circles, as pages do that want cookies".to_owned();
        Self { fact, way_out: "begin with a page behind it" }
    }

    /// The same for a link that was given up.
    #[must_use]
    pub(crate) fn given_up(self) -> Self {
        let way_out = if self.way_out == LATER { GIVEN_UP } else { self.way_out };
        Self { way_out, ..self }
    }

    /// The link was dropped, for a reason as the frontier keeps it.
    pub(crate) fn dropped(reason: &str) -> Self {
        // A failure is kept by its class, and how often it was met.
        let class = reason.split_once(',').map_or(reason, |it| it.0);
        let fact = match class {
            "private-address" => "its host is not on the public internet".to_owned(),
            "port" => "its port is not one of the web".to_owned(),
            "dns" => "its host has no address".to_owned(),
            "refused" => "its host refuses the connection".to_owned(),
            _ => reason.to_owned(),
        };
        let way_out = if reason.starts_with("robots.txt") {
            "begin with a page that it allows"
        } else if reason.starts_with("leads to ") {
            "begin with a page that stays in scope, or widen the scope"
        } else if reason == TOO_MANY_REDIRECTS {
            "begin with the page that it leads to in the end"
        } else {
            way_out(class)
        };
        Self { fact, way_out }.given_up()
    }

    /// The strategy did not let it in.
    pub(crate) fn refused(reason: &str) -> Self {
        let way_out = "take another strategy to begin with it";
        Self { fact: format!("it is not let in: {reason}"), way_out }
    }

    /// Its host was silent before this run, and is left alone.
    pub(crate) fn silent_host(until: &str) -> Self {
        Self {
            fact: format!("its host did not answer the last time and is left alone until {until}"),
            way_out: "the same command asks it then",
        }
    }

    /// It failed in an earlier run and waits for another day.
    pub(crate) fn put_off(until: &str) -> Self {
        let fact = format!("it failed before and is not asked again until {until}");
        Self { fact, way_out: "the same command asks for it then" }
    }
}

/// What to do about a failure of this class.
fn way_out(class: &str) -> &'static str {
    match class {
        "dns" => "look for a typing error in its name",
        "private-address" => "--allow-private allows this machine and private networks",
        "port" => "look for a typing error in the port",
        "refused" => "look whether the server runs, and at this port",
        "tls" => "look whether it is to be asked by http://",
        "url" | "scheme" => "write it like https://example.org/",
        _ => LATER,
    }
}

/// What links at the beginning of a crawl have met in this run: seeds, and where those lead.
#[derive(Debug, Default)]
pub(crate) struct Setbacks(Mutex<HashMap<String, Setback>>);

impl Setbacks {
    /// Notes what a link has met, if it is one at the beginning.
    pub(crate) fn note(&self, taken: &Taken, setback: impl FnOnce() -> Setback) {
        let entry = &taken.entry;
        if entry.depth > 0 || entry.kind != Kind::Page {
            return;
        }
        let mut met = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if met.len() >= MOST && !met.contains_key(&entry.url) {
            return;
        }
        let setback = setback();
        if !met.contains_key(&entry.url) && met.len() < MOST_WARNED {
            tracing::warn!(url = entry.url, reason = %setback, "nothing comes of a seed");
        }
        met.insert(entry.url.clone(), setback);
    }

    /// The link has brought something after all.
    pub(crate) fn forget(&self, taken: &Taken) {
        if taken.entry.depth == 0 {
            self.0.lock().unwrap_or_else(PoisonError::into_inner).remove(&taken.entry.url);
        }
    }

    /// What a link has met.
    pub(crate) fn of(&self, url: &str) -> Option<Setback> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).get(url).cloned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(reason: &str, expected: &str) {
        assert_eq!(Setback::dropped(reason).to_string(), expected);
    }

    #[test]
    fn a_dropped_link_says_why_and_what_to_do() {
        check("dns, 3 times", "its host has no address; look for a typing error in its name");
        check(
            "robots.txt line 2: Disallow: /private/",
            "robots.txt line 2: Disallow: /private/; begin with a page that it allows",
        );
        check(
            "private-address",
            "its host is not on the public internet; \
             --allow-private allows this machine and private networks",
        );
        check("500, 3 times", "500, 3 times; it was given up, --revisit asks for it again");
        check(
            TOO_MANY_REDIRECTS,
            "too many redirects; begin with the page that it leads to in the end",
        );
    }

    #[test]
    fn a_type_is_told_without_its_parameters() {
        let told = Setback::unwanted(Some("application/pdf; version=1.7")).to_string();
        assert!(told.starts_with("it is no page but application/pdf; "), "{told}");
    }
}
