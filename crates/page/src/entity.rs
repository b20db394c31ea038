//! Character references: `&amp;`, `&#228;`, `&#xe4;`, and the old ones that do without a semicolon.

use std::borrow::Cow;
use std::sync::LazyLock;

use memchr::memchr;

/// The names of the HTML standard with their characters, in the order of their bytes.
static ENTITIES: LazyLock<Vec<(&str, Characters)>> =
    LazyLock::new(|| include_str!("entities.txt").lines().filter_map(entry).collect());

/// One character, or two for some names of mathematics.
type Characters = (char, Option<char>);

/// The longest name has 31 letters.
const LONGEST_NAME: usize = 31;
/// The names that need no semicolon have two to six letters.
const OLD_NAMES: std::ops::RangeInclusive<usize> = 2..=6;

/// A character reference that was understood.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Reference {
    pub(crate) first: char,
    pub(crate) second: Option<char>,
    /// How many bytes it takes, with its `&`.
    pub(crate) length: usize,
}

/// Where a reference stands: an attribute is read with more care, for URLs are full of `&`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Within {
    Text,
    Attribute,
}

/// The reference with which the text begins; none if its `&` is just that.
pub(crate) fn reference(text: &str, within: Within) -> Option<Reference> {
    let body = text.strip_prefix('&')?;
    match body.strip_prefix('#') {
        Some(number) => numeric(number),
        None => named(body, within),
    }
}

/// The attribute's value with its references written out.
pub(crate) fn decode_attribute(value: &str) -> Cow<'_, str> {
    if memchr(b'&', value.as_bytes()).is_none() {
        return Cow::Borrowed(value);
    }
    let mut decoded = String::with_capacity(value.len());
    let mut rest = value;
    while let Some(at) = memchr(b'&', rest.as_bytes()) {
        decoded.push_str(&rest[..at]);
        rest = &rest[at..];
        let unknown = Reference { first: '&', second: None, length: 1 };
        let Reference { first, second, length } =
            reference(rest, Within::Attribute).unwrap_or(unknown);
        decoded.push(first);
        decoded.extend(second);
        rest = &rest[length..];
    }
    decoded.push_str(rest);
    Cow::Owned(decoded)
}

fn entry(line: &'static str) -> Option<(&'static str, Characters)> {
    let mut parts = line.split(' ');
    let name = parts.next()?;
    let mut codes = parts.filter_map(|code| char::from_u32(u32::from_str_radix(code, 16).ok()?));
    Some((name, (codes.next()?, codes.next())))
}

fn named(body: &str, within: Within) -> Option<Reference> {
    let is_letter = |byte: &u8| byte.is_ascii_alphanumeric();
    let run = body.bytes().take(LONGEST_NAME + 1).take_while(is_letter).count();
    let with_semicolon = body.get(..=run).filter(|name| name.ends_with(';'));
    if let Some((first, second)) = with_semicolon.and_then(lookup) {
        return Some(Reference { first, second, length: run + 2 });
    }
    old_name(&body[..run.min(*OLD_NAMES.end())], body, within)
}

/// `&copy 2024` and even `&copy2024`, but not the `&copy=1` of a URL.
fn old_name(letters: &str, body: &str, within: Within) -> Option<Reference> {
    let lengths = (*OLD_NAMES.start()..=letters.len()).rev();
    let mut known = lengths.filter_map(|length| Some((length, lookup(&letters[..length])?)));
    let (length, (first, second)) = known.next()?;
    let next = body.as_bytes().get(length).copied().unwrap_or(b' ');
    let is_parameter = next == b'=' || next.is_ascii_alphanumeric();
    if within == Within::Attribute && is_parameter {
        return None;
    }
    Some(Reference { first, second, length: length + 1 })
}

fn lookup(name: &str) -> Option<Characters> {
    match name {
        "amp;" => return Some(('&', None)),
        "nbsp;" => return Some(('\u{a0}', None)),
        "quot;" => return Some(('"', None)),
        "lt;" => return Some(('<', None)),
        "gt;" => return Some(('>', None)),
        _ => {}
    }
    let at = ENTITIES.binary_search_by_key(&name, |entity| entity.0).ok()?;
    Some(ENTITIES[at].1)
}

fn numeric(number: &str) -> Option<Reference> {
    let (digits, radix) = match number.strip_prefix(['x', 'X']) {
        Some(hex) => (hex, 16),
        None => (number, 10),
    };
    let run = digits.bytes().take_while(|&byte| char::from(byte).is_digit(radix)).count();
    if run == 0 {
        return None;
    }
    // What does not fit is no character either.
    let code = u32::from_str_radix(&digits[..run], radix).unwrap_or(u32::MAX);
    let semicolon = usize::from(digits.as_bytes().get(run) == Some(&b';'));
    let length = "&#".len() + (number.len() - digits.len()) + run + semicolon;
    Some(Reference { first: character(code), second: None, length })
}

/// The character of a number; what the standard calls an error is the replacement character.
fn character(code: u32) -> char {
    match code {
        0 => char::REPLACEMENT_CHARACTER,
        0x80..=0x9f => windows_1252(code as u8),
        _ => char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER),
    }
}

/// Numbers of control characters are read as the bytes that old editors meant by them.
fn windows_1252(byte: u8) -> char {
    let bytes = [byte];
    let (decoded, _) = encoding_rs::WINDOWS_1252.decode_without_bom_handling(&bytes);
    decoded.chars().next().unwrap_or(char::REPLACEMENT_CHARACTER)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, within: Within, expected: Option<(&str, usize)>) {
        let found = reference(text, within).map(|it| {
            let letters: String = std::iter::once(it.first).chain(it.second).collect();
            (letters, it.length)
        });
        let found = found.as_ref().map(|(letters, length)| (letters.as_str(), *length));
        assert_eq!(found, expected, "{text}");
    }

    #[test]
    fn names_are_written_out() {
        check("&amp;x", Within::Text, Some(("&", 5)));
        check("&auml;", Within::Text, Some(("ä", 6)));
        check("&notin;", Within::Text, Some(("∉", 7)));
        check("&NotEqualTilde;", Within::Text, Some(("≂\u{338}", 15)));
        check("&CounterClockwiseContourIntegral;", Within::Text, Some(("∳", 33)));
    }

    #[test]
    fn old_names_do_without_a_semicolon() {
        check("&copy 2024", Within::Text, Some(("©", 5)));
        check("&notit;", Within::Text, Some(("¬", 4)));
        check("&hellip ", Within::Text, None);
    }

    #[test]
    fn in_a_url_they_do_not() {
        check("&copy=1", Within::Attribute, None);
        check("&copy2", Within::Attribute, None);
        check("&copy;", Within::Attribute, Some(("©", 6)));
        assert_eq!(decode_attribute("?a=1&amp;b=2&copy=3&x"), "?a=1&b=2&copy=3&x");
    }

    #[test]
    fn numbers_are_characters() {
        check("&#228;", Within::Text, Some(("ä", 6)));
        check("&#xE4 ", Within::Text, Some(("ä", 5)));
        check("&#128;", Within::Text, Some(("€", 6)));
        check("&#0;", Within::Text, Some(("\u{fffd}", 4)));
        check("&#xd800;", Within::Text, Some(("\u{fffd}", 8)));
        check("&#99999999999;", Within::Text, Some(("\u{fffd}", 14)));
    }

    #[test]
    fn an_ampersand_alone_is_one() {
        check("& ", Within::Text, None);
        check("&#;", Within::Text, None);
        check("&#x;", Within::Text, None);
        check("&ä;", Within::Text, None);
        check("&", Within::Text, None);
    }

    #[test]
    fn the_table_is_in_order_and_whole() {
        assert_eq!(ENTITIES.len(), 2231);
        assert!(ENTITIES.is_sorted_by_key(|it| it.0));
        let old = ENTITIES.iter().filter(|it| !it.0.ends_with(';'));
        assert!(old.into_iter().all(|it| OLD_NAMES.contains(&it.0.len())));
        assert!(ENTITIES.iter().all(|it| it.0.len() <= LONGEST_NAME + 1));
    }
}
