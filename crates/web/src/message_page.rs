//! Pages that say that something is not there, or went wrong, and what to do about it.

use askama::Template;
use axum::body::to_bytes;
use axum::extract::Request;
use axum::http::{StatusCode, Uri, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use crate::api::{self, Failure};
use crate::frame::{Frame, page};
use crate::guard::is_for_programs;
use crate::inquiry::Refusal;

/// No library says more about a request than this, in bytes.
const LONGEST_FACT: usize = 1_000;

#[derive(Template)]
#[template(path = "message.html")]
struct MessagePage<'a> {
    frame: &'a Frame,
    status: u16,
    title: &'a str,
    fact: &'a str,
    way_out: &'a str,
}

/// A page that states a fact; what to do about it follows from the status.
pub(crate) fn message(frame: &Frame, status: StatusCode, fact: &str) -> Response {
    let (title, way_out) = match status {
        StatusCode::NOT_FOUND => (
            frame.say("There is nothing here"),
            frame.say(
                "The address may be mistyped, or the page may have gone. Search for it instead.",
            ),
        ),
        StatusCode::TOO_MANY_REQUESTS => (
            frame.say("That was too much at once"),
            frame.say("Wait a few seconds and load the page again."),
        ),
        StatusCode::BAD_REQUEST => (
            frame.say("This was not understood"),
            frame.say("Go back and change what is named here."),
        ),
        StatusCode::METHOD_NOT_ALLOWED => (
            frame.say("This was not understood"),
            frame.say("This address cannot be used in this way. Go back, or search instead."),
        ),
        StatusCode::FORBIDDEN => (
            frame.say("This is not allowed"),
            frame.say("Load the page again, sign in if need be, and try once more."),
        ),
        StatusCode::SERVICE_UNAVAILABLE => {
            (frame.say("Not at this time"), frame.say("Try again in a while."))
        }
        StatusCode::PAYLOAD_TOO_LARGE => {
            (frame.say("That was too much at once"), frame.say("Go back and send a part of it."))
        }
        _ => (
            frame.say("Something went wrong"),
            frame.say("It is not your fault. It was written down; try again in a while."),
        ),
    };
    let fact = &frame.told(fact);
    let template = MessagePage { frame, status: status.as_u16(), title, fact, way_out };
    page(status, &template)
}

/// Where nothing else is.
pub(crate) async fn lost(frame: Frame, uri: Uri) -> Response {
    if is_for_programs(uri.path()) {
        return api::lost().await.into_response();
    }
    message(&frame, StatusCode::NOT_FOUND, "")
}

/// Where something else can be done than what was asked.
pub(crate) async fn wrong_method(frame: Frame, uri: Uri) -> Response {
    if is_for_programs(uri.path()) {
        return api::wrong_method().await.into_response();
    }
    message(&frame, StatusCode::METHOD_NOT_ALLOWED, "")
}

/// Puts what went wrong without a word of ours, as in a library or after too long a time, the way all else is put: as a page
/// for people, as JSON for programs.
pub(crate) async fn dress(request: Request, next: Next) -> Response {
    let frame = Frame::of(request.headers(), request.uri());
    let is_for_programs = is_for_programs(request.uri().path());
    let response = next.run(request).await;
    let status = response.status();
    if !(status.is_client_error() || status.is_server_error()) || !is_bare(&response) {
        return response;
    }
    let (parts, body) = response.into_parts();
    let said = to_bytes(body, LONGEST_FACT).await.unwrap_or_default();
    let fact = bare_fact(status, &String::from_utf8_lossy(&said));
    let mut dressed = if is_for_programs {
        Failure(Refusal { status, fact }).into_response()
    } else {
        message(&frame, status, if status == StatusCode::BAD_REQUEST { &fact } else { "" })
    };
    for (name, value) in &parts.headers {
        if ![header::CONTENT_TYPE, header::CONTENT_LENGTH].contains(name) {
            dressed.headers_mut().insert(name, value.clone());
        }
    }
    dressed
}

/// True for a response that is neither a page nor JSON nor anything else with a form.
fn is_bare(response: &Response) -> bool {
    let kind = response.headers().get(header::CONTENT_TYPE).and_then(|it| it.to_str().ok());
    kind.is_none_or(|it| it.starts_with("text/plain"))
}

/// The fact, and the way out, where a library or nobody has said it. What broke in here is for the log alone.
fn bare_fact(status: StatusCode, said: &str) -> String {
    let known = match status {
        StatusCode::PAYLOAD_TOO_LARGE => "the body is too long: send a part of it",
        StatusCode::SERVICE_UNAVAILABLE => "this took too long: ask for less, or again in a while",
        it if it.is_server_error() => {
            "something broke, and it was written down: try again in a while"
        }
        _ => "",
    };
    let said = said.rsplit_once("query string: ").map_or(said, |it| it.1).trim();
    match (known.is_empty(), said.is_empty()) {
        (false, _) => known.to_owned(),
        (true, false) => said.to_owned(),
        (true, true) => status.canonical_reason().unwrap_or_default().to_lowercase(),
    }
}

#[cfg(test)]
mod tests {
    use axum::Router;
    use axum::body::Body;
    use axum::middleware::from_fn;
    use axum::routing::get;
    use tower::ServiceExt;
    use tower_http::catch_panic::CatchPanicLayer;

    use super::*;

    /// What is answered where a handler breaks or says something bare: the status, the type, and the text.
    async fn answered(path: &str) -> (u16, String, String) {
        async fn broken() -> &'static str {
            panic!("a test of what happens then")
        }
        let bare =
            |status: StatusCode, text: &'static str| get(move || async move { (status, text) });
        let routes = Router::new()
            .route("/broken", get(broken))
            .route("/api/broken", get(broken))
            .route("/late", get(|| async { StatusCode::SERVICE_UNAVAILABLE }))
            .route("/api/long", bare(StatusCode::PAYLOAD_TOO_LARGE, "length limit exceeded"))
            .route(
                "/unread",
                bare(StatusCode::BAD_REQUEST, "Failed to read query string: page: <b>"),
            )
            .route("/api/fine", bare(StatusCode::OK, "all is well"))
            .layer(CatchPanicLayer::new())
            .layer(from_fn(dress));
        let request = axum::http::Request::get(path).body(Body::empty()).expect("a request");
        let response = routes.oneshot(request).await.expect("an answer");
        let kind = response.headers()[header::CONTENT_TYPE].to_str().unwrap_or_default().to_owned();
        let status = response.status().as_u16();
        let body = to_bytes(response.into_body(), 1 << 20).await.expect("a body");
        (status, kind, String::from_utf8_lossy(&body).into_owned())
    }

    #[tokio::test]
    async fn what_breaks_is_a_page_for_people_and_json_for_programs() {
        for (path, status, text) in [
            ("/broken", 500, "Something went wrong"),
            ("/late", 503, "Not at this time"),
            ("/unread", 400, "page: &#60;b&#62;"),
        ] {
            let (said, kind, body) = answered(path).await;
            assert_eq!((said, kind.as_str()), (status, "text/html; charset=utf-8"), "{path}");
            assert!(body.contains(text), "{path}: {body}");
        }
        for (path, status, text) in
            [("/api/broken", 500, "it was written down"), ("/api/long", 413, "send a part of it")]
        {
            let (said, kind, body) = answered(path).await;
            assert_eq!((said, kind.as_str()), (status, "application/json"), "{path}");
            let fault: serde_json::Value = serde_json::from_str(&body).expect("it is JSON");
            assert!(fault["error"].as_str().is_some_and(|it| it.contains(text)), "{path}: {body}");
        }
        assert_eq!(answered("/api/fine").await.2, "all is well");
    }
}
