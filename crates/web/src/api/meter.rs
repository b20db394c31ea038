//! `GET /metrics`: what the server tells Prometheus.

use std::sync::LazyLock;
use std::time::{Duration, Instant};

use axum::extract::{MatchedPath, Request, State};
use axum::http::Method;
use axum::middleware::Next;
use axum::response::Response;
use metrics::{
    Unit, counter, describe_counter, describe_gauge, describe_histogram, gauge, histogram,
    with_local_recorder,
};
use metrics_exporter_prometheus::{Matcher, PrometheusBuilder, PrometheusRecorder};

use super::reply::document;
use crate::app::App;

const REQUESTS: &str = "strabo_http_requests_total";
const SECONDS: &str = "strabo_http_request_seconds";
const GENERATION: &str = "strabo_index_generation";
const DOCUMENTS: &str = "strabo_index_documents";
const MADE: &str = "strabo_index_made_seconds";

/// An answer takes some milliseconds, a hard one a second; after 30 it is given up.
const BUCKETS: [f64; 12] =
    [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 5.0, 30.0];

/// The numbers of the server. They are its own; those of the crawls that it runs stand behind them.
static METER: LazyLock<PrometheusRecorder> = LazyLock::new(|| {
    let builder = PrometheusBuilder::new();
    let builder = builder.set_buckets_for_metric(Matcher::Full(SECONDS.to_owned()), &BUCKETS);
    let recorder = builder.expect("there are buckets").build_recorder();
    with_local_recorder(&recorder, || {
        describe_counter!(REQUESTS, "requests, by method, route and status");
        describe_histogram!(SECONDS, Unit::Seconds, "how long a response takes, by route");
        describe_gauge!(GENERATION, "the number of the generation that answers");
        describe_gauge!(DOCUMENTS, "documents of that generation");
        describe_gauge!(MADE, Unit::Seconds, "when that generation was made, since 1970");
    });
    recorder
});

/// Counts a request and measures how long its response takes.
pub(crate) async fn measure(request: Request, next: Next) -> Response {
    // The route as it is written in the program: what people write there would make numbers without end.
    let route = request.extensions().get::<MatchedPath>();
    let route = route.map_or_else(|| "other".to_owned(), |it| it.as_str().to_owned());
    let method = method_name(request.method());
    let began = Instant::now();
    let response = next.run(request).await;
    note(method, route, response.status().as_u16(), began.elapsed());
    response
}

/// The method, if it is one that is known: anybody can write any word there.
fn method_name(method: &Method) -> &'static str {
    match *method {
        Method::GET => "GET",
        Method::HEAD => "HEAD",
        Method::POST => "POST",
        Method::OPTIONS => "OPTIONS",
        Method::PUT => "PUT",
        Method::DELETE => "DELETE",
        _ => "other",
    }
}

fn note(method: &'static str, route: String, status: u16, took: Duration) {
    with_local_recorder(&*METER, || {
        histogram!(SECONDS, "route" => route.clone()).record(took.as_secs_f64());
        counter!(REQUESTS, "method" => method, "route" => route, "status" => status.to_string())
            .increment(1);
    });
}

/// The numbers as Prometheus reads them.
pub(crate) async fn metrics(State(app): State<App>) -> Response {
    let generation = app.shelf.generation();
    with_local_recorder(&*METER, || {
        gauge!(GENERATION).set(generation.manifest.number as f64);
        gauge!(DOCUMENTS).set(generation.manifest.documents() as f64);
        gauge!(MADE).set(generation.manifest.made as f64);
    });
    let handle = METER.handle();
    handle.run_upkeep();
    let mut numbers = handle.render();
    if let Some(office) = app.office {
        // The crawls may have to be waited for.
        let of_crawls = tokio::task::spawn_blocking(move || office.runner.numbers()).await;
        numbers += &of_crawls.unwrap_or_default();
    }
    document("text/plain; version=0.0.4; charset=utf-8", numbers)
}
