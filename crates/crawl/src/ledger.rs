//! The log of judgements: one line of JSON for every answer.

use std::fs::{File, OpenOptions};
use std::io::{BufWriter, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use serde::Serialize;

use crate::error::Error;

/// One line of the log.
#[derive(Debug, Serialize)]
pub(crate) struct Line<'a> {
    pub(crate) url: &'a str,
    /// When it was fetched.
    pub(crate) at: String,
    /// The status of the answer; 0 if there was none.
    pub(crate) status: u16,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) error: Option<&'a str>,
    /// Whether it is what the crawl looks for; null if it looks for nothing in particular.
    pub(crate) relevant: Option<bool>,
    /// The keys of the places it is about.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) places: Vec<&'a str>,
    pub(crate) priority: f32,
    /// Why it had this priority.
    pub(crate) reason: String,
    pub(crate) depth: u16,
    /// The page on which it was found.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) via: Option<&'a str>,
    /// The page with the same content that was there before.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) duplicate_of: Option<&'a str>,
}

/// The file, and how long it is.
pub(crate) struct Ledger {
    path: PathBuf,
    file: BufWriter<File>,
    length: u64,
}

impl Ledger {
    /// Opens the file as it was when it was so long; what came later is told again.
    pub(crate) fn open(path: &Path, length: u64) -> Result<Self, Error> {
        let open = || {
            let options = OpenOptions::new().create(true).truncate(false).write(true).open(path);
            let mut file = options?;
            let length = length.min(file.metadata()?.len());
            file.set_len(length)?;
            file.seek(SeekFrom::Start(length))?;
            Ok((file, length))
        };
        let (file, length) = open().map_err(Error::file(path))?;
        Ok(Self { path: path.to_owned(), file: BufWriter::new(file), length })
    }

    /// Writes a line.
    pub(crate) fn write(&mut self, line: &Line<'_>) -> Result<(), Error> {
        let mut text = serde_json::to_vec(line).map_err(|error| self.failed(error.into()))?;
        text.push(b'\n');
        self.file.write_all(&text).map_err(|error| self.failed(error))?;
        self.length += text.len() as u64;
        Ok(())
    }

    /// Comes back when all lines are on the disk, and tells how long the file is.
    pub(crate) fn flush(&mut self) -> Result<u64, Error> {
        let flushed = self.file.flush().and_then(|()| self.file.get_ref().sync_data());
        flushed.map_err(|error| self.failed(error))?;
        Ok(self.length)
    }

    fn failed(&self, error: std::io::Error) -> Error {
        Error::File { path: self.path.clone(), error }
    }
}
