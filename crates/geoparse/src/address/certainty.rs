//! How sure it is that words found in a text are an address.

use crate::address::Address;
use crate::address::atlas::Atlas;
use crate::address::reading::Reading;
use crate::address::street::{Proof, Street};
use crate::address::street_word::{Roles, Tongue, compound, is_particle, roles};
use crate::address::token::{Gap, Tokens};

/// How sure it is that words found in a text are an address; nothing if they are none.
pub(crate) fn certainty(
    atlas: &Atlas<'_>,
    tokens: &Tokens<'_>,
    reading: &Reading,
    address: &Address,
) -> Option<f64> {
    if reading.po_box.is_some() {
        return Some(0.9);
    }
    let town = &reading.town;
    let street = reading.street.as_ref()?;
    let named = is_written_as_name(tokens, reading, street);
    let known = town.known && address.position.is_some_and(|it| it.city.is_some());
    let coded = town.postcode.is_some();
    let backed = coded || town.region.is_some();
    if !named || (!backed && is_unlikely_number(reading, address)) {
        return None;
    }
    let dated = is_dated(tokens, reading);
    match street.proof {
        Proof::Word if known && backed => Some(0.95),
        Proof::Word if known => Some(0.85),
        Proof::Word if coded && town.city.is_some() => Some(0.85),
        Proof::Word if coded => Some(0.7),
        Proof::Word => Some(0.5),
        _ if dated => None,
        Proof::Hint if known && coded => Some(0.9),
        Proof::Hint if coded && town.city.is_some() => Some(0.6),
        Proof::Hint if known && is_alone_enough(atlas, tokens, reading, address) => Some(0.55),
        Proof::Beside if known && is_set_apart(tokens, reading) && is_code_enough(reading) => {
            Some(0.75)
        }
        _ => None,
    }
}

/// Names of streets have capitals but for small words; one more small word is forgiven behind a leading word, as in
/// `rue du général Leclerc`. A code that is nothing else makes up for all of it.
fn is_written_as_name(tokens: &Tokens<'_>, reading: &Reading, street: &Street) -> bool {
    let code = reading.town.postcode.as_ref();
    let first = street.words.start;
    let leads = roles(tokens.word(first)).may_lead();
    let is_small = |at: usize| {
        let word = tokens.word(at);
        let says_street = roles(word) != Roles::default() || compound(word).is_some();
        let own = at == first || tokens.gap(at) != Gap::Tight;
        own && !tokens.is_capital(at) && !is_numeric(word) && !is_particle(word) && !says_street
    };
    let small = street.words.clone().filter(|at| is_small(*at)).count();
    // A lone `via` is a word of many tongues.
    let lower_lead = leads && (code.is_some() || tokens.word(first) != "via");
    let starts = tokens.is_capital(first) || is_numeric(tokens.word(first)) || lower_lead;
    code.is_some_and(|it| it.sure) || (starts && small <= usize::from(leads))
}

fn is_numeric(word: &str) -> bool {
    word.starts_with(|it: char| it.is_ascii_digit())
}

/// A number that is rather a year, or rather a postcode: five digits behind a street.
fn is_unlikely_number(reading: &Reading, address: &Address) -> bool {
    let number = address.number.as_ref().map_or("", |it| it.text.as_str());
    let last = is_number_last(reading);
    let recent = number.starts_with("19") || number.starts_with("20");
    let past = last && ["15", "16", "17", "18"].iter().any(|it| number.starts_with(it));
    (number.len() == 4 && (recent || past)) || (number.len() == 5 && last)
}

/// True if the postcode may be a year, as in lists of references: `Genetics 147, 1997`. On a line of its own it
/// hardly is.
fn is_dated(tokens: &Tokens<'_>, reading: &Reading) -> bool {
    let Some(code) = &reading.town.postcode else { return false };
    let word = tokens.word(code.code);
    let year = word.len() == 4
        && code.words.len() == 1
        && (word.starts_with("19") || word.starts_with("20"));
    year && tokens.gap(code.words.start) != Gap::Line
}

/// True if a street of which little shows that it is one stands alone on its line beside a city of some size.
fn is_alone_enough(
    atlas: &Atlas<'_>,
    tokens: &Tokens<'_>,
    reading: &Reading,
    address: &Address,
) -> bool {
    const LARGE: u64 = 20_000;
    let english = reading.street.as_ref().is_some_and(|it| it.tongues.has(Tongue::English));
    let city = address.position.and_then(|it| it.city);
    let large = city.is_some_and(|it| atlas.gazetteer.place(it).population() >= LARGE);
    !english && large && is_set_apart(tokens, reading) && !is_town(atlas, address)
}

fn is_number_last(reading: &Reading) -> bool {
    match (&reading.street, &reading.number) {
        (Some(street), Some(number)) => street.words.end <= number.start,
        _ => false,
    }
}

/// Behind a number and words that nothing shows to be a street, only a code that is nothing else will do.
fn is_code_enough(reading: &Reading) -> bool {
    reading.town.postcode.as_ref().is_some_and(|it| it.sure || is_number_last(reading))
}

/// True if what was taken for a street is the name of a town.
fn is_town(atlas: &Atlas<'_>, address: &Address) -> bool {
    address.street.as_ref().is_some_and(|it| !atlas.towns(&it.text).is_empty())
}

/// True if the street begins a line or a segment of its own, and the town another.
fn is_set_apart(tokens: &Tokens<'_>, reading: &Reading) -> bool {
    let (Some(street), Some(number)) = (&reading.street, &reading.number) else { return false };
    let start = street.words.start.min(number.start);
    let end = street.words.end.max(number.end);
    let short = street.words.len() <= 4;
    short && tokens.gap(start) >= Gap::Comma && tokens.gap(end) >= Gap::Comma
}
