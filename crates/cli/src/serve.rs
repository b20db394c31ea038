//! `strabo serve`: answer searches over HTTP.

use std::net::SocketAddr;

use anyhow::{Context, Result};
use clap::Args;

use crate::index_command::Place;
use crate::opened::Choice;
use crate::output::say;

/// Answer searches over HTTP.
///
/// GET /api/v1/search?q=… answers with `GeoJSON`, GET /healthz says whether the server is well. A new index is
/// taken as soon as "strabo index" has made it current, without a pause.
#[derive(Args)]
pub(crate) struct Arguments {
    /// Where to listen.
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:8080", env = "STRABO_LISTEN")]
    listen: SocketAddr,
    /// Also answer bare queries at POST /api/bench: for measuring, not for the public.
    #[arg(long)]
    bench: bool,
    #[command(flatten)]
    place: Place,
    #[command(flatten)]
    gazetteer: Choice,
}

pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    let gazetteer = arguments.gazetteer.open()?.forever();
    let shelf = web::Shelf::open(arguments.place.library(), gazetteer)?;
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    runtime.block_on(async {
        let listener = tokio::net::TcpListener::bind(arguments.listen)
            .await
            .with_context(|| format!("cannot listen on {}", arguments.listen))?;
        let generation = shelf.generation();
        say(&format!(
            "http://{}/api/v1/search?q=… answers from generation {} with {} documents",
            listener.local_addr()?,
            generation.manifest.number,
            generation.manifest.documents()
        ))?;
        drop(generation);
        let settings = web::Settings { bench: arguments.bench, ..web::Settings::default() };
        web::serve(listener, shelf, &settings, stop()).await?;
        Ok(())
    })
}

/// Ends when the operator or the system asks for it.
pub(crate) async fn stop() {
    let interrupted = tokio::signal::ctrl_c();
    match tokio::signal::unix::signal(tokio::signal::unix::SignalKind::terminate()) {
        Ok(mut terminated) => {
            tokio::select! { _ = interrupted => {}, _ = terminated.recv() => {} }
        }
        Err(_) => {
            let _ = interrupted.await;
        }
    }
}
