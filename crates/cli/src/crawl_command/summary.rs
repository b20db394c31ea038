//! What a run of a crawl has brought, and what to do next.

use std::collections::BTreeMap;
use std::path::Path;

use crawl::{Crawl, Ending};

use crate::output::grouped;

/// How many classes of errors are told.
const MOST_CLASSES: usize = 8;

/// What a run has brought, how it ended, and what to do next.
pub(super) fn of(crawl: &Crawl, data: &Path, how: Ending) -> String {
    let (progress, task, spent) = (crawl.progress(), crawl.task(), crawl.spent());
    let counts = crawl.frontier(|it| it.counts());
    let mut text = format!("crawl \"{}\": {}\n", task.name, ending(how));
    if how == Ending::BudgetUsed && progress.pages == 0 {
        text += &format!(
            "  the budget of {} was used up before: give a larger one with --budget to go on, \
             or begin a new round with --revisit\n",
            task.budget
        );
        return text;
    }
    text += &format!("  {}", counted(progress.pages, "page"));
    if spent.pages > progress.pages {
        text += &format!(" in this run, {} in all", grouped(spent.pages as usize));
    }
    text += &format!(" ({}, {})", bytes(spent.bytes), seconds(spent.time.as_secs_f64()));
    if !task.region.is_empty() {
        let harvest = progress.harvest() * 100.0;
        text += &format!(", {} relevant ({harvest:.0} %)", grouped(progress.relevant as usize));
    }
    text.push('\n');
    if !progress.errors.is_empty() {
        text += &format!("  errors: {}\n", classes(&progress.errors));
    }
    text += &format!(
        "  {} known on {}, {} still to visit\n",
        counted(counts.known, "link"),
        counted(counts.hosts, "host"),
        grouped((counts.queued + counts.waiting) as usize)
    );
    text += &format!("  archive: {}\n", crawl.archive().display());
    if how == Ending::BudgetUsed {
        text += "  to go on: the same command with a larger --budget\n";
    }
    let option = if data == Path::new("strabo-data") {
        String::new()
    } else {
        format!(" --data {}", data.display())
    };
    text + &format!("next: strabo index{option} {}\n", crawl.archive().display())
}

/// An ending in words.
pub(crate) fn ending(ending: Ending) -> &'static str {
    match ending {
        Ending::Finished => "finished, nothing is left to fetch",
        Ending::OnlySilentHosts => {
            "ended, only hosts are left that have to be left alone for long; later the same command asks them again"
        }
        Ending::NoNetwork => {
            "ended, nobody can be reached: the network seems to be down; nothing is lost, the same command goes on"
        }
        Ending::BudgetUsed => "ended, the budget is used up",
        Ending::Stopped => "stopped, the same command goes on",
    }
}

/// The most frequent first: `404 (12), timeout (3)`.
pub(super) fn classes(counts: &BTreeMap<String, u64>) -> String {
    let mut counts: Vec<_> = counts.iter().collect();
    counts.sort_by_key(|it| std::cmp::Reverse(*it.1));
    let shown = counts.iter().take(MOST_CLASSES);
    let mut shown: Vec<_> =
        shown.map(|(class, count)| format!("{class} ({})", grouped(**count as usize))).collect();
    if counts.len() > MOST_CLASSES {
        shown.push("…".to_owned());
    }
    shown.join(", ")
}

/// `1 page`, `1,200 pages`.
fn counted(count: u64, thing: &str) -> String {
    format!("{} {thing}{}", grouped(count as usize), if count == 1 { "" } else { "s" })
}

/// `512 bytes`, `12.3 MB`.
pub(crate) fn bytes(count: u64) -> String {
    let number = count as f64;
    match count {
        0..1_000 => format!("{count} bytes"),
        1_000..1_000_000 => format!("{:.1} kB", number / 1e3),
        1_000_000..1_000_000_000 => format!("{:.1} MB", number / 1e6),
        _ => format!("{:.2} GB", number / 1e9),
    }
}

/// `4.2 s`, `3 min 20 s`, `2 h 5 min`, `3 days 4 h`.
pub(crate) fn seconds(seconds: f64) -> String {
    let whole = seconds.max(0.0) as u64;
    match whole {
        0..60 => format!("{seconds:.1} s"),
        60..3_600 => format!("{} min {} s", whole / 60, whole % 60),
        3_600..86_400 => format!("{} h {} min", whole / 3600, whole % 3600 / 60),
        _ => format!("{} days {} h", whole / 86_400, whole % 86_400 / 3600),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_and_sizes_are_written_for_people() {
        assert_eq!(
            [4.23, 200.0, 7500.0, 270_000.0].map(seconds),
            ["4.2 s", "3 min 20 s", "2 h 5 min", "3 days 3 h"]
        );
        assert_eq!([512, 12_345, 12_345_678].map(bytes), ["512 bytes", "12.3 kB", "12.3 MB"]);
    }
}
