//! Small words of nine languages and what they do in a query; they stand in `words.tsv`.

use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

/// Small words of nine languages, folded.
pub(crate) struct Vocabulary {
    articles: HashSet<&'static str>,
    and: HashSet<&'static str>,
    to: HashSet<&'static str>,
    things: HashSet<&'static str>,
    /// With the languages in which each is common.
    common: HashMap<&'static str, Vec<&'static str>>,
    /// The longest first.
    openers: Vec<Vec<&'static str>>,
}

/// The languages of the query language.
const LANGUAGES: [&str; 9] = ["en", "de", "fr", "es", "it", "nl", "pt", "fi", "sv"];

static VOCABULARY: LazyLock<Vocabulary> =
    LazyLock::new(|| Vocabulary::read(include_str!("words.tsv")));

/// The vocabulary of the query language.
pub(crate) fn vocabulary() -> &'static Vocabulary {
    &VOCABULARY
}

impl Vocabulary {
    fn read(table: &'static str) -> Self {
        let mut read = Self {
            articles: HashSet::new(),
            and: HashSet::new(),
            to: HashSet::new(),
            things: HashSet::new(),
            common: HashMap::new(),
            openers: Vec::new(),
        };
        for line in table.lines().filter(|it| !it.starts_with('#')) {
            let mut fields = line.split('\t');
            let mut field = || fields.next().unwrap_or_default();
            let (class, language, words) = (field(), field(), field());
            match class {
                "article" => read.articles.extend(words.split(' ')),
                "and" => read.and.extend(words.split(' ')),
                "to" => read.to.extend(words.split(' ')),
                "thing" => read.things.extend(words.split(' ')),
                "opener" => read.openers.extend(words.split('|').map(|it| it.split(' ').collect())),
                _ => words
                    .split(' ')
                    .for_each(|it| read.common.entry(it).or_default().push(language)),
            }
        }
        read.openers.sort_by_key(|it| std::cmp::Reverse(it.len()));
        read
    }

    /// `the`, `der`, `la`: what may stand between a relation and its place.
    pub(crate) fn is_article(&self, word: &str) -> bool {
        self.articles.contains(word)
    }

    /// `and`, `und`, `et`.
    pub(crate) fn is_and(&self, word: &str) -> bool {
        self.and.contains(word)
    }

    /// `to`, `nach`, `vers`.
    pub(crate) fn is_to(&self, word: &str) -> bool {
        self.to.contains(word)
    }

    /// `hotels`, `museen`: what people look for at a place.
    pub(crate) fn is_thing(&self, word: &str) -> bool {
        self.things.contains(word)
    }

    /// True for a word that says nothing by itself, in this language or, if none is known, in any.
    pub(crate) fn is_common(&self, language: Option<&str>, word: &str) -> bool {
        let Some(languages) = self.common.get(word) else { return false };
        match language.map(|it| it.split(['-', '_']).next().unwrap_or_default()) {
            Some(code) if LANGUAGES.contains(&code) => languages.contains(&code),
            _ => true,
        }
    }

    /// How many of the first words only open a question: three of `where is the station`.
    pub(crate) fn opener(&self, words: &[&str]) -> usize {
        self.openers.iter().find(|it| words.starts_with(it)).map_or(0, Vec::len)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_word_is_folded() {
        for line in include_str!("words.tsv").lines().filter(|it| !it.starts_with('#')) {
            let words = line.split('\t').nth(2).unwrap_or_default().replace('|', " ");
            assert_eq!(text::fold(&words), words);
        }
    }

    #[test]
    fn the_longest_opener_counts() {
        assert_eq!(vocabulary().opener(&["where", "is", "the", "station"]), 3);
        assert_eq!(vocabulary().opener(&["where", "is", "berlin"]), 2);
        assert_eq!(vocabulary().opener(&["best", "hotels"]), 0);
    }

    #[test]
    fn common_words_belong_to_languages() {
        assert!(vocabulary().is_common(None, "die"));
        assert!(vocabulary().is_common(Some("de-AT"), "die"));
        assert!(!vocabulary().is_common(Some("en"), "die"));
        assert!(vocabulary().is_common(Some("ja"), "the"));
    }
}
