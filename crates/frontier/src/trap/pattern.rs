//! What the URLs of one script of a host have in common.

use std::fmt;

use serde::{Deserialize, Serialize};
use url::Url;
use xxhash_rust::xxh3::xxh3_64;

use crate::trap::shape::{is_id, is_number, is_title};

/// How many segments and how many parameters a pattern shows; what follows is one `…`.
const MOST_PARTS: usize = 12;

/// A URL without its host in which numbers, ids and titles have made way for `{n}`, `{id}` and
/// `{title}`: `/kalender/{n}/{n}`, `/shop?page={n}&sort={word}`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Pattern(String);

impl Pattern {
    /// A number for the pattern, for maps that hold many.
    pub fn id(&self) -> u64 {
        xxh3_64(self.0.as_bytes())
    }

    /// The next wider one: without parameters, or else whatever lies in the same folder.
    #[must_use]
    pub fn wider(&self) -> Self {
        if let Some((path, _)) = self.0.split_once('?') {
            return Self(path.to_owned());
        }
        let page = self.0.strip_suffix('/').unwrap_or(&self.0);
        Self(format!("{}/*", page.rsplit_once('/').unwrap_or_default().0))
    }

    /// All that lies in the first folder, however deep; nothing for pages that are in no folder.
    pub fn branch(&self) -> Option<Self> {
        let path = self.0.split_once('?').map_or(self.0.as_str(), |it| it.0);
        let (folder, page) = path.get(1..)?.split_once('/')?;
        (!page.is_empty()).then(|| Self(format!("/{folder}/**")))
    }
}

impl fmt::Display for Pattern {
    fn fmt(&self, out: &mut fmt::Formatter) -> fmt::Result {
        out.write_str(&self.0)
    }
}

/// The pattern of the URL, which should be in its normal form.
pub fn pattern(url: &Url) -> Pattern {
    let mut out = String::with_capacity(48);
    let path = url.path().strip_prefix('/').unwrap_or(url.path());
    for (place, segment) in path.split('/').enumerate() {
        out.push('/');
        if place == MOST_PARTS {
            out.push('…');
            break;
        }
        push_segment(segment, &mut out);
    }
    for (place, parameter) in url.query().into_iter().flat_map(|it| it.split('&')).enumerate() {
        out.push(if place == 0 { '?' } else { '&' });
        if place == MOST_PARTS {
            out.push('…');
            break;
        }
        push_parameter(parameter, &mut out);
    }
    Pattern(out)
}

fn push_segment(segment: &str, out: &mut String) {
    let (stem, extension) = match segment.rsplit_once('.') {
        Some((stem, extension)) if !stem.is_empty() && is_extension(extension) => {
            (stem, Some(extension))
        }
        _ => (segment, None),
    };
    if is_id(stem) {
        out.push_str("{id}");
    } else if is_title(stem) {
        out.push_str("{title}");
    } else {
        push_numbered(stem, out);
    }
    if let Some(extension) = extension {
        out.push('.');
        out.push_str(extension);
    }
}

fn is_extension(text: &str) -> bool {
    (1..=5).contains(&text.len()) && text.starts_with(|it: char| it.is_ascii_alphabetic())
}

/// Each run of digits becomes one `{n}`.
fn push_numbered(text: &str, out: &mut String) {
    let mut rest = text;
    while let Some(at) = rest.find(|it: char| it.is_ascii_digit()) {
        out.push_str(&rest[..at]);
        out.push_str("{n}");
        rest = rest[at..].trim_start_matches(|it: char| it.is_ascii_digit());
    }
    out.push_str(rest);
}

fn push_parameter(parameter: &str, out: &mut String) {
    let (name, value) = parameter.split_once('=').unwrap_or((parameter, ""));
    if is_title(name) || is_id(name) {
        out.push_str("{title}");
    } else {
        push_numbered(name, out);
    }
    out.push_str(match value {
        "" => "",
        _ if is_number(value) => "={n}",
        _ if is_id(value) => "={id}",
        _ => "={word}",
    });
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[track_caller]
    fn check(path: &str, expected: &str) {
        let url = Url::parse(&format!("https://example.org{path}")).unwrap();
        assert_eq!(pattern(&url).to_string(), expected);
    }

    #[test]
    fn numbers_ids_and_titles_make_way() {
        check("/kalender/2024/05", "/kalender/{n}/{n}");
        check("/artikel/123.html", "/artikel/{n}.html");
        check("/p2/d41d8cd98f00b204e9800998ecf8427e", "/p{n}/{id}");
        check("/news/haus-am-see-verkauft.html", "/news/{title}.html");
        check("/", "/");
    }

    #[test]
    fn parameters_show_their_names_and_the_shape_of_their_values() {
        check("/shop?page=3&sort=price", "/shop?page={n}&sort={word}");
        check("/a?b", "/a?b");
        check("/a?n=550e8400-e29b-41d4-a716-446655440000", "/a?n={id}");
    }

    #[test]
    fn a_pattern_knows_a_wider_one() {
        let url = Url::parse("https://example.org/a/7?b=1").unwrap();
        let wider = pattern(&url).wider();
        assert_eq!(
            (wider.to_string(), wider.wider().to_string()),
            ("/a/{n}".into(), "/a/*".into())
        );
        let folder = Url::parse("https://example.org/a/b/").unwrap();
        assert_eq!(pattern(&folder).wider().to_string(), "/a/*");
    }

    #[test]
    fn a_branch_is_all_that_lies_in_the_first_folder() {
        let branch = |path: &str| {
            let url = Url::parse(&format!("https://example.org{path}")).unwrap();
            pattern(&url).branch().map(|it| it.to_string())
        };
        assert_eq!(branch("/a/b/c/7?d=1").as_deref(), Some("/a/**"));
        assert_eq!(branch("/a/b").as_deref(), Some("/a/**"));
        assert_eq!((branch("/a/"), branch("/a?b=/c"), branch("/")), (None, None, None));
    }

    proptest! {
        #[test]
        fn every_url_has_a_short_pattern(path in "\\PC{0,200}") {
            let url = Url::parse(&format!("https://example.org/{path}")).unwrap();
            let pattern = pattern(&url).to_string();
            prop_assert!(pattern.len() <= url.as_str().len() * 3);
        }
    }
}
