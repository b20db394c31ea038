//! Pages that say that something is not there, or went wrong, and what to do about it.

use askama::Template;
use axum::http::{StatusCode, Uri};
use axum::response::{IntoResponse, Response};

use crate::api;
use crate::frame::{Frame, page};
use crate::guard::is_for_programs;

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
