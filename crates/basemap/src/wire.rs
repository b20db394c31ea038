//! The numbers and records that both formats are written in: varints and Protocol Buffers.

/// Appends a number in groups of seven bits, the lowest first.
pub(crate) fn put_number(out: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        out.push(number as u8 | 0x80);
        number >>= 7;
    }
    out.push(number as u8);
}

/// Appends a field that holds a number.
pub(crate) fn put_field(out: &mut Vec<u8>, field: u64, number: u64) {
    put_number(out, field << 3);
    put_number(out, number);
}

/// Appends a field that holds bytes.
pub(crate) fn put_bytes(out: &mut Vec<u8>, field: u64, bytes: &[u8]) {
    put_number(out, field << 3 | 2);
    put_number(out, bytes.len() as u64);
    out.extend(bytes);
}

/// A difference as a number that is small if the difference is, below zero too.
pub(crate) fn zigzag(difference: i32) -> u64 {
    u64::from(((difference << 1) ^ (difference >> 31)) as u32)
}

/// The difference behind such a number.
pub(crate) fn unzigzag(number: u64) -> i32 {
    let number = number as u32;
    (number >> 1) as i32 ^ -((number & 1) as i32)
}

/// Takes a number off the front; none if it is torn.
pub(crate) fn take_number(bytes: &mut &[u8]) -> Option<u64> {
    let mut number = 0;
    for shift in (0..64).step_by(7) {
        let (&byte, rest) = bytes.split_first()?;
        *bytes = rest;
        number |= u64::from(byte & 0x7f) << shift;
        if byte < 0x80 {
            return Some(number);
        }
    }
    None
}

/// What a field holds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Content<'b> {
    Number(u64),
    Bytes(&'b [u8]),
    /// Four or eight bytes whose meaning is the field's own.
    Fixed(&'b [u8]),
}

/// The fields of a record one after the other; it ends early where the record is torn.
pub(crate) struct Fields<'b>(pub(crate) &'b [u8]);

impl<'b> Iterator for Fields<'b> {
    type Item = (u64, Content<'b>);

    fn next(&mut self) -> Option<Self::Item> {
        let key = take_number(&mut self.0)?;
        let content = match key & 7 {
            0 => Content::Number(take_number(&mut self.0)?),
            1 => Content::Fixed(self.take(8)?),
            2 => {
                let length = take_number(&mut self.0)?;
                Content::Bytes(self.take(usize::try_from(length).ok()?)?)
            }
            5 => Content::Fixed(self.take(4)?),
            _ => return None,
        };
        Some((key >> 3, content))
    }
}

impl<'b> Fields<'b> {
    fn take(&mut self, length: usize) -> Option<&'b [u8]> {
        let (bytes, rest) = self.0.split_at_checked(length)?;
        self.0 = rest;
        Some(bytes)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn numbers_come_back(number: u64, difference: i32) {
            let mut out = Vec::new();
            put_number(&mut out, number);
            put_number(&mut out, zigzag(difference));
            let mut rest = &out[..];
            prop_assert_eq!(take_number(&mut rest), Some(number));
            prop_assert_eq!(take_number(&mut rest).map(unzigzag), Some(difference));
            prop_assert!(rest.is_empty());
        }

        #[test]
        fn any_bytes_are_fields_or_their_end(bytes: Vec<u8>) {
            prop_assert!(Fields(&bytes).count() <= bytes.len());
        }
    }
}
