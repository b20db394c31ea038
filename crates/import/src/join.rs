//! The same place in two sources: who it is in the gazetteer that is being enlarged.

use std::collections::HashMap;

use earth::Meters;
use gazetteer::{Fact, Gazetteer, Kind, PlaceFact};

/// How far apart two sources put the middle of one place: a city, a region, a country.
const CITY: Meters = Meters(10_000.0);
const REGION: Meters = Meters(150_000.0);

/// Gives facts of other sources the keys of the places that the base knows already.
///
/// Helsinki of OpenStreetMap is Helsinki of `GeoNames`: a place of the same name and sort within reach. Its
/// outline, its names and its houses then go to the place that was there.
pub struct Join<'g> {
    base: &'g Gazetteer,
    known_as: HashMap<String, String>,
}

impl<'g> Join<'g> {
    /// A join with the places of this gazetteer.
    pub fn new(base: &'g Gazetteer) -> Self {
        Self { base, known_as: HashMap::new() }
    }

    /// How many places were known already.
    pub fn joined(&self) -> usize {
        self.known_as.len()
    }

    /// The fact with the base's keys.
    pub fn fact(&mut self, fact: Fact) -> Fact {
        match fact {
            Fact::Place(place) => Fact::Place(self.place(place)),
            Fact::Shape(mut shape) => {
                shape.place = self.key(shape.place);
                Fact::Shape(shape)
            }
            Fact::House(mut house) => {
                house.street = self.key(house.street);
                Fact::House(house)
            }
            Fact::Source(source) => Fact::Source(source),
        }
    }

    fn key(&self, key: String) -> String {
        self.known_as.get(&key).cloned().unwrap_or(key)
    }

    fn place(&mut self, mut place: PlaceFact) -> PlaceFact {
        place.parent = self.key(place.parent);
        if place.name.is_empty() || self.base.by_key(&place.key).is_some() {
            return place;
        }
        if let Some(known) = self.known(&place) {
            self.known_as.insert(std::mem::replace(&mut place.key, known.clone()), known);
        }
        place
    }

    fn known(&self, place: &PlaceFact) -> Option<String> {
        if place.kind == Kind::Country {
            let iso2 = place.tag("iso2")?;
            let countries = self.base.named(iso2).map(|(it, _)| it);
            return countries
                .filter(|it| it.tag("iso2") == Some(iso2))
                .map(|it| it.key().to_owned())
                .next();
        }
        let point = place.point?;
        let reach = reach(place.kind)?;
        let same_sort = |kind: Kind| reach_group(kind) == reach_group(place.kind);
        let named = self.base.named(&place.name).map(|(it, _)| it);
        let near = named.filter(|it| same_sort(it.kind()) && it.point().distance(point) <= reach);
        let nearest =
            near.min_by(|a, b| a.point().distance(point).0.total_cmp(&b.point().distance(point).0));
        nearest.map(|it| it.key().to_owned())
    }
}

/// How far apart the same place of this kind may be; none for kinds that are not joined by name.
fn reach(kind: Kind) -> Option<Meters> {
    match kind {
        Kind::Region | Kind::County => Some(REGION),
        Kind::City | Kind::District => Some(CITY),
        _ => None,
    }
}

/// Sources differ on what is a city and what a district of one, but not on what is a region.
fn reach_group(kind: Kind) -> Kind {
    if kind == Kind::District { Kind::City } else { kind }
}

#[cfg(test)]
mod tests {
    use gazetteer::{Draft, HouseFact};

    use super::*;

    fn base() -> Gazetteer {
        let mut draft = Draft::new();
        let mut finland =
            PlaceFact::new("gn:1", Kind::Country, "Finland").at(64.0, 26.0).within("world");
        finland.tags.push(("iso2".into(), "FI".into()));
        finland.also(gazetteer::NameClass::Short, "FI");
        draft.add(Fact::Place(finland));
        draft.add(Fact::Place(
            PlaceFact::new("gn:2", Kind::City, "Helsinki").at(60.17, 24.94).within("gn:1"),
        ));
        let mut file = Vec::new();
        draft.finish(&mut file).unwrap();
        Gazetteer::from_bytes("base", file).unwrap()
    }

    #[track_caller]
    fn check(place: PlaceFact, expected: &str) {
        let base = base();
        let Fact::Place(joined) = Join::new(&base).fact(Fact::Place(place)) else {
            panic!("a place stays one")
        };
        assert_eq!(joined.key, expected);
    }

    #[test]
    fn a_city_of_the_same_name_near_by_is_the_same() {
        check(PlaceFact::new("osm:n5", Kind::City, "HELSINKI").at(60.18, 24.95), "gn:2");
    }

    #[test]
    fn a_city_of_the_same_name_far_away_is_another() {
        check(PlaceFact::new("osm:n5", Kind::City, "Helsinki").at(61.5, 24.95), "osm:n5");
    }

    #[test]
    fn a_restaurant_is_not_the_city_it_is_named_after() {
        check(PlaceFact::new("osm:n5", Kind::Poi, "Helsinki").at(60.17, 24.94), "osm:n5");
    }

    #[test]
    fn a_country_is_told_by_its_code() {
        let mut place = PlaceFact::new("ne:7", Kind::Country, "Suomi");
        place.tags.push(("iso2".into(), "FI".into()));
        check(place, "gn:1");
    }

    #[test]
    fn what_belongs_to_a_joined_place_follows_it() {
        let base = base();
        let mut join = Join::new(&base);
        join.fact(Fact::Place(PlaceFact::new("osm:n5", Kind::City, "Helsinki").at(60.17, 24.94)));
        let street = PlaceFact::new("osm:w9", Kind::Street, "Mannerheimintie")
            .at(60.17, 24.94)
            .within("osm:n5");
        let Fact::Place(street) = join.fact(Fact::Place(street)) else {
            panic!("a place stays one")
        };
        assert_eq!(street.parent, "gn:2");
        let point = earth::Point::new(60.17, 24.94);
        let house = HouseFact {
            street: "osm:w9".into(),
            number: "2".into(),
            point,
            postcode: String::new(),
        };
        assert_eq!(join.fact(Fact::House(house.clone())), Fact::House(house));
    }
}
