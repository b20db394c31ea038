//! Why an archive could not be written, or gone on with.

use std::io;
use std::path::{Path, PathBuf};

use crate::position::Position;

/// Why an archive could not be written, or gone on with.
#[derive(Debug, thiserror::Error)]
pub enum Failure {
    /// A file or folder could not be read.
    #[error("{} cannot be read: {error}", path.display())]
    Read {
        /// Which one.
        path: PathBuf,
        /// What the system said.
        #[source]
        error: io::Error,
    },
    /// A file or folder could not be made or written to. The archive is as it was before.
    #[error("{} cannot be written to: {error}; what was written before is whole", path.display())]
    Write {
        /// Which one.
        path: PathBuf,
        /// What the system said.
        #[source]
        error: io::Error,
    },
    /// Another program writes to the file.
    #[error("another program writes to {}: end it or choose another prefix", path.display())]
    Taken {
        /// Which one.
        path: PathBuf,
    },
    /// The file is not there any more, so that what is written to it is lost.
    #[error("{} was removed while it was written to", path.display())]
    Removed {
        /// Which one.
        path: PathBuf,
    },
    /// There is something in a file that is no record.
    #[error("{} is damaged at byte {offset}: {reason}; move it away or mend it", path.display())]
    Damaged {
        /// Which one.
        path: PathBuf,
        /// Where the record begins that cannot be read.
        offset: u64,
        /// What is wrong.
        reason: String,
    },
    /// The archive ends before the place that is remembered.
    #[error("the archive in {} does not reach to {position}: files of it are missing", folder.display())]
    Short {
        /// Where the archive is.
        folder: PathBuf,
        /// The place that is remembered.
        position: Position,
    },
    /// A name that is not one of a file in the folder.
    #[error(
        "\"{name}\" is no name of a file in the archive: letters, digits, dots, - and _ make one"
    )]
    Name {
        /// The name.
        name: String,
    },
}

impl Failure {
    pub(crate) fn read(path: &Path, error: io::Error) -> Self {
        Self::Read { path: path.to_owned(), error }
    }

    pub(crate) fn write(path: &Path, error: io::Error) -> Self {
        Self::Write { path: path.to_owned(), error }
    }
}
