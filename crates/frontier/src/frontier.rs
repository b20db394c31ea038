//! The frontier: all links that are known, and which is next.

mod facts;
mod hosts;
mod intake;
mod lists;
mod next;
mod outcome;
mod survey;
mod valuation;

use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;

use redb::{Database, ReadableTable, ReadableTableMetadata, WriteTransaction};
use serde::{Deserialize, Serialize};

use self::facts::Facts;
use self::hosts::Loaded;
pub use self::intake::Added;
pub use self::next::{Next, Taken};
pub use self::outcome::{Outcome, Tally};
use crate::courtesy::{Courtesy, Gates};
use crate::error::Error;
use crate::host::HostId;
use crate::link::{Entry, LinkId};
use crate::moment::Moment;
use crate::pace::Delays;
use crate::seen::{Key, Seen};
use crate::store::{QUEUE, SEEN, read};
use crate::turns::Turns;

/// How much of the file is kept in memory: the busy part of ten million links' tables.
const CACHE: usize = 48 << 20;
/// How many hosts are kept in memory between commits beyond those that were changed, and how many of their names.
const MANY_HOSTS: usize = 65_536;

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

impl Frontier {
    /// Opens the frontier in this file, or begins one.
    pub fn open(path: &Path, settings: Settings, courtesy: Arc<Courtesy>) -> Result<Self, Error> {
        let database = Database::builder().set_cache_size(CACHE).create(path);
        let database = database.map_err(unopened(path))?;
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
        }
        Ok(())
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

/// Why the file of a frontier cannot be opened.
fn unopened(path: &Path) -> impl FnOnce(redb::DatabaseError) -> Error {
    |error| match error {
        redb::DatabaseError::DatabaseAlreadyOpen => Error::InUse(path.to_owned()),
        other => Error::Storage(other.into()),
    }
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
