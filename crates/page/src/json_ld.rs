//! Places, dates and sections in `application/ld+json`.

use serde_json::{Map, Value};

use crate::dates::{Dates, Event};
use crate::items::{local_name, schema_field};
use crate::page_date::DateSource;
use crate::place::{Draft, Field, PlaceSource, Places};
use crate::sections::Sections;

/// Longer scripts are not read. What a value takes in memory is some fifteen times its text.
const LONGEST_SCRIPT: usize = 512 << 10;

/// So many addresses of one object are read.
const MOST_ADDRESSES: usize = 50;

type Object = Map<String, Value>;

/// Takes in the places, dates and sections of one script.
pub(crate) fn read(script: &str, places: &mut Places, dates: &mut Dates, sections: &mut Sections) {
    if script.len() > LONGEST_SCRIPT {
        return;
    }
    let script = unwrapped(script);
    let value = serde_json::from_str(script).or_else(|_| serde_json::from_str(&mended(script)));
    if let Ok(value) = value {
        walk(&value, places, dates, sections);
    }
}

/// Visits every object; `serde_json` reads at most 128 levels.
fn walk(value: &Value, places: &mut Places, dates: &mut Dates, sections: &mut Sections) {
    match value {
        Value::Array(values) => {
            values.iter().for_each(|value| walk(value, places, dates, sections));
        }
        Value::Object(object) => {
            read_dates(object, dates);
            read_places(object, places);
            let stated = several(object.get("articleSection")).iter();
            stated.filter_map(text).for_each(|it| sections.note(&it));
            for (key, value) in object {
                if !is_part(key) {
                    walk(value, places, dates, sections);
                }
                // An event may name its venue in one line.
                if let ("location", Some(line)) = (key.as_str(), value.as_str()) {
                    let mut draft = Draft::new(PlaceSource::JsonLd, "Place");
                    draft.set(Field::Address, line);
                    places.add(draft.finish());
                }
            }
        }
        _ => {}
    }
}

/// What is read together with the object that has it.
fn is_part(key: &str) -> bool {
    matches!(key, "address" | "geo" | "addressCountry")
}

fn read_dates(object: &Object, dates: &mut Dates) {
    // Reviews and videos on a page have dates of their own.
    let is_aside = matches!(
        kind(object),
        "Review" | "Comment" | "Rating" | "Offer" | "VideoObject" | "ImageObject" | "Event"
    );
    if is_aside {
        return;
    }
    for (key, event) in [
        ("datePublished", Event::Published),
        ("dateCreated", Event::Published),
        ("dateModified", Event::Modified),
    ] {
        if let Some(value) = object.get(key).and_then(text) {
            dates.note(event, &value, DateSource::JsonLd);
        }
    }
}

/// One place for each address of the object.
fn read_places(object: &Object, places: &mut Places) {
    let mut draft = Draft::new(PlaceSource::JsonLd, kind(object));
    for (key, value) in object {
        set(&mut draft, key, value);
    }
    if let Some(geo) = object.get("geo").map(first).and_then(Value::as_object) {
        geo.iter().for_each(|(key, value)| set(&mut draft, key, value));
    }
    for address in several(object.get("address")).iter().take(MOST_ADDRESSES) {
        let mut draft = draft.clone();
        match address {
            Value::Object(parts) => parts
                .iter()
                .filter(|(key, _)| *key != "name")
                .for_each(|(key, value)| set(&mut draft, key, value)),
            _ => draft.set(Field::Address, &text(address).unwrap_or_default()),
        }
        places.add(draft.finish());
    }
    if object.get("address").is_none() {
        places.add(draft.finish());
    }
}

fn set(draft: &mut Draft, key: &str, value: &Value) {
    let Some(field) = schema_field(key) else { return };
    // Addresses are read in parts; where an event takes place is a place of its own.
    if let Some(value) = text(value).filter(|_| field != Field::Address) {
        draft.set(field, &value);
    }
}

fn kind(object: &Object) -> &str {
    local_name(object.get("@type").map(first).and_then(Value::as_str))
}

fn first(value: &Value) -> &Value {
    match value {
        Value::Array(values) => values.first().unwrap_or(value),
        _ => value,
    }
}

fn several(value: Option<&Value>) -> &[Value] {
    match value {
        Some(Value::Array(values)) => values,
        Some(value) => std::slice::from_ref(value),
        None => &[],
    }
}

/// A value as text; of an object its value or name.
fn text(value: &Value) -> Option<String> {
    match first(value) {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        Value::Object(object) => match object.get("@value").or(object.get("name"))? {
            Value::String(text) => Some(text.clone()),
            _ => None,
        },
        _ => None,
    }
}

/// The script without the comment signs that once hid it from old browsers.
fn unwrapped(script: &str) -> &str {
    let signs = ["<!--", "-->", "//<![CDATA[", "//]]>", "<![CDATA[", "]]>", "/*", "*/", "//", ";"];
    let mut rest = script.trim();
    loop {
        let before = rest.len();
        for sign in signs {
            rest = rest.strip_prefix(sign).unwrap_or(rest).trim_start();
            rest = rest.strip_suffix(sign).unwrap_or(rest).trim_end();
        }
        if rest.len() == before {
            return rest;
        }
    }
}

/// The script without what people and templates most often get wrong: line ends inside strings, and
/// commas before a closing bracket.
fn mended(script: &str) -> String {
    let mut mended = String::with_capacity(script.len());
    let (mut in_string, mut escaped) = (false, false);
    for letter in script.chars() {
        match letter {
            _ if in_string && letter.is_control() => mended.push(' '),
            '}' | ']' if !in_string => {
                let kept = mended.trim_end().trim_end_matches(',').len();
                mended.truncate(kept);
                mended.push(letter);
            }
            _ => mended.push(letter),
        }
        in_string ^= letter == '"' && !escaped;
        escaped = in_string && letter == '\\' && !escaped;
    }
    mended
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::place::StructuredPlace;

    fn places(script: &str) -> Vec<StructuredPlace> {
        let mut places = Places::default();
        read(script, &mut places, &mut Dates::default(), &mut Sections::default());
        places.finish()
    }

    /// Kind, name, whole address, street, locality, country and point of each place.
    #[track_caller]
    fn check(script: &str, expected: &[&str]) {
        let told: Vec<String> = places(script)
            .into_iter()
            .map(|it| {
                let point = it.point.map(|point| format!("{},{}", point.lat, point.lon));
                let parts = [it.name, it.address, it.street, it.postcode, it.locality, it.country];
                let parts = parts.into_iter().chain([point]).flatten();
                std::iter::once(it.kind).chain(parts).collect::<Vec<_>>().join("|")
            })
            .collect();
        assert_eq!(told, expected, "{script}");
    }

    #[test]
    fn a_business_has_address_and_position() {
        check(
            r#"{"@type":"Bakery","name":"Loaf","address":{"@type":"PostalAddress",
                "streetAddress":"Quay 4","postalCode":12345,"addressLocality":"Portville",
                "addressCountry":{"@type":"Country","name":"DE"}},
                "geo":{"latitude":"53.14","longitude":8.21}}"#,
            &["Bakery|Loaf|Quay 4|12345|Portville|DE|53.14,8.21"],
        );
    }

    #[test]
    fn graphs_arrays_and_nests_are_searched() {
        check(
            r#"[{"@graph":[{"@type":["schema:Organization"],"address":"Quay 4, Portville"},
                {"x":{"y":[{"@type":"http://schema.org/Place","latitude":1,"longitude":2}]}}]}]"#,
            &["Organization|Quay 4, Portville", "Place|1,2"],
        );
    }

    #[test]
    fn the_place_of_an_event_is_a_place_of_its_own() {
        check(
            r#"{"@type":"Event","name":"Fair","location":{"@type":"Place","name":"Town hall",
                "address":{"addressLocality":"Portville"}}}"#,
            &["Place|Town hall|Portville"],
        );
        check(
            r#"{"@type":"Event","name":"Fair","location":"Town hall, Portville"}"#,
            &["Place|Town hall, Portville"],
        );
    }

    #[test]
    fn several_addresses_are_several_places() {
        check(
            r#"{"@type":"Store","name":"A","address":["Quay 4",{"streetAddress":"Pier 1"}]}"#,
            &["Store|A|Quay 4", "Store|A|Pier 1"],
        );
    }

    #[test]
    fn a_name_alone_is_no_place() {
        check(r#"{"@type":"Organization","name":"A"}"#, &[]);
        check(r#"{"@type":"Place","name":"A","address":{}}"#, &[]);
        check(r#"{"@type":"Place","geo":{"latitude":0,"longitude":0}}"#, &[]);
    }

    #[test]
    fn common_mistakes_are_forgiven() {
        check("<!-- {\"@type\":\"Place\",\"address\":\"Quay\n4\",} //-->", &["Place|Quay 4"]);
        check("//<![CDATA[\n{\"@type\":\"Place\",\"address\":\"a,}\",}\n//]]>;", &["Place|a,}"]);
        check("{\"@type\":", &[]);
        check("", &[]);
    }

    #[test]
    fn depth_and_size_are_bounded() {
        check(&"[".repeat(100_000), &[]);
        check(&"{\"a\":".repeat(10_000), &[]);
        check(&" ".repeat(LONGEST_SCRIPT + 1), &[]);
    }

    #[test]
    fn dates_of_the_page_are_read_and_those_of_reviews_are_not() {
        let mut dates = Dates::default();
        let script = r#"{"@type":"Article","review":{"@type":"Review","datePublished":"2020-01-01"},
            "datePublished":"2024-03-12","dateModified":"2024-03-13T10:00:00Z"}"#;
        read(script, &mut Places::default(), &mut dates, &mut Sections::default());
        assert_eq!(dates.published.unwrap().at.to_string(), "2024-03-12T00:00:00");
        assert_eq!(dates.modified.unwrap().at.to_string(), "2024-03-13T10:00:00");
    }
}
