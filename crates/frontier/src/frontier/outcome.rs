//! How the visit of a link ended, and what becomes of the link.

use std::net::IpAddr;

use redb::WriteTransaction;

use super::next::SOON;
use super::{Frontier, entry};
use crate::courtesy::{Gates, Permit};
use crate::error::Error;
use crate::host::{HostId, gate_name};
use crate::link::{LinkId, State, Visit};
use crate::moment::Moment;
use crate::pace::Ended;
use crate::priority::Rank;
use crate::store::{LINKS, Tables, write};

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
    pub address: Option<IpAddr>,
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

impl Frontier {
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
        address: Option<IpAddr>,
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

    /// Where the host of a link that was taken is, found out before it is asked: its server may be
    /// busy with another host, or want to be left alone. Tells whether the link may be visited; if
    /// not, it waits for its turn again.
    pub fn locate(&mut self, id: LinkId, address: IpAddr, now: Moment) -> Result<bool, Error> {
        self.with(|this, batch| {
            let host = entry(&batch.open_table(LINKS)?, id)?.host;
            let connections = this.settings.connections;
            let loaded = this.loaded(batch, host)?;
            loaded.is_changed |= loaded.host.address != Some(address);
            loaded.host.address = Some(address);
            let gates = Gates::of(gate_name(&loaded.host.origin), Some(address));
            // The gate of the name is left and entered again together with that of the server.
            let Some(before) = this.taken.remove(&id) else { return Ok(false) };
            this.courtesy.leave(before, Moment::default());
            let until = match this.courtesy.enter(gates, connections, now) {
                Permit::Go => {
                    this.taken.insert(id, gates);
                    return Ok(true);
                }
                Permit::At(moment) => moment,
                Permit::Busy => now + SOON,
            };
            this.put_back(batch, id, until)?;
            Ok(false)
        })
    }

    /// A link that was taken was not visited, and its host is not to be asked before that moment.
    pub fn give_back_until(&mut self, id: LinkId, until: Moment) -> Result<(), Error> {
        self.with(|this, batch| {
            if let Some(gates) = this.taken.remove(&id) {
                this.courtesy.leave(gates, Moment::default());
                this.put_back(batch, id, until)?;
            }
            Ok(())
        })
    }

    /// Lets a link whose gates were left wait for its turn, and its host for that moment.
    fn put_back(
        &mut self,
        batch: &WriteTransaction,
        id: LinkId,
        until: Moment,
    ) -> Result<(), Error> {
        let entry = entry(&batch.open_table(LINKS)?, id)?;
        let sunk = self.loaded(batch, entry.host)?.host.sunk;
        self.turns.leave(entry.host);
        self.turns.add(entry.host, Rank::from(entry.priority), id, sunk);
        self.turns.wait(entry.host, until);
        Ok(())
    }

    /// Opens the gates behind a link that was taken.
    fn leave(
        &mut self,
        batch: &WriteTransaction,
        id: LinkId,
        host: HostId,
        ended: Option<Ended>,
        address: Option<IpAddr>,
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
                self.courtesy.learn(all, next);
            }
            self.turns.leave(host);
        }
        Ok(())
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
}
