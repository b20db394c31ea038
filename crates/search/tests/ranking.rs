//! Which pages come first, on webs of a few pages.

#![allow(clippy::unwrap_used, reason = "helpers of tests may panic as tests do")]

use std::path::Path;

use earth::Meters;
use index::{Address, Generation, Library, Order};
use jiff::civil::date;
use query::{Asked, Parser};
use search::{Engine, Options};

/// An index of a file of pages or documents.
fn indexed(directory: &Path, file: &str, content: &str) -> Generation {
    let path = directory.join(file);
    std::fs::write(&path, content).unwrap();
    let library = Library::at(directory.join("index"));
    let order = Order { sources: vec![path], ..Order::default() };
    library.index(world::gazetteer(), &order, &mut |_| {}).unwrap();
    library.open(world::gazetteer()).unwrap()
}

/// The URLs of the hits for a query, over a file of pages or documents.
fn found(directory: &Path, file: &str, content: &str, asked: &str) -> Vec<String> {
    let gazetteer = world::gazetteer();
    let generation = indexed(directory, file, content);
    let query = Parser::new(gazetteer).understand(&Asked::new(asked, date(2024, 5, 1))).query;
    let answer = Engine::new(&generation, gazetteer).answer(&query, &Options::default()).unwrap();
    answer.hits.into_iter().map(|it| it.url).collect()
}

/// A page in an archive.
fn record(url: &str, body: &str) -> String {
    let http = format!(
        "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<html><body>{body}</body></html>"
    );
    format!(
        "WARC/1.0\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:{url}>\r\nWARC-Target-URI: {url}\r\n\
         WARC-Date: 2024-05-01T00:00:00Z\r\nContent-Type: application/http; msgtype=response\r\n\
         Content-Length: {}\r\n\r\n{http}\r\n\r\n",
        http.len()
    )
}

#[test]
fn a_direction_looks_out_of_a_place_however_much_there_is_in_it() {
    let directory = tempfile::tempdir().unwrap();
    let document = |url: &str, place: &str| {
        format!(
            "{{\"url\":\"{url}\",\"text\":\"an old mill\",\"language\":\"und\",\"place\":\"{place}\"}}\n"
        )
    };
    // A hundred mills in Bremen; Oldenburg lies 40 km west of it, Hamburg 95 km north-east.
    let mut lines: String =
        (0..100).map(|it| document(&format!("http://bremen.example/{it}"), "gn:2944388")).collect();
    lines += &document("http://oldenburg.example/", "gn:2857458");
    lines += &document("http://hamburg.example/", "gn:2911298");
    let found = |asked: &str| found(directory.path(), "documents.jsonl", &lines, asked);
    assert_eq!(found("mill west of Bremen"), ["http://oldenburg.example/"]);
    assert_eq!(found("mill north-east of Bremen"), ["http://hamburg.example/"]);
    assert!(found("mill south of Bremen").is_empty());
}

#[test]
fn the_nearest_first_is_the_order_of_the_distances_shown() {
    let directory = tempfile::tempdir().unwrap();
    // The address says most of where a page is; Delmenhorst, which it names, is nearer to Bremen.
    let pages = [
        record("http://plain.example/", "<h1>An old mill</h1><p>It stands in Oldenburg.</p>"),
        record(
            "http://address.example/",
            "<h1>An old mill</h1><p>Made in Delmenhorst.</p><p>Lange Straße 5, 26122 Oldenburg</p>",
        ),
    ];
    let gazetteer = world::gazetteer();
    let generation = indexed(directory.path(), "pages.warc", &pages.concat());
    let asked = Asked::new("mill within 100 km of Bremen sort:distance", date(2024, 5, 1));
    let query = Parser::new(gazetteer).understand(&asked).query;
    let answer = Engine::new(&generation, gazetteer).answer(&query, &Options::default()).unwrap();
    let places: Vec<_> = answer.hits.iter().map(|it| it.place.as_ref().unwrap()).collect();
    assert!(places[0].label.starts_with("Delmenhorst"), "{}", places[0].label);
    assert!(places[1].label.starts_with("Oldenburg"), "{}", places[1].label);
    assert!(places[0].way.unwrap().0 < places[1].way.unwrap().0);
}

#[test]
fn what_nobody_calls_near_is_found_and_told() {
    let directory = tempfile::tempdir().unwrap();
    let document = |url: &str, place: &str| {
        format!(
            "{{\"url\":\"{url}\",\"text\":\"an old mill\",\"language\":\"und\",\"place\":\"{place}\"}}\n"
        )
    };
    let mut lines = document("http://bremen.example/", "gn:2944388");
    lines += &document("http://oldenburg.example/", "gn:2857458");
    lines += &document("http://sydney.example/", "gn:2147714");
    let gazetteer = world::gazetteer();
    let generation = indexed(directory.path(), "documents.jsonl", &lines);
    let engine = Engine::new(&generation, gazetteer);
    let check = |asked: &str, far: &[&str], near: u64| {
        let query = Parser::new(gazetteer).understand(&Asked::new(asked, date(2024, 5, 1))).query;
        let answer = engine.answer(&query, &Options::default()).unwrap();
        let found: Vec<_> =
            answer.hits.iter().filter(|it| it.is_far).map(|it| it.url.as_str()).collect();
        assert_eq!(found, far, "{asked}");
        assert_eq!(answer.total_near.unwrap_or(answer.total.unwrap()), near, "{asked}");
        assert_eq!(answer.total.unwrap(), near + far.len() as u64, "{asked}");
    };
    check("mill near Bremen", &["http://sydney.example/"], 2);
    check("mill outside Bremen", &["http://sydney.example/"], 1);
    check("mill near Australia", &["http://bremen.example/", "http://oldenburg.example/"], 1);
    check("mill in Bremen", &[], 1);
    check("mill", &[], 3);
}

#[test]
fn a_direction_begins_at_the_door_of_a_house_and_behind_the_edge_of_a_town() {
    let directory = tempfile::tempdir().unwrap();
    let document = |name: &str, north: f64| {
        format!(
            "{{\"url\":\"http://{name}.example/\",\"text\":\"an old mill\",\"language\":\"und\",\"points\":[[24.9415,{:.4}]]}}\n",
            60.1686 + north
        )
    };
    let lines = document("house", 0.002) + &document("town", 0.2);
    let found = |asked: &str| found(directory.path(), "documents.jsonl", &lines, asked);
    assert_eq!(found("mill north of Mannerheimintie 2, Helsinki")[0], "http://house.example/");
    assert_eq!(found("mill north of Helsinki"), ["http://town.example/"]);
}

#[test]
fn another_spelling_is_proposed_if_it_finds_something() {
    let directory = tempfile::tempdir().unwrap();
    let document = |name: &str, text: &str, place: &str| {
        format!(
            "{{\"url\":\"http://{name}.example/\",\"text\":\"{text}\",\"language\":\"und\",\"place\":\"{place}\"}}\n"
        )
    };
    let lines = document("bremen", "windmill", "gn:2944388")
        + &document("hamburg", "harbour", "gn:2911298");
    let gazetteer = world::gazetteer();
    let generation = indexed(directory.path(), "documents.jsonl", &lines);
    for (asked, proposals) in [("windmil in Bremen", 1), ("windmil in Hamburg", 0)] {
        let query = Parser::new(gazetteer).understand(&Asked::new(asked, date(2024, 5, 1))).query;
        let engine = Engine::new(&generation, gazetteer);
        let answer = engine.answer(&query, &Options::default()).unwrap();
        assert_eq!(answer.suggestions.len(), proposals, "{asked}: {:?}", answer.suggestions);
    }
}

#[test]
fn a_topic_is_found_by_its_name_or_by_words_of_it() {
    let directory = tempfile::tempdir().unwrap();
    let document = |topic: &str| {
        let url = topic.to_lowercase().replace(' ', "-");
        format!("{{\"url\":\"http://{url}.example/\",\"text\":\"a page\",\"topic\":\"{topic}\"}}\n")
    };
    let lines: String = ["Flood protection", "Food", "Food and drink"].map(document).concat();
    let found = |asked: &str| found(directory.path(), "documents.jsonl", &lines, asked);
    assert_eq!(found("inclass:flood"), ["http://flood-protection.example/"]);
    assert_eq!(found("inclass:\"protection flood\""), ["http://flood-protection.example/"]);
    // A topic of just that name is meant alone.
    assert_eq!(found("inclass:food"), ["http://food.example/"]);
    assert!(found("inclass:floo").is_empty());
}

#[test]
fn an_address_ties_a_page_more_to_a_place_than_a_name_and_a_link_to_another_site_ties_it_least() {
    let directory = tempfile::tempdir().unwrap();
    let text = "The mill was built by two brothers who had learnt their trade at sea. It grinds wheat and rye on the first \
        Sunday of every month, and whoever likes may watch the miller at work";
    let by_link = format!(
        "<p>{text}, as others do: <a href=\"http://elsewhere.example/\">the friends of mills in Oldenburg</a> have more.</p>"
    );
    let by_name = format!(
        "<p>{text}, as millers in Oldenburg always did, and the friends of mills have more.</p>"
    );
    let by_address = format!(
        "<p>{text}, and the friends of mills have more.</p><p>Lange Straße 5, 26122 Oldenburg</p>"
    );
    let pages = [
        record("http://link.example/", &by_link),
        record("http://name.example/", &by_name),
        record("http://address.example/", &by_address),
    ];
    assert_eq!(
        found(directory.path(), "pages.warc", &pages.concat(), "mill in Oldenburg"),
        ["http://address.example/", "http://name.example/", "http://link.example/"]
    );
}

#[test]
fn what_is_nearby_is_neither_at_the_same_point_nor_mentioned_in_passing() {
    let directory = tempfile::tempdir().unwrap();
    let document = |id: &str, points: &str| {
        format!(
            "{{\"id\":\"{id}\",\"url\":\"http://{id}.example/\",\"text\":\"an old mill\",\"language\":\"und\",\"points\":{points}}}\n"
        )
    };
    let mut lines = document("home", "[24.94, 60.17]");
    // More than are looked at first stand on the very point.
    lines +=
        &(0..60).map(|it| document(&format!("same{it}"), "[24.94, 60.17]")).collect::<String>();
    lines += &document("near", "[24.95, 60.17]");
    lines += &document("far", "[24.97, 60.17]");
    // Of ten cities that this page names, one is nearby.
    let cities = "Sydney, Melbourne, Brisbane, Perth, Adelaide, Hobart, Darwin, Canberra, Cairns and Helsinki";
    lines += &format!(
        "{{\"id\":\"passing\",\"url\":\"http://passing.example/\",\"text\":\"Mills in {cities}.\",\"language\":\"en\"}}\n"
    );
    let generation = indexed(directory.path(), "documents.jsonl", &lines);
    let engine = Engine::new(&generation, world::gazetteer());
    let home = generation.by_id("home").unwrap();
    let neighbours = engine.neighbours(home, Meters(10_000.0), 8).unwrap();
    let id = |it: &Address| generation.document(*it).unwrap().id;
    let nearby: Vec<String> = neighbours.nearby.iter().map(|it| id(&it.0)).collect();
    assert_eq!(nearby, ["near", "far"]);
    assert_eq!(neighbours.same_place.len(), 8);
    assert!(neighbours.same_place.iter().all(|it| id(it).starts_with("same")));
}
