//! What is known of single words beside the places they name: ordinary words, given names, surnames.

use xxhash_rust::xxh3::xxh3_64;

static TABLE: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/lexicon.bin"));

/// Bytes of a slot: check and value.
const SLOT: usize = 8;

/// What is known of a word. All zero for a word nobody listed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct WordFact(u32);

impl WordFact {
    /// How common it is as an ordinary word, 0 to 8: the logarithm of how often it stands in a billion words.
    pub(crate) fn ordinary(self) -> f32 {
        (self.0 & 127) as f32 / 10.0
    }

    /// How usual it is as a given name, 0 to 8.
    pub(crate) fn given(self) -> f32 {
        (self.0 >> 7 & 63) as f32 / 5.0
    }

    /// How usual it is as a surname, 0 to 8.
    pub(crate) fn surname(self) -> f32 {
        (self.0 >> 13 & 63) as f32 / 5.0
    }

    /// The languages of which it is an ordinary word, as bits.
    pub(crate) fn languages(self) -> u32 {
        self.0 >> 19
    }

    /// How common it is as an ordinary word of these languages; in others it is hardly met.
    pub(crate) fn ordinary_in(self, languages: u32) -> f32 {
        if self.languages() & languages == 0 { 0.0 } else { self.ordinary() }
    }
}

/// The languages whose ordinary words are known, in the order of their bits.
pub(crate) const LANGUAGES: [&str; 12] =
    ["en", "de", "fr", "es", "it", "nl", "pt", "fi", "sv", "da", "no", "pl"];

/// The bit of a language, by its two-letter code; none for one the lexicon does not cover.
pub(crate) fn language_bit(code: &str) -> u32 {
    LANGUAGES.iter().position(|it| *it == code).map_or(0, |at| 1 << at)
}

/// What is known of a folded word.
pub(crate) fn look_up(word: &str) -> WordFact {
    let hash = xxh3_64(word.as_bytes());
    let check = (hash >> 32) as u32 | 1;
    let slots = TABLE.len() / SLOT;
    let mut at = hash as usize & (slots - 1);
    loop {
        let number = |from: usize| {
            let bytes = &TABLE[at * SLOT + from..at * SLOT + from + 4];
            u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]])
        };
        match number(0) {
            0 => return WordFact::default(),
            found if found == check => return WordFact(number(4)),
            _ => at = (at + 1) & (slots - 1),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ordinary_words_are_told_from_names() {
        assert!(look_up("reading").ordinary() > 4.0);
        assert!(look_up("nice").ordinary() > 4.0);
        assert!(look_up("berlin").ordinary() < 1.0);
        assert!(look_up("reading").ordinary_in(language_bit("en")) > 4.0);
    }

    #[test]
    fn names_of_people_are_known() {
        assert!(look_up("nancy").given() > 6.0);
        assert!(look_up("washington").surname() > 5.0);
    }

    #[test]
    fn a_word_nobody_listed_is_nothing() {
        assert_eq!(look_up("qzxqzx"), WordFact::default());
        assert_eq!(look_up(""), WordFact::default());
    }
}
