//! What in some bytes was there before: repetitions, found quickly rather than all.

use std::ops::Range;

/// A repetition is found by its first bytes, so many.
const KEY: usize = 4;
/// The shortest repetition that is found.
pub(crate) const SHORTEST: usize = KEY;
/// How many keys are remembered, as a power of two.
const KEYS: u32 = 13;
/// The longest repetition that deflate knows.
pub(crate) const LONGEST: usize = 258;
/// Deflate looks back by so many bytes.
const FARTHEST: usize = 1 << 15;

/// A byte as it is, or some that were there before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Token {
    Byte(u8),
    Repeat {
        length: u16,
        /// By how much farther back than the byte before.
        back: u16,
    },
}

/// Where each key was met last.
pub(crate) struct Repeats {
    /// The places of all bytes since the beginning, from 1 on: so nothing has to be cleared when other
    /// bytes come.
    places: Box<[u32]>,
    /// How many bytes there were before those that are looked at.
    before: u32,
}

impl Repeats {
    pub(crate) fn new() -> Self {
        Self { places: vec![0; 1 << KEYS].into(), before: 0 }
    }

    /// Calls for each token of the bytes in the range. What is before it was seen by an earlier call.
    pub(crate) fn split(&mut self, plain: &[u8], range: Range<usize>, mut call: impl FnMut(Token)) {
        let plain = &plain[..range.end];
        let mut at = range.start;
        while at < range.end {
            let back = self.meet(plain, at);
            let length = back.map_or(0, |back| shared(plain, at - back, at));
            match back {
                Some(back) if length >= KEY => {
                    call(Token::Repeat { length: length as u16, back: (back - 1) as u16 });
                    // Every other place is enough to find most of what is repeated again.
                    (at + 1..at + length).step_by(2).for_each(|it| {
                        self.meet(plain, it);
                    });
                    at += length;
                }
                _ => {
                    call(Token::Byte(plain[at]));
                    at += 1;
                }
            }
        }
    }

    /// What comes next has nothing to do with these bytes.
    pub(crate) fn forget(&mut self, plain: &[u8]) {
        let before = u32::try_from(plain.len()).ok().and_then(|it| self.before.checked_add(it));
        // With other bytes of this size the places would come to their end.
        if before.is_none_or(|it| it > u32::MAX / 2) {
            self.places.fill(0);
        }
        self.before = before.filter(|it| *it <= u32::MAX / 2).unwrap_or(0);
    }

    /// How far back the next bytes may have been met before; they are now.
    fn meet(&mut self, plain: &[u8], at: usize) -> Option<usize> {
        let key = *plain.get(at..)?.first_chunk::<KEY>()?;
        let hash = u32::from_le_bytes(key).wrapping_mul(0x9E37_79B1) >> (u32::BITS - KEYS);
        let here = self.before.wrapping_add(at as u32).wrapping_add(1);
        let place = std::mem::replace(&mut self.places[hash as usize], here);
        let back = here.wrapping_sub(place) as usize;
        // What lies too far behind is of other bytes, or out of reach.
        (1..=at.min(FARTHEST)).contains(&back).then_some(back)
    }
}

/// How many bytes from `at` on repeat those from `before` on.
fn shared(plain: &[u8], before: usize, at: usize) -> usize {
    let most = LONGEST.min(plain.len() - at);
    let (one, other) = (&plain[before..before + most], &plain[at..]);
    let mut length = 0;
    while let (Some(one), Some(other)) =
        (one[length..].first_chunk(), other[length..].first_chunk())
    {
        let difference = u64::from_le_bytes(*one) ^ u64::from_le_bytes(*other);
        if difference != 0 {
            return length + difference.trailing_zeros() as usize / 8;
        }
        length += 8;
    }
    let rest = one[length..].iter().zip(&other[length..]);
    length + rest.take_while(|(one, other)| one == other).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The tokens of the bytes, which are put together again.
    #[track_caller]
    fn check(repeats: &mut Repeats, plain: &[u8]) -> Vec<Token> {
        let mut tokens = Vec::new();
        let middle = plain.len() / 2;
        repeats.split(plain, 0..middle, |it| tokens.push(it));
        repeats.split(plain, middle..plain.len(), |it| tokens.push(it));
        repeats.forget(plain);
        let mut told = Vec::new();
        for token in &tokens {
            match *token {
                Token::Byte(byte) => told.push(byte),
                Token::Repeat { length, back } => {
                    assert!((KEY..=LONGEST).contains(&length.into()));
                    let from = told.len() - usize::from(back) - 1;
                    (from..from + usize::from(length)).for_each(|it| told.push(told[it]));
                }
            }
        }
        assert_eq!(told, plain);
        tokens
    }

    #[test]
    fn what_was_there_before_is_found() {
        let tokens = check(&mut Repeats::new(), b"a ferry, a ferry, a ferry");
        assert_eq!(tokens.last(), Some(&Token::Repeat { length: 13, back: 8 }));
        assert!(check(&mut Repeats::new(), &[b'a'; 4096]).len() < 20);
        check(&mut Repeats::new(), b"");
    }

    #[test]
    fn other_bytes_are_no_repetition() {
        let mut repeats = Repeats::new();
        for plain in [&b"harbour"[..], b"harbour", b"the harbour"] {
            let tokens = check(&mut repeats, plain);
            assert!(tokens.iter().all(|it| matches!(it, Token::Byte(_))), "{tokens:?}");
        }
    }

    #[test]
    fn places_do_not_come_to_an_end() {
        for before in [u32::MAX / 2 - 20, u32::MAX - 20, u32::MAX] {
            let mut repeats = Repeats { before, ..Repeats::new() };
            (0..4).for_each(|_| {
                check(&mut repeats, b"a ferry, a ferry, a ferry, a ferry");
            });
            assert!(repeats.before <= u32::MAX / 2);
        }
    }

    #[test]
    fn what_is_out_of_reach_is_not_found() {
        let noise: Vec<u8> =
            (0..FARTHEST as u32).map(|it| (it.wrapping_mul(it) >> 9) as u8).collect();
        check(&mut Repeats::new(), &[&noise[..], &noise[..], b"x", &noise[..]].concat());
    }
}
