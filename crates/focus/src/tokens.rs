//! The words of texts and the parts of URLs, as links are judged by them: in lower case, but with
//! their accents. What is compared with the gazetteer is in `word`.

use std::borrow::Cow;

use url::{Position, Url};

/// What is longer is no word, and its beginning tells enough.
const LONGEST: usize = 40;

/// The words of a text, readable from both ends: whatever stands between letters parts them. Where words
/// are written without spaces, every pair of neighbouring letters is one.
pub(crate) fn words(text: &str) -> impl DoubleEndedIterator<Item = &str> + Clone {
    runs(text).flat_map(Pieces::of)
}

/// What stands between anything but letters and digits, readable from both ends.
pub(crate) fn runs(text: &str) -> impl DoubleEndedIterator<Item = &str> + Clone {
    text.split(|it: char| !it.is_alphanumeric()).filter(|it| !it.is_empty())
}

/// Whether a letter belongs to a script in which words are written without spaces between them.
pub(crate) fn is_dense(letter: char) -> bool {
    matches!(letter,
        '\u{0e00}'..='\u{0eff}'     // Thai, Lao
        | '\u{1000}'..='\u{109f}'   // Burmese
        | '\u{1780}'..='\u{17ff}'   // Khmer
        | '\u{3040}'..='\u{30ff}'   // Hiragana, Katakana
        | '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}' // Han
        | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{2fa1f}')
}

/// A word, or what is left of a run of words without spaces.
#[derive(Clone)]
enum Pieces<'a> {
    Whole(Option<&'a str>),
    Pairs(&'a str),
}

impl<'a> Pieces<'a> {
    fn of(run: &'a str) -> Self {
        let has_pairs = !run.is_ascii() && run.contains(is_dense) && run.chars().nth(1).is_some();
        if has_pairs { Self::Pairs(run) } else { Self::Whole(Some(run)) }
    }
}

impl<'a> Iterator for Pieces<'a> {
    type Item = &'a str;

    fn next(&mut self) -> Option<&'a str> {
        match self {
            Self::Whole(word) => word.take(),
            Self::Pairs(rest) => {
                let mut letters = rest.char_indices().skip(1).map(|it| it.0);
                let second = letters.next()?;
                let pair = &rest[..letters.next().unwrap_or(rest.len())];
                *rest = &rest[second..];
                Some(pair)
            }
        }
    }
}

impl DoubleEndedIterator for Pieces<'_> {
    fn next_back(&mut self) -> Option<Self::Item> {
        match self {
            Self::Whole(word) => word.take(),
            Self::Pairs(rest) => {
                let mut letters = rest.char_indices().rev().map(|it| it.0);
                let last = letters.next()?;
                let pair = &rest[letters.next()?..];
                *rest = &rest[..last];
                Some(pair)
            }
        }
    }
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
    fn words_without_spaces_are_pairs_of_letters() {
        let text = "東京の宿 hotel โรงแรม 駅";
        let forth: Vec<_> = words(text).collect();
        assert_eq!(forth[..4], ["東京", "京の", "の宿", "hotel"]);
        assert_eq!(forth.last(), Some(&"駅"));
        let mut back: Vec<_> = words(text).rev().collect();
        back.reverse();
        assert_eq!(forth, back);
        assert_eq!(words("서울 호텔").collect::<Vec<_>>(), ["서울", "호텔"]);
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
            let back = words(&text).rev();
            prop_assert!(back.eq(words(&text).collect::<Vec<_>>().into_iter().rev()));
            for word in words(&text).chain(parts(&text)) {
                let mut token = String::new();
                write(word, &mut token);
                prop_assert!(!token.is_empty() && token.len() <= 3 * LONGEST);
            }
        }
    }
}
