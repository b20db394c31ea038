//! The address lists of openaddresses.io: CSV with a header, or one `GeoJSON` feature per line.

use std::collections::{HashMap, HashSet};
use std::path::Path;

use earth::Point;
use gazetteer::{Fact, HouseFact, Kind, PlaceFact};
use geojson::{Feature, GeometryValue};
use xxhash_rust::xxh3::xxh3_64;

use crate::lines::{Pass, each_line};
use crate::sink::{ImportError, Sink};
use crate::source;

/// Reads a list of addresses: `.csv` or `.geojson`, plain, gzipped or zipped.
///
/// Houses of one street name in one city are one street; where the list names no city, the district
/// or the postcode stands for it. The list is read twice: once for the streets, once for the houses.
pub fn openaddresses(path: &Path, sink: &mut Sink<'_>) -> Result<(), ImportError> {
    let mut streets: HashMap<u64, Street> = HashMap::new();
    each_address(Pass { number: 0, of: 2 }, path, sink, &mut |_, address| {
        streets.entry(address.street_id()).or_insert_with(|| address.new_street()).add(&address);
    })?;
    sink.fact(source::OPENADDRESSES.of(path));
    put_streets(streets, sink);

    let mut known = HashSet::new();
    each_address(Pass { number: 1, of: 2 }, path, sink, &mut |sink, address| {
        let number_id = xxh3_64(address.number.to_lowercase().as_bytes());
        // Flats of one house stand in the list one by one.
        if known.insert((address.street_id(), number_id)) {
            sink.fact(Fact::House(address.into_house()));
        }
    })
}

fn put_streets(streets: HashMap<u64, Street>, sink: &mut Sink<'_>) {
    let mut streets: Vec<_> = streets.into_iter().collect();
    streets.sort_by_key(|&(id, _)| id);
    for (id, street) in streets {
        sink.fact(Fact::Place(street.into_place(id)));
    }
}

/// One line of the list.
#[derive(Clone, Debug, Default, PartialEq)]
struct Address {
    point: Point,
    number: String,
    street: String,
    city: String,
    district: String,
    region: String,
    postcode: String,
}

impl Address {
    /// The narrowest area the list names around the street.
    fn area(&self) -> &str {
        let areas = [&self.city, &self.district, &self.postcode];
        areas.into_iter().find(|area| !area.is_empty()).map_or("", String::as_str)
    }

    fn street_id(&self) -> u64 {
        let words = [&self.street, self.area(), &self.region];
        xxh3_64(words.join("|").to_lowercase().as_bytes())
    }

    fn new_street(&self) -> Street {
        let (name, city, region) = (self.street.clone(), self.city.clone(), self.region.clone());
        Street { name, city, region, houses: Vec::new() }
    }

    fn into_house(self) -> HouseFact {
        let street = street_key(self.street_id());
        HouseFact { street, number: self.number, point: self.point, postcode: self.postcode }
    }
}

fn street_key(id: u64) -> String {
    format!("oa:{id:016x}")
}

/// A street while its houses gather.
struct Street {
    name: String,
    city: String,
    region: String,
    /// Latitude and longitude in units of 10⁻⁷ degrees.
    houses: Vec<[i32; 2]>,
}

impl Street {
    fn add(&mut self, address: &Address) {
        let unit = |degrees: f64| (degrees * 1e7).round() as i32;
        self.houses.push([unit(address.point.lat), unit(address.point.lon)]);
    }

    /// The house in the middle: the nearest to the medians of latitude and longitude.
    fn middle(&self) -> Point {
        let median = |axis: usize| {
            let mut values: Vec<i32> = self.houses.iter().map(|house| house[axis]).collect();
            values.sort_unstable();
            values.get(values.len() / 2).copied().unwrap_or_default()
        };
        let [lat, lon] = [median(0), median(1)];
        let distance = |house: &&[i32; 2]| {
            let [dy, dx] =
                [i64::from(house[0]) - i64::from(lat), i64::from(house[1]) - i64::from(lon)];
            dy.abs() + dx.abs()
        };
        let [lat, lon] = self.houses.iter().min_by_key(distance).copied().unwrap_or([lat, lon]);
        Point::new(f64::from(lat) / 1e7, f64::from(lon) / 1e7)
    }

    fn into_place(self, id: u64) -> PlaceFact {
        let point = self.middle();
        let mut place = PlaceFact::new(street_key(id), Kind::Street, self.name);
        place.point = Some(point);
        let tags = [("city", self.city), ("region", self.region)];
        let known = tags.into_iter().filter(|(_, value)| !value.is_empty());
        place.tags.extend(known.map(|(word, value)| (word.to_owned(), value)));
        place
    }
}

/// Calls `each` for every address of the list; the first pass reports the bad and the empty ones.
fn each_address(
    pass: Pass,
    path: &Path,
    sink: &mut Sink<'_>,
    each: &mut dyn FnMut(&mut Sink<'_>, Address),
) -> Result<(), ImportError> {
    let file = path.display().to_string();
    let mut form = None;
    each_line(pass, path, sink, &mut |sink, number, line| {
        if line.trim().is_empty() {
            return Ok(());
        }
        let is_first = form.is_none();
        let form = match &mut form {
            Some(known) => known,
            unknown => unknown.insert(Form::of(&file, line)?),
        };
        if is_first && matches!(form, Form::Csv(_)) {
            return Ok(());
        }
        match form.read(line) {
            Ok(Some(address)) => each(sink, address),
            Ok(None) if pass.number == 0 => sink.pass(),
            Err(reason) if pass.number == 0 => sink.bad(&file, number, reason)?,
            _ => {}
        }
        Ok(())
    })
}

/// How the list is written.
enum Form {
    /// With the names of the columns.
    Csv(Vec<String>),
    Features,
}

impl Form {
    /// What the first line tells.
    fn of(file: &str, line: &str) -> Result<Self, ImportError> {
        if line.trim_start().starts_with('{') {
            return Ok(Self::Features);
        }
        let columns: Vec<_> = fields(line).iter().map(|name| name.trim().to_lowercase()).collect();
        let missing = ["lon", "lat", "number", "street"]
            .into_iter()
            .find(|&needed| !columns.iter().any(|column| column == needed));
        match missing {
            None => Ok(Self::Csv(columns)),
            Some(missing) => Err(ImportError::Foreign {
                file: file.to_owned(),
                expected: "list of openaddresses.io",
                reason: format!("its first line names no column {missing}"),
            }),
        }
    }

    /// The address in a line; none if it lacks street or number.
    fn read(&self, line: &str) -> Result<Option<Address>, String> {
        match self {
            Self::Csv(columns) => row(columns, &fields(line)),
            Self::Features => feature(line),
        }
    }
}

fn row(columns: &[String], fields: &[String]) -> Result<Option<Address>, String> {
    if fields.len() != columns.len() {
        return Err(format!("the line has {} columns, not {}", fields.len(), columns.len()));
    }
    let get = |name: &str| {
        let at = columns.iter().position(|column| column == name);
        at.map_or("", |at| fields[at].trim())
    };
    let degrees = |name| get(name).parse::<f64>().ok();
    address(degrees("lat"), degrees("lon"), &get)
}

fn feature(line: &str) -> Result<Option<Address>, String> {
    let feature: Feature = serde_json::from_str(line).map_err(|error| error.to_string())?;
    let place = match feature.geometry.as_ref().map(|geometry| &geometry.value) {
        Some(GeometryValue::Point { coordinates }) => coordinates.as_slice(),
        _ => &[],
    };
    let (lat, lon) = (place.get(1).copied(), place.first().copied());
    let text =
        |name: &str| feature.property(name).and_then(|value| value.as_str()).unwrap_or("").trim();
    address(lat, lon, &text)
}

fn address<'l>(
    lat: Option<f64>,
    lon: Option<f64>,
    get: &dyn Fn(&str) -> &'l str,
) -> Result<Option<Address>, String> {
    let (number, street) = (get("number"), get("street"));
    if number.is_empty() || street.is_empty() {
        return Ok(None);
    }
    let point = match (lat, lon) {
        (Some(lat), Some(lon)) if lat.abs() <= 90.0 && lon.abs() <= 180.0 => Point::new(lat, lon),
        _ => return Err("it has no point on earth".to_owned()),
    };
    let own = |name| get(name).to_owned();
    Ok(Some(Address {
        point,
        number: number.to_owned(),
        street: street.to_owned(),
        city: own("city"),
        district: own("district"),
        region: own("region"),
        postcode: own("postcode"),
    }))
}

/// The fields of a line of CSV (RFC 4180), which no field may go beyond.
fn fields(line: &str) -> Vec<String> {
    let mut fields = vec![String::new()];
    let mut quoted = false;
    let mut rest = line.chars().peekable();
    while let Some(c) = rest.next() {
        match c {
            '"' if quoted && rest.next_if_eq(&'"').is_some() => push(&mut fields, '"'),
            '"' => quoted = !quoted,
            ',' if !quoted => fields.push(String::new()),
            c => push(&mut fields, c),
        }
    }
    fields
}

fn push(fields: &mut [String], c: char) {
    if let Some(field) = fields.last_mut() {
        field.push(c);
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::trial::{Trial, check_thanks, with_file};

    const ROWS: &str = "LON,LAT,NUMBER,STREET,UNIT,CITY,DISTRICT,REGION,POSTCODE,ID,HASH\n\
        24.9,60.10,1,Kalevankatu,,Helsinki,,,00100,,a\n\
        24.9,60.20,2,Kalevankatu,A 1,Helsinki,,,00100,,b\n\
        24.9,60.20,2,Kalevankatu,A 2,Helsinki,,,00100,,c\n\
        24.9,60.31,4,Kalevankatu,,Helsinki,,,00180,,d\n\
        25.6,60.98,1,Kalevankatu,,Lahti,,,15100,,e\n";

    #[test]
    fn the_source_is_thanked_first() {
        check_thanks("OpenAddresses", "fi.csv", &import("fi.csv", ROWS));
    }

    #[test]
    fn the_houses_of_a_street_gather_under_it() {
        let trial = import("fi.csv", ROWS);
        let streets = trial.places();
        assert_eq!(streets.len(), 2);
        let street = streets.iter().find(|street| street.tag("city") == Some("Helsinki")).unwrap();
        assert_eq!((street.kind, street.name.as_str()), (Kind::Street, "Kalevankatu"));
        assert_eq!(street.point, Some(Point::new(60.2, 24.9)));
        let houses = trial.houses();
        let own: Vec<_> = houses.iter().filter(|house| house.street == street.key).collect();
        let numbers: Vec<_> = own.iter().map(|house| (&*house.number, &*house.postcode)).collect();
        assert_eq!(numbers, [("1", "00100"), ("2", "00100"), ("4", "00180")]);
    }

    #[test]
    fn the_key_of_a_street_is_made_of_street_city_and_region() {
        let key = format!("oa:{:016x}", xxh3_64(b"kalevankatu|helsinki|"));
        assert!(import("fi.csv", ROWS).places().iter().any(|street| street.key == key));
    }

    #[test]
    fn columns_stand_in_any_order_and_case() {
        check("street,number,lat,lon\nMain St,5,40.0,-75.0\n", "Main St", "5");
    }

    #[test]
    fn a_field_in_quotes_may_hold_commas_and_quotes() {
        check("LON,LAT,NUMBER,STREET\n-75,40,5,\"St. \"\"Bo\"\", the\"\n", "St. \"Bo\", the", "5");
    }

    #[test]
    fn features_line_by_line_are_read_as_well() {
        let line = r#"{"type":"Feature","properties":{"number":"5","street":"Main St","city":""},"geometry":{"type":"Point","coordinates":[-75.0,40.0]}}"#;
        check(line, "Main St", "5");
    }

    #[test]
    fn without_a_city_the_postcode_keeps_streets_apart() {
        let rows = "LON,LAT,NUMBER,STREET,POSTCODE\n1,1,5,Main St,100\n2,2,5,Main St,200\n";
        assert_eq!(import("us.csv", rows).places().len(), 2);
    }

    #[test]
    fn a_line_without_number_is_passed_and_one_without_point_is_bad() {
        let trial = import("us.csv", "LON,LAT,NUMBER,STREET\n1,1,,Main St\n,,5,Main St\n1,2,3\n");
        let reasons: Vec<_> = trial.report.shown.iter().map(|bad| (bad.at, &*bad.reason)).collect();
        assert_eq!(
            reasons,
            [(3, "it has no point on earth"), (4, "the line has 3 columns, not 4")]
        );
        assert_eq!(trial.report.passed, 1);
    }

    #[test]
    fn a_bad_first_feature_is_a_bad_record() {
        let trial = import("us.geojson", r#"{"type":"Feature","#);
        let bad = &trial.report.shown;
        assert_eq!((trial.report.bad, bad[0].at), (1, 1));
        let empty = r#"{"type":"Feature","properties":{},"geometry":null}"#;
        let trial = import("us.geojson", empty);
        assert_eq!((trial.report.bad, trial.report.passed), (0, 1));
    }

    #[test]
    fn a_list_without_streets_is_refused() {
        let error = with_file("us.csv", b"LON,LAT,NUMBER\n", openaddresses).result.unwrap_err();
        assert!(error.to_string().ends_with("its first line names no column street"));
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]
        #[test]
        fn any_bytes_give_an_error_or_bad_records(bytes: Vec<u8>, start in "(LON,LAT,NUMBER,STREET\n)?\\{?") {
            let text = [start.as_bytes(), &bytes].concat();
            let _ = with_file("any.csv", &text, openaddresses);
        }
    }

    #[track_caller]
    fn check(text: &str, street: &str, number: &str) {
        let trial = import("some.csv", text);
        assert_eq!(
            (trial.places()[0].name.as_str(), trial.houses()[0].number.as_str()),
            (street, number)
        );
    }

    fn import(name: &str, text: &str) -> Trial {
        let trial = with_file(name, text.as_bytes(), openaddresses);
        assert!(trial.result.is_ok());
        trial
    }
}
