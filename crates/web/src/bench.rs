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

/// A query of the benchmark: `knn`, `near`, `box`, `radius`, and to compare relations `ring`, `sector`, `between`, `along`,
/// `polygon`.
#[derive(Deserialize)]
pub(crate) struct Asked {
    kind: String,
    terms: Vec<String>,
    lat: f64,
    lon: f64,
    radius_m: Option<f64>,
    bbox: Option<[f64; 4]>,
    /// The inner edge of a ring.
    inner_m: Option<f64>,
    /// The direction of a sector, in degrees.
    bearing: Option<f64>,
    /// The points of a line or a polygon, longitude first; of `between`, the other point.
    points: Option<Vec<[f64; 2]>>,
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
    let points: Vec<Point> =
        asked.points.iter().flatten().map(|it| Point::new(it[1], it[0])).collect();
    let radius = asked.radius_m.map(Meters);
    let ground = match (asked.kind.as_str(), asked.bbox, radius) {
        ("knn", _, _) => BareGround::Nearest(at),
        ("near", _, _) => BareGround::Near(at, NEAR),
        ("box", Some([west, south, east, north]), _) => {
            BareGround::Box(Bounds::new(south, west, north, east))
        }
        ("radius", _, Some(radius)) => BareGround::Circle(at, radius),
        ("ring", _, Some(radius)) => {
            BareGround::Ring(at, Meters(asked.inner_m.unwrap_or(0.0)), radius)
        }
        ("sector", _, Some(radius)) => BareGround::Sector(at, asked.bearing.unwrap_or(0.0), radius),
        ("between", _, _) if points.len() == 1 => BareGround::Between(at, points[0]),
        ("along", _, Some(radius)) if points.len() > 1 => BareGround::Along(points, radius),
        ("polygon", _, _) if points.len() > 2 => BareGround::Polygon(points),
        _ => {
            return Err(wrong(
                "this kind of query is not known, or lacks its radius, box or points",
            ));
        }
    };
    let words = asked.terms.iter().flat_map(|it| text::terms(it)).collect();
    let bare = Bare { words, ground, most: asked.k.min(search::MOST_HITS) };
    let generation = shelf.generation();
    let found = Engine::new(&generation, shelf.gazetteer()).bare(&bare);
    let found = found.map_err(|error| (StatusCode::INTERNAL_SERVER_ERROR, format!("{error}\n")))?;
    let id = |it: String| it.parse::<u64>().map_or_else(|_| it.into(), serde_json::Value::from);
    Ok(Json(Found { ids: found.into_iter().map(id).collect() }))
}
