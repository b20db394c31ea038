//! Whether a list of links, a sitemap or a feed, is to be expected of a link before anything of it is read.

use frontier::{Entry, FileKind, Kind};
use url::Url;

/// Whether a link leads to a sitemap or a feed by what is known before it is asked for.
pub(crate) fn promises_list(entry: &Entry) -> bool {
    let is_named_so = || {
        let url = Url::parse(&entry.url).ok();
        url.is_some_and(|it| matches!(FileKind::of_url(&it), FileKind::Feed | FileKind::Gzip))
    };
    entry.kind == Kind::Sitemap || entry.depth == 0 && is_named_so()
}

/// Whether a link that was taken for a page may turn out to be a sitemap or a feed. Somebody who begins
/// with one means it; any other link to one is mostly for people with a reader of feeds.
pub(crate) fn may_be_list(entry: &Entry, content_type: Option<&str>) -> bool {
    let kind = FileKind::of_content_type(content_type);
    entry.depth == 0 && matches!(kind, FileKind::Feed | FileKind::Gzip)
}

#[cfg(test)]
mod tests {
    use frontier::{HostId, Moment, Priority, State};

    use super::*;

    /// A link of which a list is to be expected by itself, and by the type of the answer.
    #[track_caller]
    fn check(kind: Kind, depth: u16, url: &str, content_type: &str, expected: (bool, bool)) {
        let entry = Entry {
            url: url.to_owned(),
            host: HostId(0),
            kind,
            via: None,
            depth,
            inside: 0,
            redirects: 0,
            priority: Priority(1.0),
            note: Vec::new(),
            found: Moment(0),
            state: State::Queued,
            tries: 0,
            visit: None,
        };
        let told = (promises_list(&entry), may_be_list(&entry, Some(content_type)));
        assert_eq!(told, expected, "{url}, {content_type}");
    }

    #[test]
    fn a_list_is_to_be_expected_of_sitemaps_and_of_seeds_that_are_named_so() {
        check(Kind::Sitemap, 3, "http://a.example/map", "text/html", (true, false));
        check(Kind::Page, 0, "http://a.example/map.xml", "text/html", (true, false));
        check(Kind::Page, 0, "http://a.example/map.xml.gz", "application/gzip", (true, true));
        check(Kind::Page, 0, "http://a.example/map", "application/rss+xml", (false, true));
        check(Kind::Page, 0, "http://a.example/", "text/html", (false, false));
        check(Kind::Page, 1, "http://a.example/map.xml", "application/rss+xml", (false, false));
    }
}
