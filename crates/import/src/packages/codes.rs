//! What sort of populated place a GeoNames id is: the feature codes in `cities.pbf`.
//!
//! The file is a row of protocol-buffer messages, each behind its length. Of each message only
//! field 1 (the id, zigzag) and field 7 (the feature code, a string) are wanted.

use std::collections::BTreeMap;

use gazetteer::Seat;

use crate::wire::{Value, Wire};

pub(super) const CODES: &str = "cities.pbf";

/// The feature code of a populated place, as far as it matters here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Code {
    /// A town that is the seat of this, or of nothing.
    Town(Seat),
    /// A section of a town (`PPLX`).
    Section,
}

const ID: u32 = 1;
const FEATURE_CODE: u32 = 7;

/// The code of every place in the file; nothing if the bytes are torn.
pub(super) fn decode(bytes: &[u8]) -> Option<BTreeMap<u64, Code>> {
    let mut rest = Wire(bytes);
    let mut codes = BTreeMap::new();
    while !rest.0.is_empty() {
        let (id, code) = message(Wire(rest.behind_length()?))?;
        codes.insert(id, code);
    }
    Some(codes)
}

fn message(fields: Wire<'_>) -> Option<(u64, Code)> {
    let (mut id, mut code) = (0, Code::Town(Seat::None));
    for field in fields {
        match field.ok()? {
            // Ids are positive, so their zigzag form is twice the id.
            (ID, Value::Number(number)) => id = number >> 1,
            (FEATURE_CODE, Value::Bytes(text)) => code = code_of(text),
            _ => {}
        }
    }
    Some((id, code))
}

fn code_of(text: &[u8]) -> Code {
    match text {
        b"PPLX" => Code::Section,
        b"PPLC" => Code::Town(Seat::Country),
        b"PPLA" => Code::Town(Seat::Region),
        b"PPLA2" | b"PPLA3" | b"PPLA4" => Code::Town(Seat::County),
        _ => Code::Town(Seat::None),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Id 150 (zigzag 300), name `A`, the given feature code, population 5.
    fn place(code: &str) -> Vec<u8> {
        let mut message = vec![0x08, 0xac, 0x02, 0x12, 1, b'A', 0x3a, code.len() as u8];
        message.extend(code.bytes());
        message.extend([0x48, 5]);
        message.insert(0, message.len() as u8);
        message
    }

    #[test]
    fn a_place_is_read_with_its_id_and_code() {
        let codes = decode(&place("PPLX")).unwrap();
        assert_eq!(codes, BTreeMap::from([(150, Code::Section)]));
    }

    #[test]
    fn a_seat_of_the_second_to_fourth_level_is_a_countys() {
        for code in ["PPLA2", "PPLA3", "PPLA4"] {
            assert_eq!(decode(&place(code)).unwrap()[&150], Code::Town(Seat::County));
        }
    }

    #[test]
    fn a_torn_file_is_noticed() {
        let bytes = place("PPL");
        assert_eq!(decode(&bytes[..bytes.len() - 1]), None);
    }
}
