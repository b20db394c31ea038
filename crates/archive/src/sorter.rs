//! Lines put in order, however many: sorted runs of them are laid aside in a file and merged.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::collections::binary_heap::PeekMut;
use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, BufWriter, Read, Seek, SeekFrom, Take, Write};
use std::ops::Range;
use std::path::PathBuf;

/// So many bytes of lines are sorted in memory. The catalogue of a file of a gigabyte makes twenty runs.
const ROOM: usize = 8 << 20;

/// Takes lines in any order, and gives each of them once, in order.
pub(crate) struct Sorter {
    /// Where runs are laid aside.
    path: PathBuf,
    room: usize,
    lines: Vec<u8>,
    places: Vec<Range<usize>>,
    /// Where the runs end.
    ends: Vec<u64>,
    aside: Option<BufWriter<File>>,
}

impl Sorter {
    /// A sorter that may make a file there, which is gone when it is.
    pub(crate) fn new(path: PathBuf) -> Self {
        Self::with_room(path, ROOM)
    }

    fn with_room(path: PathBuf, room: usize) -> Self {
        let (lines, places, ends) = (Vec::new(), Vec::new(), Vec::new());
        Self { path, room, lines, places, ends, aside: None }
    }

    /// Takes in a line, with its end.
    pub(crate) fn push(&mut self, line: &[u8]) -> io::Result<()> {
        if !self.lines.is_empty() && self.lines.len() + line.len() > self.room {
            self.lay_aside()?;
        }
        let start = self.lines.len();
        self.lines.extend_from_slice(line);
        self.places.push(start..self.lines.len());
        Ok(())
    }

    /// Writes all lines in order, those that are equal once.
    pub(crate) fn write(mut self, out: &mut impl Write) -> io::Result<()> {
        if self.ends.is_empty() {
            self.sort();
            return self.places.iter().try_for_each(|it| out.write_all(&self.lines[it.clone()]));
        }
        self.lay_aside()?;
        self.lines = Vec::new();
        let mut runs = self.runs()?;
        let mut first = BinaryHeap::with_capacity(runs.len());
        for (number, run) in runs.iter_mut().enumerate() {
            first.extend(next_line(run)?.map(|line| Reverse((line, number))));
        }
        let mut last = Vec::new();
        while let Some(mut least) = first.peek_mut() {
            let (line, number) = &mut least.0;
            if *line != last {
                out.write_all(line)?;
            }
            match next_line(&mut runs[*number])? {
                Some(next) => last = std::mem::replace(line, next),
                None => last = PeekMut::pop(least).0.0,
            }
        }
        Ok(())
    }

    fn sort(&mut self) {
        let lines = &self.lines;
        self.places.sort_unstable_by_key(|it| &lines[it.clone()]);
        self.places.dedup_by_key(|it| &lines[it.clone()]);
    }

    fn lay_aside(&mut self) -> io::Result<()> {
        self.sort();
        let aside = match &mut self.aside {
            Some(aside) => aside,
            none => none.insert(BufWriter::new(File::create(&self.path)?)),
        };
        let mut end = self.ends.last().copied().unwrap_or(0);
        for place in self.places.drain(..) {
            aside.write_all(&self.lines[place.clone()])?;
            end += place.len() as u64;
        }
        self.ends.push(end);
        self.lines.clear();
        Ok(())
    }

    fn runs(&mut self) -> io::Result<Vec<BufReader<Take<File>>>> {
        if let Some(mut aside) = self.aside.take() {
            aside.flush()?;
        }
        let mut start = 0;
        let mut open = |end: &u64| {
            let mut file = File::open(&self.path)?;
            file.seek(SeekFrom::Start(start))?;
            let run = file.take(end - start);
            start = *end;
            Ok(BufReader::new(run))
        };
        self.ends.iter().map(&mut open).collect()
    }
}

impl Drop for Sorter {
    fn drop(&mut self) {
        if !self.ends.is_empty() {
            // It is of no use to anybody; that it cannot be removed is not worth a complaint.
            let _ = fs::remove_file(&self.path);
        }
    }
}

fn next_line(run: &mut impl BufRead) -> io::Result<Option<Vec<u8>>> {
    let mut line = Vec::new();
    Ok((run.read_until(b'\n', &mut line)? > 0).then_some(line))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[track_caller]
    fn check(lines: &[String], room: usize) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("runs");
        let mut sorter = Sorter::with_room(path.clone(), room);
        lines.iter().for_each(|it| sorter.push(it.as_bytes()).unwrap());
        let mut written = Vec::new();
        sorter.write(&mut written).unwrap();
        let mut expected = lines.to_vec();
        expected.sort_unstable();
        expected.dedup();
        assert_eq!(String::from_utf8(written).unwrap(), expected.concat());
        assert!(!path.exists());
    }

    #[test]
    fn no_lines_are_in_order() {
        check(&[], 0);
    }

    proptest! {
        #[test]
        fn runs_are_merged_into_what_sorting_gives(
            lines in prop::collection::vec("[ab]{0,3}\n", 0..60),
            room in 0_usize..80,
        ) {
            check(&lines, room);
        }
    }
}
