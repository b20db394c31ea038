//! House numbers: `5`, `12b`, `15-18`, `641/9`, `1 ter`.

use std::ops::Range;

use crate::address::postcode;
use crate::address::street_word::{is_month, roles};
use crate::address::token::{Gap, Tokens};

/// The longest house numbers have five digits; they are American.
const MOST_DIGITS: usize = 5;

/// The words of the house number that starts here, if one does.
pub(crate) fn at(tokens: &Tokens<'_>, start: usize) -> Option<Range<usize>> {
    let first = tokens.get(start)?;
    if !is_number(&first.text) || first.mark == Some('#') || is_day(tokens, start) {
        return None;
    }
    let mut end = start + 1;
    while end < start + 3 && continues(tokens, end) {
        end += 1;
    }
    if end == start + 1
        && (repeats(tokens.word(end)) || is_half(tokens, end))
        && tokens.gap(end) <= Gap::Blank
    {
        end += if is_half(tokens, end) { 2 } else { 1 };
    } else if end == start + 1 && is_lone_letter(tokens, end) {
        end += 1;
    }
    Some(start..end)
}

/// `17. Juni`, `5 May`, unless a street's word makes a name of it: `5 May Street`.
fn is_day(tokens: &Tokens<'_>, at: usize) -> bool {
    let dated = is_month(tokens.word(at + 1)) && tokens.gap(at + 1) <= Gap::Blank;
    dated && !roles(tokens.word(at + 2)).may_end()
}

/// `5`, `12b`, `1bis`; no ordinal such as `5th`.
pub(crate) fn is_number(word: &str) -> bool {
    let digits = word.bytes().take_while(u8::is_ascii_digit).count();
    let rest = &word[digits..];
    let lettered = rest.len() == 1 && rest.bytes().all(|it| it.is_ascii_lowercase());
    (1..=MOST_DIGITS).contains(&digits)
        && (rest.is_empty() || lettered || repeats(rest))
        && !is_zero(word)
}

fn is_zero(word: &str) -> bool {
    word.starts_with('0')
}

/// French houses squeezed in between two others are numbered again.
fn repeats(word: &str) -> bool {
    matches!(word, "bis" | "ter" | "quater" | "quinquies")
}

/// `-18`, `/9`, `/2a`: a range of houses, or a house within one.
fn continues(tokens: &Tokens<'_>, at: usize) -> bool {
    let tight = tokens.gap(at) == Gap::Tight;
    let joined = ['-', '–', '/', '+'].into_iter().any(|mark| tokens.marked(at, mark));
    let word = tokens.word(at);
    let letter = word.len() == 1 && word.bytes().all(|it| it.is_ascii_lowercase());
    tight && joined && (is_number(word) || letter)
}

/// `123 1/2`: American half numbers.
fn is_half(tokens: &Tokens<'_>, at: usize) -> bool {
    tokens.word(at) == "1" && tokens.word(at + 1) == "2" && tokens.marked(at + 1, '/')
}

/// `12 a` with nothing of its own after it: the letter belongs to the number. A capital may be a staircase
/// or a door, so it belongs there only right before a postcode or the end of a line.
fn is_lone_letter(tokens: &Tokens<'_>, at: usize) -> bool {
    let letter = matches!(tokens.word(at).as_bytes(), [b'a'..=b'k']);
    let ends = tokens.gap(at + 1) >= Gap::Comma || postcode::at(tokens, at + 1).is_some();
    letter && tokens.gap(at) == Gap::Blank && ends && !tokens.is_capital(at)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: Option<&str>) {
        let tokens = Tokens::new(text, 0..text.len(), 40);
        assert_eq!(at(&tokens, 0).map(|it| tokens.slice(it)), expected, "{text:?}");
    }

    #[test]
    fn numbers_have_letters_ranges_and_parts() {
        check("5 High Street", Some("5"));
        check("12b", Some("12b"));
        check("15-18, Berlin", Some("15-18"));
        check("641/9, Brno", Some("641/9"));
        check("1 ter Av. Foch", Some("1 ter"));
        check("12 a, 10115 Berlin", Some("12 a"));
        check("123 1/2 Main St", Some("123 1/2"));
    }

    #[test]
    fn ordinals_zeros_and_long_numbers_are_no_house_numbers() {
        check("5th Avenue", None);
        check("0441", None);
        check("123456", None);
    }

    #[test]
    fn a_capital_letter_may_be_the_street() {
        check("10 A Main Street", Some("10"));
        check("20 B", Some("20"));
    }
}
