//! Whether words look like part of an address, at a glance.

use crate::tokens::runs;

/// Whether a text has a street with a number, or a postcode with a town, or something like it.
///
/// The geoparser knows better but takes a thousand times as long; this is asked about every link.
pub(crate) fn is_address_like(text: &str) -> bool {
    if !text.is_ascii() && has_sign(text) {
        return true;
    }
    let mut before = Word::default();
    let mut earlier = Word::default();
    // How many words ago the last number stood: it may be that of a house.
    let mut since = usize::MAX;
    // And the last word of a street that stands before its name.
    let mut led = usize::MAX;
    runs(text).any(|word| {
        let start = word.as_ptr() as usize - text.as_ptr() as usize;
        let word = Word { text: word, gap: &text[before.end..start], end: start + word.len() };
        let is_number = is_number(word.text);
        since = if is_number { 0 } else { since.saturating_add(1) };
        led = if leads_street(word.text) { 0 } else { led.saturating_add(1) };
        let is_house = if is_number {
            is_street(before.text) || (led <= BETWEEN && !is_year(word.text))
        } else {
            since <= BETWEEN && is_street(word.text)
        };
        // `via e-mail` is no street.
        if led == 1 && !word.text.starts_with(|it: char| it.is_uppercase() || it.is_numeric()) {
            led = usize::MAX;
        }
        let is_address = is_house || is_town(earlier, before, word);
        (earlier, before) = (before, word);
        is_address
    })
}

/// A word, what stands between it and the word before it, and where it ends.
#[derive(Clone, Copy, Default)]
struct Word<'a> {
    text: &'a str,
    gap: &'a str,
    end: usize,
}

impl Word<'_> {
    fn is_digits(self, count: usize) -> bool {
        self.text.len() == count && self.text.bytes().all(|it| it.is_ascii_digit())
    }

    fn is_capitals(self, count: usize) -> bool {
        self.text.len() == count && self.text.bytes().all(|it| it.is_ascii_uppercase())
    }

    fn is_name(self) -> bool {
        self.text.starts_with(char::is_uppercase) && self.text.chars().nth(1).is_some()
    }
}

/// `350 Fifth Avenue`: a street's word comes so many words after the number at most; `ul. Długa 5`: or so
/// many before it.
const BETWEEN: usize = 3;

/// The number of a house: `5`, `1140`, `12a`.
fn is_number(word: &str) -> bool {
    word.len() <= 5
        && word.starts_with(|it: char| it.is_ascii_digit())
        && word.bytes().filter(|it| !it.is_ascii_digit()).count() <= 1
}

fn is_year(word: &str) -> bool {
    word.len() == 4 && (word.starts_with("19") || word.starts_with("20"))
}

/// A postcode with its town: `26122 Oldenburg`, `CA 94107`, `SW1A 1AA`, `1012 AB Amsterdam`, `00-950
/// Warszawa`, `111 22 Stockholm`, `, 1010 Wien`.
fn is_town(earlier: Word<'_>, before: Word<'_>, word: Word<'_>) -> bool {
    let (is_spaced, is_hyphened) = (before.gap == " ", before.gap == "-");
    let in_two = |one: usize, other: usize| earlier.is_digits(one) && before.is_digits(other);
    if word.is_name() && word.gap.starts_with(char::is_whitespace) {
        // What counts things stands within a sentence, a postcode behind a comma or a country's letters.
        let is_parted = before.gap.contains([',', ';', '-', '–', '|', '·', '\n']);
        if before.is_digits(5)
            || in_two(2, 3) && is_hyphened
            || in_two(4, 3) && is_hyphened
            || in_two(3, 2) && is_spaced
            || before.is_capitals(2) && earlier.is_digits(4) && !is_year(earlier.text) && is_spaced
            || before.is_digits(4) && !is_year(before.text) && is_parted
        {
            return true;
        }
    }
    (before.is_capitals(2) && word.is_digits(5)) || is_british(before, word)
}

/// `SW1A 1AA`, `M1 2AB`.
fn is_british(outward: Word<'_>, inward: Word<'_>) -> bool {
    let (outward, inward) = (outward.text.as_bytes(), inward.text.as_bytes());
    let letters = outward.iter().take_while(|it| it.is_ascii_uppercase()).count();
    let is_area = (1..=2).contains(&letters)
        && (letters + 1..=4).contains(&outward.len())
        && outward[letters].is_ascii_digit()
        && outward.iter().all(|it| it.is_ascii_digit() || it.is_ascii_uppercase());
    is_area
        && inward.len() == 3
        && inward[0].is_ascii_digit()
        && inward[1..].iter().all(u8::is_ascii_uppercase)
}

/// Whether it has what stands in Chinese and Japanese addresses alone: `〒100-0001`, `一丁目`, `12号`.
fn has_sign(text: &str) -> bool {
    let is_numbered =
        |sign: char| text.match_indices(sign).any(|(at, _)| text[..at].ends_with(char::is_numeric));
    text.contains('〒')
        || text.contains("丁目")
        || text.contains("番地")
        || ['号', '號'].into_iter().any(is_numbered)
}

/// Whether a word begins the name of a street whose number stands at its end: `Via Roma 5`.
fn leads_street(word: &str) -> bool {
    // In bytes the longest has twenty; most words are refused by that and their first letter.
    word.len() <= 20
        && LEADING.iter().any(|it| it.chars().eq(word.chars().flat_map(char::to_lowercase)))
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
/// Words of streets that stand before their names.
const LEADING: [&str; 22] = [
    "rue",
    "calle",
    "avenida",
    "via",
    "viale",
    "piazza",
    "rua",
    "ulica",
    "ul",
    "улица",
    "ул",
    "вулиця",
    "вул",
    "проспект",
    "просп",
    "бульвар",
    "площадь",
    "площа",
    "переулок",
    "провулок",
    "jalan",
    "jl",
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
    fn postcodes_of_many_countries_are_like_addresses() {
        check("10 Downing Street", true);
        check("London SW1A 1AA", true);
        check("1012 AB Amsterdam", true);
        check("00-950 Warszawa", true);
        check("1100-148 Lisboa", true);
        check("111 22 Stockholm", true);
        check("110 00 Praha", true);
        check("Stephansplatz, 1010 Wien", true);
        check("CH-8001 Zürich", true);
    }

    #[test]
    fn streets_of_many_languages_are_like_addresses() {
        check("Via Roma 5", true);
        check("ul. Długa 5", true);
        check("ул. Ленина, 5", true);
        check("вул. Хрещатик 22", true);
        check("東京都千代田区千代田一丁目", true);
        check("〒100-0001", true);
        check("南京东路100号", true);
    }

    #[test]
    fn what_only_has_numbers_is_not() {
        check("send it via e-mail before 5", false);
        check("about 1200 Euro", false);
        check("1234 EU", false);
        check("in 2024 EU Commission", false);
        check("号", false);
        check("A4 3CM", true); // A known wrong one: it has the shape of a British postcode.
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
