//! Where an address is: which of the towns of its name, which house, and how exact that is.

use earth::{Meters, Point};
use gazetteer::{Kind, NameClass, Place, PlaceId, Precision};

use crate::address::atlas::{Atlas, iso};
use crate::address::postal_area::{PostalArea, country_of};
use crate::address::street_word::Tongues;
use crate::hints::Hints;

/// The parts of an address as text; what is not known is empty.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct AddressParts<'a> {
    /// Street, perhaps with its number.
    pub street: &'a str,
    /// House number.
    pub number: &'a str,
    /// Postcode.
    pub postcode: &'a str,
    /// City, town or village.
    pub city: &'a str,
    /// State, province or county, by name or code.
    pub region: &'a str,
    /// Country, by name or by its two letters.
    pub country: &'a str,
}

/// Where an address is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Position {
    /// The narrowest place the gazetteer knows of it: the street, the city, else postcode or region.
    pub place: PlaceId,
    /// The city, if the gazetteer knows it.
    pub city: Option<PlaceId>,
    /// The point of the house, or of the narrowest place.
    pub point: Point,
    /// How exact the point is.
    pub precision: Precision,
    /// How sure it is that this place is meant, 0 to 1.
    pub confidence: f64,
}

/// What the grammar of an address tells beside its parts.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Evidence<'a> {
    /// Countries that use such a postcode; empty if there is none.
    pub(crate) postcode_countries: &'a [&'a str],
    /// The tongues that write streets this way.
    pub(crate) tongues: Tongues,
}

/// A town that may be meant, and how well it fits.
struct Candidate<'g> {
    town: Place<'g>,
    score: f64,
}

/// A street is looked for this far from the middle of its city.
const CITY_REACH: Meters = Meters(30_000.0);
/// What is nearer than this stands at the same point.
const SAME_POINT: Meters = Meters(50.0);
/// Where the address with these parts is.
pub(crate) fn position(
    atlas: &Atlas<'_>,
    parts: &AddressParts<'_>,
    evidence: Evidence<'_>,
    hints: &Hints,
) -> Option<Position> {
    let judge = Judge::new(atlas, parts, evidence, hints);
    let candidates = judge.candidates(parts.city);
    let Some(best) = candidates.first() else { return judge.without_city() };
    let second = candidates.get(1).map_or(f64::MIN, |it| it.score);
    let confidence = confidence(best.score, second);
    let town = best.town;
    let found = Position {
        place: town.id(),
        city: Some(town.id()),
        point: town.point(),
        precision: Precision::City,
        confidence,
    };
    Some(judge.narrowed(found, parts))
}

/// Certainty grows with the score itself and with its lead over the next town.
fn confidence(best: f64, second: f64) -> f64 {
    let lead = 1.0 / (1.0 + (-(best - second) * 4.0).exp());
    let fit = 1.0 / (1.0 + (-(best + 0.2) * 3.0).exp());
    (lead * fit).clamp(0.0, 1.0)
}

/// Everything against which a town is held.
struct Judge<'a, 'g> {
    atlas: &'a Atlas<'g>,
    evidence: Evidence<'a>,
    hints: &'a Hints,
    country: Option<PlaceId>,
    regions: Vec<PlaceId>,
    postcode: &'a str,
    /// The postcode, where the gazetteer knows it.
    codes: Vec<Place<'g>>,
}

impl<'a, 'g> Judge<'a, 'g> {
    fn new(
        atlas: &'a Atlas<'g>,
        parts: &AddressParts<'a>,
        evidence: Evidence<'a>,
        hints: &'a Hints,
    ) -> Self {
        let country = country_of_text(atlas, parts.country);
        let regions =
            if parts.region.is_empty() { Vec::new() } else { atlas.regions(parts.region) };
        let postcode = parts.postcode;
        Self { atlas, evidence, hints, country, regions, postcode, codes: codes(atlas, postcode) }
    }

    /// The towns of this name, best first.
    fn candidates(&self, city: &str) -> Vec<Candidate<'g>> {
        let mut towns = Vec::new();
        for name in names_of(city) {
            towns = self.atlas.towns(name);
            if !towns.is_empty() {
                break;
            }
        }
        let mut found: Vec<_> = towns
            .into_iter()
            .map(|(town, class)| Candidate { town, score: self.score(&town, class) })
            .collect();
        found.sort_by(|a, b| b.score.total_cmp(&a.score).then(a.town.id().cmp(&b.town.id())));
        without_doubles(found)
    }

    fn score(&self, town: &Place<'g>, class: NameClass) -> f64 {
        let iso = iso(town);
        known(town, class)
            + self.by_country(town, iso)
            + self.by_region(town)
            + self.by_postcode(town, iso)
            + self.by_hints(town, iso)
    }

    fn by_country(&self, town: &Place<'g>, iso: &str) -> f64 {
        let stated = self
            .country
            .map_or(0.0, |it| if self.atlas.gazetteer.holds(it, town.id()) { 1.0 } else { -2.0 });
        let coded = fits(self.evidence.postcode_countries, iso, 0.2, -1.2);
        stated + coded + self.by_street(iso)
    }

    fn by_street(&self, iso: &str) -> f64 {
        match self.evidence.tongues {
            tongues if tongues.is_empty() => 0.0,
            tongues if tongues.are_spoken_in(iso) => 0.5,
            _ => -0.6,
        }
    }

    fn by_region(&self, town: &Place<'g>) -> f64 {
        let held = |region: &PlaceId| self.atlas.gazetteer.holds(*region, town.id());
        match () {
            () if self.regions.is_empty() => 0.0,
            () if self.regions.iter().any(held) => 1.2,
            () => -0.7,
        }
    }

    /// How near the town lies to where its postcode points: the narrower the area it lies in, the better.
    fn by_postcode(&self, town: &Place<'g>, iso: &str) -> f64 {
        let distance = |point: Point| point.distance(town.point());
        let mut at_home = self.codes.iter().filter(|it| country_of(it) == Some(iso));
        if at_home.any(|it| distance(it.point()) < CITY_REACH) {
            return 1.2;
        }
        let areas = self.atlas.areas.of(iso, self.postcode);
        let outside = |area: &PostalArea| distance(area.point).0 / area.reach.0;
        let Some(narrowest) = areas.first() else { return 0.0 };
        // Each doubling of the distance from the narrowest area costs a little, so that of two towns the nearer wins.
        let farness = 0.2 * (outside(narrowest).log2()).max(0.0);
        // Nine of ten lie within the reach; a third more takes in the rest.
        match areas.iter().find(|it| outside(it) < 1.33) {
            Some(area) => telling(area) - farness,
            None => -0.4 - farness.min(0.8),
        }
    }

    fn by_hints(&self, town: &Place<'g>, iso: &str) -> f64 {
        let site = self
            .hints
            .country
            .as_deref()
            .map_or(0.0, |it| if it.eq_ignore_ascii_case(iso) { 0.4 } else { 0.0 });
        let spoken = self
            .hints
            .language
            .as_deref()
            .map_or(0.0, |it| if speaks(it).contains(&iso) { 0.2 } else { 0.0 });
        let beside = |it: &PlaceId| {
            self.atlas.gazetteer.place(*it).point().distance(town.point()) < Meters(60_000.0)
        };
        let near = if self.hints.home.iter().chain(&self.hints.anchors).take(20).any(beside) {
            0.3
        } else {
            0.0
        };
        site + spoken + near
    }

    /// Without a known city, the postcode or the region is all there is.
    fn without_city(&self) -> Option<Position> {
        let fitting = |it: &&Place<'g>| {
            let iso = country_of(it).unwrap_or("");
            let stated =
                self.country.is_none_or(|country| self.atlas.country_coded(iso) == Some(country));
            let tongues = self.evidence.tongues;
            stated && (tongues.is_empty() || tongues.are_spoken_in(iso) || self.country.is_some())
        };
        if let Some(code) = self.codes.iter().find(fitting) {
            return Some(at(code, Precision::Postcode, 0.6));
        }
        let region = self.regions.first().copied().or(self.country)?;
        let place = self.atlas.gazetteer.place(region);
        Some(at(&place, Precision::Region, 0.4))
    }

    /// The street and the house, where the gazetteer knows them.
    fn narrowed(&self, found: Position, parts: &AddressParts<'_>) -> Position {
        let streets = self.atlas.gazetteer.named(parts.street).map(|(place, _)| place);
        let near = |it: &Place<'_>| {
            it.kind() == Kind::Street && it.point().distance(found.point) < CITY_REACH
        };
        let streets: Vec<_> =
            if parts.street.is_empty() { Vec::new() } else { streets.filter(near).collect() };
        for street in &streets {
            if let Some(house) = self.house(street, parts.number) {
                return Position {
                    place: street.id(),
                    point: house,
                    precision: Precision::House,
                    ..found
                };
            }
        }
        if let Some(street) = streets.first() {
            return Position {
                place: street.id(),
                point: street.point(),
                precision: Precision::Street,
                ..found
            };
        }
        // A postcode at the very point of its city says no more than the city.
        let inside = |it: &&Place<'g>| {
            let distance = it.point().distance(found.point);
            distance < CITY_REACH && distance > SAME_POINT
        };
        match self.codes.iter().find(inside) {
            Some(code) => Position {
                place: found.place,
                point: code.point(),
                precision: Precision::Postcode,
                ..found
            },
            None => found,
        }
    }

    fn house(&self, street: &Place<'_>, number: &str) -> Option<Point> {
        let wanted = text::fold(number);
        let first = wanted.split(' ').next().unwrap_or("").to_owned();
        let houses = || self.atlas.gazetteer.houses(street.id());
        let same =
            |number: &str| houses().find(|it| text::fold(it.number) == number).map(|it| it.point);
        if wanted.is_empty() { None } else { same(&wanted).or_else(|| same(&first)) }
    }
}

/// A quarter and its city, or a city and its municipality, of one name are no rivals.
fn without_doubles(candidates: Vec<Candidate<'_>>) -> Vec<Candidate<'_>> {
    let mut kept: Vec<Candidate<'_>> = Vec::new();
    for candidate in candidates {
        let near = |it: &Candidate<'_>| {
            it.town.point().distance(candidate.town.point()) < Meters(12_000.0)
        };
        if !kept.iter().any(near) {
            kept.push(candidate);
        }
    }
    kept
}

fn at(place: &Place<'_>, precision: Precision, confidence: f64) -> Position {
    Position { place: place.id(), city: None, point: place.point(), precision, confidence }
}

/// How likely a town is before anything else is known.
fn known(town: &Place<'_>, class: NameClass) -> f64 {
    let own = if class == NameClass::Main { 0.25 } else { 0.0 };
    let part = if town.kind() == Kind::City { 0.1 } else { 0.0 };
    let people = (town.population().max(1) as f64).log10() / 7.0;
    0.6 * people + own + part
}

fn fits(countries: &[&str], iso: &str, yes: f64, no: f64) -> f64 {
    match () {
        () if countries.is_empty() => 0.0,
        () if countries.contains(&iso) => yes,
        () => no,
    }
}

/// What it is worth to lie in an area: much in that of a town, little in that of half a country.
fn telling(area: &PostalArea) -> f64 {
    match area.reach.0 / 1000.0 {
        ..80.0 => 0.9,
        ..200.0 => 0.7,
        _ => 0.35,
    }
}

/// The postcodes of this text that the gazetteer knows.
fn codes<'g>(atlas: &Atlas<'g>, postcode: &str) -> Vec<Place<'g>> {
    if postcode.is_empty() {
        return Vec::new();
    }
    // The add-on of an American ZIP code points to a block, which no gazetteer knows.
    let base = if postcode.len() == 10 {
        postcode.split('-').next().unwrap_or(postcode)
    } else {
        postcode
    };
    let named = atlas.gazetteer.named(base).map(|(place, _)| place);
    named.filter(|it| it.kind() == Kind::Postcode).collect()
}

fn country_of_text(atlas: &Atlas<'_>, text: &str) -> Option<PlaceId> {
    if text.is_empty() {
        return None;
    }
    atlas.country_coded(&text.to_ascii_uppercase()).or_else(|| atlas.country(text))
}

/// The names under which a city may be known: as written, then without what is often added.
fn names_of(city: &str) -> Vec<&str> {
    let mut names = vec![city.trim()];
    if let Some((short, _)) = city.split_once(['(', '/', ',']) {
        names.push(short.trim());
    }
    let words: Vec<_> = city.split_whitespace().collect();
    // `Paris Cedex 08`, `Dublin 4`, `Wien Mitte`.
    if let Some(at) = words.iter().position(|it| {
        it.eq_ignore_ascii_case("cedex") || it.starts_with(|c: char| c.is_ascii_digit())
    }) && at > 0
        && let Some(end) = city.find(words[at])
    {
        names.push(city[..end].trim());
    }
    // `Oldenburg i. O.`, `Frankfurt a. M.`, `Hamburg-Altona`.
    if let Some((short, _)) =
        city.split_once(" i.").or_else(|| city.split_once(" a.")).or_else(|| city.split_once('-'))
    {
        names.push(short.trim());
    }
    names.retain(|it| !it.is_empty());
    names
}

/// The countries where a language is at home.
fn speaks(language: &str) -> &'static [&'static str] {
    match language.get(..2).unwrap_or("") {
        "de" => &["DE", "AT", "CH", "LI", "LU"],
        "en" => &["US", "GB", "CA", "AU", "NZ", "IE"],
        "fr" => &["FR", "BE", "CH", "LU", "MC", "CA"],
        "es" => &["ES", "MX", "AR", "CO", "CL", "PE"],
        "it" => &["IT", "CH", "SM"],
        "pt" => &["PT", "BR"],
        "nl" => &["NL", "BE"],
        "fi" => &["FI"],
        "sv" => &["SE", "FI"],
        "no" | "nb" | "nn" => &["NO"],
        "da" => &["DK"],
        "pl" => &["PL"],
        "cs" => &["CZ"],
        "sk" => &["SK"],
        "hu" => &["HU"],
        "ro" => &["RO"],
        _ => &[],
    }
}
