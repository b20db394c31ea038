//! Bodies that were sent in chunks.

use crate::headers::first_line;

/// A body out of its chunks.
pub(crate) struct Joined {
    pub(crate) body: Vec<u8>,
    /// Whether it was in chunks all through, and the last was the empty one.
    pub(crate) whole: bool,
    /// Whether it ends within a chunk or without the empty one.
    pub(crate) torn: bool,
}

/// Joins the chunks. From where there are no chunks, everything is taken as it is.
pub(crate) fn join(bytes: &[u8]) -> Joined {
    let mut body = Vec::with_capacity(bytes.len());
    let mut rest = bytes;
    while let Some((size, start)) = size(rest) {
        if size == 0 {
            return Joined { body, whole: true, torn: false };
        }
        rest = &rest[start..];
        let Some(chunk) = rest.get(..size) else {
            body.extend_from_slice(rest);
            return Joined { body, whole: false, torn: true };
        };
        body.extend_from_slice(chunk);
        rest = &rest[size..];
        rest = rest.strip_prefix(b"\r").unwrap_or(rest);
        rest = rest.strip_prefix(b"\n").unwrap_or(rest);
    }
    let torn = !body.is_empty() && rest.is_empty();
    body.extend_from_slice(rest);
    Joined { body, whole: false, torn }
}

/// The size of the chunk that begins here, and how long the line is that says it.
fn size(bytes: &[u8]) -> Option<(usize, usize)> {
    // The last size may be the last of the bytes.
    let (line, length) = first_line(bytes).unwrap_or((bytes, bytes.len()));
    let digits = line.split(|it| *it == b';').next()?.trim_ascii();
    if digits.is_empty() || digits.len() > 15 || !digits.iter().all(u8::is_ascii_hexdigit) {
        return None;
    }
    let size = usize::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()?;
    Some((size, length))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(bytes: &str, body: &str, whole: bool, torn: bool) {
        let joined = join(bytes.as_bytes());
        assert_eq!(String::from_utf8(joined.body).unwrap(), body, "{bytes:?}");
        assert_eq!((joined.whole, joined.torn), (whole, torn), "{bytes:?}");
    }

    #[test]
    fn chunks_are_joined() {
        check("3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n", "abcde", true, false);
        check("3;name=value\r\nabc\r\n0\r\nTrailer: x\r\n\r\n", "abc", true, false);
        check("A \n0123456789\n0", "0123456789", true, false);
        check("0\r\n\r\n", "", true, false);
    }

    #[test]
    fn what_is_not_in_chunks_is_kept() {
        check("<html>\r\n", "<html>\r\n", false, false);
        check("3\r\nabc\r\nrest of it", "abcrest of it", false, false);
        check("fffffffffffffffff\r\n", "fffffffffffffffff\r\n", false, false);
        check("", "", false, false);
    }

    #[test]
    fn a_torn_body_is_what_there_is() {
        check("5\r\nabc", "abc", false, true);
        check("3\r\nabc\r\n", "abc", false, true);
        check("ffffffffffff\r\nabc", "abc", false, true);
    }
}
