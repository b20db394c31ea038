//! How places lie to each other, on squares.

use gazetteer::{Fact, Gazetteer, Kind, PlaceFact, PlaceId, Relation, ShapeFact};
use geo::{MultiPolygon, Relate, polygon};
use proptest::prelude::*;

use crate::{built, place};

fn square(west: i32, south: i32, width: i32, height: i32) -> MultiPolygon<f64> {
    let (west, south) = (f64::from(west), f64::from(south));
    let (east, north) = (west + f64::from(width), south + f64::from(height));
    MultiPolygon(vec![
        polygon![(x: west, y: south), (x: east, y: south), (x: east, y: north), (x: west, y: north)],
    ])
}

fn area(key: &str, kind: Kind, outline: &MultiPolygon<f64>) -> [Fact; 2] {
    [
        Fact::Place(PlaceFact::new(key, kind, key).within("world")),
        Fact::Shape(ShapeFact { place: key.into(), outline: outline.clone() }),
    ]
}

fn id(gazetteer: &Gazetteer, key: &str) -> PlaceId {
    gazetteer.by_key(key).expect("it was put in").id()
}

#[track_caller]
fn check(one: &MultiPolygon<f64>, other: &MultiPolygon<f64>, expected: Relation) {
    let facts = [area("one", Kind::Region, one), area("other", Kind::Region, other)];
    let gazetteer = built(facts.into_iter().flatten());
    let (one, other) = (id(&gazetteer, "one"), id(&gazetteer, "other"));
    assert_eq!(gazetteer.relation(one, other), expected);
    assert_eq!(gazetteer.relation(other, one), expected.inverse());
}

#[test]
fn squares_lie_to_each_other_as_they_look() {
    check(&square(0, 0, 2, 2), &square(2, 0, 2, 2), Relation::Adjacent);
    check(&square(0, 0, 2, 2), &square(2, 2, 2, 2), Relation::Adjacent);
    check(&square(0, 0, 2, 2), &square(1, 1, 2, 2), Relation::Overlaps);
    check(&square(0, 0, 9, 9), &square(1, 1, 2, 2), Relation::Contains);
    check(&square(0, 0, 2, 2), &square(5, 5, 2, 2), Relation::Disjoint);
    check(&square(0, 0, 2, 2), &square(0, 0, 2, 2), Relation::Equal);
}

#[test]
fn a_sliver_between_two_makers_is_a_border() {
    let mut wide = square(0, 0, 10, 10);
    let shifted = square(10, 0, 10, 10);
    wide.0[0] =
        polygon![(x: 0.0, y: 0.0), (x: 10.02, y: 0.0), (x: 10.02, y: 10.0), (x: 0.0, y: 10.0)];
    check(&wide, &shifted, Relation::Adjacent);
}

#[test]
fn the_hierarchy_decides_before_the_outlines() {
    let mut facts: Vec<Fact> = area("country", Kind::Country, &square(0, 0, 4, 4)).into();
    // An outline that sticks out of its country, as rough outlines do.
    facts.push(Fact::Place(PlaceFact::new("region", Kind::Region, "region").within("country")));
    facts.push(Fact::Shape(ShapeFact { place: "region".into(), outline: square(3, 3, 2, 2) }));
    let gazetteer = built(facts);
    assert_eq!(
        gazetteer.relation(id(&gazetteer, "country"), id(&gazetteer, "region")),
        Relation::Contains
    );
}

#[test]
fn a_point_in_an_outline_is_within_it() {
    let mut facts: Vec<Fact> = area("park", Kind::Region, &square(0, 0, 4, 4)).into();
    facts.push(place("spring", Kind::Poi, "Spring", (1.0, 1.0), "world"));
    facts.push(place("inn", Kind::Poi, "Inn", (9.0, 9.0), "world"));
    let gazetteer = built(facts);
    assert_eq!(
        gazetteer.relation(id(&gazetteer, "spring"), id(&gazetteer, "park")),
        Relation::Within
    );
    assert_eq!(
        gazetteer.relation(id(&gazetteer, "inn"), id(&gazetteer, "park")),
        Relation::Disjoint
    );
}

#[test]
fn distance_and_direction_come_along() {
    let gazetteer = built([
        place("ol", Kind::City, "Oldenburg", (53.14118, 8.21467), "world"),
        place("hb", Kind::City, "Bremen", (53.07582, 8.80717), "world"),
    ]);
    let found = gazetteer.topology(id(&gazetteer, "ol"), id(&gazetteer, "hb"));
    assert!((found.distance.km() - 40.212).abs() < 0.01);
    assert_eq!(found.bearing.unwrap().compass().short_name(), "E");
}

fn any_square() -> impl Strategy<Value = MultiPolygon<f64>> {
    (0..12, 0..12, 1..8, 1..8)
        .prop_map(|(west, south, width, height)| square(west, south, width, height))
}

proptest! {
    #[test]
    fn containing_is_transitive(a in any_square(), b in any_square(), c in any_square()) {
        let facts = [area("a", Kind::Region, &a), area("b", Kind::Region, &b), area("c", Kind::Region, &c)];
        let gazetteer = built(facts.into_iter().flatten());
        let [a, b, c] = ["a", "b", "c"].map(|key| id(&gazetteer, key));
        let contains = |one, other| matches!(gazetteer.relation(one, other), Relation::Contains | Relation::Equal);
        if contains(a, b) && contains(b, c) {
            prop_assert!(contains(a, c));
        }
    }

    #[test]
    fn neighbours_are_those_that_touch(squares in prop::collection::vec(any_square(), 2..8)) {
        let keys: Vec<String> = (0..squares.len()).map(|at| format!("s{at}")).collect();
        let gazetteer = built(keys.iter().zip(&squares).flat_map(|(key, it)| area(key, Kind::Region, it)));
        for (key, this) in keys.iter().zip(&squares) {
            let found: Vec<_> = gazetteer.neighbours(id(&gazetteer, key)).iter().map(|it| it.key().to_owned()).collect();
            let mut slow: Vec<String> = Vec::new();
            for (other, that) in keys.iter().zip(&squares) {
                if other != key && !this.relate(that).is_disjoint() {
                    slow.push(other.clone());
                }
            }
            prop_assert_eq!(found, slow);
        }
    }
}
