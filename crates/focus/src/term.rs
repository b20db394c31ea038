//! Terms: what is known of a link, word by word, each with the part of the link that it comes from.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_64;

/// A term by its number, which is a hash of its name: `anchor:contact` and `path:contact` are two.
///
/// Two names have one number once in some ten thousand terms; the model then takes them for one.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize,
)]
pub(crate) struct Term(pub(crate) u32);

impl Term {
    /// The term of this name.
    pub(crate) fn of(name: &str) -> Self {
        Self(xxh3_64(name.as_bytes()) as u32)
    }
}

/// What is known of terms.
pub(crate) type TermMap<T> = HashMap<Term, T, BuildHasherDefault<Spread>>;

/// Spreads numbers that are hashes already over the places of a map.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Spread(u64);

impl Hasher for Spread {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        self.0 ^= xxh3_64(bytes);
    }

    fn write_u32(&mut self, number: u32) {
        // The golden ratio: it carries low bits up to where the map looks first.
        self.0 = u64::from(number).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }
}

/// So many names are kept, some twenty megabytes. Who makes up words without end gets no more.
pub(crate) const MOST_NAMES: usize = 1 << 18;

/// The names of terms.
#[derive(Clone, Debug, Default)]
pub(crate) struct Dictionary(TermMap<Box<str>>);

impl Dictionary {
    /// Takes a name in, if there is room.
    pub(crate) fn add(&mut self, term: Term, name: &str) {
        if !self.0.contains_key(&term) && self.0.len() < MOST_NAMES {
            self.0.insert(term, name.into());
        }
    }

    /// The name of a term; its number if the name is not known.
    pub(crate) fn name(&self, term: Term) -> String {
        self.find(term).map_or_else(|| format!("#{:08x}", term.0), str::to_owned)
    }

    /// The name of a term, if it is known.
    pub(crate) fn find(&self, term: Term) -> Option<&str> {
        self.0.get(&term).map(|it| &**it)
    }

    /// The names of terms for which that holds, in the order of the terms.
    pub(crate) fn names(&self, is_wanted: impl Fn(Term) -> bool) -> Vec<(Term, &str)> {
        let mut names: Vec<_> = self
            .0
            .iter()
            .filter(|(term, _)| is_wanted(**term))
            .map(|(term, name)| (*term, &**name))
            .collect();
        names.sort_unstable();
        names
    }

    /// Makes room, if that has become scarce, by forgetting names for which it does not hold.
    pub(crate) fn tidy(&mut self, is_wanted: impl Fn(Term) -> bool) {
        if self.0.len() > MOST_NAMES / 2 {
            self.0.retain(|term, _| is_wanted(*term));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_told_if_it_was_taken_in() {
        let mut dictionary = Dictionary::default();
        let contact = Term::of("anchor:contact");
        dictionary.add(contact, "anchor:contact");
        assert_eq!(dictionary.name(contact), "anchor:contact");
        assert_eq!(dictionary.name(Term(0xab)), "#000000ab");
        assert_ne!(contact, Term::of("path:contact"));
    }

    #[test]
    fn words_without_end_do_not_fill_the_memory() {
        let mut dictionary = Dictionary::default();
        for number in 0..(MOST_NAMES as u32 + 10) {
            dictionary.add(Term(number), "x");
        }
        assert_eq!(dictionary.0.len(), MOST_NAMES);
        dictionary.tidy(|it| it.0 < 5);
        assert_eq!(dictionary.names(|_| true).len(), 5);
    }
}
