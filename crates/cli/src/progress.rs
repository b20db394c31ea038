//! Progress of long work, on a terminal.

use std::io::IsTerminal;

use indicatif::{ProgressBar, ProgressStyle};

/// A bar over so many bytes, with rate and time left; silent where nobody watches.
pub(crate) fn bytes(total: u64, title: &str) -> ProgressBar {
    if !std::io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let style = "{msg:<24} {bar:30} {bytes}/{total_bytes} {bytes_per_sec} {eta} left";
    let bar = ProgressBar::new(total).with_message(title.to_owned());
    bar.with_style(ProgressStyle::with_template(style).expect("the template is a constant"))
}

/// A turning sign for work whose length is not known.
pub(crate) fn waiting(title: &str) -> ProgressBar {
    if !std::io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let bar = ProgressBar::new_spinner().with_message(title.to_owned());
    bar.enable_steady_tick(std::time::Duration::from_millis(120));
    bar
}

/// A bar over so many things.
pub(crate) fn count(total: u64, title: &str) -> ProgressBar {
    if !std::io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let style = "{msg:<24} {bar:30} {human_pos}/{human_len} {per_sec} {eta} left";
    let bar = ProgressBar::new(total).with_message(title.to_owned());
    bar.with_style(ProgressStyle::with_template(style).expect("the template is a constant"))
}
