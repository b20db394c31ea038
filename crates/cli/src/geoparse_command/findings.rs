//! All that was found on a page, ready to be told in one form or another.

use clap::ValueEnum;
use gazetteer::{Gazetteer, Place, PlaceId};
use geoparse::{Address, Class, Mention, Part, Survey, UrlPlace};
use page::{Page, PlaceSource};

use crate::eval::geoparse::Counted;

/// All that was found on a page.
pub(crate) struct Findings<'a> {
    pub(crate) gazetteer: &'a Gazetteer,
    pub(crate) url: Option<&'a str>,
    /// The language it was read in, if one is known.
    pub(crate) language: Option<String>,
    pub(crate) page: &'a Page,
    pub(crate) survey: &'a Survey,
    /// The places that the page's own address names.
    pub(crate) in_url: Vec<UrlPlace>,
    /// The regions that were asked for, with whether the page has an address there.
    pub(crate) verdicts: Vec<Verdict<'a>>,
}

/// Whether a page has an address in a region.
pub(crate) struct Verdict<'a> {
    pub(crate) region: Place<'a>,
    pub(crate) has_address: bool,
}

impl<'a> Findings<'a> {
    pub(crate) fn label(&self, place: PlaceId) -> String {
        self.gazetteer.place(place).label()
    }

    /// The mentions of title and text with the words that name them; true for those of the title.
    pub(crate) fn mentions(&self) -> impl Iterator<Item = (bool, &'a str, &'a Mention)> {
        let (page, survey) = (self.page, self.survey);
        let part = |text: &'a str, it: &Mention| text.get(it.span.clone()).unwrap_or_default();
        let title = survey.title_mentions.iter().map(move |it| (true, part(&page.title, it), it));
        title.chain(survey.mentions.iter().map(move |it| (false, part(&page.text, it), it)))
    }

    /// An address as it is written, on one line.
    pub(crate) fn written(&self, address: &Address) -> String {
        let text = self.page.text.get(address.span.clone()).unwrap_or_default();
        let lines = text.split(['\n', '\t']).map(|it| it.trim().trim_end_matches(','));
        lines.filter(|it| !it.is_empty()).collect::<Vec<_>>().join(", ")
    }
}

/// The parts of an address that were found, with what they are.
pub(crate) fn parts(address: &Address) -> impl Iterator<Item = (&'static str, &Part)> {
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
pub(crate) fn class_name(class: Class) -> String {
    let value = Counted::of(class).to_possible_value();
    value.map(|it| it.get_name().to_owned()).unwrap_or_default()
}

/// In what form a page states a place for machines.
pub(crate) fn source_name(source: PlaceSource) -> &'static str {
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
