//! The library: a directory of generations, one of them current.

use std::fs::File;
use std::path::{Path, PathBuf};

use gazetteer::Gazetteer;

use crate::build::{Order, Progress, Report, build};
use crate::error::Error;
use crate::generation::{Generation, Manifest};

/// Holds the name of the current generation.
const CURRENT: &str = "current";
/// Held by whoever writes.
const LOCK: &str = "lock";
/// Before a generation is whole, its directory starts so.
const BUILDING: &str = "building-";
const GENERATION: &str = "generation-";

/// A directory of generations, one of them current.
#[derive(Clone, Debug)]
pub struct Library {
    directory: PathBuf,
}

impl Library {
    /// The library in a directory. Nothing is read or made yet.
    pub fn at(directory: impl Into<PathBuf>) -> Self {
        Self { directory: directory.into() }
    }

    /// Where it is.
    pub fn directory(&self) -> &Path {
        &self.directory
    }

    /// The number of the current generation.
    pub fn current_number(&self) -> Result<u64, Error> {
        let name = std::fs::read_to_string(self.directory.join(CURRENT)).map_err(|error| {
            if error.kind() == std::io::ErrorKind::NotFound {
                Error::NoIndex(self.directory.clone())
            } else {
                error.into()
            }
        })?;
        number_of(name.trim()).ok_or_else(|| {
            Error::Damaged(CURRENT.to_owned(), format!("it says \"{}\"", name.trim()))
        })
    }

    /// Opens the current generation.
    pub fn open(&self, gazetteer: &Gazetteer) -> Result<Generation, Error> {
        Generation::open(&self.generation(self.current_number()?), gazetteer)
    }

    /// What is in the current generation.
    pub fn manifest(&self) -> Result<Manifest, Error> {
        Manifest::read(&self.generation(self.current_number()?))
    }

    /// What is in the current generation, or in the latest if that cannot be told.
    fn latest_manifest(&self) -> Result<Manifest, Error> {
        self.manifest().or_else(|error| {
            let latest = self.generations()?.last().copied().ok_or(error)?;
            Manifest::read(&self.generation(latest))
        })
    }

    fn generation(&self, number: u64) -> PathBuf {
        self.directory.join(format!("{GENERATION}{number:06}"))
    }

    /// The numbers of all whole generations, in order.
    pub fn generations(&self) -> Result<Vec<u64>, Error> {
        let mut numbers = Vec::new();
        for entry in std::fs::read_dir(&self.directory)? {
            numbers.extend(number_of(&entry?.file_name().to_string_lossy()));
        }
        numbers.sort_unstable();
        Ok(numbers)
    }

    /// Indexes what the order says, aside, and makes the new generation current when it is whole.
    ///
    /// At whatever moment it is killed, the current generation stays as it is.
    pub fn index(
        &self,
        gazetteer: &Gazetteer,
        order: &Order,
        watch: &mut dyn FnMut(&Progress),
    ) -> Result<Report, Error> {
        std::fs::create_dir_all(&self.directory)?;
        let _lock = self.lock()?;
        self.sweep()?;
        let mut order = order.clone();
        let base = match self.open(gazetteer) {
            Ok(base) => Some(base),
            Err(Error::NoIndex(_)) => None,
            // A full build needs nothing of the old index but the list of what was in it.
            Err(_) if order.is_full => None,
            Err(error) => return Err(error),
        };
        if order.sources.is_empty() {
            order.sources = self.latest_manifest().map(|it| it.named).unwrap_or_default();
            order.is_remembered = true;
        }
        if order.sources.is_empty() {
            return Err(Error::NoSources);
        }
        let number = self.generations()?.last().copied().unwrap_or(0) + 1;
        let aside = self.directory.join(format!("{BUILDING}{number:06}"));
        std::fs::create_dir(&aside)?;
        let built = build(&aside, number, gazetteer, base.as_ref(), &order, watch);
        let (manifest, report) = match built {
            Ok(built) => built,
            Err(error) => {
                std::fs::remove_dir_all(&aside)?;
                return Err(error);
            }
        };
        let Some(mut manifest) = manifest else {
            std::fs::remove_dir_all(&aside)?;
            return Ok(report);
        };
        manifest.made = jiff::Timestamp::now().as_second();
        manifest.write(&aside)?;
        // It must open before anybody is sent there.
        Generation::open(&aside, gazetteer)?;
        std::fs::rename(&aside, self.generation(number))?;
        self.sync()?;
        let before = self.current_number().ok();
        self.point_to(number)?;
        self.prune(&[Some(number), before])?;
        Ok(report)
    }

    /// Makes the generation before the current one current again.
    pub fn rollback(&self) -> Result<u64, Error> {
        let _lock = self.lock()?;
        // Where nobody knows which one is current, the latest is the one to go back to.
        let current = self.current_number().unwrap_or(u64::MAX);
        let earlier = self.generations()?.into_iter().rfind(|it| *it < current);
        let earlier = earlier.ok_or(Error::NoEarlier(current))?;
        self.point_to(earlier)?;
        Ok(earlier)
    }

    /// One rename decides which generation is current.
    fn point_to(&self, number: u64) -> Result<(), Error> {
        let aside = self.directory.join(format!("{CURRENT}.tmp"));
        std::fs::write(&aside, format!("{GENERATION}{number:06}\n"))?;
        File::open(&aside)?.sync_all()?;
        std::fs::rename(&aside, self.directory.join(CURRENT))?;
        self.sync()
    }

    /// Removes all generations but those to keep. Who still reads one keeps its files until done.
    fn prune(&self, keep: &[Option<u64>]) -> Result<(), Error> {
        for number in self.generations()?.into_iter().filter(|it| !keep.contains(&Some(*it))) {
            std::fs::remove_dir_all(self.generation(number))?;
        }
        Ok(())
    }

    /// Removes what a killed build left behind.
    fn sweep(&self) -> Result<(), Error> {
        for entry in std::fs::read_dir(&self.directory)? {
            let entry = entry?;
            if entry.file_name().to_string_lossy().starts_with(BUILDING) {
                std::fs::remove_dir_all(entry.path())?;
            }
        }
        Ok(())
    }

    fn lock(&self) -> Result<File, Error> {
        let file = File::create(self.directory.join(LOCK))?;
        match file.try_lock() {
            Ok(()) => Ok(file),
            Err(std::fs::TryLockError::WouldBlock) => Err(Error::Busy(self.directory.clone())),
            Err(std::fs::TryLockError::Error(error)) => Err(error.into()),
        }
    }

    fn sync(&self) -> Result<(), Error> {
        Ok(File::open(&self.directory)?.sync_all()?)
    }
}

fn number_of(name: &str) -> Option<u64> {
    name.strip_prefix(GENERATION)?.parse().ok()
}
