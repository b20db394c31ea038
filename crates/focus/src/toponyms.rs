//! Places in the words of links, at a glance.

use std::collections::HashMap;
use std::ops::BitOr;

use gazetteer::{Found, Gazetteer, NameClass, PlaceId};
use geoparse::{Region, url_places};
use xxhash_rust::xxh3::xxh3_64;

use crate::aim::Aim;
use crate::stop_words::is_stop_word;
use crate::tokens::{is_dense, runs};

/// No name of a place has more words.
const MOST_WORDS: usize = 6;
/// Names of places without spaces have so many letters; one letter alone is a word.
const LEAST_LETTERS: usize = 2;
const MOST_LETTERS: usize = 16;
/// So many letters of a run without spaces are read. Sentences are shorter.
const LONGEST_RUN: usize = 200;
/// A place less known than this is more probably somebody's word, as in URLs.
const LEAST_KNOWN: f64 = 0.30;
/// Of the places of one name, one that is less than half as well known as the best is hardly meant,
/// even in the region.
const HALF: f64 = 0.5;
/// So many places may bear a name before we stop asking where they are.
const MOST_BEARERS: usize = 20;
/// No name of a place in a URL is shorter, in bytes.
const SHORTEST_PART: usize = 3;
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
    /// Which places a host or part of a path names, by its hash.
    parts: HashMap<u64, Seen>,
    word: String,
    part: String,
}

impl Toponyms {
    /// For an aim. If that is no region, the places of its topic are; for a topic without any, no place
    /// is better or worse than another, and none is seen.
    pub(crate) fn of(aim: &Aim) -> Self {
        let topic = aim.topic.as_ref().filter(|_| aim.region.is_none());
        let places = topic.map(|it| it.places());
        let of_topic = |places: &[(PlaceId, f64)]| {
            Region::Any(places.iter().map(|it| Region::Place(it.0)).collect())
        };
        let is_anywhere = places.is_some_and(<[_]>::is_empty);
        Self {
            gazetteer: aim.gazetteer.filter(|_| !is_anywhere),
            region: aim.region.clone().or_else(|| places.map(of_topic)),
            begins: HashMap::new(),
            known: HashMap::new(),
            parts: HashMap::new(),
            word: String::new(),
            part: String::new(),
        }
    }

    /// The places that a host names: `visit-oldenburg.example`.
    pub(crate) fn in_host(&mut self, host: &str) -> Seen {
        self.in_part(host)
    }

    /// The places that a path names, one part of it after the other: `/hotels/new-york/`.
    pub(crate) fn in_path(&mut self, path: &str) -> Seen {
        let parts = path.split_inclusive('/').filter(|it| it.len() > SHORTEST_PART);
        // A slash before it tells a part of a path from a host.
        parts.fold(Seen::default(), |all, it| {
            self.part.clear();
            self.part.push('/');
            self.part.push_str(it.trim_end_matches('/'));
            let part = std::mem::take(&mut self.part);
            let seen = all | self.in_part(&part);
            self.part = part;
            seen
        })
    }

    /// The places that part of a URL names. Parts are remembered: the links of a page share most of
    /// theirs, and looking for names that are written together takes time.
    fn in_part(&mut self, part: &str) -> Seen {
        let Some(gazetteer) = self.gazetteer else { return Seen::default() };
        let key = xxh3_64(part.as_bytes());
        if let Some(seen) = self.parts.get(&key) {
            return *seen;
        }
        make_room(&mut self.parts);
        let region = self.region.as_ref();
        let seen = url_places(gazetteer, part).iter().fold(Seen::default(), |all, it| {
            let in_region =
                region.is_some_and(|region| region.holds(gazetteer, Some(it.place), None));
            all | Seen { in_region, elsewhere: !in_region }
        });
        self.parts.insert(key, seen);
        seen
    }

    /// The places that a text names with capitals.
    pub(crate) fn in_text(&mut self, text: &str) -> Seen {
        let mut seen = Seen::default();
        let Some(gazetteer) = self.gazetteer else { return seen };
        let mut rest = runs(text);
        loop {
            let at = rest.clone();
            let Some(first) = rest.next() else { return seen };
            if !first.is_ascii() && first.contains(is_dense) {
                seen = seen | self.in_run(gazetteer, first);
                continue;
            }
            if first.starts_with(char::is_lowercase) || !self.begins(gazetteer, first) {
                continue;
            }
            if let Some((count, found)) = self.longest(gazetteer, at) {
                seen = seen | self.place(gazetteer, count, found);
                rest.by_ref().take(count - 1).for_each(drop);
            }
        }
    }

    /// The places that stand in a run of words without spaces, the longest name first at each letter.
    fn in_run(&mut self, gazetteer: &Gazetteer, run: &str) -> Seen {
        let ends = run.char_indices().map(|it| it.0).chain([run.len()]);
        let ends: Vec<usize> = ends.take(LONGEST_RUN).collect();
        let mut seen = Seen::default();
        let mut at = 0;
        while at + 1 < ends.len() {
            let last = (at + MOST_LETTERS).min(ends.len() - 1);
            let mut names = (at + LEAST_LETTERS..=last).rev();
            let found = names.find_map(|end| {
                let name = std::iter::once(&run[ends[at]..ends[end]]);
                Some((end, self.longest(gazetteer, name)?.1))
            });
            at = match found {
                Some((end, found)) => {
                    seen = seen | self.place(gazetteer, 1, found);
                    end
                }
                None => at + 1,
            };
        }
        seen
    }

    /// Whether any name begins with a word; most do not, and are asked for again on every page.
    fn begins(&mut self, gazetteer: &Gazetteer, word: &str) -> bool {
        let key = xxh3_64(word.as_bytes());
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

#[cfg(test)]
pub(crate) mod tests {
    use std::sync::Arc;

    use gazetteer::{Draft, Fact, Kind, PlaceFact};
    use proptest::prelude::*;

    use super::*;
    use crate::topic::{Topic, TopicSettings};

    /// Somebody looks for Oldenburg, and knows Bad Urach too.
    pub(crate) fn aim() -> Aim {
        let mut draft = Draft::new();
        let mut add = |key: &str, kind, name: &str, within: &str| {
            let fact = PlaceFact { population: 500_000, ..PlaceFact::new(key, kind, name) };
            draft.add(Fact::Place(fact.at(53.0, 8.0).within(within)));
        };
        add("de", Kind::Country, "Germany", "world");
        add("ol", Kind::City, "Oldenburg", "de");
        add("bu", Kind::City, "Bad Urach", "de");
        add("kyo", Kind::City, "京都", "de");
        add("to", Kind::City, "東京都", "de");
        let mut file = Vec::new();
        draft.finish(&mut file).expect("the facts are good");
        let gazetteer: &'static Gazetteer =
            Box::leak(Box::new(Gazetteer::from_bytes("small", file).expect("just written")));
        let oldenburg = gazetteer.by_key("ol").expect("it is there").id();
        Aim { gazetteer: Some(gazetteer), region: Some(Region::Place(oldenburg)), ..Aim::default() }
    }

    const NONE: Seen = Seen { in_region: false, elsewhere: false };
    const HERE: Seen = Seen { in_region: true, elsewhere: false };
    const THERE: Seen = Seen { in_region: false, elsewhere: true };

    #[track_caller]
    fn check(seen: impl FnOnce(&mut Toponyms) -> Seen, expected: Seen) {
        assert_eq!(seen(&mut Toponyms::of(&aim())), expected);
    }

    #[test]
    fn places_in_texts_begin_with_capitals() {
        check(|it| it.in_text("the fair of OLDENBURG"), HERE);
        check(|it| it.in_text("the fair of oldenburg"), NONE);
        check(|it| it.in_text("Bad Urach"), THERE);
        check(|it| it.in_text("Bad news"), NONE);
        check(|it| it.in_text("From Bad Urach to Oldenburg"), HERE | THERE);
    }

    #[test]
    fn places_are_found_where_words_have_no_spaces() {
        let aim = aim();
        let gazetteer = aim.gazetteer.expect("it has one");
        let kyoto = gazetteer.by_key("kyo").expect("it is there").id();
        let mut toponyms = Toponyms::of(&Aim { region: Some(Region::Place(kyoto)), ..aim });
        assert_eq!(toponyms.in_text("私は京都の宿"), HERE);
        assert_eq!(toponyms.in_text("東京都の宿"), THERE, "and not 京都, which is part of it");
        assert_eq!(toponyms.in_text("宿"), NONE);
    }

    #[test]
    fn places_in_urls_may_be_written_together() {
        check(|it| it.in_host("www.visitoldenburg.example"), HERE);
        check(|it| it.in_path("/hotels/bad-urach/index.html"), THERE);
        check(|it| it.in_path("/a/b?c=d"), NONE);
    }

    #[test]
    fn without_a_region_every_place_is_elsewhere() {
        let mut toponyms = Toponyms::of(&Aim { region: None, ..aim() });
        assert_eq!(toponyms.in_text("Oldenburg"), THERE);
        assert_eq!(Toponyms::of(&Aim::default()).in_text("Oldenburg"), NONE);
    }

    /// Somebody looks for a topic with this keyword, and these places.
    pub(crate) fn topic_aim(keyword: &str, places: &[&str]) -> Aim {
        let gazetteer = aim().gazetteer.expect("it has one");
        let place = |key: &&str| (gazetteer.by_key(key).expect("it is there").id(), 1.0);
        let places: Vec<_> = places.iter().map(place).collect();
        let keywords = [(keyword.to_owned(), 1.0)];
        let topic = Topic::new("topic", &keywords, &places, TopicSettings::default());
        let topic = Some(Arc::new(topic.expect("it is one")));
        Aim { gazetteer: Some(gazetteer), topic, ..Aim::default() }
    }

    #[test]
    fn without_a_region_the_places_of_the_topic_are_looked_for() {
        let mut toponyms = Toponyms::of(&topic_aim("harbour", &["ol"]));
        assert_eq!(toponyms.in_text("Oldenburg"), HERE);
        assert_eq!(toponyms.in_text("Bad Urach"), THERE);
        assert_eq!(toponyms.in_host("oldenburg.example"), HERE);
        assert_eq!(Toponyms::of(&topic_aim("harbour", &[])).in_text("Oldenburg"), NONE);
    }

    proptest! {
        #[test]
        fn any_words_name_some_places_or_none(words in "(Bad |Urach|Oldenburg|/|\\PC{0,5}){0,20}") {
            let mut toponyms = Toponyms::of(&aim());
            toponyms.in_text(&words);
            toponyms.in_path(&words);
            toponyms.in_host(&words);
        }
    }
}
