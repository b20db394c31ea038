//! One thing a source knows about the world, on its way into a gazetteer.

use earth::Point;
use geo::MultiPolygon;

use crate::kind::Kind;

/// One thing a source knows about the world.
#[derive(Clone, Debug, PartialEq)]
pub enum Fact {
    /// There is such a place.
    Place(PlaceFact),
    /// A place has this outline.
    Shape(ShapeFact),
    /// A house stands in a street.
    House(HouseFact),
    /// Somebody is to be thanked for the facts.
    Source(SourceFact),
}

/// Who is to be thanked, and under which licence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceFact {
    /// What the source calls itself.
    pub title: String,
    /// Its licence.
    pub licence: String,
    /// Where to read more.
    pub url: String,
    /// The date or edition of the data.
    pub date: String,
}

/// A place as a source describes it.
///
/// A second fact with the same key adds its names and tags to the first and fills what was empty. If it has a
/// point and no name, the place is moved to that point.
#[derive(Clone, Debug, PartialEq)]
pub struct PlaceFact {
    /// The id that stays the same over rebuilds, with its source: `gn:2855745`, `icao:EFHK`, `osm:w123`.
    pub key: String,
    /// What sort of place it is.
    pub kind: Kind,
    /// The name to show.
    pub name: String,
    /// Where it is; without one, the middle of its shape or of its parts.
    pub point: Option<Point>,
    /// The key of the place it is part of; empty means: find it by position.
    pub parent: String,
    /// How many people live there; 0 if nobody counted.
    pub population: u64,
    /// Of what it is the seat: a city's rank beside its population.
    pub seat: Seat,
    /// Its other names.
    pub names: Vec<Name>,
    /// Keys of places it borders on, as the source publishes them.
    pub adjacent: Vec<String>,
    /// Anything else, as `(word, value)`: `tz`, `iso2`, `iso3`, `lang`, `iata`, `amenity`, … The number in
    /// `importance`, 0 to 1, is the least the place counts for when it is ranked.
    pub tags: Vec<(String, String)>,
}

/// A name beside the one to show.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Name {
    /// The name as it is written.
    pub text: String,
    /// In which way it names the place.
    pub class: NameClass,
}

/// In which way a name names its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum NameClass {
    /// The name to show.
    Main = 0,
    /// Another full name, in any language or script.
    Alternate,
    /// A code or abbreviation: `US`, `CA`, `HEL`.
    Short,
    /// A word for its people or what comes from it: `Finnish`.
    Demonym,
}

/// Of what a city is the seat.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Default)]
#[repr(u8)]
pub enum Seat {
    /// Of nothing.
    #[default]
    None = 0,
    /// Of a county or municipality.
    County,
    /// Of a region.
    Region,
    /// Of a country.
    Country,
}

/// A place's outline.
#[derive(Clone, Debug, PartialEq)]
pub struct ShapeFact {
    /// The key of the place.
    pub place: String,
    /// Its polygons in degrees, x = longitude, y = latitude, cut at the date line.
    pub outline: MultiPolygon<f64>,
}

/// A house number in a street.
#[derive(Clone, Debug, PartialEq)]
pub struct HouseFact {
    /// The key of the street.
    pub street: String,
    /// As it stands on the door: `5`, `12b`, `3-5`.
    pub number: String,
    /// Where the house is.
    pub point: Point,
    /// Its postcode, if the source says so.
    pub postcode: String,
}

impl PlaceFact {
    /// A place with the least that must be known of it.
    pub fn new(key: impl Into<String>, kind: Kind, name: impl Into<String>) -> Self {
        Self {
            key: key.into(),
            kind,
            name: name.into(),
            point: None,
            parent: String::new(),
            population: 0,
            seat: Seat::None,
            names: Vec::new(),
            adjacent: Vec::new(),
            tags: Vec::new(),
        }
    }

    /// The same place at this point.
    #[must_use]
    pub fn at(mut self, lat: f64, lon: f64) -> Self {
        self.point = Some(Point::new(lat, lon));
        self
    }

    /// The same place as part of another.
    #[must_use]
    pub fn within(mut self, parent: impl Into<String>) -> Self {
        self.parent = parent.into();
        self
    }

    /// Adds a name of this class, unless the place has it already.
    pub fn also(&mut self, class: NameClass, text: &str) {
        let text = text.trim();
        let known = text.is_empty()
            || (self.name == text && class == NameClass::Alternate)
            || self.names.iter().any(|name| name.text == text && name.class == class);
        if !known {
            self.names.push(Name { text: text.to_owned(), class });
        }
    }

    /// The value of a tag.
    pub fn tag(&self, word: &str) -> Option<&str> {
        self.tags.iter().find(|(key, _)| key == word).map(|(_, value)| value.as_str())
    }
}
