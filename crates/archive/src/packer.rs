//! Packs records into gzip members, quickly.

use flate2::{Compress, Compression, Crc, FlushCompress, Status};

use crate::fixed_block::{LARGEST, write_fixed_block};

/// The head of a gzip member without name and time, packed for speed on a system of any kind.
const HEAD: [u8; 10] = [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 4, 0xff];
/// How much a block that is stored as it is can hold.
const LARGEST_STORED: usize = 65_535;

/// Makes one gzip member after the other. It is reused, since making it takes longer than packing.
pub(crate) struct Packer {
    deflate: Compress,
    crc: Crc,
}

impl Packer {
    pub(crate) fn new(level: u32) -> Self {
        Self { deflate: Compress::new(Compression::new(level), false), crc: Crc::new() }
    }

    /// Puts a member at the end of `out` that unpacks to the bytes.
    pub(crate) fn pack(&mut self, plain: &[u8], out: &mut Vec<u8>) {
        self.begin(out);
        if plain.len() <= LARGEST {
            write_fixed_block(plain, out);
        } else {
            self.deflate(plain, FlushCompress::Finish, out);
        }
        self.crc.update(plain);
        self.end(out);
    }

    /// The same for bytes of which the last ones are packed already: those are stored as they are.
    pub(crate) fn pack_before(&mut self, plain: &[u8], stored: &[&[u8]], out: &mut Vec<u8>) {
        self.begin(out);
        // After this the next block begins with a whole byte.
        self.deflate(plain, FlushCompress::Sync, out);
        self.crc.update(plain);
        for bytes in stored {
            self.crc.update(bytes);
            for block in bytes.chunks(LARGEST_STORED) {
                store(false, block, out);
            }
        }
        store(true, b"", out);
        self.end(out);
    }

    fn begin(&mut self, out: &mut Vec<u8>) {
        self.crc.reset();
        out.extend_from_slice(&HEAD);
    }

    fn deflate(&mut self, plain: &[u8], flush: FlushCompress, out: &mut Vec<u8>) {
        self.deflate.reset();
        // What does not shrink grows by five bytes in some thirty thousand.
        out.reserve(plain.len() + plain.len() / 1024 + 64);
        loop {
            let taken = self.deflate.total_in() as usize;
            let status = self
                .deflate
                .compress_vec(&plain[taken..], out, flush)
                .expect("raw deflate without a dictionary takes any bytes");
            let taken = self.deflate.total_in() as usize;
            let is_flushed = taken == plain.len() && out.len() < out.capacity();
            if status == Status::StreamEnd || flush == FlushCompress::Sync && is_flushed {
                return;
            }
            out.reserve(256);
        }
    }

    fn end(&mut self, out: &mut Vec<u8>) {
        out.extend_from_slice(&self.crc.sum().to_le_bytes());
        out.extend_from_slice(&self.crc.amount().to_le_bytes());
    }
}

/// A block of deflate that holds the bytes as they are (RFC 1951, 3.2.4).
fn store(is_last: bool, block: &[u8], out: &mut Vec<u8>) {
    let length = block.len() as u16;
    out.push(u8::from(is_last));
    out.extend_from_slice(&length.to_le_bytes());
    out.extend_from_slice(&(!length).to_le_bytes());
    out.extend_from_slice(block);
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
        let mut packer = Packer::new(1);
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
            level in 0..10_u32,
        ) {
            check(&mut Packer::new(level), &plain, &[&stored]);
        }
    }
}
