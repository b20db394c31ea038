//! How much a place of a page has to do with a place of a topic.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use gazetteer::{Gazetteer, PlaceId, Relation};

/// So many pairs are remembered, for pages about one topic name the same places again and again.
const MOST_KNOWN: usize = 1 << 18;
/// What overlaps has as much to do with each other as what lies two steps apart.
const OVERLAP: f64 = 0.4;

/// How a place of a topic lies to a place of a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tie {
    /// They are the same.
    Equal,
    /// That of the topic holds that of the page, so many steps down the hierarchy.
    Holds(usize),
    /// That of the topic lies in that of the page, so many steps up the hierarchy.
    Within(usize),
    /// They share some ground.
    Overlaps,
    /// They share a border.
    Adjacent,
    /// They share nothing.
    Disjoint,
}

impl Tie {
    /// What it counts, 0 to 1. A page that names the whole of which the topic's place is a part
    /// counts by a factor.
    pub fn weight(self, ancestor_factor: f64) -> f64 {
        match self {
            Self::Equal => 1.0,
            Self::Holds(steps) => contained(steps),
            Self::Within(steps) => contained(steps) * ancestor_factor,
            Self::Overlaps => OVERLAP,
            Self::Adjacent | Self::Disjoint => 0.0,
        }
    }
}

/// 0.6, 0.4 and 0.2 for one, two and three steps.
fn contained(steps: usize) -> f64 {
    0.2 * 4_usize.saturating_sub(steps.max(1)) as f64
}

/// Knows how places lie to each other.
pub trait Kinship {
    /// How a place of a topic lies to a place of a page.
    fn tie(&self, of_topic: PlaceId, of_page: PlaceId) -> Tie;
}

/// The ties that a gazetteer knows of.
pub struct GazetteerKinship<'g> {
    gazetteer: &'g Gazetteer,
    known: Mutex<HashMap<(PlaceId, PlaceId), Tie>>,
}

impl<'g> GazetteerKinship<'g> {
    /// Those of this gazetteer.
    pub fn new(gazetteer: &'g Gazetteer) -> Self {
        Self { gazetteer, known: Mutex::default() }
    }

    fn look_up(&self, of_topic: PlaceId, of_page: PlaceId) -> Tie {
        let gazetteer = self.gazetteer;
        match () {
            () if of_topic == of_page => return Tie::Equal,
            () if gazetteer.holds(of_topic, of_page) => {
                return self.below(of_topic, of_page).map_or(Tie::Equal, Tie::Holds);
            }
            () if gazetteer.holds(of_page, of_topic) => {
                return self.below(of_page, of_topic).map_or(Tie::Equal, Tie::Within);
            }
            () => {}
        }
        // Outlines are dear to compare.
        match gazetteer.relation(of_topic, of_page) {
            Relation::Equal => Tie::Equal,
            Relation::Contains => Tie::Holds(1),
            Relation::Within => Tie::Within(1),
            Relation::Overlaps => Tie::Overlaps,
            Relation::Adjacent => Tie::Adjacent,
            Relation::Disjoint => Tie::Disjoint,
        }
    }

    /// How many steps a part lies below its whole; nothing if the part is the whole by another entry.
    ///
    /// A capital that is a province of its own name is one step down and not two: nobody who writes
    /// its name means the one or the other.
    fn below(&self, whole: PlaceId, part: PlaceId) -> Option<usize> {
        let names: Vec<_> = self
            .gazetteer
            .lineage(part)
            .take_while(|it| it.id() >= whole)
            .map(|it| it.name())
            .collect();
        let steps = names.windows(2).filter(|pair| pair[0] != pair[1]).count();
        (steps > 0).then_some(steps)
    }
}

impl Kinship for GazetteerKinship<'_> {
    fn tie(&self, of_topic: PlaceId, of_page: PlaceId) -> Tie {
        let pair = (of_topic, of_page);
        let known = || self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(tie) = known().get(&pair) {
            return *tie;
        }
        let tie = self.look_up(of_topic, of_page);
        let mut known = known();
        if known.len() >= MOST_KNOWN {
            known.clear();
        }
        known.insert(pair, tie);
        tie
    }
}

#[cfg(test)]
mod tests {
    use gazetteer::{Draft, Fact, Kind, PlaceFact};

    use super::*;

    #[track_caller]
    fn check(of_topic: &str, of_page: &str, expected: Tie) {
        let mut draft = Draft::new();
        let mut add = |key: &str, kind, name: &str, parent: &str| {
            let fact = PlaceFact::new(key, kind, name).at(39.0, 125.7).within(parent);
            draft.add(Fact::Place(fact));
        };
        add("as", Kind::Continent, "Asia", "world");
        add("kp", Kind::Country, "North Korea", "as");
        add("kr", Kind::Country, "South Korea", "as");
        add("kp-1", Kind::Region, "Pyongyang", "kp");
        add("py", Kind::City, "Pyongyang", "kp-1");
        add("kp-3", Kind::Region, "North Pyongan", "kp");
        add("yb", Kind::City, "Yongbyon", "kp-3");
        let mut file = Vec::new();
        draft.finish(&mut file).expect("the facts are good");
        let gazetteer = Gazetteer::from_bytes("korea", file).expect("it was just written");
        let id = |key: &str| gazetteer.by_key(key).expect("it is there").id();
        let ties = GazetteerKinship::new(&gazetteer);
        for _ in 0..2 {
            assert_eq!(ties.tie(id(of_topic), id(of_page)), expected);
        }
    }

    #[test]
    fn a_tie_is_known_by_the_steps_between() {
        check("kp", "kp", Tie::Equal);
        check("kp", "kp-3", Tie::Holds(1));
        check("kp", "yb", Tie::Holds(2));
        check("yb", "kp", Tie::Within(2));
        check("kp", "kr", Tie::Disjoint);
    }

    #[test]
    fn a_capital_that_is_its_own_province_is_one_step_down() {
        check("kp", "py", Tie::Holds(1));
        check("kp-1", "py", Tie::Equal);
    }

    #[test]
    fn what_lies_farther_down_counts_less() {
        let weights = [1, 2, 3, 4, 9].map(|it| Tie::Holds(it).weight(1.0));
        for (found, expected) in weights.iter().zip([0.6, 0.4, 0.2, 0.0, 0.0]) {
            assert!((found - expected).abs() < 1e-9, "{weights:?}");
        }
        assert!((Tie::Within(1).weight(0.5) - 0.3).abs() < 1e-9);
        assert!((Tie::Overlaps.weight(1.0) - 0.4).abs() < 1e-9);
        assert!(Tie::Adjacent.weight(1.0).abs() < 1e-9);
    }
}
