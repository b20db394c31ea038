//! What is wrong with a request, told in JSON.

use axum::Json;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use utoipa::ToSchema;

use crate::inquiry::Refusal;

/// Why a request is not answered, as programs get it.
#[derive(Debug)]
pub(crate) struct Failure(pub(crate) Refusal);

/// The body of every response that is no answer.
#[derive(Serialize, ToSchema)]
#[schema(as = Error)]
pub(crate) struct Fault {
    /// The fact, and the way out.
    #[schema(example = "limit is 5000, and at most 1000 are given at once: ask for less")]
    error: String,
}

impl Failure {
    /// There is no such thing.
    pub(crate) fn missing(fact: String) -> Self {
        Self(Refusal { status: StatusCode::NOT_FOUND, fact })
    }
}

impl From<Refusal> for Failure {
    fn from(refusal: Refusal) -> Self {
        Self(refusal)
    }
}

impl IntoResponse for Failure {
    fn into_response(self) -> Response {
        (self.0.status, Json(Fault { error: self.0.fact })).into_response()
    }
}

/// What is said where there is no route.
pub(crate) async fn lost() -> Failure {
    Failure::missing("there is nothing here: /api/openapi.json lists what there is".to_owned())
}

/// What is said where there is a route for another method.
pub(crate) async fn wrong_method() -> Failure {
    let fact = "this address takes another method: /api/openapi.json tells which".to_owned();
    Failure(Refusal { status: StatusCode::METHOD_NOT_ALLOWED, fact })
}
