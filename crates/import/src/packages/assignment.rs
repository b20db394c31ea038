//! Which division each of Natural Earth's features is.
//!
//! Natural Earth and GeoNames divide countries at different levels and in different years. What
//! they have in common is the cities: a feature is the division that has the same ones.

use std::collections::{BTreeMap, BTreeSet};

use super::areas::Areas;
use super::city::City;
use super::division::{Divisions, country_of, region_of};
use super::feature::Feature;
use super::fold::fold_bare;

/// Two sets of cities are the same place if they share this much of what both have (Jaccard).
const SAME: f64 = 0.6;

/// A claim by id or code stands unless the cities share less than this.
const CLAIMED: f64 = 0.2;

/// A county that shares this much with a region's feature has the region's outline.
const TWIN: f64 = 0.95;

/// Features joined make a region if the cities share at least this.
const JOINED: f64 = 0.5;

/// A feature is part of the region that has this share of its cities.
const MAJORITY: f64 = 0.6;

/// What each feature is.
#[derive(Debug, Default)]
pub(super) struct Assignment {
    /// For each feature the code of the region or county it is.
    pub(super) own: Vec<Option<String>>,
    /// The features each region and county is made of.
    pub(super) parts: BTreeMap<String, Vec<usize>>,
    /// For each feature the code of the region it is or lies in.
    home: Vec<Option<String>>,
    /// Counties that are the whole of a region, with the feature.
    twins: Vec<(String, usize)>,
}

/// Counts of cities in features and divisions.
struct Counts<'a> {
    /// Cities of the feature's own country in each feature.
    feature: Vec<usize>,
    /// The same, with a known county only.
    feature_counties: Vec<usize>,
    /// Cities of each division that lie in any feature.
    unit: BTreeMap<&'a str, usize>,
    /// Cities each feature and division have in common.
    both: Vec<BTreeMap<&'a str, usize>>,
}

/// The feature each city lies in.
pub(super) fn locate(features: &[Feature], cities: &[City]) -> Vec<Option<usize>> {
    let areas = Areas::new(features.iter().map(|feature| &feature.outline).enumerate());
    cities.iter().map(|city| areas.at(city.point)).collect()
}

/// Gives a feature to the country nearly all its cities are in.
///
/// This gives French Guiana to GF, Bonaire to BQ, Laâyoune to EH, Northern Cyprus to CY and
/// Crimea to UA, as GeoNames has it. A feature that has a country, and leaves it for one that has
/// others, must have many cities: near a border the odd city lies on the wrong side.
/// Returns how many features changed hands.
pub(super) fn follow_cities(
    located: &[Option<usize>],
    cities: &[City],
    features: &mut [Feature],
) -> usize {
    const NEARLY_ALL: f64 = 0.7;
    const MANY: usize = 5;
    let drawn: BTreeSet<String> = features.iter().map(|feature| feature.country.clone()).collect();
    let mut votes: Vec<BTreeMap<&str, usize>> = vec![BTreeMap::new(); features.len()];
    for (city, feature) in cities.iter().zip(located) {
        if let Some(feature) = *feature {
            *votes[feature].entry(&city.country).or_default() += 1;
        }
    }
    let mut changed = 0;
    for (feature, votes) in features.iter_mut().zip(votes) {
        let all: usize = votes.values().sum();
        let Some((country, count)) = votes.into_iter().max_by_key(|&(_, count)| count) else {
            continue;
        };
        let free = count >= MANY || !drawn.contains(country);
        if free && count as f64 >= NEARLY_ALL * all as f64 && feature.country != country {
            country.clone_into(&mut feature.country);
            changed += 1;
        }
    }
    changed
}

impl Assignment {
    /// Finds out what each feature is.
    pub(super) fn new(
        divisions: &Divisions,
        cities: &[City],
        features: &[Feature],
        located: &[Option<usize>],
    ) -> Self {
        let counts = Counts::new(features, cities, located);
        let names = Names::new(divisions);
        let mut assignment = Self::default();
        for (number, feature) in features.iter().enumerate() {
            let own = counts
                .claimed(divisions, number, feature)
                .or_else(|| counts.alike(number))
                .or_else(|| names.only(&counts, number, feature));
            let home = own
                .filter(|&own| divisions.regions.contains_key(own) && counts.unit.contains_key(own))
                .or_else(|| counts.majority(number))
                .or_else(|| own.map(region_of));
            if let Some(twin) = own.and_then(|own| counts.twin(number, own)) {
                assignment.twins.push((twin.to_owned(), number));
            }
            assignment.own.push(own.map(str::to_owned));
            assignment.home.push(home.map(str::to_owned));
        }
        assignment.compose(&counts);
        assignment
    }

    /// The features each division is made of.
    fn compose(&mut self, counts: &Counts<'_>) {
        let mut own: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
        let mut all: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
        for (number, (is, within)) in self.own.iter().zip(&self.home).enumerate() {
            if let Some(is) = is {
                own.entry(is).or_default().push(number);
                all.entry(is).or_default().push(number);
            }
            if let Some(within) = within.as_ref().filter(|within| Some(*within) != is.as_ref()) {
                all.entry(within).or_default().push(number);
            }
        }
        let mut parts: BTreeMap<String, Vec<usize>> = BTreeMap::new();
        for (code, features) in all {
            let alone = own.get(code).cloned().unwrap_or_default();
            let likeness = counts.likeness_of_all(&features, code);
            if alone.is_empty() && likeness >= JOINED {
                parts.insert(code.to_owned(), features);
            } else if !alone.is_empty() {
                let better = likeness > counts.likeness_of_all(&alone, code);
                parts.insert(code.to_owned(), if better { features } else { alone });
            }
        }
        for (county, number) in &self.twins {
            parts.entry(county.clone()).or_insert_with(|| vec![*number]);
        }
        self.parts = parts;
    }
}

impl<'a> Counts<'a> {
    fn new(features: &[Feature], cities: &'a [City], located: &[Option<usize>]) -> Self {
        let mut counts = Self {
            feature: vec![0; features.len()],
            feature_counties: vec![0; features.len()],
            unit: BTreeMap::new(),
            both: vec![BTreeMap::new(); features.len()],
        };
        for (city, feature) in cities.iter().zip(located) {
            let Some(feature) = *feature else { continue };
            if features[feature].country != city.country {
                continue;
            }
            counts.feature[feature] += 1;
            counts.feature_counties[feature] += usize::from(!city.county.is_empty());
            for code in [city.region.as_str(), city.county.as_str()] {
                if !code.is_empty() {
                    *counts.unit.entry(code).or_default() += 1;
                    *counts.both[feature].entry(code).or_default() += 1;
                }
            }
        }
        counts
    }

    /// How much the cities of a feature and a division are the same, from 0 to 1.
    fn likeness(&self, feature: usize, unit: &str) -> f64 {
        self.likeness_of_all(&[feature], unit)
    }

    /// The same for several features taken together.
    fn likeness_of_all(&self, features: &[usize], unit: &str) -> f64 {
        let is_county = region_of(unit) != unit;
        let known = if is_county { &self.feature_counties } else { &self.feature };
        let in_features: usize = features.iter().map(|&feature| known[feature]).sum();
        let in_unit = self.unit.get(unit).copied().unwrap_or(0);
        let both = features.iter().filter_map(|&feature| self.both[feature].get(unit));
        let in_both: usize = both.sum();
        in_both as f64 / (in_features + in_unit - in_both).max(1) as f64
    }

    /// The region a feature claims to be by its id, or its code together with its cities.
    fn claimed<'b>(
        &self,
        divisions: &'b Divisions,
        number: usize,
        feature: &Feature,
    ) -> Option<&'b str>
    where
        'a: 'b,
    {
        let at_home = |code: &str| country_of(code) == feature.country;
        let by_id = feature.geonames_id().and_then(|id| divisions.by_id.get(&id));
        if let Some(code) = by_id.filter(|code| at_home(code)) {
            let name = fold_bare(&divisions.regions[code].name);
            if self.agrees(number, code) || feature.names().any(|other| fold_bare(other) == name) {
                return Some(code);
            }
        }
        let (code, _) = divisions.regions.get_key_value(feature.region_code())?;
        (at_home(code) && self.likeness(number, code) >= SAME).then_some(code)
    }

    /// False if the cities of a feature and a division say that they are not the same.
    fn agrees(&self, number: usize, unit: &str) -> bool {
        let Some(&in_unit) = self.unit.get(unit) else { return true };
        let in_both = self.both[number].get(unit).copied().unwrap_or(0);
        self.feature[number] == 0
            || 2 * in_both >= in_unit
            || self.likeness(number, unit) >= CLAIMED
    }

    /// The division with the same cities; of a region and its only county, the region.
    fn alike(&self, number: usize) -> Option<&'a str> {
        let units = self.both[number].keys().map(|&unit| (self.likeness(number, unit), unit));
        let best = units.max_by(|a, b| a.0.total_cmp(&b.0).then(b.1.len().cmp(&a.1.len())))?;
        (best.0 >= SAME).then_some(best.1)
    }

    /// The region most of the feature's cities are in.
    fn majority(&self, number: usize) -> Option<&'a str> {
        let regions = self.both[number].iter().filter(|(unit, _)| region_of(unit) == **unit);
        let (region, &count) = regions.max_by_key(|&(_, &count)| count)?;
        (count as f64 >= MAJORITY * self.feature[number] as f64).then_some(region)
    }

    /// The county that is all of this region.
    fn twin(&self, number: usize, region: &str) -> Option<&'a str> {
        let counties = self.both[number].keys().copied();
        let mut own = counties.filter(|unit| *unit != region && region_of(unit) == region);
        own.find(|county| self.likeness(number, county) >= TWIN)
    }
}

/// Divisions by country and folded name; a name that two of a kind share leads nowhere.
struct Names<'a> {
    regions: BTreeMap<(&'a str, String), Option<&'a str>>,
    counties: BTreeMap<(&'a str, String), Option<&'a str>>,
}

impl<'a> Names<'a> {
    fn new(divisions: &'a Divisions) -> Self {
        let index = |places: &'a BTreeMap<String, gazetteer::PlaceFact>| {
            let mut index: BTreeMap<(&'a str, String), Option<&'a str>> = BTreeMap::new();
            for (code, place) in places {
                let key = (country_of(code), fold_bare(&place.name));
                index.entry(key).and_modify(|only| *only = None).or_insert(Some(code));
            }
            index
        };
        Self { regions: index(&divisions.regions), counties: index(&divisions.counties) }
    }

    /// The only division with a name of the feature's, unless their cities contradict.
    fn only(&self, counts: &Counts<'_>, number: usize, feature: &Feature) -> Option<&'a str> {
        let agrees = |code: &&str| counts.agrees(number, code);
        feature.names().find_map(|name| {
            let key = (feature.country.as_str(), fold_bare(name));
            let region = self.regions.get(&key).copied().flatten().filter(agrees);
            region.or_else(|| self.counties.get(&key).copied().flatten().filter(agrees))
        })
    }
}

#[cfg(test)]
mod tests {
    use gazetteer::{Kind, PlaceFact};

    use super::*;
    use crate::packages::city::tests::city;
    use crate::packages::feature::tests::feature;
    use crate::packages::topology::tests::square;

    /// Squares of one degree in a row, called A, B, C …
    fn squares(count: u8) -> Vec<Feature> {
        let draw = |number: u8| {
            let name = char::from(b'A' + number);
            let mut feature = feature(&format!(r#""name": "{name}", "iso_a2": "GB""#));
            feature.outline = square(f64::from(number), 50.0, 1.0);
            feature
        };
        (0..count).map(draw).collect()
    }

    fn divisions(regions: &[&str], counties: &[&str]) -> Divisions {
        let places = |codes: &[&str], kind| {
            let place = |code: &&str| ((*code).to_owned(), PlaceFact::new(*code, kind, *code));
            codes.iter().map(place).collect()
        };
        Divisions {
            regions: places(regions, Kind::Region),
            counties: places(counties, Kind::County),
            by_id: BTreeMap::new(),
        }
    }

    /// Three cities in the square of this number, of this region and county.
    fn three(number: u8, region: &str, county: &str) -> Vec<City> {
        let within = |step: u8| {
            let x = f64::from(number) + f64::from(step) / 4.0;
            let mut city = city(u64::from(step), "X", "GB", (50.55, x));
            (city.region, city.county) = (region.to_owned(), county.to_owned());
            city
        };
        (1..4).map(within).collect()
    }

    #[test]
    fn a_feature_is_the_county_with_the_same_cities_and_features_make_a_region() {
        let mut features = squares(2);
        let divisions = divisions(&["GB.ENG"], &["GB.ENG.1", "GB.ENG.2"]);
        let cities = [three(0, "GB.ENG", "GB.ENG.1"), three(1, "GB.ENG", "GB.ENG.2")].concat();
        let located = locate(&features, &cities);
        assert_eq!(follow_cities(&located, &cities, &mut features), 0);
        let assignment = Assignment::new(&divisions, &cities, &features, &located);
        assert_eq!(assignment.parts["GB.ENG.2"], [1]);
        assert_eq!(assignment.parts["GB.ENG"], [0, 1]);
    }

    #[test]
    fn a_feature_goes_to_the_country_of_its_cities_if_that_has_no_other() {
        let mut features = squares(1);
        let mut cities = three(0, "GF.GF", "");
        for city in &mut cities {
            "GF".clone_into(&mut city.country);
        }
        let located = locate(&features, &cities);
        assert_eq!(follow_cities(&located, &cities, &mut features), 1);
        assert_eq!(features[0].country, "GF");
    }

    #[test]
    fn a_feature_wider_than_any_division_is_none() {
        let features = squares(1);
        let divisions = divisions(&["GB.1", "GB.2"], &[]);
        let cities = [three(0, "GB.1", ""), three(0, "GB.2", "")].concat();
        let located = locate(&features, &cities);
        let assignment = Assignment::new(&divisions, &cities, &features, &located);
        assert_eq!(assignment.own, [None]);
        assert!(assignment.parts.is_empty());
    }
}
