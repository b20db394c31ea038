//! The language that a URL states of its page.

use url::Url;

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
    fn most_links_state_none() {
        check("https://example.org/english/", None);
        check("https://de.example/", None);
        check("https://example.org/a/en/", None);
        check("https://example.org/en-route/", None);
    }
}
