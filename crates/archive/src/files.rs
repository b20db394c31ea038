//! The files of an archive: their names and their order.

use std::fs;
use std::path::{Path, PathBuf};

use jiff::Timestamp;

use crate::date;
use crate::failure::Failure;

/// How files of an archive may end.
const ENDINGS: [&str; 6] = [".warc.gz", ".warc.zst", ".warc", ".arc.gz", ".arc.zst", ".arc"];

/// A file that a writer with some prefix wrote: `PREFIX-20260102030405-00001.warc.gz`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Numbered {
    pub(crate) number: u64,
    pub(crate) name: String,
}

impl Numbered {
    pub(crate) fn new(prefix: &str, date: Timestamp, number: u64) -> Self {
        Self { number, name: format!("{prefix}-{}-{number:05}.warc.gz", date::digits(date)) }
    }

    /// The file of that name, if one with this prefix could have it.
    fn read(prefix: &str, name: &str) -> Option<Self> {
        let rest = name.strip_prefix(prefix)?.strip_prefix('-')?.strip_suffix(".warc.gz")?;
        let (date, number) = rest.split_once('-')?;
        let is_digits = |it: &str| it.bytes().all(|it| it.is_ascii_digit());
        if date.len() != 14 || number.len() < 5 || !is_digits(date) || !is_digits(number) {
            return None;
        }
        Some(Self { number: number.parse().ok()?, name: name.to_owned() })
    }
}

/// The files with that prefix, in the order in which they were written. Others are left alone.
pub(crate) fn numbered(folder: &Path, prefix: &str) -> Result<Vec<Numbered>, Failure> {
    let mut files: Vec<_> =
        names(folder)?.iter().filter_map(|it| Numbered::read(prefix, it)).collect();
    files.sort_unstable();
    Ok(files)
}

/// The names of all files of archives in the folder, whoever wrote them, in order.
pub(crate) fn archives(folder: &Path) -> Result<Vec<String>, Failure> {
    let mut names = names(folder)?;
    names.retain(|name| ENDINGS.iter().any(|it| name.ends_with(it)));
    names.sort_unstable();
    Ok(names)
}

/// The catalogue beside a file of an archive.
pub(crate) fn catalogue_of(folder: &Path, name: &str) -> PathBuf {
    let stem = ENDINGS.iter().find_map(|it| name.strip_suffix(it)).unwrap_or(name);
    folder.join(format!("{stem}.cdxj"))
}

/// A prefix that makes names of files, and no paths.
pub(crate) fn check_prefix(prefix: &str) -> Result<(), Failure> {
    let is_letter = |it: u8| it.is_ascii_alphanumeric() || b"-_.".contains(&it);
    if prefix.is_empty() || prefix.starts_with('.') || !prefix.bytes().all(is_letter) {
        return Err(Failure::Name { name: prefix.to_owned() });
    }
    Ok(())
}

fn names(folder: &Path) -> Result<Vec<String>, Failure> {
    let failed = |error| Failure::read(folder, error);
    let mut names = Vec::new();
    for entry in fs::read_dir(folder).map_err(failed)? {
        // A name that is not UTF-8 is none of ours.
        names.extend(entry.map_err(failed)?.file_name().into_string());
    }
    Ok(names)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(prefix: &str, name: &str, number: Option<u64>) {
        assert_eq!(Numbered::read(prefix, name).map(|it| it.number), number, "{prefix} {name}");
    }

    #[test]
    fn a_file_belongs_to_one_prefix() {
        check("a", "a-20260102030405-00001.warc.gz", Some(1));
        check("a", "a-20260102030405-123456.warc.gz", Some(123_456));
        check("a-b", "a-b-20260102030405-00001.warc.gz", Some(1));
        check("a", "a-b-20260102030405-00001.warc.gz", None);
        check("a", "a-20260102030405-20260102030405-00001.warc.gz", None);
        check("a", "a-20260102030405-00001.warc.gz.aside", None);
        check("a", "a-20260102030405-00001.cdxj", None);
        check("a", "a-20260102030405-99999999999999999999999.warc.gz", None);
        check("a", "ab-20260102030405-00001.warc.gz", None);
    }

    #[test]
    fn files_stand_in_the_order_of_their_numbers() {
        let folder = tempfile::tempdir().unwrap();
        for name in ["a-20260102030405-00010.warc.gz", "a-20270102030405-00009.warc.gz", "b.warc"] {
            fs::write(folder.path().join(name), "").unwrap();
        }
        let files = numbered(folder.path(), "a").unwrap();
        assert_eq!(files.iter().map(|it| it.number).collect::<Vec<_>>(), [9, 10]);
        assert_eq!(archives(folder.path()).unwrap().len(), 3);
        let date = "2026-01-02T03:04:05Z".parse().unwrap();
        assert_eq!(Numbered::new("a", date, 10), files[1]);
    }

    #[test]
    fn a_prefix_is_no_path() {
        for prefix in ["", "..", "a/b", "a\\b", "a b", "é", ".a"] {
            assert!(check_prefix(prefix).is_err(), "{prefix}");
        }
        assert!(check_prefix("nrw-2026_a.b").is_ok());
    }
}
