//! Counting what the documents of an answer are.

use std::collections::HashMap;

use gazetteer::{Gazetteer, Kind, PlaceId};
use index::{Address, Generation};

use crate::answer::Facets;

/// So many sites and languages are named.
const MOST: usize = 50;

/// Counts documents by place, site, language and month.
pub(crate) struct Counter<'a> {
    generation: &'a Generation,
    gazetteer: &'a Gazetteer,
    /// The place whose parts are counted; nothing for the countries of the world.
    whole: Option<PlaceId>,
    /// The part that a place lies in, worked out once.
    parts: HashMap<u32, Option<u32>>,
    places: HashMap<u32, u64>,
    hosts: HashMap<(u32, u32), u64>,
    languages: HashMap<(u32, u8), u64>,
    months: HashMap<i64, u64>,
    undated: u64,
    own: Vec<u32>,
}

impl<'a> Counter<'a> {
    pub(crate) fn new(
        generation: &'a Generation,
        gazetteer: &'a Gazetteer,
        whole: Option<PlaceId>,
    ) -> Self {
        Self {
            generation,
            gazetteer,
            whole,
            parts: HashMap::new(),
            places: HashMap::new(),
            hosts: HashMap::new(),
            languages: HashMap::new(),
            months: HashMap::new(),
            undated: 0,
            own: Vec::new(),
        }
    }

    pub(crate) fn add(&mut self, at: Address) {
        let shard = &self.generation.shards[at.shard as usize];
        *self.hosts.entry((at.shard, shard.facts.host_number(at.document))).or_default() += 1;
        *self.languages.entry((at.shard, shard.facts.language_number(at.document))).or_default() +=
            1;
        match shard.facts.published(at.document) {
            // Days are enough here; they become months at the end.
            Some(published) => *self.months.entry(published.div_euclid(86_400)).or_default() += 1,
            None => self.undated += 1,
        }
        self.own.clear();
        for spot in shard.space.spots(at.document) {
            let Some(place) = spot.place else { continue };
            let (gazetteer, whole) = (self.gazetteer, self.whole);
            let part =
                *self.parts.entry(place).or_insert_with(|| part(gazetteer, whole, PlaceId(place)));
            if let Some(part) = part.filter(|it| !self.own.contains(it)) {
                self.own.push(part);
            }
        }
        for part in &self.own {
            *self.places.entry(*part).or_default() += 1;
        }
    }

    pub(crate) fn facets(self) -> Facets {
        let mut sites: HashMap<&str, u64> = HashMap::new();
        for ((shard, host), count) in &self.hosts {
            *sites.entry(self.generation.shards[*shard as usize].facts.host(*host)).or_default() +=
                count;
        }
        let mut languages: HashMap<&str, u64> = HashMap::new();
        for ((shard, language), count) in &self.languages {
            let facts = &self.generation.shards[*shard as usize].facts;
            *languages.entry(facts.language(*language)).or_default() += count;
        }
        let mut months: HashMap<(i16, i8), u64> = HashMap::new();
        for (day, count) in &self.months {
            if let Ok(at) = jiff::Timestamp::from_second(day * 86_400) {
                let date = at.to_zoned(jiff::tz::TimeZone::UTC).date();
                *months.entry((date.year(), date.month())).or_default() += count;
            }
        }
        let mut months: Vec<_> = months.into_iter().collect();
        months.sort_unstable();
        let names = |counts: HashMap<&str, u64>| {
            let named = counts.into_iter().filter(|it| !it.0.is_empty());
            most(named.map(|it| (it.0.to_owned(), it.1)).collect())
        };
        Facets {
            places: sorted(self.places.into_iter().map(|it| (PlaceId(it.0), it.1)).collect()),
            sites: names(sites),
            languages: names(languages),
            months,
            undated: self.undated,
        }
    }
}

/// The part of a place that another lies in: the step below it in the hierarchy. For no place, the country.
fn part(gazetteer: &Gazetteer, whole: Option<PlaceId>, place: PlaceId) -> Option<u32> {
    let Some(whole) = whole else {
        let mut lineage = gazetteer.lineage(place);
        return lineage.find(|it| it.kind() == Kind::Country).map(|it| it.id().0);
    };
    let mut below = place;
    for (holder, _) in gazetteer.holders(place) {
        if holder == whole {
            return Some(below.0);
        }
        below = holder;
    }
    None
}

/// The most frequent ones.
fn most<T: Ord>(counts: Vec<(T, u64)>) -> Vec<(T, u64)> {
    let mut counts = sorted(counts);
    counts.truncate(MOST);
    counts
}

/// The most frequent first, then by themselves.
fn sorted<T: Ord>(mut counts: Vec<(T, u64)>) -> Vec<(T, u64)> {
    counts.sort_by(|a, b| b.1.cmp(&a.1).then(a.0.cmp(&b.0)));
    counts
}
