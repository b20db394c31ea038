//! Places that a page states in a form made for machines.

use std::ops::Range;

use earth::{PlusCode, Point, parse_coordinates};

use crate::tag::Tag;

/// A place as the page's markup states it. Nothing in it is checked against the world.
#[derive(Clone, Debug, PartialEq)]
pub struct StructuredPlace {
    /// How it is written.
    pub source: PlaceSource,
    /// Its type in the source's own words, such as `LocalBusiness`; empty if the source has none.
    pub kind: String,
    /// What it is called.
    pub name: Option<String>,
    /// The whole address, if it is not divided into parts.
    pub address: Option<String>,
    /// Street and number.
    pub street: Option<String>,
    /// Post office box.
    pub po_box: Option<String>,
    /// Postcode.
    pub postcode: Option<String>,
    /// City or village.
    pub locality: Option<String>,
    /// State, province or the like.
    pub region: Option<String>,
    /// Country, by name or code.
    pub country: Option<String>,
    /// Its position.
    pub point: Option<Point>,
    /// Its plus code, full or short.
    pub plus_code: Option<PlusCode>,
    /// Where it stands in the page's text, if it does.
    pub range: Option<Range<usize>>,
}

/// The ways to write a place for machines.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PlaceSource {
    /// A script of type `application/ld+json`.
    JsonLd,
    /// Attributes `itemscope` and `itemprop`.
    Microdata,
    /// Attributes `typeof` and `property`.
    Rdfa,
    /// Classes `h-card`, `h-adr`, `h-geo`, `vcard`, `adr`, `geo`.
    Microformat,
    /// `<meta name="geo.position">` and its kin.
    GeoMeta,
    /// `<meta property="place:location:latitude">` and its kin.
    OpenGraph,
    /// A plus code in the text.
    PlusCode,
    /// A link to a place on a map.
    MapLink,
}

/// The parts of a place that sources state one by one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Field {
    Name,
    Address,
    Street,
    PoBox,
    Postcode,
    Locality,
    Region,
    Country,
    Latitude,
    Longitude,
    /// Both coordinates in one.
    Position,
}

/// So many places of a page are kept.
const MOST_PLACES: usize = 500;
/// Of a value, so many bytes are kept.
const LONGEST_VALUE: usize = 300;

/// Places in the making.
#[derive(Default)]
pub(crate) struct Places {
    pub(crate) found: Vec<StructuredPlace>,
    geo_meta: Option<Draft>,
    open_graph: Option<Draft>,
}

/// A place whose coordinates come one after the other.
#[derive(Clone, Debug)]
pub(crate) struct Draft {
    pub(crate) place: StructuredPlace,
    latitude: Option<f64>,
    longitude: Option<f64>,
}

impl StructuredPlace {
    pub(crate) fn new(source: PlaceSource, kind: &str) -> Self {
        Self {
            source,
            kind: shortened(kind).unwrap_or_default(),
            name: None,
            address: None,
            street: None,
            po_box: None,
            postcode: None,
            locality: None,
            region: None,
            country: None,
            point: None,
            plus_code: None,
            range: None,
        }
    }

    /// Whether it says where it is; a name alone does not.
    pub(crate) fn says_where(&self) -> bool {
        let parts = [&self.address, &self.street, &self.po_box, &self.postcode, &self.locality];
        parts.iter().any(|part| part.is_some())
            || self.region.is_some()
            || self.country.is_some()
            || self.point.is_some()
            || self.plus_code.is_some()
    }
}

impl Places {
    /// Whether no more places are taken in.
    pub(crate) fn is_full(&self) -> bool {
        self.found.len() >= MOST_PLACES
    }

    /// Takes in a place that says where it is.
    pub(crate) fn add(&mut self, place: StructuredPlace) {
        let is_new = !self.found.iter().rev().take(20).any(|it| *it == place);
        if !self.is_full() && place.says_where() && is_new {
            self.found.push(place);
        }
    }

    /// Takes in what a `<meta>` says about a place.
    pub(crate) fn meta(&mut self, tag: &Tag<'_>) {
        let (Some(name), Some(content)) =
            (tag.name.raw().or(tag.property.raw()), tag.content.text())
        else {
            return;
        };
        if let Some(field) = geo_meta_field(name) {
            let draft = self.geo_meta.get_or_insert_with(|| Draft::new(PlaceSource::GeoMeta, ""));
            draft.set(field, &content);
        } else if let Some(field) = open_graph_field(name) {
            let draft =
                self.open_graph.get_or_insert_with(|| Draft::new(PlaceSource::OpenGraph, ""));
            draft.set(field, &content);
        }
    }

    /// All places, those of the head first.
    pub(crate) fn finish(self) -> Vec<StructuredPlace> {
        let drafts = [self.geo_meta, self.open_graph].into_iter().flatten();
        let of_head = drafts.map(Draft::finish).filter(StructuredPlace::says_where);
        of_head.chain(self.found).collect()
    }
}

impl Draft {
    pub(crate) fn new(source: PlaceSource, kind: &str) -> Self {
        Self { place: StructuredPlace::new(source, kind), latitude: None, longitude: None }
    }

    /// Takes in a value; the first one of a field counts.
    pub(crate) fn set(&mut self, field: Field, value: &str) {
        match field {
            Field::Latitude => self.latitude = self.latitude.or_else(|| degrees(value)),
            Field::Longitude => self.longitude = self.longitude.or_else(|| degrees(value)),
            Field::Position => self.place.point = self.place.point.or_else(|| position(value)),
            _ => {
                if let Some(slot) = self.slot(field).filter(|slot| slot.is_none()) {
                    *slot = shortened(value);
                }
            }
        }
    }

    /// Fills what is missing with what a part of the place says: its address, its position.
    pub(crate) fn fill_from(&mut self, part: StructuredPlace) {
        let place = &mut self.place;
        for (slot, value) in [
            (&mut place.address, part.address),
            (&mut place.street, part.street),
            (&mut place.po_box, part.po_box),
            (&mut place.postcode, part.postcode),
            (&mut place.locality, part.locality),
            (&mut place.region, part.region),
            (&mut place.country, part.country),
        ] {
            *slot = slot.take().or(value);
        }
        place.point = place.point.or(part.point);
        place.plus_code = place.plus_code.take().or(part.plus_code);
    }

    pub(crate) fn finish(mut self) -> StructuredPlace {
        if let (Some(lat), Some(lon), None) = (self.latitude, self.longitude, self.place.point) {
            self.place.point = stated_point(lat, lon);
        }
        self.place
    }

    fn slot(&mut self, field: Field) -> Option<&mut Option<String>> {
        let place = &mut self.place;
        Some(match field {
            Field::Name => &mut place.name,
            Field::Address => &mut place.address,
            Field::Street => &mut place.street,
            Field::PoBox => &mut place.po_box,
            Field::Postcode => &mut place.postcode,
            Field::Locality => &mut place.locality,
            Field::Region => &mut place.region,
            Field::Country => &mut place.country,
            Field::Latitude | Field::Longitude | Field::Position => return None,
        })
    }
}

/// A point that somebody meant: zero and zero is what programs write for want of one.
pub(crate) fn stated_point(lat: f64, lon: f64) -> Option<Point> {
    Point::checked(lat, lon).filter(|&point| point != Point::default())
}

/// Two coordinates in one value: `53.14;8.21`, `53.14, 8.21`, `geo:53.14,8.21`.
pub(crate) fn position(value: &str) -> Option<Point> {
    let value = value.trim();
    if let Some(found) = earth::parse_geo_uri(value) {
        return stated_point(found.point.lat, found.point.lon);
    }
    if value.len() > LONGEST_VALUE {
        return None;
    }
    let (lat, lon) = value.split_once([';', ',', ' ']).unwrap_or((value, ""));
    match (degrees(lat), degrees(lon)) {
        (Some(lat), Some(lon)) => stated_point(lat, lon),
        _ => parse_coordinates(value).and_then(|point| stated_point(point.lat, point.lon)),
    }
}

/// A number of degrees, with a point or a comma.
pub(crate) fn degrees(value: &str) -> Option<f64> {
    let value = value.trim().trim_end_matches('°').trim_end();
    if value.is_empty() || value.len() > 30 {
        return None;
    }
    let number = value.parse().or_else(|_| value.replacen(',', ".", 1).parse());
    number.ok().filter(|number: &f64| number.is_finite())
}

/// The value without blanks around and in bounds; none if nothing is left.
pub(crate) fn shortened(value: &str) -> Option<String> {
    let value = value.trim();
    let end = value.floor_char_boundary(LONGEST_VALUE);
    let mut words = String::with_capacity(end);
    for word in value[..end].split_whitespace() {
        if !words.is_empty() {
            words.push(' ');
        }
        words.push_str(word);
    }
    (!words.is_empty()).then_some(words)
}

fn geo_meta_field(name: &str) -> Option<Field> {
    Some(match name.to_ascii_lowercase().as_str() {
        "geo.position" | "icbm" | "dc.coverage.spatial.coordinates" => Field::Position,
        "geo.placename" => Field::Locality,
        "geo.region" => Field::Region,
        "geo.country" => Field::Country,
        _ => return None,
    })
}

fn open_graph_field(name: &str) -> Option<Field> {
    Some(match name {
        "place:location:latitude" | "og:latitude" => Field::Latitude,
        "place:location:longitude" | "og:longitude" => Field::Longitude,
        "business:contact_data:street_address" | "og:street-address" => Field::Street,
        "business:contact_data:locality" | "og:locality" => Field::Locality,
        "business:contact_data:region" | "og:region" => Field::Region,
        "business:contact_data:postal_code" | "og:postal-code" => Field::Postcode,
        "business:contact_data:country_name" | "og:country-name" => Field::Country,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::page::read;
    use crate::response::Response;

    #[track_caller]
    fn check_position(value: &str, expected: Option<(f64, f64)>) {
        assert_eq!(position(value).map(|it| (it.lat, it.lon)), expected, "{value}");
    }

    #[test]
    fn positions_come_in_many_forms() {
        let here = Some((53.14, 8.21));
        check_position("53.14;8.21", here);
        check_position(" 53.14, 8.21 ", here);
        check_position("53.14 8.21", here);
        check_position("53,14; 8,21", here);
        check_position("geo:53.14,8.21", here);
        check_position("0;0", None);
        check_position("99;8", None);
        check_position("here", None);
        check_position("", None);
    }

    #[test]
    fn a_value_is_trimmed_and_cut() {
        assert_eq!(shortened("  a \n b ").as_deref(), Some("a b"));
        assert_eq!(shortened(" \n "), None);
        assert!(shortened(&"ä".repeat(1000)).unwrap().len() <= LONGEST_VALUE);
    }

    #[track_caller]
    fn meta_place(html: &str) -> StructuredPlace {
        read(&Response::new(html.as_bytes())).places.remove(0)
    }

    #[test]
    fn geo_metas_are_one_place() {
        let place = meta_place(
            "<meta name='geo.position' content='53.14;8.21'><meta name=ICBM content='1, 2'>\
             <meta name='geo.placename' content='Portville'><meta name='geo.region' content='DE-NI'>",
        );
        assert_eq!(place.source, PlaceSource::GeoMeta);
        assert_eq!(place.point, Some(Point::new(53.14, 8.21)));
        assert_eq!(place.locality.as_deref(), Some("Portville"));
        assert_eq!(place.region.as_deref(), Some("DE-NI"));
    }

    #[test]
    fn open_graph_has_places() {
        let place = meta_place(
            "<meta property='place:location:latitude' content='53.14'>\
             <meta property='place:location:longitude' content='8.21'>\
             <meta property='business:contact_data:locality' content='Portville'>",
        );
        assert_eq!(place.source, PlaceSource::OpenGraph);
        assert_eq!(place.point, Some(Point::new(53.14, 8.21)));
        assert_eq!(place.locality.as_deref(), Some("Portville"));
    }
}
