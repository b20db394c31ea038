//! Patterns of paths as robots.txt has them: `*` for anything, `$` for the end.

use std::fmt;

use serde::{Deserialize, Serialize};

/// A pattern that a path, with its query, begins with (RFC 9309, section 2.2.3).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Glob(String);

impl Glob {
    /// The pattern that the text is.
    pub fn new(pattern: &str) -> Self {
        Self(pattern.to_owned())
    }

    /// Whether the path begins with the pattern, or is it where the pattern ends with `$`.
    ///
    /// Each piece between stars is taken at the first place where it fits, which is right since
    /// only the last one may be tied to the end; so the cost is that of searching once.
    pub fn matches(&self, path: &str) -> bool {
        let (pattern, to_end) = self.0.strip_suffix('$').map_or((&*self.0, false), |it| (it, true));
        let mut pieces = pattern.split('*');
        let first = pieces.next().unwrap_or_default();
        let Some(mut rest) = path.strip_prefix(first) else { return false };
        let Some(last) = pieces.next_back() else { return !to_end || rest.is_empty() };
        for piece in pieces {
            let Some(at) = rest.find(piece) else { return false };
            rest = &rest[at + piece.len()..];
        }
        if to_end { rest.ends_with(last) } else { rest.contains(last) }
    }
}

impl fmt::Display for Glob {
    fn fmt(&self, out: &mut fmt::Formatter) -> fmt::Result {
        out.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[track_caller]
    fn check(pattern: &str, path: &str, expected: bool) {
        assert_eq!(Glob::new(pattern).matches(path), expected, "{pattern} on {path}");
    }

    #[test]
    fn a_pattern_is_the_beginning_of_a_path() {
        check("/fish", "/fish/salmon", true);
        check("/fish", "/Fish", false);
        check("", "/", true);
    }

    #[test]
    fn a_star_is_anything_and_a_dollar_the_end() {
        check("/*.php", "/a/b.php?x", true);
        check("/*.php$", "/a/b.php?x", false);
        check("/*.php$", "/a.php/b.php", true);
        check("/a$", "/a", true);
        check("/a$", "/ab", false);
        check("/a*", "/ab", true);
        check("/a*a$", "/a", false);
    }

    /// The plain twin: every way of spreading the path over the stars.
    fn slow(pattern: &[u8], path: &[u8]) -> bool {
        match (pattern, path) {
            ([], _) => true,
            ([b'$'], _) => path.is_empty(),
            ([b'*', rest @ ..], _) => (0..=path.len()).any(|at| slow(rest, &path[at..])),
            ([a, rest @ ..], [b, after @ ..]) => a == b && slow(rest, after),
            _ => false,
        }
    }

    proptest! {
        #[test]
        fn it_does_what_its_plain_twin_does(pattern in "[ab/*]{0,8}\\$?", path in "[ab/]{0,12}") {
            let expected = slow(pattern.as_bytes(), path.as_bytes());
            prop_assert_eq!(Glob::new(&pattern).matches(&path), expected);
        }
    }
}
