//! How many requests one client makes in a second, and what each costs in processor time:
//! `throughput REQUESTS WORKERS URL...` asks for the links in turn.
#![allow(
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "an example prints, and ends when something is wrong"
)]

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use fetch::{Client, Request, Settings, UserAgent};
use url::Url;

#[tokio::main(flavor = "current_thread")]
async fn main() {
    let mut arguments = std::env::args().skip(1);
    let requests: usize = arguments.next().unwrap().parse().unwrap();
    let workers: usize = arguments.next().unwrap().parse().unwrap();
    let urls: Arc<Vec<Url>> = Arc::new(arguments.map(|it| it.parse().unwrap()).collect());

    let user_agent = UserAgent::new("throughput/0.1", "https://example.org/").unwrap();
    let settings = Settings { allow_private: true, ..Settings::new(user_agent) };
    let client = Client::new(settings).unwrap();
    let next = Arc::new(AtomicUsize::new(0));
    let started = (Instant::now(), processor_time());
    let mut tasks = tokio::task::JoinSet::new();
    for _ in 0..workers {
        let (client, next, urls) = (client.clone(), Arc::clone(&next), Arc::clone(&urls));
        tasks.spawn(async move {
            let mut outcomes = BTreeMap::<String, (usize, usize)>::new();
            loop {
                let number = next.fetch_add(1, Ordering::Relaxed);
                if number >= requests {
                    return outcomes;
                }
                let response = client.get(Request::new(&urls[number % urls.len()])).await;
                let (outcome, bytes) = match &response {
                    Ok(response) => (response.status.to_string(), response.body.len()),
                    Err(error) => (error.class().to_owned(), 0),
                };
                let count = outcomes.entry(outcome).or_default();
                *count = (count.0 + 1, count.1 + bytes);
            }
        });
    }
    let mut outcomes = BTreeMap::<String, (usize, usize)>::new();
    while let Some(part) = tasks.join_next().await {
        for (outcome, (count, bytes)) in part.unwrap() {
            let sum = outcomes.entry(outcome).or_default();
            *sum = (sum.0 + count, sum.1 + bytes);
        }
    }
    let seconds = started.0.elapsed().as_secs_f64();
    let (user, system) = processor_time();
    let (user, system) = (user - started.1.0, system - started.1.1);
    let each = |it: f64| it / requests as f64 * 1e6;
    println!(
        "{:.0} requests/s; {:.0} µs of processor each ({:.0} user, {:.0} system)",
        requests as f64 / seconds,
        each(user + system),
        each(user),
        each(system)
    );
    for (outcome, (count, bytes)) in outcomes {
        println!("{outcome}: {count}, {bytes} bytes");
    }
}

/// Seconds of user and system time that this process has used so far, as Linux tells.
fn processor_time() -> (f64, f64) {
    let text = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let fields: Vec<f64> = text
        .rsplit(')')
        .next()
        .unwrap_or_default()
        .split_whitespace()
        .map(|it| it.parse().unwrap_or(0.0))
        .collect();
    // The fields are counted in hundredths of a second, whatever the machine.
    let field = |number: usize| fields.get(number).copied().unwrap_or(0.0) / 100.0;
    (field(11), field(12))
}
