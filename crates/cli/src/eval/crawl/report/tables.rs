//! The tables of a report.

use std::collections::{BTreeMap, BTreeSet};

use super::super::calibration::Calibration;
use super::super::crawl_tree::{Histogram, share_from};
use super::super::figures::{Behind, efficiency as gone, median, ratio};
use super::super::tabulation::{Table, figure, percent};
use super::super::topic_corpus::Verdict;
use super::{Measured, Report, SHARES, Trial};
use crate::output::grouped;

/// Which strategies are compared, the better first.
const PAIRS: [(&str, &str); 5] = [
    ("adaptive", "broad"),
    ("adaptive", "distance"),
    ("best", "adaptive"),
    ("best", "broad"),
    ("distance", "broad"),
];
/// Reference crawlers, with what they are called in tables.
const REFERENCES: [(&str, &str); 5] = [
    ("oracle", "graph: oracle"),
    ("linkdist", "graph: link distance"),
    ("broad", "graph: broad"),
    ("random", "graph: random"),
    ("limit min(1,r/B)", "limit of any crawl"),
];
/// Tails and bridges that are longer are counted together.
const LONGEST: usize = 5;
/// Seed distances beyond are counted together.
const FARTHEST: usize = 10;

/// How it was measured.
pub(super) fn set_up(report: &Report) -> Table {
    let set_up = &report.set_up;
    let mut table = Table::of_words(["what", "value"]);
    let commit = set_up.commit.as_ref().map(|it| format!(", commit {it}")).unwrap_or_default();
    table.row(["program".to_owned(), format!("strabo {}{commit}", set_up.version)]);
    table.row(["date", &set_up.date]);
    let stamps = report.webs.iter().flat_map(|it| &it.trials).map(|it| &it.score.web);
    let stamps: BTreeSet<String> = stamps
        .map(|it| {
            format!(
                "simweb {}, tool {}, profile {} {}",
                it.simweb, it.tool_hash, it.profile, it.profile_hash
            )
        })
        .collect();
    for stamp in stamps {
        table.row(["simulated web", &stamp]);
    }
    for web in &report.webs {
        let relevant = web.trials.first().map_or(0, |it| it.score.relevant_in_web);
        let share = percent(ratio(relevant as f64, web.urls as f64));
        table.row([
            format!("seed {}", web.recipe.seed),
            format!(
                "{} URLs, {} of them relevant ({share}); budget {} downloads",
                grouped(web.urls as usize),
                grouped(relevant as usize),
                grouped(web.downloads as usize)
            ),
        ]);
    }
    table.row(["looked for", &set_up.wanted]);
    table.row([
        "crawls".to_owned(),
        format!("budget {}, {} at a time, no delay", set_up.budget, set_up.threads),
    ]);
    table
}

/// The harvest of each strategy after shares of the web, in the middle of all webs.
pub(super) fn harvests(report: &Report) -> Table {
    let shares = SHARES.map(|it| format!("{:.0} %", it * 100.0));
    let mut table = Table::new(["harvest at".to_owned()].into_iter().chain(shares));
    for strategy in &report.strategies {
        let at = |share| report.median(|it| it.harvest_at(strategy, share));
        let cells = (0..SHARES.len()).map(|it| figure(at(it), 4));
        table.row([strategy.clone()].into_iter().chain(cells));
    }
    for (name, shown) in REFERENCES {
        let at = |share| report.median(|it| it.baselines.harvest(name, share));
        let cells = (0..SHARES.len()).map(|it| figure(at(it), 4));
        table.row([shown.to_owned()].into_iter().chain(cells));
    }
    table
}

/// A figure of each strategy on each web, and the middle.
pub(super) fn of_each(
    report: &Report,
    of: impl Fn(&Measured, &str) -> Option<f64>,
    digits: usize,
) -> Table {
    let mut table = Table::new(over_webs(report, "strategy"));
    for strategy in &report.strategies {
        let of = |it: &Measured| of(it, strategy);
        table.row(row_over_webs(report, strategy, of, |it| figure(it, digits)));
    }
    table
}

/// The share of relevant pages that each strategy found on each web.
pub(super) fn recall(report: &Report) -> Table {
    let mut head = over_webs(report, "strategy");
    head.push("different contents".to_owned());
    let mut table = Table::new(head);
    for strategy in &report.strategies {
        let recall =
            |it: &Measured| Some(it.trial(strategy)?.score.recall_of(it.relevant(strategy)?));
        let mut row = row_over_webs(report, strategy, recall, |it| figure(it, 3));
        let contents = |it: &Trial| {
            ratio(it.score.relevant_groups as f64, it.score.relevant_groups_in_web as f64)
        };
        row.push(figure(median(report.trials(strategy).filter_map(contents)), 3));
        table.row(row);
    }
    table
}

/// How many times as much one strategy harvests as another, when the budget is used up.
pub(super) fn ratios(report: &Report) -> Table {
    let mut table = Table::new(over_webs(report, "at the budget"));
    for (one, other) in pairs(report) {
        let of = |it: &Measured| ratio(it.harvest(one)?, it.harvest(other)?);
        let name = format!("{one} : {other}");
        table.row(row_over_webs(report, &name, of, |it| figure(it, 2)));
    }
    table
}

/// The same after shares of the web, in the middle of all webs.
pub(super) fn ratios_at_shares(report: &Report) -> Table {
    let shares = SHARES.map(|it| format!("{:.0} %", it * 100.0));
    let mut table = Table::new(["median at".to_owned()].into_iter().chain(shares));
    for (one, other) in pairs(report) {
        let at = |share| {
            let of =
                |it: &Measured| ratio(it.harvest_at(one, share)?, it.harvest_at(other, share)?);
            figure(report.median(of), 2)
        };
        let name = format!("{one} : {other}");
        table.row([name].into_iter().chain((0..SHARES.len()).map(at)));
    }
    table
}

fn pairs(report: &Report) -> Vec<(&'static str, &'static str)> {
    let is_there = |name: &str| report.strategies.iter().any(|it| it == name);
    PAIRS.into_iter().filter(|it| is_there(it.0) && is_there(it.1)).collect()
}

/// How much of the way from the broad crawl to the oracle each strategy went on each web.
pub(super) fn efficiency(report: &Report) -> Table {
    let mut table = Table::new(over_webs(report, "strategy"));
    for strategy in report.strategies.iter().filter(|it| *it != "broad") {
        let of = |it: &Measured| {
            let share = it.last_share()?;
            // Without a broad crawl of ours the one over the plan stands for it.
            let broad = it.harvest_at("broad", share);
            let broad = broad.or_else(|| it.baselines.harvest("broad", share))?;
            gone(it.harvest_at(strategy, share)?, broad, it.baselines.harvest("oracle", share)?)
        };
        table.row(row_over_webs(report, strategy, of, percent));
    }
    table
}

/// Where each strategy had found less than the broad crawl.
pub(super) fn behind(report: &Report) -> Table {
    let mut table = Table::new(["strategy", "seed", "points behind", "last after", "most"]);
    for strategy in report.strategies.iter().filter(|it| *it != "broad") {
        for web in &report.webs {
            let (Some(one), Some(broad)) = (web.curve(strategy), web.curve("broad")) else {
                continue;
            };
            let it = Behind::of(&one, &broad, web.downloads / 100, web.downloads);
            let is_never = it.points == 0;
            let unless_never = |text: String| if is_never { "never".to_owned() } else { text };
            table.row([
                strategy.clone(),
                web.recipe.seed.to_string(),
                format!("{} of {}", it.points, it.compared),
                unless_never(format!("{} downloads", grouped(it.last as usize))),
                figure(Some(it.most).filter(|_| !is_never), 4),
            ]);
        }
    }
    table
}

/// How many pages lie between a relevant page and the next.
pub(super) fn bridges(report: &Report) -> Table {
    let head = ["bridges".to_owned()].into_iter().chain(steps(0, LONGEST));
    let mut table = Table::new(head.chain(["at least one".to_owned()]));
    for strategy in &report.strategies {
        let bridges = together(report.trials(strategy).map(|it| &it.tree.bridges));
        let mut row = vec![strategy.clone()];
        row.extend(shares(&bridges, 0, LONGEST));
        row.push(percent(share_from(&bridges, 1)));
        table.row(row);
    }
    table
}

/// How long branches are that leave a relevant page and meet none any more.
pub(super) fn tails(report: &Report) -> Table {
    let head = ["tails".to_owned()].into_iter().chain(steps(1, LONGEST));
    let mut table = Table::new(head.chain(["number", "never started"].map(str::to_owned)));
    for strategy in &report.strategies {
        let tails = together(report.trials(strategy).map(|it| &it.tree.tails));
        let mut row = vec![strategy.clone()];
        row.extend(shares(&tails, 1, LONGEST));
        row.push(grouped(tails.values().sum()));
        row.push(grouped(report.trials(strategy).map(|it| it.tree.never_started).sum()));
        table.row(row);
    }
    table
}

/// How far from the seeds relevant pages lie.
pub(super) fn seed_distances(report: &Report) -> Table {
    let head = ["links from a seed".to_owned()].into_iter().chain(steps(0, FARTHEST));
    let mut table = Table::new(head);
    for strategy in &report.strategies {
        let distances = together(report.trials(strategy).map(|it| &it.tree.seed_distances));
        let cells = shares(&distances, 0, FARTHEST);
        table.row([strategy.clone()].into_iter().chain(cells));
    }
    table
}

/// `0`, `1`, … and `5+` for all from there on.
fn steps(first: usize, last: usize) -> impl Iterator<Item = String> {
    (first..=last).map(move |it| if it < last { it.to_string() } else { format!("{it}+") })
}

/// The shares of a histogram, the last with all beyond.
fn shares(histogram: &Histogram, first: usize, last: usize) -> Vec<String> {
    let all: usize = histogram.values().sum();
    let share = |it: usize| {
        let count = histogram.get(&it).copied().unwrap_or_default();
        ratio(count as f64, all as f64)
    };
    let step = |it: usize| percent(if it < last { share(it) } else { share_from(histogram, it) });
    (first..=last).map(step).collect()
}

fn together<'a>(histograms: impl Iterator<Item = &'a Histogram>) -> Histogram {
    let mut sum = Histogram::new();
    for (step, count) in histograms.flatten() {
        *sum.entry(*step).or_default() += count;
    }
    sum
}

/// What downloads went to that brought nothing relevant.
pub(super) fn waste(report: &Report) -> Table {
    let mut sums: BTreeMap<&str, u64> = BTreeMap::new();
    let trials = report.webs.iter().flat_map(|it| &it.trials);
    for (cause, count) in trials.flat_map(|it| &it.score.waste) {
        *sums.entry(cause).or_default() += count;
    }
    let mut causes: Vec<(&str, u64)> = sums.into_iter().collect();
    causes.sort_by_key(|it| std::cmp::Reverse(it.1));
    let causes: Vec<&str> = causes.into_iter().map(|it| it.0).collect();
    let mut table = Table::new(["strategy"].iter().chain(&causes).copied());
    for strategy in &report.strategies {
        let downloads: u64 = report.trials(strategy).map(|it| it.score.downloads).sum();
        let share = |cause: &&str| {
            let counts = report.trials(strategy).filter_map(|it| it.score.waste.get(*cause));
            percent(ratio(counts.sum::<u64>() as f64, downloads as f64))
        };
        table.row([strategy.clone()].into_iter().chain(causes.iter().map(share)));
    }
    table
}

/// What links had promised, and what came of it.
pub(super) fn calibration(report: &Report) -> Table {
    let classes = (0..10).map(|it| format!("0.{it}"));
    let head = ["promised from".to_owned()].into_iter().chain(classes);
    let mut table = Table::new(head.chain(["error", "Brier"].map(str::to_owned)));
    for strategy in report.promising() {
        let all = Calibration::together(report.trials(strategy).map(|it| &it.calibration));
        let mut pages = vec![format!("{strategy}: pages")];
        pages.extend(all.classes.iter().map(|it| grouped(it.pages)));
        pages.extend([String::new(), String::new()]);
        table.row(pages);
        let mut kept = vec![format!("{strategy}: relevant")];
        kept.extend(all.classes.iter().map(|it| figure(it.kept(), 3)));
        kept.extend([figure(all.error(), 3), figure(all.brier(), 3)]);
        table.row(kept);
    }
    table
}

/// The measures of Kozanidis, Stamou and Spiros.
pub(super) fn orientation(report: &Report) -> Table {
    let head = ["strategy", "pages read", "with a place", "accuracy", "places", "coverage"];
    let mut table = Table::new(head.into_iter().chain(["coverage of 1,265"]));
    for strategy in &report.strategies {
        let all = || report.trials(strategy).map(|it| it.orientation);
        let pages: usize = all().map(|it| it.pages).sum();
        let placed: usize = all().map(|it| it.placed).sum();
        // Whoever follows every link has promised nothing.
        let accuracy = median(all().filter_map(|it| it.accuracy()));
        let accuracy = accuracy.filter(|_| strategy == "rank");
        table.row([
            strategy.clone(),
            grouped(pages),
            percent(ratio(placed as f64, pages as f64)),
            percent(accuracy),
            grouped(all().map(|it| it.places).sum()),
            percent(median(all().filter_map(|it| it.coverage()))),
            percent(median(all().filter_map(|it| it.coverage_of_sample()))),
        ]);
    }
    table
}

/// How the crawler's own judgement agrees with the truth.
pub(super) fn judgement(report: &Report) -> Table {
    let head = ["strategy", "pages", "precision", "recall", "places precision", "places recall"];
    let mut table = Table::new(head);
    for strategy in &report.strategies {
        let all = || report.trials(strategy).filter_map(|it| it.score.judgement);
        let pages: u64 = all().map(|it| it.pages).sum();
        table.row([
            strategy.clone(),
            grouped(pages as usize),
            figure(median(all().map(|it| it.precision)), 4),
            figure(median(all().map(|it| it.recall)), 4),
            figure(median(all().filter_map(|it| it.places_precision)), 4),
            figure(median(all().filter_map(|it| it.places_recall)), 4),
        ]);
    }
    table
}

/// How surely pages about a topic were told from others, for each threshold.
pub(super) fn topic(report: &Report) -> Table {
    let head = ["more than", "two tests: precision", "recall", "F"];
    let mut table = Table::new(head.into_iter().chain(["one list: precision", "recall", "F"]));
    for (threshold, verdicts) in super::by_threshold(report) {
        let middle = |of: fn(&Verdict) -> f64| figure(median(verdicts.iter().map(of)), 3);
        table.row([
            threshold,
            middle(|it| it.two_tests.precision),
            middle(|it| it.two_tests.recall),
            middle(|it| it.two_tests.f),
            middle(|it| it.one_list.precision),
            middle(|it| it.one_list.recall),
            middle(|it| it.one_list.f),
        ]);
    }
    table
}

/// How quick the crawls were, and how they ended.
pub(super) fn speed(report: &Report) -> Table {
    let head = ["strategy", "seed", "downloads", "relevant", "seconds", "answers a second"];
    let mut table = Table::new(head.into_iter().chain(["against robots.txt", "ending"]));
    for strategy in &report.strategies {
        for web in &report.webs {
            let Some(trial) = web.trial(strategy) else { continue };
            table.row([
                strategy.clone(),
                web.recipe.seed.to_string(),
                grouped(trial.score.downloads as usize),
                grouped(trial.score.relevant as usize),
                format!("{:.1}", trial.seconds),
                figure(ratio(trial.answers as f64, trial.seconds), 0),
                trial.score.robots_violations.to_string(),
                trial.ending.to_owned(),
            ]);
        }
    }
    table
}

/// The head of a table with a column for each web and one for the middle.
fn over_webs(report: &Report, first: &str) -> Vec<String> {
    let mut head = vec![first.to_owned()];
    head.extend(report.webs.iter().map(|it| format!("seed {}", it.recipe.seed)));
    if report.webs.len() > 1 {
        head.push("median".to_owned());
    }
    head
}

fn row_over_webs(
    report: &Report,
    name: &str,
    of: impl Fn(&Measured) -> Option<f64>,
    written: impl Fn(Option<f64>) -> String,
) -> Vec<String> {
    let mut row = vec![name.to_owned()];
    row.extend(report.webs.iter().map(|it| written(of(it))));
    if report.webs.len() > 1 {
        row.push(written(report.median(of)));
    }
    row
}
