//! The small web, served by host name on one address.

use std::sync::Arc;

use axum::Router;
use axum::extract::{Request, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Redirect, Response};
use tokio::net::TcpListener;

use crate::web::{Answer, Web};

/// Serves the web until the future is dropped.
///
/// A client that has the listener for its proxy reaches every host of the web by its name.
pub async fn serve(web: Arc<Web>, listener: TcpListener) -> std::io::Result<()> {
    let routes = Router::new().fallback(answer).with_state(web);
    axum::serve(listener, routes).await
}

async fn answer(State(web): State<Arc<Web>>, request: Request) -> Response {
    let host = host(&request).to_ascii_lowercase();
    match web.answer(&host, request.uri().path()) {
        Answer::Page(html) => written("text/html; charset=utf-8", html),
        Answer::Robots(text) => written("text/plain; charset=utf-8", text),
        Answer::Sitemap(xml) => written("application/xml", xml),
        Answer::Moved(url) => Redirect::permanent(&url).into_response(),
        Answer::Missing => (StatusCode::NOT_FOUND, "There is nothing here.\n").into_response(),
    }
}

fn written(kind: &'static str, body: String) -> Response {
    ([(header::CONTENT_TYPE, kind)], body).into_response()
}

/// The host of a request to a proxy, which names it in the first line, or to a server.
fn host(request: &Request) -> &str {
    let given = || request.headers().get(header::HOST)?.to_str().ok()?.split(':').next();
    request.uri().host().or_else(given).unwrap_or_default()
}
