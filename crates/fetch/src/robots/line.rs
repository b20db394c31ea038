//! One line of a robots.txt.

/// Longer lines are cut here, as in Google's parser: eight times the longest URL that browsers of
/// old took.
const MAX_LINE: usize = 2083 * 8 - 1;

/// A line that says something, with its value. Rules may have empty ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Line<'a> {
    Agent(&'a [u8]),
    Allow(&'a [u8]),
    Disallow(&'a [u8]),
    CrawlDelay(&'a [u8]),
    Sitemap(&'a [u8]),
}

// The misspelt keys stand in Google's parser too, which has met them often.
const AGENT: [&str; 3] = ["user-agent", "useragent", "user agent"];
const DISALLOW: [&str; 7] =
    ["disallow", "dissallow", "dissalow", "disalow", "diasllow", "disallaw", "desallow"];
const CRAWL_DELAY: [&str; 3] = ["crawl-delay", "crawldelay", "crawl delay"];
const SITEMAP: [&str; 2] = ["sitemap", "site-map"];

impl<'a> Line<'a> {
    /// What the line says, if it says anything we know.
    pub(super) fn read(line: &'a [u8]) -> Option<Self> {
        let line = &line[..line.len().min(MAX_LINE)];
        let line = without_line_break(line.split(|it| *it == b'#').next()?.trim_ascii());
        if is_bare_sitemap(line) {
            return Some(Self::Sitemap(line));
        }
        let (key, value) = key_and_value(line)?;
        let is = |names: &[&str]| names.iter().any(|name| begins_with(key, name));
        let line = if is(&AGENT) {
            Self::Agent(value)
        } else if is(&["allow"]) {
            Self::Allow(value)
        } else if is(&DISALLOW) {
            Self::Disallow(value)
        } else if is(&CRAWL_DELAY) {
            Self::CrawlDelay(value)
        } else if is(&SITEMAP) {
            Self::Sitemap(value)
        } else {
            return None;
        };
        Some(line)
    }
}

/// The lines of the file, ended by LF, CR or both.
pub(super) fn split(bytes: &[u8]) -> impl Iterator<Item = &[u8]> {
    let mut rest = Some(bytes);
    std::iter::from_fn(move || {
        let bytes = rest?;
        let Some(end) = bytes.iter().position(|it| matches!(it, b'\n' | b'\r')) else {
            rest = None;
            return Some(bytes);
        };
        let (line, after) = bytes.split_at(end);
        rest = Some(&after[if after.starts_with(b"\r\n") { 2 } else { 1 }..]);
        Some(line)
    })
}

/// Whether RFC 9309 has this octet in its `identifier`.
pub(super) fn belongs_to_token(octet: u8) -> bool {
    octet.is_ascii_alphabetic() || matches!(octet, b'-' | b'_')
}

/// Key and value around the colon, or around white space where the colon was forgotten and there
/// are exactly two words.
fn key_and_value(line: &[u8]) -> Option<(&[u8], &[u8])> {
    let at = line.iter().position(|it| *it == b':').or_else(|| only_gap(line))?;
    let (key, value) = (line[..at].trim_ascii(), line[at + 1..].trim_ascii());
    (!key.is_empty()).then_some((key, value))
}

fn only_gap(line: &[u8]) -> Option<usize> {
    let is_gap = |it: &u8| matches!(it, b' ' | b'\t');
    let gap = line.iter().position(is_gap)?;
    let second = line[gap..].trim_ascii_start();
    (!second.iter().any(is_gap)).then_some(gap)
}

/// Some files have been through a tool for web pages, which marked the end of each line.
fn without_line_break(line: &[u8]) -> &[u8] {
    let Some(at) = line.iter().rposition(|it| *it == b'<') else { return line };
    let is_line_break =
        [&b"<br>"[..], b"<br/>", b"<br />"].iter().any(|tag| line[at..].eq_ignore_ascii_case(tag));
    if is_line_break { line[..at].trim_ascii() } else { line }
}

/// Some hosts put down a sitemap's URL and nothing else.
fn is_bare_sitemap(line: &[u8]) -> bool {
    (begins_with(line, "http://") || begins_with(line, "https://"))
        && line.windows(7).any(|it| it.eq_ignore_ascii_case(b"sitemap"))
}

fn begins_with(bytes: &[u8], start: &str) -> bool {
    bytes.get(..start.len()).is_some_and(|it| it.eq_ignore_ascii_case(start.as_bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(line: &str, expected: Option<Line>) {
        assert_eq!(Line::read(line.as_bytes()), expected, "{line}");
    }

    #[test]
    fn keys_stand_in_any_case_and_with_any_space() {
        check("Disallow: /a", Some(Line::Disallow(b"/a")));
        check("  DISALLOW\t:/a  # comment", Some(Line::Disallow(b"/a")));
        check("allow:", Some(Line::Allow(b"")));
        check("Crawl-Delay: 2", Some(Line::CrawlDelay(b"2")));
    }

    #[test]
    fn common_mistakes_are_forgiven() {
        check("Useragent: a", Some(Line::Agent(b"a")));
        check("user agent: a b", Some(Line::Agent(b"a b")));
        check("Dissalow: /a", Some(Line::Disallow(b"/a")));
        check("disallow /a", Some(Line::Disallow(b"/a")));
        check("disallow /a /b", None);
        check("user agent a", None);
        check("Disallow: /a<BR>", Some(Line::Disallow(b"/a")));
        check("Disallow: /a<br />", Some(Line::Disallow(b"/a")));
        check("<br>", None);
    }

    #[test]
    fn the_rest_says_nothing() {
        check("", None);
        check("# Disallow: /", None);
        check(": /a", None);
        check("Host: a.org", None);
        check("<html><body>", None);
    }

    #[test]
    fn a_bare_url_is_a_sitemap_if_it_says_so() {
        check("https://a.org/SiteMap.xml", Some(Line::Sitemap(b"https://a.org/SiteMap.xml")));
        check("https://a.org/robots", None);
    }

    #[test]
    fn each_line_end_ends_one_line() {
        let lines: Vec<_> = split(b"a\r\nb\rc\n\nd\n\re").map(<[u8]>::len).collect();
        assert_eq!(lines, [1, 1, 1, 0, 1, 0, 1]);
    }
}
