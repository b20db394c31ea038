//! Text in UTF-16, which a few servers send.

/// The text, if the bytes are UTF-16: by their byte order mark, or because they begin as XML does.
pub(crate) fn decode(bytes: &[u8]) -> Option<String> {
    match bytes {
        [0xFF, 0xFE, rest @ ..] | rest @ [b'<', 0, ..] => Some(text(rest, u16::from_le_bytes)),
        [0xFE, 0xFF, rest @ ..] | rest @ [0, b'<', ..] => Some(text(rest, u16::from_be_bytes)),
        _ => None,
    }
}

fn text(bytes: &[u8], unit: fn([u8; 2]) -> u16) -> String {
    let units = bytes.as_chunks().0.iter().map(|it| unit(*it));
    char::decode_utf16(units).map(|it| it.unwrap_or(char::REPLACEMENT_CHARACTER)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(bytes: &[u8], expected: Option<&str>) {
        assert_eq!(decode(bytes).as_deref(), expected);
    }

    #[test]
    fn the_mark_tells_the_order_of_bytes() {
        check(b"\xFF\xFEa\0\xE9\0", Some("aé"));
        check(b"\xFE\xFF\0a\0\xE9", Some("aé"));
        check(b"\xFE\xFF\0a\0", Some("a"));
        check(b"\xFF\xFE\0\xD8", Some("\u{FFFD}"));
    }

    #[test]
    fn xml_needs_no_mark() {
        check(b"<\0a\0", Some("<a"));
        check(b"\0<\0a", Some("<a"));
        check(b"<a", None);
        check(b"", None);
    }
}
