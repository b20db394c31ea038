//! The city a division is called after: where to put one that has neither outline nor cities.

use std::collections::BTreeMap;

use super::city::City;
use super::fold::fold_bare;

/// The largest city of each name in each country and each region.
pub(super) struct Namesakes {
    largest: BTreeMap<(String, String), usize>,
}

impl Namesakes {
    /// The cities by all their names.
    pub(super) fn new(cities: &[City]) -> Self {
        let mut largest: BTreeMap<(String, String), usize> = BTreeMap::new();
        for (number, city) in cities.iter().enumerate() {
            for code in [&city.country, &city.region] {
                for name in city.names() {
                    let first = largest.entry((code.clone(), fold_bare(name))).or_insert(number);
                    if cities[*first].population < city.population {
                        *first = number;
                    }
                }
            }
        }
        Self { largest }
    }

    /// The city in `wide` a division is called after.
    ///
    /// Slavic divisions bear the city's name as an adjective: `Kobrinskiy` after `Kobrin`.
    pub(super) fn of<'a>(&self, cities: &'a [City], wide: &str, name: &str) -> Option<&'a City> {
        const ENDINGS: [&str; 6] = ["skiy", "skii", "sky", "ski", "skoy", "skyi"];
        let folded = fold_bare(name);
        let key = (wide.to_owned(), folded.clone());
        if let Some(&number) = self.largest.get(&key) {
            return Some(&cities[number]);
        }
        let stem = ENDINGS.iter().find_map(|end| folded.strip_suffix(end));
        let stem = stem.filter(|stem| stem.len() >= 4)?;
        let range = self.largest.range((wide.to_owned(), stem.to_owned())..);
        let starting = range.take_while(|((code, name), _)| code == wide && name.starts_with(stem));
        let numbers = starting.map(|(_, &number)| number);
        numbers.max_by_key(|&number| (cities[number].population, number)).map(|n| &cities[n])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::packages::city::tests::city;

    #[test]
    fn a_division_is_called_after_a_city_also_as_an_adjective() {
        let cities = [city(1, "Kobrin", "BY", (52.2, 24.4)), city(2, "Brest", "BY", (52.1, 23.7))];
        let namesakes = Namesakes::new(&cities);
        let find = |name| namesakes.of(&cities, "BY.1", name).map(|city| city.id);
        assert_eq!(find("Kobrinskiy Rayon"), Some(1));
        assert_eq!(find("Brest District"), Some(2));
        assert_eq!(find("Pinskiy Rayon"), None);
    }
}
