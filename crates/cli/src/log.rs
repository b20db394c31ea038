//! What the program tells while it works: warnings and errors, or more where that is wished for.

use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

use anyhow::{Context, Result};
use clap::{Args, ValueEnum};
use indicatif::ProgressBar;
use tracing_subscriber::EnvFilter;
use tracing_subscriber::fmt::MakeWriter;

/// The line of progress that is on the terminal: whatever else is said goes above it.
static LIVE: Mutex<Option<ProgressBar>> = Mutex::new(None);

/// What is told while the program works.
#[derive(Args)]
#[command(next_help_heading = "What is told meanwhile")]
#[allow(clippy::struct_field_names, reason = "arguments of all commands share one list of names")]
pub(crate) struct Settings {
    /// Tell more or less: error, warn, info, debug or trace, also by part, as in "warn,crawl=debug".
    #[arg(long = "log", value_name = "LEVEL", env = "STRABO_LOG", global = true)]
    log_level: Option<String>,
    /// How it is written.
    #[arg(
        long = "log-format",
        value_name = "FORM",
        value_enum,
        default_value = "text",
        global = true
    )]
    log_form: Form,
    /// Append it to this file instead of writing it to the terminal; then from info on.
    #[arg(long = "log-file", value_name = "FILE", global = true)]
    log_file: Option<PathBuf>,
}

#[derive(Clone, Copy, ValueEnum)]
enum Form {
    /// A line for people.
    Text,
    /// A JSON object on each line.
    Json,
}

impl Settings {
    /// Lets all that happens from now on be told.
    pub(crate) fn begin(&self) -> Result<()> {
        let usual = if self.log_file.is_some() { "info" } else { "warn" };
        let level = self.log_level.as_deref().filter(|it| !it.is_empty()).unwrap_or(usual);
        let filter = EnvFilter::builder().parse(level).with_context(|| {
            format!("\"{level}\" is no level: write error, warn, info, debug or trace")
        })?;
        let target = match &self.log_file {
            None => Target::Terminal,
            Some(path) => {
                let file = OpenOptions::new().create(true).append(true).open(path);
                Target::File(file.with_context(|| format!("{}", path.display()))?)
            }
        };
        let builder = tracing_subscriber::fmt().with_env_filter(filter).with_writer(target);
        let builder = builder.with_ansi(false).with_target(false);
        match self.log_form {
            Form::Text => builder.init(),
            Form::Json => builder.json().flatten_event(true).init(),
        }
        Ok(())
    }
}

/// Puts a line of progress on the terminal, or takes it away.
pub(crate) fn set_live(bar: Option<ProgressBar>) {
    *LIVE.lock().unwrap_or_else(PoisonError::into_inner) = bar;
}

/// Writes a line to the terminal, above the line of progress.
pub(crate) fn remark(text: &str) {
    above(|| {
        let _ = writeln!(io::stderr(), "{}", crate::output::harmless(text));
    });
}

fn above(write: impl FnOnce()) {
    let live = LIVE.lock().unwrap_or_else(PoisonError::into_inner).clone();
    match live {
        Some(bar) => bar.suspend(write),
        None => write(),
    }
}

/// Where events are written.
enum Target {
    Terminal,
    File(File),
}

/// One event on its way.
struct Event<'a> {
    target: &'a Target,
    text: Vec<u8>,
}

impl<'a> MakeWriter<'a> for Target {
    type Writer = Event<'a>;

    fn make_writer(&'a self) -> Event<'a> {
        Event { target: self, text: Vec::new() }
    }
}

impl Write for Event<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.text.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Drop for Event<'_> {
    fn drop(&mut self) {
        // An event that cannot be told is lost: there is nobody left to tell.
        let _ = match self.target {
            Target::Terminal => {
                above(|| drop(io::stderr().write_all(&self.text)));
                Ok(())
            }
            // In one piece, so that the events of two threads do not mix.
            Target::File(file) => {
                let mut file = file;
                file.write_all(&self.text)
            }
        };
    }
}
