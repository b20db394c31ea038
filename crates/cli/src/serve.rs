//! `strabo serve`: answer searches over HTTP.

use std::net::SocketAddr;
use std::path::PathBuf;

use anyhow::{Context, Result};
use clap::Args;

use crate::index_command::Place;
use crate::opened::Choice;
use crate::output::say;

/// The variable of the environment that holds the token of the operators.
const TOKEN: &str = "STRABO_OPERATOR_TOKEN";

/// Serve the search page, and answers for programs, over HTTP.
///
/// The page is at /, its help at /help, what programs may ask at /api/openapi.json. A new index is taken as soon as
/// "strabo index" has made it current, without a pause. Readers' words about wrong places are kept in feedback.jsonl
/// beside the index.
///
/// With a token for operators the server also runs the tasks of the folder of data, as "strabo task run" does, and
/// /crawls shows and commands them to whoever signs in with the token.
#[derive(Args)]
pub(crate) struct Arguments {
    /// Where to listen.
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:8080", env = "STRABO_LISTEN")]
    listen: SocketAddr,
    /// Also answer bare queries at POST /api/bench: for measuring, not for the public.
    #[arg(long)]
    bench: bool,
    /// How many requests a second one address may send, ten times as many at once; 0 for any number. Requests from
    /// this machine are not counted.
    #[arg(long, value_name = "N", default_value_t = 30)]
    rate: u32,
    /// A proxy stands in front that says in X-Forwarded-For who asks.
    #[arg(long)]
    behind_proxy: bool,
    /// A query to try, shown on the front page; may be given several times.
    #[arg(long = "example", value_name = "QUERY")]
    examples: Vec<String>,
    /// A file of vector tiles in the form `PMTiles` in the place of the embedded map of the world.
    #[arg(long, value_name = "FILE", conflicts_with = "tile_server")]
    basemap: Option<PathBuf>,
    /// A tile server in the place of the embedded map: <https://tiles.example.org/{z}/{x}/{y}.png>. It then learns what
    /// every user looks at.
    #[arg(long, value_name = "URL", requires = "tile_attribution")]
    tile_server: Option<String>,
    /// Whose map the tile server has, shown on the map; or a file of tiles that does not say it itself.
    #[arg(long, value_name = "TEXT")]
    tile_attribution: Option<String>,
    /// The file with the token of the operators, of 16 characters or more; "openssl rand -hex 16" makes one. Without
    /// it, the token is taken from the environment variable `STRABO_OPERATOR_TOKEN`, if that is set.
    #[arg(long, value_name = "FILE")]
    operator_token_file: Option<PathBuf>,
    /// Let tasks made at /crawls ask this machine and private networks.
    #[arg(long)]
    allow_private: bool,
    /// How many requests may be on their way at once for all tasks together.
    #[arg(long, value_name = "N", default_value_t = crawl::Slots::USUAL, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    crawl_requests: u32,
    #[command(flatten)]
    place: Place,
    #[command(flatten)]
    gazetteer: Choice,
}

pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    let settings = settings(arguments)?;
    let gazetteer = arguments.gazetteer.open()?.forever();
    let shelf = web::Shelf::open(arguments.place.library(), gazetteer)?;
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    runtime.block_on(async {
        let listener =
            tokio::net::TcpListener::bind(arguments.listen).await.with_context(|| {
                format!("cannot listen on {}: give another address with --listen", arguments.listen)
            })?;
        say(&greeting(listener.local_addr()?, &shelf.generation().manifest))?;
        web::serve(listener, shelf, &settings, stop()).await?;
        Ok(())
    })
}

/// Where the server is, and from what it answers.
fn greeting(address: SocketAddr, manifest: &index::Manifest) -> String {
    match manifest.number {
        0 => format!(
            "http://{address}/ has no index yet: make one with \"strabo index\"; it is taken as soon as it is there"
        ),
        number => format!(
            "http://{address}/ answers from generation {number} with {} documents",
            manifest.documents()
        ),
    }
}

fn settings(arguments: &Arguments) -> Result<web::Settings> {
    let data = arguments.place.data();
    let tile_server = arguments.tile_server.as_deref().map(|template| {
        let attribution = arguments.tile_attribution.as_deref().unwrap_or_default();
        web::TileServer::new(template, attribution).with_context(|| {
            format!("\"{template}\" is no tile server: write https://…/{{z}}/{{x}}/{{y}}.png")
        })
    });
    Ok(web::Settings {
        bench: arguments.bench,
        rate: arguments.rate,
        behind_proxy: arguments.behind_proxy,
        basemap: arguments.basemap.clone(),
        map_attribution: arguments.tile_attribution.clone(),
        tile_server: tile_server.transpose()?,
        examples: arguments.examples.clone(),
        feedback: Some(data.join("feedback.jsonl")),
        archive: Some(data.join("archive")),
        operators: operators(arguments)?,
    })
}

/// Those who may command crawls, if somebody gave a token: in a file, or in the environment.
fn operators(arguments: &Arguments) -> Result<Option<web::Operators>> {
    let token = match &arguments.operator_token_file {
        Some(path) => std::fs::read_to_string(path).with_context(|| path.display().to_string())?,
        None => std::env::var(TOKEN).unwrap_or_default(),
    };
    if token.trim().is_empty() && arguments.operator_token_file.is_none() {
        return Ok(None);
    }
    let token = web::Token::new(&token)?;
    let data = arguments.place.data().to_owned();
    Ok(Some(web::Operators {
        token,
        data,
        allow_private: arguments.allow_private,
        most_requests: arguments.crawl_requests,
    }))
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
