//! What other crates tell, in the language of the reader: notes on a query, facts about an error, names of countries.
//!
//! Those crates speak English, to the command line and to programs as well. `templates/words/facts-de.tsv` has their
//! sentences with `{}` for each value; a sentence that fits is filled in German, and what fits none stays as it is.

use std::collections::HashMap;
use std::sync::OnceLock;

use gazetteer::{Gazetteer, Kind, Place, PlaceId};

use crate::wording::Language;

const FACTS: &str = include_str!("../../../templates/words/facts-de.tsv");
/// Countries and continents, from the Unicode Common Locale Data Repository.
const COUNTRIES: &str = include_str!("../../../templates/words/countries-de.tsv");
/// Towns and regions that are called otherwise in German than in English, by their labels.
const PLACES: &str = include_str!("../../../templates/words/places-de.tsv");
/// A sentence may hold another, and no more.
const DEEPEST: usize = 2;

impl Language {
    /// A sentence that another crate told.
    pub(crate) fn told(self, english: &str) -> String {
        match self {
            Self::English => english.to_owned(),
            Self::German => german(english, DEEPEST).unwrap_or_else(|| english.to_owned()),
        }
    }

    /// A label of a place, as the reader calls it and what holds it.
    ///
    /// The gazetteer knows what a place is called elsewhere, but not in which language: those that are in no list here keep
    /// their names.
    pub(crate) fn label(self, label: &str) -> String {
        if self == Self::English {
            return label.to_owned();
        }
        let starts = std::iter::once(0).chain(label.match_indices(", ").map(|it| it.0 + 2));
        let part = |start: usize| {
            let whole = &label[start..];
            let own = whole.split(", ").next().unwrap_or(whole);
            names().get(whole).copied().unwrap_or(own)
        };
        starts.map(part).collect::<Vec<_>>().join(", ")
    }

    /// The name of a place.
    pub(crate) fn name(self, place: &Place<'_>) -> String {
        match place.kind() {
            Kind::World => self.say("World").to_owned(),
            _ if self == Self::English => place.name().to_owned(),
            // Georgia is a country and a state, and only one of them is Georgien.
            _ => names().get(place.label().as_str()).map_or(place.name(), |it| it).to_owned(),
        }
    }

    /// A label of a place that the box understands: as the reader calls it if that means the same place.
    pub(crate) fn written(self, gazetteer: &Gazetteer, label: &str, place: PlaceId) -> String {
        let own = self.label(label);
        let means_it = own == label
            || gazetteer.geocode(&own, None, 1).first().is_some_and(|it| it.place.id() == place);
        if means_it { own } else { label.to_owned() }
    }
}

/// The sentence in German, if it is known; the one that says most itself, where several fit.
fn german(english: &str, depth: usize) -> Option<String> {
    let fitting = facts().iter().filter_map(|fact| Some((fact, values(&fact.english, english)?)));
    let (fact, values) = fitting.max_by_key(|it| it.0.weight)?;
    let mut text = String::new();
    let mut values = values.into_iter();
    for (number, part) in fact.german.iter().enumerate() {
        if number > 0 {
            let value = values.next().unwrap_or_default();
            // A word is the reader's own; only what has several may be a sentence of ours.
            let is_sentence = depth > 0 && value.contains([' ', ',', ':']);
            let told = is_sentence.then(|| german(value, depth - 1)).flatten();
            let labels = || value.split(", or ").map(|it| Language::German.label(it));
            text += &told.unwrap_or_else(|| labels().collect::<Vec<_>>().join(" oder "));
        }
        text += part;
    }
    Some(text)
}

/// A sentence of another crate, in the parts between its values.
struct Fact {
    english: Vec<&'static str>,
    german: Vec<&'static str>,
    /// How much of it are words of its own.
    weight: usize,
}

fn facts() -> &'static [Fact] {
    static ALL: OnceLock<Vec<Fact>> = OnceLock::new();
    ALL.get_or_init(|| {
        let pairs = FACTS.lines().filter_map(|it| it.split_once('\t'));
        let parts = |it: &'static str| it.split("{}").collect::<Vec<_>>();
        pairs
            .map(|(english, german)| Fact {
                weight: english.len(),
                english: parts(english),
                german: parts(german),
            })
            .collect()
    })
}

/// Names of places by their labels, as `Munich, Bavaria, Germany`.
fn names() -> &'static HashMap<&'static str, &'static str> {
    static ALL: OnceLock<HashMap<&'static str, &'static str>> = OnceLock::new();
    ALL.get_or_init(|| {
        COUNTRIES.lines().chain(PLACES.lines()).filter_map(|it| it.split_once('\t')).collect()
    })
}

/// The values in a text that has these parts, in their order.
fn values<'t>(parts: &[&str], text: &'t str) -> Option<Vec<&'t str>> {
    let (first, others) = parts.split_first()?;
    let mut rest = text.strip_prefix(first)?;
    let Some((last, middle)) = others.split_last() else {
        return rest.is_empty().then(Vec::new);
    };
    let mut values = Vec::new();
    for part in middle {
        let (value, after) = rest.split_once(part)?;
        values.push(value);
        rest = after;
    }
    values.push(rest.strip_suffix(last)?);
    Some(values)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::path::Path;

    use proptest::prelude::*;

    use super::*;

    const CRATES: [&str; 6] = ["query", "web", "crawl", "focus", "fetch", "frontier"];

    #[track_caller]
    fn check(english: &str, german: &str) {
        assert_eq!(Language::German.told(english), german);
        assert_eq!(Language::English.told(english), english);
    }

    #[test]
    fn notes_are_told_with_their_values() {
        check(
            "\"where is\" opens the question and is left out",
            "„where is“ leitet die Frage nur ein und bleibt weg",
        );
        check(
            "lang:x is read as a word: write lang:de",
            "lang:x wird als Wort gelesen: schreiben Sie lang:de",
        );
        check(
            "no place \"Helsnk\" is known: did you mean Helsinki, Uusimaa, Finland, or Hel, Poland?",
            "kein Ort „Helsnk“ ist bekannt: meinten Sie Helsinki, Uusimaa, Finnland oder Hel, Polen?",
        );
        check("something new", "something new");
    }

    #[test]
    fn the_sentence_that_says_most_is_taken() {
        check(
            "the house is not known: \"Allee 900\" is read as Allee, Hamburg, Germany",
            "das Haus ist nicht bekannt: „Allee 900“ wird als Allee, Hamburg, Deutschland gelesen",
        );
        let error = query::parse_position("here").expect_err("it is none").to_string();
        assert!(Language::German.told(&error).starts_with("„here“ ist kein"), "{error}");
    }

    #[test]
    fn countries_have_their_names_and_states_keep_theirs() {
        let label = |it: &str| Language::German.label(it);
        assert_eq!(label("Helsinki, Uusimaa, Finland"), "Helsinki, Uusimaa, Finnland");
        assert_eq!(label("Athens, Georgia, United States"), "Athens, Georgia, Vereinigte Staaten");
        assert_eq!(Language::English.label("Finland"), "Finland");
        let gazetteer = world::gazetteer();
        let named = |text: &str| Language::German.name(&gazetteer.geocode(text, None, 1)[0].place);
        assert_eq!(named("Finland"), "Finnland");
        let world = gazetteer.place(PlaceId::WORLD);
        assert_eq!(Language::German.name(&world), "Welt");
        assert_eq!(Language::English.name(&world), "World");
        assert_eq!(named("Georgia, United States"), "Georgia");
    }

    #[test]
    fn towns_and_regions_have_their_german_names() {
        let label = |it: &str| Language::German.label(it);
        assert_eq!(label("Munich, Bavaria, Germany"), "München, Bayern, Deutschland");
        assert_eq!(
            label("Marienplatz 1, Munich, Bavaria, Germany"),
            "Marienplatz 1, München, Bayern, Deutschland"
        );
        assert_eq!(label("Vienna, Georgia, United States"), "Vienna, Georgia, Vereinigte Staaten");
        let gazetteer = world::gazetteer();
        let named = |text: &str| Language::German.name(&gazetteer.geocode(text, None, 1)[0].place);
        assert_eq!(
            [named("Munich"), named("Bavaria"), named("Helsinki")],
            ["München", "Bayern", "Helsinki"]
        );
    }

    #[test]
    fn the_box_understands_every_german_name_of_a_place() {
        let gazetteer = world::gazetteer();
        for line in PLACES.lines() {
            let (english, german) = line.split_once('\t').expect("two columns");
            let found = gazetteer.geocode(english, None, 1);
            let place = found.first().unwrap_or_else(|| panic!("there is no {english}")).place;
            assert_eq!(place.label(), english);
            let has_name = place.names().any(|it| text::fold(it.1) == text::fold(german));
            assert!(has_name, "the gazetteer does not know that {english} is {german}");
            let written = Language::German.written(gazetteer, english, place.id());
            assert_ne!(written, english, "the box does not understand {german}");
        }
    }

    #[test]
    fn the_box_keeps_the_name_that_it_understands() {
        let gazetteer = world::gazetteer();
        let written = |text: &str| {
            let place = gazetteer.geocode(text, None, 1)[0].place;
            Language::German.written(gazetteer, &place.label(), place.id())
        };
        assert_eq!(written("Finland"), "Finnland");
        assert_eq!(written("Helsinki"), "Helsinki, Uusimaa, Finnland");
    }

    /// The sources of the crates whose sentences a page tells, without their tests. What programs alone are told, and whoever
    /// starts the server, stays English.
    fn sources(crates: &[&str]) -> Vec<String> {
        fn read(folder: &Path, found: &mut Vec<String>) {
            for entry in std::fs::read_dir(folder).expect("a folder").flatten() {
                let path = entry.path();
                let is_for_others = ["web/src/api", "guard.rs", "token.rs", "tests.rs"];
                if is_for_others.iter().any(|it| path.ends_with(it)) {
                    continue;
                }
                if path.is_dir() {
                    read(&path, found);
                    continue;
                }
                let text = std::fs::read_to_string(&path).unwrap_or_default();
                let text = text.split("#[cfg(test)]").next().unwrap_or_default();
                // A long text goes on after a backslash at the end of its line; the formatter breaks lines after brackets.
                let lines = text.lines().map(|it| it.trim_start().replace("\\\"", "\u{1}"));
                found.push(
                    lines
                        .map(|it| it.strip_suffix('\\').map_or(it.clone(), str::to_owned))
                        .collect(),
                );
            }
        }
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        let mut found = Vec::new();
        for name in crates {
            read(&folder.join(name).join("src"), &mut found);
        }
        found
    }

    /// A piece of source as a sentence, with `{}` for whatever stands in braces.
    fn sentence(piece: &str) -> String {
        let mut plain = String::new();
        let mut rest = piece;
        while let Some((before, after)) = rest.split_once('{') {
            plain += &format!("{before}{{}}");
            rest = after.split_once('}').map_or("", |it| it.1);
        }
        (plain + rest).replace('\u{1}', "\"")
    }

    #[test]
    fn every_sentence_that_is_translated_is_told_by_somebody() {
        let all: BTreeSet<String> =
            sources(&CRATES).iter().flat_map(|it| it.split('"')).map(sentence).collect();
        for line in FACTS.lines() {
            let (english, german) = line.split_once('\t').expect("two columns");
            assert!(all.contains(english), "nobody says {english}");
            let places = |it: &str| it.matches("{}").count();
            assert_eq!(places(english), places(german), "{line}");
        }
    }

    #[test]
    fn every_fact_is_translated() {
        let notes = ["text = format!(\"", "text = \"", "note = format!(\""];
        let facts = [
            "#[error(\"",
            "Refusal::bad(\"",
            "Refusal::bad(format!(\"",
            "fact: \"",
            "fact: format!(\"",
            "fact = \"",
            "fact = format!(\"",
            "trouble = format!(\"",
            "told = \"",
            "return Err(\"",
            "return Err(format!(\"",
        ];
        let mut told = BTreeSet::new();
        let mut hear = |sources: Vec<String>, openers: &[&str]| {
            for (source, opener) in
                sources.iter().flat_map(|it| openers.iter().map(move |opener| (it, opener)))
            {
                let pieces = source.split(opener).skip(1);
                told.extend(pieces.filter_map(|it| it.split('"').next()).map(sentence));
            }
        };
        hear(sources(&CRATES), &facts);
        hear(sources(&["query"]), &notes);
        assert!(told.len() > 60, "the facts are not found where they were: {told:#?}");
        let known: BTreeSet<&str> =
            FACTS.lines().filter_map(|it| it.split_once('\t')).map(|it| it.0).collect();
        // What hardly has words of its own, such as "{} is {}: {}", would fit the sentences of others.
        let says_something =
            |it: &&String| it.chars().filter(|it| it.is_alphabetic()).nth(2).is_some();
        let missing: Vec<_> =
            told.iter().filter(says_something).filter(|it| !known.contains(it.as_str())).collect();
        assert!(missing.is_empty(), "templates/words/facts-de.tsv lacks {missing:#?}");
    }

    proptest! {
        #[test]
        fn any_text_can_be_told(text in ".{0,80}") {
            let _ = Language::German.told(&text);
            prop_assert_eq!(Language::English.told(&text), text);
        }
    }
}
