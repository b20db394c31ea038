//! Values links anew that wait for their turn.

use redb::{ReadableTable, WriteTransaction};

use super::{Frontier, entry};
use crate::error::Error;
use crate::host::HostId;
use crate::link::{Entry, LinkId, State};
use crate::priority::{Priority, Rank};
use crate::store::{Tables, read, write};

impl Frontier {
    /// Values every link of a host anew that waits for its turn; tells how many changed.
    pub fn revalue(
        &mut self,
        host: HostId,
        mut value: impl FnMut(&Entry) -> Priority,
    ) -> Result<usize, Error> {
        self.with(|it, batch| it.revalue_host(batch, host, &mut value))
    }

    /// Values links of all hosts anew that wait for their turn, from this one on and in the order in
    /// which they were found. It looks at so many links at most and tells which is next, if any: a
    /// whole queue may be too much to be done at once.
    pub fn revalue_from(
        &mut self,
        first: LinkId,
        most: usize,
        mut value: impl FnMut(&Entry) -> Priority,
    ) -> Result<Option<LinkId>, Error> {
        self.with(|it, batch| it.revalue_slice(batch, first, most, &mut value))
    }

    fn revalue_host(
        &mut self,
        batch: &WriteTransaction,
        host: HostId,
        value: &mut dyn FnMut(&Entry) -> Priority,
    ) -> Result<usize, Error> {
        let mut tables = Tables::open(batch)?;
        let queued = tables.queue.range((host.0, 0, 0)..=(host.0, u32::MAX, u64::MAX))?;
        let queued: Vec<_> =
            queued.map(|it| it.map(|it| LinkId(it.0.value().2))).collect::<Result<_, _>>()?;
        let mut changed = 0;
        for id in queued {
            let entry = entry(&tables.links, id)?;
            changed += usize::from(self.revalue_link(&mut tables, id, entry, value)?);
        }
        Ok(changed)
    }

    fn revalue_slice(
        &mut self,
        batch: &WriteTransaction,
        first: LinkId,
        most: usize,
        value: &mut dyn FnMut(&Entry) -> Priority,
    ) -> Result<Option<LinkId>, Error> {
        let mut tables = Tables::open(batch)?;
        let last = first.0.saturating_add(most as u64);
        let mut queued = Vec::new();
        for item in tables.links.range(first.0..last)? {
            let (id, bytes) = item?;
            let entry: Entry = read(bytes.value())?;
            if entry.state == State::Queued {
                queued.push((LinkId(id.value()), entry));
            }
        }
        for (id, entry) in queued {
            self.revalue_link(&mut tables, id, entry, value)?;
        }
        Ok((last < self.counts.known).then_some(LinkId(last)))
    }

    /// Values a link anew, unless it is in work; tells whether that changed anything.
    fn revalue_link(
        &mut self,
        tables: &mut Tables<'_>,
        id: LinkId,
        mut entry: Entry,
        value: &mut dyn FnMut(&Entry) -> Priority,
    ) -> Result<bool, Error> {
        if self.taken.contains_key(&id) {
            return Ok(false);
        }
        let old = Rank::from(entry.priority);
        entry.priority = value(&entry);
        let new = Rank::from(entry.priority);
        if new == old {
            return Ok(false);
        }
        tables.links.insert(id.0, write(&entry)?.as_slice())?;
        self.requeue(tables, entry.host, id, old, new)?;
        Ok(true)
    }

    pub(super) fn requeue(
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
}
