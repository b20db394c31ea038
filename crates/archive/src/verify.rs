//! Checks an archive: whether all of it can be read, and is what was written.

use std::fs;
use std::path::{Path, PathBuf};

use crate::broken::Broken;
use crate::catalogue::Progress;
use crate::failure::Failure;
use crate::files;
use crate::position::Position;
use crate::records::{self, Limits};

/// How much of a record is kept to take its digest. No page that we fetch is as large.
const LARGEST: usize = 64 << 20;
/// So many places are told of each kind of trouble; of the others only how many there are.
const MOST_TOLD: usize = 1000;

/// What checking an archive found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Verified {
    /// How many files there are.
    pub files: u64,
    /// How many records could be read.
    pub records: u64,
    /// How many bytes the files have.
    pub bytes: u64,
    /// How many records have the digests that they state.
    pub agreeing: u64,
    /// How many records state no digest that we know, or are too large to check it.
    pub unstated: u64,
    /// How many records have another digest than they state.
    pub disagreeing: u64,
    /// Where the first thousand of these are.
    pub disagreements: Vec<Position>,
    /// How many stretches could not be read.
    pub broken: u64,
    /// The first thousand of these, with the file in which they are.
    pub breaks: Vec<(String, Broken)>,
    /// The files that end with something that is no record, as one does whose writer was killed,
    /// and where that begins. [`crate::Writer::resume`] cuts it off.
    pub torn: Vec<Position>,
}

impl Verified {
    /// Whether nothing is wrong.
    pub fn is_whole(&self) -> bool {
        self.disagreeing == 0 && self.broken == 0 && self.torn.is_empty()
    }
}

/// Checks every record of a file, or of all files in a folder.
pub fn verify(path: &Path, watch: &mut dyn FnMut(Progress)) -> Result<Verified, Failure> {
    let paths: Vec<PathBuf> = if path.is_dir() {
        files::archives(path)?.iter().map(|it| path.join(it)).collect()
    } else {
        vec![path.to_owned()]
    };
    let size = |path: &PathBuf| fs::metadata(path).map_or(0, |it| it.len());
    let mut progress = Progress { done: 0, total: paths.iter().map(size).sum() };
    let mut verified = Verified::default();
    for path in &paths {
        let before = progress.done;
        verified.take_file(path, &mut |done| {
            progress.done = before + done;
            watch(progress);
        })?;
        progress.done = before + size(path);
    }
    Ok(verified)
}

impl Verified {
    fn take_file(&mut self, path: &Path, watch: &mut dyn FnMut(u64)) -> Result<(), Failure> {
        let records = records::open(path).map_err(|it| Failure::read(&it.path, it.error))?;
        self.files += 1;
        self.bytes += records.size().unwrap_or(0);
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let mut records = records.with_limits(Limits { body: LARGEST });
        while let Some(item) = records.next() {
            watch(records.position());
            match item {
                Ok(record) => {
                    self.records += 1;
                    match record.digest_agrees() {
                        Some(true) => self.agreeing += 1,
                        None => self.unstated += 1,
                        Some(false) => {
                            self.disagreeing += 1;
                            if self.disagreements.len() < MOST_TOLD {
                                let offset = record.offset;
                                self.disagreements.push(Position { file: name.clone(), offset });
                            }
                        }
                    }
                }
                Err(broken) => self.take_broken(&name, broken),
            }
        }
        Ok(())
    }

    fn take_broken(&mut self, name: &str, broken: Broken) {
        if broken.resumes.is_none() {
            self.torn.push(Position { file: name.to_owned(), offset: broken.offset });
            return;
        }
        self.broken += 1;
        if self.breaks.len() < MOST_TOLD {
            self.breaks.push((name.to_owned(), broken));
        }
    }
}
