//! Addresses: street, number, unit, postcode, city, region and country in a text, and where they are.

mod anchor;
mod atlas;
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

pub use self::position::{AddressParts, Hints, Position};

use self::atlas::Atlas;
use self::position::Evidence;
use self::reading::Reading;
use self::street::{Proof, Street};
use self::street_word::{Roles, Tongue, Tongues, compound, is_particle, roles};
use self::token::{Gap, Tokens};

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
            let window = anchor.window.start.max(least)..anchor.window.end;
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

/// How sure it is that words found in a text are an address; nothing if they are none.
fn certainty(
    atlas: &Atlas<'_>,
    tokens: &Tokens<'_>,
    reading: &Reading,
    address: &Address,
) -> Option<f64> {
    if reading.po_box.is_some() {
        return Some(0.9);
    }
    let town = &reading.town;
    let street = reading.street.as_ref()?;
    let named = is_written_as_name(tokens, reading, street);
    let known = town.known && address.position.is_some_and(|it| it.city.is_some());
    let coded = town.postcode.is_some();
    let backed = coded || town.region.is_some();
    if !named || (!backed && is_unlikely_number(reading, address)) {
        return None;
    }
    let dated = is_dated(tokens, reading);
    match street.proof {
        Proof::Word if known && backed => Some(0.95),
        Proof::Word if known => Some(0.85),
        Proof::Word if coded && town.city.is_some() => Some(0.85),
        Proof::Word if coded => Some(0.7),
        Proof::Word => Some(0.5),
        _ if dated => None,
        Proof::Hint if known && coded => Some(0.9),
        Proof::Hint if coded && town.city.is_some() => Some(0.6),
        Proof::Hint if known && is_alone_enough(atlas, tokens, reading, address) => Some(0.55),
        Proof::Beside if known && is_set_apart(tokens, reading) && is_code_enough(reading) => {
            Some(0.75)
        }
        _ => None,
    }
}

/// Names of streets have capitals but for small words; one more small word is forgiven behind a leading word, as in
/// `rue du général Leclerc`. A code that is nothing else makes up for all of it.
fn is_written_as_name(tokens: &Tokens<'_>, reading: &Reading, street: &Street) -> bool {
    let code = reading.town.postcode.as_ref();
    let first = street.words.start;
    let leads = roles(tokens.word(first)).may_lead();
    let is_small = |at: usize| {
        let word = tokens.word(at);
        let says_street = roles(word) != Roles::default() || compound(word).is_some();
        let own = at == first || tokens.gap(at) != Gap::Tight;
        own && !tokens.is_capital(at) && !is_numeric(word) && !is_particle(word) && !says_street
    };
    let small = street.words.clone().filter(|at| is_small(*at)).count();
    // A lone `via` is a word of many tongues.
    let lower_lead = leads && (code.is_some() || tokens.word(first) != "via");
    let starts = tokens.is_capital(first) || is_numeric(tokens.word(first)) || lower_lead;
    code.is_some_and(|it| it.sure) || (starts && small <= usize::from(leads))
}

fn is_numeric(word: &str) -> bool {
    word.starts_with(|it: char| it.is_ascii_digit())
}

/// A number that is rather a year, or rather a postcode: five digits behind a street.
fn is_unlikely_number(reading: &Reading, address: &Address) -> bool {
    let number = address.number.as_ref().map_or("", |it| it.text.as_str());
    let last = is_number_last(reading);
    let recent = number.starts_with("19") || number.starts_with("20");
    let past = last && ["15", "16", "17", "18"].iter().any(|it| number.starts_with(it));
    (number.len() == 4 && (recent || past)) || (number.len() == 5 && last)
}

/// True if the postcode may be a year, as in lists of references: `Genetics 147, 1997`. On a line of its own it
/// hardly is.
fn is_dated(tokens: &Tokens<'_>, reading: &Reading) -> bool {
    let Some(code) = &reading.town.postcode else { return false };
    let word = tokens.word(code.code);
    let year = word.len() == 4
        && code.words.len() == 1
        && (word.starts_with("19") || word.starts_with("20"));
    year && tokens.gap(code.words.start) != Gap::Line
}

/// True if a street of which little shows that it is one stands alone on its line beside a city of some size.
fn is_alone_enough(
    atlas: &Atlas<'_>,
    tokens: &Tokens<'_>,
    reading: &Reading,
    address: &Address,
) -> bool {
    const LARGE: u64 = 20_000;
    let english = reading.street.as_ref().is_some_and(|it| it.tongues.has(Tongue::English));
    let city = address.position.and_then(|it| it.city);
    let large = city.is_some_and(|it| atlas.gazetteer.place(it).population() >= LARGE);
    !english && large && is_set_apart(tokens, reading) && !is_town(atlas, address)
}

fn is_number_last(reading: &Reading) -> bool {
    match (&reading.street, &reading.number) {
        (Some(street), Some(number)) => street.words.end <= number.start,
        _ => false,
    }
}

/// Behind a number and words that nothing shows to be a street, only a code that is nothing else will do.
fn is_code_enough(reading: &Reading) -> bool {
    reading.town.postcode.as_ref().is_some_and(|it| it.sure || is_number_last(reading))
}

/// True if what was taken for a street is the name of a town.
fn is_town(atlas: &Atlas<'_>, address: &Address) -> bool {
    address.street.as_ref().is_some_and(|it| !atlas.towns(&it.text).is_empty())
}

/// True if the street begins a line or a segment of its own, and the town another.
fn is_set_apart(tokens: &Tokens<'_>, reading: &Reading) -> bool {
    let (Some(street), Some(number)) = (&reading.street, &reading.number) else { return false };
    let start = street.words.start.min(number.start);
    let end = street.words.end.max(number.end);
    let short = street.words.len() <= 4;
    short && tokens.gap(start) >= Gap::Comma && tokens.gap(end) >= Gap::Comma
}
