//! `strabo index`: make pages and documents searchable.

use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::Result;
use clap::Args;
use gazetteer::Gazetteer;
use index::{Library, Order, Phase, Progress};

use crate::opened::Choice;
use crate::output::{grouped, say};
use crate::progress;

/// How far a build steps back behind other programs, of 19.
const GENTLE: i32 = 10;

/// Where the index is.
#[derive(Args, Clone)]
pub(crate) struct Place {
    /// The directory that holds the index, the archive and the crawls.
    #[arg(
        long,
        value_name = "DIR",
        env = "STRABO_DATA",
        default_value = "strabo-data",
        global = true
    )]
    data: PathBuf,
}

impl Place {
    /// The directory of all data.
    pub(crate) fn data(&self) -> &Path {
        &self.data
    }

    pub(crate) fn library(&self) -> Library {
        Library::at(self.data.join("index"))
    }
}

/// Make pages and documents searchable.
///
/// Files may be WARC archives (plain, gzip or zstd) and JSON lines with the fields id, url, title, text,
/// published, language, topic, and points, address or place. Of a document that states none of the last
/// three, the text is geoparsed. A directory stands for all such files in it. Without files, those of the
/// last time are looked at again; the first time, the archive of the crawls is taken.
///
/// The index is built aside and made current when it is whole: searches go on meanwhile, and a build that
/// is killed leaves the index as it was.
#[derive(Args)]
#[allow(clippy::struct_excessive_bools, reason = "each is a switch of its own")]
pub(crate) struct Arguments {
    /// WARC archives, files of JSON lines, or directories of them.
    #[arg(value_name = "FILE")]
    sources: Vec<PathBuf>,
    /// Forget the old index and build a new one from all files.
    #[arg(long, conflicts_with_all = ["verify", "rollback", "info"])]
    full: bool,
    /// The language of documents that do not tell theirs, as two letters; "und" to stem no words.
    #[arg(long, value_name = "CODE")]
    language: Option<String>,
    /// Check every file and every document of the current index instead.
    #[arg(long, conflicts_with_all = ["rollback", "info"])]
    verify: bool,
    /// Go back to the index before the current one instead.
    #[arg(long, conflicts_with = "info")]
    rollback: bool,
    /// Tell what is in the current index instead.
    #[arg(long)]
    info: bool,
    #[command(flatten)]
    place: Place,
    #[command(flatten)]
    gazetteer: Choice,
}

pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    let library = arguments.place.library();
    if arguments.rollback {
        let number = library.rollback()?;
        return say(&format!("generation {number} is current again"));
    }
    if arguments.info {
        return info(&library);
    }
    if arguments.verify {
        return verify(arguments, &library);
    }
    build(arguments, &library)
}

fn build(arguments: &Arguments, library: &Library) -> Result<()> {
    let gazetteer = arguments.gazetteer.open()?;
    // Searches on the same machine come first. Where that cannot be had, they have to share.
    let _ = rustix::process::nice(GENTLE);
    let mut sources = arguments.sources.clone();
    let archive = arguments.place.data().join("archive");
    // The first time after a crawl there is little else that could be meant.
    if sources.is_empty() && library.current_number().is_err() && archive.is_dir() {
        sources.push(archive);
    }
    let order = Order {
        sources,
        is_full: arguments.full,
        language: arguments.language.clone(),
        ..Order::default()
    };
    say(&built(&gazetteer, library, &order)?)
}

/// Builds an index, with a line of progress; gives what has become of it, in words.
pub(crate) fn built(gazetteer: &Gazetteer, library: &Library, order: &Order) -> Result<String> {
    let start = Instant::now();
    let mut bar = progress::bytes(0, "reading");
    let mut phase = Phase::Reading;
    let report = library.index(gazetteer, order, &mut |progress: &Progress| {
        if progress.phase != phase {
            bar.finish_and_clear();
            phase = progress.phase;
            bar = match phase {
                Phase::Checking => progress::waiting("taking checksums"),
                _ => progress::count(progress.total, "writing"),
            };
        }
        bar.set_length(progress.total);
        bar.set_position(progress.done);
        if phase == Phase::Reading {
            bar.set_message(reading(progress, start));
        }
    });
    bar.finish_and_clear();
    let report = report?;
    let mut text = if report.is_new {
        format!(
            "generation {}: {}, {} new or changed",
            report.number,
            counted(report.documents, "document"),
            grouped(report.taken as usize)
        )
    } else {
        format!(
            "nothing new: generation {} stays, with {}",
            report.number,
            counted(report.documents, "document")
        )
    };
    if report.replaced > 0 {
        text += &format!(", {} replaced", grouped(report.replaced as usize));
    }
    text += &format!(" ({:.1} s)\n", start.elapsed().as_secs_f64());
    for (skip, count) in &report.skipped {
        text += &format!("  {:>9} {}\n", grouped(*count as usize), skip.name());
    }
    for complaint in &report.complaints {
        text += &format!("  {complaint}\n");
    }
    Ok(text)
}

/// How far reading has come, in words.
fn reading(progress: &Progress, start: Instant) -> String {
    let rate = progress.documents as f64 / start.elapsed().as_secs_f64().max(0.001);
    let skipped: u64 = progress.skipped.values().sum();
    let mut text = format!("{} pages, {rate:.0}/s", grouped(progress.documents as usize));
    if skipped > 0 {
        let most = progress.skipped.iter().max_by_key(|it| it.1);
        let reason = most.map_or("", |it| it.0.name());
        text += &format!(", {} skipped (mostly {reason})", grouped(skipped as usize));
    }
    text
}

fn verify(arguments: &Arguments, library: &Library) -> Result<()> {
    let gazetteer = arguments.gazetteer.open()?;
    let generation = library.open(&gazetteer)?;
    let bar = progress::count(generation.documents(), "verifying");
    let verified = generation.verify(&gazetteer, &mut |it| bar.set_position(it.documents));
    bar.finish_and_clear();
    let it = verified?;
    say(&format!(
        "generation {} is whole: {} files, {} documents, {} spots, {} entries of the hierarchy",
        generation.manifest.number,
        it.files,
        grouped(it.documents as usize),
        grouped(it.spots as usize),
        grouped(it.places as usize)
    ))
}

fn info(library: &Library) -> Result<()> {
    let manifest = library.manifest()?;
    let others = library.generations()?;
    let made = index_time(manifest.made);
    let mut text = format!(
        "generation {}, made {made}: {} in {}\n",
        manifest.number,
        counted(manifest.documents(), "document"),
        counted(manifest.shards.len() as u64, "shard")
    );
    let size = |is_page: bool| -> u64 {
        let pages = manifest.files.iter().filter(|it| {
            let name = it.path.file_name().unwrap_or_default().to_string_lossy();
            name.starts_with("pages.") == is_page
        });
        pages.map(|it| it.length).sum()
    };
    text += &format!(
        "  {} MB index, {} MB stored pages\n",
        size(false).div_ceil(1_000_000),
        size(true).div_ceil(1_000_000)
    );
    for (reason, count) in &manifest.skipped {
        text += &format!("  {:>9} skipped: {reason}\n", grouped(*count as usize));
    }
    for source in &manifest.sources {
        text += &format!("  from {}\n", source.path.display());
    }
    let earlier: Vec<String> =
        others.iter().filter(|it| **it != manifest.number).map(u64::to_string).collect();
    if !earlier.is_empty() {
        text += &format!("  also kept: generation {}\n", earlier.join(", "));
    }
    say(&text)
}

/// `1 document`, `1,200 documents`.
fn counted(count: u64, thing: &str) -> String {
    let ending = if count == 1 { "" } else { "s" };
    format!("{} {thing}{ending}", grouped(count as usize))
}

fn index_time(seconds: i64) -> String {
    jiff::Timestamp::from_second(seconds)
        .map_or_else(|_| "at an unknown time".to_owned(), |it| it.to_string())
}
