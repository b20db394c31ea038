//! What is known of links, one by one and all together.

use redb::{ReadableTable, WriteTransaction};
use url::Url;

use super::{Frontier, entry};
use crate::error::Error;
use crate::host::origin;
use crate::link::{Entry, LinkId, State};
use crate::seen::Key;
use crate::store::{LINKS, SEEN, Tables, read};

impl Frontier {
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

    /// Puts a link back into the queue whatever became of it, and whatever it leads to, with all tries
    /// before it; tells how many those are.
    pub fn begin_again(&mut self, id: LinkId) -> Result<usize, Error> {
        let mut next = Some(id);
        let mut count = 0;
        // A link that is in the queue leads nowhere any more, so that circles come to an end.
        while let Some(id) = next.take() {
            let mut entry = self.entry(id)?;
            if let State::Redirected(target) = entry.state {
                next = Some(target);
            }
            if entry.state == State::Queued || self.taken.contains_key(&id) {
                break;
            }
            entry.tries = 0;
            self.with(|this, batch| {
                let mut tables = Tables::open(batch)?;
                let counts = &mut this.counts;
                match entry.state {
                    State::Waiting(until) => {
                        tables.due.remove((until.0, id.0))?;
                        counts.waiting = counts.waiting.saturating_sub(1);
                    }
                    State::Redirected(_) => counts.redirected = counts.redirected.saturating_sub(1),
                    State::Dropped(_) => counts.dropped = counts.dropped.saturating_sub(1),
                    State::Visited | State::Queued => {}
                }
                this.queue_again(batch, &mut tables, id, entry)
            })?;
            count += 1;
        }
        Ok(count)
    }
}
