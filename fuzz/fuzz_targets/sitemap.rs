//! Any bytes may be a sitemap: it is read within its limits, and names pages of the web.

#![no_main]

use fetch::sitemap;
use libfuzzer_sys::fuzz_target;
use url::Url;

/// What the protocol allows.
const MOST: usize = 50_000;

fuzz_target!(|bytes: &[u8]| {
    let here = Url::parse("https://example.org/a/sitemap.xml").expect("a URL");
    let sitemap = sitemap::read(bytes, &here);
    assert!(sitemap.urls.len() <= MOST && sitemap.sitemaps.len() <= MOST);
    let pages = sitemap.urls.iter().map(|it| &it.url);
    for url in pages.chain(sitemap.sitemaps.iter().map(|it| &it.url)) {
        assert!(matches!(url.scheme(), "http" | "https"), "{url}");
    }
});
