//! `GET /api/v1/suggest`: places and addresses while one types.

use std::collections::HashSet;
use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use earth::Point;
use gazetteer::{Candidate, Gazetteer, Precision};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::failure::{Failure, Fault};
use super::fields::{Fields, limit, position, text};
use super::place_card::{Holder, holders, pair};
use crate::inquiry::Refusal;
use crate::search_route::aside;
use crate::shelf::Shelf;

/// So many lines fit below a box.
const USUAL: usize = 8;
const MOST: usize = 50;

/// What was typed so far, and where.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct Typed {
    /// What was typed so far: the beginning of a name, an address, a coordinate.
    #[param(max_length = 1_000, example = "hels")]
    q: String,
    /// Where the user is, `lat,lon`: near places come first.
    #[param(example = "60.17,24.94")]
    at: Option<String>,
    /// At most so many.
    #[param(maximum = 50, default = 8)]
    limit: Option<usize>,
}

/// A place or an address that may be meant.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Suggestion {
    /// The id of the place; null for a house and a coordinate, which are no places of the gazetteer.
    id: Option<String>,
    /// To be put into the box.
    label: String,
    /// The kind of the place, or `house` or `coordinate`.
    kind: &'static str,
    /// What it is part of, the narrowest first.
    hierarchy: Vec<Holder>,
    /// Longitude and latitude.
    point: [f64; 2],
    /// How far it is from `at`, in metres.
    distance_m: Option<f64>,
}

/// Places and addresses that may be meant, the best first.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Suggestions {
    suggestions: Vec<Suggestion>,
}

/// Places and addresses while one types, the best first. Typing errors are forgiven.
#[utoipa::path(
    get,
    path = "/api/v1/suggest",
    tag = "places",
    params(Typed),
    responses(
        (status = 200, description = "what may be meant", body = Suggestions),
        (status = 400, description = "a parameter cannot be read", body = Fault),
    ),
)]
pub(crate) async fn suggest(
    State(shelf): State<Arc<Shelf>>,
    Fields(typed): Fields<Typed>,
) -> Result<Json<Suggestions>, Failure> {
    let found = aside(move || suggestions(shelf.gazetteer(), &typed)).await?;
    Ok(Json(Suggestions { suggestions: found }))
}

fn suggestions(gazetteer: &Gazetteer, typed: &Typed) -> Result<Vec<Suggestion>, Refusal> {
    let at = position(typed.at.as_deref())?;
    let most = limit(typed.limit, USUAL, MOST)?;
    let asked = text("q", &typed.q)?;
    if asked.trim().is_empty() {
        return Ok(Vec::new());
    }
    let candidate = |it: Candidate<'_>| of_candidate(gazetteer, &it, at);
    let mut found = Vec::new();
    // With a number or a comma in it, it is an address, a coordinate or a place in a place.
    let is_address = asked.contains(|it: char| it.is_ascii_digit() || it == ',');
    if is_address {
        found.extend(gazetteer.geocode(asked, at, most).into_iter().map(candidate));
    }
    let named = gazetteer.suggest(asked, at, most);
    found.extend(named.iter().map(|it| Suggestion {
        id: Some(it.place.key().to_owned()),
        label: it.place.label(),
        kind: it.place.kind().name(),
        hierarchy: holders(gazetteer, &it.place),
        point: pair(it.place.point()),
        distance_m: far(at, it.place.point()),
    }));
    if found.is_empty() {
        found.extend(gazetteer.geocode(asked, at, most).into_iter().map(candidate));
    }
    let mut seen = HashSet::new();
    found.retain(|it| seen.insert((it.id.clone(), it.label.clone())));
    found.truncate(most);
    Ok(found)
}

fn of_candidate(gazetteer: &Gazetteer, candidate: &Candidate<'_>, at: Option<Point>) -> Suggestion {
    let kind = match (candidate.precision, &candidate.house) {
        (Precision::Coordinate, _) => "coordinate",
        (_, Some(_)) => "house",
        _ => candidate.place.kind().name(),
    };
    let is_place = !matches!(kind, "coordinate" | "house");
    Suggestion {
        id: is_place.then(|| candidate.place.key().to_owned()),
        label: candidate.label(),
        kind,
        hierarchy: holders(gazetteer, &candidate.place),
        point: pair(candidate.point),
        distance_m: far(at, candidate.point),
    }
}

fn far(at: Option<Point>, point: Point) -> Option<f64> {
    at.map(|it| it.distance(point).0.round())
}
