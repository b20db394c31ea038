//! What a crawl tells Prometheus.

use std::time::Duration;

use metrics::{
    Histogram, Unit, counter, describe_counter, describe_gauge, describe_histogram, gauge,
    histogram,
};
use metrics_exporter_prometheus::{Matcher, PrometheusBuilder, PrometheusHandle};

use crate::crawl::Crawl;
use crate::error::Error;

const PAGES: &str = "strabo_crawl_pages_total";
const RELEVANT: &str = "strabo_crawl_relevant_total";
const BYTES: &str = "strabo_crawl_bytes_total";
const ERRORS: &str = "strabo_crawl_errors_total";
const FILTERED: &str = "strabo_crawl_filtered_total";
const QUEUED: &str = "strabo_crawl_queued";
const KNOWN: &str = "strabo_crawl_known";
const HOSTS: &str = "strabo_crawl_hosts";
const IN_FLIGHT: &str = "strabo_crawl_in_flight";
const FETCH: &str = "strabo_crawl_fetch_seconds";
const COMMIT: &str = "strabo_crawl_frontier_commit_seconds";

/// Answers take tens of milliseconds on a good day and a minute on the worst.
const FETCH_BUCKETS: [f64; 11] = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 15.0, 60.0];
/// A commit is one flush of the disk, or some seconds if the disk is busy.
const COMMIT_BUCKETS: [f64; 9] = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.1, 0.5, 2.5, 10.0];

/// All numbers of the process, ready to be shown.
#[derive(Clone)]
pub struct Exposition(PrometheusHandle);

impl Exposition {
    /// Begins to collect numbers; once in a process, and before crawls are opened.
    pub fn begin() -> Result<Self, Error> {
        let failed = |error: metrics_exporter_prometheus::BuildError| {
            Error::Metrics(format!("numbers cannot be collected: {error}"))
        };
        let builder = PrometheusBuilder::new();
        let builder = builder
            .set_buckets_for_metric(Matcher::Full(FETCH.to_owned()), &FETCH_BUCKETS)
            .and_then(|it| {
                it.set_buckets_for_metric(Matcher::Full(COMMIT.to_owned()), &COMMIT_BUCKETS)
            })
            .map_err(failed)?;
        let handle = builder.install_recorder().map_err(failed)?;
        describe();
        Ok(Self(handle))
    }

    /// The numbers as Prometheus reads them, with those of these crawls as they are now.
    pub fn of(&self, crawls: &[Crawl]) -> String {
        crawls.iter().for_each(report);
        self.0.run_upkeep();
        self.0.render()
    }
}

fn describe() {
    describe_counter!(PAGES, "answers");
    describe_counter!(RELEVANT, "answers that are what the crawl looks for");
    describe_counter!(BYTES, Unit::Bytes, "bytes, as they were transferred");
    describe_counter!(ERRORS, "answers and failures that brought no page, by class");
    describe_counter!(FILTERED, "links that were not taken in, by reason");
    describe_gauge!(QUEUED, "links that wait for their turn");
    describe_gauge!(KNOWN, "links that are known");
    describe_gauge!(HOSTS, "hosts that are known");
    describe_gauge!(IN_FLIGHT, "requests on their way");
    describe_histogram!(FETCH, Unit::Seconds, "how long an answer takes");
    describe_histogram!(COMMIT, Unit::Seconds, "how long it takes to make the state durable");
}

/// Sets the numbers of a crawl; its counts are those of the whole crawl, earlier runs included.
pub(crate) fn report(crawl: &Crawl) {
    let name = crawl.task().name.clone();
    let progress = crawl.total();
    counter!(PAGES, "task" => name.clone()).absolute(progress.pages);
    counter!(RELEVANT, "task" => name.clone()).absolute(progress.relevant);
    counter!(BYTES, "task" => name.clone()).absolute(progress.bytes);
    for (class, count) in progress.errors {
        counter!(ERRORS, "task" => name.clone(), "class" => class).absolute(count);
    }
    for (reason, count) in progress.filtered {
        counter!(FILTERED, "task" => name.clone(), "reason" => reason).absolute(count);
    }
    gauge!(QUEUED, "task" => name.clone()).set(progress.queued as f64);
    gauge!(KNOWN, "task" => name.clone()).set(progress.known as f64);
    gauge!(HOSTS, "task" => name.clone()).set(progress.hosts as f64);
    gauge!(IN_FLIGHT, "task" => name).set(progress.in_flight as f64);
}

/// What is measured while a crawl runs.
pub(crate) struct Meters {
    fetch: Histogram,
    commit: Histogram,
}

impl Meters {
    pub(crate) fn new(task: &str) -> Self {
        Self {
            fetch: histogram!(FETCH, "task" => task.to_owned()),
            commit: histogram!(COMMIT, "task" => task.to_owned()),
        }
    }

    /// An answer took so long.
    pub(crate) fn fetched(&self, time: Duration) {
        self.fetch.record(time.as_secs_f64());
    }

    /// Making the state durable took so long.
    pub(crate) fn committed(&self, time: Duration) {
        self.commit.record(time.as_secs_f64());
    }
}
