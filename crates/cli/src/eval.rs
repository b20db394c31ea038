//! `strabo eval`: measure how good the answers are.

mod addresses;
mod crawl;
mod geocode;
pub(crate) mod geoparse;
mod pages;
mod search;

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
    /// The geoparser, against texts in which people marked the places.
    Geoparse(geoparse::Arguments),
    /// The address reader, against strings with known parts.
    Addresses(addresses::Arguments),
    /// Pages with and without an address in a region.
    Pages(pages::Arguments),
    /// Searches, against queries whose answers were judged.
    Search(search::Arguments),
    Crawl(Box<crawl::Arguments>),
}

pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    match &arguments.what {
        What::Geocode(arguments) => geocode::run(arguments),
        What::Geoparse(arguments) => geoparse::run(arguments),
        What::Addresses(arguments) => addresses::run(arguments),
        What::Pages(arguments) => pages::run(arguments),
        What::Search(arguments) => search::run(arguments),
        What::Crawl(arguments) => crawl::run(arguments),
    }
}
