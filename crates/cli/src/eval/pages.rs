//! `strabo eval pages`: how surely a page with an address in a region is told from others, and how quickly.

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::{Context, Result, bail};
use clap::Args;
use geoparse::{Geoparser, Hints, Region};
use page::Response;
use serde_json::{Value, json};

use crate::corpus;
use crate::opened::Choice;
use crate::output::{grouped, say, say_json, table};

/// Pages with and without an address in a region.
#[derive(Args)]
#[command(after_help = FORMAT)]
pub(crate) struct Arguments {
    /// A file of pages, one JSON object a line, gzipped or not.
    file: PathBuf,
    /// The region, by its key; several are one region together.
    #[arg(long, value_name = "KEY", required = true)]
    region: Vec<String>,
    /// Show so many of the pages that were judged wrong.
    #[arg(long, value_name = "N", default_value_t = 0)]
    wrong: usize,
    /// Answer in JSON.
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    choice: Choice,
}

const FORMAT: &str = "A page: {\"url\": \"http://example.org/\", \"content_type\": \"text/html\", \"body\": \"<p>…\", \"relevant\": true},
or with \"bytes\" instead of \"body\" where it is not UTF-8, each character standing for the byte of its number.";

/// A page with the truth about it.
struct Case {
    url: String,
    content_type: Option<String>,
    body: Vec<u8>,
    is_relevant: bool,
}

pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    let gazetteer = arguments.choice.open()?;
    let mut regions = Vec::new();
    for key in &arguments.region {
        let Some(place) = gazetteer.by_key(key) else {
            bail!("no place has the key {key}: \"strabo place NAME\" shows keys");
        };
        regions.push(Region::Place(place.id()));
    }
    let region = Region::Any(regions);
    let cases = cases(&arguments.file)?;
    let geoparser = Geoparser::new(&gazetteer);
    let start = Instant::now();
    let verdicts: Vec<bool> = cases
        .iter()
        .map(|it| {
            let response = Response {
                url: Some(&it.url),
                content_type: it.content_type.as_deref(),
                ..Response::new(&it.body)
            };
            let survey = geoparser.survey(&page::read(&response), &Hints::of_url(&it.url));
            survey.has_address_in(&gazetteer, &region)
        })
        .collect();
    let seconds = start.elapsed().as_secs_f64();
    let count = |said: bool, is: bool| {
        cases
            .iter()
            .zip(&verdicts)
            .filter(|(case, verdict)| **verdict == said && case.is_relevant == is)
            .count()
    };
    let (hits, false_alarms, missed) = (count(true, true), count(true, false), count(false, true));
    let share = |of: usize, whole: usize| if whole == 0 { 1.0 } else { of as f64 / whole as f64 };
    let (precision, recall) = (share(hits, hits + false_alarms), share(hits, hits + missed));
    let per_second = cases.len() as f64 / seconds;
    if arguments.json {
        return say_json(
            &json!({"pages": cases.len(), "relevant": hits + missed, "precision": precision,
                                "recall": recall, "pages_per_second": per_second}),
        );
    }
    let rows = [
        ["pages", "relevant", "found", "precision", "recall", "pages/s"]
            .map(str::to_owned)
            .to_vec(),
        vec![
            grouped(cases.len()),
            grouped(hits + missed),
            grouped(hits + false_alarms),
            format!("{precision:.4}"),
            format!("{recall:.4}"),
            grouped(per_second as usize),
        ],
    ];
    let mut text = table(&rows);
    let wrong = cases.iter().zip(&verdicts).filter(|(case, verdict)| case.is_relevant != **verdict);
    for (case, verdict) in wrong.take(arguments.wrong) {
        text += &format!("{}  {}\n", if *verdict { "false alarm" } else { "missed" }, case.url);
    }
    say(&text)
}

fn cases(file: &Path) -> Result<Vec<Case>> {
    let lines = BufReader::new(corpus::opened(file)?).lines();
    lines
        .enumerate()
        .map(|(at, line)| {
            let value: Value = serde_json::from_str(&line?)
                .with_context(|| format!("{}, line {}", file.display(), at + 1))?;
            let text = |name: &str| value[name].as_str().map(str::to_owned);
            Ok(Case {
                url: text("url").unwrap_or_default(),
                content_type: text("content_type"),
                body: text("bytes")
                    .map_or_else(|| text("body").unwrap_or_default().into_bytes(), |it| bytes(&it)),
                is_relevant: value["relevant"].as_bool().unwrap_or(false),
            })
        })
        .collect()
}

/// The bytes that the characters stand for.
fn bytes(text: &str) -> Vec<u8> {
    text.chars().map(|it| it as u8).collect()
}
