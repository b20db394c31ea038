//! What pages say: phrases with slots, in four languages, and the voice that speaks them.

use std::collections::{HashMap, HashSet};
use std::sync::OnceLock;

use crate::chance::Chance;
use crate::language::Language;

/// A phrase within a phrase within a phrase is as deep as it goes; a file that runs in circles is cut here.
const DEEPEST: usize = 6;
/// Where phrases are looked for that a section lacks.
const ANY: &str = "any";

/// The phrases of a language, by section and key.
#[derive(Debug, Default)]
pub(crate) struct Phrasebook {
    sections: HashMap<&'static str, HashMap<&'static str, Vec<&'static str>>>,
}

impl Phrasebook {
    /// The phrases of a language.
    pub(crate) fn of(language: Language) -> &'static Self {
        static BOOKS: [OnceLock<Phrasebook>; 4] = [const { OnceLock::new() }; 4];
        let (book, text) = match language {
            Language::English => (&BOOKS[0], include_str!("phrases/en.txt")),
            Language::Finnish => (&BOOKS[1], include_str!("phrases/fi.txt")),
            Language::French => (&BOOKS[2], include_str!("phrases/fr.txt")),
            Language::German => (&BOOKS[3], include_str!("phrases/de.txt")),
        };
        book.get_or_init(|| Self::read(text))
    }

    /// Reads `[section]` and `key = one way | another way`; what is neither is skipped.
    fn read(text: &'static str) -> Self {
        let mut book = Self::default();
        let mut section = ANY;
        for line in text.lines().map(str::trim).filter(|it| !it.starts_with('#')) {
            if let Some(name) = line.strip_prefix('[').and_then(|it| it.strip_suffix(']')) {
                section = name;
            } else if let Some((key, ways)) = line.split_once(" = ") {
                let known = book.sections.entry(section).or_default().entry(key).or_default();
                known.extend(ways.split(" | "));
            }
        }
        book
    }

    /// All ways to say something: those of the section, else those of any.
    pub(crate) fn ways(&self, section: &str, key: &str) -> &[&'static str] {
        let of = |section: &str| self.sections.get(section)?.get(key);
        of(section).or_else(|| of(ANY)).map_or(&[], Vec::as_slice)
    }
}

/// Somebody who speaks a language about something, and does not like to say a thing twice.
#[derive(Clone, Debug)]
pub(crate) struct Voice {
    pub(crate) language: Language,
    section: &'static str,
    slots: Vec<(&'static str, String)>,
    chance: Chance,
    said: HashSet<&'static str>,
}

impl Voice {
    /// A voice that speaks about what a section of the phrasebook is about.
    pub(crate) fn new(language: Language, section: &'static str, chance: Chance) -> Self {
        Self { language, section, slots: Vec::new(), chance, said: HashSet::new() }
    }

    /// The same voice, knowing what to put into a slot.
    pub(crate) fn knowing(mut self, slot: &'static str, value: impl Into<String>) -> Self {
        self.know(slot, value);
        self
    }

    /// Puts something into a slot from now on.
    pub(crate) fn know(&mut self, slot: &'static str, value: impl Into<String>) {
        self.slots.retain(|it| it.0 != slot);
        self.slots.push((slot, value.into()));
    }

    /// A phrase.
    pub(crate) fn phrase(&mut self, key: &str) -> String {
        let way = self.way(key);
        self.filled(way, DEEPEST)
    }

    /// A phrase that begins with a capital.
    pub(crate) fn sentence(&mut self, key: &str) -> String {
        let phrase = self.phrase(key);
        let mut letters = phrase.chars();
        let first = letters.next().into_iter().flat_map(char::to_uppercase);
        first.chain(letters).collect()
    }

    /// So many sentences that differ, if there are so many.
    pub(crate) fn sentences(&mut self, key: &str, count: usize) -> Vec<String> {
        (0..count).map(|_| self.sentence(key)).collect()
    }

    /// A way to say it that was not taken before, or any when all were.
    fn way(&mut self, key: &str) -> &'static str {
        let ways = Phrasebook::of(self.language).ways(self.section, key);
        let new: Vec<_> = ways.iter().filter(|it| !self.said.contains(**it)).copied().collect();
        let from = if new.is_empty() { ways } else { &new };
        let way = self.chance.pick(from).copied().unwrap_or_default();
        self.said.insert(way);
        way
    }

    fn filled(&mut self, way: &'static str, depth: usize) -> String {
        let mut out = String::new();
        let mut rest = way;
        while let Some((before, after)) = rest.split_once('{') {
            let (slot, after) = after.split_once('}').unwrap_or((after, ""));
            out.push_str(before);
            out.push_str(&self.slot(slot, depth));
            rest = after;
        }
        out + rest
    }

    fn slot(&mut self, slot: &'static str, depth: usize) -> String {
        if let Some((_, value)) = self.slots.iter().find(|it| it.0 == slot) {
            return value.clone();
        }
        if slot == "year" {
            return self.chance.between(1885, 2014).to_string();
        }
        if depth == 0 {
            return String::new();
        }
        let way = self.way(slot);
        self.filled(way, depth - 1)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const ALL: [Language; 4] =
        [Language::English, Language::Finnish, Language::French, Language::German];
    /// What pages fill in themselves.
    const FILLED: [&str; 11] = [
        "name",
        "street",
        "town",
        "district",
        "neighbour",
        "noun",
        "a",
        "city",
        "other",
        "another",
        "year",
    ];

    #[test]
    fn every_slot_is_filled_by_the_page_or_by_the_book() {
        for language in ALL {
            let book = Phrasebook::of(language);
            for (section, keys) in &book.sections {
                for way in keys.values().flatten() {
                    for part in way.split('{').skip(1) {
                        let slot = part.split('}').next().unwrap_or_default();
                        assert!(
                            FILLED.contains(&slot) || !book.ways(section, slot).is_empty(),
                            "{{{slot}}} in [{section}] of {language:?}: {way}"
                        );
                    }
                }
            }
        }
    }

    #[test]
    fn a_voice_says_all_it_can_before_it_repeats_itself() {
        let mut voice = Voice::new(Language::English, "bakery", Chance::new(5))
            .knowing("street", "Rue Grimaldi");
        let ways = Phrasebook::of(Language::English).ways("bakery", "say").len();
        let said: HashSet<_> = voice.sentences("say", ways).into_iter().collect();
        assert_eq!(said.len(), ways);
    }

    proptest! {
        #[test]
        fn any_text_is_a_phrasebook(text in "(\\[|\\]|a|=| |\\||\\{|\\}|\n|é){0,60}") {
            let text: &'static str = String::leak(text);
            let book = Phrasebook::read(text);
            let mut voice = Voice::new(Language::English, "any", Chance::new(1));
            for way in book.sections.values().flat_map(HashMap::values).flatten() {
                let _ = voice.filled(way, DEEPEST);
            }
        }
    }
}
