//! A vector tile: layers of points, lines and polygons with what is known of them.
//!
//! The format is Mapbox Vector Tile 2.1. Both ways are written here: the usual crates write it or read it,
//! bring a Protocol Buffers compiler along, and this is all of the format there is.

use std::collections::BTreeMap;
use std::io::{Read, Write};

use flate2::Compression;
use flate2::read::GzDecoder;
use flate2::write::GzEncoder;

use crate::wire::{
    Content, Fields, put_bytes, put_field, put_number, take_number, unzigzag, zigzag,
};

/// How many steps a tile is wide: an eighth of a pixel where a tile is shown 512 pixels wide.
pub(crate) const EXTENT: u32 = 4096;

/// The largest tile that is unpacked. Ours have some 60 kB; one of this size is made to fill the memory.
const LARGEST: u64 = 8 << 20;

/// A position in a tile, in steps from its upper left corner.
pub(crate) type Step = [i32; 2];

/// Features of one sort.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Layer {
    pub(crate) name: String,
    /// How many steps the tile is wide.
    pub(crate) extent: u32,
    pub(crate) features: Vec<Feature>,
}

/// One thing on the map, or several of which the same is known.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Feature {
    pub(crate) shape: Shape,
    pub(crate) tags: Vec<(String, Value)>,
}

/// What a feature looks like.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Shape {
    Points(Vec<Step>),
    Lines(Vec<Vec<Step>>),
    /// Rings whose end is not repeated: clockwise on the screen, each followed by its holes.
    Polygons(Vec<Vec<Step>>),
}

/// What is known of a feature.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Value {
    Text(String),
    Number(u64),
    Flag(bool),
}

impl Layer {
    pub(crate) fn new(name: &str) -> Self {
        Self { name: name.to_owned(), extent: EXTENT, features: Vec::new() }
    }

    fn write(&self) -> Vec<u8> {
        let mut keys: Vec<&str> = Vec::new();
        let mut values: Vec<&Value> = Vec::new();
        let mut known: BTreeMap<&Value, u64> = BTreeMap::new();
        let mut out = Vec::new();
        put_bytes(&mut out, 1, self.name.as_bytes());
        for feature in &self.features {
            let mut tags = Vec::new();
            for (key, value) in &feature.tags {
                let number = keys.iter().position(|it| it == key).unwrap_or_else(|| {
                    keys.push(key);
                    keys.len() - 1
                });
                put_number(&mut tags, number as u64);
                let number = *known.entry(value).or_insert_with(|| {
                    values.push(value);
                    values.len() as u64 - 1
                });
                put_number(&mut tags, number);
            }
            put_bytes(&mut out, 2, &feature.write(&tags));
        }
        keys.iter().for_each(|key| put_bytes(&mut out, 3, key.as_bytes()));
        values.iter().for_each(|value| put_bytes(&mut out, 4, &value.write()));
        put_field(&mut out, 5, u64::from(self.extent));
        put_field(&mut out, 15, 2);
        out
    }

    fn read(bytes: &[u8]) -> Self {
        let mut layer = Self::new("");
        let (mut keys, mut values, mut features) = (Vec::new(), Vec::new(), Vec::new());
        for field in Fields(bytes) {
            match field {
                (1, Content::Bytes(name)) => layer.name = text(name),
                (2, Content::Bytes(feature)) => features.push(feature),
                (3, Content::Bytes(key)) => keys.push(text(key)),
                (4, Content::Bytes(value)) => values.push(Value::read(value)),
                (5, Content::Number(extent)) => layer.extent = (extent as u32).max(1),
                _ => {}
            }
        }
        let read = |bytes: &&[u8]| Feature::read(&keys, &values, bytes);
        layer.features = features.iter().filter_map(read).collect();
        layer
    }
}

impl Feature {
    /// The value of a tag.
    pub(crate) fn tag(&self, key: &str) -> Option<&Value> {
        self.tags.iter().find(|(known, _)| known == key).map(|(_, value)| value)
    }

    fn write(&self, tags: &[u8]) -> Vec<u8> {
        let (kind, geometry) = self.shape.write();
        let mut out = Vec::new();
        if !tags.is_empty() {
            put_bytes(&mut out, 2, tags);
        }
        put_field(&mut out, 3, kind);
        put_bytes(&mut out, 4, &geometry);
        out
    }

    /// None for a feature whose geometry is of no kind we know.
    fn read(keys: &[String], values: &[Option<Value>], bytes: &[u8]) -> Option<Self> {
        let (mut kind, mut tags, mut geometry) = (0, Vec::new(), &[][..]);
        for field in Fields(bytes) {
            match field {
                (2, Content::Bytes(mut pairs)) => {
                    while let (Some(key), Some(value)) =
                        (take_number(&mut pairs), take_number(&mut pairs))
                    {
                        let key = keys.get(key as usize);
                        let value = values.get(value as usize).cloned().flatten();
                        tags.extend(key.cloned().zip(value));
                    }
                }
                (3, Content::Number(number)) => kind = number,
                (4, Content::Bytes(bytes)) => geometry = bytes,
                _ => {}
            }
        }
        Some(Self { shape: Shape::read(kind, geometry)?, tags })
    }
}

const MOVE: u64 = 1;
const LINE: u64 = 2;
const CLOSE: u64 = 7;

impl Shape {
    /// The number of its kind, and its corners as commands of a pen that remembers where it is.
    fn write(&self) -> (u64, Vec<u8>) {
        let mut pen = Pen::default();
        match self {
            Self::Points(points) => {
                pen.command(MOVE, points.len());
                points.iter().for_each(|&point| pen.go(point));
                (1, pen.out)
            }
            Self::Lines(lines) => {
                lines.iter().for_each(|line| pen.draw(line));
                (2, pen.out)
            }
            Self::Polygons(rings) => {
                for ring in rings {
                    pen.draw(ring);
                    pen.command(CLOSE, 1);
                }
                (3, pen.out)
            }
        }
    }

    fn read(kind: u64, mut geometry: &[u8]) -> Option<Self> {
        let mut at: Step = [0, 0];
        let mut lines: Vec<Vec<Step>> = Vec::new();
        while let Some(command) = take_number(&mut geometry) {
            let (order, count) = (command & 7, command >> 3);
            if order == CLOSE {
                continue;
            }
            for _ in 0..count {
                // Torn geometry has fewer corners than it promised.
                let (Some(x), Some(y)) = (take_number(&mut geometry), take_number(&mut geometry))
                else {
                    break;
                };
                at = [at[0].wrapping_add(unzigzag(x)), at[1].wrapping_add(unzigzag(y))];
                match lines.last_mut() {
                    Some(line) if order == LINE => line.push(at),
                    _ => lines.push(vec![at]),
                }
            }
        }
        match kind {
            1 => Some(Self::Points(lines.into_iter().flatten().collect())),
            2 => Some(Self::Lines(lines)),
            3 => Some(Self::Polygons(lines)),
            _ => None,
        }
    }
}

#[derive(Default)]
struct Pen {
    at: Step,
    out: Vec<u8>,
}

impl Pen {
    fn command(&mut self, order: u64, count: usize) {
        put_number(&mut self.out, (count as u64) << 3 | order);
    }

    fn go(&mut self, to: Step) {
        for (to, from) in to.into_iter().zip(self.at) {
            put_number(&mut self.out, zigzag(to.wrapping_sub(from)));
        }
        self.at = to;
    }

    fn draw(&mut self, line: &[Step]) {
        let Some((&first, rest)) = line.split_first() else { return };
        self.command(MOVE, 1);
        self.go(first);
        self.command(LINE, rest.len());
        rest.iter().for_each(|&step| self.go(step));
    }
}

impl Value {
    fn write(&self) -> Vec<u8> {
        let mut out = Vec::new();
        match self {
            Self::Text(text) => put_bytes(&mut out, 1, text.as_bytes()),
            Self::Number(number) => put_field(&mut out, 5, *number),
            Self::Flag(flag) => put_field(&mut out, 7, u64::from(*flag)),
        }
        out
    }

    /// None for fractions and numbers below zero, which our tiles do not have.
    fn read(bytes: &[u8]) -> Option<Self> {
        Fields(bytes).find_map(|field| match field {
            (1, Content::Bytes(bytes)) => Some(Self::Text(text(bytes))),
            (4 | 5, Content::Number(number)) => Some(Self::Number(number)),
            (7, Content::Number(number)) => Some(Self::Flag(number != 0)),
            _ => None,
        })
    }
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// The layers as a vector tile in gzip; those without features are left out.
pub(crate) fn write(level: Compression, layers: &[Layer]) -> Vec<u8> {
    let mut tile = Vec::new();
    for layer in layers.iter().filter(|layer| !layer.features.is_empty()) {
        put_bytes(&mut tile, 3, &layer.write());
    }
    gzip(level, &tile)
}

/// The layers of a vector tile in gzip; what is torn or too large is left out.
pub(crate) fn read(tile: &[u8]) -> Vec<Layer> {
    let mut bytes = Vec::new();
    // What was unpacked before the damage is still worth drawing.
    let _ = GzDecoder::new(tile).take(LARGEST).read_to_end(&mut bytes);
    let layers = Fields(&bytes).filter_map(|field| match field {
        (3, Content::Bytes(layer)) => Some(Layer::read(layer)),
        _ => None,
    });
    layers.collect()
}

pub(crate) fn gzip(level: Compression, bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), level);
    encoder.write_all(bytes).and_then(|()| encoder.finish()).expect("a vector takes all bytes")
}

/// The ring without corners that add nothing, clockwise on the screen if it is an outer one, else the
/// other way; none if it has no area.
pub(crate) fn tidy_ring(mut ring: Vec<Step>, is_outer: bool) -> Option<Vec<Step>> {
    loop {
        let before = ring.len();
        ring = without_straight_corners(&ring);
        if ring.len() < 3 {
            return None;
        }
        if ring.len() == before {
            break;
        }
    }
    let area = double_area(&ring);
    if area == 0 {
        return None;
    }
    if (area > 0) != is_outer {
        ring.reverse();
    }
    // Rings that are the same look the same, wherever clipping began: equal tiles are kept once.
    let first = (0..ring.len()).min_by_key(|&number| ring[number]).unwrap_or(0);
    ring.rotate_left(first);
    Some(ring)
}

/// One pass that leaves out corners on the straight way, and ways that go there and back.
fn without_straight_corners(ring: &[Step]) -> Vec<Step> {
    let mut left: Vec<Step> = Vec::with_capacity(ring.len());
    for (number, &next) in ring.iter().enumerate() {
        let after = ring[(number + 1) % ring.len()];
        let before = left.last().copied().unwrap_or(ring[ring.len() - 1]);
        if next != before && cross(before, next, after) != 0 {
            left.push(next);
        }
    }
    left
}

fn cross(a: Step, b: Step, c: Step) -> i64 {
    let way = |from: Step, to: Step| [0, 1].map(|axis| i64::from(to[axis]) - i64::from(from[axis]));
    let (first, second) = (way(a, b), way(b, c));
    first[0] * second[1] - first[1] * second[0]
}

/// Twice the area, above zero if the ring goes clockwise on the screen.
pub(crate) fn double_area(ring: &[Step]) -> i64 {
    let edges = ring.iter().zip(ring.iter().cycle().skip(1));
    let part = |(a, b): (&Step, &Step)| {
        i64::from(a[0]) * i64::from(b[1]) - i64::from(b[0]) * i64::from(a[1])
    };
    edges.map(part).sum()
}

#[cfg(test)]
pub(crate) mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_tile_comes_back_as_it_was() {
        let tags = vec![
            ("name".to_owned(), Value::Text("Kraków".to_owned())),
            ("rank".to_owned(), Value::Number(4)),
            ("capital".to_owned(), Value::Flag(true)),
        ];
        let mut cities = Layer::new("cities");
        cities.features.push(Feature { shape: Shape::Points(vec![[7, -3], [9, 4]]), tags });
        let mut land = Layer::new("land");
        let ring = vec![[0, 0], [4096, 0], [4096, 4096]];
        land.features.push(Feature { shape: Shape::Polygons(vec![ring]), tags: Vec::new() });
        let mut rivers = Layer::new("rivers");
        let lines = vec![vec![[5, 5], [6, 7]], vec![[1, 1], [2, 2], [3, 1]]];
        rivers.features.push(Feature { shape: Shape::Lines(lines), tags: Vec::new() });
        let layers = [land, rivers, cities];
        let tile = write(Compression::best(), &layers);
        assert_eq!(read(&tile), layers);
    }

    #[test]
    fn a_layer_without_features_is_left_out() {
        assert!(read(&write(Compression::fast(), &[Layer::new("land")])).is_empty());
    }

    #[test]
    fn the_smallest_point_is_written_as_the_specification_shows() {
        let (kind, geometry) = Shape::Points(vec![[25, 17]]).write();
        assert_eq!((kind, geometry), (1, vec![9, 50, 34]));
        let (kind, geometry) = Shape::Polygons(vec![vec![[3, 6], [8, 12], [20, 34]]]).write();
        assert_eq!((kind, geometry), (3, vec![9, 6, 12, 18, 10, 12, 24, 44, 15]));
    }

    #[test]
    fn a_ring_loses_straight_corners_and_ways_there_and_back() {
        check(&[[0, 0], [2, 0], [4, 0], [4, 4]], Some(&[[0, 0], [4, 0], [4, 4]]));
        check(&[[0, 0], [4, 0], [9, 0], [4, 0], [4, 4]], Some(&[[0, 0], [4, 0], [4, 4]]));
        check(&[[0, 0], [4, 4], [4, 0]], Some(&[[0, 0], [4, 0], [4, 4]]));
        check(&[[0, 0], [4, 0], [8, 0]], None);
        check(&[], None);
    }

    proptest! {
        #[test]
        fn any_bytes_are_a_tile_with_something_or_nothing_in_it(bytes: Vec<u8>) {
            let _ = read(&bytes);
            let _ = read(&gzip(Compression::fast(), &bytes));
            let mut layer = Vec::new();
            put_bytes(&mut layer, 2, &bytes);
            let _ = Layer::read(&layer);
            let _ = Shape::read(3, &bytes);
        }
    }

    #[track_caller]
    fn check(ring: &[Step], expected: Option<&[Step]>) {
        assert_eq!(tidy_ring(ring.to_vec(), true).as_deref(), expected);
    }
}
