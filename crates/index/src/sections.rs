//! A file of numbered sections: tables that are read where they lie.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;

use tantivy::directory::{Directory, MmapDirectory, OwnedBytes};
use zerocopy::{FromBytes, Immutable, IntoBytes, KnownLayout};

use crate::error::Error;

const MAGIC: &[u8; 8] = b"STRABOIX";

/// Writes sections one behind the other; the directory of sections comes last.
pub(crate) struct SectionsWriter {
    file: BufWriter<File>,
    at: u64,
    ends: Vec<(u64, u64)>,
}

impl SectionsWriter {
    pub(crate) fn create(path: &Path) -> io::Result<Self> {
        let mut file = BufWriter::with_capacity(1 << 20, File::create(path)?);
        file.write_all(MAGIC)?;
        Ok(Self { file, at: 8, ends: Vec::new() })
    }

    /// Appends a section of rows that are the same in memory and in the file.
    pub(crate) fn rows<T: IntoBytes + Immutable>(&mut self, rows: &[T]) -> io::Result<()> {
        self.bytes(rows.as_bytes())
    }

    pub(crate) fn bytes(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.file.write_all(bytes)?;
        self.ends.push((self.at, bytes.len() as u64));
        self.at += bytes.len() as u64;
        Ok(())
    }

    /// Writes the directory, and does not return before it is all on the disk.
    pub(crate) fn finish(mut self) -> io::Result<()> {
        for (start, length) in &self.ends {
            self.file.write_all(&start.to_le_bytes())?;
            self.file.write_all(&length.to_le_bytes())?;
        }
        self.file.write_all(&(self.ends.len() as u64).to_le_bytes())?;
        self.file.into_inner().map_err(io::IntoInnerError::into_error)?.sync_all()
    }
}

/// A file of sections, mapped into memory.
pub(crate) struct Sections {
    name: String,
    bytes: OwnedBytes,
    ends: Vec<(usize, usize)>,
}

impl Sections {
    /// Opens a file of at least so many sections.
    pub(crate) fn open(directory: &MmapDirectory, name: &str, least: usize) -> Result<Self, Error> {
        let bytes = directory
            .open_read(Path::new(name))
            .map_err(|error| Error::Damaged(name.to_owned(), error.to_string()))?
            .read_bytes()?;
        let ends = Self::directory(&bytes)
            .filter(|it| it.len() >= least)
            .ok_or_else(|| Error::Damaged(name.to_owned(), "its directory is torn".to_owned()))?;
        Ok(Self { name: name.to_owned(), bytes, ends })
    }

    fn directory(bytes: &[u8]) -> Option<Vec<(usize, usize)>> {
        let number = |at: usize| {
            let bytes = bytes.get(at..at.checked_add(8)?)?;
            usize::try_from(u64::from_le_bytes(bytes.try_into().ok()?)).ok()
        };
        if !bytes.starts_with(MAGIC) {
            return None;
        }
        let count = number(bytes.len().checked_sub(8)?)?;
        let first = bytes.len().checked_sub(8)?.checked_sub(count.checked_mul(16)?)?;
        let entry = |it: usize| {
            let (start, length) = (number(first + 16 * it)?, number(first + 16 * it + 8)?);
            (start >= 8 && start.checked_add(length)? <= first).then_some((start, length))
        };
        (0..count).map(entry).collect()
    }

    /// A section as it lies in the file.
    pub(crate) fn bytes(&self, number: usize) -> OwnedBytes {
        let (start, length) = self.ends[number];
        self.bytes.slice(start..start + length)
    }

    /// A section of rows, checked once to be whole rows.
    pub(crate) fn rows<T: FromBytes + Immutable + KnownLayout + zerocopy::Unaligned>(
        &self,
        number: usize,
    ) -> Result<Rows<T>, Error> {
        let bytes = self.bytes(number);
        match <[T]>::ref_from_bytes(&bytes) {
            Ok(_) => Ok(Rows { bytes, row: std::marker::PhantomData }),
            Err(_) => Err(Error::Damaged(
                self.name.clone(),
                format!("section {number} has {} bytes, which are no whole rows", bytes.len()),
            )),
        }
    }
}

/// Rows of a mapped section.
pub(crate) struct Rows<T> {
    bytes: OwnedBytes,
    row: std::marker::PhantomData<T>,
}

impl<T: FromBytes + Immutable + KnownLayout + zerocopy::Unaligned> std::ops::Deref for Rows<T> {
    type Target = [T];

    #[inline]
    fn deref(&self) -> &[T] {
        <[T]>::ref_from_bytes(&self.bytes).expect("the section was checked to be whole rows")
    }
}
