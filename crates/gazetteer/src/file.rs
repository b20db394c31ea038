//! The gazetteer file: a header, a table of sections, the sections.
//!
//! All numbers are little-endian. The header holds its own checksum, so that a torn or foreign file is
//! told at once; each section has one too, which [`SectionFile::verify`] reads in full.

use std::fs::File;
use std::io::{self, Read, Seek, Write};
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use xxhash_rust::xxh3::{Xxh3, xxh3_64};

const MAGIC: &[u8; 8] = b"STRABOGZ";
/// Raised whenever a section changes its meaning.
const VERSION: u32 = 1;
/// Magic, version, number of sections, length of the file, checksum of header and table.
const HEADER: usize = 8 + 4 + 4 + 8 + 8;
/// Tag, offset, length, checksum.
const ENTRY: usize = 8 + 8 + 8 + 8;
/// Far more than there are kinds of sections; keeps a foreign file from asking for the moon.
const MOST_SECTIONS: usize = 64;

/// The sections that are walked along addresses that stand in them. Tables can be read defensively; these
/// must be sound, so a file's are checked when it is opened.
const WALKED: [&str; 2] = ["index", "words"];

/// Why a gazetteer could not be opened.
#[derive(Debug, thiserror::Error)]
pub enum FileError {
    /// The system did not let us read it.
    #[error("{file}: {error}")]
    Io {
        /// The file.
        file: String,
        /// What the system said.
        error: io::Error,
    },
    /// It does not start like a gazetteer.
    #[error("{0} is no gazetteer: make one with \"strabo gazetteer import\"")]
    Foreign(String),
    /// It was written by another version.
    #[error("{file} has format {found}, this program reads {VERSION}: import it again")]
    Version {
        /// The file.
        file: String,
        /// The format it has.
        found: u32,
    },
    /// Its end is missing, or it has grown.
    #[error("{file} is torn: it should have {expected} bytes and has {found}: import it again")]
    Torn {
        /// The file.
        file: String,
        /// How long it says it is.
        expected: u64,
        /// How long it is.
        found: u64,
    },
    /// Some bytes are not those that were written.
    #[error("{file} is damaged in its part \"{section}\": import it again")]
    Damaged {
        /// The file.
        file: String,
        /// Where.
        section: String,
    },
}

/// The bytes of a gazetteer, wherever they lie.
enum Bytes {
    Static(&'static [u8]),
    Mapped(memmap2::Mmap),
    Owned(Vec<u8>),
}

impl Bytes {
    fn as_slice(&self) -> &[u8] {
        match self {
            Self::Static(bytes) => bytes,
            Self::Mapped(map) => map,
            Self::Owned(bytes) => bytes,
        }
    }
}

/// An opened file whose header is right.
#[derive(Clone)]
pub(crate) struct SectionFile {
    name: String,
    bytes: Arc<Bytes>,
    table: Vec<Entry>,
}

#[derive(Clone)]
struct Entry {
    tag: [u8; 8],
    range: Range<usize>,
    checksum: u64,
}

/// One section's bytes, cheap to clone.
#[derive(Clone)]
pub(crate) struct Section {
    bytes: Arc<Bytes>,
    range: Range<usize>,
}

impl AsRef<[u8]> for Section {
    fn as_ref(&self) -> &[u8] {
        &self.bytes.as_slice()[self.range.clone()]
    }
}

impl Section {
    /// The number at this index of a table of `u32`; 0 beyond its end.
    pub(crate) fn u32_at(&self, index: usize) -> u32 {
        read_u32(self.as_ref(), index * 4)
    }

    pub(crate) fn len(&self) -> usize {
        self.range.len()
    }
}

/// The `u32` at this offset; 0 beyond the end, so that a damaged table misleads but does not break.
pub(crate) fn read_u32(bytes: &[u8], offset: usize) -> u32 {
    bytes
        .get(offset..offset + 4)
        .and_then(|four| four.try_into().ok())
        .map_or(0, u32::from_le_bytes)
}

pub(crate) fn read_u64(bytes: &[u8], offset: usize) -> u64 {
    bytes.get(offset..offset + 8).and_then(|it| it.try_into().ok()).map_or(0, u64::from_le_bytes)
}

impl SectionFile {
    /// Maps a file into memory.
    pub(crate) fn open(path: &Path) -> Result<Self, FileError> {
        let name = path.display().to_string();
        let io = |error| FileError::Io { file: name.clone(), error };
        let file = File::open(path).map_err(io)?;
        let metadata = file.metadata().map_err(io)?;
        if metadata.len() == 0 || !metadata.is_file() {
            return Err(FileError::Foreign(name));
        }
        #[expect(
            unsafe_code,
            reason = "a map is only unsound if the file changes under it; imports write aside and rename"
        )]
        let map = unsafe { memmap2::Mmap::map(&file) }.map_err(io)?;
        let opened = Self::from_bytes(name.clone(), Bytes::Mapped(map))?;
        for entry in opened.table.iter().filter(|it| WALKED.contains(&tag_name(&it.tag))) {
            if checksum_of(&file, entry.range.clone()).map_err(io)? != entry.checksum {
                return Err(FileError::Damaged {
                    file: name,
                    section: tag_name(&entry.tag).to_owned(),
                });
            }
        }
        Ok(opened)
    }

    /// Takes bytes that are part of the program.
    pub(crate) fn from_static(name: &str, bytes: &'static [u8]) -> Result<Self, FileError> {
        Self::from_bytes(name.to_owned(), Bytes::Static(bytes))
    }

    /// Takes bytes that were built in memory.
    pub(crate) fn from_vec(name: &str, bytes: Vec<u8>) -> Result<Self, FileError> {
        Self::from_bytes(name.to_owned(), Bytes::Owned(bytes))
    }

    fn from_bytes(name: String, bytes: Bytes) -> Result<Self, FileError> {
        let table = read_table(&name, bytes.as_slice())?;
        Ok(Self { name, bytes: Arc::new(bytes), table })
    }

    /// The section with this tag; an empty one if the file has none.
    pub(crate) fn section(&self, tag: &str) -> Section {
        let entry = self.table.iter().find(|entry| tag_name(&entry.tag) == tag);
        let range = entry.map_or(0..0, |entry| entry.range.clone());
        Section { bytes: Arc::clone(&self.bytes), range }
    }

    /// Reads every byte and compares the checksums.
    pub(crate) fn verify(&self) -> Result<(), FileError> {
        let bytes = self.bytes.as_slice();
        match self.table.iter().find(|entry| xxh3_64(&bytes[entry.range.clone()]) != entry.checksum)
        {
            Some(entry) => Err(FileError::Damaged {
                file: self.name.clone(),
                section: tag_name(&entry.tag).to_owned(),
            }),
            None => Ok(()),
        }
    }

    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    /// How many bytes each section has.
    pub(crate) fn sizes(&self) -> Vec<(String, usize)> {
        self.table.iter().map(|it| (tag_name(&it.tag).to_owned(), it.range.len())).collect()
    }

    /// The checksum of the header: it covers the checksums of all sections, so it names the content.
    pub(crate) fn fingerprint(&self) -> u64 {
        read_u64(self.bytes.as_slice(), 24)
    }
}

/// Writes sections as a file.
pub(crate) fn write(out: &mut impl Write, sections: &[(&str, Vec<u8>)]) -> io::Result<()> {
    let mut offset = HEADER + ENTRY * sections.len();
    let mut table = Vec::with_capacity(ENTRY * sections.len());
    for (tag, bytes) in sections {
        let mut padded = [0; 8];
        padded[..tag.len()].copy_from_slice(tag.as_bytes());
        table.extend_from_slice(&padded);
        table.extend_from_slice(&(offset as u64).to_le_bytes());
        table.extend_from_slice(&(bytes.len() as u64).to_le_bytes());
        table.extend_from_slice(&xxh3_64(bytes).to_le_bytes());
        offset += bytes.len();
    }

    let mut header = Vec::with_capacity(HEADER);
    header.extend_from_slice(MAGIC);
    header.extend_from_slice(&VERSION.to_le_bytes());
    header.extend_from_slice(&(sections.len() as u32).to_le_bytes());
    header.extend_from_slice(&(offset as u64).to_le_bytes());
    header.extend_from_slice(&header_checksum(&header, &table).to_le_bytes());

    out.write_all(&header)?;
    out.write_all(&table)?;
    sections.iter().try_for_each(|(_, bytes)| out.write_all(bytes))
}

/// The checksum of a part of a file, read past the memory map so that it does not become resident.
fn checksum_of(mut file: &File, range: Range<usize>) -> io::Result<u64> {
    file.seek(io::SeekFrom::Start(range.start as u64))?;
    let mut rest = file.take(range.len() as u64);
    let mut hash = Xxh3::new();
    let mut buffer = vec![0; 1 << 18];
    loop {
        match rest.read(&mut buffer)? {
            0 => return Ok(hash.digest()),
            count => hash.update(&buffer[..count]),
        }
    }
}

fn read_table(name: &str, bytes: &[u8]) -> Result<Vec<Entry>, FileError> {
    if bytes.len() < HEADER || &bytes[..8] != MAGIC {
        return Err(FileError::Foreign(name.to_owned()));
    }
    let version = read_u32(bytes, 8);
    if version != VERSION {
        return Err(FileError::Version { file: name.to_owned(), found: version });
    }
    let (expected, found) = (read_u64(bytes, 16), bytes.len() as u64);
    if expected != found {
        return Err(FileError::Torn { file: name.to_owned(), expected, found });
    }
    let damaged = || FileError::Damaged { file: name.to_owned(), section: "header".to_owned() };
    let count = read_u32(bytes, 12) as usize;
    let table = bytes.get(HEADER..HEADER + ENTRY * count.min(MOST_SECTIONS)).ok_or_else(damaged)?;
    if count > MOST_SECTIONS || header_checksum(&bytes[..24], table) != read_u64(bytes, 24) {
        return Err(damaged());
    }
    table.chunks_exact(ENTRY).map(|row| read_entry(row, bytes.len()).ok_or_else(damaged)).collect()
}

fn read_entry(row: &[u8], file_length: usize) -> Option<Entry> {
    let start = usize::try_from(read_u64(row, 8)).ok()?;
    let end = start.checked_add(usize::try_from(read_u64(row, 16)).ok()?)?;
    let tag = row[..8].try_into().ok()?;
    (end <= file_length).then_some(Entry { tag, range: start..end, checksum: read_u64(row, 24) })
}

fn header_checksum(header: &[u8], table: &[u8]) -> u64 {
    xxh3_64(&[&header[..24.min(header.len())], table].concat())
}

fn tag_name(tag: &[u8; 8]) -> &str {
    std::str::from_utf8(tag).unwrap_or("").trim_end_matches('\0')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample() -> Vec<u8> {
        let mut bytes = Vec::new();
        write(&mut bytes, &[("one", vec![1, 2, 3]), ("two", vec![4; 100])]).unwrap();
        bytes
    }

    #[track_caller]
    fn check(bytes: Vec<u8>, error: &str) {
        let opened = SectionFile::from_vec("my.gaz", bytes).and_then(|file| file.verify());
        assert_eq!(opened.unwrap_err().to_string(), error);
    }

    #[test]
    fn sections_are_read_back() {
        let file = SectionFile::from_vec("my.gaz", sample()).unwrap();
        assert_eq!(file.section("one").as_ref(), [1, 2, 3]);
        assert_eq!(file.section("two").len(), 100);
        assert_eq!(file.section("three").len(), 0);
        file.verify().unwrap();
    }

    #[test]
    fn a_foreign_file_is_refused() {
        let advice = "my.gaz is no gazetteer: make one with \"strabo gazetteer import\"";
        check(Vec::new(), advice);
        check(b"<html>".to_vec(), advice);
        check(vec![7; 5000], advice);
    }

    #[test]
    fn a_torn_file_is_refused() {
        let mut bytes = sample();
        bytes.pop();
        check(bytes, "my.gaz is torn: it should have 199 bytes and has 198: import it again");
    }

    #[test]
    fn another_format_is_refused() {
        let mut bytes = sample();
        bytes[8] = 99;
        check(bytes, "my.gaz has format 99, this program reads 1: import it again");
    }

    #[test]
    fn a_flipped_bit_is_found() {
        let mut bytes = sample();
        *bytes.last_mut().unwrap() ^= 1;
        check(bytes, "my.gaz is damaged in its part \"two\": import it again");
    }

    #[test]
    fn no_flipped_byte_in_the_header_breaks_the_reader() {
        for at in 0..HEADER + 2 * ENTRY {
            let mut bytes = sample();
            bytes[at] ^= 0x55;
            assert!(SectionFile::from_vec("my.gaz", bytes).is_err(), "byte {at} went unnoticed");
        }
    }
}
