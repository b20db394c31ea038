//! All that is known about one link.

use std::path::Path;

use archive::Catalogue;
use frontier::{Entry, FileKind, LinkId, State, Wanted};
use serde::{Deserialize, Serialize};
use url::Url;

use super::Insight;
use super::host_report::{HostReport, standing};
use crate::clock::timestamp;
use crate::error::Error;
use crate::refused_seeds::RefusedSeeds;
use crate::user_info::told;

/// A chain of links longer than this is not told to its end.
const LONGEST_CHAIN: usize = 200;
/// How many answers of the archive are told.
const MOST_ARCHIVED: usize = 10;

/// All that is known about one link.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Explanation {
    /// The link in normal form.
    pub url: String,
    /// Whether the crawl knows it.
    pub is_known: bool,
    /// What became of it, or what would.
    pub state: String,
    /// When it was found.
    pub found: Option<String>,
    /// How many links it is away from a seed.
    pub depth: Option<u16>,
    /// How many failures there were since it was last visited.
    pub tries: u8,
    /// What it is worth.
    pub priority: Option<f32>,
    /// Why, in words.
    pub reasons: Vec<String>,
    /// How it was found: the link itself, the page it was found on, and so on up to a seed.
    pub chain: Vec<Step>,
    /// What robots.txt says; nothing as long as the host was not asked.
    pub robots: Option<Ruling>,
    /// Whether it belongs to the crawl.
    pub scope: Ruling,
    /// Its host, if that is known.
    pub host: Option<HostReport>,
    /// The last visit that worked.
    pub last_visit: Option<LastVisit>,
    /// When it is visited next, if that is settled.
    pub next_visit: Option<String>,
    /// Where the archive has it, the newest first.
    pub archived: Vec<Archived>,
}

/// One link of a chain.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Step {
    /// Where it points.
    pub url: String,
    /// What became of it.
    pub state: String,
    /// How many links it is away from a seed.
    pub depth: u16,
}

/// Whether something is allowed, and on what ground.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ruling {
    /// Whether it is.
    pub is_allowed: bool,
    /// Why, or why not.
    pub ground: String,
    /// Until when that holds, if it ends.
    pub until: Option<String>,
}

/// What the last visit found.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LastVisit {
    /// When.
    pub at: String,
    /// The status of the answer.
    pub status: u16,
    /// Whether it was what the crawl looks for.
    pub is_relevant: bool,
    /// How often it was looked at again.
    pub checks: u16,
    /// How often it had changed then.
    pub changes: u16,
}

/// Where the archive has an answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Archived {
    /// When it was fetched.
    pub at: String,
    /// The status of the answer.
    pub status: Option<u16>,
    /// The name of the file.
    pub file: String,
    /// How many bytes of the file are before it.
    pub offset: u64,
}

impl Insight<'_> {
    /// All that is known about one link, but for where the archive has it.
    pub(crate) fn explain(&mut self, text: &str) -> Result<Explanation, Error> {
        let wrong = |reason| {
            let (link, reason) = told(&self.task.links, text, reason);
            Error::Link { link, reason }
        };
        let url = self.task.links.normal_form(text).map_err(wrong)?;
        let found = self.frontier.find(&url)?;
        let host = self.known_host(&url, found.as_ref().map(|it| &it.1))?;
        let path = &url[url::Position::BeforePath..url::Position::AfterQuery];
        let robots = host.as_ref().and_then(|host| {
            let standing = standing(host)?;
            let verdict = standing.verdict(path);
            Some(Ruling {
                is_allowed: verdict.allowed,
                ground: verdict.ground.to_string(),
                until: host.manners.as_ref().map(|it| timestamp(it.until).to_string()),
            })
        });
        let scope = self.scope(&url, found.as_ref().map(|it| &it.1), host.as_ref());
        let delays = self.task.politeness.delays();
        let refused = RefusedSeeds::of(self.frontier)?;
        let mut explanation = Explanation {
            state: would_be(
                refused.reason(&url),
                &scope,
                self.traps.would_judge(&url, self.now),
                robots.as_ref(),
            ),
            url: url.to_string(),
            is_known: false,
            found: None,
            depth: None,
            tries: 0,
            priority: None,
            reasons: Vec::new(),
            chain: Vec::new(),
            robots,
            scope,
            host: host.map(|it| HostReport::of(&it, &delays, self.now)),
            last_visit: None,
            next_visit: None,
            archived: Vec::new(),
        };
        if let Some((id, entry)) = found {
            self.tell(&mut explanation, id, &entry)?;
        }
        Ok(explanation)
    }

    /// What the frontier knows of a link.
    fn tell(&mut self, to: &mut Explanation, id: LinkId, entry: &Entry) -> Result<(), Error> {
        to.is_known = true;
        to.state = match entry.state {
            State::Redirected(target) => {
                format!("redirected to {}", self.frontier.entry(target)?.url)
            }
            _ => entry.state.to_string(),
        };
        to.found = Some(timestamp(entry.found).to_string());
        to.depth = Some(entry.depth);
        to.tries = entry.tries;
        to.priority = Some(entry.priority.0);
        to.reasons = self.reasons(entry);
        to.chain = self.chain(id)?;
        to.last_visit = entry.visit.as_ref().map(|it| LastVisit {
            at: timestamp(it.at).to_string(),
            status: it.status,
            is_relevant: it.relevant,
            checks: it.checks,
            changes: it.changes,
        });
        if let State::Waiting(until) = entry.state {
            to.next_visit = Some(timestamp(until).to_string());
        }
        Ok(())
    }

    fn chain(&mut self, id: LinkId) -> Result<Vec<Step>, Error> {
        let mut chain = Vec::new();
        let mut next = Some(id);
        while let Some(id) = next
            && chain.len() < LONGEST_CHAIN
        {
            let entry = self.frontier.entry(id)?;
            // A page found later can have raised a link that led to it: nobody goes in circles.
            next = entry.via.filter(|_| !chain.iter().any(|it: &Step| it.url == entry.url));
            chain.push(Step { state: entry.state.to_string(), url: entry.url, depth: entry.depth });
        }
        Ok(chain)
    }

    fn known_host(
        &mut self,
        url: &Url,
        entry: Option<&Entry>,
    ) -> Result<Option<frontier::Host>, Error> {
        if let Some(entry) = entry {
            return Ok(Some(self.frontier.host(entry.host)?));
        }
        let Some(id) = self.frontier.known_host_of(url)? else { return Ok(None) };
        Ok(Some(self.frontier.host(id)?))
    }

    fn scope(&self, url: &Url, entry: Option<&Entry>, host: Option<&frontier::Host>) -> Ruling {
        if !FileKind::of_url(url).serves(Wanted::Pages) && entry.is_none() {
            let ground = "its ending says that it is no page".to_owned();
            return Ruling { is_allowed: false, ground, until: None };
        }
        let verdict = self.task.scope.judge(&frontier::Candidate {
            url,
            depth: entry.map_or(0, |it| it.depth.into()),
            depth_in_host: entry.map_or(0, |it| it.inside.into()),
            // One that was taken in is not held against itself.
            urls_of_host: if entry.is_some() { 0 } else { host.map_or(0, |it| it.known) },
        });
        let is_seed = entry.is_some_and(|it| it.via.is_none());
        match verdict {
            Ok(()) => Ruling { is_allowed: true, ground: "in scope".to_owned(), until: None },
            Err(reason) if is_seed => {
                let ground = format!("a seed is always in scope, though {reason}");
                Ruling { is_allowed: true, ground, until: None }
            }
            Err(reason) => Ruling { is_allowed: false, ground: reason.to_string(), until: None },
        }
    }
}

impl Explanation {
    /// Adds where the archive has the link.
    pub(crate) fn look_into(&mut self, archive: &Path) -> Result<(), Error> {
        if !archive.is_dir() {
            return Ok(());
        }
        let mut found = Catalogue::open(archive)?.find(&self.url)?;
        found.retain(|it| it.url == self.url);
        self.archived = found
            .into_iter()
            .take(MOST_ARCHIVED)
            .map(|it| Archived {
                at: it.date.to_string(),
                status: it.status,
                file: it.position.file,
                offset: it.position.offset,
            })
            .collect();
        Ok(())
    }
}

/// What would become of a link that nobody has found yet.
///
/// Of links that were left out nothing is kept but their number: pages may have had some.
fn would_be(
    refused: Option<&str>,
    scope: &Ruling,
    trap: Result<(), &'static str>,
    robots: Option<&Ruling>,
) -> String {
    let what = if !scope.is_allowed {
        "if a page has one, that is left out, being out of scope".to_owned()
    } else if let Err(reason) = trap {
        format!("if a page has one, that is left out: {reason}")
    } else if robots.is_some_and(|it| !it.is_allowed) {
        "one that is found is dropped when its turn comes, since robots.txt forbids it".to_owned()
    } else if robots.is_none() {
        "one that is found is queued, and its host asked for its robots.txt first".to_owned()
    } else {
        "one that is found is queued".to_owned()
    };
    let which = match refused {
        Some(reason) => format!("the strategy does not let it in as a seed ({reason})"),
        None => "it is no seed".to_owned(),
    };
    format!("unknown: no link to it was taken in, and {which}; {what}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_would_become_of_a_link_depends_on_what_is_known() {
        let ruling = |is_allowed| Ruling { is_allowed, ground: String::new(), until: None };
        let check = |refused, scope, trap, robots: Option<bool>, expected: [&str; 2]| {
            let told = would_be(refused, &ruling(scope), trap, robots.map(ruling).as_ref());
            let expected = expected.join("; ");
            assert_eq!(told, format!("unknown: no link to it was taken in, and {expected}"));
        };
        let no_seed = "it is no seed";
        let queued = "one that is found is queued";
        let asked = "one that is found is queued, and its host asked for its robots.txt first";
        check(None, true, Ok(()), Some(true), [no_seed, queued]);
        check(None, true, Ok(()), None, [no_seed, asked]);
        let refused = "the strategy does not let it in as a seed (why)";
        check(Some("why"), true, Ok(()), None, [refused, asked]);
        let forbidden =
            "one that is found is dropped when its turn comes, since robots.txt forbids it";
        check(None, true, Ok(()), Some(false), [no_seed, forbidden]);
    }

    #[test]
    fn of_a_link_that_is_left_out_it_is_not_said_that_no_page_has_it() {
        let scope = Ruling { is_allowed: false, ground: String::new(), until: None };
        let told = would_be(None, &scope, Err("mirror"), None);
        assert!(
            told.ends_with("if a page has one, that is left out, being out of scope"),
            "{told}"
        );
        let scope = Ruling { is_allowed: true, ..scope };
        let told = would_be(None, &scope, Err("mirror"), None);
        assert!(told.ends_with("if a page has one, that is left out: mirror"), "{told}");
    }
}
