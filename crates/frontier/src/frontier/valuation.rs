//! Values links anew that wait for their turn.

use redb::{ReadableTable, WriteTransaction};

use super::{Frontier, entry};
use crate::error::Error;
use crate::host::HostId;
use crate::link::{Entry, LinkId};
use crate::priority::{Priority, Rank};
use crate::store::{Tables, write};

impl Frontier {
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
