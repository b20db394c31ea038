//! What the crawl remembers to keep out of traps, and to fetch nothing twice.

use std::collections::{HashMap, HashSet, VecDeque};

use frontier::{
    Brought, Entry, Floods, Frontier, HostId, LinkId, Mirrors, Moment, Month, NotFoundPages,
    Patterns, are_alike, suspicion,
};
use serde::{Deserialize, Serialize};
use url::Url;

use crate::clock::timestamp;
use crate::error::Error;
use crate::passages::Passages;
use crate::reading::ReadPage;
use crate::words::Words;

/// How many digests of contents are remembered, twice: the older half is forgotten at once.
const CONTENTS: usize = 1 << 19;
/// With how many of its host's last pages a page is compared.
const LAST_PAGES: usize = 256;
/// How many hosts are remembered in memory between commits.
const MANY_HOSTS: usize = 1 << 14;

/// What was met so far, in all and by host.
#[derive(Default)]
pub(crate) struct Traps {
    hosts: HashMap<HostId, Memory>,
    changed: HashSet<HostId>,
    mirrors: Mirrors,
    floods: Floods,
    words: Words,
    passages: Passages,
    contents: HashMap<u64, LinkId>,
    older_contents: HashMap<u64, LinkId>,
}

/// What is remembered of a host.
#[derive(Default, Serialize, Deserialize)]
struct Memory {
    patterns: Patterns,
    not_found: NotFoundPages,
    /// The fingerprints of its last pages.
    last: VecDeque<u64>,
}

/// What a page turned out to be, compared with those before.
pub(crate) struct Compared {
    /// The link under which the same content was there before.
    pub(crate) original: Option<LinkId>,
    /// Whether it brought nothing new.
    pub(crate) is_repeated: bool,
}

impl Traps {
    /// Whether a link is worth being known at all, by its looks and its host; otherwise why not.
    pub(crate) fn judge(&mut self, url: &Url, now: Moment) -> Result<(), &'static str> {
        let date = timestamp(now).to_zoned(jiff::tz::TimeZone::UTC).date();
        let year = u16::try_from(date.year()).unwrap_or_default();
        let month = u8::try_from(date.month()).unwrap_or(1);
        if let Some(suspicion) = suspicion(Month { year, month }, url) {
            return Err(suspicion.kind());
        }
        let host = url.host_str().unwrap_or_default();
        if self.mirrors.original_of(host).is_some() {
            return Err("mirror");
        }
        if !self.floods.admits(host) {
            return Err("host flood");
        }
        Ok(())
    }

    /// Whether a link is worth a visit by what its like have brought. Asking counts.
    pub(crate) fn admits(
        &mut self,
        frontier: &Frontier,
        host: HostId,
        url: &Url,
    ) -> Result<Result<(), &'static str>, Error> {
        if self.mirrors.original_of(url.host_str().unwrap_or_default()).is_some() {
            return Ok(Err("mirror"));
        }
        if !self.words.admits(url) {
            return Ok(Err("repetition"));
        }
        let admits = self.memory(frontier, host)?.patterns.admits(url);
        self.changed.insert(host);
        Ok(admits.then_some(()).ok_or("trap"))
    }

    /// Takes in a page, and tells how it compares with those before.
    pub(crate) fn page(
        &mut self,
        frontier: &Frontier,
        id: LinkId,
        entry: &Entry,
        url: &Url,
        read: &ReadPage,
    ) -> Result<Compared, Error> {
        let fingerprint = read.page.fingerprint;
        let same = self.original(read.digest, id);
        // Of what the crawl looks for, pages that are merely alike are two: the entries of a directory
        // share all their words but the address.
        let is_wanted = read.judgement.relevant == Some(true);
        let alike = self.passages.compare(id, &read.passages).filter(|_| !is_wanted);
        let original = same.or(alike);
        let memory = self.memory(frontier, entry.host)?;
        let is_not_found = memory.not_found.includes(url, fingerprint);
        let is_alike = !is_wanted && memory.last.iter().any(|it| are_alike(*it, fingerprint));
        let is_again = entry.visit.is_some();
        let is_repeated = !is_again && (original.is_some() || is_not_found || is_alike);
        if !is_again {
            let brought = match is_repeated {
                _ if is_not_found => Brought::Failed,
                true => Brought::Repeated,
                false => Brought::New,
            };
            memory.patterns.learn(url, brought);
            if is_wanted && !is_repeated {
                memory.patterns.learn_wanted(url);
            }
            memory.last.push_back(fingerprint);
            if memory.last.len() > LAST_PAGES {
                memory.last.pop_front();
            }
            self.words.learn(url, !is_repeated);
            self.changed.insert(entry.host);
            let host = url.host_str().unwrap_or_default();
            // A page counts for a mirror by the page that it repeats.
            self.mirrors.learn(host, original.unwrap_or(id).0);
            if !is_repeated {
                self.floods.learn_new(host);
            }
        }
        Ok(Compared { original, is_repeated })
    }

    /// Takes in what another answer brought.
    pub(crate) fn learn(
        &mut self,
        frontier: &Frontier,
        host: HostId,
        url: &Url,
        brought: Brought,
    ) -> Result<(), Error> {
        self.memory(frontier, host)?.patterns.learn(url, brought);
        self.changed.insert(host);
        Ok(())
    }

    /// Takes in which links of a page nobody had found before.
    pub(crate) fn learn_links<'a>(
        &mut self,
        frontier: &Frontier,
        host: HostId,
        url: &Url,
        new: impl Iterator<Item = &'a Url>,
    ) -> Result<(), Error> {
        self.memory(frontier, host)?.patterns.learn_links(url, new);
        Ok(())
    }

    /// Takes in that there is no such page, and what the host says then.
    pub(crate) fn gone(
        &mut self,
        frontier: &Frontier,
        host: HostId,
        url: &Url,
        fingerprint: u64,
    ) -> Result<(), Error> {
        self.memory(frontier, host)?.not_found.learn(fingerprint);
        self.learn(frontier, host, url, Brought::Failed)
    }

    /// Hands what was learned about hosts to the frontier, which keeps it at its next commit.
    pub(crate) fn save(&mut self, frontier: &mut Frontier) {
        for host in self.changed.drain() {
            let memory = self.hosts.get(&host).and_then(|it| postcard::to_stdvec(it).ok());
            if let Some(memory) = memory {
                frontier.remember(host, memory);
            }
        }
        if self.hosts.len() > MANY_HOSTS {
            self.hosts.clear();
        }
    }

    /// The link under which the same content was there before.
    fn original(&mut self, digest: u64, id: LinkId) -> Option<LinkId> {
        let known = self.contents.get(&digest).or_else(|| self.older_contents.get(&digest));
        if let Some(known) = known {
            return Some(*known).filter(|it| *it != id);
        }
        if self.contents.len() >= CONTENTS {
            self.older_contents = std::mem::take(&mut self.contents);
        }
        self.contents.insert(digest, id);
        None
    }

    fn memory(&mut self, frontier: &Frontier, host: HostId) -> Result<&mut Memory, Error> {
        use std::collections::hash_map::Entry as Slot;
        match self.hosts.entry(host) {
            Slot::Occupied(slot) => Ok(slot.into_mut()),
            Slot::Vacant(slot) => {
                let kept = frontier.memory(host)?;
                // A memory that cannot be read was written by another version: it is learned anew.
                let memory = kept.and_then(|it| postcard::from_bytes(&it).ok());
                Ok(slot.insert(memory.unwrap_or_default()))
            }
        }
    }
}
