//! `GET /readyz`: whether the server can answer.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use index::Generation;
use serde::Serialize;
use utoipa::ToSchema;

use super::failure::{Failure, Fault};
use crate::aside::aside;
use crate::inquiry::Refusal;
use crate::shelf::Shelf;

/// That the server can answer, and from what.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Readiness {
    #[schema(example = "ready")]
    status: &'static str,
    generation: u64,
    documents: u64,
    places: usize,
}

/// Whether the server can answer: it reads a document from the index.
#[utoipa::path(
    get,
    path = "/readyz",
    tag = "server",
    responses(
        (status = 200, description = "it can", body = Readiness),
        (status = 503, description = "there is no index yet, or it cannot be read", body = Fault),
    ),
)]
pub(crate) async fn ready(State(shelf): State<Arc<Shelf>>) -> Result<Json<Readiness>, Failure> {
    let readiness = aside(move || {
        let generation = shelf.generation();
        if generation.is_blank() {
            return Err(Refusal::no_index());
        }
        read_one(&generation)?;
        Ok(Readiness {
            status: "ready",
            generation: generation.manifest.number,
            documents: generation.manifest.documents(),
            places: shelf.gazetteer().len(),
        })
    });
    Ok(Json(readiness.await?))
}

fn read_one(generation: &Generation) -> Result<(), Refusal> {
    for shard in generation.shards.iter().filter(|it| it.documents() > 0) {
        shard.document(0).map_err(|error| Refusal {
            status: StatusCode::SERVICE_UNAVAILABLE,
            ..Refusal::broken(&error)
        })?;
    }
    Ok(())
}
