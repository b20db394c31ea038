//! The stored documents of a shard: compressed in blocks, in the order of the shard.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;

use tantivy::directory::{Directory, MmapDirectory, OwnedBytes};
use zerocopy::little_endian::{U32, U64};
use zerocopy::{FromBytes, Immutable, IntoBytes, KnownLayout, Unaligned};

use crate::document::Document;
use crate::duplicates::Print;
use crate::error::Error;
use crate::sections::{Rows, Sections, SectionsWriter};

pub(crate) const FILE: &str = "pages.bin";
pub(crate) const TABLE: &str = "pages.tab";
/// A block is closed when it holds so much: enough to compress well, little enough to unpack for one document.
const BLOCK: usize = 32 << 10;
/// No document is larger, so that a damaged length cannot take all memory.
const LARGEST: usize = 64 << 20;
const LEVEL: i32 = 1;

#[derive(Clone, Copy, FromBytes, IntoBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
struct Entry {
    block: U32,
    start: U32,
}

/// A [`Print`] as it lies in the file.
#[derive(Clone, Copy, FromBytes, IntoBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
struct PrintRow {
    fingerprint: U64,
    ground: U64,
    rank: U32,
    said: U64,
    /// A fingerprint of what the document was made from.
    source: U64,
}

/// The key of a document, in the order of keys.
#[derive(Clone, Copy, FromBytes, IntoBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
struct Key {
    key: U64,
    document: U32,
}

impl From<PrintRow> for Print {
    fn from(row: PrintRow) -> Self {
        Self {
            fingerprint: row.fingerprint.get(),
            ground: row.ground.get(),
            rank: row.rank.get(),
            said: row.said.get(),
        }
    }
}

/// Where a packed block starts, and how large it is unpacked; the last row is where the file ends.
#[derive(Clone, Copy, FromBytes, IntoBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
struct Block {
    start: U64,
    size: U32,
}

pub(crate) struct PagesWriter {
    file: BufWriter<File>,
    at: u64,
    block: Vec<u8>,
    blocks: Vec<Block>,
    entries: Vec<Entry>,
    prints: Vec<PrintRow>,
    keys: Vec<(u64, u32)>,
    packer: zstd::bulk::Compressor<'static>,
}

impl PagesWriter {
    pub(crate) fn create(directory: &Path) -> io::Result<Self> {
        Ok(Self {
            file: BufWriter::with_capacity(1 << 20, File::create(directory.join(FILE))?),
            at: 0,
            block: Vec::new(),
            blocks: Vec::new(),
            entries: Vec::new(),
            prints: Vec::new(),
            keys: Vec::new(),
            packer: zstd::bulk::Compressor::new(LEVEL)?,
        })
    }

    /// Adds the next document.
    pub(crate) fn add(&mut self, document: &Document) -> io::Result<()> {
        let print = Print::of(document);
        self.prints.push(PrintRow {
            fingerprint: print.fingerprint.into(),
            ground: print.ground.into(),
            rank: print.rank.into(),
            said: print.said.into(),
            source: document.source.into(),
        });
        self.keys.push((document.key(), self.entries.len() as u32));
        self.entries.push(Entry {
            block: (self.blocks.len() as u32).into(),
            start: (self.block.len() as u32).into(),
        });
        self.block.extend_from_slice(&encode(document));
        if self.block.len() >= BLOCK {
            self.close()?;
        }
        Ok(())
    }

    fn close(&mut self) -> io::Result<()> {
        if self.block.is_empty() {
            return Ok(());
        }
        let packed = self.packer.compress(&self.block)?;
        self.blocks.push(Block { start: self.at.into(), size: (self.block.len() as u32).into() });
        self.file.write_all(&packed)?;
        self.at += packed.len() as u64;
        self.block.clear();
        Ok(())
    }

    pub(crate) fn finish(mut self, directory: &Path) -> io::Result<()> {
        self.close()?;
        self.blocks.push(Block { start: self.at.into(), size: U32::ZERO });
        self.file.into_inner().map_err(io::IntoInnerError::into_error)?.sync_all()?;
        let mut table = SectionsWriter::create(&directory.join(TABLE))?;
        table.rows(&self.entries)?;
        table.rows(&self.blocks)?;
        table.rows(&self.prints)?;
        self.keys.sort_unstable();
        let key = |it: &(u64, u32)| Key { key: it.0.into(), document: it.1.into() };
        table.rows(&self.keys.iter().map(key).collect::<Vec<_>>())?;
        table.finish()
    }
}

/// A document as bytes.
pub(crate) fn encode(document: &Document) -> Vec<u8> {
    postcard::to_stdvec(document).expect("a document is plain data and can always be written")
}

/// A document from bytes that start with it.
pub(crate) fn decode(bytes: &[u8]) -> Result<Document, Error> {
    match postcard::take_from_bytes(bytes) {
        Ok((document, _)) => Ok(document),
        Err(error) => Err(Error::Damaged(FILE.to_owned(), error.to_string())),
    }
}

/// The stored documents of a shard, mapped.
pub(crate) struct Pages {
    bytes: OwnedBytes,
    entries: Rows<Entry>,
    blocks: Rows<Block>,
    prints: Rows<PrintRow>,
    keys: Rows<Key>,
}

impl Pages {
    pub(crate) fn open(directory: &MmapDirectory, documents: u32) -> Result<Self, Error> {
        let table = Sections::open(directory, TABLE, 4)?;
        let bytes = directory
            .open_read(Path::new(FILE))
            .map_err(|error| Error::Damaged(FILE.to_owned(), error.to_string()))?
            .read_bytes()?;
        let pages = Self {
            bytes,
            entries: table.rows(0)?,
            blocks: table.rows(1)?,
            prints: table.rows(2)?,
            keys: table.rows(3)?,
        };
        let lengths = [pages.entries.len(), pages.prints.len(), pages.keys.len()];
        if lengths.iter().any(|it| *it != documents as usize) {
            let fact = format!("it has {} documents instead of {documents}", pages.entries.len());
            return Err(Error::Damaged(TABLE.to_owned(), fact));
        }
        Ok(pages)
    }

    /// The stored document.
    pub(crate) fn get(&self, document: u32) -> Result<Document, Error> {
        let entry = self.entries[document as usize];
        let torn = || Error::Damaged(FILE.to_owned(), format!("document {document} is torn"));
        let block = self.block(entry.block.get()).ok_or_else(torn)?;
        decode(block.get(entry.start.get() as usize..).ok_or_else(torn)?)
    }

    /// The fingerprint of what a document was made from.
    pub(crate) fn source(&self, document: u32) -> u64 {
        self.prints[document as usize].source.get()
    }

    /// The document with the key of an id.
    pub(crate) fn by_key(&self, key: u64) -> Option<u32> {
        let keys = &*self.keys;
        let at = keys.binary_search_by_key(&key, |it| it.key.get()).ok()?;
        Some(keys[at].document.get())
    }

    /// The keys of all documents, dead ones too, with their documents.
    pub(crate) fn keys(&self) -> impl Iterator<Item = (u64, u32)> + '_ {
        self.keys.iter().map(|it| (it.key.get(), it.document.get()))
    }

    /// What tells the near-duplicates of every document.
    pub(crate) fn prints(&self) -> impl Iterator<Item = Print> + '_ {
        self.prints.iter().map(|it| (*it).into())
    }

    /// Runs over all documents in order, unpacking every block once.
    pub(crate) fn all(&self) -> impl Iterator<Item = Result<Document, Error>> + '_ {
        let mut open: (u32, Vec<u8>) = (u32::MAX, Vec::new());
        self.entries.iter().enumerate().map(move |(number, entry)| {
            let torn = || Error::Damaged(FILE.to_owned(), format!("document {number} is torn"));
            if open.0 != entry.block.get() {
                open = (entry.block.get(), self.block(entry.block.get()).ok_or_else(torn)?);
            }
            decode(open.1.get(entry.start.get() as usize..).ok_or_else(torn)?)
        })
    }

    fn block(&self, number: u32) -> Option<Vec<u8>> {
        let [block, next] = self.blocks.get(number as usize..number as usize + 2)?.first_chunk()?;
        let start = usize::try_from(block.start.get()).ok()?;
        let packed = self.bytes.get(start..usize::try_from(next.start.get()).ok()?)?;
        zstd::bulk::decompress(packed, (block.size.get() as usize).min(BLOCK + LARGEST)).ok()
    }
}
