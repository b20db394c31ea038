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
/// Asked in turn: byte order mark, header, `<meta>` or XML declaration in the first 1024 bytes,
/// whether it is valid UTF-8, and a guess from the bytes and the top-level domain. Bytes that are
/// no character become �.
///
/// One thing is not as in browsers: a declared UTF-8 that most bytes beyond ASCII contradict is
/// taken for a mistake, and guessed.
pub(crate) fn decode<'a>(response: &Response<'a>) -> (Cow<'a, str>, &'static Encoding) {
    let body = response.body;
    if let Some((encoding, mark)) = Encoding::for_bom(body) {
        return (encoding.decode_without_bom_handling(&body[mark..]).0, encoding);
    }
    let declared = response.content_type.and_then(charset_parameter).and_then(for_label);
    let declared = declared.or_else(|| declared_in_document(&body[..body.len().min(PRESCAN)]));
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

/// The encoding of the first `<meta>` that declares one, else of an XML declaration.
fn declared_in_document(start: &[u8]) -> Option<&'static Encoding> {
    // Wherever a declaration can be read at all, its bytes are those of ASCII.
    let start: String = start.iter().map(|&byte| char::from(byte & 0x7f)).collect();
    declared_in_meta(&start).or_else(|| declared_in_xml(&start)).map(readable)
}

fn declared_in_meta(start: &str) -> Option<&'static Encoding> {
    let mut tokens = Tokens::new(start);
    while let Some(token) = tokens.next() {
        let is_meta =
            matches!(token, Token::Start { name, .. } if name.eq_ignore_ascii_case("meta"));
        if let Some(encoding) = declared_by(tokens.attributes()).filter(|_| is_meta) {
            return Some(encoding);
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
    for_label(value("charset").or_else(pragma)?)
}

/// `<?xml version="1.0" encoding="iso-8859-1"?>`
fn declared_in_xml(start: &str) -> Option<&'static Encoding> {
    let declaration = start.strip_prefix("<?xml")?.split_once('>')?.0;
    let value = declaration.split_once("encoding")?.1.trim_start().strip_prefix('=')?.trim_start();
    let quote = value.chars().next().filter(|it| matches!(it, '"' | '\''))?;
    for_label(value[1..].split(quote).next()?)
}

/// Whoever could read the declaration knows that the document is not in UTF-16.
fn readable(declared: &'static Encoding) -> &'static Encoding {
    match declared {
        _ if declared == UTF_16BE || declared == UTF_16LE => UTF_8,
        _ if declared == encoding_rs::X_USER_DEFINED => WINDOWS_1252,
        _ => declared,
    }
}

fn find_ignoring_case(haystack: &[u8], needle: &[u8]) -> Option<usize> {
    haystack.windows(needle.len()).position(|window| window.eq_ignore_ascii_case(needle))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(content_type: Option<&str>, body: &[u8], expected: (&str, &str)) {
        let url = Some("https://example.de/");
        let response = Response { url, content_type, body, ..Response::default() };
        let (text, encoding) = decode(&response);
        assert_eq!((encoding.name(), text.as_ref()), expected);
    }

    #[test]
    fn a_byte_order_mark_comes_first() {
        check(Some("text/html; charset=koi8-r"), b"\xef\xbb\xbf\xc3\xa4", ("UTF-8", "ä"));
        check(None, b"\xff\xfea\0", ("UTF-16LE", "a"));
        check(None, b"\xfe\xff\0a", ("UTF-16BE", "a"));
    }

    #[test]
    fn the_header_comes_before_the_document() {
        check(
            Some("text/html; Charset=\"iso-8859-1\""),
            b"<meta charset=utf-8>\xe4",
            ("windows-1252", "<meta charset=utf-8>ä"),
        );
        check(Some("text/html;charset=koi8-r;x=y"), b"\xc1", ("KOI8-R", "а"));
    }

    #[test]
    fn a_declaration_in_the_document_is_read() {
        check(
            None,
            b"<META CHARSET='windows-1251'>\xe0",
            ("windows-1251", "<META CHARSET='windows-1251'>а"),
        );
        let pragma = "<meta http-equiv=Content-Type content='text/html; charset=iso-8859-2'>";
        let body = [pragma.as_bytes(), b"\xb1"].concat();
        check(None, &body, ("ISO-8859-2", &format!("{pragma}ą")));
        check(Some("text/html; charset=unknown"), &body, ("ISO-8859-2", &format!("{pragma}ą")));
    }

    #[test]
    fn an_xml_declaration_is_read() {
        let xml = "<?xml version='1.0' encoding='iso-8859-2'?>";
        let body = [xml.as_bytes(), b"\xb1"].concat();
        check(None, &body, ("ISO-8859-2", &format!("{xml}ą")));
    }

    #[test]
    fn a_declaration_too_far_down_is_not() {
        let body = [" ".repeat(PRESCAN).as_bytes(), b"<meta charset=koi8-r>\xc3\xa4"].concat();
        let response = Response::new(&body);
        assert_eq!(decode(&response).1, UTF_8);
    }

    #[test]
    fn a_document_that_could_be_read_is_not_in_utf_16() {
        check(None, b"<meta charset=utf-16>\xc3\xa4", ("UTF-8", "<meta charset=utf-16>ä"));
    }

    #[test]
    fn without_a_declaration_it_is_guessed() {
        check(None, "Mündung".as_bytes(), ("UTF-8", "Mündung"));
        check(None, b"Die M\xfcndung des Flusses", ("windows-1252", "Die Mündung des Flusses"));
    }

    #[test]
    fn a_declared_utf_8_that_is_none_is_guessed() {
        let body = b"<meta charset=utf-8>Gr\xfc\xdfe aus K\xf6ln und M\xfcnchen";
        check(None, body, ("windows-1252", "<meta charset=utf-8>Grüße aus Köln und München"));
    }

    #[test]
    fn a_few_wrong_bytes_do_not_refute_utf_8() {
        check(Some("text/html; charset=utf-8"), b"\xc3\xa4\xc3\xb6\xff", ("UTF-8", "äö\u{fffd}"));
        check(Some("text/html; charset=utf-8"), b"torn \xc3", ("UTF-8", "torn \u{fffd}"));
    }
}
