//! Where the data of a demonstration is: in a folder that goes away, or in one that stays.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use tempfile::TempDir;

use super::crawling::NAME;

/// The folder of a demonstration's data.
pub(super) enum Folder {
    /// It goes away with the demonstration.
    Passing(TempDir),
    /// It stays.
    Kept(PathBuf),
}

impl Folder {
    /// The given folder, which must be empty or of an earlier demonstration, or a new one.
    pub(super) fn new(given: Option<&Path>) -> Result<Self> {
        let Some(path) = given else {
            let folder = tempfile::Builder::new().prefix("strabo-demo-").tempdir();
            let folder = folder.context("cannot make a temporary folder: name one with --data")?;
            return Ok(Self::Passing(folder));
        };
        let is_empty = match path.read_dir() {
            Ok(mut entries) => entries.next().is_none(),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => true,
            Err(error) => return Err(error).with_context(|| format!("{}", path.display())),
        };
        // Pages that somebody has crawled do not belong among invented ones.
        if !is_empty && !path.join("tasks").join(NAME).is_dir() {
            bail!(
                "{} has other things in it: give --data a new or an empty directory",
                path.display()
            );
        }
        Ok(Self::Kept(std::path::absolute(path)?))
    }

    pub(super) fn path(&self) -> &Path {
        match self {
            Self::Passing(folder) => folder.path(),
            Self::Kept(path) => path,
        }
    }

    /// Where the data is, in a sentence.
    pub(super) fn remark(&self) -> String {
        let path = self.path().display();
        match self {
            Self::Passing(_) => format!(
                "Archive and index are in {path}, which is removed at the end; --data DIR keeps them."
            ),
            Self::Kept(_) => format!("Archive and index are in {path}."),
        }
    }

    /// What else may be asked of data that stays.
    pub(super) fn hint(&self) -> String {
        match self {
            Self::Passing(_) => String::new(),
            Self::Kept(path) => format!(
                "  The data stays. For example: strabo search --data {0} \"cafés in Helsinki\"\n",
                path.display()
            ),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_with_other_things_is_left_alone() {
        let folder = tempfile::tempdir().expect("a folder");
        assert!(Folder::new(Some(folder.path())).is_ok());
        std::fs::write(folder.path().join("thesis.txt"), "dear").expect("a file");
        let told = Folder::new(Some(folder.path())).err().expect("it is refused").to_string();
        assert!(told.ends_with("give --data a new or an empty directory"), "{told}");
        std::fs::create_dir_all(folder.path().join("tasks").join(NAME)).expect("a folder");
        assert!(Folder::new(Some(folder.path())).is_ok());
    }

    #[test]
    fn a_temporary_folder_goes_away() {
        let folder = Folder::new(None).expect("a folder");
        let path = folder.path().to_owned();
        assert!(path.is_dir());
        drop(folder);
        assert!(!path.exists());
    }
}
