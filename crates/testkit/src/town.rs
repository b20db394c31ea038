//! The towns whose streets and houses the embedded gazetteer knows.

use gazetteer::{Gazetteer, Kind};

use crate::address::Address;
use crate::chance::Chance;
use crate::language::Language;

/// A town with streets and houses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Town {
    Helsinki,
    Monaco,
}

impl Town {
    pub(crate) const ALL: [Self; 2] = [Self::Helsinki, Self::Monaco];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Helsinki => "Helsinki",
            Self::Monaco => "Monaco",
        }
    }

    pub(crate) fn country(self) -> &'static str {
        match self {
            Self::Helsinki => "Finland",
            Self::Monaco => "Monaco",
        }
    }

    /// The country in two letters.
    pub(crate) fn code(self) -> &'static str {
        match self {
            Self::Helsinki => "FI",
            Self::Monaco => "MC",
        }
    }

    /// What is spoken there besides English.
    pub(crate) fn language(self) -> Language {
        match self {
            Self::Helsinki => Language::Finnish,
            Self::Monaco => Language::French,
        }
    }

    /// The key in the gazetteer of what holds all its streets.
    fn key(self) -> &'static str {
        match self {
            Self::Helsinki => "gn:658225",
            // The country: its quarters are towns of their own to some sources.
            Self::Monaco => "gn:2993457",
        }
    }

    /// Its houses, in an order by chance; none if the gazetteer does not know its streets.
    pub(crate) fn houses(self, gazetteer: &Gazetteer, chance: &Chance) -> Vec<Address> {
        let Some(town) = gazetteer.by_key(self.key()) else { return Vec::new() };
        let streets = gazetteer.places().filter(|it| it.kind() == Kind::Street);
        let streets = streets.filter(|it| gazetteer.holds(town.id(), it.id()));
        let mut houses: Vec<Address> = streets
            .flat_map(|street| {
                let houses = gazetteer.houses(street.id()).filter(|it| is_simple(it.number));
                houses.map(move |house| Address {
                    place: street.id(),
                    street: street.name().to_owned(),
                    number: house.number.to_owned(),
                    postcode: self.postcode(house.postcode),
                    point: house.point,
                    town: self,
                })
            })
            .collect();
        houses.dedup_by(|a, b| (a.place, &a.number) == (b.place, &b.number));
        chance.of(self.name()).shuffle(&mut houses);
        houses
    }

    /// Monaco has one postcode, also where the source does not say so.
    fn postcode(self, known: &str) -> String {
        match self {
            Self::Helsinki => known.to_owned(),
            Self::Monaco => "98000".to_owned(),
        }
    }
}

/// `8`, `12b`: a number that everybody writes in the same way, unlike `6-8` or `1 A`.
fn is_simple(number: &str) -> bool {
    let digits = number.trim_end_matches(|it: char| it.is_ascii_lowercase());
    number.len() <= digits.len() + 1
        && !digits.is_empty()
        && digits.bytes().all(|it| it.is_ascii_digit())
}
