//! From files of documents to answers, with the real program.

#![allow(clippy::unwrap_used, reason = "helpers of tests may panic as tests do")]

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// A few pages about three towns.
const PAGES: &str = r#"{"id":"ateneum","url":"https://example.fi/ateneum","title":"Ateneum art museum","text":"The national gallery of Finland shows paintings opposite the railway station.","address":"Kaivokatu 2, Helsinki","published":"2024-03-01","language":"en"}
{"id":"kiasma","url":"https://example.fi/kiasma","title":"Kiasma","text":"A museum of contemporary art.","points":[24.9368,60.1719],"published":"2023-03-01","language":"en"}
{"id":"suomenlinna","url":"https://example.fi/fort","title":"Fortress on the sea","text":"A fortress with a museum on six islands.","points":[24.9881,60.1454],"language":"en"}
{"id":"tampere","url":"https://museo.example.fi/","title":"Spy museum","text":"A museum about spies in an old factory.","place":"Tampere","language":"en"}
{"id":"edinburgh","url":"https://example.uk/castle","title":"The castle","text":"A castle on a rock above the old town of Edinburgh, Scotland, with a museum of war.","language":"en"}
{"id":"perth","url":"https://example.uk/scone","title":"A castle near Perth","text":"A castle with a palace.","place":"Perth, Scotland","language":"en"}
{"id":"kunst","url":"https://example.de/kunst","title":"Museen und Galerien","text":"Die Museen der Stadt Oldenburg (Oldb) in Niedersachsen sind am Montag geschlossen.","language":"de"}
"#;

struct Data(tempfile::TempDir);

impl Data {
    fn new() -> Self {
        let data = Self(tempfile::tempdir().unwrap());
        data.write("pages.jsonl", PAGES);
        data
    }

    fn path(&self) -> &Path {
        self.0.path()
    }

    fn write(&self, name: &str, text: &str) -> PathBuf {
        let path = self.path().join(name);
        std::fs::write(&path, text).unwrap();
        path
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_strabo"));
        command.args(arguments).current_dir(self.path());
        command
            .env_remove("STRABO_DATA")
            .env_remove("STRABO_GAZETTEER")
            .env_remove("STRABO_LISTEN");
        command
    }

    fn run(&self, arguments: &[&str]) -> Output {
        self.command(arguments).output().unwrap()
    }

    #[track_caller]
    fn ok(&self, arguments: &[&str]) -> String {
        let output = self.run(arguments);
        assert!(
            output.status.success(),
            "{arguments:?}: {}",
            String::from_utf8_lossy(&output.stderr)
        );
        String::from_utf8(output.stdout).unwrap()
    }

    #[track_caller]
    fn fails(&self, arguments: &[&str]) -> String {
        let output = self.run(arguments);
        assert!(!output.status.success(), "{arguments:?}");
        String::from_utf8(output.stderr).unwrap()
    }

    fn indexed() -> Self {
        let data = Self::new();
        data.ok(&["index", "pages.jsonl"]);
        data
    }

    /// The ids of the hits, in order.
    #[track_caller]
    fn ids(&self, arguments: &[&str]) -> Vec<String> {
        let text = self.ok(&[&["search", "--json"], arguments].concat());
        let answer: serde_json::Value = serde_json::from_str(&text).unwrap();
        let features = answer["features"].as_array().unwrap();
        features.iter().map(|it| it["id"].as_str().unwrap().to_owned()).collect()
    }
}

#[test]
fn a_theme_near_an_address_orders_by_distance() {
    let data = Data::indexed();
    let ids = data.ids(&["museum near Mannerheimintie 2, Helsinki"]);
    assert_eq!(ids[..3], ["ateneum", "kiasma", "suomenlinna"]);
    assert_eq!(data.ids(&["museum in Helsinki", "--sort", "distance"])[0], "kiasma");
    let text = data.ok(&["search", "museum near Mannerheimintie 2, Helsinki"]);
    assert!(
        text.contains("Ateneum art *museum*") && text.contains(" m ") && text.contains("Helsinki"),
        "{text}"
    );
}

#[test]
fn relations_find_what_they_say() {
    let data = Data::indexed();
    assert_eq!(data.ids(&["castle north of Edinburgh"]), ["perth"]);
    assert_eq!(data.ids(&["museum within 1 km of 60.1719,24.9368"]), ["ateneum", "kiasma"]);
    assert_eq!(data.ids(&["museum", "--bbox", "23,61,25,62"]), ["tampere"]);
    assert_eq!(data.ids(&["Museen in Niedersachsen"]), ["kunst"]);
    assert_eq!(data.ids(&["museum in Finland", "--sort", "time"])[..2], ["ateneum", "kiasma"]);
    assert_eq!(data.ids(&["museum site:museo.example.fi"]), ["tampere"]);
    assert_eq!(data.ids(&["museum -art in Helsinki"]), ["suomenlinna"]);
    assert_eq!(data.ids(&["\"old town\""]), ["edinburgh"]);
    assert_eq!(data.ids(&["museum after:2024 in Finland"]), ["ateneum"]);
}

#[test]
fn what_finds_nothing_suggests_something() {
    let data = Data::indexed();
    let text = data.ok(&["search", "musuem"]);
    assert!(text.contains("no pages") && text.contains("did you mean \"museum\""), "{text}");
    let text = data.ok(&["search", "museum volcano in Helsinki"]);
    assert!(text.contains("without \"volcano\": 3 pages"), "{text}");
    let complaint = data.fails(&["search", "()"]);
    assert!(complaint.contains("name a word or a place"), "{complaint}");
}

#[test]
fn an_answer_comes_in_many_forms() {
    let data = Data::indexed();
    let geojson: serde_json::Value =
        serde_json::from_str(&data.ok(&["search", "castle in Scotland", "--geojson"])).unwrap();
    assert_eq!(geojson["features"].as_array().unwrap().len(), 2);
    let table = data.ok(&["search", "castle in Scotland", "--csv", "--skip", "1"]);
    assert!(
        table.starts_with("rank,id,title,") && table.lines().nth(1).unwrap().starts_with("2,"),
        "{table}"
    );
    let kml = data.ok(&["search", "castle in Scotland", "--kml"]);
    assert_eq!(kml.matches("<Placemark").count(), 2);
    let explained = data.ok(&["search", "castle in Scotland", "--explain"]);
    assert!(explained.contains("score ") && explained.contains("plan: words"), "{explained}");
    let places = data.ok(&["doc", "edinburgh", "--places"]);
    assert!(places.contains("United Kingdom") && places.contains("focus"), "{places}");
    let near = data.ok(&["doc", "kiasma", "--neighbours"]);
    assert!(near.contains("Ateneum"), "{near}");
}

#[test]
fn a_choice_among_places_of_one_name_is_kept() {
    let data = Data::indexed();
    let text = data.ok(&["search", "schools in Athens", "--json"]);
    let answer: serde_json::Value = serde_json::from_str(&text).unwrap();
    let place = &answer["query"]["space"]["places"][0];
    assert!(place["label"].as_str().unwrap().contains("Greece"), "{place}");
    let other = &place["others"][0];
    let key = other["id"].as_str().unwrap();
    let chosen = data.ok(&["search", "schools in Athens", "--json", "--choose", key]);
    let answer: serde_json::Value = serde_json::from_str(&chosen).unwrap();
    assert_eq!(answer["query"]["space"]["places"][0]["label"], other["label"]);
}

#[test]
fn an_index_killed_half_way_stays_as_it_was() {
    let data = Data::indexed();
    let mut many = String::new();
    for it in 0..20_000 {
        many +=
            &format!("{{\"id\":\"m{it}\",\"text\":\"mill number {it} in Helsinki, Finland\"}}\n");
    }
    data.write("many.jsonl", &many);
    // Killed while it reads, while it writes the shard, and when the shard is about to be whole.
    for sign in ["documents.tmp", "shard-000002-0", "shard-000002-0/space.bin"] {
        let sign = data.path().join("strabo-data/index/building-000002").join(sign);
        let mut child =
            data.command(&["index", "many.jsonl"]).stdout(Stdio::null()).spawn().unwrap();
        while !sign.exists() {
            assert_eq!(child.try_wait().unwrap(), None, "it ended before {}", sign.display());
            std::thread::yield_now();
        }
        child.kill().unwrap();
        child.wait().unwrap();
        data.ok(&["index", "--verify"]);
        assert!(!data.ids(&["museum in Helsinki"]).is_empty());
    }
    data.ok(&["index", "many.jsonl"]);
    let text = data.ok(&["index", "--info"]);
    assert!(text.contains("20,007 documents"), "{text}");
    assert_eq!(
        std::fs::read_dir(data.path().join("strabo-data/index"))
            .unwrap()
            .filter(|it| {
                it.as_ref().unwrap().file_name().to_string_lossy().starts_with("building-")
            })
            .count(),
        0
    );
}

struct Server {
    child: Child,
    address: String,
}

impl Server {
    fn start(data: &Data) -> Self {
        let mut child = data
            .command(&["serve", "--bench", "--listen", "127.0.0.1:0"])
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.as_mut().unwrap()).read_line(&mut line).unwrap();
        let address = line.split('/').nth(2).unwrap().to_owned();
        Self { child, address }
    }

    /// Status and body of one request on a connection of its own.
    fn get(address: &str, path: &str) -> std::io::Result<(u16, String)> {
        Self::ask(address, &format!("GET {path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"))
    }

    fn ask(address: &str, request: &str) -> std::io::Result<(u16, String)> {
        let mut stream = TcpStream::connect(address)?;
        stream.write_all(request.as_bytes())?;
        let mut text = String::new();
        stream.read_to_string(&mut text)?;
        let status = text.get(9..12).and_then(|it| it.parse().ok()).unwrap_or(0);
        Ok((status, text.split_once("\r\n\r\n").map(|it| it.1.to_owned()).unwrap_or_default()))
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn a_server_takes_a_new_index_without_a_failed_request() {
    let data = Data::indexed();
    let server = Server::start(&data);
    let (stop, asked, failed) = (AtomicBool::new(false), AtomicU64::new(0), AtomicU64::new(0));
    std::thread::scope(|scope| {
        for _ in 0..3 {
            scope.spawn(|| {
                while !stop.load(Ordering::Relaxed) {
                    let answer =
                        Server::get(&server.address, "/api/v1/search?q=museum+in+Helsinki");
                    let is_good = answer.is_ok_and(|it| it.0 == 200 && it.1.contains("ateneum"));
                    asked.fetch_add(1, Ordering::Relaxed);
                    failed.fetch_add(u64::from(!is_good), Ordering::Relaxed);
                }
            });
        }
        for number in 0..4 {
            data.write(
                "more.jsonl",
                &format!("{{\"id\":\"mill\",\"text\":\"mill {number}\",\"place\":\"Helsinki\"}}\n"),
            );
            let how: &[&str] = if number == 2 { &["--full", "pages.jsonl"] } else { &[] };
            data.ok(&[&["index", "more.jsonl"], how].concat());
            // The server looks twice a second; it has to have come to every generation.
            let want = format!("generation {}", number + 2);
            while !Server::get(&server.address, "/healthz").unwrap().1.contains(&want) {
                std::thread::yield_now();
            }
        }
        stop.store(true, Ordering::Relaxed);
    });
    assert_eq!(failed.load(Ordering::Relaxed), 0, "of {}", asked.load(Ordering::Relaxed));
    assert!(asked.load(Ordering::Relaxed) > 10);
    let (_, body) = Server::get(&server.address, "/api/v1/search?q=mill+in+Helsinki").unwrap();
    assert!(body.contains("\"mill\""), "{body}");
}

#[test]
fn a_server_says_what_is_wrong_with_a_request() {
    let data = Data::indexed();
    let server = Server::start(&data);
    for path in [
        "/api/v1/search?q=museum&sort=taste",
        "/api/v1/search?q=museum&limit=100000",
        "/api/v1/search?q=museum&bbox=1,2,3",
        "/api/v1/search?q=museum&colour=red",
        "/api/v1/search?q=museum&choose=nowhere",
        "/api/v1/search?q=",
    ] {
        let (status, body) = Server::get(&server.address, path).unwrap();
        assert_eq!(status, 400, "{path}: {body}");
        assert!(body.contains("\"error\""), "{path}: {body}");
    }
    let body = "{\"kind\":\"knn\",\"terms\":[\"museum\"],\"lat\":60.17,\"lon\":24.94,\"k\":2}";
    let request = format!(
        "POST /api/bench HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: application/json\r\n\
         Content-Length: {}\r\n\r\n{body}",
        body.len()
    );
    let (status, body) = Server::ask(&server.address, &request).unwrap();
    assert_eq!((status, body.as_str()), (200, "{\"ids\":[\"ateneum\",\"kiasma\"]}"));
}
