//! Where a record begins, and what its head says: that of WARC, and the one line of ARC.

use memchr::memmem;

use crate::headers::{Headers, LONGEST, MOST_LINES, decode, first_line};

/// How many bytes must be seen to tell whether a record begins with them.
pub(crate) const LOOK: usize = 4096;

/// How many places of a body are tried for the head of a record that it swallowed.
const MOST_TRIED: usize = 64;

/// What came of reading a head.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Reading {
    /// The head, and how long it is.
    Whole(Headers, usize),
    /// Its end is not among the bytes.
    Unended,
    /// Within it, so many bytes on, another record begins.
    Torn(usize),
    /// It is longer than is read, or has more lines; so many bytes of it have been looked at.
    TooLong(usize),
}

/// Whether a record of WARC begins here: `WARC/1.0`, the end of the line, a name with a colon.
pub(crate) fn is_warc(bytes: &[u8]) -> bool {
    let Some(rest) = after_version(bytes) else { return false };
    let name = rest.iter().take(64).take_while(|it| it.is_ascii_graphic() && **it != b':').count();
    name > 0 && rest.get(name) == Some(&b':')
}

/// Whether a record of ARC begins here. `filedesc:` opens every ARC file.
pub(crate) fn is_arc(bytes: &[u8]) -> bool {
    let start = &bytes[..bytes.len().min(LOOK)];
    let line = first_line(start).map_or(start, |it| it.0);
    ArcLine::read(line).is_some()
}

/// Whether an ARC file begins here.
pub(crate) fn is_arc_file(bytes: &[u8]) -> bool {
    bytes.starts_with(b"filedesc:") && is_arc(bytes)
}

/// Where the first record begins among the bytes; ARC's are looked for only where they are to be
/// expected, since many a line of text is like theirs.
pub(crate) fn find(bytes: &[u8], arc: bool) -> Option<usize> {
    let warc = memmem::find_iter(bytes, b"WARC/").find(|at| is_warc(&bytes[*at..]));
    if !arc {
        return warc;
    }
    let bound = &bytes[..warc.unwrap_or(bytes.len())];
    let mut lines = memchr::memchr_iter(b'\n', bound).map(|end| end + 1);
    lines.find(|at| is_arc(&bytes[*at..])).or(warc)
}

/// Where the first record begins that has all that a record must have. The first byte is not tried.
pub(crate) fn find_whole(bytes: &[u8]) -> Option<usize> {
    let needed = ["WARC-Type", "WARC-Record-ID", "WARC-Date", "Content-Length"];
    let tried = memmem::find_iter(bytes, b"WARC/").filter(|at| *at > 0 && is_warc(&bytes[*at..]));
    tried.take(MOST_TRIED).find(|at| match read(&bytes[*at..]) {
        Reading::Whole(headers, _) => needed.iter().all(|it| headers.get(it).is_some()),
        _ => false,
    })
}

/// Reads the head of WARC that begins with the bytes.
pub(crate) fn read(bytes: &[u8]) -> Reading {
    let mut headers = Headers::default();
    let Some((_, mut at)) = first_line(bytes) else { return unended(bytes, 1) };
    for _ in 0..=MOST_LINES {
        let Some((line, length)) = first_line(&bytes[at..]) else { return unended(bytes, at) };
        if at + length > LONGEST {
            return Reading::TooLong(at);
        }
        if line.is_empty() {
            return Reading::Whole(headers, at + length);
        }
        if let Some(within) = torn(line).filter(|it| is_warc(&bytes[at + it..])) {
            return Reading::Torn(at + within);
        }
        headers.take_line(line);
        at += length;
    }
    Reading::TooLong(at)
}

fn unended(bytes: &[u8], at: usize) -> Reading {
    if bytes.len() > LONGEST { Reading::TooLong(at) } else { Reading::Unended }
}

/// Where in the line the version of another record stands, if the line ends with one.
///
/// A URL may end so, too, with a stroke before it; and a value may be a version, with a blank.
fn torn(line: &[u8]) -> Option<usize> {
    let at = line.len().checked_sub(b"WARC/1.0".len())?;
    let is_version = after_version(&[&line[at..], b"\n"].concat()).is_some();
    let before = at.checked_sub(1).map(|it| line[it]);
    (is_version && !matches!(before, Some(b'/' | b' '))).then_some(at)
}

/// What stands behind the line `WARC/1.0`. Drafts of the standard had versions such as 0.18.
fn after_version(bytes: &[u8]) -> Option<&[u8]> {
    let rest = digits(bytes.strip_prefix(b"WARC/")?)?;
    let rest = digits(rest.strip_prefix(b".")?)?;
    rest.strip_prefix(b"\r").unwrap_or(rest).strip_prefix(b"\n")
}

/// What stands behind one or two digits.
fn digits(bytes: &[u8]) -> Option<&[u8]> {
    match bytes {
        [a, b, rest @ ..] if a.is_ascii_digit() && b.is_ascii_digit() => Some(rest),
        [a, rest @ ..] if a.is_ascii_digit() => Some(rest),
        _ => None,
    }
}

/// The line before each record of an ARC file: URL, address, date, type, in the second version some
/// more, and the length.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct ArcLine {
    /// The values of the line under the names that WARC has for them.
    pub(crate) headers: Headers,
    /// How long the record is; some writers state -1 or no number.
    pub(crate) length: Option<u64>,
}

impl ArcLine {
    /// Reads the line. URLs may contain blanks, so the date is looked for from the right.
    pub(crate) fn read(line: &[u8]) -> Option<Self> {
        if line.len() > LOOK || !is_scheme(line) {
            return None;
        }
        let line = decode(line);
        let words: Vec<_> = line.trim_end().split(' ').collect();
        let date = (2..words.len().saturating_sub(2))
            .rev()
            .find(|at| is_date(words[*at]) && is_address(words[*at - 1]))?;
        let url = words[..date - 1].join(" ");
        let length = *words.last()?;
        let mut headers = Headers::default();
        let kind = if url.starts_with("filedesc:") { "warcinfo" } else { "response" };
        headers.push("WARC-Type", kind);
        headers.push("WARC-Target-URI", &url);
        headers.push("WARC-IP-Address", words[date - 1]);
        headers.push("WARC-Date", words[date]);
        headers.push("Content-Type", words[date + 1]);
        headers.push("Content-Length", length);
        Some(Self { headers, length: length.parse().ok() })
    }
}

/// Whether the line begins as a URL does. Most lines of text do not, and are done with here.
fn is_scheme(line: &[u8]) -> bool {
    let scheme = line.iter().take_while(|it| it.is_ascii_alphanumeric() || b"+-.".contains(it));
    let length = scheme.count();
    length > 1 && line[0].is_ascii_alphabetic() && line.get(length) == Some(&b':')
}

fn is_date(word: &str) -> bool {
    (12..=18).contains(&word.len()) && word.bytes().all(|it| it.is_ascii_digit())
}

fn is_address(word: &str) -> bool {
    word == "-"
        || word.contains(['.', ':'])
            && word.bytes().all(|it| it.is_ascii_hexdigit() || b".:".contains(&it))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check_warc(bytes: &str, expected: bool) {
        assert_eq!(is_warc(bytes.as_bytes()), expected, "{bytes:?}");
    }

    #[test]
    fn a_record_begins_with_its_version_and_a_name() {
        check_warc("WARC/1.0\r\nWARC-Type: response\r\n", true);
        check_warc("WARC/1.1\nContent-Length:5\n", true);
        check_warc("WARC/0.18\r\nWARC-Type: response", true);
        check_warc("WARC/1.0 is a format: ", false);
        check_warc("WARC/1.0\r\n<p>a:", true);
        check_warc("WARC/1.0\r\n: a", false);
        check_warc("WARC/1.0", false);
    }

    #[track_caller]
    fn check_whole(head: &str, lines: usize) {
        let bytes = format!("{head}rest");
        let Reading::Whole(headers, length) = read(bytes.as_bytes()) else { panic!("{head:?}") };
        assert_eq!((headers.len(), length), (lines, head.len()), "{head:?}");
    }

    #[test]
    fn a_head_ends_with_a_blank_line() {
        check_whole("WARC/1.0\r\na: b\r\nc: d\n\r\n", 2);
        check_whole("WARC/1.0\n\n", 0);
        assert_eq!(read(b"WARC/1.0\r\na: b\r\n"), Reading::Unended);
        assert_eq!(read(b""), Reading::Unended);
    }

    #[test]
    fn a_head_has_limits() {
        let lines = "a: b\n".repeat(MOST_LINES + 1);
        assert_eq!(
            read(format!("WARC/1.0\n{lines}\n").as_bytes()),
            Reading::TooLong(9 + lines.len())
        );
        let long = "x".repeat(LONGEST);
        assert_eq!(read(format!("WARC/1.0\na: {long}\n\n").as_bytes()), Reading::TooLong(9));
        assert_eq!(read(format!("WARC/1.0\na: {long}").as_bytes()), Reading::TooLong(9));
    }

    #[test]
    fn a_record_may_begin_within_a_torn_head() {
        assert_eq!(read(b"WARC/1.0\r\na: bWARC/1.0\r\nd: e\r\n\r\n"), Reading::Torn(14));
        assert_eq!(read(b"WARC/1.0\r\na: b\r\nWARC/1.0\r\nd: e\r\n\r\n"), Reading::Torn(16));
        check_whole("WARC/1.0\r\na: WARC/1.0\r\nd: e\r\n\r\n", 2);
        check_whole("WARC/1.0\r\na: http://b/WARC/1.0\r\nd: e\r\n\r\n", 2);
    }

    #[track_caller]
    fn check_arc(line: &str, url: &str, length: Option<u64>) {
        let read = ArcLine::read(line.as_bytes()).expect(line);
        assert_eq!(read.headers.get("WARC-Target-URI"), Some(url));
        assert_eq!(read.length, length);
    }

    #[test]
    fn lines_of_arc_are_read_from_the_right() {
        check_arc("http://a/ 1.2.3.4 20140102030405 text/html 12", "http://a/", Some(12));
        check_arc("http://a/b c 1.2.3.4 20140102030405 text/html 12", "http://a/b c", Some(12));
        check_arc("dns:a 1.2.3.4 20140102030405 text/dns -1", "dns:a", None);
        let second = "http://a/ 1.2.3.4 20140102030405 text/html 200 - - 0 a.arc 12";
        check_arc(second, "http://a/", Some(12));
    }

    #[test]
    fn most_lines_are_no_lines_of_arc() {
        for line in ["", "http://a/", "a b c d e", "http://a/ 1.2.3.4 2014 text/html 12", "É: "] {
            assert_eq!(ArcLine::read(line.as_bytes()), None, "{line}");
        }
    }
}
