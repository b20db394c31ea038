//! The desk where answers are dealt with, one after the other: frontier, strategy and log agree here.

use std::collections::{HashMap, HashSet};
use std::sync::atomic::Ordering;

use fetch::Standing;
use focus::{Candidate, Lesson, Source, Stale, Strategy, Value, Visited};
use frontier::{
    Brought, Ended, Entry, FileKind, Frontier, HostId, Kind, Link, LinkId, Manners, Moment,
    OutOfScope, Outcome, Priority, Scope, State, Tally, Visit, Wanted,
};
use url::Url;

use crate::answer::Answer;
use crate::clock::timestamp;
use crate::counters::Counters;
use crate::error::Error;
use crate::goal::Goal;
use crate::ledger::{Ledger, Line};
use crate::model;
use crate::reading::{FoundLink, List, ReadPage, Reading};
use crate::setback::TOO_MANY_REDIRECTS;
use crate::task::{Limits, Task};
use crate::traps::Traps;

/// After so many answers each time it is looked whether a host should sink or rise.
const SINK_EVERY: u64 = 20;
/// So many links are valued anew at a time. It takes about a tenth of a second, during which nobody else
/// gets to the desk; ten million at once would take a minute.
const SLICE: usize = 1 << 14;
/// How many hosts' rules are kept ready.
const STANDINGS: usize = 1 << 14;
/// From so many pages a strategy learns at once, those that were visited last: some fifty megabytes. Ahlers
/// and Boll found that a third of it is enough.
const MOST_LESSONS: usize = 100_000;
/// A page that fails is tried again on another day: what is broken now is broken in an hour.
const ANOTHER_DAY: std::time::Duration = std::time::Duration::from_hours(24);

/// Frontier, strategy and log.
pub(crate) struct Desk {
    pub(crate) frontier: Frontier,
    pub(crate) strategy: Box<dyn Strategy>,
    pub(crate) ledger: Ledger,
    pub(crate) limits: Limits,
    pub(crate) scope: Scope,
    pub(crate) traps: Traps,
    /// Whether an answer was dealt with by half: then nothing is to be committed any more.
    pub(crate) is_torn: bool,
    /// Hosts that are being asked for their robots.txt.
    asking: HashSet<HostId>,
    /// Where the way to a host's robots.txt goes on that was redirected.
    pub(crate) hops: HashMap<HostId, Hop>,
    standings: HashMap<HostId, (Standing, Moment)>,
    stale: StaleLinks,
    /// How many links had been visited when the model was last written down.
    written_at: u64,
    /// What the crawl looks for, as the model is kept with it.
    aim: String,
}

/// Which links are to be valued anew: a walk along all of them, some with every answer.
#[derive(Default)]
struct StaleLinks {
    /// Where the walk goes on.
    next: Option<LinkId>,
    /// Whether those it has passed are to be valued once more.
    is_again: bool,
}

impl StaleLinks {
    /// All are to be valued anew. A walk under way goes on, so that the last links have their turn too.
    fn begin(&mut self) {
        self.is_again = self.next.is_some_and(|it| it > LinkId(0));
        self.next = self.next.or(Some(LinkId(0)));
    }

    /// The walk has come to this link, or to its end.
    fn go_on(&mut self, next: Option<LinkId>) {
        let is_again = next.is_none() && std::mem::take(&mut self.is_again);
        self.next = if is_again { Some(LinkId(0)) } else { next };
    }
}

/// A step on the way to a robots.txt that is elsewhere.
pub(crate) struct Hop {
    pub(crate) target: Url,
    /// How many redirects have led there.
    pub(crate) number: usize,
}

/// Links of one page that are about to be taken in, by host: they may be more than it has room for.
#[derive(Default)]
struct Coming(HashMap<String, u64>);

impl Coming {
    /// How many there are of the host of a URL.
    fn of(&self, url: &Url) -> u64 {
        self.0.get(frontier::gate_of(url)).copied().unwrap_or_default()
    }

    fn add(&mut self, url: &Url) {
        *self.0.entry(frontier::gate_of(url).to_owned()).or_default() += 1;
    }
}

/// What is noted about an answer.
#[derive(Default)]
struct Noted<'a> {
    /// Why the link had its priority.
    reason: String,
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
            traps: Traps::default(),
            is_torn: false,
            asking: HashSet::new(),
            hops: HashMap::new(),
            standings: HashMap::new(),
            stale: StaleLinks::default(),
            written_at: 0,
            aim: model::aim(task),
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
        // Why it had its priority is told before anything is learned from what came of it.
        let mut noted = Noted { reason: self.reason(&entry), ..Noted::default() };
        let mut new = 0;
        let stale = if is_first(&entry, &reading, &self.limits) {
            self.strategy.hear(&visited(&entry, answer, &reading))
        } else {
            Stale::Nothing
        };
        match reading {
            Reading::Page(read) => {
                let seen = self.traps.page(&mut self.frontier, id, &entry, &answer.url, &read)?;
                let visit = outcome.visit.as_mut().expect("it was set above");
                compare(visit, entry.visit.as_ref(), read.digest);
                visit.fingerprint = read.page.fingerprint;
                visit.relevant = read.judgement.relevant == Some(true);
                outcome.tally.relevant = visit.relevant;
                outcome.tally.duplicate = seen.is_repeated;
                if seen.is_repeated {
                    counters.duplicates.fetch_add(1, Ordering::Relaxed);
                }
                noted.relevant = read.judgement.relevant;
                noted.places = read
                    .judgement
                    .places
                    .iter()
                    .map(|it| goal.gazetteer().place(*it).key())
                    .collect();
                if let Some(original) = seen.original {
                    noted.duplicate_of = Some(self.frontier.entry(original)?.url);
                }
                let found = self.add_page(counters, id, &entry, answer, &read, now)?;
                self.traps.learn_links(&self.frontier, &entry, &answer.url, &found, &seen)?;
                new = found.len();
            }
            Reading::List(list) => {
                let visit = outcome.visit.as_mut().expect("it was set above");
                compare(visit, entry.visit.as_ref(), answer.digest);
                new = self.add_list(counters, id, &entry, answer, &list, now)?;
            }
            Reading::Elsewhere(target) => {
                let led = self.lead_on(counters, id, &entry, &answer.url, &target, now)?;
                outcome.state = led.unwrap_or(outcome.state);
            }
            Reading::Unchanged => {
                let visit = outcome.visit.as_mut().expect("it was set above");
                if let Some(before) = &entry.visit {
                    *visit = Visit {
                        at: answer.at,
                        checks: before.checks.saturating_add(1),
                        ..before.clone()
                    };
                }
                outcome.tally.relevant = visit.relevant;
            }
            Reading::Unwanted => {
                self.traps.learn(&self.frontier, entry.host, &answer.url, Brought::Empty)?;
                counters.error("unwanted type");
            }
            Reading::Gone(fingerprint) => {
                self.traps.gone(&self.frontier, entry.host, &answer.url, fingerprint)?;
                outcome.tally.error = true;
                counters.error(&answer.status.to_string());
            }
            Reading::Complaint | Reading::Trouble => {
                outcome.tally.error = true;
                counters.error(&answer.status.to_string());
                let wish = answer.told.retry_after(now);
                if matches!(reading, Reading::Complaint) {
                    outcome.ended = Some(Ended::Refused(wish));
                }
                // Without a word about when, a 503 may be about the page as well as about the host.
                let is_soon = answer.status == 429 || wish.is_some();
                self.put_off(&mut outcome, &entry, &answer.status.to_string(), is_soon, now);
            }
        }
        self.note(&entry, answer.at, answer.status, None, noted)?;
        self.frontier.finish(id, outcome, now)?;
        self.sink(entry.host)?;
        self.refresh(stale, entry.host)?;
        Ok(new)
    }

    /// Values anew what is worth something else by what the strategy has heard.
    fn refresh(&mut self, stale: Stale, host: HostId) -> Result<(), Error> {
        match stale {
            Stale::Nothing => {}
            Stale::Host => {
                self.frontier.revalue(host, |it| revalued(self.strategy.as_ref(), it))?;
            }
            Stale::Queue => self.stale.begin(),
            Stale::Everything => {
                let lessons = self.lessons()?;
                self.strategy.learn(&lessons);
                self.stale.begin();
            }
        }
        let Some(first) = self.stale.next else { return Ok(()) };
        let value = |it: &Entry| revalued(self.strategy.as_ref(), it);
        let next = self.frontier.revalue_from(first, SLICE, value)?;
        self.stale.go_on(next);
        Ok(())
    }

    /// The pages that were visited last, each with the page whose link was followed.
    fn lessons(&self) -> Result<Vec<Lesson>, Error> {
        let mut visited = Vec::new();
        self.frontier.links(|id, entry| {
            let is_page = entry.kind == Kind::Page && entry.state == State::Visited;
            if let Some(visit) = entry.visit.filter(|_| is_page) {
                if visited.len() >= 2 * MOST_LESSONS {
                    keep_latest(&mut visited, MOST_LESSONS);
                }
                let lesson = Lesson {
                    id: id.0,
                    via: entry.via.map(|it| it.0),
                    note: entry.note,
                    relevant: visit.relevant,
                };
                visited.push((visit.first, entry.redirects, lesson));
            }
        })?;
        keep_latest(&mut visited, MOST_LESSONS);
        // What lies between a page and the link that was followed to it are redirects.
        for (_, redirects, lesson) in &mut visited {
            for _ in 0..*redirects {
                let Some(via) = lesson.via else { break };
                lesson.via = self.frontier.entry(LinkId(via))?.via.map(|it| it.0);
            }
        }
        Ok(visited.into_iter().map(|it| it.2).collect())
    }

    /// A host that brings next to nothing but errors and repetitions is asked after all others.
    fn sink(&mut self, host: HostId) -> Result<(), Error> {
        let known = self.frontier.host(host)?;
        if known.visited % SINK_EVERY != 0 {
            return Ok(());
        }
        let in_vain = known.errors + known.duplicates;
        let sunk = match known.visited - in_vain.min(known.visited) {
            new if new * 10 < known.visited => 2,
            new if new * 3 < known.visited => 1,
            _ => 0,
        };
        if sunk != known.sunk {
            self.frontier.sink(host, sunk)?;
        }
        Ok(())
    }

    /// Whether a link that was found some time ago is still worth a visit; otherwise why not.
    pub(crate) fn is_worth_it(
        &mut self,
        entry: &Entry,
        url: &Url,
    ) -> Result<Result<(), &'static str>, Error> {
        // What was fetched before is looked at again whatever its like have brought.
        if entry.visit.is_some() || entry.depth == 0 || entry.kind == Kind::Sitemap {
            return Ok(Ok(()));
        }
        self.traps.admits(&mut self.frontier, entry.host, url)
    }

    /// Hands what was learned to the frontier. A model may be large, and so may what is known of traps: they
    /// are written down again when they have heard of a tenth more, or at the end.
    pub(crate) fn remember(&mut self, is_end: bool) -> Result<(), Error> {
        self.traps.save(&mut self.frontier);
        let visited = self.frontier.counts().visited;
        if visited != self.written_at
            && (is_end || visited > self.written_at + self.written_at / 10)
        {
            model::keep(&mut self.frontier, &self.aim, self.strategy.as_ref())?;
            self.traps.keep(&mut self.frontier)?;
            self.written_at = visited;
        }
        Ok(())
    }

    /// Whether somebody else is asking the host for its robots.txt already; if not, we are.
    pub(crate) fn is_asked(&mut self, host: HostId) -> bool {
        !self.asking.insert(host)
    }

    /// The host was asked for its robots.txt.
    pub(crate) fn was_asked(&mut self, host: HostId) {
        self.asking.remove(&host);
    }

    /// The way to the host's robots.txt goes on with its next turn.
    pub(crate) fn put_off_hop(&mut self, host: HostId, hop: Hop) {
        self.hops.insert(host, hop);
        self.was_asked(host);
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
        // A host that breaks off in the middle of one page may well answer the next.
        let is_page = matches!(class, "closed" | "head" | "malformed");
        self.put_off(&mut outcome, &entry, class, !is_page, now);
        if is_page {
            outcome.ended = Some(Ended::Answered(now.since(at)));
        }
        // What no other attempt can change is not the host's fault.
        if is_for_good(class) {
            outcome.state = State::Dropped(class.to_owned());
            outcome.again = None;
            outcome.ended = None;
        }
        let noted = Noted { reason: self.reason(&entry), ..Noted::default() };
        // A strategy hears once of a link that brings nothing, however often it is tried.
        let is_first = entry.visit.is_none() && entry.tries == 0;
        let url = Url::parse(&entry.url).ok().filter(|_| is_first);
        let stale = url.map_or(Stale::Nothing, |url| {
            self.strategy.hear(&Visited {
                url: &url,
                note: &entry.note,
                relevant: None,
                is_in_vain: true,
                nearness: None,
                depth: entry.depth,
            })
        });
        self.note(&entry, at, 0, Some(class), noted)?;
        self.frontier.finish(id, outcome, now)?;
        self.refresh(stale, entry.host)
    }

    /// A link that failed is tried again: at once when its host may be asked again if it was the host
    /// that had enough, otherwise another day.
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
        } else if is_soon && entry.tries == 0 {
            outcome.state = State::Queued;
        } else {
            outcome.again = Some(now + ANOTHER_DAY);
        }
    }

    /// A link leads to another one; gives what becomes of it if it was not simply visited.
    fn lead_on(
        &mut self,
        counters: &Counters,
        id: LinkId,
        entry: &Entry,
        url: &Url,
        target: &Url,
        now: Moment,
    ) -> Result<Option<State>, Error> {
        let (is_new, state) = if entry.redirects >= self.limits.redirects {
            counters.error("redirects");
            (false, Some(State::Dropped(TOO_MANY_REDIRECTS.to_owned())))
        } else {
            match self.follow(id, entry, target, now)? {
                Err(reason) => {
                    counters.filtered(reason);
                    (false, Some(State::Dropped(format!("leads to {target}: {reason}"))))
                }
                Ok(is_new) => {
                    (is_new, self.frontier.find(target)?.map(|it| State::Redirected(it.0)))
                }
            }
        };
        // What is known already is to be had without this link.
        if is_new {
            self.strategy.forward(url, target);
        } else if entry.visit.is_none() {
            self.strategy.forgo(url);
        }
        Ok(state)
    }

    /// Takes in where a link leads to, if that belongs to the crawl, and tells whether that is new;
    /// otherwise tells why not.
    fn follow(
        &mut self,
        id: LinkId,
        entry: &Entry,
        target: &Url,
        now: Moment,
    ) -> Result<Result<bool, &'static str>, Error> {
        let is_inside = Url::parse(&entry.url).is_ok_and(|it| {
            // By another scheme it is the same host.
            frontier::gate_of(&it) == frontier::gate_of(target)
        });
        let inside = if is_inside { entry.inside } else { 0 };
        if let Err(reason) = self.judge(target, entry.kind, entry.depth, inside, 0, now)? {
            return Ok(Err(reason));
        }
        let link = Link {
            url: target.clone(),
            kind: entry.kind,
            via: Some(id),
            depth: entry.depth,
            inside,
            redirects: entry.redirects + 1,
            priority: entry.priority,
            note: entry.note.clone(),
        };
        let added = self.frontier.add(&[link], false, now)?;
        Ok(Ok(added.is_new == [true]))
    }

    /// A link is not visited, for this reason.
    pub(crate) fn drop_link(
        &mut self,
        id: LinkId,
        entry: &Entry,
        reason: &str,
        now: Moment,
    ) -> Result<(), Error> {
        if entry.visit.is_none()
            && let Ok(url) = Url::parse(&entry.url)
        {
            self.strategy.forgo(&url);
        }
        let outcome = Outcome {
            state: State::Dropped(reason.to_owned()),
            visit: None,
            again: None,
            ended: None,
            address: None,
            tally: Tally::default(),
        };
        Ok(self.frontier.finish(id, outcome, now)?)
    }

    fn add_page(
        &mut self,
        counters: &Counters,
        id: LinkId,
        entry: &Entry,
        answer: &Answer,
        read: &ReadPage,
        now: Moment,
    ) -> Result<Vec<Url>, Error> {
        let source = Source {
            url: &answer.url,
            page: Some(&read.page),
            relevant: read.judgement.relevant,
            similarity: read.judgement.similarity,
            nearness: read.judgement.nearness,
            depth: entry.depth,
            note: &entry.note,
        };
        let mut new = self.add(counters, id, entry, &source, &read.links, Kind::Page, now)?;
        // Where a host is entered it tells of its news; most of its other pages name the same feeds.
        if entry.inside == 0 {
            new.extend(self.add(counters, id, entry, &source, &read.feeds, Kind::Sitemap, now)?);
        }
        Ok(new)
    }

    fn add_list(
        &mut self,
        counters: &Counters,
        id: LinkId,
        entry: &Entry,
        answer: &Answer,
        list: &List,
        now: Moment,
    ) -> Result<usize, Error> {
        let source = Source {
            url: &answer.url,
            page: None,
            relevant: None,
            similarity: None,
            nearness: None,
            depth: entry.depth,
            note: &entry.note,
        };
        let pages = &list.pages;
        let mut new = self.add(counters, id, entry, &source, pages, Kind::Page, now)?.len();
        // An index lists sitemaps; the protocol knows no index of indexes, which might have no end.
        if !self.is_listed(entry)? {
            let sitemaps = &list.sitemaps;
            new += self.add(counters, id, entry, &source, sitemaps, Kind::Sitemap, now)?.len();
        }
        Ok(new)
    }

    /// Takes in the sitemaps that a host names in its robots.txt, as far as they belong to the crawl.
    pub(crate) fn add_sitemaps(
        &mut self,
        counters: &Counters,
        named: impl IntoIterator<Item = Link>,
        now: Moment,
    ) -> Result<(), Error> {
        for link in named {
            if self.frontier.knows(&link.url)? {
                continue;
            }
            match self.judge(&link.url, Kind::Sitemap, link.depth, link.inside, 0, now)? {
                Ok(()) => drop(self.frontier.add(&[link], false, now)?),
                Err(reason) => counters.filtered(reason),
            }
        }
        Ok(())
    }

    /// Whether a sitemap was found in another one.
    fn is_listed(&self, entry: &Entry) -> Result<bool, Error> {
        let mut via = entry.via;
        for _ in 0..entry.redirects {
            let Some(before) = via else { return Ok(false) };
            via = self.frontier.entry(before)?.via;
        }
        let found_on = via.map(|it| self.frontier.entry(it)).transpose()?;
        Ok(found_on.is_some_and(|it| it.kind == Kind::Sitemap))
    }

    /// Takes links in that belong to the crawl, each with its value; gives those that are new.
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
    ) -> Result<Vec<Url>, Error> {
        let depth = entry.depth.saturating_add(1);
        let is_raising = self.strategy.raises();
        let here = frontier::gate_of(source.url);
        let mut links = Vec::with_capacity(found.len());
        let mut candidates = Vec::with_capacity(found.len());
        let mut coming = Coming::default();
        for found in found {
            // Most links of a page are those of its site's menu, and known.
            let is_known = self.frontier.knows(&found.url)?;
            if !is_raising && is_known {
                continue;
            }
            let hreflang = found.hreflang.as_deref();
            if hreflang.is_some_and(|it| !self.scope.takes_language(it)) {
                counters.filtered("language");
                continue;
            }
            let is_inside = frontier::gate_of(&found.url) == here;
            let inside = if is_inside { entry.inside.saturating_add(1) } else { 0 };
            let before = coming.of(&found.url);
            if let Err(reason) = self.judge(&found.url, kind, depth, inside, before, now)? {
                counters.filtered(reason);
                continue;
            }
            if !is_known && self.scope.urls_per_host.is_some() {
                coming.add(&found.url);
            }
            let link = found.index.and_then(|index| source.page?.links.get(index));
            candidates.push(Candidate { url: &found.url, link, depth, is_known });
            links.push(Link {
                kind,
                via: Some(id),
                depth,
                inside,
                ..Link::seed(found.url.clone())
            });
        }
        let values = self.strategy.value(source, &candidates);
        let judged = links.into_iter().zip(values).filter(|(_, value)| {
            if value.is_refused() {
                counters.filtered("strategy");
            }
            !value.is_refused()
        });
        let links: Vec<_> = judged
            .map(|(link, Value { priority, note })| Link {
                priority: Priority(priority),
                note,
                ..link
            })
            .collect();
        let added = self.frontier.add(&links, is_raising, now)?;
        let new = links.into_iter().zip(added.is_new).filter(|it| it.1);
        Ok(new.map(|it| it.0.url).collect())
    }

    /// Whether a link belongs to the crawl; otherwise why not, in a word. So many others of its host
    /// are about to be taken in before it.
    fn judge(
        &mut self,
        url: &Url,
        kind: Kind,
        depth: u16,
        inside: u16,
        coming: u64,
        now: Moment,
    ) -> Result<Result<(), &'static str>, Error> {
        let wanted = if kind == Kind::Sitemap { Wanted::Feeds } else { Wanted::Pages };
        if !FileKind::of_url(url).serves(wanted) {
            return Ok(Err("file type"));
        }
        if let Err(reason) = self.traps.judge(url, now) {
            return Ok(Err(reason));
        }
        let urls_of_host = match self.scope.urls_per_host {
            Some(_) => {
                let host = self.frontier.known_host_of(url)?;
                let known = host.map(|it| self.frontier.host(it)).transpose()?;
                known.map_or(0, |it| it.known) + coming
            }
            None => 0,
        };
        let verdict = self.scope.judge(&frontier::Candidate {
            url,
            depth: depth.into(),
            depth_in_host: inside.into(),
            urls_of_host,
        });
        Ok(match verdict {
            // The paths that are in scope are those of pages; their list may well lie elsewhere.
            Err(OutOfScope::PathNotAllowed(_)) if kind == Kind::Sitemap => Ok(()),
            verdict => verdict.map_err(|it| it.kind()),
        })
    }

    /// Why a link has its priority.
    fn reason(&self, entry: &Entry) -> String {
        self.strategy.explain(&value_of(entry), entry.depth).join("; ")
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
        self.ledger.write(&Line {
            url: &entry.url,
            at: timestamp(at).to_string(),
            status,
            error,
            relevant: noted.relevant,
            places: noted.places,
            priority: entry.priority.0,
            reason: noted.reason,
            depth: entry.depth,
            via: via.as_ref().map(|it| it.url.as_str()),
            duplicate_of: noted.duplicate_of.as_deref(),
        })
    }
}

/// What a link is worth now that waits for its turn.
fn revalued(strategy: &dyn Strategy, entry: &Entry) -> Priority {
    match entry.kind {
        Kind::Page if entry.depth > 0 => Priority(strategy.revalue(&value_of(entry))),
        _ => entry.priority,
    }
}

/// What a link was worth when it was valued.
pub(crate) fn value_of(entry: &Entry) -> Value {
    Value { priority: entry.priority.0, note: entry.note.clone() }
}

/// Keeps the lessons of so many pages, those that were visited last, in the order of their links.
fn keep_latest(visited: &mut Vec<(Moment, u8, Lesson)>, most: usize) {
    if visited.len() > most {
        visited.select_nth_unstable_by_key(most, |it| std::cmp::Reverse((it.0, it.2.id)));
        visited.truncate(most);
        visited.sort_unstable_by_key(|it| it.2.id);
    }
}

/// Whether a strategy is to hear of a visit. It was told of a page that is looked at again, and the links
/// of such a page are mostly known by now: they would teach that nothing is to be had there.
fn is_first(entry: &Entry, reading: &Reading, limits: &Limits) -> bool {
    entry.visit.is_none()
        && match reading {
            // A host that has enough says nothing about its page, as long as that is tried again.
            Reading::Complaint => entry.tries + 1 >= limits.tries,
            Reading::Trouble => entry.tries == 0,
            _ => true,
        }
}

/// What a strategy hears of a visit.
fn visited<'a>(entry: &'a Entry, answer: &'a Answer, reading: &Reading) -> Visited<'a> {
    let judgement = match reading {
        Reading::Page(read) => Some(&read.judgement),
        _ => None,
    };
    Visited {
        url: &answer.url,
        note: &entry.note,
        relevant: judgement.and_then(|it| it.relevant),
        nearness: judgement.and_then(|it| it.nearness),
        is_in_vain: matches!(
            reading,
            Reading::Unwanted | Reading::Gone(_) | Reading::Complaint | Reading::Trouble
        ),
        depth: entry.depth,
    }
}

/// What an answer leaves behind for the next visit.
fn visit(entry: &Entry, answer: &Answer) -> Visit {
    let first = entry.visit.as_ref().map_or(answer.at, |it| it.first);
    let (checks, changes) =
        entry.visit.as_ref().map_or((0, 0), |it| (it.checks.saturating_add(1), it.changes));
    Visit {
        at: answer.at,
        status: answer.status,
        etag: answer.told.etag.clone(),
        last_modified: answer.told.last_modified.clone(),
        checks,
        changes,
        first,
        kept: answer.at,
        ..Visit::default()
    }
}

/// Notes whether an answer is another one than the last time.
fn compare(visit: &mut Visit, before: Option<&Visit>, digest: u64) {
    visit.digest = digest;
    let Some(before) = before else { return };
    let is_changed = before.digest != digest;
    visit.changes = before.changes.saturating_add(u16::from(is_changed));
    if !is_changed {
        visit.kept = before.kept;
    }
}

/// Whether a failure of this class is none that another attempt could change.
pub(crate) fn is_for_good(class: &str) -> bool {
    matches!(class, "private-address" | "port" | "url" | "scheme")
}

#[cfg(test)]
mod tests;
