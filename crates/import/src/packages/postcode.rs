//! The ZIP codes of the United States.

use std::collections::BTreeMap;

use earth::Point;
use gazetteer::{Kind, PlaceFact};
use serde::Deserialize;

use super::archive::Files;
use super::city::City;
use super::towns::Towns;
use crate::sink::ImportError;

pub(super) const ZIP_CODES: &str = "lib/codes.js";

/// A ZIP code's city is not farther away than this.
const REACH_KM: f64 = 40.0;

/// Possessions that are countries to GeoNames.
const TERRITORIES: [&str; 8] = ["AS", "FM", "GU", "MH", "MP", "PR", "PW", "VI"];

/// What came of the list.
pub(super) struct ZipCodes {
    pub(super) places: Vec<PlaceFact>,
    /// Field post offices and others that are nowhere.
    pub(super) nowhere: usize,
}

/// Every ZIP code that has a position, in the order of the numbers.
pub(super) fn zip_codes(towns: &Towns<'_>, zipcodes: &Files) -> Result<ZipCodes, ImportError> {
    let script = zipcodes.text(ZIP_CODES)?;
    let codes = parse(script).map_err(|reason| {
        zipcodes.foreign(ZIP_CODES, "script that exports a table of ZIP codes", &reason)
    })?;
    let all = codes.len();
    let located = codes.into_values().filter(ZipCode::is_somewhere);
    let places: Vec<PlaceFact> = located.map(|code| code.place(towns)).collect();
    Ok(ZipCodes { nowhere: all - places.len(), places })
}

/// A postcode with the tags all postcodes have.
pub(super) fn postcode(country: &str, code: &str, city: &str) -> PlaceFact {
    let mut place = PlaceFact::new(format!("zip:{country}-{code}"), Kind::Postcode, code);
    place.tags = vec![("iso2".to_owned(), country.to_owned())];
    if !city.is_empty() {
        place.tags.push(("city".to_owned(), city.to_owned()));
    }
    place
}

/// The table is the value of the first assignment in the script.
fn parse(script: &str) -> Result<BTreeMap<String, ZipCode>, String> {
    let start = script.find('{').ok_or("there is no table")?;
    let mut tables = serde_json::Deserializer::from_str(&script[start..]).into_iter();
    tables.next().ok_or("the table is empty")?.map_err(|error| error.to_string())
}

#[derive(Deserialize)]
struct ZipCode {
    zip: String,
    latitude: f64,
    longitude: f64,
    city: String,
    state: String,
}

impl ZipCode {
    fn is_somewhere(&self) -> bool {
        self.latitude != 0.0 || self.longitude != 0.0
    }

    fn place(&self, towns: &Towns<'_>) -> PlaceFact {
        let point = Point::new(self.latitude, self.longitude);
        let mut place = postcode("US", &self.zip, &self.city);
        place.point = Some(point);
        place.parent = self.town(towns, point).map(City::key).unwrap_or_default();
        place
    }

    fn town<'a>(&self, towns: &Towns<'a>, point: Point) -> Option<&'a City> {
        if TERRITORIES.contains(&self.state.as_str()) {
            return towns.nearest((&self.state, &self.city), REACH_KM, point, |_| true);
        }
        let state = format!("US.{}", self.state);
        towns.nearest(("US", &self.city), REACH_KM, point, |town| town.region == state)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::packages::city::tests::city;

    const SCRIPT: &str = r#"exports.codes = {"90210": {"zip": "90210", "latitude": 34.09,
        "longitude": -118.41, "city": "Beverly Hills", "state": "CA", "country": "US"}};
        exports.stateMap = {"CA": ["90210"]};"#;

    #[test]
    fn a_zip_code_is_part_of_the_city_of_its_name() {
        let mut beverly_hills = city(5_328_041, "Beverly Hills", "US", (34.07, -118.4));
        beverly_hills.region = "US.CA".to_owned();
        let cities = [beverly_hills];
        let codes = parse(SCRIPT).unwrap();
        let place = codes["90210"].place(&Towns::new(&cities));
        assert_eq!((place.key.as_str(), place.parent.as_str()), ("zip:US-90210", "gn:5328041"));
        assert_eq!(place.tag("city"), Some("Beverly Hills"));
    }

    #[test]
    fn a_field_post_office_is_nowhere() {
        let script = SCRIPT.replace("34.09", "0").replace("-118.41", "0");
        assert!(!parse(&script).unwrap()["90210"].is_somewhere());
    }
}
