//! Addresses: street, number, unit, postcode, city, region and country in a text, and where they are.

mod anchor;
mod atlas;
mod certainty;
mod number;
mod po_box;
mod position;
mod postal_area;
mod postcode;
mod reading;
mod street;
mod street_word;
mod token;
mod town;
mod unit;

use std::ops::Range;

use gazetteer::Gazetteer;

pub use self::position::{AddressParts, Position};

use crate::hints::Hints;

use self::atlas::Atlas;
use self::certainty::certainty;
use self::position::Evidence;
use self::reading::Reading;
use self::street_word::Tongues;
use self::token::Tokens;

/// A part of an address: what it says and where that stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// Its bytes in the text.
    pub range: Range<usize>,
    /// As it is written.
    pub text: String,
}

/// An address in a text.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Address {
    /// Its bytes in the text, from its first part to its last.
    pub span: Range<usize>,
    /// The street without its number.
    pub street: Option<Part>,
    /// The house number.
    pub number: Option<Part>,
    /// Floor, door, suite.
    pub unit: Option<Part>,
    /// A box at the post office, which is no place to go to.
    pub po_box: Option<Part>,
    /// The postcode, without a country's letters before it.
    pub postcode: Option<Part>,
    /// City, town or village.
    pub city: Option<Part>,
    /// State, province or county, by name or code.
    pub region: Option<Part>,
    /// The country, if it is named.
    pub country: Option<Part>,
    /// Where it is, as far as the gazetteer knows.
    pub position: Option<Position>,
    /// How sure it is that this is an address, 0 to 1.
    pub confidence: f64,
}

impl Address {
    /// True for street, number and city: enough to find the house.
    pub fn is_full(&self) -> bool {
        self.street.is_some()
            && self.number.is_some()
            && self.city.is_some()
            && self.po_box.is_none()
    }

    /// Street and house number in the order they are written in: `Mannerheimintie 2`, `10 Downing Street`; nothing
    /// without both.
    pub fn street_line(&self) -> Option<String> {
        let (street, number) = (self.street.as_ref()?, self.number.as_ref()?);
        let is_number_first = number.range.start < street.range.start;
        let (first, last) = if is_number_first { (number, street) } else { (street, number) };
        Some(format!("{} {}", first.text, last.text))
    }

    /// Its parts as text.
    pub fn parts(&self) -> AddressParts<'_> {
        fn text(part: Option<&Part>) -> &str {
            part.map_or("", |it| it.text.as_str())
        }
        AddressParts {
            street: text(self.street.as_ref()),
            number: text(self.number.as_ref()),
            postcode: text(self.postcode.as_ref()),
            city: text(self.city.as_ref()),
            region: text(self.region.as_ref()),
            country: text(self.country.as_ref()),
        }
    }
}

/// The reader of addresses. It is made once for a gazetteer and may be asked by any number of threads.
pub struct Addresses<'g> {
    atlas: Atlas<'g>,
}

/// No address has more words.
const MOST_WORDS: usize = 48;
/// What is known to be an address is hardly longer, in bytes.
const LONGEST: usize = 400;

impl<'g> Addresses<'g> {
    /// Prepares what addresses need to know of a gazetteer.
    pub fn new(gazetteer: &'g Gazetteer) -> Self {
        Self { atlas: Atlas::new(gazetteer) }
    }

    /// The addresses in a text, in order and apart from each other.
    ///
    /// Lines end with `\n`, table cells with `\t`. An address without a city is given too if its street is sure;
    /// [`Address::is_full`] tells.
    pub fn find(&self, text: &str, hints: &Hints) -> Vec<Address> {
        let mut found: Vec<Address> = Vec::new();
        let mut at = 0;
        while let Some(anchor) = anchor::next(text, at) {
            at = anchor.number.end;
            let least = found.last().map_or(0, |it| it.span.end);
            let window =
                in_row(text, &anchor.number, anchor.window.start.max(least)..anchor.window.end);
            if window.start > anchor.number.start {
                continue;
            }
            if let Some(address) = self.at(text, &anchor.number, window, hints) {
                at = at.max(address.span.end);
                found.push(address);
            }
        }
        found
    }

    /// Reads a text that is known to be an address, or part of one.
    pub fn parse(&self, text: &str, hints: &Hints) -> Address {
        let end = text.floor_char_boundary(LONGEST.min(text.len()));
        let tokens = Tokens::new(text, 0..end, MOST_WORDS);
        match reading::given(&self.atlas, &tokens) {
            Some(reading) => self.address(text, &tokens, &reading, hints),
            None => Address::default(),
        }
    }

    /// Where an address with these parts is.
    pub fn locate(&self, parts: &AddressParts<'_>, hints: &Hints) -> Option<Position> {
        let tokens = Tokens::new(parts.postcode, 0..parts.postcode.len(), 3);
        let countries = postcode::at(&tokens, 0).map_or(&[][..], |it| it.countries);
        let evidence = Evidence { postcode_countries: countries, tongues: Tongues::default() };
        position::position(&self.atlas, parts, evidence, hints)
    }

    /// The address whose house number, or whose box, is the number at these bytes.
    fn at(
        &self,
        text: &str,
        number: &Range<usize>,
        window: Range<usize>,
        hints: &Hints,
    ) -> Option<Address> {
        let tokens = Tokens::new(text, window, MOST_WORDS);
        let at = (0..tokens.len()).find(|&it| tokens.bytes(it..it + 1).contains(&number.start))?;
        if tokens.bytes(at..at + 1).start != number.start {
            return None;
        }
        let reading = reading::found(&self.atlas, &tokens, at)?;
        let mut address = self.address(text, &tokens, &reading, hints);
        address.confidence = certainty(&self.atlas, &tokens, &reading, &address)?;
        Some(address)
    }

    fn address(
        &self,
        text: &str,
        tokens: &Tokens<'_>,
        reading: &Reading,
        hints: &Hints,
    ) -> Address {
        let part = |range: Range<usize>| Part { text: text[range.clone()].to_owned(), range };
        let plain = |words: &Option<Range<usize>>| words.clone().map(|it| part(tokens.bytes(it)));
        let town = &reading.town;
        let mut address = Address {
            street: reading
                .street
                .as_ref()
                .map(|it| part(tokens.bytes_with_stop(it.words.clone()))),
            number: plain(&reading.number),
            unit: plain(&reading.unit),
            po_box: plain(&reading.po_box),
            postcode: town.postcode.as_ref().map(|it| part(tokens.bytes(it.code..it.words.end))),
            city: plain(&town.city),
            region: plain(&town.region),
            country: plain(&town.country),
            confidence: 1.0,
            ..Address::default()
        };
        address.span = span(&address);
        let evidence = Evidence {
            postcode_countries: town.postcode.as_ref().map_or(&[][..], |it| it.countries),
            tongues: reading.street.as_ref().map_or(Tongues::default(), |it| it.tongues),
        };
        address.position = position::position(&self.atlas, &address.parts(), evidence, hints);
        address
    }
}

/// A window no larger than the row, if the number stands in a row of three cells or more: the next row speaks of
/// something else. Rows of two are a label with its value, and an address may go on over them.
fn in_row(text: &str, number: &Range<usize>, window: Range<usize>) -> Range<usize> {
    if window.start > number.start {
        return window;
    }
    let start = text[window.start..number.start]
        .rfind('\n')
        .map_or(window.start, |it| window.start + it + 1);
    let end = text[number.end..window.end].find('\n').map_or(window.end, |it| number.end + it);
    let cells = text[start..end].matches('\t').count() + 1;
    if cells > 2 { start..end } else { window }
}

/// From the first part to the last.
fn span(address: &Address) -> Range<usize> {
    let parts = [
        &address.street,
        &address.number,
        &address.unit,
        &address.po_box,
        &address.postcode,
        &address.city,
        &address.region,
        &address.country,
    ];
    let ranges = || parts.iter().filter_map(|it| it.as_ref()).map(|it| &it.range);
    let start = ranges().map(|it| it.start).min().unwrap_or(0);
    start..ranges().map(|it| it.end).max().unwrap_or(0)
}
