//! The words of a text, folded as the gazetteer spells them, with where they stand. Links have many
//! words that nobody looks up; those are in `tokens`, which folds less and is quicker.

use std::ops::Range;

/// A folded word with the bytes of the text it comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Word {
    /// The word as gazetteers spell it: `MÜNSTER` and `munster` are the same.
    pub(crate) text: String,
    /// Where it stands. The parts of `North-East` stand where the whole stands.
    pub(crate) span: Range<usize>,
    /// True if something stands behind it over which no phrase goes on: a full stop, a comma.
    pub(crate) is_end: bool,
}

/// The words of a text in order.
pub(crate) fn words(text: &str) -> Vec<Word> {
    let mut list = Vec::new();
    let start_of = |part: &str| part.as_ptr() as usize - text.as_ptr() as usize;
    for part in text.split_whitespace() {
        let span = start_of(part)..start_of(part) + part.len();
        let is_end = part.ends_with(|it: char| !it.is_alphanumeric());
        let spelled = gazetteer::spelling(part);
        let first = list.len();
        list.extend(spelled.split(' ').filter(|it| !it.is_empty()).map(|it| Word {
            text: it.to_owned(),
            span: span.clone(),
            is_end: false,
        }));
        let is_word = list.len() > first;
        // A dash or a bar of its own ends what stands before it.
        if let Some(last) = list.last_mut() {
            last.is_end |= is_end || !is_word;
        }
    }
    list
}

/// The words of a phrase.
pub(crate) fn folded(phrase: &str) -> Vec<String> {
    words(phrase).into_iter().map(|it| it.text).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &[(&str, &str, bool)]) {
        let words = words(text);
        let shown: Vec<_> =
            words.iter().map(|it| (it.text.as_str(), &text[it.span.clone()], it.is_end)).collect();
        assert_eq!(shown, expected);
    }

    #[test]
    fn words_are_folded_and_know_where_they_stood() {
        check(
            "Der Fluß – Łódź, too",
            &[
                ("der", "Der", false),
                ("fluss", "Fluß", true),
                ("lodz", "Łódź,", true),
                ("too", "too", false),
            ],
        );
        check(
            "North-East wind",
            &[
                ("north", "North-East", false),
                ("east", "North-East", false),
                ("wind", "wind", false),
            ],
        );
        check(" … ", &[]);
    }
}
