//! The pages of the operators: tasks are made, run, watched and stopped here, and the index is rebuilt.
//!
//! Whoever has the token of the operators may do all that "strabo task" does with the folder of data, but
//! name files of the machine. Every page works without scripts; with them it is live.

mod curve;
mod door;
mod explain_page;
mod feedback;
mod find_map;
mod form_page;
mod journal;
mod list_page;
mod live;
mod login_page;
mod monitor_page;
mod office;
mod order;
mod reason;
mod rebuild;
mod runner;
mod session;
mod signed;
mod task_form;
mod task_view;
mod token;
mod understood;
mod watch;

use axum::Router;
use axum::http::{HeaderValue, StatusCode, header};
use axum::middleware::map_response;
use axum::response::Response;
use axum::routing::{get, post};

pub(crate) use self::door::is_from_here;
pub(crate) use self::office::Office;
pub use self::office::Operators;
pub use self::token::{ShortToken, Token};
use crate::app::App;
use crate::frame::Frame;
use crate::message_page::message;

/// The routes of the operators.
pub(crate) fn routes() -> Router<App> {
    Router::new()
        .route("/crawls", get(list_page::show))
        .route("/crawls/events", get(list_page::events))
        .route("/crawls/login", get(login_page::form).post(login_page::enter))
        .route("/crawls/logout", post(login_page::leave))
        .route("/crawls/new", get(form_page::show).post(form_page::keep))
        .route("/crawls/preview", get(form_page::preview).post(form_page::preview_posted))
        .route("/crawls/reindex", post(list_page::rebuild))
        .route("/crawls/{name}", get(monitor_page::show))
        .route("/crawls/{name}/events", get(monitor_page::events))
        .route("/crawls/{name}/explain", get(explain_page::show))
        .route("/crawls/{name}/{order}", post(order::obey))
        .layer(map_response(discreet))
}

/// Nobody keeps these pages, and forms on them say where they come from.
async fn discreet(mut response: Response) -> Response {
    let headers = response.headers_mut();
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    headers.insert(header::REFERRER_POLICY, HeaderValue::from_static("same-origin"));
    response
}

/// Does work that may wait for the disk or for a crawl, on a thread where it holds up nobody.
async fn aside(work: impl FnOnce() -> Response + Send + 'static) -> Response {
    tokio::task::spawn_blocking(work).await.unwrap_or_else(|error| {
        tracing::error!(%error, "a page of the operators broke off");
        let mut response = Response::new("the page broke off\n".into());
        *response.status_mut() = StatusCode::INTERNAL_SERVER_ERROR;
        response
    })
}

/// A page that says why something cannot be done.
fn refuse(frame: &Frame, error: &crawl::Error) -> Response {
    use crawl::Error::{Exists, Link, Name, NoTask, Running, Unbegun};
    let status = match error {
        NoTask { .. } | Name(_) => StatusCode::NOT_FOUND,
        Exists(_) | Running(_) | Unbegun(_) | Link { .. } => StatusCode::BAD_REQUEST,
        _ => StatusCode::INTERNAL_SERVER_ERROR,
    };
    // What fails on the disk names files of the server: that is for its log.
    let fact = if status.is_server_error() {
        tracing::error!(%error, "an order of an operator failed");
        String::new()
    } else {
        error.to_string()
    };
    message(frame, status, &fact)
}
