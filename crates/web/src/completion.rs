//! `GET /complete?text=…`: how what stands in the box may go on.

use std::collections::HashSet;
use std::sync::Arc;

use axum::Json;
use axum::extract::{Query, State};
use earth::Point;
use gazetteer::Gazetteer;
use serde::{Deserialize, Serialize};

use crate::api::finding::{self, Finding};
use crate::aside::aside;
use crate::frame::Frame;
use crate::inquiry::Refusal;
use crate::shelf::Shelf;
use crate::wording::Language;

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

/// Who types: the language, and where that is.
#[derive(Clone, Copy)]
struct Reader {
    language: Language,
    at: Option<Point>,
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
    /// How far it is from the user, if that is known.
    far: String,
}

/// Offers places for the end of what was typed.
pub(crate) async fn complete(
    frame: Frame,
    State(shelf): State<Arc<Shelf>>,
    Query(typed): Query<Typed>,
) -> Json<Vec<Completion>> {
    let found =
        aside(move || Ok::<_, Refusal>(completions(frame.language, shelf.gazetteer(), &typed)));
    Json(found.await.unwrap_or_default())
}

fn completions(language: Language, gazetteer: &Gazetteer, typed: &Typed) -> Vec<Completion> {
    let text: String = typed.text.chars().take(LONGEST).collect();
    let focus = typed.at.as_deref().and_then(|it| query::parse_position(it).ok());
    let reader = Reader { language, at: focus };
    let relation = query::name_after_relation(&text);
    // A name that has hardly begun behind a relation says nothing yet.
    let behind_relation = relation.filter(|it| text[*it..].trim().chars().count() >= LEAST_LETTERS);
    let others = starts(&text).into_iter().filter(|it| Some(*it) != behind_relation);
    let endings = behind_relation.into_iter().chain(others);
    let endings: Vec<(&str, &str)> = endings
        .map(|it| text.split_at(it))
        .filter(|(_, name)| name.trim().chars().count() >= LEAST_LETTERS)
        .collect();
    let known = endings.iter().find_map(|(before, name)| {
        let found = known(gazetteer, name.trim(), focus);
        (!found.is_empty()).then(|| told_apart(reader, gazetteer, before, &found))
    });
    // What has to be guessed is the name behind a relation, or without one all that was typed; other words are rather a
    // theme.
    let guessed = || {
        let is_all = |before: &str| relation.is_none() && before.trim().is_empty();
        let guess = |it: &&(&str, &str)| behind_relation.is_some() || is_all(it.0);
        let (before, name) = endings.first().filter(guess)?;
        let found = gazetteer.suggest(name.trim(), focus, MOST);
        let found: Vec<_> = found.into_iter().map(|it| Finding::of(it.place)).collect();
        Some(told_apart(reader, gazetteer, before, &found))
    };
    known.or_else(guessed).unwrap_or_default()
}

/// Houses, and places whose names begin so.
fn known<'g>(gazetteer: &'g Gazetteer, name: &str, focus: Option<Point>) -> Vec<Finding<'g>> {
    let mut found = Vec::new();
    if name.contains(|it: char| it.is_ascii_digit()) {
        found = finding::meant(gazetteer, name, focus, MOST);
        found.retain(|it| it.house.is_some());
    }
    let places = gazetteer.suggest_exact(name, focus, MOST);
    found.extend(places.into_iter().map(|it| Finding::of(it.place)));
    found.truncate(MOST);
    found
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

/// The ways on. Of places that are written the same the first is what is understood by that; the others have their keys.
fn told_apart(
    reader: Reader,
    gazetteer: &Gazetteer,
    before: &str,
    found: &[Finding<'_>],
) -> Vec<Completion> {
    let mut seen = HashSet::new();
    let told = found.iter().map(|it| {
        let plain = completion(reader, gazetteer, before, it);
        if seen.insert(plain.text.clone()) || !it.is_place() {
            return plain;
        }
        let text = format!("{before}[{} {}]", it.place.name(), it.place.key());
        Completion { text, ..plain }
    });
    told.collect()
}

fn completion(
    reader: Reader,
    gazetteer: &Gazetteer,
    before: &str,
    found: &Finding<'_>,
) -> Completion {
    let label = found.label();
    let Reader { language, at } = reader;
    let written = language.written(gazetteer, &label, found.place.id());
    let shown = language.label(&label);
    let (name, within) = shown.split_once(", ").unwrap_or((&shown, ""));
    let (name, within) = (name.to_owned(), within.to_owned());
    let far = at.map(|at| language.distance(at.distance(found.point).0)).unwrap_or_default();
    Completion { text: format!("{before}{written}"), label: name, kind: found.kind(), within, far }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, first: Option<&str>) {
        let typed = Typed { text: text.to_owned(), at: None };
        let found = completions(Language::English, world::gazetteer(), &typed);
        assert_eq!(found.first().map(|it| it.text.as_str()), first, "{text}");
    }

    #[test]
    fn the_end_of_the_text_is_completed_and_the_rest_is_kept() {
        check("hels", Some("Helsinki, Uusimaa, Finland"));
        check("old maps hels", Some("old maps Helsinki, Uusimaa, Finland"));
        check("museums near hels", Some("museums near Helsinki, Uusimaa, Finland"));
        check("hotels in new yor", Some("hotels in New York City, New York, United States"));
    }

    #[test]
    fn places_are_offered_in_the_language_of_the_reader() {
        let typed = |text: &str| Typed { text: text.to_owned(), at: None };
        let first = |text: &str| {
            completions(Language::German, world::gazetteer(), &typed(text)).swap_remove(0)
        };
        let town = first("Museen nahe hels");
        assert_eq!(town.text, "Museen nahe Helsinki, Uusimaa, Finnland");
        assert_eq!((town.label.as_str(), town.within.as_str()), ("Helsinki", "Uusimaa, Finnland"));
        assert_eq!(first("Museen in münch").text, "Museen in München, Bayern, Deutschland");
        assert_eq!(first("Finnl").text, "Finnland");
    }

    #[test]
    fn who_says_where_they_are_is_told_how_far_places_are() {
        let typed = |at: Option<&str>| {
            let typed = Typed { text: "tamper".to_owned(), at: at.map(ToOwned::to_owned) };
            completions(Language::English, world::gazetteer(), &typed).swap_remove(0).far
        };
        assert_eq!(typed(Some("60.17,24.94")), "160 km");
        assert_eq!(typed(None), "");
    }

    #[test]
    fn typing_errors_are_forgiven_where_a_place_is_named() {
        check("helsnki", Some("Helsinki, Uusimaa, Finland"));
        check("museums near helsnki", Some("museums near Helsinki, Uusimaa, Finland"));
        check("xqzzt old mapps helsnki", None);
        check("museums near h", None);
        check("near h", None);
    }

    #[test]
    fn a_house_is_completed_too() {
        let house = "bakery near Mannerheimintie 5, Helsinki, Uusimaa, Finland";
        check("bakery near mannerheimintie 5", Some(house));
    }

    #[test]
    fn two_places_that_are_written_the_same_are_offered_apart() {
        let typed = Typed { text: "museums near helsinki".to_owned(), at: None };
        let found = completions(Language::English, world::gazetteer(), &typed);
        let texts: HashSet<&str> = found.iter().map(|it| it.text.as_str()).collect();
        assert_eq!(texts.len(), found.len(), "{found:#?}");
        let with_key = |it: &&Completion| it.text.starts_with("museums near [Helsinki ");
        assert!(found.iter().any(|it| with_key(&it)), "{found:#?}");
    }

    #[test]
    fn a_name_may_begin_at_each_of_the_last_words() {
        assert_eq!(starts("old town of new york"), [4, 9, 12, 16]);
        assert_eq!(starts("  rome "), [2]);
        assert!(starts("").is_empty());
    }
}
