//! What the tags of an element mean (<https://wiki.openstreetmap.org/wiki/Map_features>).

use gazetteer::{Kind, NameClass, PlaceFact, Seat};

use crate::osm::pbf::Tags;

/// Ways of these sorts are streets if they have a name.
const STREETS: [&str; 24] = [
    "motorway",
    "motorway_link",
    "trunk",
    "trunk_link",
    "primary",
    "primary_link",
    "secondary",
    "secondary_link",
    "tertiary",
    "tertiary_link",
    "unclassified",
    "residential",
    "living_street",
    "pedestrian",
    "service",
    "track",
    "road",
    "footway",
    "path",
    "cycleway",
    "steps",
    "bridleway",
    "busway",
    "bus_guideway",
];

/// What makes an element a point of interest, the most telling first.
const INTERESTING: [&str; 6] = ["tourism", "historic", "amenity", "shop", "leisure", "office"];

/// Where somebody lives or works.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Address {
    pub(crate) street: String,
    pub(crate) number: String,
    pub(crate) postcode: String,
}

/// True for a named street or square.
pub(crate) fn is_street(tags: &Tags<'_>) -> bool {
    let highway = tags.get("highway").is_some_and(|sort| STREETS.contains(&sort));
    (highway || tags.get("place") == Some("square")) && name(tags).is_some()
}

/// The street or square with these tags.
pub(crate) fn street(key: String, tags: &Tags<'_>) -> Option<PlaceFact> {
    is_street(tags).then(|| named(key, Kind::Street, tags)).flatten()
}

/// The square with these tags.
pub(crate) fn square(key: String, tags: &Tags<'_>) -> Option<PlaceFact> {
    street(key, tags).filter(|_| tags.get("place") == Some("square"))
}

/// True for what [`place`] makes a place of.
pub(crate) fn is_place(tags: &Tags<'_>) -> bool {
    kind(tags).is_some() && name(tags).is_some()
}

/// The city, district, airport, feature or point of interest with these tags.
pub(crate) fn place(key: String, tags: &Tags<'_>) -> Option<PlaceFact> {
    let (kind, telling) = kind(tags)?;
    let mut place = named(key, kind, tags)?;
    place.population = tags.get("population").map_or(0, population);
    place.seat = seat(tags);
    put_codes(&mut place, tags);
    if matches!(kind, Kind::Poi | Kind::Feature) {
        put_tag(&mut place, telling, tags.get(telling));
        put_tag(&mut place, "street", tags.get("addr:street"));
        put_tag(&mut place, "housenumber", tags.get("addr:housenumber"));
    }
    Some(place)
}

/// The division or postcode whose boundary a relation with these tags is.
pub(crate) fn boundary(key: String, tags: &Tags<'_>) -> Option<PlaceFact> {
    match tags.get("boundary")? {
        "administrative" => division(key, tags),
        "postal_code" => {
            let code = tags.get("postal_code").or(name(tags))?;
            Some(PlaceFact::new(key, Kind::Postcode, code.trim()))
        }
        _ => None,
    }
}

fn division(key: String, tags: &Tags<'_>) -> Option<PlaceFact> {
    let kind = match tags.get("admin_level")? {
        "2" => Kind::Country,
        "4" => Kind::Region,
        "6" => Kind::County,
        "7" | "8" => Kind::Municipality,
        "9" | "10" | "11" => Kind::District,
        _ => return None,
    };
    let mut place = named(key, kind, tags)?;
    place.population = tags.get("population").map_or(0, population);
    put_codes(&mut place, tags);
    Some(place)
}

/// The address in these tags.
pub(crate) fn address(tags: &Tags<'_>) -> Option<Address> {
    numbered(tags).filter(|address| !address.street.is_empty())
}

/// The address in these tags, which may lack the street.
pub(crate) fn numbered(tags: &Tags<'_>) -> Option<Address> {
    let own = |key| tags.get(key).map(str::trim).filter(|text| !text.is_empty()).map(str::to_owned);
    let number = own("addr:housenumber")?;
    let (street, postcode) = (own("addr:street"), own("addr:postcode"));
    let (street, postcode) = (street.unwrap_or_default(), postcode.unwrap_or_default());
    Some(Address { street, number, postcode })
}

/// The kind of place, and the key that tells it.
fn kind(tags: &Tags<'_>) -> Option<(Kind, &'static str)> {
    match tags.get("place") {
        Some("city" | "town" | "village" | "hamlet") => return Some((Kind::City, "place")),
        Some("suburb" | "quarter" | "neighbourhood" | "borough") => {
            return Some((Kind::District, "place"));
        }
        Some("island" | "islet") => return Some((Kind::Feature, "place")),
        _ => {}
    }
    if tags.get("aeroway") == Some("aerodrome") {
        return Some((Kind::Airport, "aeroway"));
    }
    if matches!(tags.get("leisure"), Some("park" | "garden" | "nature_reserve")) {
        return Some((Kind::Feature, "leisure"));
    }
    if let Some(key) = INTERESTING.into_iter().find(|key| tags.get(key).is_some()) {
        return Some((Kind::Poi, key));
    }
    if matches!(tags.get("railway"), Some("station" | "halt")) {
        return Some((Kind::Poi, "railway"));
    }
    tags.get("natural").map(|_| (Kind::Feature, "natural"))
}

/// A place with all its names; none if it has no name.
fn named(key: String, kind: Kind, tags: &Tags<'_>) -> Option<PlaceFact> {
    let mut place = PlaceFact::new(key, kind, name(tags)?);
    for &(key, value) in &tags.0 {
        if let Some(class) = name_class(key) {
            value.split(';').for_each(|name| place.also(class, name));
        }
    }
    Some(place)
}

fn name<'b>(tags: &Tags<'b>) -> Option<&'b str> {
    tags.get("name").map(str::trim).filter(|name| !name.is_empty())
}

/// In which way a key names a place: `name:sv`, `alt_name`, `old_name:fi`.
fn name_class(key: &str) -> Option<NameClass> {
    let (base, language) =
        key.split_once(':').map_or((key, None), |(base, rest)| (base, Some(rest)));
    if language.is_some_and(|language| !is_language(language)) {
        return None;
    }
    match base {
        "name" if language.is_some() => Some(NameClass::Alternate),
        "alt_name" | "old_name" | "official_name" | "int_name" | "loc_name" | "nat_name" => {
            Some(NameClass::Alternate)
        }
        "short_name" => Some(NameClass::Short),
        _ => None,
    }
}

/// True for `sv`, `zh-Hant`, `sr_latn`; false for `etymology`, `prefix`, `1950-1990`.
fn is_language(text: &str) -> bool {
    let language = text.split(['-', '_']).next().unwrap_or_default();
    matches!(language.len(), 2 | 3) && language.bytes().all(|byte| byte.is_ascii_lowercase())
}

/// The codes of an airport or division, as names and as tags.
fn put_codes(place: &mut PlaceFact, tags: &Tags<'_>) {
    let codes = match place.kind {
        Kind::Airport => [("iata", "iata"), ("icao", "icao")],
        Kind::Country => [("iso2", "ISO3166-1:alpha2"), ("iso3", "ISO3166-1:alpha3")],
        Kind::Region | Kind::County => [("iso3166_2", "ISO3166-2"), ("ref", "ref")],
        _ => return,
    };
    for (word, key) in codes {
        if matches!(word, "iata" | "icao" | "iso2") {
            place.also(NameClass::Short, tags.get(key).unwrap_or_default());
        }
        put_tag(place, word, tags.get(key));
    }
}

fn put_tag(place: &mut PlaceFact, word: &str, value: Option<&str>) {
    if let Some(value) = value.map(str::trim).filter(|value| !value.is_empty()) {
        place.tags.push((word.to_owned(), value.to_owned()));
    }
}

/// People write `1 234`, `1,234` and `1234 (2020)`.
fn population(text: &str) -> u64 {
    let whole = text.split(['(', ';']).next().unwrap_or_default();
    let digits: String = whole.chars().filter(char::is_ascii_digit).collect();
    digits.parse().unwrap_or(0)
}

/// Of what a city is the capital: `yes`, or the level of the division.
fn seat(tags: &Tags<'_>) -> Seat {
    match tags.get("capital") {
        Some("yes" | "2") => Seat::Country,
        Some("3" | "4") => Seat::Region,
        Some("5" | "6" | "7" | "8") => Seat::County,
        _ => Seat::None,
    }
}

#[cfg(test)]
mod tests {
    use gazetteer::Name;

    use super::*;

    #[test]
    fn tags_tell_the_kind() {
        check(&[("place", "town")], Some(Kind::City));
        check(&[("place", "quarter")], Some(Kind::District));
        check(&[("place", "locality")], None);
        check(&[("aeroway", "aerodrome")], Some(Kind::Airport));
        check(&[("amenity", "cafe")], Some(Kind::Poi));
        check(&[("railway", "rail")], None);
        check(&[("leisure", "park")], Some(Kind::Feature));
        check(&[("natural", "peak")], Some(Kind::Feature));
    }

    #[test]
    fn a_place_without_a_name_is_none() {
        assert_eq!(place("osm:n1".into(), &Tags(vec![("amenity", "cafe")])), None);
    }

    #[test]
    fn every_language_is_a_name_and_no_etymology() {
        let tags = Tags(vec![
            ("name", "Mannerheimintie"),
            ("highway", "primary"),
            ("name:fi", "Mannerheimintie"),
            ("name:sv", "Mannerheimvägen"),
            ("name:etymology:wikidata", "Q152306"),
            ("alt_name", "Mansku; Heikinkatu"),
            ("short_name", "M"),
        ]);
        let street = street("osm:w1".into(), &tags).unwrap();
        let names: Vec<_> =
            street.names.iter().map(|name| (name.text.as_str(), name.class)).collect();
        let alternate =
            ["Mannerheimvägen", "Mansku", "Heikinkatu"].map(|n| (n, NameClass::Alternate));
        assert_eq!(names, [&alternate[..], &[("M", NameClass::Short)]].concat());
    }

    #[test]
    fn an_airport_goes_by_its_codes() {
        let tags = Tags(vec![("name", "Helsinki"), ("aeroway", "aerodrome"), ("iata", "HEL")]);
        let airport = place("osm:w1".into(), &tags).unwrap();
        assert_eq!(airport.names, [Name { text: "HEL".into(), class: NameClass::Short }]);
        assert_eq!(airport.tag("iata"), Some("HEL"));
    }

    #[test]
    fn populations_are_read_as_people_write_them() {
        assert_eq!(
            ["1234", "1 234", "1,234 (2020)", "many"].map(population),
            [1234, 1234, 1234, 0]
        );
    }

    #[track_caller]
    fn check(tags: &[(&'static str, &'static str)], expected: Option<Kind>) {
        let tags = Tags([&[("name", "X")], tags].concat());
        assert_eq!(place("osm:n1".into(), &tags).map(|place| place.kind), expected);
    }
}
