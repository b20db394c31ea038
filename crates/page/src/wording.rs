//! The wording of a page: which words it has, whatever its numbers, its order and its frame.
//!
//! Endless calendars, lists under ever other filters and counters say the same in each of their pages,
//! with another number in it. The entries of a directory have names.

use xxhash_rust::xxh3::xxh3_64;

/// A paragraph with so many words is a text, which is what it is by their order. Lists, days of calendars and
/// counters are shorter.
const TEXT: usize = 20;

/// The words of a page that have no digit in them, as their hashes, where a long paragraph is one word.
#[derive(Default)]
pub(crate) struct Wording {
    words: Vec<[u8; 8]>,
    /// Where those of the last block begin.
    block: usize,
}

impl Wording {
    #[inline]
    pub(crate) fn add(&mut self, word: u64) {
        self.words.push(word.to_le_bytes());
    }

    pub(crate) fn end_block(&mut self) {
        let words = &self.words[self.block..];
        if words.len() >= TEXT {
            let text = digest(words);
            self.words.truncate(self.block);
            self.add(text);
        }
        self.block = self.words.len();
    }

    /// A digest of the set of words; 0 if there are none.
    pub(crate) fn digest(mut self) -> u64 {
        self.words.sort_unstable_by_key(|it| u64::from_le_bytes(*it));
        self.words.dedup();
        if self.words.is_empty() { 0 } else { digest(&self.words) }
    }
}

/// Whether a word of the text may have a digit in it. Most blocks have none: one look at all of it is quicker than
/// one at each word.
pub(crate) fn may_have_digits(text: &str) -> bool {
    !text.is_ascii() || has_ascii_digit(text)
}

pub(crate) fn has_digit(word: &str) -> bool {
    // Most words are ASCII, where the bytes tell.
    has_ascii_digit(word) || !word.is_ascii() && word.contains(char::is_numeric)
}

/// Looks at all bytes, which is quicker than to stop at the first digit.
fn has_ascii_digit(text: &str) -> bool {
    text.bytes().fold(false, |has, it| has | it.is_ascii_digit())
}

fn digest(words: &[[u8; 8]]) -> u64 {
    xxh3_64(words.as_flattened())
}

#[cfg(test)]
mod tests {
    use crate::page::read;
    use crate::response::Response;

    #[track_caller]
    fn check(one: &str, other: &str, is_same: bool) {
        let of = |text: &str| read(&Response::new(text.as_bytes())).wording;
        assert_eq!(of(one) == of(other), is_same, "{one:?}, {other:?}");
    }

    #[test]
    fn numbers_and_order_make_no_other_wording() {
        check("<p>No events on 3.5.2026", "<p>No events on 17.11.2031", true);
        check("<ul><li>Ferry 12<li>Lighthouse 7", "<ul><li>Lighthouse 3<li>Ferry 4", true);
    }

    #[test]
    fn a_name_makes_another_wording() {
        check("<h1>Bakery Harms</h1><p>Mill Lane 4", "<h1>Bakery Otten</h1><p>Mill Lane 4", false);
        check("<title>Ferry</title><p>Pictures", "<title>Lighthouse</title><p>Pictures", false);
    }

    #[test]
    fn the_same_words_in_another_order_are_another_text() {
        let names = ["harbour", "market", "museum", "station", "river", "bridge", "castle"];
        let text = |step: usize| {
            let words: Vec<_> = (0..40).map(|it| names[it * step % names.len()]).collect();
            format!("<p>{} 1.", words.join(" "))
        };
        check(&text(1), &text(2), false);
        check(&text(1), &text(1).replace("1.", "2."), true);
    }

    #[test]
    fn a_page_without_words_has_none() {
        let of = |text: &str| read(&Response::new(text.as_bytes())).wording;
        assert_eq!((of("<img src=a.jpg>"), of("<p>12 34")), (0, 0));
    }
}
