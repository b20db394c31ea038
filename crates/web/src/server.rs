//! The server itself: routes and limits.

use std::future::Future;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::extract::State;
use axum::http::StatusCode;
use axum::middleware::from_fn;
use axum::routing::{get, post};
use tokio::net::TcpListener;
use tower_http::limit::RequestBodyLimitLayer;
use tower_http::timeout::TimeoutLayer;

use crate::error::Error;
use crate::shelf::Shelf;
use crate::{api, bench};

/// Nobody has to send more.
const LARGEST_BODY: usize = 64 << 10;
/// No answer takes longer.
const LONGEST: Duration = Duration::from_secs(30);

/// What a server serves.
#[derive(Clone, Debug, Default)]
pub struct Settings {
    /// Answer bare queries at `POST /api/bench`: for measuring, not for the public.
    pub bench: bool,
}

/// Serves until told to stop; requests under way are answered first.
pub async fn serve(
    listener: TcpListener,
    shelf: Arc<Shelf>,
    settings: &Settings,
    stop: impl Future<Output = ()> + Send + 'static,
) -> Result<(), Error> {
    shelf.watch();
    let mut routes = Router::new()
        .route("/healthz", get(health))
        .fallback(lost)
        .layer(TimeoutLayer::with_status_code(StatusCode::SERVICE_UNAVAILABLE, LONGEST));
    if settings.bench {
        routes = routes.route("/api/bench", post(bench::bench));
    }
    let routes = routes
        .layer(RequestBodyLimitLayer::new(LARGEST_BODY))
        .merge(api::routes())
        .layer(from_fn(api::measure))
        .with_state(shelf);
    let listener = axum::serve::ListenerExt::tap_io(listener, |stream| {
        // Answers are small; they should not wait for more.
        let _ = stream.set_nodelay(true);
    });
    axum::serve(listener, routes).with_graceful_shutdown(stop).await?;
    Ok(())
}

async fn health(State(shelf): State<Arc<Shelf>>) -> String {
    format!("ok, generation {}\n", shelf.generation().manifest.number)
}

async fn lost() -> (StatusCode, &'static str) {
    (StatusCode::NOT_FOUND, "there is nothing here: ask GET /api/v1/search?q=…\n")
}
