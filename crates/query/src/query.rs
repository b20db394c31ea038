//! A query: what is sought, where, and in which order.

use std::fmt;

use crate::space::Space;
use crate::theme::Theme;

/// What is sought, where, and in which order the answers come.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Query {
    /// What it is about.
    pub theme: Theme,
    /// Where it looks; nothing means everywhere.
    pub space: Option<Space>,
    /// In which order the answers come.
    pub sort: Sort,
}

/// In which order answers come.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Sort {
    /// The best first.
    #[default]
    Relevance,
    /// The nearest first.
    Distance,
    /// The newest first.
    Time,
}

impl Sort {
    /// The order in one lower-case word.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Relevance => "relevance",
            Self::Distance => "distance",
            Self::Time => "time",
        }
    }
}

/// The query written out, so that reading it again gives the same query: `museums, in [Berlin gn:2950159]`.
///
/// Places stand in brackets. `[]` says that no word is a place; so it is written where there is none, and where the
/// place was drawn on the map, which no text can write.
impl fmt::Display for Query {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut parts = Vec::new();
        if !self.theme.is_empty() {
            parts.push(self.theme.to_string());
        }
        if self.sort != Sort::Relevance {
            parts.push(format!("sort:{}", self.sort.name()));
        }
        let space = self.space.as_ref().filter(|it| !it.is_drawn());
        let space = space.map_or_else(|| "[]".to_owned(), Space::to_string);
        // The comma keeps the last word of the theme from being read as part of the relation.
        let theme = parts.join(" ");
        if theme.is_empty() { f.write_str(&space) } else { write!(f, "{theme}, {space}") }
    }
}
