//! Journeys with `strabo geoparse`: from a page or a text to the places it means.

use std::io::{Read, Write};
use std::net::TcpListener;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use serde_json::Value;

fn strabo(arguments: &[&str], input: &[u8]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_strabo"));
    command.arg("geoparse").args(arguments).env_remove("STRABO_GAZETTEER");
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("the program starts");
    // A program that complains at once reads nothing.
    let _ = child.stdin.take().expect("it is piped").write_all(input);
    child.wait_with_output().expect("the program ends")
}

#[track_caller]
fn answer(arguments: &[&str], input: &str) -> String {
    let output = strabo(arguments, input.as_bytes());
    let complaint = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{arguments:?} failed: {complaint}");
    String::from_utf8(output.stdout).expect("answers are text")
}

#[track_caller]
fn json(arguments: &[&str], input: &str) -> Value {
    let text = answer(arguments, input);
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{arguments:?}: {error}: {text}"))
}

#[track_caller]
fn check_complaint(arguments: &[&str], input: &[u8], expected: &str) {
    let output = strabo(arguments, input);
    assert!(!output.status.success(), "{arguments:?} should have failed");
    let complaint = String::from_utf8(output.stderr).expect("complaints are text");
    assert!(complaint.contains(expected), "{arguments:?}: {complaint}");
}

fn write(folder: &Path, name: &str, text: &[u8]) -> String {
    let path = folder.join(name);
    std::fs::write(&path, text).expect("a temporary folder can be written to");
    path.to_str().expect("its name is plain").to_owned()
}

const SHOP: &str = r#"<!doctype html><html lang="de"><title>Buchladen in Jever</title>
<script type="application/ld+json">{"@type": "BookStore", "name": "Buchladen am Markt",
"address": {"streetAddress": "Alter Markt 7", "postalCode": "26441", "addressLocality": "Jever", "addressCountry": "DE"}}</script>
<h1>Buchladen am Markt</h1><p>Seit 1924 verkaufen wir Bücher in Jever und in Wilhelmshaven.</p>
<p>Alter Markt 7<br>26441 Jever</p>"#;

#[test]
fn a_text_from_standard_input_gets_its_places() {
    let text = answer(&["-"], "They drove from Dallas to Paris, Texas, and back to Dallas.");
    assert!(text.contains("about       Texas, United States"), "{text}");
    assert!(text.contains("named most  Dallas, Texas, United States, 2 times"), "{text}");
    assert!(text.contains("Paris, Texas, United States"), "{text}");
    assert!(text.contains("addresses: none"), "{text}");
}

#[test]
fn a_page_gets_its_address_its_stated_place_and_its_verdicts() {
    let folder = tempfile::tempdir().unwrap();
    let page = write(folder.path(), "shop.html", SHOP.as_bytes());
    let regions = ["--region", "Lower Saxony", "--region", "France"];
    let mut arguments = vec!["--url", "https://www.example.de/jever/", page.as_str()];
    arguments.extend(regions);
    let text = answer(&arguments, "");
    assert!(text.contains("title       Buchladen in Jever"), "{text}");
    assert!(text.contains("names a place: yes"), "{text}");
    assert!(text.contains("has an address in Lower Saxony, Germany: yes"), "{text}");
    assert!(text.contains("has an address in France: no"), "{text}");
    assert!(text.contains("street Alter Markt | number 7 | postcode 26441 | city Jever"), "{text}");
    assert!(text.contains("Buchladen am Markt  JSON-LD"), "{text}");
    assert!(text.contains("in the URL"), "{text}");
}

#[test]
fn spans_are_told_in_bytes_and_in_characters() {
    let value = json(&["--json", "-"], "Żółw wrócił z Łodzi do München.");
    let text = value["text"].as_str().unwrap();
    let mentions = value["mentions"].as_array().unwrap();
    let munich = mentions.iter().find(|it| it["text"] == "München").expect("it is a mention");
    let number = |of: &str, at: usize| munich[of][at].as_u64().unwrap() as usize;
    assert_eq!(&text[number("bytes", 0)..number("bytes", 1)], "München");
    let letters = text.chars().skip(number("characters", 0));
    assert_eq!(letters.take(7).collect::<String>(), "München");
    assert_eq!(munich["key"], "gn:2867714");
}

#[test]
fn an_explanation_tells_what_was_considered() {
    let text = answer(&["--explain", "-"], "He lives in Paris, Texas.");
    assert!(text.contains("He lives in [Paris]"), "{text}");
    assert!(text.contains("behind a word like \"in\""), "{text}");
    assert!(text.contains("Paris, Île-de-France, France (city)"), "{text}");
    let value = json(&["--explain", "--json", "-"], "He lives in Paris, Texas.");
    assert!(value.pointer("/mentions/0/why/candidates/1/share").is_some(), "{value}");
}

#[test]
fn a_map_gets_points_with_the_longitude_first() {
    let value = json(&["--geojson", "-"], "He lives in Helsinki.");
    assert_eq!(value["type"], "FeatureCollection");
    let feature = &value["features"][0];
    assert_eq!(feature["properties"]["what"], "mention");
    assert!((feature["geometry"]["coordinates"][0].as_f64().unwrap() - 24.9).abs() < 0.1);
}

#[test]
fn hints_say_which_place_is_meant() {
    let label = |more: &[&str]| {
        let mut arguments = vec!["--json", "-"];
        arguments.extend(more);
        json(&arguments, "The market in Oldenburg is open.")["mentions"][0]["label"].clone()
    };
    assert_eq!(label(&[]), "Oldenburg, Lower Saxony, Germany");
    assert_eq!(label(&["--home", "Batesville, Indiana"]), "Oldenburg, Indiana, United States");
}

#[test]
fn a_text_without_places_is_answered_too() {
    let text = answer(&["-"], "It rained all day and nobody came.");
    assert_eq!(
        text.lines().skip_while(|it| !it.starts_with("names")).collect::<Vec<_>>(),
        [
            "names no place",
            "",
            "mentions: none",
            "",
            "addresses: none",
            "",
            "stated for machines: none"
        ]
    );
}

#[test]
fn a_corpus_is_answered_line_by_line_in_characters() {
    let folder = tempfile::tempdir().unwrap();
    let lines =
        "{\"id\": 7, \"text\": \"Żółw in München\"}\n{\"id\": \"b\", \"text\": \"Nothing.\"}\n";
    let file = write(folder.path(), "documents.jsonl", lines.as_bytes());
    let text = answer(&["--corpus", &file], "");
    let values: Vec<Value> = text.lines().map(|it| serde_json::from_str(it).unwrap()).collect();
    assert_eq!(values.len(), 2);
    assert_eq!(values[0]["id"], 7);
    let found = &values[0]["toponyms"][0];
    assert_eq!((&found["start"], &found["end"]), (&8.into(), &15.into()));
    assert_eq!((&found["text"], &found["class"]), (&"München".into(), &"place".into()));
    assert_eq!(values[1]["toponyms"], Value::Array(Vec::new()));
    let none = answer(&["--corpus", &file, "--classes", "street,poi"], "");
    assert!(!none.contains("München"), "{none}");
}

#[test]
fn bad_input_is_told_with_a_way_out() {
    let folder = tempfile::tempdir().unwrap();
    let picture = write(folder.path(), "a.png", b"\x89PNG\r\n\x1a\n\0\0\0\0");
    let long = write(folder.path(), "long.txt", &vec![b'x'; 10_000_001]);
    check_complaint(&["nowhere.txt"], b"", "cannot open nowhere.txt (No such file");
    check_complaint(&["-"], b" \n", "standard input is empty: give a page or a text");
    check_complaint(&[&picture], b"", "is binary data and no text");
    check_complaint(&[&long], b"", "is larger than 10,000,000 bytes");
    check_complaint(&[folder.path().to_str().unwrap()], b"", "is a folder");
    check_complaint(&["-", "--region", "qqqxzzy"], b"Paris", "nothing is known of \"qqqxzzy\"");
    check_complaint(&["-", "--country", "XX"], b"Paris", "no country has the code \"XX\"");
    check_complaint(&["-", "--language", "1"], b"Paris", "is no code of a language");
    check_complaint(&["ftp://example.org/a"], b"", "has the scheme ftp");
    check_complaint(&["-", "--classes", "poi"], b"Paris", "cannot be used with");
    check_complaint(&["http://"], b"", "is no address of a page");
}

#[test]
fn a_page_of_another_encoding_is_read() {
    let folder = tempfile::tempdir().unwrap();
    let page = write(folder.path(), "a.html", b"<meta charset=latin1><p>Wir wohnen in M\xfcnchen.");
    assert_eq!(json(&["--json", &page], "")["mentions"][0]["text"], "München");
}

/// A web of one page on loopback, until the test ends.
fn web(body: &'static str) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").expect("loopback has a free port");
    let address = listener.local_addr().expect("it was bound");
    let url = format!("http://{address}/jever");
    std::thread::spawn(move || {
        for mut stream in listener.incoming().flatten() {
            let _ = stream.read(&mut [0; 4096]);
            let head = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nConnection: close";
            let _ = write!(stream, "{head}\r\nContent-Length: {}\r\n\r\n{body}", body.len());
        }
    });
    url
}

#[test]
fn a_page_of_the_web_is_fetched_but_not_from_a_private_network() {
    let url = web(SHOP);
    check_complaint(&[&url], b"", "is at 127.0.0.1, which is not on the public internet");
    let value = json(&["--json", "--allow-private", &url], "");
    assert_eq!(value["url"], url);
    assert_eq!(value["url_places"][0]["words"], "jever");
    assert_eq!(value["addresses"][0]["parts"]["city"], "Jever");
}
