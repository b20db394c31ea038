//! `strabo crawl`: fetch pages, the most promising first, and look at how that goes.

mod inspection;
mod metrics_route;
mod order;
mod progress_line;
mod seeds;
mod session;
mod summary;

use std::net::SocketAddr;
use std::path::PathBuf;

use anyhow::Result;
use clap::{Args, Subcommand};
use crawl::Budget;

pub(crate) use self::metrics_route::serve_metrics;
pub(crate) use self::progress_line::line;
pub(crate) use self::seeds::read as read_seeds;
pub(crate) use self::session::{interrupted, watched};
pub(crate) use self::summary::ending;
use crate::index_command::Place;
use crate::opened::Choice;

/// Fetch pages, the most promising first, and keep them in an archive.
///
/// The same command goes on where the last one ended. Every host is asked one thing at a time, with a pause
/// between, and only what its robots.txt allows. Ctrl-C ends cleanly; so does a kill, but for the last second.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    question: Option<Question>,
    /// What the crawl is called: each has its own links, and they share the archive.
    #[arg(long, value_name = "NAME", global = true)]
    name: Option<String>,
    #[command(flatten)]
    place: Place,
    #[command(flatten)]
    gazetteer: Choice,
    #[command(flatten)]
    order: Order,
}

#[derive(Subcommand)]
enum Question {
    /// How a crawl is doing, whether it runs or not.
    Status(inspection::Form),
    /// The links that are next.
    Frontier(inspection::Frontier),
    /// The hosts that were visited most.
    Hosts(inspection::Hosts),
    /// All that is known about one link, and why it is where it is.
    Explain(inspection::Explain),
}

/// What to crawl, and how.
#[derive(Args)]
#[allow(clippy::struct_excessive_bools, reason = "each is a switch of its own")]
pub(crate) struct Order {
    /// A file that says all that the options say; options win over it.
    #[arg(value_name = "TASK.toml")]
    task: Option<PathBuf>,
    /// Pages to begin with: URLs, or files with one on each line.
    #[arg(long, value_name = "URL|FILE", num_args = 1..)]
    seeds: Vec<String>,
    /// Begin with the pages of the index, all or those that answer --seeds-query.
    #[arg(long)]
    seeds_from_index: bool,
    /// Which pages of the index to begin with, as one would search for them.
    #[arg(long, value_name = "QUERY", requires = "seeds_from_index")]
    seeds_query: Option<String>,
    /// Look for pages with an address here: a name, a key, circle:LAT,LON,METRES, box:W,S,E,N or
    /// polygon:LON LAT,…; several are one region together.
    #[arg(long, value_name = "PLACE", allow_hyphen_values = true)]
    region: Vec<String>,
    /// Look for pages about the topic of this file, as "strabo topic build" makes it.
    #[arg(long, value_name = "TOPIC.toml")]
    topic: Option<PathBuf>,
    /// Which link is next.
    #[arg(long, value_name = "NAME")]
    strategy: Option<String>,
    /// Begin with what another crawl has learned with the same strategy, by its folder: strabo-data/tasks/NAME.
    #[arg(long, value_name = "DIR/TASK")]
    warm_from: Option<PathBuf>,
    /// How much to fetch, over all runs: "500 pages", 30min, 2GB.
    #[arg(long, value_name = "AMOUNT")]
    budget: Option<Budget>,
    /// How many pages are fetched at a time.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=10_000))]
    threads: Option<u32>,
    /// Find places on pages though there is no region.
    #[arg(long)]
    geoparse: bool,
    /// Begin a new round: look again at the seeds and at pages that may have changed, with a fresh budget.
    #[arg(long)]
    revisit: bool,
    /// Show numbers for Prometheus at this address, under /metrics.
    #[arg(long, value_name = "ADDRESS")]
    metrics: Option<SocketAddr>,
    #[command(flatten)]
    manners: Manners,
    #[command(flatten)]
    scope: Scope,
}

/// How hosts are asked.
#[derive(Args)]
#[command(next_help_heading = "How hosts are asked")]
struct Manners {
    /// Who runs the crawl: an e-mail address, or the address of a page about it.
    #[arg(long, value_name = "MAIL|URL", env = "STRABO_CONTACT")]
    contact: Option<String>,
    /// The name towards servers and in robots.txt.
    #[arg(long, value_name = "NAME/VERSION")]
    user_agent: Option<String>,
    /// The shortest time between two requests to one host, in seconds; 0 turns politeness off.
    #[arg(long, value_name = "SECONDS", value_parser = delay)]
    delay: Option<f64>,
    /// How many connections to one host there may be; one is polite.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    connections: Option<u16>,
    /// A proxy that all requests go through: http://host:port, or replay://host:port for "strabo archive replay".
    #[arg(long, value_name = "URL")]
    proxy: Option<String>,
    /// Also ask this machine and private networks.
    #[arg(long)]
    allow_private: bool,
}

/// Which links belong to the crawl.
#[derive(Args)]
#[command(next_help_heading = "Which links belong to the crawl")]
#[allow(clippy::struct_field_names, reason = "they are the names of the options")]
struct Scope {
    /// Only this host; may be given again.
    #[arg(long, value_name = "HOST")]
    scope_host: Vec<String>,
    /// Only this domain and all hosts below it; may be given again.
    #[arg(long, value_name = "DOMAIN")]
    scope_domain: Vec<String>,
    /// Only this top-level domain, such as de; may be given again.
    #[arg(long, value_name = "TLD")]
    scope_tld: Vec<String>,
    /// Only paths of this form, as in robots.txt: /news/, *.html$; may be given again.
    #[arg(long, value_name = "PATH")]
    scope_path: Vec<String>,
    /// Never this domain, or this path if it begins with / or *; may be given again.
    #[arg(long, value_name = "DOMAIN|PATH")]
    scope_deny: Vec<String>,
    /// Only links that do not state another language than these, such as de; may be given again.
    #[arg(long, value_name = "CODE")]
    scope_language: Vec<String>,
    /// At most so many links away from a seed.
    #[arg(long, value_name = "N")]
    scope_depth: Option<u32>,
}

const EXAMPLES: &str = "Examples:
  strabo crawl --seeds https://example.org/ --budget 100 --contact me@example.org
  strabo crawl --seeds towns.txt --region 'Oldenburg, Germany' --scope-tld de --contact me@example.org
  strabo crawl oldenburg.toml --budget 30min
  strabo crawl status
  strabo crawl explain https://example.org/contact";

fn delay(text: &str) -> Result<f64, String> {
    let seconds = text.parse().ok().filter(|it: &f64| (0.0..=86_400.0).contains(it));
    seconds.ok_or_else(|| "write seconds, 0 to 86400".to_owned())
}

pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    let data = arguments.place.data();
    let name = arguments.name.as_deref();
    if let Some(question) = &arguments.question {
        let name = name.unwrap_or(&crawl::Task::default().name).to_owned();
        return match question {
            Question::Status(form) => inspection::status(data, &name, form),
            Question::Frontier(wanted) => inspection::frontier(data, &name, wanted),
            Question::Hosts(wanted) => inspection::hosts(data, &name, wanted),
            Question::Explain(wanted) => inspection::explain(data, &name, wanted),
        };
    }
    let gazetteer = arguments.gazetteer.open()?.forever();
    let library = arguments.place.library();
    let (task, before) = order::task(gazetteer, &library, data, name, &arguments.order)?;
    session::run(gazetteer, data, task, before.as_ref(), &arguments.order)
}
