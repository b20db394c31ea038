//! `strabo archive cat`: one answer.

use std::io::{self, IsTerminal, Write};

use anyhow::{Context, Result, anyhow};
use archive::{Catalogue, Headers, Record};
use clap::Args;
use jiff::Timestamp;

use super::capture::Capture;
use super::{Folder, time};
use crate::output::say;

/// Write the newest answer to a URL: its body, unpacked.
#[derive(Args)]
pub(super) struct Arguments {
    /// What was asked for.
    url: String,
    /// The answer at that time instead of the newest one.
    #[arg(long, value_name = "TIME", value_parser = time)]
    at: Option<Timestamp>,
    /// Write the status and the headers before the body.
    #[arg(long)]
    headers: bool,
    /// Write the whole record as it is in the archive.
    #[arg(long, conflicts_with = "headers")]
    raw: bool,
    #[command(flatten)]
    folder: Folder,
}

pub(super) fn run(arguments: &Arguments) -> Result<()> {
    let folder = &arguments.folder.path();
    let catalogue = Catalogue::open(folder)?;
    let answers = catalogue.find(&arguments.url)?;
    let capture = Capture::of(&catalogue, folder, &answers, arguments.at)?.ok_or_else(|| {
        let mut message = format!("the archive has no answer to {}", arguments.url);
        if !catalogue.missing().is_empty() {
            message += ", as far as its catalogue knows: run \"strabo archive index\"";
        }
        anyhow!(message)
    })?;
    if arguments.raw {
        return write(&raw(&capture.answer));
    }
    let with_body = capture
        .with_body()
        .with_context(|| format!("the archive says only that {} was as before", arguments.url))?;
    let body = with_body.http().map_or_else(|| with_body.body.clone(), |it| it.body);
    if !arguments.headers {
        return write(&body);
    }
    let head = capture.with_head().http_within(0);
    let head = head.map_or_else(String::new, |it| {
        format!("HTTP/1.1 {}\r\n{}\r\n", it.status, lines(&it.headers))
    });
    write(&[head.as_bytes(), &body].concat())
}

/// The record as it is in the archive, unpacked.
fn raw(record: &Record) -> Vec<u8> {
    let head = format!("WARC/1.1\r\n{}\r\n", lines(&record.headers));
    [head.as_bytes(), &record.body, b"\r\n\r\n"].concat()
}

fn lines(headers: &Headers) -> String {
    let mut lines = String::new();
    for (name, value) in headers.iter() {
        lines += &format!("{name}: {value}\r\n");
    }
    lines
}

/// Writes bytes as they are, unless a terminal could take them for orders.
fn write(bytes: &[u8]) -> Result<()> {
    let mut out = io::stdout().lock();
    if out.is_terminal() {
        drop(out);
        return say(&String::from_utf8_lossy(bytes).replace("\r\n", "\n"));
    }
    out.write_all(bytes)?;
    Ok(out.flush()?)
}
