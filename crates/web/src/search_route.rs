//! `GET /api/v1/search`: a query in, `GeoJSON` out.

use std::sync::Arc;

use axum::Json;
use axum::extract::rejection::QueryRejection;
use axum::extract::{Query, State};
use axum::http::StatusCode;
use serde_json::{Value, json};

use crate::api::Fault;
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

/// Does work on a thread of its own, so that a slow search holds up nobody and can be given up.
pub(crate) async fn aside<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, Refusal> + Send + 'static,
) -> Result<T, Refusal> {
    tokio::task::spawn_blocking(work).await.unwrap_or_else(|error| {
        tracing::error!(%error, "search broke off");
        let status = StatusCode::INTERNAL_SERVER_ERROR;
        Err(Refusal { status, fact: "the search broke off".to_owned() })
    })
}
