//! The wording of a page: which words it has, whatever its numbers, its order and its frame.
//!
//! Endless calendars, lists under ever other filters and counters say the same in each of their pages,
//! with another number in it. The entries of a directory have names.

use page::Page;
use xxhash_rust::xxh3::xxh3_64;

/// A digest of the set of words of the title and of the blocks that are no frame; 0 if there are none.
/// What has a digit in it is no word.
pub(crate) fn wording(page: &Page) -> u64 {
    let blocks = page.blocks.iter().filter(|it| !it.area.is_frame()).map(|it| page.text_of(it));
    let mut words: Vec<u64> = std::iter::once(page.title.as_str())
        .chain(blocks)
        .flat_map(|it| it.split(|it: char| !it.is_alphanumeric()))
        .filter(|it| !it.is_empty() && !it.contains(char::is_numeric))
        .map(|it| xxh3_64(it.to_lowercase().as_bytes()))
        .collect();
    words.sort_unstable();
    words.dedup();
    let bytes: Vec<u8> = words.iter().flat_map(|it| it.to_le_bytes()).collect();
    if bytes.is_empty() { 0 } else { xxh3_64(&bytes) }
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
    fn a_page_without_words_has_none() {
        let of = |text: &str| wording(&page::read(&Response::new(text.as_bytes())));
        assert_eq!((of("<img src=a.jpg>"), of("<p>12 34")), (0, 0));
    }
}
