//! All that was found on a page, ready to be told in one form or another.

use gazetteer::{Gazetteer, Place, PlaceId};
use geoparse::{Address, Class, Mention, Part, Survey, UrlPlace};
use page::{Page, PlaceSource};

/// All that was found on a page.
pub struct Findings<'a> {
    /// The gazetteer that its places are numbers in.
    pub gazetteer: &'a Gazetteer,
    /// The page's own address, if it is known.
    pub url: Option<&'a str>,
    /// The language it was read in, if one is known.
    pub language: Option<String>,
    /// The page itself.
    pub page: &'a Page,
    /// What it says about places.
    pub survey: &'a Survey,
    /// The places that the page's own address names.
    pub in_url: Vec<UrlPlace>,
    /// The regions that were asked for, with whether the page has an address there.
    pub verdicts: Vec<Verdict<'a>>,
}

/// Whether a page has an address in a region.
pub struct Verdict<'a> {
    /// The region.
    pub region: Place<'a>,
    /// Whether it has one.
    pub has_address: bool,
}

impl<'a> Findings<'a> {
    /// A place with what it is part of.
    pub fn label(&self, place: PlaceId) -> String {
        self.gazetteer.place(place).label()
    }

    /// The mentions of title and text with the words that name them; true for those of the title.
    pub fn mentions(&self) -> impl Iterator<Item = (bool, &'a str, &'a Mention)> {
        let (page, survey) = (self.page, self.survey);
        let part = |text: &'a str, it: &Mention| text.get(it.span.clone()).unwrap_or_default();
        let title = survey.title_mentions.iter().map(move |it| (true, part(&page.title, it), it));
        title.chain(survey.mentions.iter().map(move |it| (false, part(&page.text, it), it)))
    }

    /// An address as it is written, on one line.
    pub fn written(&self, address: &Address) -> String {
        let text = self.page.text.get(address.span.clone()).unwrap_or_default();
        let lines = text.split(['\n', '\t']).map(|it| it.trim().trim_end_matches(','));
        lines.filter(|it| !it.is_empty()).collect::<Vec<_>>().join(", ")
    }
}

/// The parts of an address that were found, with what they are.
pub fn parts(address: &Address) -> impl Iterator<Item = (&'static str, &Part)> {
    let parts = [
        ("street", &address.street),
        ("number", &address.number),
        ("unit", &address.unit),
        ("box", &address.po_box),
        ("postcode", &address.postcode),
        ("city", &address.city),
        ("region", &address.region),
        ("country", &address.country),
    ];
    parts.into_iter().filter_map(|(title, part)| part.as_ref().map(|it| (title, it)))
}

/// The class in one word, the same as on the command line.
pub fn class_name(class: Class) -> &'static str {
    match class {
        Class::Place => "place",
        Class::Demonym => "demonym",
        Class::Metonym => "metonym",
        Class::Poi => "poi",
        Class::Street => "street",
        Class::AddressPart => "address",
    }
}

/// In what form a page states a place for machines.
pub fn source_name(source: PlaceSource) -> &'static str {
    match source {
        PlaceSource::JsonLd => "JSON-LD",
        PlaceSource::Microdata => "microdata",
        PlaceSource::Rdfa => "RDFa",
        PlaceSource::Microformat => "microformat",
        PlaceSource::GeoMeta => "geo meta",
        PlaceSource::OpenGraph => "Open Graph",
        PlaceSource::PlusCode => "plus code",
        PlaceSource::MapLink => "map link",
    }
}
