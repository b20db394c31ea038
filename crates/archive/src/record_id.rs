//! Names for records that no other record has.

use std::cell::Cell;
use std::fmt;
use std::hash::{BuildHasher, RandomState};

/// A random UUID, of version 4.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct RecordId([u8; 16]);

thread_local! {
    /// Two keys and how many names have been given. The standard library draws the keys of its hash
    /// maps from the system's source of randomness, once for each thread; a counter, hashed with
    /// them, gives numbers that repeat no sooner than random ones would. That is all a name needs:
    /// nobody must be kept from guessing it.
    static SOURCE: (RandomState, RandomState, Cell<u64>) =
        (RandomState::new(), RandomState::new(), Cell::new(0));
}

impl RecordId {
    /// One that was never given before.
    pub(crate) fn fresh() -> Self {
        SOURCE.with(|(one, other, count)| {
            let number = count.get();
            count.set(number.wrapping_add(1));
            let bits = u128::from(one.hash_one(number)) << 64 | u128::from(other.hash_one(number));
            let mut bytes = bits.to_be_bytes();
            // Version and variant, as RFC 9562 has them.
            bytes[6] = bytes[6] & 0x0f | 0x40;
            bytes[8] = bytes[8] & 0x3f | 0x80;
            Self(bytes)
        })
    }
}

impl fmt::Display for RecordId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const DIGITS: &[u8; 16] = b"0123456789abcdef";
        let mut text = [b'-'; 36];
        let places = (0..36).filter(|at| ![8, 13, 18, 23].contains(at));
        let halves = self.0.iter().flat_map(|it| [it >> 4, it & 15]);
        places.zip(halves).for_each(|(at, half)| text[at] = DIGITS[usize::from(half)]);
        write!(f, "<urn:uuid:{}>", std::str::from_utf8(&text).map_err(|_| fmt::Error)?)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn no_two_records_have_the_same_name() {
        let here = || (0..10_000).map(|_| RecordId::fresh().to_string()).collect::<Vec<_>>();
        let there = std::thread::spawn(here).join().unwrap();
        let names: HashSet<_> = here().into_iter().chain(there).collect();
        assert_eq!(names.len(), 20_000);
    }

    #[test]
    fn a_name_is_a_uuid_of_version_4() {
        let name = RecordId::fresh().to_string();
        assert_eq!(name.len(), "<urn:uuid:00000000-0000-4000-8000-000000000000>".len());
        assert_eq!(&name[24..25], "4", "{name}");
        assert!("89ab".contains(&name[29..30]), "{name}");
        assert_eq!(
            RecordId([0xab; 16]).to_string(),
            "<urn:uuid:abababab-abab-abab-abab-abababababab>"
        );
    }
}
