//! The fields of the text index, and how text becomes terms.

use tantivy::schema::{
    Field, IndexRecordOption, NumericOptions, Schema, TextFieldIndexing, TextOptions,
};
use tantivy::tokenizer::{TextAnalyzer, Token, TokenStream, Tokenizer, TokenizerManager};
use text::Terms;

/// Stands before a stem, which shares the position of its word; between them the number of the language, so that stems of
/// different languages are different terms. A word that is its own stem has no other.
pub(crate) const STEM_MARK: char = '\u{1}';
/// Stands between the language of a text and the text.
const LANGUAGE_END: char = '\u{2}';
const ANALYZER: &str = "strabo";
const RAW: &str = "raw";

/// The fields of the text index.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Fields {
    /// All that a document is found by: title, text, the words of its URL and of links to it.
    pub(crate) text: Field,
    /// The title again: what it says counts more, and `title:` asks for it.
    pub(crate) title: Field,
    /// Headings and the words of links again: they count more too.
    pub(crate) strong: Field,
    /// The host and what it ends in: `www.example.org`, `example.org`, `org`.
    pub(crate) host: Field,
    /// The language.
    pub(crate) language: Field,
    /// The topics.
    pub(crate) topic: Field,
    /// The places of the document.
    pub(crate) place: Field,
    /// The places of the document and all that hold them: the location hierarchy, rolled up.
    pub(crate) within: Field,
}

/// The schema and its fields.
pub(crate) fn schema() -> (Schema, Fields) {
    let mut schema = Schema::builder();
    let text = |record: IndexRecordOption| {
        let indexing = TextFieldIndexing::default()
            .set_tokenizer(ANALYZER)
            .set_fieldnorms(false)
            .set_index_option(record);
        TextOptions::default().set_indexing_options(indexing)
    };
    let name = {
        let indexing = TextFieldIndexing::default()
            .set_tokenizer(RAW)
            .set_fieldnorms(false)
            .set_index_option(IndexRecordOption::Basic);
        TextOptions::default().set_indexing_options(indexing)
    };
    let number = NumericOptions::default().set_indexed();
    let fields = Fields {
        text: schema.add_text_field("text", text(IndexRecordOption::WithFreqsAndPositions)),
        title: schema.add_text_field("title", text(IndexRecordOption::WithFreqsAndPositions)),
        strong: schema.add_text_field("strong", text(IndexRecordOption::WithFreqs)),
        host: schema.add_text_field("host", name.clone()),
        language: schema.add_text_field("language", name.clone()),
        topic: schema.add_text_field("topic", name),
        place: schema.add_u64_field("place", number.clone()),
        within: schema.add_u64_field("within", number),
    };
    (schema.build(), fields)
}

/// The tokenizers that the schema names.
pub(crate) fn tokenizers() -> TokenizerManager {
    let manager = TokenizerManager::default();
    manager.register(ANALYZER, TextAnalyzer::from(Analyzer::default()));
    manager
}

/// A text with its language, as the analyzer takes it.
pub(crate) fn in_language(language: &str, text: &str) -> String {
    format!("{language}{LANGUAGE_END}{text}")
}

/// The terms that stand for a word of a query: those that a document may have it under, the word itself first.
///
/// In every language the marked stem finds all words of the family but the one that is its own stem; that one is found
/// as it is written.
pub fn terms_of_word(word: &str, languages: &[String]) -> Vec<String> {
    let mut terms = vec![word.to_owned()];
    let (mut stem, mut again) = (String::new(), String::new());
    for language in languages.iter().filter_map(|it| text::stemmed_language(it)) {
        text::stem(language, word, &mut stem);
        terms.push(marked(language, &stem));
        text::stem(language, &stem, &mut again);
        if again == stem && !terms.contains(&stem) {
            terms.push(stem.clone());
        }
    }
    terms
}

/// True if the first of the terms of a word is its own stem in one of the languages, so that the others are more of it.
pub(crate) fn is_own_stem(terms: &[String]) -> bool {
    terms.split_first().is_some_and(|(word, rest)| {
        rest.iter().any(|it| it.strip_prefix(STEM_MARK).and_then(|it| it.get(1..)) == Some(word))
    })
}

/// The term that the stem of a word is found under in documents of a language; nothing if words have no stems there.
pub fn stem_term(word: &str, language: &str) -> Option<String> {
    let language = text::stemmed_language(language)?;
    let mut stem = String::new();
    text::stem(language, word, &mut stem);
    Some(marked(language, &stem))
}

fn marked(language: u8, stem: &str) -> String {
    let mut term = String::with_capacity(stem.len() + 2);
    mark(language, stem, &mut term);
    term
}

fn mark(language: u8, stem: &str, term: &mut String) {
    term.push(STEM_MARK);
    term.push(char::from(b'a' + language));
    term.push_str(stem);
}

/// Gives the folded words of a text, each with its stem in the language of the text where that is another word.
#[derive(Clone, Default)]
struct Analyzer {
    token: Token,
    stem: String,
}

struct Stream<'a> {
    terms: Terms<'a>,
    language: Option<u8>,
    token: &'a mut Token,
    stem: &'a mut String,
    stem_is_next: bool,
}

impl Tokenizer for Analyzer {
    type TokenStream<'a> = Stream<'a>;

    fn token_stream<'a>(&'a mut self, text: &'a str) -> Stream<'a> {
        let (language, text) = text.split_once(LANGUAGE_END).unwrap_or(("", text));
        self.token.reset();
        Stream {
            terms: Terms::of(text),
            language: text::stemmed_language(language),
            token: &mut self.token,
            stem: &mut self.stem,
            stem_is_next: false,
        }
    }
}

impl TokenStream for Stream<'_> {
    fn advance(&mut self) -> bool {
        if std::mem::take(&mut self.stem_is_next) {
            self.token.text.clear();
            if let Some(language) = self.language {
                mark(language, self.stem, &mut self.token.text);
            }
            return true;
        }
        let Some(span) = self.terms.read(&mut self.token.text) else { return false };
        self.token.position = self.token.position.wrapping_add(1);
        self.token.offset_from = span.start;
        self.token.offset_to = span.end;
        if let Some(language) = self.language {
            text::stem(language, &self.token.text, self.stem);
            self.stem_is_next = *self.stem != self.token.text;
        }
        true
    }

    fn token(&self) -> &Token {
        self.token
    }

    fn token_mut(&mut self) -> &mut Token {
        self.token
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tokens(language: &str, text: &str) -> Vec<(usize, String)> {
        let mut analyzer = Analyzer::default();
        let text = in_language(language, text);
        let mut stream = analyzer.token_stream(&text);
        let mut all = Vec::new();
        while stream.advance() {
            all.push((stream.token().position, stream.token().text.clone()));
        }
        all
    }

    #[test]
    fn a_stem_stands_beside_its_word() {
        let expected = [(0, "old"), (1, "bakeries"), (1, "\u{1}dbakeri")];
        let expected = expected.map(|it| (it.0, it.1.to_owned()));
        assert_eq!(tokens("en", "Old bakeries"), expected);
    }

    #[test]
    fn without_a_language_words_stay_as_they_are() {
        assert_eq!(tokens("", "Old bakeries"), [(0, "old".into()), (1, "bakeries".into())]);
    }

    #[test]
    fn a_word_is_looked_for_under_all_its_stems() {
        let languages = ["en".to_owned(), "de".to_owned()];
        let terms = ["hotels", "\u{1}dhotel", "hotel", "\u{1}chotel"];
        assert_eq!(terms_of_word("hotels", &languages), terms);
        assert_eq!(terms_of_word("hotels", &[]), ["hotels"]);
        assert!(is_own_stem(&terms_of_word("hotel", &languages)));
        assert!(!is_own_stem(&terms_of_word("hotels", &languages)));
    }
}
