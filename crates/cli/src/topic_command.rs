//! `strabo topic`: what pages are to be about, made from samples, and held against pages.

mod build;
mod samples;
mod score;

use anyhow::Result;
use clap::{Args, Subcommand};

/// Make a topic from samples, and see how much a page is about it.
///
/// A topic is a file with keywords and places, each with a weight. "strabo crawl --topic FILE" looks for pages
/// about it.
#[derive(Args)]
#[command(arg_required_else_help = true, after_help = EXAMPLES)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    question: Question,
}

#[derive(Subcommand)]
enum Question {
    /// Make a topic from pages that are about it.
    Build(build::Arguments),
    /// Say how much a page is about a topic, and why.
    Score(score::Arguments),
}

const EXAMPLES: &str = "Examples:
  strabo topic build --name harbours samples/ -o harbours.toml
  strabo topic build samples/ --against strabo-data/archive/ -o harbours.toml
  strabo topic score harbours.toml page.html
  strabo crawl --topic harbours.toml --strategy topic --seeds https://example.org/ --contact me@example.org";

pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    match &arguments.question {
        Question::Build(arguments) => build::run(arguments),
        Question::Score(arguments) => score::run(arguments),
    }
}
