//! Which part of a house: `Apt 3B`, `#12`, `2. OG`, `3º B`.

use std::collections::HashSet;
use std::ops::Range;
use std::sync::LazyLock;

use crate::address::postcode;
use crate::address::token::{Gap, Tokens};

static WORDS: LazyLock<HashSet<&str>> = LazyLock::new(|| {
    "apt apartment suite ste unit fl floor rm room bldg building lot trlr trailer spc dept ph penthouse \
    flat shop level lvl office studio block tower wohnung whg top stiege etage stock og aufgang bat batiment \
    appt appartement esc escalier escalera piso puerta pta planta local interno int scala palazzina andar loja fracao lok \
    lokal mieszkanie bus bte boite lgh byt apto porta bloc ap hinterhaus eingang tur tuer haus zimmer kantoor hus \
    m unite bureau despacho fraccion depto departamento"
    .split_whitespace()
    .collect()
});

/// Sides of a landing, floors at the ground, half of a flat's name.
static SIDES: LazyLock<HashSet<&str>> = LazyLock::new(|| {
    "a b c d e f g h izq izda izquierda dcha dch derecha dto esq dta frente fte centro links rechts mitte \
    mf th tv og stock etage floor fl andar piso bajo eg dg ug"
    .split_whitespace()
    .collect()
});

/// The words of the unit that starts here, if one does.
pub(crate) fn at(tokens: &Tokens<'_>, start: usize) -> Option<Range<usize>> {
    hashed(tokens, start)
        .or_else(|| worded(tokens, start))
        .or_else(|| floored(tokens, start))
        .or_else(|| stair(tokens, start))
        .or_else(|| door(tokens, start))
}

/// True if this word names a sort of unit.
pub(crate) fn is_word(word: &str) -> bool {
    WORDS.contains(word)
}

/// `#12`, `# A-2`.
fn hashed(tokens: &Tokens<'_>, start: usize) -> Option<Range<usize>> {
    let word = tokens.word(start);
    let hashed =
        tokens.marked(start, '#') && word.len() <= 5 && (has_digit(word) || word.len() == 1);
    hashed.then(|| start..with_joined(tokens, start + 1))
}

/// `Apt 3B`, `Suite #100`, `Floor 2`.
fn worded(tokens: &Tokens<'_>, start: usize) -> Option<Range<usize>> {
    let name = start + 1;
    let close = tokens.gap(name) <= Gap::Blank;
    let short = tokens.word(name).len() <= 5 && !tokens.word(name).is_empty();
    let numbered = has_digit(tokens.word(name)) || tokens.word(name).len() == 1;
    (is_word(tokens.word(start)) && close && short && numbered)
        .then(|| start..with_joined(tokens, name + 1))
}

/// `2. OG`, `3º B`, `2nd Floor`, `1º Dto`.
fn floored(tokens: &Tokens<'_>, start: usize) -> Option<Range<usize>> {
    let word = tokens.word(start);
    let digits = word.bytes().take_while(u8::is_ascii_digit).count();
    let ordinal = matches!(
        &word[digits..],
        "o" | "oa" | "ob" | "oc" | "od" | "a" | "st" | "nd" | "rd" | "th" | "e" | "er" | "eme"
    );
    let dotted = word.len() == digits && tokens.word(start + 1).len() >= 2;
    let side = SIDES.contains(tokens.word(start + 1)) && tokens.gap(start + 1) <= Gap::Blank;
    let alone = ordinal && word[digits..].starts_with('o') && tokens.gap(start + 1) >= Gap::Comma;
    ((1..=2).contains(&digits) && ((side && (ordinal || dotted)) || alone))
        .then(|| start..start + if side { 2 } else { 1 })
}

/// `B 12`: staircase and door, as in Finland.
fn stair(tokens: &Tokens<'_>, start: usize) -> Option<Range<usize>> {
    let letter = tokens.word(start).len() == 1 && tokens.is_capital(start);
    let door = (1..=3).contains(&tokens.word(start + 1).len())
        && tokens.word(start + 1).bytes().all(|it| it.is_ascii_digit());
    let ends = tokens.gap(start + 2) >= Gap::Comma;
    (letter
        && door
        && ends
        && tokens.gap(start + 1) == Gap::Blank
        && tokens.gap(start) == Gap::Blank)
        .then_some(start..start + 2)
}

/// `A` and no more: a door or a staircase.
fn door(tokens: &Tokens<'_>, start: usize) -> Option<Range<usize>> {
    let letter = tokens.word(start).len() == 1 && tokens.is_capital(start);
    let numbered = start.checked_sub(1).is_some_and(|it| has_digit(tokens.word(it)));
    let ends = tokens.gap(start + 1) >= Gap::Comma || postcode::at(tokens, start + 1).is_some();
    (letter && numbered && ends && tokens.gap(start) == Gap::Blank).then_some(start..start + 1)
}

fn has_digit(word: &str) -> bool {
    word.bytes().any(|it| it.is_ascii_digit())
}

/// `A-2`: what a hyphen joins belongs to it.
fn with_joined(tokens: &Tokens<'_>, mut end: usize) -> usize {
    while end < tokens.len() && tokens.gap(end) == Gap::Tight && tokens.marked(end, '-') {
        end += 1;
    }
    end
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
    fn units_are_words_with_a_name_floors_or_stairs() {
        check("Apt 3B Brooklyn", Some("Apt 3B"));
        check("#A-2 Brooklyn", Some("A-2"));
        check("2. OG, Berlin", Some("2. OG"));
        check("3º B, 28013", Some("3º B"));
        check("Main Street", None);
        check("Unit of measure", None);
    }
}
