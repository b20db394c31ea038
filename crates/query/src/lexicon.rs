//! Which words are ordinary words, whatever places bear them as names.

use std::sync::LazyLock;

static BYTES: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/ordinary.fst"));
static WORDS: LazyLock<fst::Map<&'static [u8]>> =
    LazyLock::new(|| fst::Map::new(BYTES).expect("the build script wrote it"));

/// The languages whose ordinary words are known, in the order of their bits. `build.rs` names the same.
const LANGUAGES: [&str; 12] =
    ["en", "de", "fr", "es", "it", "nl", "pt", "fi", "sv", "da", "no", "pl"];

/// Some languages, as bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Languages(u64);

impl Languages {
    pub(crate) const ALL: Self = Self(u64::MAX);

    /// The language of a two-letter code, also with more behind it (`de-CH`); all for one that is not covered.
    pub(crate) fn of_code(code: &str) -> Self {
        let code = code.split(['-', '_']).next().unwrap_or_default().to_ascii_lowercase();
        LANGUAGES.iter().position(|it| *it == code).map_or(Self::ALL, |at| Self(1 << at))
    }

    pub(crate) fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    fn shares(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }
}

/// How common a folded word is as an ordinary word, 0 to 8, and of which languages it is one.
///
/// The number is the logarithm of how often the word stands in a billion words.
pub(crate) fn ordinary(word: &str) -> Option<(f64, Languages)> {
    let value = WORDS.get(word)?;
    Some(((value & 127) as f64 / 10.0, Languages(value >> 8)))
}

/// True for an ordinary word of another language than Finnish.
pub(crate) fn is_foreign(word: &str) -> bool {
    ordinary(word).is_some_and(|it| it.1 != Languages::of_code("fi"))
}

/// How common a folded word is in these languages; in others it is hardly met.
pub(crate) fn ordinary_in(languages: Languages, word: &str) -> f64 {
    ordinary(word).filter(|it| it.1.shares(languages)).map_or(0.0, |it| it.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(word: &str, code: &str, is_common: bool) {
        assert_eq!(ordinary_in(Languages::of_code(code), word) > 4.0, is_common, "{word}");
    }

    #[test]
    fn ordinary_words_are_told_from_names() {
        check("reading", "en", true);
        check("nice", "en", true);
        check("nice", "fr", false);
        check("berlin", "en", false);
        check("", "en", false);
    }

    #[test]
    fn a_language_that_is_not_covered_may_be_any() {
        check("museen", "de-CH", true);
        check("museen", "xx", true);
        check("museen", "fi", false);
    }
}
