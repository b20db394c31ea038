//! `GET /api/v1/search`: a query in, `GeoJSON` out.

use std::num::NonZeroUsize;
use std::sync::{Arc, OnceLock};

use axum::Json;
use axum::extract::rejection::QueryRejection;
use axum::extract::{Query, State};
use axum::http::StatusCode;
use serde_json::{Value, json};
use tokio::sync::Semaphore;

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

/// So many searches are worked on at once for each core; the others wait in the order they came. With two hundred at once
/// on two cores, a thread each, some were answered after ten seconds and others at once.
const AT_ONCE: usize = 4;

/// The places to work at.
fn places() -> Arc<Semaphore> {
    static PLACES: OnceLock<Arc<Semaphore>> = OnceLock::new();
    let places = PLACES.get_or_init(|| {
        let cores = std::thread::available_parallelism().map_or(1, NonZeroUsize::get);
        Arc::new(Semaphore::new(cores * AT_ONCE))
    });
    Arc::clone(places)
}

/// Does work on a thread of its own, so that a slow search holds up nobody and can be given up.
pub(crate) async fn aside<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, Refusal> + Send + 'static,
) -> Result<T, Refusal> {
    let place = places().acquire_owned().await;
    let work = move || {
        let done = work();
        drop(place);
        done
    };
    tokio::task::spawn_blocking(work).await.unwrap_or_else(|error| {
        tracing::error!(%error, "search broke off");
        let status = StatusCode::INTERNAL_SERVER_ERROR;
        Err(Refusal { status, fact: "the search broke off".to_owned() })
    })
}
