//! Text files, plain or packed, and their lines.

use std::cell::Cell;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom};
use std::path::Path;
use std::rc::Rc;

use flate2::read::MultiGzDecoder;
use zip::ZipArchive;

use crate::sink::{ImportError, Sink};

/// The longest line that is read.
///
/// The longest line of geonames.org has some 20 kB; what is longer than this is no text of lines at all.
const LONGEST: usize = 1 << 20;

/// Which of several readings of a file this is: they share one progress.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pass {
    /// Counted from 0.
    pub(crate) number: u64,
    /// How many there are.
    pub(crate) of: u64,
}

impl Pass {
    /// The one reading of a file that is read once.
    pub(crate) const ONLY: Self = Self { number: 0, of: 1 };

    /// How many bytes are done over all passes, if `position` of `size` bytes are in this one.
    pub(crate) fn done(self, position: u64, size: u64) -> u64 {
        let all = u128::from(self.number) * u128::from(size) + u128::from(position.min(size));
        (all / u128::from(self.of.max(1))) as u64
    }
}

/// What is called for every line: its number from 1, and its text without the line end.
pub(crate) type Each<'e> = dyn FnMut(&mut Sink<'_>, u64, &str) -> Result<(), ImportError> + 'e;

/// Calls `each` for every line of a file.
///
/// Lines that are too long or not UTF-8 are bad records; the first pass reports them.
pub(crate) fn each_line(
    pass: Pass,
    path: &Path,
    sink: &mut Sink<'_>,
    each: &mut Each<'_>,
) -> Result<(), ImportError> {
    let mut opened = Opened::at(path)?;
    let walk = Walk { file: path.display().to_string(), pass, size: opened.size };
    let position = opened.position.clone();
    opened.with_text(path, |text| walk.lines(&position, text, sink, each))
}

/// Hands the text of a file over: plain, `.gz`, `.zst`, or the one text in a `.zip`.
pub(crate) fn with_text(
    path: &Path,
    read: impl FnOnce(&mut dyn BufRead) -> Result<(), ImportError>,
) -> Result<(), ImportError> {
    Opened::at(path)?.with_text(path, read)
}

/// The error of the system as one of ours.
pub(crate) fn io_error(path: &Path, error: io::Error) -> ImportError {
    ImportError::Io { file: path.display().to_string(), error }
}

/// A file, and how far it has been read.
struct Opened {
    source: Counted,
    position: Rc<Cell<u64>>,
    size: u64,
}

impl Opened {
    fn at(path: &Path) -> Result<Self, ImportError> {
        let file = File::open(path).map_err(|error| io_error(path, error))?;
        let size = file.metadata().map_err(|error| io_error(path, error))?.len();
        let position = Rc::new(Cell::new(0));
        Ok(Self { source: Counted { file, position: position.clone() }, position, size })
    }

    fn with_text(
        &mut self,
        path: &Path,
        read: impl FnOnce(&mut dyn BufRead) -> Result<(), ImportError>,
    ) -> Result<(), ImportError> {
        let is = |end: &str| path.extension().is_some_and(|found| found.eq_ignore_ascii_case(end));
        if is("zip") {
            return self.with_zipped_text(path, read);
        }
        if is("gz") {
            return read(&mut BufReader::new(MultiGzDecoder::new(BufReader::new(
                &mut self.source,
            ))));
        }
        if is("zst") {
            let unpacked = zstd::stream::read::Decoder::new(&mut self.source);
            return read(&mut BufReader::new(unpacked.map_err(|error| io_error(path, error))?));
        }
        read(&mut BufReader::with_capacity(1 << 16, &mut self.source))
    }

    fn with_zipped_text(
        &mut self,
        path: &Path,
        read: impl FnOnce(&mut dyn BufRead) -> Result<(), ImportError>,
    ) -> Result<(), ImportError> {
        let foreign = |reason: String| ImportError::Foreign {
            file: path.display().to_string(),
            expected: "zip archive of a text file",
            reason,
        };
        let mut archive = ZipArchive::new(BufReader::new(&mut self.source))
            .map_err(|error| foreign(error.to_string()))?;
        let chosen = text_in(path, &mut archive).ok_or_else(|| foreign("it holds none".into()))?;
        let text = archive.by_index(chosen).map_err(|error| foreign(error.to_string()))?;
        read(&mut BufReader::with_capacity(1 << 16, text))
    }
}

/// Which file of an archive is meant: the one called like the archive, else the largest but the readme.
fn text_in<R: Read + Seek>(path: &Path, archive: &mut ZipArchive<R>) -> Option<usize> {
    let stem = path.file_stem()?.to_string_lossy().to_lowercase();
    let mut best: Option<((bool, u64), usize)> = None;
    for index in 0..archive.len() {
        let Ok(entry) = archive.by_index(index) else { continue };
        let Ok(name) = entry.name().map(|name| name.to_lowercase()) else { continue };
        let name = name.rsplit('/').next().unwrap_or_default().to_owned();
        let is_text = [".txt", ".csv", ".tsv", ".geojson"].iter().any(|end| name.ends_with(end));
        if !is_text || name.starts_with("readme") {
            continue;
        }
        let rank = (name.starts_with(&stem), entry.size());
        if best.is_none_or(|(known, _)| rank > known) {
            best = Some((rank, index));
        }
    }
    best.map(|(_, index)| index)
}

/// One reading of one file.
struct Walk {
    file: String,
    pass: Pass,
    size: u64,
}

impl Walk {
    fn lines(
        &self,
        position: &Cell<u64>,
        text: &mut dyn BufRead,
        sink: &mut Sink<'_>,
        each: &mut Each<'_>,
    ) -> Result<(), ImportError> {
        let io = |error| ImportError::Io { file: self.file.clone(), error };
        let mut line = Vec::new();
        for number in 1.. {
            match next_line(text, &mut line).map_err(io)? {
                Found::End => break,
                Found::Line => self.line(number, &line, sink, each)?,
                Found::TooLong => self.bad(number, "the line is longer than 1 MiB", sink)?,
            }
            if number.is_multiple_of(4096) {
                sink.advance(self.pass.done(position.get(), self.size));
            }
        }
        sink.advance(self.pass.done(self.size, self.size));
        Ok(())
    }

    fn line(
        &self,
        number: u64,
        line: &[u8],
        sink: &mut Sink<'_>,
        each: &mut Each<'_>,
    ) -> Result<(), ImportError> {
        match std::str::from_utf8(line) {
            Ok(text) if number == 1 => each(sink, 1, text.trim_start_matches('\u{feff}')),
            Ok(text) => each(sink, number, text),
            Err(_) => self.bad(number, "the line is not UTF-8 text", sink),
        }
    }

    fn bad(&self, number: u64, reason: &str, sink: &mut Sink<'_>) -> Result<(), ImportError> {
        if self.pass.number == 0 { sink.bad(&self.file, number, reason) } else { Ok(()) }
    }
}

enum Found {
    Line,
    TooLong,
    End,
}

/// Reads the next line into `line`, without its end; of a line too long nothing is kept.
fn next_line(text: &mut dyn BufRead, line: &mut Vec<u8>) -> io::Result<Found> {
    line.clear();
    let mut too_long = false;
    let mut started = false;
    loop {
        let ready = text.fill_buf()?;
        if ready.is_empty() {
            break;
        }
        started = true;
        let end = ready.iter().position(|&byte| byte == b'\n');
        let piece = &ready[..end.unwrap_or(ready.len())];
        too_long |= line.len() + piece.len() > LONGEST;
        if !too_long {
            line.extend_from_slice(piece);
        }
        let used = piece.len() + usize::from(end.is_some());
        text.consume(used);
        if end.is_some() {
            break;
        }
    }
    if line.last() == Some(&b'\r') {
        line.pop();
    }
    Ok(match (started, too_long) {
        (false, _) => Found::End,
        (true, true) => Found::TooLong,
        (true, false) => Found::Line,
    })
}

/// A file that tells how far it has been read, also through a decoder.
struct Counted {
    file: File,
    position: Rc<Cell<u64>>,
}

impl Read for Counted {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.file.read(buffer)?;
        self.position.set(self.position.get() + read as u64);
        Ok(read)
    }
}

impl Seek for Counted {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        let position = self.file.seek(to)?;
        self.position.set(position);
        Ok(position)
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use flate2::Compression;
    use flate2::write::GzEncoder;
    use proptest::prelude::*;
    use zip::ZipWriter;
    use zip::write::SimpleFileOptions;

    use super::*;
    use crate::trial::{Trial, trial};

    #[test]
    fn lines_end_with_or_without_a_carriage_return() {
        check("plain.txt", b"one\r\ntwo\n\nfour", &["one", "two", "", "four"]);
    }

    #[test]
    fn a_byte_order_mark_is_not_text() {
        check("marked.txt", "\u{feff}one".as_bytes(), &["one"]);
    }

    #[test]
    fn a_gzipped_file_is_unpacked() {
        let mut packed = GzEncoder::new(Vec::new(), Compression::fast());
        packed.write_all(b"one\ntwo\n").unwrap();
        check("some.csv.gz", &packed.finish().unwrap(), &["one", "two"]);
    }

    #[test]
    fn of_a_zip_archive_the_file_of_its_name_is_read() {
        let files = [("readme.txt", "hello"), ("DE.txt", "one"), ("other.txt", "longer by far")];
        check("DE.zip", &zipped(&files), &["one"]);
    }

    #[test]
    fn an_archive_without_text_is_refused() {
        let error = read("DE.zip", &zipped(&[("DE.png", "")])).result.unwrap_err().to_string();
        assert!(error.ends_with("is no zip archive of a text file: it holds none"), "{error}");
    }

    #[test]
    fn a_line_without_end_and_a_foreign_encoding_are_bad_records() {
        let mut bytes = vec![b'x'; LONGEST + 1];
        bytes.extend_from_slice(b"\ngood\nG\xf6teborg\n");
        let trial = read("odd.txt", &bytes);
        let reasons: Vec<_> = trial.report.shown.iter().map(|bad| bad.reason.as_str()).collect();
        assert_eq!(reasons, ["the line is longer than 1 MiB", "the line is not UTF-8 text"]);
        assert_eq!(trial.report.passed, 1);
    }

    #[test]
    fn a_missing_file_is_named() {
        let error = trial(|sink| {
            each_line(Pass::ONLY, Path::new("/nowhere/DE.txt"), sink, &mut |_, _, _| Ok(()))
        });
        assert!(error.result.unwrap_err().to_string().starts_with("/nowhere/DE.txt: "));
    }

    #[test]
    fn two_passes_share_the_progress() {
        assert_eq!(Pass { number: 1, of: 2 }.done(50, 100), 75);
        assert_eq!(Pass::ONLY.done(u64::MAX, u64::MAX), u64::MAX);
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]
        #[test]
        fn any_bytes_are_read_to_their_end(bytes: Vec<u8>) {
            for name in ["any.txt", "any.gz", "any.zip"] {
                let _ = read(name, &bytes);
            }
        }
    }

    #[track_caller]
    fn check(name: &str, bytes: &[u8], expected: &[&str]) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(name);
        std::fs::write(&path, bytes).unwrap();
        let mut lines = Vec::new();
        let trial = trial(|sink| {
            each_line(Pass::ONLY, &path, sink, &mut |_, _, line| {
                lines.push(line.to_owned());
                Ok(())
            })
        });
        trial.result.unwrap();
        assert_eq!(lines, expected);
    }

    fn read(name: &str, bytes: &[u8]) -> Trial {
        crate::trial::with_file(name, bytes, |path, sink| {
            each_line(Pass::ONLY, path, sink, &mut |sink, _, _| {
                sink.pass();
                Ok(())
            })
        })
    }

    fn zipped(files: &[(&str, &str)]) -> Vec<u8> {
        let mut archive = ZipWriter::new(io::Cursor::new(Vec::new()));
        for (name, text) in files {
            archive.start_file(*name, SimpleFileOptions::default()).unwrap();
            archive.write_all(text.as_bytes()).unwrap();
        }
        archive.finish().unwrap().into_inner()
    }
}
