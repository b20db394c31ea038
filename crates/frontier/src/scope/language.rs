//! The language that a URL, or whoever links to it, states of its page.

use std::collections::BTreeSet;

use serde::{Deserialize, Deserializer, de};
use url::Url;

/// All codes of ISO 639-1, so that a scope for a language that does not exist is told.
const CODES: &str = "aa ab ae af ak am an ar as av ay az ba be bg bh bi bm bn bo br bs ca ce ch co cr cs cu cv \
    cy da de dv dz ee el en eo es et eu fa ff fi fj fo fr fy ga gd gl gn gu gv ha he hi ho hr ht hu hy hz ia id ie \
    ig ii ik io is it iu ja jv ka kg ki kj kk kl km kn ko kr ks ku kv kw ky la lb lg li ln lo lt lu lv mg mh mi mk \
    ml mn mr ms mt my na nb nd ne ng nl nn no nr nv ny oc oj om or os pa pi pl ps pt qu rm rn ro ru rw sa sc sd se \
    sg si sk sl sm sn so sq sr ss st su sv sw ta te tg th ti tk tl tn to tr ts tt tw ty ug uk ur uz ve vi vo wa wo \
    xh yi yo za zh zu";

/// Languages of ISO 639-1 that sites offer their pages in. Codes that rather mean something else at
/// these places (`my`, `id`, `is`, `tv`) are left out.
const LANGUAGES: [&str; 38] = [
    "ar", "bg", "ca", "cs", "cy", "da", "de", "el", "en", "es", "et", "eu", "fa", "fi", "fr", "ga",
    "gl", "he", "hi", "hr", "hu", "it", "ja", "ko", "lt", "lv", "nl", "no", "pl", "pt", "ro", "ru",
    "sk", "sl", "sv", "tr", "uk", "zh",
];

const PARAMETERS: [&str; 4] = ["lang", "language", "locale", "hl"];

/// The code of the language that stands in a parameter, in front of the path or of the host.
///
/// A hint, no more: most links state none.
pub(super) fn stated(url: &Url) -> Option<&'static str> {
    let of_parameter = url
        .query_pairs()
        .filter(|(name, _)| PARAMETERS.contains(&&**name))
        .find_map(|(_, value)| code(&value));
    let of_path = || url.path_segments().and_then(|mut it| code(it.next()?));
    // A country has its own domain; `de.example.org` has three parts.
    let of_host = || {
        let (first, rest) = url.host_str()?.split_once('.')?;
        rest.contains('.').then(|| code(first)).flatten()
    };
    of_parameter.or_else(of_path).or_else(of_host)
}

/// Reads a list of languages, of whose tags the first part counts, so that none is silently never met.
pub(super) fn read<'de, D: Deserializer<'de>>(source: D) -> Result<BTreeSet<String>, D::Error> {
    let tags = Vec::<String>::deserialize(source)?;
    let read = |tag: &String| {
        let wrong = || format!("{tag:?} is no code of a language: write two letters such as de");
        language(tag).ok_or_else(wrong).map_err(de::Error::custom)
    };
    tags.iter().map(read).collect()
}

/// The language of a tag such as `de`, `de-AT` and `DE_at`; none if it names none, as `x-default` does.
pub(super) fn language(tag: &str) -> Option<String> {
    let code = tag.trim().split(['-', '_']).next()?.to_ascii_lowercase();
    // Norwegian is written in two ways, and Hebrew had another code once.
    match code.as_str() {
        "nb" | "nn" => Some("no".to_owned()),
        "iw" => Some("he".to_owned()),
        _ => CODES.split_ascii_whitespace().any(|it| it == code).then_some(code),
    }
}

/// The language of `de`, `de-at` and `de_AT`.
fn code(text: &str) -> Option<&'static str> {
    let (language, rest) = text.split_at_checked(2)?;
    let has_country = rest.len() == 3 && rest.starts_with(['-', '_']);
    let known = LANGUAGES.iter().find(|it| language.eq_ignore_ascii_case(it));
    known.copied().filter(|_| rest.is_empty() || has_country)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(url: &str, expected: Option<&str>) {
        assert_eq!(stated(&Url::parse(url).unwrap()), expected, "{url}");
    }

    #[test]
    fn parameter_path_and_host_state_a_language() {
        check("https://example.org/en/a", Some("en"));
        check("https://example.org/de-AT", Some("de"));
        check("https://fr.example.org/a", Some("fr"));
        check("https://example.org/?lang=it", Some("it"));
        check("https://fr.example.org/en/?lang=it_IT", Some("it"));
    }

    #[test]
    fn the_first_part_of_a_tag_is_the_language() {
        let read = |tag: &str| language(tag);
        assert_eq!(["de", "DE", "de-AT", "de_at"].map(read), [(); 4].map(|()| Some("de".into())));
        assert_eq!(["nb-NO", "no"].map(read), [(); 2].map(|()| Some("no".into())));
        assert_eq!(["x-default", "deutsch", "xx", "deu", ""].map(read), [(); 5].map(|()| None));
    }

    #[test]
    fn most_links_state_none() {
        check("https://example.org/english/", None);
        check("https://de.example/", None);
        check("https://example.org/a/en/", None);
        check("https://example.org/en-route/", None);
    }
}
