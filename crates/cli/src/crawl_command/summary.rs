//! What a run of a crawl has brought, and what to do next.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::Result;
use crawl::{Crawl, Ending, LostSeed};

use crate::output::grouped;

/// How many classes of errors are told.
const MOST_CLASSES: usize = 8;
/// How many seeds of which nothing came are told.
const MOST_SEEDS: usize = 10;

/// A run as its operator hears of it in the end.
pub(super) struct Summary {
    /// What it has brought, how it ended, and what to do next.
    pub(super) text: String,
    /// Whether it should have brought something and did not.
    pub(super) is_in_vain: bool,
}

/// What a run has brought, how it ended, and what to do next.
pub(super) fn of(crawl: &Crawl, data: &Path, how: Ending) -> Result<Summary> {
    let (progress, task, spent) = (crawl.progress(), crawl.task(), crawl.spent());
    let mut text = format!("crawl \"{}\": {}\n", task.name, ending(how));
    let before = crawl.spent_before();
    if how == Ending::BudgetUsed && task.budget.is_used_up(&before) {
        text += &format!(
            "  the budget of {} was used up before, by {} in {}: give a larger one with --budget to go on, \
             or begin a new round with --revisit\n",
            task.budget,
            counted(before.pages, "page"),
            seconds(before.time.as_secs_f64())
        );
        return Ok(Summary { text, is_in_vain: false });
    }
    let counts = crawl.frontier(|it| it.counts());
    text += &format!("  {}", counted(progress.pages, "page"));
    if spent.pages > progress.pages {
        text += &format!(" in this run, {} in all", grouped(spent.pages as usize));
    }
    text += &format!(" ({}, {})", bytes(spent.bytes), seconds(spent.time.as_secs_f64()));
    if task.has_goal() {
        let harvest = progress.harvest() * 100.0;
        text += &format!(", {} relevant ({harvest:.0} %)", grouped(progress.relevant as usize));
    }
    text.push('\n');
    if !progress.errors.is_empty() {
        text += &format!("  errors: {}\n", classes(&progress.errors));
    }
    let (lost, lost_count) = crawl.lost_seeds(MOST_SEEDS)?;
    // What was silent while the network was down may have nothing wrong with it.
    if how != Ending::NoNetwork {
        text += &lost_seeds(&lost, lost_count);
    }
    text += &format!(
        "  {} known on {}, {} still to visit\n",
        counted(counts.known, "link"),
        counted(counts.hosts, "host"),
        grouped((counts.queued + counts.waiting) as usize)
    );
    let is_alone = counts.known <= task.seeds.len() as u64;
    if is_alone && progress.read > 0 && !progress.filtered.is_empty() {
        text += &format!(
            "  no link beyond the seeds was taken in; left out: {}\n",
            classes(&progress.filtered)
        );
    }
    text += &format!("  archive: {}\n", crawl.archive().display());
    if how == Ending::BudgetUsed {
        text += "  to go on: the same command with a larger --budget\n";
    }
    if crawl.total().read > 0 {
        let option = if data == Path::new("strabo-data") {
            String::new()
        } else {
            format!(" --data {}", data.display())
        };
        text += &format!("next: strabo index{option} {}\n", crawl.archive().display());
    }
    // A crawl that is at its end already, and asked nobody, has not failed.
    let has_asked = progress.pages > 0 || !progress.errors.is_empty();
    let is_in_vain = has_asked && progress.read == 0 && lost_count > 0 && how != Ending::Stopped;
    Ok(Summary { text, is_in_vain })
}

/// Why nothing came of some seeds, each on a line.
fn lost_seeds(lost: &[LostSeed], count: usize) -> String {
    let mut text = String::new();
    if let Some(first) = lost.first() {
        let these = if count == 1 { "this seed" } else { "these seeds" };
        text += &format!("  nothing came of {these}:\n    {}: {}\n", first.url, first.reason);
    }
    for seed in lost.iter().skip(1) {
        text += &format!("    {}: {}\n", seed.url, seed.reason);
    }
    if count > lost.len() {
        text += &format!("    and {} more\n", grouped(count - lost.len()));
    }
    text
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
    fn seeds_of_which_nothing_came_are_told_up_to_a_limit() {
        let seed = |url: &str| LostSeed { url: url.into(), reason: "why".into() };
        assert_eq!(lost_seeds(&[], 0), "");
        assert_eq!(lost_seeds(&[seed("a")], 1), "  nothing came of this seed:\n    a: why\n");
        assert_eq!(
            lost_seeds(&[seed("a"), seed("b")], 1_003),
            "  nothing came of these seeds:\n    a: why\n    b: why\n    and 1,001 more\n"
        );
    }

    #[test]
    fn times_and_sizes_are_written_for_people() {
        assert_eq!(
            [4.23, 200.0, 7500.0, 270_000.0].map(seconds),
            ["4.2 s", "3 min 20 s", "2 h 5 min", "3 days 3 h"]
        );
        assert_eq!([512, 12_345, 12_345_678].map(bytes), ["512 bytes", "12.3 kB", "12.3 MB"]);
    }
}
