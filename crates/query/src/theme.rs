//! What a query is about, leaving aside where.

use std::fmt;
use std::ops::Range;

use jiff::civil::Date;

/// What a query is about, leaving aside where.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Theme {
    /// Words and phrases, in the order they were written.
    pub terms: Vec<Term>,
    /// Sites of which one must have the page: `site:example.org`.
    pub sites: Vec<String>,
    /// Sites that may not have it: `-site:example.org`.
    pub not_sites: Vec<String>,
    /// Languages of which the page must be in one, as two-letter codes: `lang:de`.
    pub languages: Vec<String>,
    /// The page is of this day or later: `after:2024-05-01`.
    pub after: Option<Date>,
    /// The page is of an earlier day than this: `before:2024`.
    pub before: Option<Date>,
    /// Topics of which the page must have one: `inclass:"public transport"`.
    pub topics: Vec<String>,
}

/// A word or a phrase.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(clippy::struct_excessive_bools, reason = "each is asked for alone, and all go together")]
pub struct Term {
    /// As it was written, without quotes and signs.
    pub text: String,
    /// Its words, folded. Several in a phrase, and where one term was written with a hyphen or an apostrophe.
    pub words: Vec<String>,
    /// True if it stood in quotes: its words must follow each other.
    pub is_phrase: bool,
    /// True for `title:word`.
    pub in_title: bool,
    /// True for `-word`.
    pub is_excluded: bool,
    /// True for words such as `the`, which can be left out unless they are all there is.
    pub is_common: bool,
    /// Where it stands in the text that was read, in bytes, with its quotes and signs.
    pub span: Range<usize>,
}

impl Theme {
    /// True if the page must be of some site, language, time or topic.
    pub fn has_limits(&self) -> bool {
        let lists = [&self.sites, &self.not_sites, &self.languages, &self.topics];
        lists.iter().any(|it| !it.is_empty()) || self.after.is_some() || self.before.is_some()
    }

    /// True if nothing is asked of the words, site, language, time or topic of a page.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

/// As one would write it: `title:"old town" -hotel site:example.org after:2024-01-01`.
impl fmt::Display for Theme {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut parts: Vec<String> = self.terms.iter().map(Term::to_string).collect();
        parts.extend(self.sites.iter().map(|it| format!("site:{it}")));
        parts.extend(self.not_sites.iter().map(|it| format!("-site:{it}")));
        parts.extend(self.languages.iter().map(|it| format!("lang:{it}")));
        parts.extend(self.after.iter().map(|it| format!("after:{it}")));
        parts.extend(self.before.iter().map(|it| format!("before:{it}")));
        parts.extend(self.topics.iter().map(|it| format!("inclass:\"{it}\"")));
        f.write_str(&parts.join(" "))
    }
}

/// As one would write it: `-title:"old town"`.
impl fmt::Display for Term {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.is_excluded { "-" } else { "" };
        let field = if self.in_title { "title:" } else { "" };
        let quote = if self.is_phrase { "\"" } else { "" };
        write!(f, "{sign}{field}{quote}{}{quote}", self.text)
    }
}
