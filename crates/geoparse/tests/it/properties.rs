//! What must hold for any text and any page.

use std::sync::LazyLock;

use geoparse::{Geoparser, Hints, Mention, url_places};
use page::Response;
use proptest::prelude::*;

/// Made once: what it knows of addresses takes a while to gather.
static GEOPARSER: LazyLock<Geoparser<'static>> =
    LazyLock::new(|| Geoparser::new(world::gazetteer()));

/// Words of which hostile sentences are made: names, cues, brackets, abbreviations, breaks.
const WORDS: [&str; 32] = [
    "Paris",
    "Texas",
    "St.",
    "Louis",
    "in",
    "of",
    "the",
    "Frankfurt",
    "(Oder)",
    "U.S.",
    "U.",
    "S.",
    "New",
    "York",
    "County",
    "said",
    "Mr.",
    "John",
    "rue",
    "de",
    "la",
    "Bridge",
    ",",
    ".",
    "\n",
    "\t",
    "¬ ",
    "5",
    "12345",
    "Straße",
    "is a",
    "LAKE",
];

fn check_spans(text: &str, mentions: &[Mention]) -> Result<(), TestCaseError> {
    let mut last = 0;
    for it in mentions {
        prop_assert!(
            text.get(it.span.clone()).is_some_and(|it| !it.is_empty()),
            "{:?} in {text:?}",
            it.span
        );
        prop_assert!(it.span.start >= last, "{:?} begins before {last} in {text:?}", it.span);
        prop_assert!((0.0..=1.0).contains(&it.confidence));
        prop_assert_eq!(it.place.is_some(), it.point.is_some());
        last = it.span.end;
    }
    Ok(())
}

proptest! {
    #[test]
    fn mentions_of_any_text_lie_in_it_in_order_and_apart(text in any::<String>()) {
        let mentions = Geoparser::new(world::gazetteer()).mentions(&text, &Hints::default());
        check_spans(&text, &mentions)?;
    }

    #[test]
    fn so_do_those_of_any_words(words in proptest::collection::vec(proptest::sample::select(&WORDS[..]), 0..60)) {
        let text = words.join(" ");
        let mentions = Geoparser::new(world::gazetteer()).explaining().mentions(&text, &Hints::default());
        check_spans(&text, &mentions)?;
    }

    #[test]
    fn any_bytes_can_be_surveyed(
        words in proptest::collection::vec(proptest::sample::select(&WORDS[..]), 0..30),
        bytes in proptest::collection::vec(any::<u8>(), 0..200),
    ) {
        let mut body = format!("<title>{}</title><p>{}<br>", words.join(" "), words.join(" ")).into_bytes();
        body.extend(bytes);
        let page = page::read(&Response::new(&body));
        let survey = GEOPARSER.survey(&page, &Hints::default());
        check_spans(&page.title, &survey.title_mentions)?;
        check_spans(&page.text, &survey.mentions)?;
        let whole: f64 = survey.footprint.places.iter().map(|it| it.weight).sum();
        prop_assert!(survey.footprint.is_empty() || (whole - 1.0).abs() < 1e-6);
    }

    #[test]
    fn any_url_can_be_asked_for_places(url in any::<String>(), host in "[a-z.-]{0,20}") {
        url_places(world::gazetteer(), &url);
        url_places(world::gazetteer(), &format!("https://{host}/{url}"));
    }
}
