//! Any text can be asked of the geocoder.

#![no_main]

use std::sync::LazyLock;

use gazetteer::{Draft, Fact, Gazetteer, Kind, PlaceFact};
use libfuzzer_sys::fuzz_target;

static GAZETTEER: LazyLock<Gazetteer> = LazyLock::new(|| {
    let mut draft = Draft::new();
    for (key, name, lat) in [("a", "Oldenburg", 53.1), ("b", "New York", 40.7), ("c", "Lange Straße", 53.2)] {
        draft.add(Fact::Place(PlaceFact::new(key, Kind::City, name).at(lat, 8.2).within("world")));
    }
    let mut file = Vec::new();
    draft.finish(&mut file).expect("the facts are good");
    Gazetteer::from_bytes("small", file).expect("it was just written")
});

fuzz_target!(|text: &str| {
    assert!(GAZETTEER.geocode(text, None, 5).len() <= 5);
    assert!(GAZETTEER.suggest(text, None, 5).len() <= 5);
});
