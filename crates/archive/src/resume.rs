//! Goes on with an archive whose writer was killed.

use std::fs::{File, OpenOptions};
use std::io::{Seek, SeekFrom};
use std::path::Path;

use crate::catalogue::{self, Growing};
use crate::entry::Draft;
use crate::failure::Failure;
use crate::files::{self, Numbered};
use crate::members::{Members, Next};
use crate::position::Position;
use crate::record::Record;
use crate::writer::{Current, Settings, Writer, lock};

impl Writer {
    /// A writer that goes on where the last one with this prefix ended, however it ended.
    ///
    /// Every whole record behind the position is given to `each` with its place, in the order of
    /// writing; without a position, every record. A record that was only half written is cut off.
    /// Other damage behind the position is an error, and nothing is changed.
    pub fn resume(
        folder: &Path,
        settings: &Settings,
        after: Option<&Position>,
        mut each: impl FnMut(Position, Record),
    ) -> Result<Self, Failure> {
        files::check_prefix(&settings.prefix)?;
        if after.is_none() && !folder.exists() {
            return Self::open(folder, settings);
        }
        let mut older = files::numbered(folder, &settings.prefix)?;
        let short = |position: &Position| Failure::Short {
            folder: folder.to_owned(),
            position: position.clone(),
        };
        let first = match after {
            None => 0,
            Some(it) => {
                older.iter().position(|file| file.name == it.file).ok_or_else(|| short(it))?
            }
        };
        let Some(newest) = older.pop() else { return Self::open(folder, settings) };
        let path = folder.join(&newest.name);
        let mut opened = OpenOptions::new()
            .read(true)
            .write(true)
            .open(&path)
            .map_err(|error| Failure::write(&path, error))?;
        lock(&opened, &path)?;

        let from =
            |file: &Numbered| after.filter(|it| it.file == file.name).map_or(0, |it| it.offset);
        for file in older.iter().skip(first) {
            let mut opened = open(folder, file)?;
            read(folder, file, &mut opened, from(file), &mut |record, _| {
                each(Position { file: file.name.clone(), offset: record.offset }, record);
            })
            .and_then(|end| end.whole(folder, file))?;
        }
        let start = from(&newest);
        let size = opened.metadata().map_err(|error| Failure::read(&path, error))?.len();
        if start > size {
            return Err(short(&Position { file: newest.name, offset: start }));
        }
        let (mut growing, listed) =
            Growing::resume(&files::catalogue_of(folder, &newest.name), size);
        let end = read(folder, &newest, &mut opened, start.min(listed), &mut |record, next| {
            let offset = record.offset;
            if offset >= listed
                && let Some(draft) = Draft::of(&record, next - offset)
            {
                growing.add(&draft, offset, &newest.name);
            }
            if offset >= start {
                each(Position { file: newest.name.clone(), offset }, record);
            }
        })?;
        let end = end.or_torn();
        let current = Current::go_on(folder, settings, newest, opened, end, growing)?;
        let mut writer =
            Self { folder: folder.to_owned(), settings: settings.clone(), current, settling: None };
        writer.settle_all(older);
        Ok(writer)
    }

    /// Sorts the catalogues that were not sorted when the last writer ended.
    fn settle_all(&mut self, full: Vec<Numbered>) {
        let folder = self.folder.clone();
        let work = move || {
            for file in full {
                // A catalogue can be made anew, so that nobody needs to be told.
                let _ = catalogue::settle(&folder, &file.name);
            }
        };
        self.settling = std::thread::Builder::new().name("catalogue".to_owned()).spawn(work).ok();
    }
}

/// How a file ends.
enum End {
    /// Behind the last record.
    Whole(u64),
    /// Within a record that begins there.
    Torn(u64),
}

impl End {
    fn or_torn(self) -> u64 {
        match self {
            Self::Whole(end) | Self::Torn(end) => end,
        }
    }

    /// Only the newest file may be torn: the others were on the disk before it was begun.
    fn whole(self, folder: &Path, file: &Numbered) -> Result<(), Failure> {
        match self {
            Self::Whole(_) => Ok(()),
            Self::Torn(offset) => Err(Failure::Damaged {
                path: folder.join(&file.name),
                offset,
                reason: "the file ends within a record, though it is not the newest".to_owned(),
            }),
        }
    }
}

fn open(folder: &Path, file: &Numbered) -> Result<File, Failure> {
    let path = folder.join(&file.name);
    File::open(&path).map_err(|error| Failure::read(&path, error))
}

/// Gives every record from the offset on, and where the next one begins.
fn read(
    folder: &Path,
    file: &Numbered,
    opened: &mut File,
    from: u64,
    each: &mut dyn FnMut(Record, u64),
) -> Result<End, Failure> {
    let path = folder.join(&file.name);
    let failed = |error| Failure::read(&path, error);
    opened.seek(SeekFrom::Start(from)).map_err(failed)?;
    let mut members = Members::new(opened, from);
    let mut end = from;
    loop {
        match members.next().map_err(failed)? {
            Next::Record(record, next) => {
                end = next;
                each(*record, next);
            }
            Next::End => return Ok(End::Whole(end)),
            Next::Torn(offset) => return Ok(End::Torn(offset)),
            Next::Damaged(offset, reason) => return Err(Failure::Damaged { path, offset, reason }),
        }
    }
}
