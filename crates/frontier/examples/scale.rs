//! What a frontier costs as it grows.
//!
//! `scale crawl FILE KNOWN HOSTS NEW` plays a crawl until so many links are known, with so many new
//! links on each page; `scale kill FILE KNOWN HOSTS NEW` ends it without closing the file;
//! `scale open FILE` opens the file again and goes on for a thousand pages.
#![allow(
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "an example prints, and ends when something is wrong"
)]

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use frontier::{
    Courtesy, Delays, Ended, Frontier, Link, LinkId, Moment, Next, Outcome, Priority, Settings,
    State, Taken, Tally, Visit,
};
use url::Url;

/// As many links as the pages of a common site have.
const LINKS: u64 = 30;
/// Of ten links of a page, so many stay on its host.
const INSIDE: u64 = 8;
/// How many links are fetched at a time.
const IN_WORK: usize = 64;
/// A fast crawl makes its state durable after so many pages.
const PAGES_PER_COMMIT: u64 = 2_000;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match arguments[..] {
        [how @ ("crawl" | "kill"), file, known, hosts, new] => {
            let known = known.parse().unwrap();
            let web = Web::new(hosts.parse().unwrap(), new.parse().unwrap());
            let mut crawl = grow(Crawl::open(Path::new(file), web), Path::new(file), known);
            if how == "kill" {
                // What is in the batch now is lost, as it is when the process is killed.
                std::process::abort();
            }
            let started = Instant::now();
            crawl.frontier.commit().unwrap();
            drop(crawl);
            println!("closed in {:.2} s", started.elapsed().as_secs_f64());
        }
        ["open", file] => {
            let started = Instant::now();
            let mut crawl = Crawl::open(Path::new(file), Web::new(0, 0.0));
            println!("opened in {:.3} s; {}", started.elapsed().as_secs_f64(), memory());
            let counts = crawl.frontier.counts();
            println!("{counts:?}");
            crawl.web = Web::new(counts.hosts as usize, 0.0);
            let started = Instant::now();
            (0..1_000).for_each(|_| crawl.page());
            println!("a thousand pages in {:.3} s; {}", started.elapsed().as_secs_f64(), memory());
        }
        _ => println!("scale crawl|kill FILE KNOWN HOSTS NEW, or scale open FILE"),
    }
}

/// Crawls until so many links are known, and tells how fast it went each time a tenth was reached.
fn grow(mut crawl: Crawl, file: &Path, known: u64) -> Crawl {
    println!("known      queued     pages      pages/s  links/s  µs of processor a page  memory");
    let mut marks: Vec<u64> = (1..=10).map(|it| known * it / 10).collect();
    marks.insert(0, known / 100);
    for mark in marks {
        let (started, before, processor) = (Instant::now(), crawl.pages, processor_time());
        while crawl.frontier.counts().known < mark {
            crawl.page();
        }
        let seconds = started.elapsed().as_secs_f64();
        let pages = (crawl.pages - before) as f64;
        let counts = crawl.frontier.counts();
        println!(
            "{:<10} {:<10} {:<10} {:<8.0} {:<8.0} {:<23.1} {}; file {} MB",
            counts.known,
            counts.queued,
            crawl.pages,
            pages / seconds,
            pages * LINKS as f64 / seconds,
            (processor_time() - processor) / pages * 1e6,
            memory(),
            std::fs::metadata(file).unwrap().len() >> 20
        );
    }
    crawl
}

/// A web that is made up as it is asked for: hosts with numbered pages.
struct Web {
    /// How many pages of each host are known.
    pages: Vec<u64>,
    /// How many new links a page has.
    new: f64,
    /// What of a new link is still owed.
    owed: f64,
    random: u64,
}

impl Web {
    fn new(hosts: usize, new: f64) -> Self {
        Self { pages: vec![0; hosts], new, owed: 0.0, random: 7 }
    }

    /// A number below this one (xorshift64*, so that every run is the same).
    fn below(&mut self, most: u64) -> u64 {
        self.random ^= self.random >> 12;
        self.random ^= self.random << 25;
        self.random ^= self.random >> 27;
        (self.random.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 32) % most.max(1)
    }

    /// The links of a page of this host: as many new ones as are due, and others that are known.
    fn links(&mut self, host: usize, via: LinkId) -> Vec<Link> {
        self.owed += self.new;
        let new = self.owed as u64;
        self.owed -= new as f64;
        (0..LINKS.max(new)).map(|number| self.link(host, via, number < new)).collect()
    }

    fn link(&mut self, here: usize, via: LinkId, is_new: bool) -> Link {
        let is_inside = self.below(10) < INSIDE;
        let host = if is_inside { here } else { self.below(self.pages.len() as u64) as usize };
        let known = self.pages[host];
        let page = if is_new { known } else { self.below(known) };
        self.pages[host] = known.max(page + 1);
        let priority = Priority(self.below(1 << 20) as f32);
        Link { via: Some(via), depth: 5, inside: 3, priority, ..Link::seed(url(host, page)) }
    }
}

fn url(host: usize, page: u64) -> Url {
    let section = page % 97;
    let text = format!("https://www.host{host}.example/section-{section}/article-{page}.html");
    Url::parse(&text).unwrap()
}

/// A crawl of the made-up web.
struct Crawl {
    frontier: Frontier,
    web: Web,
    in_work: std::collections::VecDeque<Taken>,
    pages: u64,
    committed: Instant,
    began: Instant,
}

impl Crawl {
    fn open(file: &Path, web: Web) -> Self {
        let delays = Delays { least: Duration::ZERO, ..Delays::default() };
        let settings = Settings { delays, connections: 16 };
        let courtesy = Arc::new(Courtesy::default());
        let mut frontier = Frontier::open(file, settings, courtesy).unwrap();
        let began = Instant::now();
        if frontier.counts().known == 0 {
            let seeds: Vec<_> =
                (0..web.pages.len().min(100)).map(|host| Link::seed(url(host, 0))).collect();
            frontier.add(&seeds, false, Moment(0)).unwrap();
        }
        let in_work = std::collections::VecDeque::new();
        Self { frontier, web, in_work, pages: 0, committed: began, began }
    }

    /// Begins with as many pages as may be in work, and ends with the oldest.
    fn page(&mut self) {
        let now = Moment(1_700_000_000_000) + self.began.elapsed();
        while self.in_work.len() < IN_WORK {
            match self.frontier.next(now).unwrap() {
                Next::Link(taken) => self.in_work.push_back(*taken),
                _ => break,
            }
        }
        let Some(taken) = self.in_work.pop_front() else { return };
        let host = host_number(&taken.origin);
        let links = self.web.links(host, taken.id);
        self.frontier.add(&links, false, now).unwrap();
        self.frontier.finish(taken.id, visited(now), now).unwrap();
        self.pages += 1;
        let is_due = self.committed.elapsed() >= Duration::from_secs(1);
        if is_due || self.pages.is_multiple_of(PAGES_PER_COMMIT) {
            self.frontier.commit().unwrap();
            self.committed = Instant::now();
        }
    }
}

fn host_number(origin: &str) -> usize {
    let digits = origin.trim_start_matches("https://www.host").trim_end_matches(".example");
    digits.parse().unwrap_or_default()
}

fn visited(now: Moment) -> Outcome {
    let etag = Some("\"5e8c6f2a-1a2b\"".to_owned());
    Outcome {
        state: State::Visited,
        visit: Some(Visit { at: now, status: 200, etag, first: now, ..Visit::default() }),
        again: None,
        ended: Some(Ended::Answered(Duration::from_millis(10))),
        address: None,
        tally: Tally { visited: true, bytes: 6_000, ..Tally::default() },
    }
}

/// The memory in use and the most that was, as Linux tells it.
fn memory() -> String {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let megabytes = |name: &str| {
        let line = status.lines().find_map(|it| it.strip_prefix(name)).unwrap_or("0");
        line.trim_end_matches("kB").trim().parse::<u64>().unwrap_or_default() >> 10
    };
    format!("{} MB, at most {} MB", megabytes("VmRSS:"), megabytes("VmHWM:"))
}

/// Seconds of processor time so far, as Linux tells it in hundredths.
fn processor_time() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let fields = stat.rsplit(')').next().unwrap_or_default().split_whitespace().skip(11).take(2);
    fields.filter_map(|it| it.parse::<f64>().ok()).sum::<f64>() / 100.0
}
