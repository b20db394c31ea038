//! The `strabo` program: one file per command.

mod archive_command;
mod aside;
mod corpus;
mod crawl_command;
mod demo;
mod doc;
mod download;
mod eval;
mod gazetteer_command;
mod geoparse_command;
mod index_command;
mod log;
mod markup;
mod opened;
mod output;
mod place;
mod progress;
mod search_command;
mod serve;
mod task_command;
mod topic_command;

use std::ffi::OsString;
use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// Pages are made of small strings that live shortly.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Find pages by what and where.
#[derive(Parser)]
#[command(name = "strabo", version, about, max_term_width = 100, arg_required_else_help = true)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
    #[command(flatten)]
    log: log::Settings,
}

#[derive(Subcommand)]
enum Command {
    /// See it all at work in a minute: a small web is crawled, indexed and searched.
    Demo(demo::Arguments),
    /// Find a place by name, address, coordinate or code, and ask what lies around it.
    Place(place::Arguments),
    /// Look into the gazetteer, or make one of your own.
    Gazetteer(gazetteer_command::Arguments),
    /// Find the places that a page or a text means, and the ground it is about.
    Geoparse(Box<geoparse_command::Arguments>),
    /// Fetch pages, the most promising first, and look at how that goes.
    Crawl(Box<crawl_command::Arguments>),
    /// Keep crawls as tasks, with a timing, and run them together.
    Task(task_command::Arguments),
    /// Make a topic from samples, and see how much a page is about it.
    Topic(topic_command::Arguments),
    /// Make pages and documents searchable: build the index, add to it, check it, go back.
    Index(index_command::Arguments),
    /// Find pages by what and where.
    Search(Box<search_command::Arguments>),
    /// Show a document as the index has it.
    Doc(doc::Arguments),
    /// Look into what was fetched, check it, and serve it as a web again.
    Archive(archive_command::Arguments),
    /// Answer searches over HTTP.
    Serve(serve::Arguments),
    /// Measure how good the answers are.
    Eval(eval::Arguments),
}

/// An argument that is a negative number is no option: a blank before it tells the parser so.
fn not_an_option(argument: OsString) -> OsString {
    match argument.to_str() {
        Some(text)
            if text.starts_with('-') && text[1..].starts_with(|it: char| it.is_ascii_digit()) =>
        {
            format!(" {text}").into()
        }
        _ => argument,
    }
}

fn main() -> ExitCode {
    let arguments = Arguments::parse_from(std::env::args_os().map(not_an_option));
    let outcome = arguments.log.begin().and_then(|()| run(arguments.command));
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) if output::is_closed_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            output::complain(&error);
            ExitCode::FAILURE
        }
    }
}

fn run(command: Command) -> anyhow::Result<()> {
    match command {
        Command::Demo(arguments) => demo::run(&arguments),
        Command::Place(arguments) => place::run(&arguments),
        Command::Gazetteer(arguments) => gazetteer_command::run(arguments),
        Command::Geoparse(arguments) => geoparse_command::run(&arguments),
        Command::Crawl(arguments) => crawl_command::run(&arguments),
        Command::Task(arguments) => task_command::run(&arguments),
        Command::Topic(arguments) => topic_command::run(&arguments),
        Command::Index(arguments) => index_command::run(&arguments),
        Command::Search(arguments) => search_command::run(&arguments),
        Command::Doc(arguments) => doc::run(&arguments),
        Command::Archive(arguments) => archive_command::run(&arguments),
        Command::Serve(arguments) => serve::run(&arguments),
        Command::Eval(arguments) => eval::run(&arguments),
    }
}
