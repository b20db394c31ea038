//! `strabo eval addresses`: how well address strings are taken apart.

use std::io::{BufRead, BufReader};
use std::path::PathBuf;

use anyhow::{Context, Result};
use clap::Args;
use geoparse::{Addresses, Hints};
use serde_json::{Value, json};

use crate::corpus;
use crate::opened::Choice;
use crate::output::{grouped, say, say_json, table};

/// The address reader, against strings with known parts.
#[derive(Args)]
#[command(after_help = FORMAT)]
pub(crate) struct Arguments {
    /// Files of cases, one JSON object a line, gzipped or not.
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// Show so many of the parts that went wrong.
    #[arg(long, value_name = "N", default_value_t = 0)]
    wrong: usize,
    /// Answer in JSON.
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    choice: Choice,
}

const FORMAT: &str = "A case: {\"text\": \"Lange Straße 5, 26122 Oldenburg\", \"expected\": {\"street\": \"Lange Straße\",
\"housenumber\": \"5\", \"postcode\": \"26122\", \"locality\": \"Oldenburg\"}}";

/// The parts that are compared.
const PARTS: [&str; 4] = ["housenumber", "street", "postcode", "locality"];

pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    let gazetteer = arguments.choice.open()?;
    let addresses = Addresses::new(&gazetteer);
    let mut counts = [(0_usize, 0_usize); PARTS.len()];
    let mut wrong = Vec::new();
    for file in &arguments.files {
        for (at, line) in BufReader::new(corpus::opened(file)?).lines().enumerate() {
            let case: Value = serde_json::from_str(&line?)
                .with_context(|| format!("{}, line {}", file.display(), at + 1))?;
            let text = case["text"].as_str().unwrap_or_default();
            let found = addresses.parse(text, &Hints::default());
            let parts = [&found.number, &found.street, &found.postcode, &found.city];
            for ((name, part), count) in PARTS.iter().zip(parts).zip(&mut counts) {
                let Some(expected) = case["expected"][*name].as_str() else { continue };
                let ours = part.as_ref().map_or("", |it| it.text.as_str());
                let is_right = plain(ours) == plain(expected);
                *count = (count.0 + usize::from(is_right), count.1 + 1);
                if !is_right {
                    wrong.push(format!("{name}  {text}  ->  {ours}  (expected {expected})"));
                }
            }
        }
    }
    let share =
        |(right, all): (usize, usize)| if all == 0 { 0.0 } else { right as f64 / all as f64 };
    if arguments.json {
        let parts = PARTS.iter().zip(counts);
        return say_json(&parts.map(|(name, it)| json!({"part": name, "right": it.0, "cases": it.1, "rate": share(it)})).collect());
    }
    let mut rows = vec![["part", "cases", "right", "rate"].map(str::to_owned).to_vec()];
    for (name, it) in PARTS.iter().zip(counts) {
        rows.push(vec![
            (*name).to_owned(),
            grouped(it.1),
            grouped(it.0),
            format!("{:.3}", share(it)),
        ]);
    }
    let mut text = table(&rows);
    wrong.iter().take(arguments.wrong).for_each(|it| text += &format!("{it}\n"));
    say(&text)
}

/// What counts when parts are compared: no case, no full stop at the end.
fn plain(part: &str) -> String {
    part.trim().trim_end_matches(['.', ',']).to_lowercase()
}
