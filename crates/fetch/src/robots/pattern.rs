//! Patterns of paths: how they and paths are spelt, and which match.

use std::borrow::Cow;

/// Whether the pattern matches the path from its beginning: `*` stands for anything, `$` at the
/// end of the pattern for the end of the path.
///
/// The first place where a piece between two stars fits leaves the most for the next one, so
/// nothing is tried twice: the time is that of searching the path once.
pub(super) fn matches(pattern: &str, path: &str) -> bool {
    let (pattern, to_the_end) = match pattern.strip_suffix('$') {
        Some(pattern) => (pattern, true),
        None => (pattern, false),
    };
    let (pattern, last) = match pattern.rsplit_once('*') {
        Some((pattern, last)) => (pattern, Some(last)),
        None => (pattern, None),
    };
    let mut pieces = pattern.split('*');
    let Some(mut rest) = pieces.next().and_then(|first| path.strip_prefix(first)) else {
        return false;
    };
    for piece in pieces {
        let Some(at) = rest.find(piece) else { return false };
        rest = &rest[at + piece.len()..];
    }
    match (last, to_the_end) {
        (None, true) => rest.is_empty(),
        (None, false) => true,
        (Some(last), true) => rest.ends_with(last),
        (Some(last), false) => rest.contains(last),
    }
}

/// The pattern as its host wrote it, in ASCII: what is not is encoded, and hexadecimal digits are
/// large.
pub(super) fn written(pattern: &[u8]) -> String {
    spelt(pattern, false, |octet| !octet.is_ascii())
}

/// The pattern for the comparison of RFC 9309, 2.2.2: "Octets in the URI and robots.txt paths
/// outside the range of the ASCII coded character set, and those in the reserved range defined by
/// RFC3986, MUST be percent-encoded as defined by RFC3986 prior to comparison. If a
/// percent-encoded ASCII octet is encountered in the URI, it MUST be unencoded prior to
/// comparison, unless it is a reserved character in the URI".
///
/// Of the reserved characters only those are encoded that mean something in patterns; a `/` that
/// separates and one that is encoded stay different.
pub(super) fn normalised(pattern: &str) -> String {
    let (body, end) = match pattern.strip_suffix('$') {
        Some(body) => (body, "$"),
        None => (pattern, ""),
    };
    spelt(body.as_bytes(), true, |octet| !belongs_to_uri(octet) || octet == b'$') + end
}

/// `/maps/$` for `/maps/index.html` and `/maps/index.htm`.
pub(super) fn folder_of_index_page(pattern: &str) -> Option<String> {
    let slash = pattern.rfind('/')?;
    let is_index = pattern[slash..].starts_with("/index.htm");
    is_index.then(|| format!("{}$", &pattern[..=slash]))
}

/// A path with its query, spelt for both comparisons.
pub(super) struct Path<'a> {
    written: Cow<'a, str>,
    normalised: Option<String>,
}

impl<'a> Path<'a> {
    /// The fragment, which is never sent, is cut off; a missing slash at the beginning is added.
    pub(super) fn new(path: &'a str) -> Self {
        let path = path.split('#').next().unwrap_or_default();
        let mut written = Cow::Borrowed(path);
        if !path.starts_with('/') {
            written.to_mut().insert(0, '/');
        }
        if written.bytes().all(|it| belongs_to_uri(it) && !matches!(it, b'%' | b'*' | b'$')) {
            return Self { written, normalised: None };
        }
        let is_special = |octet| !belongs_to_uri(octet) || matches!(octet, b'*' | b'$');
        let normalised = spelt(written.as_bytes(), true, is_special);
        if written.is_ascii() {
            written = Cow::Owned(spelt(written.as_bytes(), false, |_| false));
        }
        let normalised = Some(normalised).filter(|it| *it != written);
        Self { written, normalised }
    }

    /// As it came, with large hexadecimal digits.
    pub(super) fn written(&self) -> &str {
        &self.written
    }

    /// Whether it is spelt one way for both.
    pub(super) fn is_plain(&self) -> bool {
        self.normalised.is_none()
    }

    /// In the other spelling, if that is another and the path that of a URI, which is in ASCII.
    pub(super) fn respelt(&self) -> Option<&str> {
        self.normalised.as_deref().filter(|_| self.written.is_ascii())
    }

    /// In the spelling of [`normalised`] patterns.
    pub(super) fn normalised(&self) -> &str {
        self.normalised.as_ref().map_or(&*self.written, |it| it)
    }
}

/// The octets in ASCII: those that `encode` asks for are encoded, and unreserved ones decoded if
/// `decode` says so.
///
/// Whatever is not ASCII has to be among those that are encoded.
fn spelt(octets: &[u8], decode: bool, encode: impl Fn(u8) -> bool) -> String {
    let mut text = String::with_capacity(octets.len());
    let mut rest = octets;
    while let [octet, after @ ..] = rest {
        rest = after;
        let encoded = (*octet == b'%').then(|| encoded_octet(after)).flatten();
        if encoded.is_some() {
            rest = &after[2..];
        }
        match encoded {
            Some(octet) if decode && is_unreserved(octet) => text.push(char::from(octet)),
            Some(octet) => text.push_str(&format!("%{octet:02X}")),
            None if encode(*octet) => text.push_str(&format!("%{octet:02X}")),
            None => text.push(char::from(*octet)),
        }
    }
    text
}

fn encoded_octet(digits: &[u8]) -> Option<u8> {
    let digit = |at: usize| char::from(*digits.get(at)?).to_digit(16);
    Some((digit(0)? * 16 + digit(1)?) as u8)
}

fn is_unreserved(octet: u8) -> bool {
    octet.is_ascii_alphanumeric() || matches!(octet, b'-' | b'.' | b'_' | b'~')
}

/// Whether RFC 3986 lets this octet stand in a URI, a `%` included.
fn belongs_to_uri(octet: u8) -> bool {
    is_unreserved(octet) || b"%:/?#[]@!$&'()*+,;=".contains(&octet)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[track_caller]
    fn check(pattern: &str, path: &str, expected: bool) {
        assert_eq!(matches(pattern, path), expected, "{pattern} {path}");
    }

    /// Tries every way to read the stars.
    fn matches_slowly(pattern: &[u8], path: &[u8]) -> bool {
        match (pattern, path) {
            ([], _) => true,
            ([b'$'], path) => path.is_empty(),
            ([b'*', rest @ ..], path) => {
                (0..=path.len()).any(|skipped| matches_slowly(rest, &path[skipped..]))
            }
            ([one, pattern @ ..], [other, path @ ..]) if one == other => {
                matches_slowly(pattern, path)
            }
            _ => false,
        }
    }

    #[test]
    fn a_pattern_matches_from_the_beginning() {
        check("/fish", "/fish.html", true);
        check("/fish", "/catfish", false);
        check("/fish/", "/fish", false);
        check("fish", "/fish", false);
        check("", "/", true);
    }

    #[test]
    fn a_star_stands_for_anything() {
        check("/*.php", "/a/b.php?c", true);
        check("/*.php", "/a/b.html", false);
        check("*", "/", true);
        check("/a*b*c", "/abc", true);
        check("/a*b*c", "/acb", false);
    }

    #[test]
    fn a_dollar_at_the_end_is_the_end() {
        check("/a$", "/a", true);
        check("/a$", "/a/", false);
        check("/*.php$", "/a.php.php", true);
        check("/a*$", "/abc", true);
        check("/a*aa$", "/aa", false);
        check("/a$b", "/a$b/c", true);
        check("$", "/", false);
        check("/a$$", "/a$", true);
    }

    #[test]
    fn paths_are_spelt_for_both_comparisons() {
        let path = Path::new("/%62%2f%7e*é#top");
        assert_eq!(path.written(), "/%62%2f%7e*é");
        assert_eq!(path.normalised(), "/b%2F~%2A%C3%A9");
        let path = Path::new("?q=%2f%");
        assert_eq!((path.written(), path.normalised()), ("/?q=%2F%", "/?q=%2F%"));
        assert_eq!(Path::new("").written(), "/");
    }

    #[test]
    fn patterns_keep_their_stars_and_their_end() {
        assert_eq!(normalised("/*%2A%62$x$"), "/*%2Ab%24x$");
        assert_eq!(written("/ö%2fx%".as_bytes()), "/%C3%B6%2Fx%");
    }

    proptest! {
        #[test]
        fn matching_agrees_with_its_slow_twin(pattern in "[/ab*$]{0,8}", path in "/[/ab$]{0,10}") {
            let expected = matches_slowly(pattern.as_bytes(), path.as_bytes());
            prop_assert_eq!(matches(&pattern, &path), expected);
        }

        #[test]
        fn spelling_twice_changes_no_path_without_broken_encodings(path in "/([a~*$ é]|%[0-9A-Fa-f]{2}){0,8}") {
            let once = Path::new(&path).normalised().to_owned();
            let twice = Path::new(&once).normalised().to_owned();
            prop_assert_eq!(once, twice);
        }
    }
}
