//! The URLs that sitemaps write, and what they mean.

use url::Url;

/// Servers take requests of up to about 8 KiB; the protocol asks for less than 2,048 characters.
pub(super) const MAX_URL: usize = 8 * 1024;

/// Where a sitemap lies.
pub(super) struct Site<'a> {
    url: &'a Url,
}

impl<'a> Site<'a> {
    pub(super) fn new(url: &'a Url) -> Self {
        Self { url }
    }

    /// The URL that the text means here; it may be relative.
    pub(super) fn resolve(&self, text: &str) -> Option<Url> {
        let text = text.trim();
        self.absolute(text).or_else(|| {
            let is_relative = !text.is_empty() && text.len() <= MAX_URL && !text.contains("://");
            checked(self.url.join(text).ok().filter(|_| is_relative)?)
        })
    }

    /// The URL that the text means if it has a host; its scheme may be missing.
    pub(super) fn absolute(&self, text: &str) -> Option<Url> {
        if text.len() > MAX_URL {
            return None;
        }
        if begins_with(text, "http://") || begins_with(text, "https://") {
            return checked(Url::parse(text).ok()?);
        }
        let host = text.split(['/', '?', ':']).next()?;
        let is_host = begins_with(text, "www.") || Some(host) == self.url.host_str();
        let with_scheme = || Url::parse(&format!("{}://{text}", self.url.scheme())).ok();
        checked(is_host.then(with_scheme)??)
    }

    /// Whether the URL lies in the folder of the sitemap or below it.
    pub(super) fn contains(&self, url: &Url) -> bool {
        let folder = self.url.path().rsplit_once('/').map_or("", |it| it.0);
        let below = url.path().strip_prefix(folder);
        url.origin() == self.url.origin() && below.is_some_and(|it| it.starts_with('/'))
    }
}

fn checked(mut url: Url) -> Option<Url> {
    url.set_fragment(None);
    (matches!(url.scheme(), "http" | "https") && url.has_host()).then_some(url)
}

fn begins_with(text: &str, start: &str) -> bool {
    text.get(..start.len()).is_some_and(|it| it.eq_ignore_ascii_case(start))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &str) {
        let url = Url::parse("https://a.org/maps/sitemap.xml?x/y").expect("a URL");
        let site = Site::new(&url);
        let told = site.resolve(text).map(|url| {
            let place = if site.contains(&url) { "within" } else { "beyond" };
            format!("{url} {place}")
        });
        assert_eq!(told.as_deref().unwrap_or("none"), expected, "{text}");
    }

    #[test]
    fn absolute_urls_are_within_or_beyond() {
        check(" https://a.org/maps/1 ", "https://a.org/maps/1 within");
        check("https://a.org/maps/a/b?c#d", "https://a.org/maps/a/b?c within");
        check("https://a.org/maps", "https://a.org/maps beyond");
        check("https://a.org/mapsandmore", "https://a.org/mapsandmore beyond");
        check("http://a.org/maps/1", "http://a.org/maps/1 beyond");
        check("https://b.a.org/maps/1", "https://b.a.org/maps/1 beyond");
        check("HTTPS://A.ORG:443/maps/1", "https://a.org/maps/1 within");
    }

    #[test]
    fn a_missing_scheme_or_host_is_the_sitemaps() {
        check("www.b.org/1", "https://www.b.org/1 beyond");
        check("a.org/maps/1", "https://a.org/maps/1 within");
        check("/maps/1", "https://a.org/maps/1 within");
        check("1?a", "https://a.org/maps/1?a within");
        check("//b.org/1", "https://b.org/1 beyond");
    }

    #[test]
    fn what_is_no_page_is_none() {
        check("", "none");
        check("ftp://a.org/1", "none");
        check("mailto:a@a.org", "none");
        check("javascript:1", "none");
        check("http://", "none");
        check(&format!("https://a.org/{}", "a".repeat(MAX_URL)), "none");
    }
}
