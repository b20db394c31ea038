//! What a crawl is about, as far as strategies may know it before the first page.

use std::sync::Arc;

use gazetteer::Gazetteer;
use geoparse::Region;

use crate::lots::Lots;
use crate::registrant::RegistrantLocator;
use crate::topic::Topic;

/// What a crawl is about, as far as strategies may know it before the first page.
#[derive(Clone, Default)]
pub struct Aim {
    /// Where place names are looked up.
    pub gazetteer: Option<&'static Gazetteer>,
    /// Where the pages are to be about.
    pub region: Option<Region>,
    /// How many pages the crawl will fetch, if somebody set an end to it.
    pub budget: Option<u64>,
    /// Which of two links comes first that are worth the same.
    pub lots: Lots,
    /// What the pages are to be about.
    pub topic: Option<Arc<Topic>>,
    /// Who knows where those are at home who run hosts.
    pub registrants: Option<Arc<dyn RegistrantLocator>>,
    /// Whether hosts are not to be taken for being at home where their contact pages say.
    pub ignores_imprints: bool,
}
