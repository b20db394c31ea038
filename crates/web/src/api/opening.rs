//! How routes for programs are opened: to pages of any site, for a time that ends.

use std::time::Duration;

use axum::extract::Request;
use axum::http::{HeaderName, HeaderValue, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use super::failure::Failure;
use crate::inquiry::Refusal;

/// No answer takes longer.
const LONGEST: Duration = Duration::from_secs(30);

/// Lets pages of other sites read what is public anyway, and gives up what takes too long.
pub(crate) async fn open(request: Request, next: Next) -> Response {
    let is_reading = matches!(*request.method(), Method::GET | Method::HEAD);
    let answer = tokio::time::timeout(LONGEST, next.run(request)).await;
    let mut response = answer.unwrap_or_else(|_| late().into_response());
    if is_reading {
        let headers = response.headers_mut();
        headers.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, HeaderValue::from_static("*"));
        let embedded = HeaderName::from_static("cross-origin-resource-policy");
        headers.insert(embedded, HeaderValue::from_static("cross-origin"));
    }
    response
}

fn late() -> Failure {
    let seconds = LONGEST.as_secs();
    let fact = format!("the answer takes longer than {seconds} seconds: narrow the query");
    Failure(Refusal { status: StatusCode::SERVICE_UNAVAILABLE, fact })
}
