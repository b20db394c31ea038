//! Words with their place in the text.

use crate::fold::{fold_char, joins};

/// A word of a text, folded, with where it stood.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Word<'a> {
    /// The word, folded.
    pub text: String,
    /// Where it starts in the text, in bytes.
    pub start: usize,
    /// Where it ends, in bytes.
    pub end: usize,
    /// What stood between the word before and this one: blanks, commas, line ends.
    pub before: &'a str,
}

/// The words of a text in order, each with what stood before it.
pub fn words(text: &str) -> impl Iterator<Item = Word<'_>> {
    let mut at = 0;
    std::iter::from_fn(move || {
        let (word, next) = next_word(text, at)?;
        at = next;
        Some(word)
    })
}

fn next_word(text: &str, from: usize) -> Option<(Word<'_>, usize)> {
    let mut folded = String::new();
    let mut start = None;
    let mut end = text.len();
    for (offset, letter) in text[from..].char_indices() {
        let length = folded.len();
        fold_char(letter, &mut folded);
        let is_part_of_word = folded.len() > length || (start.is_some() && joins(letter));
        match (is_part_of_word, start) {
            (true, None) => start = Some(from + offset),
            (false, Some(_)) => {
                end = from + offset;
                break;
            }
            _ => {}
        }
    }
    let start = start?;
    Some((Word { text: folded, start, end, before: &text[from..start] }, end))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::fold::fold;

    #[test]
    fn a_word_knows_where_it_stood() {
        let text = "Lange Straße 5, 26122 Oldenburg";
        let spans: Vec<_> = words(text).map(|word| &text[word.start..word.end]).collect();
        assert_eq!(spans, ["Lange", "Straße", "5", "26122", "Oldenburg"]);
    }

    #[test]
    fn a_word_knows_what_stood_before_it() {
        let gaps: Vec<_> = words("Paris, Texas\nUSA").map(|word| word.before).collect();
        assert_eq!(gaps, ["", ", ", "\n"]);
    }

    proptest! {
        #[test]
        fn the_words_joined_are_the_folded_text(text in any::<String>()) {
            let joined: Vec<_> = words(&text).map(|word| word.text).collect();
            prop_assert_eq!(joined.join(" "), fold(&text));
        }
    }
}
