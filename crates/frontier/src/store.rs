//! The tables on disk.

use redb::{Table, TableDefinition, TableError, WriteTransaction};
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::error::Error;
use crate::host::HostId;
use crate::link::LinkId;
use crate::moment::Moment;
use crate::priority::Rank;

/// Counts, marks and settings of the frontier as a whole.
pub(crate) const FACTS: TableDefinition<'_, &str, &[u8]> = TableDefinition::new("facts");
/// Hosts by number.
pub(crate) const HOSTS: TableDefinition<'_, u32, &[u8]> = TableDefinition::new("hosts");
/// The numbers of hosts by origin.
pub(crate) const ORIGINS: TableDefinition<'_, &str, u32> = TableDefinition::new("origins");
/// Links by number.
pub(crate) const LINKS: TableDefinition<'_, u64, &[u8]> = TableDefinition::new("links");
/// The numbers of links by key.
pub(crate) const SEEN: TableDefinition<'_, u128, u64> = TableDefinition::new("seen");
/// What waits for its turn: host, rank, link.
pub(crate) const QUEUE: TableDefinition<'_, (u32, u32, u64), ()> = TableDefinition::new("queue");
/// What waits for a moment: moment, link.
pub(crate) const DUE: TableDefinition<'_, (u64, u64), ()> = TableDefinition::new("due");
/// What the crawl remembers of a host.
pub(crate) const MEMORIES: TableDefinition<'_, u32, &[u8]> = TableDefinition::new("memories");
/// How many links of a host lists have named before a page did.
pub(crate) const LISTED: TableDefinition<'_, u32, u64> = TableDefinition::new("listed");
/// Lists that a host had no room for to their end: host, list.
pub(crate) const UNFINISHED: TableDefinition<'_, (u32, u64), ()> =
    TableDefinition::new("unfinished");

/// The tables that a link goes through, opened together.
pub(crate) struct Tables<'t> {
    pub(crate) links: Table<'t, u64, &'static [u8]>,
    pub(crate) queue: Table<'t, (u32, u32, u64), ()>,
    pub(crate) due: Table<'t, (u64, u64), ()>,
}

impl<'t> Tables<'t> {
    pub(crate) fn open(batch: &'t WriteTransaction) -> Result<Self, TableError> {
        Ok(Self {
            links: batch.open_table(LINKS)?,
            queue: batch.open_table(QUEUE)?,
            due: batch.open_table(DUE)?,
        })
    }

    pub(crate) fn queue(&mut self, host: HostId, rank: Rank, id: LinkId) -> Result<(), Error> {
        self.queue.insert((host.0, rank.0, id.0), ())?;
        Ok(())
    }

    pub(crate) fn unqueue(&mut self, host: HostId, rank: Rank, id: LinkId) -> Result<bool, Error> {
        Ok(self.queue.remove((host.0, rank.0, id.0))?.is_some())
    }

    pub(crate) fn wait(&mut self, until: Moment, id: LinkId) -> Result<(), Error> {
        self.due.insert((until.0, id.0), ())?;
        Ok(())
    }
}

/// A record, written.
pub(crate) fn write<T: Serialize>(record: &T) -> Result<Vec<u8>, Error> {
    Ok(postcard::to_stdvec(record)?)
}

/// A record, read.
pub(crate) fn read<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, Error> {
    Ok(postcard::from_bytes(bytes)?)
}
