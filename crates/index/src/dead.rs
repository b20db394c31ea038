//! Documents of a shard that were replaced since it was written.

use std::io;
use std::path::Path;

/// Documents that do not count any more.
#[derive(Clone, Debug, Default)]
pub struct Dead {
    /// A bit for each document; nothing if all are alive.
    bits: Vec<u64>,
    count: u32,
}

impl Dead {
    /// These documents of so many.
    pub(crate) fn of(documents: impl IntoIterator<Item = u32>, of: u32) -> Self {
        let mut dead = Self { bits: vec![0; of.div_ceil(64) as usize], count: 0 };
        for document in documents.into_iter().filter(|it| *it < of) {
            let word = &mut dead.bits[document as usize / 64];
            dead.count += u32::from(*word >> (document % 64) & 1 == 0);
            *word |= 1 << (document % 64);
        }
        if dead.count == 0 { Self::default() } else { dead }
    }

    /// True if a document does not count any more.
    #[inline]
    pub fn has(&self, document: u32) -> bool {
        !self.bits.is_empty() && self.bits[document as usize / 64] >> (document % 64) & 1 == 1
    }

    /// How many there are.
    pub fn count(&self) -> u32 {
        self.count
    }

    /// The dead documents in order.
    pub(crate) fn documents(&self) -> impl Iterator<Item = u32> + '_ {
        (0..self.bits.len() as u32 * 64).filter(|it| self.has(*it))
    }

    pub(crate) fn write(&self, path: &Path) -> io::Result<()> {
        let bytes: Vec<u8> = self.documents().flat_map(u32::to_le_bytes).collect();
        std::fs::write(path, bytes)?;
        std::fs::File::open(path)?.sync_all()
    }

    pub(crate) fn read(path: &Path, of: u32) -> io::Result<Self> {
        let bytes = std::fs::read(path)?;
        let number = |it: &[u8]| it.first_chunk().map_or(u32::MAX, |it| u32::from_le_bytes(*it));
        Ok(Self::of(bytes.chunks_exact(4).map(number), of))
    }
}
