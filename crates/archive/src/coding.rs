//! Bodies that were packed for their way: gzip, deflate, Brotli, Zstandard.

use std::io::Read;

use flate2::bufread::{DeflateDecoder, MultiGzDecoder, ZlibDecoder};

/// How many codings a body may have one within the other. Two is already odd.
const MOST_CODINGS: usize = 4;
/// The largest window of Zstandard on the web, as RFC 9659 has it: 8 MB, as a power of two.
const LARGEST_WINDOW: u32 = 23;
/// How much of a body that cannot be unpacked is looked at to see whether it is text.
const LOOK: usize = 1024;

/// A body, unpacked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unpacked {
    /// What was packed; where it was not packed as stated, the bytes as they came.
    pub body: Vec<u8>,
    /// Whether it is less than was packed, because it is damaged or longer than allowed.
    pub truncated: bool,
    /// Whether it was not packed as stated.
    pub flawed: bool,
}

/// The body without its codings, which are those of `Content-Encoding`; at most `largest` bytes.
///
/// The last coding is undone first. Known are gzip, deflate, Brotli and Zstandard.
pub fn unpack(codings: &str, bytes: &[u8], largest: usize) -> Unpacked {
    let mut unpacked = Unpacked {
        body: bytes[..bytes.len().min(largest)].to_vec(),
        truncated: bytes.len() > largest,
        flawed: false,
    };
    let codings = codings.split(',').map(|it| it.trim().to_ascii_lowercase());
    let codings: Vec<_> = codings.filter(|it| !it.is_empty() && it != "identity").collect();
    if bytes.is_empty() {
        return unpacked;
    }
    if codings.len() > MOST_CODINGS {
        unpacked.flawed = true;
        return unpacked;
    }
    for (turn, coding) in codings.iter().rev().enumerate() {
        // Only what comes out is measured, not what goes in.
        let packed = if turn == 0 { bytes } else { &unpacked.body };
        let Some(result) = undo(coding, packed, largest) else {
            unpacked.flawed = true;
            return unpacked;
        };
        unpacked = Unpacked {
            body: result.body,
            truncated: result.truncated || turn > 0 && unpacked.truncated,
            flawed: result.flawed || unpacked.flawed,
        };
    }
    unpacked
}

/// Undoes one coding; nothing if the bytes are not packed so, or we do not know it.
fn undo(coding: &str, bytes: &[u8], largest: usize) -> Option<Unpacked> {
    match coding {
        "gzip" | "x-gzip" if bytes.starts_with(&[0x1f, 0x8b]) => {
            Some(drain(MultiGzDecoder::new(bytes), largest))
        }
        "zstd" if bytes.starts_with(&[0x28, 0xb5, 0x2f, 0xfd]) => {
            let mut decoder = zstd::stream::read::Decoder::with_buffer(bytes).ok()?;
            decoder.window_log_max(LARGEST_WINDOW).ok()?;
            Some(drain(decoder, largest))
        }
        // The mark of "large windows", which the web does not have: they may take a gigabyte.
        "br" if bytes.first().is_some_and(|it| it & 0x7f == 0x11) => None,
        "br" => {
            unless_text(bytes, drain(brotli_decompressor::Decompressor::new(bytes, 4096), largest))
        }
        // It should be zlib's format, but some servers leave out its frame.
        "deflate" => {
            let framed = drain(ZlibDecoder::new(bytes), largest);
            if framed.flawed && framed.body.is_empty() {
                unless_text(bytes, drain(DeflateDecoder::new(bytes), largest))
            } else {
                Some(framed)
            }
        }
        _ => None,
    }
}

/// These formats have no mark to know them by. If the bytes are text, they were not packed.
fn unless_text(bytes: &[u8], unpacked: Unpacked) -> Option<Unpacked> {
    let start = &bytes[..bytes.len().min(LOOK)];
    let is_text = match std::str::from_utf8(start) {
        Ok(_) => true,
        Err(error) => error.error_len().is_none() && start.len() == LOOK,
    };
    (!unpacked.flawed || !is_text && !unpacked.body.is_empty()).then_some(unpacked)
}

fn drain(decoder: impl Read, largest: usize) -> Unpacked {
    let mut body = Vec::new();
    // One byte more tells whether there is more.
    let result = decoder.take(largest as u64 + 1).read_to_end(&mut body);
    let damaged = result.is_err();
    let longer = body.len() > largest;
    body.truncate(largest);
    Unpacked { body, truncated: damaged || longer, flawed: damaged }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use flate2::Compression;
    use flate2::write::{DeflateEncoder, GzEncoder, ZlibEncoder};

    use super::*;

    const TEXT: &[u8] = b"Ships leave for the islands. Ships leave for the islands.";
    /// `TEXT` as the reference implementation packs it.
    const BROTLI: &[u8] = &[
        0x1b, 0x38, 0x00, 0x00, 0xa4, 0xa7, 0xca, 0xd0, 0xe8, 0xe4, 0x20, 0x9d, 0x30, 0xd3, 0x16,
        0x99, 0xb6, 0xe8, 0x14, 0xa1, 0x95, 0xce, 0x4f, 0x44, 0x17, 0x00,
    ];

    fn gzip(bytes: &[u8]) -> Vec<u8> {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
        encoder.write_all(bytes).unwrap();
        encoder.finish().unwrap()
    }

    fn zlib(bytes: &[u8]) -> Vec<u8> {
        let mut encoder = ZlibEncoder::new(Vec::new(), Compression::default());
        encoder.write_all(bytes).unwrap();
        encoder.finish().unwrap()
    }

    fn deflate(bytes: &[u8]) -> Vec<u8> {
        let mut encoder = DeflateEncoder::new(Vec::new(), Compression::default());
        encoder.write_all(bytes).unwrap();
        encoder.finish().unwrap()
    }

    #[track_caller]
    fn check(codings: &str, packed: &[u8], expected: &[u8]) {
        let unpacked = unpack(codings, packed, 1000);
        assert_eq!(unpacked.body, expected, "{codings}");
        assert!(!unpacked.truncated && !unpacked.flawed, "{codings}");
    }

    #[test]
    fn every_coding_of_the_web_is_undone() {
        check("", TEXT, TEXT);
        check("identity", TEXT, TEXT);
        check("gzip", &gzip(TEXT), TEXT);
        check("X-GZIP", &gzip(TEXT), TEXT);
        check("deflate", &zlib(TEXT), TEXT);
        check("deflate", &deflate(TEXT), TEXT);
        check("br", BROTLI, TEXT);
        check("zstd", &zstd::bulk::compress(TEXT, 3).unwrap(), TEXT);
    }

    #[test]
    fn the_last_coding_is_undone_first() {
        check("deflate, gzip", &gzip(&zlib(TEXT)), TEXT);
    }

    #[test]
    fn gzip_may_have_several_members() {
        check("gzip", &[gzip(TEXT), gzip(TEXT)].concat(), &[TEXT, TEXT].concat());
    }

    #[test]
    fn an_empty_body_has_no_flaw() {
        check("gzip", b"", b"");
        check("br", b"", b"");
    }

    #[test]
    fn a_bomb_is_cut() {
        for (coding, bomb) in [
            ("gzip", gzip(&vec![0; 1 << 24])),
            ("deflate", zlib(&vec![0; 1 << 24])),
            ("zstd", zstd::bulk::compress(&vec![0; 1 << 24], 3).unwrap()),
            ("br", BROTLI.to_vec()),
        ] {
            let unpacked = unpack(coding, &bomb, 10);
            assert_eq!(unpacked.body.len(), 10, "{coding}");
            assert!(unpacked.truncated && !unpacked.flawed, "{coding}");
        }
    }

    #[test]
    fn what_was_unpacked_already_is_kept() {
        for coding in ["gzip", "deflate", "br", "zstd", "compress", "a, b, c, d, e"] {
            let unpacked = unpack(coding, TEXT, 1000);
            assert_eq!(unpacked.body, TEXT, "{coding}");
            assert!(unpacked.flawed && !unpacked.truncated, "{coding}");
        }
    }

    #[test]
    fn a_brotli_window_of_a_gigabyte_is_refused() {
        let unpacked = unpack("br", &[0x11, 0x1e, 0xff, 0xff, 0xff, 0xff], 1000);
        assert!(unpacked.flawed);
    }

    #[test]
    fn of_a_damaged_body_the_part_before_the_damage_is_kept() {
        let long: Vec<u8> = (0..20_000_u32).flat_map(|it| (it * it).to_le_bytes()).collect();
        let packed = gzip(&long);
        let unpacked = unpack("gzip", &packed[..packed.len() / 2], 1 << 20);
        assert!(unpacked.flawed && unpacked.truncated);
        assert!(unpacked.body.len() > 1000 && long.starts_with(&unpacked.body));
    }
}
