//! What holds for any gazetteer.

use gazetteer::{
    Fact, Gazetteer, HouseFact, Kind, Name, NameClass, PlaceFact, PlaceId, ShapeFact, tsv,
};
use geo::{MultiPolygon, polygon};
use proptest::prelude::*;

use crate::built;

fn any_kind() -> impl Strategy<Value = Kind> {
    prop::sample::select(Kind::ALL[1..].to_vec())
}

fn any_place(number: usize) -> impl Strategy<Value = PlaceFact> {
    let name = "[A-Za-zäöß|\\\\ ]{1,10}";
    let names = prop::collection::vec(("[a-zé=~ ]{1,6}", 1_u8..4), 0..3);
    let place =
        (any_kind(), name, -89.0..89.0, -179.0..179.0, 0_usize..12, 0_u64..9_000_000, names);
    place.prop_map(move |(kind, name, lat, lon, parent, population, names)| {
        let mut place = PlaceFact::new(format!("p:{number}"), kind, name).at(lat, lon);
        place.parent = if parent == number { String::new() } else { format!("p:{parent}") };
        place.population = population;
        let class =
            |it| [NameClass::Alternate, NameClass::Short, NameClass::Demonym][usize::from(it) - 1];
        place.names = names.into_iter().map(|(text, it)| Name { text, class: class(it) }).collect();
        place.adjacent = vec![format!("p:{}", (parent + 1) % 12)];
        place.tags = vec![("tz".into(), "Europe/Berlin".into())];
        place
    })
}

fn any_facts() -> impl Strategy<Value = Vec<Fact>> {
    let places: Vec<_> = (0..12).map(any_place).collect();
    (places, 0_usize..12, 0_usize..12).prop_map(|(places, shaped, street)| {
        let mut facts: Vec<Fact> = places.into_iter().map(Fact::Place).collect();
        let outline = MultiPolygon(vec![
            polygon![(x: 1.0, y: 1.0), (x: 9.5, y: 1.25), (x: 9.0, y: 9.0), (x: 1.0, y: 9.0)],
        ]);
        facts.push(Fact::Shape(ShapeFact { place: format!("p:{shaped}"), outline }));
        let point = earth::Point::new(1.5, 2.25);
        facts.push(Fact::House(HouseFact {
            street: format!("p:{street}"),
            number: "5a".into(),
            point,
            postcode: "1".into(),
        }));
        facts
    })
}

fn exported(gazetteer: &Gazetteer) -> Vec<String> {
    gazetteer.facts().map(|fact| tsv::line(&fact)).collect()
}

/// Through text and back, as `export` and `import` do.
fn imported(lines: &[String]) -> Gazetteer {
    let read = |line: &String| {
        let columns = match line.split('\t').count() {
            2 => tsv::SHAPE_COLUMNS,
            5 => tsv::HOUSE_COLUMNS,
            _ => tsv::PLACE_COLUMNS,
        };
        let columns = tsv::Columns::parse(columns).expect("they are the columns of a table");
        columns.fact(line).expect("an exported line is right")
    };
    built(lines.iter().map(read).collect::<Vec<_>>())
}

proptest! {
    #[test]
    fn every_lineage_ends_at_the_world(facts in any_facts()) {
        let gazetteer = built(facts);
        for place in gazetteer.places() {
            let lineage: Vec<_> = gazetteer.lineage(place.id()).map(|it| it.id()).collect();
            prop_assert_eq!(lineage.last(), Some(&PlaceId::WORLD));
            prop_assert!(lineage.windows(2).all(|pair| pair[0] > pair[1]));
        }
    }

    #[test]
    fn children_and_parents_agree(facts in any_facts()) {
        let gazetteer = built(facts);
        let mut seen = 1;
        for place in gazetteer.places() {
            for child in gazetteer.children(place.id()) {
                prop_assert_eq!(child.parent().map(|it| it.id()), Some(place.id()));
                prop_assert!(gazetteer.holds(place.id(), child.id()));
                prop_assert_eq!(gazetteer.depth(child.id()), gazetteer.depth(place.id()) + 1);
                seen += 1;
            }
        }
        prop_assert_eq!(seen, gazetteer.len());
    }

    #[test]
    fn the_hierarchical_distance_goes_through_the_common_ancestor(facts in any_facts(), one in 0_u32..12, other in 0_u32..12) {
        let gazetteer = built(facts);
        let most = gazetteer.len() as u32 - 1;
        let (one, other) = (PlaceId(one.min(most)), PlaceId(other.min(most)));
        let up: Vec<_> = gazetteer.lineage(one).map(|it| it.id()).collect();
        let down: Vec<_> = gazetteer.lineage(other).map(|it| it.id()).collect();
        let slow = up.iter().enumerate().find_map(|(steps, it)| Some(steps + down.iter().position(|at| at == it)?));
        prop_assert_eq!(Some(gazetteer.hierarchical_distance(one, other)), slow);
    }

    #[test]
    fn every_key_and_every_name_leads_back(facts in any_facts()) {
        let gazetteer = built(facts);
        for place in gazetteer.places() {
            prop_assert_eq!(gazetteer.by_key(place.key()).map(|it| it.id()), Some(place.id()));
            if !text::fold(place.name()).is_empty() {
                prop_assert!(gazetteer.named(place.name()).any(|(it, _)| it.id() == place.id()));
            }
        }
    }

    #[test]
    fn import_of_an_export_changes_nothing(facts in any_facts()) {
        let first = exported(&built(facts));
        let again = imported(&first);
        prop_assert_eq!(exported(&again), first);
        again.verify().unwrap();
    }

    #[test]
    fn any_query_is_answered(text in any::<String>()) {
        let gazetteer = built([Fact::Place(PlaceFact::new("x", Kind::City, "Aa bb").at(1.0, 1.0))]);
        for it in gazetteer.geocode(&text, None, 3) {
            prop_assert!((0.0..=1.0).contains(&it.confidence));
        }
        gazetteer.suggest(&text, Some(earth::Point::new(0.0, 0.0)), 3);
    }
}
