//! What may be theme or place, and which place.

use gazetteer::{Gazetteer, PlaceId};
use query::{Asked, NoteKind, Spot};

use crate::{PARSER, asked, in_short, labels, understand};

#[track_caller]
fn check(text: &str, expected: &str) {
    assert_eq!(in_short(&understand(text).query), expected, "{text}");
}

/// The first reading and one of the others, in short.
#[track_caller]
fn check_other(text: &str, expected: &str, other: &str) {
    let understood = understand(text);
    assert_eq!(in_short(&understood.query), expected, "{text}");
    let others: Vec<_> = understood.others.iter().map(|it| in_short(&it.query)).collect();
    assert!(others.iter().any(|it| it == other), "{text}: {others:#?}");
}

#[test]
fn without_a_relation_a_place_is_in() {
    check("hospitals singapore", "hospitals | in | Singapore");
    check("greek restaurant rome", "greek restaurant | in | Rome, Lazio, Italy");
    check("berlin museums", "museums | in | Berlin, State of Berlin, Germany");
    check("in Berlin museums", "museums | in | Berlin, State of Berlin, Germany");
    check("cheap berlin hotels", "cheap hotels | in | Berlin, State of Berlin, Germany");
    check("restaurants usa", "restaurants | in | United States");
    check("hotels, Berlin", "hotels | in | Berlin, State of Berlin, Germany");
    check("new york pizza", "pizza | in | New York City, New York, United States");
}

#[test]
fn a_place_alone_has_no_theme_and_a_theme_alone_no_place() {
    check("Helsinki", " | in | Helsinki, Uusimaa, Finland");
    check("pizza", "pizza |  | ");
    check("best", "best |  | ");
    check("", " |  | ");
}

#[test]
fn a_preposition_without_a_place_is_theme() {
    check("love in the time of cholera", "love in the time of cholera |  | ");
    check("made in house", "made in house |  | ");
    check("just in time", "just in time |  | ");
    check("around the clock", "around the clock |  | ");
    check("near death experience", "near death experience |  | ");
    check("between the lines", "between the lines |  | ");
    check("out of the box", "out of the box |  | ");
}

#[test]
fn ordinary_words_are_theme_and_the_place_is_offered() {
    check_other(
        "nice hotels",
        "nice hotels |  | ",
        "hotels | in | Nice, Provence-Alpes-Côte d'Azur, France",
    );
    check_other("turkey recipes", "turkey recipes |  | ", "recipes | in | Turkey");
    check_other(
        "reading clubs",
        "reading clubs |  | ",
        "clubs | in | Reading, England, United Kingdom",
    );
    check_other("china plates", "china plates |  | ", "plates | in | China");
    check_other(
        "orange juice",
        "orange juice |  | ",
        "juice | in | Orange, California, United States",
    );
    check("bath tubs", "bath tubs |  | ");
    check("Hamburger", "Hamburger |  | ");
}

#[test]
fn capitals_and_things_to_look_for_make_a_place_and_the_theme_is_offered() {
    check_other(
        "Nice hotels",
        "hotels | in | Nice, Provence-Alpes-Côte d'Azur, France",
        "Nice hotels |  | ",
    );
    check_other("York ham", "ham | in | York, England, United Kingdom", "York ham |  | ");
    check_other("hotels york", "hotels | in | York, England, United Kingdom", "hotels york |  | ");
    check_other("made in china", "made | in | China", "made in china |  | ");
}

#[test]
fn a_relation_makes_a_place_of_an_ordinary_word() {
    check("hotels in nice", "hotels | in | Nice, Provence-Alpes-Côte d'Azur, France");
    check("clubs in Reading", "clubs | in | Reading, England, United Kingdom");
    check("plates from China", "plates | in | China");
}

#[track_caller]
fn check_choices(text: &str, label: &str, other: &str) {
    let understood = understand(text);
    assert_eq!(labels(&understood.query), label, "{text}");
    let space = understood.query.space.expect("it has a place");
    let others: Vec<_> = space.anchors[0].others.iter().map(|it| it.label.as_str()).collect();
    assert!(others.contains(&other), "{text}: {others:?}");
    assert!(understood.notes.iter().any(|it| it.kind == NoteKind::Ambiguous), "{text}");
}

#[test]
fn the_best_known_place_is_taken_and_the_others_are_choices() {
    check_choices("Lisbon", "Lisbon, Portugal", "Lisbon, Iowa, United States");
    check_choices(
        "Athens public schools",
        "Athens, Attica, Greece",
        "Athens, Georgia, United States",
    );
    check_choices(
        "Frankfurt",
        "Frankfurt am Main, Hesse, Germany",
        "Frankfurt (Oder), Brandenburg, Germany",
    );
    check_choices(
        "Springfield",
        "Springfield, Illinois, United States",
        "Springfield, Missouri, United States",
    );
    check_choices("Georgia", "Georgia", "Georgia, United States (region)");
}

#[test]
fn what_stands_beside_a_name_says_which() {
    check("hotels in Paris, Texas", "hotels | in | Paris, Texas, United States");
    check("Athens Georgia schools", "schools | in | Athens, Georgia, United States");
    check("museums Frankfurt (Oder)", "museums | in | Frankfurt (Oder), Brandenburg, Germany");
    check("hotels Kreuzberg Berlin", "hotels | in | Kreuzberg, Berlin, State of Berlin, Germany");
    check("Berlin Kreuzberg hotels", "hotels | in | Kreuzberg, Berlin, State of Berlin, Germany");
    check(
        "Museen Ludwigshafen am Rhein",
        "Museen | in | Ludwigshafen am Rhein, Rheinland-Pfalz, Germany",
    );
    check(
        "Museen Oldenburg in Holstein",
        "Museen | in | Oldenburg in Holstein, Schleswig-Holstein, Germany",
    );
    check("new orleans jazz", "jazz | in | New Orleans, Louisiana, United States");
}

fn id(gazetteer: &Gazetteer, label: &str, name: &str) -> PlaceId {
    gazetteer.named(name).map(|it| it.0).find(|it| it.label() == label).expect("it is known").id()
}

#[test]
fn a_choice_wins_if_the_place_bears_the_name() {
    let chosen = id(world::gazetteer(), "Athens, Georgia, United States", "Athens");
    let choices = [("athens".to_owned(), chosen)];
    let understood =
        PARSER.understand(&Asked { choices: &choices, ..asked("Athens public schools") });
    let space = understood.query.space.expect("it has a place");
    assert_eq!(space.anchors[0].at, Spot::Place(chosen));
    assert!(space.anchors[0].others.iter().any(|it| it.label == "Athens, Attica, Greece"));
    assert!(understood.notes.is_empty());
}

#[test]
fn a_choice_of_another_name_is_left_out_with_a_note() {
    let chosen = id(world::gazetteer(), "Helsinki, Uusimaa, Finland", "Helsinki");
    let choices = [("Athens".to_owned(), chosen)];
    let understood = PARSER.understand(&Asked { choices: &choices, ..asked("schools in Athens") });
    assert_eq!(labels(&understood.query), "Athens, Attica, Greece");
    assert!(understood.notes.iter().any(|it| it.kind == NoteKind::Choice));
}

#[test]
fn a_choice_makes_a_place_of_an_ordinary_word() {
    let chosen = id(world::gazetteer(), "Reading, England, United Kingdom", "Reading");
    let choices = [("reading".to_owned(), chosen)];
    let understood = PARSER.understand(&Asked { choices: &choices, ..asked("reading clubs") });
    assert_eq!(labels(&understood.query), "Reading, England, United Kingdom");
}

#[test]
fn the_nearer_of_two_places_is_taken_if_they_are_about_as_well_known() {
    let position = Some(earth::Point::new(37.2, -93.3));
    let understood = PARSER.understand(&Asked { position, ..asked("hotels in Springfield") });
    assert_eq!(labels(&understood.query), "Springfield, Missouri, United States");
}

#[test]
fn a_typing_error_behind_a_relation_is_forgiven() {
    check("hotels in Helsnki", "hotels | in | Helsinki, Uusimaa, Finland");
}

#[track_caller]
fn check_unknown(text: &str, expected: Option<&str>) {
    let understood = PARSER.understand(&asked(text));
    let note = understood.notes.iter().find(|it| it.kind == NoteKind::Unknown);
    let note = note.map(|it| it.text.as_str());
    match expected {
        Some(expected) => assert!(note.is_some_and(|it| it.starts_with(expected)), "{note:?}"),
        None => assert_eq!(note, None, "{text}"),
    }
}

#[test]
fn a_place_behind_a_relation_that_nobody_knows_is_told() {
    let plain = "is known, it is sought like any other word: try another spelling";
    check_unknown("bakeries near Xyzzyqwop", Some(&format!("no place \"Xyzzyqwop\" {plain}")));
    check_unknown("north of Xyzzyqwop", Some(&format!("no place \"Xyzzyqwop\" {plain}")));
    check_unknown("bakeries near Xyzzy", Some("no place \"Xyzzy\" is known"));
    check_unknown("bakeries near [Xyzzyqwop]", Some("no place \"Xyzzyqwop\" is known"));
    check_unknown("bakeries near Helsinki", None);
    check_unknown("hotels in Helsnki", None);
    check_unknown("xyzzyqwop recipes", None);
    check_unknown("how to live in peace", None);
}
