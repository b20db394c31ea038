//! The journal of a crawl: what its log of judgements says, read as it grows.

use std::borrow::Cow;
use std::collections::{HashMap, VecDeque};
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::Path;
use std::sync::Arc;

use serde::Deserialize;

/// So much of the log is read at once; a longer one is caught up with at the next looks.
const PIECE: u64 = 32 << 20;
/// A longer line is none of ours.
const LONGEST_LINE: usize = 1 << 20;
/// So many points a curve has at most; a screen shows no more.
const MOST_POINTS: usize = 256;
/// So many places are kept on the map of finds.
const MOST_FINDS: usize = 1_000;
/// So many of the last pages are shown.
const MOST_PAGES: usize = 25;
/// The last pages are somewhere in so many bytes at the end.
const TAIL: u64 = 128 << 10;

/// What a crawl has found so far.
#[derive(Clone, Debug, Default)]
pub(crate) struct Record {
    /// After so many answers there were so many relevant ones; from the beginning, in even steps.
    pub(crate) curve: Vec<(u64, u64)>,
    /// Whether the crawl looks for something.
    pub(crate) has_goal: bool,
    /// The keys of places that relevant pages are about, with how many pages.
    pub(crate) finds: HashMap<String, u64>,
    /// The key of the last one.
    pub(crate) last_find: Option<String>,
    /// The last answers, the newest first.
    pub(crate) pages: Vec<JournalPage>,
    /// How much of the log is read, in percent.
    pub(crate) percent: u64,
}

/// One answer.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub(crate) struct JournalPage {
    pub(crate) url: String,
    pub(crate) at: String,
    /// 0 if there was no answer.
    pub(crate) status: u16,
    pub(crate) error: Option<String>,
    pub(crate) relevant: Option<bool>,
    pub(crate) priority: f32,
    pub(crate) reason: String,
    pub(crate) depth: u16,
    pub(crate) via: Option<String>,
    pub(crate) duplicate_of: Option<String>,
}

/// Of most lines no more is wanted.
#[derive(Deserialize)]
struct Line<'a> {
    relevant: Option<bool>,
    #[serde(borrow, default)]
    places: Vec<Cow<'a, str>>,
}

/// A log that is read as it grows.
#[derive(Default)]
pub(crate) struct Journal {
    offset: u64,
    tally: Tally,
    record: Arc<Record>,
    length: u64,
}

#[derive(Default)]
struct Tally {
    pages: u64,
    relevant: u64,
    step: u64,
    curve: Vec<(u64, u64)>,
    has_goal: bool,
    finds: HashMap<String, u64>,
    last_find: Option<String>,
}

impl Journal {
    /// What the log says by now. One that cannot be read says what it said before.
    pub(crate) fn read(&mut self, path: &Path) -> Arc<Record> {
        if let Err(error) = self.try_read(path)
            && error.kind() != io::ErrorKind::NotFound
        {
            tracing::warn!(%error, path = %path.display(), "the log cannot be read");
        }
        Arc::clone(&self.record)
    }

    fn try_read(&mut self, path: &Path) -> io::Result<()> {
        let mut file = File::open(path)?;
        let length = file.metadata()?.len();
        if length == self.length && self.offset >= length {
            return Ok(());
        }
        if length < self.offset {
            // After a crash the crawl cuts off what it tells again; a new task begins anew.
            (self.offset, self.tally) = (0, Tally::default());
        }
        file.seek(SeekFrom::Start(self.offset))?;
        let mut bytes = Vec::new();
        Read::by_ref(&mut file).take(PIECE).read_to_end(&mut bytes)?;
        self.offset += self.tally.take(&bytes) as u64;
        self.length = length;
        let from = length.saturating_sub(TAIL);
        file.seek(SeekFrom::Start(from))?;
        let mut tail = Vec::new();
        file.take(TAIL).read_to_end(&mut tail)?;
        self.record =
            Arc::new(self.tally.record(last_pages(&tail, from == 0), self.offset, length));
        Ok(())
    }
}

impl Tally {
    /// Counts the whole lines; tells how many bytes they have.
    fn take(&mut self, bytes: &[u8]) -> usize {
        let mut taken = 0;
        while let Some(end) = line_end(&bytes[taken..]) {
            if let Ok(line) = serde_json::from_slice(&bytes[taken..taken + end]) {
                self.count(&line);
            }
            taken += end + 1;
        }
        // What has no end though it is that long is passed over.
        if bytes.len() - taken > LONGEST_LINE { bytes.len() } else { taken }
    }

    fn count(&mut self, line: &Line<'_>) {
        self.pages += 1;
        self.has_goal |= line.relevant.is_some();
        if line.relevant == Some(true) {
            self.relevant += 1;
            if let Some(place) = line.places.first()
                && (self.finds.len() < MOST_FINDS || self.finds.contains_key(place.as_ref()))
            {
                *self.finds.entry(place.clone().into_owned()).or_default() += 1;
                self.last_find = Some(place.clone().into_owned());
            }
        }
        self.step = self.step.max(1);
        if self.pages.is_multiple_of(self.step) {
            self.curve.push((self.pages, self.relevant));
        }
        if self.curve.len() > MOST_POINTS {
            self.step *= 2;
            let step = self.step;
            self.curve.retain(|it| it.0.is_multiple_of(step));
        }
    }

    fn record(&self, pages: Vec<JournalPage>, offset: u64, length: u64) -> Record {
        let mut curve = self.curve.clone();
        if curve.last().is_some_and(|it| it.0 < self.pages) {
            curve.push((self.pages, self.relevant));
        }
        Record {
            curve,
            has_goal: self.has_goal,
            finds: self.finds.clone(),
            last_find: self.last_find.clone(),
            pages,
            percent: (offset * 100).checked_div(length).unwrap_or(100).min(100),
        }
    }
}

/// The last answers of the end of a log, the newest first.
fn last_pages(tail: &[u8], is_whole: bool) -> Vec<JournalPage> {
    let mut lines: VecDeque<&[u8]> = tail.split(|it| *it == b'\n').collect();
    if !is_whole {
        // The first line is a torn one.
        lines.pop_front();
    }
    let pages = lines.iter().rev().filter_map(|it| serde_json::from_slice(it).ok());
    pages.take(MOST_PAGES).collect()
}

fn line_end(bytes: &[u8]) -> Option<usize> {
    bytes.iter().position(|it| *it == b'\n')
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use proptest::prelude::*;

    use super::*;

    fn line(number: u64, relevant: bool) -> String {
        format!(
            "{{\"url\":\"http://a.example/{number}\",\"at\":\"2026-11-16T13:15:16Z\",\"status\":200,\
             \"relevant\":{relevant},\"places\":[\"gn:{}\"],\"priority\":0.5,\"reason\":\"it is\",\"depth\":1}}\n",
            number % 3
        )
    }

    fn log(lines: u64) -> tempfile::NamedTempFile {
        let mut file = tempfile::NamedTempFile::new().expect("a file");
        for number in 1..=lines {
            file.write_all(line(number, number.is_multiple_of(4)).as_bytes()).expect("a line");
        }
        file
    }

    #[track_caller]
    fn check(record: &Record, pages: u64, relevant: u64) {
        assert_eq!(record.curve.last(), Some(&(pages, relevant)));
        assert!(record.curve.len() <= MOST_POINTS + 1);
        assert!(record.curve.is_sorted(), "{:?}", record.curve);
        assert_eq!(record.finds.values().sum::<u64>(), relevant);
        assert_eq!(record.percent, 100);
    }

    #[test]
    fn a_log_is_read_as_it_grows() {
        let mut file = log(1_000);
        let mut journal = Journal::default();
        let record = journal.read(file.path());
        check(&record, 1_000, 250);
        assert_eq!(record.pages.len(), MOST_PAGES);
        assert_eq!(record.pages[0].url, "http://a.example/1000");
        // A line that is only half written is read when it is whole.
        let whole = line(1_001, true);
        file.write_all(&whole.as_bytes()[..20]).expect("half a line");
        journal.read(file.path());
        file.write_all(&whole.as_bytes()[20..]).expect("the other half");
        check(&journal.read(file.path()), 1_001, 251);
    }

    #[test]
    fn a_log_that_was_cut_off_is_read_anew() {
        let file = log(100);
        let mut journal = Journal::default();
        check(&journal.read(file.path()), 100, 25);
        std::fs::copy(log(40).path(), file.path()).expect("a copy");
        check(&journal.read(file.path()), 40, 10);
        std::fs::remove_file(file.path()).expect("it is gone");
        check(&journal.read(file.path()), 40, 10);
    }

    proptest! {
        #[test]
        fn any_bytes_are_a_log(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
            let mut tally = Tally::default();
            prop_assert!(tally.take(&bytes) <= bytes.len());
            let _ = last_pages(&bytes, true);
        }
    }
}
