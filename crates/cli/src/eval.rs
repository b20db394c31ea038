//! `strabo eval`: measure how good the answers are.

mod geocode;

use anyhow::Result;
use clap::{Args, Subcommand};

/// Measure how good the answers are.
#[derive(Args)]
#[command(arg_required_else_help = true)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    what: What,
}

#[derive(Subcommand)]
enum What {
    /// The geocoder, against queries with known targets.
    Geocode(geocode::Arguments),
}

pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    match &arguments.what {
        What::Geocode(arguments) => geocode::run(arguments),
    }
}
