//! Sources: files of pages or documents, read item by item.

use std::fs::File;
use std::io::{BufRead, BufReader, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use archive::{Kind, Records};
use flate2::read::MultiGzDecoder;
use serde::{Deserialize, Serialize};

use crate::error::Error;

/// A longer line is no document.
const LONGEST_LINE: u64 = 64 << 20;

/// A file that was indexed, and how it looked then.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Source {
    /// Where it is.
    pub path: PathBuf,
    /// How long it was, in bytes.
    pub length: u64,
    /// When it was changed last, in nanoseconds since 1970.
    pub modified: u128,
}

/// One item of a source, as it is.
pub(crate) enum Raw {
    /// A record of an archive.
    Record(Box<archive::Record>),
    /// A line of JSON, with its number.
    Line(u64, String),
    /// What could not be read, and why.
    Broken(String),
}

impl Source {
    /// The files at a path: the file itself, or all archives and line files in a directory and below.
    pub(crate) fn find(path: &Path) -> Result<Vec<Self>, Error> {
        let fact = |error: std::io::Error| Error::Source {
            path: path.to_owned(),
            fact: error.to_string(),
        };
        let meta = std::fs::metadata(path).map_err(fact)?;
        if !meta.is_dir() {
            let modified =
                meta.modified().ok().and_then(|it| it.duration_since(std::time::UNIX_EPOCH).ok());
            let path = path.canonicalize().map_err(fact)?;
            let modified = modified.map_or(0, |it| it.as_nanos());
            return Ok(vec![Self { path, length: meta.len(), modified }]);
        }
        let mut paths: Vec<PathBuf> = std::fs::read_dir(path)
            .map_err(fact)?
            .map(|entry| entry.map(|it| it.path()))
            .collect::<Result<_, _>>()
            .map_err(fact)?;
        paths.sort();
        let mut found = Vec::new();
        for path in paths.iter().filter(|it| it.is_dir() || is_source(it)) {
            found.extend(Self::find(path)?);
        }
        Ok(found)
    }
}

/// True for the names that archives and files of lines have.
fn is_source(path: &Path) -> bool {
    let name =
        path.file_name().map(|it| it.to_string_lossy().to_ascii_lowercase()).unwrap_or_default();
    let name = name.strip_suffix(".gz").or(name.strip_suffix(".zst")).unwrap_or(&name);
    [".warc", ".arc", ".jsonl", ".ndjson"].iter().any(|it| name.ends_with(it))
}

/// Reads a source item by item.
pub(crate) struct Items {
    how: How,
}

enum How {
    Records(Box<Records<File>>),
    Lines {
        reader: BufReader<Box<dyn Read + Send>>,
        at: std::sync::Arc<std::sync::atomic::AtomicU64>,
        number: u64,
    },
}

impl Items {
    pub(crate) fn open(path: &Path) -> Result<Self, Error> {
        let fact = |error: std::io::Error| Error::Source {
            path: path.to_owned(),
            fact: error.to_string(),
        };
        let mut file = File::open(path).map_err(fact)?;
        if is_lines(&mut file).map_err(fact)? {
            let at = std::sync::Arc::default();
            let counted = Counted { file, at: std::sync::Arc::clone(&at) };
            let mut counted = BufReader::with_capacity(1 << 18, counted);
            let start = counted.fill_buf().map_err(fact)?;
            let packing = Packing::of(start);
            let reader: Box<dyn Read + Send> = match packing {
                Packing::Gzip => Box::new(MultiGzDecoder::new(counted)),
                Packing::Zstd => {
                    Box::new(zstd::stream::read::Decoder::with_buffer(counted).map_err(fact)?)
                }
                Packing::None => Box::new(counted),
            };
            let reader = BufReader::with_capacity(1 << 18, reader);
            return Ok(Self { how: How::Lines { reader, at, number: 0 } });
        }
        let records = archive::open(path)
            .map_err(|error| Error::Source { path: path.to_owned(), fact: error.to_string() })?;
        Ok(Self { how: How::Records(Box::new(records)) })
    }

    /// How much of the file was read, in bytes.
    pub(crate) fn position(&self) -> u64 {
        match &self.how {
            How::Records(records) => Records::position(records),
            How::Lines { at, .. } => at.load(std::sync::atomic::Ordering::Relaxed),
        }
    }
}

impl Iterator for Items {
    type Item = Raw;

    fn next(&mut self) -> Option<Raw> {
        match &mut self.how {
            How::Records(records) => loop {
                match records.next()? {
                    // Requests and notes belong to pages; they are none.
                    Ok(record)
                        if matches!(
                            record.kind,
                            Kind::Response | Kind::Resource | Kind::Revisit
                        ) =>
                    {
                        return Some(Raw::Record(Box::new(record)));
                    }
                    Ok(_) => {}
                    Err(broken) => return Some(Raw::Broken(broken.to_string())),
                }
            },
            How::Lines { reader, number, .. } => loop {
                let mut line = Vec::new();
                *number += 1;
                match reader.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut line) {
                    Ok(0) => return None,
                    Err(error) => {
                        // Behind a torn gzip member nothing more can be read.
                        let fact = format!("line {number}: {error}");
                        *reader = BufReader::new(Box::new(std::io::empty()));
                        return Some(Raw::Broken(fact));
                    }
                    Ok(_) if line.iter().all(u8::is_ascii_whitespace) => {}
                    Ok(_) => {
                        return Some(match String::from_utf8(line) {
                            Ok(line) => {
                                Raw::Line(*number, line.trim_start_matches('\u{feff}').to_owned())
                            }
                            Err(_) => Raw::Broken(format!("line {number} is not UTF-8")),
                        });
                    }
                }
            },
        }
    }
}

/// How a file is packed, by how it starts.
enum Packing {
    None,
    Gzip,
    Zstd,
}

impl Packing {
    fn of(start: &[u8]) -> Self {
        match start {
            [0x1f, 0x8b, ..] => Self::Gzip,
            [0x28, 0xb5, 0x2f, 0xfd, ..] => Self::Zstd,
            _ => Self::None,
        }
    }
}

/// True if the file, unpacked, starts like JSON.
fn is_lines(file: &mut File) -> std::io::Result<bool> {
    let mut start = [0; 64];
    let mut head = Vec::new();
    let length = file.read(&mut start)?;
    file.seek(SeekFrom::Start(0))?;
    // A torn start is for the reader of archives to report.
    match Packing::of(&start[..length]) {
        Packing::Gzip => {
            let _ = MultiGzDecoder::new(&mut *file).take(64).read_to_end(&mut head);
        }
        Packing::Zstd => {
            let _ = zstd::stream::read::Decoder::new(&mut *file)?.take(64).read_to_end(&mut head);
        }
        Packing::None => head.extend_from_slice(&start[..length]),
    }
    file.seek(SeekFrom::Start(0))?;
    let head = head.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&head);
    Ok(head.iter().find(|it| !it.is_ascii_whitespace()).is_none_or(|it| matches!(it, b'{' | b'[')))
}

/// A file that tells how much of it was read.
struct Counted {
    file: File,
    at: std::sync::Arc<std::sync::atomic::AtomicU64>,
}

impl Read for Counted {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let length = self.file.read(buffer)?;
        self.at.fetch_add(length as u64, std::sync::atomic::Ordering::Relaxed);
        Ok(length)
    }
}
