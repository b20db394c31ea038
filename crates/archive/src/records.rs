//! The records of an archive, one after the other.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use crate::broken::{Broken, Error};
use crate::head::{self, ArcLine, LOOK, Reading};
use crate::headers::{LONGEST, MOST_LINES, first_line};
use crate::packing::Packing;
use crate::record::Record;
use crate::source::{Source, shown};

/// How many line ends are looked past to see what follows a record.
const MOST_LINE_ENDS: usize = 1024;

/// How much of an archive is kept in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// How many bytes of a record's body are kept. The rest is skipped, and the record marked.
    pub body: usize,
}

impl Default for Limits {
    /// 16 MB, several times what any page has.
    fn default() -> Self {
        Self { body: 16 << 20 }
    }
}

/// Opens an archive, packed or not.
pub fn open(path: &Path) -> Result<Records<File>, Error> {
    let failed = |error| Error { path: path.to_owned(), error };
    let file = File::open(path).map_err(failed)?;
    let about = file.metadata().map_err(failed)?;
    if about.is_dir() {
        return Err(failed(std::io::ErrorKind::IsADirectory.into()));
    }
    let mut records = Records::new(file);
    records.size = about.is_file().then_some(about.len());
    Ok(records)
}

/// The records of an archive, and what could not be read of it, in the order of the file.
pub struct Records<R> {
    source: Source<R>,
    limits: Limits,
    size: Option<u64>,
    /// What happened to the record that was given last.
    untold: Option<Broken>,
}

impl<R: Read> Records<R> {
    /// The records of whatever the reader reads, packed or not. It needs no buffer of its own.
    pub fn new(reader: R) -> Self {
        Self { source: Source::new(reader), limits: Limits::default(), size: None, untold: None }
    }

    /// The same, with other limits.
    #[must_use]
    pub fn with_limits(self, limits: Limits) -> Self {
        Self { limits, ..self }
    }

    /// How many bytes of the file, as it is on disk, have been read so far.
    pub fn position(&self) -> u64 {
        self.source.position()
    }

    /// How large the file is; not known of a reader that is no file.
    pub fn size(&self) -> Option<u64> {
        self.size
    }
}

impl<R: Read> Iterator for Records<R> {
    type Item = Result<Record, Broken>;

    fn next(&mut self) -> Option<Self::Item> {
        if let Some(broken) = self.untold.take() {
            return Some(Err(broken));
        }
        loop {
            self.pass_line_ends();
            if let Some(damage) = self.source.take_damage() {
                return Some(Err(self.resume(damage.offset, damage.reason)));
            }
            if !self.source.ensure(1) {
                // The end, or damage to be told in the next round.
                self.source.damage_here()?;
                continue;
            }
            self.source.ensure(LOOK);
            let window = self.source.window();
            if self.source.is_plain() && Packing::of(window).is_some() {
                self.source.unpack_from_here();
            } else if head::is_warc(window) {
                return Some(self.warc());
            } else if self.is_arc() {
                return Some(self.arc());
            } else {
                let reason = format!("no record begins with {}", shown(window));
                return Some(Err(self.resume(self.source.offset(), reason)));
            }
        }
    }
}

/// What was found behind a body.
enum Behind {
    /// So many line ends, and a record, a member, damage or the end.
    Proper(usize),
    /// Something else.
    Odd,
}

impl<R: Read> Records<R> {
    fn pass_line_ends(&mut self) {
        while self.source.ensure(1) && matches!(self.source.window()[0], b'\r' | b'\n') {
            let window = self.source.window();
            let ends = window.iter().take_while(|it| matches!(it, b'\r' | b'\n')).count();
            self.source.consume(ends);
        }
    }

    fn is_arc(&self) -> bool {
        let window = self.source.window();
        let expected = self.source.arc || self.source.offset() == 0;
        head::is_arc_file(window) || expected && head::is_arc(window)
    }

    fn warc(&mut self) -> Result<Record, Broken> {
        let offset = self.source.offset();
        let first = self.source.at_start();
        let mut seen = LOOK;
        let (headers, length) = loop {
            match self.read_head() {
                Reading::Whole(headers, length) => break (headers, length),
                Reading::Torn(after) => {
                    self.source.consume(after);
                    let reason =
                        format!("another record begins within the head, after {after} bytes");
                    return Err(self.resume(offset, reason));
                }
                Reading::TooLong(seen) => {
                    self.source.consume(seen);
                    let reason =
                        format!("the head has more than {LONGEST} bytes or {MOST_LINES} lines");
                    return Err(self.resume(offset, reason));
                }
                Reading::Unended => {
                    seen *= 2;
                    let before = self.source.window().len();
                    if !self.source.ensure(seen) && self.source.window().len() == before {
                        return Err(self.unended(offset));
                    }
                }
            }
        };
        self.source.consume(length);
        let stated = headers.get("Content-Length").map(str::to_owned);
        let Some(length) = stated.as_deref().and_then(|it| it.parse().ok()) else {
            let reason = match stated {
                Some(stated) => format!("Content-Length {stated:?} is no number"),
                None => "the head has no Content-Length".to_owned(),
            };
            return Err(self.resume(offset, reason));
        };
        self.body(Record::new(headers, offset), length, first)
    }

    /// Reads the head that begins here, unless a member begins within it with a record.
    fn read_head(&self) -> Reading {
        let window = self.source.window();
        match (head::read(window), self.source.next_start()) {
            (Reading::Whole(_, length), Some(next))
                if next < length && head::is_warc(&window[next..]) =>
            {
                Reading::Torn(next)
            }
            (reading, _) => reading,
        }
    }

    fn unended(&mut self, offset: u64) -> Broken {
        let window = self.source.window();
        let next =
            self.source.next_start().filter(|it| window.get(*it..).is_some_and(head::is_warc));
        self.source.consume(next.unwrap_or(1));
        self.resume(offset, "the head has no end".to_owned())
    }

    fn arc(&mut self) -> Result<Record, Broken> {
        self.source.arc = true;
        let offset = self.source.offset();
        let first = self.source.at_start();
        let window = self.source.window();
        let (line, length) = first_line(window).unwrap_or((window, window.len()));
        let Some(line) = ArcLine::read(line) else {
            self.source.consume(1);
            return Err(self.resume(offset, "the line of the record is too long".to_owned()));
        };
        self.source.consume(length);
        let mut record = Record::new(line.headers, offset);
        // Without a length the record is what its line says, and the rest is told as unreadable.
        record.truncated = line.length.is_none();
        self.body(record, line.length.unwrap_or(0), first)
    }

    /// Reads the body of the record; `first` tells whether the record is the first of its member.
    fn body(&mut self, mut record: Record, length: u64, first: bool) -> Result<Record, Broken> {
        record.length = length;
        let stretch = self.source.stretch();
        let mut current = stretch;
        let mut read = 0;
        while read < length {
            if !self.source.ensure(1) {
                return self.ended(record, read, current == stretch);
            }
            if self.source.stretch() != current {
                current = self.source.stretch();
                self.source.ensure(LOOK);
                if head::is_warc(self.source.window()) {
                    return self.torn(record, &format!("another begins after {read}"));
                }
            }
            let window = self.source.window();
            let here = self.source.next_start().unwrap_or(window.len()).min(window.len());
            let step = (length - read).min(here as u64) as usize;
            let kept = step.min(self.limits.body - record.body.len());
            record.body.extend_from_slice(&window[..kept]);
            self.source.consume(step);
            read += step as u64;
        }
        let cut = record.body.len() as u64 != length;
        match self.behind() {
            Behind::Proper(line_ends) => self.source.consume(line_ends),
            Behind::Odd if !cut && current == stretch => {
                if let Some(at) = self.swallowed(&record.body) {
                    record.body.truncate(at);
                    return self.torn(record, &format!("another begins after {at}"));
                }
            }
            Behind::Odd => {}
        }
        let damage = self.source.damage_here();
        if damage.is_some_and(|it| first && it.checksum && it.offset == record.offset)
            && let Some(damage) = self.source.take_damage()
        {
            return Err(self.resume(record.offset, damage.reason));
        }
        record.truncated |= cut;
        Ok(record)
    }

    fn behind(&mut self) -> Behind {
        let mut line_ends = 0;
        while self.source.ensure(line_ends + 1) && line_ends < MOST_LINE_ENDS {
            if !matches!(self.source.window()[line_ends], b'\r' | b'\n') {
                break;
            }
            line_ends += 1;
        }
        self.source.ensure(line_ends + LOOK);
        let window = &self.source.window()[line_ends..];
        let member = self.source.next_start().is_some_and(|it| it <= line_ends);
        let proper = window.is_empty()
            || member
            || self.source.at_start()
            || line_ends == MOST_LINE_ENDS
            || head::is_warc(window)
            || head::is_arc_file(window)
            || self.source.arc && head::is_arc(window)
            || self.source.is_plain() && Packing::of(window).is_some();
        if proper { Behind::Proper(line_ends) } else { Behind::Odd }
    }

    /// The bytes end before the record does: by damage, or with the file.
    fn ended(&mut self, mut record: Record, read: u64, whole: bool) -> Result<Record, Broken> {
        if let Some(damage) = self.source.take_damage() {
            return self.torn(record, &format!("after {read} {}", damage.reason));
        }
        let kept = record.body.len() as u64 == read;
        if let Some(at) = (kept && whole).then(|| self.swallowed(&record.body)).flatten() {
            record.body.truncate(at);
            return self.torn(record, &format!("another begins after {at}"));
        }
        self.torn(record, &format!("the file ends after {read}"))
    }

    /// Gives what there is of a record that has less than it states, and next what happened.
    fn torn(&mut self, mut record: Record, but: &str) -> Result<Record, Broken> {
        let reason = format!("the record states {} bytes, but {but}", record.length);
        let broken = self.resume(record.offset, reason);
        if record.body.is_empty() {
            return Err(broken);
        }
        record.truncated = true;
        self.untold = Some(broken);
        Ok(record)
    }

    /// Goes back to the record that a body swallowed, if it did, and tells after how many bytes.
    ///
    /// Its head may have been swallowed only in part.
    fn swallowed(&mut self, body: &[u8]) -> Option<usize> {
        self.source.ensure(LOOK);
        let ahead = self.source.window();
        let seen = [body, &ahead[..ahead.len().min(LOOK)]].concat();
        let at = head::find_whole(&seen).filter(|at| *at < body.len())?;
        self.source.unread(&body[at..]).then_some(at)
    }

    /// Goes on to the next record, and tells what kept us from it.
    fn resume(&mut self, offset: u64, reason: String) -> Broken {
        let mut resumes = None;
        loop {
            while self.source.take_damage().is_some() {}
            self.source.ensure(2 * LOOK);
            let window = self.source.window();
            if window.is_empty() {
                if self.source.damage_here().is_none() {
                    break;
                }
                continue;
            }
            let is_arc = self.source.arc && self.source.at_start() && head::is_arc(window);
            if head::is_warc(window) || head::is_arc_file(window) || is_arc {
                resumes = Some(self.source.offset());
                break;
            }
            if self.source.is_plain() {
                self.source.scan();
                continue;
            }
            if let Some(at) = head::find(window, self.source.arc) {
                self.source.consume(at);
                resumes = Some(self.source.offset());
                break;
            }
            // The last bytes may be the first of a head, unless the file ends or is damaged there.
            let left = if window.len() < 2 * LOOK { 0 } else { LOOK };
            self.source.consume(window.len() - left);
        }
        Broken { offset, resumes, reason }
    }
}
