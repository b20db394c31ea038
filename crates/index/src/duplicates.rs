//! Near-duplicates: documents that say nearly the same about the same ground.

use std::collections::HashMap;

use crate::document::{Document, key_of_url};
use crate::spot::NO_PLACE;

/// Fingerprints of near-duplicates differ in at most so many bits of 64 (Manku, Jain and Das Sarma 2007).
const MOST_BITS: u32 = 3;
/// A fingerprint of fewer words says too little: pages of one line are alike without being copies.
const LEAST_WORDS: usize = 20;
/// A page may say itself which page it is a copy of; then its text may differ in more bits, as other menus and links make it.
/// Texts that have nothing to do with each other differ in 32 bits.
const MOST_BITS_SAID: u32 = 18;
/// In a bucket of more documents a document is compared with so many before it, not with all.
const WINDOW: usize = 64;

/// What tells near-duplicates.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Print {
    pub(crate) fingerprint: u64,
    pub(crate) ground: u64,
    /// What makes it the one to be shown: less is better.
    pub(crate) rank: u32,
    /// The key of the page that it says it is, mostly itself.
    pub(crate) said: u64,
}

impl Print {
    pub(crate) fn of(document: &Document) -> Self {
        let words = document.title.split_whitespace().count()
            + document.text.split_whitespace().take(LEAST_WORDS).count();
        let mut places: Vec<(i32, i32, u32)> = document
            .spots
            .iter()
            .map(|it| (it.lat, it.lon, it.place.unwrap_or(NO_PLACE)))
            .collect();
        places.sort_unstable();
        let bytes: Vec<u8> = places
            .iter()
            .flat_map(|it| [it.0.to_le_bytes(), it.1.to_le_bytes(), it.2.to_le_bytes()].concat())
            .collect();
        Self {
            fingerprint: if words < LEAST_WORDS { 0 } else { document.fingerprint },
            ground: xxhash_rust::xxh3::xxh3_64(&bytes)
                ^ xxhash_rust::xxh3::xxh3_64(document.language.as_bytes()),
            rank: u32::from(document.canonical.is_some()) << 31 | document.url.len() as u32,
            said: document.canonical.as_deref().map_or_else(|| document.key(), key_of_url),
        }
    }

    fn is_like(&self, other: &Self) -> bool {
        self.ground == other.ground
            && (self.fingerprint ^ other.fingerprint).count_ones() <= MOST_BITS
    }
}

/// The group of every document, 0 for none: the number, from 1, of the document that stands for the group.
///
/// A document that names another as its canonical one does not stand for its group; of the rest the one with the
/// shortest URL does.
pub(crate) fn groups(prints: &[Print]) -> Vec<u32> {
    let mut leader: Vec<u32> = (0..prints.len() as u32).collect();
    // Of two fingerprints that differ in three bits, one of four quarters is the same.
    for quarter in 0..4 {
        let mut buckets: HashMap<(u16, u64), Vec<u32>> = HashMap::new();
        for (number, print) in prints.iter().enumerate().filter(|it| it.1.fingerprint != 0) {
            let part = (print.fingerprint >> (16 * quarter)) as u16;
            let bucket = buckets.entry((part, print.ground)).or_default();
            for other in bucket.iter().rev().take(WINDOW) {
                if print.is_like(&prints[*other as usize]) {
                    join(&mut leader, number as u32, *other);
                }
            }
            bucket.push(number as u32);
        }
    }
    let mut said: HashMap<u64, u32> = HashMap::new();
    for (number, print) in prints.iter().enumerate().filter(|it| it.1.fingerprint != 0) {
        let first = *said.entry(print.said).or_insert(number as u32);
        let apart = (print.fingerprint ^ prints[first as usize].fingerprint).count_ones();
        if first != number as u32 && apart <= MOST_BITS_SAID {
            join(&mut leader, number as u32, first);
        }
    }
    let mut best: HashMap<u32, u32> = HashMap::new();
    let mut sizes: HashMap<u32, u32> = HashMap::new();
    for number in 0..prints.len() as u32 {
        let root = find(&mut leader, number);
        *sizes.entry(root).or_default() += 1;
        let best = best.entry(root).or_insert(number);
        if prints[number as usize].rank < prints[*best as usize].rank {
            *best = number;
        }
    }
    (0..prints.len() as u32)
        .map(|number| {
            let root = find(&mut leader, number);
            if sizes[&root] > 1 { best[&root] + 1 } else { 0 }
        })
        .collect()
}

fn find(leader: &mut [u32], number: u32) -> u32 {
    let mut at = number;
    while leader[at as usize] != at {
        leader[at as usize] = leader[leader[at as usize] as usize];
        at = leader[at as usize];
    }
    at
}

fn join(leader: &mut [u32], one: u32, other: u32) {
    let (one, other) = (find(leader, one), find(leader, other));
    leader[one.max(other) as usize] = one.min(other);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::spot::Spot;
    use earth::Point;

    fn document(text: &str, lat: f64, url: &str) -> Document {
        Document {
            id: key_id(url),
            text: text.to_owned(),
            url: url.to_owned(),
            fingerprint: page::fingerprint(std::iter::once(text)),
            spots: vec![Spot::new(Point::new(lat, 8.0), None, 1.0, 1.0)],
            ..Document::default()
        }
    }

    #[track_caller]
    fn check(documents: &[Document], expected: &[u32]) {
        let prints: Vec<_> = documents.iter().map(Print::of).collect();
        assert_eq!(groups(&prints), expected);
    }

    const TEXT: &str = "The old harbour of the town was built by monks who sold salt and herring to the cities \
        of the north and kept a tower with a light for the ships that came at night from the islands";

    #[test]
    fn copies_on_the_same_ground_are_a_group_led_by_the_shortest_url() {
        let documents = [
            document(TEXT, 53.0, "https://example.org/print/harbour"),
            document(
                "Something else altogether is said here about the weather of the mountains in the south and their \
                many lakes where people swim in summer and skate in winter",
                53.0,
                "https://example.org/b",
            ),
            document(TEXT, 53.0, "https://example.org/harbour"),
        ];
        check(&documents, &[3, 0, 3]);
    }

    #[test]
    fn the_same_words_about_another_place_are_no_copy() {
        let documents = [
            document(TEXT, 53.0, "https://a.example/"),
            document(TEXT, 54.0, "https://b.example/"),
        ];
        check(&documents, &[0, 0]);
    }

    #[test]
    fn a_page_that_says_it_is_another_one_may_differ_more() {
        let print = format!("{TEXT} print this page, send it to a friend, or go back");
        let one = Document {
            id: key_id("https://example.org/h"),
            ..document(TEXT, 53.0, "https://example.org/h")
        };
        let mut copy = document(&print, 54.0, "https://example.org/print/h");
        copy.id = key_id(&copy.url);
        check(&[one.clone(), copy.clone()], &[0, 0]);
        copy.canonical = Some("https://example.org/h".to_owned());
        check(&[copy, one], &[2, 2]);
    }

    fn key_id(url: &str) -> String {
        crate::document::id_of_url(url)
    }

    #[test]
    fn short_texts_are_no_copies() {
        let documents =
            [document("Opening hours", 53.0, "a"), document("Opening hours", 53.0, "b")];
        check(&documents, &[0, 0]);
    }
}
