//! Any text can be searched for addresses and places, and what is found lies in it.

#![no_main]

use std::sync::LazyLock;

use gazetteer::{Draft, Fact, Gazetteer, Kind, PlaceFact};
use geoparse::{Geoparser, Hints};
use libfuzzer_sys::fuzz_target;

static GAZETTEER: LazyLock<Gazetteer> = LazyLock::new(|| {
    let mut draft = Draft::new();
    let mut add = |key: &str, kind, name: &str, lat, lon, parent: &str| {
        draft.add(Fact::Place(PlaceFact::new(key, kind, name).at(lat, lon).within(parent)));
    };
    add("de", Kind::Country, "Germany", 51.0, 10.0, "world");
    add("ol", Kind::City, "Oldenburg", 53.14, 8.21, "de");
    add("us", Kind::Country, "United States", 39.8, -98.6, "world");
    add("tx", Kind::Region, "Texas", 31.2, -99.2, "us");
    add("pa", Kind::City, "Paris", 33.66, -95.55, "tx");
    let mut file = Vec::new();
    draft.finish(&mut file).expect("the facts are good");
    Gazetteer::from_bytes("small", file).expect("it was just written")
});

fuzz_target!(|text: &str| {
    let geoparser = Geoparser::new(&GAZETTEER);
    for address in geoparser.addresses().find(text, &Hints::default()) {
        assert!(text.get(address.span).is_some());
    }
    geoparser.addresses().parse(text, &Hints::default());
    for mention in geoparser.mentions(text, &Hints::default()) {
        assert!(text.get(mention.span).is_some());
    }
});
