//! What a crawl looks for, and whether a page is that.

use gazetteer::{Gazetteer, PlaceId};
use geoparse::{Geoparser, Hints, Region};
use page::Page;

/// How many of a page's places are written into the log.
const MOST_PLACES: usize = 20;

/// What a crawl looks for.
pub struct Goal {
    gazetteer: &'static Gazetteer,
    geoparser: Geoparser<'static>,
    /// Pages with an address in it are what the crawl looks for; without one every page is.
    region: Option<Region>,
    /// Whether pages are geoparsed though nobody asks for a region.
    is_curious: bool,
}

/// What was found out about a page.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Judgement {
    /// Whether it is what the crawl looks for; nothing if it looks for nothing in particular.
    pub relevant: Option<bool>,
    /// The places it is about, the most important first.
    pub places: Vec<PlaceId>,
}

impl Goal {
    /// Pages about a region, or any.
    pub fn new(gazetteer: &'static Gazetteer, region: Option<Region>, is_curious: bool) -> Self {
        Self { gazetteer, geoparser: Geoparser::new(gazetteer), region, is_curious }
    }

    /// Where places are looked up.
    pub fn gazetteer(&self) -> &'static Gazetteer {
        self.gazetteer
    }

    /// Judges a page.
    pub fn judge(&self, url: &str, page: &Page) -> Judgement {
        if self.region.is_none() && !self.is_curious {
            return Judgement::default();
        }
        let survey = self.geoparser.survey(page, &Hints::of_url(url));
        let relevant = self.region.as_ref().map(|it| survey.has_address_in(self.gazetteer, it));
        let places = survey.footprint.places.iter().take(MOST_PLACES).map(|it| it.place);
        Judgement { relevant, places: places.collect() }
    }
}
