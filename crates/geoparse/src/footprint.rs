//! What ground a page is about, from all the places it names.

use earth::{Bounds, Point};
use gazetteer::{Gazetteer, Kind, PlaceId};

use crate::quick::QuickMap;

/// A page is about the narrowest place that holds at least this much of what it names: three of five, so that
/// two towns named alike often make a page about their county.
const FOCUS: f64 = 0.6;
/// Enough points to draw a page on a map; the rest are in its places.
const MOST_POINTS: usize = 8;
/// A place with less of the weight than this does not widen the box.
const LEAST_IN_BOX: f64 = 0.03;

/// One place that a page names, once.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sighting {
    /// The place.
    pub place: PlaceId,
    /// Where it is; for a house, the house.
    pub point: Point,
    /// What it counts.
    pub weight: f64,
}

/// A place with its part of a page.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WeightedPlace {
    /// The place.
    pub place: PlaceId,
    /// Its part of the page; all parts together are 1.
    pub weight: f64,
    /// How often it is named.
    pub times: usize,
}

/// A point with its part of a page.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WeightedPoint {
    /// Where.
    pub point: Point,
    /// Its part of the page.
    pub weight: f64,
}

/// A place in the small hierarchy of a page.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Node {
    /// The place.
    pub place: PlaceId,
    /// How many nodes are above it; 0 for a root, which is mostly a country.
    pub depth: usize,
    /// The part of the page that names the place itself.
    pub own: f64,
    /// The part of the page that names it or anything in it.
    pub whole: f64,
}

/// What ground a page is about.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Footprint {
    /// The places it names, the weightiest first.
    pub places: Vec<WeightedPlace>,
    /// The same as a small hierarchy, every place behind the one that holds it, the weightiest branch first.
    pub hierarchy: Vec<Node>,
    /// The narrowest place that holds most of it, if one does.
    pub focus: Option<PlaceId>,
    /// The place named most often; of several the narrowest, then the first.
    pub most_frequent: Option<PlaceId>,
    /// A few points that stand for it, the weightiest first.
    pub points: Vec<WeightedPoint>,
    /// The box around what weighs enough to matter.
    pub bounds: Option<Bounds>,
}

impl Footprint {
    /// The footprint of what a page names, in the order of the page.
    pub fn of(gazetteer: &Gazetteer, sightings: &[Sighting]) -> Self {
        let total: f64 = sightings.iter().map(|it| it.weight).sum();
        if total <= 0.0 {
            return Self::default();
        }
        let places = places(sightings, total);
        let holding = holding(gazetteer, &places);
        Self {
            hierarchy: hierarchy(gazetteer, &places, &holding),
            focus: focus(gazetteer, &holding),
            most_frequent: most_frequent(gazetteer, sightings),
            points: points(sightings, total),
            bounds: bounds(sightings, total),
            places,
        }
    }

    /// True if the page names no place.
    pub fn is_empty(&self) -> bool {
        self.places.is_empty()
    }
}

fn places(sightings: &[Sighting], total: f64) -> Vec<WeightedPlace> {
    let mut known: QuickMap<PlaceId, usize> = QuickMap::default();
    let mut list: Vec<WeightedPlace> = Vec::new();
    for it in sightings {
        let at = *known.entry(it.place).or_insert_with(|| {
            list.push(WeightedPlace { place: it.place, weight: 0.0, times: 0 });
            list.len() - 1
        });
        list[at].weight += it.weight / total;
        list[at].times += 1;
    }
    list.sort_by(|a, b| b.weight.total_cmp(&a.weight));
    list
}

/// How much of the page lies in each place that holds any of it.
fn holding(gazetteer: &Gazetteer, places: &[WeightedPlace]) -> QuickMap<PlaceId, f64> {
    let mut holding: QuickMap<PlaceId, f64> = QuickMap::default();
    for it in places {
        *holding.entry(it.place).or_default() += it.weight;
        for (holder, kind) in gazetteer.holders(it.place) {
            if kind == Kind::World {
                break;
            }
            *holding.entry(holder).or_default() += it.weight;
        }
    }
    holding
}

/// The narrowest place that holds most of the page: there is at most one chain of such places.
fn focus(gazetteer: &Gazetteer, holding: &QuickMap<PlaceId, f64>) -> Option<PlaceId> {
    // The sum of parts may miss its whole by a rounding error.
    let most =
        holding.iter().filter(|(_, weight)| **weight >= FOCUS - 1e-9).map(|(place, _)| *place);
    most.max_by_key(|place| (gazetteer.depth(*place), std::cmp::Reverse(*place)))
}

/// Every place with what holds it, below the continents.
fn hierarchy(
    gazetteer: &Gazetteer,
    places: &[WeightedPlace],
    holding: &QuickMap<PlaceId, f64>,
) -> Vec<Node> {
    let own: QuickMap<PlaceId, f64> = places.iter().map(|it| (it.place, it.weight)).collect();
    let parent = |place: PlaceId| {
        gazetteer
            .holders(place)
            .next()
            .filter(|(_, kind)| *kind > Kind::Continent)
            .map(|(holder, _)| holder)
    };
    let mut children: QuickMap<Option<PlaceId>, Vec<PlaceId>> = QuickMap::default();
    for place in holding
        .keys()
        .filter(|it| own.contains_key(it) || gazetteer.place(**it).kind() > Kind::Continent)
    {
        children.entry(parent(*place)).or_default().push(*place);
    }
    for list in children.values_mut() {
        list.sort_by(|a, b| holding[b].total_cmp(&holding[a]).then(a.cmp(b)));
    }
    let mut nodes = Vec::with_capacity(holding.len());
    let mut open: Vec<(PlaceId, usize)> = Vec::new();
    let push = |open: &mut Vec<(PlaceId, usize)>, of: Option<PlaceId>, depth: usize| {
        open.extend(children.get(&of).into_iter().flatten().rev().map(|it| (*it, depth)));
    };
    push(&mut open, None, 0);
    while let Some((place, depth)) = open.pop() {
        let own = own.get(&place).copied().unwrap_or(0.0);
        nodes.push(Node { place, depth, own, whole: holding[&place] });
        push(&mut open, Some(place), depth + 1);
    }
    nodes
}

fn most_frequent(gazetteer: &Gazetteer, sightings: &[Sighting]) -> Option<PlaceId> {
    let mut counts: QuickMap<PlaceId, (usize, usize)> = QuickMap::default();
    for (at, it) in sightings.iter().enumerate() {
        counts.entry(it.place).or_insert((0, at)).0 += 1;
    }
    let rank = |(place, (count, first)): &(PlaceId, (usize, usize))| {
        (*count, gazetteer.depth(*place), std::cmp::Reverse(*first))
    };
    counts.into_iter().max_by_key(rank).map(|(place, _)| place)
}

fn points(sightings: &[Sighting], total: f64) -> Vec<WeightedPoint> {
    let mut list: Vec<WeightedPoint> = Vec::new();
    let mut known: QuickMap<(u64, u64), usize> = QuickMap::default();
    for it in sightings {
        let key = (it.point.lat.to_bits(), it.point.lon.to_bits());
        let at = *known.entry(key).or_insert_with(|| {
            list.push(WeightedPoint { point: it.point, weight: 0.0 });
            list.len() - 1
        });
        list[at].weight += it.weight / total;
    }
    list.sort_by(|a, b| b.weight.total_cmp(&a.weight));
    list.truncate(MOST_POINTS);
    list
}

fn bounds(sightings: &[Sighting], total: f64) -> Option<Bounds> {
    let mut weights: QuickMap<PlaceId, f64> = QuickMap::default();
    for it in sightings {
        *weights.entry(it.place).or_default() += it.weight / total;
    }
    let matters = |it: &&Sighting| weights[&it.place] >= LEAST_IN_BOX;
    let some = Bounds::of(sightings.iter().filter(matters).map(|it| it.point));
    some.or_else(|| Bounds::of(sightings.iter().map(|it| it.point)))
}

#[cfg(test)]
mod tests {
    use gazetteer::{Draft, Fact, PlaceFact};

    use super::*;

    fn greece() -> Gazetteer {
        let mut draft = Draft::new();
        let mut add = |key: &str, kind, name: &str, lat, lon, parent: &str| {
            draft.add(Fact::Place(PlaceFact::new(key, kind, name).at(lat, lon).within(parent)));
        };
        add("eu", Kind::Continent, "Europe", 48.7, 9.1, "world");
        add("gr", Kind::Country, "Greece", 39.0, 22.0, "eu");
        add("pt", Kind::Country, "Portugal", 39.7, -8.0, "eu");
        add("attica", Kind::Region, "Attica", 38.0, 23.8, "gr");
        add("patras", Kind::City, "Patras", 38.24444, 21.73444, "gr");
        add("athens", Kind::City, "Athens", 37.98376, 23.72784, "attica");
        add("piraeus", Kind::City, "Piraeus", 37.94745, 23.63708, "attica");
        add("lisbon", Kind::City, "Lisbon", 38.71667, -9.13333, "pt");
        let mut file = Vec::new();
        draft.finish(&mut file).expect("the facts are good");
        Gazetteer::from_bytes("greece", file).expect("it was just written")
    }

    /// The footprint of a page that names places so often.
    fn footprint(gazetteer: &Gazetteer, times: &[(&str, usize)]) -> Footprint {
        let mut sightings = Vec::new();
        for (key, times) in times {
            let place = gazetteer.by_key(key).expect("it is there");
            let sighting = Sighting { place: place.id(), point: place.point(), weight: 1.0 };
            sightings.extend(std::iter::repeat_n(sighting, *times));
        }
        Footprint::of(gazetteer, &sightings)
    }

    #[track_caller]
    fn check_focus(times: &[(&str, usize)], expected: Option<&str>) {
        let gazetteer = greece();
        let focus = footprint(&gazetteer, times).focus;
        assert_eq!(focus.map(|it| gazetteer.place(it).key()), expected);
    }

    #[test]
    fn three_of_five_mentions_are_enough_for_a_focus() {
        check_focus(&[("patras", 3), ("athens", 1), ("piraeus", 1)], Some("patras"));
    }

    #[test]
    fn two_towns_alike_make_a_page_about_what_holds_both() {
        check_focus(&[("patras", 1), ("athens", 1)], Some("gr"));
        check_focus(&[("athens", 1), ("piraeus", 1)], Some("attica"));
        check_focus(&[("athens", 1), ("lisbon", 1)], Some("eu"));
    }

    #[test]
    fn a_page_without_places_has_no_focus() {
        check_focus(&[], None);
    }

    #[test]
    fn the_page_is_a_small_hierarchy() {
        let gazetteer = greece();
        let found = footprint(&gazetteer, &[("patras", 3), ("athens", 1), ("piraeus", 1)]);
        let shown: Vec<_> = found
            .hierarchy
            .iter()
            .map(|it| (gazetteer.place(it.place).key(), it.depth, (it.whole * 10.0).round() as i32))
            .collect();
        assert_eq!(
            shown,
            [
                ("gr", 0, 10),
                ("patras", 1, 6),
                ("attica", 1, 4),
                ("athens", 2, 2),
                ("piraeus", 2, 2)
            ]
        );
    }

    #[test]
    fn the_place_named_most_often_is_the_narrowest_of_several_then_the_first() {
        let gazetteer = greece();
        let most = |times: &[(&str, usize)]| {
            footprint(&gazetteer, times)
                .most_frequent
                .map(|it| gazetteer.place(it).key().to_owned())
        };
        assert_eq!(most(&[("gr", 2), ("patras", 1)]).as_deref(), Some("gr"));
        assert_eq!(most(&[("gr", 1), ("patras", 1)]).as_deref(), Some("patras"));
        assert_eq!(most(&[("piraeus", 1), ("athens", 1)]).as_deref(), Some("piraeus"));
        assert_eq!(most(&[]), None);
    }

    #[test]
    fn points_and_box_are_those_of_the_places() {
        let gazetteer = greece();
        let found = footprint(&gazetteer, &[("athens", 2), ("lisbon", 1)]);
        assert_eq!(found.points.len(), 2);
        assert!((found.points[0].weight - 2.0 / 3.0).abs() < 1e-9);
        let bounds = found.bounds.expect("it has points");
        assert!(bounds.contains(Point::new(38.2, 10.0)));
        assert!(!bounds.contains(Point::new(50.0, 10.0)));
    }
}
