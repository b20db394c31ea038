//! From the text of a place to the place: which of those that bear a name, which house of an address.

use std::ops::Range;
use std::sync::OnceLock;

use earth::Point;
use gazetteer::{Gazetteer, Kind, NameClass, PlaceId, Precision, is_key, spelling};
use geoparse::{Addresses, Hints};

use crate::asked::Asked;
use crate::candidate::{Candidate, What, bearers, candidates};
use crate::pieces::pieces;
use crate::space::{Anchor, Choice, Spot};
use crate::understood::{Note, NoteKind};

/// How sharply probability falls with how well known a place is; the geoparser's own measure.
const SHARPNESS: f64 = 9.0;
/// Beside a place better known than this by its own name, names from other languages count less.
const WELL_KNOWN: f64 = 0.6;
/// How many places share the probability.
const COMPARED: usize = 20;
/// How many other places are offered.
const MOST_CHOICES: usize = 8;
/// What is so much less known than the best is not offered.
const FAR_BELOW: f64 = 0.45;
/// A place is ambiguous if another of its name is at least so probable, beside it.
const CONTENDER: f64 = 0.08;
/// What it is worth to be where the user is, in importance, and the distance at which half of it is left; as the gazetteer has it.
const AT_POSITION: f64 = 0.18;
const HALF: f64 = 30_000.0;
/// Typing errors are looked for in so many words, for that takes long.
const MOST_GUESSED: usize = 6;
/// A name with a typing error must be at least so sure to be taken.
const SURE_GUESS: f64 = 0.5;
/// So many names are offered for one that nobody bears.
const MOST_SIMILAR: usize = 3;

/// Finds places for their texts.
pub(crate) struct Locator<'g> {
    pub(crate) gazetteer: &'g Gazetteer,
    /// Made when the first address is asked for, for it takes a while.
    addresses: OnceLock<Addresses<'g>>,
}

impl<'g> Locator<'g> {
    pub(crate) fn new(gazetteer: &'g Gazetteer) -> Self {
        Self { gazetteer, addresses: OnceLock::new() }
    }

    fn addresses(&self) -> &Addresses<'g> {
        self.addresses.get_or_init(|| Addresses::new(self.gazetteer))
    }

    /// The bytes of the addresses with a house number in a text.
    pub(crate) fn address_spans(&self, text: &str) -> Vec<Range<usize>> {
        let found = self.addresses().find(text, &Hints::default());
        let is_one = |it: &geoparse::Address| it.street.is_some() && it.number.is_some();
        found.into_iter().filter(is_one).map(|it| it.span).collect()
    }

    /// The place of a text that is known to be one, and of nothing else.
    pub(crate) fn locate(
        &self,
        asked: &Asked<'_>,
        text: &str,
        notes: &mut Vec<Note>,
    ) -> Option<Anchor> {
        let text = text.trim();
        let span = 0..text.len();
        let last = text.rsplit(char::is_whitespace).next().unwrap_or_default();
        if is_key(last)
            && let Some(place) = self.gazetteer.by_key(last)
        {
            let written = text[..text.len() - last.len()].trim();
            let written = if written.is_empty() { place.name() } else { written };
            return Some(self.place_anchor(place.id(), written, span));
        }
        let words = pieces(asked.today, text).words;
        let is_whole = |it: &Candidate| it.first == 0 && it.end == words.len();
        let mut found = candidates(self.gazetteer, asked.position, true, text, &words);
        found.retain(is_whole);
        // A name in its own form before one in a case, what stands beside its holder before both.
        let best = found.into_iter().min_by_key(|it| (it.case.is_some(), !it.is_chain()));
        if let Some(best) =
            best.filter(|it| !matches!(it.what, What::Point(_, false)) || words.len() > 1)
        {
            return self.anchor(asked, &best, text, span, notes);
        }
        if words.iter().any(crate::word::Word::has_digit)
            && let Some(anchor) = self.address(text, span.clone(), notes)
        {
            return Some(anchor);
        }
        if words.len() > MOST_GUESSED {
            return None;
        }
        let guess = self.guess(asked, text)?;
        self.anchor(asked, &Candidate { first: 0, end: words.len(), ..guess }, text, span, notes)
    }

    /// A place whose name is almost this text.
    pub(crate) fn guess(&self, asked: &Asked<'_>, text: &str) -> Option<Candidate> {
        let best = self.gazetteer.geocode(text, asked.position, 1).into_iter().next()?;
        let is_good = best.confidence >= SURE_GUESS;
        is_good.then(|| Candidate {
            first: 0,
            end: 0,
            what: What::Guess(best.place.id()),
            importance: best.place.importance(),
            case: None,
            is_code: false,
        })
    }

    /// What to do about a name that nobody bears: the names that are nearest to it, if there are any.
    pub(crate) fn hint(&self, asked: &Asked<'_>, text: &str) -> String {
        let found = self.gazetteer.geocode(text, asked.position, MOST_SIMILAR);
        let begun = || self.gazetteer.suggest(text, asked.position, MOST_SIMILAR);
        let mut names: Vec<String> = found.iter().map(gazetteer::Candidate::label).collect();
        if names.is_empty() {
            names = begun().iter().map(|it| it.place.label()).collect();
        }
        names.dedup();
        if names.is_empty() {
            "try another spelling, or a larger place".to_owned()
        } else {
            format!("did you mean {}?", names.join(", or "))
        }
    }

    /// What a candidate means.
    pub(crate) fn anchor(
        &self,
        asked: &Asked<'_>,
        candidate: &Candidate,
        text: &str,
        span: Range<usize>,
        notes: &mut Vec<Note>,
    ) -> Option<Anchor> {
        match &candidate.what {
            What::Name(name) => {
                let codes = candidate.is_code;
                let all: Vec<_> = bearers(self.gazetteer, *name).collect();
                let only_codes = all.iter().all(|it| it.1 == NameClass::Short);
                let spoken: Vec<_> = all
                    .into_iter()
                    .filter(|it| {
                        codes || only_codes || it.1 != NameClass::Short || self.is_country(it.0)
                    })
                    .collect();
                Some(self.best(asked, &spoken, text, span, notes))
            }
            What::Chain(places) => {
                let places: Vec<_> = places.iter().map(|it| (*it, NameClass::Main)).collect();
                Some(self.best(asked, &places, text, span, notes))
            }
            What::Key(place) => {
                let name = self.gazetteer.place(*place).name();
                Some(self.place_anchor(*place, name, span))
            }
            What::Point(point, _) => Some(self.point_anchor(*point, text, span)),
            What::Address(..) => self.address(text, span, notes),
            What::Guess(place) => {
                let anchor = self.place_anchor(*place, text, span);
                let text = format!("\"{text}\" is read as {}", anchor.label);
                notes.push(Note { kind: NoteKind::Inexact, text });
                Some(anchor)
            }
        }
    }

    fn is_country(&self, place: PlaceId) -> bool {
        self.gazetteer.place(place).kind() <= Kind::Country
    }

    /// The most probable of several places, with the others as choices.
    fn best(
        &self,
        asked: &Asked<'_>,
        places: &[(PlaceId, NameClass)],
        text: &str,
        span: Range<usize>,
        notes: &mut Vec<Note>,
    ) -> Anchor {
        let mut ranked = self.ranked(asked, places, text);
        let unnamed = || {
            let mut unnamed = asked.choices.iter().filter(|it| it.0.is_empty()).map(|it| it.1);
            unnamed.find(|it| places.iter().any(|(place, _)| place == it))
        };
        let chosen = asked.choice(text).or_else(unnamed).filter(|it| {
            let bears_it = places.iter().any(|(place, _)| place == it);
            if !bears_it {
                let text = format!(
                    "the place chosen for \"{text}\" is not called so: the choice is left out"
                );
                notes.push(Note { kind: NoteKind::Choice, text });
            }
            bears_it
        });
        let best = chosen.or_else(|| ranked.first().map(|it| it.0)).unwrap_or(PlaceId::WORLD);
        ranked.retain(|it| it.0 == best || !self.is_twin(it.0, best));
        let top = ranked.first().map_or(0.0, |it| it.1);
        let share = |weight: f64| ((weight - top) * SHARPNESS).exp();
        let whole: f64 = ranked.iter().take(COMPARED).map(|it| share(it.1)).sum();
        let own = ranked.iter().find(|it| it.0 == best).map_or(0.0, |it| share(it.1));
        let mut anchor = self.place_anchor(best, text, span);
        anchor.confidence = if chosen.is_some() { 1.0 } else { own / whole.max(1.0) };
        let others: Vec<_> = ranked
            .iter()
            .filter(|it| it.0 != best && it.1 > top - FAR_BELOW)
            .take(MOST_CHOICES)
            .collect();
        anchor.others = others.iter().map(|it| self.choice(&anchor.label, it.0)).collect();
        if chosen.is_none() && others.first().is_some_and(|it| share(it.1) > CONTENDER) {
            let other = &anchor.others[0].label;
            let text = format!("\"{text}\" is read as {}; it may also be {other}", anchor.label);
            notes.push(Note { kind: NoteKind::Ambiguous, text });
        }
        anchor
    }

    /// The places with how probable they are before anything else is known, the most probable first.
    fn ranked(
        &self,
        asked: &Asked<'_>,
        places: &[(PlaceId, NameClass)],
        text: &str,
    ) -> Vec<(PlaceId, f64)> {
        let name = spelling(text);
        let has_bearer = places.iter().any(|(place, class)| {
            *class == NameClass::Main && self.gazetteer.place(*place).importance() > WELL_KNOWN
        });
        let weight = |(place, class): (PlaceId, NameClass)| {
            let place = self.gazetteer.place(place);
            let main = spelling(place.name());
            let aptness = match class {
                NameClass::Main => 1.0,
                NameClass::Alternate if main.starts_with(&name) || name.starts_with(&main) => 0.97,
                // Some language calls Lomé so, but who asks for Rome means Rome.
                NameClass::Alternate if has_bearer => 0.65,
                _ => 0.85,
            };
            let near =
                asked.position.map_or(0.0, |it| HALF / (HALF + it.distance(place.point()).0));
            place.importance() * aptness + AT_POSITION * near
        };
        let mut ranked: Vec<_> = places.iter().map(|it| (it.0, weight(*it))).collect();
        ranked.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        ranked
    }

    /// True if a division is the chosen city again: around it, and if it is a region, with hardly more people.
    fn is_twin(&self, division: PlaceId, city: PlaceId) -> bool {
        let (division, city) = (self.gazetteer.place(division), self.gazetteer.place(city));
        let is_same_size = division.population() <= 2 * city.population();
        matches!(division.kind(), Kind::Region | Kind::County | Kind::Municipality)
            && (division.kind() != Kind::Region || is_same_size)
            && self.gazetteer.holds(division.id(), city.id())
    }

    fn choice(&self, taken: &str, place: PlaceId) -> Choice {
        let shown = self.gazetteer.place(place);
        let label = shown.label();
        let is_division = matches!(shown.kind(), Kind::Region | Kind::County | Kind::Municipality);
        // `Lisbon, Portugal` is the city; the division around it says what it is.
        let says_kind = is_division || label == taken;
        let label = if says_kind { format!("{label} ({})", shown.kind()) } else { label };
        Choice { place, label }
    }

    fn place_anchor(&self, place: PlaceId, text: &str, span: Range<usize>) -> Anchor {
        let shown = self.gazetteer.place(place);
        Anchor {
            text: without_brackets(text),
            span,
            at: Spot::Place(place),
            key: Some(shown.key().to_owned()),
            label: shown.label(),
            confidence: 1.0,
            others: Vec::new(),
        }
    }

    fn point_anchor(&self, point: Point, text: &str, span: Range<usize>) -> Anchor {
        let near = self.gazetteer.reverse(point).nearest.map(|it| it.0.label());
        let label = near.map_or_else(|| point.to_string(), |it| format!("{point} (near {it})"));
        Anchor {
            text: without_brackets(text),
            span,
            at: Spot::Point(point),
            key: None,
            label,
            confidence: 1.0,
            others: Vec::new(),
        }
    }

    /// Where an address is: the house if it is known, else its street or town.
    pub(crate) fn address(
        &self,
        text: &str,
        span: Range<usize>,
        notes: &mut Vec<Note>,
    ) -> Option<Anchor> {
        let parsed = self.addresses().parse(text, &Hints::default());
        let by_parts = parsed.position.filter(|_| parsed.street.is_some());
        // The geocoder knows houses by their street alone.
        let at = by_parts.map(|it| self.address_spot(&it, &parsed)).or_else(|| self.house(text))?;
        let Spot::Address { place, label, precision, .. } = &at else { return None };
        if *precision != Precision::House {
            let note = format!("the house is not known: \"{text}\" is read as {label}");
            notes.push(Note { kind: NoteKind::Inexact, text: note });
        }
        let key = place.map(|it| self.gazetteer.place(it).key().to_owned());
        let label = label.clone();
        let text = without_brackets(text);
        Some(Anchor {
            text,
            span,
            at,
            key,
            label,
            confidence: parsed.confidence,
            others: Vec::new(),
        })
    }

    fn address_spot(&self, found: &geoparse::Position, parsed: &geoparse::Address) -> Spot {
        let place = self.gazetteer.place(found.place);
        let number = parsed.number.as_ref().filter(|_| found.precision == Precision::House);
        let label = match number {
            Some(number) => {
                let house = format!("{} {}", place.name(), number.text);
                place.label().replacen(place.name(), &house, 1)
            }
            None => place.label(),
        };
        Spot::Address {
            place: Some(found.place),
            point: found.point,
            label,
            precision: found.precision,
        }
    }

    fn house(&self, text: &str) -> Option<Spot> {
        let best = self.gazetteer.geocode(text, None, 1).into_iter().next()?;
        let is_good = best.confidence >= SURE_GUESS && best.precision >= Precision::Street;
        is_good.then(|| Spot::Address {
            place: Some(best.place.id()),
            point: best.point,
            label: best.label(),
            precision: best.precision,
        })
    }
}

/// The text as it can stand between brackets.
fn without_brackets(text: &str) -> String {
    text.replace(['[', ']'], " ").split_whitespace().collect::<Vec<_>>().join(" ")
}
