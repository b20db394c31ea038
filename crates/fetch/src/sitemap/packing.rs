//! How sitemaps are packed and encoded.

use std::borrow::Cow;
use std::io::Read;

use flate2::read::MultiGzDecoder;

use super::Flaws;
use crate::utf16;

/// The protocol: "Sitemaps should be no larger than 50 MB (52,428,800 bytes)", unpacked.
const MAX_BYTES: usize = 52_428_800;

/// Some servers pack what is packed already.
const MAX_LAYERS: usize = 2;

/// The bytes without gzip around them, as far as they can be unpacked and are allowed.
pub(super) fn unpack<'a>(bytes: &'a [u8], flaws: &mut Flaws) -> Cow<'a, [u8]> {
    let mut bytes = Cow::Borrowed(bytes);
    for _ in 0..MAX_LAYERS {
        if !bytes.starts_with(&[0x1F, 0x8B]) {
            break;
        }
        let mut unpacked = Vec::new();
        let reader = MultiGzDecoder::new(&*bytes);
        // What came before an error is in the buffer.
        flaws.torn |= reader.take(MAX_BYTES as u64 + 1).read_to_end(&mut unpacked).is_err();
        bytes = Cow::Owned(unpacked);
    }
    if bytes.len() > MAX_BYTES {
        flaws.too_long = true;
        match &mut bytes {
            Cow::Borrowed(bytes) => *bytes = &bytes[..MAX_BYTES],
            Cow::Owned(bytes) => bytes.truncate(MAX_BYTES),
        }
    }
    bytes
}

/// The bytes as text: in UTF-8 unless they are in UTF-16, or say that they are in Latin-1 and are
/// not in UTF-8.
pub(super) fn text(bytes: &[u8]) -> Cow<'_, str> {
    if let Some(text) = utf16::decode(bytes) {
        return Cow::Owned(text);
    }
    match std::str::from_utf8(bytes) {
        Ok(text) => Cow::Borrowed(text),
        Err(_) if is_latin_1(bytes) => bytes.iter().map(|it| char::from(*it)).collect(),
        Err(_) => String::from_utf8_lossy(bytes),
    }
}

/// Whether the declaration at the beginning says so. Windows' variant has the same letters.
fn is_latin_1(bytes: &[u8]) -> bool {
    let head = bytes[..bytes.len().min(200)].to_ascii_lowercase();
    let says = |name: &[u8]| head.windows(name.len()).any(|it| it == name);
    head.starts_with(b"<?xml") && (says(b"iso-8859-1") || says(b"windows-1252"))
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use flate2::Compression;
    use flate2::write::GzEncoder;
    use proptest::prelude::*;

    use super::*;

    fn packed(bytes: &[u8]) -> Vec<u8> {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
        encoder.write_all(bytes).expect("memory takes it");
        encoder.finish().expect("memory takes it")
    }

    #[track_caller]
    fn check(bytes: &[u8], expected: &str, flaws: Flaws) {
        let mut found = Flaws::default();
        let unpacked = unpack(bytes, &mut found);
        assert_eq!((&*text(&unpacked), found), (expected, flaws));
    }

    #[test]
    fn packed_once_twice_or_not_it_is_the_same() {
        check(b"maps", "maps", Flaws::default());
        check(&packed(b"maps"), "maps", Flaws::default());
        check(&packed(&packed(b"maps")), "maps", Flaws::default());
    }

    #[test]
    fn a_torn_pack_gives_what_is_there() {
        let bytes = packed(b"maps");
        let torn = Flaws { torn: true, ..Flaws::default() };
        check(&bytes[..bytes.len() - 8], "maps", torn);
        check(&bytes[..5], "", torn);
    }

    #[test]
    fn a_bomb_is_cut_off() {
        let mut flaws = Flaws::default();
        let bomb = packed(&vec![b' '; MAX_BYTES + 1000]);
        assert!(bomb.len() < MAX_BYTES / 100);
        assert_eq!(unpack(&bomb, &mut flaws).len(), MAX_BYTES);
        assert!(flaws.too_long);
    }

    #[test]
    fn text_is_in_utf_8_or_what_it_says() {
        check("é".as_bytes(), "é", Flaws::default());
        check(b"\xE9", "\u{FFFD}", Flaws::default());
        check(
            b"<?xml encoding='ISO-8859-1'?>\xE9",
            "<?xml encoding='ISO-8859-1'?>é",
            Flaws::default(),
        );
    }

    proptest! {
        #[test]
        fn any_bytes_are_unpacked(bytes: Vec<u8>) {
            let mut flaws = Flaws::default();
            text(&unpack(&bytes, &mut flaws));
            text(&unpack(&[&[0x1F, 0x8B, 8, 0], &bytes[..]].concat(), &mut flaws));
        }
    }
}
