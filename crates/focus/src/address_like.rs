//! Whether words look like part of an address, at a glance.

use crate::tokens::words;

/// Whether a text has a street with a number, or a postcode with a town, or something like it.
///
/// The geoparser knows better but takes a thousand times as long; this is asked about every link.
pub(crate) fn is_address_like(text: &str) -> bool {
    let mut before = "";
    // How many words ago the last number stood: it may be that of a house.
    let mut since = usize::MAX;
    words(text).any(|word| {
        let is_number = is_number(word);
        since = if is_number { 0 } else { since.saturating_add(1) };
        let is_house =
            if is_number { is_street(before) } else { since <= BETWEEN && is_street(word) };
        let is_address = is_house || is_town(before, word);
        before = word;
        is_address
    })
}

/// `350 Fifth Avenue`: a street's word comes so many words after the number at most.
const BETWEEN: usize = 3;

/// The number of a house: `5`, `1140`, `12a`.
fn is_number(word: &str) -> bool {
    word.len() <= 5
        && word.starts_with(|it: char| it.is_ascii_digit())
        && word.bytes().filter(|it| !it.is_ascii_digit()).count() <= 1
}

/// `26122 Oldenburg`, `CA 94107`.
fn is_town(before: &str, word: &str) -> bool {
    let is_postcode = |it: &str| it.len() == 5 && it.bytes().all(|it| it.is_ascii_digit());
    let is_state = before.len() == 2 && before.bytes().all(|it| it.is_ascii_uppercase());
    (is_postcode(before) && word.starts_with(char::is_uppercase)) || (is_state && is_postcode(word))
}

fn is_street(word: &str) -> bool {
    // The longest ending has seven bytes, and a word before it may have any length.
    let ends = |ending: &str| {
        let start = word.len().checked_sub(ending.len());
        start.and_then(|it| word.get(it..)).is_some_and(|it| it.eq_ignore_ascii_case(ending))
    };
    STREETS.iter().any(|it| word.eq_ignore_ascii_case(it)) || ENDINGS.into_iter().any(ends)
}

/// Words of streets that stand by themselves.
const STREETS: [&str; 27] = [
    "street",
    "st",
    "road",
    "rd",
    "avenue",
    "ave",
    "av",
    "lane",
    "ln",
    "drive",
    "dr",
    "blvd",
    "boulevard",
    "square",
    "court",
    "rue",
    "place",
    "quai",
    "calle",
    "avenida",
    "plaza",
    "via",
    "piazza",
    "rua",
    "platz",
    "weg",
    "ulica",
];
/// Words of streets that are written together with the name.
const ENDINGS: [&str; 13] = [
    "straße", "strasse", "str", "weg", "platz", "allee", "gasse", "straat", "laan", "gatan",
    "vägen", "gade", "katu",
];

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[track_caller]
    fn check(text: &str, expected: bool) {
        assert_eq!(is_address_like(text), expected, "{text}");
    }

    #[test]
    fn streets_with_numbers_and_towns_with_postcodes_are_like_addresses() {
        check("Lange Straße 5", true);
        check("Donnerschweer Str. 12a", true);
        check("350 Fifth Avenue", true);
        check("12 Main Street", true);
        check("Avenue 12", true);
        check("12 rue de la Paix", true);
        check("26122 Oldenburg", true);
        check("San Francisco, CA 94107", true);
    }

    #[test]
    fn years_and_prices_are_not() {
        check("in 2024 we sold 12345 ships", false);
        check("Oldenburg 2024", false);
        check("the road to 3,000,000", false);
        check("", false);
    }

    proptest! {
        #[test]
        fn any_text_looks_like_something(text in any::<String>()) {
            is_address_like(&text);
        }
    }
}
