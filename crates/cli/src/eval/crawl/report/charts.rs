//! The charts of a report.

use super::super::calibration::{Calibration, Class};
use super::super::chart::{Axis, Chart, Line, Unit};
use super::super::figures::median;
use super::super::topic_corpus::Verdict;
use super::{Measured, Report, SHARES};

/// How many points a line has.
const POINTS: u64 = 100;
/// The first few downloads are seeds and chance: lines begin after this share of the budget.
const FROM: u64 = 2;
/// Reference crawlers that are shown, with their names in the chart and their colours.
const SHOWN: [(&str, &str, usize); 2] =
    [("oracle", "oracle", 5), ("linkdist", "graph distance", 7)];
/// The colours of strategies in their order; the others are those of the reference crawlers.
const COLOURS: [usize; 6] = [0, 1, 2, 3, 4, 6];
const LARGE: (f64, f64) = (860.0, 400.0);
const SMALL: (f64, f64) = (420.0, 260.0);

/// The harvest of each strategy in the middle of all webs.
pub(super) fn harvest(report: &Report) -> Chart {
    let mut lines =
        lines(report, |web, strategy, downloads| web.curve(strategy)?.harvest_at(downloads));
    for (name, shown, colour) in SHOWN {
        let point = |share: usize| {
            let reached = report.webs.iter().filter(|it| it.last_share() >= Some(share));
            let harvest = median(reached.filter_map(|it| it.baselines.harvest(name, share)))?;
            Some((SHARES[share], harvest))
        };
        lines.push(reference(shown, colour, (0..SHARES.len()).filter_map(point).collect()));
    }
    Chart {
        title: format!("Harvest, median over {}", report.count_of_webs()),
        across: across(),
        up: up("relevant among all downloads so far", &lines),
        lines: drawable(lines),
        size: LARGE,
    }
}

/// The harvest of each strategy on each web.
pub(super) fn harvest_of_each(report: &Report) -> Vec<Chart> {
    let mut charts: Vec<Chart> = report.webs.iter().map(|it| harvest_of(report, it)).collect();
    // Only what has the same height can be compared.
    let lines: Vec<Line> = charts.iter().flat_map(|it| it.lines.clone()).collect();
    for chart in &mut charts {
        chart.up = up("harvest", &lines);
    }
    charts
}

fn harvest_of(report: &Report, web: &Measured) -> Chart {
    let line = |(place, strategy): (usize, &String)| {
        let curve = web.curve(strategy).unwrap_or_default();
        let point = |part: u64| {
            let downloads = web.downloads * part / POINTS;
            Some((downloads as f64 / web.urls.max(1) as f64, curve.harvest_at(downloads)?))
        };
        solid(strategy, COLOURS[place % COLOURS.len()], (FROM..=POINTS).filter_map(point).collect())
    };
    let mut lines: Vec<Line> = report.strategies.iter().enumerate().map(line).collect();
    for (name, shown, colour) in SHOWN {
        let last = web.last_share().map_or(0, |it| it + 1);
        let point = |share: usize| Some((SHARES[share], web.baselines.harvest(name, share)?));
        lines.push(reference(shown, colour, (0..last).filter_map(point).collect()));
    }
    Chart {
        title: format!("Seed {}", web.recipe.seed),
        across: across(),
        up: share("harvest"),
        lines: drawable(lines),
        size: SMALL,
    }
}

/// The share of relevant pages that each strategy had found, in the middle of all webs.
pub(super) fn recall(report: &Report) -> Chart {
    let lines = lines(report, |web, strategy, downloads| {
        let score = &web.trial(strategy)?.score;
        Some(score.recall_of(score.curve().relevant_at(downloads)?))
    });
    Chart {
        title: format!("Recall, median over {}", report.count_of_webs()),
        across: across(),
        up: share("found of all relevant pages"),
        lines: drawable(lines),
        size: LARGE,
    }
}

/// What links had promised against what came of it, all webs together.
pub(super) fn calibration(report: &Report) -> Vec<Chart> {
    let mut charts = Vec::new();
    for strategy in report.promising() {
        let all = Calibration::together(report.trials(strategy).map(|it| &it.calibration));
        let point = |it: &Class| Some((it.promise()?, it.kept()?));
        let points = all.classes.iter().filter_map(point).collect();
        let place = report.strategies.iter().position(|it| it == strategy).unwrap_or_default();
        let axis = |label: &str| Axis { least_end: 1.0, ..Axis::new(label, Unit::Plain) };
        charts.push(Chart {
            title: format!("Promises of {strategy}"),
            across: axis("promised"),
            up: axis("relevant"),
            lines: vec![
                Line { is_marked: true, ..solid(strategy, COLOURS[place % COLOURS.len()], points) },
                Line { is_dashed: true, ..solid("perfect", 0, vec![(0.0, 0.0), (1.0, 1.0)]) },
            ],
            size: SMALL,
        });
    }
    charts
}

/// How well pages about a topic were told from others with each threshold, in the middle of all webs.
pub(super) fn topic(report: &Report) -> Vec<Chart> {
    let verdicts = super::by_threshold(report);
    if verdicts.is_empty() {
        return Vec::new();
    }
    let points = |f: fn(&Verdict) -> f64| {
        let point = |all: &Vec<Verdict>| Some((all.first()?.threshold, median(all.iter().map(f))?));
        verdicts.values().filter_map(point).collect()
    };
    let axis = |label: &str| Axis { least_end: 1.0, ..Axis::new(label, Unit::Plain) };
    vec![Chart {
        title: format!("Pages about the topic, median over {}", report.count_of_webs()),
        across: axis("threshold"),
        up: axis("F"),
        lines: vec![
            Line { is_marked: true, ..solid("two tests", 2, points(|it| it.two_tests.f)) },
            Line { is_marked: true, ..solid("one list", 0, points(|it| it.one_list.f)) },
        ],
        size: SMALL,
    }]
}

/// A line for each strategy, through the median over the webs of a figure after so many downloads.
fn lines(report: &Report, figure: impl Fn(&Measured, &str, u64) -> Option<f64>) -> Vec<Line> {
    let line = |(place, strategy): (usize, &String)| {
        let point = |part: u64| {
            let after = |web: &Measured| web.downloads * part / POINTS;
            let figures: Vec<f64> =
                report.webs.iter().filter_map(|it| figure(it, strategy, after(it))).collect();
            // Where most crawls have ended, the others would tell of themselves alone.
            if figures.len() * 2 < report.webs.len() {
                return None;
            }
            let gone = report.median(|it| Some(after(it) as f64 / it.urls.max(1) as f64))?;
            Some((gone, median(figures)?))
        };
        solid(strategy, COLOURS[place % COLOURS.len()], (FROM..=POINTS).filter_map(point).collect())
    };
    report.strategies.iter().enumerate().map(line).collect()
}

fn solid(name: &str, colour: usize, points: Vec<(f64, f64)>) -> Line {
    Line { name: name.to_owned(), colour, is_dashed: false, is_marked: false, points }
}

fn reference(name: &str, colour: usize, points: Vec<(f64, f64)>) -> Line {
    Line { is_dashed: true, is_marked: true, ..solid(name, colour, points) }
}

fn drawable(lines: Vec<Line>) -> Vec<Line> {
    lines.into_iter().filter(|it| !it.points.is_empty()).collect()
}

fn across() -> Axis {
    share("downloads, as a share of the web")
}

fn share(label: &str) -> Axis {
    Axis::new(label, Unit::Percent)
}

/// As high as the lines are, but not so high for the reference crawlers that the strategies cannot
/// be told apart: the oracle is far above all at first.
fn up(label: &str, lines: &[Line]) -> Axis {
    let highest = |are_dashed: bool| {
        let lines = lines.iter().filter(|it| it.is_dashed == are_dashed);
        lines.flat_map(|it| &it.points).map(|it| it.1).fold(0.0, f64::max)
    };
    let (strategies, references) = (highest(false), highest(true));
    let end = references.min(2.0 * strategies).max(strategies);
    Axis { least_end: end, most_end: end, ..share(label) }
}
