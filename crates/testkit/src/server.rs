//! The small web, served by host name on one address.

use std::sync::Arc;

use axum::Router;
use axum::extract::{Request, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
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
        Answer::Moved(url) => {
            (StatusCode::MOVED_PERMANENTLY, [(header::LOCATION, url)]).into_response()
        }
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

#[cfg(test)]
mod tests {
    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    use tokio::net::TcpStream;

    use super::*;

    /// The whole answer to a request.
    async fn ask(request: &str) -> String {
        let web = crate::web(world::gazetteer(), jiff::civil::date(2026, 5, 1), 1);
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let address = listener.local_addr().expect("it has one");
        let serving = tokio::spawn(serve(Arc::new(web), listener));
        let mut stream = TcpStream::connect(address).await.expect("it listens");
        stream.write_all(request.as_bytes()).await.expect("it reads");
        let mut answer = String::new();
        stream.read_to_string(&mut answer).await.expect("it answers");
        serving.abort();
        answer
    }

    #[track_caller]
    fn check(answer: &str, status: &str, words: &str) {
        assert!(answer.starts_with(&format!("HTTP/1.1 {status}")), "{answer}");
        assert!(answer.contains(words), "{answer}");
    }

    #[tokio::test]
    async fn hosts_are_told_apart_by_name_as_a_proxy_does_and_as_a_server_does() {
        let proxied =
            "GET http://bonjour-monaco.example/ HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n";
        check(&ask(proxied).await, "200", "Hello, Monaco");
        let direct =
            "GET / HTTP/1.1\r\nHost: HELLO-helsinki.example:80\r\nConnection: close\r\n\r\n";
        check(&ask(direct).await, "200", "Hello, Helsinki");
    }

    #[tokio::test]
    async fn what_has_moved_or_is_missing_is_told() {
        let of = |url: &str| format!("GET {url} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
        let moved = ask(&of("http://hello-helsinki.example/index.html")).await;
        check(&moved, "301", "location: http://hello-helsinki.example/\r\n");
        check(&ask(&of("http://nobody.example/")).await, "404", "nothing");
    }
}
