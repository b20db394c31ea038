//! `/metrics`, and nothing else.

use std::net::SocketAddr;
use std::sync::Arc;

use anyhow::{Context, Result};
use axum::Router;
use axum::http::header::CONTENT_TYPE;
use axum::routing::get;
use crawl::{Crawl, Exposition};

use crate::log::remark;

/// What Prometheus calls its text.
const TEXT: &str = "text/plain; version=0.0.4; charset=utf-8";

/// Shows the numbers of crawls at this address, as long as the program runs.
pub(crate) async fn serve_metrics(
    address: SocketAddr,
    exposition: Exposition,
    crawls: impl Fn() -> Vec<Crawl> + Send + Sync + 'static,
) -> Result<()> {
    let listener = tokio::net::TcpListener::bind(address)
        .await
        .with_context(|| format!("cannot listen on {address}"))?;
    remark(&format!("numbers for Prometheus: http://{}/metrics", listener.local_addr()?));
    let crawls = Arc::new(crawls);
    let numbers = move || {
        let (exposition, crawls) = (exposition.clone(), Arc::clone(&crawls));
        async move {
            // The crawls may have to be waited for.
            let text = tokio::task::spawn_blocking(move || exposition.of(&crawls())).await;
            ([(CONTENT_TYPE, TEXT)], text.unwrap_or_default())
        }
    };
    let router = Router::new().route("/metrics", get(numbers));
    tokio::spawn(async move {
        if let Err(error) = axum::serve(listener, router).await {
            tracing::error!(%error, "numbers are not shown any more");
        }
    });
    Ok(())
}
