//! What people call the people of a country, and its other names.

use std::collections::BTreeMap;

use gazetteer::{Kind, NameClass, PlaceFact};
use serde::Deserialize;

use super::archive::Files;
use super::naming;
use crate::sink::ImportError;

pub(super) const DEMONYMS: &str = "countries.json";

/// The languages whose words for people are taken.
const LANGUAGES: [&str; 2] = ["eng", "fra"];

/// Names and demonyms for the countries that have a place already.
pub(super) fn demonyms(
    countries: &BTreeMap<String, PlaceFact>,
    world_countries: &Files,
) -> Result<Vec<PlaceFact>, ImportError> {
    let mut entries: Vec<Entry> = world_countries.json(DEMONYMS)?;
    entries.sort_by(|a, b| a.cca2.cmp(&b.cca2));
    let known = |entry: &Entry| Some(entry.place(countries.get(&entry.cca2)?));
    Ok(entries.iter().filter_map(known).collect())
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Entry {
    cca2: String,
    name: Names,
    alt_spellings: Vec<String>,
    demonyms: BTreeMap<String, Demonym>,
}

#[derive(Deserialize)]
struct Names {
    common: String,
    official: String,
    #[serde(default, deserialize_with = "map_or_list")]
    native: BTreeMap<String, NativeName>,
}

#[derive(Deserialize)]
struct NativeName {
    common: String,
    official: String,
}

#[derive(Deserialize)]
struct Demonym {
    f: String,
    m: String,
}

/// An empty map is written as an empty list.
fn map_or_list<'de, D: serde::Deserializer<'de>>(
    from: D,
) -> Result<BTreeMap<String, NativeName>, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Either {
        Map(BTreeMap<String, NativeName>),
        List([NativeName; 0]),
    }
    Ok(match Either::deserialize(from)? {
        Either::Map(map) => map,
        Either::List(_) => BTreeMap::new(),
    })
}

impl Entry {
    fn place(&self, country: &PlaceFact) -> PlaceFact {
        let mut place = PlaceFact::new(&country.key, Kind::Country, &country.name);
        place.also(NameClass::Alternate, &self.name.common);
        place.also(NameClass::Alternate, &self.name.official);
        for native in self.name.native.values() {
            place.also(NameClass::Alternate, &native.common);
            place.also(NameClass::Alternate, &native.official);
        }
        for name in &self.alt_spellings {
            naming::add(&mut place, name);
        }
        for demonym in LANGUAGES.iter().filter_map(|&language| self.demonyms.get(language)) {
            place.also(NameClass::Demonym, &demonym.m);
            place.also(NameClass::Demonym, &demonym.f);
        }
        place
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_country_gets_its_demonyms_in_two_languages() {
        let json = r#"{"cca2": "FI", "name": {"common": "Finland", "official": "Republic of Finland",
            "native": []}, "altSpellings": ["FI", "Suomi"], "demonyms": {
            "eng": {"f": "Finnish", "m": "Finnish"},
            "fra": {"f": "Finlandaise", "m": "Finlandais"}}}"#;
        let finland = PlaceFact::new("gn:660013", Kind::Country, "Finland");
        let place = serde_json::from_str::<Entry>(json).unwrap().place(&finland);
        let of =
            |class| place.names.iter().filter(move |n| n.class == class).map(|n| n.text.as_str());
        assert_eq!(
            of(NameClass::Demonym).collect::<Vec<_>>(),
            ["Finnish", "Finlandais", "Finlandaise"]
        );
        assert_eq!(of(NameClass::Short).collect::<Vec<_>>(), ["FI"]);
        assert_eq!(of(NameClass::Alternate).collect::<Vec<_>>(), ["Republic of Finland", "Suomi"]);
    }
}
