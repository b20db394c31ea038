//! The language of a page: what it declares, and what its words say.

use std::fmt;

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

/// The language of the text, if it has to be asked: nothing is declared, or the declaration is
/// contradicted by what can be seen at a glance.
///
/// Recognising a language takes longer than all the rest of reading a page, so a declaration is
/// believed unless the text is in another script. The exception is English: templates come with
/// `lang="en"`, and nobody changes it. It is believed if the text has the words that no English
/// text does without.
pub(crate) fn detect(declared: Option<Language>, text: &str) -> Option<Language> {
    let sample = &text[..text.floor_char_boundary(RECOGNISED_FROM)];
    let letters = sample.chars().filter(|it| it.is_alphabetic()).count();
    if letters < FEWEST_LETTERS || declared.is_some_and(|it| is_credible(it, sample, letters)) {
        return None;
    }
    let found = whatlang::detect(sample).filter(whatlang::Info::is_reliable)?;
    Language::of_three_letters(found.lang().code())
}

fn is_credible(declared: Language, sample: &str, letters: usize) -> bool {
    let latin = sample.chars().filter(|it| it.is_alphabetic() && *it < '\u{250}').count();
    let is_latin_text = latin * 2 > letters;
    match declared.code() {
        "en" => is_latin_text && has_english_words(sample),
        code => is_latin_text != OTHER_SCRIPTS.contains(&code),
    }
}

/// At least every thirtieth word. In English text it is every fifth.
fn has_english_words(sample: &str) -> bool {
    let (mut words, mut english) = (0, 0);
    for word in sample.split(|it: char| !it.is_alphabetic()).filter(|it| !it.is_empty()) {
        words += 1;
        let is_english =
            ["the", "of", "and", "to", "for", "with", "is", "by", "from", "our", "you"]
                .iter()
                .any(|it| word.eq_ignore_ascii_case(it));
        english += usize::from(is_english);
    }
    english * 30 >= words
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
