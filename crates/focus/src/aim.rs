//! What a crawl is about, as far as strategies may know it before the first page.

use std::sync::Arc;

use gazetteer::Gazetteer;
use geoparse::Region;

use crate::registrant::RegistrantLocator;
use crate::topic::Topic;

/// What a crawl is about, as far as strategies may know it before the first page.
#[derive(Clone, Default)]
pub struct Aim {
    /// Where place names are looked up.
    pub gazetteer: Option<&'static Gazetteer>,
    /// Where the pages are to be about.
    pub region: Option<Region>,
    /// What the pages are to be about.
    pub topic: Option<Arc<Topic>>,
    /// Who knows where those are at home who run hosts.
    pub registrants: Option<Arc<dyn RegistrantLocator>>,
}
