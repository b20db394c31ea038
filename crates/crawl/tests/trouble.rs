//! What a crawl does when something around it fails: it stops or waits, says why, and loses nothing.

#![allow(clippy::print_stderr, reason = "a test tells what it skips and what it found")]

mod trial;
mod web;

use std::fs;
use std::io::{Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use crawl::{Clock, Ending, Slots};
use fetch::NameError;
use frontier::{Courtesy, State};

use crate::trial::{Names, Ran, Trial, runtime};
use crate::web::{Asked, Reply, Web, page};

/// So many pages the webs of these tests have.
const PAGES: u64 = 120;

/// A host of pages, page `n` leading to `2n + 1` and `2n + 2`; `filling` makes them larger.
fn pages(asked: &Asked, filling: &str) -> Reply {
    if asked.path == "/robots.txt" {
        return Reply::not_found();
    }
    let number: u64 = asked.path[1..].parse().unwrap_or(0);
    let links = [2 * number + 1, 2 * number + 2].into_iter().filter(|it| *it < PAGES);
    let links: Vec<_> = links.map(|it| asked.url(asked.host, &format!("/{it}"))).collect();
    Reply::html(page(asked.path, &links) + filling)
}

/// The crawl comes to its end, with every page in the archive and in the log once; questions that were cut off before
/// their answer stand in the log as well.
#[track_caller]
fn check_end(trial: &Trial, web: &Web) {
    assert_eq!(trial.run().ending, Ending::Finished);
    let mut expected: Vec<_> = (1..PAGES).map(|it| web.url(0, &format!("/{it}"))).collect();
    expected.push(web.url(0, "/"));
    expected.sort();
    assert_eq!(trial.archived(), expected);
    let mut lines = trial.lines();
    lines.retain(|it| it["error"].is_null());
    let url = |it: &serde_json::Value| it["url"].as_str().expect("a URL").to_owned();
    let mut judged: Vec<_> = lines.iter().map(url).collect();
    judged.sort();
    assert_eq!(judged, expected);
    trial.check_archive();
}

/// The crawl ends with an error that says this.
#[track_caller]
fn check_failure(trial: &Trial, expected: &[&str]) {
    let told = match trial.try_run() {
        Ok(ran) => panic!("it ended with {:?}", ran.ending),
        Err(error) => error.to_string(),
    };
    eprintln!("it said: {told}");
    for words in expected {
        assert!(told.contains(words), "{told} does not say {words}");
    }
}

/// A disk of its own, gone when it is dropped.
struct Disk(PathBuf);

impl Disk {
    /// A disk of this size, if we are allowed to make one.
    fn new(folder: &Path, size: &str) -> Option<Self> {
        let mount = Command::new("mount")
            .args(["-t", "tmpfs", "-o", &format!("size={size}"), "tmpfs"])
            .arg(folder)
            .output();
        mount.is_ok_and(|it| it.status.success()).then(|| Self(folder.to_owned()))
    }

    fn grow(&self, size: &str) {
        let options = format!("remount,size={size}");
        let mount = Command::new("mount").args(["-o", &options]).arg(&self.0).output();
        assert!(mount.expect("it runs").status.success());
    }
}

impl Drop for Disk {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg("-l").arg(&self.0).output();
    }
}

/// Text that cannot be packed well.
fn noise(seed: u64, length: usize) -> String {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    (0..length)
        .map(|_| {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            char::from(b'0' + (state % 74) as u8).to_string().replace(['<', '>', '&'], "_")
        })
        .collect()
}

#[test]
fn a_full_disk_stops_the_crawl_which_goes_on_when_there_is_room() {
    let web = Web::new(1, |asked| {
        let number = asked.path.bytes().fold(7, |sum: u64, it| sum * 31 + u64::from(it));
        pages(asked, &format!("<!-- {} -->", noise(number, 60_000)))
    });
    let mut trial = Trial::new(&web, &[web.url(0, "/")]);
    let folder = trial.around.data.join("disk");
    fs::create_dir(&folder).expect("it is made");
    let Some(disk) = Disk::new(&folder, "5m") else {
        eprintln!("skipped: only root may make a small disk to fill");
        return;
    };
    trial.around.data = folder;
    check_failure(&trial, &["No space left on device"]);
    let before = web.asked().len();
    assert!(before > 10, "{before}");
    // It is still full, and says so again.
    check_failure(&trial, &["No space left on device"]);
    disk.grow("100m");
    check_end(&trial, &web);
    eprintln!("{} requests for {PAGES} pages", web.asked().len());
    drop(disk);
}

/// A web where something happens when a page is asked for the first time.
fn web_with(path: &'static str, event: impl Fn() + Send + Sync + 'static) -> Web {
    let has_happened = AtomicBool::new(false);
    Web::new(1, move |asked| {
        if asked.path == path && !has_happened.swap(true, Ordering::SeqCst) {
            event();
        }
        pages(asked, "")
    })
}

#[test]
fn an_archive_whose_folder_is_gone_stops_the_crawl() {
    let folder: Arc<std::sync::OnceLock<PathBuf>> = Arc::default();
    let place = Arc::clone(&folder);
    // The next file of the archive cannot be made while something else has its folder's name.
    let web = web_with("/50", move || {
        let folder = place.get().expect("it is known");
        fs::rename(folder, folder.with_extension("away")).expect("it is moved");
        fs::write(folder, "in the way").expect("it is written");
    });
    let trial = Trial::new(&web, &[web.url(0, "/")]).with(|it| it.limits.archive_file = 20_000);
    folder.set(trial.archive()).expect("it is set once");
    check_failure(&trial, &["archive", "cannot be written to: Not a directory", "is whole"]);
    // It cannot be opened either, and nothing is lost by trying.
    check_failure(&trial, &["archive", "cannot be read: Not a directory"]);
    fs::remove_file(trial.archive()).expect("it is removed");
    check_failure(&trial, &["archive"]);
    fs::rename(trial.archive().with_extension("away"), trial.archive()).expect("it is moved back");
    check_end(&trial, &web);
}

#[test]
fn a_folder_that_may_not_be_written_to_stops_the_crawl() {
    use std::os::unix::fs::PermissionsExt;
    let folder: Arc<std::sync::OnceLock<PathBuf>> = Arc::default();
    let place = Arc::clone(&folder);
    let allow = |folder: &Path, mode| {
        fs::set_permissions(folder, fs::Permissions::from_mode(mode)).expect("it is ours");
    };
    let web = web_with("/50", move || allow(place.get().expect("it is known"), 0o555));
    let trial = Trial::new(&web, &[web.url(0, "/")]).with(|it| it.limits.archive_file = 20_000);
    folder.set(trial.archive()).expect("it is set once");
    fs::create_dir(trial.archive()).expect("it is made");
    allow(&trial.archive(), 0o555);
    let is_heeded = fs::write(trial.archive().join("try"), "").is_err();
    let _ = fs::remove_file(trial.archive().join("try"));
    allow(&trial.archive(), 0o755);
    if !is_heeded {
        eprintln!("skipped: root may write to any folder");
        return;
    }
    check_failure(&trial, &["archive", "cannot be written to: Permission denied"]);
    allow(&trial.archive(), 0o755);
    check_end(&trial, &web);
}

#[test]
fn an_archive_that_was_removed_stops_the_crawl_within_a_commit() {
    let folder: Arc<std::sync::OnceLock<PathBuf>> = Arc::default();
    let place = Arc::clone(&folder);
    let has_gone = AtomicBool::new(false);
    // The web has no end: only the archive can stop the crawl.
    let web = Web::new(1, move |asked| {
        if asked.path == "/20" && !has_gone.swap(true, Ordering::SeqCst) {
            fs::remove_dir_all(place.get().expect("it is known")).expect("it is removed");
        }
        let number: u64 = asked.path[1..].parse().unwrap_or(0);
        let links = [1, 2].map(|it| asked.url(0, &format!("/{}", 2 * number + it)));
        if asked.path == "/robots.txt" {
            Reply::not_found()
        } else {
            Reply::html(page(asked.path, &links))
        }
    });
    let trial = Trial::new(&web, &[web.url(0, "/")]).with(|it| it.limits.commit = 0.05);
    folder.set(trial.archive()).expect("it is set once");
    check_failure(&trial, &["archive", "was removed while it was written to"]);
    // What is gone is gone, and the crawl does not go on as if it were there.
    check_failure(&trial, &["archive"]);
}

#[test]
fn a_resolver_that_does_not_answer_costs_nothing_but_time() {
    let web = Web::new(1, |asked| pages(asked, ""));
    let mut trial = Trial::new(&web, &[format!("http://harbour.example:{}/", web.port(0))]);
    let dead = |it| Some(Arc::new(Names(it, NameError::NoAnswer)) as Arc<dyn fetch::Resolve>);
    trial.around.resolver = dead(Vec::new());
    let ran = trial.run();
    assert_eq!(ran.ending, Ending::OnlySilentHosts);
    assert_eq!(ran.progress.errors.keys().collect::<Vec<_>>(), ["dns-no-answer"]);
    assert_eq!(ran.progress.queued, 1);
    assert!(web.requests().is_empty());
    trial.around.resolver = dead(vec![("harbour.example", [127, 0, 0, 1].into())]);
    trial.task.politeness.patience = 1e9;
    assert_eq!(trial.run().ending, Ending::Finished);
    // Its links are absolute, so that the other pages have another host.
    assert_eq!(web.asked().len() as u64, PAGES);
}

#[test]
fn a_clock_that_was_set_back_keeps_nobody_waiting() {
    let web = Web::new(1, |asked| pages(asked, ""));
    let mut trial = Trial::new(&web, &[web.url(0, "/")]);
    let ahead = Clock::hurried();
    let year = Duration::from_hours(24 * 365);
    runtime().block_on(ahead.wait_until(ahead.now() + year));
    trial.around.clock = ahead;
    trial.task.budget = crawl::Budget::Pages(30);
    assert_eq!(trial.run().ending, Ending::BudgetUsed);
    // Another process with another clock has no memory of its own.
    trial.around.clock = Clock::hurried();
    trial.around.courtesy = Arc::new(Courtesy::default());
    trial.task.budget = crawl::Budget::Unlimited;
    let before = trial.around.clock.now();
    check_end(&trial, &web);
    let took = trial.around.clock.now().since(before);
    assert!(took < Duration::from_secs(200), "{took:?} for {} pages", PAGES - 30);
    assert_eq!(web.asked().len() as u64, PAGES);
}

#[test]
fn a_clock_that_was_put_forward_costs_one_more_question_for_robots_txt() {
    let web = Web::new(1, |asked| pages(asked, ""));
    let mut trial = Trial::new(&web, &[web.url(0, "/")]);
    trial.task.budget = crawl::Budget::Pages(30);
    assert_eq!(trial.run().ending, Ending::BudgetUsed);
    let ahead = Clock::hurried();
    runtime().block_on(ahead.wait_until(ahead.now() + Duration::from_hours(24 * 365)));
    trial.around.clock = ahead;
    trial.task.budget = crawl::Budget::Unlimited;
    check_end(&trial, &web);
    assert_eq!(web.requests().len() as u64, PAGES + 2);
}

/// A proxy that passes bytes on to one host, and may be gone for a while.
struct Proxy {
    is_gone: Arc<AtomicBool>,
    port: u16,
    to: u16,
}

impl Proxy {
    fn new(to: u16) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("loopback");
        let port = listener.local_addr().expect("it is bound").port();
        let proxy = Self { is_gone: Arc::default(), port, to };
        proxy.listen(listener);
        proxy
    }

    fn listen(&self, listener: TcpListener) {
        let (is_gone, to) = (Arc::clone(&self.is_gone), self.to);
        std::thread::spawn(move || {
            while let Ok((client, _)) = listener.accept() {
                if is_gone.load(Ordering::SeqCst) {
                    return;
                }
                let is_gone = Arc::clone(&is_gone);
                std::thread::spawn(move || pass_on(&is_gone, &client, to));
            }
        });
    }

    fn go(&self) {
        self.is_gone.store(true, Ordering::SeqCst);
        // Whoever waits for a connection gets a last one.
        while TcpStream::connect(("127.0.0.1", self.port)).is_ok() {
            std::thread::yield_now();
        }
    }

    fn come_back(&self) {
        let listener = TcpListener::bind(("127.0.0.1", self.port)).expect("nobody took it");
        self.is_gone.store(false, Ordering::SeqCst);
        self.listen(listener);
    }
}

fn pass_on(is_gone: &AtomicBool, mut client: &TcpStream, to: u16) {
    let Ok(mut host) = TcpStream::connect(("127.0.0.1", to)) else { return };
    let back = (host.try_clone(), client.try_clone());
    let (Ok(mut from_host), Ok(mut to_client)) = back else { return };
    std::thread::spawn(move || {
        let _ = std::io::copy(&mut from_host, &mut to_client);
        let _ = to_client.shutdown(Shutdown::Both);
    });
    let mut bytes = [0; 4096];
    while let Ok(count) = client.read(&mut bytes) {
        if count == 0 || is_gone.load(Ordering::SeqCst) || host.write_all(&bytes[..count]).is_err()
        {
            break;
        }
    }
    let _ = host.shutdown(Shutdown::Both);
    let _ = client.shutdown(Shutdown::Both);
}

#[test]
fn a_proxy_that_is_gone_is_waited_for() {
    // A port where nobody listens yet.
    let port = {
        let listener = TcpListener::bind("127.0.0.1:0").expect("loopback");
        listener.local_addr().expect("it is bound").port()
    };
    let web = Web::new(1, |asked| pages(asked, ""));
    let mut trial = Trial::new(&web, &[web.url(0, "/")]);
    trial.task.proxy = Some(format!("http://127.0.0.1:{port}"));
    let crawl = trial.open().expect("it opens");
    let runtime = runtime();
    let running = runtime.spawn({
        let crawl = crawl.clone();
        async move { crawl.run().await }
    });
    let trouble = runtime.block_on(async {
        loop {
            if let Some(trouble) = crawl.progress().waiting_for {
                return trouble;
            }
            tokio::task::yield_now().await;
        }
    });
    eprintln!("it said: {trouble}");
    assert!(trouble.starts_with("the proxy does not work:"), "{trouble}");
    assert!(!running.is_finished());
    crawl.wish(crawl::Wish::Stop);
    let ending = runtime.block_on(running).expect("no panic").expect("it runs");
    assert_eq!(ending, Ending::Stopped);
    assert_eq!(crawl.frontier(|it| it.counts()).queued, 1);
    drop(crawl);
    assert!(web.requests().is_empty());

    let proxy = Proxy::new(web.port(0));
    trial.task.proxy = Some(format!("http://127.0.0.1:{}", proxy.port));
    // A page whose answer was cut off is tried again another day.
    trial.task.politeness.patience = 1e9;
    let crawl = trial.open().expect("it opens");
    let running = runtime.spawn({
        let crawl = crawl.clone();
        async move { crawl.run().await }
    });
    web.wait_for_requests(20);
    proxy.go();
    let trouble = runtime.block_on(async {
        loop {
            if let Some(trouble) = crawl.progress().waiting_for {
                return trouble;
            }
            tokio::task::yield_now().await;
        }
    });
    assert_eq!(trouble, "the proxy does not work: the proxy refuses the connection");
    let before = web.requests().len() as u64;
    assert!(before < PAGES, "{before}");
    proxy.come_back();
    let ending = runtime.block_on(running).expect("no panic").expect("it runs");
    assert_eq!(ending, Ending::Finished);
    assert_eq!(crawl.progress().waiting_for, None);
    drop(crawl);
    check_end(&trial, &web);
}

/// So many pages each host has that hangs on a line.
const EACH: usize = 30;

/// A web whose hosts hang on lines that can be cut, with a crawl that begins at each of them.
struct Wired {
    web: Web,
    lines: Vec<Proxy>,
    trial: Trial,
}

impl Wired {
    fn new(hosts: usize) -> Self {
        let web = Web::new(1, |asked| {
            if asked.path == "/robots.txt" {
                return Reply::not_found();
            }
            let number: usize = asked.path[1..].parse().unwrap_or(0);
            let links = [2 * number + 1, 2 * number + 2].into_iter().filter(|it| *it < EACH);
            let links: Vec<_> = links.map(|it| format!("/{it}")).collect();
            Reply::html(page(&format!("{} {}", asked.headers["host"], asked.path), &links))
        });
        let lines: Vec<_> = (0..hosts).map(|_| Proxy::new(web.port(0))).collect();
        let seeds: Vec<_> =
            lines.iter().map(|it| format!("http://127.0.0.1:{}/", it.port)).collect();
        let trial = Trial::new(&web, &seeds);
        Self { web, lines, trial }
    }

    /// Cuts the first so many lines, at once.
    fn cut(&self, lines: usize) {
        self.lines.iter().take(lines).for_each(|it| it.is_gone.store(true, Ordering::SeqCst));
        self.lines.iter().take(lines).for_each(Proxy::go);
    }

    fn mend(&self) {
        self.lines.iter().for_each(Proxy::come_back);
    }

    /// Begins the crawl and cuts lines in its middle.
    fn begin_and_cut(&self, runtime: &tokio::runtime::Runtime, lines: usize) -> Underway {
        let crawl = self.trial.open().expect("it opens");
        let running = runtime.spawn({
            let crawl = crawl.clone();
            async move { crawl.run().await }
        });
        self.web.wait_for_requests(10 * self.lines.len());
        self.cut(lines);
        Underway { crawl, running }
    }

    /// Every page of every host was fetched once.
    #[track_caller]
    fn check_pages(&self) {
        let mut archived = self.trial.archived();
        assert_eq!(archived.len(), self.lines.len() * EACH);
        archived.dedup();
        assert_eq!(archived.len(), self.lines.len() * EACH);
        self.trial.check_archive();
    }
}

/// A crawl that runs.
struct Underway {
    crawl: crawl::Crawl,
    running: tokio::task::JoinHandle<Result<Ending, crawl::Error>>,
}

impl Underway {
    /// What it waits for, as soon as it does.
    #[track_caller]
    fn trouble(&self, runtime: &tokio::runtime::Runtime) -> String {
        let end = Instant::now() + Duration::from_mins(1);
        runtime.block_on(async {
            loop {
                if let Some(trouble) = self.crawl.progress().waiting_for {
                    return trouble;
                }
                assert!(!self.running.is_finished(), "it has ended before");
                assert!(Instant::now() < end, "it does not wait for anything");
                tokio::task::yield_now().await;
            }
        })
    }

    #[track_caller]
    fn end(self, runtime: &tokio::runtime::Runtime) -> Ran {
        let ending = runtime.block_on(self.running).expect("no panic").expect("it runs");
        Ran::of(&self.crawl, ending)
    }
}

#[test]
fn a_network_that_is_down_is_waited_for_and_no_host_is_blamed() {
    let mut wired = Wired::new(5);
    wired.trial.task.politeness.patience = 1e9;
    let runtime = runtime();
    let underway = wired.begin_and_cut(&runtime, 5);
    let trouble = underway.trouble(&runtime);
    eprintln!("it said: {trouble}");
    assert!(trouble.starts_with("the network seems to be down: 127.0.0.1"), "{trouble}");
    wired.mend();
    let ran = underway.end(&runtime);
    assert_eq!(ran.ending, Ending::Finished);
    assert_eq!(ran.progress.waiting_for, None);
    assert!(ran.states.values().all(|it| *it == State::Visited), "{:?}", ran.states);
    // Two are not enough to know better, and once more two if an answer was still on its way.
    let refused = ran.progress.errors.get("refused").copied().unwrap_or_default();
    assert!(refused <= 4, "{:?}", ran.progress.errors);
    wired.check_pages();
}

#[test]
fn a_network_that_stays_down_ends_the_crawl_and_nothing_is_lost() {
    let wired = Wired::new(5);
    let runtime = runtime();
    let ran = wired.begin_and_cut(&runtime, 5).end(&runtime);
    assert_eq!(ran.ending, Ending::NoNetwork);
    let is_open = |it: &State| !matches!(it, State::Dropped(_));
    assert!(ran.states.values().all(is_open), "{:?}", ran.states);
    // It is no better a while later, and nobody is worse off for it.
    let again = wired.trial.run();
    assert_eq!(again.ending, Ending::NoNetwork);
    assert!(again.states.values().all(is_open), "{:?}", again.states);
    wired.mend();
    let mut trial = wired.trial;
    trial.task.politeness.patience = 1e9;
    assert_eq!(trial.run().ending, Ending::Finished);
    Wired { trial, ..wired }.check_pages();
}

#[test]
fn a_crawl_that_waits_for_the_network_keeps_others_from_nothing() {
    let mut wired = Wired::new(5);
    wired.trial.task.politeness.patience = 1e9;
    wired.trial.around.slots = Slots::new(1);
    let runtime = runtime();
    let underway = wired.begin_and_cut(&runtime, 5);
    underway.trouble(&runtime);
    let web = Web::new(1, |asked| pages(asked, ""));
    let mut other = Trial::new(&web, &[web.url(0, "/")]);
    other.around.slots = wired.trial.around.slots.clone();
    let crawl = other.open().expect("it opens");
    let running = async { tokio::time::timeout(Duration::from_mins(1), crawl.run()).await };
    let ending = runtime.block_on(running).expect("it has a turn").expect("it runs");
    assert_eq!(ending, Ending::Finished);
    wired.mend();
    assert_eq!(underway.end(&runtime).ending, Ending::Finished);
    wired.check_pages();
}

#[test]
fn a_crawl_that_waits_for_the_network_can_be_stopped() {
    let mut wired = Wired::new(3);
    wired.trial.task.politeness.patience = 1e9;
    let runtime = runtime();
    let underway = wired.begin_and_cut(&runtime, 3);
    underway.trouble(&runtime);
    underway.crawl.wish(crawl::Wish::Stop);
    assert_eq!(underway.end(&runtime).ending, Ending::Stopped);
}

#[test]
fn hosts_that_are_gone_keep_nobody_from_asking_those_that_are_there() {
    // Three that fall silent before anybody else is heard are taken for the line, and which of the others is
    // heard first is a matter of chance.
    let wired = Wired::new(4);
    let runtime = runtime();
    let ran = wired.begin_and_cut(&runtime, 2).end(&runtime);
    assert_eq!(ran.ending, Ending::OnlySilentHosts);
    for line in &wired.lines[2..] {
        let there = format!("http://127.0.0.1:{}/", line.port);
        let visited = ran.states.iter().filter(|it| it.0.starts_with(&there));
        assert!(visited.clone().all(|it| *it.1 == State::Visited), "{:?}", ran.states);
        assert_eq!(visited.count(), EACH);
    }
}

#[test]
fn a_resolver_that_answers_for_nobody_is_no_fault_of_the_hosts() {
    const NAMES: [&str; 12] = [
        "a.example",
        "b.example",
        "c.example",
        "d.example",
        "e.example",
        "f.example",
        "g.example",
        "h.example",
        "i.example",
        "j.example",
        "k.example",
        "l.example",
    ];
    let web = Web::new(1, |asked| match asked.path {
        "/robots.txt" => Reply::not_found(),
        _ => Reply::html(page(&asked.headers["host"], &[])),
    });
    let seeds = NAMES.map(|it| format!("http://{it}:{}/", web.port(0)));
    let mut trial = Trial::new(&web, &seeds);
    let names = |it| Some(Arc::new(Names(it, NameError::NoAnswer)) as Arc<dyn fetch::Resolve>);
    trial.around.resolver = names(Vec::new());
    let ran = trial.run();
    assert_eq!(ran.ending, Ending::NoNetwork);
    assert_eq!(ran.progress.queued, 12);
    trial.around.resolver = names(NAMES.map(|it| (it, [127, 0, 0, 1].into())).to_vec());
    assert_eq!(trial.run().ending, Ending::Finished);
    assert_eq!(web.asked().len(), 12);
}

#[test]
fn of_every_seed_that_brings_nothing_it_is_told_why() {
    let web = Web::new(1, |asked| match asked.path {
        "/robots.txt" => Reply::text("User-agent: *\nDisallow: /private/\n"),
        "/" => Reply::html(page("/", &[])),
        "/paper" => Reply::new(200, "%PDF").with("Content-Type", "application/pdf; a=b"),
        "/old" => Reply::redirect(&asked.url(0, "/gone")),
        "/busy" => Reply::new(500, ""),
        _ => Reply::not_found(),
    });
    let closed = TcpListener::bind("127.0.0.1:0").expect("loopback").local_addr().expect("bound");
    let paths = ["/", "/private/a", "/paper", "/old", "/busy"].map(|it| web.url(0, it));
    let others = ["http://nowhere.example/".to_owned(), format!("http://{closed}/")];
    let seeds = [paths.as_slice(), &others].concat();
    let mut trial = Trial::new(&web, &seeds).with(|task| {
        task.politeness.delay = 0.0;
        task.politeness.patience = 0.0;
    });
    trial.around.resolver = Some(Arc::new(Names(Vec::new(), NameError::NoSuchName)));
    let crawl = trial.open().expect("it opens");
    let ending = runtime().block_on(crawl.run()).expect("it runs");
    assert_eq!((ending, crawl.progress().read), (Ending::OnlySilentHosts, 1));
    let (lost, count) = crawl.lost_seeds(10).expect("they can be told");
    let told: Vec<_> = lost.iter().map(|it| (it.url.as_str(), it.reason.as_str())).collect();
    let expected = [
        (1, "robots.txt line 2: Disallow: /private/; begin with a page that it allows"),
        (2, "it is no page but application/pdf; begin with a page that links to it"),
        (3, "its host answers with status 404; there is no such page, look for a typing error"),
        (4, "its host answers with status 500; the same command asks for it again later"),
        (5, "nowhere.example has no address: there is no such name; look for a typing error"),
        (6, "127.0.0.1 refuses the connection; look whether the server runs"),
    ];
    assert_eq!(count, expected.len(), "{told:#?}");
    for ((number, reason), told) in expected.iter().zip(&told) {
        assert_eq!(told.0, seeds[*number]);
        assert!(told.1.starts_with(reason), "{told:?} does not begin with {reason}");
    }
    assert_eq!(crawl.lost_seeds(2).expect("they can be told").0.len(), 2);
    drop(crawl);
    // Another run asks nobody who is left alone, and still tells.
    let crawl = trial.open().expect("it opens");
    runtime().block_on(crawl.run()).expect("it runs");
    let (lost, count) = crawl.lost_seeds(10).expect("they can be told");
    assert_eq!(count, expected.len(), "{lost:#?}");
}

#[test]
fn a_seed_that_leads_round_in_circles_is_told() {
    let web = Web::new(1, |asked| match asked.path {
        "/robots.txt" => Reply::not_found(),
        "/here" => Reply::redirect(&asked.url(0, "/there")),
        "/there" => Reply::redirect(&asked.url(0, "/here")),
        wall => Reply::redirect(&asked.url(0, wall)),
    });
    let trial = Trial::new(&web, &["/wall", "/here"].map(|it| web.url(0, it)));
    let crawl = trial.open().expect("it opens");
    assert_eq!(runtime().block_on(crawl.run()).expect("it runs"), Ending::Finished);
    let (lost, count) = crawl.lost_seeds(9).expect("they can be told");
    assert_eq!(count, 2, "{lost:?}");
    assert!(lost.iter().all(|it| it.reason.starts_with("it leads round in circles")), "{lost:?}");
}

#[test]
fn a_seed_that_was_refused_as_private_is_asked_for_when_that_is_allowed() {
    let web = Web::new(1, |asked| pages(asked, ""));
    let seeds = [web.url(0, "/119")];
    let mut trial = Trial::new(&web, &seeds).with(|task| {
        task.allow_private = false;
        task.contact = Some("me@example.org".to_owned());
    });
    let crawl = trial.open().expect("it opens");
    assert_eq!(runtime().block_on(crawl.run()).expect("it runs"), Ending::Finished);
    let (lost, _) = crawl.lost_seeds(1).expect("they can be told");
    assert!(lost[0].reason.contains("--allow-private"), "{lost:?}");
    drop(crawl);
    assert!(web.asked().is_empty());
    trial.task.allow_private = true;
    assert_eq!(trial.run().progress.read, 1);
}

#[test]
fn a_seed_that_the_strategy_does_not_let_in_is_told() {
    let web = Web::new(1, |asked| pages(asked, ""));
    let seeds = [web.url(0, "/london/"), web.url(0, "/words/")];
    let trial = Trial::new(&web, &seeds).with(|task| task.strategy = "rank".to_owned());
    for _ in 0..2 {
        let crawl = trial.open().expect("it opens");
        runtime().block_on(crawl.run()).expect("it runs");
        let (lost, _) = crawl.lost_seeds(10).expect("they can be told");
        let lost: Vec<_> = lost.iter().filter(|it| it.url == seeds[1]).collect();
        let reason =
            "it is not let in: its URL names no place; take another strategy to begin with it";
        assert_eq!(lost.len(), 1);
        assert_eq!(lost[0].reason, reason);
    }
    assert!(!web.asked().contains(&seeds[1]));
}
