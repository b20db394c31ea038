//! Generations: what is indexed is found, what is new is added, what is torn is told, and nothing is lost.

#![allow(clippy::unwrap_used, reason = "helpers of tests may panic as tests do")]

use std::fs;
use std::path::{Path, PathBuf};

use gazetteer::PlaceId;
use index::{Document, Error, Generation, Library, Order, Part, Report, Skip};

struct Shop {
    directory: tempfile::TempDir,
}

impl Shop {
    fn new() -> Self {
        Self { directory: tempfile::tempdir().unwrap() }
    }

    fn path(&self) -> &Path {
        self.directory.path()
    }

    fn library(&self) -> Library {
        Library::at(self.path().join("index"))
    }

    fn file(&self, name: &str, text: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path().join(name);
        fs::write(&path, text).unwrap();
        path
    }

    fn try_index(&self, sources: &[PathBuf], is_full: bool) -> Result<Report, Error> {
        let order = Order { sources: sources.to_vec(), is_full, ..Order::default() };
        self.library().index(world::gazetteer(), &order, &mut |_| {})
    }

    #[track_caller]
    fn index(&self, sources: &[PathBuf], is_full: bool) -> Report {
        let report = self.try_index(sources, is_full).unwrap();
        self.open().verify(world::gazetteer(), &mut |_| {}).unwrap();
        report
    }

    #[track_caller]
    fn open(&self) -> Generation {
        self.library().open(world::gazetteer()).unwrap()
    }

    #[track_caller]
    fn document(&self, id: &str) -> Option<Document> {
        let generation = self.open();
        let at = generation.by_id(id)?;
        Some(generation.document(at).unwrap())
    }
}

fn line(id: &str, text: &str) -> String {
    format!("{{\"id\":\"{id}\",\"title\":\"{id}\",\"text\":\"{text}\",\"place\":\"Helsinki\"}}\n")
}

#[test]
fn what_is_new_is_added_and_what_changed_is_replaced() {
    let shop = Shop::new();
    let file = shop.file("a.jsonl", line("one", "old castle") + &line("two", "a mill"));
    assert_eq!(shop.index(std::slice::from_ref(&file), false).taken, 2);

    shop.file(
        "a.jsonl",
        line("one", "new castle") + &line("two", "a mill") + &line("three", "x y"),
    );
    let report = shop.index(std::slice::from_ref(&file), false);
    assert_eq!((report.taken, report.replaced, report.documents), (2, 1, 3));
    assert_eq!(report.skipped.get(&Skip::Unchanged), Some(&1));
    assert_eq!(shop.document("one").unwrap().text, "new castle");
    assert_eq!(shop.document("two").unwrap().text, "a mill");

    // What was indexed before is looked at again when nothing is named.
    let report = shop.index(&[], false);
    assert!(!report.is_new);
    assert_eq!(report.documents, 3);
}

#[test]
fn a_full_build_forgets_what_is_gone() {
    let shop = Shop::new();
    let file = shop.file("a.jsonl", line("one", "castle") + &line("two", "mill"));
    shop.index(std::slice::from_ref(&file), false);
    shop.file("a.jsonl", line("two", "mill"));
    shop.index(&[], true);
    assert_eq!(shop.document("one"), None);
    assert!(shop.document("two").is_some());
}

#[test]
fn many_small_runs_stay_few_shards() {
    let shop = Shop::new();
    for number in 0..14 {
        let file = shop
            .file(&format!("{number}.jsonl"), line(&format!("d{number}"), "a castle of the north"));
        shop.index(&[file], false);
    }
    let generation = shop.open();
    assert!(generation.shards.len() <= 8, "{} shards", generation.shards.len());
    assert_eq!(generation.manifest.documents(), 14);
    let helsinki = PlaceId(shop.document("d3").unwrap().focus.unwrap());
    assert_eq!(generation.count_within(helsinki).unwrap(), 14);
}

#[test]
fn one_can_go_back_once() {
    let shop = Shop::new();
    let file = shop.file("a.jsonl", line("one", "castle"));
    shop.index(std::slice::from_ref(&file), false);
    shop.file("a.jsonl", line("one", "tower"));
    shop.index(std::slice::from_ref(&file), false);
    assert_eq!(shop.library().rollback().unwrap(), 1);
    assert_eq!(shop.document("one").unwrap().text, "castle");
    assert!(matches!(shop.library().rollback(), Err(Error::NoEarlier(1))));
    // The next build goes on from there, under a number that was never used.
    assert_eq!(shop.index(std::slice::from_ref(&file), false).number, 3);
    assert_eq!(shop.document("one").unwrap().text, "tower");
}

#[test]
fn old_generations_are_pruned_but_for_one() {
    let shop = Shop::new();
    for number in 0..5 {
        let file = shop.file("a.jsonl", line("one", &format!("castle {number}")));
        shop.index(&[file], false);
    }
    assert_eq!(shop.library().generations().unwrap(), [4, 5]);
}

#[test]
fn what_a_killed_build_left_is_swept_away() {
    let shop = Shop::new();
    let file = shop.file("a.jsonl", line("one", "castle"));
    shop.index(std::slice::from_ref(&file), false);
    let torn = shop.path().join("index/building-000002");
    fs::create_dir(&torn).unwrap();
    fs::write(torn.join("documents.tmp"), "torn").unwrap();
    assert!(shop.document("one").is_some());
    shop.file("a.jsonl", line("one", "tower"));
    shop.index(&[file], false);
    assert!(!torn.exists());
    assert_eq!(shop.document("one").unwrap().text, "tower");
}

#[test]
fn damage_is_found() {
    for name in ["space.bin", "facts.bin", "pages.bin", "pages.tab"] {
        let shop = Shop::new();
        let file = shop.file("a.jsonl", line("one", "castle") + &line("two", "mill"));
        shop.index(&[file], false);
        let shard = shop.path().join("index/generation-000001/shard-000001-0").join(name);
        let mut bytes = fs::read(&shard).unwrap();
        let middle = bytes.len() / 2;
        bytes[middle] ^= 0x55;
        fs::write(&shard, bytes).unwrap();
        let opened = shop.library().open(world::gazetteer());
        let outcome = opened.and_then(|it| it.verify(world::gazetteer(), &mut |_| {}));
        assert!(matches!(outcome, Err(Error::Damaged(..))), "{name}: {outcome:?}");
    }
}

#[test]
fn a_damaged_index_can_be_built_over_and_gone_back_from() {
    let shop = Shop::new();
    let file = shop.file("a.jsonl", line("one", "castle"));
    shop.index(std::slice::from_ref(&file), false);
    shop.file("a.jsonl", line("one", "tower"));
    shop.index(std::slice::from_ref(&file), false);
    let shard = shop.path().join("index/generation-000002/shard-000002-0");
    fs::write(shard.join("meta.json"), "").unwrap();
    assert!(shop.library().open(world::gazetteer()).is_err());
    assert!(shop.try_index(&[], false).is_err());
    assert_eq!(shop.index(&[], true).number, 3);
    fs::write(shop.path().join("index/current"), "nonsense").unwrap();
    assert_eq!(shop.library().rollback().unwrap(), 3);
}

#[test]
fn a_directory_is_looked_into_again() {
    let shop = Shop::new();
    let inbox = shop.path().join("inbox");
    fs::create_dir(&inbox).unwrap();
    shop.file("inbox/a.jsonl", line("one", "castle"));
    shop.index(std::slice::from_ref(&inbox), false);
    shop.file("inbox/b.jsonl", line("two", "mill"));
    assert_eq!(shop.index(&[], false).taken, 1);
    // What is gone stays in the index, and is told.
    fs::remove_file(inbox.join("a.jsonl")).unwrap();
    assert_eq!(shop.index(&[], false).documents, 2);
}

#[test]
fn an_empty_index_never_replaces_a_good_one() {
    let shop = Shop::new();
    let file = shop.file("a.jsonl", line("one", "castle"));
    shop.index(&[file], false);
    for (name, bytes) in
        [("b.jsonl", &b""[..]), ("c.jsonl", b"nonsense"), ("d.warc", b"\x00\x01\x02")]
    {
        let empty = shop.file(name, bytes);
        assert!(matches!(shop.try_index(&[empty], true), Err(Error::NoDocuments(_))), "{name}");
    }
    assert!(shop.document("one").is_some());
}

#[test]
fn broken_lines_are_told_and_the_others_indexed() {
    let shop = Shop::new();
    let lines = format!(
        "\u{feff}{}{{\"text\":\"no id\"}}\n[1,2]\nnot json\n{{\"id\":\"p\",\"text\":\"t\",\"points\":[[999,0]]}}\n\
         {{\"id\":\"q\",\"text\":\"t\",\"published\":\"soon\"}}\n{{\"id\":\"r\",\"text\":\"  \"}}\n{}",
        line("one", "castle"),
        line("two", "mill")
    );
    let file = shop.file("a.jsonl", lines);
    let report = shop.index(&[file], false);
    assert_eq!(report.taken, 2);
    assert_eq!(report.skipped.get(&Skip::Broken), Some(&5));
    assert_eq!(report.skipped.get(&Skip::Empty), Some(&1));
    assert_eq!(report.complaints.len(), 5);
    assert!(report.complaints[0].contains("line 2"), "{}", report.complaints[0]);
}

#[test]
fn lines_state_what_they_know_in_many_ways() {
    let shop = Shop::new();
    let lines = [
        r#"{"id":1,"text":"a","points":[24.94,60.17],"published":"2024-05","lang":"en-GB"}"#,
        r#"{"id":"2","text":"b","points":[{"lat":60.17,"lon":24.94}],"published":1704067200000}"#,
        r#"{"url":"https://example.org/c","body":"c","address":"Mannerheimintie 2, Helsinki"}"#,
        r#"{"id":"4","text":"d","place":["Helsinki","Tampere"],"topic":"Food","published":"9999-12-31"}"#,
        r#"{"id":"5","text":"Ein altes Haus in Oldenburg (Oldb), Niedersachsen, ist zu verkaufen, und die Stadt ist schön."}"#,
    ];
    let file = shop.file("a.jsonl", lines.join("\n"));
    assert_eq!(shop.index(&[file], false).taken, 5);
    let one = shop.document("1").unwrap();
    assert_eq!((one.language.as_str(), one.published), ("en", Some(1_714_521_600)));
    assert_eq!(shop.document("2").unwrap().published, Some(1_704_067_200));
    let generation = shop.open();
    let helsinki = world::gazetteer().geocode("Helsinki", None, 1)[0].place.id();
    assert_eq!(generation.count_within(helsinki).unwrap(), 4);
    assert_eq!(shop.document("4").unwrap().topics, ["Food"]);
    let german = shop.document("5").unwrap();
    assert_eq!(german.language, "de");
    assert!(!german.marks.is_empty() && german.focus.is_some());
}

#[test]
fn topics_are_counted_and_told_as_they_were_written() {
    let shop = Shop::new();
    let line = |id: u8, topic: &str| format!(r#"{{"id":{id},"text":"a","topic":"{topic}"}}"#);
    let lines = [line(1, "Überfahrt"), line(2, "Food"), line(3, "food"), line(4, "Old News")];
    let file = shop.file("a.jsonl", lines.join("\n"));
    shop.index(&[file], false);
    let again = shop.file("b.jsonl", line(4, "Food"));
    shop.index(&[again], false);
    let generation = shop.open();
    let topics = generation.topics().unwrap();
    let told: Vec<(String, u64)> =
        topics.iter().map(|it| (generation.topic_as_written(it), it.documents)).collect();
    assert_eq!(told, [("Food".to_owned(), 3), ("Überfahrt".to_owned(), 1)]);
}

#[test]
fn pages_of_an_archive_become_documents() {
    let shop = Shop::new();
    let page = |title: &str, body: &str| {
        format!(
            "<html lang=en><title>{title}</title><body><h1>{title}</h1><p>{body}</p></body></html>"
        )
    };
    let harbour = page(
        "The harbour",
        "Ships leave Helsinki, Finland, for Tallinn every day from the old quay.",
    );
    let list = page(
        "Sights",
        "<a href=\"https://example.org/harbour\">old ferry quay</a> is one of them in Helsinki.",
    );
    let hidden =
        "<html><head><meta name=robots content=noindex></head><body>Secret Helsinki</body></html>"
            .to_owned();
    let archive = record("https://example.org/harbour", "200 OK", &harbour, "2024-01-01T00:00:00Z")
        + &record("https://example.org/list", "200 OK", &list, "2024-01-02T00:00:00Z")
        + &record("https://example.org/gone", "404 Not Found", &list, "2024-01-02T00:00:00Z")
        + &record("https://example.org/hidden", "200 OK", &hidden, "2024-01-02T00:00:00Z")
        + &record("https://example.org/list", "200 OK", &harbour, "2023-01-02T00:00:00Z");
    let file = shop.file("a.warc", archive);
    let report = shop.index(&[file], false);
    assert_eq!(report.taken, 2);
    assert_eq!(report.skipped.get(&Skip::Status), Some(&1));
    assert_eq!(report.skipped.get(&Skip::NoIndex), Some(&1));
    assert_eq!(report.skipped.get(&Skip::Superseded), Some(&1));
    let generation = shop.open();
    // What a link says is a name of its target.
    let mut found = generation.shards[0].words(Part::Strong, &["ferry".to_owned()]).unwrap();
    let document = generation.shards[0].document(found.seek(0)).unwrap();
    assert_eq!(document.url, "https://example.org/harbour");
    let marked: Vec<&str> = document
        .marks
        .iter()
        .map(|it| &document.text[it.start as usize..it.end as usize])
        .collect();
    assert!(marked.contains(&"Helsinki") && marked.contains(&"Tallinn"), "{marked:?}");
}

#[test]
fn a_page_says_the_addresses_it_is_at_and_the_sections_it_is_in() {
    let shop = Shop::new();
    let page = "<html lang=en><head><title>The bakery</title><meta property=article:section content=Food>\
        <script type=\"application/ld+json\">{\"@type\":\"Bakery\",\"address\":{\"streetAddress\":\"4 Quay Lane\",\
        \"addressLocality\":\"Edinburgh\",\"addressCountry\":\"GB\"},\"geo\":{\"latitude\":55.95,\"longitude\":-3.2}}</script></head>\
        <body><p>Our second shop is at Mannerheimintie 2, 00100 Helsinki, Finland.</p></body></html>";
    let url = "https://example.org/bakery";
    let file = shop.file("a.warc", record(url, "200 OK", page, "2024-01-01T00:00:00Z"));
    shop.index(&[file], false);
    let document = shop.open().shards[0].document(0).unwrap();
    assert_eq!(document.topics, ["Food"]);
    let labels: Vec<String> =
        document.spots.iter().filter_map(|it| document.label(world::gazetteer(), it)).collect();
    for label in [
        "Mannerheimintie 2, Helsinki, Uusimaa, Finland",
        "4 Quay Lane, Edinburgh, Scotland, United Kingdom",
    ] {
        assert!(labels.iter().any(|it| it == label), "{labels:?}");
    }
}

#[test]
fn an_older_copy_does_not_replace_a_newer_one() {
    let shop = Shop::new();
    let (new, old) = ("<title>New</title>Helsinki castle", "<title>Old</title>Helsinki castle");
    let newer =
        shop.file("a.warc", record("https://example.org/", "200 OK", new, "2024-09-01T00:00:00Z"));
    let older =
        shop.file("b.warc", record("https://example.org/", "200 OK", old, "2023-09-01T00:00:00Z"));
    shop.index(&[newer], false);
    shop.index(&[older], false);
    let generation = shop.open();
    assert_eq!(generation.manifest.documents(), 1);
    let shard = &generation.shards[0];
    let alive = (0..shard.documents()).find(|it| !shard.dead.has(*it)).unwrap();
    assert_eq!(shard.document(alive).unwrap().title, "New");
}

#[test]
fn a_copy_that_comes_later_joins_its_group() {
    let shop = Shop::new();
    let text = "The old harbour of the town was built by monks who sold salt and herring to the cities of the north \
        and kept a tower with a light for the ships that came at night from the islands";
    for id in ["a", "b", "c"] {
        let line = format!("{{\"id\":\"{id}\",\"text\":\"{text}\",\"place\":\"Helsinki\"}}\n");
        let file = shop.file(&format!("{id}.jsonl"), line);
        shop.index(&[file], false);
    }
    let generation = shop.open();
    let mut groups = Vec::new();
    for shard in &generation.shards {
        let alive = (0..shard.documents()).filter(|it| !shard.dead.has(*it));
        groups.extend(alive.map(|it| shard.facts.group(it).map(|group| group.0)));
    }
    assert_eq!(groups.len(), 3);
    assert!(groups[0].is_some() && groups.iter().all(|it| *it == groups[0]), "{groups:?}");
}

#[test]
fn only_one_may_write_at_a_time() {
    let shop = Shop::new();
    let file = shop.file("a.jsonl", line("one", "castle"));
    shop.index(std::slice::from_ref(&file), false);
    let lock = fs::File::create(shop.path().join("index/lock")).unwrap();
    lock.lock().unwrap();
    assert!(matches!(shop.try_index(&[file], false), Err(Error::Busy(_))));
}

#[test]
fn without_an_index_one_is_told_so() {
    let shop = Shop::new();
    assert!(matches!(shop.library().open(world::gazetteer()), Err(Error::NoIndex(_))));
    assert!(matches!(shop.try_index(&[], false), Err(Error::NoSources)));
    assert!(matches!(
        shop.try_index(&[shop.path().join("nowhere")], false),
        Err(Error::Source { .. })
    ));
}

fn record(url: &str, status: &str, body: &str, date: &str) -> String {
    let http = format!("HTTP/1.1 {status}\r\nContent-Type: text/html; charset=utf-8\r\n\r\n{body}");
    format!(
        "WARC/1.1\r\nWARC-Type: response\r\nWARC-Target-URI: {url}\r\nWARC-Date: {date}\r\n\
         Content-Type: application/http; msgtype=response\r\nContent-Length: {}\r\n\r\n{http}\r\n\r\n",
        http.len()
    )
}
