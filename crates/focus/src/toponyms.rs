//! Places in the words of links, at a glance.

use std::collections::HashMap;
use std::ops::BitOr;

use gazetteer::{Found, Gazetteer, NameClass};
use geoparse::{Region, url_places};

use crate::aim::Aim;
use crate::stop_words::is_stop_word;
use crate::tokens::words;

/// No name of a place has more words.
const MOST_WORDS: usize = 6;
/// A place less known than this is more probably somebody's word, as in URLs.
const LEAST_KNOWN: f64 = 0.30;
/// Of the places of one name, one that is less than half as well known as the best is hardly meant,
/// even in the region.
const HALF: f64 = 0.5;
/// So many places may bear a name before we stop asking where they are.
const MOST_BEARERS: usize = 20;
/// So many answers are remembered, a few megabytes.
const MOST_REMEMBERED: usize = 1 << 16;

/// Which places were seen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Seen {
    /// One in the region.
    pub(crate) in_region: bool,
    /// One that is not in the region.
    pub(crate) elsewhere: bool,
}

impl BitOr for Seen {
    type Output = Self;

    fn bitor(self, other: Self) -> Self {
        Self {
            in_region: self.in_region || other.in_region,
            elsewhere: self.elsewhere || other.elsewhere,
        }
    }
}

/// Sees places in words, and whether they lie in the region of a crawl.
///
/// It looks names up and asks nothing else, where the geoparser would ask what the sentence says:
/// who learns from it learns how much that is worth.
pub(crate) struct Toponyms {
    gazetteer: Option<&'static Gazetteer>,
    region: Option<Region>,
    /// Whether a name begins with a word, by the word's hash.
    begins: HashMap<u64, bool>,
    /// Where the bearer of a name is, by the name's number.
    known: HashMap<u64, Seen>,
    word: String,
}

impl Toponyms {
    pub(crate) fn of(aim: &Aim) -> Self {
        Self {
            gazetteer: aim.gazetteer,
            region: aim.region.clone(),
            begins: HashMap::new(),
            known: HashMap::new(),
            word: String::new(),
        }
    }

    /// The places that a URL names, in its host and in its path.
    pub(crate) fn in_url(&self, url: &str) -> (Seen, Seen) {
        let mut seen = (Seen::default(), Seen::default());
        let Some(gazetteer) = self.gazetteer else { return seen };
        for found in url_places(gazetteer, url) {
            let in_region =
                self.region.as_ref().is_some_and(|it| it.holds(gazetteer, Some(found.place), None));
            let part = if found.is_in_host { &mut seen.0 } else { &mut seen.1 };
            *part = *part | Seen { in_region, elsewhere: !in_region };
        }
        seen
    }

    /// The places that a text names with capitals.
    pub(crate) fn in_text(&mut self, text: &str) -> Seen {
        let mut seen = Seen::default();
        let Some(gazetteer) = self.gazetteer else { return seen };
        let mut rest = words(text);
        loop {
            let at = rest.clone();
            let Some(first) = rest.next() else { return seen };
            if first.starts_with(char::is_lowercase) || !self.begins(gazetteer, first) {
                continue;
            }
            if let Some((count, found)) = self.longest(gazetteer, at) {
                seen = seen | self.place(gazetteer, count, found);
                rest.by_ref().take(count - 1).for_each(drop);
            }
        }
    }

    /// Whether any name begins with a word; most do not, and are asked for again on every page.
    fn begins(&mut self, gazetteer: &Gazetteer, word: &str) -> bool {
        let key = xxhash_rust::xxh3::xxh3_64(word.as_bytes());
        if let Some(known) = self.begins.get(&key) {
            return *known;
        }
        make_room(&mut self.begins);
        let begins = gazetteer.step(gazetteer.walk(), self.fold(word)).is_some();
        self.begins.insert(key, begins);
        begins
    }

    /// The longest name that the words begin with, and how many words it has.
    fn longest<'w>(
        &mut self,
        gazetteer: &Gazetteer,
        words: impl Iterator<Item = &'w str>,
    ) -> Option<(usize, Found)> {
        let mut walk = gazetteer.walk();
        let mut longest = None;
        for (at, word) in words.take(MOST_WORDS).enumerate() {
            let Some(next) = gazetteer.step(walk, self.fold(word)) else { break };
            walk = next;
            if let Some(found) = gazetteer.found(walk) {
                let is_word = at == 0 && (self.word.len() < 4 || is_stop_word(&self.word));
                longest = (!is_word).then_some((at + 1, found)).or(longest);
            }
        }
        longest
    }

    fn fold(&mut self, word: &str) -> &str {
        self.word.clear();
        word.chars().for_each(|it| text::fold_char(it, &mut self.word));
        &self.word
    }

    /// Where the place of a name is; nowhere if it is hardly a place that is meant.
    fn place(&mut self, gazetteer: &Gazetteer, words: usize, found: Found) -> Seen {
        if let Some(known) = self.known.get(&found.number()) {
            return *known;
        }
        make_room(&mut self.known);
        let best = found.importance();
        let region = self.region.as_ref();
        let in_region = gazetteer
            .bearers(found)
            .take(MOST_BEARERS)
            .filter(|it| matches!(it.1, NameClass::Main | NameClass::Alternate))
            .any(|(id, _)| {
                gazetteer.place(id).importance() >= HALF * best
                    && region.is_some_and(|it| it.holds(gazetteer, Some(id), None))
            });
        let is_known = words > 1 || best > LEAST_KNOWN;
        let seen = Seen { in_region, elsewhere: is_known && !in_region };
        self.known.insert(found.number(), seen);
        seen
    }
}

fn make_room<T>(remembered: &mut HashMap<u64, T>) {
    if remembered.len() >= MOST_REMEMBERED {
        remembered.clear();
    }
}
