//! The catalogue of an archive: which answers it has, and where.
//!
//! Beside every file lies its part of the catalogue, in the format CDXJ: a line for each answer with
//! the URL turned round, the time and a JSON object. While a file is written, its lines stand in the
//! order of the file; when it is full, they are sorted, and the first line says so. What is lost of
//! a catalogue can always be made anew from the archive.

use std::cmp::{Ordering, Reverse};
use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, BufWriter, Read, Seek, SeekFrom, Write};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use crate::entry::{Draft, Entry};
use crate::failure::Failure;
use crate::files;
use crate::headers::LONGEST;
use crate::record::Record;
use crate::records::{self, Limits};
use crate::sorter::Sorter;
use crate::surt::surt;

/// The first line of a catalogue that is sorted. Headers of CDXJ begin so.
const SORTED: &[u8] = b"!meta {\"sorted\":true}\n";
/// The longest line that is read: a URL of 16 KB, escaped, and its key.
const LONGEST_LINE: u64 = 256 * 1024;
/// The largest catalogue that is looked through in memory. A file of a gigabyte has some 150 MB of lines.
const LARGEST: u64 = 2 << 30;
/// Lines so near to each other are looked through one by one.
const NEAR: u64 = 16 * 1024;

/// How far work on an archive has come, in bytes of its files.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Progress {
    /// So many are done.
    pub done: u64,
    /// So many there are.
    pub total: u64,
}

/// Which answers an archive has, and where.
#[derive(Clone, Debug)]
pub struct Catalogue {
    parts: Vec<Part>,
    missing: Vec<String>,
}

/// The part for one file.
#[derive(Clone, Debug)]
struct Part {
    path: PathBuf,
    /// The lines of a part that is not sorted, as soon as something was looked for in it.
    sorted: OnceLock<Sorted>,
}

impl Catalogue {
    /// The catalogue of the archive in that folder.
    pub fn open(folder: &Path) -> Result<Self, Failure> {
        let (mut parts, mut missing) = (Vec::new(), Vec::new());
        for name in files::archives(folder)? {
            let part = files::catalogue_of(folder, &name);
            if part.exists() {
                parts.push(Part { path: part, sorted: OnceLock::new() });
            } else {
                missing.push(name);
            }
        }
        // A file may be there both packed and not.
        parts.dedup_by(|one, other| one.path == other.path);
        Ok(Self { parts, missing })
    }

    /// The catalogue, made anew from the archive. A file that is being written keeps its lines.
    pub fn rebuild(folder: &Path, watch: &mut dyn FnMut(Progress)) -> Result<Self, Failure> {
        let names = files::archives(folder)?;
        let size = |name: &String| fs::metadata(folder.join(name)).map_or(0, |it| it.len());
        let mut progress = Progress { done: 0, total: names.iter().map(size).sum() };
        for name in &names {
            let before = progress.done;
            if !is_being_written(&folder.join(name)) {
                rebuild_part(folder, name, &mut |done| {
                    progress.done = before + done;
                    watch(progress);
                })?;
            }
            progress.done = before + size(name);
            watch(progress);
        }
        Self::open(folder)
    }

    /// The files of the archive that have no part of the catalogue yet.
    pub fn missing(&self) -> &[String] {
        &self.missing
    }

    /// The answers to that URL, the newest first.
    ///
    /// If there are none, those to URLs with the same key: with or without `www.`, in another case.
    /// A file that is still being written is known as it was when it was first looked into.
    pub fn find(&self, url: &str) -> Result<Vec<Entry>, Failure> {
        let key = surt(url);
        let mut found = Vec::new();
        for part in &self.parts {
            part.find(&key, &mut found).map_err(|error| Failure::read(&part.path, error))?;
        }
        if found.iter().any(|it| it.url == url) {
            found.retain(|it| it.url == url);
        }
        // Files are named in the order in which they were written.
        found.reverse();
        found.sort_by_key(|it| Reverse(it.date));
        Ok(found)
    }

    /// All answers, file by file.
    pub fn iter(&self) -> impl Iterator<Item = Result<Entry, Failure>> {
        self.parts.iter().flat_map(|part| {
            let path = &part.path;
            let (lines, failure) = match Lines::open(path) {
                Ok(lines) => (Some(lines), None),
                Err(error) => (None, Some(error)),
            };
            let entries = lines.into_iter().flatten().filter_map(|line| match line {
                Ok(line) => Entry::read(&line).map(Ok),
                Err(error) => Some(Err(error)),
            });
            let entries = failure.into_iter().map(Err).chain(entries);
            entries.map(|it| it.map_err(|error| Failure::read(path, error)))
        })
    }
}

/// Whether a writer holds the file.
fn is_being_written(path: &Path) -> bool {
    let file = File::open(path);
    file.is_ok_and(|it| matches!(it.try_lock_shared(), Err(fs::TryLockError::WouldBlock)))
}

impl Part {
    /// Adds the entries with that key.
    fn find(&self, key: &str, found: &mut Vec<Entry>) -> io::Result<()> {
        let key = key.as_bytes();
        if let Some(sorted) = self.sorted.get() {
            sorted.find(key, found);
            return Ok(());
        }
        let mut lines = Lines::open(&self.path)?;
        if lines.next().transpose()?.is_none_or(|it| it != SORTED) {
            let sorted = Sorted::new(read_all(&self.path)?);
            self.sorted.get_or_init(|| sorted).find(key, found);
            return Ok(());
        }
        let start = lines.near(key)?;
        lines.seek(start)?;
        while let Some(line) = lines.next().transpose()? {
            match key_of(&line).cmp(key) {
                Ordering::Less => {}
                Ordering::Equal => found.extend(Entry::read(&line)),
                Ordering::Greater => break,
            }
        }
        Ok(())
    }
}

/// Lines in memory, in order.
#[derive(Clone, Debug)]
struct Sorted {
    lines: Vec<u8>,
    /// Where the lines are.
    places: Vec<Range<usize>>,
}

impl Sorted {
    fn new(lines: Vec<u8>) -> Self {
        let mut start = 0;
        let mut places = Vec::new();
        for line in lines.split_inclusive(|it| *it == b'\n') {
            places.push(start..start + line.len());
            start += line.len();
        }
        places.sort_unstable_by_key(|it| &lines[it.clone()]);
        Self { lines, places }
    }

    fn find(&self, key: &[u8], found: &mut Vec<Entry>) {
        let line = |place: &Range<usize>| &self.lines[place.clone()];
        let start = self.places.partition_point(|it| key_of(line(it)) < key);
        let equal = self.places[start..].iter().take_while(|it| key_of(line(it)) == key);
        found.extend(equal.filter_map(|it| Entry::read(line(it))));
    }
}

fn key_of(line: &[u8]) -> &[u8] {
    &line[..memchr::memchr(b' ', line).unwrap_or(line.len())]
}

/// The lines of a catalogue with their ends, without those that are too long.
struct Lines {
    reader: BufReader<File>,
    size: u64,
}

impl Lines {
    fn open(part: &Path) -> io::Result<Self> {
        let file = File::open(part)?;
        let size = file.metadata()?.len();
        Ok(Self { reader: BufReader::new(file), size })
    }

    fn seek(&mut self, offset: u64) -> io::Result<()> {
        self.reader.seek(SeekFrom::Start(offset)).map(|_| ())
    }

    /// The beginning of a line that is not far before the first one with that key.
    fn near(&mut self, key: &[u8]) -> io::Result<u64> {
        let (mut low, mut high) = (0, self.size);
        // Lines that begin before `low` have smaller keys; the one behind `high` has no smaller one.
        while high - low > NEAR {
            let middle = low + (high - low) / 2;
            self.seek(middle)?;
            let start = middle + self.pass()?;
            match self.next().transpose()? {
                Some(line) if start < high && key_of(&line) < key => low = start,
                _ => high = middle,
            }
        }
        Ok(low)
    }

    /// Goes on behind the end of the line, and tells how far that was.
    fn pass(&mut self) -> io::Result<u64> {
        self.reader.skip_until(b'\n').map(|it| it as u64)
    }
}

impl Iterator for Lines {
    type Item = io::Result<Vec<u8>>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let mut line = Vec::new();
            match self.reader.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut line) {
                Ok(0) => return None,
                Ok(read) if read as u64 == LONGEST_LINE && !line.ends_with(b"\n") => {
                    if let Err(error) = self.pass() {
                        return Some(Err(error));
                    }
                }
                Ok(_) => return Some(Ok(line)),
                Err(error) => return Some(Err(error)),
            }
        }
    }
}

/// Makes the part for one file anew.
pub(crate) fn rebuild_part(
    folder: &Path,
    name: &str,
    watch: &mut dyn FnMut(u64),
) -> Result<(), Failure> {
    let path = folder.join(name);
    let records = records::open(&path).map_err(|it| Failure::read(&it.path, it.error))?;
    let size = records.size().unwrap_or(0);
    // The heads are all that is needed.
    let mut records = records.with_limits(Limits { body: LONGEST });
    let part = files::catalogue_of(folder, name);
    let mut sorter = Sorter::new(runs_of(&part));
    let mut line = Vec::new();
    let mut pending: Option<Record> = None;
    let mut put = |record: &Record, end: u64| {
        let Some(draft) = Draft::of(record, end.saturating_sub(record.offset)) else {
            return Ok(());
        };
        line.clear();
        draft.write(record.offset, name, &mut line);
        sorter.push(&line).map_err(|error| Failure::write(&part, error))
    };
    while let Some(item) = records.next() {
        watch(records.position());
        let next = item.as_ref().map_or_else(|it| it.offset, |it| it.offset);
        // If its own place is told to be broken, the record is torn.
        if let Some(record) = pending.filter(|it| item.is_ok() || it.offset != next) {
            put(&record, next)?;
        }
        pending = item.ok();
    }
    if let Some(record) = pending {
        put(&record, size)?;
    }
    write_sorted(&part, sorter)
}

/// Sorts the part for a file that is full, if it is not sorted already.
pub(crate) fn settle(folder: &Path, name: &str) -> Result<(), Failure> {
    let part = files::catalogue_of(folder, name);
    let failed = |error| Failure::read(&part, error);
    let mut lines = match Lines::open(&part) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            return rebuild_part(folder, name, &mut |_| {});
        }
        lines => lines.map_err(failed)?.peekable(),
    };
    if matches!(lines.peek(), Some(Ok(first)) if first == SORTED) {
        return Ok(());
    }
    let mut sorter = Sorter::new(runs_of(&part));
    for line in lines {
        let line = line.map_err(failed)?;
        // The last line may be torn.
        if !line.ends_with(b"\n") {
            continue;
        }
        sorter.push(&line).map_err(|error| Failure::write(&part, error))?;
    }
    write_sorted(&part, sorter)
}

/// Where lines are laid aside while the part is sorted.
fn runs_of(part: &Path) -> PathBuf {
    part.with_extension("cdxj.runs")
}

fn read_all(part: &Path) -> io::Result<Vec<u8>> {
    let mut lines = Vec::new();
    let read = File::open(part)?.take(LARGEST + 1).read_to_end(&mut lines)?;
    if read as u64 > LARGEST {
        return Err(io::Error::other("it is larger than a catalogue can be"));
    }
    Ok(lines)
}

fn write_sorted(part: &Path, sorter: Sorter) -> Result<(), Failure> {
    let written = replace(part, |out| {
        out.write_all(SORTED)?;
        sorter.write(out)
    });
    written.map(|_| ()).map_err(|error| Failure::write(part, error))
}

/// Puts a file with what is written in the place of the part, when it is complete.
fn replace(
    part: &Path,
    write: impl FnOnce(&mut BufWriter<File>) -> io::Result<()>,
) -> io::Result<File> {
    let aside = part.with_extension("cdxj.aside");
    let write = || {
        let mut out = BufWriter::new(File::create(&aside)?);
        write(&mut out)?;
        let file = out.into_inner().map_err(io::IntoInnerError::into_error)?;
        file.sync_data()?;
        fs::rename(&aside, part)?;
        Ok(file)
    };
    write().inspect_err(|_| {
        // It is of no use to anybody; that it cannot be removed either is not worth a complaint.
        let _ = fs::remove_file(&aside);
    })
}

/// The part for a file that is being written. What goes wrong with it does not stop the writer.
pub(crate) struct Growing {
    /// Nothing if lines were lost.
    out: Option<BufWriter<File>>,
    line: Vec<u8>,
}

impl Growing {
    /// A part without lines.
    pub(crate) fn create(part: &Path) -> Self {
        Self { out: File::create(part).ok().map(BufWriter::new), line: Vec::new() }
    }

    /// The part with the lines that it has for the first `end` bytes of its file, and from where on
    /// it may have none.
    pub(crate) fn resume(part: &Path, end: u64) -> (Self, u64) {
        let mut next = 0;
        let copied = replace(part, |out| {
            for line in Lines::open(part)? {
                let line = line?;
                // The last line may be torn.
                if line == SORTED || !line.ends_with(b"\n") {
                    continue;
                }
                let behind = |it: Entry| it.position.offset.saturating_add(it.length);
                match Entry::read(&line).map(behind).filter(|it| *it <= end) {
                    Some(behind) => next = next.max(behind),
                    // It is damaged, or not the catalogue of this file.
                    None => return Err(io::ErrorKind::InvalidData.into()),
                }
                out.write_all(&line)?;
            }
            Ok(())
        });
        match copied {
            Ok(file) => (Self { out: Some(BufWriter::new(file)), line: Vec::new() }, next),
            Err(_) => (Self::create(part), 0),
        }
    }

    /// Adds the line for a record at that offset of that file.
    pub(crate) fn add(&mut self, draft: &Draft, offset: u64, file: &str) {
        self.line.clear();
        draft.write(offset, file, &mut self.line);
        if self.out.as_mut().is_some_and(|it| it.write_all(&self.line).is_err()) {
            self.out = None;
        }
    }

    /// Gives the lines to the system.
    pub(crate) fn flush(&mut self) {
        if self.out.as_mut().is_some_and(|it| it.flush().is_err()) {
            self.out = None;
        }
    }

    /// Ends the part; tells whether all lines are there.
    pub(crate) fn finish(mut self) -> bool {
        self.flush();
        self.out.is_some()
    }
}
