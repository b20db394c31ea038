//! What the frontier knows of hosts.

use std::collections::hash_map::Entry as Slot;
use std::time::Duration;

use redb::{ReadableTable, ReadableTableMetadata, WriteTransaction};
use url::Url;

use super::{Frontier, MANY_HOSTS};
use crate::error::Error;
use crate::host::{Host, HostId, Manners, origin};
use crate::store::{HOSTS, MEMORIES, ORIGINS, read};

pub(super) struct Loaded {
    pub(super) host: Host,
    pub(super) is_changed: bool,
}

impl Frontier {
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
        // Those met since the last commit are not in the table yet; their numbers follow.
        let written = table.len()?;
        let mut new: Vec<_> = self.hosts.iter().filter(|it| u64::from(it.0.0) >= written).collect();
        new.sort_unstable_by_key(|it| *it.0);
        for (id, loaded) in new {
            each(*id, loaded.host.clone());
        }
        Ok(())
    }

    pub(super) fn known_host(
        &self,
        batch: &WriteTransaction,
        origin: &str,
    ) -> Result<Option<HostId>, Error> {
        if let Some(id) = self.origins.get(origin) {
            return Ok(Some(*id));
        }
        Ok(batch.open_table(ORIGINS)?.get(origin)?.map(|it| HostId(it.value())))
    }

    pub(super) fn host_id(
        &mut self,
        batch: &WriteTransaction,
        origin: &str,
    ) -> Result<HostId, Error> {
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
        if self.origins.len() >= MANY_HOSTS {
            // Whoever is met again is looked up in the table.
            self.origins.clear();
        }
        self.origins.insert(origin.to_owned(), id);
        Ok(id)
    }

    pub(super) fn loaded(
        &mut self,
        batch: &WriteTransaction,
        id: HostId,
    ) -> Result<&mut Loaded, Error> {
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

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use crate::courtesy::Courtesy;
    use crate::frontier::{MANY_HOSTS, Settings};
    use crate::link::Link;
    use crate::moment::Moment;

    use super::*;

    #[test]
    fn hosts_are_listed_as_soon_as_they_are_met() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("frontier.redb");
        let courtesy = Arc::new(Courtesy::default());
        let mut frontier = Frontier::open(&file, Settings::default(), courtesy).expect("it opens");
        let listed = |frontier: &Frontier| {
            let mut listed = Vec::new();
            frontier.hosts(|id, host| listed.push((id.0, host.origin))).expect("it works");
            listed
        };
        let mut met = Vec::new();
        for it in 0..4 {
            let origin = format!("http://h{it}.example");
            let link = Link::seed(Url::parse(&origin).expect("a URL"));
            frontier.add(&[link], false, Moment(1)).expect("it is added");
            met.push((it, origin));
            assert_eq!(listed(&frontier), met);
            if it == 1 {
                frontier.commit().expect("it is written");
                assert_eq!(listed(&frontier), met);
            }
        }
    }

    #[test]
    fn so_many_names_of_hosts_are_kept_in_memory_and_all_on_disk() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("frontier.redb");
        let courtesy = Arc::new(Courtesy::default());
        let mut frontier = Frontier::open(&file, Settings::default(), courtesy).expect("it opens");
        let url = |it: usize| Url::parse(&format!("http://h{it}.example/")).expect("a URL");
        let links: Vec<_> = (0..MANY_HOSTS + 10).map(|it| Link::seed(url(it))).collect();
        frontier.add(&links, false, Moment(1)).expect("they are added");
        assert!(frontier.origins.len() <= MANY_HOSTS, "{}", frontier.origins.len());
        for it in [0, 1, MANY_HOSTS - 1, MANY_HOSTS, MANY_HOSTS + 9] {
            let id = frontier.host_of(&url(it)).expect("it works");
            assert_eq!(id, HostId(it as u32));
        }
    }
}
