//! Which bytes of a URL are written as `%XX`, and in which spelling.

/// Tells of a byte below 128 whether a part of a URL writes it as `%XX`.
pub(crate) type Set = fn(u8) -> bool;

/// The sets of the URL Standard, section 1.3, by the part of the URL that they are for.
pub(crate) fn of_opaque(byte: u8) -> bool {
    byte < b' ' || byte == 0x7f
}

pub(crate) fn of_fragment(byte: u8) -> bool {
    of_opaque(byte) || matches!(byte, b' ' | b'"' | b'<' | b'>' | b'`')
}

pub(crate) fn of_query(byte: u8) -> bool {
    of_opaque(byte) || matches!(byte, b' ' | b'"' | b'#' | b'<' | b'>')
}

pub(crate) fn of_special_query(byte: u8) -> bool {
    of_query(byte) || byte == b'\''
}

pub(crate) fn of_path(byte: u8) -> bool {
    of_query(byte) || matches!(byte, b'?' | b'^' | b'`' | b'{' | b'}')
}

pub(crate) fn of_user_info(byte: u8) -> bool {
    of_path(byte) || matches!(byte, b'/' | b':' | b';' | b'=' | b'@' | b'[' | b'\\' | b']' | b'|')
}

/// Appends the text; bytes of the set and all beyond ASCII are written as `%XX`.
pub(crate) fn encode(set: Set, text: &str, out: &mut String) {
    if text.bytes().all(|byte| byte < 0x80 && !set(byte)) {
        return out.push_str(text);
    }
    for byte in text.bytes() {
        if byte < 0x80 && !set(byte) {
            out.push(char::from(byte));
        } else {
            push(byte, out);
        }
    }
}

/// Appends the part of a URL in the one spelling of RFC 3986, section 6.2.2: unreserved letters
/// plain, all else that is encoded in upper case, a `%` that encodes nothing as `%25`, and what
/// has no business in a path or a query encoded.
pub(crate) fn respell(part: &str, out: &mut String) {
    if part.bytes().all(is_plain) {
        return out.push_str(part);
    }
    let bytes = part.as_bytes();
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        at += 1;
        match byte {
            b'%' => match decoded(&bytes[at..]) {
                Some(decoded) => {
                    at += 2;
                    if is_unreserved(decoded) {
                        out.push(char::from(decoded));
                    } else {
                        push(decoded, out);
                    }
                }
                None => push(b'%', out),
            },
            _ if is_plain(byte) => out.push(char::from(byte)),
            _ => push(byte, out),
        }
    }
}

/// The bytes that the text stands for, with what is not encoded as it is.
pub(crate) fn decode(text: &str) -> Vec<u8> {
    let bytes = text.as_bytes();
    let mut out = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        at += 1;
        let hex = (byte == b'%').then(|| decoded(&bytes[at..])).flatten();
        at += if hex.is_some() { 2 } else { 0 };
        out.push(hex.unwrap_or(byte));
    }
    out
}

fn decoded(after_percent: &[u8]) -> Option<u8> {
    let [high, low, ..] = after_percent else { return None };
    Some(hex(*high)? << 4 | hex(*low)?)
}

fn hex(digit: u8) -> Option<u8> {
    char::from(digit).to_digit(16).map(|it| it as u8)
}

fn push(byte: u8, out: &mut String) {
    const DIGITS: &[u8; 16] = b"0123456789ABCDEF";
    out.push('%');
    out.push(char::from(DIGITS[usize::from(byte >> 4)]));
    out.push(char::from(DIGITS[usize::from(byte & 15)]));
}

fn is_unreserved(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_' | b'~')
}

/// Whether the byte stands in a path or a query as it is (RFC 3986, sections 3.3 and 3.4).
pub(crate) fn is_plain(byte: u8) -> bool {
    const PLAIN: [bool; 256] = {
        let mut plain = [false; 256];
        let mut byte = 0;
        while byte < 128 {
            plain[byte] = (byte as u8).is_ascii_alphanumeric();
            byte += 1;
        }
        let signs = b"-._~!$&'()*+,;=:@/?";
        let mut at = 0;
        while at < signs.len() {
            plain[signs[at] as usize] = true;
            at += 1;
        }
        plain
    };
    PLAIN[usize::from(byte)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(part: &str, expected: &str) {
        let mut out = String::new();
        respell(part, &mut out);
        assert_eq!(out, expected);
    }

    #[test]
    fn unreserved_letters_are_plain_and_others_upper_case() {
        check("%66oo%2dbar%7e", "foo-bar~");
        check("a%2fb%c3%a4", "a%2Fb%C3%A4");
        check("caf%65/x", "cafe/x");
    }

    #[test]
    fn a_percent_sign_that_encodes_nothing_is_encoded() {
        check("90%+of", "90%25+of");
        check("%zz%77%v%", "%25zzw%25v%25");
        check("%2", "%252");
    }

    #[test]
    fn brackets_and_braces_are_encoded() {
        check("x[y]={z}|^`\\\"<>", "x%5By%5D=%7Bz%7D%7C%5E%60%5C%22%3C%3E");
    }
}
