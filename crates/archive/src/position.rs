//! Places in an archive.

use std::fmt;
use std::fs::File;
use std::io::{Seek, SeekFrom};
use std::path::{Component, Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::failure::Failure;
use crate::record::Record;
use crate::records::{Limits, Records};

/// A place in an archive: where a record begins, or will begin.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Position {
    /// The name of the file, without its folder.
    pub file: String,
    /// How many bytes of the file are before it.
    pub offset: u64,
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} at byte {}", self.file, self.offset)
    }
}

impl Position {
    /// The file in the folder. Positions are read from files that anybody may have written, so that
    /// a name which leads out of the folder is refused.
    pub(crate) fn path(&self, folder: &Path) -> Result<PathBuf, Failure> {
        let mut components = Path::new(&self.file).components();
        match (components.next(), components.next()) {
            (Some(Component::Normal(name)), None) if name == self.file.as_str() => {
                Ok(folder.join(name))
            }
            _ => Err(Failure::Name { name: self.file.clone() }),
        }
    }
}

/// The record that begins at the position. Its body is kept up to 16 MB.
pub fn read_at(folder: &Path, position: &Position) -> Result<Record, Failure> {
    read_within(Limits::default(), folder, position)
}

/// The same with other limits.
pub fn read_within(limits: Limits, folder: &Path, position: &Position) -> Result<Record, Failure> {
    let path = position.path(folder)?;
    let mut file = File::open(&path).map_err(|error| Failure::read(&path, error))?;
    file.seek(SeekFrom::Start(position.offset)).map_err(|error| Failure::read(&path, error))?;
    let reason = match Records::new(file).with_limits(limits).next() {
        Some(Ok(record)) if record.offset == 0 => {
            return Ok(Record { offset: position.offset, ..record });
        }
        Some(Ok(_)) => "no record begins there".to_owned(),
        Some(Err(broken)) => broken.reason,
        None => "the file ends there".to_owned(),
    };
    Err(Failure::Damaged { path, offset: position.offset, reason })
}
