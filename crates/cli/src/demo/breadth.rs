//! What a crawl would have found that takes links as they come, for comparison.

use std::collections::{HashSet, VecDeque};

use page::Response;
use testkit::{Answer, Web};

/// How many pages with an address are among the first so many pages, if links are taken in the order in which they are
/// met.
pub(super) fn found_in_order(web: &Web, budget: usize) -> usize {
    let mut waiting: VecDeque<String> = web.seeds().iter().cloned().collect();
    let mut known: HashSet<String> = waiting.iter().cloned().collect();
    let (mut fetched, mut found) = (0, 0);
    while let Some(url) = waiting.pop_front().filter(|_| fetched < budget) {
        let Some((host, path)) = split(&url) else { continue };
        fetched += 1;
        let Answer::Page(html) = web.answer(host, path) else { continue };
        found += usize::from(web.page(&url).is_some_and(|it| !it.addresses.is_empty()));
        let read = page::read(&Response { url: Some(&url), ..Response::new(html.as_bytes()) });
        for link in read.links {
            let url = String::from(link.url);
            if known.insert(url.clone()) {
                waiting.push_back(url);
            }
        }
    }
    found
}

/// Host and path of a URL.
fn split(url: &str) -> Option<(&str, &str)> {
    let rest = url.strip_prefix("http://")?;
    Some(rest.split_at(rest.find('/')?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn more_pages_find_more_and_the_whole_web_all() {
        let today = jiff::civil::date(2026, 5, 1);
        let web = testkit::web(world::gazetteer(), today, 1);
        let counts = [10, 300, 900].map(|it| found_in_order(&web, it));
        assert!(counts.is_sorted() && counts[0] < counts[2], "{counts:?}");
        assert!(counts[1] <= 300);
    }
}
