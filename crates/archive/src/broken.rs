//! What could not be read, and why.

use std::fmt;
use std::io;
use std::path::PathBuf;

/// A stretch of the file that gave no record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Broken {
    /// Where the trouble begins in the file; in a packed file, the member in which it begins.
    pub offset: u64,
    /// Where reading goes on, counted alike; nothing if no further record was found.
    pub resumes: Option<u64>,
    /// What is wrong.
    pub reason: String,
}

impl fmt::Display for Broken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "byte {}: {}; ", self.offset, self.reason)?;
        match self.resumes {
            Some(offset) => write!(f, "reading goes on at byte {offset}"),
            None => write!(f, "no further record found"),
        }
    }
}

impl std::error::Error for Broken {}

/// Why an archive could not be opened.
#[derive(Debug, thiserror::Error)]
#[error("{} cannot be read: {error}", path.display())]
pub struct Error {
    /// The file.
    pub path: PathBuf,
    /// What the system said.
    #[source]
    pub error: io::Error,
}
