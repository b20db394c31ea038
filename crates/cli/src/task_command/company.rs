//! `strabo task run`: all tasks in one process.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use anyhow::Result;
use crawl::{Company, Event, Exposition, Pulse, Slots, Surroundings};
use gazetteer::Gazetteer;
use jiff::Timestamp;
use tokio::sync::watch;

use super::Run;
use crate::crawl_command::{ending, interrupted, line, serve_metrics};
use crate::log::remark;

/// How often a line is written about every crawl that runs.
const SELDOM: Duration = Duration::from_secs(10);

/// Runs all tasks that are due until somebody stops it, or until the day has nothing more to do.
pub(super) fn run(gazetteer: &'static Gazetteer, data: &Path, order: &Run) -> Result<()> {
    let (metrics, is_until_idle) = (order.metrics, order.until_idle);
    let (zone, zone_name) = crawl::zone();
    remark(&format!("cron lines are meant in {zone_name}"));
    let exposition = metrics.map(|_| Exposition::begin()).transpose()?;
    let slots = Slots::new(order.crawl_requests as usize);
    let around = Surroundings { slots, ..Surroundings::new(data, gazetteer) };
    let company = Arc::new(Company::new(around));
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    runtime.block_on(async {
        if let (Some(address), Some(exposition)) = (metrics, exposition) {
            let company = Arc::clone(&company);
            serve_metrics(address, exposition, move || company.crawls()).await?;
        }
        let (stop, stopped) = watch::channel(false);
        tokio::spawn(stop_when_interrupted(stop));
        tokio::spawn(show(Arc::clone(&company)));
        let idle = move |now: Timestamp| {
            let tomorrow = zone.to_datetime(now).date().tomorrow().ok()?;
            let tomorrow = zone.to_timestamp(tomorrow.at(0, 0, 0, 0)).ok()?;
            is_until_idle.then_some(tomorrow)
        };
        company.run(stopped, idle, |event| remark(&told(&event))).await?;
        Ok(())
    })
}

fn told(event: &Event) -> String {
    match event {
        Event::Began(name) => format!("task \"{name}\" runs"),
        Event::Ended(name, how) => format!("task \"{name}\": {}", ending(*how)),
        Event::Failed(name, error) => format!("task \"{name}\" failed: {error}"),
    }
}

/// A first signal lets all tasks end cleanly, a second one ends the program.
async fn stop_when_interrupted(stop: watch::Sender<bool>) {
    if interrupted().await.is_err() {
        return;
    }
    stop.send_replace(true);
    remark("stopping: waiting for the answers on their way; once more to end at once");
    if interrupted().await.is_ok() {
        remark("ended at once; nothing is lost, \"strabo task run\" goes on");
        std::process::exit(130);
    }
}

/// Writes now and then how every crawl goes.
async fn show(company: Arc<Company>) {
    let mut pulses = std::collections::BTreeMap::new();
    let mut ticks = tokio::time::interval(SELDOM);
    loop {
        ticks.tick().await;
        for crawl in company.crawls() {
            let name = crawl.task().name.clone();
            let pulse = pulses.entry(name).or_insert_with(|| Pulse::over(SELDOM));
            pulse.beat(crawl.now(), crawl.pages());
            if crawl.pages() > 0 {
                remark(&format!("{}: {}", crawl.task().name, line(&crawl, pulse)));
            }
        }
    }
}
