//! A crawl that is killed at random moments loses nothing.

#![allow(clippy::print_stderr, reason = "a test tells what it skips and what it found")]

#[allow(dead_code, reason = "only its work is done here")]
#[path = "../examples/crawl.rs"]
mod program;
mod trial;
mod web;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::time::Duration;

use frontier::{Courtesy, Frontier};
use serde_json::Value;
use tempfile::TempDir;

use crate::trial::{archived, check_archive, lines};
use crate::web::{Asked, Reply, Web, page};

/// How many requests are on their way at a time.
const IN_FLIGHT: usize = 8;
const HOSTS: usize = 4;

/// How often the crawl is killed; `STRABO_KILLS=50` for a long run.
fn kills() -> usize {
    std::env::var("STRABO_KILLS").ok().and_then(|it| it.parse().ok()).unwrap_or(6)
}

/// Numbers that look random, the same each time: xorshift.
struct Dice(u64);

impl Dice {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % limit
    }
}

/// Page `n` leads to `2n + 1`, `2n + 2` and a page of the next host; each answer takes a moment.
fn respond(pages: usize, asked: &Asked) -> Reply {
    if asked.path == "/robots.txt" {
        return Reply::text("User-agent: *\nDisallow: /forbidden");
    }
    let Some(number) = asked.path.strip_prefix("/p").and_then(|it| it.parse::<usize>().ok()) else {
        return Reply::not_found();
    };
    let here = [2 * number + 1, 2 * number + 2].into_iter().filter(|it| *it < pages);
    let mut links: Vec<_> = here.map(|it| asked.url(asked.host, &format!("/p{it}"))).collect();
    links.push(asked.url((asked.host + 1) % HOSTS, &format!("/p{number}")));
    links.push(asked.url(asked.host, "/forbidden"));
    let html = page(&format!("{} {number}", asked.host), &links);
    let moment = Duration::from_millis((number % 7) as u64);
    Reply::Late(moment, Box::new(Reply::html(html)))
}

struct Killed {
    folder: TempDir,
    task: PathBuf,
}

impl Killed {
    fn new(web: &Web) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let task = folder.path().join("task.toml");
        let text = format!(
            "name = 'killed'\nseeds = ['{}']\nallow_private = true\nthreads = {IN_FLIGHT}\n\
             politeness.delay = 0.0\npoliteness.connections = 4\nlimits.archive_file = 60000\n\
             limits.commit = 0.2\nscope.depth_in_host = 1000\n",
            web.url(0, "/p0")
        );
        fs::write(&task, text).expect("it is written");
        Self { folder, task }
    }

    fn data(&self) -> PathBuf {
        self.folder.path().join("data")
    }

    fn archive(&self) -> PathBuf {
        self.data().join("archive")
    }

    fn start(&self) -> Child {
        // The program is part of this one, so that it is never an old one.
        let mut command = Command::new(std::env::current_exe().expect("we run"));
        command.args(["--exact", "a_part_of_the_other_test", "--ignored", "--nocapture"]);
        command.env("STRABO_TASK", &self.task).env("STRABO_DATA", self.data());
        command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("it starts")
    }

    /// What was told to have been fetched before the kill has its whole answer in the archive.
    fn check(&self) {
        let state = self.data().join("tasks").join("killed");
        if !state.join("frontier.redb").exists() || !self.archive().exists() {
            return;
        }
        let verified = archive::verify(&self.archive(), &mut |_| {}).expect("it can be read");
        assert!(verified.broken == 0 && verified.disagreeing == 0, "{verified:?}");
        assert!(verified.torn.len() <= 1, "{verified:?}");
        let kept: BTreeSet<_> = kept(&self.archive());
        let log = fs::read_to_string(state.join("judged.jsonl")).unwrap_or_default();
        for line in log.lines() {
            // The last line may be torn.
            if let Ok(line) = serde_json::from_str::<Value>(line) {
                let url = line["url"].as_str().expect("a URL");
                assert!(kept.contains(url), "{url} is in the log but not in the archive");
            }
        }
        let copy = self.folder.path().join("copy.redb");
        fs::copy(state.join("frontier.redb"), &copy).expect("it is copied");
        let courtesy = Arc::new(Courtesy::default());
        let frontier = Frontier::open(&copy, frontier::Settings::default(), courtesy);
        let listed = frontier.expect("it opens").links(|_, entry| {
            assert!(entry.visit.is_none() || kept.contains(&entry.url), "{}", entry.url);
        });
        listed.expect("it can be read");
    }
}

/// The addresses of the whole answers of an archive whose last file may be torn.
fn kept(folder: &Path) -> BTreeSet<String> {
    let files = fs::read_dir(folder).expect("it is there").map(|it| it.expect("a file").path());
    let files = files.filter(|it| it.to_string_lossy().ends_with(".warc.gz"));
    let records = files.flat_map(|it| archive::Records::new(fs::File::open(it).expect("a file")));
    let responses = records.filter_map(Result::ok).filter(|it| it.kind == archive::Kind::Response);
    responses.filter(|it| it.digest_agrees() == Some(true)).filter_map(|it| it.target).collect()
}

#[test]
fn a_crawl_that_is_killed_at_random_moments_loses_nothing_and_asks_for_little_twice() {
    let kills = kills();
    let pages = (kills * 4).max(100);
    let web = Web::new(HOSTS, move |asked| respond(pages, asked));
    let killed = Killed::new(&web);
    let mut dice = Dice(0x5eed_5eed_5eed);
    let step = (HOSTS * pages / (kills + 1)) as u64;
    for _ in 0..kills {
        let mut child = killed.start();
        // Now and then even before the first request, in the middle of opening.
        let more = dice.below(3 * step / 2);
        let count = web.requests().len() + more as usize;
        web.wait_for_requests_or(count, || child.try_wait().is_ok_and(|it| it.is_some()));
        child.kill().expect("it is killed");
        child.wait().expect("it ends");
        killed.check();
    }
    let output = killed.start().wait_with_output().expect("it ends");
    let told = String::from_utf8_lossy(&output.stderr);
    assert!(told.contains("Finished"), "{told}{}", String::from_utf8_lossy(&output.stdout));

    let mut expected: Vec<_> = (0..HOSTS)
        .flat_map(|host| (0..pages).map(move |page| (host, format!("/p{page}"))))
        .map(|(host, path)| web.url(host, &path))
        .collect();
    expected.sort();
    assert_eq!(archived(&killed.archive()), expected, "every page is in the archive once");
    check_archive(&killed.archive());
    let judged = lines(&killed.data(), "killed");
    let mut judged: Vec<_> = judged.iter().map(|it| it["url"].as_str().expect("a URL")).collect();
    judged.sort_unstable();
    assert_eq!(judged, expected, "every page is in the log once");

    let mut times: BTreeMap<String, usize> = BTreeMap::new();
    for request in web.requests() {
        *times.entry(web.url(request.host, &request.path)).or_default() += 1;
    }
    assert!(times.keys().all(|it| !it.contains("forbidden")));
    let rules: usize = times.iter().filter(|it| it.0.ends_with("robots.txt")).map(|it| it.1).sum();
    times.retain(|url, _| !url.ends_with("robots.txt"));
    let twice = times.values().sum::<usize>() - times.len();
    let most = times.values().max().copied().unwrap_or_default();
    eprintln!(
        "{kills} kills, {} pages: {twice} requests were in vain ({} might be), one page was asked \
         for {most} times at most, robots.txt {rules} times at {HOSTS} hosts",
        times.len(),
        kills * IN_FLIGHT
    );
    assert!(twice <= kills * IN_FLIGHT);
    assert!(rules <= HOSTS * (kills + 1));
    check_with_warcio(&killed.archive());
}

#[test]
#[ignore = "it is the process that is killed"]
fn a_part_of_the_other_test() {
    let (Some(task), Some(data)) =
        (std::env::var_os("STRABO_TASK"), std::env::var_os("STRABO_DATA"))
    else {
        return;
    };
    let ending = program::crawl(Path::new(&task), Path::new(&data));
    eprintln!("{:?}", ending.expect("it runs"));
}

/// Another program finds no fault with the archive either.
fn check_with_warcio(folder: &Path) {
    let warcio = std::env::var_os("WARCIO").unwrap_or_else(|| "warcio".into());
    if !Command::new(&warcio).arg("--version").output().is_ok_and(|it| it.status.success()) {
        eprintln!("skipped: the program warcio is not installed; WARCIO may say where it is");
        return;
    }
    let files = fs::read_dir(folder).expect("it is there").map(|it| it.expect("a file").path());
    let files: Vec<_> = files.filter(|it| it.to_string_lossy().ends_with(".warc.gz")).collect();
    let output = Command::new(&warcio).arg("check").args(&files).output().expect("it runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
    eprintln!("warcio finds no fault with {} files", files.len());
}
