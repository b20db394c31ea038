//! Airports and airfields with their codes and the names people call them by.

use std::collections::BTreeMap;

use earth::Point;
use gazetteer::{Kind, NameClass, PlaceFact};
use serde::Deserialize;

use super::archive::Files;
use super::city::City;
use super::towns::Towns;
use crate::sink::{ImportError, Sink};

pub(super) const AIRPORTS: &str = "airportsdata/airports.csv";

/// An airport's city is not farther away than this.
const REACH_KM: f64 = 60.0;

/// Abbreviations in names, with what they stand for.
const ABBREVIATIONS: [(&str, &str); 22] = [
    ("Aaf", "Army Airfield"),
    ("Afb", "Air Force Base"),
    ("Ahp", "Army Heliport"),
    ("Ang", "Air National Guard"),
    ("Angb", "Air National Guard Base"),
    ("Arb", "Air Reserve Base"),
    ("Co", "County"),
    ("Exec", "Executive"),
    ("Fld", "Field"),
    ("Intcntl", "Intercontinental"),
    ("Intl", "International"),
    ("Mcaf", "Marine Corps Air Facility"),
    ("Mcas", "Marine Corps Air Station"),
    ("Mem", "Memorial"),
    ("Metro", "Metropolitan"),
    ("Muni", "Municipal"),
    ("Nas", "Naval Air Station"),
    ("Nolf", "Naval Outlying Field"),
    ("Ntl", "National"),
    ("Reg", "Regional"),
    ("Rgnl", "Regional"),
    ("Usfs", "US Forest Service"),
];

/// Words in parentheses or between slashes that are remarks, not names.
const REMARKS: [&str; 4] = ["pvt", "private", "stol", "lower"];

/// Endings after which a name needs no `Airport`.
const SORTS: [&str; 9] = [
    "Airport",
    "Field",
    "Airfield",
    "Airpark",
    "Airstrip",
    "Aerodrome",
    "Base",
    "Station",
    "Heliport",
];

/// Every airport, in the order of the file.
pub(super) fn airports(
    towns: &Towns<'_>,
    files: &Files,
    sink: &mut Sink<'_>,
) -> Result<Vec<PlaceFact>, ImportError> {
    let mut airports: Vec<Airport> = Vec::new();
    let mut reader = csv::Reader::from_reader(files.bytes(AIRPORTS)?);
    for (at, record) in reader.deserialize().enumerate() {
        match record {
            Ok(airport) => airports.push(airport),
            Err(error) => sink.bad(AIRPORTS, at as u64 + 2, error.to_string())?,
        }
    }
    let serving = Serving::new(&airports);
    Ok(airports.iter().map(|airport| airport.place(towns, &serving)).collect())
}

#[derive(Deserialize)]
struct Airport {
    icao: String,
    iata: String,
    name: String,
    city: String,
    country: String,
    lat: f64,
    lon: f64,
    tz: String,
    lid: String,
}

/// How many airports, and how many with an IATA code, name a city as theirs.
struct Serving<'a> {
    counts: BTreeMap<(&'a str, &'a str), (u32, u32)>,
}

impl<'a> Serving<'a> {
    fn new(airports: &'a [Airport]) -> Self {
        let mut counts: BTreeMap<(&str, &str), (u32, u32)> = BTreeMap::new();
        for airport in airports.iter().filter(|airport| !airport.city.is_empty()) {
            let count = counts.entry((&airport.country, &airport.city)).or_default();
            count.0 += 1;
            count.1 += u32::from(!airport.iata.is_empty());
        }
        Self { counts }
    }

    /// True if an airport is the only one of its city, or the only one with an IATA code.
    fn only(&self, airport: &Airport) -> bool {
        let key = (airport.country.as_str(), airport.city.as_str());
        let (all, coded) = self.counts.get(&key).copied().unwrap_or_default();
        all == 1 || (coded == 1 && !airport.iata.is_empty())
    }
}

impl Airport {
    fn place(&self, towns: &Towns<'_>, serving: &Serving<'_>) -> PlaceFact {
        let point = Point::new(self.lat, self.lon);
        let town = towns.nearest((&self.country, &self.city), REACH_KM, point, |_| true);
        let parent = town.map(City::key).unwrap_or_default();
        let key = format!("icao:{}", self.icao);
        let mut place = PlaceFact::new(key, Kind::Airport, self.name.trim()).within(parent);
        place.point = Some(point);
        for code in [&self.iata, &self.icao, &self.lid] {
            place.also(NameClass::Short, code);
        }
        let shorter =
            if self.iata.is_empty() { Vec::new() } else { shorter(&self.name, &self.city) };
        for form in forms(&self.name).iter().chain(&shorter) {
            place.also(NameClass::Alternate, form);
        }
        if serving.only(self) {
            place.also(NameClass::Alternate, &format!("{} Airport", self.city));
        }
        let tags = [("iata", &self.iata), ("tz", &self.tz), ("city", &self.city)];
        let given = tags.into_iter().filter(|(_, value)| !value.is_empty());
        place.tags = given.map(|(word, value)| (word.to_owned(), value.clone())).collect();
        place
    }
}

/// The ways a name is written: abbreviations spelt out, and each part of a double name.
fn forms(name: &str) -> Vec<String> {
    let mut forms = Vec::new();
    let mut add = |form: String| {
        if form != name && !form.is_empty() && !forms.contains(&form) {
            forms.push(form);
        }
    };
    add(spelt_out(name));
    for part in parts(name) {
        let spelt = spelt_out(&part);
        add(part);
        add(spelt);
    }
    forms
}

/// How travellers shorten the name of an airport with flights: without `International`, and
/// without its city where a name is left: `Heathrow Airport`.
fn shorter(name: &str, city: &str) -> Vec<String> {
    const NO_NAMES: [&str; 8] = [
        "Airport",
        "City",
        "County",
        "International",
        "Metropolitan",
        "Municipal",
        "National",
        "Regional",
    ];
    let plain = name.replace(" International Airport", " Airport");
    let rest = plain.strip_prefix(city).and_then(|rest| rest.strip_prefix(' '));
    let named = rest.filter(|rest| {
        let first = rest.split(' ').next().unwrap_or_default();
        !city.is_empty() && rest.ends_with(" Airport") && !NO_NAMES.contains(&first)
    });
    let named = named.map(str::to_owned);
    [Some(plain), named].into_iter().flatten().filter(|form| form != name).collect()
}

fn spelt_out(name: &str) -> String {
    let full = |word: &str| {
        let known = ABBREVIATIONS.iter().find(|(short, _)| *short == word.trim_end_matches('.'));
        known.map_or_else(|| word.to_owned(), |(_, full)| (*full).to_owned())
    };
    // A base needs no `Airport` behind it: "Andrews Afb Airport".
    let words: Vec<String> = name.split_whitespace().map(full).collect();
    let spelt = words.join(" ");
    let bare = spelt.strip_suffix(" Airport").unwrap_or(&spelt);
    if ["Base", "Station", "Airfield"].iter().any(|end| bare.ends_with(end)) {
        return bare.to_owned();
    }
    spelt
}

/// `Wokal Field/Glasgow-Valley County Airport` is `Wokal Field` and `Glasgow-Valley County Airport`.
fn parts(name: &str) -> Vec<String> {
    if !name.contains(['/', '(', ')']) {
        return Vec::new();
    }
    let body = name.strip_suffix(" Airport").unwrap_or(name);
    let cut = body != name;
    let real = |part: &&str| part.len() > 2 && !REMARKS.contains(&part.to_lowercase().as_str());
    let named = |part: &str| {
        let has_sort = SORTS.iter().any(|sort| part.ends_with(sort));
        if cut && !has_sort { format!("{part} Airport") } else { part.to_owned() }
    };
    body.split(['/', '(', ')']).map(str::trim).filter(real).map(named).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(name: &str, expected: &[&str]) {
        assert_eq!(forms(name), expected);
    }

    #[test]
    fn abbreviations_are_spelt_out() {
        check("Elmendorf Afb Airport", &["Elmendorf Air Force Base"]);
        check("Fallon Nas", &["Fallon Naval Air Station"]);
        check("Ronald Reagan Ntl Airport", &["Ronald Reagan National Airport"]);
        check("Houston Intcntl Airport", &["Houston Intercontinental Airport"]);
    }

    #[test]
    fn each_part_of_a_double_name_is_a_name() {
        check(
            "Wokal Field/Glasgow-Valley County Airport",
            &["Wokal Field", "Glasgow-Valley County Airport"],
        );
        check("Þingeyri (Thingeyri) Airport", &["Þingeyri Airport", "Thingeyri Airport"]);
    }

    #[test]
    fn travellers_say_neither_international_nor_the_city() {
        assert_eq!(shorter("London Heathrow Airport", "London"), ["Heathrow Airport"]);
        assert_eq!(
            shorter("Los Angeles International Airport", "Los Angeles"),
            ["Los Angeles Airport"]
        );
        assert!(shorter("Lubbock County Airport", "Lubbock").is_empty());
    }

    #[test]
    fn a_remark_is_no_name() {
        check("Howard /Private/ Airport", &["Howard Airport"]);
    }

    #[test]
    fn a_plain_name_has_no_other_form() {
        check("Helsinki Vantaa Airport", &[]);
    }
}
