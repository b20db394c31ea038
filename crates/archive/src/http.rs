//! An HTTP response as it lies in a record.

use crate::headers::{Headers, LONGEST, MOST_LINES, first_line};
use crate::{chunks, coding};

/// Up to how many bytes a body is unpacked if nothing else is asked for. Pages are far smaller.
pub(crate) const LARGEST_BODY: usize = 16 << 20;

/// An HTTP response, its body unpacked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Http {
    /// The status: 200 if all went well.
    pub status: u16,
    /// The headers.
    pub headers: Headers,
    /// The body, out of its chunks and unpacked.
    pub body: Vec<u8>,
    /// Whether `body` is less than the server sent.
    pub truncated: bool,
    /// Where the headers say something about the body that is not so.
    pub flaws: Flaws,
}

/// Where the headers of a response say something about its body that is not so.
///
/// Many archives hold bodies that were unpacked by the crawler, under headers that were not changed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Flaws {
    /// It should be in chunks, but is not, or not to its end. What is not in a chunk was kept.
    pub chunks: bool,
    /// It should be packed, but is not, or in a way we do not know (then it was kept as it is), or
    /// it is damaged (then what comes before the damage was kept).
    pub coding: bool,
}

/// Reads a response that begins at the first of the bytes, unpacking at most `largest` bytes.
///
/// Interim answers, such as `100 Continue`, are passed over.
pub(crate) fn read(bytes: &[u8], largest: usize) -> Option<Http> {
    let (status, headers, sent) = envelope(bytes)?;
    let mut flaws = Flaws::default();
    let mut truncated = false;

    let joined = is_chunked(&headers).then(|| chunks::join(sent));
    let body = match &joined {
        Some(joined) => {
            flaws.chunks = !joined.whole;
            truncated |= joined.torn;
            &joined.body
        }
        None => sent,
    };
    let codings = headers.joined("Content-Encoding").unwrap_or_default();
    let unpacked = coding::unpack(&codings, body, largest);
    flaws.coding = unpacked.flawed;
    truncated |= unpacked.truncated;
    Some(Http { status, headers, body: unpacked.body, truncated, flaws })
}

/// The body of a response as it was sent, and out of its chunks if it is in chunks.
pub(crate) fn payloads(bytes: &[u8]) -> Option<(&[u8], Option<Vec<u8>>)> {
    let (_, headers, sent) = envelope(bytes)?;
    Some((sent, is_chunked(&headers).then(|| chunks::join(sent).body)))
}

/// The status and the headers of a response.
pub(crate) fn about(bytes: &[u8]) -> Option<(u16, Headers)> {
    envelope(bytes).map(|(status, headers, _)| (status, headers))
}

fn is_chunked(headers: &Headers) -> bool {
    headers.all("Transfer-Encoding").any(|it| it.to_ascii_lowercase().contains("chunked"))
}

/// Status, headers and what is behind them.
fn envelope(bytes: &[u8]) -> Option<(u16, Headers, &[u8])> {
    let mut rest = bytes;
    loop {
        let (status, headers, body) = head(rest)?;
        let interim = (100..200).contains(&status) && status != 101 && status_of(body).is_some();
        if !interim {
            return Some((status, headers, body));
        }
        rest = body;
    }
}

fn head(bytes: &[u8]) -> Option<(u16, Headers, &[u8])> {
    let status = status_of(bytes)?;
    let mut at = first_line(bytes).map_or(bytes.len(), |it| it.1);
    let mut headers = Headers::default();
    let mut lines = 0;
    while at < LONGEST {
        // A head may be all there is, its last line without an end.
        let (line, length) = first_line(&bytes[at..]).unwrap_or((&bytes[at..], bytes.len() - at));
        if line.is_empty() {
            at += length;
            break;
        }
        if line.trim_ascii_start().starts_with(b"<") {
            // The blank line was forgotten.
            break;
        }
        if lines < MOST_LINES {
            headers.take_line(line);
        }
        lines += 1;
        at += length;
    }
    Some((status, headers, &bytes[at.min(bytes.len())..]))
}

/// The number in `HTTP/1.1 200 OK`, `HTTP/2 200` and the like.
fn status_of(bytes: &[u8]) -> Option<u16> {
    let line = first_line(bytes).map_or(bytes, |it| it.0);
    let line = &line[..line.len().min(256)];
    let start = line.get(..5)?;
    if !start.eq_ignore_ascii_case(b"HTTP/") {
        return None;
    }
    let mut words = line.split(u8::is_ascii_whitespace).filter(|it| !it.is_empty()).skip(1);
    let status: u16 = std::str::from_utf8(words.next()?).ok()?.parse().ok()?;
    (100..1000).contains(&status).then_some(status)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn response(bytes: &str) -> Http {
        read(bytes.as_bytes(), LARGEST_BODY).expect("it is a response")
    }

    #[track_caller]
    fn check(bytes: &str, status: u16, body: &str) {
        let http = response(bytes);
        assert_eq!((http.status, http.body.as_slice()), (status, body.as_bytes()), "{bytes:?}");
    }

    #[test]
    fn a_response_is_status_headers_and_body() {
        let http = response("HTTP/1.1 404 Not Found\r\nA: b\r\nC:d\r\n\r\nbody\r\n");
        assert_eq!((http.status, http.headers.len()), (404, 2));
        assert_eq!((http.headers.get("c"), http.body.as_slice()), (Some("d"), &b"body\r\n"[..]));
        assert_eq!((http.truncated, http.flaws), (false, Flaws::default()));
    }

    #[test]
    fn heads_are_read_with_patience() {
        check("HTTP/1.1 200\nA: b\n\nbody", 200, "body");
        check("HTTP/2 200\r\n\r\nbody", 200, "body");
        check("http/1.0  301   \r\n\r\n", 301, "");
        check("HTTP/1.1 200 OK\r\nno colon here\r\nA: b\r\n\r\nbody", 200, "body");
        check("HTTP/1.1 200 OK\r\nA: b\r\n<html>a: b", 200, "<html>a: b");
        check("HTTP/1.1 204", 204, "");
        check("HTTP/1.1 200 OK\r\nA: b", 200, "");
    }

    #[test]
    fn headers_may_be_folded_and_in_latin_1() {
        let http =
            read(b"HTTP/1.1 200 OK\r\nA: one\r\n two\r\nB: \xfc\r\n\r\n", 9).expect("response");
        assert_eq!((http.headers.get("A"), http.headers.get("B")), (Some("one two"), Some("ü")));
    }

    #[test]
    fn interim_answers_are_passed_over() {
        check("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\n\r\nbody", 200, "body");
        check("HTTP/1.1 100 Continue\r\n\r\n", 100, "");
    }

    #[test]
    fn what_does_not_begin_like_a_response_is_none() {
        for bytes in ["", "HTTP", "HTTP/1.1", "HTTP/1.1 abc", "HTTP/1.1 20000", "<html>", "GET /"] {
            assert_eq!(read(bytes.as_bytes(), 9), None, "{bytes}");
        }
    }

    #[test]
    fn lines_beyond_the_limit_are_passed_over() {
        let lines = "H: v\r\n".repeat(300);
        let http = response(&format!("HTTP/1.1 200 OK\r\n{lines}\r\nbody"));
        assert_eq!((http.headers.len(), http.body.as_slice()), (MOST_LINES, &b"body"[..]));
    }

    #[test]
    fn chunks_are_joined_and_false_ones_told() {
        let head = "HTTP/1.1 200 OK\r\nTransfer-Encoding: Chunked\r\n\r\n";
        let http = response(&format!("{head}3\r\nabc\r\n0\r\n\r\n"));
        assert_eq!((http.body.as_slice(), http.flaws.chunks), (&b"abc"[..], false));
        let http = response(&format!("{head}<html>"));
        assert_eq!((http.body.as_slice(), http.flaws.chunks), (&b"<html>"[..], true));
    }

    #[test]
    fn a_body_that_was_unpacked_already_is_kept() {
        let http = response("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n<html>");
        assert_eq!((http.body.as_slice(), http.flaws.coding), (&b"<html>"[..], true));
        assert!(!http.truncated);
    }
}
