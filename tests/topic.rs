//! Journeys with `strabo topic`: from samples to a topic, and from a topic to verdicts and a crawl.

#![allow(clippy::unwrap_used, reason = "helpers of tests may panic as tests do")]

use std::io::{Read, Write};
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use serde_json::Value;

fn strabo(folder: &Path, arguments: &[&str], input: &str) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_strabo"));
    command.args(arguments).current_dir(folder).env_remove("STRABO_GAZETTEER");
    command.env_remove("STRABO_DATA").env_remove("STRABO_CONTACT");
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("the program starts");
    // A program that complains at once reads nothing.
    let _ = child.stdin.take().expect("it is piped").write_all(input.as_bytes());
    child.wait_with_output().expect("the program ends")
}

#[track_caller]
fn answer(folder: &Path, arguments: &[&str], input: &str) -> String {
    let output = strabo(folder, arguments, input);
    let complaint = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{arguments:?} failed: {complaint}");
    String::from_utf8(output.stdout).expect("answers are text")
}

#[track_caller]
fn check_complaint(folder: &Path, arguments: &[&str], expected: &str) {
    let output = strabo(folder, arguments, "");
    assert!(!output.status.success(), "{arguments:?} should have failed");
    let complaint = String::from_utf8(output.stderr).expect("complaints are text");
    assert!(complaint.contains(expected), "{arguments:?}: {complaint}");
}

fn write(folder: &Path, name: &str, text: &str) -> PathBuf {
    let path = folder.join(name);
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(&path, text).unwrap();
    path
}

/// Six pages about a storm tide on a coast, with words around the topic that each has for itself.
fn samples(folder: &Path) {
    let own = ["sheep", "trains", "schools", "ferries", "farmers", "museums"];
    for (number, own) in own.iter().enumerate() {
        let text = format!(
            "<html><body><article><h1>Storm tide</h1>\
             <p>The storm tide reached Wilhelmshaven in the night, and the dike held against it. \
             All {own} were safe behind the {own} dike, as they said in Wilhelmshaven the next morning.</p>\
             <p>The next storm tide is expected in Emden, where the dike was raised after the last \
             storm tide.</p></article></body></html>"
        );
        write(folder, &format!("samples/{number}.html"), &text);
    }
}

const ABOUT: &str = "A storm tide broke the dike near Wilhelmshaven, and the storm tide went on.";
const ELSEWHERE: &str = "A storm tide broke the dike near Galveston, and Texas waits for help.";

#[test]
fn samples_become_a_topic_that_judges_pages() {
    let folder = tempfile::tempdir().unwrap();
    samples(folder.path());
    let told = answer(
        folder.path(),
        &["topic", "build", "--name", "tides", "-o", "tides.toml", "samples"],
        "",
    );
    assert!(told.contains("tides.toml: tides from 6 samples: storm tide, dike"), "{told}");
    let file = std::fs::read_to_string(folder.path().join("tides.toml")).unwrap();
    assert!(file.contains("\"storm tide\" = 1.0"), "{file}");
    assert!(file.contains("# Wilhelmshaven, Lower Saxony, Germany"), "{file}");

    let told = answer(folder.path(), &["topic", "score", "tides.toml", "-"], ABOUT);
    assert!(told.contains("verdict   the page is about it"), "{told}");
    assert!(told.contains("is Wilhelmshaven (1.0)"), "{told}");
    let told = answer(folder.path(), &["topic", "score", "tides.toml", "-"], ELSEWHERE);
    assert!(told.contains("verdict   the page is not about it"), "{told}");

    let text = answer(folder.path(), &["topic", "score", "--json", "tides.toml", "-"], ELSEWHERE);
    let value: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(value["accepted"], false);
    assert!(value["keyword_similarity"].as_f64().unwrap() > 0.5, "{value}");
    assert_eq!(value["place_similarity"], 0.0, "{value}");
    assert!(value["one_vector"].as_f64().unwrap() > 0.5, "{value}");
}

#[test]
fn what_is_no_topic_is_told_with_the_way_out() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    write(path, "bad.toml", "[places]\nXyzzyqwop = 1\n");
    write(path, "empty.toml", "");
    write(path, "page.txt", "Some words.");
    write(path, "nothing/readme.md", "");
    check_complaint(path, &["topic", "score", "gone.toml", "page.txt"], "gone.toml");
    check_complaint(path, &["topic", "score", "bad.toml", "page.txt"], "\"strabo place\" finds");
    check_complaint(path, &["topic", "score", "empty.toml", "page.txt"], "give some of one kind");
    check_complaint(path, &["topic", "build", "gone"], "cannot open gone: give files or folders");
    check_complaint(path, &["topic", "build", "nothing"], "nothing has no pages: give a folder of");
    let crawl =
        ["crawl", "--strategy", "topic", "--seeds", "http://127.0.0.1:9/", "--allow-private"];
    check_complaint(path, &crawl, "needs a topic: name a file");
}

/// A small web: a list of pages, one about the topic and one not, each with a page behind it.
fn serve() -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    std::thread::spawn(move || {
        for mut stream in listener.incoming().flatten() {
            let mut buffer = [0; 4096];
            let read = stream.read(&mut buffer).unwrap_or(0);
            let request = String::from_utf8_lossy(&buffer[..read]).into_owned();
            let body = match request.split(' ').nth(1).unwrap_or("/") {
                "/" => {
                    "<p>A list: <a href=/elsewhere>one</a> <a href=/about>two</a></p>".to_owned()
                }
                "/about" => format!("<p>{ABOUT} <a href=/behind-about>more</a></p>"),
                "/elsewhere" => format!("<p>{ELSEWHERE} <a href=/behind-elsewhere>more</a></p>"),
                "/behind-about" | "/behind-elsewhere" => "<p>Nothing in particular.</p>".to_owned(),
                _ => String::new(),
            };
            let status = if body.is_empty() { "404 Not Found" } else { "200 OK" };
            let _ = stream.write_all(
                format!(
                    "HTTP/1.1 {status}\r\nContent-Type: text/html\r\nContent-Length: {}\r\n\
                     Connection: close\r\n\r\n{body}",
                    body.len()
                )
                .as_bytes(),
            );
        }
    });
    port
}

#[test]
fn a_crawl_looks_for_pages_about_its_topic() {
    let folder = tempfile::tempdir().unwrap();
    let topic = "name = \"tides\"\n[keywords]\n\"storm tide\" = 1.0\ndike = 0.5\n\
                 [places]\nWilhelmshaven = 1.0\n";
    write(folder.path(), "tides.toml", topic);
    let seed = format!("http://127.0.0.1:{}/", serve());
    let arguments = [
        "crawl",
        "--topic",
        "tides.toml",
        "--strategy",
        "topic",
        "--seeds",
        &seed,
        "--allow-private",
        "--delay",
        "0",
        "--threads",
        "1",
        "--data",
        "data",
    ];
    answer(folder.path(), &arguments, "");
    let log = std::fs::read_to_string(folder.path().join("data/tasks/crawl/judged.jsonl")).unwrap();
    let lines: Vec<Value> = log.lines().map(|it| serde_json::from_str(it).unwrap()).collect();
    let line = |path: &str| {
        let it = lines.iter().find(|it| it["url"].as_str().unwrap().ends_with(path));
        it.unwrap_or_else(|| panic!("{path} was not visited: {log}"))
    };
    assert_eq!(line("/about")["relevant"], true, "{log}");
    assert_eq!(line("/elsewhere")["relevant"], false, "{log}");
    let reason = |path: &str| line(path)["reason"].as_str().unwrap().to_owned();
    assert!(reason("/behind-about").starts_with("a page about the topic links to it: "), "{log}");
    assert!(reason("/behind-elsewhere").contains("not about the topic"), "{log}");
    let priority = |path: &str| line(path)["priority"].as_f64().unwrap();
    assert!(priority("/behind-about") > priority("/behind-elsewhere"));
    // The file is found from wherever the crawl goes on.
    let task = std::fs::read_to_string(folder.path().join("data/tasks/crawl/task.toml")).unwrap();
    let whole = std::fs::canonicalize(folder.path().join("tides.toml")).unwrap();
    assert!(task.contains(whole.to_str().unwrap()), "{task}");
}
