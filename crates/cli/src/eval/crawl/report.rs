//! The report of an evaluation: a page with charts, a table for machines, a text for the documentation.

mod charts;
mod document;
mod rows;
mod sections;
mod tables;

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result};

use super::allowance::Allowance;
use super::baselines::{Baselines, SHARES};
use super::curve::Curve;
use super::figures::median;
use super::simulated_web::Recipe;
use super::topic_corpus::Verdict;
use super::trial::Trial;

/// Strategies whose priorities are an order, and promise nothing about how likely a page is relevant.
const PROMISE_NOTHING: [&str; 5] = ["broad", "distance", "random", "rank", "topic"];

/// What was measured, and how.
pub(super) struct Report {
    pub(super) set_up: SetUp,
    pub(super) strategies: Vec<String>,
    pub(super) webs: Vec<Measured>,
}

/// How it was measured.
pub(super) struct SetUp {
    /// Of this program.
    pub(super) version: String,
    /// Of its sources, if they are at hand.
    pub(super) commit: Option<String>,
    pub(super) date: String,
    pub(super) budget: Allowance,
    pub(super) threads: usize,
    /// What the crawls looked for, in words.
    pub(super) wanted: String,
}

/// One web with what became of each strategy on it.
pub(super) struct Measured {
    pub(super) recipe: Recipe,
    pub(super) urls: u64,
    /// How many downloads each strategy had.
    pub(super) downloads: u64,
    pub(super) baselines: Baselines,
    pub(super) trials: Vec<Trial>,
    /// How surely pages about its topic were told from others, if it has a topic.
    pub(super) verdicts: Vec<Verdict>,
}

impl Measured {
    /// What became of a strategy.
    fn trial(&self, strategy: &str) -> Option<&Trial> {
        self.trials.iter().find(|it| it.strategy == strategy)
    }

    /// The curve of a strategy.
    fn curve(&self, strategy: &str) -> Option<Curve> {
        self.trial(strategy).map(|it| it.score.curve())
    }

    /// How many relevant pages a strategy had found when its budget was used up; nothing if it
    /// ended before.
    fn relevant(&self, strategy: &str) -> Option<f64> {
        let trial = self.trial(strategy)?;
        let points = (0..SHARES.len()).filter_map(|it| trial.score.at(it));
        // The curve goes straight between its points; at a share of the web the scorer is exact.
        let exact = points.into_iter().find(|it| it.downloads == self.downloads);
        exact
            .map(|it| it.relevant as f64)
            .or_else(|| trial.score.curve().relevant_at(self.downloads))
    }

    /// The harvest of a strategy when its budget was used up.
    fn harvest(&self, strategy: &str) -> Option<f64> {
        Some(self.relevant(strategy)? / self.downloads.max(1) as f64)
    }

    /// The harvest of a strategy at one of the shares of the web.
    fn harvest_at(&self, strategy: &str, share: usize) -> Option<f64> {
        let point = self.trial(strategy)?.score.at(share)?;
        (point.downloads <= self.downloads).then_some(point.harvest)
    }

    /// The largest of the shares that lies within the budget.
    fn last_share(&self) -> Option<usize> {
        (0..SHARES.len()).rfind(|it| (SHARES[*it] * self.urls as f64) as u64 <= self.downloads)
    }
}

/// The verdicts on all webs by their threshold.
fn by_threshold(report: &Report) -> BTreeMap<String, Vec<Verdict>> {
    let mut verdicts: BTreeMap<String, Vec<Verdict>> = BTreeMap::new();
    for verdict in report.webs.iter().flat_map(|it| &it.verdicts) {
        verdicts.entry(format!("{:.1}", verdict.threshold)).or_default().push(*verdict);
    }
    verdicts
}

impl Report {
    /// Writes `report.html`, `report.csv` and `report.md` into a folder.
    pub(super) fn write(&self, folder: &Path) -> Result<()> {
        let sections = sections::of(self);
        let texts = [
            ("report.html", document::html(&self.title(), &sections)),
            ("report.md", document::markdown(&self.title(), &sections)),
            ("report.csv", rows::csv(self)?),
        ];
        for (name, text) in texts {
            let path = folder.join(name);
            fs::write(&path, text).with_context(|| format!("{}", path.display()))?;
        }
        Ok(())
    }

    /// The harvests in the middle, for the terminal: a head, then a row for each strategy.
    pub(super) fn summary(&self) -> Vec<Vec<String>> {
        tables::harvests(self).cells()
    }

    fn title(&self) -> String {
        let profile = self.webs.first().map_or("", |it| &it.recipe.profile);
        format!("Crawl strategies on {} of the profile {profile}", self.count_of_webs())
    }

    fn count_of_webs(&self) -> String {
        match self.webs.len() {
            1 => "one web".to_owned(),
            count => format!("{count} webs"),
        }
    }

    /// The middle over all webs that have the figure.
    fn median(&self, figure: impl Fn(&Measured) -> Option<f64>) -> Option<f64> {
        median(self.webs.iter().filter_map(figure))
    }

    /// What became of a strategy on each web.
    fn trials<'r>(&'r self, strategy: &'r str) -> impl Iterator<Item = &'r Trial> {
        self.webs.iter().filter_map(move |it| it.trial(strategy))
    }

    /// Strategies whose priorities say how likely a page is relevant.
    fn promising(&self) -> Vec<&str> {
        let names = self.strategies.iter().map(String::as_str);
        names.filter(|it| !PROMISE_NOTHING.contains(it)).collect()
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::calibration::Calibration;
    use super::super::crawl_tree::CrawlTree;
    use super::super::judged::Judged;
    use super::super::orientation::Orientation;
    use super::super::topic_corpus::Accepted;
    use super::*;

    /// A crawl of a web of a thousand URLs, fifty of them relevant, that has found so many among its
    /// first hundred downloads.
    fn trial(strategy: &str, seed: u64, relevant: u64) -> Trial {
        let point = |downloads: u64, relevant: u64| {
            json!({"downloads": downloads, "relevant": relevant,
                   "harvest": relevant as f64 / downloads as f64, "recall": relevant as f64 / 50.0})
        };
        let score = json!({
            "urls_in_web": 1000, "relevant_in_web": 50, "downloads": 125, "relevant": relevant + 1,
            "relevant_groups": 10, "relevant_groups_in_web": 40,
            "at": {"1%": point(10, 2), "10%": point(100, relevant), "20%": null},
            "curve": [[50, relevant / 2, 0.0], [125, relevant + 1, 0.0]],
            "waste": {"offtopic": 100, "error": 25 - relevant / 4}, "robots_violations": 0,
            "judgement": {"pages": 125, "precision": 1.0, "recall": 0.9},
            "web": {"simweb": "1", "tool_hash": "f7f0", "profile": "urban", "profile_hash": "0318", "seed": seed},
        });
        let seed_page = Judged { url: "s".to_owned(), relevant: Some(true), ..Judged::default() };
        let page = Judged {
            url: "a".to_owned(),
            via: Some("s".to_owned()),
            priority: Some(0.25),
            ..seed_page.clone()
        };
        let answers = [seed_page, page];
        Trial {
            strategy: strategy.to_owned(),
            score: serde_json::from_value(score).expect("it is a score"),
            tree: CrawlTree::of(&answers),
            calibration: Calibration::of(&answers),
            orientation: Orientation::of(&answers),
            seconds: 0.5,
            answers: 130,
            ending: "ended, the budget is used up",
        }
    }

    fn report(found: &[[u64; 3]]) -> Report {
        let strategies = ["broad", "distance", "adaptive"];
        let web = |(seed, found): (u64, &[u64; 3])| Measured {
            recipe: Recipe { profile: "urban".to_owned(), pages: 1000, seed },
            urls: 1000,
            downloads: 100,
            baselines: Baselines::parse(
                "  oracle 0.5 0.4 0.3 0.2 0.1\n  broad 0.2 0.1 0.1 0.05 0.04\n",
            ),
            trials: strategies.iter().zip(found).map(|it| trial(it.0, seed, *it.1)).collect(),
            verdicts: Vec::new(),
        };
        Report {
            set_up: SetUp {
                version: "0.1.0".to_owned(),
                commit: Some("abc1234".to_owned()),
                date: "2026-01-02".to_owned(),
                budget: Allowance::Share(0.1),
                threads: 4,
                wanted: "pages with an address in Oldenburg".to_owned(),
            },
            strategies: strategies.map(str::to_owned).to_vec(),
            webs: (1..).zip(found).map(web).collect(),
        }
    }

    #[track_caller]
    fn check(markdown: &str, rows: &[&str]) {
        for row in rows {
            assert!(markdown.lines().any(|it| it == *row), "{row} in\n{markdown}");
        }
    }

    #[test]
    fn three_webs_have_ratios_of_their_own_and_a_median() {
        let report = report(&[[4, 5, 12], [4, 6, 10], [5, 5, 20]]);
        check(
            &tables::ratios(&report).markdown(),
            &[
                "| at the budget | seed 1 | seed 2 | seed 3 | median |",
                "| adaptive : broad | 3.00 | 2.50 | 4.00 | 3.00 |",
                "| adaptive : distance | 2.40 | 1.67 | 4.00 | 2.40 |",
                "| distance : broad | 1.25 | 1.50 | 1.00 | 1.25 |",
            ],
        );
        check(
            &tables::harvests(&report).markdown(),
            &[
                "| adaptive | 0.2000 | – | – | 0.1200 | – |",
                "| graph: oracle | 0.5000 | 0.4000 | 0.3000 | 0.2000 | 0.1000 |",
            ],
        );
        check(
            &tables::efficiency(&report).markdown(),
            &["| adaptive | 50.0 % | 37.5 % | 100.0 % | 50.0 % |"],
        );
        check(
            &tables::recall(&report).markdown(),
            &["| broad | 0.080 | 0.080 | 0.100 | 0.080 | 0.250 |"],
        );
    }

    #[test]
    fn whoever_is_never_behind_the_broad_crawl_is_told_so() {
        let table = tables::behind(&report(&[[8, 4, 12]])).markdown();
        check(
            &table,
            &[
                "| adaptive | 1 | 0 of 1 | never | – |",
                "| distance | 1 | 1 of 1 | 50 downloads | 0.0400 |",
            ],
        );
    }

    #[test]
    fn causes_of_waste_stand_in_the_order_of_their_weight() {
        let table = tables::waste(&report(&[[4, 8, 12]])).markdown();
        check(&table, &["| strategy | offtopic | error |", "| broad | 80.0 % | 19.2 % |"]);
    }

    #[test]
    fn verdicts_about_a_topic_are_medians_for_each_threshold() {
        let mut report = report(&[[4, 5, 12], [4, 6, 10]]);
        for (web, f) in report.webs.iter_mut().zip([0.9, 0.95]) {
            let accepted = |f: f64| Accepted { precision: 1.0, recall: 0.5, f };
            let (two_tests, one_list) = (accepted(f), accepted(0.8));
            web.verdicts.push(Verdict { threshold: 0.5, two_tests, one_list });
        }
        check(
            &tables::topic(&report).markdown(),
            &["| 0.5 | 1.000 | 0.500 | 0.925 | 1.000 | 0.500 | 0.800 |"],
        );
        assert_eq!(charts::topic(&report).len(), 1);
    }

    #[test]
    fn the_files_of_a_report_tell_the_same() {
        let folder = tempfile::tempdir().expect("a folder");
        report(&[[4, 5, 12], [4, 6, 10]]).write(folder.path()).expect("it is written");
        let read = |name: &str| fs::read_to_string(folder.path().join(name)).expect("it is there");
        let html = read("report.html");
        assert_eq!(
            html.matches("<svg class").count(),
            5,
            "harvest, two webs, recall, one calibration"
        );
        assert!(html.contains("strabo 0.1.0, commit abc1234"), "{html}");
        assert!(!html.contains("<script"));
        let markdown = read("report.md");
        check(&markdown, &["| adaptive : broad | 3.00 | 2.50 | 2.75 |", "### Calibration"]);
        let csv = read("report.csv");
        check(
            &csv,
            &[
                "urban,0318,f7f0,2,1000,100,crawl,adaptive,100,10.0,0.10000,0.20000",
                "urban,0318,f7f0,1,1000,100,graph,oracle,200,,0.10000,",
            ],
        );
        let header = 1;
        assert_eq!(csv.lines().count(), header + 2 * (3 * 2 + 2 * 5));
    }

    #[test]
    fn a_report_without_anything_can_be_written() {
        let folder = tempfile::tempdir().expect("a folder");
        report(&[]).write(folder.path()).expect("it is written");
    }
}
