//! What a crawl is about, as far as strategies may know it before the first page.

use gazetteer::Gazetteer;
use geoparse::Region;

/// What a crawl is about, as far as strategies may know it before the first page.
#[derive(Clone, Default)]
pub struct Aim {
    /// Where place names are looked up.
    pub gazetteer: Option<&'static Gazetteer>,
    /// Where the pages are to be about.
    pub region: Option<Region>,
}
