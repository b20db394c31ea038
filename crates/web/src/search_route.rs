//! `GET /api/v1/search`: a query in, `GeoJSON` out.

use std::sync::Arc;

use axum::Json;
use axum::extract::rejection::QueryRejection;
use axum::extract::{Query, State};
use axum::http::StatusCode;
use serde_json::{Value, json};

use crate::api::Fault;
use crate::aside::aside;
use crate::inquiry::{Refusal, inquire};
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
    responses(
        (status = 200, description = "the hits, and what was understood of the query", body = Object),
        (status = 400, description = "a parameter cannot be read", body = Fault),
    ),
)]
pub(crate) async fn search(
    State(shelf): State<Arc<Shelf>>,
    parameters: Result<Query<Parameters>, QueryRejection>,
) -> Result<Json<Value>, (StatusCode, Json<Value>)> {
    let answered = match parameters {
        Ok(Query(parameters)) => {
            aside(move || {
                let inquiry = inquire(&shelf, &parameters, None)?;
                Ok(answer_json(shelf.gazetteer(), &inquiry.understood, &inquiry.answer))
            })
            .await
        }
        Err(error) => Err(Refusal::bad(error.body_text())),
    };
    answered.map(Json).map_err(|it| (it.status, Json(json!({ "error": it.fact }))))
}
