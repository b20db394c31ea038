//! Boxes at the post office, which are no streets.

use std::ops::Range;

use crate::address::token::{Gap, Tokens};

/// What people call a box at the post office, folded.
const NAMES: &[&str] = &[
    "ap correos",
    "apartado",
    "apartado de correos",
    "apartado postal",
    "apdo",
    "apdo correos",
    "b p",
    "boite postale",
    "boks",
    "c p",
    "caixa postal",
    "case postale",
    "casella postale",
    "gpo box",
    "locked bag",
    "p o b",
    "p o box",
    "pb",
    "pf",
    "pl",
    "po box",
    "pobox",
    "post office box",
    "postafiok",
    "postboks",
    "postbox",
    "postbox no",
    "postbus",
    "postfach",
    "postilokero",
    "postlada",
    "postschliessfach",
    "private bag",
    "skr poczt",
    "skrytka pocztowa",
];

/// The words of the post-office box whose number stands at `number`, with the number.
pub(crate) fn around(tokens: &Tokens<'_>, number: usize) -> Option<Range<usize>> {
    let start = (1..=4)
        .rev()
        .filter_map(|back| number.checked_sub(back))
        .find(|&at| names_box(tokens, at, number))?;
    let mut end = number + 1;
    while end < tokens.len()
        && end < number + 4
        && tokens.gap(end) <= Gap::Blank
        && is_short_number(tokens.word(end))
    {
        end += 1;
    }
    Some(start..end)
}

/// `12 34 56`: box numbers are written in pairs, a postcode is longer.
fn is_short_number(word: &str) -> bool {
    word.len() <= 3 && word.bytes().all(|it| it.is_ascii_digit())
}

fn names_box(tokens: &Tokens<'_>, at: usize, number: usize) -> bool {
    let name: Vec<_> = (at..number).map(|it| tokens.word(it)).collect();
    let together = (at + 1..=number).all(|it| tokens.gap(it) <= Gap::Comma);
    let name: Vec<_> = match name.split_last() {
        Some((last, rest)) if !rest.is_empty() && matches!(*last, "no" | "nr" | "number" | "n") => {
            rest.to_vec()
        }
        _ => name,
    };
    together
        && (is_box(&name)
            || (name.len() == 1
                && matches!(name[0], "bp" | "cp" | "gpo" | "box")
                && is_written_so(tokens, at)))
}

fn is_written_so(tokens: &Tokens<'_>, at: usize) -> bool {
    tokens.is_capital(at)
}

fn is_box(name: &[&str]) -> bool {
    NAMES.contains(&name.join(" ").as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: Option<&str>) {
        let tokens = Tokens::new(text, 0..text.len(), 40);
        let number = (0..tokens.len())
            .find(|&at| tokens.word(at).bytes().all(|it| it.is_ascii_digit()))
            .unwrap();
        assert_eq!(around(&tokens, number).map(|it| tokens.slice(it)), expected, "{text:?}");
    }

    #[test]
    fn boxes_have_many_names() {
        check("P.O. Box 1234, Austin", Some("P.O. Box 1234"));
        check("Postfach 12 34 56\n26122 Oldenburg", Some("Postfach 12 34 56"));
        check("BP 55", Some("BP 55"));
        check("Apartado de Correos 12", Some("Apartado de Correos 12"));
        check("Casella Postale 7", Some("Casella Postale 7"));
        check("skrytka pocztowa 5", Some("skrytka pocztowa 5"));
        check("Lange Straße 5", None);
    }
}
