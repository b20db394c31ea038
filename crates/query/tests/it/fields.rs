//! Three fields, and what was drawn on the map.

use earth::{Bounds, Meters, Point};
use query::{Asked, NoteKind, Region, Spot};

use crate::{PARSER, asked, in_short, understand};

#[track_caller]
fn check(what: &str, relation: &str, place: &str, expected: &str) {
    let (what, relation, place) = (Some(what), Some(relation), Some(place));
    let understood = PARSER.understand(&Asked { what, relation, place, ..asked("") });
    assert_eq!(in_short(&understood.query), expected);
}

#[test]
fn three_fields_say_what_relation_and_where() {
    check("museums", "near", "Berlin", "museums | near | Berlin, State of Berlin, Germany");
    check("museums", "", "Berlin", "museums | in | Berlin, State of Berlin, Germany");
    check(
        "museums",
        "within 5 km of",
        "Berlin",
        "museums | within 5.0 km | Berlin, State of Berlin, Germany",
    );
    check(
        "museums",
        "nördlich von",
        "Berlin",
        "museums | north | Berlin, State of Berlin, Germany",
    );
    check("", "in", "Paris, Texas", " | in | Paris, Texas, United States");
    check(
        "museums",
        "between",
        "Bremen and Hamburg",
        "museums | between | Bremen, Germany + Hamburg, Germany",
    );
    check("fuel", "along", "Bremen - Hamburg", "fuel | along | Bremen, Germany + Hamburg, Germany");
    check(
        "museums",
        "between",
        "Paris, Texas; Dallas",
        "museums | between | Paris, Texas, United States + Dallas, Texas, United States",
    );
    check("museums", "in", "gn:658225", "museums | in | Helsinki, Uusimaa, Finland");
    check(
        "museums",
        "near",
        "Mannerheimintie 2, Helsinki",
        "museums | near | Mannerheimintie 2, Helsinki, Uusimaa, Finland",
    );
}

#[test]
fn the_field_for_the_theme_is_theme_throughout() {
    check("York ham", "in", "Berlin", "York ham | in | Berlin, State of Berlin, Germany");
    check("York ham", "", "", "York ham |  | ");
    check(
        "find \"old town\" -hotel",
        "in",
        "Berlin",
        "find \"old town\" -hotel | in | Berlin, State of Berlin, Germany",
    );
}

#[test]
fn an_unknown_place_or_relation_is_told() {
    let understood = PARSER.understand(&Asked {
        what: Some("museums"),
        relation: Some("beneath"),
        place: Some("Qzxqzxqzx"),
        ..asked("")
    });
    assert_eq!(in_short(&understood.query), "museums |  | ");
    assert_eq!(understood.notes.iter().filter(|it| it.kind == NoteKind::Unknown).count(), 2);
}

#[test]
fn the_text_stands_in_for_a_missing_theme() {
    let understood = PARSER.understand(&Asked { place: Some("Berlin"), ..asked("York ham") });
    assert_eq!(in_short(&understood.query), "York ham | in | Berlin, State of Berlin, Germany");
}

#[test]
fn what_is_drawn_takes_the_place_of_what_is_said() {
    let region = Region::Box(Bounds::new(53.0, 8.0, 53.5, 8.5));
    let drawn = |text| PARSER.understand(&Asked { region: Some(region.clone()), ..asked(text) });
    let said = drawn("museums in Berlin");
    assert_eq!(in_short(&said.query), "museums | in | region on the map");
    assert_eq!(said.query.space.expect("it was drawn").anchors[0].at, Spot::Drawn(region.clone()));
    assert!(said.notes.iter().any(|it| it.kind == NoteKind::Region));
    assert_eq!(in_short(&drawn("york ham").query), "york ham | in | region on the map");
}

#[test]
fn circles_and_polygons_are_regions_too() {
    let circle = Region::Circle(Point::new(53.0, 8.0), Meters(500.0));
    let polygon =
        Region::Polygon(vec![Point::new(0.0, 0.0), Point::new(0.0, 1.0), Point::new(1.0, 0.0)]);
    for region in [circle, polygon] {
        let understood =
            PARSER.understand(&Asked { region: Some(region.clone()), ..asked("pubs") });
        assert_eq!(
            understood.query.space.expect("it was drawn").anchors[0].at,
            Spot::Drawn(region)
        );
    }
}

#[test]
fn brackets_say_what_the_place_is() {
    assert_eq!(
        in_short(&understand("hotels near [York]").query),
        "hotels | near | York, England, United Kingdom"
    );
    assert_eq!(
        in_short(&understand("turkey [Berlin]").query),
        "turkey | in | Berlin, State of Berlin, Germany"
    );
    assert_eq!(in_short(&understand("Berlin museums []").query), "Berlin museums |  | ");
}
