//! Which links are known already: a filter in memory that is sure of the new ones, a table that knows.

use std::collections::HashMap;

use fastbloom::BloomFilter;
use redb::{ReadableTable, Table};
use url::Url;
use xxhash_rust::xxh3::xxh3_128_with_seed;

use crate::host::HostId;
use crate::link::LinkId;

/// One in so many new links is looked for in the table in vain.
const FALSE_ALARMS: f64 = 0.01;
/// The filter begins with room for so many links, and doubles when it is full.
const ROOM: usize = 1 << 20;
/// How many links met of late are kept in memory: the links of a site's menu are met on every page.
const RECENT: usize = 1 << 17;

/// A link's key: the host in front, so that the links of a page lie close together, then 96 bits of
/// the URL's hash. Two URLs of ten million share them with a probability of 10^-15; the seed of the
/// hash is drawn for every frontier, so that nobody can make two that do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Key(pub(crate) u128);

impl Key {
    pub(crate) fn of(seed: u64, host: HostId, url: &Url) -> Self {
        let hash = xxh3_128_with_seed(url.as_str().as_bytes(), seed);
        Self(u128::from(host.0) << 96 | hash >> 32)
    }

    /// Bits of the hash for the filter; the host is mixed in, because the same path is met on many.
    fn bits(self) -> u64 {
        (self.0 as u64) ^ ((self.0 >> 64) as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15)
    }
}

/// The filter and what was met of late.
pub(crate) struct Seen {
    filter: BloomFilter,
    room: usize,
    held: usize,
    recent: HashMap<Key, LinkId>,
    before: HashMap<Key, LinkId>,
}

impl Seen {
    /// A filter of these keys.
    pub(crate) fn of(count: usize, keys: impl Iterator<Item = Key>) -> Self {
        let room = (count * 2).next_power_of_two().max(ROOM);
        let mut filter = BloomFilter::with_false_pos(FALSE_ALARMS).expected_items(room);
        keys.for_each(|it| {
            filter.insert_hash(it.bits());
        });
        Self { filter, room, held: count, recent: HashMap::new(), before: HashMap::new() }
    }

    /// The link of this key, if it is known.
    pub(crate) fn find(
        &mut self,
        table: &impl ReadableTable<u128, u64>,
        key: Key,
    ) -> Result<Option<LinkId>, redb::StorageError> {
        if let Some(id) = self.recent.get(&key) {
            return Ok(Some(*id));
        }
        if let Some(id) = self.before.get(&key).copied() {
            self.remember(key, id);
            return Ok(Some(id));
        }
        if !self.filter.contains_hash(key.bits()) {
            return Ok(None);
        }
        let id = table.get(key.0)?.map(|it| LinkId(it.value()));
        if let Some(id) = id {
            self.remember(key, id);
        }
        Ok(id)
    }

    /// Takes in a new link.
    pub(crate) fn insert(
        &mut self,
        table: &mut Table<'_, u128, u64>,
        key: Key,
        id: LinkId,
    ) -> Result<(), redb::StorageError> {
        table.insert(key.0, id.0)?;
        self.filter.insert_hash(key.bits());
        self.held += 1;
        self.remember(key, id);
        Ok(())
    }

    /// Whether the filter has more links than it was made for.
    pub(crate) fn is_full(&self) -> bool {
        self.held > self.room
    }

    fn remember(&mut self, key: Key, id: LinkId) {
        if self.recent.len() >= RECENT {
            self.before = std::mem::take(&mut self.recent);
        }
        self.recent.insert(key, id);
    }
}
