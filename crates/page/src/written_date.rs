//! Dates as people write them, in nine languages.

use std::sync::LazyLock;

use jiff::civil::Date;

/// The first date in the text: `12. März 2024`, `March 12, 2024`, `12 de marzo de 2024`,
/// `2024-03-12`, `12.03.2024`, `12/03/2024`.
///
/// With slashes, day and month are told apart only if one of them cannot be a month; else there is
/// no date.
pub(crate) fn written_date(text: &str) -> Option<Date> {
    if !has_year(text) {
        return None;
    }
    let mut window = [Token::Other; 6];
    for token in tokens(text).chain([Token::Other; 5]) {
        window.rotate_left(1);
        window[5] = token;
        if let Some(date) = date_at_start(&window) {
            return Some(date);
        }
    }
    None
}

/// Most texts have no date, and this tells quickly.
fn has_year(text: &str) -> bool {
    text.as_bytes().windows(4).any(|it| it.iter().all(u8::is_ascii_digit))
}

/// Whether a page of the web may have been written then.
pub(crate) fn plausible(date: Date) -> bool {
    (1990..2100).contains(&date.year())
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Token {
    /// A number with how many digits it has.
    Number(i16, usize),
    Month(i8),
    Dot,
    Slash,
    Hyphen,
    Other,
}

fn date_at_start(window: &[Token; 6]) -> Option<Date> {
    use Token::{Dot, Hyphen, Month, Number, Slash};
    match *window {
        [Number(year, 4), Hyphen, Number(month, 2), Hyphen, Number(day, 2), _]
        | [Number(day, 1 | 2), Dot, Number(month, 1 | 2), Dot, Number(year, 4), _] => {
            date(year, month, day)
        }
        [Number(first, 1 | 2), Slash, Number(second, 1 | 2), Slash, Number(year, 4), _] => {
            match (first > 12, second > 12) {
                (true, false) => date(year, second, first),
                (false, true) => date(year, first, second),
                _ if first == second => date(year, first, second),
                _ => None,
            }
        }
        [Number(day, 1 | 2), Month(month), Number(year, 4), ..]
        | [Number(day, 1 | 2), Dot, Month(month), Number(year, 4), ..]
        | [Number(day, 1 | 2), Month(month), Dot, Number(year, 4), ..]
        | [Number(day, 1 | 2), Dot, Month(month), Dot, Number(year, 4), _]
        | [Month(month), Number(day, 1 | 2), Number(year, 4), ..]
        | [Month(month), Dot, Number(day, 1 | 2), Number(year, 4), ..] => {
            date(year, i16::from(month), day)
        }
        _ => None,
    }
}

fn date(year: i16, month: i16, day: i16) -> Option<Date> {
    let date = Date::new(year, month.try_into().ok()?, day.try_into().ok()?).ok()?;
    plausible(date).then_some(date)
}

/// Numbers, months and dividers; what may stand between them (`of`, `de`, commas) is left out.
fn tokens(text: &str) -> impl Iterator<Item = Token> {
    let mut rest = text;
    std::iter::from_fn(move || {
        loop {
            let first = rest.chars().next()?;
            if first.is_ascii_digit() {
                let length = rest.bytes().take_while(u8::is_ascii_digit).count();
                let number = rest[..length].parse().unwrap_or(i16::MAX);
                rest = without_ordinal(&rest[length..]);
                return Some(Token::Number(number, length));
            }
            if first.is_alphabetic() {
                let end = rest.find(|it: char| !it.is_alphabetic()).unwrap_or(rest.len());
                let word = &rest[..end];
                rest = &rest[end..];
                match word {
                    "of" | "de" | "del" | "do" | "da" | "di" | "the" => continue,
                    _ => return Some(month(word).map_or(Token::Other, Token::Month)),
                }
            }
            rest = &rest[first.len_utf8()..];
            match first {
                ' ' | '\u{a0}' | ',' => {}
                '.' => return Some(Token::Dot),
                '/' => return Some(Token::Slash),
                '-' | '‐' | '‑' => return Some(Token::Hyphen),
                _ => return Some(Token::Other),
            }
        }
    })
}

/// What follows the ending in `1st`, `1er`, `12th`, `1º`.
fn without_ordinal(rest: &str) -> &str {
    let endings = ["st", "nd", "rd", "th", "er", "º", "°", "ª"];
    let mut stripped = endings.iter().filter_map(|ending| rest.strip_prefix(ending));
    let ends = |it: &&str| !it.starts_with(|next: char| next.is_alphanumeric());
    stripped.find(ends).unwrap_or(rest)
}

/// The month of this name or abbreviation, in any case.
fn month(word: &str) -> Option<i8> {
    // The shortest name has three bytes, the longest (syyskuuta, septiembre) ten.
    if !(3..=11).contains(&word.len()) {
        return None;
    }
    let lower = word.to_lowercase();
    let found = NAMES.binary_search_by_key(&lower.as_str(), |it| it.0);
    found.ok().map(|at| NAMES[at].1)
}

/// Every name of a month with its number, in order of the names.
static NAMES: LazyLock<Vec<(&str, i8)>> = LazyLock::new(|| {
    let months = MONTHS.iter().zip(1_i8..);
    let names = months.flat_map(|(names, month)| names.split(' ').map(move |it| (it, month)));
    let mut names: Vec<_> = names.collect();
    names.sort_unstable();
    names
});

/// English, German, French, Spanish, Italian, Dutch, Portuguese, Finnish, Swedish.
const MONTHS: [&str; 12] = [
    "january jan januar jänner janvier janv enero ene gennaio gen januari janeiro tammikuuta \
     tammikuu",
    "february feb februar feber février févr fév febrero febbraio febr februari fevereiro fev \
     helmikuuta helmikuu",
    "march mar märz mär mrz mars marzo maart mrt março maaliskuuta maaliskuu",
    "april apr avril avr abril abr aprile huhtikuuta huhtikuu",
    "may mai mayo maggio mag mei maio maj toukokuuta toukokuu",
    "june jun juni juin junio giugno giu junho kesäkuuta kesäkuu",
    "july jul juli juillet juil julio luglio lug julho heinäkuuta heinäkuu",
    "august aug août agosto ago augustus augusti elokuuta elokuu",
    "september sept sep septembre septiembre settembre set setembro syyskuuta syyskuu",
    "october oct oktober okt octobre octubre ottobre ott outubro out lokakuuta lokakuu",
    "november nov novembre noviembre novembro marraskuuta marraskuu",
    "december dec dezember dez décembre déc diciembre dic dicembre dezembro joulukuuta joulukuu",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: Option<&str>) {
        let found = written_date(text).map(|date| date.to_string());
        assert_eq!(found.as_deref(), expected, "{text}");
    }

    #[test]
    fn dates_are_read_in_nine_languages() {
        check("March 12, 2024", Some("2024-03-12"));
        check("on the 1st of May 2024", Some("2024-05-01"));
        check("12. März 2024", Some("2024-03-12"));
        check("Le 1er août 2023", Some("2023-08-01"));
        check("12 de marzo de 2024", Some("2024-03-12"));
        check("12 marzo 2024", Some("2024-03-12"));
        check("12 maart 2024", Some("2024-03-12"));
        check("12 de março de 2024", Some("2024-03-12"));
        check("12. maaliskuuta 2024", Some("2024-03-12"));
        check("den 12 maj 2024", Some("2024-05-12"));
        check("12. Sept. 2024", Some("2024-09-12"));
        check("DEC. 3, 2021", Some("2021-12-03"));
    }

    #[test]
    fn numbers_are_read_where_they_are_plain() {
        check("Stand: 12.03.2024", Some("2024-03-12"));
        check("1.3.2024", Some("2024-03-01"));
        check("(2024-03-12)", Some("2024-03-12"));
        check("25/12/2023", Some("2023-12-25"));
        check("12/25/2023", Some("2023-12-25"));
    }

    #[test]
    fn day_and_month_that_could_be_either_are_not_read() {
        check("03/04/2024", None);
        check("04/04/2024", Some("2024-04-04"));
    }

    #[test]
    fn what_is_no_day_of_the_calendar_is_no_date() {
        check("30 February 2024", None);
        check("45.13.2024", None);
        check("12 March 1850", None);
        check("1234-56-78", None);
        check("", None);
    }

    #[test]
    fn the_first_date_counts() {
        check("2019 was good. 3 May 2020, then 4 May 2021", Some("2020-05-03"));
    }

    #[test]
    fn every_name_of_a_month_is_in_reach() {
        assert!(
            NAMES.iter().all(|it| month(it.0) == Some(it.1)),
            "a name is too long or stands twice"
        );
    }
}
