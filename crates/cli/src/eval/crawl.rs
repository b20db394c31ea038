//! `strabo eval crawl`: how soon each strategy finds what it looks for, on simulated webs.

mod allowance;
mod baselines;
mod calibration;
mod chart;
mod crawl_tree;
mod curve;
mod figures;
mod halt;
mod judged;
mod numbers;
mod orientation;
mod report;
mod score;
mod server;
mod simulated_web;
mod tabulation;
mod tools;
mod topic_corpus;
mod trial;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::UNIX_EPOCH;

use anyhow::{Context, Result, bail};
use clap::Args;
use gazetteer::Gazetteer;
use tokio::runtime::Runtime;

use self::allowance::Allowance;
use self::halt::Halt;
use self::numbers::Numbers;
use self::report::{Measured, Report, SetUp};
use self::simulated_web::{Recipe, SimulatedWeb, TopicFiles};
use self::tools::Tools;
use self::trial::{Bench, Wanted};
use crate::log::remark;
use crate::opened::Choice;
use crate::output::{grouped, say, table};

/// Crawl strategies, on simulated webs with known truth.
///
/// Each web is made and served by its tools, which need Python, and crawled through them as a proxy, once
/// with each strategy. The crawls see of it what a crawler may: its answers, the seeds and the region. Only the
/// scorer, a program of its own, reads the truth. A web of the profile topic comes with a topic instead of a
/// region; pages of its corpus are then also told apart with several thresholds. The report in --out has charts (report.html), all points
/// (report.csv) and tables (report.md); it is written anew after every web.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// The folder with the tools of the simulated web: simweb.py, score.py and baselines.py.
    #[arg(long, value_name = "DIR")]
    simweb: PathBuf,
    /// What the webs are like: a profile of the tools by name, or a file.
    #[arg(long, value_name = "NAME|FILE", default_value = "urban")]
    profile: String,
    /// Which webs, by the seed of each: 7, 1-5 or 1,3,7-9.
    #[arg(long, value_name = "LIST", default_value = "1-5")]
    seeds: Numbers,
    /// How many pages each web has, about.
    #[arg(long, value_name = "N", default_value_t = 60_000, value_parser = clap::value_parser!(u64).range(100..=10_000_000))]
    pages: u64,
    /// The strategies that are compared; by default those of broad, distance, adaptive and best that there are.
    /// With adaptive-shuffled, which learns from shuffled labels, one sees what adaptive owes to learning.
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    strategies: Vec<String>,
    /// How many downloads each strategy has: a share of the web, or a number.
    #[arg(long, value_name = "10%|N", default_value = "10%")]
    budget: Allowance,
    /// Look for pages with an address here, instead of in the region that comes with the web.
    #[arg(long, value_name = "PLACE", allow_hyphen_values = true)]
    region: Vec<String>,
    /// How many pages are fetched at a time; the more, the less the order is the strategy's.
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = clap::value_parser!(u32).range(1..=1_000))]
    threads: u32,
    /// Where the report goes, with the webs in the folder cache and the logs of all crawls in the folder runs.
    #[arg(long, value_name = "DIR", default_value = "crawl-evaluation")]
    out: PathBuf,
    /// Keep the archive and the frontier of every crawl, too.
    #[arg(long)]
    keep: bool,
    #[command(flatten)]
    choice: Choice,
}

const EXAMPLES: &str = "Examples:
  strabo eval crawl --simweb simweb --seeds 7 --pages 3000 --strategies broad,random
  strabo eval crawl --simweb simweb --seeds 1-5 --budget 20% --out evaluation
Webs are kept and not made again. Remove a folder of the cache if its profile has changed.";

/// What is compared if nothing else is asked for: the baselines, the published method, and our own.
const USUAL: [&str; 4] = ["broad", "distance", "adaptive", "best"];

pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    let strategies = strategies(&arguments.strategies)?;
    let runtime = Runtime::new()?;
    let tools = Tools::at(&arguments.simweb, Halt::listen(&runtime))?;
    let gazetteer = arguments.choice.open()?.forever();
    let mut report = Report {
        set_up: SetUp {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            commit: commit(),
            date: jiff::Zoned::now().date().to_string(),
            budget: arguments.budget,
            threads: arguments.threads as usize,
            wanted: String::new(),
        },
        strategies,
        webs: Vec::new(),
    };
    for &seed in &arguments.seeds.0 {
        let recipe = Recipe { profile: arguments.profile.clone(), pages: arguments.pages, seed };
        let web = measure(arguments, &tools, &runtime, gazetteer, &mut report, recipe);
        let web = web.with_context(|| told(&report, &arguments.out))?;
        report.webs.push(web);
        report.write(&arguments.out)?;
    }
    say(&table(&report.summary()))?;
    say(&format!("report: {}", arguments.out.join("report.html").display()))
}

/// Crawls one web with all strategies.
fn measure(
    arguments: &Arguments,
    tools: &Tools,
    runtime: &Runtime,
    gazetteer: &'static Gazetteer,
    report: &mut Report,
    recipe: Recipe,
) -> Result<Measured> {
    let out = &arguments.out;
    remark(&format!("{}: the web", recipe.name()));
    let web = SimulatedWeb::make(tools, &out.join("cache"), recipe)?;
    let topic = web.topic()?;
    let wanted = wanted(gazetteer, &arguments.region, &web, topic.as_ref())?;
    report.set_up.wanted.clone_from(&wanted.told);
    let downloads = arguments.budget.downloads(web.urls);
    let bench = Bench {
        tools,
        runtime,
        gazetteer,
        wanted,
        threads: arguments.threads as usize,
        is_kept: arguments.keep,
    };
    let mut trials = Vec::new();
    for strategy in &report.strategies {
        let folder = out.join("runs").join(web.recipe.name()).join(strategy);
        let trial = bench.trial(&web, strategy, downloads, &folder)?;
        remark(&format!(
            "{} {strategy}: {} relevant of {} downloads in {:.1} s",
            web.recipe.name(),
            grouped(trial.score.relevant as usize),
            grouped(trial.score.downloads as usize),
            trial.seconds
        ));
        trials.push(trial);
    }
    remark(&format!("{}: the reference crawlers", web.recipe.name()));
    let baselines = web.baselines(tools)?;
    let verdicts = match &topic {
        Some(files) => {
            remark(&format!("{}: the pages of the corpus", web.recipe.name()));
            let folder = out.join("runs").join(web.recipe.name()).join("corpus");
            topic_corpus::verdicts(tools, gazetteer, &web, files, &folder)?
        }
        None => Vec::new(),
    };
    Ok(Measured { urls: web.urls, recipe: web.recipe, downloads, baselines, trials, verdicts })
}

/// What is left of an evaluation that cannot go on.
fn told(report: &Report, out: &Path) -> String {
    match report.webs.len() {
        0 => "no web was measured to its end".to_owned(),
        1 => format!("the report in {} is about the first web alone", out.display()),
        webs => format!("the report in {} is about the first {webs} webs alone", out.display()),
    }
}

/// The strategies that were asked for, or the usual ones that there are.
fn strategies(asked: &[String]) -> Result<Vec<String>> {
    let is_known = |name: &str| focus::NAMES.contains(&name) || name == focus::CONTROL;
    let mut names: Vec<String> = Vec::new();
    for name in asked.iter().map(|it| it.trim()).filter(|it| !it.is_empty()) {
        if !is_known(name) {
            let known = focus::NAMES.join(", ");
            bail!("there is no strategy \"{name}\": take of {known}, {}", focus::CONTROL);
        }
        if !names.iter().any(|it| it == name) {
            names.push(name.to_owned());
        }
    }
    if names.is_empty() {
        names = USUAL.into_iter().filter(|it| is_known(it)).map(str::to_owned).collect();
    }
    Ok(names)
}

/// What the crawls look for: the topic of the web if it has one, and the region that was asked for or
/// else, if there is no topic, the one that comes with the web.
fn wanted(
    gazetteer: &Gazetteer,
    asked: &[String],
    web: &SimulatedWeb,
    topic: Option<&TopicFiles>,
) -> Result<Wanted> {
    let by_key_or_name = |(key, name): (String, String)| {
        if gazetteer.by_key(&key).is_some() { key } else { name }
    };
    let region = if asked.is_empty() && topic.is_none() {
        web.region()?.into_iter().map(by_key_or_name).collect()
    } else {
        asked.to_vec()
    };
    let mut told = vec!["pages".to_owned()];
    told.extend(topic.map(|it| format!("about the topic {}", it.name)));
    if !region.is_empty() {
        told.push(format!("with an address in {}", described(gazetteer, &region)?));
    }
    Ok(Wanted { region, topic: topic.map(|it| it.topic.clone()), told: told.join(" ") })
}

/// A region in words, which may be short of some parts.
fn described(gazetteer: &Gazetteer, region: &[String]) -> Result<String> {
    let parts = crawl::region(gazetteer, region)?.map(|it| it.parts).unwrap_or_default();
    let labels: Vec<_> = parts.iter().take(3).map(|it| it.label.as_str()).collect();
    let more = parts.len() - labels.len();
    let rest = if more > 0 { format!(" and {more} more") } else { String::new() };
    Ok(labels.join("; ") + &rest)
}

/// The commit of the sources this program was made of, if they are at hand and have no later one.
fn commit() -> Option<String> {
    let git = |arguments: &[&str]| {
        let folder = env!("CARGO_MANIFEST_DIR");
        let output = Command::new("git").args(["-C", folder]).args(arguments).output().ok()?;
        let text = String::from_utf8(output.stdout).ok()?;
        (output.status.success() && !text.trim().is_empty()).then(|| text.trim().to_owned())
    };
    let committed: u64 = git(&["log", "-1", "--format=%ct"])?.parse().ok()?;
    let made = fs::metadata(std::env::current_exe().ok()?).ok()?.modified().ok()?;
    let is_older = made.duration_since(UNIX_EPOCH).ok()?.as_secs() < committed;
    if is_older { None } else { git(&["describe", "--always", "--dirty", "--exclude=*"]) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strategies_are_those_there_are_each_once() {
        let asked = |names: &[&str]| {
            strategies(&names.iter().map(|it| (*it).to_owned()).collect::<Vec<_>>())
        };
        assert_eq!(asked(&["random", " broad", "random"]).expect("they are"), ["random", "broad"]);
        assert_eq!(asked(&[focus::CONTROL]).expect("it is for measuring"), [focus::CONTROL]);
        assert_eq!(asked(&[]).expect("there is one").first().map(String::as_str), Some("broad"));
        let told = asked(&["luck"]).expect_err("there is none").to_string();
        assert!(told.starts_with("there is no strategy \"luck\": take of "), "{told}");
    }
}
