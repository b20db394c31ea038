//! Readings of a query: which words are the place, which the relation, and what speaks for it.

use std::ops::Range;

use crate::asked::Asked;
use crate::candidate::{Candidate, What};
use crate::inflection::Case;
use crate::lexicon::{Languages, ordinary, ordinary_in};
use crate::phrasebook::{Said, Side};
use crate::reason::{Reason, Tally};
use crate::relation::Relation;
use crate::vocabulary::vocabulary;
use crate::word::Word;

/// A way to read a query that has a place.
#[derive(Clone, Debug)]
pub(crate) struct Reading {
    pub(crate) relation: Relation,
    /// The places, by their numbers among the candidates; none for `near me`.
    pub(crate) places: Vec<usize>,
    /// The words of the relation and the places.
    pub(crate) words: Range<usize>,
    /// True if a word or a case says that it is a place.
    pub(crate) is_marked: bool,
    /// True if the words may well be no place.
    pub(crate) is_doubtful: bool,
    pub(crate) tally: Tally,
}

/// What readings are made of.
pub(crate) struct Material<'a> {
    pub(crate) asked: &'a Asked<'a>,
    pub(crate) text: &'a str,
    pub(crate) words: &'a [Word],
    pub(crate) said: &'a [Said],
    pub(crate) candidates: &'a [Candidate],
    /// True if something beside the words is asked for: a phrase, a title.
    pub(crate) has_terms: bool,
    /// The languages of each word; nothing for what may be a place itself, which tells no language.
    pub(crate) tongues: Vec<Option<Languages>>,
}

/// What each word tells of the language of a query.
pub(crate) fn tongues(words: &[Word], candidates: &[Candidate]) -> Vec<Option<Languages>> {
    let mut tongues: Vec<_> = words.iter().map(|it| ordinary(&it.text).map(|it| it.1)).collect();
    for name in candidates.iter().filter(|it| it.importance > 0.4) {
        tongues[name.first..name.end].fill(None);
    }
    tongues
}

/// From here on a word is among the commonest of its language.
const VERY_COMMON: f64 = 5.6;
/// From here on a word has a meaning of its own.
const ORDINARY: f64 = 3.0;
/// How many articles may stand between a relation and its place.
const MOST_ARTICLES: usize = 2;
/// A name less known than this may stand for anything.
const KNOWN_NAME: f64 = 0.35;
/// What a relation amid a name tells, beside what the name tells of its last word: more than the strongest relation.
const RELATION_IN_NAME: f64 = 2.0;
/// How many places a line may have.
const LONGEST_LINE: usize = 12;

/// What is found of a relation before what it means is weighed.
struct Shape {
    said: Option<Said>,
    relation: Relation,
    places: Vec<usize>,
    words: Range<usize>,
    articles: usize,
}

impl Material<'_> {
    /// Every reading with a place, the most probable first.
    pub(crate) fn readings(&self) -> Vec<Reading> {
        let mut shapes: Vec<Shape> = Vec::new();
        for said in self.said {
            match said.side {
                Side::Alone => shapes.push(Shape {
                    said: Some(said.clone()),
                    relation: said.relation,
                    places: Vec::new(),
                    words: said.first..said.end,
                    articles: 0,
                }),
                Side::Before => self.behind(said, &mut shapes),
                Side::After => self.before(said, &mut shapes),
            }
        }
        for (number, candidate) in self.candidates.iter().enumerate() {
            shapes.push(Shape {
                said: None,
                relation: Relation::In,
                places: vec![number],
                words: candidate.first..candidate.end,
                articles: 0,
            });
        }
        self.ways(&mut shapes);
        let mut readings: Vec<_> = shapes.into_iter().map(|it| self.weighed(it)).collect();
        readings.sort_by(|a, b| {
            b.tally.total.total_cmp(&a.tally.total).then(b.words.len().cmp(&a.words.len()))
        });
        readings
    }

    /// Readings in which a way is told by its ends alone: `Oslo to Bergen`.
    fn ways(&self, shapes: &mut Vec<Shape>) {
        for (number, start) in self.candidates.iter().enumerate() {
            // One letter (`Roma a Napoli`) means too much else.
            let is_told = self.words.get(start.end).is_some_and(|it| it.text.len() > 1);
            let line = if is_told { self.line(number, true) } else { Vec::new() };
            if line.len() < 2 {
                continue;
            }
            let words = start.first..self.candidates[line[line.len() - 1]].end;
            let (first, end) = (start.first, start.first);
            let said =
                Said { relation: Relation::Along, strength: 1, side: Side::Before, first, end };
            shapes.push(Shape {
                said: Some(said),
                relation: Relation::Along,
                places: line,
                words,
                articles: 0,
            });
        }
    }

    /// Readings in which the place stands behind the relation.
    fn behind(&self, said: &Said, shapes: &mut Vec<Shape>) {
        for (first, articles) in self.starts(said.end) {
            for number in self.starting_at(first) {
                let end = self.candidates[number].end;
                let mut add = |relation, places: Vec<usize>, end| {
                    let words = said.first..end;
                    shapes.push(Shape {
                        said: Some(said.clone()),
                        relation,
                        places,
                        words,
                        articles,
                    });
                };
                match said.relation {
                    Relation::Between => {
                        for (other, end) in self.joined(end, &[Joint::And]) {
                            add(Relation::Between, vec![number, other], end);
                        }
                    }
                    Relation::Along => {
                        let is_way = said.strength < 3;
                        let line = self.line(number, is_way);
                        if line.len() > 1 {
                            let end = self.candidates[line[line.len() - 1]].end;
                            add(Relation::Along, line, end);
                        } else if !is_way {
                            // `along the Danube`: one place is no line, but what is near it is meant.
                            add(Relation::Near, vec![number], end);
                        }
                    }
                    relation => add(relation, vec![number], end),
                }
            }
        }
    }

    /// Readings in which the place stands before the relation.
    fn before(&self, said: &Said, shapes: &mut Vec<Shape>) {
        if self.words[said.first].begins_anew() {
            return;
        }
        for (number, candidate) in self.candidates.iter().enumerate() {
            if candidate.end != said.first {
                continue;
            }
            let mut add = |relation, places, first| {
                let words = first..said.end;
                shapes.push(Shape {
                    said: Some(said.clone()),
                    relation,
                    places,
                    words,
                    articles: 0,
                });
            };
            if said.relation != Relation::Between {
                let relation =
                    if said.relation == Relation::Along { Relation::Near } else { said.relation };
                add(relation, vec![number], candidate.first);
                continue;
            }
            let Some(joint) = candidate.first.checked_sub(1) else { continue };
            if !vocabulary().is_and(&self.words[joint].text) {
                continue;
            }
            for (other, it) in self.candidates.iter().enumerate().filter(|it| it.1.end == joint) {
                add(Relation::Between, vec![other, number], it.first);
            }
        }
    }

    /// Where a place may begin behind a relation: right there, or behind an article.
    fn starts(&self, at: usize) -> Vec<(usize, usize)> {
        let mut starts = Vec::new();
        for articles in 0..=MOST_ARTICLES {
            let Some(word) = self.words.get(at + articles) else { break };
            if word.begins_anew() {
                break;
            }
            starts.push((at + articles, articles));
            if !vocabulary().is_article(&word.text) {
                break;
            }
        }
        starts
    }

    fn starting_at(&self, first: usize) -> impl Iterator<Item = usize> + '_ {
        (0..self.candidates.len()).filter(move |it| self.candidates[*it].first == first)
    }

    /// The places that follow at a word behind one of these joints, with the word behind them.
    fn joined(&self, at: usize, joints: &[Joint]) -> Vec<(usize, usize)> {
        let Some(word) = self.words.get(at) else { return Vec::new() };
        let is_said = |it: &Joint| match it {
            Joint::And => vocabulary().is_and(&word.text),
            Joint::To => vocabulary().is_to(&word.text),
            Joint::Mark => false,
        };
        let is_marked = joints.contains(&Joint::Mark) && (word.after_comma || word.after_dash);
        let mut found = Vec::new();
        if joints.iter().any(is_said) {
            for (first, _) in self.starts(at + 1) {
                found.extend(self.starting_at(first));
            }
        } else if is_marked && !word.after_wall {
            found.extend(self.starting_at(at));
        }
        found.into_iter().map(|it| (it, self.candidates[it].end)).collect()
    }

    /// A line of places that begins with this one: `Berlin - Leipzig - Munich`, `Berlin to Munich`.
    fn line(&self, first: usize, is_way: bool) -> Vec<usize> {
        let mut line = vec![first];
        while line.len() < LONGEST_LINE {
            let end = self.candidates[line[line.len() - 1]].end;
            let joints: &[Joint] =
                if is_way { &[Joint::To] } else { &[Joint::And, Joint::To, Joint::Mark] };
            // The longest name goes on, but a chain (`Berlin, Leipzig`) would swallow the next place.
            let next =
                self.joined(end, joints).into_iter().filter(|it| !self.candidates[it.0].is_chain());
            match next.max_by_key(|it| it.1) {
                Some((next, _)) => line.push(next),
                None => break,
            }
        }
        line
    }

    fn weighed(&self, shape: Shape) -> Reading {
        let mut tally = Tally::default();
        let case = shape.places.first().and_then(|it| self.candidates[*it].case);
        let strength = match (&shape.said, case) {
            (Some(said), _) => f64::from(said.strength),
            (None, Some(Case::Inside)) => 2.5,
            (None, Some(Case::From)) => 1.0,
            _ => 0.0,
        };
        let is_whole = shape.words == (0..self.words.len()) && !self.has_terms;
        if strength > 0.0 {
            tally.add(Reason::Relation, strength);
        } else if !is_whole {
            tally.add(Reason::Unmarked, 1.0);
        }
        tally.add(Reason::Article, shape.articles as f64);
        if shape.said.as_ref().is_some_and(|it| self.is_inside_name(it)) {
            tally.add(Reason::PartOfName, RELATION_IN_NAME);
        }
        if shape.places.is_empty() {
            tally.add(Reason::Position, 1.0);
        }
        self.weigh_position(&shape, is_whole, strength > 0.0, &mut tally);
        let part = 1.0 / shape.places.len().max(1) as f64;
        for number in &shape.places {
            self.weigh_name(&self.candidates[*number], strength, part, &mut tally);
        }
        if shape.places.len() > 1 {
            tally.add(Reason::Chain, 0.5);
        }
        // What is in a point is near it.
        let is_point =
            |it: &usize| matches!(self.candidates[*it].what, What::Point(..) | What::Address(..));
        let relation = match shape.relation {
            Relation::In if shape.places.iter().any(is_point) => Relation::Near,
            relation => relation,
        };
        Reading {
            relation,
            places: shape.places,
            words: shape.words,
            is_marked: strength > 0.0,
            is_doubtful: strength < 1.5 || tally.has(Reason::OrdinaryWord),
            tally,
        }
    }

    /// What the place in the query says.
    fn weigh_position(&self, shape: &Shape, is_whole: bool, is_marked: bool, tally: &mut Tally) {
        let (first, end) = (shape.words.start, shape.words.end);
        if is_whole && !is_marked {
            tally.add(Reason::Whole, 1.0);
        } else if end == self.words.len() {
            tally.add(Reason::Last, 1.0);
        } else if first == 0 {
            tally.add(Reason::First, 1.0);
        } else if !is_marked {
            tally.add(Reason::Unmarked, 0.5);
        }
        if first > 0 && self.words[first].after_comma {
            tally.add(Reason::Comma, 1.0);
        }
        if is_marked {
            return;
        }
        let is_thing =
            |at: usize| self.words.get(at).is_some_and(|it| vocabulary().is_thing(&it.text));
        if end < self.words.len() && is_thing(end) || first > 0 && is_thing(first - 1) {
            tally.add(Reason::Thing, 1.0);
        }
        let is_compound = end == first + 1
            && end < self.words.len()
            && !self.words[end].begins_anew()
            && self.words[first].is_small
            && self.ordinary(first..end) > ORDINARY + 0.3;
        if is_compound {
            tally.add(Reason::Compound, 1.0);
        }
    }

    /// What the name says.
    fn weigh_name(&self, it: &Candidate, strength: f64, share: f64, tally: &mut Tally) {
        let mut add = |reason, amount: f64| tally.add(reason, amount * share);
        let word = &self.words[it.first];
        let is_marked = strength > 0.0;
        match &it.what {
            What::Point(_, is_sure) => {
                add(Reason::Position, 1.0);
                if !is_sure && !is_marked {
                    add(Reason::Unmarked, 7.0);
                }
                return;
            }
            What::Key(_) | What::Address(..) => return add(Reason::Position, 1.0),
            What::Guess(_) => add(Reason::Guessed, 1.0),
            What::Chain(_) => add(Reason::Chain, 1.0),
            What::Name(_) => {}
        }
        add(Reason::Known, it.importance - 0.32);
        if it.end - it.first > 1 && !it.is_chain() {
            add(Reason::SeveralWords, 1.0);
        }
        let capitals = self.capitals(it);
        if capitals > 0.0 {
            add(Reason::Capital, capitals);
        } else {
            add(Reason::SmallLetters, -capitals);
        }
        let ordinary = self.ordinary(it.first..it.end);
        let excess = (ordinary - ORDINARY).max(0.0);
        let factor = match (is_marked, word.is_small) {
            _ if it.is_chain() => 0.3,
            (true, true) => 1.5,
            (false, true) => 2.0,
            (_, false) if capitals > 0.5 => 0.7,
            (_, false) => 1.0,
        };
        // Of several ordinary words, one beside the other says something else than each: `Orange County`.
        let several = if it.end - it.first > 1 { 0.5 } else { 1.0 };
        let little_known = if it.importance < 0.5 { 1.5 } else { 1.0 };
        add(Reason::OrdinaryWord, factor * excess * several * little_known);
        let is_meant = it.is_chain() || (capitals > 0.5 && it.importance > 0.6);
        if ordinary >= VERY_COMMON && !is_meant {
            add(Reason::VeryCommon, 1.0);
        }
        if it.is_code {
            add(Reason::Code, if word.is_upper && is_marked { 0.4 } else { 1.0 });
        }
        let is_number = self.words[it.first..it.end].iter().all(Word::has_digit);
        if is_number && !it.is_chain() {
            add(Reason::Narrow, if strength > 2.0 { 1.0 } else { 4.0 });
        }
        if it.case.is_some() {
            add(Reason::Inflected, 1.0);
        }
        if self.is_part_of_name(it) {
            add(Reason::PartOfName, 1.0);
        }
        if self.is_chosen(it) {
            add(Reason::Chosen, 1.0);
        }
    }

    /// How much a capital letter tells, 0 to 1; below zero if its absence does.
    fn capitals(&self, it: &Candidate) -> f64 {
        let others = || {
            let outside = |(at, word): &(usize, &Word)| {
                !(it.first..it.end).contains(at) && word.text.bytes().any(|it| !it.is_ascii_digit())
            };
            self.words.iter().enumerate().filter(outside)
        };
        let word = &self.words[it.first];
        let has_small = others().any(|it| it.1.is_small);
        let has_capital = others().any(|it| it.1.is_capital && it.0 > 0);
        match word.is_capital {
            true if has_small && it.first > 0 => 1.0,
            // The first word may have its capital from where it stands.
            true if has_small => 0.4,
            false if has_capital && word.is_small && !word.has_digit() => -1.0,
            _ => 0.0,
        }
    }

    /// How common the least common of these words is in the languages that the query may be in.
    fn ordinary(&self, range: Range<usize>) -> f64 {
        let outside = self.tongues[..range.start].iter().chain(&self.tongues[range.end..]);
        let guessed = outside.copied().flatten().reduce(Languages::or).unwrap_or(Languages::ALL);
        let languages = self.asked.language.map_or(guessed, Languages::of_code);
        let words = self.words[range].iter().map(|it| ordinary_in(languages, &it.text));
        words.fold(f64::MAX, f64::min)
    }

    /// True if a known name of more words has these among its own.
    fn is_part_of_name(&self, it: &Candidate) -> bool {
        self.candidates.iter().any(|other| {
            let is_longer = other.end - other.first > it.end - it.first;
            is_longer
                && other.first <= it.first
                && other.end >= it.end
                && other.case.is_none()
                && other.importance > KNOWN_NAME
                && !other.is_code
        })
    }

    /// True if the words of a relation stand amid a known name: `Frankfurt am Main`, `Oldenburg in Holstein`.
    fn is_inside_name(&self, said: &Said) -> bool {
        self.candidates.iter().any(|it| {
            let is_name = matches!(it.what, What::Name(_)) && it.case.is_none() && !it.is_code;
            is_name && it.first < said.first && it.end > said.end && it.importance > KNOWN_NAME
        })
    }

    fn is_chosen(&self, it: &Candidate) -> bool {
        let span = self.words[it.first].span.start..self.words[it.end - 1].span.end;
        !self.asked.choices.is_empty() && self.asked.choice(&self.text[span]).is_some()
    }
}

/// What may stand between two places of one relation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Joint {
    And,
    To,
    /// A comma or a dash.
    Mark,
}
