//! A rule: a pattern of paths, and whether they are allowed.

use std::cmp::Reverse;
use std::fmt;

use serde::{Deserialize, Serialize};

use super::pattern::{self, Path};

/// One line that allows or forbids.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rule {
    line: u32,
    allows: bool,
    pattern: Box<str>,
    /// The pattern after normalising, where that makes a difference.
    normalised: Option<Box<str>>,
}

impl Rule {
    /// The rules of an `Allow` line: none for an empty one, two for one with an index page.
    ///
    /// Google's parser takes `Allow: /maps/index.html` to mean `/maps/` too.
    pub(super) fn allowing(line: u32, pattern: &[u8]) -> impl Iterator<Item = Self> {
        let pattern = pattern::written(pattern);
        let folder = pattern::folder_of_index_page(&pattern);
        let patterns = [Some(pattern), folder].into_iter().flatten();
        patterns.filter_map(move |it| Self::new(line, true, it))
    }

    /// The rule of a `Disallow` line, unless it is empty.
    pub(super) fn forbidding(line: u32, pattern: &[u8]) -> impl Iterator<Item = Self> {
        Self::new(line, false, pattern::written(pattern)).into_iter()
    }

    fn new(line: u32, allows: bool, pattern: String) -> Option<Self> {
        let normalised = Some(pattern::normalised(&pattern)).filter(|it| *it != pattern);
        let rule =
            Self { line, allows, pattern: pattern.into(), normalised: normalised.map(Into::into) };
        (!rule.pattern.is_empty()).then_some(rule)
    }

    /// The number of the line in the robots.txt, from 1.
    pub fn line(&self) -> u32 {
        self.line
    }

    /// Whether the rule allows what it matches.
    pub fn allows(&self) -> bool {
        self.allows
    }

    /// The order in which rules are asked, so that the first match is the one that counts.
    pub(super) fn rank(&self) -> impl Ord + '_ {
        (Reverse(self.pattern.len()), !self.allows, &self.pattern, self.line)
    }

    pub(super) fn repeats(&self, other: &Self) -> bool {
        self.pattern == other.pattern && self.allows == other.allows
    }

    /// Whether its pattern is spelt one way for both comparisons.
    pub(super) fn is_plain(&self) -> bool {
        self.normalised.is_none()
    }

    /// Whether the pattern as written matches the path, as written or unencoded.
    pub(super) fn matches_as_written(&self, path: &Path) -> bool {
        let matches = |path| pattern::matches(&self.pattern, path);
        matches(path.written()) || path.respelt().is_some_and(matches)
    }

    pub(super) fn matches_normalised(&self, path: &Path) -> bool {
        pattern::matches(self.normalised.as_ref().unwrap_or(&self.pattern), path.normalised())
    }
}

/// The rule as we read it: `line 12: Disallow: /private/`.
impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let key = if self.allows { "Allow" } else { "Disallow" };
        write!(f, "line {}: {key}: {}", self.line, self.pattern)
    }
}
