//! The sitemaps of a host, as links.

use fetch::Standing;
use frontier::{Kind, Link};
use url::Url;

use crate::task::Task;

/// The sitemaps that a host names in its robots.txt.
pub(crate) fn sitemaps(task: &Task, host: &Url, standing: &Standing) -> Vec<Url> {
    let named = standing.robots().map(fetch::Robots::sitemaps).unwrap_or_default();
    let absolute = named.iter().filter_map(|it| host.join(it).ok());
    absolute.filter_map(|it| task.links.normal_form(it.as_str()).ok()).collect()
}

pub(crate) fn sitemap(url: Url) -> Link {
    Link { kind: Kind::Sitemap, ..Link::seed(url) }
}
