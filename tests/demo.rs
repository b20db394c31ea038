//! The demonstration, from nothing to answers, with the real program.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Output, Stdio};

fn strabo(arguments: &[&str]) -> Output {
    command(arguments).output().expect("the program runs")
}

fn command(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_strabo"));
    for name in ["STRABO_DATA", "STRABO_GAZETTEER", "STRABO_CONTACT", "STRABO_LOG"] {
        command.env_remove(name);
    }
    command.args(arguments).stdin(Stdio::null());
    command
}

/// The program while it runs; it does not outlive the test.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// What the server answers to a head and, if it is not empty, a form.
fn ask(address: &str, head: &str, form: &str) -> String {
    let kind = "Content-Type: application/x-www-form-urlencoded";
    let length = form.len();
    let rest = format!("{kind}\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n{form}");
    let mut stream = TcpStream::connect(address).expect("it listens");
    stream.write_all(format!("{head}{rest}").as_bytes()).expect("it reads");
    let mut answer = String::new();
    stream.read_to_string(&mut answer).expect("it answers");
    answer
}

/// What stands under one query, up to the next.
#[track_caller]
fn answer<'a>(said: &'a str, query: &str) -> &'a str {
    let start = said.find(&format!("strabo search \"{query}\"")).expect(query);
    let rest = &said[start + 1..];
    rest.find("strabo search \"").map_or(rest, |end| &rest[..end])
}

#[track_caller]
fn check(said: &str, query: &str, expected: &[&str]) {
    let answer = answer(said, query);
    assert!(answer.contains("  4. "), "fewer than four hits: {answer}");
    for words in expected {
        assert!(answer.contains(words), "no \"{words}\": {answer}");
    }
}

#[test]
fn a_small_web_is_crawled_indexed_and_searched() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("demo");
    let data = data.to_str().unwrap();
    let output = strabo(&["demo", "--once", "--data", data]);
    let said = String::from_utf8(output.stdout).unwrap();
    let complaint = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{said}{complaint}");
    assert!(said.contains("2 · Crawling") && complaint.contains("harvest"), "{said}{complaint}");

    check(&said, "bakeries near Mannerheimintie 2, Helsinki", &["*", "Helsinki", " m "]);
    check(&said, "museums in Monaco", &["Museum", "Monaco"]);
    check(
        &said,
        "harbour festival",
        &["*harbour* *festival*", "· 202", "the-quayside-lantern.example"],
    );

    // The data stays where it was wished for, and a second run has nothing left to do.
    let found = strabo(&["search", "--data", data, "cafés in Helsinki"]);
    assert!(String::from_utf8_lossy(&found.stdout).contains("Helsinki"));
    let again = strabo(&["demo", "--once", "--data", data]);
    let said = String::from_utf8(again.stdout).unwrap();
    assert!(again.status.success() && said.contains("nothing new"), "{said}");
}

#[test]
fn a_folder_with_other_things_is_not_touched() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("thesis.txt"), "dear").unwrap();
    let output = strabo(&["demo", "--once", "--data", folder.path().to_str().unwrap()]);
    let complaint = String::from_utf8_lossy(&output.stderr);
    assert!(!output.status.success(), "{complaint}");
    assert!(complaint.contains("give --data a new or an empty directory"), "{complaint}");
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
}

#[test]
fn it_serves_until_it_is_told_to_stop_and_takes_its_data_away() {
    let mut program = command(&["demo", "--listen", "127.0.0.1:0"]);
    let running = program.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
    let mut running = Running(running);
    let mut lines = BufReader::new(running.0.stdout.take().unwrap()).lines().map(Result::unwrap);
    let folder = lines.find(|it| it.contains("Archive and index are in")).unwrap();
    let folder = folder.split_whitespace().find(|it| it.starts_with('/')).unwrap();
    let folder = std::path::PathBuf::from(folder.trim_end_matches(','));
    assert!(folder.is_dir(), "{}", folder.display());
    let ready = lines.find(|it| it.contains("Ready after")).unwrap();
    let address = ready.split("http://").nth(1).unwrap().trim_end_matches('/');

    let get = |path: &str| {
        let answer = ask(address, &format!("GET {path} HTTP/1.1\r\nHost: x\r\n"), "");
        assert!(answer.starts_with("HTTP/1.1 200"), "{path}: {answer}");
        answer
    };
    let answer = get("/api/v1/search?q=museums+in+Monaco");
    let answer: serde_json::Value =
        serde_json::from_str(answer.split_once("\r\n\r\n").unwrap().1).unwrap();
    let titles = answer["features"].as_array().unwrap().iter();
    let titles: Vec<_> = titles.map(|it| it["properties"]["title"].to_string()).collect();
    assert!(titles.len() == 10 && titles.iter().any(|it| it.contains("Museum")), "{titles:?}");

    // Whoever has the token that was told sees the crawl.
    let mut told = Vec::new();
    let is_token = |it: &String| {
        told.push(it.clone());
        it.contains("sign in with the token")
    };
    let token = lines.find(is_token).unwrap();
    let token = token.split_whitespace().last().unwrap();
    // Everything that is offered for clicking is answered, and every page of an answer is kept.
    let offered: Vec<&str> =
        told.iter().filter_map(|it| it.trim().split_once("/search?q=")).map(|it| it.1).collect();
    assert_eq!(offered.len(), 5, "{told:?}");
    for query in offered {
        let page = get(&format!("/search?q={query}"));
        assert!(page.contains("id=\"hit-4\""), "{query} has fewer than four answers: {page}");
        let copy = page.split("class=\"copy\" href=\"").nth(1).unwrap().split('"').next().unwrap();
        let copy = get(copy);
        assert!(copy.contains("class=\"stored\""), "{copy}");
        assert!(!copy.contains("the original"), "nobody can be there: {copy}");
    }
    let head =
        format!("POST /crawls/login HTTP/1.1\r\nHost: {address}\r\nOrigin: http://{address}\r\n");
    let entered = ask(address, &head, &format!("token={token}&back=/crawls/demo"));
    assert!(entered.starts_with("HTTP/1.1 303"), "{entered}");
    let cookie = entered.split("set-cookie: ").nth(1).unwrap().split(';').next().unwrap();
    let head =
        format!("GET /crawls/demo?live=no HTTP/1.1\r\nHost: {address}\r\nCookie: {cookie}\r\n");
    let monitor = ask(address, &head, "");
    for part in ["done", "class=\"curve\"", "class=\"finds\"", "The budget was used up."] {
        assert!(monitor.contains(part), "no {part}: {monitor}");
    }

    let id = running.0.id().to_string();
    assert!(Command::new("kill").args(["-INT", &id]).status().unwrap().success());
    let rest: Vec<String> = lines.collect();
    assert!(running.0.wait().unwrap().success());
    assert!(told.iter().any(|it| it.contains("/search?q=museums+in+Monaco")), "{told:?}");
    assert!(rest.iter().any(|it| it.contains("Goodbye")), "{rest:?}");
    assert!(!folder.exists());
}
