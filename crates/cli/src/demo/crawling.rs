//! The crawl of a demonstration, with the harvest as it grows.

use std::collections::HashSet;
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::time::Duration;

use anyhow::{Context, Result};
use crawl::{Budget, Crawl, Ending, Politeness, Surroundings, Task, Tasks};
use gazetteer::Gazetteer;
use serde::Deserialize;
use testkit::Web;

use super::breadth::found_in_order;
use crate::crawl_command::watched;
use crate::log::remark;
use crate::output::{grouped, say, wrapped};

/// What the crawl is called.
pub(super) const NAME: &str = "demo";
/// What it looks for: addresses in Helsinki and in Monaco.
const REGION: [&str; 2] = ["gn:658225", "gn:2993457"];
/// How much of the web may be fetched, of a hundred pages: enough for the most promising and some of the rest.
const SHARE: usize = 60;
/// How many pages are fetched at a time. More would be fetched before it is learned what the others were.
const THREADS: usize = 4;
/// How often the harvest is told on the way.
const TIMES: u64 = 7;
/// How often is looked how far it has come.
const LOOK: Duration = Duration::from_millis(40);

/// Crawls the web through its proxy, and tells how that went.
pub(super) async fn crawl(
    gazetteer: &'static Gazetteer,
    data: &Path,
    web: &Web,
    proxy: &str,
) -> Result<Ending> {
    let task = task(web, proxy);
    let understood = crawl::region(gazetteer, &task.region)?;
    let around = Surroundings::new(data, gazetteer);
    say(&format!("2 · Crawling\n{}", wrapped("  ", &introduction(&task, budget(web)))))?;
    let kept = task.clone();
    let region = understood.map(|it| it.region);
    let crawl = tokio::task::block_in_place(|| Crawl::open(task, region, &around))?;
    let tasks = Tasks::at(data);
    tasks.keep(&kept)?;
    tasks.note_begin(NAME, true)?;
    let telling = tokio::spawn(tell(crawl.clone(), budget(web)));
    let ending = watched(&crawl).await;
    telling.abort();
    let ending = ending?;
    tasks.note_end(NAME, Ok(ending))?;
    say(&summary(&crawl, web)?)?;
    Ok(ending)
}

/// What is about to happen.
fn introduction(task: &Task, pages: u64) -> String {
    format!(
        "The strategy \"best\" looks for pages with an address in Helsinki or Monaco. It begins at {} front pages and may \
         fetch {} pages: what looks promising first, and every page teaches it what promising means. The share of \
         fetched pages that have such an address is the harvest.",
        task.seeds.len(),
        grouped(pages as usize)
    )
}

/// How many pages may be fetched.
fn budget(web: &Web) -> u64 {
    (web.pages().count() * SHARE / 100) as u64
}

fn task(web: &Web, proxy: &str) -> Task {
    Task {
        name: NAME.to_owned(),
        seeds: web.seeds().to_vec(),
        region: REGION.map(str::to_owned).to_vec(),
        strategy: "best".to_owned(),
        budget: Budget::Pages(budget(web)),
        threads: THREADS,
        proxy: Some(proxy.to_owned()),
        // It is our own web, on our own machine: nobody is waited for, so the best link is next, whoever has it.
        politeness: Politeness {
            delay: 0.0,
            per_answer: 0.0,
            connections: THREADS as u16,
            ..Politeness::default()
        },
        ..Task::default()
    }
}

/// Tells the harvest from time to time, whether it is a terminal or not.
async fn tell(crawl: Crawl, budget: u64) {
    let step = (budget / TIMES).max(1);
    let mut next = step;
    let mut ticks = tokio::time::interval(LOOK);
    loop {
        ticks.tick().await;
        let progress = crawl.progress();
        if progress.pages >= next {
            remark(&format!(
                "  {:>5} pages, harvest {:.0} %: {} with an address",
                grouped(progress.pages as usize),
                progress.harvest() * 100.0,
                grouped(progress.relevant as usize)
            ));
            next = (progress.pages / step + 1) * step;
        }
    }
}

/// How much of what was to be found was found.
fn summary(crawl: &Crawl, web: &Web) -> Result<String> {
    let progress = crawl.total();
    let found = found(&crawl.folder().join("judged.jsonl"), web)?;
    let there = web.pages().filter(|it| !it.addresses.is_empty()).count();
    let in_order = found_in_order(web, progress.pages as usize);
    let filtered: u64 = progress.filtered.values().sum();
    let text = format!(
        "Found: {} of the {} pages with an address ({} %){}, with {} % of the web fetched. Links taken as they come \
         would have led to {} of them ({} %). {} links were left alone: {}.",
        grouped(found),
        grouped(there),
        percent(found, there),
        wrongly_taken(progress.relevant.saturating_sub(found as u64)),
        percent(progress.pages as usize, web.pages().count()),
        grouped(in_order),
        percent(in_order, there),
        grouped(filtered as usize),
        reasons(&progress)
    );
    Ok(wrapped("  ", &text))
}

/// How many pages were taken for what they are not.
fn wrongly_taken(wrong: u64) -> String {
    match wrong {
        0 => String::new(),
        1 => " and one that has none".to_owned(),
        _ => format!(" and {wrong} that have none"),
    }
}

fn reasons(progress: &crawl::Progress) -> String {
    let mut reasons: Vec<_> = progress.filtered.iter().collect();
    reasons.sort_by_key(|it| std::cmp::Reverse(*it.1));
    let reasons = reasons
        .iter()
        .take(4)
        .map(|(reason, count)| format!("{} {count}", reason.replace('_', " ")));
    let list: Vec<String> = reasons.collect();
    if list.is_empty() { "none".to_owned() } else { list.join(", ") }
}

/// Whole percents, rounded down: only all is 100.
fn percent(part: usize, whole: usize) -> usize {
    100 * part / whole.max(1)
}

/// How many of the web's pages with an address the crawl fetched and took for such.
fn found(log: &Path, web: &Web) -> Result<usize> {
    #[derive(Deserialize)]
    struct Judged {
        url: String,
        relevant: Option<bool>,
    }
    let file = File::open(log).with_context(|| format!("{}", log.display()))?;
    let mut urls = HashSet::new();
    for line in BufReader::new(file).lines() {
        let judged: Judged = serde_json::from_str(&line?)?;
        let is_there = web.page(&judged.url).is_some_and(|it| !it.addresses.is_empty());
        if is_there && judged.relevant == Some(true) {
            urls.insert(judged.url);
        }
    }
    Ok(urls.len())
}
