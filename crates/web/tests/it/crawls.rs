//! The pages of the operators, over a real server and a small web on loopback.

#[path = "../../../crawl/tests/web/mod.rs"]
mod small_web;

use std::fs;
use std::io::{BufRead, BufReader};
use std::net::{SocketAddr, TcpStream};
use std::path::Path;
use std::time::Duration;

use crawl::{Clock, Reply as Answered, Request, Tasks};
use small_web::{Reply, Web};
use tempfile::TempDir;

use crate::server::{self, Said, Server, TOKEN, index, operators, until};

/// A folder of data with a small index.
struct Data(TempDir);

impl Data {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let line = r#"{"id":"one","url":"http://one.example/","title":"One","text":"A page.","points":[[53.1,8.2]]}"#;
        index(folder.path(), line);
        Self(folder)
    }

    fn path(&self) -> &Path {
        self.0.path()
    }

    fn serve(&self, operators: Option<web::Operators>) -> Server {
        Server::begin(self.path(), web::Settings { operators, ..web::Settings::default() })
    }

    fn serve_operators(&self) -> Server {
        self.serve(Some(web::Operators { allow_private: true, ..operators(self.path()) }))
    }

    /// How many pages a task has fetched so far.
    fn pages(&self, task: &str) -> u64 {
        match crawl::ask(&Tasks::at(self.path()).folder(task), &Request::Status) {
            Ok(Some(Answered::Status(status))) => status.total.pages,
            _ => 0,
        }
    }
}

/// A browser of few words.
struct Visitor {
    address: SocketAddr,
    cookie: Option<String>,
    seal: String,
}

fn seal(page: &Said) -> Option<String> {
    let rest = page.body.split("name=\"seal\" value=\"").nth(1)?;
    rest.split('"').next().map(str::to_owned)
}

impl Visitor {
    fn of(server: &Server) -> Self {
        Self { address: server.address, cookie: None, seal: String::new() }
    }

    /// Somebody who has signed in.
    fn operator(server: &Server) -> Self {
        let mut visitor = Self::of(server);
        let answer = visitor.post("/crawls/login", &[("token", TOKEN)]);
        assert_eq!(answer.status, 303, "{}", answer.body);
        let cookie = answer.header("set-cookie").expect("a cookie");
        visitor.cookie = cookie.split(';').next().map(str::to_owned);
        visitor.seal = seal(&visitor.get("/crawls")).expect("a form");
        visitor
    }

    fn get(&self, path: &str) -> Said {
        self.send("GET", path, &[], "")
    }

    /// Sends a form of one of our own pages.
    fn post(&self, path: &str, fields: &[(&str, &str)]) -> Said {
        let mut body = url::form_urlencoded::Serializer::new(String::new());
        body.extend_pairs(fields).append_pair("seal", &self.seal);
        self.send("POST", path, &[("Origin", &format!("http://{}", self.address))], &body.finish())
    }

    #[track_caller]
    fn order(&self, path: &str, fields: &[(&str, &str)]) {
        let answer = self.post(path, fields);
        assert_eq!(answer.status, 303, "{path}: {}", answer.body);
    }

    fn open(&self, method: &str, path: &str, headers: &[(&str, &str)], body: &str) -> TcpStream {
        let mut lines = String::new();
        if let Some(cookie) = &self.cookie {
            lines += &format!("Cookie: a=b; {cookie}\r\n");
        }
        for (name, value) in headers {
            lines += &format!("{name}: {value}\r\n");
        }
        if method == "POST" {
            lines += "Content-Type: application/x-www-form-urlencoded\r\n";
        }
        server::open(self.address, method, path, &lines, body.as_bytes())
    }

    fn send(&self, method: &str, path: &str, headers: &[(&str, &str)], body: &str) -> Said {
        Said::read(&mut self.open(method, path, headers, body))
    }
}

/// A web without an end: every page has twenty links, and every third an address in Oldenburg.
fn endless(hosts: usize) -> Web {
    Web::with_clock(hosts, &Clock::system(), |asked| {
        if asked.path == "/robots.txt" {
            return Reply::not_found();
        }
        let links: Vec<_> = (0..20).map(|it| format!("{}{it}/", asked.path)).collect();
        let address = if asked.path.len() % 3 == 0 {
            "<p>Bäckerei Janssen, Lange Straße 12, 26122 Oldenburg, Germany</p>"
        } else {
            ""
        };
        Reply::html(
            small_web::page(asked.path, &links).replace("<main>", &format!("<main>{address}")),
        )
    })
}

fn form<'a>(name: &'a str, seed: &'a str) -> Vec<(&'a str, &'a str)> {
    vec![
        ("name", name),
        ("seeds", seed),
        ("region", "Oldenburg, Germany"),
        ("strategy", "broad"),
        ("threads", "2"),
        ("budget", "unlimited"),
        ("timing", "once"),
        ("delay", "0"),
        ("user_agent", "strabo/0.1"),
        ("private", "yes"),
        ("then", "begin"),
    ]
}

fn with<'a>(
    mut form: Vec<(&'a str, &'a str)>,
    name: &'a str,
    value: &'a str,
) -> Vec<(&'a str, &'a str)> {
    form.retain(|it| it.0 != name);
    form.push((name, value));
    form
}

#[test]
fn operators_see_what_readers_say_about_wrong_places() {
    let data = Data::new();
    let operators = Some(web::Operators { allow_private: true, ..operators(data.path()) });
    let feedback = Some(data.path().join("feedback.jsonl"));
    let server = Server::begin(
        data.path(),
        web::Settings { operators, feedback, ..web::Settings::default() },
    );
    let operator = Visitor::operator(&server);
    operator.get("/crawls").says("No reader has said that a place is wrong.");
    let reader = Visitor::of(&server);
    for wrong in ["Bremen", "<script>alert(1)</script>"] {
        reader.order("/page/one/feedback", &[("wrong", wrong), ("right", "Oldenburg")]);
    }
    let list = operator.get("/crawls");
    list.says("2 messages about wrong places, the latest first.");
    list.says("<a class=\"url\" href=\"/page/one\" dir=\"auto\">One</a>");
    list.says("Right place: <bdi>Oldenburg</bdi>");
    list.says("alert(1)");
    assert!(!list.body.contains("<script>alert"), "{}", list.body);
    assert!(list.body.find("alert(1)") < list.body.find("Bremen"), "the latest come first");
    assert!(!reader.get("/crawls").body.contains("Bremen"), "others do not see it");
    // Where readers are not asked there is nothing to see.
    let closed = data.serve_operators();
    assert!(!Visitor::operator(&closed).get("/crawls").body.contains("What readers say"));
}

#[test]
fn a_task_is_made_run_paused_resumed_stopped_and_cloned_and_survives_a_restart() {
    let (data, web) = (Data::new(), endless(1));
    let seed = web.url(0, "/");
    let server = data.serve_operators();
    let operator = Visitor::operator(&server);
    operator.get("/crawls").says("There are no tasks yet.");
    operator.order("/crawls/new", &form("bakeries", &seed));
    until("pages are counted", || data.pages("bakeries") > 20);
    let page = operator.get("/crawls/bakeries");
    page.says("running");
    page.says("Oldenburg, Germany");
    page.says("/crawls/bakeries/explain?url=http%3A%2F%2F127.0.0.1");
    operator.get("/crawls").says("running");

    operator.order("/crawls/bakeries/pause", &[]);
    until("it is paused", || operator.get("/crawls/bakeries").body.contains("paused"));
    until("no request is on its way", || {
        let before = data.pages("bakeries");
        std::thread::sleep(Duration::from_millis(50));
        before == data.pages("bakeries")
    });
    let paused = data.pages("bakeries");
    operator.order("/crawls/bakeries/resume", &[]);
    until("it goes on", || data.pages("bakeries") > paused);
    operator.order("/crawls/bakeries/threads", &[("threads", "7")]);
    until("it has other threads", || operator.get("/crawls/bakeries").body.contains(" / 7"));
    operator.order("/crawls/bakeries/stop", &[("back", "list")]);
    until("it is stopped", || operator.get("/crawls/bakeries").body.contains("stopped"));

    let clone = operator.get("/crawls/new?from=bakeries");
    clone.says("value=\"bakeries-2\"");
    clone.says(&seed);
    clone.says("value=\"7\"");
    operator.order("/crawls/new", &with(form("bakeries-2", &seed), "then", "keep"));
    drop(server);

    let server = data.serve_operators();
    let forgotten = Visitor { address: server.address, ..operator };
    assert_eq!(forgotten.get("/crawls").status, 401);
    let again = Visitor::operator(&server);
    let list = again.get("/crawls");
    list.says("<a href=\"/crawls/bakeries\">bakeries</a>");
    list.says("<a href=\"/crawls/bakeries-2\">bakeries-2</a>");
    let known = web.requests().len();
    again.order("/crawls/bakeries/run", &[]);
    until("it goes on after the restart", || web.requests().len() > known + 5);
    again.order("/crawls/bakeries/stop", &[]);
    until("it can be removed", || again.post("/crawls/bakeries/remove", &[]).status == 303);
    assert_eq!(again.get("/crawls/bakeries").status, 404);
}

#[test]
fn two_tasks_run_at_once_and_both_are_live() {
    let (data, web) = (Data::new(), endless(2));
    let (one, other) = (web.url(0, "/"), web.url(1, "/"));
    let server = data.serve_operators();
    let operator = Visitor::operator(&server);
    operator.order("/crawls/new", &form("one", &one));
    operator.order("/crawls/new", &form("other", &other));
    until("both have pages", || data.pages("one") > 5 && data.pages("other") > 5);
    let (first, second) = (data.pages("one"), data.pages("other"));
    until("both counters move", || data.pages("one") > first && data.pages("other") > second);

    let list = BufReader::new(operator.open("GET", "/crawls/events", &[], ""));
    let mut events = list.lines().map_while(Result::ok).filter(|it| it.starts_with("data: "));
    let event = events.next().expect("an event");
    assert!(event.contains("task-one") && event.contains("task-other"), "{event}");
    let event = events.next().expect("another event");
    assert!(event.contains("task-o"), "{event}");

    let page = BufReader::new(operator.open("GET", "/crawls/one/events", &[], ""));
    let mut events = page.lines().map_while(Result::ok).filter(|it| it.starts_with("data: "));
    let event = events.next().expect("an event");
    for id in ["now", "curve", "finds", "pages", "frontier", "hosts", "errors"] {
        assert!(event.contains(&format!("\"{id}\":")), "{id} is not in {event}");
    }
    assert!(events.next().expect("another event").contains("\"now\":"));
}

#[test]
fn a_task_with_a_timing_runs_again_unattended() {
    let (data, web) = (Data::new(), endless(1));
    let seed = web.url(0, "/");
    let server = data.serve_operators();
    let operator = Visitor::operator(&server);
    let often = with(form("often", &seed), "timing", "every 1 second");
    operator.order("/crawls/new", &with(often, "budget", "1 page"));
    let roots = || web.asked().iter().filter(|it| **it == seed).count();
    until("it has run three times", || roots() >= 3);
    until("its rounds are told", || operator.get("/crawls/often").body.contains("round "));
}

#[test]
fn the_numbers_of_its_crawls_stand_beside_those_of_the_server() {
    let (data, web) = (Data::new(), endless(1));
    let server = data.serve_operators();
    let operator = Visitor::operator(&server);
    operator.order("/crawls/new", &with(form("measured", &web.url(0, "/")), "budget", "5 pages"));
    let stranger = Visitor::of(&server);
    let says = |expected: &str| stranger.get("/metrics").body.contains(expected);
    until("five pages are counted", || says("strabo_crawl_pages_total{task=\"measured\"} 5\n"));
    until("nothing is on its way", || says("strabo_crawl_in_flight{task=\"measured\"} 0\n"));
    assert!(says("strabo_crawl_fetch_seconds_bucket{task=\"measured\""));
    assert!(says("strabo_http_requests_total{"));
}

#[test]
fn nobody_gets_in_without_the_token() {
    let data = Data::new();
    Tasks::at(data.path()).keep(&crawl::Task::default()).expect("a task");
    let server = data.serve_operators();
    let stranger = Visitor::of(&server);
    for path in [
        "/crawls",
        "/crawls/events",
        "/crawls/new",
        "/crawls/new?from=crawl",
        "/crawls/preview?region=Oldenburg",
        "/crawls/crawl",
        "/crawls/crawl/events",
        "/crawls/crawl/explain?url=http://example.org/",
    ] {
        let answer = stranger.get(path);
        assert_eq!(answer.status, 401, "{path}");
        answer.says("name=\"token\"");
        assert!(seal(&answer).is_none(), "{path}");
        assert_eq!(answer.header("cache-control"), Some("no-store"));
    }
    let orders = ["run", "pause", "resume", "stop", "remove", "threads", "nonsense"];
    let orders = orders.map(|it| format!("/crawls/crawl/{it}"));
    let forms = ["/crawls/new", "/crawls/preview", "/crawls/reindex", "/crawls/logout"];
    for path in orders.iter().map(String::as_str).chain(forms) {
        assert_eq!(
            stranger.post(path, &form("intruder", "http://127.0.0.1/")).status,
            401,
            "{path}"
        );
    }
    let forged =
        Visitor { cookie: Some(format!("operator={}", "0".repeat(64))), ..Visitor::of(&server) };
    assert_eq!(forged.get("/crawls").status, 401);
    assert_eq!(Tasks::at(data.path()).list().expect("a list").len(), 1);

    for _ in 0..5 {
        let answer = stranger.post("/crawls/login", &[("token", "wrong-horse-battery")]);
        assert_eq!(answer.status, 403);
        answer.says("This is not the token.");
        assert_eq!(answer.header("set-cookie"), None);
    }
    let answer = stranger.post("/crawls/login", &[("token", TOKEN)]);
    assert_eq!(answer.status, 429, "after five attempts even the right one has to wait");
}

#[test]
fn a_session_is_kept_in_a_cookie_that_no_script_reads_and_ends_when_it_is_left() {
    let data = Data::new();
    let server = data.serve_operators();
    let visitor = Visitor::of(&server);
    let answer = visitor.post("/crawls/login", &[("token", TOKEN), ("back", "//evil.example/")]);
    assert_eq!(answer.header("location"), Some("/crawls"));
    let cookie = answer.header("set-cookie").expect("a cookie").to_owned();
    for part in ["HttpOnly", "SameSite=Strict", "Path=/crawls", "Max-Age=43200"] {
        assert!(cookie.contains(part), "{cookie}");
    }
    let operator = Visitor::operator(&server);
    assert_eq!(operator.get("/crawls").status, 200);
    operator.order("/crawls/logout", &[]);
    assert_eq!(operator.get("/crawls").status, 401);
}

#[test]
fn forms_that_are_not_ours_are_refused() {
    let data = Data::new();
    let server = data.serve_operators();
    let operator = Visitor::operator(&server);
    let own = format!("http://{}", server.address);
    let sealed = format!("name=x&seal={}", operator.seal);
    let check = |headers: &[(&str, &str)], body: &str, expected: u16| {
        let answer = operator.send("POST", "/crawls/reindex", headers, body);
        assert_eq!(answer.status, expected, "{headers:?} {body}");
    };
    check(&[("Origin", &own)], "", 403);
    check(&[("Origin", &own)], "seal=0000", 403);
    check(&[("Origin", "https://evil.example")], &sealed, 403);
    check(&[("Origin", "null")], &sealed, 403);
    check(&[("Origin", &own), ("Sec-Fetch-Site", "cross-site")], &sealed, 403);
    check(&[("Origin", &own), ("Sec-Fetch-Site", "same-origin")], &sealed, 303);
    let login = Visitor::of(&server).send(
        "POST",
        "/crawls/login",
        &[("Origin", "https://evil.example")],
        &format!("token={TOKEN}"),
    );
    assert_eq!((login.status, login.header("set-cookie")), (403, None));
}

#[test]
fn what_is_wrong_stands_beside_its_field_and_nothing_typed_is_lost() {
    let data = Data::new();
    let server = data.serve_operators();
    let operator = Visitor::operator(&server);
    let seed = "https://example.org/<b>\"&";
    let wrong = with(with(form("../../etc", seed), "region", "Xyzzyqwop"), "budget", "5 apples");
    let answer = operator.post("/crawls/new", &wrong);
    assert_eq!(answer.status, 422);
    for text in [
        "is no name of a task",
        "Nothing is known of",
        "is no budget",
        "value=\"5 apples\"",
        "Xyzzyqwop</textarea>",
        "value=\"../../etc\"",
    ] {
        answer.says(text);
    }
    assert!(!answer.body.contains("<b>"), "{}", answer.body);
    let shown = operator.post("/crawls/new", &with(form("", seed), "then", "preview"));
    shown.says("Lower Saxony</span>");
    let preview = operator.get("/crawls/preview?region=Oldenburg,%20Germany%0ANirgendwoxyz");
    preview.says("<strong>Oldenburg</strong>");
    preview.says("Nothing is known of");
    let preview = operator.get("/crawls/preview?region=Oldenbrug");
    preview.says("“Oldenbrug” is not known.");
    preview.says("value=\"gn:2857458 Oldenbrug\">Oldenburg, Lower Saxony, Germany</button>");
    let topic = "[keywords]\nquay = 1.0\n[places]\n\"Bremerhaven, Germany\" = 0.5\n";
    operator.post("/crawls/preview", &[("topic", topic)]).says("Bremerhaven, Bremen, Germany");
    let large = "x".repeat(70_000);
    let answer =
        operator.post("/crawls/new", &with(form("large", "https://example.org/"), "topic", &large));
    answer.says("A topic has at most 64 kB.");
    assert!(Tasks::at(data.path()).list().expect("a list").is_empty());
}

#[test]
fn a_topic_is_kept_with_its_task_and_no_file_of_the_server_is_read() {
    let (data, web) = (Data::new(), endless(1));
    let seed = web.url(0, "/");
    let server = data.serve_operators();
    let operator = Visitor::operator(&server);
    let topic = "[keywords]\nquay = 1.0\n[places]\n\"Bremerhaven, Germany\" = 0.5\n";
    let mut with_topic = with(form("quays", &seed), "topic", topic);
    with_topic.push(("registrants", "/etc/passwd"));
    operator.order("/crawls/new", &with(with_topic, "then", "keep"));
    let task = Tasks::at(data.path()).task("quays").expect("it is kept");
    let path = task.topic.expect("it has a topic");
    assert!(path.ends_with("tasks/quays/topic.toml"), "{}", path.display());
    assert_eq!(task.registrants, None);
    operator.get("/crawls/new?from=quays").says("quay = 1.0");
    for seeds in ["/etc/passwd", "file:///etc/passwd"] {
        let answer = operator.post("/crawls/new", &form("files", seeds));
        assert_eq!(answer.status, 422, "{seeds}");
        assert!(!answer.body.contains("root:"), "{seeds}");
    }
}

#[test]
fn seeds_in_private_networks_are_refused_when_the_task_is_made() {
    let data = Data::new();
    let server = data.serve_operators();
    let operator = Visitor::operator(&server);
    for seed in ["http://127.0.0.1:8000/", "http://localhost/", "http://[::1]/", "http://10.0.0.7/"]
    {
        let public = with(form("private", seed), "private", "");
        let answer = operator.post("/crawls/new", &with(public, "contact", "me@example.org"));
        assert_eq!(answer.status, 422, "{seed}");
        answer.says("is not on the public internet");
        answer.says("Tick the box for private networks if this is meant.");
    }
    assert!(Tasks::at(data.path()).list().expect("a list").is_empty());
}

#[test]
fn names_lead_nowhere_but_to_tasks() {
    let data = Data::new();
    let server = data.serve_operators();
    let operator = Visitor::operator(&server);
    fs::create_dir_all(data.path().join("tasks")).expect("a folder");
    fs::write(data.path().join("task.toml"), "seeds = []").expect("a file");
    for name in
        ["..", "%2e%2e", "..%2f..%2fetc", "%2Fetc%2Fpasswd", "a%00b", "nothing", "running.lock"]
    {
        for path in [
            format!("/crawls/{name}"),
            format!("/crawls/{name}/events"),
            format!("/crawls/{name}/explain?url=http://a.example/"),
            format!("/crawls/new?from={name}"),
        ] {
            let status = operator.get(&path).status;
            assert_eq!(status, 404, "{path}");
        }
        for order in ["run", "stop", "remove", "threads"] {
            let answer = operator.post(&format!("/crawls/{name}/{order}"), &[("threads", "3")]);
            assert_eq!(answer.status, 404, "{name}/{order}");
        }
    }
    assert!(data.path().join("task.toml").exists());
}

#[test]
fn what_was_fetched_is_indexed_and_found_without_a_restart() {
    let (data, web) = (Data::new(), endless(1));
    let seed = web.url(0, "/");
    let server = data.serve_operators();
    let operator = Visitor::operator(&server);
    operator.order("/crawls/reindex", &[]);
    until("it says that there is nothing", || {
        operator.get("/crawls").body.contains("there is no archive yet")
    });
    operator.order("/crawls/new", &with(form("few", &seed), "budget", "8 pages"));
    until("the budget is used up", || {
        operator.get("/crawls/few").body.contains("The budget was used up.")
    });
    operator.get(&format!("/crawls/few/explain?url={seed}")).says("It is a seed.");
    assert_eq!(operator.get("/crawls/few/explain?url=nothing").status, 400);
    operator.order("/crawls/reindex", &[]);
    until("the index is made", || operator.get("/crawls").body.contains("generation 2 is made"));
    let found = || operator.get("/api/v1/search?q=Janssen").body;
    until("it is found", || found().contains("127.0.0.1"));
}

#[test]
fn without_a_token_the_pages_say_how_to_switch_them_on() {
    let data = Data::new();
    let server = data.serve(None);
    let visitor = Visitor::of(&server);
    for path in ["/crawls", "/crawls/login", "/crawls/new", "/crawls/any", "/crawls/any/events"] {
        let answer = visitor.get(path);
        assert_eq!(answer.status, 403, "{path}");
        answer.says("--operator-token-file");
    }
    assert_eq!(visitor.post("/crawls/login", &[("token", "")]).status, 403);
    assert_eq!(visitor.post("/crawls/any/run", &[]).status, 403);
}

#[test]
fn where_another_process_runs_the_tasks_one_can_only_look_on() {
    let data = Data::new();
    fs::create_dir_all(data.path().join("tasks")).expect("a folder");
    let lock = fs::File::create(data.path().join("tasks/running.lock")).expect("a file");
    lock.lock().expect("nobody has it");
    let server = data.serve_operators();
    let operator = Visitor::operator(&server);
    until("it is told", || operator.get("/crawls").body.contains("Another process runs the tasks"));
    drop(lock);
    until("the server takes over", || {
        !operator.get("/crawls").body.contains("Another process runs the tasks")
    });
}
