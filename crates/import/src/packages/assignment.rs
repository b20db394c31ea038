//! Which division each of Natural Earth's features is.
//!
//! Natural Earth and GeoNames divide countries at different levels and in different years. What
//! they have in common is the cities: a feature is the division that has the same ones.

use std::collections::BTreeMap;

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

/// A feature is part of the region that has this share of its cities.
const MAJORITY: f64 = 0.6;

/// What each feature is.
#[derive(Debug, Default)]
pub(super) struct Assignment {
    /// For each feature the code of the region or county it is.
    pub(super) own: Vec<Option<String>>,
    /// For each feature the code of the region it is or lies in.
    pub(super) home: Vec<Option<String>>,
    /// Counties that are the whole of a region, with the feature.
    pub(super) twins: Vec<(String, usize)>,
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

/// Gives a feature to the country its cities are in, if nearly all are in one.
///
/// This gives French Guiana to GF, Bonaire to BQ, Svalbard to SJ, Northern Cyprus to CY and
/// Crimea to UA, as GeoNames has it. Returns how many features changed hands.
pub(super) fn follow_cities(
    located: &[Option<usize>],
    cities: &[City],
    features: &mut [Feature],
) -> usize {
    const NEARLY_ALL: f64 = 0.8;
    let mut votes: Vec<BTreeMap<&str, usize>> = vec![BTreeMap::new(); features.len()];
    for (city, feature) in cities.iter().zip(located) {
        if let Some(feature) = *feature {
            *votes[feature].entry(&city.country).or_default() += 1;
        }
    }
    let mut changed = 0;
    for (feature, votes) in features.iter_mut().zip(votes) {
        let all: usize = votes.values().sum();
        let first = votes.into_iter().max_by_key(|&(_, count)| count);
        if let Some((country, count)) = first
            && count as f64 >= NEARLY_ALL * all as f64
            && feature.country != country
        {
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
        assignment
    }

    /// The features that are a county, or that make up a region.
    pub(super) fn features_of(&self) -> BTreeMap<&str, Vec<usize>> {
        let mut features: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
        for (number, (own, home)) in self.own.iter().zip(&self.home).enumerate() {
            let both = if own == home { [own.as_ref(), None] } else { [own.as_ref(), home.as_ref()] };
            for code in both.into_iter().flatten() {
                features.entry(code).or_default().push(number);
            }
        }
        for (county, number) in &self.twins {
            features.entry(county).or_insert_with(|| vec![*number]);
        }
        features
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
        let is_county = region_of(unit) != unit;
        let in_feature = if is_county { &self.feature_counties } else { &self.feature }[feature];
        let in_unit = self.unit.get(unit).copied().unwrap_or(0);
        let in_both = self.both[feature].get(unit).copied().unwrap_or(0);
        in_both as f64 / (in_feature + in_unit - in_both).max(1) as f64
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
            let empty = self.feature[number] == 0 || !self.unit.contains_key(code.as_str());
            if empty || self.likeness(number, code) >= CLAIMED {
                return Some(code);
            }
        }
        let (code, _) = divisions.regions.get_key_value(feature.region_code())?;
        (at_home(code) && self.likeness(number, code) >= SAME).then_some(code)
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
        let agrees = |code: &&str| {
            !counts.unit.contains_key(code) || counts.likeness(number, code) >= CLAIMED
        };
        feature.names().find_map(|name| {
            let key = (feature.country.as_str(), fold_bare(name));
            let region = self.regions.get(&key).copied().flatten().filter(agrees);
            region.or_else(|| self.counties.get(&key).copied().flatten().filter(agrees))
        })
    }
}
