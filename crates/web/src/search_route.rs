//! `GET /api/v1/search`: a query in, `GeoJSON` out.

use std::sync::Arc;

use axum::Json;
use axum::extract::{Query, State};
use axum::http::StatusCode;
use query::{Asked, Region, Sort, parse_position};
use search::{Engine, FARTHEST, MOST_HITS, Options};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::rendering::answer_json;
use crate::shelf::Shelf;

/// The parameters of a search.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Parameters {
    /// One box.
    #[serde(default)]
    q: String,
    /// Or three fields.
    what: Option<String>,
    relation: Option<String>,
    r#where: Option<String>,
    /// The places that were chosen among several of a name, by their ids, with commas between.
    choose: Option<String>,
    /// Where the user is: `lat,lon`.
    at: Option<String>,
    /// Regions on the map: `west,south,east,north`; `lat,lon,metres`; `lon lat,lon lat,…`.
    bbox: Option<String>,
    circle: Option<String>,
    polygon: Option<String>,
    sort: Option<String>,
    skip: Option<usize>,
    limit: Option<usize>,
    counts: Option<bool>,
    explain: Option<bool>,
    duplicates: Option<bool>,
}

/// An answer that says what is wrong.
type Refusal = (StatusCode, Json<Value>);

fn refuse(fact: impl Into<String>) -> Refusal {
    (StatusCode::BAD_REQUEST, Json(json!({ "error": fact.into() })))
}

/// Answers a search.
pub(crate) async fn search(
    State(shelf): State<Arc<Shelf>>,
    parameters: Result<Query<Parameters>, axum::extract::rejection::QueryRejection>,
) -> Result<Json<Value>, Refusal> {
    let Query(parameters) = parameters.map_err(|error| refuse(error.body_text()))?;
    // On a thread of its own, so that a slow search holds up nobody and can be given up.
    let answered = tokio::task::spawn_blocking(move || answer(&shelf, &parameters)).await;
    answered
        .unwrap_or_else(|error| {
            tracing::error!(%error, "search broke off");
            Err((
                StatusCode::INTERNAL_SERVER_ERROR,
                Json(json!({ "error": "the search broke off" })),
            ))
        })
        .map(Json)
}

fn answer(shelf: &Shelf, parameters: &Parameters) -> Result<Value, Refusal> {
    let gazetteer = shelf.gazetteer();
    let position = parameters.at.as_deref().map(parse_position).transpose();
    let position = position.map_err(|error| refuse(error.to_string()))?;
    let region = region(parameters)?;
    let today = jiff::Timestamp::now().to_zoned(jiff::tz::TimeZone::UTC).date();
    let keys =
        parameters.choose.as_deref().unwrap_or_default().split(',').filter(|it| !it.is_empty());
    let mut choices = Vec::new();
    for key in keys {
        let place = gazetteer
            .by_key(key)
            .ok_or_else(|| refuse(format!("there is no place {key} to choose")))?;
        choices.push((String::new(), place.id()));
    }
    let asked = Asked {
        what: parameters.what.as_deref(),
        relation: parameters.relation.as_deref(),
        place: parameters.r#where.as_deref(),
        choices: &choices,
        position,
        region,
        ..Asked::new(&parameters.q, today)
    };
    let mut understood = shelf.parser().understand(&asked);
    if let Some(sort) = parameters.sort.as_deref() {
        understood.query.sort = match sort {
            "relevance" => Sort::Relevance,
            "distance" => Sort::Distance,
            "time" => Sort::Time,
            _ => return Err(refuse("sort is relevance, distance or time")),
        };
    }
    let (skip, most) = (parameters.skip.unwrap_or(0), parameters.limit.unwrap_or(10));
    if skip > FARTHEST || most > MOST_HITS {
        return Err(refuse(format!(
            "skip is at most {FARTHEST}, limit at most {MOST_HITS}: narrow the query instead"
        )));
    }
    let options = Options {
        skip,
        most,
        counts: parameters.counts.unwrap_or(true),
        explains: parameters.explain.unwrap_or(false),
        shows_duplicates: parameters.duplicates.unwrap_or(false),
        plan: None,
    };
    if understood.query.theme.is_empty() && understood.query.space.is_none() {
        return Err(refuse("nothing to look for was understood: name a word or a place"));
    }
    let generation = shelf.generation();
    let answer = Engine::new(&generation, gazetteer).answer(&understood.query, &options).map_err(
        |error| {
            tracing::error!(%error, "search failed");
            (
                StatusCode::INTERNAL_SERVER_ERROR,
                Json(json!({ "error": "the index cannot be read" })),
            )
        },
    )?;
    Ok(answer_json(gazetteer, &understood, &answer))
}

fn region(parameters: &Parameters) -> Result<Option<Region>, Refusal> {
    let given = [&parameters.bbox, &parameters.circle, &parameters.polygon];
    if given.iter().filter(|it| it.is_some()).count() > 1 {
        return Err(refuse("give one of bbox, circle and polygon, not several"));
    }
    let bounds = parameters.bbox.as_deref().map(Region::parse_box);
    let circle = parameters.circle.as_deref().map(Region::parse_circle);
    let polygon = parameters.polygon.as_deref().map(Region::parse_polygon);
    bounds.or(circle).or(polygon).transpose().map_err(|error| refuse(error.to_string()))
}
