//! How people say where something is: the phrases of `relations.tsv`, found among the words of a query.

use std::collections::HashMap;
use std::sync::LazyLock;

use earth::{Compass, Meters};

use crate::relation::Relation;
use crate::word::{Word, words_of};

/// A relation that is said somewhere in a query.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Said {
    pub(crate) relation: Relation,
    /// 3 if hardly anything else is meant, 1 if it may mean much else.
    pub(crate) strength: u8,
    pub(crate) side: Side,
    /// Its first word and the word behind it.
    pub(crate) first: usize,
    pub(crate) end: usize,
}

/// On which side of its place a phrase stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Side {
    Before,
    After,
    /// It names its place itself: `near me`.
    Alone,
}

/// Every relation said among the words, by where it begins.
pub(crate) fn said(text: &str, words: &[Word]) -> Vec<Said> {
    let mut found: Vec<Said> = Vec::new();
    for first in 0..words.len() {
        let by_word = BOOK.by_word.get(words[first].text.as_str()).into_iter().flatten();
        let by_number = if words[first].has_digit() { &BOOK.by_number[..] } else { &[] };
        for phrase in by_word.chain(by_number) {
            let said = phrase.said(text, words, first);
            found.extend(said.filter(|it| !found.contains(it)));
        }
    }
    found
}

/// The relation that a text is, and nothing else: `within 5 km of`; the name of a relation will do.
pub(crate) fn relation(text: &str, words: &[Word]) -> Option<Relation> {
    let whole = |it: &&Said| it.first == 0 && it.end == words.len();
    said(text, words).iter().find(whole).map(|it| it.relation)
}

/// True for a word that says a relation all by itself: `in`, `bei`, `lähellä`.
pub(crate) fn is_relation(word: &str) -> bool {
    BOOK.by_word.get(word).is_some_and(|it| it.iter().any(|it| it.tokens.len() == 1))
}

/// Where the name of a place begins that stands at the end of a text, behind the last relation that is said in it: at 13
/// in `museums near hels`.
pub fn name_after_relation(text: &str) -> Option<usize> {
    let words: Vec<Word> = words_of(text, 0, 0).collect();
    let before = said(text, &words).into_iter().filter(|it| it.side == Side::Before);
    let first = before.map(|it| it.end).max()?;
    words.get(first).map(|it| it.span.start)
}

static BOOK: LazyLock<Book> = LazyLock::new(|| Book::read(include_str!("relations.tsv")));

struct Book {
    by_word: HashMap<&'static str, Vec<Phrase>>,
    /// Phrases that begin with a distance.
    by_number: Vec<Phrase>,
}

#[derive(Clone, Debug)]
struct Phrase {
    kind: Kind,
    strength: u8,
    side: Side,
    tokens: Vec<Token>,
}

#[derive(Clone, Debug)]
enum Token {
    OneOf(Vec<&'static str>),
    Number,
    Distance,
}

/// A relation whose distances are not known yet.
#[derive(Clone, Copy, Debug)]
enum Kind {
    Plain(Relation),
    Within,
    Ring,
}

impl Book {
    fn read(table: &'static str) -> Self {
        let mut book = Self { by_word: HashMap::new(), by_number: Vec::new() };
        let mut classes: HashMap<&str, Vec<&'static str>> = HashMap::new();
        for line in table.lines().filter(|it| !it.starts_with('#')) {
            let fields: Vec<&'static str> = line.split('\t').collect();
            match fields[..] {
                [class, words] => {
                    classes.insert(class, words.split(' ').collect());
                }
                [_, relation, strength, side, phrase] => {
                    let tokens = phrase.split(' ').map(|it| token(&classes, it)).collect();
                    let strength = strength.parse().unwrap_or(1);
                    let phrase =
                        Phrase { kind: kind(relation), strength, side: self::side(side), tokens };
                    book.add(phrase);
                }
                _ => {}
            }
        }
        book
    }

    fn add(&mut self, phrase: Phrase) {
        match phrase.tokens.first() {
            Some(Token::OneOf(words)) => {
                for word in words.clone() {
                    self.by_word.entry(word).or_default().push(phrase.clone());
                }
            }
            _ => self.by_number.push(phrase),
        }
    }
}

fn token(classes: &HashMap<&str, Vec<&'static str>>, token: &'static str) -> Token {
    match token {
        "<d>" => Token::Distance,
        "<n>" => Token::Number,
        _ => {
            let words = token.split('|').flat_map(|it| match classes.get(it) {
                Some(class) => class.clone(),
                None => vec![it],
            });
            Token::OneOf(words.collect())
        }
    }
}

fn side(name: &str) -> Side {
    match name {
        "before" => Side::Before,
        "after" => Side::After,
        _ => Side::Alone,
    }
}

fn kind(name: &str) -> Kind {
    Kind::Plain(match name {
        "within" => return Kind::Within,
        "ring" => return Kind::Ring,
        "near" | "me" => Relation::Near,
        "at" => Relation::At,
        "around" => Relation::Around,
        "outside" => Relation::Outside,
        "between" => Relation::Between,
        "along" => Relation::Along,
        "overlaps" => Relation::Overlaps,
        "next" => Relation::NextTo,
        _ => Compass::parse(name).map_or(Relation::In, Relation::Toward),
    })
}

impl Phrase {
    /// The phrase if it stands at this word.
    fn said(&self, text: &str, words: &[Word], first: usize) -> Option<Said> {
        let mut at = first;
        let mut numbers = Vec::new();
        let mut distances = Vec::new();
        for token in &self.tokens {
            let word = words.get(at)?;
            if word.is_literal || (at > first && word.begins_anew()) {
                return None;
            }
            at = match token {
                Token::OneOf(list) => list.contains(&word.text.as_str()).then_some(at + 1)?,
                Token::Number => {
                    let (number, end) = number(text, words, at)?;
                    numbers.push(number);
                    end
                }
                Token::Distance => {
                    let (number, unit, end) = distance(text, words, at)?;
                    // `between 10 and 20 km`: the first number is in kilometres too.
                    distances.extend(numbers.drain(..).map(|it: f64| it * unit));
                    distances.push(number * unit);
                    end
                }
            };
        }
        let relation = self.kind.with(&distances)?;
        Some(Said { relation, strength: self.strength, side: self.side, first, end: at })
    }
}

impl Kind {
    fn with(self, distances: &[f64]) -> Option<Relation> {
        /// Half way around the earth; nothing is farther away.
        const FARTHEST: f64 = 20_040_000.0;
        if distances.iter().any(|it| *it > FARTHEST) {
            return None;
        }
        match (self, distances) {
            (Self::Plain(relation), _) => Some(relation),
            (Self::Within, [far]) => Some(Relation::Within(Meters(*far))),
            (Self::Ring, [one, other]) => {
                Some(Relation::Ring(Meters(one.min(*other)), Meters(one.max(*other))))
            }
            _ => None,
        }
    }
}

/// The number that begins with a word, and the word behind it: `3,5` is two words.
fn number(text: &str, words: &[Word], at: usize) -> Option<(f64, usize)> {
    let start = words[at].span.start;
    let is_part = |it: char| it.is_ascii_digit() || matches!(it, '.' | ',');
    let length = text[start..].find(|it| !is_part(it)).unwrap_or(text.len() - start);
    let digits = text[start..start + length].trim_end_matches(['.', ',']);
    // The parser of distances knows which comma is which.
    let Meters(number) = format!("{digits} m").parse().ok().filter(|_| digits.len() < 16)?;
    let end = start + digits.len();
    let next = (at..words.len()).find(|it| words[*it].span.end >= end)? + 1;
    Some((number, next))
}

/// The distance that begins with a word, as a number and its unit in metres, and the word behind it.
fn distance(text: &str, words: &[Word], at: usize) -> Option<(f64, f64, usize)> {
    let (number, next) = number(text, words, at)?;
    let last = &words[next - 1].text;
    let glued = last.trim_start_matches(|it: char| it.is_ascii_digit());
    if !glued.is_empty() {
        return Some((number, unit(glued)?, next));
    }
    let word = words.get(next).filter(|it| !it.begins_anew())?;
    Some((number, unit(&word.text)?, next + 1))
}

/// A unit of length in metres.
fn unit(word: &str) -> Option<f64> {
    let (_, meters) = UNITS.iter().find(|(names, _)| names.split(' ').any(|it| it == word))?;
    Some(*meters)
}

/// Units of length by their folded names in nine languages. The Swedish and Norwegian `mil` is left out: in Spanish and
/// Portuguese it is a thousand.
const UNITS: [(&str, f64); 6] = [
    ("m meter meters metern metre metres metro metros metri metria metrin metrin", 1.0),
    (
        "km kms kilometer kilometers kilometern kilometre kilometres kilometro kilometros quilometro quilometros \
         chilometro chilometri kilometri kilometria kilometrin",
        1000.0,
    ),
    (
        "mi mile miles meile meilen mille milles milla millas miglio miglia mijl mijlen milha milhas maili mailia mailin",
        1609.344,
    ),
    ("nmi seemeile seemeilen", 1852.0),
    ("yd yds yard yards", 0.9144),
    ("ft foot feet fuss pied pieds pie pies piede piedi voet jalka jalkaa fot", 0.3048),
];

#[cfg(test)]
mod tests {
    use jiff::civil::date;

    use super::*;
    use crate::pieces::pieces;

    #[track_caller]
    fn check(text: &str, expected: Option<Relation>) {
        let words = pieces(date(2024, 1, 1), text).words;
        assert_eq!(relation(text, &words), expected, "{text}");
    }

    #[test]
    fn every_phrase_is_folded_and_every_line_is_whole() {
        for line in include_str!("relations.tsv").lines().filter(|it| !it.starts_with('#')) {
            let fields: Vec<_> = line.split('\t').collect();
            assert!(matches!(fields.len(), 2 | 5), "{line}");
            let words = fields[fields.len() - 1].replace(['|', '<', '>'], " ");
            let classes: Vec<_> =
                words.split_whitespace().filter(|it| !it.starts_with('@')).collect();
            assert_eq!(text::fold(&classes.join(" ")), classes.join(" "), "{line}");
        }
    }

    #[test]
    fn a_name_begins_behind_the_last_relation() {
        assert_eq!(name_after_relation("museums near hels"), Some(13));
        assert_eq!(name_after_relation("hotels in the north of new yo"), Some(23));
        assert_eq!(name_after_relation("Hotels in der Nähe von Ber"), Some(24));
        // It may go on: `near Memphis`.
        assert_eq!(name_after_relation("museums near me"), Some(13));
        for text in ["", "museums", "museums near"] {
            assert_eq!(name_after_relation(text), None, "{text}");
        }
    }

    #[test]
    fn distances_are_read_in_many_units() {
        let within = |meters| Some(Relation::Within(Meters(meters)));
        check("within 5 km of", within(5000.0));
        check("within 5km of", within(5000.0));
        check("within 3,5 km of", within(3500.0));
        check("within 1,000 m of", within(1000.0));
        check("within 0.5 miles of", within(804.672));
        check("im Umkreis von 5 Kilometern um", within(5000.0));
        check("within 5 of", None);
        check("within 5 parsec of", None);
        check("within 99999 km of", None);
    }

    #[test]
    fn a_ring_has_two_distances() {
        let ring = Some(Relation::Ring(Meters(10_000.0), Meters(20_000.0)));
        check("between 10 and 20 km from", ring);
        check("between 10 km and 20 km from", ring);
        check("zwischen 10 und 20 km von", ring);
        check("between 20 and 10 km from", ring);
        check("10-20 km päässä", ring);
    }

    #[test]
    fn phrases_do_not_go_over_commas() {
        check("north west of", Some(Relation::Toward(Compass::NorthWest)));
        check("north, west of", None);
        check("north-west of", Some(Relation::Toward(Compass::NorthWest)));
    }

    #[test]
    fn every_relation_reads_what_it_writes() {
        let plain = [
            Relation::In,
            Relation::Near,
            Relation::At,
            Relation::Within(Meters(804.672)),
            Relation::Ring(Meters(0.0), Meters(1.5)),
            Relation::Around,
            Relation::Outside,
            Relation::Between,
            Relation::Along,
            Relation::Overlaps,
            Relation::NextTo,
        ];
        let eight = Compass::ALL.into_iter().step_by(2).map(Relation::Toward);
        for relation in plain.into_iter().chain(eight) {
            check(&relation.to_string(), Some(relation));
        }
    }
}
