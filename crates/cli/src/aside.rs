//! Files that are replaced only when the new one is complete.

use std::fs::{self, File};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

/// Lets `write` fill a file aside, then puts it in the place of the old one.
///
/// Whatever happens before, the old file is as it was; what was written aside is removed.
pub(crate) fn replace<T>(path: &Path, write: impl FnOnce(&Path, File) -> Result<T>) -> Result<T> {
    let mut aside = path.as_os_str().to_owned();
    aside.push(".aside");
    let aside = PathBuf::from(aside);
    let file = File::create(&aside).with_context(|| format!("{}", aside.display()))?;
    let written = write(&aside, file).and_then(|written| {
        File::open(&aside)?.sync_all()?;
        fs::rename(&aside, path)?;
        Ok(written)
    });
    if written.is_err() {
        // It is of no use to anybody; that it cannot be removed either is not worth a second complaint.
        let _ = fs::remove_file(&aside);
    }
    written.with_context(|| format!("{}", path.display()))
}
