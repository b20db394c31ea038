//! How places, names and houses lie in the file.

use crate::fact::NameClass;
use crate::file::{Section, SectionFile, read_u32, read_u64};
use crate::kind::Kind;
use crate::shape::{ShapeWriter, Shapes};

/// Bytes of a place's row.
pub(crate) const PLACE: usize = 52;
/// Bytes of a house's row: number as text, latitude, longitude, postcode.
pub(crate) const HOUSE: usize = 16;

/// A place's row.
#[derive(Clone, Copy)]
pub(crate) struct PlaceRow {
    pub(crate) key: u32,
    pub(crate) name: u32,
    pub(crate) lat: i32,
    pub(crate) lon: i32,
    pub(crate) parent: u32,
    /// Where its names start; they end where those of the next row start.
    pub(crate) names: u32,
    /// Its first child; the children end where those of the next row start.
    pub(crate) children: u32,
    pub(crate) shape: u32,
    pub(crate) tags: u32,
    pub(crate) country: u32,
    pub(crate) population: u64,
    pub(crate) kind: Kind,
    pub(crate) seat: u8,
    pub(crate) rank: u16,
}

impl PlaceRow {
    /// The row after the last place, which only says where the last lists end.
    pub(crate) fn end(names: u32, children: u32) -> Self {
        Self {
            key: 0,
            name: 0,
            lat: 0,
            lon: 0,
            parent: 0,
            names,
            children,
            shape: u32::MAX,
            tags: 0,
            country: 0,
            population: 0,
            kind: Kind::World,
            seat: 0,
            rank: 0,
        }
    }

    pub(crate) fn write(&self, out: &mut Vec<u8>) {
        for number in
            [self.key, self.name, self.lat as u32, self.lon as u32, self.parent, self.names]
        {
            out.extend_from_slice(&number.to_le_bytes());
        }
        for number in [self.children, self.shape, self.tags, self.country] {
            out.extend_from_slice(&number.to_le_bytes());
        }
        out.extend_from_slice(&self.population.to_le_bytes());
        out.extend_from_slice(&[self.kind as u8, self.seat]);
        out.extend_from_slice(&self.rank.to_le_bytes());
    }

    /// The parent alone, for those who only climb.
    pub(crate) fn parent(bytes: &[u8], index: usize) -> u32 {
        read_u32(bytes, index * PLACE + 16)
    }

    /// Latitude and longitude alone, in fixed point.
    pub(crate) fn position(bytes: &[u8], index: usize) -> (i32, i32) {
        let at = index * PLACE;
        (read_u32(bytes, at + 8) as i32, read_u32(bytes, at + 12) as i32)
    }

    /// The kind alone.
    pub(crate) fn kind(bytes: &[u8], index: usize) -> Kind {
        Kind::from_number(read_u32(bytes, index * PLACE + 48).to_le_bytes()[0]).unwrap_or(Kind::Poi)
    }

    pub(crate) fn read(bytes: &[u8], index: usize) -> Self {
        let at = index * PLACE;
        let number = |column: usize| read_u32(bytes, at + column * 4);
        let last = number(12).to_le_bytes();
        Self {
            key: number(0),
            name: number(1),
            lat: number(2) as i32,
            lon: number(3) as i32,
            parent: number(4),
            names: number(5),
            children: number(6),
            shape: number(7),
            tags: number(8),
            country: number(9),
            population: read_u64(bytes, at + 40),
            kind: Kind::from_number(last[0]).unwrap_or(Kind::Poi),
            seat: last[1],
            rank: u16::from_le_bytes([last[2], last[3]]),
        }
    }
}

/// A name in a list: its class in the two upper bits, its text in the others.
pub(crate) fn pack_name(class: NameClass, text: u32) -> u32 {
    (class as u32) << 30 | text
}

pub(crate) fn unpack_name(packed: u32) -> (NameClass, u32) {
    (name_class(packed >> 30), packed & ((1 << 30) - 1))
}

pub(crate) fn name_class(number: u32) -> NameClass {
    match number {
        0 => NameClass::Main,
        1 => NameClass::Alternate,
        2 => NameClass::Short,
        _ => NameClass::Demonym,
    }
}

/// What a house number counts as: `12b` is 12.
pub(crate) fn house_value(number: &str) -> u32 {
    let digits: String = number
        .chars()
        .skip_while(|it| !it.is_ascii_digit())
        .take_while(char::is_ascii_digit)
        .collect();
    digits.parse().unwrap_or(0)
}

/// Outlines that are asked before they are in a file.
pub(crate) fn shapes_in_memory(writer: ShapeWriter) -> Shapes {
    let [table, rings, corners] = writer.finish();
    let mut bytes = Vec::new();
    crate::file::write(&mut bytes, &[("t", table), ("r", rings), ("c", corners)])
        .expect("a vector takes any bytes");
    let file = SectionFile::from_vec("outlines", bytes).expect("it was written just now");
    Shapes::new(file.section("t"), file.section("r"), file.section("c"))
}

/// A house of the file.
pub(crate) struct HouseRow {
    pub(crate) number: u32,
    pub(crate) lat: i32,
    pub(crate) lon: i32,
    pub(crate) postcode: u32,
}

impl HouseRow {
    pub(crate) fn read(section: &Section, index: usize) -> Self {
        let number = |column: usize| read_u32(section.as_ref(), index * HOUSE + column * 4);
        Self {
            number: number(0),
            lat: number(1) as i32,
            lon: number(2) as i32,
            postcode: number(3),
        }
    }
}
