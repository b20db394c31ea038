//! Places in the markup of the body: microdata, `RDFa` and microformats.
//!
//! All three say the same in different attributes: this element is an item of such a type, and that
//! element inside it is one of its properties. So all three end up as open items and open
//! properties, which take the text between their start and end.

use std::borrow::Cow;

use crate::element::Element;
use crate::flow::{Flow, Gap, Setting};
use crate::place::{Draft, Field, PlaceSource, Places};
use crate::stack::Shown;
use crate::tag::Tag;

/// Items nest three or four deep; those deeper than this are passed over.
const MOST_OPEN: usize = 32;
/// So many bytes of hidden text are kept for properties.
const MOST_HIDDEN: usize = 64 << 10;
/// Of the text of a property, so many bytes are kept.
const LONGEST_PROPERTY: usize = 400;

/// The items and properties whose elements are open.
#[derive(Default)]
pub(crate) struct Items {
    open: Vec<OpenItem>,
    properties: Vec<OpenProperty>,
    /// Text that a visitor does not see, but that is written for machines.
    hidden: Flow,
}

/// Where an element begins.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Spot {
    /// Its depth among the open elements.
    pub(crate) depth: usize,
    /// Its position in the text.
    pub(crate) start: usize,
    pub(crate) shown: Shown,
}

struct OpenItem {
    draft: Draft,
    source: PlaceSource,
    /// The depth of its element.
    depth: usize,
    part: Part,
    start: usize,
}

/// What an item is to the item around it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part {
    /// A place of its own.
    Apart,
    /// Its address or position.
    Whereabouts,
    /// An item whose name is the country.
    Country,
}

struct OpenProperty {
    field: Field,
    /// The item that has it, as an index.
    item: usize,
    depth: usize,
    start: usize,
    shown: Shown,
}

impl Items {
    /// An element begins. Whether it is an item or a property, so that its end matters.
    pub(crate) fn open(&mut self, element: Element, tag: &Tag<'_>, spot: Spot) -> bool {
        let (around, properties) = (self.open.len(), self.properties.len());
        if tag.itemscope.is_given() {
            let part = part_of_schema(tag.itemprop.words());
            self.begin(PlaceSource::Microdata, local_name(tag.itemtype.raw()), part, spot);
        }
        if tag.type_of.is_given() {
            let part = part_of_schema(tag.property.words());
            self.begin(PlaceSource::Rdfa, local_name(tag.type_of.raw()), part, spot);
        }
        if let Some(root) = tag.class.words().find_map(microformat_root) {
            let is_part = matches!(root, "h-adr" | "h-geo");
            let part = if is_part { Part::Whereabouts } else { Part::Apart };
            self.begin(PlaceSource::Microformat, root, part, spot);
            self.begin_whole_position(root, element, tag);
        }
        if around > 0 {
            self.open_properties(around, element, tag, spot);
        }
        self.open.len() > around || self.properties.len() > properties
    }

    /// An element without content: a property with its value in an attribute.
    pub(crate) fn void(&mut self, element: Element, tag: &Tag<'_>) {
        let nowhere = Spot { depth: usize::MAX, start: 0, shown: Shown::Dropped };
        self.open_properties(self.open.len(), element, tag, nowhere);
    }

    /// The element at this depth ends.
    pub(crate) fn close(&mut self, depth: usize, flow: &Flow, places: &mut Places) {
        while let Some(property) = self.properties.pop_if(|it| it.depth == depth) {
            let text = if property.shown == Shown::Yes { &flow.text } else { &self.hidden.text };
            let text = text.get(property.start..).unwrap_or_default();
            let text = &text[..text.floor_char_boundary(LONGEST_PROPERTY)];
            if let Some(item) = self.open.get_mut(property.item) {
                item.draft.set(property.field, text);
            }
        }
        while let Some(item) = self.open.pop_if(|it| it.depth == depth) {
            self.finish(item, flow, places);
        }
    }

    /// Text that is not shown.
    pub(crate) fn write_unseen(&mut self, text: &str) {
        if !self.properties.is_empty() && self.hidden.text.len() + text.len() <= MOST_HIDDEN {
            self.hidden.part(Gap::Blank);
            self.hidden.write(text, Setting::default());
        }
    }

    fn begin(&mut self, source: PlaceSource, kind: &str, part: Part, spot: Spot) {
        if self.open.len() >= MOST_OPEN {
            return;
        }
        let draft = Draft::new(source, kind);
        self.open.push(OpenItem { draft, source, depth: spot.depth, part, start: spot.start });
    }

    /// `<abbr class="geo" title="53.14;8.21">` is position and item in one.
    fn begin_whole_position(&mut self, root: &str, element: Element, tag: &Tag<'_>) {
        if root != "h-geo" {
            return;
        }
        let value = tag.title.text().or_else(|| tag.machine_value(element));
        if let (Some(item), Some(value)) = (self.open.last_mut(), value) {
            item.draft.set(Field::Position, &value);
        }
    }

    /// Opens the properties of a tag, or sets those whose value is in an attribute. The items
    /// beyond `around` were opened by the same tag, which is no property of theirs.
    fn open_properties(&mut self, around: usize, element: Element, tag: &Tag<'_>, spot: Spot) {
        for source in [PlaceSource::Microdata, PlaceSource::Rdfa, PlaceSource::Microformat] {
            let Some(field) = field_of(source, tag) else { continue };
            let Some(item) = self.open[..around].iter().rposition(|it| it.source == source) else {
                continue;
            };
            let Spot { depth, mut start, shown } = spot;
            match stated_value(source, element, tag) {
                Some(value) => self.open[item].draft.set(field, &value),
                None if shown == Shown::Dropped => {}
                None => {
                    if shown == Shown::Hidden {
                        start = self.hidden.text.len();
                    }
                    self.properties.push(OpenProperty { field, item, depth, start, shown });
                }
            }
        }
    }

    fn finish(&mut self, item: OpenItem, flow: &Flow, places: &mut Places) {
        let parent = self.open.iter_mut().rfind(|it| it.source == item.source);
        let mut place = item.draft.finish();
        match (item.part, parent) {
            (Part::Whereabouts, Some(parent)) => parent.draft.fill_from(place),
            (Part::Country, Some(parent)) => {
                parent.draft.set(Field::Country, place.name.as_deref().unwrap_or_default());
            }
            _ => {
                place.range = Some(flow.since(item.start)).filter(|range| !range.is_empty());
                places.add(place);
            }
        }
    }
}

/// The property that a tag states in the attributes of this source. One that is an item as well has
/// no text of its own.
fn field_of(source: PlaceSource, tag: &Tag<'_>) -> Option<Field> {
    match source {
        PlaceSource::Microdata if !tag.itemscope.is_given() => {
            tag.itemprop.words().find_map(schema_field)
        }
        PlaceSource::Rdfa if !tag.type_of.is_given() => tag.property.words().find_map(schema_field),
        PlaceSource::Microformat => tag.class.words().find_map(microformat_field),
        _ => None,
    }
}

/// The value that an attribute states in place of the element's text.
fn stated_value<'a>(source: PlaceSource, element: Element, tag: &Tag<'a>) -> Option<Cow<'a, str>> {
    if source != PlaceSource::Microformat {
        return tag.machine_value(element);
    }
    match element {
        Element::Inline => tag.title.text().or_else(|| tag.value.text()),
        Element::Img | Element::Area => tag.alt.text(),
        _ => None,
    }
}

/// The last part of `https://schema.org/Place`, `schema:Place` or `Place`.
pub(crate) fn local_name(name: Option<&str>) -> &str {
    let first = name.unwrap_or_default().split_ascii_whitespace().next().unwrap_or_default();
    first.rsplit(['/', '#', ':']).next().unwrap_or_default()
}

fn part_of_schema<'a>(mut properties: impl Iterator<Item = &'a str>) -> Part {
    let part = properties.find_map(|property| match local_name(Some(property)) {
        "address" | "adr" | "geo" => Some(Part::Whereabouts),
        "addressCountry" => Some(Part::Country),
        _ => None,
    });
    part.unwrap_or(Part::Apart)
}

/// What a property of schema.org, or of the vocabulary for vCards, says about a place.
pub(crate) fn schema_field(property: &str) -> Option<Field> {
    Some(match local_name(Some(property)) {
        "name" | "legalName" | "fn" => Field::Name,
        "address" | "location" => Field::Address,
        "streetAddress" | "street-address" => Field::Street,
        "postOfficeBoxNumber" | "post-office-box" => Field::PoBox,
        "postalCode" | "postal-code" => Field::Postcode,
        "addressLocality" | "locality" => Field::Locality,
        "addressRegion" | "region" => Field::Region,
        "addressCountry" | "country-name" => Field::Country,
        "latitude" | "lat" => Field::Latitude,
        "longitude" | "long" => Field::Longitude,
        "geo" => Field::Position,
        _ => return None,
    })
}

fn microformat_root(class: &str) -> Option<&'static str> {
    Some(match class {
        "h-card" | "vcard" => "h-card",
        "h-adr" | "adr" | "p-adr" => "h-adr",
        "h-geo" | "geo" | "p-geo" | "u-geo" => "h-geo",
        "h-event" | "vevent" => "h-event",
        _ => return None,
    })
}

fn microformat_field(class: &str) -> Option<Field> {
    Some(match class {
        "p-name" | "fn" | "p-org" | "org" => Field::Name,
        "p-street-address" | "street-address" => Field::Street,
        "p-post-office-box" | "post-office-box" => Field::PoBox,
        "p-postal-code" | "postal-code" => Field::Postcode,
        "p-locality" | "locality" => Field::Locality,
        "p-region" | "region" => Field::Region,
        "p-country-name" | "country-name" => Field::Country,
        "p-latitude" | "latitude" => Field::Latitude,
        "p-longitude" | "longitude" => Field::Longitude,
        "p-label" | "label" => Field::Address,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use crate::page::read;
    use crate::response::Response;

    /// Source, kind and the parts of each place.
    #[track_caller]
    fn check(html: &str, expected: &[&str]) {
        let places = read(&Response::new(html.as_bytes())).places;
        let told: Vec<String> = places
            .into_iter()
            .map(|it| {
                let point = it.point.map(|point| format!("{},{}", point.lat, point.lon));
                let parts = [it.name, it.address, it.street, it.postcode, it.locality, it.country];
                let start = [format!("{:?}", it.source), it.kind];
                start
                    .into_iter()
                    .chain(parts.into_iter().chain([point]).flatten())
                    .collect::<Vec<_>>()
                    .join("|")
            })
            .collect();
        assert_eq!(told, expected, "{html}");
    }

    #[test]
    fn microdata_is_read() {
        check(
            "<div itemscope itemtype='https://schema.org/Bakery'><b itemprop=name>Lo<i>af</i></b>
             <p itemprop=address itemscope itemtype='https://schema.org/PostalAddress'>
             <span itemprop=streetAddress>Quay 4</span><meta itemprop=postalCode content=12345>
             <span itemprop=addressLocality>Portville</span></p>
             <div itemprop=geo itemscope><meta itemprop=latitude content=53.14>
             <meta itemprop=longitude content=8.21></div></div>",
            &["Microdata|Bakery|Loaf|Quay 4|12345|Portville|53.14,8.21"],
        );
    }

    #[test]
    fn an_address_without_a_parent_is_a_place() {
        check(
            "<p itemscope itemtype='http://schema.org/PostalAddress'><i itemprop=addressLocality>A</i>",
            &["Microdata|PostalAddress|A"],
        );
        check("<p itemscope itemtype=x><i itemprop=address>Quay 4", &["Microdata|x|Quay 4"]);
    }

    #[test]
    fn the_country_may_be_an_item() {
        check(
            "<p itemscope><b itemprop=addressCountry itemscope><i itemprop=name>Monaco</i></b></p>",
            &["Microdata||Monaco"],
        );
    }

    #[test]
    fn rdfa_is_read() {
        check(
            "<div vocab='https://schema.org/' typeof=Place><span property=name>Harbour</span>
             <div property=address typeof=PostalAddress><span property=addressLocality>A</span></div>
             <div property='schema:geo' typeof='schema:GeoCoordinates'>
             <span property='schema:latitude' content='1.5'></span>
             <span property='schema:longitude' content='2.5'></span></div></div>",
            &["Rdfa|Place|Harbour|A|1.5,2.5"],
        );
    }

    #[test]
    fn microformats_old_and_new_are_read() {
        check(
            "<div class='h-card'><a class='p-name u-url' href=/>Harbour</a>
             <div class='p-adr h-adr'><span class='p-street-address'>Quay 4</span>
             <span class='p-locality'>Portville</span></div></div>",
            &["Microformat|h-card|Harbour|Quay 4|Portville"],
        );
        check(
            "<div class=vcard><b class='fn org'>Harbour</b><div class=adr><b class=postal-code>12345</b>
             </div><div class=geo><abbr class=latitude title='53.14'>N</abbr>
             <abbr class=longitude title='8.21'>E</abbr></div></div>",
            &["Microformat|h-card|Harbour|12345|53.14,8.21"],
        );
        check("<abbr class=geo title='53.14;8.21'>here</abbr>", &["Microformat|h-geo|53.14,8.21"]);
    }

    #[test]
    fn words_of_style_are_no_microformats() {
        check("<div class='label region'>A</div><p class='fn locality'>B", &[]);
    }

    #[test]
    fn hidden_properties_are_for_machines() {
        check(
            "<div class='h-geo' hidden><p class='p-latitude'>53.14</p><p class='p-longitude'>8.21</p></div>",
            &["Microformat|h-geo|53.14,8.21"],
        );
    }

    #[test]
    fn a_place_knows_where_it_stands() {
        let page = read(&Response::new(
            b"<p>A</p><p class=h-adr><b class=p-locality>Portville</b></p><p>B",
        ));
        let range = page.places[0].range.clone().unwrap();
        assert_eq!(&page.text[range], "Portville");
    }
}
