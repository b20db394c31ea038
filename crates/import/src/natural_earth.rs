//! Natural Earth: countries, regions, cities and other shapes, as shapefiles or `GeoJSON`.
//!
//! The columns are those of version 5 (<https://www.naturalearthdata.com>); older ones differ in case.

use std::fs::File;
use std::io::BufReader;
use std::path::Path;

use earth::Point;
use gazetteer::{Fact, Kind, NameClass, PlaceFact, Seat, ShapeFact};
use geo::{Coord, LineString, MultiPolygon};
use geojson::{Feature, GeometryValue, Position};
use serde_json::Value;

use crate::dateline::cut_at_dateline;
use crate::features::each_feature;
use crate::lines::io_error;
use crate::outline::nested;
use crate::shapefile::{Record, Shape, Shapefile};
use crate::sink::{ImportError, Sink};
use crate::source;

/// Reads a file of Natural Earth: `.shp` with its `.dbf` and `.cpg`, or `.geojson`.
///
/// A record with an id of geonames.org gets the key of that place (`gn:2921044`), any other its own
/// (`ne:1159320615`). Outlines come as facts of their own, cut at the date line.
pub fn natural_earth(path: &Path, sink: &mut Sink<'_>) -> Result<(), ImportError> {
    let is = |end: &str| path.extension().is_some_and(|found| found.eq_ignore_ascii_case(end));
    if is("shp") {
        shapes(path, sink)
    } else if is("geojson") || is("json") {
        collection(path, sink)
    } else {
        let reason =
            "its name ends neither in .shp nor in .geojson: unpack archives first".to_owned();
        Err(foreign(path, reason))
    }
}

fn shapes(path: &Path, sink: &mut Sink<'_>) -> Result<(), ImportError> {
    let file = path.display().to_string();
    let mut shapes = Shapefile::open(path)?;
    sink.fact(source::NATURAL_EARTH.of(path));
    for number in 1.. {
        match shapes.next() {
            Ok(Some(record)) => put(&file, number, record, sink)?,
            Ok(None) => break,
            Err(torn) => {
                sink.bad(&file, number, torn)?;
                break;
            }
        }
        sink.advance(shapes.position());
    }
    Ok(())
}

fn collection(path: &Path, sink: &mut Sink<'_>) -> Result<(), ImportError> {
    let file = path.display().to_string();
    let text = BufReader::new(File::open(path).map_err(|error| io_error(path, error))?);
    sink.fact(source::NATURAL_EARTH.of(path));
    let (mut number, mut stop) = (0, None);
    let read = each_feature(text, &mut |feature| {
        number += 1;
        let put = match feature {
            Ok(feature) => put(&file, number, record(feature), sink),
            Err(reason) => sink.bad(&file, number, reason),
        };
        put.map_err(|error| stop = Some(error))
    });
    match (stop, read) {
        (Some(error), _) => Err(error),
        (None, Err(reason)) if number == 0 => Err(foreign(path, reason)),
        (None, Err(reason)) => sink.bad(&file, number + 1, reason),
        (None, Ok(())) => Ok(()),
    }
}

fn foreign(path: &Path, reason: String) -> ImportError {
    let file = path.display().to_string();
    ImportError::Foreign { file, expected: "file of Natural Earth", reason }
}

/// A feature of `GeoJSON` in the form of a shapefile's record.
fn record(feature: Feature) -> Record {
    let properties = feature.properties.unwrap_or_default();
    let fields = properties.into_iter().map(|(name, value)| (name.to_lowercase(), text(value)));
    let shape = match feature.geometry.map(|geometry| geometry.value) {
        Some(GeometryValue::Point { coordinates }) => coord(&coordinates).map(Shape::Point),
        Some(GeometryValue::Polygon { coordinates }) => {
            Some(Shape::Outline(outline(&[coordinates])))
        }
        Some(GeometryValue::MultiPolygon { coordinates }) => {
            Some(Shape::Outline(outline(&coordinates)))
        }
        _ => None,
    };
    Record { fields: fields.collect(), shape: shape.unwrap_or_default() }
}

fn text(value: Value) -> String {
    match value {
        Value::String(text) => text.trim().to_owned(),
        Value::Number(number) => number.to_string(),
        _ => String::new(),
    }
}

fn outline(polygons: &[Vec<Vec<Position>>]) -> MultiPolygon<f64> {
    let ring = |ring: &Vec<Position>| ring.iter().filter_map(coord).collect::<LineString<f64>>();
    let polygon = |rings: &Vec<Vec<Position>>| {
        let (outer, holes) = rings.split_first()?;
        nested(vec![ring(outer)], holes.iter().map(ring).collect()).0.pop()
    };
    polygons.iter().filter_map(polygon).collect()
}

fn coord(position: &Position) -> Option<Coord<f64>> {
    let &[x, y, ..] = position.as_slice() else { return None };
    (x.abs() <= 360.0 && y.abs() <= 90.000_001).then_some(Coord { x, y: y.clamp(-90.0, 90.0) })
}

/// Hands over what a record tells: a place, and its outline if it has one.
fn put(file: &str, number: u64, record: Record, sink: &mut Sink<'_>) -> Result<(), ImportError> {
    let Some(name) = record.first(&["name", "name_en", "gn_name", "admin"]) else {
        sink.pass();
        return Ok(());
    };
    let Some(key) = record.key() else {
        return sink.bad(file, number, format!("\"{name}\" has neither gn_id nor ne_id"));
    };
    if record.shape == Shape::Torn {
        return sink.bad(file, number, format!("the shape of \"{name}\" is torn"));
    }
    let place = record.place(&key, name);
    if let Shape::Outline(outline) = record.shape {
        let outline = cut_at_dateline(outline);
        if !outline.0.is_empty() {
            sink.fact(Fact::Place(place));
            sink.fact(Fact::Shape(ShapeFact { place: key, outline }));
            return Ok(());
        }
    }
    if place.point.is_none() {
        return sink.bad(file, number, format!("\"{}\" has neither point nor outline", place.name));
    }
    sink.fact(Fact::Place(place));
    Ok(())
}

impl Record {
    /// The first of these fields that says something; Natural Earth writes −99 for "unknown".
    fn first(&self, names: &[&str]) -> Option<&str> {
        let find = |&name: &&str| self.fields.iter().find(|(field, _)| field == name);
        let mut values = names.iter().filter_map(find).map(|(_, value)| value.as_str());
        values.find(|value| !matches!(*value, "" | "-99" | "-99.0" | "-1" | "-1.0"))
    }

    /// A field as a number above zero, also if it is written `2921044.000`.
    fn number(&self, names: &[&str]) -> Option<f64> {
        self.first(names)?.parse().ok().filter(|number: &f64| (1.0..1e12).contains(number))
    }

    fn key(&self) -> Option<String> {
        let geonames = self.number(&["gn_id", "geonameid", "geonamesid"]);
        let own = self.number(&["ne_id"]).map(|id| format!("ne:{id:.0}"));
        let code = || self.first(&["adm1_code", "adm0_a3"]).map(|code| format!("ne:{code}"));
        geonames.map(|id| format!("gn:{id:.0}")).or(own).or_else(code)
    }

    fn place(&self, key: &str, name: &str) -> PlaceFact {
        let class = self.first(&["featurecla"]).unwrap_or_default();
        let mut place = PlaceFact::new(key, kind(class), name);
        place.point = self.point();
        place.population = self.number(&["pop_est", "pop_max"]).unwrap_or_default() as u64;
        place.seat = seat(class);
        self.put_names(&mut place);
        self.put_codes(&mut place);
        place
    }

    /// The point of a city; for others the one the label stands at.
    fn point(&self) -> Option<Point> {
        if let Shape::Point(at) = self.shape {
            return Some(Point::new(at.y, at.x));
        }
        let number = |name| self.first(&[name])?.parse::<f64>().ok();
        let pair = |lat, lon| Some((number(lat)?, number(lon)?));
        let (lat, lon) = pair("label_y", "label_x").or_else(|| pair("latitude", "longitude"))?;
        (lat.abs() <= 90.0 && lon.abs() <= 180.0).then_some(Point::new(lat, lon))
    }

    fn put_names(&self, place: &mut PlaceFact) {
        for (field, value) in &self.fields {
            let is_name = field.strip_prefix("name_").is_some_and(|language| language != "len")
                || matches!(
                    field.as_str(),
                    "nameascii" | "namealt" | "namepar" | "gn_name" | "formal_en"
                );
            if is_name && !matches!(value.as_str(), "-99" | "-1") {
                value.split('|').for_each(|name| place.also(NameClass::Alternate, name));
            }
        }
        let code = match place.kind {
            Kind::Country => self.first(&["iso_a2_eh", "iso_a2"]),
            Kind::Region => self.first(&["postal"]),
            Kind::Airport => self.first(&["iata_code"]),
            _ => None,
        };
        place.also(NameClass::Short, code.unwrap_or_default());
    }

    /// The codes by which others know the place; regions and cities name their country as parent.
    fn put_codes(&self, place: &mut PlaceFact) {
        let country = self.first(&["iso_a2_eh", "iso_a2"]).filter(|code| code.len() == 2);
        let region = self.first(&["gn_a1_code"]).filter(|code| code.get(2..3) == Some("."));
        let (own, parent) = match place.kind {
            Kind::Country => (country, None),
            Kind::Region => (region, country),
            Kind::City => (None, country),
            _ => (None, None),
        };
        place.parent = parent.map(|code| format!("adm:{code}")).unwrap_or_default();
        let wikidata = self.first(&["wikidataid"]);
        let iso3 = self.first(&["iso_a3_eh", "iso_a3"]).filter(|_| place.kind == Kind::Country);
        let tags = [
            ("adm", own),
            ("iso2", country),
            ("iso3", iso3),
            ("iso3166_2", self.first(&["iso_3166_2"])),
            ("tz", self.first(&["timezone"])),
            ("wikidata", wikidata),
        ];
        let known =
            tags.into_iter().filter_map(|(word, value)| Some((word.to_owned(), value?.to_owned())));
        place.tags.extend(known);
    }
}

/// The kind of a feature class; whatever is no division, city or airport is a feature.
fn kind(class: &str) -> Kind {
    let class = class.to_lowercase();
    let has = |word| class.contains(word);
    if has("capital") || has("populated") || has("scientific station") || has("historic place") {
        Kind::City
    } else if has("admin-0") {
        Kind::Country
    } else if has("admin-1") {
        Kind::Region
    } else if has("admin-2") {
        Kind::County
    } else if class == "continent" {
        Kind::Continent
    } else if class == "airport" {
        Kind::Airport
    } else {
        Kind::Feature
    }
}

fn seat(class: &str) -> Seat {
    match class.to_lowercase().as_str() {
        class if class.starts_with("admin-0 capital") => Seat::Country,
        class if class.starts_with("admin-1") && class.ends_with("capital") => Seat::Region,
        _ => Seat::None,
    }
}

#[cfg(test)]
mod tests {
    use gazetteer::Name;
    use geo::algorithm::area::Area;
    use proptest::prelude::*;

    use super::*;
    use crate::trial::{Trial, check_thanks, with_file};

    const FIJI: &str = r#"{"type": "Feature", "properties": {"featurecla": "Admin-0 country",
        "NAME": "Fiji", "NAME_LONG": "Fiji", "NAME_DE": "Fidschi", "NAME_LEN": 4, "ISO_A2": "-99",
        "ISO_A2_EH": "FJ", "ISO_A3": "FJI", "NE_ID": 1159320625, "POP_EST": 889953.0,
        "LABEL_X": 177.975427, "LABEL_Y": -17.826099}, "geometry": {"type": "Polygon",
        "coordinates": [[[177, -19], [-178, -19], [-178, -16], [177, -16], [177, -19]]]}}"#;

    const ALASKA: &str = r#"{"type": "Feature", "properties": {"featurecla": "Admin-1 states provinces",
        "name": "Alaska", "name_fr": "Alaska", "name_alt": "AK|Alaska", "iso_a2": "US", "gn_id": 5879092,
        "gn_a1_code": "US.AK", "postal": "AK", "iso_3166_2": "US-AK", "ne_id": 1159308409,
        "latitude": 63.5, "longitude": -153.0}, "geometry": {"type": "MultiPolygon",
        "coordinates": [[[[-160, 60], [-141, 60], [-141, 70], [-160, 70], [-160, 60]]]]}}"#;

    const SUVA: &str = r#"{"type": "Feature", "properties": {"FEATURECLA": "Admin-0 capital",
        "NAME": "Suva", "NAMEALT": null, "ISO_A2": "FJ", "GEONAMEID": 2198148.0, "POP_MAX": 175399,
        "TIMEZONE": "Pacific/Fiji"}, "geometry": {"type": "Point", "coordinates": [178.44, -18.13]}}"#;

    #[test]
    fn the_source_is_thanked_first() {
        check_thanks("Natural Earth", "ne.geojson", &import(&[SUVA]));
    }

    #[test]
    fn a_country_over_the_date_line_is_cut_in_two() {
        let trial = import(&[FIJI]);
        let fiji = trial.place("ne:1159320625");
        assert_eq!(
            (fiji.kind, fiji.name.as_str(), fiji.population),
            (Kind::Country, "Fiji", 889_953)
        );
        assert_eq!(
            (fiji.tag("iso2"), fiji.tag("iso3"), fiji.tag("adm")),
            (Some("FJ"), Some("FJI"), Some("FJ"))
        );
        let names = [("Fidschi", NameClass::Alternate), ("FJ", NameClass::Short)];
        assert_eq!(fiji.names, names.map(|(text, class)| Name { text: text.into(), class }));
        let shape = trial.shapes()[0];
        assert_eq!((shape.place.as_str(), shape.outline.0.len()), ("ne:1159320625", 2));
        assert!((shape.outline.unsigned_area() - 15.0).abs() < 1e-9);
    }

    #[test]
    fn a_region_with_an_id_of_geonames_bears_its_key() {
        let trial = import(&[ALASKA]);
        let alaska = trial.place("gn:5879092");
        assert_eq!((alaska.kind, alaska.parent.as_str()), (Kind::Region, "adm:US"));
        assert_eq!((alaska.tag("adm"), alaska.tag("iso3166_2")), (Some("US.AK"), Some("US-AK")));
        assert_eq!(alaska.point, Some(Point::new(63.5, -153.0)));
        assert_eq!(trial.shapes().len(), 1);
    }

    #[test]
    fn a_capital_is_a_city() {
        let trial = import(&[SUVA]);
        let suva = trial.place("gn:2198148");
        assert_eq!((suva.kind, suva.seat, suva.population), (Kind::City, Seat::Country, 175_399));
        assert_eq!(suva.point, Some(Point::new(-18.13, 178.44)));
        assert_eq!((suva.parent.as_str(), suva.tag("tz")), ("adm:FJ", Some("Pacific/Fiji")));
    }

    #[test]
    fn records_without_a_name_are_passed_and_those_without_an_id_are_bad() {
        let nameless = r#"{"type": "Feature", "properties": {"ne_id": 5}, "geometry": null}"#;
        let keyless = r#"{"type": "Feature", "properties": {"name": "Lake"}, "geometry": null}"#;
        let nowhere =
            r#"{"type": "Feature", "properties": {"name": "Sea", "ne_id": 5}, "geometry": null}"#;
        let trial = import(&[nameless, keyless, nowhere]);
        let reasons: Vec<_> = trial.report.shown.iter().map(|bad| bad.reason.as_str()).collect();
        assert_eq!(
            reasons,
            ["\"Lake\" has neither gn_id nor ne_id", "\"Sea\" has neither point nor outline"]
        );
        assert_eq!(trial.report.passed, 1);
    }

    #[test]
    fn a_strict_import_stops_at_the_first_bad_record() {
        let text = format!(r#"{{"features": [{{"type": "No"}}, {FIJI}]}}"#);
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("ne.geojson");
        std::fs::write(&path, text).unwrap();
        let mut keep = |fact| assert!(matches!(fact, Fact::Source(_)), "{fact:?}");
        let error = natural_earth(&path, &mut Sink::new(true, &mut keep, &|_| {})).unwrap_err();
        assert!(matches!(error, ImportError::Bad { at: 1, .. }), "{error}");
    }

    #[test]
    fn classes_become_kinds() {
        assert_eq!(kind("Admin-1 region capital"), Kind::City);
        assert_eq!(kind("Admin-0 dependency"), Kind::Country);
        assert_eq!(kind("Lake"), Kind::Feature);
        assert_eq!(seat("Admin-1 region capital"), Seat::Region);
    }

    #[test]
    fn what_is_no_collection_is_refused() {
        let trial = with_file("some.geojson", b"[]", natural_earth);
        let error = trial.result.unwrap_err().to_string();
        assert!(error.contains("is no file of Natural Earth: invalid type: sequence"), "{error}");
        assert!(with_file("some.zip", b"", natural_earth).result.is_err());
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]
        #[test]
        fn any_bytes_give_an_error_or_bad_records(bytes: Vec<u8>) {
            for name in ["any.geojson", "any.shp"] {
                let _ = with_file(name, &bytes, natural_earth);
            }
        }
    }

    fn import(features: &[&str]) -> Trial {
        let text =
            format!(r#"{{"type": "FeatureCollection", "features": [{}]}}"#, features.join(","));
        let trial = with_file("ne.geojson", text.as_bytes(), natural_earth);
        assert!(trial.result.is_ok());
        trial
    }
}
