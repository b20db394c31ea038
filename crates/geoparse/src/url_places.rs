//! The places in a URL: `losangeles.example`, `/hotels/new-york/`.

use gazetteer::{Found, Gazetteer, Kind, NameClass, PlaceId, Walk};

use crate::lexicon;
use crate::name::bearer;

/// URLs are cut here; no name stands behind.
const LONGEST: usize = 2_000;
/// A joined word may be taken apart in many ways; so many are tried.
const MOST_WAYS: usize = 64;
/// A word this common is a word: `/news/`, `/contact/`.
const COMMON: f32 = 3.5;
/// A place less known than this is more probably somebody's word.
const LEAST_KNOWN: f64 = 0.30;
/// What stands before or behind a town's name in a host: `visit-…`, `…-online`.
const AFFIXES: [&str; 22] = [
    "visit",
    "my",
    "go",
    "the",
    "city",
    "cityof",
    "townof",
    "hotel",
    "hotels",
    "stadt",
    "gemeinde",
    "mein",
    "unser",
    "online",
    "info",
    "net",
    "tourism",
    "tourismus",
    "aktuell",
    "live",
    "guide",
    "ville",
];

/// A place that a URL names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UrlPlace {
    /// The place.
    pub place: PlaceId,
    /// The words of the URL that name it, as they stand there.
    pub words: String,
    /// True if they stand in the host, else in the path.
    pub is_in_host: bool,
}

/// The places that a URL names, in its order.
///
/// A name that several places bear means the one nearest to the others of the URL, or the best known.
pub fn url_places(gazetteer: &Gazetteer, url: &str) -> Vec<UrlPlace> {
    let url = &url[..url.floor_char_boundary(LONGEST.min(url.len()))];
    let rest = url.split_once("://").map_or(url, |it| it.1);
    let (host, path) = rest.split_at(rest.find(['/', '?', '#']).unwrap_or(rest.len()));
    let host = host.rsplit('@').next().unwrap_or_default().split(':').next().unwrap_or_default();
    // The last label is the top-level domain.
    let host = host.rsplit_once('.').map_or("", |it| it.0);
    let mut found = Vec::new();
    read(gazetteer, host, true, &mut found);
    read(gazetteer, path, false, &mut found);
    choose(gazetteer, found)
}

/// Finds the names in a part of a URL.
fn read(
    gazetteer: &Gazetteer,
    part: &str,
    is_in_host: bool,
    into: &mut Vec<(Found, String, bool)>,
) {
    let words: Vec<&str> = part.split(|it: char| !it.is_alphanumeric()).flat_map(humps).collect();
    let folded: Vec<String> = words.iter().map(|it| text::fold(it)).collect();
    let mut at = 0;
    while at < words.len() {
        let long = longest(gazetteer, &folded[at..]);
        let joined = || joined(gazetteer, &folded[at]).map(|it| (1, it));
        if let Some((count, found)) = long.or_else(joined) {
            into.push((found, words[at..at + count].join("-"), is_in_host));
            at += count;
        } else {
            at += 1;
        }
    }
}

/// `NewYork` is two words.
fn humps(word: &str) -> impl Iterator<Item = &str> {
    let mut rest = word;
    std::iter::from_fn(move || {
        let border = rest
            .char_indices()
            .zip(rest.chars().skip(1))
            .find(|((_, one), next)| one.is_lowercase() && next.is_uppercase())
            .map_or(rest.len(), |((at, one), _)| at + one.len_utf8());
        let (head, tail) = rest.split_at(border);
        rest = tail;
        (!head.is_empty()).then_some(head)
    })
}

/// The longest name that the words begin with, and how many words it has.
fn longest(gazetteer: &Gazetteer, words: &[String]) -> Option<(usize, Found)> {
    let mut best = None;
    let mut walk = gazetteer.walk();
    for (at, word) in words.iter().enumerate().take(6) {
        let Some(next) = gazetteer.step(walk, word) else { break };
        walk = next;
        if let Some(found) = gazetteer.found(walk) {
            best = Some((at + 1, found));
        }
    }
    best.filter(|(count, found)| is_plausible(&words[..*count], *found))
}

/// A name of several words written as one, perhaps with what hosts put around it.
fn joined(gazetteer: &Gazetteer, word: &str) -> Option<Found> {
    let affixed = AFFIXES.iter().flat_map(|it| [word.strip_prefix(it), word.strip_suffix(it)]);
    std::iter::once(Some(word))
        .chain(affixed)
        .flatten()
        .filter(|it| it.len() > 4 && it.is_ascii())
        .find_map(|it| apart(gazetteer, it).filter(|found| is_plausible(&[it.to_owned()], *found)))
}

/// The best known name that the word is without its blanks.
fn apart(gazetteer: &Gazetteer, word: &str) -> Option<Found> {
    let mut ways: Vec<(Walk, usize)> = vec![(gazetteer.walk(), 0)];
    let mut best: Option<Found> = None;
    let mut tried = 0;
    while let Some((walk, from)) = ways.pop() {
        tried += 1;
        if tried > MOST_WAYS {
            break;
        }
        for to in (from + 2..=word.len()).rev() {
            let Some(next) = gazetteer.step(walk, &word[from..to]) else { continue };
            if to < word.len() {
                ways.push((next, to));
            } else if let Some(found) = gazetteer.found(next) {
                best =
                    Some(best.filter(|it| it.importance() >= found.importance()).unwrap_or(found));
            }
        }
    }
    best
}

/// True for a name that is known well enough, long enough, and no ordinary word.
fn is_plausible(words: &[String], found: Found) -> bool {
    let length: usize = words.iter().map(String::len).sum();
    let is_word = words.len() == 1 && lexicon::look_up(&words[0]).ordinary() > COMMON;
    let known = found.importance();
    length > 3 && known > LEAST_KNOWN && (!is_word || known > 0.75)
}

/// Chooses a place for every name: the one nearest to the others, or the best known.
fn choose(gazetteer: &Gazetteer, names: Vec<(Found, String, bool)>) -> Vec<UrlPlace> {
    let candidates: Vec<Vec<_>> = names
        .iter()
        .map(|(found, _, _)| {
            gazetteer
                .bearers(*found)
                .take(20)
                .filter(|(_, class)| matches!(class, NameClass::Main | NameClass::Alternate))
                .map(|(id, class)| bearer(gazetteer, id, class, ""))
                .filter(|it| !matches!(it.kind, Kind::World | Kind::Postcode | Kind::Street))
                .collect()
        })
        .collect();
    let score = |at: usize, it: &crate::name::Bearer| {
        let others = candidates.iter().enumerate().filter(|(other, _)| *other != at);
        let near: f32 = others
            .map(|(_, list)| {
                list.iter()
                    .map(|other| if it.within.has(other.place) { 1.0 } else { it.spherical.nearness(other.spherical) } * other.importance)
                    .fold(0.0, f32::max)
            })
            .sum();
        it.importance + near
    };
    let mut places = Vec::new();
    for (at, (_, words, is_in_host)) in names.into_iter().enumerate() {
        let best = candidates[at].iter().max_by(|a, b| score(at, a).total_cmp(&score(at, b)));
        if let Some(best) = best {
            places.push(UrlPlace { place: best.place, words, is_in_host });
        }
    }
    places
}
