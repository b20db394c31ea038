//! Messages of Protocol Buffers, field by field (<https://protobuf.dev/programming-guides/encoding/>).

/// The fields of a message with their numbers, up to its end or to where it is torn.
pub(crate) struct Wire<'b>(pub(crate) &'b [u8]);

/// What a field holds.
pub(crate) enum Value<'b> {
    Number(u64),
    Bytes(&'b [u8]),
}

/// What is wrong with a message.
pub(crate) type Torn = &'static str;

impl<'b> Wire<'b> {
    fn field(&mut self) -> Option<(u32, Value<'b>)> {
        let tag = varint(&mut self.0)?;
        let value = match tag & 7 {
            0 => Value::Number(varint(&mut self.0)?),
            1 => Value::Bytes(self.take(8)?),
            2 => Value::Bytes(self.behind_length()?),
            5 => Value::Bytes(self.take(4)?),
            _ => return None,
        };
        Some((u32::try_from(tag >> 3).ok()?, value))
    }

    /// The bytes that stand behind their length: a text, or a message in a row of them.
    pub(crate) fn behind_length(&mut self) -> Option<&'b [u8]> {
        let length = varint(&mut self.0)?;
        self.take(usize::try_from(length).ok()?)
    }

    fn take(&mut self, length: usize) -> Option<&'b [u8]> {
        let (taken, rest) = self.0.split_at_checked(length)?;
        self.0 = rest;
        Some(taken)
    }
}

impl<'b> Iterator for Wire<'b> {
    type Item = Result<(u32, Value<'b>), Torn>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.0.is_empty() {
            return None;
        }
        let field = self.field();
        if field.is_none() {
            self.0 = &[];
        }
        Some(field.ok_or("it is torn"))
    }
}

/// The numbers of a packed list, up to its end or to where it is torn.
pub(crate) struct Numbers<'b>(pub(crate) &'b [u8]);

impl Iterator for Numbers<'_> {
    type Item = u64;

    fn next(&mut self) -> Option<u64> {
        varint(&mut self.0)
    }
}

/// Seven bits a byte, the lowest first.
fn varint(bytes: &mut &[u8]) -> Option<u64> {
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

/// Small numbers of either sign are written small: 0, −1, 1, −2, …
pub(crate) fn signed(number: u64) -> i64 {
    (number >> 1) as i64 ^ -((number & 1) as i64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_either_sign_are_read_back() {
        assert_eq!([0, 1, 2, 3, u64::MAX].map(signed), [0, -1, 1, -2, i64::MIN]);
    }
}
