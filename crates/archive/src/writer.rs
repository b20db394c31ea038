//! Writes the archive: records into files, file after file.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::path::{Path, PathBuf};
use std::thread::JoinHandle;
use std::time::Duration;

use jiff::Timestamp;

use crate::catalogue::{self, Growing};
use crate::failure::Failure;
use crate::files::{self, Numbered};
use crate::packed::{Packed, warcinfo};
use crate::position::Position;
use crate::tail::Tail;

/// A file that seems to be taken is looked at so often, with so much time between.
const LOOKS: u32 = 20;
const BETWEEN_LOOKS: Duration = Duration::from_millis(5);

/// How an archive is written, and what its files say about where they come from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settings {
    /// How the names of the files begin. Writers with different ones may share a folder.
    pub prefix: String,
    /// The size of a file, in bytes, that the next record must not exceed. A file has at least one.
    pub rotate_at: u64,
    /// The program that fetched, with its version.
    pub software: String,
    /// Who is responsible for it, and how to reach them.
    pub operator: String,
    /// What the program called itself towards servers.
    pub user_agent: String,
    /// What it did about robots.txt.
    pub robots: String,
}

impl Default for Settings {
    /// Files of one gigabyte, as the standard recommends, of a program that obeys robots.txt.
    fn default() -> Self {
        Self {
            prefix: "strabo".to_owned(),
            rotate_at: 1_000_000_000,
            software: concat!("strabo/", env!("CARGO_PKG_VERSION")).to_owned(),
            operator: String::new(),
            user_agent: String::new(),
            robots: "obey".to_owned(),
        }
    }
}

impl Settings {
    /// What the first record of a file says.
    fn fields(&self) -> Vec<(&str, &str)> {
        let fields = [
            ("software", self.software.as_str()),
            ("format", "WARC File Format 1.1"),
            (
                "conformsTo",
                "http://iipc.github.io/warc-specifications/specifications/warc-format/warc-1.1/",
            ),
            ("operator", &self.operator),
            ("http-header-user-agent", &self.user_agent),
            ("robots", &self.robots),
        ];
        fields.into_iter().filter(|it| !it.1.is_empty()).collect()
    }
}

/// Writes an archive, to which nobody else with the same prefix writes meanwhile.
pub struct Writer {
    pub(crate) folder: PathBuf,
    pub(crate) settings: Settings,
    pub(crate) current: Current,
    /// The one that sorts the catalogue of the file before.
    pub(crate) settling: Option<JoinHandle<()>>,
}

impl Writer {
    /// A writer that begins a new file in the folder, which is made if it is not there.
    ///
    /// What is there is left as it is. To go on after a crash there is [`Writer::resume`].
    pub fn open(folder: &Path, settings: &Settings) -> Result<Self, Failure> {
        files::check_prefix(&settings.prefix)?;
        fs::create_dir_all(folder).map_err(|error| Failure::write(folder, error))?;
        let last = files::numbered(folder, &settings.prefix)?.pop();
        if let Some(last) = &last {
            let path = folder.join(&last.name);
            lock(&File::open(&path).map_err(|error| Failure::read(&path, error))?, &path)?;
        }
        let number = last.map_or(1, |it| it.number + 1);
        Ok(Self {
            folder: folder.to_owned(),
            settings: settings.clone(),
            current: Current::create(folder, settings, number)?,
            settling: None,
        })
    }

    /// Appends the exchange, and tells where its first record begins: the response, if it has one.
    ///
    /// If that fails, the archive is as it was, and the same exchange may be appended later.
    pub fn append(&mut self, packed: &Packed) -> Result<Position, Failure> {
        if self.current.is_full(packed.size() as u64, self.settings.rotate_at) {
            self.rotate()?;
        }
        self.current.append(packed)
    }

    /// Where the next record will begin, unless it begins a new file.
    pub fn position(&self) -> Position {
        Position { file: self.current.name.clone(), offset: self.current.tail.end() }
    }

    /// What brings to the disk all that was appended until now, while others append more.
    pub fn flushing(&self) -> Result<Flushing, Failure> {
        let path = self.current.path.clone();
        match self.current.tail.file.try_clone() {
            Ok(file) => Ok(Flushing { file, path }),
            Err(error) => Err(Failure::write(&path, error)),
        }
    }

    /// Comes back when all that was appended is on the disk.
    pub fn sync(&mut self) -> Result<(), Failure> {
        self.current.sync()
    }

    fn rotate(&mut self) -> Result<(), Failure> {
        // Only the newest file may ever be torn.
        self.current.sync()?;
        let number = self.current.number + 1;
        let next = Current::create(&self.folder, &self.settings, number)?;
        let full = std::mem::replace(&mut self.current, next);
        self.settle(full);
        Ok(())
    }

    /// Sorts the catalogue of a full file, aside. A catalogue can be made anew, so that nobody is
    /// kept waiting or told if this fails.
    fn settle(&mut self, full: Current) {
        self.join();
        let folder = self.folder.clone();
        let name = full.name;
        let is_whole = full.growing.finish();
        let work = move || {
            let _ = if is_whole {
                catalogue::settle(&folder, &name)
            } else {
                catalogue::rebuild_part(&folder, &name, &mut |_| {})
            };
        };
        self.settling = std::thread::Builder::new().name("catalogue".to_owned()).spawn(work).ok();
    }

    pub(crate) fn join(&mut self) {
        if let Some(settling) = self.settling.take() {
            let _ = settling.join();
        }
    }
}

impl Drop for Writer {
    fn drop(&mut self) {
        self.current.growing.flush();
        self.join();
    }
}

/// A file that is on its way to the disk. It makes the writer's own [`Writer::sync`] short.
pub struct Flushing {
    file: File,
    path: PathBuf,
}

impl Flushing {
    /// Comes back when it is there.
    pub fn flush(&self) -> Result<(), Failure> {
        self.file.sync_data().map_err(|error| Failure::write(&self.path, error))
    }
}

/// The file that is being written.
pub(crate) struct Current {
    number: u64,
    pub(crate) name: String,
    path: PathBuf,
    tail: Tail<File>,
    pub(crate) growing: Growing,
    /// Where the record about the file ends.
    first: u64,
}

impl Current {
    pub(crate) fn create(folder: &Path, settings: &Settings, number: u64) -> Result<Self, Failure> {
        let date = Timestamp::now();
        let name = Numbered::new(&settings.prefix, date, number).name;
        let path = folder.join(&name);
        let failed = |error| Failure::write(&path, error);
        let file = OpenOptions::new().write(true).create_new(true).open(&path).map_err(failed)?;
        let mut tail = Tail::at(file, 0);
        let begun = lock(&tail.file, &path)
            .and_then(|()| tail.append(&warcinfo(&name, date, &settings.fields())).map_err(failed));
        if let Err(failure) = begun {
            // A file without records would be in the way of the next attempt.
            let _ = fs::remove_file(&path);
            return Err(failure);
        }
        // That the file is in its folder is to last, too, where the system can promise it.
        let _ = File::open(folder).and_then(|it| it.sync_all());
        let growing = Growing::create(&files::catalogue_of(folder, &name));
        let first = tail.end();
        Ok(Self { number, name, path, tail, growing, first })
    }

    /// A file with records up to `end`, to be gone on with; what is behind them is cut off.
    pub(crate) fn go_on(
        folder: &Path,
        settings: &Settings,
        file: Numbered,
        opened: File,
        end: u64,
        growing: Growing,
    ) -> Result<Self, Failure> {
        let path = folder.join(&file.name);
        let failed = |error| Failure::write(&path, error);
        let mut tail = Tail::at(opened, end);
        tail.mend().map_err(failed)?;
        if end == 0 {
            let first = warcinfo(&file.name, Timestamp::now(), &settings.fields());
            tail.append(&first).map_err(failed)?;
        }
        // The length of its first record is not known, and no new file is begun for the first.
        Ok(Self { number: file.number, name: file.name, path, tail, growing, first: 0 })
    }

    /// Whether so many bytes more would be too much.
    fn is_full(&self, more: u64, rotate_at: u64) -> bool {
        self.tail.end() > self.first && self.tail.end() + more > rotate_at
    }

    fn append(&mut self, packed: &Packed) -> Result<Position, Failure> {
        let offset =
            self.tail.append(packed.bytes()).map_err(|error| Failure::write(&self.path, error))?;
        if let Some(draft) = packed.draft() {
            self.growing.add(draft, offset, &self.name);
        }
        Ok(Position { file: self.name.clone(), offset })
    }

    fn sync(&mut self) -> Result<(), Failure> {
        let failed = |error| Failure::write(&self.path, error);
        self.tail.mend().map_err(failed)?;
        self.tail.file.sync_data().map_err(failed)?;
        if is_removed(&self.tail.file) {
            return Err(Failure::Removed { path: self.path.clone() });
        }
        self.growing.flush();
        Ok(())
    }
}

/// Keeps the file from other writers as long as it is open. Not every file system can do that.
///
/// A program that is just being started has the files of its parent for a moment, and with them their locks: what seems
/// to be taken is looked at again before that is believed.
pub(crate) fn lock(file: &File, path: &Path) -> Result<(), Failure> {
    for _ in 0..LOOKS {
        match file.try_lock() {
            Err(TryLockError::WouldBlock) => std::thread::sleep(BETWEEN_LOOKS),
            Ok(()) | Err(TryLockError::Error(_)) => return Ok(()),
        }
    }
    Err(Failure::Taken { path: path.to_owned() })
}

/// Whether the open file has no name any more.
#[cfg(unix)]
fn is_removed(file: &File) -> bool {
    use std::os::unix::fs::MetadataExt;
    file.metadata().is_ok_and(|it| it.nlink() == 0)
}

#[cfg(not(unix))]
fn is_removed(_: &File) -> bool {
    false
}
