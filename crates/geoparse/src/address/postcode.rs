//! Postcodes: their shapes, and in which countries each shape is used.

use std::ops::Range;

use crate::address::token::{Gap, Tokens};

/// A postcode among the words.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Postcode {
    /// Its words.
    pub(crate) words: Range<usize>,
    /// Where the code itself starts, after a country's letters: `D-26122`.
    pub(crate) code: usize,
    /// The countries that use such codes, by their ISO letters.
    pub(crate) countries: &'static [&'static str],
    /// True if hardly anything but a postcode looks like this.
    pub(crate) sure: bool,
}

/// Countries with five digits. The list is that of the Universal Postal Union's addressing sheets, as are the others.
const FIVE: &[&str] = &[
    "DE", "FR", "ES", "IT", "FI", "US", "MC", "SE", "CZ", "SK", "GR", "EE", "HR", "RS", "UA", "TR",
    "MX", "LT", "ME", "BA", "SM", "VA", "MY", "TH", "KR", "ID", "PK", "MA", "DZ", "TN", "EG", "SA",
    "PE", "UY", "CR", "GT", "PR", "GP", "MQ", "RE", "GF", "YT", "AX", "VN", "LK", "ZM", "KE", "SN",
    "DO", "CU", "XK", "IL", "NC", "PF", "PM",
];
const FOUR: &[&str] = &[
    "AT", "CH", "BE", "LU", "DK", "NO", "AU", "NZ", "LI", "NL", "HU", "SI", "BG", "CY", "ZA", "PH",
    "LV", "MK", "AL", "MD", "GE", "TN", "VE", "PY", "AR", "BD", "GL", "FO",
];
const SIX: &[&str] = &["IN", "CN", "SG", "RO", "RU", "BY", "KZ", "CO", "EC", "VN", "UZ"];
const THREE_TWO: &[&str] = &["SE", "CZ", "SK", "GR"];
const PREFIXES: &[(&str, &[&str])] = &[
    ("d", &["DE"]),
    ("de", &["DE"]),
    ("a", &["AT"]),
    ("at", &["AT"]),
    ("ch", &["CH"]),
    ("fl", &["LI"]),
    ("f", &["FR"]),
    ("fr", &["FR"]),
    ("b", &["BE"]),
    ("be", &["BE"]),
    ("l", &["LU"]),
    ("lu", &["LU"]),
    ("mc", &["MC"]),
    ("i", &["IT"]),
    ("it", &["IT"]),
    ("e", &["ES"]),
    ("es", &["ES"]),
    ("p", &["PT"]),
    ("pt", &["PT"]),
    ("nl", &["NL"]),
    ("fi", &["FI"]),
    ("fin", &["FI"]),
    ("s", &["SE"]),
    ("se", &["SE"]),
    ("n", &["NO"]),
    ("no", &["NO"]),
    ("dk", &["DK"]),
    ("pl", &["PL"]),
    ("cz", &["CZ"]),
    ("sk", &["SK"]),
    ("h", &["HU"]),
    ("hu", &["HU"]),
    ("hr", &["HR"]),
    ("si", &["SI"]),
    ("ro", &["RO"]),
    ("lt", &["LT"]),
    ("lv", &["LV"]),
    ("ee", &["EE"]),
    ("gr", &["GR"]),
    ("ua", &["UA"]),
    ("ax", &["AX"]),
    ("ad", &["AD"]),
    ("us", &["US"]),
];

/// The postcode that starts at this word, if one does.
pub(crate) fn at(tokens: &Tokens<'_>, start: usize) -> Option<Postcode> {
    with_country_letters(tokens, start).or_else(|| bare(tokens, start))
}

/// `London SE1`: the first half of a British code, which often stands alone behind its city.
pub(crate) fn half_at(tokens: &Tokens<'_>, start: usize) -> Option<Postcode> {
    let half = is_outward(tokens.word(start)) && tokens.is_capital(start);
    let alone = tokens.gap(start) == Gap::Blank && tokens.gap(start + 1) >= Gap::Comma;
    (half && alone).then_some(Postcode {
        words: start..start + 1,
        code: start,
        countries: &["GB"],
        sure: false,
    })
}

/// `D-26122`, `CH-8001`.
fn with_country_letters(tokens: &Tokens<'_>, start: usize) -> Option<Postcode> {
    let (_, countries) = PREFIXES.iter().find(|(letters, _)| *letters == tokens.word(start))?;
    if !tokens.marked(start + 1, '-') && !tokens.marked(start + 1, '–') {
        return None;
    }
    let code = bare(tokens, start + 1)?;
    let fits = countries.iter().all(|it| code.countries.contains(it)) || countries == &["AD"];
    fits.then(|| Postcode { words: start..code.words.end, code: start + 1, countries, sure: true })
}

fn bare(tokens: &Tokens<'_>, start: usize) -> Option<Postcode> {
    let (one, two) = (tokens.word(start), tokens.word(start + 1));
    let found = |words: usize, countries: &'static [&'static str], sure: bool| {
        Some(Postcode { words: start..start + words, code: start, countries, sure })
    };
    let joined = tokens.gap(start + 1) == Gap::Tight && tokens.marked(start + 1, '-');
    let apart = tokens.gap(start + 1) == Gap::Blank;
    let digits = |word: &str, count: usize| word.len() == count && is_digits(word);
    match () {
        () if joined && digits(one, 5) && digits(two, 4) => found(2, &["US"], true),
        () if joined && digits(one, 2) && digits(two, 3) => found(2, &["PL"], true),
        () if joined && digits(one, 4) && digits(two, 3) => found(2, &["PT"], true),
        () if joined && digits(one, 5) && digits(two, 3) => found(2, &["BR"], true),
        () if joined && digits(one, 3) && digits(two, 4) => found(2, &["JP"], true),
        () if joined && digits(one, 3) && digits(two, 3) => found(2, &["TW"], false),
        () if is_outward(one) && is_inward(two) && !is_far(tokens, start + 1) => {
            found(2, &["GB", "JE", "GG", "IM", "GI"], true)
        }
        () if is_canadian(one, two) && tokens.gap(start + 1) <= Gap::Blank => {
            found(2, &["CA"], true)
        }
        () if is_eircode(one, two) && apart => found(2, &["IE"], true),
        () if is_dutch(one)
            && two.len() == 2
            && is_capitals(tokens.written(start + 1))
            && apart =>
        {
            found(2, &["NL"], true)
        }
        () if one.len() == 6 && one.is_ascii() && is_dutch(&one[..4]) && is_letters(&one[4..]) => {
            found(1, &["NL"], true)
        }
        () if one.len() == 6 && one.is_ascii() && is_canadian(&one[..3], &one[3..]) => {
            found(1, &["CA"], true)
        }
        () if one.len() == 7 && one.is_ascii() && is_eircode(&one[..3], &one[3..]) => {
            found(1, &["IE"], true)
        }
        () if is_joined_british(one) => found(1, &["GB"], true),
        () if apart && digits(one, 3) && digits(two, 2) => found(2, THREE_TWO, false),
        () if apart && digits(one, 3) && digits(two, 3) => found(2, &["IN"], false),
        () if digits(one, 9) => found(1, &["US"], false),
        () if digits(one, 5) => found(1, FIVE, false),
        () if digits(one, 4) => found(1, FOUR, false),
        () if digits(one, 6) && !one.starts_with('0') => found(1, SIX, false),
        () if digits(one, 6) => found(1, &["RO"], false),
        () => None,
    }
}

fn is_far(tokens: &Tokens<'_>, at: usize) -> bool {
    tokens.gap(at) > Gap::Blank
}

fn is_digits(word: &str) -> bool {
    !word.is_empty() && word.bytes().all(|it| it.is_ascii_digit())
}

fn is_letters(word: &str) -> bool {
    word.bytes().all(|it| it.is_ascii_lowercase())
}

fn is_capitals(word: &str) -> bool {
    !word.is_empty() && word.bytes().all(|it| it.is_ascii_uppercase())
}

/// Dutch numbers do not begin with 0.
fn is_dutch(word: &str) -> bool {
    word.len() == 4 && is_digits(word) && !word.starts_with('0')
}

/// The first half of a British code: `nw1`, `w1d`, `ec1a`, `b12`.
fn is_outward(word: &str) -> bool {
    let letters = word.bytes().take_while(u8::is_ascii_lowercase).count();
    let rest = &word.as_bytes()[letters..];
    let shaped = match rest {
        [a] => a.is_ascii_digit(),
        [a, b] => a.is_ascii_digit() && (b.is_ascii_digit() || b.is_ascii_lowercase()),
        _ => false,
    };
    (1..=2).contains(&letters) && shaped
}

/// The second half of a British code: a digit and two letters.
fn is_inward(word: &str) -> bool {
    matches!(word.as_bytes(), [a, b, c] if a.is_ascii_digit() && b.is_ascii_lowercase() && c.is_ascii_lowercase())
}

fn is_joined_british(word: &str) -> bool {
    let half = word.len().saturating_sub(3);
    (5..=7).contains(&word.len())
        && word.is_ascii()
        && is_outward(&word[..half])
        && is_inward(&word[half..])
}

fn is_canadian(one: &str, two: &str) -> bool {
    let first = matches!(one.as_bytes(), [a, b, c]
        if a.is_ascii_lowercase() && !b"dfioquwz".contains(a) && b.is_ascii_digit() && c.is_ascii_lowercase());
    let second = matches!(two.as_bytes(), [a, b, c]
        if a.is_ascii_digit() && b.is_ascii_lowercase() && c.is_ascii_digit());
    first && second
}

/// A routing key of letter and two characters, then four of letters and digits.
fn is_eircode(one: &str, two: &str) -> bool {
    let key = matches!(one.as_bytes(), [a, b, c]
        if a.is_ascii_lowercase() && b.is_ascii_digit() && (c.is_ascii_digit() || *c == b'w'));
    let unit = two.len() == 4 && two.bytes().all(|it| it.is_ascii_alphanumeric());
    key && unit && two.bytes().any(|it| it.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, words: usize, country: &str) {
        let tokens = Tokens::new(text, 0..text.len(), 40);
        let found = at(&tokens, 0).expect("it is a postcode");
        assert_eq!(found.words.len(), words, "{text:?}");
        assert!(found.countries.contains(&country), "{text:?}");
    }

    #[test]
    fn every_country_has_its_shape() {
        check("26122", 1, "DE");
        check("D-26122", 2, "DE");
        check("CH-8001", 2, "CH");
        check("62701-1234", 2, "US");
        check("NW1 6XE", 2, "GB");
        check("nw16xe", 1, "GB");
        check("M5V 2T6", 2, "CA");
        check("D02 X285", 2, "IE");
        check("1012 AB", 2, "NL");
        check("1012AB", 1, "NL");
        check("1100-053", 2, "PT");
        check("00-238", 2, "PL");
        check("114 55", 2, "SE");
        check("3053", 1, "AU");
        check("411027", 1, "IN");
    }

    #[test]
    fn a_dutch_code_does_not_begin_with_zero() {
        let text = "0123AB";
        assert_eq!(at(&Tokens::new(text, 0..text.len(), 9), 0), None);
    }
}
