//! The gazetteer from outside: small worlds, built and asked.

mod building;
mod damage;
mod geocoding;
mod properties;
mod suggesting;
mod topology;

use gazetteer::{Draft, Fact, Gazetteer, Kind, NameClass, PlaceFact, Settled};

/// A gazetteer of these facts.
fn built(facts: impl IntoIterator<Item = Fact>) -> Gazetteer {
    built_and_settled(facts).0
}

fn built_and_settled(facts: impl IntoIterator<Item = Fact>) -> (Gazetteer, Settled) {
    let mut draft = Draft::new();
    facts.into_iter().for_each(|fact| draft.add(fact));
    let mut file = Vec::new();
    let settled = draft.finish(&mut file).expect("a vector takes any bytes");
    (Gazetteer::from_bytes("test", file).expect("it was written just now"), settled)
}

fn place(key: &str, kind: Kind, name: &str, at: (f64, f64), parent: &str) -> Fact {
    Fact::Place(PlaceFact::new(key, kind, name).at(at.0, at.1).within(parent))
}

fn populated(
    key: &str,
    name: &str,
    at: (f64, f64),
    parent: &str,
    people: u64,
    others: &[&str],
) -> Fact {
    let mut city = PlaceFact::new(key, Kind::City, name).at(at.0, at.1).within(parent);
    city.population = people;
    others.iter().for_each(|other| city.also(NameClass::Alternate, other));
    Fact::Place(city)
}
