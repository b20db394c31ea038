//! Questions whose answers anybody can check on a map.

use gazetteer::{Kind, Place, Precision, Relation};

fn one(name: &str) -> Place<'static> {
    let found = world::gazetteer().geocode(name, None, 1);
    found.first().unwrap_or_else(|| panic!("nothing is known of {name}")).place
}

#[track_caller]
fn check(query: &str, label: &str, precision: Precision) {
    let found = world::gazetteer().geocode(query, None, 1);
    let first = found.first().unwrap_or_else(|| panic!("nothing was found for {query}"));
    assert_eq!((first.label().as_str(), first.precision), (label, precision));
}

#[test]
fn addresses_lead_to_the_house() {
    check(
        "Mannerheimintie 2 Helsinki",
        "Mannerheimintie 2, Helsinki, Uusimaa, Finland",
        Precision::House,
    );
    check(
        "Mannerheimvägen 2, Helsingfors",
        "Mannerheimintie 2, Helsinki, Uusimaa, Finland",
        Precision::House,
    );
    check(
        "2 avenue de la Costa, Monaco",
        "Avenue de la Costa 2, Monaco, Municipality of Monaco, Monaco",
        Precision::House,
    );
}

#[test]
fn what_is_not_known_falls_back() {
    check(
        "Mannerheimintie 4711, Helsinki",
        "Mannerheimintie, Helsinki, Uusimaa, Finland",
        Precision::Street,
    );
    check("Lange Straße 5, Oldenburg", "Oldenburg, Lower Saxony, Germany", Precision::City);
    check(
        "Lange Straße 5, 26122 Oldenburg",
        "26122, Oldenburg, Lower Saxony, Germany",
        Precision::Postcode,
    );
    check(
        "12 Nowhere Lane, Beverly Hills, CA 90210",
        "90210, Beverly Hills, California, United States",
        Precision::Postcode,
    );
    check(
        "3 rue Inconnue, 75001 Paris",
        "75001, Paris, Île-de-France, France",
        Precision::Postcode,
    );
}

#[test]
fn names_are_found_in_any_script_and_language() {
    for name in ["Helsinki", "HELSINGFORS", "Хельсинки", "ヘルシンキ", "赫爾辛基"]
    {
        assert_eq!(one(name).key(), "gn:658225", "{name}");
    }
    for name in ["Deutschland", "Allemagne", "Saksa", "Германия", "DEU"] {
        assert_eq!(one(name).key(), "gn:2921044", "{name}");
    }
}

#[test]
fn airports_are_found_by_name_and_code() {
    check("HEL", "Helsinki Vantaa Airport, Helsinki, Uusimaa, Finland", Precision::Spot);
    assert_eq!(one("Heathrow Airport").key(), "icao:EGLL");
    assert_eq!(one("KJFK").key(), "icao:KJFK");
}

#[test]
fn by_names_and_abbreviations_are_known() {
    assert_eq!(one("LA").name(), "Los Angeles");
    assert_eq!(one("L.A.").name(), "Los Angeles");
    assert_eq!(one("NYC").name(), "New York City");
    assert_eq!(one("U.S.").name(), "United States");
    assert_eq!(one("Washington, D.C.").name(), "Washington");
    assert_eq!(one("Bombay").name(), "Mumbai");
}

#[test]
fn the_well_known_is_meant_and_not_the_hamlet_of_its_name() {
    for (name, key) in [
        ("Middle East", "strabo:middle-east"),
        ("Pacific", "strabo:pacific-ocean"),
        ("Rhein", "strabo:rhine"),
        ("White House", "strabo:white-house"),
        ("Sowjetunion", "strabo:soviet-union"),
        ("Gaza Strip", "gn:281132"),
        ("Etats-Unis", "gn:6252001"),
        ("Angleterre", "gn:6269131"),
        ("Mississippi", "gn:4436296"),
        ("Galicia", "gn:3336902"),
    ] {
        assert_eq!(one(name).key(), key, "{name}");
    }
}

#[test]
fn a_country_stands_where_maps_label_it() {
    for (name, lat, lon) in [("Canada", 60.0, -95.0), ("China", 35.0, 105.0), ("USA", 39.8, -98.6)]
    {
        let point = one(name).point();
        assert!((point.lat - lat).abs() < 0.1 && (point.lon - lon).abs() < 0.1, "{name}: {point}");
    }
}

#[test]
fn a_borough_is_no_city() {
    let brooklyn = one("Brooklyn");
    assert_eq!(
        (brooklyn.kind(), brooklyn.parent().unwrap().name()),
        (Kind::District, "New York City")
    );
}

#[test]
fn a_lineage_goes_from_the_city_to_the_world() {
    let lineage: Vec<_> =
        world::gazetteer().lineage(one("Oldenburg").id()).map(|it| it.name().to_owned()).collect();
    assert_eq!(lineage.first().map(String::as_str), Some("Oldenburg"));
    let wide: Vec<_> = lineage.iter().rev().take(4).map(String::as_str).collect();
    assert_eq!(wide, ["World", "Europe", "Germany", "Lower Saxony"]);
}

#[test]
fn places_lie_to_each_other_as_on_the_map() {
    let check = |one_name: &str, relation: Relation, other: &str| {
        let found = world::gazetteer().relation(one(one_name).id(), one(other).id());
        assert_eq!(found, relation, "{one_name} and {other}");
    };
    check("Germany", Relation::Contains, "Bavaria");
    check("Munich", Relation::Within, "Bavaria");
    check("Finland", Relation::Adjacent, "Sweden");
    check("Germany", Relation::Disjoint, "Italy");
    check("Bavaria", Relation::Adjacent, "Austria");
    check("Bavaria", Relation::Adjacent, "Hesse");
    check("Cook County, Illinois", Relation::Adjacent, "Indiana");
    check("Cook County, Illinois", Relation::Within, "Illinois");
    check("Texas", Relation::Disjoint, "California");
    check("Lesotho", Relation::Adjacent, "South Africa");
    check("Paris", Relation::Equal, "Paris, France");
}

#[test]
fn a_point_knows_what_lies_around_it() {
    let around = world::gazetteer().reverse(earth::Point::new(60.1699, 24.9384));
    let names: Vec<_> = around.containing.iter().map(Place::name).collect();
    assert_eq!(names, ["Uusimaa", "Finland"]);
    assert!(around.nearest.unwrap().1.0 < 1500.0);
    let at_the_stockmann = world::gazetteer().reverse(earth::Point::new(60.16836, 24.94218));
    assert!(at_the_stockmann.house.is_some());
    let ocean = world::gazetteer().reverse(earth::Point::new(-40.0, -120.0));
    assert!(ocean.containing.is_empty() && ocean.nearest.is_none());
}

#[test]
fn points_at_the_date_line_and_the_poles_are_answered() {
    let world = world::gazetteer();
    let fiji = world.reverse(earth::Point::new(-16.8, 179.99));
    assert_eq!(fiji.nearest.unwrap().0.country().unwrap().name(), "Fiji");
    assert_eq!(
        world.containing(earth::Point::new(-89.9, 10.0)).last().unwrap().name(),
        "Antarctica"
    );
    assert!(world.containing(earth::Point::new(90.0, 0.0)).is_empty());
}

#[test]
fn a_short_plus_code_is_read_at_its_place() {
    let found = world::gazetteer().geocode("5WMV+J3 Helsinki", None, 1);
    assert_eq!(found[0].precision, Precision::Coordinate);
    assert!(found[0].point.distance(one("Helsinki").point()).km() < 30.0);
}

/// Pairs of countries whose outlines touch though the published list does not name them.
const TOUCH_ONLY: &[(&str, &str, &str)] = &[
    ("BW", "ZM", "they meet at Kazungula, where four countries come within 200 m"),
    ("NA", "ZW", "the same corner, seen from the other two"),
    ("CN", "HK", "the list does not count Hong Kong as a neighbour of China"),
];

/// Pairs the published list names though the outlines do not touch.
const LISTED_ONLY: &[(&str, &str, &str)] = &[
    ("RS", "AL", "the list counts the border of Kosovo as one of Serbia, too"),
    ("US", "CU", "the list counts the fence of the base at Guantánamo Bay"),
];

fn is_among(pairs: &[(&str, &str, &str)], one: &str, other: &str) -> bool {
    pairs.iter().any(|(a, b, _)| (*a, *b) == (one, other) || (*b, *a) == (one, other))
}

#[test]
fn countries_border_on_those_the_published_list_names() {
    let world = world::gazetteer();
    let code = |place: &Place<'_>| place.tag("iso2").unwrap_or("??").to_owned();
    let mut wrong = Vec::new();
    for country in world.places().filter(|it| it.kind() == Kind::Country) {
        let published = country.fact().adjacent;
        for other in world.neighbours(country.id()) {
            let pair = (code(&country), code(&other));
            if !published.iter().any(|key| key == other.key())
                && !is_among(TOUCH_ONLY, &pair.0, &pair.1)
            {
                wrong.push(format!("{}-{} touch and are not listed", pair.0, pair.1));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:?}");
}

#[test]
fn countries_the_published_list_names_touch() {
    use geo::Intersects;
    let world = world::gazetteer();
    let code = |place: &Place<'_>| place.tag("iso2").unwrap_or("??").to_owned();
    let mut wrong = Vec::new();
    for country in world.places().filter(|it| it.kind() == Kind::Country) {
        let Some(outline) = country.outline() else { continue };
        for other in country.fact().adjacent.iter().filter_map(|key| world.by_key(key)) {
            let pair = (code(&country), code(&other));
            let touch = other.id() < country.id()
                || other.outline().is_none_or(|it| it.intersects(&outline));
            if !touch && !is_among(LISTED_ONLY, &pair.0, &pair.1) {
                wrong.push(format!("{}-{}", pair.0, pair.1));
            }
        }
    }
    assert!(wrong.is_empty(), "listed, but the outlines do not touch: {wrong:?}");
}

#[test]
fn a_wrong_letter_still_leads_to_the_city() {
    let world = world::gazetteer();
    let cities = world.places().filter(|it| it.kind() == Kind::City && it.population() > 20_000);
    let names: Vec<_> = cities.filter(|it| it.name().is_ascii() && it.name().len() >= 6).collect();
    let (mut asked, mut found) = (0, 0);
    for (at, city) in names.iter().enumerate().step_by(40) {
        let mut typed = city.name().to_owned();
        let wrong = 1 + at % (typed.len() - 1);
        typed.replace_range(wrong..=wrong, "q");
        asked += 1;
        let spelling = gazetteer::spelling(city.name());
        let suggested = world.suggest(&typed, None, 10);
        found += usize::from(
            suggested.iter().any(|it| gazetteer::spelling(it.place.name()) == spelling),
        );
    }
    assert!(found * 100 >= asked * 95, "{found} of {asked}");
}
