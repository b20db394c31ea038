//! Which of the places of a name is meant: the one nearest to the others.

use gazetteer::{Gazetteer, Kind, NameClass, Place, PlaceId};

/// So many places of a name are considered; the best known come first.
const MOST_SENSES: usize = 8;
/// So many names help each other; a list of towns is understood after a few of them.
const MOST_NAMES: usize = 8;

/// A place that a name may mean, and how many people live there.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Sense {
    pub(crate) place: PlaceId,
    pub(crate) population: u64,
}

/// The places that a name may mean, best known first.
pub(crate) fn senses_of<'g>(
    gazetteer: &'g Gazetteer,
    name: &str,
) -> impl Iterator<Item = Place<'g>> {
    gazetteer
        .named(name)
        .filter(|(place, class)| {
            matches!(class, NameClass::Main | NameClass::Alternate)
                && !matches!(place.kind(), Kind::World | Kind::Postcode | Kind::Street)
        })
        .map(|it| it.0)
        .take(MOST_SENSES)
}

/// For every name the place that is nearest to the others on average; of several and of a single
/// name the one where most people live.
pub(crate) fn choose(
    names: &[Vec<Sense>],
    distance_km: impl Fn(PlaceId, PlaceId) -> f64,
) -> Vec<PlaceId> {
    let nearest = |place: PlaceId, senses: &[Sense]| {
        senses.iter().map(|it| distance_km(place, it.place)).fold(f64::INFINITY, f64::min)
    };
    let average = |at: usize, sense: &Sense| {
        let others = names.iter().enumerate().filter(|(other, _)| *other != at);
        let near = others.take(MOST_NAMES).map(|(_, senses)| nearest(sense.place, senses));
        let (sum, count) = near
            .filter(|it| it.is_finite())
            .fold((0.0, 0.0), |(sum, count), it| (sum + it, count + 1.0));
        if count > 0.0 { sum / count } else { 0.0 }
    };
    let best = |(at, senses): (usize, &Vec<Sense>)| {
        // Whoever is alone need not be compared.
        if let [only] = senses.as_slice() {
            return Some(only.place);
        }
        let rated = senses.iter().map(|it| (average(at, it), it));
        let chosen = rated.min_by(|(near, one), (far, other)| {
            near.total_cmp(far).then(other.population.cmp(&one.population))
        });
        chosen.map(|it| it.1.place)
    };
    names.iter().enumerate().filter_map(best).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Names with the places they may mean, each with a point on a line and its people.
    #[track_caller]
    fn check(names: &[&[(u32, f64, u64)]], expected: &[u32]) {
        let all: Vec<_> = names.iter().flat_map(|it| it.iter()).collect();
        let point = |place: PlaceId| all.iter().find(|it| it.0 == place.0).expect("it is given").1;
        let sense = |it: &(u32, f64, u64)| Sense { place: PlaceId(it.0), population: it.2 };
        let names: Vec<Vec<_>> = names.iter().map(|it| it.iter().map(sense).collect()).collect();
        let chosen = choose(&names, |one, other| (point(one) - point(other)).abs());
        assert_eq!(chosen, expected.iter().map(|it| PlaceId(*it)).collect::<Vec<_>>());
    }

    #[test]
    fn the_place_nearest_to_the_others_is_meant() {
        check(&[&[(1, 0.0, 9), (2, 100.0, 1)], &[(3, 99.0, 5)]], &[2, 3]);
        check(&[&[(1, 0.0, 9), (2, 50.0, 1)], &[(3, 49.0, 5)], &[(4, 10.0, 5)]], &[2, 3, 4]);
    }

    #[test]
    fn a_name_alone_means_the_place_with_most_people() {
        check(&[&[(1, 0.0, 5), (2, 100.0, 9)]], &[2]);
    }

    #[test]
    fn of_places_equally_near_the_one_with_most_people_is_meant() {
        check(&[&[(1, -10.0, 5), (2, 10.0, 9)], &[(3, 0.0, 1)]], &[2, 3]);
    }

    #[test]
    fn a_name_without_places_means_nothing() {
        check(&[&[], &[(3, 0.0, 1)]], &[3]);
        check(&[], &[]);
    }
}
