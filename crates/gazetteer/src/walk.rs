//! Names, read word by word from a running text.

use fst::raw::CompiledAddr;

use crate::fact::NameClass;
use crate::gazetteer::Gazetteer;
use crate::place::PlaceId;

/// A way into the names of a gazetteer that goes on by one word at a time.
///
/// A text is read by starting a walk at each of its words and going on while there are names that begin so;
/// the longest name met is the one that stands there. Words are given as [`spelling`](fn@crate::spelling) writes
/// them.
#[derive(Clone, Copy, Debug)]
pub struct Walk {
    node: CompiledAddr,
    output: u64,
    is_at_start: bool,
}

/// A name that a walk has come upon.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Found(u64);

impl Found {
    /// A number that names this name: another name, another number.
    pub fn number(self) -> u64 {
        self.0
    }

    /// How well known the best bearer of the name is by it, 0 to 1.
    pub fn importance(self) -> f64 {
        f64::from(u16::MAX - (self.0 >> 32) as u16) / f64::from(u16::MAX)
    }
}

impl Gazetteer {
    /// A walk before its first word.
    pub fn walk(&self) -> Walk {
        Walk { node: self.index.fst().root().addr(), output: 0, is_at_start: true }
    }

    /// The walk after one more word, if any name goes on so.
    pub fn step(&self, walk: Walk, word: &str) -> Option<Walk> {
        let fst = self.index.fst();
        let mut node = fst.node(walk.node);
        let mut output = walk.output;
        let blank: &[u8] = if walk.is_at_start { b"" } else { b" " };
        for byte in blank.iter().chain(word.as_bytes()) {
            let transition = node.transition(node.find_input(*byte)?);
            output += transition.out.value();
            node = fst.node(transition.addr);
        }
        Some(Walk { node: node.addr(), output, is_at_start: false })
    }

    /// The name that ends here, if one does.
    pub fn found(&self, walk: Walk) -> Option<Found> {
        let node = self.index.fst().node(walk.node);
        node.is_final().then(|| Found(walk.output + node.final_output().value()))
    }

    /// The places that bear a found name, best known by it first.
    pub fn bearers(&self, found: Found) -> impl Iterator<Item = (PlaceId, NameClass)> + '_ {
        self.index.bearers_at(found.0 as u32)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Draft, Fact, Kind, PlaceFact};

    fn gazetteer() -> Gazetteer {
        let mut draft = Draft::new();
        for (key, name) in
            [("a", "York"), ("b", "New York"), ("c", "New York Mills"), ("d", "York")]
        {
            draft.add(Fact::Place(
                PlaceFact::new(key, Kind::City, name).at(1.0, 2.0).within("world"),
            ));
        }
        let mut file = Vec::new();
        draft.finish(&mut file).expect("the facts are good");
        Gazetteer::from_bytes("small", file).expect("it was just written")
    }

    #[track_caller]
    fn check(words: &[&str], bearers: Option<usize>) {
        let gazetteer = gazetteer();
        let end = words.iter().try_fold(gazetteer.walk(), |walk, word| gazetteer.step(walk, word));
        let found = end.and_then(|walk| gazetteer.found(walk));
        assert_eq!(found.map(|it| gazetteer.bearers(it).count()), bearers);
    }

    #[test]
    fn a_name_is_found_word_by_word() {
        check(&["york"], Some(2));
        check(&["new", "york"], Some(1));
        check(&["new", "york", "mills"], Some(1));
    }

    #[test]
    fn the_beginning_of_a_name_or_of_a_word_is_no_name() {
        check(&["new"], None);
        check(&["new", "yor"], None);
        check(&["new", "york", "city"], None);
        check(&["newyork"], None);
    }

    #[test]
    fn a_walk_finds_what_asking_for_the_name_finds() {
        let gazetteer = gazetteer();
        let walk = gazetteer.step(gazetteer.walk(), "york").expect("a name begins so");
        let found = gazetteer.found(walk).expect("it is a name");
        let walked: Vec<_> = gazetteer.bearers(found).map(|it| it.0).collect();
        let asked: Vec<_> = gazetteer.named("York").map(|it| it.0.id()).collect();
        assert_eq!(walked, asked);
        let best = gazetteer.named("York").next().expect("it is there").0.importance();
        assert!((found.importance() - best).abs() < 1e-4);
    }
}
