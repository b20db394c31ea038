//! What can go wrong with a frontier.

use std::path::PathBuf;

/// Why a frontier cannot be opened or go on.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// Another process has it open.
    #[error("{0} is in use by another process: wait for it to end, or stop it")]
    InUse(PathBuf),
    /// It was written by another version.
    #[error(
        "{path} has format {found}, this program reads {expected}: begin the crawl anew in another folder"
    )]
    Format {
        /// Where it lies.
        path: PathBuf,
        /// The format that it has.
        found: u32,
        /// The format that this program reads.
        expected: u32,
    },
    /// The disk or the file fails.
    #[error("the frontier cannot be read or written: {0}")]
    Storage(#[from] redb::Error),
    /// A commit failed before.
    #[error(
        "the frontier could not be written before: open it again, it is as it was at its last commit"
    )]
    Halted,
    /// A record of it makes no sense.
    #[error("the frontier has a record that cannot be read ({0}): its file is damaged")]
    Record(#[from] postcard::Error),
}

macro_rules! storage {
    ($($kind:ty),*) => { $(
        impl From<$kind> for Error {
            fn from(error: $kind) -> Self {
                Self::Storage(error.into())
            }
        }
    )* };
}

storage!(redb::StorageError, redb::TableError, redb::TransactionError, redb::CommitError);
