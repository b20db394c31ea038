//! From seeds to an archive that can be searched, with the real program over a small web on loopback.

#![allow(clippy::unwrap_used, reason = "helpers of tests may panic as tests do")]

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::sync::{Arc, Condvar, Mutex};
use std::time::{Duration, Instant};

use serde_json::Value;

/// How long something may take on a busy machine before the test gives up.
const PATIENCE: Duration = Duration::from_mins(1);
/// How often is looked whether it has come.
const LOOK: Duration = Duration::from_millis(20);
/// How many numbered pages a host has.
const PAGES: usize = 8;

/// Three hosts with some forty pages, and a gate that lets only so many answers through.
struct Web {
    ports: Vec<u16>,
    state: Arc<(Mutex<State>, Condvar)>,
}

struct State {
    /// How many answers may still be given, robots.txt aside.
    left: usize,
    /// How many wait for the gate.
    waiting: usize,
    /// What was asked for, as `port path`.
    log: Vec<String>,
}

impl Web {
    fn new() -> Self {
        Self::with_gate(usize::MAX)
    }

    fn with_gate(left: usize) -> Self {
        let state = State { left, waiting: 0, log: Vec::new() };
        let state = Arc::new((Mutex::new(state), Condvar::new()));
        let listeners: Vec<_> = (0..3).map(|_| TcpListener::bind("127.0.0.1:0").unwrap()).collect();
        let ports: Vec<_> = listeners.iter().map(|it| it.local_addr().unwrap().port()).collect();
        for (number, listener) in listeners.into_iter().enumerate() {
            let (ports, state) = (ports.clone(), Arc::clone(&state));
            std::thread::spawn(move || {
                for stream in listener.incoming().flatten() {
                    let (ports, state) = (ports.clone(), Arc::clone(&state));
                    std::thread::spawn(move || serve(stream, number, &ports, &state));
                }
            });
        }
        Self { ports, state }
    }

    fn url(&self, host: usize, path: &str) -> String {
        format!("http://127.0.0.1:{}{path}", self.ports[host])
    }

    fn open_gate(&self, left: usize) {
        self.state.0.lock().unwrap().left = left;
        self.state.1.notify_all();
    }

    /// Comes back when somebody waits for the gate.
    #[track_caller]
    fn somebody_waits(&self) {
        until("somebody waits for an answer", || self.state.0.lock().unwrap().waiting > 0);
    }

    /// What was asked for, without robots.txt, and how often.
    fn asked(&self) -> BTreeMap<String, usize> {
        let mut counts = BTreeMap::new();
        for it in &self.state.0.lock().unwrap().log {
            if !it.ends_with("/robots.txt") {
                *counts.entry(it.clone()).or_default() += 1;
            }
        }
        counts
    }

    fn was_asked(&self, host: usize, path: &str) -> usize {
        self.asked().get(&format!("{} {path}", self.ports[host])).copied().unwrap_or(0)
    }
}

fn serve(mut stream: TcpStream, host: usize, ports: &[u16], state: &(Mutex<State>, Condvar)) {
    let mut request = Vec::new();
    let mut buffer = [0; 4096];
    while !request.windows(4).any(|it| it == b"\r\n\r\n") {
        match stream.read(&mut buffer) {
            Ok(0) | Err(_) => return,
            Ok(read) => request.extend_from_slice(&buffer[..read]),
        }
    }
    let request = String::from_utf8_lossy(&request);
    let path = request.split(' ').nth(1).unwrap_or("/").to_owned();
    let mut locked = state.0.lock().unwrap();
    locked.log.push(format!("{} {path}", ports[host]));
    if path != "/robots.txt" {
        locked.waiting += 1;
        while locked.left == 0 {
            locked = state.1.wait(locked).unwrap();
        }
        locked.left -= 1;
        locked.waiting -= 1;
    }
    drop(locked);
    let _ = stream.write_all(&answer(host, ports, &path));
}

fn answer(host: usize, ports: &[u16], path: &str) -> Vec<u8> {
    let page = |text: &str, links: &str| {
        let head = format!("<title>{text} of host {host}</title>");
        (
            "200 OK",
            "text/html",
            "",
            format!("<html><head>{head}</head><body>{text} {links}</body></html>"),
        )
    };
    let (status, kind, location, body) = match path {
        "/" => {
            let mut links = String::new();
            for number in 0..PAGES {
                links += &format!("<a href=\"/p{number}\">page {number}</a> ");
            }
            links += "<a href=\"/private/secret\">secret</a> <a href=\"/gone\">gone</a> \
                      <a href=\"/moved\">moved</a> <a rel=\"nofollow\" href=\"/shy\">shy</a> \
                      <a href=\"/picture.jpg\">picture</a>";
            for port in ports {
                links += &format!(" <a href=\"http://127.0.0.1:{port}/\">neighbour</a>");
            }
            page(&format!("The front page number {host} has a list of all others."), &links)
        }
        "/robots.txt" => (
            "200 OK",
            "text/plain",
            "",
            format!(
                "User-agent: *\nDisallow: /private/\nSitemap: http://127.0.0.1:{}/sitemap.xml\n",
                ports[host]
            ),
        ),
        "/sitemap.xml" => (
            "200 OK",
            "application/xml",
            "",
            format!(
                "<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">\
                 <url><loc>http://127.0.0.1:{}/hidden</loc></url></urlset>",
                ports[host]
            ),
        ),
        "/moved" => ("301 Moved", "text/html", "/target", String::new()),
        "/gone" => ("404 Not Found", "text/html", "", "nothing".to_owned()),
        "/hidden" | "/target" | "/shy" => {
            page(&format!("This is the page {path} with words of its own, host {host}."), "")
        }
        _ => match path.strip_prefix("/p").and_then(|it| it.parse::<usize>().ok()) {
            Some(number) => {
                let street = ["Lange Straße 12, 26122 Oldenburg", "Kaivokatu 2, 00100 Helsinki"];
                let words =
                    ["bakery", "museum", "harbour", "mill", "castle", "school", "inn", "bridge"];
                let word = words[number % words.len()];
                let text = format!(
                    "<h1>The {word} {host}{number}</h1><p>Visitors like the {word} number \
                     {host}{number} for its {word}s.</p><address>{}</address>",
                    street[number % 2]
                );
                page(&text, "<a href=\"/\">home</a>")
            }
            None => ("404 Not Found", "text/html", "", "nothing".to_owned()),
        },
    };
    let location =
        if location.is_empty() { String::new() } else { format!("Location: {location}\r\n") };
    format!(
        "HTTP/1.1 {status}\r\nContent-Type: {kind}; charset=utf-8\r\n{location}Content-Length: {}\r\n\
         Connection: close\r\n\r\n{body}",
        body.len()
    )
    .into_bytes()
}

/// Looks again and again until it holds.
#[track_caller]
fn until(what: &str, mut holds: impl FnMut() -> bool) {
    let start = Instant::now();
    while !holds() {
        assert!(start.elapsed() < PATIENCE, "in vain: {what}");
        std::thread::sleep(LOOK);
    }
}

struct Data(tempfile::TempDir);

impl Data {
    fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    fn path(&self) -> &Path {
        self.0.path()
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_strabo"));
        command.args(arguments).current_dir(self.path());
        for name in ["STRABO_DATA", "STRABO_GAZETTEER", "STRABO_CONTACT", "STRABO_LOG"] {
            command.env_remove(name);
        }
        command.stdin(Stdio::null());
        command
    }

    fn run(&self, arguments: &[&str]) -> Output {
        self.command(arguments).output().unwrap()
    }

    #[track_caller]
    fn ok(&self, arguments: &[&str]) -> String {
        let output = self.run(arguments);
        let complaint = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{arguments:?}: {complaint}");
        String::from_utf8(output.stdout).unwrap()
    }

    #[track_caller]
    fn fails(&self, arguments: &[&str], expected: &str) {
        let output = self.run(arguments);
        let complaint = String::from_utf8(output.stderr).unwrap();
        assert!(!output.status.success() && complaint.contains(expected), "{complaint}");
    }

    #[track_caller]
    fn json(&self, arguments: &[&str]) -> Value {
        serde_json::from_str(&self.ok(arguments)).unwrap()
    }

    /// Starts a crawl, with politeness off.
    fn start(&self, web: &Web, more: &[&str]) -> Running {
        let seed = web.url(0, "/");
        let all = [&["crawl", "--seeds", &seed, "--allow-private", "--delay", "0"], more].concat();
        let command = &mut self.command(&all);
        Running(command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap())
    }

    /// Crawls to the end, with politeness off; gives what was said.
    #[track_caller]
    fn crawl(&self, web: &Web, more: &[&str]) -> String {
        self.start(web, more).end()
    }

    /// Comes back when a crawl says that it is doing this.
    #[track_caller]
    fn until_crawl_is(&self, activity: &str) {
        until(activity, || {
            let output = self.run(&["crawl", "status", "--json"]);
            let status: Value = serde_json::from_slice(&output.stdout).unwrap_or_default();
            status["activity"] == activity
        });
    }
}

/// The program while it runs; it does not outlive the test.
struct Running(Child);

impl Running {
    /// Waits for its end, and gives what it said.
    #[track_caller]
    fn end(mut self) -> String {
        let mut said = String::new();
        self.0.stdout.take().unwrap().read_to_string(&mut said).unwrap();
        let mut complaint = String::new();
        if let Some(mut stderr) = self.0.stderr.take() {
            stderr.read_to_string(&mut complaint).unwrap();
        }
        assert!(self.0.wait().unwrap().success(), "{said}{complaint}");
        said
    }

    fn signal(&self, name: &str) {
        let id = self.0.id().to_string();
        assert!(Command::new("kill").args([name, &id]).status().unwrap().success());
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[test]
fn a_crawl_fetches_what_it_may_and_its_pages_are_found() {
    let (web, data) = (Web::new(), Data::new());
    let said = data.crawl(&web, &["--region", "Oldenburg, Germany"]);
    assert!(said.contains("finished, nothing is left to fetch"), "{said}");
    assert!(said.contains("strabo index strabo-data/archive"), "{said}");
    for host in 0..3 {
        for path in ["/", "/p0", "/p7", "/moved", "/target", "/gone", "/sitemap.xml", "/hidden"] {
            assert_eq!(web.was_asked(host, path), 1, "{path}");
        }
        for path in ["/private/secret", "/shy", "/picture.jpg"] {
            assert_eq!(web.was_asked(host, path), 0, "{path}");
        }
    }

    let status = data.json(&["crawl", "--name", "crawl", "status", "--json"]);
    assert_eq!(status["activity"], "idle");
    assert_eq!(status["total"]["relevant"], 3 * PAGES / 2);
    assert_eq!(status["total"]["errors"]["404"], 3);
    assert_eq!(status["spent"]["pages"], web.asked().len());
    assert!(data.ok(&["crawl", "frontier"]).contains("no link waits for its turn"));
    let hosts = data.json(&["crawl", "hosts", "--json"]);
    assert_eq!(hosts.as_array().unwrap().len(), 3);
    assert_eq!(hosts[0]["robots"], "has rules");

    let told = data.ok(&["crawl", "explain", &web.url(0, "/private/secret")]);
    assert!(told.contains("forbidden: robots.txt line 2: Disallow: /private/"), "{told}");
    let told = data.ok(&["crawl", "explain", &web.url(2, "/p1")]);
    let chain = format!("{} (visited)", web.url(2, "/"));
    assert!(told.contains(&chain) && told.contains("which is a seed"), "{told}");
    assert!(told.contains(".warc.gz at byte"), "{told}");
    let told = data.ok(&["crawl", "explain", "http://127.0.0.1:9/unheard-of"]);
    assert!(told.contains("unknown") && told.contains("one that is found is queued"), "{told}");

    data.ok(&["index"]);
    let found = data.json(&["search", "--json", "--duplicates", "bakery in Oldenburg"]);
    assert_eq!(found["features"].as_array().unwrap().len(), 3, "{found:#}");
    let said = data.ok(&[
        "crawl",
        "--name",
        "again",
        "--seeds-from-index",
        "--seeds-query",
        "bakery",
        "--scope-depth",
        "0",
        "--allow-private",
        "--delay",
        "0",
    ]);
    assert!(said.contains("3 pages") || said.contains("6 pages"), "{said}");
}

#[test]
fn a_budget_ends_a_crawl_and_a_larger_one_lets_it_go_on() {
    let (web, data) = (Web::new(), Data::new());
    let said = data.crawl(&web, &["--budget", "7 pages"]);
    assert!(said.contains("the budget is used up") && said.contains("7 pages"), "{said}");
    assert_eq!(web.asked().len(), 7);
    let said = data.crawl(&web, &["--budget", "7 pages"]);
    assert!(said.contains("was used up before, by 7 pages in"), "{said}");
    assert!(said.contains("give a larger one with --budget to go on"), "{said}");
    let said = data.crawl(&web, &[]);
    assert!(said.contains("finished"), "{said}");
    let asked = web.asked();
    assert_eq!(asked.len(), 3 * (PAGES + 6), "{asked:?}");
    assert!(asked.values().all(|it| *it == 1), "{asked:?}");
    // Without seeds the crawl goes on as it was; a new round looks at the seeds, and at nothing else
    // that was seen a moment ago.
    let said = data.ok(&["crawl", "--revisit"]);
    assert!(said.contains("finished"), "{said}");
    assert_eq!((web.was_asked(0, "/"), web.was_asked(1, "/p3")), (2, 1));
}

#[test]
fn a_crawl_that_runs_is_asked_paused_resumed_and_stopped() {
    let (web, data) = (Web::with_gate(6), Data::new());
    let running = data.start(&web, &["--threads", "2"]);
    web.somebody_waits();
    data.until_crawl_is("running");
    until("six answers are dealt with", || {
        data.json(&["crawl", "status", "--json"])["total"]["pages"] == 6
    });
    let status = data.ok(&["crawl", "status"]);
    assert!(status.contains("running since") && status.contains("on their way"), "{status}");
    let top = data.json(&["crawl", "frontier", "--top", "3", "--json"]);
    assert_eq!(top.as_array().unwrap().len(), 3);
    assert!(data.ok(&["crawl", "hosts"]).contains("http://127.0.0.1:"));
    let told = data.ok(&["crawl", "explain", &web.url(0, "/")]);
    assert!(told.contains("it is a seed") && told.contains("visited"), "{told}");
    let seed = web.url(0, "/");
    data.fails(&["crawl", "--seeds", &seed, "--allow-private"], "this crawl is running already");

    assert!(data.ok(&["task", "pause", "crawl"]).contains("pauses"));
    data.until_crawl_is("paused");
    web.open_gate(usize::MAX);
    until("nothing is on its way", || {
        data.json(&["crawl", "status", "--json"])["run"]["progress"]["in_flight"] == 0
    });
    let asked = web.asked().len();
    assert!(asked < 10, "{asked}");
    web.open_gate(3);
    assert!(data.ok(&["task", "resume", "crawl"]).contains("goes on"));
    web.somebody_waits();
    assert!(data.ok(&["task", "stop", "crawl"]).contains("stops"));
    web.open_gate(usize::MAX);
    let said = running.end();
    assert!(said.contains("stopped, the same command goes on"), "{said}");
    assert!(!data.path().join("strabo-data/tasks/crawl/control.sock").exists());
}

#[test]
fn an_interrupted_crawl_waits_for_the_answers_on_their_way() {
    let (web, data) = (Web::with_gate(4), Data::new());
    let running = data.start(&web, &["--threads", "2"]);
    web.somebody_waits();
    data.until_crawl_is("running");
    running.signal("-INT");
    data.until_crawl_is("stopping");
    web.open_gate(usize::MAX);
    let said = running.end();
    assert!(said.contains("stopped"), "{said}");
    let before = web.asked().len();
    assert!(before < 10, "{before}");
    assert!(data.ok(&["crawl", "status"]).starts_with("crawl \"crawl\": stopped"));
    data.crawl(&web, &[]);
    assert!(web.asked().values().all(|it| *it == 1), "{:?}", web.asked());
    assert!(data.ok(&["crawl", "status"]).starts_with("crawl \"crawl\": done"));
}

#[test]
fn a_killed_crawl_loses_no_page() {
    let (web, data) = (Web::with_gate(12), Data::new());
    let mut running = data.start(&web, &["--threads", "3"]);
    web.somebody_waits();
    until("twelve answers are dealt with", || {
        data.json(&["crawl", "status", "--json"])["total"]["pages"] == 12
    });
    running.0.kill().unwrap();
    running.0.wait().unwrap();
    // A socket that was left behind does not deceive anybody.
    assert_eq!(data.json(&["crawl", "status", "--json"])["activity"], "idle");
    web.open_gate(usize::MAX);
    let said = data.crawl(&web, &[]);
    assert!(said.contains("finished"), "{said}");
    let asked = web.asked();
    assert_eq!(asked.len(), 3 * (PAGES + 6), "{asked:?}");
    let listed = data.ok(&["archive", "ls"]);
    for it in asked.keys() {
        let (port, path) = it.split_once(' ').unwrap();
        assert!(listed.contains(&format!("127.0.0.1:{port}{path}")), "{it} is not in {listed}");
    }
    data.ok(&["archive", "verify"]);
}

/// The status and the body of every answer in an archive.
fn answers(data: &Data) -> BTreeMap<String, (u16, Vec<u8>)> {
    let mut found = BTreeMap::new();
    for file in std::fs::read_dir(data.path().join("strabo-data/archive")).unwrap() {
        let path = file.unwrap().path();
        if !path.to_string_lossy().ends_with(".warc.gz") {
            continue;
        }
        for record in archive::open(&path).unwrap() {
            let record = record.unwrap();
            if record.kind == archive::Kind::Response {
                let http = record.http().unwrap();
                found.insert(record.target.clone().unwrap(), (http.status, http.body));
            }
        }
    }
    found
}

#[test]
fn a_crawl_of_the_replayed_archive_brings_the_same_answers() {
    let (web, data, again) = (Web::new(), Data::new(), Data::new());
    data.crawl(&web, &[]);
    let asked = web.asked();
    let command = &mut data.command(&["archive", "replay", "--port", "0"]);
    let mut replay = Running(command.stdout(Stdio::piped()).spawn().unwrap());
    let mut stdout = BufReader::new(replay.0.stdout.take().unwrap());
    let mut told = String::new();
    stdout.read_line(&mut told).unwrap();
    let address = told.strip_prefix("http://").and_then(|it| it.split(' ').next()).unwrap();
    again.crawl(&web, &["--proxy", &format!("replay://{address}")]);
    assert_eq!(web.asked(), asked, "the servers of then are left alone");
    let (first, second) = (answers(&data), answers(&again));
    assert!(first.len() > 3 * PAGES, "{}", first.len());
    assert_eq!(second, first);
    replay.0.stdout = Some(stdout.into_inner());
    replay.signal("-INT");
    replay.end();
}

#[test]
fn numbers_are_shown_to_prometheus() {
    let (web, data) = (Web::with_gate(5), Data::new());
    let mut running = data.start(&web, &["--metrics", "127.0.0.1:0", "--name", "measured"]);
    let mut stderr = BufReader::new(running.0.stderr.take().unwrap());
    let mut address = String::new();
    while !address.contains("/metrics") {
        address.clear();
        assert!(stderr.read_line(&mut address).unwrap() > 0, "it says where");
    }
    let address = address.split("//").nth(1).unwrap().split('/').next().unwrap().to_owned();
    let get = |path: &str| {
        let mut stream = TcpStream::connect(&address).unwrap();
        write!(stream, "GET {path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n").unwrap();
        let mut text = String::new();
        stream.read_to_string(&mut text).unwrap();
        text
    };
    web.somebody_waits();
    until("five pages are counted", || {
        get("/metrics").contains("strabo_crawl_pages_total{task=\"measured\"} 5")
    });
    let text = get("/metrics");
    for name in
        ["strabo_crawl_fetch_seconds_bucket", "strabo_crawl_queued", "strabo_crawl_in_flight"]
    {
        assert!(text.contains(name), "{name} is not in {text}");
    }
    assert!(get("/").starts_with("HTTP/1.1 404"));
    web.open_gate(usize::MAX);
    running.0.stderr = Some(stderr.into_inner());
    running.end();
}

#[test]
fn tasks_run_together_and_again_and_obey() {
    let (web, data) = (Web::new(), Data::new());
    let file = |name: &str, host: usize, more: &str| {
        let text = format!(
            "seeds = [\"{}\"]\nallow_private = true\n{more}\n[politeness]\ndelay = 0.0\n\
             [scope]\ndepth = 0\n",
            web.url(host, "/")
        );
        std::fs::write(data.path().join(format!("{name}.toml")), text).unwrap();
    };
    file("often", 0, "timing = \"every 1 second\"\nbudget = \"1 page\"");
    file("single", 1, "region = [\"Helsinki\"]");
    file("yearly", 2, "timing = \"@yearly\"");
    file("wrong", 2, "timing = \"0 25 * * *\"");
    data.fails(&["task", "add", "wrong.toml"], "is no hour of a cron line");
    for name in ["often", "single", "yearly"] {
        data.ok(&["task", "add", &format!("{name}.toml")]);
    }
    data.fails(&["task", "add", "often.toml"], "there is a task \"often\" already");
    let listed = data.ok(&["task", "list"]);
    assert!(listed.contains("every 1 second") && listed.contains("waiting"), "{listed}");

    let log = "--log-file=tasks.log";
    let command = &mut data.command(&["task", "run", "--crawl-requests", "2", log]);
    let running = Running(command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap());
    let state = |name: &str| data.json(&["task", "show", name, "--json"])["state"].clone();
    until("the task has run three times", || web.was_asked(0, "/") >= 3);
    until("the single one has run", || state("single")["ending"] == "finished");
    assert_eq!(web.was_asked(1, "/"), 1);
    assert_eq!(web.was_asked(2, "/"), 0);
    assert_eq!(state("single")["wanted"], "stop");

    data.ok(&["task", "pause", "often"]);
    until("no round is going on", || state("often")["is_in_round"] == false);
    let rounds = state("often")["rounds"].as_u64().unwrap();
    data.ok(&["task", "start", "yearly"]);
    until("what is started begins now", || web.was_asked(2, "/") == 1);
    data.ok(&["task", "remove", "single"]);
    data.fails(&["task", "show", "single"], "there is no task \"single\": there are often, yearly");
    assert_eq!(state("often")["rounds"], rounds);
    data.ok(&["task", "resume", "often"]);
    until("it runs again", || state("often")["rounds"].as_u64().unwrap() > rounds);
    data.ok(&["task", "stop", "often"]);
    running.signal("-INT");
    running.end();
    data.ok(&["task", "run", "--until-idle"]);
    let log = std::fs::read_to_string(data.path().join("tasks.log")).unwrap();
    let single = log.lines().find(|it| it.contains("the crawl begins task=\"single\"")).unwrap();
    assert!(single.contains("region=\"Helsinki"), "{single}");
    assert!(single.contains("seeds=1"), "{single}");
}

#[test]
fn another_budget_takes_the_place_of_the_last_and_that_is_said() {
    let (web, data) = (Web::new(), Data::new());
    let seed = web.url(0, "/");
    let crawl = |more: &[&str]| {
        let all = ["crawl", "--seeds", &seed, "--allow-private", "--delay", "0"];
        let output = data.run(&[all.as_slice(), more].concat());
        assert!(output.status.success());
        String::from_utf8(output.stderr).unwrap()
    };
    assert!(!crawl(&["--budget", "9"]).contains("budget"));
    let said = crawl(&["--budget", "4"]);
    assert!(said.contains("the budget is 4 pages from now on, it was 9 pages"), "{said}");
    assert_eq!(data.json(&["crawl", "status", "--json"])["budget"], "4 pages");
    let said = crawl(&[]);
    assert!(said.contains("the budget is unlimited from now on, it was 4 pages"), "{said}");
}

#[test]
fn a_crawl_that_fetches_no_page_says_why_and_fails() {
    let (web, data) = (Web::new(), Data::new());
    let closed = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let task = |name: &str, seeds: &str, rest: &str| {
        let text = format!("seeds = [{seeds}]\nallow_private = true\n{rest}");
        std::fs::write(data.path().join(name), text).unwrap();
    };
    let manners = "[politeness]\ndelay = 0\npatience = 0\n";
    let dead = format!("\"http://{closed}/\"");
    task("dead.toml", &dead, manners);
    let output = data.run(&["crawl", "dead.toml"]);
    let said = String::from_utf8(output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(1), "{said}");
    assert!(said.contains("nothing came of this seed:"), "{said}");
    assert!(said.contains("127.0.0.1 refuses the connection; look whether"), "{said}");
    assert!(!said.contains("next: strabo index"), "{said}");
    // One seed that brings a page is enough, and the others are told of all the same.
    task("half.toml", &format!("{dead}, \"{}\"", web.url(0, "/p1")), manners);
    let said = data.ok(&["crawl", "half.toml"]);
    assert!(said.contains("nothing came of this seed:"), "{said}");
    // Time that was spent in vain was not spent before.
    task("time.toml", &dead, "budget = \"0.2 s\"\n[politeness]\npause = 0.3\n");
    let output = data.run(&["crawl", "time.toml"]);
    let said = String::from_utf8(output.stdout).unwrap();
    assert!(said.contains("ended, the budget is used up\n  0 pages"), "{said}");
    assert!(!said.contains("used up before"), "{said}");
    assert_eq!(output.status.code(), Some(1), "{said}");
}

#[test]
fn what_cannot_be_crawled_is_told_with_the_way_out() {
    let data = Data::new();
    let seed = ["crawl", "--seeds", "http://127.0.0.1:9/"];
    let check = |more: &[&str], expected: &str| {
        data.fails(&[seed.as_slice(), more].concat(), expected);
    };
    check(&[], "needs a contact");
    check(&["--contact", "nobody"], "is no contact");
    check(&["--allow-private", "--strategy", "psychic"], "there is no strategy \"psychic\"");
    check(&["--allow-private", "--region", "Xyzzyqwop"], "nothing is known of \"Xyzzyqwop\"");
    check(&["--allow-private", "--region", "Oldenbrug"], "\"Oldenbrug\" is not known");
    check(&["--allow-private", "--proxy", "gopher://x"], "proxy");
    let proxy = "http://me:secret@proxy:port";
    check(
        &["--allow-private", "--proxy", proxy],
        "what is given is not a proxy: write http://host",
    );
    check(&["--allow-private", "--budget", "5 apples"], "is no budget");
    check(&["--allow-private", "--name", "../x"], "is no name of a task");
    data.fails(&["crawl", "--allow-private"], "there are no seeds");
    data.fails(&["crawl", "--allow-private", "--seeds", "nothing.txt"], "neither a URL nor a file");
    data.fails(&["crawl", "status"], "there is no task \"crawl\"");
    let kept = data.path().join("strabo-data/tasks/kept");
    std::fs::create_dir_all(&kept).unwrap();
    std::fs::write(kept.join("task.toml"), "threads = \"many\"").unwrap();
    data.fails(&["crawl", "--name", "kept"], "task.toml is no task");
}
