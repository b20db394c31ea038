//! What holds of any text.

use earth::{Bounds, Point};
use proptest::prelude::*;
use query::{Asked, Query, Region, Spot, Term};

use crate::{PARSER, asked};

/// A query without where it stood and how sure it was.
#[derive(Debug, PartialEq)]
struct Meaning {
    terms: Vec<Term>,
    rest: String,
    relation: String,
    spots: Vec<Spot>,
}

fn meaning(query: &Query) -> Meaning {
    let mut theme = query.theme.clone();
    let terms = std::mem::take(&mut theme.terms);
    let terms = terms.into_iter().map(|it| Term { span: 0..0, ..it }).collect();
    Meaning {
        terms,
        rest: format!("{theme} {:?}", query.sort),
        relation: format!("{:?}", query.space.as_ref().map(|it| it.relation)),
        spots: query.space.iter().flat_map(|it| &it.anchors).map(|it| it.at.clone()).collect(),
    }
}

fn check(asked: &Asked<'_>) {
    let first = PARSER.understand(asked);
    let queries = first.others.iter().map(|it| &it.query).chain([&first.query]);
    for query in queries {
        let written = query.to_string();
        let again = PARSER.understand(&Asked { text: &written, ..asked.clone() });
        assert_eq!(
            meaning(&again.query),
            meaning(query),
            "{:?} is written {written:?}",
            asked.text
        );
        assert_eq!(again.query.to_string(), written, "{:?}", asked.text);
    }
    for chip in &first.chips {
        assert!(chip.span.clone().is_none_or(|it| first.text.get(it).is_some()));
    }
    for term in &first.query.theme.terms {
        assert!(first.text.get(term.span.clone()).is_some());
    }
}

/// Words that mean something here, so that random texts are like queries.
fn pieces() -> impl Strategy<Value = String> {
    let words = prop::sample::select(vec![
        "museums",
        "in",
        "near",
        "within",
        "5",
        "km",
        "of",
        "between",
        "and",
        "along",
        "from",
        "to",
        "Berlin",
        "Paris",
        "Texas",
        "York",
        "new york",
        "Helsingissä",
        "Turun",
        "välillä",
        "nice",
        "the",
        "north",
        "west",
        "north-west",
        ",",
        "-",
        "-not",
        "\"a phrase\"",
        "„",
        "“",
        "[",
        "]",
        "[York]",
        "[]",
        "site:example.org",
        "after:2024",
        "after:x",
        "sort:time",
        "title:old",
        "near me",
        "53.14,8.21",
        "°",
        "gn:658225",
        "geo:1,2",
        "(",
        ")",
        "Mannerheimintie 2",
        "de",
        "a",
        "3,5",
        "where is",
        "10115",
        "US",
        "lang:",
    ]);
    let text =
        prop::collection::vec((words, prop::sample::select(vec![" ", " ", " ", "", ", "])), 0..9);
    text.prop_map(|it| it.into_iter().flat_map(|(word, gap)| [word, gap]).collect())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn any_text_is_understood_and_reads_what_it_writes(text in any::<String>()) {
        check(&asked(&text));
    }

    #[test]
    fn any_query_reads_what_it_writes(text in pieces()) {
        check(&asked(&text));
    }

    #[test]
    fn with_a_position_or_a_region_too(text in pieces(), draws in any::<bool>()) {
        let region = draws.then(|| Region::Box(Bounds::new(1.0, 2.0, 3.0, 4.0)));
        let position = Some(Point::new(52.5, 13.4));
        check(&Asked { position, region, ..asked(&text) });
    }

    #[test]
    fn any_three_fields_are_understood(what in pieces(), relation in pieces(), place in any::<String>()) {
        let fields = Asked { what: Some(&what), relation: Some(&relation), place: Some(&place), ..asked("") };
        let _ = PARSER.understand(&fields);
    }
}
