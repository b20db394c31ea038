//! Extracts of OpenStreetMap in memory: ways, and areas that are made of several.
//!
//! The format is OpenStreetMap's PBF. Nodes alone are of no use to a map of lines and are only looked up.

use std::collections::{BTreeMap, HashMap};
use std::io::Read;

use earth::Point;
use flate2::read::ZlibDecoder;

use super::chain;
use crate::mercator::{Spot, spot};
use crate::wire::{Content, Fields, take_number};

/// The largest block that the format allows once it is unpacked.
const LARGEST: u64 = 32 << 20;

/// Tags by their keys.
pub(super) type Tags = BTreeMap<String, String>;

/// A line, or the rings of an area, with what is known of it.
pub(super) struct Shape {
    pub(super) tags: Tags,
    /// The line, in one piece; or the rings of an area, each with its end repeated.
    pub(super) lines: Vec<Vec<Spot>>,
}

/// The ways and areas of an extract in the order of the file; none if it is torn.
pub(super) fn shapes(file: &[u8]) -> Option<Vec<Shape>> {
    let mut extract = Extract::default();
    let mut rest = file;
    while !rest.is_empty() {
        let (length, after) = rest.split_first_chunk()?;
        let (header, after) = after.split_at_checked(u32::from_be_bytes(*length) as usize)?;
        let size = number(header, 3)?;
        let (blob, after) = after.split_at_checked(usize::try_from(size).ok()?)?;
        if bytes(header, 1)? == b"OSMData" {
            extract.block(&unpacked(blob)?)?;
        }
        rest = after;
    }
    Some(extract.shapes())
}

fn unpacked(blob: &[u8]) -> Option<Vec<u8>> {
    if let Some(raw) = bytes(blob, 1) {
        return Some(raw.to_vec());
    }
    let mut unpacked = Vec::new();
    let mut source = ZlibDecoder::new(bytes(blob, 3)?).take(LARGEST);
    source.read_to_end(&mut unpacked).ok()?;
    Some(unpacked)
}

#[derive(Default)]
struct Extract {
    nodes: HashMap<i64, Spot>,
    ways: Vec<(i64, Tags, Vec<i64>)>,
    /// Tags and the ways that are members.
    areas: Vec<(Tags, Vec<i64>)>,
}

impl Extract {
    fn block(&mut self, block: &[u8]) -> Option<()> {
        let words: Vec<&[u8]> = all(bytes(block, 1)?, 1).collect();
        let scale = Scale {
            step: number(block, 17).map_or(100, |it| it as i64),
            lat: number(block, 19).map_or(0, |it| it as i64),
            lon: number(block, 20).map_or(0, |it| it as i64),
        };
        for group in all(block, 2) {
            all(group, 2).try_for_each(|dense| self.dense(&scale, dense))?;
            all(group, 3).try_for_each(|way| self.way(&words, way))?;
            all(group, 4).for_each(|relation| self.relation(&words, relation));
        }
        Some(())
    }

    fn dense(&mut self, scale: &Scale, dense: &[u8]) -> Option<()> {
        let ids = sums(bytes(dense, 1)?);
        let (lats, lons) = (sums(bytes(dense, 8)?), sums(bytes(dense, 9)?));
        for ((id, lat), lon) in ids.into_iter().zip(lats).zip(lons) {
            self.nodes.insert(id, spot(scale.point(lat, lon)));
        }
        Some(())
    }

    fn way(&mut self, words: &[&[u8]], way: &[u8]) -> Option<()> {
        let nodes = sums(bytes(way, 8).unwrap_or_default());
        self.ways.push((number(way, 1)? as i64, tags(words, way), nodes));
        Some(())
    }

    fn relation(&mut self, words: &[&[u8]], relation: &[u8]) {
        let tags = tags(words, relation);
        if tags.get("type").is_some_and(|it| it == "multipolygon") {
            let ids = sums(bytes(relation, 9).unwrap_or_default());
            let kinds = numbers(bytes(relation, 10).unwrap_or_default());
            let ways = ids.into_iter().zip(kinds).filter(|&(_, kind)| kind == 1);
            self.areas.push((tags, ways.map(|(id, _)| id).collect()));
        }
    }

    fn shapes(self) -> Vec<Shape> {
        let line = |nodes: &[i64]| -> Vec<Spot> {
            nodes.iter().filter_map(|node| self.nodes.get(node).copied()).collect()
        };
        let ways: HashMap<i64, &[i64]> =
            self.ways.iter().map(|(id, _, nodes)| (*id, nodes.as_slice())).collect();
        let of_ways = self.ways.iter().filter(|(_, tags, _)| !tags.is_empty());
        let of_ways =
            of_ways.map(|(_, tags, nodes)| Shape { tags: tags.clone(), lines: vec![line(nodes)] });
        let of_areas = self.areas.iter().map(|(tags, members)| {
            let lines = members.iter().filter_map(|way| ways.get(way)).map(|it| line(it));
            Shape { tags: tags.clone(), lines: chain::chained(lines.collect()) }
        });
        of_ways.chain(of_areas).collect()
    }
}

/// How a block writes positions.
struct Scale {
    step: i64,
    lat: i64,
    lon: i64,
}

impl Scale {
    fn point(&self, lat: i64, lon: i64) -> Point {
        let degrees =
            |from: i64, steps: i64| from.wrapping_add(self.step.wrapping_mul(steps)) as f64 * 1e-9;
        Point::new(degrees(self.lat, lat), degrees(self.lon, lon))
    }
}

fn tags(words: &[&[u8]], element: &[u8]) -> Tags {
    let word =
        |number: u64| words.get(number as usize).map(|it| String::from_utf8_lossy(it).into_owned());
    let keys = numbers(bytes(element, 2).unwrap_or_default()).into_iter();
    let values = numbers(bytes(element, 3).unwrap_or_default());
    keys.zip(values).filter_map(|(key, value)| Some((word(key)?, word(value)?))).collect()
}

fn all(record: &[u8], field: u64) -> impl Iterator<Item = &[u8]> {
    Fields(record).filter_map(move |it| match it {
        (number, Content::Bytes(bytes)) if number == field => Some(bytes),
        _ => None,
    })
}

fn bytes(record: &[u8], field: u64) -> Option<&[u8]> {
    all(record, field).next()
}

fn number(record: &[u8], field: u64) -> Option<u64> {
    Fields(record).find_map(|it| match it {
        (number, Content::Number(value)) if number == field => Some(value),
        _ => None,
    })
}

fn numbers(mut packed: &[u8]) -> Vec<u64> {
    std::iter::from_fn(|| take_number(&mut packed)).collect()
}

/// Numbers of which each is written as the difference to the one before.
fn sums(packed: &[u8]) -> Vec<i64> {
    let mut sum = 0_i64;
    let add = |number: u64| {
        sum = sum.wrapping_add((number >> 1) as i64 ^ -((number & 1) as i64));
        sum
    };
    numbers(packed).into_iter().map(add).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::wire::{put_bytes, put_field};

    #[test]
    fn a_way_comes_with_its_tags_and_positions() {
        let shapes = shapes(&extract()).unwrap();
        assert_eq!(shapes.len(), 1);
        assert_eq!(shapes[0].tags["highway"], "residential");
        let expected = [Point::new(43.0, 7.0), Point::new(43.5, 7.5)].map(spot);
        for (found, expected) in shapes[0].lines[0].iter().zip(expected) {
            assert!((0..2).all(|axis| (found[axis] - expected[axis]).abs() < 1e-9));
        }
    }

    proptest! {
        #[test]
        fn torn_extracts_are_none_or_smaller(
            changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..6),
        ) {
            let mut bytes = extract();
            for (at, byte) in changes {
                let at = at.index(bytes.len());
                bytes[at] = byte;
            }
            let _ = shapes(&bytes);
        }

        #[test]
        fn any_bytes_are_an_extract_or_none(bytes: Vec<u8>) {
            let _ = shapes(&bytes);
            let _ = Extract::default().block(&bytes);
        }
    }

    /// Two nodes and a street between them, not packed.
    fn extract() -> Vec<u8> {
        let mut words = Vec::new();
        ["", "highway", "residential"]
            .iter()
            .for_each(|it| put_bytes(&mut words, 1, it.as_bytes()));
        let packed = |numbers: &[u64]| {
            let mut out = Vec::new();
            numbers.iter().for_each(|&it| crate::wire::put_number(&mut out, it));
            out
        };
        let mut dense = Vec::new();
        put_bytes(&mut dense, 1, &packed(&[2, 2]));
        put_bytes(&mut dense, 8, &packed(&[860_000_000, 10_000_000]));
        put_bytes(&mut dense, 9, &packed(&[140_000_000, 10_000_000]));
        let mut way = Vec::new();
        put_field(&mut way, 1, 9);
        put_bytes(&mut way, 2, &packed(&[1]));
        put_bytes(&mut way, 3, &packed(&[2]));
        put_bytes(&mut way, 8, &packed(&[2, 2]));
        let mut group = Vec::new();
        put_bytes(&mut group, 2, &dense);
        put_bytes(&mut group, 3, &way);
        let mut block = Vec::new();
        put_bytes(&mut block, 1, &words);
        put_bytes(&mut block, 2, &group);
        let mut blob = Vec::new();
        put_bytes(&mut blob, 1, &block);
        let mut header = Vec::new();
        put_bytes(&mut header, 1, b"OSMData");
        put_field(&mut header, 3, blob.len() as u64);
        [&(header.len() as u32).to_be_bytes()[..], &header, &blob].concat()
    }
}
