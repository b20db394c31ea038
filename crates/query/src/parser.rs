//! From what somebody asked to a query.

use std::ops::Range;

use gazetteer::Gazetteer;

use crate::asked::Asked;
use crate::candidate::{Candidate, What, candidates};
use crate::locator::Locator;
use crate::phrasebook::{self, Side, said};
use crate::pieces::{Bracket, Pieces, pieces};
use crate::query::Query;
use crate::reading::{Material, Reading, tongues};
use crate::reason::Reason;
use crate::relation::Relation;
use crate::space::{Anchor, Space, Spot};
use crate::theme::{Term, Theme};
use crate::understood::{Chip, ChipKind, Note, NoteKind, Other, Understood};
use crate::vocabulary::vocabulary;
use crate::word::Word;

/// A longer text is cut, in characters.
const LONGEST: usize = 1000;
/// A text with more words is cut.
const MOST_WORDS: usize = 64;
/// Written out, a query is longer than it was asked: places get brackets and keys.
const LONGEST_WRITTEN_OUT: usize = 2000;
const MOST_WORDS_WRITTEN_OUT: usize = 128;
/// Typing errors are looked for in so many words, for that takes long.
const MOST_GUESSED: usize = 2;
/// Behind so many relations an address is looked for.
const MOST_STARTS: usize = 4;
/// How many other readings are offered.
const MOST_OTHERS: usize = 4;
/// A reading so much less probable than the best is not offered, nor is one below the least.
const FAR_BELOW: f64 = 4.0;
const LEAST: f64 = -4.5;
/// Nor is a place that hardly anybody knows.
const KNOWN_ENOUGH: f64 = 0.4;

/// Understands what people ask.
///
/// It is made once for a gazetteer and may be asked by any number of threads. The first address takes longer than those
/// behind it, since the reader of addresses is made then.
pub struct Parser<'g> {
    locator: Locator<'g>,
}

impl<'g> Parser<'g> {
    /// A parser that knows the places of this gazetteer.
    pub fn new(gazetteer: &'g Gazetteer) -> Self {
        Self { locator: Locator::new(gazetteer) }
    }

    /// What was asked, as a query. Any text is understood in some way.
    pub fn understand(&self, asked: &Asked<'_>) -> Understood {
        let mut notes = Vec::new();
        let text = one_text(asked, &mut notes);
        let text = cut(&text, &mut notes);
        let mut pieces = pieces(asked.today, text);
        notes.append(&mut pieces.notes);
        let mut work = Work { parser: self, asked, text, pieces, notes, opener: 0 };
        let (query, others, space_span) =
            if work.pieces.brackets.is_empty() { work.read() } else { work.read_brackets() };
        work.note_lost_choices(&query);
        let chips = work.chips(&query, space_span);
        Understood { text: text.to_owned(), query, others, notes: work.notes, chips }
    }
}

/// One text that says what was asked: the box, or the fields with the place in brackets.
fn one_text(asked: &Asked<'_>, notes: &mut Vec<Note>) -> String {
    let given = |field: Option<&str>| {
        field.map(|it| it.replace(['[', ']'], " ")).filter(|it| !it.trim().is_empty())
    };
    let (place, relation) = (given(asked.place), given(asked.relation));
    if asked.what.is_none() && place.is_none() {
        return asked.text.to_owned();
    }
    let what = given(asked.what.or(Some(asked.text))).unwrap_or_default();
    let relation = relation.filter(|it| {
        let words = pieces(asked.today, it).words;
        let is_known = phrasebook::relation(it, &words).is_some();
        if !is_known {
            let text = format!("\"{}\" is no relation that is known: \"in\" is taken", it.trim());
            notes.push(Note { kind: NoteKind::Unknown, text });
        }
        is_known
    });
    let is_alone = |it: &String| {
        said(it, &pieces(asked.today, it).words).iter().any(|it| it.side == Side::Alone)
    };
    match (place, relation) {
        (Some(place), relation) => format!("{what} , {} [{place}]", relation.unwrap_or_default()),
        (None, Some(relation)) if is_alone(&relation) => format!("{what} , near [me]"),
        (None, _) => format!("{what} []"),
    }
}

/// The text without what is too much of it.
fn cut<'t>(text: &'t str, notes: &mut Vec<Note>) -> &'t str {
    let is_written_out = text.contains('[');
    let (longest, most) = if is_written_out {
        (LONGEST_WRITTEN_OUT, MOST_WORDS_WRITTEN_OUT)
    } else {
        (LONGEST, MOST_WORDS)
    };
    let end = text.char_indices().nth(longest).map_or(text.len(), |it| it.0);
    let mut kept = &text[..end];
    if let Some(word) = text::words(kept).nth(most) {
        kept = &kept[..word.start];
    }
    if kept.len() < text.len() {
        let text = format!(
            "the query is longer than {longest} characters or {most} words: the rest is left out"
        );
        notes.push(Note { kind: NoteKind::Cut, text });
    }
    kept
}

/// A query on its way.
struct Work<'a, 'g> {
    parser: &'a Parser<'g>,
    asked: &'a Asked<'a>,
    text: &'a str,
    pieces: Pieces,
    notes: Vec<Note>,
    /// How many of the first words only open a question.
    opener: usize,
}

type Parsed = (Query, Vec<Other>, Option<Range<usize>>);

impl Work<'_, '_> {
    /// Reads a text in which it is open which words are the place.
    fn read(&mut self) -> Parsed {
        let all = std::mem::take(&mut self.pieces.words);
        let said = said(self.text, &all);
        self.opener = opener(&all, &said, !self.pieces.theme.terms.is_empty());
        let words = &all[self.opener..];
        if self.opener > 0 {
            let opening = &self.text[all[0].span.start..all[self.opener - 1].span.end];
            let text = format!("\"{opening}\" opens the question and is left out");
            self.notes.push(Note { kind: NoteKind::Opener, text });
        }
        let said = phrasebook::said(self.text, words);
        let has_relation = said.iter().any(|it| it.strength > 2);
        let gazetteer = self.parser.locator.gazetteer;
        let mut found = candidates(gazetteer, self.asked.position, has_relation, self.text, words);
        self.add_addresses(words, &said, &mut found);
        let material = |found: &[Candidate]| {
            Material {
                asked: self.asked,
                text: self.text,
                words,
                said: &said,
                candidates: found,
                has_terms: !self.pieces.theme.terms.is_empty(),
                tongues: tongues(words, found),
            }
            .readings()
        };
        let mut readings = material(&found);
        if readings.first().is_none_or(|it| it.tally.total <= 0.0)
            && let Some(guess) = self.guess(words, &said)
        {
            found.push(guess);
            readings = material(&found);
        }
        let parsed = self.settle(words, &found, &readings);
        if parsed.0.space.is_none() && parsed.2.is_none() {
            let note = self.unknown_place(words, &said);
            self.notes.extend(note);
        }
        self.pieces.words = all;
        parsed
    }

    /// Addresses with a house number, if there are numbers at all.
    fn add_addresses(&self, words: &[Word], said: &[phrasebook::Said], found: &mut Vec<Candidate>) {
        let is_taken = |at: usize| {
            let is_distance = |it: &phrasebook::Said| {
                matches!(it.relation, Relation::Within(_) | Relation::Ring(..))
                    && (it.first..it.end).contains(&at)
            };
            let is_position = |it: &Candidate| {
                matches!(it.what, What::Point(..) | What::Key(_))
                    && (it.first..it.end).contains(&at)
            };
            said.iter().any(is_distance) || found.iter().any(is_position)
        };
        let is_number = |at: &usize| {
            let text = &words[*at].text;
            text.starts_with(|it: char| it.is_ascii_digit()) && text.len() < 6 && !is_taken(*at)
        };
        if words.len() < 2 || !(0..words.len()).any(|it| is_number(&it)) {
            return;
        }
        let mut addresses = Vec::new();
        for span in self.address_spans(words, said) {
            let first = words.iter().position(|it| it.span.end > span.start);
            let end = words.iter().rposition(|it| it.span.start < span.end).map(|it| it + 1);
            if let (Some(first), Some(end)) = (first, end)
                && first < end
                && !(first..end).any(is_taken)
                // `10 Downing Street, London` is a place by itself.
                && !found.iter().any(|it| (it.first, it.end) == (first, end))
            {
                let what = What::Address(span.start, span.end);
                let is_code = false;
                addresses.push(Candidate {
                    first,
                    end,
                    what,
                    importance: 1.0,
                    case: None,
                    is_code,
                });
            }
        }
        found.extend(addresses);
    }

    /// Where addresses stand: in the text as it is, and behind each relation, for the reader of addresses knows no
    /// relations and may take the theme for a part of the street.
    fn address_spans(&self, words: &[Word], said: &[phrasebook::Said]) -> Vec<Range<usize>> {
        let is_before = |it: &&phrasebook::Said| it.side == Side::Before && it.strength > 2;
        let behind = said.iter().filter(is_before).take(MOST_STARTS);
        let behind = behind.filter_map(|it| words.get(it.end));
        let mut starts: Vec<usize> = behind.map(|it| it.span.start).collect();
        starts.push(0);
        starts.sort_unstable();
        starts.dedup();
        let mut spans: Vec<Range<usize>> = Vec::new();
        for start in starts {
            let found = self.parser.locator.address_spans(&self.text[start..]);
            spans.extend(found.into_iter().map(|it| it.start + start..it.end + start));
        }
        spans.sort_unstable_by_key(|it| (it.start, it.end));
        spans.dedup();
        spans
    }

    /// A place with a typing error, where a relation says that there is one: `hotels in Helsnki`.
    fn guess(&self, words: &[Word], said: &[phrasebook::Said]) -> Option<Candidate> {
        let (first, text) = self.behind_relation(words, said)?;
        if words[first..].iter().any(|it| it.text.len() <= 4) {
            return None;
        }
        let guess = self.parser.locator.guess(self.asked, text)?;
        Some(Candidate { first, end: words.len(), ..guess })
    }

    /// The words behind the last relation, if they can hardly be anything but a name, and where they begin.
    fn behind_relation(&self, words: &[Word], said: &[phrasebook::Said]) -> Option<(usize, &str)> {
        let is_good = |it: &&phrasebook::Said| {
            it.side == Side::Before && it.strength > 2 && it.end < words.len()
        };
        let first = said.iter().filter(is_good).map(|it| it.end).max()?;
        let is_name = words[first..].iter().all(|it| {
            !it.begins_anew() && !it.has_digit() && crate::lexicon::ordinary(&it.text).is_none()
        });
        if !is_name || words.len() - first > MOST_GUESSED {
            return None;
        }
        let span = words[first].span.start..words[words.len() - 1].span.end;
        Some((first, &self.text[span]))
    }

    /// Says that nobody knows the place that a relation says there is: `bakeries near Xyzzy`.
    fn unknown_place(&self, words: &[Word], said: &[phrasebook::Said]) -> Option<Note> {
        if self.asked.region.is_some() {
            return None;
        }
        let (_, name) = self.behind_relation(words, said)?;
        let hint = self.parser.locator.hint(self.asked, name);
        let text =
            format!("no place \"{name}\" is known, it is sought like any other word: {hint}");
        Some(Note { kind: NoteKind::Unknown, text })
    }

    /// Takes the best reading and offers the others.
    fn settle(&mut self, words: &[Word], found: &[Candidate], readings: &[Reading]) -> Parsed {
        let is_drawn = self.asked.region.is_some();
        let plain = self.query(words, None, None);
        let mut notes = Vec::new();
        let mut best: Option<(&Reading, Option<Space>)> = None;
        for reading in readings.iter().filter(|it| it.tally.total > 0.0) {
            if is_drawn && !reading.is_marked {
                continue;
            }
            notes.clear();
            if let Some(space) = self.space(words, found, reading, &mut notes) {
                best = Some((reading, Some(space)));
                break;
            }
            if reading.places.is_empty() {
                best = Some((reading, None));
                break;
            }
        }
        let Some((reading, space)) = best else {
            let others = self.others(words, found, readings, None);
            return self.with_region(plain, others, None);
        };
        if is_drawn {
            let written = self.written(words, reading);
            let text =
                format!("the region drawn on the map is searched: \"{written}\" is left out");
            self.notes.push(Note { kind: NoteKind::Region, text });
        } else {
            self.notes.append(&mut notes);
        }
        let query = self.query(words, Some(reading.words.clone()), space);
        let mut others = self.others(words, found, readings, Some(reading));
        if reading.is_doubtful && !is_drawn {
            others.insert(0, plain_other(&plain, reading));
            others.truncate(MOST_OTHERS);
        }
        let span = words[reading.words.start].span.start..words[reading.words.end - 1].span.end;
        self.with_region(query, others, Some(span))
    }

    /// The query with the region that was drawn in place of what the text names.
    fn with_region(
        &self,
        mut query: Query,
        mut others: Vec<Other>,
        span: Option<Range<usize>>,
    ) -> Parsed {
        let Some(region) = &self.asked.region else { return (query, others, span) };
        let relation = self
            .asked
            .relation
            .and_then(|it| phrasebook::relation(it, &pieces(self.asked.today, it).words));
        query.space = Some(Space {
            relation: relation.filter(|it| it.least_anchors() == 1).unwrap_or(Relation::In),
            anchors: vec![Anchor {
                text: String::new(),
                span: 0..0,
                at: Spot::Drawn(region.clone()),
                key: None,
                label: "region on the map".to_owned(),
                confidence: 1.0,
                others: Vec::new(),
            }],
        });
        others.clear();
        (query, others, None)
    }

    /// Readings that are less probable than the one taken, but not by much.
    fn others(
        &self,
        words: &[Word],
        found: &[Candidate],
        readings: &[Reading],
        taken: Option<&Reading>,
    ) -> Vec<Other> {
        let best = taken.map_or(0.0, |it| it.tally.total.min(FAR_BELOW));
        let mut seen: Vec<Range<usize>> = taken.iter().map(|it| it.words.clone()).collect();
        let mut others = Vec::new();
        for reading in readings {
            let is_near = reading.tally.total > (best - FAR_BELOW).max(LEAST);
            let is_known = reading
                .places
                .iter()
                .all(|it| found[*it].importance >= KNOWN_ENOUGH && !found[*it].is_code);
            let overlaps = |it: &Range<usize>| {
                it.start <= reading.words.start && it.end >= reading.words.end
                    || reading.words.start <= it.start && reading.words.end >= it.end
            };
            if !is_near || !is_known || reading.places.is_empty() || seen.iter().any(overlaps) {
                continue;
            }
            let Some(space) = self.space(words, found, reading, &mut Vec::new()) else { continue };
            seen.push(reading.words.clone());
            let query = self.query(words, Some(reading.words.clone()), Some(space));
            let why =
                reading.tally.strongest_for().unwrap_or("it bears the name of a place").to_owned();
            others.push(Other { label: label(&query), why, query });
            if others.len() == MOST_OTHERS {
                break;
            }
        }
        others
    }

    fn written(&self, words: &[Word], reading: &Reading) -> &str {
        &self.text[words[reading.words.start].span.start..words[reading.words.end - 1].span.end]
    }

    /// Where a reading looks; nothing if one of its places cannot be found.
    fn space(
        &self,
        words: &[Word],
        found: &[Candidate],
        reading: &Reading,
        notes: &mut Vec<Note>,
    ) -> Option<Space> {
        if reading.places.is_empty() {
            let span = words[reading.words.start].span.start..words[reading.words.end - 1].span.end;
            let me = self.me(span, notes)?;
            return Some(Space { relation: reading.relation, anchors: vec![me] });
        }
        let mut anchors = Vec::new();
        for number in &reading.places {
            let candidate = &found[*number];
            let span = match candidate.what {
                What::Address(start, end) => start..end,
                _ => self.with_parenthesis(
                    words[candidate.first].span.start..words[candidate.end - 1].span.end,
                ),
            };
            let text = &self.text[span.clone()];
            anchors.push(self.parser.locator.anchor(self.asked, candidate, text, span, notes)?);
        }
        Some(Space { relation: reading.relation, anchors })
    }

    /// The bytes of a name with the parenthesis that closes it: `Frankfurt (Oder)`.
    fn with_parenthesis(&self, span: Range<usize>) -> Range<usize> {
        let is_open =
            self.text[span.clone()].contains('(') && self.text[span.end..].starts_with(')');
        span.start..span.end + usize::from(is_open)
    }

    /// Where the user is, if that is known.
    fn me(&self, span: Range<usize>, notes: &mut Vec<Note>) -> Option<Anchor> {
        let Some(point) = self.asked.position else {
            let text = "what is near you can be told once your position is known: allow it, or name a place".to_owned();
            notes.push(Note { kind: NoteKind::Position, text });
            return None;
        };
        Some(Anchor {
            text: "me".to_owned(),
            span,
            at: Spot::Me(point),
            key: None,
            label: "your position".to_owned(),
            confidence: 1.0,
            others: Vec::new(),
        })
    }

    /// The query whose theme is all but these words.
    fn query(&self, words: &[Word], taken: Option<Range<usize>>, space: Option<Space>) -> Query {
        let taken = taken.unwrap_or(0..0);
        let mut theme = self.pieces.theme.clone();
        // What is left of a piece from which a place was taken is plain words, whatever it looks like.
        let at_edge = |at: usize| {
            let is_cut = at > 0 && at < words.len() && words[at - 1].chunk == words[at].chunk;
            is_cut.then(|| words[at].chunk)
        };
        let torn = [at_edge(taken.start), at_edge(taken.end)];
        for left in [&words[..taken.start], &words[taken.end..]] {
            self.add_terms(left, torn, &mut theme);
        }
        theme.terms.sort_by_key(|it| it.span.start);
        Query { theme, space, sort: self.pieces.sort }
    }

    /// Adds plain words as terms; what was written in one piece is one term.
    fn add_terms(&self, left: &[Word], torn: [Option<usize>; 2], theme: &mut Theme) {
        let is_one = |a: &Word, b: &Word| a.chunk == b.chunk && !torn.contains(&Some(a.chunk));
        for chunk in left.chunk_by(is_one) {
            let span = chunk[0].span.start..chunk[chunk.len() - 1].span.end;
            let is_common = |it: &Word| vocabulary().is_common(self.asked.language, &it.text);
            theme.terms.push(Term {
                text: self.text[span.clone()].to_owned(),
                words: chunk.iter().map(|it| it.text.clone()).collect(),
                is_phrase: false,
                in_title: false,
                is_excluded: false,
                is_common: chunk.iter().all(is_common),
                span,
            });
        }
    }

    /// Reads a text in which the places are written out in brackets.
    fn read_brackets(&mut self) -> Parsed {
        let words = std::mem::take(&mut self.pieces.words);
        let brackets = std::mem::take(&mut self.pieces.brackets);
        let named: Vec<&Bracket> = brackets.iter().filter(|it| !it.text.is_empty()).collect();
        let Some(first) = named.first().copied() else {
            let query = self.query(&words, None, None);
            self.pieces.words = words;
            return self.with_region(query, Vec::new(), None);
        };
        let said = said(self.text, &words);
        let is_before = |it: &&phrasebook::Said| {
            it.end == first.word && it.side == Side::Before && !first.after_comma
        };
        let said = said.iter().filter(is_before).min_by_key(|it| it.first);
        let relation = said.map_or(Relation::In, |it| it.relation);
        let mut notes = Vec::new();
        let (anchors, last) = self.bracket_anchors(relation, &words, &named, &mut notes);
        let start = said.map_or(first.word, |it| it.first);
        let end = last.map_or(first.word, |it| it.word);
        let space = space_of(relation, anchors);
        if self.asked.region.is_none() {
            self.notes.append(&mut notes);
        }
        let span_start = said.map_or(first.span.start, |it| words[it.first].span.start);
        let span = span_start..last.unwrap_or(first).span.end;
        let query = self.query(&words, Some(start..end), space);
        let span = query.space.is_some().then_some(span);
        self.pieces.words = words;
        self.with_region(query, Vec::new(), span)
    }

    /// The places in brackets that a relation takes, and the last of these brackets.
    fn bracket_anchors<'b>(
        &self,
        relation: Relation,
        words: &[Word],
        brackets: &[&'b Bracket],
        notes: &mut Vec<Note>,
    ) -> (Vec<Anchor>, Option<&'b Bracket>) {
        let most = match relation {
            Relation::Along => usize::MAX,
            Relation::Between => 2,
            _ => 1,
        };
        let mut anchors = Vec::new();
        let mut last: Option<&Bracket> = None;
        for bracket in brackets {
            let is_joined = last.is_none_or(|it| {
                let between = &words[it.word..bracket.word];
                between
                    .iter()
                    .all(|it| vocabulary().is_and(&it.text) || vocabulary().is_to(&it.text))
            });
            if anchors.len() >= most || !is_joined {
                break;
            }
            last = Some(bracket);
            // Of three fields one has all the places: `Berlin and Potsdam`.
            let is_list = most > 1 && brackets.len() == 1;
            let texts = if is_list { listed(&bracket.text) } else { vec![bracket.text.as_str()] };
            for text in texts.into_iter().take(most - anchors.len()) {
                anchors.extend(self.bracket_anchor(bracket, text, notes));
            }
        }
        (anchors, last)
    }

    fn bracket_anchor(
        &self,
        bracket: &Bracket,
        text: &str,
        notes: &mut Vec<Note>,
    ) -> Option<Anchor> {
        if text == "me" {
            return self.me(bracket.span.clone(), notes);
        }
        let found = self.parser.locator.locate(self.asked, text, notes);
        if found.is_none() {
            let hint = self.parser.locator.hint(self.asked, text);
            let text = format!("no place \"{text}\" is known: {hint}");
            notes.push(Note { kind: NoteKind::Unknown, text });
        }
        found.map(|it| Anchor { span: bracket.span.clone(), ..it })
    }

    /// The parts that were understood, in order.
    /// A choice that found no text to be for is told.
    fn note_lost_choices(&mut self, query: &Query) {
        let anchors: Vec<&Anchor> = query.space.iter().flat_map(|it| &it.anchors).collect();
        for (_, id) in self.asked.choices.iter().filter(|it| it.0.is_empty()) {
            if !anchors.iter().any(|it| it.at == Spot::Place(*id)) {
                let place = self.parser.locator.gazetteer.place(*id);
                let text = format!(
                    "no place of the query is called {}: the choice is left out",
                    place.name()
                );
                self.notes.push(Note { kind: NoteKind::Choice, text });
            }
        }
    }

    fn chips(&mut self, query: &Query, span: Option<Range<usize>>) -> Vec<Chip> {
        let mut chips = std::mem::take(&mut self.pieces.chips);
        if self.opener > 0 {
            let opening = &self.pieces.words[..self.opener];
            let span = opening[0].span.start..opening[self.opener - 1].span.end;
            let label = self.text[span.clone()].to_owned();
            chips.push(Chip { kind: ChipKind::Opener, label, span: Some(span) });
        }
        for term in &query.theme.terms {
            let kind = match term {
                it if it.is_excluded => ChipKind::Excluded,
                it if it.in_title => ChipKind::Title,
                it if it.is_phrase => ChipKind::Phrase,
                _ => ChipKind::Word,
            };
            chips.push(Chip { kind, label: term.text.clone(), span: Some(term.span.clone()) });
        }
        if let Some(space) = &query.space {
            chips.push(Chip { kind: ChipKind::Space, label: space_label(space), span });
        }
        chips.sort_by_key(|it| it.span.as_ref().map_or(usize::MAX, |it| it.start));
        chips
    }
}

/// The reading without a place.
fn plain_other(plain: &Query, taken: &Reading) -> Other {
    let against = taken.tally.strongest_against().unwrap_or(Reason::Unmarked.label());
    Other { label: label(plain), why: against.to_owned(), query: plain.clone() }
}

/// The space of a relation with these places; of places too few for it, the nearest thing there is.
fn space_of(relation: Relation, anchors: Vec<Anchor>) -> Option<Space> {
    let is_point = |it: &Anchor| !matches!(it.at, Spot::Place(_) | Spot::Drawn(_));
    if relation == Relation::In && anchors.iter().any(is_point) {
        return Some(Space { relation: Relation::Near, anchors });
    }
    match anchors.len() {
        0 => None,
        1 if relation.least_anchors() > 1 => Some(Space { relation: Relation::Near, anchors }),
        _ => Some(Space { relation, anchors }),
    }
}

/// The places of a list: `Berlin, Leipzig and Munich`, `Berlin - Munich`. Where semicolons part them, nothing else does:
/// `Paris, Texas; Dallas`.
fn listed(text: &str) -> Vec<&str> {
    if text.contains(';') {
        return text.split(';').map(str::trim).filter(|it| !it.is_empty()).collect();
    }
    let mut parts = Vec::new();
    for part in text.split([',', '–', '—', '→']).flat_map(|it| it.split(" - ")) {
        let mut start = 0;
        for word in text::words(part).collect::<Vec<_>>() {
            if vocabulary().is_and(&word.text) || vocabulary().is_to(&word.text) {
                parts.push(part[start..word.start].trim());
                start = word.end;
            }
        }
        parts.push(part[start..].trim());
    }
    parts.retain(|it| !it.is_empty());
    parts
}

/// How many of the first words only open a question, leaving something to ask.
fn opener(words: &[Word], said: &[phrasebook::Said], has_terms: bool) -> usize {
    let texts: Vec<&str> = words.iter().take(8).map(|it| it.text.as_str()).collect();
    let count = vocabulary().opener(&texts);
    let is_relation = said.iter().any(|it| it.first < count && it.end > count && it.strength > 1);
    let leaves_something = count < words.len() || has_terms;
    let tears = count > 0 && count < words.len() && words[count - 1].chunk == words[count].chunk;
    if is_relation || tears || !leaves_something { 0 } else { count }
}

/// What a query asks, in words.
fn label(query: &Query) -> String {
    let theme = query.theme.to_string();
    match &query.space {
        None => format!("{theme}, anywhere"),
        Some(space) if theme.is_empty() => space_label(space),
        Some(space) => format!("{theme} {}", space_label(space)),
    }
}

fn space_label(space: &Space) -> String {
    let anchors: Vec<&str> = space.anchors.iter().map(|it| it.label.as_str()).collect();
    let joint = if space.relation == Relation::Between { " and " } else { " – " };
    let relation = match space.relation {
        Relation::Within(far) => format!("within {far} of"),
        Relation::Ring(near, far) => format!("between {near} and {far} from"),
        relation => relation.to_string(),
    };
    format!("{relation} {}", anchors.join(joint))
}
