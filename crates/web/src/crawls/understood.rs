//! What was understood of a region and a topic that an operator writes.

use std::borrow::Cow;

use crawl::TopicFile;
use gazetteer::{Gazetteer, Kind, PlaceId, Precision};

use crate::frame::Frame;

/// More parts than this are not looked up while somebody types.
const MOST_PARTS: usize = 50;
/// So many places of a topic are shown.
const MOST_PLACES: usize = 20;
/// So many places are offered for a name that is not known.
const MOST_OFFERS: usize = 3;

/// One line of a region, as it was understood.
pub(crate) struct Part {
    pub(crate) asked: String,
    /// What it was taken for; or why it is none.
    pub(crate) place: Result<Place, Unknown>,
}

/// A line of a region that is none.
pub(crate) struct Unknown {
    /// Why, in the reader's language.
    pub(crate) reason: String,
    /// Places that could be meant, with their keys.
    pub(crate) others: Vec<(String, String)>,
}

/// A place, with what it is part of.
pub(crate) struct Place {
    pub(crate) name: String,
    /// What sort of place it is; nothing for what was drawn.
    pub(crate) kind: Option<Kind>,
    pub(crate) key: Option<String>,
    /// What it is part of, the widest first.
    pub(crate) within: Vec<String>,
    /// Other places that could be meant, with their keys.
    pub(crate) others: Vec<(String, String)>,
}

/// A topic, as it was understood.
pub(crate) struct TopicView {
    pub(crate) keywords: Vec<(String, f64)>,
    pub(crate) places: Vec<(String, f64)>,
    /// How many more places there are.
    pub(crate) more: usize,
}

/// The lines of a text that say something.
pub(crate) fn lines(text: &str) -> Vec<String> {
    let lines = text.lines().map(str::trim);
    lines.filter(|it| !it.is_empty() && !it.starts_with('#')).map(str::to_owned).collect()
}

/// What was understood of each line of a region.
pub(crate) fn region(frame: &Frame, gazetteer: &Gazetteer, text: &str) -> Vec<Part> {
    let parts = lines(text).into_iter().take(MOST_PARTS);
    parts
        .map(|asked| {
            let understood = crawl::region(gazetteer, std::slice::from_ref(&asked));
            let place = match understood {
                Ok(understood) => understood
                    .and_then(|it| it.parts.into_iter().next())
                    .map(|it| place(frame, gazetteer, it))
                    .ok_or_else(|| Unknown { reason: String::new(), others: Vec::new() }),
                Err(error) => Err(Unknown {
                    reason: problem(frame, &error.to_string()),
                    others: similar(gazetteer, &asked),
                }),
            };
            Part { asked, place }
        })
        .collect()
}

/// What is wrong with a region or a topic, for who has a form before them and no command line.
pub(crate) fn problem(frame: &Frame, error: &str) -> String {
    let between = |first: &str, last: &str| error.strip_prefix(first)?.split_once(last);
    if let Some((name, _)) = between("nothing is known of \"", "\": \"strabo place\"") {
        return frame
            .fill("Nothing is known of “{}”. Try another spelling, or a larger place.", name);
    }
    if let Some((key, _)) = between("no place has the key ", ": \"strabo place\"") {
        return frame.fill("No place has the key {}.", key);
    }
    match between("\"", "\" is not known (") {
        Some((name, _)) => frame.fill("“{}” is not known.", name),
        None => frame.told(error),
    }
}

/// Places whose names are nearest to one that is not known, with their keys; none for what was drawn.
fn similar(gazetteer: &Gazetteer, asked: &str) -> Vec<(String, String)> {
    if asked.contains(':') {
        return Vec::new();
    }
    let found = gazetteer.geocode(asked, None, MOST_OFFERS);
    let named = found.iter().filter(|it| it.precision != Precision::Coordinate);
    let mut places: Vec<_> = named.map(|it| it.place).collect();
    if found.is_empty() {
        let begun = gazetteer.suggest(asked, None, MOST_OFFERS);
        places = begun.into_iter().map(|it| it.place).collect();
    }
    let mut others: Vec<_> = places.iter().map(|it| (it.label(), it.key().to_owned())).collect();
    others.dedup_by(|one, other| one.1 == other.1);
    others
}

/// The text of a topic file: as it was written or, where that says no weights, made of the words that were.
pub(crate) fn topic_text<'t>(gazetteer: &Gazetteer, written: &'t str) -> Cow<'t, str> {
    let is_file = written.contains('=') || written.lines().any(|it| it.trim().starts_with('['));
    if is_file {
        return Cow::Borrowed(written.trim());
    }
    let mut words: Vec<(String, f64)> = Vec::new();
    for line in lines(written) {
        for part in line.split([',', ';']).map(str::trim) {
            // What stands in quotation marks stays together.
            let quoted = part.strip_prefix('"').and_then(|it| it.strip_suffix('"'));
            let and = [" and ", " und "].into_iter().find(|it| part.contains(it));
            let phrases = match (quoted, and) {
                (Some(phrase), _) => vec![phrase],
                (None, Some(and)) => part.split(and).collect(),
                (None, None) => vec![part],
            };
            for phrase in phrases.into_iter().map(str::trim).filter(|it| !it.is_empty()) {
                if !words.iter().any(|it| it.0 == phrase) {
                    words.push((phrase.to_owned(), 1.0));
                }
            }
        }
    }
    let name = words.first().map_or("topic", |it| it.0.as_str()).to_owned();
    Cow::Owned(TopicFile::text_of(gazetteer, &name, &words, &[]))
}

/// What was understood of a topic; nothing for none.
pub(crate) fn topic(gazetteer: &Gazetteer, text: &str) -> Option<Result<TopicView, String>> {
    if text.trim().is_empty() {
        return None;
    }
    Some(TopicFile::understand(gazetteer, &topic_text(gazetteer, text)).map(|topic| {
        TopicView {
            keywords: topic.keywords().map(|(word, weight)| (word.to_owned(), weight)).collect(),
            places: topic
                .places()
                .iter()
                .take(MOST_PLACES)
                .map(|(id, weight)| (gazetteer.place(*id).label(), *weight))
                .collect(),
            more: topic.places().len().saturating_sub(MOST_PLACES),
        }
    }))
}

fn place(frame: &Frame, gazetteer: &Gazetteer, part: crawl::RegionPart) -> Place {
    let found = part.key.as_deref().and_then(|it| gazetteer.by_key(it));
    match found {
        Some(place) => Place {
            name: frame.language.name(&place),
            kind: Some(place.kind()),
            key: part.key,
            within: within(frame, gazetteer, place.id()),
            others: part.others,
        },
        None => Place {
            name: part.label,
            kind: None,
            key: None,
            within: Vec::new(),
            others: part.others,
        },
    }
}

/// What a place is part of, the widest first.
fn within(frame: &Frame, gazetteer: &Gazetteer, place: PlaceId) -> Vec<String> {
    let wider = gazetteer.ancestors(place).filter(|it| it.id() != place);
    let mut names: Vec<String> =
        wider.filter(|it| it.parent().is_some()).map(|it| frame.language.name(&it)).collect();
    names.reverse();
    names
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::wording::Language;

    fn frame(language: Language) -> Frame {
        Frame { language, here: String::new() }
    }

    #[test]
    fn a_region_is_shown_with_what_it_is_part_of() {
        let text = "Oldenburg, Germany\n\n# not this\nXyzzyqwop\n";
        let parts = region(&frame(Language::English), world::gazetteer(), text);
        assert_eq!(parts.len(), 2);
        let place = parts[0].place.as_ref().ok().expect("it is a place");
        assert_eq!(place.name, "Oldenburg");
        assert_eq!(place.within, ["Europe", "Germany", "Lower Saxony"]);
        let unknown = parts[1].place.as_ref().err().expect("it is none");
        assert!(unknown.reason.starts_with("Nothing is known of “Xyzzyqwop”."));
        let german = region(&frame(Language::German), world::gazetteer(), "Oldenburg, Germany");
        let place = german[0].place.as_ref().ok().expect("it is a place");
        assert_eq!(place.within, ["Europa", "Deutschland", "Niedersachsen"]);
    }

    #[test]
    fn for_a_name_that_is_not_known_places_are_offered() {
        let parts = region(&frame(Language::English), world::gazetteer(), "Helsnki");
        let unknown = parts[0].place.as_ref().err().expect("it is none");
        assert_eq!(unknown.reason, "“Helsnki” is not known.");
        let helsinki = ("Helsinki, Uusimaa, Finland".to_owned(), "gn:658225".to_owned());
        assert_eq!(unknown.others.first(), Some(&helsinki));
    }

    #[test]
    fn nobody_is_sent_from_the_page_to_the_command_line() {
        for text in ["Xyzzyqwop", "Oldenbrug", "gn:999999999999", "53.1, 8.2", "circle:1"] {
            for part in region(&frame(Language::English), world::gazetteer(), text) {
                let unknown = part.place.err().expect("it is none");
                assert!(!unknown.reason.contains("strabo"), "{}", unknown.reason);
            }
        }
        let topic = TopicFile::understand(world::gazetteer(), "[places]\nXyzzyqwop = 1");
        let error = topic.expect_err("it is none");
        assert!(!problem(&frame(Language::English), &error).contains("strabo"), "{error}");
    }

    #[test]
    fn a_topic_is_shown_with_the_places_it_means() {
        let text = "[keywords]\nquay = 1.0\n[places]\n\"Bremerhaven, Germany\" = 0.5\n";
        let view = topic(world::gazetteer(), text).expect("a text").expect("a topic");
        assert_eq!(view.keywords[0].0, "quay");
        assert_eq!(view.places[0].0, "Bremerhaven, Bremen, Germany");
        assert!(topic(world::gazetteer(), "quay = ").expect("a text").is_err());
        assert!(topic(world::gazetteer(), " ").is_none());
    }

    #[test]
    fn a_list_of_words_is_a_topic() {
        let words = |text: &str| {
            let view = topic(world::gazetteer(), text).expect("a text").expect("a topic");
            let words: Vec<String> = view.keywords.into_iter().map(|it| it.0).collect();
            words.join("|")
        };
        assert_eq!(words("floods and rivers"), "floods|rivers");
        assert_eq!(
            words("quay, container terminal\nquay\nHafen und Kai"),
            "Hafen|Kai|container terminal|quay"
        );
        assert_eq!(words("\"search and rescue\""), "search and rescue");
    }

    proptest! {
        #[test]
        fn any_text_is_understood_or_not(text in "(.|\n){0,60}") {
            let english = frame(Language::English);
            let _ = (region(&english, world::gazetteer(), &text), topic(world::gazetteer(), &text));
        }
    }
}
