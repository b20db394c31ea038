//! The language of a page: what it declares, and what its words say.

use std::fmt;

use crate::common_words;

/// A language by its ISO 639-1 code.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Language([u8; 2]);

/// So many bytes are enough to recognise a language, and more would take too long.
const RECOGNISED_FROM: usize = 1000;
/// Fewer letters are no text in any language.
const FEWEST_LETTERS: usize = 40;

impl Language {
    /// The language of a tag such as `de`, `de-AT`, `DE_at` or `deu`; none if the tag is none.
    pub fn parse(tag: &str) -> Option<Self> {
        let code = tag.trim().split(['-', '_', ',', ';', ' ']).next()?;
        let mut lower = [0; 3];
        let lower = lower.get_mut(..code.len())?;
        lower.copy_from_slice(code.as_bytes());
        lower.make_ascii_lowercase();
        match *lower {
            [a, b] if a.is_ascii_lowercase() && b.is_ascii_lowercase() => Some(Self([a, b])),
            [_, _, _] => Self::of_three_letters(std::str::from_utf8(lower).ok()?),
            _ => None,
        }
    }

    /// Two lower-case letters.
    pub fn code(&self) -> &str {
        std::str::from_utf8(&self.0).unwrap_or_default()
    }

    fn of_three_letters(code: &str) -> Option<Self> {
        let at = ISO_639.iter().position(|(three, _)| *three == code)?;
        Some(Self(*ISO_639[at].1))
    }
}

impl fmt::Debug for Language {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "Language({self})")
    }
}

impl fmt::Display for Language {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.code())
    }
}

/// The language of a text of which nothing else is known; nothing if its words do not tell.
pub fn detect_language(text: &str) -> Option<Language> {
    detect(None, text)
}

/// The language that the words of the text are in, as far as it has to be found out.
///
/// Declared languages are often wrong: templates come with `lang="en"`, and nobody changes it. So
/// the commonest words of a dozen languages are counted, which is quick; where they speak clearly,
/// they are believed over any declaration. Where they do not, a declaration is believed unless the
/// text is in another script. Only what is left goes to a recogniser, which takes longer than all
/// the rest of reading a page.
pub(crate) fn detect(declared: Option<Language>, text: &str) -> Option<Language> {
    let sample = &text[..text.floor_char_boundary(RECOGNISED_FROM)];
    let letters = if sample.is_ascii() {
        sample.bytes().filter(u8::is_ascii_alphabetic).count()
    } else {
        sample.chars().filter(|it| it.is_alphabetic()).count()
    };
    if letters < FEWEST_LETTERS {
        return None;
    }
    let clear = common_words::language_of(sample).and_then(Language::parse);
    if clear.is_some() || declared.is_some_and(|it| fits_script(it, sample, letters)) {
        return clear;
    }
    let found = whatlang::detect(sample).filter(whatlang::Info::is_reliable)?;
    Language::of_three_letters(found.lang().code())
}

fn fits_script(declared: Language, sample: &str, letters: usize) -> bool {
    let latin = sample.chars().filter(|it| it.is_alphabetic() && *it < '\u{250}').count();
    let is_latin_text = latin * 2 > letters;
    is_latin_text != OTHER_SCRIPTS.contains(&declared.code())
}

/// Languages of the recogniser and some others that are not written in Latin letters.
const OTHER_SCRIPTS: [&str; 32] = [
    "am", "ar", "be", "bg", "bn", "el", "fa", "gu", "he", "hi", "hy", "ja", "ka", "kk", "km", "kn",
    "ko", "ky", "mk", "ml", "mr", "my", "ne", "pa", "ru", "si", "ta", "te", "th", "uk", "ur", "zh",
];

/// Codes of three letters, as the recogniser and some pages write them, with those of two.
const ISO_639: [(&str, &[u8; 2]); 76] = [
    ("afr", b"af"),
    ("aka", b"ak"),
    ("amh", b"am"),
    ("ara", b"ar"),
    ("aze", b"az"),
    ("bel", b"be"),
    ("ben", b"bn"),
    ("bul", b"bg"),
    ("cat", b"ca"),
    ("ces", b"cs"),
    ("cmn", b"zh"),
    ("cym", b"cy"),
    ("dan", b"da"),
    ("deu", b"de"),
    ("ell", b"el"),
    ("eng", b"en"),
    ("epo", b"eo"),
    ("est", b"et"),
    ("fin", b"fi"),
    ("fra", b"fr"),
    ("fre", b"fr"),
    ("ger", b"de"),
    ("guj", b"gu"),
    ("heb", b"he"),
    ("hin", b"hi"),
    ("hrv", b"hr"),
    ("hun", b"hu"),
    ("hye", b"hy"),
    ("ind", b"id"),
    ("isl", b"is"),
    ("ita", b"it"),
    ("jav", b"jv"),
    ("jpn", b"ja"),
    ("kan", b"kn"),
    ("kat", b"ka"),
    ("khm", b"km"),
    ("kor", b"ko"),
    ("lat", b"la"),
    ("lav", b"lv"),
    ("lit", b"lt"),
    ("mal", b"ml"),
    ("mar", b"mr"),
    ("mkd", b"mk"),
    ("mya", b"my"),
    ("nep", b"ne"),
    ("nld", b"nl"),
    ("nob", b"nb"),
    ("nor", b"no"),
    ("ori", b"or"),
    ("pan", b"pa"),
    ("pes", b"fa"),
    ("pol", b"pl"),
    ("por", b"pt"),
    ("ron", b"ro"),
    ("rus", b"ru"),
    ("sin", b"si"),
    ("slk", b"sk"),
    ("slv", b"sl"),
    ("sna", b"sn"),
    ("spa", b"es"),
    ("srp", b"sr"),
    ("swe", b"sv"),
    ("tam", b"ta"),
    ("tel", b"te"),
    ("tgl", b"tl"),
    ("tha", b"th"),
    ("tuk", b"tk"),
    ("tur", b"tr"),
    ("ukr", b"uk"),
    ("urd", b"ur"),
    ("uzb", b"uz"),
    ("vie", b"vi"),
    ("yid", b"yi"),
    ("zho", b"zh"),
    ("zul", b"zu"),
    ("fas", b"fa"),
];

#[cfg(test)]
mod tests {
    use super::*;

    const GERMAN: &str = "Der Hafen liegt an der Mündung des Flusses, und von dort fahren die \
        Schiffe jeden Morgen zu den Inseln. Im Sommer ist das Wasser warm.";

    #[track_caller]
    fn check_tag(tag: &str, expected: Option<&str>) {
        assert_eq!(Language::parse(tag).as_ref().map(Language::code), expected, "{tag}");
    }

    #[track_caller]
    fn check(declared: Option<&str>, text: &str, expected: Option<&str>) {
        let detected = detect(declared.and_then(Language::parse), text);
        assert_eq!(detected.as_ref().map(Language::code), expected, "{text}");
    }

    #[test]
    fn of_a_tag_the_language_counts() {
        check_tag("de", Some("de"));
        check_tag("de-AT", Some("de"));
        check_tag(" EN_us", Some("en"));
        check_tag("fr, en", Some("fr"));
        check_tag("deu", Some("de"));
    }

    #[test]
    fn what_is_no_tag_is_no_language() {
        check_tag("", None);
        check_tag("x", None);
        check_tag("german", None);
        check_tag("xyz", None);
        check_tag("äö", None);
        check_tag("12", None);
    }

    #[test]
    fn an_undeclared_language_is_found_out() {
        check(None, GERMAN, Some("de"));
        check(
            None,
            "Ο παλιός λιμένας βρίσκεται στις εκβολές του ποταμού, κοντά στην πόλη.",
            Some("el"),
        );
    }

    #[test]
    fn clear_words_are_believed_over_a_declaration() {
        check(Some("en"), GERMAN, Some("de"));
        check(Some("fi"), GERMAN, Some("de"));
    }

    #[test]
    fn another_script_refutes_a_declaration() {
        let text = "Старый порт находится в устье реки, откуда каждое утро уходят корабли к \
            островам. Летом вода тёплая, и дети купаются до самого вечера, а зимой здесь тихо.";
        check(Some("en"), text, Some("ru"));
        check(Some("ru"), text, None);
    }

    #[test]
    fn unclear_words_leave_a_declaration_alone() {
        check(Some("fi"), "Tel. Fax Web Mail Info Montag Mardi Tuesday Lunedi Viernes Hotel", None);
    }

    #[test]
    fn a_few_letters_are_no_text() {
        check(None, "Der Hafen ist alt.", None);
    }
}
