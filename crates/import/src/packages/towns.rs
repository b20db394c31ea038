//! Cities found by what they are called and where they must be.

use std::collections::HashMap;

use earth::Point;

use super::city::City;
use super::fold::fold_name;

/// Cities by country and folded name, main names and others.
pub(super) struct Towns<'a> {
    cities: &'a [City],
    by_name: HashMap<&'a str, HashMap<String, Vec<usize>>>,
}

impl<'a> Towns<'a> {
    /// The cities of the list by all their names.
    pub(super) fn new(cities: &'a [City]) -> Self {
        let mut by_name: HashMap<&str, HashMap<String, Vec<usize>>> = HashMap::new();
        for (number, city) in cities.iter().enumerate() {
            let of_country = by_name.entry(&city.country).or_default();
            for name in city.names().filter(|name| !name.is_empty()) {
                let same = of_country.entry(fold_name(name)).or_default();
                if same.last() != Some(&number) {
                    same.push(number);
                }
            }
        }
        Self { cities, by_name }
    }

    /// All cities of a country called like this.
    pub(super) fn called(&self, country: &str, name: &str) -> &[usize] {
        let of_country = self.by_name.get(country);
        of_country.and_then(|names| names.get(&fold_name(name))).map_or(&[], Vec::as_slice)
    }

    /// The first city of a country whose name has these words in front.
    pub(super) fn starting(&self, country: &str, name: &str) -> Option<usize> {
        let (folded, start) = (fold_name(name), format!("{} ", fold_name(name)));
        self.cities.iter().position(|city| {
            let name = || fold_name(&city.name);
            city.country == country && (name() == folded || name().starts_with(&start))
        })
    }

    /// The nearest city of that name that fits, within so many kilometres.
    ///
    /// A city goes before its namesake parts.
    pub(super) fn nearest(
        &self,
        (country, name): (&str, &str),
        km: f64,
        point: Point,
        fits: impl Fn(&City) -> bool,
    ) -> Option<&'a City> {
        let called = self.called(country, name).iter().map(|&number| &self.cities[number]);
        called
            .filter(|city| fits(city))
            .map(|city| (city.part_of.is_some(), city.point.distance(point).km(), city))
            .filter(|&(_, distance, _)| distance <= km)
            .min_by(|a, b| a.0.cmp(&b.0).then(a.1.total_cmp(&b.1)))
            .map(|(_, _, city)| city)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::packages::city::tests::city;

    #[test]
    fn the_nearest_namesake_within_reach_is_found() {
        let cities = [
            city(1, "Springfield", "US", (39.8, -89.6)),
            city(2, "Springfield", "US", (42.1, -72.6)),
        ];
        let towns = Towns::new(&cities);
        let find = |at| towns.nearest(("US", "springfield"), 50.0, at, |_| true).map(|c| c.id);
        assert_eq!(find(Point::new(42.0, -72.6)), Some(2));
        assert_eq!(find(Point::new(45.0, -80.0)), None);
    }
}
