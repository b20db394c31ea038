//! Which pages come first, on webs of a few pages.

use std::path::Path;

use index::{Library, Order};
use jiff::civil::date;
use query::{Asked, Parser};
use search::{Engine, Options};

/// The URLs of the hits for a query, over a file of pages or documents.
fn found(directory: &Path, file: &str, content: &str, asked: &str) -> Vec<String> {
    let gazetteer = world::gazetteer();
    let path = directory.join(file);
    std::fs::write(&path, content).unwrap();
    let library = Library::at(directory.join("index"));
    let order = Order { sources: vec![path], ..Order::default() };
    library.index(gazetteer, &order, &mut |_| {}).unwrap();
    let generation = library.open(gazetteer).unwrap();
    let query = Parser::new(gazetteer).understand(&Asked::new(asked, date(2024, 5, 1))).query;
    let answer = Engine::new(&generation, gazetteer).answer(&query, &Options::default()).unwrap();
    answer.hits.into_iter().map(|it| it.url).collect()
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
