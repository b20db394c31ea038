//! The sitemaps of a host, as links.

use fetch::Standing;
use frontier::{Kind, Link};
use url::Url;

use crate::task::Task;

/// The sitemaps that the host of a link names in its robots.txt. A relative one is meant as seen from there, and
/// not from the link.
pub(crate) fn sitemaps(task: &Task, link: &Url, standing: &Standing) -> Vec<Url> {
    let Ok(robots) = link.join("/robots.txt") else { return Vec::new() };
    let named = standing.robots().map(fetch::Robots::sitemaps).unwrap_or_default();
    let absolute = named.iter().filter_map(|it| robots.join(it).ok());
    absolute.filter_map(|it| task.links.normal_form(it.as_str()).ok()).collect()
}

pub(crate) fn sitemap(url: Url) -> Link {
    Link { kind: Kind::Sitemap, ..Link::seed(url) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_relative_sitemap_lies_beside_robots_txt_wherever_the_link_is() {
        let robots = b"Sitemap: map.xml\nSitemap: /a.xml\nSitemap: http://b.example/b.xml";
        let standing = Standing::of(200, robots, "strabo");
        for link in ["http://a.example/robots.txt", "http://a.example/deep/down/page?x"] {
            let link = Url::parse(link).expect("a URL");
            let found = sitemaps(&Task::default(), &link, &standing);
            let found: Vec<_> = found.iter().map(Url::as_str).collect();
            let expected =
                ["http://a.example/map.xml", "http://a.example/a.xml", "http://b.example/b.xml"];
            assert_eq!(found, expected);
        }
    }
}
