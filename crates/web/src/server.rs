//! The server itself: routes and limits.

use std::future::Future;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::extract::{ConnectInfo, State};
use axum::http::StatusCode;
use axum::middleware::{from_fn, from_fn_with_state, map_request};
use axum::routing::{get, post};
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use hyper_util::server::conn::auto;
use hyper_util::server::graceful::GracefulShutdown;
use hyper_util::service::TowerToHyperService;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;
use tower_http::catch_panic::CatchPanicLayer;
use tower_http::compression::CompressionLayer;
use tower_http::limit::RequestBodyLimitLayer;
use tower_http::timeout::TimeoutLayer;

use basemap::Basemap;

use crate::app::App;
use crate::connection::Connection;
use crate::crawls::{self, Office, Operators};
use crate::error::Error;
use crate::shelf::Shelf;
use crate::{
    api, asset, bench, completion, guard, help_page, language_route, map_route, message_page,
    place_page, search_page, statistics_page, stored_page,
};

/// Nobody has to send more.
const LARGEST_BODY: usize = 256 << 10;
/// No answer takes longer.
const LONGEST: Duration = Duration::from_secs(30);
/// Who has not said what he wants after so long is not waited for.
const PATIENCE: Duration = Duration::from_secs(10);
/// Who takes nothing of an answer for so long does not want it.
const LONGEST_STALL: Duration = Duration::from_secs(20);
/// So many connections are held at once; more wait. A browser has six.
const MOST_CONNECTIONS: usize = 2_000;
/// So long requests under way may take when the server ends.
const FAREWELL: Duration = Duration::from_secs(5);
/// The largest head of a request.
const LARGEST_HEAD: usize = 64 << 10;

/// What a server serves.
#[derive(Clone, Debug, Default)]
pub struct Settings {
    /// Answer bare queries at `POST /api/bench`: for measuring, not for the public.
    pub bench: bool,
    /// How many requests a second one address may send; 0 for any number. Who is on this machine is not counted.
    pub rate: u32,
    /// Whether a proxy stands in front that says in `X-Forwarded-For` who asks.
    pub behind_proxy: bool,
    /// A `PMTiles` file of one's own in the place of the embedded base map.
    pub basemap: Option<PathBuf>,
    /// Whose map that file is, to be shown on it; without this, what the file itself says.
    pub map_attribution: Option<String>,
    /// A tile server of one's own in the place of the embedded base map.
    pub tile_server: Option<TileServer>,
    /// Queries to try, shown on the front page; without any, the countries with most pages are.
    pub examples: Vec<String>,
    /// The file where readers' words about wrong places are kept; nothing if none are taken.
    pub feedback: Option<PathBuf>,
    /// The folder of the archive, to tell when a page was fetched.
    pub archive: Option<PathBuf>,
    /// Who may command crawls; nobody if there are none.
    pub operators: Option<Operators>,
}

/// A server of map pictures, which then learns what every user looks at.
#[derive(Clone, Debug)]
pub struct TileServer {
    /// The address of a tile, such as `https://tiles.example.org/{z}/{x}/{y}.png`.
    pub template: String,
    /// Whose map it is, to be shown on it.
    pub attribution: String,
}

impl TileServer {
    /// The tile server of a template; nothing if it is no address of tiles.
    pub fn new(template: &str, attribution: &str) -> Option<Self> {
        let is_whole = ["{z}", "{x}", "{y}"].iter().all(|it| template.contains(it));
        let (template, attribution) = (template.to_owned(), attribution.to_owned());
        let server = Self { template, attribution };
        (is_whole && server.origin().is_some()).then_some(server)
    }

    /// Where it is: `https://tiles.example.org`.
    pub(crate) fn origin(&self) -> Option<String> {
        let url = url::Url::parse(&self.template).ok()?;
        let is_web = matches!(url.scheme(), "http" | "https");
        is_web.then(|| url.origin().ascii_serialization())
    }
}

/// Serves until told to stop; requests under way are answered first.
pub async fn serve(
    listener: TcpListener,
    shelf: Arc<Shelf>,
    settings: &Settings,
    stop: impl Future<Output = ()> + Send + 'static,
) -> Result<(), Error> {
    shelf.watch();
    let own_map = settings.basemap.as_deref().map(Basemap::open).transpose()?.map(Arc::new);
    let operators = settings.operators.as_ref();
    let office = operators.map(|it| Arc::new(Office::open(it, Arc::clone(&shelf))));
    let settings = Arc::new(settings.clone());
    let app = App { shelf, settings, own_map, examples: Arc::default(), office: office.clone() };
    let closing = async {
        stop.await;
        office.iter().for_each(|it| it.close());
    };
    accept(listener, routes(&app), closing).await;
    if let Some(office) = &office {
        office.runner.ended().await;
    }
    Ok(())
}

fn routes(app: &App) -> Router {
    let mut routes = Router::new()
        .route("/", get(search_page::show))
        .route("/search", get(search_page::show))
        .route("/complete", get(completion::complete))
        .route("/place", get(place_page::world))
        .route("/place/{key}", get(place_page::bare))
        .route("/place/{key}/{name}", get(place_page::place))
        .route("/page/{id}", get(stored_page::show))
        .route("/page/{id}/feedback", post(stored_page::feedback))
        .route("/statistics", get(statistics_page::show))
        .route("/statistics.csv", get(statistics_page::csv))
        .route("/help", get(help_page::help))
        .route("/about", get(help_page::about))
        .route("/tiles/{z}/{x}/{y}", get(map_route::tile))
        .route("/streets/{z}/{x}/{y}", get(map_route::streets))
        .route("/map.svg", get(map_route::picture))
        .route("/language/{code}", get(language_route::choose))
        .route("/static/{version}/{name}", get(asset::send))
        .route("/robots.txt", get(robots))
        .route("/healthz", get(health))
        .route("/metrics", get(api::metrics))
        .merge(crawls::routes())
        .fallback(message_page::lost)
        .method_not_allowed_fallback(message_page::wrong_method);
    if app.settings.bench {
        routes = routes.route("/api/bench", post(bench::bench));
    }
    let for_programs = api::routes().with_state(Arc::clone(&app.shelf));
    let mut routes = routes
        .with_state(app.clone())
        .merge(for_programs)
        .layer(CatchPanicLayer::new())
        .layer(TimeoutLayer::with_status_code(StatusCode::SERVICE_UNAVAILABLE, LONGEST))
        .layer(RequestBodyLimitLayer::new(LARGEST_BODY))
        .layer(from_fn(message_page::dress))
        .layer(from_fn(api::measure))
        .layer(CompressionLayer::new());
    if let Some(limiter) = guard::limiter(app.settings.rate) {
        routes = routes.layer(from_fn_with_state((app.clone(), limiter), guard::limit));
    }
    routes.layer(from_fn_with_state(app.clone(), guard::headers))
}

/// What robots may read: the pages of places, which are as many as there are places. There is no end of searches, and what is
/// kept of a page belongs to the page.
async fn robots() -> &'static str {
    "User-agent: *\n\
     Allow: /\n\
     Disallow: /search\n\
     Disallow: /page/\n\
     Disallow: /statistics\n\
     Disallow: /crawls\n\
     Disallow: /language/\n\
     Disallow: /complete\n\
     Disallow: /api\n\
     Disallow: /reverse\n\
     Disallow: /nominatim\n\
     Disallow: /ogc\n\
     Disallow: /opensearch/\n"
}

async fn health(State(shelf): State<Arc<Shelf>>) -> String {
    match shelf.generation().manifest.number {
        0 => "ok, no index yet\n".to_owned(),
        number => format!("ok, generation {number}\n"),
    }
}

/// Takes connections until told to stop, then lets those under way come to their end.
async fn accept(listener: TcpListener, routes: Router, stop: impl Future<Output = ()>) {
    let places = Arc::new(Semaphore::new(MOST_CONNECTIONS));
    let graceful = GracefulShutdown::new();
    let mut builder = auto::Builder::new(TokioExecutor::new()).http1_only();
    builder
        .http1()
        .timer(TokioTimer::new())
        .header_read_timeout(PATIENCE)
        .max_buf_size(LARGEST_HEAD);
    tokio::pin!(stop);
    loop {
        let taken = tokio::select! {
            taken = take(&listener, &places) => taken,
            () = &mut stop => break,
        };
        let Some((stream, peer, place)) = taken else { continue };
        let routes = routes.clone().layer(map_request(
            move |mut request: axum::extract::Request| async move {
                request.extensions_mut().insert(ConnectInfo(peer));
                request
            },
        ));
        let service = TowerToHyperService::new(routes);
        let stream = TokioIo::new(Connection::new(stream, LONGEST_STALL));
        let connection = builder.serve_connection(stream, service).into_owned();
        let connection = graceful.watch(connection);
        tokio::spawn(async move {
            if let Err(error) = connection.await {
                tracing::debug!(%error, "a connection broke off");
            }
            drop(place);
        });
    }
    drop(listener);
    if tokio::time::timeout(FAREWELL, graceful.shutdown()).await.is_err() {
        tracing::warn!("some requests were not answered before the end");
    }
}

async fn take(
    listener: &TcpListener,
    places: &Arc<Semaphore>,
) -> Option<(TcpStream, SocketAddr, tokio::sync::OwnedSemaphorePermit)> {
    let place = Arc::clone(places).acquire_owned().await.ok()?;
    match listener.accept().await {
        Ok((stream, peer)) => {
            // Answers are small; they should not wait for more.
            let _ = stream.set_nodelay(true);
            Some((stream, peer, place))
        }
        Err(error) => {
            // No more open files: somebody will close one.
            tracing::warn!(%error, "no connection can be taken");
            tokio::time::sleep(Duration::from_millis(100)).await;
            None
        }
    }
}
