//! Any bytes are a page, and everything in it points into its text.

#![no_main]

use libfuzzer_sys::fuzz_target;
use page::{Reach, Response};

fuzz_target!(|body: &[u8]| {
    let url = Some("https://example.org/a/b?c#d");
    for content_type in [None, Some("text/html"), Some("text/plain")] {
        let page = page::read(&Response { url, content_type, ..Response::new(body) });
        for block in &page.blocks {
            assert!(page.text.get(block.range.clone()).is_some_and(|text| !text.is_empty()));
        }
        for link in &page.links {
            assert!(page.text.get(link.anchor.clone()).is_some());
            link.before(&page, 5, Reach::Block);
            link.after(&page, 5, Reach::Page);
        }
    }
});
