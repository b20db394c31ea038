//! `strabo topic build`: the terms that pages about a topic use most.

use std::io::Write;
use std::path::PathBuf;

use anyhow::{Result, ensure};
use clap::Args;
use crawl::{TopicDraft, TopicFile};
use geoparse::{Geoparser, Hints};

use super::samples;
use crate::aside;
use crate::opened::Choice;
use crate::output::{grouped, say};

/// Make a topic from pages that are about it.
///
/// Counted are the words of the pages' main text and the places they name. The most frequent become the topic,
/// each weighing its share of the greatest. A hundred pages are a good number. Pages of the same web about
/// anything else, given with --against, tell apart what is everybody's. Look at the file and change it.
#[derive(Args)]
pub(crate) struct Arguments {
    /// Pages or texts, folders of them, or WARC archives.
    #[arg(value_name = "SAMPLES", required = true)]
    samples: Vec<PathBuf>,
    /// Pages about anything else, in the same forms: what they have as well is no keyword.
    #[arg(long, value_name = "OTHERS", num_args = 1..)]
    against: Vec<PathBuf>,
    /// Write the topic to this file instead of standard output.
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// What the topic is called.
    #[arg(long, value_name = "NAME", default_value = "topic")]
    name: String,
    /// At most so many keywords.
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u16).range(0..=500))]
    keywords: u16,
    /// At most so many places.
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u16).range(0..=500))]
    places: u16,
    #[command(flatten)]
    gazetteer: Choice,
}

pub(super) fn run(arguments: &Arguments) -> Result<()> {
    let gazetteer = arguments.gazetteer.open()?;
    let geoparser = Geoparser::new(&gazetteer);
    let draft = drafted(&geoparser, &arguments.samples)?;
    let others = drafted(&geoparser, &arguments.against)?;
    let keywords = draft.keywords(&others, usize::from(arguments.keywords));
    let places = draft.places(usize::from(arguments.places));
    ensure!(
        !keywords.is_empty() || !places.is_empty(),
        "{} samples have no terms in common: give more pages about one topic",
        grouped(draft.samples())
    );
    let text = TopicFile::text_of(&gazetteer, &arguments.name, &keywords, &places);
    let Some(path) = &arguments.output else { return say(&text) };
    aside::replace(path, |_, mut file| Ok(file.write_all(text.as_bytes())?))?;
    let told: Vec<_> = keywords.iter().map(|it| it.0.as_str()).collect();
    let named: Vec<_> = places.iter().map(|it| gazetteer.place(it.0).name()).collect();
    say(&format!(
        "{}: {} from {} samples: {}; {}",
        path.display(),
        arguments.name,
        grouped(draft.samples()),
        told.join(", "),
        named.join(", ")
    ))
}

/// The terms of all pages of these files and folders.
fn drafted(geoparser: &Geoparser<'_>, paths: &[PathBuf]) -> Result<TopicDraft> {
    let mut draft = TopicDraft::default();
    samples::each(paths, |page, url| {
        let main = page.main_text();
        let text = if main.trim().is_empty() { &page.text } else { &main };
        let mut hints = url.map(Hints::of_url).unwrap_or_default();
        hints.language = page.language().map(|it| it.code().to_owned());
        draft.add(text, &geoparser.mentions(text, &hints));
    })?;
    Ok(draft)
}
