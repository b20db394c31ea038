//! What the gazetteer knows of the names in addresses: towns, regions by name and code, countries.

use std::collections::HashMap;

use gazetteer::{Gazetteer, Kind, NameClass, Place, PlaceId};

use crate::address::postal_area::PostalAreas;

/// The gazetteer, prepared for addresses.
pub(crate) struct Atlas<'g> {
    pub(crate) gazetteer: &'g Gazetteer,
    pub(crate) areas: PostalAreas,
    /// Divisions by the code that addresses use: `RM`, `ZH`, `NSW`.
    codes: HashMap<String, Vec<PlaceId>>,
    /// Countries by their two letters.
    countries: HashMap<String, PlaceId>,
}

/// How many bearers of one name are looked at; the best known come first.
const MOST_BEARERS: usize = 60;

impl<'g> Atlas<'g> {
    pub(crate) fn new(gazetteer: &'g Gazetteer) -> Self {
        let mut codes: HashMap<String, Vec<PlaceId>> = HashMap::new();
        let mut countries = HashMap::new();
        for place in divisions(gazetteer, PlaceId::WORLD) {
            if let Some(iso) = place.tag("iso2").filter(|_| place.kind() == Kind::Country) {
                countries.insert(iso.to_owned(), place.id());
            } else if let Some(code) = postal_code_of(&place) {
                codes.entry(code.to_lowercase()).or_default().push(place.id());
            }
        }
        Self { gazetteer, areas: PostalAreas::new(gazetteer), codes, countries }
    }

    /// The towns of this name, best known first.
    pub(crate) fn towns(&self, name: &str) -> Vec<(Place<'g>, NameClass)> {
        let is_town = |place: &Place<'_>| {
            matches!(place.kind(), Kind::City | Kind::District | Kind::Municipality)
        };
        let is_name = |class: NameClass| matches!(class, NameClass::Main | NameClass::Alternate);
        let named = self.gazetteer.named(name).take(MOST_BEARERS);
        named.filter(|(place, class)| is_town(place) && is_name(*class)).collect()
    }

    /// The regions and counties of this name or code.
    pub(crate) fn regions(&self, name: &str) -> Vec<PlaceId> {
        let is_division = |place: &Place<'_>| matches!(place.kind(), Kind::Region | Kind::County);
        let named = self.gazetteer.named(name).take(MOST_BEARERS);
        let divisions =
            named.filter(|(place, class)| is_division(place) && names(place, *class, name));
        let mut found: Vec<_> = divisions.map(|(place, _)| place.id()).collect();
        if name.len() <= 3 {
            found.extend(self.codes.get(&name.to_lowercase()).into_iter().flatten());
        }
        found
    }

    /// The country of this name.
    pub(crate) fn country(&self, name: &str) -> Option<PlaceId> {
        let is_country = |place: &Place<'_>| place.kind() == Kind::Country;
        let named = self.gazetteer.named(name).take(MOST_BEARERS);
        let mut countries =
            named.filter(|(place, class)| is_country(place) && names(place, *class, name));
        countries.next().map(|(it, _)| it.id())
    }

    /// The country with these two letters.
    pub(crate) fn country_coded(&self, iso: &str) -> Option<PlaceId> {
        self.countries.get(iso).copied()
    }
}

/// The two letters of the country a place lies in.
pub(crate) fn iso<'g>(place: &Place<'g>) -> &'g str {
    place.country().and_then(|it| it.tag("iso2")).unwrap_or("")
}

/// The parts of a place down to its counties.
fn divisions(gazetteer: &Gazetteer, whole: PlaceId) -> Vec<Place<'_>> {
    let mut found = Vec::new();
    let mut open = vec![whole];
    while let Some(place) = open.pop() {
        for part in gazetteer.children(place).filter(|it| it.kind() <= Kind::County) {
            found.push(part);
            open.push(part.id());
        }
    }
    found
}

/// True if this is a name of the place rather than a word for its people, and if a short one is meant literally:
/// `Saint` is spelled like the code `ST` but is none.
fn names(place: &Place<'_>, class: NameClass, name: &str) -> bool {
    let folded = || text::fold(name);
    match class {
        NameClass::Demonym => false,
        NameClass::Short => place
            .names()
            .any(|(class, short)| class == NameClass::Short && text::fold(short) == folded()),
        _ => true,
    }
}

/// The last part of an administrative code if it is made of letters, as in `IT.07.RM` and `CH.ZH`.
fn postal_code_of<'g>(place: &Place<'g>) -> Option<&'g str> {
    let code = place.tag("adm").or_else(|| place.key().strip_prefix("adm:"))?;
    let last = code.rsplit('.').next()?;
    let is_lettered =
        last.bytes().all(|it| it.is_ascii_uppercase()) && (2..=3).contains(&last.len());
    let country = code.split('.').next()?;
    let uses_codes = match place.kind() {
        Kind::Region => matches!(country, "CH" | "US" | "CA" | "AU" | "BR" | "MX"),
        Kind::County => country == "IT",
        _ => false,
    };
    (is_lettered && uses_codes).then_some(last)
}
