//! Packs records into gzip members, quickly.

use flate2::Crc;

use crate::deflate::Deflate;

/// The head of a gzip member without name and time, packed for speed on a system of any kind.
const HEAD: [u8; 10] = [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 4, 0xff];

/// Makes one gzip member after the other.
pub(crate) struct Packer {
    deflate: Deflate,
    crc: Crc,
}

impl Packer {
    pub(crate) fn new() -> Self {
        Self { deflate: Deflate::new(), crc: Crc::new() }
    }

    /// Puts a member at the end of `out` that unpacks to the bytes.
    pub(crate) fn pack(&mut self, plain: &[u8], out: &mut Vec<u8>) {
        out.extend_from_slice(&HEAD);
        self.deflate.pack(plain, out);
        self.end(&[plain], out);
    }

    /// The same for bytes of which the last ones are packed already: those are stored as they are.
    pub(crate) fn pack_before(&mut self, plain: &[u8], stored: &[&[u8]], out: &mut Vec<u8>) {
        out.extend_from_slice(&HEAD);
        self.deflate.pack_before(plain, stored, out);
        self.end(&[&[plain], stored].concat(), out);
    }

    fn end(&mut self, pieces: &[&[u8]], out: &mut Vec<u8>) {
        self.crc.reset();
        pieces.iter().for_each(|it| self.crc.update(it));
        out.extend_from_slice(&self.crc.sum().to_le_bytes());
        out.extend_from_slice(&self.crc.amount().to_le_bytes());
    }
}

#[cfg(test)]
mod tests {
    use std::io::Read;

    use flate2::read::MultiGzDecoder;
    use proptest::prelude::*;

    use super::*;

    #[track_caller]
    fn check(packer: &mut Packer, plain: &[u8], stored: &[&[u8]]) {
        let mut out = Vec::new();
        packer.pack(plain, &mut out);
        packer.pack_before(plain, stored, &mut out);
        let mut unpacked = Vec::new();
        MultiGzDecoder::new(&out[..]).read_to_end(&mut unpacked).unwrap();
        assert_eq!(unpacked, [plain, plain, &stored.concat()].concat());
    }

    #[test]
    fn what_was_packed_is_unpacked() {
        let mut packer = Packer::new();
        let noise: Vec<u8> =
            (0..200_000_u32).flat_map(|it| it.wrapping_mul(it).to_be_bytes()).collect();
        check(&mut packer, b"", &[]);
        check(&mut packer, b"harbour", &[b"", b"\r\n\r\n"]);
        check(&mut packer, &noise, &[&noise[..65_535], &noise[..65_536], &noise]);
        check(&mut packer, &b"a".repeat(1 << 20), &[b"b"]);
    }

    proptest! {
        #[test]
        fn any_bytes_are_packed(
            plain in prop::collection::vec(any::<u8>(), 0..2000),
            stored in prop::collection::vec(any::<u8>(), 0..2000),
        ) {
            check(&mut Packer::new(), &plain, &[&stored]);
        }
    }
}
