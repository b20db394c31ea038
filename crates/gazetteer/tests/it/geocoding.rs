//! Free text to places, in a small world.

use gazetteer::{Fact, Gazetteer, HouseFact, Kind, NameClass, PlaceFact, Precision};

use crate::{built, place, populated};

fn small_world() -> Gazetteer {
    let mut germany = PlaceFact::new("de", Kind::Country, "Germany").at(51.0, 10.0).within("world");
    germany.also(NameClass::Short, "DE");
    germany.also(NameClass::Alternate, "Deutschland");
    let mut texas = PlaceFact::new("tx", Kind::Region, "Texas").at(31.0, -99.0).within("us");
    texas.also(NameClass::Short, "TX");
    let mut airport =
        PlaceFact::new("eddw", Kind::Airport, "Bremen Airport").at(53.05, 8.79).within("hb");
    airport.also(NameClass::Short, "BRE");
    let house = |number: &str, lat: f64| HouseFact {
        street: "lange".into(),
        number: number.into(),
        point: earth::Point::new(lat, 8.21),
        postcode: "26122".into(),
    };
    built([
        Fact::Place(germany),
        place("us", Kind::Country, "United States", (39.0, -98.0), "world"),
        Fact::Place(texas),
        place("fr", Kind::Country, "France", (46.0, 2.0), "world"),
        populated("paris", "Paris", (48.85, 2.35), "fr", 2_100_000, &["Parigi", "巴黎"]),
        populated("paris-tx", "Paris", (33.66, -95.55), "tx", 25_000, &[]),
        populated("ol", "Oldenburg", (53.14, 8.21), "de", 170_000, &["Oldenburg (Oldb)"]),
        populated("hb", "Bremen", (53.08, 8.81), "de", 570_000, &[]),
        Fact::Place(airport),
        place("zip", Kind::Postcode, "26122", (53.139, 8.212), "ol"),
        place("lange", Kind::Street, "Lange Straße", (53.14, 8.212), "ol"),
        place("osm:w9", Kind::Street, "Poststraße", (53.141, 8.215), "ol"),
        place("lange-hb", Kind::Street, "Lange Straße", (53.09, 8.80), "hb"),
        Fact::House(house("5", 53.1405)),
        Fact::House(house("9", 53.1409)),
    ])
}

#[track_caller]
fn check(query: &str, key: &str, precision: Precision) {
    let gazetteer = small_world();
    let found = gazetteer.geocode(query, None, 5);
    let first = found.first().unwrap_or_else(|| panic!("nothing was found for {query}"));
    assert_eq!((first.place.key(), first.precision), (key, precision), "{query}");
}

#[test]
fn a_name_is_found_however_it_is_written() {
    for name in ["Paris", "PARIS", "paris", "parigi", "巴黎"] {
        check(name, "paris", Precision::City);
    }
}

#[test]
fn what_follows_a_name_says_which_one() {
    check("Paris, Texas", "paris-tx", Precision::City);
    check("paris tx", "paris-tx", Precision::City);
    check("Paris France", "paris", Precision::City);
}

#[test]
fn a_key_is_the_place_that_has_it_and_nothing_else() {
    check("osm:w9", "osm:w9", Precision::Street);
    check(" osm:w9 ", "osm:w9", Precision::Street);
    assert_eq!(small_world().geocode("osm:w9", None, 5).len(), 1);
}

#[test]
fn both_of_one_name_are_shown() {
    let gazetteer = small_world();
    let keys: Vec<_> =
        gazetteer.geocode("Paris", None, 5).iter().map(|it| it.place.key().to_owned()).collect();
    assert_eq!(keys, ["paris", "paris-tx"]);
}

#[test]
fn a_focus_brings_the_near_one_first() {
    let gazetteer = small_world();
    let dallas = earth::Point::new(33.5, -95.9);
    assert_eq!(gazetteer.geocode("Paris", Some(dallas), 1)[0].place.key(), "paris-tx");
}

#[test]
fn an_address_leads_to_the_house() {
    check("Lange Straße 5, 26122 Oldenburg", "lange", Precision::House);
    check("Lange Str. 5 Oldenburg", "lange", Precision::House);
    check("5 lange strasse, oldenburg, germany", "lange", Precision::House);
}

#[test]
fn an_unknown_number_falls_back_to_the_street_and_says_so() {
    let gazetteer = small_world();
    let found = gazetteer.geocode("Lange Straße 7, Oldenburg", None, 1);
    assert_eq!(found[0].precision, Precision::Street);
    assert_eq!(found[0].notes, ["number 7 is not known in Lange Straße: this is the street"]);
    // Between 5 and 9, on the same side of the street.
    assert!((found[0].point.lat - 53.1407).abs() < 1e-6);
}

#[test]
fn an_unknown_street_falls_back_to_the_postcode_and_says_so() {
    let gazetteer = small_world();
    let found = gazetteer.geocode("Kurwickstraße 5, 26122 Oldenburg", None, 1);
    assert_eq!((found[0].place.key(), found[0].precision), ("zip", Precision::Postcode));
    assert_eq!(found[0].notes, ["not found there: Kurwickstraße 5"]);
}

#[test]
fn an_unknown_postcode_falls_back_to_the_city_and_says_so() {
    let gazetteer = small_world();
    let found = gazetteer.geocode("Kurwickstraße 5, 26999 Oldenburg", None, 1);
    assert_eq!((found[0].place.key(), found[0].precision), ("ol", Precision::City));
    assert_eq!(found[0].notes, ["not found there: Kurwickstraße 5 26999"]);
}

#[test]
fn a_word_for_airport_asks_for_the_airport() {
    check("Bremen Airport", "eddw", Precision::Spot);
    check("Flughafen Bremen", "eddw", Precision::Spot);
    check("BRE", "eddw", Precision::Spot);
    check("Bremen", "hb", Precision::City);
}

#[test]
fn a_typing_error_is_forgiven_and_told() {
    let gazetteer = small_world();
    let found = gazetteer.geocode("Oldenbrug", None, 1);
    assert_eq!(found[0].place.key(), "ol");
    assert_eq!(found[0].notes, ["read as \"oldenburg\""]);
}

#[test]
fn a_position_is_a_position_however_it_is_written() {
    for text in ["53.14, 8.21", "53°8'24\"N 8°12'36\"E", "geo:53.14,8.21", "9F5C46R6+22"] {
        let gazetteer = small_world();
        let found = gazetteer.geocode(text, None, 5);
        assert_eq!(found.len(), 1, "{text}");
        assert_eq!(found[0].precision, Precision::Coordinate);
        assert!(
            found[0].point.distance(earth::Point::new(53.14, 8.21)).0 < 50.0,
            "{text}: {}",
            found[0].point
        );
    }
}

#[test]
fn a_short_plus_code_needs_its_place() {
    let gazetteer = small_world();
    let found = gazetteer.geocode("46R6+22 Oldenburg", None, 1);
    assert_eq!(found[0].precision, Precision::Coordinate);
    assert!(found[0].point.distance(earth::Point::new(53.14, 8.21)).0 < 50.0);
}

#[test]
fn nonsense_finds_nothing() {
    let gazetteer = small_world();
    for text in ["", "   ", "???", "xqzzvw", "\u{0}"] {
        assert!(gazetteer.geocode(text, None, 5).is_empty(), "{text:?}");
    }
}
