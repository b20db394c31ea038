//! What people call the people of a country, its other names, and where maps put its label.

use std::collections::BTreeMap;

use gazetteer::{Kind, NameClass, PlaceFact};
use geo::{Intersects, Point};
use serde::Deserialize;

use super::archive::Files;
use super::feature::Feature;
use super::naming;
use crate::sink::ImportError;

pub(super) const DEMONYMS: &str = "countries.json";

/// The languages whose words for people are taken.
const LANGUAGES: [&str; 2] = ["eng", "fra"];

/// How far inside a published point has to lie, in degrees: borders are simplified by up to 0.007.
const MARGIN: f64 = 0.01;

/// Names and demonyms, by their codes, for the countries that have a place already.
pub(super) fn demonyms(
    countries: &BTreeMap<String, PlaceFact>,
    world_countries: &Files,
) -> Result<BTreeMap<String, PlaceFact>, ImportError> {
    let entries: Vec<Entry> = world_countries.json(DEMONYMS)?;
    let known =
        |entry: &Entry| Some((entry.cca2.clone(), entry.place(countries.get(&entry.cca2)?)));
    Ok(entries.iter().filter_map(known).collect())
}

/// The published points of countries, as far as they lie in them: those of island states lie in the sea.
pub(super) fn points(
    countries: &BTreeMap<String, PlaceFact>,
    world_countries: &Files,
    features: &[Feature],
) -> Result<Vec<PlaceFact>, ImportError> {
    let mut entries: Vec<Entry> = world_countries.json(DEMONYMS)?;
    entries.sort_by(|a, b| a.cca2.cmp(&b.cca2));
    let known = |entry: &Entry| entry.point(countries.get(&entry.cca2)?, features);
    Ok(entries.iter().filter_map(known).collect())
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Entry {
    cca2: String,
    name: Names,
    alt_spellings: Vec<String>,
    demonyms: BTreeMap<String, Demonym>,
    latlng: [f64; 2],
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
    /// The country moved to the published point, if that lies in it.
    fn point(&self, country: &PlaceFact, features: &[Feature]) -> Option<PlaceFact> {
        let [lat, lon] = self.latlng;
        let parts: Vec<_> =
            features.iter().filter(|feature| feature.country == self.cca2).collect();
        let around = [(0.0, 0.0), (MARGIN, 0.0), (-MARGIN, 0.0), (0.0, MARGIN), (0.0, -MARGIN)];
        let around = around.map(|(east, north)| Point::new(lon + east, lat + north));
        // A point on the border of two regions is in the country: Canada's is.
        let is_in = |point: &Point| parts.iter().any(|part| part.outline.intersects(point));
        let inside = around.iter().all(is_in);
        inside.then(|| PlaceFact::new(&country.key, Kind::Country, "").at(lat, lon))
    }

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
    use crate::packages::feature::tests::feature;

    #[track_caller]
    fn check_point(latlng: &str, expected: bool) {
        let json = format!(
            r#"{{"cca2": "XX", "name": {{"common": "X", "official": "X", "native": []}},
                "altSpellings": [], "demonyms": {{}}, "latlng": {latlng}}}"#
        );
        let place = PlaceFact::new("gn:1", Kind::Country, "X");
        let entry = serde_json::from_str::<Entry>(&json).unwrap();
        let point = entry.point(&place, &[feature(r#""iso_a2": "XX""#)]);
        assert_eq!(point.is_some(), expected);
    }

    #[test]
    fn a_published_point_is_taken_if_it_lies_in_the_country() {
        check_point("[0.4, 0.5]", true);
        check_point("[3, 0.5]", false);
        check_point("[0.001, 0.5]", false);
    }

    #[test]
    fn a_country_gets_its_demonyms_in_two_languages() {
        let json = r#"{"cca2": "FI", "name": {"common": "Finland", "official": "Republic of Finland",
            "native": []}, "altSpellings": ["FI", "Suomi"], "latlng": [64, 26], "demonyms": {
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
