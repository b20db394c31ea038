//! Words of a query that may name a place.

use earth::{PlusCode, Point, parse_coordinates, parse_geo_uri};
use gazetteer::{Found, Gazetteer, NameClass, PlaceId, Walk, is_key, long_form};

use crate::inflection::{Case, stems};
use crate::lexicon::{is_foreign, ordinary};
use crate::phrasebook::is_relation;
use crate::word::Word;

/// Words that may name a place.
#[derive(Clone, Debug)]
pub(crate) struct Candidate {
    /// Its first word and the word behind it.
    pub(crate) first: usize,
    pub(crate) end: usize,
    pub(crate) what: What,
    /// How well known the best known bearer is by this name, 0 to 1.
    pub(crate) importance: f64,
    /// The case the name stands in, if it is inflected.
    pub(crate) case: Option<Case>,
    /// It is a code such as `NY`, and no name people speak.
    pub(crate) is_code: bool,
}

/// What words may name.
#[derive(Clone, Debug)]
pub(crate) enum What {
    /// Whoever bears this name.
    Name(Found),
    /// One of these, as what stands beside the name says: `Paris, Texas`.
    Chain(Vec<PlaceId>),
    /// The place with this key.
    Key(PlaceId),
    /// A position; true if nothing but a position can be meant.
    Point(Point, bool),
    /// An address, from this byte of the text to that.
    Address(usize, usize),
    /// A name with a typing error.
    Guess(PlaceId),
}

impl Candidate {
    pub(crate) fn is_chain(&self) -> bool {
        matches!(self.what, What::Chain(_))
    }
}

/// Hardly a name has more words.
const LONGEST_NAME: usize = 8;
/// A position has no more words: degrees, minutes, seconds, decimals, letters.
const LONGEST_POSITION: usize = 12;
/// How many runs of numbers are tried as positions in one query.
const MOST_POSITIONS: usize = 100;
/// How many bearers of a name are looked at for what it may mean.
pub(crate) const MOST_BEARERS: usize = 80;
/// How many pairs of neighbouring names are looked at in one query.
const MOST_CHAINS: usize = 32;
/// A place known by a case form only is better known than this: endings make names of many words.
const KNOWN_BY_CASE: f64 = 0.42;
/// With a capital letter and an ending that says `in`, less will do: `Kalliossa`.
const KNOWN_BY_CAPITAL: f64 = 0.3;
/// Of a name less known than this its being a case form of another is thought of.
const LITTLE_KNOWN: f64 = 0.5;
/// Codes that people speak as they do names.
const SPOKEN: [&str; 6] = ["usa", "uk", "uae", "nyc", "ussr", "ddr"];

/// Names, keys and positions among the words. Cases that say nothing alone are read beside a relation only.
pub(crate) fn candidates(
    gazetteer: &Gazetteer,
    position: Option<Point>,
    has_relation: bool,
    text: &str,
    words: &[Word],
) -> Vec<Candidate> {
    let mut found = Vec::new();
    let mut attempts = MOST_POSITIONS;
    for first in 0..words.len() {
        positions(text, words, first, &mut attempts, &mut found);
        keys(gazetteer, text, words, first, &mut found);
        names(gazetteer, has_relation, words, first, &mut found);
    }
    let chains = Chains { gazetteer, words, names: &found, left: MOST_CHAINS }.all();
    let chains: Vec<_> = chains.into_iter().filter(|it| !is_one_name(words, &found, it)).collect();
    codes_beside_names(gazetteer, position, text, words, &mut found);
    found.extend(chains);
    found
}

/// The names that begin with a word.
fn names(
    gazetteer: &Gazetteer,
    has_relation: bool,
    words: &[Word],
    first: usize,
    found: &mut Vec<Candidate>,
) {
    // Two ways at most: what is written, and what it may be short for (`St` is a street, or `Saint`).
    let mut walks = vec![gazetteer.walk()];
    for at in first..words.len().min(first + LONGEST_NAME) {
        let word = &words[at];
        if word.is_literal || word.is_technical || (at > first && word.begins_anew()) {
            return;
        }
        let next: Vec<Walk> =
            walks.iter().flat_map(|it| steps(gazetteer, *it, &word.text)).take(2).collect();
        let names = next.iter().filter_map(|it| gazetteer.found(*it));
        let read: Vec<_> =
            names.filter_map(|it| named(gazetteer, it, first..at + 1, words)).collect();
        // A village may be called what is a case form of a city.
        if read.iter().all(|it| it.importance < LITTLE_KNOWN) {
            found.extend(inflected(gazetteer, has_relation, walks[0], first, at, word));
        }
        found.extend(read);
        walks = next;
        if walks.is_empty() {
            return;
        }
    }
}

/// The walk after one more word, as it is written and written out.
fn steps(gazetteer: &Gazetteer, walk: Walk, word: &str) -> impl Iterator<Item = Walk> {
    let long = long_form(word).and_then(|it| gazetteer.step(walk, it));
    gazetteer.step(walk, word).into_iter().chain(long)
}

/// A name as a candidate, unless it only names people.
fn named(
    gazetteer: &Gazetteer,
    name: Found,
    range: std::ops::Range<usize>,
    words: &[Word],
) -> Option<Candidate> {
    let is_upper = words[range.clone()].iter().all(|it| it.is_upper);
    let is_spoken = range.len() == 1 && SPOKEN.contains(&words[range.start].text.as_str());
    let (importance, class) = best_bearer(gazetteer, name, is_upper || is_spoken)?;
    let is_code = class == NameClass::Short && !is_spoken;
    Some(Candidate {
        first: range.start,
        end: range.end,
        what: What::Name(name),
        importance,
        case: None,
        is_code,
    })
}

/// How well known the best bearer of a name is by it; codes count only if they are written as such, or if there is
/// nothing else.
fn best_bearer(gazetteer: &Gazetteer, name: Found, codes: bool) -> Option<(f64, NameClass)> {
    let bearers = || bearers(gazetteer, name).take(6);
    let by_name = bearers().find(|it| codes || it.1 != NameClass::Short);
    let (id, class) = by_name.or_else(|| bearers().next())?;
    let aptness = if class == NameClass::Main { 1.0 } else { 0.92 };
    Some((gazetteer.place(id).importance() * aptness, class))
}

/// The places that bear a name, best known first; those whose people are called so do not.
pub(crate) fn bearers(
    gazetteer: &Gazetteer,
    name: Found,
) -> impl Iterator<Item = (PlaceId, NameClass)> + '_ {
    let is_place = |it: &(PlaceId, NameClass)| it.0 != PlaceId::WORLD && it.1 != NameClass::Demonym;
    gazetteer.bearers(name).filter(is_place).take(MOST_BEARERS)
}

/// The name of which the last word is a case form.
fn inflected(
    gazetteer: &Gazetteer,
    has_relation: bool,
    walk: Walk,
    first: usize,
    at: usize,
    word: &Word,
) -> Option<Candidate> {
    // An ordinary word is itself and no case form of a name; only among the Finnish ones there are forms of names.
    if is_foreign(&word.text) {
        return None;
    }
    let is_genitive = word.text.ends_with('s');
    let says_something = |case: Case| {
        has_relation || case <= Case::From || is_genitive || case == Case::Of && word.is_capital
    };
    let forms = stems(&word.text).into_iter().filter(|it| says_something(it.case));
    let known = forms.filter_map(|stem| {
        let name = gazetteer.found(gazetteer.step(walk, &stem.word)?)?;
        let (importance, class) = best_bearer(gazetteer, name, false)?;
        // An English plural is no genitive: `tubs`.
        let is_plural = is_genitive
            && (ordinary(&stem.word).is_some() || class != NameClass::Main && !word.is_capital);
        let least = match stem.case {
            Case::Inside if word.is_capital => KNOWN_BY_CAPITAL,
            Case::Of if !has_relation && !is_genitive => LITTLE_KNOWN,
            _ => KNOWN_BY_CASE,
        };
        let is_known = importance >= least && class != NameClass::Short && !is_plural;
        is_known.then_some(Candidate {
            first,
            end: at + 1,
            what: What::Name(name),
            importance,
            case: Some(stem.case),
            is_code: false,
        })
    });
    known.max_by(|a, b| a.importance.total_cmp(&b.importance))
}

/// Names beside each other of which one holds the other.
struct Chains<'a> {
    gazetteer: &'a Gazetteer,
    words: &'a [Word],
    names: &'a [Candidate],
    /// How many more pairs are looked at.
    left: usize,
}

impl<'a> Chains<'a> {
    fn all(mut self) -> Vec<Candidate> {
        let names = self.names.iter().filter(|it| !it.is_code);
        let names = names.filter(|it| !says_relation(self.words, it));
        names.filter_map(|it| self.outward(it).or_else(|| self.inward(it))).collect()
    }

    /// `Paris, Texas`, `Springfield Illinois USA`: every name holds what stands before it.
    fn outward(&mut self, name: &Candidate) -> Option<Candidate> {
        let mut places = self.spoken(name)?;
        let mut chain = name.clone();
        while let Some((next, kept)) = self.holder(&places, chain.end) {
            places = kept;
            chain.end = next.end;
            chain.importance = chain.importance.max(next.importance);
        }
        let is_chain = chain.end > name.end;
        is_chain.then_some(Candidate { what: What::Chain(places), ..chain })
    }

    /// The longest name at a word that holds some of the places, and these places.
    fn holder(&mut self, places: &[PlaceId], at: usize) -> Option<(&'a Candidate, Vec<PlaceId>)> {
        let names = self.beside(at);
        names.into_iter().find_map(|it| {
            let What::Name(name) = it.what else { return None };
            // `Portland, OR`: a code is one if it looks so.
            let word = &self.words[it.first];
            let codes = word.after_comma || word.is_upper || !self.is_code_too(it);
            let holders =
                bearers(self.gazetteer, name).filter(|it| codes || it.1 != NameClass::Short);
            let kept = self.held(places, holders.map(|it| it.0).collect());
            (!kept.is_empty()).then_some((it, kept))
        })
    }

    /// `Berlin Kreuzberg`: the second name lies in what bears the first.
    fn inward(&mut self, outer: &Candidate) -> Option<Candidate> {
        let names = self.beside(outer.end);
        names.into_iter().find_map(|it| {
            let is_one_word = it.end == it.first + 1;
            let is_ordinary =
                is_one_word && ordinary(&self.words[it.first].text).is_some_and(|it| it.0 > 3.0);
            if it.is_code || is_ordinary {
                return None;
            }
            let places = self.held(&self.spoken(it)?, self.spoken(outer)?);
            let end = it.end;
            (!places.is_empty()).then(|| Candidate {
                end,
                what: What::Chain(places),
                case: None,
                ..outer.clone()
            })
        })
    }

    /// The names that begin at a word, the longest first, as long as not too many were looked at.
    fn beside(&mut self, at: usize) -> Vec<&'a Candidate> {
        let is_beside = |it: &&Candidate| {
            it.first == at
                && it.case.is_none()
                && !self.words[at].after_wall
                && matches!(it.what, What::Name(_))
        };
        let mut found: Vec<_> = self.names.iter().filter(is_beside).take(self.left).collect();
        self.left -= found.len();
        found.sort_by_key(|it| std::cmp::Reverse(it.end));
        found
    }

    /// The places that bear a name as people speak it.
    fn spoken(&self, name: &Candidate) -> Option<Vec<PlaceId>> {
        let What::Name(name) = name.what else { return None };
        let spoken = bearers(self.gazetteer, name).filter(|it| it.1 != NameClass::Short);
        Some(spoken.map(|it| it.0).collect())
    }

    /// True for two letters that may be a code: `in` is Indiana too.
    fn is_code_too(&self, name: &Candidate) -> bool {
        name.end == name.first + 1 && self.words[name.first].text.len() < 3
    }

    /// Those of the places that lie in one of the holders.
    fn held(&self, places: &[PlaceId], mut holders: Vec<PlaceId>) -> Vec<PlaceId> {
        holders.sort_unstable();
        let is_held = |it: &&PlaceId| {
            self.gazetteer.holders(**it).any(|(whole, _)| holders.binary_search(&whole).is_ok())
        };
        places.iter().filter(is_held).copied().collect()
    }
}

/// True if a name is rather the relation to what stands behind it: there is a village called In, yet `in Europe` is not
/// the one that lies in Europe. With a comma it is: `In, Thailand`.
fn says_relation(words: &[Word], name: &Candidate) -> bool {
    let is_apart = words.get(name.end).is_some_and(|it| it.after_comma);
    name.end == name.first + 1 && is_relation(&words[name.first].text) && !is_apart
}

/// True if all words of a chain are one well known name: `North America` is not the town of North that lies in America.
fn is_one_name(words: &[Word], names: &[Candidate], chain: &Candidate) -> bool {
    let is_name = |it: &Candidate| {
        (it.first, it.end) == (chain.first, chain.end)
            && it.importance >= LITTLE_KNOWN
            && it.case.is_none()
            && !it.is_code
    };
    let is_parted = words[chain.first + 1..chain.end].iter().any(|it| it.after_comma);
    !is_parted && names.iter().any(is_name)
}

/// Coordinates and `geo:` links that begin with a word.
fn positions(
    text: &str,
    words: &[Word],
    first: usize,
    attempts: &mut usize,
    found: &mut Vec<Candidate>,
) {
    let is_inside = |at: usize| matches!(&found.last(), Some(it) if matches!(it.what, What::Point(..)) && at < it.end);
    if words[first].is_literal || is_inside(first) {
        return;
    }
    let start = words[first].span.start;
    if words[first].text == "geo" && text[start..].starts_with("geo:") {
        let length = text[start..].find(char::is_whitespace).unwrap_or(text.len() - start);
        if let Some(link) = parse_geo_uri(&text[start..start + length]) {
            let end = words.partition_point(|it| it.span.start < start + length);
            found.push(position(first, end, link.point, true));
        }
        return;
    }
    let is_part = |it: &Word| !it.after_wall && (it.has_digit() || is_direction(&it.text));
    let run = words[first + 1..].iter().take_while(|it| is_part(it)).count() + 1;
    if !is_part(&Word { after_wall: false, ..words[first].clone() }) || run < 2 {
        return;
    }
    // A position that begins with a sign: the word does not have it.
    let sign = text[..start].chars().next_back().filter(|it| matches!(it, '-' | '+' | '−'));
    let start = start - sign.map_or(0, char::len_utf8);
    for end in (first + 2..=first + run.min(LONGEST_POSITION)).rev().take(*attempts) {
        *attempts -= 1;
        let last = words[end - 1].span.end;
        let marks = text[last..].chars().take_while(|it| "°º˚'’′\"″”".contains(*it));
        let stop = last + marks.map(char::len_utf8).sum::<usize>();
        let written = &text[start..stop];
        if let Some(point) = parse_coordinates(written) {
            let is_sure = written.contains([',', ';', '°', 'º', '˚'])
                || written.contains(char::is_alphabetic);
            found.push(position(first, end, point, is_sure));
            return;
        }
    }
}

fn position(first: usize, end: usize, point: Point, is_sure: bool) -> Candidate {
    let what = What::Point(point, is_sure);
    Candidate { first, end, what, importance: 1.0, case: None, is_code: false }
}

/// The words that coordinates are written with.
fn is_direction(word: &str) -> bool {
    const WORDS: [&str; 20] = [
        "n", "north", "nord", "norte", "s", "south", "sud", "sur", "e", "east", "ost", "est",
        "este", "w", "west", "ouest", "oeste", "ovest", "o", "sued",
    ];
    WORDS.contains(&word)
}

/// A key of the gazetteer or a full plus code that begins with a word.
fn keys(
    gazetteer: &Gazetteer,
    text: &str,
    words: &[Word],
    first: usize,
    found: &mut Vec<Candidate>,
) {
    let (chunk, end) = chunk(text, words, first);
    if words[first].is_literal || (first > 0 && words[first - 1].chunk == words[first].chunk) {
        return;
    }
    if is_key(chunk)
        && let Some(place) = gazetteer.by_key(chunk)
    {
        let what = What::Key(place.id());
        found.push(Candidate { first, end, what, importance: 1.0, case: None, is_code: false });
    }
    if let Some(point) = plus_code(chunk).filter(|it| !it.is_short()).and_then(|it| it.center()) {
        found.push(position(first, end, point, true));
    }
}

/// Short plus codes, which need a place beside them or the user's position: `CWC8+R9 Mountain View`.
fn codes_beside_names(
    gazetteer: &Gazetteer,
    near: Option<Point>,
    text: &str,
    words: &[Word],
    found: &mut Vec<Candidate>,
) {
    let mut more = Vec::new();
    for first in (0..words.len()).filter(|it| words[*it].has_digit() && !words[*it].is_literal) {
        let (chunk, end) = chunk(text, words, first);
        let Some(code) = plus_code(chunk).filter(PlusCode::is_short) else { continue };
        let mut add = |end: usize, near: Point| {
            let point = code.recover_nearest(near).center();
            more.extend(point.map(|it| position(first, end, it, true)));
        };
        let beside = found.iter().filter(|it| it.first == end && matches!(it.what, What::Name(_)));
        if let Some(name) = beside.max_by_key(|it| it.end)
            && let What::Name(bearing) = name.what
            && let Some((place, _)) = bearers(gazetteer, bearing).next()
        {
            add(name.end, gazetteer.place(place).point());
        } else if let Some(near) = near {
            add(end, near);
        }
    }
    found.extend(more);
}

/// A plus code of which at least four digits stand before the plus: `+49` begins a telephone number.
fn plus_code(chunk: &str) -> Option<PlusCode> {
    let (before, _) = chunk.split_once('+')?;
    if before.len() < 4 { None } else { PlusCode::parse(chunk) }
}

/// What was written in one piece with a word, without the marks around it, and the word behind it.
fn chunk<'t>(text: &'t str, words: &[Word], first: usize) -> (&'t str, usize) {
    let number = words[first].chunk;
    let end = first + words[first..].iter().take_while(|it| it.chunk == number).count();
    (&text[words[first].span.start..words[end - 1].span.end], end)
}
