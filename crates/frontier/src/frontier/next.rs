//! Which link is next.

use std::net::IpAddr;
use std::time::Duration;

use redb::{ReadableTable, WriteTransaction};

use super::{Frontier, entry};
use crate::courtesy::{Gates, Permit};
use crate::error::Error;
use crate::host::{HostId, gate_name};
use crate::link::{Entry, LinkId, State};
use crate::moment::Moment;
use crate::priority::Rank;
use crate::store::{DUE, LINKS, QUEUE, Tables, write};
use crate::turns::HEAD;

/// When to ask again for a host that somebody else is asking.
pub(super) const SOON: Duration = Duration::from_millis(50);

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
    /// Where the host was last found.
    pub address: Option<IpAddr>,
    /// How deep the host has sunk.
    pub sunk: u8,
}

impl Frontier {
    /// The next link, whose host may be asked now.
    pub fn next(&mut self, now: Moment) -> Result<Next, Error> {
        self.with(|it, batch| {
            it.wake(batch, now)?;
            it.next_of(batch, now)
        })
    }

    /// Whether a host is waited for that answers, and merely wants to be asked slowly.
    pub fn waits_for_delay(&mut self) -> Result<bool, Error> {
        let waiting: Vec<_> = self.turns.waiting().collect();
        self.with(|it, batch| {
            for (host, until) in waiting {
                let pace = it.loaded(batch, host)?.host.pace;
                // It may also be its server that wants to be left alone, for what another host did there.
                if pace.refusals == 0 && pace.next == until {
                    return Ok(true);
                }
            }
            Ok(false)
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
            let permit = if next > now {
                Permit::At(next)
            } else {
                self.courtesy.enter(gates, self.settings.connections, now)
            };
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
        let (origin, address, sunk) = (host.origin.clone(), host.address, host.sunk);
        Ok(Some(Taken { id, entry, origin, manners_until, address, sunk }))
    }

    /// Reads a host's best links from disk.
    pub(super) fn refill(&mut self, batch: &WriteTransaction, host: HostId) -> Result<(), Error> {
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
    pub(super) fn queue_again(
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
}
