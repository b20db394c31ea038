//! What sort of place a place is.

use std::fmt;
use std::str::FromStr;

/// What sort of place a place is, from the widest to the narrowest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Kind {
    /// The root of the hierarchy: the whole earth.
    World = 0,
    /// One of the seven continents.
    Continent,
    /// A country or a dependency with a country code of its own.
    Country,
    /// A first-level division: state, province, Land (admin1).
    Region,
    /// A second-level division: county, department, Kreis (admin2).
    County,
    /// A third- or fourth-level division: commune, Gemeinde, township.
    Municipality,
    /// A city, town, village or hamlet.
    City,
    /// A part of a city: borough, quarter, neighbourhood.
    District,
    /// The area of a postcode.
    Postcode,
    /// A street, road, lane or square.
    Street,
    /// An airport or airfield.
    Airport,
    /// A piece of nature: mountain, lake, river, island, park.
    Feature,
    /// A building, shop, sight or other point of interest.
    Poi,
}

/// A word that names no kind.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
#[error("\"{0}\" is no kind of place: use one of {list}", list = Kind::ALL.map(Kind::name).join(", "))]
pub struct UnknownKind(pub String);

impl Kind {
    /// Every kind, from the widest to the narrowest.
    pub const ALL: [Self; 13] = [
        Self::World,
        Self::Continent,
        Self::Country,
        Self::Region,
        Self::County,
        Self::Municipality,
        Self::City,
        Self::District,
        Self::Postcode,
        Self::Street,
        Self::Airport,
        Self::Feature,
        Self::Poi,
    ];

    /// The kind in one lower-case word, as it stands in files, URLs and on screen.
    pub const fn name(self) -> &'static str {
        match self {
            Self::World => "world",
            Self::Continent => "continent",
            Self::Country => "country",
            Self::Region => "region",
            Self::County => "county",
            Self::Municipality => "municipality",
            Self::City => "city",
            Self::District => "district",
            Self::Postcode => "postcode",
            Self::Street => "street",
            Self::Airport => "airport",
            Self::Feature => "feature",
            Self::Poi => "poi",
        }
    }

    /// The kind behind its number in the file, if there is one.
    pub fn from_number(number: u8) -> Option<Self> {
        Self::ALL.get(usize::from(number)).copied()
    }

    /// True for the divisions of the earth's surface that nest in each other.
    pub fn is_administrative(self) -> bool {
        self <= Self::Municipality
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Kind {
    type Err = UnknownKind;

    fn from_str(word: &str) -> Result<Self, UnknownKind> {
        let known = Self::ALL.into_iter().find(|kind| kind.name() == word);
        known.ok_or_else(|| UnknownKind(word.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_is_read_back_from_its_name_and_number() {
        for kind in Kind::ALL {
            assert_eq!(kind.name().parse(), Ok(kind));
            assert_eq!(Kind::from_number(kind as u8), Some(kind));
        }
    }

    #[test]
    fn a_foreign_word_is_refused_with_the_list() {
        let error = "planet".parse::<Kind>().unwrap_err();
        assert!(error.to_string().starts_with("\"planet\" is no kind of place: use one of world,"));
    }
}
