//! The tables of spaCy: how often words are written small, and which words have a lemma.

use std::collections::{BTreeMap, HashMap};
use std::io::Read;

use flate2::read::GzDecoder;
use serde::de::DeserializeOwned;

use crate::packages::archive::Files;
use crate::sink::ImportError;

/// No table is larger than this: the largest, of German, has 32 MB.
const LARGEST: u64 = 256 << 20;

/// How much of a word's use is written without a capital, by the word in lower case.
#[derive(Debug, Default)]
pub(super) struct Casing {
    /// The probability of the word in lower case, and in whatever case.
    by_word: HashMap<String, (f64, f64)>,
}

impl Casing {
    pub(super) fn read(spacy: &Files, name: &str) -> Result<Self, ImportError> {
        Ok(Self::new(table(spacy, name)?))
    }

    /// Takes natural logarithms of probabilities, by the word as it was written.
    fn new(logarithms: HashMap<String, f64>) -> Self {
        let mut casing = Self::default();
        // Sums depend on the order of their terms.
        let logarithms: BTreeMap<String, f64> = logarithms.into_iter().collect();
        for (word, logarithm) in logarithms {
            let lower = word.to_lowercase();
            let is_lower = lower == word;
            let (small, all) = casing.by_word.entry(lower).or_default();
            *all += logarithm.exp();
            if is_lower {
                *small += logarithm.exp();
            }
        }
        casing
    }

    /// Between nothing, for words that always have a capital, and one.
    pub(super) fn lower_share(&self, word: &str) -> Option<f64> {
        self.by_word.get(word).filter(|(_, all)| *all > 0.0).map(|(small, all)| small / all)
    }
}

/// A table of words with their lemma.
pub(super) fn lemmas(spacy: &Files, name: &str) -> Result<HashMap<String, String>, ImportError> {
    table(spacy, name)
}

/// A table of words with their lemmas, by part of speech.
pub(super) fn lemmas_by_part(
    spacy: &Files,
    name: &str,
) -> Result<BTreeMap<String, HashMap<String, Vec<String>>>, ImportError> {
    table(spacy, name)
}

fn table<T: DeserializeOwned>(spacy: &Files, name: &str) -> Result<T, ImportError> {
    let torn =
        |reason: &dyn std::fmt::Display| spacy.foreign(name, "gzipped JSON table of words", reason);
    let mut bytes = Vec::new();
    let unpacked = GzDecoder::new(spacy.bytes(name)?);
    unpacked.take(LARGEST).read_to_end(&mut bytes).map_err(|error| torn(&error))?;
    serde_json::from_slice(&bytes).map_err(|error| torn(&error))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_share_of_lower_case_is_over_all_ways_to_write_a_word() {
        let words = [("china", 0.1_f64), ("China", 0.7), ("CHINA", 0.2)];
        let casing = Casing::new(words.map(|(word, p)| (word.to_owned(), p.ln())).into());
        assert!((casing.lower_share("china").unwrap() - 0.1).abs() < 1e-9);
        assert_eq!(casing.lower_share("chinaware"), None);
    }
}
