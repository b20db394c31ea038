//! `strabo demo`: a small web is made, crawled, indexed and searched, with a word on every step.

mod crawling;
mod door;
mod folder;

use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

use anyhow::{Context, Result};
use clap::Args;
use crawl::Ending;
use gazetteer::Gazetteer;
use index::{Library, Order};
use testkit::Web;

use self::folder::Folder;
use crate::output::{grouped, say};
use crate::{index_command, search_command, serve};

/// The web is the same in every demonstration of a day.
const SEED: u64 = 1;
/// What `--once` asks.
const ONCE: [&str; 3] =
    ["bakeries near Mannerheimintie 2, Helsinki", "museums in Monaco", "harbour festival"];
/// How many hits of each are shown.
const HITS: usize = 4;
/// What is offered for clicking, besides that.
const MORE: [&str; 2] = ["clubs north of Esplanadi, Helsinki", "flood protection in Europe"];

/// See it all at work in a minute: a small web is crawled, indexed and searched.
///
/// The web is invented, the streets are real: bakeries, museums, clubs and offices at addresses in Helsinki and
/// Monaco, newspapers about cities everywhere, and much that leads astray. It is served on this machine, nothing is
/// fetched from the internet, and nothing is kept unless --data says where.
#[derive(Args)]
pub(crate) struct Arguments {
    /// Print the answers to three queries, and end, instead of serving.
    #[arg(long)]
    once: bool,
    /// Where the search page is to be; if that is taken, the next free port.
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:8080")]
    listen: SocketAddr,
    /// Keep the archive and the index in this directory; else they are in a temporary one, which goes away.
    #[arg(long, value_name = "DIR")]
    data: Option<PathBuf>,
}

pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    let gazetteer = world::gazetteer();
    let folder = Folder::new(arguments.data.as_deref())?;
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    let outcome = runtime.block_on(demonstrate(gazetteer, &folder, arguments));
    // Nobody is waited for: what is left are servers.
    runtime.shutdown_background();
    outcome
}

async fn demonstrate(
    gazetteer: &'static Gazetteer,
    folder: &Folder,
    arguments: &Arguments,
) -> Result<()> {
    let start = Instant::now();
    // A door that cannot be opened is told before the work and not after it.
    let door = if arguments.once { None } else { Some(door::open(arguments.listen).await?) };
    let web = Arc::new(testkit::web(gazetteer, jiff::Zoned::now().date(), SEED));
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await?;
    let proxy = format!("http://{}", listener.local_addr()?);
    tokio::spawn(testkit::serve(Arc::clone(&web), listener));
    say(&welcome(&web, &proxy, folder))?;

    let ending = crawling::crawl(gazetteer, folder.path(), &web, &proxy).await?;
    if ending == Ending::Stopped {
        return say("Stopped.");
    }

    let library = Library::at(folder.path().join("index"));
    say(INDEXING)?;
    let order = Order { sources: vec![folder.path().join("archive")], ..Order::default() };
    let report = tokio::task::block_in_place(|| index_command::built(gazetteer, &library, &order))?;
    say(&indented(&report))?;

    match door {
        None => answers(gazetteer, &library),
        Some(door) => {
            let shelf = web::Shelf::open(library, gazetteer)?;
            let address = door.local_addr()?;
            say(&invitation(address, &proxy, folder, start))?;
            let settings = web::Settings {
                examples: ONCE.iter().chain(&MORE).map(ToString::to_string).collect(),
                feedback: Some(folder.path().join("feedback.jsonl")),
                archive: Some(folder.path().join("archive")),
                ..web::Settings::default()
            };
            web::serve(door, shelf, &settings, serve::stop()).await?;
            say("\nGoodbye.")
        }
    }
}

/// What the web is, and where.
fn welcome(web: &Web, proxy: &str, folder: &Folder) -> String {
    format!(
        "\n1 · A web of our own\n\
         {} pages on {} invented hosts: bakeries, museums, clubs and offices at real addresses in Helsinki and Monaco, \
         directories, newspapers about cities everywhere; and what leads a crawler astray: recipes, programming, chess, \
         a mirror, a calendar without end. It is served on this machine, at {proxy}; nothing comes from the internet.\n\
         {}\n",
        grouped(web.pages().count()),
        web.hosts().count(),
        folder.remark()
    )
}

const INDEXING: &str = "3 · Indexing\n\
     The archive is read again, page by page: the places that each page means are looked up in the gazetteer, and words, \
     points and places go into one index.";

/// The answers to three queries, as `strabo search` prints them.
fn answers(gazetteer: &Gazetteer, library: &Library) -> Result<()> {
    let generation = library.open(gazetteer).context("the index of the demonstration")?;
    say("4 · Searching")?;
    for query in ONCE {
        let answer = search_command::answer(gazetteer, &generation, query, HITS)?;
        say(&format!("strabo search \"{query}\"\n{answer}"))?;
    }
    Ok(())
}

/// Where the search page is, what to ask, and how to do the same with one's own web.
fn invitation(address: SocketAddr, proxy: &str, folder: &Folder, start: Instant) -> String {
    let mut text = format!(
        "4 · Searching\nReady after {:.0} seconds: http://{address}/\n\nFor example:\n",
        start.elapsed().as_secs_f64()
    );
    for query in ONCE.iter().chain(&MORE) {
        text += &format!("  {query}\n    {}\n", search_url(address, query));
    }
    text += &format!(
        "\nThe hosts are invented, so a browser does not find them: the search page has a stored copy of every page. \
         Whoever wants the page itself asks our web: curl --proxy {proxy} URL\n\n\
         The same with your own seeds, on the real web:\n  \
         strabo crawl --seeds https://your-town.example/ --region 'Your Town' --budget 30min --contact you@your-town.example\n  \
         strabo index\n  \
         strabo serve\n\n\
         {}Ctrl-C ends the demonstration.\n",
        folder.hint()
    );
    text
}

/// The search page with the answers to a query.
fn search_url(address: SocketAddr, query: &str) -> String {
    let page = format!("http://{address}/search");
    let url = reqwest::Url::parse_with_params(&page, [("q", query)]);
    url.map_or(page, String::from)
}

/// A report under the heading of its step.
fn indented(report: &str) -> String {
    report.lines().map(|it| format!("  {it}\n")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_query_becomes_a_link_that_a_terminal_can_open() {
        let address = SocketAddr::from(([127, 0, 0, 1], 8080));
        assert_eq!(
            search_url(address, "cafés near Kaivokatu 8, Helsinki"),
            "http://127.0.0.1:8080/search?q=caf%C3%A9s+near+Kaivokatu+8%2C+Helsinki"
        );
    }
}
