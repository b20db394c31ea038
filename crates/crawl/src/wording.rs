//! The wording of a page: which words it has, whatever its numbers, its order and its frame.
//!
//! Endless calendars, lists under ever other filters and counters say the same in each of their pages,
//! with another number in it. The entries of a directory have names.

use page::Page;
use xxhash_rust::xxh3::xxh3_64;

/// A paragraph with so many words is a text, which is what it is by their order. Lists, days of calendars and
/// counters are shorter.
const TEXT: usize = 20;

/// A digest of the set of words of the title and of the blocks that are no frame, where a long paragraph is one
/// word; 0 if there are none. What has a digit in it is no word.
pub(crate) fn wording(page: &Page) -> u64 {
    let blocks = page.blocks.iter().filter(|it| !it.area.is_frame()).map(|it| page.text_of(it));
    let mut words: Vec<[u8; 8]> = Vec::new();
    for block in std::iter::once(page.title.as_str()).chain(blocks) {
        let first = words.len();
        // Most blocks have no digit: one look at all of it is quicker than one at each word.
        let may_have_digits = !block.is_ascii() || has_ascii_digit(block);
        page::each_word(block, |word| {
            if !(may_have_digits && has_digit(word)) {
                words.push(xxh3_64(word.as_bytes()).to_le_bytes());
            }
        });
        if words.len() - first >= TEXT {
            let text = digest(&words[first..]);
            words.truncate(first);
            words.push(text.to_le_bytes());
        }
    }
    words.sort_unstable_by_key(|it| u64::from_le_bytes(*it));
    words.dedup();
    if words.is_empty() { 0 } else { digest(&words) }
}

fn has_digit(word: &str) -> bool {
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
    use page::Response;

    use super::*;

    #[track_caller]
    fn check(one: &str, other: &str, is_same: bool) {
        let of = |text: &str| wording(&page::read(&Response::new(text.as_bytes())));
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
        let of = |text: &str| wording(&page::read(&Response::new(text.as_bytes())));
        assert_eq!((of("<img src=a.jpg>"), of("<p>12 34")), (0, 0));
    }
}
