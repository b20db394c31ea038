//! Readings of a query: a place that is meant, and the words that bear it out.

use std::collections::HashMap;

use earth::{Meters, Point};

use crate::asked::{Asked, Span, is_house_number};
use crate::fact::NameClass;
use crate::gazetteer::Gazetteer;
use crate::kind::Kind;
use crate::layout::house_value;
use crate::name_index::aptness;
use crate::place::{Place, PlaceId};
use crate::spelling::spelling;
use crate::suggest::nearness;

/// What counts in a reading. Most of all how much of the query it explains; then how well known the place is,
/// and how much of the name was given.
const COVERAGE: f64 = 0.62;
const KNOWN: f64 = 0.28;
const TIGHTNESS: f64 = 0.10;
/// What it is worth to be of the kind the query names.
const OF_THE_KIND: f64 = 0.06;
/// What it is worth to be a street beside whose name a house number stands: then no city is meant.
const ADDRESS: f64 = 0.15;
/// What it is worth to be a postcode that stands beside its city: it says more exactly where.
const POSTCODE: f64 = 0.12;
/// A reading that fits so much worse than the best is none.
const FAR_BELOW: f64 = 0.35;
/// What it takes away to be only the division of a city that fits better: another place of that name is more
/// likely to be the one that is meant.
const TWIN: f64 = 0.08;
/// How many candidates more than wanted are looked at for such divisions.
const TWINS: usize = 20;
/// What a typing error takes away.
const ERROR: f64 = 0.06;
/// What a name that is not the main one takes away at most.
const BY_NAME: f64 = 0.05;
/// How far a city may be from an airport, street or sight that is said to be there.
const THERE: Meters = Meters(40_000.0);

/// A place that may be meant, and the words that bear it out.
pub(crate) struct Reading {
    pub(crate) place: PlaceId,
    pub(crate) matched: String,
    pub(crate) house: Option<ReadHouse>,
    pub(crate) notes: Vec<String>,
    class: NameClass,
    /// The words that are its name.
    words: u32,
    /// How much of the name they are, 0 to 1.
    tightness: f64,
    edits: u8,
}

/// A house number that was asked for.
pub(crate) struct ReadHouse {
    /// The words it was read from.
    words: u32,
    pub(crate) number: String,
    pub(crate) point: Point,
    pub(crate) known: bool,
}

impl Reading {
    pub(crate) fn of_name(place: PlaceId, class: NameClass, span: &Span) -> Self {
        Self {
            place,
            matched: span.spelling.clone(),
            house: None,
            notes: Vec::new(),
            class,
            words: span.mask(),
            tightness: 1.0,
            edits: span.edits,
        }
    }

    /// A name of which the query gives the first words only.
    pub(crate) fn of_part(
        place: PlaceId,
        class: NameClass,
        words: u32,
        given: usize,
        all: usize,
        name: &str,
    ) -> Self {
        let tightness = 0.5 * given as f64 / all.max(1) as f64;
        Self {
            place,
            matched: name.to_owned(),
            house: None,
            notes: Vec::new(),
            class,
            words,
            tightness,
            edits: 0,
        }
    }

    /// A name of which the query gives these words, in any order.
    pub(crate) fn of_words(
        place: PlaceId,
        class: NameClass,
        (words, edits): (u32, u8),
        tightness: f64,
        name: &str,
    ) -> Self {
        let tightness = tightness * 0.8;
        Self {
            place,
            matched: name.to_owned(),
            house: None,
            notes: Vec::new(),
            class,
            words,
            tightness,
            edits,
        }
    }
}

/// The readings of a query so far, one a place.
pub(crate) struct Readings<'g> {
    gazetteer: &'g Gazetteer,
    focus: Option<Point>,
    by_place: HashMap<PlaceId, (Reading, f64, f64)>,
    best_coverage: f64,
}

impl<'g> Readings<'g> {
    pub(crate) fn new(gazetteer: &'g Gazetteer, focus: Option<Point>) -> Self {
        Self { gazetteer, focus, by_place: HashMap::new(), best_coverage: 0.0 }
    }

    /// How much of the query is explained without forgiving a typing error.
    pub(crate) fn best_coverage(&self) -> f64 {
        self.best_coverage
    }

    /// Takes a reading if it is the best of its place.
    pub(crate) fn offer(&mut self, asked: &Asked, mut reading: Reading) {
        let place = self.gazetteer.place(reading.place);
        if place.id() == PlaceId::WORLD {
            return;
        }
        let mut weight = asked.weight_of(reading.words);
        let mut taken = reading.words;
        let mut bonus = 0.0;
        if place.kind() == Kind::Street
            && let Some((number, house)) = house_number(self.gazetteer, asked, &place, taken)
        {
            taken |= number;
            weight += asked.weight_of(number) * if house.known { 1.0 } else { 0.5 };
            reading.house = Some(ReadHouse { words: number, ..house });
            bonus += ADDRESS;
        }
        if place.kind() == Kind::Airport {
            weight += 0.95 * asked.weight_of(asked.airport_words & !taken);
            taken |= asked.airport_words;
        }
        let of_its_kind = asked.kind_words(place.kind()) & !taken;
        if of_its_kind != 0 {
            weight += 0.95 * asked.weight_of(of_its_kind);
            taken |= of_its_kind;
            bonus += OF_THE_KIND / 2.0;
        }
        let borne_out = self.borne_out(asked, &place, taken);
        if place.kind() == Kind::Postcode && borne_out > 0.0 {
            bonus += POSTCODE;
        }
        let is_all = reading.words.count_ones() as usize == asked.words.len();
        if place.kind() == Kind::Airport && reading.class == NameClass::Short && is_all {
            bonus += OF_THE_KIND;
        }
        weight += borne_out;
        let coverage = weight / asked.whole_weight();
        let asked_for =
            f64::from(u8::from(asked.airport_words != 0 && place.kind() == Kind::Airport));
        let score = self.score(&place, &reading, coverage) + OF_THE_KIND * asked_for + bonus;
        if reading.edits == 0 {
            self.best_coverage = self.best_coverage.max(coverage);
        }
        let known = self.by_place.get(&reading.place).is_some_and(|it| it.1 >= score);
        if !known {
            self.by_place.insert(reading.place, (reading, score, coverage));
        }
    }

    fn score(&self, place: &Place<'_>, reading: &Reading, coverage: f64) -> f64 {
        let aptness =
            aptness(place.kind(), reading.class, &spelling(place.name()), &reading.matched);
        COVERAGE * coverage
            + KNOWN * aptness * place.importance() * (0.6 + 0.4 * reading.tightness)
            + TIGHTNESS * reading.tightness
            - ERROR * f64::from(reading.edits)
            - BY_NAME * ((0.97 - aptness) * 25.0).clamp(0.0, 1.0)
            + 0.5 * nearness(place, self.focus)
    }

    /// What the other words weigh that name something the place is part of or near to: the best way to choose
    /// names that do not share words.
    fn borne_out(&self, asked: &Asked, place: &Place<'_>, taken: u32) -> f64 {
        let lineage: Vec<PlaceId> =
            self.gazetteer.ancestors(place.id()).map(|it| it.id()).collect();
        let helpful: Vec<(usize, usize, f64)> = asked
            .spans
            .iter()
            .filter(|span| span.mask() & taken == 0)
            .filter_map(|span| {
                let share = self.share_borne_out(place, &lineage, span)?;
                Some((span.start, span.end, share * asked.weight_of(span.mask())))
            })
            .collect();
        let mut best = vec![0.0_f64; asked.words.len() + 1];
        for end in 1..best.len() {
            best[end] = best[end - 1];
            for &(start, stop, gain) in helpful.iter().filter(|it| it.1 == end) {
                best[stop] = best[stop].max(best[start] + gain);
            }
        }
        best[asked.words.len()]
    }

    /// How surely a name in the query is said of where the place is.
    fn share_borne_out(&self, place: &Place<'_>, lineage: &[PlaceId], span: &Span) -> Option<f64> {
        let error = 1.0 - 0.15 * f64::from(span.edits);
        if lineage.iter().any(|it| span.names(*it)) {
            return Some(error);
        }
        let lies_about = matches!(
            place.kind(),
            Kind::Street
                | Kind::Poi
                | Kind::Airport
                | Kind::Postcode
                | Kind::District
                | Kind::Feature
        );
        let near = || {
            span.bearers.iter().take(40).any(|&(id, _)| {
                let other = self.gazetteer.place(id);
                matches!(other.kind(), Kind::City | Kind::Postcode)
                    && other.point().distance(place.point()) <= THERE
            })
        };
        (lies_about && near()).then_some(0.85 * error)
    }

    /// The best readings with their scores and coverages, and notes on what they leave open.
    pub(crate) fn best(self, asked: &Asked, most: usize) -> Vec<(Reading, f64, f64)> {
        let best_first = |a: &(Reading, f64, f64), b: &(Reading, f64, f64)| {
            b.1.total_cmp(&a.1).then(a.0.place.cmp(&b.0.place))
        };
        let mut all: Vec<_> = self.by_place.into_values().collect();
        all.sort_by(best_first);
        all.truncate(most.saturating_add(TWINS));
        for at in 1..all.len() {
            let is_twin =
                (0..at).any(|better| is_twin(self.gazetteer, all[at].0.place, all[better].0.place));
            all[at].1 -= if is_twin { TWIN } else { 0.0 };
        }
        all.sort_by(best_first);
        let best = all.first().map_or(0.0, |it| it.1);
        all.retain(|it| it.1 >= best - FAR_BELOW);
        all.truncate(most);
        for (reading, _, _) in &mut all {
            reading.notes = notes(self.gazetteer, asked, reading);
        }
        all
    }
}

/// True if a division is the city again: around it, and if it is a region, with hardly more people.
fn is_twin(gazetteer: &Gazetteer, division: PlaceId, city: PlaceId) -> bool {
    let (division, city) = (gazetteer.place(division), gazetteer.place(city));
    matches!(division.kind(), Kind::County | Kind::Region)
        && city.kind() == Kind::City
        && gazetteer.holds(division.id(), city.id())
        && (division.kind() == Kind::County || division.population() <= 2 * city.population())
}

/// The number beside a street's name, as the bits of its words, and the house it leads to.
fn house_number(
    gazetteer: &Gazetteer,
    asked: &Asked,
    street: &Place<'_>,
    taken: u32,
) -> Option<(u32, ReadHouse)> {
    let first = taken.trailing_zeros() as usize;
    let end = 32 - taken.leading_zeros() as usize;
    let is_free = |at: usize| at < asked.words.len() && taken >> at & 1 == 0;
    let mut found = Vec::new();
    for at in [Some(end), first.checked_sub(1)].into_iter().flatten() {
        if !is_free(at) || !is_house_number(&asked.words[at].text) {
            continue;
        }
        let number = &asked.words[at].text;
        // `20 B` is one number.
        let letter = asked.words.get(at + 1).filter(|it| is_free(at + 1) && it.text.len() == 1);
        if let Some(letter) = letter {
            let house = find_house(gazetteer, street, &format!("{number}{}", letter.text));
            if house.known {
                return Some((0b11 << at, house));
            }
        }
        // What stands behind a comma is rather a postcode.
        let apart = at == end && asked.words[at].breaks;
        found.push((apart, 1 << at, find_house(gazetteer, street, number)));
    }
    found.sort_by_key(|(apart, _, house)| (!house.known, *apart));
    found.into_iter().next().map(|(_, bits, house)| (bits, house))
}

fn find_house(gazetteer: &Gazetteer, street: &Place<'_>, number: &str) -> ReadHouse {
    let value = house_value(number);
    let houses: Vec<_> = gazetteer.houses(street.id()).collect();
    let exact = houses.iter().find(|house| text::fold(house.number).replace(' ', "") == number);
    let same_value = || houses.iter().find(|house| house_value(house.number) == value);
    if let Some(house) = exact.or_else(same_value) {
        return ReadHouse {
            words: 0,
            number: house.number.to_owned(),
            point: house.point,
            known: true,
        };
    }
    // Between its neighbours on the same side of the street, if it has some.
    let same_side =
        |house: &&crate::gazetteer::House<'_>| house_value(house.number) % 2 == value % 2;
    let below = houses.iter().filter(same_side).rfind(|it| house_value(it.number) < value);
    let above = houses.iter().filter(same_side).find(|it| house_value(it.number) > value);
    let point = match (below, above) {
        (Some(low), Some(high)) => {
            let (from, to) =
                (f64::from(house_value(low.number)), f64::from(house_value(high.number)));
            let part = (f64::from(value) - from) / (to - from);
            let between = |a: f64, b: f64| a + (b - a) * part;
            Point::new(
                between(low.point.lat, high.point.lat),
                between(low.point.lon, high.point.lon),
            )
        }
        _ => street.point(),
    };
    ReadHouse { words: 0, number: number.to_owned(), point, known: false }
}

/// What a reading leaves open, in words.
fn notes(gazetteer: &Gazetteer, asked: &Asked, reading: &Reading) -> Vec<String> {
    let mut notes = Vec::new();
    let place = gazetteer.place(reading.place);
    let mut taken = reading.words;
    if let Some(house) = &reading.house {
        taken |= house.words;
        if !house.known {
            notes.push(format!(
                "number {} is not known in {}: this is the street",
                house.number,
                place.name()
            ));
        }
    }
    taken |= asked.kind_words(place.kind());
    if place.kind() == Kind::Airport {
        taken |= asked.airport_words;
    }
    let lineage: Vec<PlaceId> = gazetteer.lineage(place.id()).map(|it| it.id()).collect();
    for span in &asked.spans {
        let near = || {
            span.bearers
                .iter()
                .take(40)
                .any(|&(id, _)| gazetteer.place(id).point().distance(place.point()) <= THERE)
        };
        if span.mask() & reading.words == 0 && (lineage.iter().any(|it| span.names(*it)) || near())
        {
            taken |= span.mask();
        }
    }
    let left: Vec<&str> = asked
        .words
        .iter()
        .enumerate()
        .filter(|(at, _)| taken >> at & 1 == 0)
        .map(|(_, word)| word.written.as_str())
        .collect();
    if !left.is_empty() {
        notes.push(format!("not found there: {}", left.join(" ")));
    }
    if reading.edits > 0 {
        notes.push(format!("read as \"{}\"", reading.matched));
    }
    notes
}
