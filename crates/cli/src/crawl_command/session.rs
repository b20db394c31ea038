//! One run of a crawl from the command line: with a line of progress, signals and a summary.

use std::io::IsTerminal;
use std::path::Path;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use crawl::{Crawl, Ending, Pulse, Surroundings, Task, Tasks, Wish};
use gazetteer::Gazetteer;
use indicatif::ProgressBar;
use tokio::signal::unix::{SignalKind, signal};

use super::summary;
use super::{Order, line, serve_metrics};
use crate::log::{remark, set_live};
use crate::output::{grouped, say};

/// How often the line of progress is renewed on a terminal.
const OFTEN: Duration = Duration::from_secs(1);
/// How often a line is written where nobody watches.
const SELDOM: Duration = Duration::from_secs(10);

/// Runs a crawl to its end, or until somebody stops it.
pub(super) fn run(
    gazetteer: &'static Gazetteer,
    data: &Path,
    task: Task,
    before: Option<&Task>,
    order: &Order,
) -> Result<()> {
    let understood = crawl::region(gazetteer, &task.region)?;
    if let Some(before) = before {
        super::order::warn(before, &task);
    }
    let about = understood.as_ref().map(crawl::Understood::label);
    for part in understood.iter().flat_map(|it| &it.parts) {
        tell_region(part);
    }
    if let Some(path) = &task.topic {
        let topic = crawl::TopicFile::read(gazetteer, path)?;
        remark(&format!("topic: {} ({})", topic.name, path.display()));
    }
    let exposition = order.metrics.map(|_| crawl::Exposition::begin()).transpose()?;
    let around = Surroundings::new(data, gazetteer);
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    runtime.block_on(async {
        let region = understood.map(|it| it.region);
        let kept = task.clone();
        let crawl =
            tokio::task::block_in_place(|| Crawl::open(task, region, &around)).map_err(in_use)?;
        let tasks = Tasks::at(data);
        tasks.keep(&kept)?;
        tasks.note_begin(&kept.name, order.revisit)?;
        if order.revisit {
            let again = tokio::task::block_in_place(|| crawl.revisit())?;
            remark(&format!("{} pages are visited again", grouped(again)));
        }
        crawl.announce(about.as_deref());
        if let (Some(address), Some(exposition)) = (order.metrics, exposition) {
            let crawls = vec![crawl.clone()];
            serve_metrics(address, exposition, move || crawls.clone()).await?;
        }
        let ending = watched(&crawl).await;
        let noted = ending.as_ref().copied().map_err(|error| format!("{error:#}"));
        tasks.note_end(&kept.name, noted)?;
        let ending = ending?;
        let summary = summary::of(&crawl, data, ending)?;
        say(&summary.text)?;
        if summary.is_in_vain {
            bail!("no page was fetched: what became of the seeds is told above");
        }
        Ok(())
    })
}

/// Runs a crawl to its end, with a line of progress and an ear for whoever asks how it is or wants it to stop.
pub(crate) async fn watched(crawl: &Crawl) -> Result<Ending> {
    let _control = crawl::serve(crawl)?;
    let stopping = tokio::spawn(stop_when_interrupted(crawl.clone()));
    let showing = tokio::spawn(show(crawl.clone()));
    let ending = crawl.run().await;
    stopping.abort();
    showing.abort();
    let _ = showing.await;
    set_live(None);
    let ending = ending.context("the crawl cannot go on; nothing that was fetched is lost")?;
    tracing::info!(?ending, pages = crawl.pages(), "the crawl ends");
    Ok(ending)
}

/// A crawl that runs already is better asked than started.
fn in_use(error: crawl::Error) -> anyhow::Error {
    match error {
        error if error.is_in_use() => anyhow::Error::new(error).context(
            "this crawl is running already: look at it with \"strabo crawl status\", \
             or give another --name",
        ),
        other => other.into(),
    }
}

fn tell_region(part: &crawl::RegionPart) {
    let key = part.key.as_deref().map(|it| format!(" ({it})")).unwrap_or_default();
    remark(&format!("region: {}{key}", part.label));
    if !part.others.is_empty() {
        remark(&format!("  \"{}\" could also be:", part.asked));
    }
    for (label, key) in &part.others {
        remark(&format!("    {label}  (--region {key})"));
    }
}

/// A first signal lets the crawl end cleanly, a second one ends the program.
async fn stop_when_interrupted(crawl: Crawl) {
    if interrupted().await.is_err() {
        return;
    }
    crawl.wish(Wish::Stop);
    remark("stopping: waiting for the answers on their way; once more to end at once");
    if interrupted().await.is_ok() {
        set_live(None);
        remark("ended at once; nothing is lost, the same command goes on");
        std::process::exit(130);
    }
}

/// Comes back when the operator or the system asks the program to end.
pub(crate) async fn interrupted() -> std::io::Result<()> {
    let mut interrupt = signal(SignalKind::interrupt())?;
    let mut terminate = signal(SignalKind::terminate())?;
    tokio::select! { _ = interrupt.recv() => {}, _ = terminate.recv() => {} }
    Ok(())
}

/// Shows how it goes.
async fn show(crawl: Crawl) {
    let bar = std::io::stderr().is_terminal().then(|| {
        let bar = ProgressBar::new_spinner();
        bar.enable_steady_tick(Duration::from_millis(200));
        set_live(Some(bar.clone()));
        Cleared(bar)
    });
    let mut pulse = Pulse::over(Duration::from_secs(10));
    let mut ticks = tokio::time::interval(if bar.is_some() { OFTEN } else { SELDOM });
    loop {
        ticks.tick().await;
        pulse.beat(crawl.now(), crawl.pages());
        let text = line(&crawl, &pulse);
        match &bar {
            Some(bar) => bar.0.set_message(text),
            None if pulse.rate() > 0.0 || crawl.pages() > 0 => remark(&text),
            None => {}
        }
    }
}

/// A line of progress that goes away with whoever shows it.
struct Cleared(ProgressBar);

impl Drop for Cleared {
    fn drop(&mut self) {
        self.0.finish_and_clear();
    }
}
