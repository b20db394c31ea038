//! Words that stand around any link: articles, prepositions, forms of *to be*.

use std::sync::LazyLock;

/// Whether a word says nothing about what it stands beside. Capitals do not matter but for those
/// beyond ASCII, with which hardly any sentence begins.
pub(crate) fn is_stop_word(word: &str) -> bool {
    key(word).is_some_and(|it| KEYS.binary_search(&it).is_ok())
}

/// All of them.
pub(crate) fn stop_words() -> impl Iterator<Item = &'static str> {
    STOP_WORDS.iter().flat_map(|it| it.split_ascii_whitespace())
}

/// The bytes of a word in lower case, as a number; nothing for one that is too long to be in the table.
fn key(word: &str) -> Option<u64> {
    let mut bytes = [0; 8];
    let lower = bytes.get_mut(..word.len())?;
    lower.copy_from_slice(word.as_bytes());
    lower.make_ascii_lowercase();
    Some(u64::from_be_bytes(bytes))
}

static KEYS: LazyLock<Vec<u64>> = LazyLock::new(|| {
    let mut keys: Vec<u64> = stop_words().filter_map(key).collect();
    keys.sort_unstable();
    keys.dedup();
    keys
});

/// The commonest words of the languages that most pages with addresses in Europe and the Americas
/// are in.
const STOP_WORDS: [&str; 9] = [
    // English
    "a an the of and or to in is for with that was on are by from this it its as be at have has \
     had our you your we us they their he she his her i my me not no but if so do does all can \
     will more than then there here which who what when how where out up about into also any been \
     were would",
    // German
    "der die das und oder ist in von mit für den dem des nicht auf ein eine einer eines einem \
     einen wir sie er es ich ihr uns unser ihre auch im am an zu zum zur bei beim sich als aus \
     nach vor über um wird werden sind war hat haben wie so nur noch mehr kann durch dass man \
     bis unter hier",
    // French
    "le la les l un une des du de d et ou est dans pour que qu qui sur avec pas par au aux ce \
     cette ces se son sa ses nous vous il elle ils en ne plus sont à y votre notre vos nos",
    // Spanish
    "el los las y del que es por con para su al más como lo una se no sus o un este esta sin sobre",
    // Italian
    "il di che e per con della sono non gli nel alla dei si da i della dello delle al come più ed \
     anche lo ai dal nella",
    // Dutch
    "het een van op voor met dat te zijn niet aan bij ook ons wij naar om door er ze hij uw onze",
    // Portuguese
    "os as do em um uma com não na dos mais ao ou pela pelo nas nos sua seu",
    // Swedish, Danish, Norwegian
    "och att det som är på för av till inte har ett om vi kan från og er af ikke der å jeg du",
    // Polish
    "w z się nie jest że to od po dla oraz przez są na jak",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stop_words_are_told_from_words_that_tell() {
        assert!(["the", "The", "für", "Für", "della", "à", "och"].into_iter().all(is_stop_word));
        assert!(!["contact", "hotel", "impressum", "", "#"].into_iter().any(is_stop_word));
    }

    #[test]
    fn no_word_of_the_table_is_too_long_to_be_found() {
        assert!(stop_words().all(is_stop_word));
    }
}
