//! Packs bytes into a stream of deflate (RFC 1951), for speed before size.
//!
//! Records of a crawl are small: two of three are requests and notes of a few hundred bytes, the third
//! is a page. What a general packer does for each of them, before and after it looks at the first byte,
//! takes longer than the packing.

use std::sync::LazyLock;

use crate::bits::Bits;
use crate::codes::{self, Code, codes, codes_of_lengths};
use crate::repeats::{LONGEST, Repeats, SHORTEST, Token};

/// Shorter streams are not worth codes of their own, and have those that deflate fixes.
const SHORT: usize = 2048;
/// So many bytes share their codes.
const BLOCK: usize = 1 << 16;
/// How much a block that is stored as it is can hold.
const LARGEST_STORED: usize = 65_535;
/// How many symbols there are: bytes, the end, and lengths.
const SYMBOLS: usize = 286;
/// How many symbols there are for distances.
const DISTANCES: usize = 30;
/// The symbol that ends a block.
const END: usize = 256;
/// The order in which the lengths of the codes of lengths are written (3.2.7).
const ORDER: [usize; 19] = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15];

/// Packs one stream after the other. It is reused, so that its memory is.
pub(crate) struct Deflate {
    repeats: Repeats,
    tokens: Vec<Token>,
}

/// The codes of a block.
struct Codes {
    symbols: [Code; SYMBOLS],
    distances: [Code; DISTANCES],
}

/// How often each symbol of a block occurs.
struct Counts {
    symbols: [u32; SYMBOLS],
    distances: [u32; DISTANCES],
}

/// A symbol with the bits that say which of its lengths or distances is meant.
struct Symbol {
    number: usize,
    extra: u32,
    count: u32,
}

impl Deflate {
    pub(crate) fn new() -> Self {
        Self { repeats: Repeats::new(), tokens: Vec::new() }
    }

    /// Puts a stream at the end of `out` that unpacks to the bytes.
    pub(crate) fn pack(&mut self, plain: &[u8], out: &mut Vec<u8>) {
        let start = out.len();
        let mut bits = Bits::new(out);
        self.write_blocks(plain, true, &mut bits);
        bits.finish();
        // Noise only grows by being packed.
        if out.len() - start > plain.len() {
            out.truncate(start);
            store(&[plain], out);
        }
    }

    /// The same for bytes of which the last ones are packed already: those are stored as they are.
    pub(crate) fn pack_before(&mut self, plain: &[u8], stored: &[&[u8]], out: &mut Vec<u8>) {
        let mut bits = Bits::new(out);
        self.write_blocks(plain, false, &mut bits);
        // A block that stores nothing: after it the next one begins with a whole byte.
        bits.put(0b000, 3);
        bits.finish();
        out.extend_from_slice(&[0, 0, 0xff, 0xff]);
        store(stored, out);
    }

    fn write_blocks(&mut self, plain: &[u8], is_whole: bool, bits: &mut Bits<'_>) {
        let mut start = 0;
        loop {
            let end = plain.len().min(start + BLOCK);
            self.tokens.clear();
            let mut counts = Counts::new();
            self.repeats.split(plain, start..end, |token| {
                counts.add(token);
                self.tokens.push(token);
            });
            let is_last = is_whole && end == plain.len();
            bits.put(is_last.into(), 1);
            if plain.len() <= SHORT {
                bits.put(0b01, 2);
                FIXED.write(&self.tokens, bits);
            } else {
                let codes = Codes::of(&counts);
                bits.put(0b10, 2);
                codes.write_lengths(bits);
                codes.write(&self.tokens, bits);
            }
            start = end;
            if start == plain.len() {
                break;
            }
        }
        self.repeats.forget(plain);
    }
}

/// The codes that deflate fixes (3.2.6).
static FIXED: LazyLock<Codes> = LazyLock::new(|| {
    // Two more have a code than have a meaning.
    let symbols = codes_of_lengths(&std::array::from_fn::<u8, 288, _>(|it| match it {
        144..256 => 9,
        256..280 => 7,
        _ => 8,
    }));
    Codes { symbols: std::array::from_fn(|it| symbols[it]), distances: codes_of_lengths(&[5; _]) }
});

impl Codes {
    /// The best codes for what occurs so often.
    fn of(counts: &Counts) -> Self {
        Self {
            symbols: codes(&counts.symbols, codes::LONGEST),
            distances: codes(&counts.distances, codes::LONGEST),
        }
    }

    fn write(&self, tokens: &[Token], bits: &mut Bits<'_>) {
        // What a length is written as is asked for more often than there are lengths.
        let lengths: [(u32, u32); LONGEST + 1] = std::array::from_fn(|length| {
            let symbol = Symbol::of_length(length.max(SHORTEST) as u16);
            symbol.bits(&self.symbols)
        });
        bits.reserve(tokens.len());
        // Several tokens are handed over at once: most have a few bits only.
        let (mut held, mut count) = (0, 0);
        for token in tokens {
            let (text, more) = match *token {
                Token::Byte(byte) => {
                    let code = self.symbols[usize::from(byte)];
                    (code.bits.into(), code.length.into())
                }
                Token::Repeat { length, back } => {
                    let (one, first) = lengths[usize::from(length)];
                    let (other, second) = Symbol::of_distance(back).bits(&self.distances);
                    (u64::from(one) | u64::from(other) << first, first + second)
                }
            };
            if count + more > Bits::MOST {
                bits.put(held, count);
                (held, count) = (0, 0);
            }
            held |= text << count;
            count += more;
        }
        bits.put(held, count);
        put(self.symbols[END], bits);
    }

    /// Writes how long the codes are, from which a reader knows them (3.2.7).
    fn write_lengths(&self, bits: &mut Bits<'_>) {
        let symbols = used(&self.symbols, END + 1);
        let distances = used(&self.distances, 1);
        let lengths: Vec<u8> = symbols.iter().chain(distances).map(|it| it.length).collect();
        let runs = runs(&lengths);
        let mut counts = [0; ORDER.len()];
        runs.iter().for_each(|it| counts[it.number] += 1);
        let codes = codes(&counts, 7);
        let written = used(&ORDER.map(|it| codes[it]), 4).len();
        bits.put((symbols.len() - END - 1) as u64, 5);
        bits.put((distances.len() - 1) as u64, 5);
        bits.put((written - 4) as u64, 4);
        ORDER[..written].iter().for_each(|it| bits.put(codes[*it].length.into(), 3));
        runs.iter().for_each(|it| it.put(&codes, bits));
    }
}

impl Counts {
    fn new() -> Self {
        let mut symbols = [0; SYMBOLS];
        symbols[END] = 1;
        Self { symbols, distances: [0; DISTANCES] }
    }

    fn add(&mut self, token: Token) {
        match token {
            Token::Byte(byte) => self.symbols[usize::from(byte)] += 1,
            Token::Repeat { length, back } => {
                self.symbols[Symbol::of_length(length).number] += 1;
                self.distances[Symbol::of_distance(back).number] += 1;
            }
        }
    }
}

impl Symbol {
    /// The lengths from 3 on: eight have a symbol each, then four symbols at a time share twice as
    /// many lengths as the four before, and the longest has one of its own.
    fn of_length(length: u16) -> Self {
        if usize::from(length) == LONGEST {
            return Self { number: 285, extra: 0, count: 0 };
        }
        let more = u32::from(length) - 3;
        let count = more.checked_ilog2().unwrap_or(0).saturating_sub(2);
        let number = 257 + 4 * count as usize + (more >> count) as usize;
        Self { number, extra: more & ((1 << count) - 1), count }
    }

    /// The distances, less one, in the same way by twos.
    fn of_distance(back: u16) -> Self {
        let more = u32::from(back);
        let count = more.checked_ilog2().unwrap_or(0).saturating_sub(1);
        let number = 2 * count as usize + (more >> count) as usize;
        Self { number, extra: more & ((1 << count) - 1), count }
    }

    /// What it is written as, and how many bits that are: 28 at most.
    fn bits(&self, codes: &[Code]) -> (u32, u32) {
        let code = codes[self.number];
        let length = u32::from(code.length);
        (u32::from(code.bits) | self.extra << length, length + self.count)
    }

    fn put(&self, codes: &[Code], bits: &mut Bits<'_>) {
        let (text, count) = self.bits(codes);
        bits.put(text.into(), count);
    }
}

fn put(code: Code, bits: &mut Bits<'_>) {
    bits.put(code.bits.into(), code.length.into());
}

/// The codes without those at the end that nobody uses, but so many at least.
fn used(codes: &[Code], least: usize) -> &[Code] {
    let end = codes.iter().rposition(|it| it.length > 0).map_or(0, |it| it + 1);
    &codes[..end.max(least)]
}

/// The lengths of codes as symbols: each is itself, and three more say that it is repeated (3.2.7).
fn runs(lengths: &[u8]) -> Vec<Symbol> {
    let mut runs = Vec::with_capacity(lengths.len());
    for equal in lengths.chunk_by(|one, other| one == other) {
        let number = usize::from(equal[0]);
        let mut left = equal.len();
        if number == 0 {
            repeat(18, 7, 11, &mut left, &mut runs);
            repeat(17, 3, 3, &mut left, &mut runs);
        } else {
            runs.push(Symbol { number, extra: 0, count: 0 });
            left -= 1;
            repeat(16, 2, 3, &mut left, &mut runs);
        }
        (0..left).for_each(|_| runs.push(Symbol { number, extra: 0, count: 0 }));
    }
    runs
}

/// Takes from what is left what the symbol repeats at least and at most, as often as it can.
fn repeat(number: usize, count: u32, least: usize, left: &mut usize, runs: &mut Vec<Symbol>) {
    let most = least + (1 << count) - 1;
    while *left >= least {
        let taken = most.min(*left);
        runs.push(Symbol { number, extra: (taken - least) as u32, count });
        *left -= taken;
    }
}

/// Blocks that hold the bytes as they are, the last ones of their stream (3.2.4).
fn store(pieces: &[&[u8]], out: &mut Vec<u8>) {
    let blocks = pieces.iter().flat_map(|it| it.chunks(LARGEST_STORED));
    for (is_last, block) in blocks.map(|it| (false, it)).chain([(true, &b""[..])]) {
        let length = block.len() as u16;
        out.push(u8::from(is_last));
        out.extend_from_slice(&length.to_le_bytes());
        out.extend_from_slice(&(!length).to_le_bytes());
        out.extend_from_slice(block);
    }
}

#[cfg(test)]
mod tests {
    use std::io::Read;

    use flate2::read::DeflateDecoder;
    use proptest::prelude::*;

    use super::*;

    /// The size of the stream that unpacks to the bytes.
    #[track_caller]
    fn check(plain: &[u8]) -> usize {
        let mut deflate = Deflate::new();
        let mut stream = Vec::new();
        deflate.pack_before(plain, &[plain, b"harbour"], &mut stream);
        check_stream(&stream, &[plain, plain, b"harbour"].concat());
        stream.clear();
        deflate.pack(plain, &mut stream);
        check_stream(&stream, plain);
        stream.len()
    }

    #[track_caller]
    fn check_stream(stream: &[u8], plain: &[u8]) {
        let mut unpacked = Vec::new();
        let mut decoder = DeflateDecoder::new(stream);
        decoder.read_to_end(&mut unpacked).unwrap();
        assert!(unpacked == plain, "{} bytes of {}", unpacked.len(), plain.len());
        assert_eq!(decoder.total_in(), stream.len() as u64);
    }

    fn noise(length: usize) -> Vec<u8> {
        (0..length as u32).map(|it| (it.wrapping_mul(0x9E37_79B1) >> 24) as u8).collect()
    }

    #[test]
    fn every_byte_length_and_distance_is_unpacked() {
        check(b"");
        check(&(0..=255).collect::<Vec<u8>>());
        for length in 0..600 {
            assert!(check(&vec![b'a'; length]) < 20);
        }
        for distance in (1..3000).chain([9000, 20_000, 32_767, 32_768, 32_769]) {
            let noise = noise(distance);
            check(&[&noise[..], &noise[..distance.min(40)]].concat());
        }
    }

    #[test]
    fn what_is_repeated_is_written_once() {
        let line = b"WARC-Record-ID: <urn:uuid:14fa1fb4-aaca-4128-9407-2f63f584f47f>\r\n";
        assert!(check(&line.repeat(4)) < line.len() + 20);
        assert!(check(&line.repeat(1000)) < line.len() + 1000);
    }

    #[test]
    fn letters_take_less_room_than_bytes() {
        let letters: Vec<u8> = noise(40_000).iter().map(|it| b'a' + it % 16).collect();
        assert!(check(&letters) < letters.len() * 6 / 10);
    }

    #[test]
    fn noise_hardly_grows() {
        let noise: Vec<u8> =
            (0..50_000_u32).flat_map(|it| it.wrapping_mul(it).to_be_bytes()).collect();
        for length in [0, 1, 100, SHORT, SHORT + 1, BLOCK - 1, BLOCK, BLOCK + 1, noise.len()] {
            let size = check(&noise[..length]);
            assert!(size <= length + 5 * (length / LARGEST_STORED + 2), "{length}: {size}");
        }
    }

    #[test]
    fn what_is_long_has_many_blocks() {
        assert!(check(&b"harbour ".repeat(50_000)) < 8_000);
        check(&[b"a".repeat(BLOCK), b"b".repeat(BLOCK), noise(2 * BLOCK)].concat());
    }

    proptest! {
        #[test]
        fn any_bytes_are_packed(plain in prop::collection::vec(0..8_u8, 0..6000)) {
            check(&plain);
        }

        #[test]
        fn any_noise_is_packed(plain in prop::collection::vec(any::<u8>(), 0..6000)) {
            check(&plain);
        }
    }
}
