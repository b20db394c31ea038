//! From bytes to text: which encoding a body is in.

use std::borrow::Cow;

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1252};

use crate::response::Response;
use crate::tokens::{Attribute, Token, Tokens};

/// Browsers look for a declaration in so many bytes, and no further.
const PRESCAN: usize = 1024;
/// So many bytes are enough for a guess.
const GUESSED_FROM: usize = 64 << 10;

/// The body as text, and the name of its encoding.
///
/// Asked in turn: byte order mark, header, `<meta>` in the first 1024 bytes, whether it is valid
/// UTF-8, and a guess from the bytes and the top-level domain. Bytes that are none become �.
///
/// One thing is not as in browsers: a declared UTF-8 that most bytes beyond ASCII contradict is
/// taken for a mistake, and guessed.
pub(crate) fn decode<'a>(response: &Response<'a>) -> (Cow<'a, str>, &'static Encoding) {
    let body = response.body;
    if let Some((encoding, mark)) = Encoding::for_bom(body) {
        return (encoding.decode_without_bom_handling(&body[mark..]).0, encoding);
    }
    let declared = response.content_type.and_then(charset_parameter).and_then(for_label);
    let declared = declared.or_else(|| declared_in_meta(&body[..body.len().min(PRESCAN)]));
    match declared {
        Some(encoding) if encoding != UTF_8 => {
            (encoding.decode_without_bom_handling(body).0, encoding)
        }
        _ => decode_as_utf8_or_guess(response, declared.is_some()),
    }
}

fn decode_as_utf8_or_guess<'a>(
    response: &Response<'a>,
    is_declared: bool,
) -> (Cow<'a, str>, &'static Encoding) {
    let body = response.body;
    if let Ok(text) = std::str::from_utf8(body) {
        return (Cow::Borrowed(text), UTF_8);
    }
    let encoding = if is_declared && is_mostly_utf8(body) { UTF_8 } else { guess(response) };
    (encoding.decode_without_bom_handling(body).0, encoding)
}

/// Whether more characters beyond ASCII are right than wrong.
fn is_mostly_utf8(body: &[u8]) -> bool {
    let sample = &body[..body.len().min(GUESSED_FROM)];
    let (mut right, mut wrong) = (0, 0);
    for chunk in sample.utf8_chunks() {
        right += chunk.valid().chars().filter(|letter| !letter.is_ascii()).count();
        wrong += usize::from(!chunk.invalid().is_empty());
    }
    // A body that was cut off ends within a character.
    right + 1 >= wrong
}

fn guess(response: &Response<'_>) -> &'static Encoding {
    let sample = &response.body[..response.body.len().min(GUESSED_FROM)];
    let mut detector = EncodingDetector::new(Iso2022JpDetection::Deny);
    detector.feed(sample, true);
    detector.guess(response.url.and_then(top_level_domain), Utf8Detection::Allow)
}

/// The last label of the host, if the guess may rely on it.
fn top_level_domain(url: &str) -> Option<&[u8]> {
    let host = url.split_once("://")?.1.split(['/', '?', '#', ':']).next()?;
    let label = host.rsplit('.').next()?;
    let is_plain = !label.is_empty() && label.bytes().all(|byte| byte.is_ascii_lowercase());
    is_plain.then_some(label.as_bytes())
}

/// The encoding that browsers take for this label.
fn for_label(label: &str) -> Option<&'static Encoding> {
    Encoding::for_label(label.trim_matches([' ', '"', '\'']).as_bytes())
}

/// What follows `charset=` in a content type.
fn charset_parameter(content_type: &str) -> Option<&str> {
    let at = find_ignoring_case(content_type.as_bytes(), b"charset")?;
    let value = content_type.get(at + "charset".len()..)?.trim_start().strip_prefix('=')?;
    let value = value.trim_start();
    match value.chars().next()? {
        quote @ ('"' | '\'') => value[1..].split(quote).next(),
        _ => value.split(|it: char| it == ';' || it == ',' || it.is_ascii_whitespace()).next(),
    }
}

/// The encoding of the first `<meta>` that declares one.
fn declared_in_meta(start: &[u8]) -> Option<&'static Encoding> {
    // Wherever a declaration can be read at all, its bytes are those of ASCII.
    let start: String = start.iter().map(|&byte| char::from(byte & 0x7f)).collect();
    let mut tokens = Tokens::new(&start);
    while let Some(token) = tokens.next() {
        let Token::Start { name, .. } = token else { continue };
        if name.eq_ignore_ascii_case("meta") {
            if let Some(encoding) = declared_by(tokens.attributes()) {
                return Some(encoding);
            }
        }
    }
    None
}

fn declared_by(attributes: &[Attribute<'_>]) -> Option<&'static Encoding> {
    let value = |name: &str| {
        attributes.iter().find(|it| it.name.eq_ignore_ascii_case(name)).map(|it| it.value)
    };
    let is_content_type =
        value("http-equiv").is_some_and(|it| it.eq_ignore_ascii_case("content-type"));
    let pragma = || value("content").filter(|_| is_content_type).and_then(charset_parameter);
    let encoding = for_label(value("charset").or_else(pragma)?)?;
    Some(match encoding {
        // Whoever could read this far knows that it is not UTF-16.
        _ if encoding == UTF_16BE || encoding == UTF_16LE => UTF_8,
        _ if encoding == encoding_rs::X_USER_DEFINED => WINDOWS_1252,
        _ => encoding,
    })
}

fn find_ignoring_case(haystack: &[u8], needle: &[u8]) -> Option<usize> {
    haystack.windows(needle.len()).position(|window| window.eq_ignore_ascii_case(needle))
}
