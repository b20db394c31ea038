//! Heads of HTTP messages as they are written.

use crate::headers::{LONGEST, decode, first_line};

/// What a head says that the archive wants to know.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct About {
    /// Of a response.
    pub(crate) status: Option<u16>,
    /// The media type without its parameters, in lower case.
    pub(crate) mime: Option<String>,
    /// The codings of the body.
    pub(crate) coding: Option<String>,
}

/// Puts the head at the end of `out` so that it can be read again, and tells what it says.
///
/// Lines end alike, no line is blank but the last, and the head is no longer than is read. The
/// body is taken to be out of its chunks.
pub(crate) fn write_head(head: &[u8], out: &mut Vec<u8>) -> About {
    let mut about = About::default();
    let start = out.len();
    let mut rest = head;
    let mut is_first = true;
    while !rest.is_empty() {
        let (line, length) = first_line(rest).unwrap_or((rest, rest.len()));
        rest = &rest[length..];
        // A line that begins like a tag would be taken for the first of the body.
        let is_body = line.trim_ascii_start().starts_with(b"<");
        let is_too_much = out.len() - start + line.len() + 64 > LONGEST;
        if line.trim_ascii().is_empty() || is_body || is_too_much {
            continue;
        }
        if is_first {
            about.status = write_first(line, out);
            is_first = false;
        } else {
            write_header(line, &mut about, out);
        }
        out.extend_from_slice(b"\r\n");
    }
    out.extend_from_slice(b"\r\n");
    about
}

/// Writes the status line or the request line, with the version that archives know.
fn write_first(line: &[u8], out: &mut Vec<u8>) -> Option<u16> {
    if !line.get(..5).is_some_and(|it| it.eq_ignore_ascii_case(b"HTTP/")) {
        let is_later =
            |it: &&[u8]| [&b"HTTP/2"[..], b"HTTP/2.0", b"HTTP/3", b"HTTP/3.0"].contains(it);
        match line.rsplitn(2, |it| *it == b' ').collect::<Vec<_>>()[..] {
            [version, before] if is_later(&version) => {
                write(before, out);
                out.extend_from_slice(b" HTTP/1.1");
            }
            _ => write(line, out),
        }
        return None;
    }
    let version = line.iter().position(u8::is_ascii_whitespace).unwrap_or(line.len());
    let is_known = [&b"HTTP/1.0"[..], b"HTTP/1.1"].contains(&&line[..version]);
    out.extend_from_slice(if is_known { &line[..version] } else { b"HTTP/1.1" });
    write(&line[version..], out);
    let mut words = line.split(u8::is_ascii_whitespace).filter(|it| !it.is_empty()).skip(1);
    let status = std::str::from_utf8(words.next()?).ok()?.parse().ok()?;
    (100..1000).contains(&status).then_some(status)
}

fn write_header(line: &[u8], about: &mut About, out: &mut Vec<u8>) {
    let Some(colon) = memchr::memchr(b':', line) else { return write(line, out) };
    let name = line[..colon].trim_ascii();
    let value = || decode(&line[colon + 1..]).trim().to_ascii_lowercase();
    if name.eq_ignore_ascii_case(b"Transfer-Encoding") {
        out.extend_from_slice(b"X-Crawler-");
    } else if name.eq_ignore_ascii_case(b"Content-Encoding") {
        about.coding = Some(value());
    } else if name.eq_ignore_ascii_case(b"Content-Type") && about.mime.is_none() {
        about.mime = value().split(';').next().map(|it| it.trim().to_owned());
    }
    write(line, out);
}

/// A return within a line would be taken for its end by some readers.
fn write(line: &[u8], out: &mut Vec<u8>) {
    let start = out.len();
    out.extend_from_slice(line);
    if memchr::memchr(b'\r', line).is_some() {
        out[start..].iter_mut().filter(|it| **it == b'\r').for_each(|it| *it = b' ');
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(head: &str, expected: &str) -> About {
        let mut out = Vec::new();
        let about = write_head(head.as_bytes(), &mut out);
        assert_eq!(String::from_utf8(out).unwrap(), expected, "{head:?}");
        about
    }

    #[test]
    fn a_head_is_written_as_it_is() {
        let head = "HTTP/1.1 200 OK\r\nContent-Type: Text/HTML; charset=utf-8\r\nContent-Encoding: BR\r\n\r\n";
        let about = check(head, head);
        assert_eq!((about.status, about.mime.as_deref()), (Some(200), Some("text/html")));
        assert_eq!(about.coding.as_deref(), Some("br"));
        check("GET /a HTTP/1.1\r\nHost: a\r\n\r\n", "GET /a HTTP/1.1\r\nHost: a\r\n\r\n");
    }

    #[test]
    fn a_body_out_of_its_chunks_is_not_said_to_be_in_chunks() {
        check(
            "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n",
            "HTTP/1.1 200 OK\r\nX-Crawler-transfer-encoding: chunked\r\n\r\n",
        );
    }

    #[test]
    fn later_versions_are_written_as_the_one_that_archives_know() {
        assert_eq!(check("HTTP/2 404\r\n\r\n", "HTTP/1.1 404\r\n\r\n").status, Some(404));
        check("HTTP/2.0 200 OK", "HTTP/1.1 200 OK\r\n\r\n");
        check("HTTP/1.0 200 OK", "HTTP/1.0 200 OK\r\n\r\n");
        check("GET /HTTP/2 HTTP/2.0\n", "GET /HTTP/2 HTTP/1.1\r\n\r\n");
    }

    #[test]
    fn a_head_ends_once() {
        check("", "\r\n");
        check("HTTP/1.1 200 OK\n\nA: b\n\n\n", "HTTP/1.1 200 OK\r\nA: b\r\n\r\n");
        check("HTTP/1.1 200 OK\r\n<p>\r\nA: b\rc", "HTTP/1.1 200 OK\r\nA: b c\r\n\r\n");
    }

    #[test]
    fn a_head_is_no_longer_than_is_read() {
        let mut out = Vec::new();
        let long = format!("HTTP/1.1 200 OK\r\n{}", "Name: value\r\n".repeat(20_000));
        write_head(long.as_bytes(), &mut out);
        assert!(out.len() <= LONGEST && out.ends_with(b"value\r\n\r\n"), "{}", out.len());
    }
}
