//! Which texts are names, and in which way they name their place.

use gazetteer::{NameClass, PlaceFact};

/// Longer texts are whole sentences or lists put into the wrong field.
const LONGEST: usize = 100;

/// Adds a name to a place: codes and abbreviations as such, what is no name not at all.
pub(super) fn add(place: &mut PlaceFact, text: &str) {
    let text = text.trim();
    if is_name(text) {
        place.also(if is_short(text) { NameClass::Short } else { NameClass::Alternate }, text);
    }
}

/// False for links, lone signs and whole sentences.
fn is_name(text: &str) -> bool {
    text.len() <= LONGEST
        && text.chars().any(char::is_alphanumeric)
        && !text.contains("://")
        && !text.starts_with("www.")
}

/// True for two or three capitals (`NY`, `HEL`, the code of a city's airport) and for what is
/// cut short with a full stop (`Calif.`, `U.S.A.`).
fn is_short(text: &str) -> bool {
    let code = (2..=3).contains(&text.len()) && text.bytes().all(|b| b.is_ascii_uppercase());
    code || (text.len() <= 7 && text.ends_with('.'))
}

#[cfg(test)]
mod tests {
    use gazetteer::Kind;

    use super::*;

    #[test]
    fn links_and_signs_are_no_names_and_capitals_are_a_code() {
        let mut helsinki = PlaceFact::new("gn:658225", Kind::City, "Helsinki");
        for name in ["", "-", "https://example.org", "HEL", "Helsingfors", "Helsinki", "Hki."] {
            add(&mut helsinki, name);
        }
        let names = helsinki.names.iter().map(|name| (name.text.as_str(), name.class));
        let (short, alternate) = (NameClass::Short, NameClass::Alternate);
        let expected = [("HEL", short), ("Helsingfors", alternate), ("Hki.", short)];
        assert_eq!(names.collect::<Vec<_>>(), expected);
    }
}
