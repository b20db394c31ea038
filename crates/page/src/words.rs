//! The words of a text, in lower case.

/// What a byte is to a word.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Class {
    /// No part of one.
    Other,
    /// A small letter or a digit.
    Small,
    Capital,
    /// A part of a letter that ASCII does not have, or of something else.
    Beyond,
}

/// The classes of all bytes: looking them up is quicker than asking for each.
static CLASSES: [Class; 256] = {
    let mut classes = [Class::Other; 256];
    let mut byte = 0;
    while byte < 256 {
        classes[byte] = match byte as u8 {
            b'a'..=b'z' | b'0'..=b'9' => Class::Small,
            b'A'..=b'Z' => Class::Capital,
            128.. => Class::Beyond,
            _ => Class::Other,
        };
        byte += 1;
    }
    classes
};

/// Calls for each run of letters and digits, in lower case. Most words of the web have only small
/// letters of ASCII, and are neither decoded nor copied.
pub(crate) fn each_word(text: &str, mut call: impl FnMut(&str)) {
    let bytes = text.as_bytes();
    let class = |byte: &u8| CLASSES[usize::from(*byte)];
    let mut lower = String::new();
    let mut at = 0;
    while at < bytes.len() {
        let start = at;
        let rest = &bytes[start..];
        let end = rest.iter().position(|it| class(it) != Class::Small);
        at += end.unwrap_or(rest.len());
        if bytes.get(at).is_none_or(|it| class(it) == Class::Other) {
            if at > start {
                call(&text[start..at]);
            }
            at += 1;
            continue;
        }
        lower.clear();
        at = start + copy_word(&text[start..], &mut lower);
        if !lower.is_empty() {
            call(&lower);
        }
        // What ended the word is no part of the next one.
        at += text[at..].chars().next().map_or(0, char::len_utf8);
    }
}

/// Copies the word at the beginning of the text, in lower case; tells how long it is in the text.
fn copy_word(text: &str, lower: &mut String) -> usize {
    let end = text.find(|it: char| !it.is_alphanumeric()).unwrap_or(text.len());
    for letter in text[..end].chars() {
        if letter.is_ascii() {
            lower.push(letter.to_ascii_lowercase());
        } else {
            lower.extend(letter.to_lowercase());
        }
    }
    end
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// The slow, plain twin.
    fn plainly(text: &str) -> Vec<String> {
        let words = text.split(|it: char| !it.is_alphanumeric()).filter(|it| !it.is_empty());
        words.map(|it| it.chars().flat_map(char::to_lowercase).collect()).collect()
    }

    #[track_caller]
    fn check(text: &str) -> Vec<String> {
        let mut words = Vec::new();
        each_word(text, |it| words.push(it.to_owned()));
        assert_eq!(words, plainly(text), "{text:?}");
        words
    }

    #[test]
    fn words_are_in_lower_case_and_without_what_is_between_them() {
        assert_eq!(
            check("The HARBOUR, at 8 o'clock!"),
            ["the", "harbour", "at", "8", "o", "clock"]
        );
        assert_eq!(check("Große Straße – Ö"), ["große", "straße", "ö"]);
        assert_eq!(check("größe"), ["größe"]);
        assert_eq!(check("  "), [""; 0]);
        check("a…b…Ç…1…½c");
    }

    proptest! {
        #[test]
        fn any_text_has_the_words_that_its_letters_make(text in "[a-cA-C1 .ÄÖß–ΣŽ½٣]{0,20}|.{0,20}") {
            check(&text);
        }
    }
}
