//! PMTiles, version 3: many tiles in one file, found by a directory in it.
//!
//! The directory lists tiles along a Hilbert curve over all zooms; equal tiles are kept once. Only what a
//! base map needs is here: vector tiles, in gzip or not, with directories in gzip or not.

use std::collections::HashMap;
use std::io::Read;

use flate2::Compression;
use flate2::read::GzDecoder;

use crate::mercator::{DEEPEST, TileId};
use crate::tile::gzip;
use crate::wire::{put_number, take_number};

/// The length of the header.
pub(crate) const HEADER: usize = 127;

/// Header and first directory stand in the first 16 KiB, so that one read gets both.
const ROOM_FOR_ROOT: usize = 16_384 - HEADER;

/// How many tiles a directory below the first lists.
const LEAF: usize = 4096;

/// The largest directory that is unpacked. That of the whole planet's streets has some 100 kB.
const LARGEST_DIRECTORY: u64 = 16 << 20;

/// How bytes are packed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Packing {
    None,
    Gzip,
}

/// Where things are in the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Header {
    /// Offset and length of the first directory.
    pub(crate) root: (u64, u64),
    /// Of the text about the map.
    pub(crate) about: (u64, u64),
    /// Where the directories below the first begin.
    pub(crate) leaves: u64,
    /// Where the tiles begin.
    pub(crate) tiles: u64,
    pub(crate) directory_packing: Packing,
    pub(crate) tile_packing: Packing,
    pub(crate) shallowest: u8,
    pub(crate) deepest: u8,
}

/// One line of a directory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Entry {
    tile: u64,
    /// How many tiles from this one on are the same; none if this leads to another directory.
    run: u64,
    pub(crate) offset: u64,
    pub(crate) length: u64,
}

/// The lines of a directory in the order of their tiles.
#[derive(Debug, Default)]
pub(crate) struct Directory(Vec<Entry>);

/// What a directory says of a tile.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Listed {
    /// It is here, counted from the first tile.
    Tile(Entry),
    /// Another directory knows, here, counted from the first of them.
    Leaf(Entry),
    /// There is no such tile.
    Nothing,
}

impl Header {
    /// Reads the header, or says why the file is none of ours.
    pub(crate) fn read(bytes: &[u8]) -> Result<Self, String> {
        let head: &[u8; HEADER] = bytes.first_chunk().ok_or("it is shorter than a header")?;
        if &head[..7] != b"PMTiles" {
            return Err("it does not begin with \"PMTiles\"".to_owned());
        }
        if head[7] != 3 {
            return Err(format!("it has version {} of PMTiles, this program reads 3", head[7]));
        }
        if head[99] != 1 {
            let kind = match head[99] {
                2 => "PNG",
                3 => "JPEG",
                4 => "WebP",
                5 => "AVIF",
                _ => "unknown",
            };
            return Err(format!("its tiles are {kind} pictures, this program reads vector tiles"));
        }
        let number = |at: usize| {
            u64::from_le_bytes(*head[at..].first_chunk().expect("the header is longer than that"))
        };
        Ok(Self {
            root: (number(8), number(16)),
            about: (number(24), number(32)),
            leaves: number(40),
            tiles: number(56),
            directory_packing: Packing::read("directories", head[97])?,
            tile_packing: Packing::read("tiles", head[98])?,
            shallowest: head[100],
            deepest: head[101].min(DEEPEST),
        })
    }
}

impl Packing {
    fn read(what: &str, number: u8) -> Result<Self, String> {
        match number {
            1 => Ok(Self::None),
            2 => Ok(Self::Gzip),
            _ => Err(format!(
                "its {what} are packed by method {number}, this program reads gzip or none"
            )),
        }
    }
}

impl Directory {
    /// Reads a directory, or says why it cannot be read.
    pub(crate) fn read(packing: Packing, bytes: &[u8]) -> Result<Self, String> {
        let mut unpacked = Vec::new();
        if packing == Packing::Gzip {
            let read = GzDecoder::new(bytes).take(LARGEST_DIRECTORY).read_to_end(&mut unpacked);
            read.map_err(|error| format!("a directory cannot be unpacked: {error}"))?;
        } else {
            unpacked.extend(bytes);
        }
        Self::of_bytes(&unpacked).ok_or_else(|| "a directory is torn".to_owned())
    }

    fn of_bytes(mut bytes: &[u8]) -> Option<Self> {
        let count = usize::try_from(take_number(&mut bytes)?).ok()?;
        // Every entry has four numbers of at least a byte, so a small file cannot promise a large list.
        if count.checked_mul(4)? > bytes.len() {
            return None;
        }
        let mut entries = vec![Entry { tile: 0, run: 0, offset: 0, length: 0 }; count];
        let mut tile: u64 = 0;
        for entry in &mut entries {
            tile = tile.checked_add(take_number(&mut bytes)?)?;
            entry.tile = tile;
        }
        for entry in &mut entries {
            entry.run = take_number(&mut bytes)?;
        }
        for entry in &mut entries {
            entry.length = take_number(&mut bytes)?;
        }
        let mut end: u64 = 0;
        for (number, entry) in entries.iter_mut().enumerate() {
            entry.offset = match take_number(&mut bytes)? {
                // It follows the one before.
                0 if number > 0 => end,
                0 => return None,
                offset => offset - 1,
            };
            end = entry.offset.checked_add(entry.length)?;
        }
        Some(Self(entries))
    }

    fn write(entries: &[Entry]) -> Vec<u8> {
        let mut out = Vec::new();
        put_number(&mut out, entries.len() as u64);
        let mut last = 0;
        for entry in entries {
            put_number(&mut out, entry.tile - last);
            last = entry.tile;
        }
        entries.iter().for_each(|entry| put_number(&mut out, entry.run));
        entries.iter().for_each(|entry| put_number(&mut out, entry.length));
        let mut end = None;
        for entry in entries {
            let follows = end == Some(entry.offset);
            put_number(&mut out, if follows { 0 } else { entry.offset + 1 });
            end = Some(entry.offset + entry.length);
        }
        gzip(Compression::best(), &out)
    }

    /// What this directory says of the tile.
    pub(crate) fn find(&self, tile: u64) -> Listed {
        let after = self.0.partition_point(|entry| entry.tile <= tile);
        let Some(&entry) = after.checked_sub(1).and_then(|at| self.0.get(at)) else {
            return Listed::Nothing;
        };
        if entry.run == 0 {
            Listed::Leaf(entry)
        } else if tile - entry.tile < entry.run {
            Listed::Tile(entry)
        } else {
            Listed::Nothing
        }
    }
}

/// The number of a tile: those of smaller zooms first, then along the Hilbert curve of its zoom.
pub(crate) fn number(tile: TileId) -> u64 {
    let before = ((1_u64 << (2 * tile.z)) - 1) / 3;
    let (mut x, mut y) = (u64::from(tile.x), u64::from(tile.y));
    let mut along = 0;
    for bit in (0..tile.z).rev() {
        let half = 1_u64 << bit;
        let (right, low) = (u64::from(x & half > 0), u64::from(y & half > 0));
        along += half * half * ((3 * right) ^ low);
        // The curve is turned in each quarter, so that its ends meet.
        if low == 0 {
            if right == 1 {
                (x, y) =
                    (half.wrapping_sub(1).wrapping_sub(x), half.wrapping_sub(1).wrapping_sub(y));
            }
            (x, y) = (y, x);
        }
    }
    before + along
}

/// Tiles in gzip on their way into a file.
#[derive(Default)]
pub(crate) struct Writer {
    entries: Vec<Entry>,
    known: HashMap<Vec<u8>, u64>,
    tiles: Vec<u8>,
}

impl Writer {
    /// Adds a tile; tiles come in the order of their [`number`].
    pub(crate) fn add(&mut self, tile: u64, bytes: Vec<u8>) {
        let length = bytes.len() as u64;
        let end = self.tiles.len() as u64;
        let offset = *self.known.entry(bytes).or_insert_with_key(|bytes| {
            self.tiles.extend(bytes);
            end
        });
        match self.entries.last_mut() {
            Some(last) if last.tile + last.run == tile && last.offset == offset => last.run += 1,
            _ => self.entries.push(Entry { tile, run: 1, offset, length }),
        }
    }

    /// The file, with this text about the map, which is JSON, and its first and last zoom.
    pub(crate) fn finish(self, about: &str, (shallowest, deepest): (u8, u8)) -> Vec<u8> {
        let mut root = Directory::write(&self.entries);
        let mut leaves = Vec::new();
        if root.len() > ROOM_FOR_ROOT {
            let mut above = Vec::new();
            for part in self.entries.chunks(LEAF) {
                let leaf = Directory::write(part);
                let (offset, length) = (leaves.len() as u64, leaf.len() as u64);
                above.push(Entry { tile: part[0].tile, run: 0, offset, length });
                leaves.extend(leaf);
            }
            root = Directory::write(&above);
        }
        let about = gzip(Compression::best(), about.as_bytes());
        let addressed: u64 = self.entries.iter().map(|entry| entry.run).sum();

        let mut file = b"PMTiles\x03".to_vec();
        let mut offset = HEADER as u64;
        for part in [&root, &about, &leaves, &self.tiles] {
            file.extend(offset.to_le_bytes());
            file.extend((part.len() as u64).to_le_bytes());
            offset += part.len() as u64;
        }
        for count in [addressed, self.entries.len() as u64, self.known.len() as u64] {
            file.extend(count.to_le_bytes());
        }
        // Tiles in the order of the directory; directories and tiles in gzip; vector tiles; zooms.
        file.extend([1, 2, 2, 1, shallowest, deepest]);
        // The edges of the map and its middle, in ten-millionths of a degree.
        let [west, south, east, north] = [-180.0, -85.051_128_7, 180.0, 85.051_128_7]
            .map(|degrees: f64| ((degrees * 1e7).round() as i32).to_le_bytes());
        file.extend([west, south, east, north].concat());
        file.push(shallowest);
        file.extend([0; 8]);
        for part in [root, about, leaves, self.tiles] {
            file.extend(part);
        }
        file
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn tiles_are_numbered_as_the_specification_shows() {
        check((0, 0, 0), 0);
        check((1, 0, 0), 1);
        check((1, 0, 1), 2);
        check((1, 1, 1), 3);
        check((1, 1, 0), 4);
        check((2, 0, 0), 5);
        check((12, 3423, 1763), 19_078_479);
    }

    #[test]
    fn neighbours_on_the_curve_are_neighbours_on_the_map() {
        let mut tiles: Vec<(u64, [u32; 2])> = Vec::new();
        for x in 0..32 {
            tiles.extend((0..32).map(|y| (number(TileId { z: 5, x, y }), [x, y])));
        }
        tiles.sort_unstable();
        for pair in tiles.windows(2) {
            assert_eq!(pair[1].0 - pair[0].0, 1);
            let [a, b] = [pair[0].1, pair[1].1];
            assert_eq!(a[0].abs_diff(b[0]) + a[1].abs_diff(b[1]), 1);
        }
    }

    #[test]
    fn a_directory_comes_back_as_it_was() {
        let entry = |tile, run, offset, length| Entry { tile, run, offset, length };
        let entries = [entry(3, 1, 0, 9), entry(4, 5, 9, 2), entry(20, 1, 0, 9)];
        let read = Directory::read(Packing::Gzip, &Directory::write(&entries)).unwrap();
        assert_eq!(read.0, entries);
        assert_eq!(read.find(8), Listed::Tile(entries[1]));
        assert_eq!(read.find(9), Listed::Nothing);
        assert_eq!(read.find(2), Listed::Nothing);
    }

    proptest! {
        #[test]
        fn any_bytes_are_a_directory_or_an_error(bytes: Vec<u8>) {
            if let Ok(directory) = Directory::read(Packing::None, &bytes) {
                directory.find(7);
            }
            let _ = Directory::read(Packing::Gzip, &bytes);
            let _ = Header::read(&bytes);
        }
    }

    #[track_caller]
    fn check((z, x, y): (u8, u32, u32), expected: u64) {
        assert_eq!(number(TileId { z, x, y }), expected);
    }
}
