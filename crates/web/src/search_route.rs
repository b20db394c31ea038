//! `GET /api/v1/search`: a query in, `GeoJSON` out.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use serde_json::Value;

use crate::api::{Failure, Fields};
use crate::aside::aside;
use crate::inquiry::inquire;
use crate::parameters::Parameters;
use crate::rendering::answer_json;
use crate::shelf::Shelf;

/// Answers a search: `GeoJSON` with what was understood of the query, facets and suggestions beside the hits.
#[allow(unused_qualifications, reason = "utoipa writes names with their whole paths")]
#[utoipa::path(
    get,
    path = "/api/v1/search",
    tag = "search",
    params(Parameters),
    responses((status = 200, description = "the hits, and what was understood of the query", body = Object)),
)]
pub(crate) async fn search(
    State(shelf): State<Arc<Shelf>>,
    Fields(parameters): Fields<Parameters>,
) -> Result<Json<Value>, Failure> {
    let answered = aside(move || {
        let inquiry = inquire(&shelf, &parameters, None)?;
        Ok(answer_json(shelf.gazetteer(), &inquiry.understood, &inquiry.answer))
    });
    Ok(Json(answered.await?))
}
