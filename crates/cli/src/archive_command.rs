//! `strabo archive`: look into what was fetched, check it, and serve it as a web again.

mod capture;
mod cat;
mod list;
mod replay;
mod verify;

use std::path::PathBuf;

use anyhow::Result;
use archive::Catalogue;
use clap::{Args, Subcommand};
use jiff::Timestamp;

use crate::index_command::Place;
use crate::output::{grouped, say};
use crate::progress;

/// Look into what was fetched, check it, and serve it as a web again.
#[derive(Args)]
#[command(arg_required_else_help = true)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    task: Task,
}

#[derive(Subcommand)]
enum Task {
    /// List the answers in the archive.
    Ls(list::Arguments),
    /// Write the newest answer to a URL.
    Cat(cat::Arguments),
    /// Read every record and compare the digests.
    Verify {
        #[command(flatten)]
        folder: Folder,
    },
    /// Make the catalogue anew.
    Index {
        #[command(flatten)]
        folder: Folder,
    },
    /// Serve the archive as a web again: a proxy that answers what the servers answered then.
    Replay(replay::Arguments),
}

/// Where the archive is.
#[derive(Args)]
struct Folder {
    /// The folder that holds the archive, if it is not the one in the directory of --data.
    #[arg(long, value_name = "DIR", env = "STRABO_ARCHIVE")]
    folder: Option<PathBuf>,
    #[command(flatten)]
    place: Place,
}

impl Folder {
    fn path(&self) -> PathBuf {
        self.folder.clone().unwrap_or_else(|| self.place.data().join("archive"))
    }
}

pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    match &arguments.task {
        Task::Ls(arguments) => list::run(arguments),
        Task::Cat(arguments) => cat::run(arguments),
        Task::Verify { folder } => verify::run(folder),
        Task::Index { folder } => index(folder),
        Task::Replay(arguments) => replay::run(arguments),
    }
}

fn index(folder: &Folder) -> Result<()> {
    let bar = progress::bytes(0, "reading");
    let path = folder.path();
    let catalogue = Catalogue::rebuild(&path, &mut |progress| {
        bar.set_length(progress.total);
        bar.set_position(progress.done);
    });
    bar.finish_and_clear();
    let mut answers = 0;
    for entry in catalogue?.iter() {
        entry?;
        answers += 1;
    }
    say(&format!("the catalogue of {} has {} answers", path.display(), grouped(answers)))
}

/// A time on the command line: 2026-01-02T03:04:05Z, or less of it, or its digits alone.
fn time(text: &str) -> Result<Timestamp, String> {
    archive::parse_date(text)
        .ok_or_else(|| format!("\"{text}\" is no time: write it like 2026-01-02T03:04:05Z"))
}
