//! Free text to places: addresses, names, coordinates, codes.

use std::fmt;

use earth::{Meters, PlusCode, Point, parse_coordinates, parse_geo_uri};

use crate::asked::{Asked, is_generic, is_joining, mask};
use crate::fact::NameClass;
use crate::gazetteer::Gazetteer;
use crate::key::is_key;
use crate::kind::Kind;
use crate::name_index::{aptness, is_one_edit_apart};
use crate::place::{Place, PlaceId};
use crate::reading::{Reading, Readings};
use crate::spelling::spelling;

/// What may be meant by a text, with how it was understood.
pub struct Candidate<'g> {
    /// The place; of a coordinate, the nearest that is known.
    pub place: Place<'g>,
    /// The position: of the house if it is known, else of the place.
    pub point: Point,
    /// How exact the position is.
    pub precision: Precision,
    /// The house number, if it was asked for and is known.
    pub house: Option<String>,
    /// How sure it is that this is meant, 0 to 1; the candidates together have at most 1.
    pub confidence: f64,
    /// How well it fits, for ordering.
    pub score: f64,
    /// The name that fits, as it is spelled in the index.
    pub matched: String,
    /// What was not understood, or only in part.
    pub notes: Vec<String>,
}

/// How exact a position is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Precision {
    /// Country, region, county or wider.
    Region,
    /// A city or a part of it.
    City,
    /// The area of a postcode.
    Postcode,
    /// A street.
    Street,
    /// An airport, a sight, a piece of nature.
    Spot,
    /// A house.
    House,
    /// A coordinate or a code for one.
    Coordinate,
}

impl Precision {
    /// The precision in one lower-case word.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Region => "region",
            Self::City => "city",
            Self::Postcode => "postcode",
            Self::Street => "street",
            Self::Spot => "spot",
            Self::House => "house",
            Self::Coordinate => "coordinate",
        }
    }

    pub(crate) fn of(kind: Kind) -> Self {
        match kind {
            Kind::City | Kind::District | Kind::Municipality => Self::City,
            Kind::Postcode => Self::Postcode,
            Kind::Street => Self::Street,
            Kind::Airport | Kind::Feature | Kind::Poi => Self::Spot,
            _ => Self::Region,
        }
    }
}

impl fmt::Display for Precision {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl Candidate<'_> {
    /// As one would write it: `Mannerheimintie 2, Helsinki, Uusimaa, Finland`.
    pub fn label(&self) -> String {
        match (&self.house, self.precision) {
            (_, Precision::Coordinate) => format!("{} (near {})", self.point, self.place.label()),
            (Some(number), _) => {
                let label = self.place.label();
                label.replacen(self.place.name(), &format!("{} {number}", self.place.name()), 1)
            }
            (None, _) => self.place.label(),
        }
    }
}

/// How sharply confidence falls with the score: 0.05 less is a third.
const SHARPNESS: f64 = 20.0;
/// How many candidates share the confidence, however few are asked for.
const COMPARED: usize = 20;
/// How far from its city an airport may lie.
const AIRPORT_REACH: Meters = Meters(45_000.0);
/// A query longer than this is cut.
const LONGEST_QUERY: usize = 1000;

impl Gazetteer {
    /// What a text may mean, best first: an address, a name, a coordinate, a `geo:` link, a plus code, a key.
    ///
    /// There is always more than one candidate where more than one place could be meant.
    pub fn geocode(&self, query: &str, focus: Option<Point>, most: usize) -> Vec<Candidate<'_>> {
        let end = (0..=LONGEST_QUERY.min(query.len()))
            .rev()
            .find(|&at| query.is_char_boundary(at))
            .unwrap_or(0);
        let query = query[..end].trim();
        match self.keyed(query).or_else(|| self.position(query, focus)) {
            Some(found) => vec![found],
            None => self.named_in(query, focus, most),
        }
    }

    /// The place whose key the text is: nothing else can be meant by it.
    fn keyed(&self, query: &str) -> Option<Candidate<'_>> {
        let place = is_key(query).then(|| self.by_key(query)).flatten()?;
        Some(Candidate {
            place,
            point: place.point(),
            precision: Precision::of(place.kind()),
            house: None,
            confidence: 1.0,
            score: 1.0,
            matched: query.to_owned(),
            notes: Vec::new(),
        })
    }

    /// What a text that is no position may mean.
    fn named_in(&self, query: &str, focus: Option<Point>, most: usize) -> Vec<Candidate<'_>> {
        let mut asked = Asked::new(self, query);
        let mut readings = Readings::new(self, focus);
        self.read(&asked, &mut readings);
        if readings.best_coverage() < 0.99 {
            let known = asked.spans.len();
            asked.find_similar(self);
            if asked.spans.len() > known {
                self.read(&asked, &mut readings);
            }
        }
        let mut found = self.candidates(readings.best(&asked, most.max(COMPARED)));
        found.truncate(most);
        found
    }

    fn position(&self, query: &str, focus: Option<Point>) -> Option<Candidate<'_>> {
        let link = || parse_geo_uri(query).map(|link| link.point);
        let point =
            parse_coordinates(query).or_else(link).or_else(|| self.plus_code(query, focus))?;
        let around = self.reverse(point);
        let nearest = around.nearest.map(|(place, _)| place);
        let place = nearest
            .or(around.containing.first().copied())
            .unwrap_or_else(|| self.place(PlaceId::WORLD));
        Some(Candidate {
            place,
            point,
            precision: Precision::Coordinate,
            house: None,
            confidence: 1.0,
            score: 1.0,
            matched: query.to_owned(),
            notes: Vec::new(),
        })
    }

    /// A full plus code is a position; a short one needs the place written beside it, or the focus.
    fn plus_code(&self, query: &str, focus: Option<Point>) -> Option<Point> {
        let (word, code) =
            query.split([' ', ',']).find_map(|word| Some((word, plus_code_of(word)?)))?;
        if !code.is_short() {
            return code.center();
        }
        let rest = query.replacen(word, " ", 1);
        let near = self.named_in(&rest, focus, 1).first().map(|it| it.point).or(focus)?;
        code.recover_nearest(near).center()
    }

    fn read(&self, asked: &Asked, readings: &mut Readings<'_>) {
        for span in &asked.spans {
            for &(id, class) in &span.bearers {
                readings.offer(asked, Reading::of_name(id, class, span));
            }
        }
        self.read_longer_names(asked, readings);
        self.read_words(asked, readings);
        self.read_airports_of_cities(asked, readings);
    }

    /// `Flughafen München`: an airport need not bear the name of its city in the language of the query.
    fn read_airports_of_cities(&self, asked: &Asked, readings: &mut Readings<'_>) {
        if asked.airport_words == 0 {
            return;
        }
        for span in asked.spans.iter().filter(|it| it.edits == 0) {
            let cities = span.bearers.iter().map(|(id, _)| self.place(*id));
            for city in cities.filter(|it| it.kind() == Kind::City).take(3) {
                let near = self
                    .nearest_spots(city.point(), 6, AIRPORT_REACH, |kind| kind == Kind::Airport);
                for (id, _) in
                    near.into_iter().filter(|(id, _)| self.place(*id).tag("iata").is_some())
                {
                    let name = spelling(self.place(id).name());
                    let words = (asked.airport_words, 0);
                    readings
                        .offer(asked, Reading::of_words(id, NameClass::Main, words, 0.5, &name));
                }
            }
        }
    }

    /// `Neustadt` may be `Neustadt an der Weinstraße`: places whose main names begin with the query, or with
    /// what stands before its first comma.
    fn read_longer_names(&self, asked: &Asked, readings: &mut Readings<'_>) {
        let end =
            (1..asked.words.len()).find(|&at| asked.words[at].breaks).unwrap_or(asked.words.len());
        for end in [end, asked.words.len()] {
            let start = format!("{} ", asked.spelling_of(0..end));
            for name in self.index.complete(&start, 0, 12) {
                let own = |(id, _): &(PlaceId, NameClass)| {
                    spelling(self.place(*id).name()) == name.spelling
                };
                for (id, class) in self.index.bearers(&name).filter(own).take(6) {
                    let words = name.spelling.split(' ').count();
                    readings.offer(
                        asked,
                        Reading::of_part(id, class, mask(0..end), end, words, &name.spelling),
                    );
                }
            }
            if end == asked.words.len() {
                break;
            }
        }
    }

    /// Long names given in part or in another order: places that bear the most telling words of the query.
    fn read_words(&self, asked: &Asked, readings: &mut Readings<'_>) {
        for id in self.bearers_of_words(asked) {
            let place = self.place(id);
            let names = std::iter::once((NameClass::Main, place.name())).chain(place.names());
            let full =
                names.filter(|(class, _)| matches!(class, NameClass::Main | NameClass::Alternate));
            let main = spelling(place.name());
            for (class, name) in full {
                let name = spelling(name);
                // A city's by-name in some language (`New York van Java`) is not looked for in part.
                if place.kind() < Kind::Street && aptness(place.kind(), class, &main, &name) < 0.95
                {
                    continue;
                }
                let is_wide = place.kind() <= Kind::Region;
                if let Some(reading) = reading_of_words(asked, id, class, &name, is_wide) {
                    readings.offer(asked, reading);
                }
            }
        }
    }

    /// The places that share the most telling words with the query.
    fn bearers_of_words(&self, asked: &Asked) -> Vec<PlaceId> {
        let mut votes: std::collections::HashMap<PlaceId, f64> = std::collections::HashMap::new();
        let wanted = |id: &PlaceId| asked.airport_words == 0 || self.row(*id).kind == Kind::Airport;
        for word in asked.words.iter().filter(|it| !is_joining(&it.text) && !is_generic(&it.text)) {
            let mut forms = vec![word.text.clone()];
            if self.index.bearers_of_word(&word.text) == 0 && word.text.len() > 3 {
                forms = self.index.similar_words(&word.text, 1, 4);
            }
            for form in forms {
                let bearers = self.index.with_word(&form);
                let telling = (self.len() as f64 / (bearers.len() as f64 + 1.0)).ln();
                for id in bearers.into_iter().filter(wanted) {
                    *votes.entry(id).or_default() += telling;
                }
            }
        }
        let mut found: Vec<_> = votes.into_iter().collect();
        let by_votes =
            |a: &(PlaceId, f64), b: &(PlaceId, f64)| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0));
        if found.len() > 80 {
            found.select_nth_unstable_by(80, by_votes);
            found.truncate(80);
        }
        found.into_iter().map(|(id, _)| id).collect()
    }

    fn candidates(&self, readings: Vec<(Reading, f64, f64)>) -> Vec<Candidate<'_>> {
        let best = readings.first().map_or(0.0, |it| it.1);
        let share = |score: f64| ((score - best) * SHARPNESS).exp();
        let whole: f64 = readings.iter().map(|it| share(it.1)).sum();
        let candidate = |(reading, score, coverage): (Reading, f64, f64)| {
            let place = self.place(reading.place);
            let house = reading.house.as_ref().filter(|it| it.known).map(|it| it.number.clone());
            Candidate {
                place,
                point: reading.house.as_ref().map_or(place.point(), |it| it.point),
                precision: if house.is_some() {
                    Precision::House
                } else {
                    Precision::of(place.kind())
                },
                house,
                confidence: coverage.min(1.0) * share(score) / whole,
                score,
                matched: reading.matched,
                notes: reading.notes,
            }
        };
        readings.into_iter().map(candidate).collect()
    }
}

/// A plus code of which at least four digits stand before the plus: `+49` begins a telephone number.
fn plus_code_of(word: &str) -> Option<PlusCode> {
    let (before, _) = word.split_once('+')?;
    if before.len() < 4 { None } else { PlusCode::parse(word) }
}

/// How a name's words lie in the query, if enough of them do: two, or one of a country or region (`Korea`).
fn reading_of_words(
    asked: &Asked,
    id: PlaceId,
    class: NameClass,
    name: &str,
    is_wide: bool,
) -> Option<Reading> {
    let (mut bits, mut edits) = (0_u32, 0_u8);
    let (mut matched, mut telling, mut whole) = (0.0, 0.0, 0.0);
    for word in name.split(' ') {
        let weight = if is_generic(word) || is_joining(word) { 0.35 } else { 1.0 };
        whole += weight;
        let at = (0..asked.words.len())
            .find(|&at| bits >> at & 1 == 0 && is_same_word(&asked.words[at].text, word));
        if let Some(at) = at {
            bits |= 1 << at;
            edits += u8::from(asked.words[at].text != word);
            matched += weight;
            telling += f64::from(u8::from(weight >= 1.0));
        }
    }
    let enough = telling > 0.0 && (is_wide || (bits | asked.airport_words).count_ones() > 1);
    enough.then(|| Reading::of_words(id, class, (bits, edits), matched / whole, name))
}

/// Equal, or equal but for one letter in a longer word.
fn is_same_word(one: &str, other: &str) -> bool {
    one == other
        || (one.len() > 4 && other.len() > 4 && is_one_edit_apart(one.as_bytes(), other.as_bytes()))
}
