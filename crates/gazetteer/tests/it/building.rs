//! What a draft makes of facts that leave something open.

use gazetteer::{Fact, HouseFact, Kind, NameClass, PlaceFact, ShapeFact};
use geo::{MultiPolygon, polygon};

use crate::{built, built_and_settled, place, populated};

fn square(west: f64, south: f64, size: f64) -> MultiPolygon<f64> {
    let (east, north) = (west + size, south + size);
    MultiPolygon(vec![
        polygon![(x: west, y: south), (x: east, y: south), (x: east, y: north), (x: west, y: north)],
    ])
}

fn shape(key: &str, outline: MultiPolygon<f64>) -> Fact {
    Fact::Shape(ShapeFact { place: key.into(), outline })
}

#[test]
fn a_second_fact_fills_what_the_first_left_empty() {
    let mut more = PlaceFact::new("x", Kind::City, "");
    more.population = 500;
    more.also(NameClass::Alternate, "Uleåborg");
    let gazetteer =
        built([place("x", Kind::City, "Oulu", (65.0, 25.5), "world"), Fact::Place(more)]);
    let oulu = gazetteer.by_key("x").unwrap();
    assert_eq!((oulu.name(), oulu.population()), ("Oulu", 500));
    assert_eq!(gazetteer.named("uleaborg").next().unwrap().0.id(), oulu.id());
}

#[test]
fn a_point_replaces_the_earlier_one_if_it_comes_without_a_name() {
    let named = || place("x", Kind::City, "Oulu", (66.0, 26.5), "world");
    let (moved, other) = (
        PlaceFact::new("x", Kind::City, "").at(65.0, 25.5),
        place("x", Kind::City, "Ule", (1.0, 1.0), "world"),
    );
    let lat = |facts: [Fact; 2]| built(facts).by_key("x").unwrap().point().lat.round() as i32;
    assert_eq!(lat([named(), Fact::Place(moved)]), 65);
    assert_eq!(lat([named(), other]), 66);
}

#[test]
fn a_tag_lifts_what_nobody_lives_in_above_a_hamlet() {
    let mut ocean = PlaceFact::new("o", Kind::Feature, "Pacific").at(0.0, -150.0).within("world");
    ocean.tags.push(("importance".into(), "0.9".into()));
    let mut hamlet = PlaceFact::new("h", Kind::City, "Pacific").at(38.5, -90.7).within("world");
    hamlet.population = 7000;
    let gazetteer = built([Fact::Place(hamlet), Fact::Place(ocean)]);
    assert_eq!(gazetteer.geocode("Pacific", None, 1)[0].place.key(), "o");
}

#[test]
fn facts_come_in_any_order() {
    let gazetteer = built([
        place("city", Kind::City, "Bremen", (53.1, 8.8), "country"),
        place("country", Kind::Country, "Germany", (51.0, 10.0), "world"),
    ]);
    assert_eq!(gazetteer.by_key("city").unwrap().label(), "Bremen, Germany");
}

#[test]
fn a_place_without_a_parent_is_put_into_the_outline_around_it() {
    let (gazetteer, settled) = built_and_settled([
        place("c", Kind::Country, "Squareland", (5.0, 5.0), "world"),
        shape("c", square(0.0, 0.0, 10.0)),
        place("t", Kind::City, "Inside", (3.0, 3.0), ""),
    ]);
    assert_eq!(gazetteer.by_key("t").unwrap().parent().unwrap().name(), "Squareland");
    assert_eq!(settled.placed_by_position, 1);
}

#[test]
fn a_street_without_a_parent_is_put_into_the_nearest_city() {
    let gazetteer = built([
        populated("a", "Near", (50.0, 8.0), "world", 100, &[]),
        populated("b", "Far", (50.1, 8.1), "world", 1_000_000, &[]),
        place("s", Kind::Street, "Ring", (50.01, 8.01), ""),
    ]);
    assert_eq!(gazetteer.by_key("s").unwrap().parent().unwrap().name(), "Near");
}

#[test]
fn a_code_path_finds_the_division_or_the_next_wider_one() {
    let mut region =
        PlaceFact::new("r", Kind::Region, "Lower Saxony").at(52.0, 9.0).within("world");
    region.tags.push(("adm".into(), "DE.06".into()));
    let gazetteer = built([
        Fact::Place(region),
        place("c", Kind::City, "Oldenburg", (53.1, 8.2), "adm:DE.06.03403"),
    ]);
    assert_eq!(gazetteer.by_key("c").unwrap().parent().unwrap().key(), "r");
}

#[test]
fn a_division_has_the_middle_and_the_people_of_its_cities() {
    let gazetteer = built([
        Fact::Place(PlaceFact::new("r", Kind::Region, "Twins").within("world")),
        populated("a", "East", (0.0, -178.0), "r", 300, &[]),
        populated("b", "West", (0.0, 176.0), "r", 400, &[]),
    ]);
    let region = gazetteer.by_key("r").unwrap();
    assert_eq!((region.point().to_string().as_str(), region.population()), ("0, 179", 700));
}

#[test]
fn places_that_are_part_of_themselves_go_under_the_world() {
    let (gazetteer, settled) = built_and_settled([
        place("a", Kind::City, "Ouro", (1.0, 1.0), "b"),
        place("b", Kind::City, "Boros", (2.0, 2.0), "a"),
    ]);
    assert_eq!(settled.cycles.len(), 1);
    assert_eq!(
        gazetteer.lineage(gazetteer.by_key("b").unwrap().id()).last().unwrap().name(),
        "World"
    );
}

#[test]
fn what_has_no_position_is_left_out_and_told() {
    let (gazetteer, settled) =
        built_and_settled([Fact::Place(PlaceFact::new("x", Kind::City, "Nowhere"))]);
    assert!(gazetteer.by_key("x").is_none());
    assert_eq!(settled.left_out, ["x"]);
}

#[test]
fn an_outline_of_nobody_is_told() {
    let (_, settled) = built_and_settled([shape("nobody", square(0.0, 0.0, 1.0))]);
    assert_eq!(settled.orphans, 1);
}

#[test]
fn houses_stand_in_their_street_by_number() {
    let house = |number: &str, lat: f64| {
        Fact::House(HouseFact {
            street: "s".into(),
            number: number.into(),
            point: earth::Point::new(lat, 8.0),
            postcode: "26122".into(),
        })
    };
    let gazetteer = built([
        place("s", Kind::Street, "Lange Straße", (53.0, 8.0), "world"),
        house("10", 53.3),
        house("2b", 53.2),
        house("1", 53.1),
    ]);
    let street = gazetteer.by_key("s").unwrap();
    let numbers: Vec<_> = gazetteer.houses(street.id()).map(|house| house.number).collect();
    assert_eq!(numbers, ["1", "2b", "10"]);
}
