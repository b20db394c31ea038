//! Words, phrases and operators.

use jiff::civil::date;
use query::{ChipKind, NoteKind, Query, Sort};

use crate::{in_short, understand};

fn query(text: &str) -> Query {
    understand(text).query
}

#[track_caller]
fn check(text: &str, expected: &str) {
    assert_eq!(query(text).theme.to_string(), expected, "{text}");
}

#[test]
fn phrases_stand_in_quotes_of_many_kinds() {
    for text in
        ["\"old town\"", "„old town“", "«old town»", "“old town”", "”old town”", "»old town«"]
    {
        let theme = query(text).theme;
        assert_eq!(theme.terms.len(), 1, "{text}");
        assert!(theme.terms[0].is_phrase);
        assert_eq!(theme.terms[0].words, ["old", "town"]);
    }
    check("\"blue shoe", "blue shoe");
}

#[test]
fn places_in_phrases_are_theme() {
    assert_eq!(in_short(&query("\"berlin wall\" museum")), "\"berlin wall\" museum |  | ");
}

#[test]
fn words_and_phrases_are_excluded_by_a_minus() {
    check("museum -art -\"modern art\" -title:new", "museum -art -\"modern art\" -title:new");
    let theme = query("museum -art").theme;
    assert!(!theme.terms[0].is_excluded && theme.terms[1].is_excluded);
    check("rock - climbing", "rock climbing");
    check("temperature -5", "temperature 5");
}

#[test]
fn operators_are_not_words() {
    let theme =
        query("museum site:example.org -site:a.example.org lang:de inclass:\"a topic\"").theme;
    assert_eq!(theme.terms.len(), 1);
    assert_eq!(theme.sites, ["example.org"]);
    assert_eq!(theme.not_sites, ["a.example.org"]);
    assert_eq!(theme.languages, ["de"]);
    assert_eq!(theme.topics, ["a topic"]);
    let theme = query("museum after:7d before:2024-06").theme;
    assert_eq!((theme.after, theme.before), (Some(date(2024, 5, 8)), Some(date(2024, 6, 1))));
    assert_eq!(query("museum sort:distance").sort, Sort::Distance);
    assert!(query("title:\"old town\"").theme.terms[0].in_title);
}

#[test]
fn a_place_is_found_beside_operators() {
    assert_eq!(
        in_short(&query("museums site:example.org in Berlin")),
        "museums site:example.org | in | Berlin, State of Berlin, Germany"
    );
    assert_eq!(
        in_short(&query("-hotel Berlin lang:de")),
        "-hotel lang:de | in | Berlin, State of Berlin, Germany"
    );
}

#[test]
fn a_malformed_operator_is_a_word_with_a_note() {
    for text in [
        "museum after:soon",
        "museum site:",
        "museum lang:german",
        "museum sort:size",
        "museum -lang:de",
    ] {
        let understood = understand(text);
        assert_eq!(understood.query.theme.terms.len(), 2, "{text}");
        assert!(understood.notes.iter().any(|it| it.kind == NoteKind::Operator), "{text}");
    }
}

#[test]
fn what_is_written_in_one_piece_is_one_term() {
    let theme = query("rock-climbing l'art").theme;
    assert_eq!(theme.terms.len(), 2);
    assert_eq!(theme.terms[0].words, ["rock", "climbing"]);
    assert!(!theme.terms[0].is_phrase);
}

#[test]
fn common_words_are_marked_but_not_in_phrases() {
    let theme = query("the museums of art in Rome").theme;
    let common: Vec<_> = theme.terms.iter().map(|it| it.is_common).collect();
    assert_eq!(common, [true, false, true, false]);
    assert!(!query("\"the who\"").theme.terms[0].is_common);
}

#[track_caller]
fn check_opener(text: &str, opener: &str, expected: &str) {
    let understood = understand(text);
    assert_eq!(in_short(&understood.query), expected, "{text}");
    let chip = understood.chips.iter().find(|it| it.kind == ChipKind::Opener);
    assert_eq!(chip.map_or("", |it| it.label.as_str()), opener, "{text}");
}

#[test]
fn what_only_opens_a_question_is_left_out() {
    let berlin = "museums | in | Berlin, State of Berlin, Germany";
    check_opener("where are the museums in Berlin?", "where are the", berlin);
    check_opener("show me museums in Berlin", "show me", berlin);
    check_opener("wo gibt es museums in Berlin", "wo gibt es", berlin);
    check_opener(
        "où est la tour Eiffel",
        "où est la",
        " | in | Eiffel Tower, Paris, Île-de-France, France",
    );
    check_opener("find", "", "find |  | ");
    check_opener("best hotels in Rome", "", "best hotels | in | Rome, Lazio, Italy");
    check_opener("cerca de Madrid", "", " | near | Madrid, Spain");
}

#[test]
fn chips_point_at_what_they_show() {
    let understood = understand("museums -art near Berlin lang:de");
    let shown: Vec<_> = understood
        .chips
        .iter()
        .map(|it| (it.kind, &understood.text[it.span.clone().expect("it is in the text")]))
        .collect();
    let expected = [
        (ChipKind::Word, "museums"),
        (ChipKind::Excluded, "-art"),
        (ChipKind::Space, "near Berlin"),
        (ChipKind::Language, "lang:de"),
    ];
    assert_eq!(shown, expected);
}

#[test]
fn a_long_text_is_cut_with_a_note() {
    let understood = understand(&"museum ".repeat(200));
    assert_eq!(understood.query.theme.terms.len(), 64);
    assert_eq!(understood.notes[0].kind, NoteKind::Cut);
    assert_eq!(understand(&"a".repeat(1001)).text.len(), 1000);
}
