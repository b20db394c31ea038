//! The commonest words of the languages that most pages are in.

use std::sync::LazyLock;

/// Fewer words prove nothing.
const FEWEST_HITS: usize = 4;
/// At least every twelfth word is a common one; in running text it is every third.
const FEWEST_SHARE: usize = 12;

/// The code of the language to which the words of the text clearly belong: it has enough common
/// words, and half as many again as any other language.
pub(crate) fn language_of(text: &str) -> Option<&'static str> {
    // Most beginnings of pages are ASCII, where nothing has to be decoded.
    if text.is_ascii() {
        clear_language(text.as_bytes().split(|it| !it.is_ascii_alphabetic()))
    } else {
        clear_language(text.split(|it: char| !it.is_alphabetic()).map(str::as_bytes))
    }
}

fn clear_language<'a>(words: impl Iterator<Item = &'a [u8]>) -> Option<&'static str> {
    let mut hits = [0_usize; COMMON.len()];
    let mut count = 0;
    for word in words.filter(|it| !it.is_empty()) {
        count += 1;
        let mut languages = key(word).map_or(0, languages_with);
        while languages != 0 {
            hits[languages.trailing_zeros() as usize] += 1;
            languages &= languages - 1;
        }
    }
    let best = (0..hits.len()).max_by_key(|&at| hits[at])?;
    let second = (0..hits.len()).filter(|&at| at != best).map(|at| hits[at]).max()?;
    let is_clear = hits[best] >= FEWEST_HITS
        && hits[best] * FEWEST_SHARE >= count
        && hits[best] * 2 >= second * 3;
    is_clear.then_some(COMMON[best].0)
}

/// No word of the table is longer.
const LONGEST: usize = 8;

/// The bytes of the word in lower case, as a number; none if it is too long to be in the table.
/// Capitals beyond ASCII stay, for sentences hardly begin with them.
fn key(word: &[u8]) -> Option<u64> {
    let lower = word.iter().map(u8::to_ascii_lowercase);
    (word.len() <= LONGEST).then(|| lower.fold(0, |key, it| key << u8::BITS | u64::from(it)))
}

/// The languages of a word, a bit for each.
fn languages_with(word: u64) -> u16 {
    let mut slot = slot_of(word);
    loop {
        let (found, languages) = WORDS[slot];
        if found == word || languages == 0 {
            return languages;
        }
        slot = (slot + 1) % SLOTS;
    }
}

/// How many slots there are: four for each word, so that most are found in their own.
const SLOTS: usize = 1 << 10;

/// Where a word is looked for first. Its last letters matter as much as its first ones.
fn slot_of(word: u64) -> usize {
    (word.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> (u64::BITS - SLOTS.ilog2())) as usize
}

/// Every word with its languages, in its slot or the next one that was free. Each word of a page is looked
/// up, most of them in vain: that takes one look here, and eight in a list that is sorted.
static WORDS: LazyLock<Box<[(u64, u16)]>> = LazyLock::new(|| {
    let mut slots = vec![(0, 0); SLOTS].into_boxed_slice();
    for (at, (_, words)) in COMMON.iter().enumerate() {
        for word in words.split(' ').filter_map(|it| key(it.as_bytes())) {
            let mut slot = slot_of(word);
            while slots[slot].1 != 0 && slots[slot].0 != word {
                slot = (slot + 1) % SLOTS;
            }
            slots[slot].0 = word;
            slots[slot].1 |= 1_u16 << at;
        }
    }
    slots
});

const COMMON: [(&str, &str); 12] = [
    ("da", "og at det er en til på som af for med den ikke har et om vi de der kan fra"),
    (
        "de",
        "der die das und ist in von mit für den dem nicht auf ein eine wir sie auch im zu des \
            werden bei sich als",
    ),
    ("en", "the of and to in is for with that was on are by from this it as be at have our you"),
    ("es", "el la los las de y en que del es una por con para se su al más como lo"),
    ("fi", "ja on ei että se oli hän mutta joka ovat sekä myös kun tai kuin niin voi ole"),
    ("fr", "le la les des et est une dans pour que qui sur avec du pas vous nous au sont aux de"),
    ("it", "il di che la e per un una con del della sono non le gli nel alla dei si da"),
    ("nl", "de het een van en is op voor met dat te zijn niet aan bij ook ons wij naar"),
    ("no", "og å det er en til på som av for med den ikke har et om vi de kan fra"),
    ("pl", "i w na z do się nie jest że to od o jak po dla oraz przez są"),
    ("pt", "o a os as de e que do da em um uma para com não por no na dos mais ao"),
    ("sv", "och att det som är en på för av med till den inte har ett om vi kan från"),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: Option<&str>) {
        assert_eq!(language_of(text), expected, "{text}");
    }

    #[test]
    fn running_text_is_clear() {
        check("The ships leave for the islands in the morning and are back by noon.", Some("en"));
        check(
            "Die Schiffe fahren am Morgen zu den Inseln und sind mit der Flut zurück.",
            Some("de"),
        );
        check(
            "Les bateaux partent le matin pour les îles et sont de retour dans la nuit.",
            Some("fr"),
        );
        check("Los barcos salen por la mañana para las islas y vuelven con la marea.", Some("es"));
        check(
            "De schepen varen in de ochtend naar het eiland en zijn met een uur terug.",
            Some("nl"),
        );
        check(
            "Laivat lähtevät aamulla ja palaavat kun on ilta, mutta se on myös hyvä.",
            Some("fi"),
        );
        check(
            "Båtarna går till öarna på morgonen och är inte hemma för att det är sent.",
            Some("sv"),
        );
    }

    #[test]
    fn names_and_numbers_are_not() {
        check("Lange Straße 5, 26122 Oldenburg, Tel. 0441 1234", None);
        check("", None);
        check("de de de de", None);
    }

    #[test]
    fn near_relatives_are_not() {
        check("Skibene sejler til øerne og er her for en dag, og det er det.", None);
    }

    #[test]
    fn no_word_of_the_table_is_too_long_to_be_found() {
        let mut words = COMMON.iter().flat_map(|(_, words)| words.split(' '));
        assert!(words.all(|word| key(word.as_bytes()).is_some()));
    }
}
