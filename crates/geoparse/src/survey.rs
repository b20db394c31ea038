//! A page surveyed: its mentions, its addresses, its footprint.

use std::ops::Range;

use gazetteer::{Gazetteer, PlaceId, Precision};
use page::{Area, Link, Page, PlaceSource, Reach, Role, StructuredPlace};

use crate::address::{Address, AddressParts, Position};
use crate::footprint::{Footprint, Sighting};
use crate::geoparser::Geoparser;
use crate::hints::Hints;
use crate::mention::{Class, Mention};
use crate::region::Region;

/// A point this near to a city is in it, or as good as in it.
const NEAR_CITY_KM: f64 = 10.0;
/// A page with more towns in its addresses is a directory and at home nowhere.
const MOST_ANCHORS: usize = 8;
/// What stands between title and text; no word goes on over it.
const BORDER: &str = "\n|\n";
/// A title names few places, and what it names the page is about.
const TITLE_WEIGHT: f64 = 3.0;
/// An address stands for a place to go to, a name in passing does not.
const ADDRESS_WEIGHT: f64 = 2.0;

/// All that a page says about places.
#[derive(Clone, Debug, Default)]
pub struct Survey {
    /// The places its title names, with spans in the title.
    pub title_mentions: Vec<Mention>,
    /// The places its text names, with spans in the text.
    pub mentions: Vec<Mention>,
    /// The addresses in its text.
    pub addresses: Vec<Address>,
    /// The places stated for machines, as far as it is known where they are.
    pub stated: Vec<StatedPlace>,
    /// What ground it is about.
    pub footprint: Footprint,
}

/// A place that a page states for machines, found in the gazetteer.
#[derive(Clone, Debug, PartialEq)]
pub struct StatedPlace {
    /// How it was written.
    pub source: PlaceSource,
    /// What it is called, if the page says so.
    pub name: Option<String>,
    /// Street and house number as they are written, if the page says them.
    pub street_line: Option<String>,
    /// True for street, number and city.
    pub is_full_address: bool,
    /// Where it is.
    pub position: Position,
}

impl Survey {
    /// True if the page carries a full street address inside the region: a geographic entity.
    pub fn has_address_in(&self, gazetteer: &Gazetteer, region: &Region) -> bool {
        let written = self.addresses.iter().filter(|it| it.is_full()).filter_map(|it| it.position);
        let stated = self.stated.iter().filter(|it| it.is_full_address).map(|it| it.position);
        written.chain(stated).any(|it| {
            let place = it.city.unwrap_or(it.place);
            region.holds(gazetteer, Some(place), Some(it.point))
        })
    }

    /// True if the page names any place at all.
    pub fn names_any_place(&self) -> bool {
        !self.footprint.is_empty()
    }

    /// The mentions in the window around a link: so many words on each side, and the link's own.
    pub fn around<'s>(
        &'s self,
        page: &Page,
        link: &Link,
        words: usize,
    ) -> impl Iterator<Item = &'s Mention> {
        let window = window(page, link, words);
        let first = self.mentions.partition_point(|it| it.span.start < window.start);
        self.mentions[first..].iter().take_while(move |it| it.span.end <= window.end)
    }
}

impl Geoparser<'_> {
    /// Surveys a page: what places it means, and what ground it is about.
    pub fn survey(&self, page: &Page, hints: &Hints) -> Survey {
        let hints = hints_of(page, hints);
        let addresses = self.addresses().find(&page.text, &hints);
        let stated = self.stated(page, &hints);
        let mut hints = hints;
        hints.anchors.extend(anchors(&addresses, &stated));
        // Title and text are read as one, so that each helps to understand the other.
        let whole = [page.title.as_str(), page.text.as_str()].join(BORDER);
        let border = page.title.len() + BORDER.len();
        let mut title_mentions = self.mentions(&whole, &hints);
        let first = title_mentions.partition_point(|it| it.span.start < border);
        let mut mentions = title_mentions.split_off(first);
        for it in &mut mentions {
            it.span = it.span.start - border..it.span.end - border;
        }
        mark_addresses(&mut mentions, &addresses);
        let mut survey =
            Survey { title_mentions, mentions, addresses, stated, footprint: Footprint::default() };
        survey.footprint = Footprint::of(self.gazetteer, &sightings(page, &survey));
        survey
    }

    /// Where the places are that a page states for machines.
    fn stated(&self, page: &Page, hints: &Hints) -> Vec<StatedPlace> {
        page.places.iter().filter_map(|it| self.locate(it, hints)).collect()
    }

    fn locate(&self, place: &StructuredPlace, hints: &Hints) -> Option<StatedPlace> {
        fn text(field: Option<&String>) -> &str {
            field.map_or("", String::as_str)
        }
        let whole = place.address.as_deref().map(|it| self.addresses().parse(it, hints));
        let street = place.street.as_deref().map(|it| self.addresses().parse(it, hints));
        let number =
            street.as_ref().and_then(|it| it.number.as_ref()).map_or("", |it| it.text.as_str());
        let name =
            street.as_ref().and_then(|it| it.street.as_ref()).map_or("", |it| it.text.as_str());
        let parts = AddressParts {
            street: if name.is_empty() { text(place.street.as_ref()) } else { name },
            number,
            postcode: text(place.postcode.as_ref()),
            city: text(place.locality.as_ref()),
            region: text(place.region.as_ref()),
            country: text(place.country.as_ref()),
        };
        let (position, is_full) = match &whole {
            Some(address) if parts.city.is_empty() => (address.position, address.is_full()),
            _ => (
                self.addresses().locate(&parts, hints),
                !number.is_empty() && !parts.city.is_empty(),
            ),
        };
        let street_line = [&street, &whole].into_iter().find_map(|it| it.as_ref()?.street_line());
        let position = position.or_else(|| self.position_of_point(place))?;
        let point = place.point.unwrap_or(position.point);
        Some(StatedPlace {
            source: place.source,
            name: place.name.clone(),
            street_line,
            is_full_address: is_full && place.po_box.is_none(),
            position: Position { point, ..position },
        })
    }

    /// Where a bare point is: the narrowest place around it.
    fn position_of_point(&self, place: &StructuredPlace) -> Option<Position> {
        let code = || place.plus_code.as_ref().and_then(earth::PlusCode::center);
        let point = place.point.or_else(code)?;
        let around = self.gazetteer.reverse(point);
        let city = around.nearest.filter(|it| it.1.km() < NEAR_CITY_KM).map(|it| it.0.id());
        let place = city.or_else(|| around.containing.first().map(gazetteer::Place::id))?;
        Some(Position { place, city, point, precision: Precision::Coordinate, confidence: 0.9 })
    }
}

/// What the page itself tells beside what was known before.
fn hints_of(page: &Page, hints: &Hints) -> Hints {
    let language = || page.language().map(|it| it.code().to_owned());
    Hints { language: hints.language.clone().or_else(language), ..hints.clone() }
}

/// The bytes of the words around a link, and its own.
fn window(page: &Page, link: &Link, words: usize) -> Range<usize> {
    let before = link.before(page, words, Reach::Block);
    let after = link.after(page, words, Reach::Block);
    let offset = |part: &str| part.as_ptr() as usize - page.text.as_ptr() as usize;
    let start = if before.is_empty() { link.anchor.start } else { offset(before) };
    let end = if after.is_empty() { link.anchor.end } else { offset(after) + after.len() };
    start..end
}

/// Addresses say more surely than anything else where a page is at home.
fn anchors(addresses: &[Address], stated: &[StatedPlace]) -> Vec<PlaceId> {
    let written = addresses.iter().filter_map(|it| it.position);
    let mut list: Vec<_> = written
        .chain(stated.iter().map(|it| it.position))
        .map(|it| it.city.unwrap_or(it.place))
        .collect();
    list.sort_unstable();
    list.dedup();
    if list.len() > MOST_ANCHORS { Vec::new() } else { list }
}

/// What stands in an address is part of it, and the address knows best which town is meant.
fn mark_addresses(mentions: &mut Vec<Mention>, addresses: &[Address]) {
    for address in addresses {
        let first = mentions.partition_point(|it| it.span.end <= address.span.start);
        for it in mentions[first..].iter_mut().take_while(|it| it.span.start < address.span.end) {
            let is = |part: &Option<crate::Part>| {
                part.as_ref().is_some_and(|part| {
                    part.range.start <= it.span.start && it.span.end <= part.range.end
                })
            };
            let is_street = it.class == Class::Street || is(&address.street);
            if let Some(position) = address.position.filter(|_| is_street || is(&address.city)) {
                it.place = Some(if is_street {
                    position.place
                } else {
                    position.city.unwrap_or(position.place)
                });
                it.point = Some(position.point);
                it.is_listed = position.city.is_some();
                it.confidence = (address.confidence * position.confidence) as f32;
                it.why = None;
            }
            it.class = if is_street { Class::Street } else { Class::AddressPart };
        }
    }
    let unnamed: Vec<Mention> = addresses.iter().filter_map(|it| city_of(it, mentions)).collect();
    mentions.extend(unnamed);
    mentions.sort_by_key(|it| it.span.start);
}

/// The city of an address, if it is not among the mentions.
fn city_of(address: &Address, mentions: &[Mention]) -> Option<Mention> {
    let (part, position) = address.city.as_ref().zip(address.position)?;
    let first = mentions.partition_point(|it| it.span.end <= part.range.start);
    let is_named = mentions.get(first).is_some_and(|it| it.span.start < part.range.end);
    (!is_named).then(|| Mention {
        span: part.range.clone(),
        class: Class::AddressPart,
        place: Some(position.city.unwrap_or(position.place)),
        point: Some(position.point),
        is_listed: position.city.is_some(),
        confidence: (address.confidence * position.confidence) as f32,
        why: None,
    })
}

/// What a mention counts by where it stands: a title says what a page is about, a menu hardly.
fn weight_of_block(role: Role, area: Area, is_main: bool) -> f64 {
    match (role, area, is_main) {
        (Role::Heading(1 | 2), _, _) => 2.0,
        (Role::Heading(_), _, _) => 1.5,
        (_, _, true) => 1.0,
        (_, Area::Navigation | Area::Footer | Area::Aside | Area::Header, false) => 0.3,
        _ => 0.6,
    }
}

/// What a mention counts by how it names its place.
fn weight_of_class(class: Class) -> f64 {
    match class {
        Class::Place | Class::Poi => 1.0,
        Class::Metonym => 0.7,
        Class::Demonym => 0.4,
        Class::Street | Class::AddressPart => 0.0,
    }
}

/// Everything a page names, in its order, with what it counts.
fn sightings(page: &Page, survey: &Survey) -> Vec<Sighting> {
    let mut list = Vec::new();
    let mut add = |mention: &Mention, weight: f64| {
        let weight = weight * weight_of_class(mention.class) * f64::from(mention.confidence);
        if let (Some(place), Some(point), true) = (mention.place, mention.point, weight > 0.0) {
            list.push(Sighting { place, point, weight });
        }
    };
    survey.title_mentions.iter().for_each(|it| add(it, TITLE_WEIGHT));
    for mention in &survey.mentions {
        let at = page.blocks.partition_point(|it| it.range.end <= mention.span.start);
        let block = page.blocks.get(at);
        add(mention, block.map_or(1.0, |it| weight_of_block(it.role, it.area, it.is_main)));
    }
    for address in &survey.addresses {
        if let Some(position) = address.position {
            let weight = ADDRESS_WEIGHT * address.confidence * position.confidence;
            list.push(sighting(&position, weight));
        }
    }
    for stated in &survey.stated {
        list.push(sighting(&stated.position, ADDRESS_WEIGHT * stated.position.confidence));
    }
    list
}

fn sighting(position: &Position, weight: f64) -> Sighting {
    Sighting { place: position.city.unwrap_or(position.place), point: position.point, weight }
}
