//! `strabo archive replay`: the archive as a web again.

use std::net::{Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::sync::Arc;

use anyhow::{Context, Result};
use archive::{Catalogue, Entry};
use axum::Router;
use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::header::{
    ACCEPT_ENCODING, CONNECTION, CONTENT_ENCODING, CONTENT_LENGTH, CONTENT_TYPE, HOST, HeaderMap,
    HeaderName, HeaderValue, TE, TRAILER, TRANSFER_ENCODING, UPGRADE, VARY,
};
use axum::http::{Method, Response, StatusCode, Uri};
use clap::Args;
use jiff::Timestamp;

use super::capture::Capture;
use super::time;
use crate::index_command::Place;
use crate::output::{grouped, say, with_causes};
use crate::serve::stop;

/// Headers that are about the connection of then, or that the server states itself.
const LEFT_OUT: [HeaderName; 6] =
    [CONNECTION, CONTENT_LENGTH, TE, TRAILER, TRANSFER_ENCODING, UPGRADE];
/// The same, for those without a constant.
const LEFT_OUT_NAMED: [&str; 4] =
    ["keep-alive", "proxy-authenticate", "proxy-connection", "x-crawler-transfer-encoding"];

/// Up to how many bytes a body is unpacked for a client that does not take it packed.
const LARGEST_BODY: usize = 256 << 20;

/// Serve the archive as a web again: a proxy that answers what the servers answered then.
///
/// Give its address to a client as its proxy for http://, or send it requests with the
/// Host header of then. A URL with https:// is found under http://, too; to repeat a crawl with both,
/// give it as `strabo crawl --proxy replay://127.0.0.1:8090`. Bodies that were packed are
/// unpacked for clients that do not ask for them packed. What is not in the archive is answered with 404.
#[derive(Args)]
pub(super) struct Arguments {
    /// The folder that holds the archive, if it is not the one in the directory of --data.
    #[arg(value_name = "DIR")]
    folder: Option<PathBuf>,
    #[command(flatten)]
    place: Place,
    /// Where to listen on this machine; 0 for any free port.
    #[arg(long, default_value_t = 8090)]
    port: u16,
    /// Answer as it was at that time, instead of with the newest.
    #[arg(long, value_name = "TIME", value_parser = time)]
    at: Option<Timestamp>,
}

pub(super) fn run(arguments: &Arguments) -> Result<()> {
    let folder = arguments.folder.clone().unwrap_or_else(|| arguments.place.data().join("archive"));
    let catalogue = Catalogue::open(&folder)?;
    if !catalogue.missing().is_empty() {
        let count = grouped(catalogue.missing().len());
        say(&format!("{count} files have no catalogue: run \"strabo archive index\""))?;
    }
    let web = Arc::new(Web { catalogue, folder, at: arguments.at });
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    runtime.block_on(async {
        let address = SocketAddr::from((Ipv4Addr::LOCALHOST, arguments.port));
        let listener = tokio::net::TcpListener::bind(address)
            .await
            .with_context(|| format!("cannot listen on {address}"))?;
        say(&format!("http://{} is the web of {}", listener.local_addr()?, web.folder.display()))?;
        let router = Router::new().fallback(answer).with_state(web);
        axum::serve(listener, router).with_graceful_shutdown(stop()).await?;
        Ok(())
    })
}

/// The web of then.
struct Web {
    catalogue: Catalogue,
    folder: PathBuf,
    at: Option<Timestamp>,
}

async fn answer(State(web): State<Arc<Web>>, request: Request) -> Response<Body> {
    if !matches!(*request.method(), Method::GET | Method::HEAD) {
        let text = format!("an archive answers GET and HEAD, not {}", request.method());
        return told(StatusCode::METHOD_NOT_ALLOWED, text);
    }
    let Some(url) = asked_for(request.uri(), request.headers()) else {
        return told(StatusCode::BAD_REQUEST, "the request names no host".to_owned());
    };
    // Reading files would keep other requests waiting.
    let takes = Codings::of(request.headers());
    let found = tokio::task::spawn_blocking(move || web.respond(&url, &takes)).await;
    match found {
        Ok(Ok(response)) => response,
        Ok(Err(error)) => told(StatusCode::INTERNAL_SERVER_ERROR, with_causes(&error)),
        Err(error) => told(StatusCode::INTERNAL_SERVER_ERROR, error.to_string()),
    }
}

/// The codings in which a client takes a body.
struct Codings(Vec<(String, bool)>);

impl Codings {
    /// Those that a request names. Without a word about it every coding would be allowed, but who
    /// says nothing is mostly one who cannot unpack anything.
    fn of(headers: &HeaderMap) -> Self {
        let named = headers.get_all(ACCEPT_ENCODING).iter().filter_map(|it| it.to_str().ok());
        let named = named.flat_map(|it| it.split(',')).map(|it| {
            let (coding, rest) = it.split_once(';').unwrap_or((it, ""));
            let weight = rest.trim().strip_prefix("q=").and_then(|it| it.trim().parse().ok());
            (plain(coding), weight.unwrap_or(1.0_f32) > 0.0)
        });
        Self(named.collect())
    }

    /// Whether a body can be sent that is packed like this, as `Content-Encoding` has it.
    fn take(&self, packed: &str) -> bool {
        let known = |coding: &str| self.0.iter().find(|it| it.0 == coding).map(|it| it.1);
        let takes = |coding: String| {
            coding == "identity" || known(&coding).or_else(|| known("*")).unwrap_or(false)
        };
        packed.split(',').map(plain).filter(|it| !it.is_empty()).all(takes)
    }
}

/// The name of a coding in its usual form.
fn plain(coding: &str) -> String {
    let name = coding.trim().to_ascii_lowercase();
    name.strip_prefix("x-").map(str::to_owned).unwrap_or(name)
}

/// The URL of a request to a proxy, or to the server that its Host header names.
fn asked_for(uri: &Uri, headers: &HeaderMap) -> Option<String> {
    let rest = uri.path_and_query().map_or("/", |it| it.as_str());
    if let (Some(scheme), Some(authority)) = (uri.scheme_str(), uri.authority()) {
        return Some(format!("{scheme}://{authority}{rest}"));
    }
    let host = headers.get(HOST)?.to_str().ok()?;
    Some(format!("http://{host}{rest}"))
}

impl Web {
    fn respond(&self, url: &str, takes: &Codings) -> Result<Response<Body>> {
        let mut answers = self.catalogue.find(url)?;
        answers.retain(|it| is_same(it, url));
        // Who can ask for https:// wants the page there, not the way to it from http://.
        if url.starts_with("https://") && answers.iter().any(|it| it.url == url) {
            answers.retain(|it| it.url == url);
        }
        let found = Capture::of(&self.catalogue, &self.folder, &answers, self.at)?;
        let Some(capture) = found else {
            return Ok(self.none(&format!("the archive has no answer to {url}")));
        };
        let Some(with_body) = capture.with_body() else {
            return Ok(self.none(&format!("the archive says only that {url} was as before")));
        };
        let http = with_body.http_within(LARGEST_BODY);
        let (Some(head), Some(http)) = (capture.with_head().http_within(0), http) else {
            return Ok(self.none(&format!("what the archive has of {url} is no HTTP")));
        };
        let codings = http.headers.joined("Content-Encoding").unwrap_or_default();
        // Some crawlers unpacked bodies under headers that say otherwise.
        let is_packed = !http.flaws.coding && takes.take(&codings);
        if !is_packed && http.body.len() >= LARGEST_BODY {
            let text = format!("what the archive has of {url} is too large to be unpacked");
            return Ok(told(StatusCode::BAD_GATEWAY, text + ": ask for it packed"));
        }
        let body = match with_body.payload().filter(|_| is_packed) {
            Some(payload) => payload.into_owned(),
            None => http.body,
        };
        let status = StatusCode::from_u16(head.status).ok().filter(|it| !it.is_informational());
        let mut response = Response::new(Body::from(body));
        *response.status_mut() = status.unwrap_or(StatusCode::BAD_GATEWAY);
        for (name, value) in head.headers.iter() {
            let name = HeaderName::from_bytes(name.as_bytes());
            let (Ok(name), Ok(value)) = (name, HeaderValue::from_bytes(value.as_bytes())) else {
                continue;
            };
            if is_kept(&name) && (is_packed || name != CONTENT_ENCODING) {
                response.headers_mut().append(name, value);
            }
        }
        if !codings.is_empty() {
            response.headers_mut().append(VARY, HeaderValue::from_static("accept-encoding"));
        }
        Ok(response)
    }

    fn none(&self, text: &str) -> Response<Body> {
        told(StatusCode::NOT_FOUND, format!("{text} (in {})", self.folder.display()))
    }
}

/// Whether the answer is to that URL, by whichever scheme.
fn is_same(entry: &Entry, url: &str) -> bool {
    bare(&entry.url) == bare(url)
}

fn bare(url: &str) -> &str {
    url.split_once("://").map_or(url, |it| it.1)
}

fn is_kept(name: &HeaderName) -> bool {
    !LEFT_OUT.contains(name) && !LEFT_OUT_NAMED.contains(&name.as_str())
}

/// A response of our own.
fn told(status: StatusCode, text: String) -> Response<Body> {
    let mut response = Response::new(Body::from(text + "\n"));
    *response.status_mut() = status;
    let plain = HeaderValue::from_static("text/plain; charset=utf-8");
    response.headers_mut().insert(CONTENT_TYPE, plain);
    response
}

#[cfg(test)]
mod tests {
    use archive::{Exchange, Response, Revisit, Sameness, Settings, Writer};

    use super::*;

    #[track_caller]
    fn check(uri: &str, host: Option<&str>, expected: Option<&str>) {
        let mut headers = HeaderMap::new();
        if let Some(host) = host {
            headers.insert(HOST, host.parse().unwrap());
        }
        let asked = asked_for(&uri.parse().unwrap(), &headers);
        assert_eq!(asked.as_deref(), expected, "{uri}");
    }

    #[test]
    fn a_request_names_its_url_or_its_host() {
        check("http://a.org/b?c=d", None, Some("http://a.org/b?c=d"));
        check("http://a.org", Some("proxy"), Some("http://a.org/"));
        check("/b", Some("a.org:8080"), Some("http://a.org:8080/b"));
        check("/b", None, None);
    }

    #[test]
    fn the_web_answers_as_it_did_then() {
        let folder = tempfile::tempdir().unwrap();
        let mut writer = Writer::open(folder.path(), &Settings::default()).unwrap();
        let mut put = |url: &str, time: &str, response: Response<'_>| {
            let exchange = Exchange {
                url,
                date: time.parse().unwrap(),
                address: None,
                protocol: None,
                request: b"",
                response: Some(response),
                fields: &[],
            };
            writer.append(&archive::pack(&exchange)).unwrap();
        };
        let head = b"HTTP/1.1 200 OK\r\nX-A: b\r\nConnection: close\r\n\r\n";
        put("https://a.org/B", "2026-01-01T00:00:00Z", Response::new(head, b"old"));
        put("https://a.org/B", "2026-01-02T00:00:00Z", Response::new(head, b"new"));
        let revisit = Some(Revisit {
            sameness: Sameness::NotModified,
            url: "https://a.org/B",
            date: "2026-01-02T00:00:00Z".parse().unwrap(),
        });
        let unchanged = Response::new(b"HTTP/1.1 304 Not Modified\r\n\r\n", b"");
        put("https://a.org/B", "2026-01-03T00:00:00Z", Response { revisit, ..unchanged });
        put("https://a.org/c", "2026-01-03T00:00:00Z", unchanged);
        writer.sync().unwrap();

        let catalogue = Catalogue::open(folder.path()).unwrap();
        let mut web = Web { catalogue, folder: folder.path().to_owned(), at: None };
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        let ask = |web: &Web, url: &str| {
            let response = web.respond(url, &Codings(Vec::new())).unwrap();
            let status = response.status().as_u16();
            assert!(!response.headers().contains_key(CONNECTION));
            let body = runtime.block_on(axum::body::to_bytes(response.into_body(), 1000)).unwrap();
            (status, String::from_utf8(body.to_vec()).unwrap())
        };
        assert_eq!(ask(&web, "http://a.org/B"), (200, "new".to_owned()));
        assert_eq!(ask(&web, "https://a.org/c").0, 304);
        assert_eq!(ask(&web, "http://a.org/b").0, 404);
        assert_eq!(ask(&web, "http://www.a.org/B").0, 404);
        web.at = Some("2026-01-01T12:00:00Z".parse().unwrap());
        assert_eq!(ask(&web, "http://a.org/B"), (200, "old".to_owned()));
    }

    #[track_caller]
    fn check_codings(accepted: Option<&str>, packed: &str, expected: bool) {
        let mut headers = HeaderMap::new();
        if let Some(accepted) = accepted {
            headers.insert(ACCEPT_ENCODING, accepted.parse().unwrap());
        }
        assert_eq!(Codings::of(&headers).take(packed), expected, "{accepted:?}, {packed}");
    }

    #[test]
    fn a_client_takes_the_codings_it_names() {
        check_codings(Some("gzip, deflate;q=0.5"), "gzip", true);
        check_codings(Some("GZIP"), "x-gzip", true);
        check_codings(Some("gzip, br"), "gzip, br", true);
        check_codings(Some("gzip"), "gzip, br", false);
        check_codings(Some("gzip;q=0, *"), "gzip", false);
        check_codings(Some("gzip; q=0.000"), "gzip", false);
        check_codings(Some("gzip;q=0, *"), "br", true);
        check_codings(Some(""), "gzip", false);
        check_codings(None, "gzip", false);
        check_codings(None, "", true);
        check_codings(None, "identity", true);
    }

    #[test]
    fn a_body_is_unpacked_for_whoever_does_not_take_it_packed() {
        let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
        std::io::Write::write_all(&mut gzip, b"Ships leave here").unwrap();
        let packed = gzip.finish().unwrap();
        let folder = tempfile::tempdir().unwrap();
        let mut writer = Writer::open(folder.path(), &Settings::default()).unwrap();
        let head = b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n";
        let exchange = Exchange {
            url: "https://a.org/",
            date: "2026-01-01T00:00:00Z".parse().unwrap(),
            address: None,
            protocol: None,
            request: b"",
            response: Some(Response::new(head, &packed)),
            fields: &[],
        };
        writer.append(&archive::pack(&exchange)).unwrap();
        writer.sync().unwrap();
        let catalogue = Catalogue::open(folder.path()).unwrap();
        let web = Web { catalogue, folder: folder.path().to_owned(), at: None };
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        let ask = |codings: &[(&str, bool)]| {
            let codings = codings.iter().map(|it| (it.0.to_owned(), it.1)).collect();
            let response = web.respond("http://a.org/", &Codings(codings)).unwrap();
            let coding = response.headers().get(CONTENT_ENCODING).cloned();
            assert_eq!(response.headers()[VARY], "accept-encoding");
            let body = runtime.block_on(axum::body::to_bytes(response.into_body(), 1000)).unwrap();
            (coding, body.to_vec())
        };
        let stated = Some(HeaderValue::from_static("gzip"));
        assert_eq!(ask(&[("gzip", true)]), (stated, packed.clone()));
        assert_eq!(ask(&[("br", true)]), (None, b"Ships leave here".to_vec()));
    }
}
