//! The fields of a request: its query string and its path, read, with limits.

use axum::extract::rejection::PathRejection;
use axum::extract::{FromRequestParts, Path, Query};
use axum::http::request::Parts;
use earth::Point;
use query::parse_position;
use serde::de::DeserializeOwned;

use super::failure::Failure;
use crate::inquiry::Refusal;

/// Nobody types more into a box.
pub(crate) const LONGEST_TEXT: usize = 1_000;

/// The query string, read. A field that is not known or cannot be read is refused by its name.
pub(crate) struct Fields<T>(pub(crate) T);

impl<S: Sync, T: DeserializeOwned> FromRequestParts<S> for Fields<T> {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Failure> {
        let read = Query::<T>::try_from_uri(&parts.uri);
        read.map(|it| Self(it.0)).map_err(|error| {
            let text = error.body_text();
            let fact = text.strip_prefix("Failed to deserialize query string: ").unwrap_or(&text);
            Refusal::bad(format!("{fact}: /api/openapi.json lists the parameters")).into()
        })
    }
}

/// The changing part of a path.
pub(crate) struct Key(pub(crate) String);

impl<S: Send + Sync> FromRequestParts<S> for Key {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Failure> {
        let read: Result<Path<String>, PathRejection> =
            Path::from_request_parts(parts, state).await;
        read.map(|it| Self(it.0)).map_err(|error| Refusal::bad(error.body_text()).into())
    }
}

/// How many are asked for: what was given, or the usual number, but not more than the most.
pub(crate) fn limit(given: Option<usize>, usual: usize, most: usize) -> Result<usize, Refusal> {
    let limit = given.unwrap_or(usual);
    let fact = || format!("limit is {limit}, and at most {most} are given at once: ask for less");
    if limit > most { Err(Refusal::bad(fact())) } else { Ok(limit) }
}

/// A text that is not too long to look at.
pub(crate) fn text<'t>(name: &str, given: &'t str) -> Result<&'t str, Refusal> {
    let length = given.chars().count();
    let fact = || {
        format!("{name} has {length} characters, and {LONGEST_TEXT} are read: send a shorter one")
    };
    if length > LONGEST_TEXT { Err(Refusal::bad(fact())) } else { Ok(given) }
}

/// The point of `lat,lon`; a blank text is no point.
pub(crate) fn position(given: Option<&str>) -> Result<Option<Point>, Refusal> {
    let given = given.filter(|it| !it.trim().is_empty());
    given.map(parse_position).transpose().map_err(Refusal::bad)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn more_than_the_most_is_refused_with_both_numbers() {
        assert_eq!(limit(None, 10, 50).unwrap(), 10);
        assert_eq!(limit(Some(50), 10, 50).unwrap(), 50);
        let refusal = limit(Some(51), 10, 50).unwrap_err();
        assert_eq!(refusal.fact, "limit is 51, and at most 50 are given at once: ask for less");
    }

    #[test]
    fn a_blank_is_no_position_and_a_word_is_refused() {
        assert_eq!(position(Some(" ")).unwrap(), None);
        assert_eq!(position(Some("60,24")).unwrap(), Some(Point::new(60.0, 24.0)));
        assert!(position(Some("here")).is_err());
    }
}
