//! Whether a spot names a place at all, from the words around it and what else its name means.

use gazetteer::NameClass;

use crate::cue::Cue;
use crate::lexicon;
use crate::name::Name;
use crate::person::Persons;
use crate::reason::{Reason, Weights};
use crate::spot::{Spot, Writing};
use crate::token::{Gap, Shape, Token, Tokens};

/// The pieces of evidence for and against a place, added up.
#[derive(Debug, Default)]
pub(crate) struct Tally {
    pub(crate) total: f32,
    /// The pieces themselves, if somebody asked for them.
    pub(crate) pieces: Option<Vec<(Reason, f32)>>,
}

impl Tally {
    pub(crate) fn add(&mut self, weights: &Weights, reason: Reason, amount: f32) {
        let gain = weights.of(reason, amount);
        self.total += gain;
        if let Some(pieces) = &mut self.pieces {
            pieces.push((reason, gain));
        }
    }

    /// How surely it is a place, 0 to 1.
    pub(crate) fn sure(&self) -> f32 {
        1.0 / (1.0 + (-self.total).exp())
    }
}

/// What a spot is judged with.
pub(crate) struct Judge<'a> {
    pub(crate) weights: &'a Weights,
    pub(crate) tokens: &'a Tokens,
    pub(crate) persons: &'a Persons<'a>,
    pub(crate) languages: u32,
    pub(crate) explains: bool,
}

/// Codes that people write in prose as other names; all others are codes of somebody's list.
fn is_spoken_code(word: &str, token: Option<&Token>) -> bool {
    let upper = token.is_some_and(|it| it.shape == Shape::Upper);
    let spoken = ["us", "usa", "uk", "uae", "eu", "nyc", "dc", "la", "ussr", "ddr", "brd", "drc"];
    let dotted = token.is_some_and(|it| it.is_dotted);
    upper && (dotted || word != "la") && spoken.contains(&word)
}

impl Judge<'_> {
    /// Adds up what speaks for a spot naming a place, but for what the rest of the page says.
    pub(crate) fn judge(&self, spot: &Spot, name: &Name) -> Tally {
        let mut tally = Tally { pieces: self.explains.then(Vec::new), ..Tally::default() };
        self.weigh_name(spot, name, &mut tally);
        self.weigh_before(spot, name, &mut tally);
        self.weigh_after(spot, name, &mut tally);
        self.weigh_persons(spot, name, &mut tally);
        tally
    }

    fn weigh_name(&self, spot: &Spot, name: &Name, tally: &mut Tally) {
        let mut add = |reason, amount| tally.add(self.weights, reason, amount);
        add(Reason::Known, name.importance - 0.32);
        if name.words > 1 {
            add(Reason::SeveralWords, 1.0);
        }
        let word = self.tokens.word(spot.first);
        let token = self.tokens.get(spot.first);
        let is_spoken = is_spoken_code(word, token);
        let ordinary = match spot.writing {
            _ if is_spoken || name.class == NameClass::Demonym => 0.0,
            // In running text nobody writes an ordinary word in capitals.
            Writing::Usual if token.is_some_and(|it| it.shape == Shape::Upper) => 0.0,
            // Where capitals say nothing, a name of ordinary words is ordinary words: `New Bridge Opens`.
            Writing::Title | Writing::Upper if name.words > 1 => self.least_ordinary(spot),
            _ => name.fact.ordinary_in(self.languages),
        };
        add(Reason::OrdinaryWord, (ordinary - 3.0).max(0.0));
        add(Reason::GivenName, (name.fact.given() - 5.4).max(0.0));
        add(Reason::Surname, (name.fact.surname() - 4.4).max(0.0));
        if name.words > 1 && self.tokens.cue(spot.end - 1).has(Cue::SORT_AFTER) {
            add(Reason::SortAfter, 1.0);
        }
        if name.words == 1
            && self.tokens.cue(spot.first).has(Cue::CALENDAR.and(Cue::TITLE).and(Cue::PART))
        {
            add(Reason::OrdinaryWord, 4.0);
        }
        if !is_spoken {
            let is_acronym = spot.writing == Writing::Usual
                && name.words == 1
                && name.spelling.len() < 5
                && token.is_some_and(|it| it.shape == Shape::Upper && !it.is_dotted);
            let is_dotted = token.is_some_and(|it| it.is_dotted) || self.has_stop(spot);
            match name.is_code() {
                true if is_dotted => add(Reason::Short, 0.3),
                true => add(Reason::Short, 1.0),
                false if is_acronym => add(Reason::Short, 0.6),
                false => {}
            }
        }
        if spot.writing != Writing::Usual {
            add(Reason::NoCase, if spot.writing == Writing::Lower { 1.5 } else { 1.0 });
        } else if spot.begins && ordinary > 2.5 {
            add(Reason::Begins, 1.0);
        }
    }

    fn weigh_before(&self, spot: &Spot, name: &Name, tally: &mut Tally) {
        let Some(before) = self.before(spot) else { return };
        let mut add = |reason, amount| tally.add(self.weights, reason, amount);
        let cue = self.tokens.cue(spot.first - 1);
        let is_prose = spot.writing == Writing::Usual;
        if cue.has(Cue::LOCATIVE) {
            add(Reason::Locative, 1.0);
        } else if cue.has(Cue::PART) {
            add(Reason::PartBefore, 1.0);
        } else if cue.has(Cue::SORT_BEFORE) {
            add(Reason::SortBefore, 1.0);
        } else if cue.has(Cue::WEAK_LOCATIVE) {
            add(Reason::WeakLocative, 1.0);
            let sort = spot.first.checked_sub(2).map(|it| self.tokens.cue(it));
            if sort.is_some_and(|it| it.has(Cue::SORT_BEFORE)) {
                add(Reason::SortBefore, 1.0);
            }
        } else if cue.has(Cue::TITLE) && before.is_capital() {
            add(Reason::Title, 1.0);
        } else if is_prose && before.is_capital() && !self.only_begins(spot.first - 1) {
            // `Denzel Washington`: an unknown word before a surname is mostly a given name.
            add(Reason::CapitalBefore, if name.fact.surname() > 5.0 { 2.0 } else { 1.0 });
        }
    }

    fn weigh_after(&self, spot: &Spot, name: &Name, tally: &mut Tally) {
        let Some(after) = self.after(spot) else { return };
        let mut add = |reason, amount| tally.add(self.weights, reason, amount);
        let cue = self.tokens.cue(spot.end);
        if cue.has(Cue::SORT_AFTER) {
            add(Reason::SortAfter, 1.0);
        } else if cue.has(Cue::OF_A_TOWN) {
            add(Reason::OfATown, 1.0);
        } else if cue.has(Cue::FIRM) && after.is_capital() {
            add(Reason::Firm, 1.0);
        } else if cue.has(Cue::SPEECH) {
            // Governments speak too, and are named by their seats.
            let is_given = name.fact.given() > 5.8;
            let spared = if is_given { 0.0 } else { 2.0 * (name.importance - 0.5).max(0.0) };
            add(Reason::Speech, 1.0 - spared.min(0.8));
        } else if spot.writing == Writing::Usual && after.is_capital() {
            add(Reason::CapitalAfter, 1.0);
        }
    }

    fn weigh_persons(&self, spot: &Spot, name: &Name, tally: &mut Tally) {
        let mut add = |reason, amount| tally.add(self.weights, reason, amount);
        if name.words == 1 && self.persons.is_called(self.tokens.word(spot.first)) {
            add(Reason::NamedPerson, 1.0);
        }
    }

    /// True if a full stop stands right behind a spot, as behind an abbreviation.
    fn has_stop(&self, spot: &Spot) -> bool {
        self.tokens.get(spot.end).is_some_and(|it| it.gap.has(Gap::STOP))
    }

    /// The word before a spot, if only a blank is between.
    fn before(&self, spot: &Spot) -> Option<&Token> {
        let gap = self.tokens.get(spot.first)?.gap;
        let close = Gap::BLANK.and(Gap::HYPHEN).and(Gap::APOSTROPHE);
        let before = self.tokens.get(spot.first.checked_sub(1)?)?;
        let is_title = gap.is_only(close.and(Gap::STOP))
            && before.shape == Shape::Capital
            && self.tokens.cue(spot.first - 1).has(Cue::TITLE);
        (gap.is_only(close) || is_title).then_some(before)
    }

    /// The word behind a spot, if only a blank is between.
    fn after(&self, spot: &Spot) -> Option<&Token> {
        let token = self.tokens.get(spot.end)?;
        token.gap.is_only(Gap::BLANK.and(Gap::HYPHEN)).then_some(token)
    }

    /// True for an ordinary word that has its capital from beginning a sentence.
    fn only_begins(&self, at: usize) -> bool {
        let ends = Gap::STOP.and(Gap::BREAK).and(Gap::QUOTE);
        let begins = at == 0 || self.tokens.get(at).is_none_or(|it| it.gap.has(ends));
        begins && lexicon::look_up(self.tokens.word(at)).ordinary() > 0.0
    }

    /// How common the least common word of a name is as an ordinary word.
    fn least_ordinary(&self, spot: &Spot) -> f32 {
        let words = (spot.first..spot.end).map(|it| lexicon::look_up(self.tokens.word(it)));
        words.map(|it| it.ordinary_in(self.languages)).fold(f32::MAX, f32::min)
    }
}
