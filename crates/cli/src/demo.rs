//! `strabo demo`: a small web is made, crawled, indexed and searched, with a word on every step.

mod breadth;
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
use crate::output::{grouped, say, wrapped};
use crate::{index_command, search_command, serve};

/// The web is the same in every demonstration of a day.
const SEED: u64 = 1;
/// What `--once` asks.
const ONCE: [&str; 3] =
    ["bakeries near Mannerheimintie 2, Helsinki", "museums in Monaco", "harbour festival"];
/// How many hits of each are shown.
const HITS: usize = 4;
/// What is offered for clicking, besides that.
const MORE: [&str; 2] =
    ["clubs north of Mannerheimintie 2, Helsinki", "flood protection in Europe"];

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
    say(&format!("3 · Indexing\n{}", step(INDEXING)))?;
    let order = Order { sources: vec![folder.path().join("archive")], ..Order::default() };
    let report = tokio::task::block_in_place(|| index_command::built(gazetteer, &library, &order))?;
    say(&format!("  {}", report.trim_end().replace('\n', "\n  ")))?;

    match door {
        None => answers(gazetteer, &library),
        Some(door) => {
            let shelf = web::Shelf::open(library, gazetteer)?;
            let address = door.local_addr()?;
            let (token, text) = web::Token::random().context("the system has no random numbers")?;
            say(&invitation(address, &text, &proxy, folder, start))?;
            let settings = web::Settings {
                examples: ONCE.iter().chain(&MORE).map(ToString::to_string).collect(),
                feedback: Some(folder.path().join("feedback.jsonl")),
                archive: Some(folder.path().join("archive")),
                operators: Some(web::Operators {
                    token,
                    data: folder.path().to_owned(),
                    allow_private: false,
                    most_requests: crawl::Slots::USUAL,
                }),
                ..web::Settings::default()
            };
            web::serve(door, shelf, &settings, serve::stop()).await?;
            say("\nGoodbye.")
        }
    }
}

/// What the web is, and where.
fn welcome(web: &Web, proxy: &str, folder: &Folder) -> String {
    let text = format!(
        "{} pages on {} invented hosts: bakeries, museums, clubs and offices at real addresses in Helsinki and Monaco, \
         directories, newspapers about cities everywhere; and what leads a crawler astray: recipes, programming, chess, \
         a mirror, a calendar without end. It is served on this machine, at {proxy}; nothing comes from the internet.",
        grouped(web.pages().count()),
        web.hosts().count()
    );
    format!("1 · A web of our own\n{}{}", step(&text), step(&folder.remark()))
}

const INDEXING: &str = "The archive is read again, page by page: the places that each page means are looked up in the gazetteer, and words, \
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

/// Where the pages are, what to ask, and how to do the same with one's own web.
///
/// It is the one place where the token is told.
fn invitation(
    address: SocketAddr,
    token: &str,
    proxy: &str,
    folder: &Folder,
    start: Instant,
) -> String {
    let mut text = format!(
        "4 · Searching\n  Ready after {:.0} seconds: http://{address}/\n\n  For example\n",
        start.elapsed().as_secs_f64()
    );
    for query in ONCE.iter().chain(&MORE) {
        text += &format!("    {query}\n      {}\n", search_url(address, query));
    }
    text += &format!(
        "\n  The crawl, with its harvest and a map of its finds: http://{address}/crawls\n    \
         sign in with the token {token}\n\n"
    );
    text += &step(&format!(
        "The hosts are invented, so a browser does not find them: the search page has a stored copy of every page. \
         Whoever wants the page itself asks our web: curl --proxy {proxy} URL"
    ));
    text += &folder.hint();
    text += OWN;
    text
}

const OWN: &str = "
  The same with your own seeds, on the real web:
    strabo crawl --seeds https://your-town.example/ --region 'Your Town' --budget 30min --contact you@your-town.example
    strabo index
    strabo serve

  Ctrl-C ends the demonstration.
";

/// The search page with the answers to a query.
fn search_url(address: SocketAddr, query: &str) -> String {
    let page = format!("http://{address}/search");
    let url = reqwest::Url::parse_with_params(&page, [("q", query)]);
    url.map_or(page, String::from)
}

/// What is said under the heading of a step.
fn step(text: &str) -> String {
    wrapped("  ", text)
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
