//! Positions as people write them in degrees.

use std::iter::Peekable;
use std::str::Chars;

use crate::point::Point;

/// The point that the text writes in degrees; none if the text is or has anything else.
///
/// Read are decimal degrees (`60.17, 24.94`), letters before or after (`N60.17 E24.94`,
/// `60.17N, 24.94E`), and degrees, minutes and seconds with or without their signs
/// (`53° 8' 24.5" N, 8° 13' 0" E`, `53 8 24 N 8 13 0 E`). Latitude comes first unless letters say
/// otherwise. A comma between digits is a decimal comma if the text has no decimal point.
///
/// Much that looks like coordinates is not. Without letters and degree signs both numbers need
/// decimals (one is enough if a comma stands between them), may not begin with a spare zero as
/// telephone numbers do, and may not look like thousands (`1,000 2,000`). Whole degrees after a
/// letter (`E10 N5`) are more often roads.
///
/// `O` is east in German (Ost) and west in French, Spanish and Italian (ouest, oeste, ovest).
/// It is read as east, beside a degree sign only; the words themselves are understood.
pub fn parse_coordinates(text: &str) -> Option<Point> {
    let tokens = tokens(text.trim())?;
    let letters: Vec<usize> =
        (0..tokens.len()).filter(|&at| matches!(tokens[at], Token::Letter(_))).collect();
    match letters[..] {
        [] => without_letters(&tokens),
        [0, second] if tokens.len() > second + 1 => letters_before(&tokens, second),
        [first, last] if last + 1 == tokens.len() => letters_after(&tokens, first),
        _ => None,
    }
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Token {
    Number(Number),
    Degree,
    Minute,
    Second,
    Letter(Letter),
    /// A comma or semicolon.
    Separator,
}

#[derive(Clone, Copy, Debug, PartialEq)]
struct Number {
    /// Without its sign.
    value: f64,
    sign: Option<Sign>,
    decimals: usize,
    decimal_comma: bool,
    /// It begins with a zero that it does not need.
    spare_zero: bool,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Sign {
    Plus,
    Minus,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Letter {
    North,
    South,
    East,
    West,
    /// East in German, west in the Romance languages.
    O,
}

/// `53° 8' 24"`, before it is known whether it is a latitude.
struct Angle {
    /// Negative if its sign says so.
    degrees: f64,
    signed: bool,
    /// It is one whole number without a degree sign.
    bare: bool,
}

fn without_letters(tokens: &[Token]) -> Option<Point> {
    if !tokens.contains(&Token::Degree) {
        return plain_pair(tokens);
    }
    let separator = tokens.iter().position(|&token| token == Token::Separator);
    let last_sign = tokens.iter().rposition(|&token| token == Token::Degree)?;
    let (lat, lon) = match separator {
        Some(at) => (&tokens[..at], &tokens[at + 1..]),
        // The number before the last degree sign begins the second angle.
        None => tokens.split_at(last_sign.checked_sub(1)?),
    };
    if [lat, lon].iter().any(|angle| angle.get(1) != Some(&Token::Degree)) {
        return None;
    }
    point(angle(lat)?.degrees, angle(lon)?.degrees)
}

/// Two numbers with nothing that says they are degrees.
fn plain_pair(tokens: &[Token]) -> Option<Point> {
    let (lat, lon, separated) = match *tokens {
        [Token::Number(lat), Token::Separator, Token::Number(lon)] => (lat, lon, true),
        [Token::Number(lat), Token::Number(lon)] => (lat, lon, false),
        _ => return None,
    };
    let pair = [lat, lon];
    let with_decimals = pair.iter().filter(|number| number.decimals > 0).count();
    let thousands = pair.iter().any(|number| number.decimal_comma && number.decimals == 3);
    let telephone = pair.iter().any(|number| number.spare_zero);
    if with_decimals < if separated { 1 } else { 2 } || thousands || telephone {
        return None;
    }
    point(lat.signed(), lon.signed())
}

/// `N 53° 8' E 8° 13'`: each letter begins its angle.
fn letters_before(tokens: &[Token], second: usize) -> Option<Point> {
    let first_angle = &tokens[1..second];
    let first_angle = first_angle.strip_suffix(&[Token::Separator]).unwrap_or(first_angle);
    let (a, b) = (angle(first_angle)?, angle(&tokens[second + 1..])?);
    if a.bare && b.bare {
        return None;
    }
    lettered(tokens, &[(tokens[0], a), (tokens[second], b)])
}

/// `53° 8' N 8° 13' E`: each letter ends its angle.
fn letters_after(tokens: &[Token], first: usize) -> Option<Point> {
    let last = tokens.len() - 1;
    let second_angle = &tokens[first + 1..last];
    let second_angle = second_angle.strip_prefix(&[Token::Separator]).unwrap_or(second_angle);
    let (a, b) = (angle(&tokens[..first])?, angle(second_angle)?);
    lettered(tokens, &[(tokens[first], a), (tokens[last], b)])
}

/// The point of two angles with their letters.
fn lettered(tokens: &[Token], [a, b]: &[(Token, Angle); 2]) -> Option<Point> {
    // A letter says what a sign would say: both are one too many.
    if a.1.signed || b.1.signed {
        return None;
    }
    let has_degree_sign = tokens.contains(&Token::Degree);
    let (lat, lon) = match (latitude(a), latitude(b)) {
        (Some(lat), None) => (lat, longitude(b, has_degree_sign)?),
        (None, Some(lat)) => (lat, longitude(a, has_degree_sign)?),
        _ => return None,
    };
    point(lat, lon)
}

fn latitude((letter, angle): &(Token, Angle)) -> Option<f64> {
    match letter {
        Token::Letter(Letter::North) => Some(angle.degrees),
        Token::Letter(Letter::South) => Some(-angle.degrees),
        _ => None,
    }
}

fn longitude((letter, angle): &(Token, Angle), has_degree_sign: bool) -> Option<f64> {
    match letter {
        Token::Letter(Letter::East) => Some(angle.degrees),
        Token::Letter(Letter::West) => Some(-angle.degrees),
        Token::Letter(Letter::O) if has_degree_sign => Some(angle.degrees),
        _ => None,
    }
}

/// The point if it is on the globe; unlike data sets, people do not count to 360.
pub(crate) fn point(lat: f64, lon: f64) -> Option<Point> {
    if lon > 180.0 { None } else { Point::checked(lat, lon) }
}

/// One number, or two or three of which the later ones are minutes and seconds.
fn angle(tokens: &[Token]) -> Option<Angle> {
    let mut rest = tokens;
    let degrees = number(&mut rest)?;
    let has_degree_sign = mark(&mut rest, Token::Degree);
    let mut parts = vec![degrees];
    for sign in [Token::Minute, Token::Second] {
        if rest.is_empty() {
            break;
        }
        parts.push(number(&mut rest)?);
        mark(&mut rest, sign);
    }

    let (last, whole) = parts.split_last()?;
    let later = &parts[1..];
    let well_formed = rest.is_empty()
        && whole.iter().all(|part| part.decimals == 0)
        && later.iter().all(|part| part.sign.is_none() && part.value < 60.0);
    if !well_formed {
        return None;
    }
    let value = parts.iter().rev().fold(0.0, |smaller, part| smaller / 60.0 + part.value);
    Some(Angle {
        degrees: if degrees.sign == Some(Sign::Minus) { -value } else { value },
        signed: degrees.sign.is_some(),
        bare: later.is_empty() && last.decimals == 0 && !has_degree_sign,
    })
}

fn number(tokens: &mut &[Token]) -> Option<Number> {
    let (&Token::Number(number), rest) = tokens.split_first()? else { return None };
    *tokens = rest;
    Some(number)
}

/// Steps over the sign if it comes next.
fn mark(tokens: &mut &[Token], sign: Token) -> bool {
    let comes_next = tokens.first() == Some(&sign);
    if comes_next {
        *tokens = &tokens[1..];
    }
    comes_next
}

impl Number {
    fn signed(self) -> f64 {
        if self.sign == Some(Sign::Minus) { -self.value } else { self.value }
    }
}

/// The text in tokens; none if it has anything that no coordinates have.
fn tokens(text: &str) -> Option<Vec<Token>> {
    let comma_is_decimal = !text.contains('.');
    let mut chars = text.chars().peekable();
    let mut tokens = Vec::new();
    while let Some(&c) = chars.peek() {
        tokens.push(match c {
            '0'..='9' => Token::Number(scan_number(&mut chars, None, comma_is_decimal)?),
            '+' | '-' | '−' => {
                chars.next();
                let sign = if c == '+' { Sign::Plus } else { Sign::Minus };
                Token::Number(scan_number(&mut chars, Some(sign), comma_is_decimal)?)
            }
            _ if c.is_alphabetic() && c != 'º' => Token::Letter(scan_letter(&mut chars)?),
            _ => {
                chars.next();
                match c {
                    ' ' | '\t' | '\u{a0}' | '\u{202f}' | '\u{2009}' => continue,
                    '°' | 'º' | '˚' => Token::Degree,
                    '"' | '″' | '”' | '“' => Token::Second,
                    '\'' | '′' | '’' | '‘' | '´' => minute_or_second(&mut chars),
                    ',' | ';' => Token::Separator,
                    _ => return None,
                }
            }
        });
    }
    Some(tokens)
}

/// Two minute signs in a row are a second sign.
fn minute_or_second(chars: &mut Peekable<Chars>) -> Token {
    match chars.next_if(|c| matches!(c, '\'' | '′' | '’' | '‘' | '´')) {
        Some(_) => Token::Second,
        None => Token::Minute,
    }
}

fn scan_number(
    chars: &mut Peekable<Chars>,
    sign: Option<Sign>,
    comma_is_decimal: bool,
) -> Option<Number> {
    let mut digits = scan_digits(chars);
    let spare_zero = digits.len() > 1 && digits.starts_with('0');
    if digits.is_empty() {
        return None;
    }

    let mut decimals = 0;
    let decimal_comma = comma_is_decimal && comma_before_digit(chars);
    if decimal_comma || chars.peek() == Some(&'.') {
        chars.next();
        let fraction = scan_digits(chars);
        decimals = fraction.len();
        digits = format!("{digits}.{fraction}");
        // In `60,17,24,94` nobody can tell which comma is which.
        if decimals == 0 || decimal_comma && comma_before_digit(chars) {
            return None;
        }
    }
    // A dash right after a number joins digits, as in telephone numbers and dates.
    if chars.peek().is_some_and(|c| matches!(c, '+' | '-' | '−')) {
        return None;
    }
    let value = digits.parse().ok()?;
    Some(Number { value, sign, decimals, decimal_comma, spare_zero })
}

fn scan_digits(chars: &mut Peekable<Chars>) -> String {
    let mut digits = String::new();
    while let Some(digit) = chars.next_if(char::is_ascii_digit) {
        digits.push(digit);
    }
    digits
}

fn comma_before_digit(chars: &Peekable<Chars>) -> bool {
    let mut ahead = chars.clone();
    ahead.next() == Some(',') && ahead.next().is_some_and(|c| c.is_ascii_digit())
}

fn scan_letter(chars: &mut Peekable<Chars>) -> Option<Letter> {
    let mut word = String::new();
    while let Some(letter) = chars.next_if(|c| c.is_alphabetic() && *c != 'º') {
        word.extend(letter.to_lowercase());
    }
    match word.as_str() {
        "n" | "north" | "nord" | "norte" => Some(Letter::North),
        "s" | "south" | "süd" | "sud" | "sur" => Some(Letter::South),
        "e" | "east" | "ost" | "est" | "este" => Some(Letter::East),
        "w" | "west" | "ouest" | "oeste" | "ovest" => Some(Letter::West),
        "o" => Some(Letter::O),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn decimal_degrees_are_latitude_then_longitude() {
        check("60.17, 24.94", (60.17, 24.94));
        check("60.17 24.94", (60.17, 24.94));
        check("60.17,24.94", (60.17, 24.94));
        check(" -33.87;151.21 ", (-33.87, 151.21));
        check("−33.87 +151.21", (-33.87, 151.21));
        check("60, 24.94", (60.0, 24.94));
        check("60.17° 24.94°", (60.17, 24.94));
        check("60°, 24°", (60.0, 24.0));
    }

    #[test]
    fn letters_stand_before_or_after() {
        check("N60.17 E24.94", (60.17, 24.94));
        check("60.17N, 24.94E", (60.17, 24.94));
        check("n 60.17, w 24.94", (60.17, -24.94));
        check("60.17 south 24.94 west", (-60.17, -24.94));
        check("60N 24E", (60.0, 24.0));
        check("N60.17,E24.94", (60.17, 24.94));
    }

    #[test]
    fn minutes_and_seconds_are_sixtieths() {
        check("53°8'N 8°13'E", (53.133_333, 8.216_667));
        check("53° 8' 24.5\" N, 8° 13' 0\" E", (53.140_139, 8.216_667));
        check("53°8′24.5″N 8°13′0″E", (53.140_139, 8.216_667));
        check("53º8’24.5”N, 8º13’0”E", (53.140_139, 8.216_667));
        check("53°8'24.5''N 8°13'0''E", (53.140_139, 8.216_667));
        check("53 8 24 N 8 13 0 E", (53.14, 8.216_667));
        check("N 53° 08.4' W 008° 13.0'", (53.14, -8.216_667));
        check("53°8'24\" -8°13'0\"", (53.14, -8.216_667));
        check("-0°30'0\", 8°13'0\"", (-0.5, 8.216_667));
    }

    #[test]
    fn letters_may_say_that_longitude_comes_first() {
        check("8°13'E 53°8'N", (53.133_333, 8.216_667));
        check("E24.94 N60.17", (60.17, 24.94));
    }

    #[test]
    fn a_decimal_comma_is_understood_where_nothing_else_is_meant() {
        check("60,17; 24,94", (60.17, 24.94));
        check("60,17 24,94", (60.17, 24.94));
        check("60,17, 24,94", (60.17, 24.94));
        check("53°8'24,5\"N 8°13'0\"E", (53.140_139, 8.216_667));
        check("N53,14 E8,22", (53.14, 8.22));
        check_none("60,17");
        check_none("60,17,24,94");
        check_none("1,000 2,000");
        check_none("1.234,56 7.890,12");
    }

    #[test]
    fn o_is_east_beside_a_degree_sign_only() {
        check("53° 8′ N, 8° 13′ O", (53.133_333, 8.216_667));
        check("48,5 Nord 2,5 Ouest", (48.5, -2.5));
        check("53,1 Nord 8,2 Ost", (53.1, 8.2));
        check_none("53.1 N 8.2 O");
    }

    #[test]
    fn plain_numbers_are_no_coordinates() {
        for text in
            ["", "60.17", "60 24", "60, 24", "60.17 24", "1 2 3", "12.5.2024", "60.17, 24.94, 5"]
        {
            check_none(text);
        }
    }

    #[test]
    fn telephone_numbers_are_no_coordinates() {
        for text in [
            "0441 12345",
            "+49 441 7980",
            "441-7980",
            "01.23 45.67",
            "01.23.45.67.89",
            "(0441) 79.80",
            "60.17-24.94",
            "555 1234",
        ] {
            check_none(text);
        }
    }

    #[test]
    fn road_numbers_are_no_coordinates() {
        check_none("E10 N5");
        check_none("A7 B73");
    }

    #[test]
    fn what_is_not_on_the_globe_is_no_point() {
        for text in
            ["90.1, 24.94", "60.17, 180.1", "53°60'N 8°13'E", "53°8'60\"N 8°13'E", "24.94E 91N"]
        {
            check_none(text);
        }
    }

    #[test]
    fn angles_that_contradict_themselves_are_refused() {
        for text in [
            "-60.17N 24.94E",
            "60.17N 24.94N",
            "60.17E 24.94W",
            "60.17N 24.94",
            "60.17 E24.94",
            "53.5°8'N 8°13'E",
            "53°8'N",
            "53'8°N 8°13'E",
            "53°8'N 8°13'E 5",
            "60.17N E24.94",
        ] {
            check_none(text);
        }
    }

    proptest! {
        #[test]
        fn any_text_is_read_without_panic(text in any::<String>()) {
            let _ = parse_coordinates(&text);
        }

        #[test]
        fn text_like_coordinates_is_read_without_panic(text in "[-+−0-9.,; °º'′\"″NSEWO]{0,24}") {
            if let Some(point) = parse_coordinates(&text) {
                prop_assert_eq!(Point::checked(point.lat, point.lon), Some(point));
            }
        }

        #[test]
        fn a_point_is_read_back_from_degrees_minutes_and_seconds(
            lat in 0..90_u32, lon in 0..180_u32, minute in 0..60_u32, second in 0..60_u32,
        ) {
            let text = format!("{lat}° {minute}' {second}\" S {lon}° {minute}' {second}\" W");
            let part = f64::from(minute) / 60.0 + f64::from(second) / 3600.0;
            let read = parse_coordinates(&text).unwrap();
            prop_assert!((read.lat + f64::from(lat) + part).abs() < 1e-9);
            prop_assert!((read.lon + f64::from(lon) + part).abs() < 1e-9);
        }
    }

    #[track_caller]
    fn check(text: &str, (lat, lon): (f64, f64)) {
        let read = parse_coordinates(text).unwrap_or_else(|| panic!("{text} is not read"));
        let near = (read.lat - lat).abs() < 1e-6 && (read.lon - lon).abs() < 1e-6;
        assert!(near, "{text} is read as {read}");
    }

    #[track_caller]
    fn check_none(text: &str) {
        assert_eq!(parse_coordinates(text), None, "{text}");
    }
}
