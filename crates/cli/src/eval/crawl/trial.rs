//! One strategy on one web: crawled, scored, and looked at from all sides.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use crawl::{Budget, Crawl, Ending, Politeness, Pulse, Surroundings, Task, Wish};
use gazetteer::Gazetteer;
use indicatif::ProgressBar;
use tokio::runtime::Runtime;

use super::calibration::Calibration;
use super::crawl_tree::CrawlTree;
use super::judged;
use super::orientation::Orientation;
use super::score::Score;
use super::server::Server;
use super::simulated_web::{SimulatedWeb, text};
use super::tools::Tools;
use crate::crawl_command::{ending, line};
use crate::log::{remark, set_live};
use crate::progress;

/// A crawl goes on for so much longer than its budget: sitemaps count as answers for it, but not as
/// downloads for the scorer, and what lies beyond the budget is not shown.
const BEYOND: f64 = 0.05;
/// How many points of a curve the scorer gives.
const POINTS: &str = "100";
/// How often the line of progress is renewed on a terminal.
const OFTEN: Duration = Duration::from_secs(1);
/// How often a line is written where nobody watches.
const SELDOM: Duration = Duration::from_secs(15);

/// What crawls of all strategies have in common.
pub(super) struct Bench<'a> {
    pub(super) tools: &'a Tools,
    pub(super) runtime: &'a Runtime,
    pub(super) gazetteer: &'static Gazetteer,
    pub(super) wanted: Wanted,
    pub(super) threads: usize,
    /// Whether archives and frontiers stay.
    pub(super) is_kept: bool,
}

/// What crawls look for.
pub(super) struct Wanted {
    /// Pages with an address here.
    pub(super) region: Vec<String>,
    /// Pages about the topic of this file.
    pub(super) topic: Option<PathBuf>,
    /// The same in words.
    pub(super) told: String,
}

/// What became of one strategy on one web.
pub(super) struct Trial {
    pub(super) strategy: String,
    pub(super) score: Score,
    pub(super) tree: CrawlTree,
    pub(super) calibration: Calibration,
    pub(super) orientation: Orientation,
    pub(super) seconds: f64,
    /// Answers to the crawl, those beyond the budget included.
    pub(super) answers: u64,
    pub(super) ending: &'static str,
}

impl Bench<'_> {
    /// Crawls a web with a strategy for so many downloads; what is left of it is in the folder.
    pub(super) fn trial(
        &self,
        web: &SimulatedWeb,
        strategy: &str,
        downloads: u64,
        folder: &Path,
    ) -> Result<Trial> {
        if folder.exists() {
            fs::remove_dir_all(folder).with_context(|| format!("{}", folder.display()))?;
        }
        fs::create_dir_all(folder).with_context(|| format!("{}", folder.display()))?;
        let log = folder.join("access.jsonl");
        let server = Server::start(self.tools, web, &log)?;
        let task = self.task(web, strategy, downloads, server.proxy())?;
        let data = folder.join("data");
        let start = Instant::now();
        let crawled = self.crawl(task, &data, &web.recipe.name())?;
        let seconds = start.elapsed().as_secs_f64();
        server.stop()?;
        if self.tools.halt().is_wished() {
            bail!("stopped");
        }
        let answers = judged::read(&crawled.log)?;
        let trial = Trial {
            strategy: strategy.to_owned(),
            score: self.score(web, &answers, &log, folder)?,
            tree: CrawlTree::of(&answers),
            calibration: Calibration::of(&answers),
            orientation: Orientation::of(&answers),
            seconds,
            answers: crawled.answers,
            ending: ending(crawled.ending),
        };
        fs::copy(&crawled.log, folder.join("judged.jsonl"))
            .with_context(|| format!("{}", crawled.log.display()))?;
        if !self.is_kept {
            fs::remove_dir_all(&data).with_context(|| format!("{}", data.display()))?;
        }
        Ok(trial)
    }

    fn task(
        &self,
        web: &SimulatedWeb,
        strategy: &str,
        downloads: u64,
        proxy: String,
    ) -> Result<Task> {
        let beyond = (downloads as f64 * BEYOND) as u64 + 20;
        Ok(Task {
            name: strategy.to_owned(),
            seeds: web.seeds()?,
            region: self.wanted.region.clone(),
            topic: self.wanted.topic.clone(),
            strategy: strategy.to_owned(),
            budget: Budget::Pages(downloads + beyond),
            threads: self.threads,
            proxy: Some(proxy),
            allow_private: true,
            // The order is to be the strategy's, and not that of hosts which may be asked just now: a crawl of
            // some seconds would never come back to a host that is left alone for a minute.
            politeness: Politeness {
                delay: 0.0,
                pause: 0.0,
                connections: u16::try_from(self.threads).unwrap_or(u16::MAX),
                ..Politeness::default()
            },
            ..Task::default()
        })
    }

    fn crawl(&self, task: Task, data: &Path, web: &str) -> Result<Crawled> {
        let region = crawl::region(self.gazetteer, &task.region)?.map(|it| it.region);
        let around = Surroundings::new(data, self.gazetteer);
        let title = format!("{web} {}", task.strategy);
        let crawl = Crawl::open(task, region, &around)
            .with_context(|| format!("{title}: the crawl cannot begin"))?;
        let halt = self.tools.halt().clone();
        let ending = self.runtime.block_on(async {
            let stopped = crawl.clone();
            let stopping = tokio::spawn(async move {
                halt.wished().await;
                stopped.wish(Wish::Stop);
            });
            let bar = progress::waiting(&title);
            set_live((!bar.is_hidden()).then(|| bar.clone()));
            let showing = tokio::spawn(show(crawl.clone(), title.clone(), bar.clone()));
            let ending = crawl.run().await;
            stopping.abort();
            showing.abort();
            set_live(None);
            bar.finish_and_clear();
            ending
        });
        let ending = ending.with_context(|| format!("{title}: the crawl cannot go on"))?;
        let log = crawl.folder().join("judged.jsonl");
        Ok(Crawled { log, answers: crawl.pages(), ending })
    }

    fn score(
        &self,
        web: &SimulatedWeb,
        answers: &[judged::Judged],
        log: &Path,
        folder: &Path,
    ) -> Result<Score> {
        let judged = folder.join("for-scorer.jsonl");
        let written = folder.join("score.json");
        fs::write(&judged, judged::for_scorer(answers))
            .with_context(|| format!("{}", judged.display()))?;
        let web = web.web();
        let mut arguments = vec![text(&web)?, text(log)?, "--judged", text(&judged)?];
        arguments.extend(["--json", text(&written)?, "--points", POINTS]);
        self.tools.run(&folder.join("score.txt"), "score.py", &arguments)?;
        fs::remove_file(&judged).with_context(|| format!("{}", judged.display()))?;
        Score::read(&written)
    }
}

/// What is left of a crawl.
struct Crawled {
    log: PathBuf,
    answers: u64,
    ending: Ending,
}

/// Shows how it goes.
async fn show(crawl: Crawl, title: String, bar: ProgressBar) {
    let mut pulse = Pulse::over(Duration::from_secs(10));
    let mut ticks = tokio::time::interval(if bar.is_hidden() { SELDOM } else { OFTEN });
    loop {
        ticks.tick().await;
        pulse.beat(crawl.now(), crawl.pages());
        let text = format!("{title}: {}", line(&crawl, &pulse));
        if !bar.is_hidden() {
            bar.set_message(text);
        } else if crawl.pages() > 0 {
            remark(&text);
        }
    }
}
