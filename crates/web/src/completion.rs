//! `GET /complete?text=…`: how what stands in the box may go on.

use std::sync::Arc;

use axum::Json;
use axum::extract::{Query, State};
use gazetteer::Place;
use serde::{Deserialize, Serialize};

use crate::aside::aside;
use crate::inquiry::Refusal;
use crate::shelf::Shelf;

/// So many are offered.
const MOST: usize = 8;
/// A place's name has at most so many words at the end of the text.
const MOST_WORDS: usize = 4;
/// Fewer letters fit everything.
const LEAST_LETTERS: usize = 2;
/// Nobody types more.
const LONGEST: usize = 300;

#[derive(Deserialize)]
pub(crate) struct Typed {
    #[serde(default)]
    text: String,
    /// Where the user is: `lat,lon`.
    at: Option<String>,
}

/// One way on.
#[derive(Debug, PartialEq, Serialize)]
pub(crate) struct Completion {
    /// What the box would say.
    text: String,
    /// The name of the place.
    label: String,
    kind: &'static str,
    /// What it is in.
    within: String,
}

/// Offers places for the end of what was typed.
pub(crate) async fn complete(
    State(shelf): State<Arc<Shelf>>,
    Query(typed): Query<Typed>,
) -> Json<Vec<Completion>> {
    let found = aside(move || Ok::<_, Refusal>(completions(&shelf, &typed)));
    Json(found.await.unwrap_or_default())
}

fn completions(shelf: &Shelf, typed: &Typed) -> Vec<Completion> {
    let text: String = typed.text.chars().take(LONGEST).collect();
    let focus = typed.at.as_deref().and_then(|it| query::parse_position(it).ok());
    for start in starts(&text) {
        let (before, name) = text.split_at(start);
        if name.trim().chars().count() < LEAST_LETTERS {
            continue;
        }
        let found = shelf.gazetteer().suggest(name.trim(), focus, MOST);
        // What had to be guessed counts only where nothing else stands before it.
        let sure: Vec<_> =
            found.iter().filter(|it| before.trim().is_empty() || it.edits == 0).collect();
        if !sure.is_empty() {
            return sure.iter().map(|it| completion(before, &it.place)).collect();
        }
    }
    Vec::new()
}

/// Where the name of a place may begin: the longest part of the end first.
fn starts(text: &str) -> Vec<usize> {
    let mut starts: Vec<usize> = text
        .char_indices()
        .filter(|(at, letter)| {
            !letter.is_whitespace()
                && text[..*at].chars().next_back().is_none_or(char::is_whitespace)
        })
        .map(|it| it.0)
        .collect();
    let skipped = starts.len().saturating_sub(MOST_WORDS);
    starts.drain(..skipped);
    starts
}

fn completion(before: &str, place: &Place<'_>) -> Completion {
    let label = place.label();
    let within = label.split_once(", ").map(|it| it.1.to_owned()).unwrap_or_default();
    Completion {
        text: format!("{before}{label}"),
        label: place.name().to_owned(),
        kind: place.kind().name(),
        within,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_may_begin_at_each_of_the_last_words() {
        assert_eq!(starts("old town of new york"), [4, 9, 12, 16]);
        assert_eq!(starts("  rome "), [2]);
        assert!(starts("").is_empty());
    }
}
