//! What lies around a point.

use earth::{Meters, Point};

use crate::gazetteer::{Gazetteer, House};
use crate::kind::Kind;
use crate::place::{Place, PlaceId};

/// Beyond this a city is not near any more: nowhere on land is farther from one.
const CITY_REACH: Meters = Meters(500_000.0);
/// How far from a street's middle its ends may lie.
const STREET_REACH: Meters = Meters(2_000.0);
/// How far from a house one is still at that house.
const HOUSE_REACH: Meters = Meters(100.0);
/// How many streets are looked at for the nearest house.
const STREETS: usize = 24;

/// What lies around a point.
pub struct Surroundings<'g> {
    /// The places the point is in, the narrowest first.
    pub containing: Vec<Place<'g>>,
    /// The nearest city or district, and how far it is.
    pub nearest: Option<(Place<'g>, Meters)>,
    /// The nearest house within 100 m, with its street.
    pub house: Option<(Place<'g>, House<'g>, Meters)>,
}

impl Gazetteer {
    /// What lies around a point: the places it is in, the nearest city, and the house if there is one.
    pub fn reverse(&self, point: Point) -> Surroundings<'_> {
        Surroundings {
            containing: self.containing(point),
            nearest: self.nearest_city(point),
            house: self.nearest_house(point),
        }
    }

    /// The places a point is in, the narrowest first: those whose outlines run around it, and what holds them.
    pub fn containing(&self, point: Point) -> Vec<Place<'_>> {
        let shapes = self.shapes.holding(self.ring_tree(), point).into_iter();
        let mut places: Vec<_> =
            shapes.map(|it| self.place(PlaceId(self.shapes.place(it)))).collect();
        // What holds the narrowest holds the point, also where its own rough outline leaves it out.
        if let Some(narrowest) = places.iter().max_by_key(|it| it.kind()).copied() {
            for wider in self.ancestors(narrowest.id()).filter(|it| it.kind() >= Kind::Country) {
                if places.iter().all(|it| it.kind() != wider.kind()) {
                    places.push(wider);
                }
            }
        }
        places.sort_by_key(|place| (std::cmp::Reverse(place.kind()), place.id()));
        places
    }

    fn nearest_city(&self, point: Point) -> Option<(Place<'_>, Meters)> {
        let nearest = self.nearest_cities(point, 1, CITY_REACH);
        nearest.first().map(|&(id, distance)| (self.place(id), distance))
    }

    fn nearest_house(&self, point: Point) -> Option<(Place<'_>, House<'_>, Meters)> {
        let streets = self.nearest_spots(point, STREETS, STREET_REACH, |kind| kind == Kind::Street);
        let houses = streets.into_iter().flat_map(|(street, _)| {
            self.houses(street).map(move |house| (street, point.distance(house.point), house))
        });
        let (street, distance, house) = houses.min_by(|a, b| a.1.0.total_cmp(&b.1.0))?;
        (distance <= HOUSE_REACH).then(|| (self.place(street), house, distance))
    }
}
