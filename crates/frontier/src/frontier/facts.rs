//! Facts about a crawl as a whole, and those that the frontier keeps about itself.

use std::path::Path;

use redb::{Database, ReadableTable, WriteTransaction};
use serde::{Deserialize, Serialize};

use super::{Counts, Frontier, begin, unopened};
use crate::error::Error;
use crate::store::{
    FACTS, HOSTS, LISTED, MEMORIES, ORIGINS, SEEN, Tables, UNFINISHED, read, write,
};

/// The format of the file. Another number cannot be read.
const FORMAT: u32 = 2;

impl Frontier {
    /// Keeps a fact about the crawl as a whole, at the next commit.
    pub fn set_fact(&mut self, name: &str, fact: &[u8]) -> Result<(), Error> {
        self.batch()?.open_table(FACTS)?.insert(name, fact)?;
        Ok(())
    }

    /// A fact about a crawl as a whole whose frontier, in this file, nobody uses.
    pub fn fact_of(path: &Path, name: &str) -> Result<Option<Vec<u8>>, Error> {
        let database = Database::builder().open(path).map_err(unopened(path))?;
        let batch = begin(&database)?;
        Facts::open(&batch, path)?;
        let table = batch.open_table(FACTS)?;
        Ok(table.get(name)?.map(|it| it.value().to_vec()))
    }

    /// A fact about the crawl as a whole.
    pub fn fact(&self, name: &str) -> Result<Option<Vec<u8>>, Error> {
        Ok(self.batch()?.open_table(FACTS)?.get(name)?.map(|it| it.value().to_vec()))
    }

    pub(super) fn write_facts(&mut self, batch: &WriteTransaction) -> Result<(), Error> {
        let mut hosts = batch.open_table(HOSTS)?;
        for (id, loaded) in self.hosts.iter_mut().filter(|it| it.1.is_changed) {
            hosts.insert(id.0, write(&loaded.host)?.as_slice())?;
            loaded.is_changed = false;
        }
        self.seen.write(&mut batch.open_table(SEEN)?)?;
        let mut memories = batch.open_table(MEMORIES)?;
        for (host, memory) in self.memories.drain() {
            memories.insert(host.0, memory.as_slice())?;
        }
        let facts = Facts { format: FORMAT, seed: self.seed, counts: self.counts };
        batch.open_table(FACTS)?.insert("frontier", write(&facts)?.as_slice())?;
        Ok(())
    }
}

/// What the frontier keeps about itself.
#[derive(Serialize, Deserialize)]
pub(super) struct Facts {
    format: u32,
    pub(super) seed: u64,
    pub(super) counts: Counts,
}

impl Facts {
    pub(super) fn open(batch: &WriteTransaction, path: &Path) -> Result<Self, Error> {
        // All tables exist from the beginning.
        drop(Tables::open(batch)?);
        batch.open_table(HOSTS)?;
        batch.open_table(ORIGINS)?;
        batch.open_table(MEMORIES)?;
        batch.open_table(LISTED)?;
        batch.open_table(UNFINISHED)?;
        let table = batch.open_table(FACTS)?;
        let Some(bytes) = table.get("frontier")? else {
            // The addresses of a map's hasher are drawn anew by the system.
            let seed = std::hash::BuildHasher::hash_one(&std::hash::RandomState::new(), path);
            return Ok(Self { format: FORMAT, seed, counts: Counts::default() });
        };
        // The number alone can be read whatever follows it.
        let (found, _) = postcard::take_from_bytes::<u32>(bytes.value())?;
        if found != FORMAT {
            return Err(Error::Format { path: path.to_owned(), found, expected: FORMAT });
        }
        read(bytes.value())
    }
}
