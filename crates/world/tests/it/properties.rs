//! What holds for every place of the world.

use gazetteer::{Kind, PlaceId, Relation};
use proptest::prelude::*;

#[test]
fn the_embedded_file_is_sound() {
    world::gazetteer().verify().unwrap();
}

#[test]
fn every_lineage_ends_at_the_world() {
    let world = world::gazetteer();
    for place in world.places() {
        assert_eq!(world.lineage(place.id()).last().map(|it| it.id()), Some(PlaceId::WORLD));
    }
}

#[test]
fn everything_has_a_name_a_key_and_a_point_on_the_globe() {
    let mut last = String::new();
    let mut keys: Vec<_> = world::gazetteer().places().map(|it| it.key()).collect();
    keys.sort_unstable();
    for key in keys {
        assert_ne!(key, last, "a key occurs twice");
        last = key.to_owned();
    }
    for place in world::gazetteer().places() {
        assert!(!place.name().is_empty(), "{} has no name", place.key());
        let point = place.point();
        assert!(
            point.lat.abs() <= 90.0 && point.lon.abs() <= 180.0,
            "{} is at {point}",
            place.key()
        );
    }
}

#[test]
fn who_made_the_data_is_named() {
    let titles: Vec<_> = world::gazetteer().sources().into_iter().map(|it| it.title).collect();
    for title in ["GeoNames", "Natural Earth", "OpenStreetMap contributors"] {
        assert!(titles.iter().any(|it| it == title), "{title} is not thanked");
    }
}

#[test]
fn the_point_of_every_outline_lies_in_it() {
    let world = world::gazetteer();
    for place in world.places().filter(gazetteer::Place::has_outline) {
        let held = world.containing(place.point());
        assert!(
            held.iter().any(|it| it.id() == place.id()),
            "{} lies beside its outline",
            place.label()
        );
    }
}

fn any_place() -> impl Strategy<Value = PlaceId> {
    (0..world::gazetteer().len() as u32).prop_map(PlaceId)
}

fn any_outlined() -> impl Strategy<Value = PlaceId> {
    let outlined: Vec<_> = world::gazetteer()
        .places()
        .filter(gazetteer::Place::has_outline)
        .map(|it| it.id())
        .collect();
    prop::sample::select(outlined)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn the_point_of_a_place_leads_back_to_it_or_what_holds_it(id in any_place()) {
        let world = world::gazetteer();
        let place = world.place(id);
        prop_assume!(matches!(place.kind(), Kind::Country | Kind::Region | Kind::County | Kind::City | Kind::District));
        // What reaches over several countries (Scandinavia) has no outline to be found by.
        prop_assume!(world.lineage(id).any(|it| it.kind() == Kind::Country));
        let around = world.reverse(place.point());
        let nearest = around.nearest.map(|(it, _)| it.id());
        let candidates = around.containing.iter().map(gazetteer::Place::id).chain(nearest);
        let found = candidates.into_iter().any(|it| {
            it == id || world.holds(it, id) || world.holds(id, it) || world.common_ancestor(it, id).kind() >= Kind::Country
        });
        prop_assert!(found, "{} at {}", place.label(), place.point());
    }

    #[test]
    fn containing_is_transitive(narrow in any_place()) {
        let world = world::gazetteer();
        let lineage: Vec<_> = world.lineage(narrow).map(|it| it.id()).collect();
        for (at, wide) in lineage.iter().enumerate().skip(1) {
            for inner in &lineage[..at] {
                prop_assert_eq!(world.relation(*wide, *inner), Relation::Contains);
            }
        }
    }

    #[test]
    fn relations_are_the_same_from_both_sides(one in any_outlined(), other in any_outlined()) {
        let world = world::gazetteer();
        // Two rough outlines of continents' size take seconds to relate in a test build.
        prop_assume!(world.place(one).kind() > Kind::Country && world.place(other).kind() > Kind::Country);
        prop_assert_eq!(world.relation(one, other), world.relation(other, one).inverse());
    }

    #[test]
    fn every_name_finds_its_place(id in any_place()) {
        let world = world::gazetteer();
        let place = world.place(id);
        prop_assume!(!gazetteer::spelling(place.name()).is_empty());
        prop_assert!(world.named(place.name()).any(|(it, _)| it.id() == id), "{}", place.name());
    }
}
