//! Which links are known already: their hashes in memory, a table that has their numbers.

use std::collections::{HashMap, HashSet};
use std::hash::{BuildHasherDefault, Hasher};

use redb::{ReadableTable, Table};
use url::{Position, Url};
use xxhash_rust::xxh3::xxh3_128_with_seed;

use crate::host::HostId;
use crate::link::LinkId;

/// How many links met of late are kept in memory: the links of a site's menu are met on every page.
const RECENT: usize = 1 << 17;

/// A link's key: the host in front, so that the links of a page lie close together, then 96 bits of
/// the URL's hash. Two URLs of ten million share them with a probability of 10^-15; the seed of the
/// hash is drawn for every frontier, so that nobody can make two that do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Key(pub(crate) u128);

impl Key {
    /// Two links that differ in the order of their parameters are one: hardly any server tells them
    /// apart. It is fetched as it was found first, since some do.
    pub(crate) fn of(seed: u64, host: HostId, url: &Url) -> Self {
        let hash = match url.query() {
            Some(query) if query.contains('&') => {
                let mut parameters: Vec<&str> = query.split('&').collect();
                // The values of one name keep their order.
                parameters.sort_by_key(|it| it.split('=').next());
                let text = [&url[..Position::AfterPath], "?", &parameters.join("&")].concat();
                xxh3_128_with_seed(text.as_bytes(), seed)
            }
            _ => xxh3_128_with_seed(url.as_str().as_bytes(), seed),
        };
        Self(u128::from(host.0) << 96 | hash >> 32)
    }

    /// The part that is kept in memory. A new link is taken for one of ten million with a probability
    /// of 10^-12.
    fn short(self) -> u64 {
        self.0 as u64
    }
}

/// The hashes of all links, and the numbers of those met of late.
#[derive(Default)]
pub(crate) struct Seen {
    all: HashSet<u64, BuildHasherDefault<AsItIs>>,
    /// Links that are not in the table yet. They are put there together and in order, since links of
    /// one host share a leaf.
    new: HashMap<Key, LinkId>,
    recent: HashMap<Key, LinkId>,
    before: HashMap<Key, LinkId>,
}

impl Seen {
    /// What is known when these keys are.
    pub(crate) fn of(count: usize, keys: impl Iterator<Item = Key>) -> Self {
        let mut all: HashSet<u64, _> =
            HashSet::with_capacity_and_hasher(count, BuildHasherDefault::default());
        let mut keys: Vec<_> = keys.map(Key::short).collect();
        // In the order of their places in the set, ten million go in within a quarter of the time.
        let places = all.capacity().next_power_of_two() as u64 - 1;
        keys.sort_unstable_by_key(|it| it & places);
        all.extend(keys);
        Self { all, ..Self::default() }
    }

    /// Whether the link of this key is known.
    pub(crate) fn knows(&self, key: Key) -> bool {
        self.all.contains(&key.short())
    }

    /// The link of this key, if it is known.
    pub(crate) fn find(
        &mut self,
        table: &impl ReadableTable<u128, u64>,
        key: Key,
    ) -> Result<Option<LinkId>, redb::StorageError> {
        if !self.knows(key) {
            return Ok(None);
        }
        if let Some(id) = self.new.get(&key).or_else(|| self.recent.get(&key)) {
            return Ok(Some(*id));
        }
        let id = match self.before.get(&key) {
            Some(id) => Some(*id),
            None => table.get(key.0)?.map(|it| LinkId(it.value())),
        };
        if let Some(id) = id {
            self.remember(key, id);
        }
        Ok(id)
    }

    /// Takes in a new link.
    pub(crate) fn insert(&mut self, key: Key, id: LinkId) {
        self.all.insert(key.short());
        self.new.insert(key, id);
    }

    /// Puts the new links into the table.
    pub(crate) fn write(
        &mut self,
        table: &mut Table<'_, u128, u64>,
    ) -> Result<(), redb::StorageError> {
        let mut new: Vec<_> = self.new.drain().collect();
        new.sort_unstable();
        for (key, id) in new {
            table.insert(key.0, id.0)?;
        }
        Ok(())
    }

    fn remember(&mut self, key: Key, id: LinkId) {
        if self.recent.len() >= RECENT {
            self.before = std::mem::take(&mut self.recent);
        }
        self.recent.insert(key, id);
    }
}

/// Hashes what is a hash already.
#[derive(Default)]
struct AsItIs(u64);

impl Hasher for AsItIs {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write_u64(&mut self, number: u64) {
        self.0 = number;
    }

    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|it| self.0 = self.0.rotate_left(8) ^ u64::from(*it));
    }
}
