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
        Url::options().base_url(self.url.as_ref()).parse(reference).ok()
    }

    /// The absolute URL of a reference that a crawler could follow.
    pub(crate) fn resolve_web(&self, reference: &str) -> Option<Url> {
        self.resolve(reference).filter(|url| matches!(url.scheme(), "http" | "https"))
    }
}
