//! Wordings: what the page says, in the language of its reader.
//!
//! English stands in the templates; `templates/words/*.tsv` have the other languages. A sentence without its translation
//! is shown in English, and a test finds it.

use std::collections::HashMap;
use std::sync::OnceLock;

use axum::http::{HeaderMap, header};

/// A language the page speaks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Language {
    #[default]
    English,
    German,
}

/// The cookie that remembers a choice of language.
pub(crate) const COOKIE: &str = "language";

const GERMAN: &str = include_str!("../../../templates/words/de.tsv");
/// The names of languages: code, English, German.
const LANGUAGES: &str = include_str!("../../../templates/words/languages.tsv");

impl Language {
    /// All of them, with what they call themselves.
    pub(crate) const ALL: [(Self, &'static str); 2] =
        [(Self::English, "English"), (Self::German, "Deutsch")];

    /// The two letters of the language.
    pub(crate) fn code(self) -> &'static str {
        match self {
            Self::English => "en",
            Self::German => "de",
        }
    }

    /// The language of a code such as `de` or `de-AT`.
    pub(crate) fn of_code(code: &str) -> Option<Self> {
        let letters = code.trim().split(['-', '_', ';']).next()?;
        Self::ALL.iter().map(|it| it.0).find(|it| it.code().eq_ignore_ascii_case(letters))
    }

    /// The language that was chosen, or the first the browser asks for that the page speaks.
    pub(crate) fn of_request(headers: &HeaderMap) -> Self {
        let text = |name| headers.get(name).and_then(|it| it.to_str().ok()).unwrap_or_default();
        let chosen = text(header::COOKIE)
            .split(';')
            .filter_map(|it| it.trim().split_once('='))
            .find_map(|(name, value)| (name == COOKIE).then(|| Self::of_code(value))?);
        let wanted = || text(header::ACCEPT_LANGUAGE).split(',').find_map(Self::of_code);
        chosen.or_else(wanted).unwrap_or_default()
    }

    /// A sentence in this language.
    pub(crate) fn say(self, english: &'static str) -> &'static str {
        match self {
            Self::English => english,
            Self::German => german().get(english).copied().unwrap_or(english),
        }
    }

    /// The name of a language of pages; its code if it has no name here.
    pub(crate) fn name_of(self, code: &str) -> &str {
        let line = LANGUAGES.lines().find_map(|it| it.strip_prefix(code)?.strip_prefix('\t'));
        let names = line.and_then(|it| it.split_once('\t'));
        names.map_or(code, |(english, german)| if self == Self::German { german } else { english })
    }

    /// A sentence in this language, with a value for each `{}` in it.
    pub(crate) fn fill(self, english: &'static str, values: &[&dyn std::fmt::Display]) -> String {
        let mut parts = self.say(english).split("{}");
        let mut text = parts.next().unwrap_or_default().to_owned();
        for (part, value) in parts.zip(values) {
            text.push_str(&value.to_string());
            text.push_str(part);
        }
        text
    }

    /// A whole number with its thousands apart.
    pub(crate) fn number(self, number: u64) -> String {
        let digits = number.to_string();
        let mark = if self == Self::English { ',' } else { '.' };
        let mut text = String::new();
        for (place, digit) in digits.chars().enumerate() {
            if place > 0 && (digits.len() - place).is_multiple_of(3) {
                text.push(mark);
            }
            text.push(digit);
        }
        text
    }

    /// A number with so many digits behind the point, or the comma.
    pub(crate) fn decimal(self, number: f64, digits: usize) -> String {
        let text = format!("{number:.digits$}");
        if self == Self::English { text } else { text.replace('.', ",") }
    }

    /// A distance as people say it: `350 m`, `1.2 km`, `1,200 km`.
    pub(crate) fn distance(self, meters: f64) -> String {
        match meters {
            it if it < 995.0 => format!("{} m", (it / 10.0).round() * 10.0),
            it if it < 99_500.0 => {
                format!("{} km", self.decimal(it / 1_000.0, usize::from(it < 9_950.0)))
            }
            it => format!("{} km", self.number((it / 1_000.0).round() as u64)),
        }
    }

    /// A day as people write it: `12 May 2025`, `12. Mai 2025`.
    pub(crate) fn day(self, date: jiff::civil::Date) -> String {
        let month = self.month(date.month());
        match self {
            Self::English => format!("{} {month} {}", date.day(), date.year()),
            Self::German => format!("{}. {month} {}", date.day(), date.year()),
        }
    }

    /// The name of a month, from 1 to 12.
    pub(crate) fn month(self, number: i8) -> &'static str {
        const ENGLISH: [&str; 12] = [
            "January",
            "February",
            "March",
            "April",
            "May",
            "June",
            "July",
            "August",
            "September",
            "October",
            "November",
            "December",
        ];
        const GERMAN: [&str; 12] = [
            "Januar",
            "Februar",
            "März",
            "April",
            "Mai",
            "Juni",
            "Juli",
            "August",
            "September",
            "Oktober",
            "November",
            "Dezember",
        ];
        let names = if self == Self::English { ENGLISH } else { GERMAN };
        names[(number.clamp(1, 12) - 1) as usize]
    }
}

fn german() -> &'static HashMap<&'static str, &'static str> {
    static WORDS: OnceLock<HashMap<&'static str, &'static str>> = OnceLock::new();
    WORDS.get_or_init(|| GERMAN.lines().filter_map(|it| it.split_once('\t')).collect())
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::path::Path;

    use super::*;

    /// Every sentence that a template or a source file says or fills.
    fn sentences(folder: &Path, found: &mut BTreeSet<String>) {
        for entry in std::fs::read_dir(folder).expect("a folder").flatten() {
            let path = entry.path();
            if path.is_dir() {
                sentences(&path, found);
                continue;
            }
            // The formatter breaks long lines after the bracket.
            let text = std::fs::read_to_string(&path).unwrap_or_default();
            let text = text.split('\n').map(str::trim_start).collect::<Vec<_>>().join("");
            for opener in ["say(\"", "fill(\"", "fill2(\""] {
                for part in text.split(opener).skip(1) {
                    let end = part.find("\")").into_iter().chain(part.find("\",")).min();
                    found.extend(end.map(|it| part[..it].to_owned()));
                }
            }
        }
    }

    #[test]
    fn every_sentence_is_translated_and_every_translation_is_used() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        let mut said = BTreeSet::new();
        sentences(&root.join("../../templates"), &mut said);
        sentences(&root.join("src"), &mut said);
        said.retain(|it| !it.contains('\n') && it != "Nothing says this" && !it.starts_with('"'));
        let missing: Vec<_> =
            said.iter().filter(|it| !german().contains_key(it.as_str())).collect();
        assert!(missing.is_empty(), "templates/words/de.tsv lacks {missing:#?}");
        let idle: Vec<_> = german().keys().filter(|it| !said.contains(**it)).collect();
        assert!(idle.is_empty(), "templates/words/de.tsv translates what nobody says: {idle:#?}");
        for line in GERMAN.lines() {
            let (english, german) = line.split_once('\t').expect("two columns");
            let places = |it: &str| it.matches("{}").count();
            assert_eq!(places(english), places(german), "{line}");
        }
    }

    #[test]
    fn the_language_is_the_chosen_one_or_the_first_that_is_spoken() {
        let check = |name: header::HeaderName, value: &'static str, expected: Language| {
            let mut headers = HeaderMap::new();
            headers.insert(name, value.parse().expect("a value"));
            assert_eq!(Language::of_request(&headers), expected, "{value}");
        };
        check(header::ACCEPT_LANGUAGE, "fr-FR, de-AT;q=0.8, en;q=0.5", Language::German);
        check(header::ACCEPT_LANGUAGE, "fi", Language::English);
        check(header::COOKIE, "a=b; language=de", Language::German);
    }

    #[test]
    fn languages_have_names_and_strange_ones_their_codes() {
        assert_eq!(
            (Language::English.name_of("fi"), Language::German.name_of("fi")),
            ("Finnish", "Finnisch")
        );
        assert_eq!((Language::English.name_of("tlh"), Language::German.name_of("")), ("tlh", ""));
    }

    #[test]
    fn numbers_and_distances_are_written_as_people_write_them() {
        assert_eq!(Language::English.number(1_234_567), "1,234,567");
        assert_eq!(Language::German.number(1_234), "1.234");
        assert_eq!(Language::English.distance(123.0), "120 m");
        assert_eq!(Language::German.distance(1_234.0), "1,2 km");
        assert_eq!(Language::English.distance(1_234_000.0), "1,234 km");
        let day = jiff::civil::date(2025, 3, 9);
        assert_eq!(
            (Language::English.day(day), Language::German.day(day)),
            ("9 March 2025".into(), "9. März 2025".into())
        );
        assert_eq!(Language::English.fill("Nothing says this", &[]), "Nothing says this");
    }
}
