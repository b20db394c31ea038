//! A base map that can be asked for its tiles.

use std::borrow::Cow;
use std::fs::File;
use std::io::{self, Read};
use std::os::unix::fs::FileExt;
use std::path::Path;
use std::sync::OnceLock;

use flate2::Compression;
use flate2::read::GzDecoder;

use crate::mercator::TileId;
use crate::pmtiles::{self, Directory, HEADER, Header, Listed, Packing};
use crate::tile::gzip;

static BYTES: &[u8] = include_bytes!("../../../data/basemap.pmtiles");
static EMBEDDED: OnceLock<Basemap> = OnceLock::new();

/// Directories lead to directories, but not further than the format allows.
const DEEPEST_DIRECTORY: usize = 4;

/// The largest tile or directory that is read from a file. Tiles of streets are kept below half of it.
const LARGEST: u64 = 4 << 20;

/// Vector tiles in one PMTiles file: the one that is part of the program, or one of the operator's.
#[derive(Debug)]
pub struct Basemap {
    name: String,
    source: Source,
    header: Header,
    root: Directory,
}

/// Why a file is no base map.
#[derive(Debug, thiserror::Error)]
pub enum BasemapError {
    /// It cannot be read.
    #[error("{file}: {error}")]
    Io {
        /// The file.
        file: String,
        /// What the system says.
        error: io::Error,
    },
    /// It is something else, or damaged.
    #[error("{file} is no base map: {reason}")]
    Foreign {
        /// The file.
        file: String,
        /// What is wrong with it.
        reason: String,
    },
}

impl Basemap {
    /// The map of the world that is part of the program, from Natural Earth: zooms 0 to 6.
    ///
    /// # Panics
    ///
    /// Never in a program that was built whole: its bytes are part of the repository and tested.
    pub fn embedded() -> &'static Self {
        EMBEDDED.get_or_init(|| {
            Self::new("the embedded base map", Source::Static(BYTES)).expect("a test opens it")
        })
    }

    /// Opens a PMTiles file with vector tiles; it reads no more than the first directory.
    pub fn open(path: &Path) -> Result<Self, BasemapError> {
        let name = path.display().to_string();
        let io = |error| BasemapError::Io { file: name.clone(), error };
        let file = File::open(path).map_err(io)?;
        let size = file.metadata().map_err(io)?.len();
        Self::new(&name, Source::File { file, size })
    }

    pub(crate) fn new(name: &str, source: Source) -> Result<Self, BasemapError> {
        let foreign = |reason| BasemapError::Foreign { file: name.to_owned(), reason };
        let io = |error| BasemapError::Io { file: name.to_owned(), error };
        let start = source.read(0, source.size().min(HEADER as u64)).map_err(io)?;
        let header = Header::read(&start).map_err(foreign)?;
        let root = source.read(header.root.0, header.root.1).map_err(io)?;
        let root = Directory::read(header.directory_packing, &root).map_err(foreign)?;
        Ok(Self { name: name.to_owned(), source, header, root })
    }

    /// The tile in gzip; none where there is nothing to draw, or beyond the zooms of the map.
    pub fn tile(&self, z: u8, x: u32, y: u32) -> Result<Option<Cow<'_, [u8]>>, BasemapError> {
        let Some(tile) = TileId::checked(z, x, y) else { return Ok(None) };
        let number = pmtiles::number(tile);
        let mut listed = self.root.find(number);
        for _ in 0..DEEPEST_DIRECTORY {
            let entry = match listed {
                Listed::Nothing => return Ok(None),
                Listed::Tile(entry) => {
                    let bytes = self.read(self.header.tiles, entry.offset, entry.length)?;
                    return Ok(Some(match self.header.tile_packing {
                        Packing::Gzip => bytes,
                        Packing::None => Cow::Owned(gzip(Compression::fast(), &bytes)),
                    }));
                }
                Listed::Leaf(entry) => entry,
            };
            let bytes = self.read(self.header.leaves, entry.offset, entry.length)?;
            let leaf = Directory::read(self.header.directory_packing, &bytes);
            listed = leaf.map_err(|reason| self.foreign(reason))?.find(number);
        }
        Err(self.foreign("its directories lead nowhere".to_owned()))
    }

    /// The first and the last zoom that has tiles.
    pub fn zooms(&self) -> (u8, u8) {
        (self.header.shallowest, self.header.deepest)
    }

    /// What the file says about itself, as JSON: its layers, who is to be thanked.
    pub fn about(&self) -> Result<String, BasemapError> {
        let (offset, length) = self.header.about;
        let bytes = self.read(0, offset, length)?;
        let mut text = String::new();
        let read = match self.header.directory_packing {
            Packing::Gzip => GzDecoder::new(&*bytes).take(LARGEST).read_to_string(&mut text),
            Packing::None => (&*bytes).read_to_string(&mut text),
        };
        read.map_err(|error| self.foreign(format!("its description cannot be read: {error}")))?;
        Ok(text)
    }

    fn read(&self, from: u64, offset: u64, length: u64) -> Result<Cow<'_, [u8]>, BasemapError> {
        self.source
            .read(from.saturating_add(offset), length)
            .map_err(|error| BasemapError::Io { file: self.name.clone(), error })
    }

    fn foreign(&self, reason: String) -> BasemapError {
        BasemapError::Foreign { file: self.name.clone(), reason }
    }
}

/// Where the bytes are.
#[derive(Debug)]
pub(crate) enum Source {
    Static(&'static [u8]),
    File { file: File, size: u64 },
}

impl Source {
    fn size(&self) -> u64 {
        match self {
            Self::Static(bytes) => bytes.len() as u64,
            Self::File { size, .. } => *size,
        }
    }

    fn read(&self, offset: u64, length: u64) -> io::Result<Cow<'_, [u8]>> {
        let end = offset.checked_add(length).filter(|&end| end <= self.size());
        let end = end.ok_or_else(|| invalid("it is shorter than it says"))?;
        if length > LARGEST {
            return Err(invalid("a part of it is larger than four megabytes"));
        }
        match self {
            Self::Static(bytes) => Ok(Cow::Borrowed(&bytes[offset as usize..end as usize])),
            Self::File { file, .. } => {
                let mut bytes = vec![0; length as usize];
                file.read_exact_at(&mut bytes, offset)?;
                Ok(Cow::Owned(bytes))
            }
        }
    }
}

fn invalid(fact: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, fact)
}

/// A tile of the embedded base map in gzip; none where there is only the sea, or beyond zoom 6.
pub fn tile(z: u8, x: u32, y: u32) -> Option<Cow<'static, [u8]>> {
    // A test reads every tile there is, so nothing is lost with the error.
    Basemap::embedded().tile(z, x, y).ok().flatten()
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use proptest::prelude::*;

    use super::*;
    use crate::pmtiles::Writer;
    use crate::tile::{self, Feature, Shape, Value};

    /// The largest tile a page should have to wait for, in gzip.
    const LARGEST_SERVED: usize = 30_000;

    #[test]
    fn every_tile_of_the_embedded_map_can_be_read_and_is_small() {
        let map = Basemap::embedded();
        let mut count = 0;
        for z in 0..=6_u8 {
            for x in 0..1 << z {
                for y in 0..1 << z {
                    let Some(bytes) = map.tile(z, x, y).unwrap() else { continue };
                    count += 1;
                    assert!(bytes.len() <= LARGEST_SERVED, "{z}/{x}/{y}: {}", bytes.len());
                    assert!(!tile::read(&bytes).is_empty(), "{z}/{x}/{y}");
                }
            }
        }
        assert!(count > 3000, "{count}");
        assert!(BYTES.len() < 5_000_000, "{}", BYTES.len());
    }

    #[test]
    fn the_embedded_map_has_krakow_with_its_accent() {
        // Kraków lies at 50.06 N, 19.94 E.
        let bytes = tile(6, 35, 21).unwrap();
        let layers = tile::read(&bytes);
        let cities = layers.iter().find(|it| it.name == "cities").unwrap();
        let is_krakow = |it: &&Feature| it.tag("name") == Some(&Value::Text("Kraków".to_owned()));
        let krakow = cities.features.iter().find(is_krakow).unwrap();
        assert!(matches!(krakow.tag("rank"), Some(Value::Number(_))));
        assert!(matches!(krakow.shape, Shape::Points(_)));
    }

    #[test]
    fn beyond_the_map_there_is_nothing() {
        assert_eq!(tile(7, 0, 0), None);
        assert_eq!(tile(3, 8, 0), None);
        assert_eq!(tile(255, 0, 0), None);
    }

    #[test]
    fn the_embedded_map_thanks_natural_earth() {
        let about = Basemap::embedded().about().unwrap();
        assert!(about.contains("Natural Earth"), "{about}");
        assert_eq!(Basemap::embedded().zooms(), (0, 6));
    }

    #[test]
    fn a_file_with_directories_below_the_first_is_read_too() {
        let mixed = |number: u64| number.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40;
        let bytes = |number: u64| {
            let length = mixed(number) as usize % 60;
            gzip(Compression::fast(), &vec![number as u8; length])
        };
        let all = (0..256).flat_map(|x| (0..256).map(move |y| TileId { z: 8, x, y }));
        let mut tiles: Vec<_> = all.map(|tile| (pmtiles::number(tile), tile)).collect();
        // A list with gaps of all sizes does not shrink to a few runs.
        tiles.retain(|(number, _)| mixed(number ^ 0xff).is_multiple_of(3));
        tiles.sort_unstable();
        let mut writer = Writer::default();
        tiles.iter().for_each(|&(number, _)| writer.add(number, bytes(number)));
        let file = file(&writer.finish("{}", (8, 8)));
        let map = Basemap::open(file.path()).unwrap();
        assert!(map.header.leaves < map.header.tiles, "the list fits into one directory");
        for (number, tile) in tiles {
            let expected = bytes(number);
            assert_eq!(map.tile(tile.z, tile.x, tile.y).unwrap().as_deref(), Some(&expected[..]));
        }
        assert_eq!(map.about().unwrap(), "{}");
    }

    #[test]
    fn a_foreign_file_is_refused_with_the_reason() {
        check(b"", "is no base map: it is shorter than a header");
        check(&[b'x'; 200], "is no base map: it does not begin with \"PMTiles\"");
        let mut picture = BYTES[..HEADER].to_vec();
        picture[99] = 2;
        check(&picture, "its tiles are PNG pictures, this program reads vector tiles");
        check(&BYTES[..HEADER], "it is shorter than it says");
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]
        #[test]
        fn a_damaged_file_gives_an_error_or_fewer_tiles(
            changes in prop::collection::vec((0..600_usize, any::<u8>()), 1..6),
            length in 100..20_000_usize,
        ) {
            let mut bytes = BYTES[..length.max(600)].to_vec();
            changes.iter().for_each(|&(at, byte)| bytes[at] = byte);
            let file = file(&bytes);
            if let Ok(map) = Basemap::open(file.path()) {
                for (z, x, y) in [(0, 0, 0), (3, 4, 2), (6, 35, 21), (31, 9, 9)] {
                    let _ = map.tile(z, x, y);
                }
                let _ = map.about();
            }
        }
    }

    fn file(bytes: &[u8]) -> tempfile::NamedTempFile {
        let mut file = tempfile::NamedTempFile::new().unwrap();
        file.write_all(bytes).unwrap();
        file
    }

    #[track_caller]
    fn check(bytes: &[u8], expected: &str) {
        let file = file(bytes);
        let error = Basemap::open(file.path()).unwrap_err().to_string();
        assert!(error.contains(expected), "{error}");
    }
}
