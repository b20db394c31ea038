//! A finding: a place, a house or a coordinate that may be meant by what somebody typed or pointed at.

use std::collections::HashSet;

use earth::{Bounds, Meters, Point};
use gazetteer::{Candidate, Gazetteer, Kind, Place, PlaceId, Precision};

/// Who points at something and is farther from any city than this is in none.
const NEAR_CITY: Meters = Meters(25_000.0);
/// What has no outline and no people is taken to reach so far.
const SMALL: Meters = Meters(50.0);

/// A place, a house or a coordinate.
pub(crate) struct Finding<'g> {
    /// The place; of a house its street, of a coordinate what is nearest.
    pub(crate) place: Place<'g>,
    pub(crate) point: Point,
    /// The number of the house, if it is one.
    pub(crate) house: Option<String>,
    /// The postcode of the house, if it is known.
    pub(crate) postcode: Option<String>,
    pub(crate) is_coordinate: bool,
}

/// What may be meant by a text that is still being typed, the best first.
pub(crate) fn typed<'g>(
    gazetteer: &'g Gazetteer,
    text: &str,
    at: Option<Point>,
    most: usize,
) -> Vec<Finding<'g>> {
    if text.trim().is_empty() {
        return Vec::new();
    }
    // With a number or a comma in it, it is an address, a coordinate or a place in a place.
    let is_address = text.contains(|it: char| it.is_ascii_digit() || it == ',');
    let mut found = if is_address { meant(gazetteer, text, at, most) } else { Vec::new() };
    found.extend(gazetteer.suggest(text, at, most).into_iter().map(|it| Finding::of(it.place)));
    if found.is_empty() {
        found = meant(gazetteer, text, at, most);
    }
    let mut seen = HashSet::new();
    found.retain(|it| seen.insert((it.place.id(), it.house.clone(), it.is_coordinate)));
    found.truncate(most);
    found
}

/// What may be meant by a whole text, the best first.
pub(crate) fn meant<'g>(
    gazetteer: &'g Gazetteer,
    text: &str,
    at: Option<Point>,
    most: usize,
) -> Vec<Finding<'g>> {
    gazetteer.geocode(text, at, most).into_iter().map(Finding::from).collect()
}

/// What is at a point, the narrowest first: the house, the nearest city, and what the point is in.
pub(crate) fn here(gazetteer: &Gazetteer, point: Point) -> Vec<Finding<'_>> {
    let around = gazetteer.reverse(point);
    let house = around.house.map(|(street, house, _)| Finding {
        point: house.point,
        house: Some(house.number.to_owned()),
        postcode: Some(house.postcode.to_owned()).filter(|it| !it.is_empty()),
        ..Finding::of(street)
    });
    let city = around.nearest.filter(|it| it.1 <= NEAR_CITY).map(|it| it.0);
    let mut places: Vec<Place<'_>> = city.into_iter().collect();
    places.extend(city.iter().flat_map(|it| gazetteer.ancestors(it.id())));
    // Where no city is near, outlines tell; where there is one, it tells what it is part of.
    if city.is_none() {
        places.extend(around.containing);
    }
    places.retain(|it| it.id() != PlaceId::WORLD);
    house.into_iter().chain(places.into_iter().map(Finding::of)).collect()
}

impl<'g> Finding<'g> {
    /// A place itself.
    pub(crate) fn of(place: Place<'g>) -> Self {
        Self { point: place.point(), house: None, postcode: None, is_coordinate: false, place }
    }

    /// The kind of the place, or `house` or `coordinate`.
    pub(crate) fn kind(&self) -> &'static str {
        match (self.is_coordinate, &self.house) {
            (true, _) => "coordinate",
            (_, Some(_)) => "house",
            _ => self.place.kind().name(),
        }
    }

    /// True if it is the place itself.
    pub(crate) fn is_place(&self) -> bool {
        !self.is_coordinate && self.house.is_none()
    }

    /// As one would write it: `Mannerheimintie 2, Helsinki, Uusimaa, Finland`.
    pub(crate) fn label(&self) -> String {
        let label = self.place.label();
        match &self.house {
            _ if self.is_coordinate => format!("{} (near {label})", self.point),
            Some(number) => {
                let name = self.place.name();
                label.replacen(name, &format!("{name} {number}"), 1)
            }
            None => label,
        }
    }

    /// The box around it: of its outline, else as large as a city of so many people is, else small.
    pub(crate) fn frame(&self) -> Bounds {
        let outline = self.place.bounds().filter(|_| self.is_place());
        let is_city = matches!(self.place.kind(), Kind::City | Kind::District) && self.is_place();
        let radius =
            if is_city { Meters(index::city_radius(self.place.population())) } else { SMALL };
        outline.unwrap_or_else(|| Bounds::around(self.point, radius))
    }
}

impl<'g> From<Candidate<'g>> for Finding<'g> {
    fn from(it: Candidate<'g>) -> Self {
        Self {
            point: it.point,
            house: it.house,
            postcode: None,
            is_coordinate: it.precision == Precision::Coordinate,
            place: it.place,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, kind: &str, label: &str) {
        let found = typed(world::gazetteer(), text, None, 5);
        let first = found.first().expect("something is found");
        assert_eq!((first.kind(), first.label().as_str()), (kind, label));
    }

    #[test]
    fn beginnings_names_within_names_and_coordinates_are_found() {
        check("hels", "city", "Helsinki, Uusimaa, Finland");
        check("Paris, Texas", "city", "Paris, Texas, United States");
        let near = "60.17, 24.94 (near Keskusta, Helsinki, Uusimaa, Finland)";
        check("60.17, 24.94", "coordinate", near);
    }

    #[test]
    fn a_point_in_the_ocean_is_nowhere() {
        let found = here(world::gazetteer(), Point::new(-40.0, -120.0));
        assert!(found.is_empty());
    }

    #[test]
    fn a_point_in_a_city_is_in_all_that_holds_it() {
        let found = here(world::gazetteer(), Point::new(60.1699, 24.9384));
        let names: Vec<_> = found.iter().map(|it| it.place.name()).collect();
        assert!(names.contains(&"Helsinki") && names.contains(&"Finland"), "{names:?}");
        assert!(!names.contains(&"World"));
    }

    #[test]
    fn no_place_is_found_twice() {
        let found = typed(world::gazetteer(), "Oldenburg, ", None, 20);
        let ids: HashSet<_> = found.iter().map(|it| it.place.id()).collect();
        assert_eq!(ids.len(), found.len());
    }
}
