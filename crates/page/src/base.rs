//! The URL against which a page's links are read.

use url::Url;

/// Longer references are not links that anybody could follow.
const LONGEST_REFERENCE: usize = 4096;

/// Where relative links start from.
#[derive(Clone, Debug, Default)]
pub(crate) struct Base {
    url: Option<Url>,
    is_settled: bool,
}

impl Base {
    /// The page's own URL, until a `<base>` says otherwise.
    pub(crate) fn of_page(url: Option<&str>) -> Self {
        let url = url.filter(|it| it.len() <= LONGEST_REFERENCE);
        Self { url: url.and_then(|it| Url::parse(it).ok()), is_settled: false }
    }

    /// Takes in a `<base>`; only the first one counts.
    pub(crate) fn settle(&mut self, href: &str) {
        if !self.is_settled {
            self.is_settled = true;
            self.url = self.resolve(href).or(self.url.take());
        }
    }

    /// The absolute URL of a reference, of any scheme.
    pub(crate) fn resolve(&self, reference: &str) -> Option<Url> {
        if reference.len() > LONGEST_REFERENCE {
            return None;
        }
        let options = Url::options().base_url(self.url.as_ref());
        let resolved = options.parse(reference);
        resolved.or_else(|error| options.parse(&with_two_slashes(reference).ok_or(error)?)).ok()
    }

    /// The absolute URL of a reference that a crawler could follow.
    pub(crate) fn resolve_web(&self, reference: &str) -> Option<Url> {
        self.resolve(reference).filter(|url| matches!(url.scheme(), "http" | "https"))
    }
}

/// `//host/path` for `///host/path`: browsers pass over slashes too many, the parser does not.
fn with_two_slashes(reference: &str) -> Option<String> {
    let reference = reference.trim_matches(|it| it <= ' ');
    let rest = reference.trim_start_matches(['/', '\\']);
    (reference.len() - rest.len() > 2).then(|| format!("//{rest}"))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const PAGE: &str = "https://example.org/a/b.html?c#d";

    #[track_caller]
    fn check(reference: &str, expected: Option<&str>) {
        let url = Base::of_page(Some(PAGE)).resolve_web(reference);
        assert_eq!(url.as_ref().map(Url::as_str), expected, "{reference}");
    }

    #[test]
    fn references_are_read_against_the_page() {
        check("c", Some("https://example.org/a/c"));
        check("../c", Some("https://example.org/c"));
        check("/c?d", Some("https://example.org/c?d"));
        check("//example.net", Some("https://example.net/"));
        check("?x", Some("https://example.org/a/b.html?x"));
        check(" c\n", Some("https://example.org/a/c"));
        check("http://münchen.example/", Some("http://xn--mnchen-3ya.example/"));
        check("///127.0.0.1/a", Some("https://127.0.0.1/a"));
        check(" \\\\/example.net/a", Some("https://example.net/a"));
        check("///", None);
    }

    #[test]
    fn what_no_crawler_can_follow_is_no_link() {
        check("mailto:a@example.org", None);
        check("javascript:void(0)", None);
        check("http://", None);
        check(&"a".repeat(LONGEST_REFERENCE + 1), None);
    }

    #[test]
    fn without_a_url_only_absolute_references_count() {
        let base = Base::of_page(None);
        assert_eq!(base.resolve_web("/a"), None);
        assert_eq!(
            base.resolve_web("http://a.example").map(String::from).as_deref(),
            Some("http://a.example/")
        );
    }

    #[test]
    fn the_first_base_counts() {
        let mut base = Base::of_page(Some(PAGE));
        base.settle("/x/");
        base.settle("/y/");
        assert_eq!(base.resolve("z").map(String::from).as_deref(), Some("https://example.org/x/z"));
    }

    proptest! {
        #[test]
        fn references_are_read_as_the_standard_does(reference in "[a-c/.:?#@%2 \\\\ä-]{0,20}") {
            let resolved = Base::of_page(Some(PAGE)).resolve(&reference);
            let joined = Url::parse(PAGE).unwrap().join(&reference).ok();
            prop_assert!(joined.is_none() || resolved == joined, "{:?}", resolved);
        }
    }
}
