//! How links come in.

use redb::WriteTransaction;
use url::Url;

use super::{Frontier, entry};
use crate::error::Error;
use crate::host::origin;
use crate::link::{Entry, Link, LinkId, State};
use crate::moment::Moment;
use crate::priority::Rank;
use crate::seen::Key;
use crate::store::{SEEN, Tables, write};

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
}
