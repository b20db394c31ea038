//! The frontier: all links that are known, and which is next.

use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use redb::{Database, ReadableTable, ReadableTableMetadata, WriteTransaction};
use serde::{Deserialize, Serialize};
use url::Url;

use crate::courtesy::{Courtesy, Gates, Permit};
use crate::error::Error;
use crate::host::{Host, HostId, Manners, gate_name, origin};
use crate::link::{Entry, Link, LinkId, State, Visit};
use crate::moment::Moment;
use crate::pace::{Delays, Ended};
use crate::priority::{Priority, Rank};
use crate::seen::{Key, Seen};
use crate::store::{DUE, FACTS, HOSTS, LINKS, MEMORIES, ORIGINS, QUEUE, SEEN, Tables, read, write};
use crate::turns::{HEAD, Turns};

/// The format of the file. Another number cannot be read.
const FORMAT: u32 = 2;
/// How much of the file is kept in memory: the busy part of ten million links' tables.
const CACHE: usize = 96 << 20;
/// How many hosts are kept in memory between commits beyond those that were changed.
const MANY_HOSTS: usize = 65_536;
/// When to ask again for a host that somebody else is asking.
const SOON: Duration = Duration::from_millis(50);

/// How a frontier hands out links.
#[derive(Clone, Copy, Debug)]
pub struct Settings {
    /// How long hosts are left alone.
    pub delays: Delays,
    /// How many links of one host may be taken at a time; one is polite.
    pub connections: u16,
}

impl Default for Settings {
    fn default() -> Self {
        Self { delays: Delays::default(), connections: 1 }
    }
}

/// How many links there are of each kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Counts {
    /// All links that were ever found.
    pub known: u64,
    /// Those that wait for their turn, those in work included.
    pub queued: u64,
    /// Those that wait for a moment.
    pub waiting: u64,
    /// Those that were visited.
    pub visited: u64,
    /// Those that were dropped.
    pub dropped: u64,
    /// Those that led to others.
    pub redirected: u64,
    /// The hosts.
    pub hosts: u64,
}

/// Links in, the next polite link out; durable.
pub struct Frontier {
    database: Database,
    /// What was done since the last commit; it sees its own changes. Only after a commit that
    /// failed there is none.
    batch: Option<WriteTransaction>,
    settings: Settings,
    courtesy: Arc<Courtesy>,
    seed: u64,
    counts: Counts,
    seen: Seen,
    turns: Turns,
    origins: HashMap<String, HostId>,
    hosts: HashMap<HostId, Loaded>,
    taken: HashMap<LinkId, Gates>,
    memories: HashMap<HostId, Vec<u8>>,
}

struct Loaded {
    host: Host,
    is_changed: bool,
}

/// What comes next.
#[derive(Debug)]
pub enum Next {
    /// This link.
    Link(Box<Taken>),
    /// Nothing before this moment.
    Wait(Moment),
    /// Nothing until a link that was taken is dealt with.
    Busy,
    /// Nothing at all.
    Empty,
}

/// A link that somebody is to visit now, and has to `finish` or `give_back`.
#[derive(Clone, Debug)]
pub struct Taken {
    /// Its number.
    pub id: LinkId,
    /// What is known of it.
    pub entry: Entry,
    /// The origin of its host.
    pub origin: String,
    /// Until when the host's manners hold, if they are known.
    pub manners_until: Option<Moment>,
    /// How deep the host has sunk.
    pub sunk: u8,
}

/// How the visit of a link ended.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// What becomes of the link.
    pub state: State,
    /// What the visit found; nothing leaves the last visit as it is.
    pub visit: Option<Visit>,
    /// When the link is to be visited again.
    pub again: Option<Moment>,
    /// How the request ended; nothing if none was made.
    pub ended: Option<Ended>,
    /// Where the host was found.
    pub address: Option<std::net::IpAddr>,
    /// What it adds to the host's counts.
    pub tally: Tally,
}

/// What one visit adds to a host's counts.
#[derive(Clone, Copy, Debug, Default)]
#[allow(clippy::struct_excessive_bools, reason = "each is counted by itself")]
pub struct Tally {
    /// Bytes that it sent.
    pub bytes: u64,
    /// An answer came.
    pub visited: bool,
    /// It was what the crawl looks for.
    pub relevant: bool,
    /// It was an error.
    pub error: bool,
    /// It brought nothing new.
    pub duplicate: bool,
}

/// What `add` did with each link.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Added {
    /// So many were new.
    pub new: usize,
    /// So many were known.
    pub known: usize,
    /// Which were new.
    pub is_new: Vec<bool>,
}

impl Frontier {
    /// Opens the frontier in this file, or begins one.
    pub fn open(path: &Path, settings: Settings, courtesy: Arc<Courtesy>) -> Result<Self, Error> {
        let database = Database::builder().set_cache_size(CACHE).create(path);
        let database = database.map_err(|error| match error {
            redb::DatabaseError::DatabaseAlreadyOpen => Error::InUse(path.to_owned()),
            other => Error::Storage(other.into()),
        })?;
        let batch = begin(&database)?;
        let facts = Facts::open(&batch, path)?;
        let seen = seen(&batch)?;
        let mut turns = Turns::new(settings.connections);
        for host in hosts_with_links(&batch)? {
            turns.has_more(host);
        }
        Ok(Self {
            database,
            batch: Some(batch),
            settings,
            courtesy,
            seed: facts.seed,
            counts: facts.counts,
            seen,
            turns,
            origins: HashMap::new(),
            hosts: HashMap::new(),
            taken: HashMap::new(),
            memories: HashMap::new(),
        })
    }

    /// How many links there are of each kind.
    pub fn counts(&self) -> Counts {
        self.counts
    }

    /// How many links are taken.
    pub fn in_work(&self) -> usize {
        self.taken.len()
    }

    /// How many hosts have links to visit.
    pub fn hosts_with_links(&self) -> usize {
        self.turns.len()
    }

    /// Takes in links, those that are new. Of those known, a better priority is taken over if they
    /// still wait for their turn and `raising` says that priorities are compared at all.
    pub fn add(&mut self, links: &[Link], raising: bool, now: Moment) -> Result<Added, Error> {
        self.with(|it, batch| it.add_all(batch, links, raising, now))
    }

    fn add_all(
        &mut self,
        batch: &WriteTransaction,
        links: &[Link],
        raising: bool,
        now: Moment,
    ) -> Result<Added, Error> {
        let mut added = Added::default();
        let mut tables = Tables::open(batch)?;
        let seen = batch.open_table(SEEN)?;
        for link in links {
            let host = self.host_id(batch, origin(&link.url))?;
            let key = Key::of(self.seed, host, &link.url);
            if self.seen.knows(key) {
                added.known += 1;
                added.is_new.push(false);
                if raising && let Some(id) = self.seen.find(&seen, key)? {
                    self.raise(&mut tables, id, link)?;
                }
                continue;
            }
            let id = LinkId(self.counts.known);
            let entry = Entry {
                url: link.url.to_string(),
                host,
                kind: link.kind,
                via: link.via,
                depth: link.depth,
                inside: link.inside,
                redirects: link.redirects,
                priority: link.priority,
                note: link.note.clone(),
                found: now,
                state: State::Queued,
                tries: 0,
                visit: None,
            };
            tables.links.insert(id.0, write(&entry)?.as_slice())?;
            let rank = Rank::from(link.priority);
            tables.queue(host, rank, id)?;
            self.seen.insert(key, id);
            let loaded = self.loaded(batch, host)?;
            loaded.host.known += 1;
            loaded.is_changed = true;
            let sunk = loaded.host.sunk;
            self.turns.add(host, rank, id, sunk);
            self.counts.known += 1;
            self.counts.queued += 1;
            added.new += 1;
            added.is_new.push(true);
        }
        Ok(added)
    }

    /// Whether a link is known already.
    pub fn knows(&mut self, url: &Url) -> Result<bool, Error> {
        let host = self.known_host(self.batch()?, origin(url))?;
        Ok(host.is_some_and(|it| self.seen.knows(Key::of(self.seed, it, url))))
    }

    /// Gives a link that waits for its turn a better priority.
    fn raise(&mut self, tables: &mut Tables<'_>, id: LinkId, link: &Link) -> Result<(), Error> {
        let mut entry = entry(&tables.links, id)?;
        let (old, new) = (Rank::from(entry.priority), Rank::from(link.priority));
        if entry.state != State::Queued || new >= old || self.taken.contains_key(&id) {
            return Ok(());
        }
        entry.priority = link.priority;
        entry.note.clone_from(&link.note);
        entry.via = link.via;
        entry.depth = entry.depth.min(link.depth);
        tables.links.insert(id.0, write(&entry)?.as_slice())?;
        self.requeue(tables, entry.host, id, old, new)
    }

    fn requeue(
        &mut self,
        tables: &mut Tables<'_>,
        host: HostId,
        id: LinkId,
        old: Rank,
        new: Rank,
    ) -> Result<(), Error> {
        tables.unqueue(host, old, id)?;
        tables.queue(host, new, id)?;
        self.turns.remove(host, old, id);
        let sunk = self.hosts.get(&host).map_or(0, |it| it.host.sunk);
        self.turns.add(host, new, id, sunk);
        Ok(())
    }

    /// Values every link anew that waits for its turn, of one host or of all; tells how many changed.
    pub fn revalue(
        &mut self,
        host: Option<HostId>,
        mut value: impl FnMut(&Entry) -> Priority,
    ) -> Result<usize, Error> {
        self.with(|it, batch| it.revalue_all(batch, host, &mut value))
    }

    fn revalue_all(
        &mut self,
        batch: &WriteTransaction,
        host: Option<HostId>,
        value: &mut dyn FnMut(&Entry) -> Priority,
    ) -> Result<usize, Error> {
        let mut tables = Tables::open(batch)?;
        let (first, last) = host.map_or((0, u32::MAX), |it| (it.0, it.0));
        let queued = tables.queue.range((first, 0, 0)..=(last, u32::MAX, u64::MAX))?;
        let queued: Vec<_> =
            queued.map(|it| it.map(|it| it.0.value())).collect::<Result<_, _>>()?;
        let mut changed = 0;
        for (host, rank, id) in queued {
            let (host, rank, id) = (HostId(host), Rank(rank), LinkId(id));
            if self.taken.contains_key(&id) {
                continue;
            }
            let mut entry = entry(&tables.links, id)?;
            entry.priority = value(&entry);
            let new = Rank::from(entry.priority);
            if new != rank {
                tables.links.insert(id.0, write(&entry)?.as_slice())?;
                self.requeue(&mut tables, host, id, rank, new)?;
                changed += 1;
            }
        }
        Ok(changed)
    }

    /// The next link, whose host may be asked now.
    pub fn next(&mut self, now: Moment) -> Result<Next, Error> {
        self.with(|it, batch| {
            it.wake(batch, now)?;
            it.next_of(batch, now)
        })
    }

    fn next_of(&mut self, batch: &WriteTransaction, now: Moment) -> Result<Next, Error> {
        while let Some((host, best)) = self.turns.next(now) {
            let Some((rank, id)) = best else {
                self.refill(batch, host)?;
                continue;
            };
            let loaded = self.loaded(batch, host)?;
            let next = loaded.host.pace.next_by(now);
            let gates = Gates::of(gate_name(&loaded.host.origin), loaded.host.address);
            let permit =
                if next > now { Permit::At(next) } else { self.courtesy.enter(gates, now) };
            match permit {
                Permit::At(moment) => self.turns.wait(host, moment),
                Permit::Busy => self.turns.wait(host, now + SOON),
                Permit::Go => {
                    let Some(taken) = self.taken(batch, id)? else {
                        // It was dropped in the meantime.
                        self.courtesy.leave(gates, now);
                        self.turns.remove(host, rank, id);
                        continue;
                    };
                    self.turns.take(host);
                    self.taken.insert(id, gates);
                    return Ok(Next::Link(Box::new(taken)));
                }
            }
        }
        let due = batch.open_table(DUE)?.first()?.map(|it| Moment(it.0.value().0));
        Ok(match self.turns.next_moment().into_iter().chain(due).min() {
            Some(moment) => Next::Wait(moment),
            None if self.taken.is_empty() => Next::Empty,
            None => Next::Busy,
        })
    }

    fn taken(&mut self, batch: &WriteTransaction, id: LinkId) -> Result<Option<Taken>, Error> {
        let entry = entry(&batch.open_table(LINKS)?, id)?;
        if entry.state != State::Queued {
            return Ok(None);
        }
        let host = &self.loaded(batch, entry.host)?.host;
        let manners_until = host.manners.as_ref().map(|it| it.until);
        let (origin, sunk) = (host.origin.clone(), host.sunk);
        Ok(Some(Taken { id, entry, origin, manners_until, sunk }))
    }

    /// Reads a host's best links from disk.
    fn refill(&mut self, batch: &WriteTransaction, host: HostId) -> Result<(), Error> {
        let queue = batch.open_table(QUEUE)?;
        let mut found = Vec::with_capacity(HEAD);
        let mut has_more = false;
        for item in queue.range((host.0, 0, 0)..=(host.0, u32::MAX, u64::MAX))? {
            let (_, rank, id) = item?.0.value();
            if self.taken.contains_key(&LinkId(id)) {
                continue;
            }
            if found.len() == HEAD {
                has_more = true;
                break;
            }
            found.push((Rank(rank), LinkId(id)));
        }
        self.turns.fill(host, found.into_iter(), has_more);
        let sunk = self.loaded(batch, host)?.host.sunk;
        self.turns.sink(host, sunk);
        Ok(())
    }

    /// Puts links back into their queues whose moment has come.
    fn wake(&mut self, batch: &WriteTransaction, now: Moment) -> Result<(), Error> {
        let mut due = batch.open_table(DUE)?;
        let is_due = due.first()?.is_some_and(|it| it.0.value().0 <= now.0);
        if !is_due {
            return Ok(());
        }
        let range = due.range(..=(now.0, u64::MAX))?;
        let found = range.map(|it| Ok(it?.0.value())).collect::<Result<Vec<_>, Error>>()?;
        for key in &found {
            due.remove(*key)?;
        }
        drop(due);
        let mut tables = Tables::open(batch)?;
        for (_, id) in found {
            let id = LinkId(id);
            let entry = entry(&tables.links, id)?;
            let State::Waiting(_) = entry.state else { continue };
            self.counts.waiting = self.counts.waiting.saturating_sub(1);
            self.queue_again(batch, &mut tables, id, entry)?;
        }
        Ok(())
    }

    /// Puts a link that did not wait for its turn back into its queue.
    fn queue_again(
        &mut self,
        batch: &WriteTransaction,
        tables: &mut Tables<'_>,
        id: LinkId,
        mut entry: Entry,
    ) -> Result<(), Error> {
        entry.state = State::Queued;
        tables.links.insert(id.0, write(&entry)?.as_slice())?;
        let rank = Rank::from(entry.priority);
        tables.queue(entry.host, rank, id)?;
        let sunk = self.loaded(batch, entry.host)?.host.sunk;
        self.turns.add(entry.host, rank, id, sunk);
        self.counts.queued += 1;
        Ok(())
    }

    /// A link that was taken is dealt with.
    pub fn finish(&mut self, id: LinkId, outcome: Outcome, now: Moment) -> Result<(), Error> {
        self.with(|it, batch| it.finish_in(batch, id, outcome, now))
    }

    fn finish_in(
        &mut self,
        batch: &WriteTransaction,
        id: LinkId,
        outcome: Outcome,
        now: Moment,
    ) -> Result<(), Error> {
        let mut tables = Tables::open(batch)?;
        let mut entry = entry(&tables.links, id)?;
        let host = entry.host;
        self.leave(batch, id, host, outcome.ended, outcome.address, now)?;
        let loaded = self.loaded(batch, host)?;
        let Tally { bytes, visited, relevant, error, duplicate } = outcome.tally;
        loaded.host.bytes += bytes;
        loaded.host.visited += u64::from(visited);
        loaded.host.relevant += u64::from(relevant);
        loaded.host.errors += u64::from(error);
        loaded.host.duplicates += u64::from(duplicate);
        loaded.is_changed = true;
        let sunk = loaded.host.sunk;

        let rank = Rank::from(entry.priority);
        if tables.unqueue(host, rank, id)? {
            self.counts.queued = self.counts.queued.saturating_sub(1);
        }
        self.turns.remove(host, rank, id);
        if let State::Waiting(until) = entry.state {
            tables.due.remove((until.0, id.0))?;
            self.counts.waiting = self.counts.waiting.saturating_sub(1);
        }
        let was_visited = entry.visit.is_some();
        entry.tries = if outcome.visit.is_some() { 0 } else { entry.tries.saturating_add(1) };
        entry.visit = outcome.visit.or(entry.visit);
        entry.state = match outcome.again {
            Some(moment) => State::Waiting(moment),
            None => outcome.state,
        };
        match &entry.state {
            State::Queued => {
                tables.queue(host, rank, id)?;
                self.turns.add(host, rank, id, sunk);
                self.counts.queued += 1;
            }
            State::Waiting(until) => {
                tables.wait(*until, id)?;
                self.counts.waiting += 1;
            }
            State::Visited => {}
            State::Redirected(_) => self.counts.redirected += 1,
            State::Dropped(_) => self.counts.dropped += 1,
        }
        if entry.visit.is_some() && !was_visited {
            self.counts.visited += 1;
        }
        // What the strategy noted was for choosing the link; from links that led to a page it learns.
        if matches!(entry.state, State::Redirected(_) | State::Dropped(_)) {
            entry.note = Vec::new();
        }
        tables.links.insert(id.0, write(&entry)?.as_slice())?;
        Ok(())
    }

    /// A link that was taken was not visited, and waits for its turn again.
    pub fn give_back(
        &mut self,
        id: LinkId,
        ended: Option<Ended>,
        address: Option<std::net::IpAddr>,
        now: Moment,
    ) -> Result<(), Error> {
        self.with(|this, batch| {
            let entry = entry(&batch.open_table(LINKS)?, id)?;
            this.leave(batch, id, entry.host, ended, address, now)?;
            let sunk = this.loaded(batch, entry.host)?.host.sunk;
            this.turns.add(entry.host, Rank::from(entry.priority), id, sunk);
            Ok(())
        })
    }

    /// Opens the gates behind a link that was taken.
    fn leave(
        &mut self,
        batch: &WriteTransaction,
        id: LinkId,
        host: HostId,
        ended: Option<Ended>,
        address: Option<std::net::IpAddr>,
        now: Moment,
    ) -> Result<(), Error> {
        let delays = self.settings.delays;
        let loaded = self.loaded(batch, host)?;
        if address.is_some() && loaded.host.address != address {
            loaded.host.address = address;
            loaded.is_changed = true;
        }
        let mut next = now;
        if let Some(ended) = ended {
            next = loaded.host.pace.after(&delays, ended, now);
            loaded.is_changed = true;
        }
        if let Some(gates) = self.taken.remove(&id) {
            self.courtesy.leave(gates, next);
            // The address was learned just now: what waits behind its gate has to wait as well.
            let all = Gates::of(gate_name(&self.loaded(batch, host)?.host.origin), address);
            if address.is_some() && all != gates {
                self.courtesy.leave(all, next);
            }
            self.turns.leave(host);
        }
        Ok(())
    }

    /// What is known of a link.
    pub fn find(&mut self, url: &Url) -> Result<Option<(LinkId, Entry)>, Error> {
        self.with(|this, batch| {
            let Some(host) = this.known_host(batch, origin(url))? else { return Ok(None) };
            let key = Key::of(this.seed, host, url);
            let Some(id) = this.seen.find(&batch.open_table(SEEN)?, key)? else { return Ok(None) };
            Ok(Some((id, entry(&batch.open_table(LINKS)?, id)?)))
        })
    }

    /// What is known of the link of this number.
    pub fn entry(&self, id: LinkId) -> Result<Entry, Error> {
        entry(&self.batch()?.open_table(LINKS)?, id)
    }

    /// A host by its number.
    pub fn host(&mut self, id: HostId) -> Result<Host, Error> {
        self.with(|it, batch| it.loaded(batch, id).map(|it| it.host.clone()))
    }

    /// The number of the host of a URL, if it is known.
    pub fn known_host_of(&mut self, url: &Url) -> Result<Option<HostId>, Error> {
        self.with(|it, batch| it.known_host(batch, origin(url)))
    }

    /// The number of the host of a URL; a new one if it was not known.
    pub fn host_of(&mut self, url: &Url) -> Result<HostId, Error> {
        self.with(|it, batch| it.host_id(batch, origin(url)))
    }

    /// Keeps the manners of a host, and the delay it wishes for.
    pub fn set_manners(
        &mut self,
        host: HostId,
        manners: Manners,
        wished: Option<Duration>,
    ) -> Result<(), Error> {
        let millis = |it: Duration| u64::try_from(it.as_millis()).unwrap_or(u64::MAX);
        self.change(host, |it| {
            it.manners = Some(manners);
            it.pace.wished = wished.map(millis);
        })
    }

    /// Lets a host sink so deep that it is asked after all that have sunk less, or rise again.
    pub fn sink(&mut self, host: HostId, sunk: u8) -> Result<(), Error> {
        self.turns.sink(host, sunk);
        self.change(host, |it| it.sunk = sunk)
    }

    fn change(&mut self, host: HostId, change: impl FnOnce(&mut Host)) -> Result<(), Error> {
        self.with(|it, batch| {
            let loaded = it.loaded(batch, host)?;
            change(&mut loaded.host);
            loaded.is_changed = true;
            Ok(())
        })
    }

    /// Keeps what the crawl wants to remember of a host.
    pub fn remember(&mut self, host: HostId, memory: Vec<u8>) {
        self.memories.insert(host, memory);
    }

    /// What the crawl wanted to remember of a host.
    pub fn memory(&self, host: HostId) -> Result<Option<Vec<u8>>, Error> {
        if let Some(memory) = self.memories.get(&host) {
            return Ok(Some(memory.clone()));
        }
        let table = self.batch()?.open_table(MEMORIES)?;
        Ok(table.get(host.0)?.map(|it| it.value().to_vec()))
    }

    /// Keeps a fact about the crawl as a whole, at the next commit.
    pub fn set_fact(&mut self, name: &str, fact: &[u8]) -> Result<(), Error> {
        self.batch()?.open_table(FACTS)?.insert(name, fact)?;
        Ok(())
    }

    /// A fact about the crawl as a whole.
    pub fn fact(&self, name: &str) -> Result<Option<Vec<u8>>, Error> {
        Ok(self.batch()?.open_table(FACTS)?.get(name)?.map(|it| it.value().to_vec()))
    }

    /// Makes all that happened durable: after it, it survives a kill and a power cut.
    pub fn commit(&mut self) -> Result<(), Error> {
        self.with(Self::write_facts)?;
        let mut batch = self.batch.take().ok_or(Error::Halted)?;
        // Opening after a kill takes milliseconds then, whatever the size.
        batch.set_quick_repair(true);
        batch.commit()?;
        self.batch = Some(begin(&self.database)?);
        if self.hosts.len() > MANY_HOSTS {
            self.hosts.clear();
            self.origins.clear();
        }
        Ok(())
    }

    fn write_facts(&mut self, batch: &WriteTransaction) -> Result<(), Error> {
        let mut hosts = batch.open_table(HOSTS)?;
        for (id, loaded) in self.hosts.iter_mut().filter(|it| it.1.is_changed) {
            hosts.insert(id.0, write(&loaded.host)?.as_slice())?;
            loaded.is_changed = false;
        }
        self.seen.write(&mut batch.open_table(SEEN)?)?;
        let mut memories = batch.open_table(MEMORIES)?;
        for (host, memory) in self.memories.drain() {
            memories.insert(host.0, memory.as_slice())?;
        }
        let facts = Facts { format: FORMAT, seed: self.seed, counts: self.counts };
        batch.open_table(FACTS)?.insert("frontier", write(&facts)?.as_slice())?;
        Ok(())
    }

    /// The best links that wait for their turn, best first, without those in work.
    pub fn top(&mut self, most: usize) -> Result<Vec<(LinkId, Entry)>, Error> {
        self.with(|it, batch| it.top_of(batch, most))
    }

    fn top_of(
        &mut self,
        batch: &WriteTransaction,
        most: usize,
    ) -> Result<Vec<(LinkId, Entry)>, Error> {
        let unread = self.turns.best(usize::MAX);
        for host in unread {
            if self.turns.is_unread(host) {
                self.refill(batch, host)?;
            }
        }
        // One of the best `most` links is on one of the `most` hosts with the best links.
        let hosts = self.turns.best(most);
        let tables = Tables::open(batch)?;
        let mut found = Vec::new();
        for host in hosts {
            let sunk = self.hosts.get(&host).map_or(0, |it| it.host.sunk);
            let range = tables.queue.range((host.0, 0, 0)..=(host.0, u32::MAX, u64::MAX))?;
            let mut left = most;
            for item in range {
                let (_, rank, id) = item?.0.value();
                if self.taken.contains_key(&LinkId(id)) {
                    continue;
                }
                if left == 0 {
                    break;
                }
                left -= 1;
                found.push((sunk, rank, id));
            }
        }
        found.sort_unstable();
        found.truncate(most);
        found
            .into_iter()
            .map(|(.., id)| Ok((LinkId(id), entry(&tables.links, LinkId(id))?)))
            .collect()
    }

    /// All hosts, in the order in which they were met.
    pub fn hosts(&self, mut each: impl FnMut(HostId, Host)) -> Result<(), Error> {
        let table = self.batch()?.open_table(HOSTS)?;
        for item in table.iter()? {
            let (id, bytes) = item?;
            let id = HostId(id.value());
            match self.hosts.get(&id) {
                Some(loaded) => each(id, loaded.host.clone()),
                None => each(id, read(bytes.value())?),
            }
        }
        Ok(())
    }

    /// All links, in the order in which they were found.
    pub fn links(&self, mut each: impl FnMut(LinkId, Entry)) -> Result<(), Error> {
        let table = self.batch()?.open_table(LINKS)?;
        for item in table.iter()? {
            let (id, bytes) = item?;
            each(LinkId(id.value()), read(bytes.value())?);
        }
        Ok(())
    }

    /// Puts links that were visited back into the queue, whose moment has come by what `is_due` says.
    pub fn revisit(&mut self, mut is_due: impl FnMut(&Entry) -> bool) -> Result<usize, Error> {
        let mut due = Vec::new();
        self.links(|id, entry| {
            let is_done = matches!(entry.state, State::Visited | State::Waiting(_));
            if is_done && entry.visit.is_some() && is_due(&entry) {
                due.push(id);
            }
        })?;
        self.with(|this, batch| {
            let mut tables = Tables::open(batch)?;
            for id in &due {
                let entry = entry(&tables.links, *id)?;
                if let State::Waiting(until) = entry.state {
                    tables.due.remove((until.0, id.0))?;
                    this.counts.waiting = this.counts.waiting.saturating_sub(1);
                }
                this.queue_again(batch, &mut tables, *id, entry)?;
            }
            Ok(due.len())
        })
    }

    /// Takes back that the last visit of a link has failed, which was neither its fault nor its host's:
    /// it waits for its turn again. Its host is left alone all the same until its pause is over.
    pub fn forgive(&mut self, id: LinkId) -> Result<(), Error> {
        self.with(|this, batch| {
            let mut tables = Tables::open(batch)?;
            let mut entry = entry(&tables.links, id)?;
            if entry.tries == 0 || this.taken.contains_key(&id) {
                return Ok(());
            }
            entry.tries -= 1;
            match entry.state {
                State::Queued => {
                    tables.links.insert(id.0, write(&entry)?.as_slice())?;
                    return Ok(());
                }
                State::Visited | State::Redirected(_) => return Ok(()),
                State::Waiting(until) => {
                    tables.due.remove((until.0, id.0))?;
                    this.counts.waiting = this.counts.waiting.saturating_sub(1);
                }
                State::Dropped(_) => this.counts.dropped = this.counts.dropped.saturating_sub(1),
            }
            this.queue_again(batch, &mut tables, id, entry)
        })
    }

    /// Does some work within the batch.
    fn with<T>(
        &mut self,
        work: impl FnOnce(&mut Self, &WriteTransaction) -> Result<T, Error>,
    ) -> Result<T, Error> {
        let batch = self.batch.take().ok_or(Error::Halted)?;
        let result = work(self, &batch);
        self.batch = Some(batch);
        result
    }

    fn batch(&self) -> Result<&WriteTransaction, Error> {
        self.batch.as_ref().ok_or(Error::Halted)
    }

    fn known_host(&self, batch: &WriteTransaction, origin: &str) -> Result<Option<HostId>, Error> {
        if let Some(id) = self.origins.get(origin) {
            return Ok(Some(*id));
        }
        Ok(batch.open_table(ORIGINS)?.get(origin)?.map(|it| HostId(it.value())))
    }

    fn host_id(&mut self, batch: &WriteTransaction, origin: &str) -> Result<HostId, Error> {
        if let Some(id) = self.origins.get(origin) {
            return Ok(*id);
        }
        let id = if let Some(id) = self.known_host(batch, origin)? {
            id
        } else {
            let id = HostId(u32::try_from(self.counts.hosts).unwrap_or(u32::MAX));
            batch.open_table(ORIGINS)?.insert(origin, id.0)?;
            let host = Host { origin: origin.to_owned(), ..Host::default() };
            self.hosts.insert(id, Loaded { host, is_changed: true });
            self.counts.hosts += 1;
            id
        };
        self.origins.insert(origin.to_owned(), id);
        Ok(id)
    }

    fn loaded(&mut self, batch: &WriteTransaction, id: HostId) -> Result<&mut Loaded, Error> {
        use std::collections::hash_map::Entry as Slot;
        match self.hosts.entry(id) {
            Slot::Occupied(slot) => Ok(slot.into_mut()),
            Slot::Vacant(slot) => {
                let table = batch.open_table(HOSTS)?;
                let host = match table.get(id.0)? {
                    Some(bytes) => read(bytes.value())?,
                    None => Host::default(),
                };
                Ok(slot.insert(Loaded { host, is_changed: false }))
            }
        }
    }
}

impl Drop for Frontier {
    /// Opens the gates behind links that nobody deals with any more, for others who share them.
    fn drop(&mut self) {
        for gates in self.taken.values() {
            self.courtesy.leave(*gates, Moment::default());
        }
    }
}

fn entry(links: &impl ReadableTable<u64, &'static [u8]>, id: LinkId) -> Result<Entry, Error> {
    match links.get(id.0)? {
        Some(bytes) => read(bytes.value()),
        None => Err(Error::Record(postcard::Error::DeserializeUnexpectedEnd)),
    }
}

/// All links that are known.
fn seen(batch: &WriteTransaction) -> Result<Seen, Error> {
    let table = batch.open_table(SEEN)?;
    let count = usize::try_from(table.len()?).unwrap_or(usize::MAX);
    let keys = table.iter()?.filter_map(|it| Some(Key(it.ok()?.0.value())));
    Ok(Seen::of(count, keys))
}

fn begin(database: &Database) -> Result<WriteTransaction, Error> {
    Ok(database.begin_write()?)
}

/// The hosts of the queue: one look for each, whatever the number of their links.
fn hosts_with_links(batch: &WriteTransaction) -> Result<Vec<HostId>, Error> {
    let queue = batch.open_table(QUEUE)?;
    let mut hosts = Vec::new();
    let mut from = 0;
    while let Some(first) = queue.range((from, 0, 0)..)?.next() {
        let host = first?.0.value().0;
        hosts.push(HostId(host));
        let Some(next) = host.checked_add(1) else { break };
        from = next;
    }
    Ok(hosts)
}

/// What the frontier keeps about itself.
#[derive(Serialize, Deserialize)]
struct Facts {
    format: u32,
    seed: u64,
    counts: Counts,
}

impl Facts {
    fn open(batch: &WriteTransaction, path: &Path) -> Result<Self, Error> {
        // All tables exist from the beginning.
        drop(Tables::open(batch)?);
        batch.open_table(HOSTS)?;
        batch.open_table(ORIGINS)?;
        batch.open_table(MEMORIES)?;
        let table = batch.open_table(FACTS)?;
        let Some(bytes) = table.get("frontier")? else {
            // The addresses of a map's hasher are drawn anew by the system.
            let seed = std::hash::BuildHasher::hash_one(&std::hash::RandomState::new(), path);
            return Ok(Self { format: FORMAT, seed, counts: Counts::default() });
        };
        // The number alone can be read whatever follows it.
        let (found, _) = postcard::take_from_bytes::<u32>(bytes.value())?;
        if found != FORMAT {
            return Err(Error::Format { path: path.to_owned(), found, expected: FORMAT });
        }
        read(bytes.value())
    }
}
