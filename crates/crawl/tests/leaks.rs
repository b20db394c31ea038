//! After a crawl nothing stays: no connection, no open file, no thread of its own.

#![allow(clippy::print_stderr, reason = "a test tells what it skips and what it found")]

mod trial;
mod web;

use std::time::{Duration, Instant};

use crate::trial::{Ran, Trial, runtime};
use crate::web::{Asked, Reply, Web, page};

/// So long what is about to end may take.
const PATIENCE: Duration = Duration::from_secs(20);

/// A web where most things go wrong.
fn hostile(asked: &Asked) -> Reply {
    if asked.path == "/robots.txt" {
        return if asked.host == 3 { Reply::HangUp } else { Reply::not_found() };
    }
    let number: usize = asked.path[1..].parse().unwrap_or(0);
    let links = (1..100).map(|it| asked.url(it % 4, &format!("/{it}")));
    let html = page(asked.path, &links.collect::<Vec<_>>());
    match number % 9 {
        4 => Reply::HangUp,
        5 => Reply::Bytes(b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n<a href=/7>".to_vec()),
        6 => Reply::Bytes(vec![0; 100_000]),
        7 => Reply::new(200, vec![b'x'; 3 << 20]).with("Content-Type", "video/mp4"),
        8 => Reply::new(503, html),
        _ => Reply::html(html),
    }
}

/// How many files this process has open, if the system tells.
fn open_files() -> Option<usize> {
    Some(std::fs::read_dir("/proc/self/fd").ok()?.count())
}

fn threads() -> Option<usize> {
    Some(std::fs::read_dir("/proc/self/task").ok()?.count())
}

#[test]
fn a_crawl_of_a_hostile_web_leaves_nothing_open() {
    let web = Web::new(4, hostile);
    // What a process opens once and for all, such as tokio's ear for signals, is open after the first.
    crawl(&web);
    let before = (open_files(), threads());
    if before.0.is_none() {
        eprintln!("skipped: the system does not tell which files are open");
        return;
    }
    (0..3).for_each(|_| crawl(&web));
    let end = Instant::now() + PATIENCE;
    while (open_files(), threads()) > before {
        assert!(Instant::now() < end, "{:?} and {:?} stay of {before:?}", open_files(), threads());
        std::thread::yield_now();
    }
}

#[track_caller]
fn crawl(web: &Web) {
    let trial = Trial::new(web, &[web.url(0, "/"), web.url(3, "/0")]);
    let crawl = trial.open().expect("it opens");
    let runtime = runtime();
    let ending = runtime.block_on(crawl.run()).expect("it runs");
    let ran = Ran::of(&crawl, ending);
    assert_eq!(ran.progress.in_flight, 0);
    assert!(ran.progress.pages > 20, "{:?}", ran.progress);
    drop(crawl);
    // Connections have tasks of their own, which end when nobody can ask over them any more.
    web.wait_for_silence();
    let end = Instant::now() + PATIENCE;
    while runtime.metrics().num_alive_tasks() > 0 {
        assert!(Instant::now() < end, "{} tasks stay", runtime.metrics().num_alive_tasks());
        std::thread::yield_now();
    }
}
