//! A block of deflate with the fixed codes, for records so short that a table of codes does not pay.
//!
//! Two of three records of a crawl are requests and notes of a few hundred bytes. A general packer
//! clears 160 kB of tables for each of them and works out its best codes; this clears 2 kB and takes
//! the codes that RFC 1951 fixes in 3.2.6.

/// Longer records are worth codes of their own.
pub(crate) const LARGEST: usize = 2048;
/// A repetition is found by its first bytes, so many.
const KEY: usize = 4;
/// The longest repetition that deflate knows.
const LONGEST: usize = 258;
/// How many keys are remembered, as a power of two.
const KEYS: u32 = 10;
/// The symbol that ends a block.
const END: usize = 256;

/// Puts a block at the end of `out` that unpacks to the bytes, the last block of its stream.
pub(crate) fn write_fixed_block(plain: &[u8], out: &mut Vec<u8>) {
    let mut bits = Bits { out, held: 0, count: 0 };
    // It is the last block, and of the kind with fixed codes.
    bits.put(0b011, 3);
    let mut places = Places([0; 1 << KEYS]);
    let mut at = 0;
    while let Some(byte) = plain.get(at) {
        let found = places.meet(plain, at);
        let length = found.map_or(0, |before| shared(plain, before, at));
        match found {
            Some(before) if length >= KEY => {
                bits.put_length(length);
                bits.put_distance(at - before);
                (at + 1..at + length).for_each(|it| {
                    places.meet(plain, it);
                });
                at += length;
            }
            _ => {
                bits.put_symbol(usize::from(*byte));
                at += 1;
            }
        }
    }
    bits.put_symbol(END);
    bits.finish();
}

/// How many bytes from `at` on repeat those from `before` on.
fn shared(plain: &[u8], before: usize, at: usize) -> usize {
    let pairs = plain[before..].iter().zip(&plain[at..]).take(LONGEST);
    pairs.take_while(|(one, other)| one == other).count()
}

/// Where each key was met last, and one more; 0 where none was.
struct Places([u16; 1 << KEYS]);

impl Places {
    /// Where the next bytes may have been met before; they are now.
    fn meet(&mut self, plain: &[u8], at: usize) -> Option<usize> {
        let key = *plain.get(at..)?.first_chunk::<KEY>()?;
        let hash = u32::from_le_bytes(key).wrapping_mul(0x9E37_79B1) >> (u32::BITS - KEYS);
        let place = &mut self.0[hash as usize];
        // What lies too far behind to be remembered is not found again.
        let here = u16::try_from(at + 1).unwrap_or_default();
        let before = usize::from(std::mem::replace(place, here)).checked_sub(1)?;
        // Deflate looks back by 32 kB.
        (at - before <= 1 << 15).then_some(before)
    }
}

/// Bits on their way into bytes, the lowest first.
struct Bits<'a> {
    out: &'a mut Vec<u8>,
    held: u64,
    count: u32,
}

impl Bits<'_> {
    fn put(&mut self, bits: usize, count: u32) {
        self.held |= (bits as u64) << self.count;
        self.count += count;
        if self.count >= u32::BITS {
            self.out.extend_from_slice(&(self.held as u32).to_le_bytes());
            self.held >>= u32::BITS;
            self.count -= u32::BITS;
        }
    }

    /// Codes are the only numbers that begin with their highest bit.
    fn put_code(&mut self, code: usize, count: u32) {
        self.put(code.reverse_bits() >> (usize::BITS - count), count);
    }

    fn put_symbol(&mut self, symbol: usize) {
        match symbol {
            0..144 => self.put_code(0b0011_0000 + symbol, 8),
            144..256 => self.put_code(0b1_1001_0000 + symbol - 144, 9),
            256..280 => self.put_code(symbol - 256, 7),
            _ => self.put_code(0b1100_0000 + symbol - 280, 8),
        }
    }

    /// The lengths from 3 on: eight have a symbol each, then four symbols at a time share twice as
    /// many lengths as the four before, and the longest has one of its own.
    fn put_length(&mut self, length: usize) {
        let more = length - 3;
        if length == LONGEST {
            return self.put_symbol(285);
        }
        let extra = more.checked_ilog2().unwrap_or(0).saturating_sub(2);
        self.put_symbol(257 + 4 * extra as usize + (more >> extra));
        self.put(more & ((1 << extra) - 1), extra);
    }

    /// The distances from 1 on, in the same way by twos.
    fn put_distance(&mut self, distance: usize) {
        let more = distance - 1;
        let extra = more.checked_ilog2().unwrap_or(0).saturating_sub(1);
        self.put_code(2 * extra as usize + (more >> extra), 5);
        self.put(more & ((1 << extra) - 1), extra);
    }

    fn finish(self) {
        let bytes = self.count.div_ceil(8) as usize;
        self.out.extend_from_slice(&self.held.to_le_bytes()[..bytes]);
    }
}

#[cfg(test)]
mod tests {
    use std::io::Read;

    use flate2::read::DeflateDecoder;
    use proptest::prelude::*;

    use super::*;

    /// The size of the block that unpacks to the bytes.
    #[track_caller]
    fn check(plain: &[u8]) -> usize {
        let mut block = Vec::new();
        write_fixed_block(plain, &mut block);
        let mut unpacked = Vec::new();
        let mut decoder = DeflateDecoder::new(&block[..]);
        decoder.read_to_end(&mut unpacked).unwrap();
        assert_eq!(unpacked, plain);
        assert_eq!(decoder.total_in(), block.len() as u64);
        block.len()
    }

    #[test]
    fn every_byte_length_and_distance_is_unpacked() {
        check(b"");
        check(&(0..=255).collect::<Vec<u8>>());
        for length in 0..600 {
            assert!(check(&vec![b'a'; length]) < 20);
        }
        for distance in 1..LARGEST {
            let noise = (0..distance as u32).map(|it| (it.wrapping_mul(0x9E37_79B1) >> 24) as u8);
            let noise: Vec<u8> = noise.collect();
            check(&[&noise[..], &noise[..distance.min(40)]].concat());
        }
    }

    #[test]
    fn what_is_repeated_is_written_once() {
        let line = b"WARC-Record-ID: <urn:uuid:14fa1fb4-aaca-4128-9407-2f63f584f47f>\r\n";
        assert!(check(&line.repeat(4)) < line.len() + 20);
    }

    #[test]
    fn what_is_longer_than_it_is_meant_for_is_unpacked_as_well() {
        check(&b"harbour ".repeat(20_000));
        check(
            &(0..100_000_u32).flat_map(|it| it.wrapping_mul(it).to_be_bytes()).collect::<Vec<_>>(),
        );
    }

    proptest! {
        #[test]
        fn any_bytes_are_packed(plain in prop::collection::vec(0..8_u8, 0..3000)) {
            check(&plain);
        }

        #[test]
        fn any_noise_is_packed(plain in prop::collection::vec(any::<u8>(), 0..3000)) {
            check(&plain);
        }
    }
}
