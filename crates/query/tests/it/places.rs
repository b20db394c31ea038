//! Places that are no names: addresses, coordinates, codes, keys, the user's position.

use earth::Point;
use gazetteer::Precision;
use query::{Asked, NoteKind, Spot};

use crate::{PARSER, asked, in_short, labels, understand};

#[track_caller]
fn check(text: &str, expected: &str) {
    assert_eq!(in_short(&understand(text).query), expected, "{text}");
}

#[track_caller]
fn check_point(text: &str, lat: f64, lon: f64) {
    let space = understand(text).query.space.expect("it has a place");
    let Spot::Point(point) = space.anchors[0].at else { panic!("{text}: {space:?}") };
    assert!((point.lat - lat).abs() < 0.001 && (point.lon - lon).abs() < 0.001, "{text}: {point}");
}

#[test]
fn coordinates_are_read_in_many_ways() {
    check_point("hotels near 53.14,8.21", 53.14, 8.21);
    check_point("53.14, 8.21", 53.14, 8.21);
    check_point("hotels 53.14, 8.21", 53.14, 8.21);
    check_point("hotels near -33.87 151.21", -33.87, 151.21);
    check_point("hotels near 53°08'N 8°13'E", 53.1333, 8.2167);
    check_point("hotels near 53° 8' 24.5\" N, 8° 13' 0\" E", 53.1401, 8.2167);
    check_point("museums near geo:60.17,24.94", 60.17, 24.94);
    check_point("museums near 9F4M9V4H+2Q", 52.355, 13.879);
}

#[test]
fn numbers_are_no_coordinates_without_a_sign_of_it() {
    check("price 12.50 13.20", "price 12.50 13.20 |  | ");
    check("top 10 songs 2024", "top 10 songs 2024 |  | ");
}

#[test]
fn what_is_in_a_point_is_near_it() {
    check(
        "hotels in 53.14,8.21",
        "hotels | near | 53.14, 8.21 (near Oldenburg, Lower Saxony, Germany)",
    );
}

#[test]
fn a_key_names_its_place() {
    check("museums in gn:658225", "museums | in | Helsinki, Uusimaa, Finland");
    check("museums in gn:999999999999", "museums in gn:999999999999 |  | ");
}

#[track_caller]
fn check_address(text: &str, label: &str, precision: Precision) {
    let space = understand(text).query.space.expect("it has a place");
    let Spot::Address { label: found, precision: exact, .. } = &space.anchors[0].at else {
        panic!("{space:?}")
    };
    assert_eq!((found.as_str(), *exact), (label, precision), "{text}");
}

#[test]
fn a_house_is_found_where_the_gazetteer_has_houses() {
    let label = "Mannerheimintie 2, Helsinki, Uusimaa, Finland";
    check_address("restaurants near Mannerheimintie 2, Helsinki", label, Precision::House);
    check_address("Mannerheimintie 2, Helsinki", label, Precision::House);
    check_address("Mannerheimintie 2", label, Precision::House);
}

#[test]
fn what_stands_before_a_relation_is_no_part_of_an_address() {
    check(
        "rod near Vilhonkatu 4, Helsinki",
        "rod | near | Vilhonkatu 4, Helsinki, Uusimaa, Finland",
    );
    check(
        "rod near Eteläranta 20, Helsinki",
        "rod | near | Eteläranta 20, Helsinki, Uusimaa, Finland",
    );
}

#[test]
fn elsewhere_an_address_leads_to_its_town_and_says_so() {
    let text = "hotels near Hauptstr. 5, 26122 Oldenburg";
    check_address(text, "Oldenburg, Lower Saxony, Germany", Precision::City);
    assert!(understand(text).notes.iter().any(|it| it.kind == NoteKind::Inexact));
}

#[test]
fn a_postcode_stands_beside_its_town() {
    check("hotels 75001 Paris", "hotels | in | 75001, Paris, Île-de-France, France");
    check("10115 Berlin", " | in | 10115, Berlin, State of Berlin, Germany");
}

#[test]
fn near_me_needs_a_position() {
    let phrases = [
        "pizza near me",
        "pizza in meiner Nähe",
        "pizza près de moi",
        "pizza cerca de mí",
        "pizza vicino a me",
        "pizza bij mij in de buurt",
        "pizza perto de mim",
        "pizza lähellä minua",
        "pizza nära mig",
    ];
    for text in phrases {
        let position = Some(Point::new(60.17, 24.94));
        let known = PARSER.understand(&Asked { position, ..asked(text) });
        assert_eq!(in_short(&known.query), "pizza | near | your position", "{text}");
        let unknown = understand(text);
        assert_eq!(in_short(&unknown.query), "pizza |  | ", "{text}");
        assert!(unknown.notes.iter().any(|it| it.kind == NoteKind::Position), "{text}");
    }
}

#[test]
fn a_sight_and_a_piece_of_nature_are_places() {
    assert_eq!(
        labels(&understand("hotels near Eiffel Tower").query),
        "Eiffel Tower, Paris, Île-de-France, France"
    );
    assert_eq!(labels(&understand("camping near Lake Geneva").query), "Lake Geneva");
}
