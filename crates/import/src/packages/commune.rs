//! French communes and the postcodes they share.

use std::collections::BTreeMap;

use earth::Point;
use gazetteer::PlaceFact;
use serde::Deserialize;

use super::archive::Files;
use super::city::City;
use super::fold::fold_name;
use super::postcode::postcode;
use super::towns::Towns;
use crate::sink::ImportError;

pub(super) const COMMUNES: &str = "data/communes.json";

/// Departments overseas that are countries to GeoNames.
pub(super) const OVERSEAS: [(&str, &str); 11] = [
    ("971", "GP"),
    ("972", "MQ"),
    ("973", "GF"),
    ("974", "RE"),
    ("975", "PM"),
    ("976", "YT"),
    ("977", "BL"),
    ("978", "MF"),
    ("986", "WF"),
    ("987", "PF"),
    ("988", "NC"),
];

/// A commune or a municipal arrondissement of today.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Commune {
    code: String,
    nom: String,
    #[serde(rename = "type")]
    sort: String,
    #[serde(default)]
    departement: String,
    /// The commune an arrondissement is part of.
    #[serde(default, rename = "commune")]
    part_of: String,
    #[serde(default)]
    codes_postaux: Vec<String>,
    #[serde(default)]
    population: u64,
    /// The commune a former one is part of today.
    #[serde(default)]
    chef_lieu: String,
    /// The number of the city it is, if it was found.
    #[serde(skip)]
    city: Option<usize>,
    /// The number of a city in it: itself, or the seat of a commune merged into it.
    #[serde(skip)]
    inside: Option<usize>,
}

/// Every commune of today and of the years before the mergers, in the order of the numbers.
pub(super) fn communes(etalab: &Files) -> Result<Vec<Commune>, ImportError> {
    let mut communes: Vec<Commune> = etalab.json(COMMUNES)?;
    communes.sort_by(|a, b| a.code.cmp(&b.code).then(b.is_whole().cmp(&a.is_whole())));
    Ok(communes)
}

const ARRONDISSEMENT: &str = "arrondissement-municipal";

/// Finds the city each commune is, by name and department, or at least one within it.
pub(super) fn find_cities(cities: &[City], communes: &mut [Commune]) {
    let towns = Towns::new(cities);
    for commune in communes.iter_mut() {
        commune.city = commune.find(&towns, cities);
        commune.inside = commune.city;
    }
    // A commune made by merging has a new name; the largest of the old ones tells where it is.
    let mut merged: BTreeMap<String, usize> = BTreeMap::new();
    for part in communes.iter().filter(|commune| !commune.chef_lieu.is_empty()) {
        let Some(city) = part.city else { continue };
        let largest = merged.entry(part.chef_lieu.clone()).or_insert(city);
        if cities[*largest].population < cities[city].population {
            *largest = city;
        }
    }
    for commune in communes.iter_mut().filter(|commune| commune.is_whole()) {
        commune.inside = commune.inside.or_else(|| merged.get(&commune.code).copied());
    }
}

/// Writes its INSEE number to every city that is a commune.
pub(super) fn number_cities(communes: &[Commune], cities: &mut [City]) {
    for commune in communes.iter().filter(|commune| commune.is_whole()) {
        if let Some(city) = commune.city {
            cities[city].insee.clone_from(&commune.code);
        }
    }
}

/// The postcodes that have a commune with a position; with the count of those that have none.
pub(super) fn postcodes(
    departments: &BTreeMap<String, String>,
    cities: &[City],
    communes: &[Commune],
) -> (Vec<PlaceFact>, usize) {
    let mut sharing: BTreeMap<&str, Vec<&Commune>> = BTreeMap::new();
    for commune in communes.iter().filter(|commune| commune.is_today()) {
        for code in &commune.codes_postaux {
            sharing.entry(code).or_default().push(commune);
        }
    }
    let all = sharing.len();
    let places: Vec<PlaceFact> = sharing
        .into_iter()
        .filter_map(|(code, communes)| shared(departments, cities, code, &communes))
        .collect();
    let lost = all - places.len();
    (places, lost)
}

fn shared(
    departments: &BTreeMap<String, String>,
    cities: &[City],
    code: &str,
    communes: &[&Commune],
) -> Option<PlaceFact> {
    // An arrondissement tells more exactly where a postcode of its city is.
    let located = communes.iter().copied().filter(|commune| commune.is_found());
    let (wide, exact): (Vec<&Commune>, Vec<&Commune>) = located.partition(|c| c.is_whole());
    let located = if exact.is_empty() { wide } else { exact };
    let wholes: Vec<&&Commune> = communes.iter().filter(|commune| commune.is_whole()).collect();
    let largest = wholes.iter().max_by_key(|c| (c.population, &c.code)).copied();
    let mut place = postcode("FR", code, largest.map_or("", |commune| commune.nom.as_str()));
    place.point = Some(middle(cities, &located)?);
    let only = wholes.first().filter(|_| wholes.len() == 1).and_then(|commune| commune.inside);
    let department = largest.and_then(|commune| departments.get(commune.department()));
    place.parent = only.map(|city| cities[city].key()).or(department.cloned()).unwrap_or_default();
    Some(place)
}

/// The middle of communes, weighted by their people.
fn middle(cities: &[City], communes: &[&Commune]) -> Option<Point> {
    let (mut lat, mut lon, mut weight) = (0.0, 0.0, 0.0);
    for commune in communes {
        let (point, people) = (cities[commune.inside?].point, commune.population.max(1) as f64);
        lat += point.lat * people;
        lon += point.lon * people;
        weight += people;
    }
    let round = |degrees: f64| (degrees * 1e5).round() / 1e5;
    (weight > 0.0).then(|| Point::new(round(lat / weight), round(lon / weight)))
}

impl Commune {
    /// True for a commune, false for an arrondissement of one.
    pub(super) fn is_whole(&self) -> bool {
        self.sort == "commune-actuelle"
    }

    /// True for communes and arrondissements, false for former communes.
    fn is_today(&self) -> bool {
        self.is_whole() || self.sort == ARRONDISSEMENT
    }

    /// True if its city, or one within it, is known.
    pub(super) fn is_found(&self) -> bool {
        self.inside.is_some()
    }

    /// The department in the number: two characters, three overseas.
    fn department(&self) -> &str {
        if !self.departement.is_empty() {
            return &self.departement;
        }
        let digits = if self.code.starts_with("97") || self.code.starts_with("98") { 3 } else { 2 };
        self.code.get(..digits).unwrap_or_default()
    }

    fn find(&self, towns: &Towns<'_>, cities: &[City]) -> Option<usize> {
        let overseas = OVERSEAS.iter().find(|(department, _)| *department == self.department());
        let country = overseas.map_or("FR", |(_, country)| country);
        if self.sort == ARRONDISSEMENT {
            return self.numbered().and_then(|name| towns.starting(country, &name));
        }
        let is_here = |city: &City| {
            overseas.is_some() || city.county.rsplit('.').next() == Some(self.department())
        };
        let called = towns.called(country, &self.nom).iter().copied();
        let here = called.filter(|&number| is_here(&cities[number]));
        // The main name counts more than an alternate one, then the likelier size.
        here.min_by_key(|&number| {
            let city = &cities[number];
            let other_name = fold_name(&city.name) != fold_name(&self.nom);
            (other_name, city.part_of.is_some(), city.population.abs_diff(self.population), number)
        })
    }

    /// `Paris 1er Arrondissement` the way GeoNames begins its name: `Paris 01`.
    fn numbered(&self) -> Option<String> {
        let (city, rest) = self.nom.split_once(' ')?;
        let digits: String = rest.chars().take_while(char::is_ascii_digit).collect();
        let number: u32 = digits.parse().ok()?;
        (!self.part_of.is_empty()).then(|| format!("{city} {number:02}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::packages::city::tests::city;

    fn commune(code: &str, name: &str, postcode: &str, population: u64) -> Commune {
        Commune {
            code: code.to_owned(),
            nom: name.to_owned(),
            sort: "commune-actuelle".to_owned(),
            departement: code[..2].to_owned(),
            part_of: String::new(),
            codes_postaux: vec![postcode.to_owned()],
            population,
            chef_lieu: String::new(),
            city: None,
            inside: None,
        }
    }

    fn in_department(mut city: City, department: &str) -> City {
        city.county = format!("FR.1.{department}");
        city
    }

    #[test]
    fn a_commune_is_the_city_of_its_name_in_its_department() {
        let cities = [
            in_department(city(1, "Saint-Étienne", "FR", (45.0, 4.0)), "42"),
            in_department(city(2, "Saint-Étienne", "FR", (50.0, 2.0)), "62"),
        ];
        let mut communes = [commune("62001", "SAINT-ETIENNE", "62360", 900)];
        find_cities(&cities, &mut communes);
        assert_eq!(communes[0].city, Some(1));
    }

    #[test]
    fn a_shared_postcode_lies_between_its_communes_in_their_department() {
        let cities = [
            in_department(city(1, "A", "FR", (45.0, 4.0)), "01"),
            in_department(city(2, "B", "FR", (46.0, 4.0)), "01"),
        ];
        let mut communes =
            [commune("01001", "A", "01400", 300), commune("01002", "B", "01400", 100)];
        find_cities(&cities, &mut communes);
        let departments = BTreeMap::from([("01".to_owned(), "adm:FR.84.01".to_owned())]);
        let (places, lost) = postcodes(&departments, &cities, &communes);
        assert_eq!((places.len(), lost), (1, 0));
        assert_eq!(places[0].point, Some(Point::new(45.25, 4.0)));
        assert_eq!(places[0].parent, "adm:FR.84.01");
        assert_eq!(places[0].tag("city"), Some("A"));
    }

    #[test]
    fn a_merged_commune_is_where_its_largest_part_is() {
        let cities = [in_department(city(1, "Segré", "FR", (47.7, -0.9)), "49")];
        let mut part = commune("49331", "Segré", "49500", 0);
        part.sort = "commune-deleguee".to_owned();
        part.chef_lieu = "49331".to_owned();
        let mut communes = [commune("49331", "Segré-en-Anjou Bleu", "49500", 17_000), part];
        find_cities(&cities, &mut communes);
        assert_eq!((communes[0].city, communes[0].inside), (None, Some(0)));
    }

    #[test]
    fn an_arrondissement_is_found_by_its_number() {
        let mut first = commune("75101", "Paris 1er Arrondissement", "75001", 1);
        first.part_of = "75056".to_owned();
        assert_eq!(first.numbered().as_deref(), Some("Paris 01"));
    }
}
