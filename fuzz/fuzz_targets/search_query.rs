//! Any text can be asked of the search, and what is understood reads what it writes.

#![no_main]

use std::sync::LazyLock;

use gazetteer::{Draft, Fact, Gazetteer, Kind, PlaceFact};
use libfuzzer_sys::fuzz_target;
use query::{Asked, Parser};

static GAZETTEER: LazyLock<Gazetteer> = LazyLock::new(|| {
    let mut draft = Draft::new();
    for (key, name, lat) in [("x:a", "Oldenburg", 53.1), ("x:b", "New York", 40.7), ("x:c", "Helsinki", 60.2)] {
        let mut city = PlaceFact::new(key, Kind::City, name).at(lat, 8.2).within("world");
        city.population = 1_000_000;
        draft.add(Fact::Place(city));
    }
    let mut file = Vec::new();
    draft.finish(&mut file).expect("the facts are good");
    Gazetteer::from_bytes("small", file).expect("it was just written")
});
static PARSER: LazyLock<Parser<'static>> = LazyLock::new(|| Parser::new(&GAZETTEER));

fuzz_target!(|text: &str| {
    let today = jiff::civil::date(2024, 5, 1);
    let understood = PARSER.understand(&Asked::new(text, today));
    let written = understood.query.to_string();
    let again = PARSER.understand(&Asked::new(&written, today));
    assert_eq!(again.query.to_string(), written);
});
