//! The desk where answers are dealt with, one after the other: frontier, strategy and log agree here.

use std::collections::HashMap;

use fetch::Standing;
use focus::{Candidate, Source, Strategy, Value};
use frontier::{
    Ended, Entry, FileKind, Frontier, HostId, Kind, Link, LinkId, Manners, Moment, Outcome,
    Priority, Scope, State, Tally, Visit, Wanted,
};
use url::Url;

use crate::answer::Answer;
use crate::clock::timestamp;
use crate::counters::Counters;
use crate::error::Error;
use crate::goal::Goal;
use crate::ledger::{Ledger, Line};
use crate::reading::{FoundLink, ReadPage, Reading};
use crate::task::{Limits, Task};

/// How many digests of contents are remembered, twice: the older half is forgotten at once.
const CONTENTS: usize = 1 << 19;
/// How many hosts' rules are kept ready.
const STANDINGS: usize = 1 << 14;
/// A page that fails is tried again on another day: what is broken now is broken in an hour.
const ANOTHER_DAY: std::time::Duration = std::time::Duration::from_hours(24);

/// Frontier, strategy and log.
pub(crate) struct Desk {
    pub(crate) frontier: Frontier,
    pub(crate) strategy: Box<dyn Strategy>,
    pub(crate) ledger: Ledger,
    pub(crate) limits: Limits,
    pub(crate) scope: Scope,
    standings: HashMap<HostId, (Standing, Moment)>,
    contents: HashMap<u64, LinkId>,
    older_contents: HashMap<u64, LinkId>,
}

/// What is noted about an answer.
#[derive(Default)]
struct Noted<'a> {
    relevant: Option<bool>,
    places: Vec<&'a str>,
    duplicate_of: Option<String>,
}

impl Desk {
    pub(crate) fn new(
        frontier: Frontier,
        strategy: Box<dyn Strategy>,
        ledger: Ledger,
        task: &Task,
    ) -> Self {
        Self {
            frontier,
            strategy,
            ledger,
            limits: task.limits.clone(),
            scope: task.scope.clone(),
            standings: HashMap::new(),
            contents: HashMap::new(),
            older_contents: HashMap::new(),
        }
    }

    /// What a host allows, if that was asked not too long ago.
    pub(crate) fn standing(
        &mut self,
        host: HostId,
        now: Moment,
    ) -> Result<Option<&Standing>, Error> {
        if !self.standings.contains_key(&host) {
            let Some(manners) = self.frontier.host(host)?.manners else { return Ok(None) };
            let Ok(standing) = postcard::from_bytes(&manners.rules) else { return Ok(None) };
            if self.standings.len() >= STANDINGS {
                self.standings.clear();
            }
            self.standings.insert(host, (standing, manners.until));
        }
        let fresh = self.standings.get(&host).filter(|it| it.1 > now);
        Ok(fresh.map(|it| &it.0))
    }

    /// A host said what it allows.
    pub(crate) fn set_standing(
        &mut self,
        host: HostId,
        standing: Standing,
        at: Moment,
    ) -> Result<(), Error> {
        // A host that cannot tell its rules is left alone by its pace, and asked again then.
        if standing == Standing::Unreachable {
            return Ok(());
        }
        let until = at + standing.lifetime();
        let wished = standing.robots().and_then(fetch::Robots::crawl_delay);
        let rules = postcard::to_stdvec(&standing).unwrap_or_default();
        self.frontier.set_manners(host, Manners { rules, until }, wished)?;
        self.standings.insert(host, (standing, until));
        Ok(())
    }

    /// Deals with an answer; tells how many new links it brought.
    pub(crate) fn deal_with(
        &mut self,
        goal: &Goal,
        counters: &Counters,
        id: LinkId,
        answer: &Answer,
        reading: Reading,
        now: Moment,
    ) -> Result<usize, Error> {
        let entry = self.frontier.entry(id)?;
        let mut outcome = Outcome {
            state: State::Visited,
            visit: Some(visit(&entry, answer)),
            again: None,
            ended: Some(Ended::Answered(answer.took)),
            address: answer.address,
            tally: Tally { bytes: answer.size, visited: true, ..Tally::default() },
        };
        let mut noted = Noted::default();
        let mut new = 0;
        match reading {
            Reading::Page(read) => {
                let original = self.original(read.digest, id);
                let visit = outcome.visit.as_mut().expect("it was set above");
                visit.digest = read.digest;
                visit.fingerprint = read.page.fingerprint;
                visit.relevant = read.judgement.relevant == Some(true);
                outcome.tally.relevant = visit.relevant;
                outcome.tally.duplicate = original.is_some();
                noted.relevant = read.judgement.relevant;
                noted.places = read
                    .judgement
                    .places
                    .iter()
                    .map(|it| goal.gazetteer().place(*it).key())
                    .collect();
                if let Some(original) = original {
                    noted.duplicate_of = Some(self.frontier.entry(original)?.url);
                }
                new = self.add_page(counters, id, &entry, answer, &read, now)?;
            }
            Reading::List(urls) => new = self.add_list(counters, id, &entry, answer, &urls, now)?,
            Reading::Elsewhere(target) => {
                if entry.redirects >= self.limits.redirects {
                    outcome.state = State::Dropped("too many redirects".to_owned());
                    counters.error("redirects");
                } else {
                    new = self.follow(id, &entry, &target, now)?;
                    if let Some((target, _)) = self.frontier.find(&target)? {
                        outcome.state = State::Redirected(target);
                    }
                }
            }
            Reading::Unchanged => {
                let visit = outcome.visit.as_mut().expect("it was set above");
                if let Some(before) = &entry.visit {
                    *visit = Visit { at: answer.at, checks: before.checks + 1, ..before.clone() };
                }
                outcome.tally.relevant = visit.relevant;
            }
            Reading::Unwanted => counters.error("unwanted type"),
            Reading::Gone => {
                outcome.tally.error = true;
                counters.error(&answer.status.to_string());
            }
            Reading::Complaint | Reading::Trouble => {
                outcome.tally.error = true;
                counters.error(&answer.status.to_string());
                let is_complaint = matches!(reading, Reading::Complaint);
                if is_complaint {
                    outcome.ended = Some(Ended::Refused(answer.told.retry_after(now)));
                }
                self.put_off(&mut outcome, &entry, &answer.status.to_string(), is_complaint, now);
            }
        }
        self.note(&entry, answer.at, answer.status, None, noted)?;
        self.frontier.finish(id, outcome, now)?;
        Ok(new)
    }

    /// Deals with a request that brought no answer.
    pub(crate) fn deal_with_failure(
        &mut self,
        counters: &Counters,
        id: LinkId,
        class: &str,
        at: Moment,
        now: Moment,
    ) -> Result<(), Error> {
        counters.error(class);
        let entry = self.frontier.entry(id)?;
        let mut outcome = Outcome {
            state: State::Visited,
            visit: None,
            again: None,
            ended: Some(Ended::Refused(None)),
            address: None,
            tally: Tally { error: true, ..Tally::default() },
        };
        self.put_off(&mut outcome, &entry, class, true, now);
        // What no other attempt can change is not the host's fault.
        if matches!(class, "private-address" | "port" | "url" | "scheme") {
            outcome.state = State::Dropped(class.to_owned());
            outcome.again = None;
            outcome.ended = None;
        }
        self.note(&entry, at, 0, Some(class), Noted::default())?;
        self.frontier.finish(id, outcome, now)?;
        Ok(())
    }

    /// A link that failed is tried again: soon if its host is left alone for a while, otherwise another day.
    fn put_off(
        &self,
        outcome: &mut Outcome,
        entry: &Entry,
        reason: &str,
        is_soon: bool,
        now: Moment,
    ) {
        // The last visit that worked stays what is known of the page.
        outcome.visit = None;
        if entry.tries + 1 >= self.limits.tries {
            outcome.state = State::Dropped(format!("{reason}, {} times", entry.tries + 1));
        } else if is_soon {
            outcome.state = State::Queued;
        } else {
            outcome.again = Some(now + ANOTHER_DAY);
        }
    }

    /// The link under which the same content was there before.
    fn original(&mut self, digest: u64, id: LinkId) -> Option<LinkId> {
        let known = self.contents.get(&digest).or_else(|| self.older_contents.get(&digest));
        if let Some(known) = known {
            return Some(*known).filter(|it| *it != id);
        }
        if self.contents.len() >= CONTENTS {
            self.older_contents = std::mem::take(&mut self.contents);
        }
        self.contents.insert(digest, id);
        None
    }

    fn follow(
        &mut self,
        id: LinkId,
        entry: &Entry,
        target: &Url,
        now: Moment,
    ) -> Result<usize, Error> {
        let link = Link {
            url: target.clone(),
            kind: entry.kind,
            via: Some(id),
            depth: entry.depth,
            inside: entry.inside,
            redirects: entry.redirects + 1,
            priority: entry.priority,
            note: entry.note.clone(),
        };
        Ok(self.frontier.add(&[link], false, now)?.new)
    }

    fn add_page(
        &mut self,
        counters: &Counters,
        id: LinkId,
        entry: &Entry,
        answer: &Answer,
        read: &ReadPage,
        now: Moment,
    ) -> Result<usize, Error> {
        let source = Source {
            url: &answer.url,
            page: Some(&read.page),
            relevant: read.judgement.relevant,
            depth: entry.depth,
        };
        self.add(counters, id, entry, &source, &read.links, Kind::Page, now)
    }

    fn add_list(
        &mut self,
        counters: &Counters,
        id: LinkId,
        entry: &Entry,
        answer: &Answer,
        urls: &[Url],
        now: Moment,
    ) -> Result<usize, Error> {
        let source = Source { url: &answer.url, page: None, relevant: None, depth: entry.depth };
        let links: Vec<_> =
            urls.iter().map(|url| FoundLink { url: url.clone(), index: None }).collect();
        self.add(counters, id, entry, &source, &links, Kind::Page, now)
    }

    /// Takes links in that belong to the crawl, each with its value.
    #[allow(clippy::too_many_arguments, reason = "they are all about one page")]
    fn add(
        &mut self,
        counters: &Counters,
        id: LinkId,
        entry: &Entry,
        source: &Source<'_>,
        found: &[FoundLink],
        kind: Kind,
        now: Moment,
    ) -> Result<usize, Error> {
        let depth = entry.depth.saturating_add(1);
        let here = frontier::gate_name(origin(source.url));
        let mut links = Vec::with_capacity(found.len());
        let mut candidates = Vec::with_capacity(found.len());
        for found in found {
            let is_inside = frontier::gate_name(origin(&found.url)) == here;
            let inside = if is_inside { entry.inside.saturating_add(1) } else { 0 };
            if let Err(reason) = self.judge(&found.url, depth, inside)? {
                counters.filtered(reason);
                continue;
            }
            let link = found.index.and_then(|index| source.page?.links.get(index));
            candidates.push(Candidate { url: &found.url, link, depth });
            links.push(Link {
                kind,
                via: Some(id),
                depth,
                inside,
                ..Link::seed(found.url.clone())
            });
        }
        for (link, value) in links.iter_mut().zip(self.strategy.value(source, &candidates)) {
            link.priority = Priority(value.priority);
            link.note = value.note;
        }
        let raising = self.strategy.raises();
        Ok(self.frontier.add(&links, raising, now)?.new)
    }

    /// Whether a link belongs to the crawl; otherwise why not, in a word.
    fn judge(
        &mut self,
        url: &Url,
        depth: u16,
        inside: u16,
    ) -> Result<Result<(), &'static str>, Error> {
        if !FileKind::of_url(url).serves(Wanted::Pages) {
            return Ok(Err("file type"));
        }
        let urls_of_host = match self.scope.urls_per_host {
            Some(_) => {
                let host = self.frontier.host_of(url)?;
                self.frontier.host(host)?.known
            }
            None => 0,
        };
        let verdict = self.scope.judge(&frontier::Candidate {
            url,
            depth: depth.into(),
            depth_in_host: inside.into(),
            urls_of_host,
        });
        Ok(verdict.map_err(|it| it.kind()))
    }

    fn note(
        &mut self,
        entry: &Entry,
        at: Moment,
        status: u16,
        error: Option<&str>,
        noted: Noted<'_>,
    ) -> Result<(), Error> {
        let via = entry.via.map(|it| self.frontier.entry(it)).transpose()?;
        let value = Value { priority: entry.priority.0, note: entry.note.clone() };
        self.ledger.write(&Line {
            url: &entry.url,
            at: timestamp(at).to_string(),
            status,
            error,
            relevant: noted.relevant,
            places: noted.places,
            priority: entry.priority.0,
            reason: self.strategy.explain(&value, entry.depth).join("; "),
            depth: entry.depth,
            via: via.as_ref().map(|it| it.url.as_str()),
            duplicate_of: noted.duplicate_of.as_deref(),
        })
    }
}

/// What an answer leaves behind for the next visit.
fn visit(entry: &Entry, answer: &Answer) -> Visit {
    let first = entry.visit.as_ref().map_or(answer.at, |it| it.first);
    let (checks, changes) = entry.visit.as_ref().map_or((0, 0), |it| (it.checks + 1, it.changes));
    Visit {
        at: answer.at,
        status: answer.status,
        etag: answer.told.etag.clone(),
        last_modified: answer.told.last_modified.clone(),
        checks,
        changes: if entry.visit.is_some() { changes + 1 } else { 0 },
        first,
        ..Visit::default()
    }
}

fn origin(url: &Url) -> &str {
    &url[..url::Position::BeforePath]
}
