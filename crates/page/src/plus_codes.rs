//! Plus codes in running text.

use earth::PlusCode;
use memchr::memchr_iter;

use crate::place::{PlaceSource, Places, StructuredPlace};

/// Adds the plus codes that stand in the text.
///
/// Taken are codes in capitals, full (`9F5C5Q8F+2X`) or with four or six digits before the plus.
/// A short one without a letter is more likely a sum.
pub(crate) fn find(text: &str, places: &mut Places) {
    for plus in memchr_iter(b'+', text.as_bytes()) {
        if places.is_full() {
            return;
        }
        let Some(range) = code_around(text.as_bytes(), plus) else { continue };
        let Some(code) = PlusCode::parse(&text[range.clone()]) else { continue };
        let has_letter = text[range.clone()].bytes().any(|byte| byte.is_ascii_uppercase());
        if code.is_short() && !has_letter {
            continue;
        }
        let mut place = StructuredPlace::new(PlaceSource::PlusCode, "");
        place.point = code.center();
        place.plus_code = Some(code);
        place.range = Some(range);
        places.add(place);
    }
}

/// Where the code around this plus stands, if it has the length of one and ends like a word.
fn code_around(text: &[u8], plus: usize) -> Option<std::ops::Range<usize>> {
    // One more than a code may have, to see whether a longer word stands there.
    let before = text[..plus].iter().rev().take(9).take_while(|it| is_digit(**it)).count();
    let after = text[plus + 1..].iter().take(8).take_while(|it| is_digit(**it)).count();
    let (start, end) = (plus - before, plus + 1 + after);
    let is_free =
        |byte: Option<&u8>| byte.is_none_or(|it| !it.is_ascii_alphanumeric() && *it < 0x80);
    let stands_alone = is_free(start.checked_sub(1).map(|at| &text[at])) && is_free(text.get(end));
    (matches!(before, 4 | 6 | 8) && (2..=7).contains(&after) && stands_alone).then_some(start..end)
}

/// The twenty digits of plus codes.
fn is_digit(byte: u8) -> bool {
    b"23456789CFGHJMPQRVWX".contains(&byte)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &[&str]) {
        let mut places = Places::default();
        find(text, &mut places);
        let codes: Vec<_> =
            places.found.iter().map(|it| &text[it.range.clone().unwrap()]).collect();
        assert_eq!(codes, expected, "{text}");
    }

    #[test]
    fn full_and_short_codes_are_found() {
        check("We are at 8FVC9G8F+6X (Zürich)", &["8FVC9G8F+6X"]);
        check("XPMH+G4 Athens, Greece", &["XPMH+G4"]);
        check("XPMH+G4, 8G95XPMH+G4.", &["XPMH+G4", "8G95XPMH+G4"]);
    }

    #[test]
    fn sums_and_words_are_no_codes() {
        check("2222+22 = 2244", &[]);
        check("C++ and Google+", &[]);
        check("AXPMH+G4", &[]);
        check("XPMH+G4ä", &[]);
        check("+49 441 +", &[]);
    }

    #[test]
    fn only_a_full_code_has_a_point() {
        let mut places = Places::default();
        find("8G95XPMH+G4 XPMH+G4", &mut places);
        let points: Vec<_> = places.found.iter().map(|it| it.point.is_some()).collect();
        assert_eq!(points, [true, false]);
    }
}
