//! Stems: what words of one family share.

use std::cell::RefCell;
use std::collections::HashMap;

use rust_stemmers::{Algorithm, Stemmer};

/// The languages that words are stemmed in, by their two letters. Greek is left out: its stemmer panics on some words.
pub const STEMMED: [(&str, Algorithm); 17] = [
    ("ar", Algorithm::Arabic),
    ("da", Algorithm::Danish),
    ("de", Algorithm::German),
    ("en", Algorithm::English),
    ("es", Algorithm::Spanish),
    ("fi", Algorithm::Finnish),
    ("fr", Algorithm::French),
    ("hu", Algorithm::Hungarian),
    ("it", Algorithm::Italian),
    ("nl", Algorithm::Dutch),
    ("no", Algorithm::Norwegian),
    ("pt", Algorithm::Portuguese),
    ("ro", Algorithm::Romanian),
    ("ru", Algorithm::Russian),
    ("sv", Algorithm::Swedish),
    ("ta", Algorithm::Tamil),
    ("tr", Algorithm::Turkish),
];
/// Stems are kept for so many words a thread; most words of a page were met before.
const MOST_KEPT: usize = 100_000;

thread_local! {
    static KEPT: RefCell<HashMap<(u8, String), String>> = RefCell::default();
}

/// The number of a language among those that words are stemmed in; nothing for all others.
pub fn stemmed_language(code: &str) -> Option<u8> {
    let code = if matches!(code, "nb" | "nn") { "no" } else { code };
    STEMMED.iter().position(|it| it.0 == code).map(|it| it as u8)
}

/// Puts the stem of a folded word into the buffer: `bakeries` and `bakery` have one.
///
/// Words with digits and words of one or two letters are their own stems.
pub fn stem(language: u8, word: &str, stem: &mut String) {
    stem.clear();
    if word.len() < 3 || word.bytes().any(|it| it.is_ascii_digit()) {
        stem.push_str(word);
        return;
    }
    KEPT.with_borrow_mut(|kept| {
        // A key that borrows would save this copy, but not on stable HashMap without a wrapper type.
        let key = (language, word.to_owned());
        if let Some(known) = kept.get(&key) {
            stem.push_str(known);
            return;
        }
        let stemmer = Stemmer::create(STEMMED[usize::from(language)].1);
        let found = crate::fold(&stemmer.stem(word)).replace(' ', "");
        stem.push_str(if found.is_empty() { word } else { &found });
        if kept.len() >= MOST_KEPT {
            kept.clear();
        }
        kept.insert(key, stem.clone());
    });
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[track_caller]
    fn check(language: &str, words: &[&str]) {
        let language = stemmed_language(language).unwrap();
        let stems: Vec<String> = words
            .iter()
            .map(|word| {
                let mut found = String::new();
                stem(language, word, &mut found);
                found
            })
            .collect();
        assert!(stems.windows(2).all(|it| it[0] == it[1]), "{stems:?}");
    }

    #[test]
    fn words_of_one_family_share_a_stem() {
        check("en", &["museum", "museums"]);
        check("en", &["bakery", "bakeries"]);
        check("de", &["kirche", "kirchen"]);
        check("fr", &["musee", "musees"]);
        check("es", &["playa", "playas"]);
        check("it", &["chiesa", "chiese"]);
        check("fi", &["ravintola", "ravintolat"]);
        check("sv", &["kyrka", "kyrkor"]);
        check("nl", &["kerk", "kerken"]);
        check("pt", &["igreja", "igrejas"]);
    }

    #[test]
    fn numbers_and_short_words_stay() {
        let mut found = String::new();
        for word in ["a2s", "is", "2024"] {
            stem(stemmed_language("en").unwrap(), word, &mut found);
            assert_eq!(found, word);
        }
    }

    #[test]
    fn greek_is_not_stemmed() {
        assert_eq!(stemmed_language("el"), None);
        assert_eq!(stemmed_language("nb"), stemmed_language("no"));
    }

    proptest! {
        #[test]
        fn any_word_has_a_stem_in_any_language(word in "\\w{1,20}", language in 0..STEMMED.len() as u8) {
            for word in crate::terms(&word) {
                let mut found = String::new();
                stem(language, &word, &mut found);
                prop_assert!(!found.is_empty());
            }
        }
    }
}
