//! Links that a server states beside a page, in the header `Link` of RFC 8288.

use std::borrow::Cow;

/// So many bytes of the header are read: a page in a hundred languages fits.
const LONGEST: usize = 16 << 10;

/// A link that the header states.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct StatedLink<'a> {
    pub(crate) target: &'a str,
    /// What it is to the page; several words are possible.
    pub(crate) rel: Cow<'a, str>,
    pub(crate) hreflang: Option<Cow<'a, str>>,
}

impl StatedLink<'_> {
    /// Whether it is this to the page.
    pub(crate) fn is(&self, word: &str) -> bool {
        self.rel.split_ascii_whitespace().any(|it| it.eq_ignore_ascii_case(word))
    }
}

/// The links of the header, several of which may be joined with commas; what is none is passed over.
pub(crate) fn stated_links(header: &str) -> impl Iterator<Item = StatedLink<'_>> {
    let mut rest = &header[..header.floor_char_boundary(LONGEST)];
    std::iter::from_fn(move || {
        let (_, begun) = rest.split_once('<')?;
        let (target, after) = begun.split_once('>')?;
        let mut link = StatedLink { target: target.trim(), ..StatedLink::default() };
        rest = after;
        while let Some(parameter) = rest.trim_start().strip_prefix(';') {
            let end = parameter.find(['=', ';', ',']).unwrap_or(parameter.len());
            let (name, after) = parameter.split_at(end);
            let (value, after) = match after.strip_prefix('=') {
                Some(after) => value(after),
                None => (Cow::default(), after),
            };
            rest = after;
            // Of several that say the same the first counts.
            match name.trim().to_ascii_lowercase().as_str() {
                "rel" if link.rel.is_empty() => link.rel = value,
                "hreflang" if link.hreflang.is_none() => link.hreflang = Some(value),
                _ => {}
            }
        }
        Some(link)
    })
}

/// The value of a parameter, quoted or not, and what follows it.
fn value(text: &str) -> (Cow<'_, str>, &str) {
    let text = text.trim_start();
    let Some(quoted) = text.strip_prefix('"') else {
        let (value, rest) = text.split_at(text.find([';', ',']).unwrap_or(text.len()));
        return (value.trim().into(), rest);
    };
    let mut is_escaped = false;
    let end = quoted.find(|it| {
        let is_end = it == '"' && !is_escaped;
        is_escaped = it == '\\' && !is_escaped;
        is_end
    });
    let value = &quoted[..end.unwrap_or(quoted.len())];
    let rest = end.and_then(|it| quoted.get(it + 1..)).unwrap_or_default();
    let value = if value.contains('\\') { value.replace('\\', "").into() } else { value.into() };
    (value, rest)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Each link as its target, what it is, and its language.
    #[track_caller]
    fn check(header: &str, expected: &[(&str, &str, Option<&str>)]) {
        let links: Vec<_> = stated_links(header).collect();
        let found: Vec<_> =
            links.iter().map(|it| (it.target, &*it.rel, it.hreflang.as_deref())).collect();
        assert_eq!(found, expected, "{header}");
    }

    #[test]
    fn links_have_parameters() {
        check("</a>; rel=canonical", &[("/a", "canonical", None)]);
        check(
            "<https://a.example/b,c>;rel=\"alternate\"; HrefLang=de , </d>; rel=\"next prev\"",
            &[("https://a.example/b,c", "alternate", Some("de")), ("/d", "next prev", None)],
        );
        check("</a>; title=\"a \\\"b\\\", <c>; rel=x\"; rel=up", &[("/a", "up", None)]);
        check(
            "</a>; rel=up; rel=canonical; crossorigin, </b>",
            &[("/a", "up", None), ("/b", "", None)],
        );
    }

    #[test]
    fn what_is_no_link_is_passed_over() {
        check("", &[]);
        check("nonsense, </a", &[]);
        check("x </a>; rel=\"torn", &[("/a", "torn", None)]);
        check(&format!("{}</a>", " ".repeat(LONGEST)), &[]);
    }

    proptest! {
        #[test]
        fn every_header_is_read(header in "[<>;=\", \\\\a-cä]{0,60}") {
            prop_assert!(stated_links(&header).count() <= header.len());
        }
    }
}
