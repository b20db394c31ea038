//! Whether a path may be asked for, and why.

use std::fmt;

use super::Rule;

/// Whether a path may be asked for, and on what ground.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Verdict<'a> {
    /// Whether the path may be asked for.
    pub allowed: bool,
    /// What decided.
    pub ground: Ground<'a>,
}

/// What decides whether a path may be asked for. It reads as the end of a sentence:
/// `robots.txt line 12: Disallow: /private/`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ground<'a> {
    /// The rule that matches best.
    Rule(&'a Rule),
    /// No rule matches.
    NoRule,
    /// The path is that of robots.txt.
    Itself,
    /// The host has no robots.txt for us.
    Unavailable,
    /// The host has not told its rules yet.
    Unreachable,
}

impl fmt::Display for Ground<'_> {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Self::Rule(rule) => write!(f, "robots.txt {rule}"),
            Self::NoRule => f.write_str("robots.txt has no rule for this path"),
            Self::Itself => f.write_str("robots.txt itself is always allowed"),
            Self::Unavailable => f.write_str("robots.txt does not exist"),
            Self::Unreachable => {
                f.write_str("robots.txt could not be read: nothing is asked until it can be")
            }
        }
    }
}
