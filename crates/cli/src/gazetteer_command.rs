//! `strabo gazetteer`: look into the gazetteer, or make one of your own.

mod build;
mod export;
mod import_files;
mod info;

use std::path::PathBuf;

use anyhow::Result;
use clap::{Args, Subcommand};

use crate::opened::Choice;
use crate::output::say;

/// Look into the gazetteer, or make one of your own.
#[derive(Args)]
#[command(arg_required_else_help = true)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    task: Task,
}

#[derive(Subcommand)]
enum Task {
    /// What it holds: places per kind and per country, size, sources and their licences.
    Info {
        #[command(flatten)]
        choice: Choice,
        /// Answer in JSON.
        #[arg(long)]
        json: bool,
    },
    /// Read every byte and compare the checksums.
    Verify {
        #[command(flatten)]
        choice: Choice,
    },
    /// Write everything it knows as tab-separated text: places.tsv, shapes.tsv, houses.tsv.
    Export {
        #[command(flatten)]
        choice: Choice,
        /// The folder to write to; it is made if it is not there.
        folder: PathBuf,
    },
    /// Make a gazetteer of your own from dumps, extracts and tables, on top of the embedded one.
    Import(import_files::Arguments),
    /// Make the default facts from package archives, as data/README.md tells.
    Build(build::Arguments),
}

pub(crate) fn run(arguments: Arguments) -> Result<()> {
    match arguments.task {
        Task::Info { choice, json } => info::run(&*choice.open()?, json),
        Task::Verify { choice } => {
            let gazetteer = choice.open()?;
            gazetteer.verify()?;
            say(&format!("{} is sound, {} places\n", gazetteer.origin(), gazetteer.len()))
        }
        Task::Export { choice, folder } => export::run(&*choice.open()?, &folder),
        Task::Import(it) => import_files::run(&it),
        Task::Build(arguments) => build::run(&arguments),
    }
}
