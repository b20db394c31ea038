//! Folding: what is left of a text when case, diacritics and punctuation do not matter.

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

/// The text in lower case, without diacritics, with one blank for whatever stands between words.
pub fn fold(text: &str) -> String {
    let mut folded = String::with_capacity(text.len());
    let mut gap = false;
    for letter in text.chars() {
        let before = folded.len();
        if gap && !folded.is_empty() {
            folded.push(' ');
        }
        let start = folded.len();
        fold_char(letter, &mut folded);
        if folded.len() == start {
            folded.truncate(before);
            gap |= !joins(letter);
        } else {
            gap = false;
        }
    }
    folded
}

/// Appends what one character folds to: nothing for punctuation and marks, else lower-case letters.
pub fn fold_char(letter: char, out: &mut String) {
    if letter.is_ascii() {
        if letter.is_ascii_alphanumeric() {
            out.push(letter.to_ascii_lowercase());
        }
        return;
    }
    match letter {
        _ if is_modifier(letter) => {}
        'ß' | 'ẞ' => out.push_str("ss"),
        'æ' | 'Æ' | 'ǽ' | 'Ǽ' => out.push_str("ae"),
        'œ' | 'Œ' => out.push_str("oe"),
        'ø' | 'Ø' | 'ǿ' | 'Ǿ' => out.push('o'),
        'ł' | 'Ł' => out.push('l'),
        'đ' | 'Đ' | 'ð' | 'Ð' => out.push('d'),
        'þ' | 'Þ' => out.push_str("th"),
        'ħ' | 'Ħ' => out.push('h'),
        'ı' | 'İ' => out.push('i'),
        'ə' | 'Ə' => out.push('e'),
        _ => fold_by_decomposition(letter, out),
    }
}

/// True for what stands between two letters of one word and folds to nothing: combining marks, and the
/// modifier letters that transliterations use like an apostrophe (Oʻzbekiston).
pub fn joins(letter: char) -> bool {
    is_combining_mark(letter) || is_modifier(letter)
}

fn is_modifier(letter: char) -> bool {
    matches!(letter, '\u{02b9}'..='\u{02bf}' | '\u{02c8}')
}

/// Takes a letter apart; what comes out of it is folded in its turn, for a small ø may hide in a modifier letter.
fn fold_by_decomposition(letter: char, out: &mut String) {
    for part in letter.nfkd().filter(|part| part.is_alphanumeric() && !is_combining_mark(*part)) {
        for lower in part.to_lowercase() {
            if lower == letter {
                out.push(lower);
            } else {
                fold_char(lower, out);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &str) {
        assert_eq!(fold(text), expected);
    }

    #[test]
    fn case_and_diacritics_do_not_matter() {
        check("São Paulo", "sao paulo");
        check("MÜNSTER", "munster");
        check("Đà Nẵng", "da nang");
        check("İstanbul", "istanbul");
    }

    #[test]
    fn letters_of_their_own_get_their_usual_spelling() {
        check("Großräschen", "grossraschen");
        check("Ærøskøbing", "aeroskobing");
        check("Łódź", "lodz");
        check("Þórshöfn", "thorshofn");
    }

    #[test]
    fn whatever_stands_between_words_is_one_blank() {
        check("  Saint-Denis / (La Réunion) ", "saint denis la reunion");
        check("Val-d'Or", "val d or");
        check("…", "");
        check("Oʻzbekiston", "ozbekiston");
        check("\u{107a2}", "o");
    }

    #[test]
    fn a_composed_and_a_decomposed_letter_are_the_same() {
        check("Mu\u{308}nchen", "munchen");
        check("München", "munchen");
    }

    #[test]
    fn other_scripts_keep_their_letters() {
        check("Αθήνα", "αθηνα");
        check("МОСКВА", "москва");
        check("東京都", "東京都");
        check("ＴＯＫＹＯ", "tokyo");
    }

    #[test]
    fn every_letter_folds_to_what_folds_to_itself() {
        for letter in '\0'..=char::MAX {
            let once = fold(letter.encode_utf8(&mut [0; 4]));
            assert_eq!(fold(&once), once, "{letter:?}");
        }
    }

    proptest! {
        #[test]
        fn folding_twice_changes_nothing_more(text in any::<String>()) {
            let once = fold(&text);
            prop_assert_eq!(fold(&once), once);
        }

        #[test]
        fn a_folded_text_has_single_blanks_inside_only(text in any::<String>()) {
            let folded = fold(&text);
            prop_assert!(!folded.contains("  "));
            prop_assert_eq!(folded.trim(), folded.as_str());
        }
    }
}
