//! `GET /api/v1/suggest`: places and addresses while one types.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use gazetteer::Gazetteer;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::failure::Failure;
use super::fields::{Fields, limit, position, text};
use super::finding::{self, Finding};
use super::place_card::{Holder, holders, pair};
use crate::aside::aside;
use crate::frame::Frame;
use crate::inquiry::Refusal;
use crate::shelf::Shelf;
use crate::wording::Language;

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
    /// To be put into the box; in the language that the request prefers, as far as names in it are known.
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
    responses((status = 200, description = "what may be meant", body = Suggestions)),
)]
pub(crate) async fn suggest(
    frame: Frame,
    State(shelf): State<Arc<Shelf>>,
    Fields(typed): Fields<Typed>,
) -> Result<Json<Suggestions>, Failure> {
    let found = aside(move || suggestions(frame.language, shelf.gazetteer(), &typed)).await?;
    Ok(Json(Suggestions { suggestions: found }))
}

fn suggestions(
    language: Language,
    gazetteer: &Gazetteer,
    typed: &Typed,
) -> Result<Vec<Suggestion>, Refusal> {
    let at = position(typed.at.as_deref())?;
    let most = limit(typed.limit, USUAL, MOST)?;
    let found = finding::typed(gazetteer, text("q", &typed.q)?, at, most);
    let suggestion = |it: &Finding<'_>| Suggestion {
        id: it.is_place().then(|| it.place.key().to_owned()),
        label: language.written(gazetteer, &it.label(), it.place.id()),
        kind: it.kind(),
        hierarchy: holders(gazetteer, &it.place),
        point: pair(it.point),
        distance_m: at.map(|at| at.distance(it.point).0.round()),
    };
    Ok(found.iter().map(suggestion).collect())
}
