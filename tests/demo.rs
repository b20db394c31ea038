//! The demonstration, from nothing to answers, with the real program.

use std::process::{Command, Output, Stdio};

fn strabo(arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_strabo"));
    for name in ["STRABO_DATA", "STRABO_GAZETTEER", "STRABO_CONTACT", "STRABO_LOG"] {
        command.env_remove(name);
    }
    command.args(arguments).stdin(Stdio::null()).output().unwrap()
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
    check(&said, "harbour festival", &["*arbour", "20", "the-quayside-lantern.example"]);

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
