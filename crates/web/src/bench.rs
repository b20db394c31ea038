//! Bare queries for benchmarks: words and points, ids back.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use earth::{Bounds, Meters, Point};
use search::{Bare, BareGround, Engine};
use serde::{Deserialize, Serialize};

use crate::shelf::Shelf;

/// At this distance a near document is half as good: so the benchmark has it.
const NEAR: Meters = Meters(5_000.0);

/// A query of the benchmark.
#[derive(Deserialize)]
pub(crate) struct Asked {
    kind: String,
    terms: Vec<String>,
    lat: f64,
    lon: f64,
    radius_m: Option<f64>,
    bbox: Option<[f64; 4]>,
    k: usize,
}

/// Its answer.
#[derive(Serialize)]
pub(crate) struct Found {
    ids: Vec<serde_json::Value>,
}

/// Answers a query of the benchmark.
pub(crate) async fn bench(
    State(shelf): State<Arc<Shelf>>,
    Json(asked): Json<Asked>,
) -> Result<Json<Found>, (StatusCode, String)> {
    let wrong = |fact: &str| (StatusCode::BAD_REQUEST, format!("{fact}\n"));
    let at =
        Point::checked(asked.lat, asked.lon).ok_or_else(|| wrong("lat and lon are no point"))?;
    let ground = match (asked.kind.as_str(), asked.bbox, asked.radius_m) {
        ("knn", _, _) => BareGround::Nearest(at),
        ("near", _, _) => BareGround::Near(at, NEAR),
        ("box", Some([west, south, east, north]), _) => {
            BareGround::Box(Bounds::new(south, west, north, east))
        }
        ("radius", _, Some(radius)) => BareGround::Circle(at, Meters(radius)),
        _ => return Err(wrong("kind is one of knn, near, box with bbox, radius with radius_m")),
    };
    let words = asked.terms.iter().flat_map(|it| text::terms(it)).collect();
    let bare = Bare { words, ground, most: asked.k.min(search::MOST_HITS) };
    let generation = shelf.generation();
    let found = Engine::new(&generation, shelf.gazetteer()).bare(&bare);
    let found = found.map_err(|error| (StatusCode::INTERNAL_SERVER_ERROR, format!("{error}\n")))?;
    let id = |it: String| it.parse::<u64>().map_or_else(|_| it.into(), serde_json::Value::from);
    Ok(Json(Found { ids: found.into_iter().map(id).collect() }))
}
