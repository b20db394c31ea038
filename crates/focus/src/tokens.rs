//! The words of texts and the parts of URLs, as links are judged by them: in lower case, but with
//! their accents. What is compared with the gazetteer is in `word`.

use std::borrow::Cow;

use url::{Position, Url};

/// What is longer is no word, and its beginning tells enough.
const LONGEST: usize = 40;

/// The words of a text, readable from both ends: whatever stands between letters parts them.
pub(crate) fn words(text: &str) -> impl DoubleEndedIterator<Item = &str> + Clone {
    text.split(|it: char| !it.is_alphanumeric()).filter(|it| !it.is_empty())
}

/// The parts of a URL's host or path: `/NewYork/page12` has `New`, `York`, `page` and `12`.
pub(crate) fn parts(url: &str) -> impl Iterator<Item = &str> {
    words(url).flat_map(pieces)
}

/// Appends a token as it is compared: in lower case, any number as `#`.
pub(crate) fn write(token: &str, into: &mut String) {
    if token.chars().all(char::is_numeric) {
        into.push('#');
        return;
    }
    let token = &token[..token.floor_char_boundary(LONGEST)];
    if token.is_ascii() {
        let start = into.len();
        into.push_str(token);
        into[start..].make_ascii_lowercase();
    } else {
        into.extend(token.chars().flat_map(char::to_lowercase));
    }
}

/// The host of a URL in its own letters: `xn--mnchen-3ya.example` is `münchen.example`.
pub(crate) fn host(url: &Url) -> Cow<'_, str> {
    let host = url.host_str().unwrap_or_default();
    if host.contains("xn--") {
        Cow::Owned(url::quirks::domain_to_unicode(host))
    } else {
        Cow::Borrowed(host)
    }
}

/// Host, path and query of a URL in their own letters.
pub(crate) fn readable(url: &Url) -> String {
    let path = &url[Position::BeforePath..Position::AfterQuery];
    format!("{}{}", host(url), plain(path))
}

/// A path with what stands behind its percent signs.
pub(crate) fn plain(path: &str) -> Cow<'_, str> {
    if !path.contains('%') {
        return Cow::Borrowed(path);
    }
    let digit = |at: usize| path.as_bytes().get(at).and_then(|it| char::from(*it).to_digit(16));
    let mut bytes = Vec::with_capacity(path.len());
    let mut at = 0;
    while let Some(&byte) = path.as_bytes().get(at) {
        let escaped = digit(at + 1).zip(digit(at + 2)).filter(|_| byte == b'%');
        bytes.push(escaped.map_or(byte, |(high, low)| (high * 16 + low) as u8));
        at += if escaped.is_some() { 3 } else { 1 };
    }
    Cow::Owned(String::from_utf8_lossy(&bytes).into_owned())
}

/// What a word of a URL is made of: there is a border between letters and digits, and before a
/// capital inside a word.
fn pieces(word: &str) -> impl Iterator<Item = &str> {
    let mut rest = word;
    std::iter::from_fn(move || {
        let mut last = rest.chars().next()?;
        let border = rest.char_indices().skip(1).find(|(_, it)| {
            let is_border = is_border(last, *it);
            last = *it;
            is_border
        });
        let (piece, tail) = rest.split_at(border.map_or(rest.len(), |it| it.0));
        rest = tail;
        Some(piece)
    })
}

fn is_border(one: char, next: char) -> bool {
    one.is_numeric() != next.is_numeric() || (one.is_lowercase() && next.is_uppercase())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn written<'a>(tokens: impl Iterator<Item = &'a str>) -> String {
        let mut all = String::new();
        for token in tokens {
            write(token, &mut all);
            all.push(' ');
        }
        all.trim_end().to_owned()
    }

    #[track_caller]
    fn check(url: &str, expected: &str) {
        assert_eq!(written(parts(url)), expected);
    }

    #[test]
    fn urls_part_at_digits_and_humps() {
        check("/NewYork/page12.html?id=7&sortBy=price", "new york page # html id # sort by price");
        check("www.stadt-oldenburg.de", "www stadt oldenburg de");
        check("/ÄrzteÜbersicht", "ärzte übersicht");
        check("/PDF", "pdf");
        check("//..//", "");
    }

    #[test]
    fn texts_part_between_words_only() {
        let text = "Opening hours: 9–17h, McDonald’s on 5th St.";
        assert_eq!(written(words(text)), "opening hours # 17h mcdonald s on 5th st");
    }

    #[test]
    fn what_is_too_long_for_a_word_is_cut() {
        assert_eq!(written(words(&"x".repeat(1000))).len(), LONGEST);
        assert_eq!(written(words(&"ö".repeat(1000))).chars().count(), LONGEST / 2);
    }

    proptest! {
        #[test]
        fn the_pieces_of_a_word_are_the_word(word in "\\w{1,20}") {
            prop_assert_eq!(pieces(&word).collect::<String>(), word);
        }

        #[test]
        fn any_text_has_words(text in any::<String>()) {
            for word in words(&text).chain(parts(&text)) {
                let mut token = String::new();
                write(word, &mut token);
                prop_assert!(!token.is_empty() && token.len() <= 3 * LONGEST);
            }
        }
    }
}
