//! How fast a whole crawl is as the number of links grows that it knows.
//!
//! `growth FOLDER KNOWN NEW` crawls a made-up web, served by a second process on loopback, until so many
//! links are known, with so many new links on each page, 1.1 say; delays are off, archive and frontier as always.
//! `growth FOLDER resume` opens the crawl again, which may have been killed, and tells how long that takes.
//! `growth serve NEW SECONDS` only serves that web, as a proxy whose port it prints; one of its hosts takes so long for an answer.
#![allow(
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "an example prints, and ends when something is wrong"
)]

use std::fmt::Write as _;
use std::io::{BufRead, BufReader, Write as _};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crawl::{Crawl, Ending, Politeness, Surroundings, Task, Wish};

/// As the program has it: memory is measured here.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// As many links as the pages of a common site have.
const LINKS: u64 = 30;
/// Of ten new links of a page, so many stay on its host.
const INSIDE: u64 = 8;
const HOSTS: u64 = 2_000;
/// The one that may be slow.
const SLOW: u64 = 7;
/// How much text a page has.
const SENTENCES: u64 = 40;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match arguments[..] {
        ["serve", new] => serve(new.parse().unwrap(), 0.0),
        ["serve", new, seconds] => serve(new.parse().unwrap(), seconds.parse().unwrap()),
        [folder, "resume"] => resume(Path::new(folder)),
        [folder, known, new] => grow(Path::new(folder), known.parse().unwrap(), new),
        _ => println!("growth FOLDER KNOWN NEW, growth FOLDER resume or growth serve NEW SECONDS"),
    }
}

/// Crawls until so many links are known, and tells how fast it went each time a tenth was reached.
fn grow(folder: &Path, known: u64, new: &str) {
    let me = std::env::current_exe().unwrap();
    let mut server = Command::new(me).args(["serve", new]).stdout(Stdio::piped()).spawn().unwrap();
    let mut port = String::new();
    BufReader::new(server.stdout.take().unwrap()).read_line(&mut port).unwrap();
    let crawl = open(folder, Some(format!("http://127.0.0.1:{}", port.trim())));
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
    let running = runtime.spawn({
        let crawl = crawl.clone();
        async move { crawl.run().await.unwrap() }
    });
    println!("known      queued     pages      pages/s  µs of processor a page  memory");
    let mut marks: Vec<u64> = (1..=10).map(|it| known * it / 10).collect();
    marks.insert(0, known / 100);
    for mark in marks {
        let (began, before, processor) = (Instant::now(), crawl.pages(), processor_time());
        while crawl.progress().known < mark && !running.is_finished() {
            std::thread::sleep(Duration::from_millis(10));
        }
        let (seconds, progress) = (began.elapsed().as_secs_f64(), crawl.progress());
        let pages = (progress.pages - before) as f64;
        println!(
            "{:<10} {:<10} {:<10} {:<8.0} {:<23.1} {}",
            progress.known,
            progress.queued,
            progress.pages,
            pages / seconds,
            (processor_time() - processor) / pages * 1e6,
            memory()
        );
    }
    crawl.wish(Wish::Stop);
    let ending = runtime.block_on(running).unwrap();
    assert_eq!(ending, Ending::Stopped, "the web is larger than the crawl");
    server.kill().unwrap();
    server.wait().unwrap();
}

/// Opens the crawl again.
fn resume(folder: &Path) {
    let began = Instant::now();
    let crawl = open(folder, None);
    let progress = crawl.progress();
    println!(
        "opened in {:.3} s with {} links known, {} queued; {}",
        began.elapsed().as_secs_f64(),
        progress.known,
        progress.queued,
        memory()
    );
}

fn open(folder: &Path, proxy: Option<String>) -> Crawl {
    let task = Task {
        name: "growth".to_owned(),
        seeds: (0..100).map(|host| format!("http://host{host}.example/")).collect(),
        strategy: "broad".to_owned(),
        proxy: proxy.or(Some("http://127.0.0.1:9".to_owned())),
        allow_private: true,
        scope: frontier::Scope { depth_in_host: None, ..frontier::Scope::default() },
        politeness: Politeness { delay: 0.0, connections: 16, ..Politeness::default() },
        ..Task::default()
    };
    let around = Surroundings::new(folder, world::gazetteer());
    Crawl::open(task, None, &around).unwrap()
}

/// Answers as a proxy for all hosts of the made-up web; the first line of its output is its port.
fn serve(new: f64, seconds: f64) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    println!("{}", listener.local_addr().unwrap().port());
    for stream in listener.incoming().flatten() {
        std::thread::spawn(move || answer(&stream, new, Duration::from_secs_f64(seconds)));
    }
}

fn answer(stream: &TcpStream, new: f64, slow: Duration) -> Option<()> {
    stream.set_nodelay(true).ok()?;
    let mut lines = BufReader::new(stream).lines();
    loop {
        let request = lines.next()?.ok()?;
        while !lines.next()?.ok()?.is_empty() {}
        let url = request.split(' ').nth(1)?.strip_prefix("http://host")?.to_owned();
        let (host, path) = url.split_once(".example/")?;
        let host: u64 = host.parse().ok()?;
        if host == SLOW {
            std::thread::sleep(slow);
        }
        let (status, body) = match path {
            "robots.txt" => ("404 Not Found", String::new()),
            _ => ("200 OK", page(new, host, number(path))),
        };
        let head = format!(
            "HTTP/1.1 {status}\r\nContent-Type: text/html\r\nContent-Length: {}\r\n\r\n",
            body.len()
        );
        (&mut &*stream).write_all([head, body].concat().as_bytes()).ok()?;
    }
}

/// The number of the page with this path.
fn number(path: &str) -> u64 {
    let digits = path.rsplit_once('-').map_or("", |it| it.1.trim_end_matches(".html"));
    digits.parse().unwrap_or_default()
}

/// A page with its text and links. Pages make a tree, so that new links are known to be new.
fn page(new: f64, host: u64, number: u64) -> String {
    // Before it come those that the pages with smaller numbers have.
    let before = (number as f64 * new) as u64;
    let new = ((number + 1) as f64 * new) as u64 - before;
    let name = mixed(number ^ host << 40);
    let mut body = format!("<title>{}</title><h1>{}</h1>", word(name), word(name));
    for sentence in 0..SENTENCES {
        let at = name.wrapping_add(sentence * 1_000_003);
        let words: Vec<_> = (0..16).map(|it| word(mixed(at.wrapping_add(it)))).collect();
        let _ = write!(body, "<p>{}.", words.join(" "));
    }
    for link in 0..LINKS {
        let is_new = link < new;
        let child = if is_new { before + link + 1 } else { link };
        let chance = mixed(child ^ number << 20);
        let to = if !is_new || chance % 10 < INSIDE { host } else { chance / 10 % HOSTS };
        let path = format!("section-{}/article-{child}.html", child % 97);
        let _ = write!(body, "<a href=http://host{to}.example/{path}>{}</a> ", word(chance));
    }
    body
}

/// Another number that looks random (`SplitMix64`).
fn mixed(number: u64) -> u64 {
    let mut it = number.wrapping_add(0x9e37_79b9_7f4a_7c15);
    it = (it ^ it >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    it = (it ^ it >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    it ^ it >> 31
}

fn word(number: u64) -> String {
    (0..3 + number % 4)
        .map(|at| ["ba", "de", "li", "mo", "tur", "san"][(number >> (8 * at)) as usize % 6])
        .collect()
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
