//! `strabo task`: crawls that are kept, timed and run together.

mod company;
mod listing;

use std::net::SocketAddr;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use clap::{Args, Subcommand};
use crawl::{Tasks, Wish};

use crate::crawl_command::read_seeds;
use crate::index_command::Place;
use crate::opened::Choice;
use crate::output::say;

/// Keep crawls as tasks, with a timing, and run them together.
///
/// A task is a file that says what "strabo crawl" says with options, and when: timing = "once",
/// "every 30 minutes", or a cron line such as "0 3 * * mon-fri". Tasks that run together share their
/// politeness: a host is asked by one of them at a time.
#[derive(Args)]
#[command(arg_required_else_help = true)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    task: Task,
    #[command(flatten)]
    place: Place,
    #[command(flatten)]
    gazetteer: Choice,
}

#[derive(Subcommand)]
enum Task {
    /// Take in a task, to be run when it is due.
    Add {
        /// The file that says what to crawl, how and when.
        #[arg(value_name = "FILE.toml")]
        description: PathBuf,
        /// Put it in the place of the task of the same name, which keeps its links.
        #[arg(long)]
        replace: bool,
    },
    /// All tasks, with what they do and when they are due.
    List(listing::Form),
    /// All about one task.
    Show {
        /// Which.
        name: String,
        #[command(flatten)]
        form: listing::Form,
    },
    /// Let a task begin now, or begin again.
    Start {
        /// Which.
        name: String,
    },
    /// Let a task begin no new requests until it is resumed.
    Pause {
        /// Which.
        name: String,
    },
    /// Let a task go on that was paused or stopped.
    Resume {
        /// Which.
        name: String,
    },
    /// Let a task end its run; it goes on when it is started again.
    Stop {
        /// Which.
        name: String,
    },
    /// Remove a task with its links; what it fetched stays in the archive.
    Remove {
        /// Which.
        name: String,
    },
    /// Run all tasks that are due, until Ctrl-C.
    Run(Run),
}

/// Run all tasks that are due.
#[derive(Args)]
struct Run {
    /// End when nothing runs and nothing is due any more today.
    #[arg(long)]
    until_idle: bool,
    /// How many requests may be on their way at once for all tasks together.
    #[arg(long, value_name = "N", default_value_t = crawl::Slots::USUAL, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    crawl_requests: u32,
    /// Show numbers for Prometheus at this address, under /metrics.
    #[arg(long, value_name = "ADDRESS")]
    metrics: Option<SocketAddr>,
}

pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    let data = arguments.place.data();
    let tasks = Tasks::at(data);
    match &arguments.task {
        Task::Add { description, replace } => add(arguments, &tasks, description, *replace),
        Task::List(form) => listing::list(&tasks, form),
        Task::Show { name, form } => listing::show(&tasks, name, form),
        Task::Start { name } => {
            tasks.start(name)?;
            told(&tasks, name, "starts", "starts with \"strabo task run\"")
        }
        Task::Pause { name } => {
            tasks.want(name, Wish::Pause)?;
            told(&tasks, name, "pauses", "does not run, and will not until it is resumed")
        }
        Task::Resume { name } => {
            tasks.want(name, Wish::Run)?;
            told(&tasks, name, "goes on", "goes on with \"strabo task run\"")
        }
        Task::Stop { name } => {
            tasks.want(name, Wish::Stop)?;
            told(&tasks, name, "stops when the last answers are there", "does not run")
        }
        Task::Remove { name } => {
            tasks.remove(name)?;
            say(&format!("task \"{name}\" is removed; what it fetched is still in the archive"))
        }
        Task::Run(run) => {
            let gazetteer = arguments.gazetteer.open()?.forever();
            company::run(gazetteer, data, run)
        }
    }
}

fn add(arguments: &Arguments, tasks: &Tasks, file: &Path, is_replacing: bool) -> Result<()> {
    let gazetteer = arguments.gazetteer.open()?;
    let mut task = Tasks::described(file)?;
    let folder = file.parent().unwrap_or(Path::new("."));
    task.seeds = read_seeds(folder, &task.seeds).with_context(|| format!("{}", file.display()))?;
    task.settle_paths(folder)?;
    if is_replacing {
        tasks.replace(&gazetteer, &task)?;
    } else {
        tasks.add(&gazetteer, &task)?;
    }
    let about = crawl::region(&gazetteer, &task.region)?;
    let about: Vec<_> = about.iter().flat_map(|it| &it.parts).map(|it| it.label.clone()).collect();
    let seeds = if task.seeds.len() == 1 { "seed" } else { "seeds" };
    let mut text = format!("task \"{}\": {} {seeds}", task.name, task.seeds.len());
    if !about.is_empty() {
        text += &format!(", about {}", about.join(" or "));
    }
    text += &format!(", {}", task.timing);
    if let Some(next) = tasks.state(&task.name)?.next {
        text += &format!(", due at {next}");
    }
    say(&text)
}

/// Says what becomes of a task that runs, or of one that does not.
fn told(tasks: &Tasks, name: &str, running: &str, idle: &str) -> Result<()> {
    let what = if tasks.is_running(name) { running } else { idle };
    say(&format!("task \"{name}\" {what}"))
}
