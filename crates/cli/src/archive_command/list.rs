//! `strabo archive ls`: the answers in the archive.

use anyhow::Result;
use archive::{Catalogue, Entry};
use clap::Args;
use serde_json::json;

use super::Folder;
use crate::output::{grouped, say};

/// So many lines are printed at once: an archive has millions.
const LINES: usize = 1000;

/// List the answers in the archive: when, status, type, size in the archive, URL.
#[derive(Args)]
pub(super) struct Arguments {
    /// How the URLs begin.
    #[arg(value_name = "URL")]
    prefix: Option<String>,
    /// Print one JSON object in a line for each answer.
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    folder: Folder,
}

pub(super) fn run(arguments: &Arguments) -> Result<()> {
    let catalogue = Catalogue::open(&arguments.folder.path())?;
    let prefix = arguments.prefix.as_deref().unwrap_or_default();
    let mut text = String::new();
    let mut lines = 0;
    for entry in catalogue.iter() {
        let entry = entry?;
        if !entry.url.starts_with(prefix) {
            continue;
        }
        text += &if arguments.json { as_json(&entry) } else { line(&entry) };
        lines += 1;
        if lines % LINES == 0 {
            say(&text)?;
            text.clear();
        }
    }
    if !arguments.json {
        if lines == 0 {
            text += "no answers\n";
        }
        if !catalogue.missing().is_empty() {
            let count = grouped(catalogue.missing().len());
            text += &format!("{count} files have no catalogue: run \"strabo archive index\"\n");
        }
    }
    if text.is_empty() { Ok(()) } else { say(&text) }
}

fn line(entry: &Entry) -> String {
    let status = entry.status.map_or_else(|| "-".to_owned(), |it| it.to_string());
    let mime = entry.mime.as_deref().unwrap_or("-");
    format!("{}  {status:>3}  {mime:<16}  {:>9}  {}\n", entry.date, entry.length, entry.url)
}

fn as_json(entry: &Entry) -> String {
    let line = json!({
        "url": entry.url,
        "date": entry.date.to_string(),
        "status": entry.status,
        "mime": entry.mime,
        "digest": entry.digest,
        "length": entry.length,
        "file": entry.position.file,
        "offset": entry.position.offset,
    });
    format!("{line}\n")
}
