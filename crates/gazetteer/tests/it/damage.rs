//! A file with wrong bytes in it is refused, or answers wrongly; it never breaks the program.

use std::io::Write;

use earth::Point;
use gazetteer::{Gazetteer, PlaceId};
use proptest::prelude::*;

use crate::{built, populated};

fn sound() -> Vec<u8> {
    let mut draft = gazetteer::Draft::new();
    let cities = (0..40).map(|at| {
        let name = format!("City {}", at % 7);
        populated(&format!("k{at}"), &name, (f64::from(at), 3.0), "world", 1000, &["Other"])
    });
    cities.for_each(|fact| draft.add(fact));
    let mut bytes = Vec::new();
    draft.finish(&mut bytes).expect("a vector takes any bytes");
    bytes
}

fn ask_everything(gazetteer: &Gazetteer) {
    gazetteer.geocode("City 3, Other 5", Some(Point::new(1.0, 2.0)), 5);
    gazetteer.suggest("cit", None, 5);
    gazetteer.reverse(Point::new(3.0, 3.0));
    for id in [0, 1, 17, u32::MAX] {
        let place = gazetteer.place(PlaceId(id));
        let _ = (place.label(), place.names().count(), place.outline(), place.bounds());
        let _ = (gazetteer.children(PlaceId(id)).count(), gazetteer.houses(PlaceId(id)).count());
    }
    gazetteer.by_key("k3");
    gazetteer.relation(PlaceId(1), PlaceId(2));
}

proptest! {
    #[test]
    fn wrong_bytes_do_not_break_the_reader(
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..6),
    ) {
        let mut bytes = sound();
        for (at, byte) in changes {
            let at = at.index(bytes.len());
            bytes[at] = byte;
        }
        let mut file = tempfile::NamedTempFile::new().expect("there is a temporary folder");
        file.write_all(&bytes).expect("it can be written to");
        if let Ok(gazetteer) = Gazetteer::open(file.path()) {
            ask_everything(&gazetteer);
        }
    }
}

#[test]
fn a_place_that_is_not_there_is_empty() {
    let gazetteer = built([]);
    ask_everything(&gazetteer);
    assert_eq!(gazetteer.place(PlaceId(99)).name(), "");
}
