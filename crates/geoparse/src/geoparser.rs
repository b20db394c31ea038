//! The places named in a text, found and told apart.

use std::sync::OnceLock;

use gazetteer::{Gazetteer, Kind, NameClass, PlaceId};

use crate::address::Addresses;
use crate::cue::Cue;
use crate::hints::{Hints, Home};
use crate::judge::{Judge, Tally};
use crate::language;
use crate::lexicon::language_bit;
use crate::mention::{Class, Considered, Mention, Why};
use crate::name::{Bearer, Name, bearers, names};
use crate::person::Persons;
use crate::reason::{Reason, Weights};
use crate::resolve::{self, Chain};
use crate::sight::{Sight, sights};
use crate::spot::{Reader, Spot, sentences};
use crate::token::{Gap, Tokens};

/// Below this no other evidence can make a place of a name, so that its places are not looked up.
const HOPELESS: f32 = -7.0;
/// What is better known than this is meant, whatever a sentence seems to say of where it lies.
const FAMOUS: f32 = 0.75;
/// A mention less sure than this does not tell where the things around it are.
const SURE_ENOUGH: f32 = 0.4;
/// How many of the places considered an explanation shows.
const MOST_SHOWN: usize = 5;

/// Finds the places that texts name.
pub struct Geoparser<'g> {
    pub(crate) gazetteer: &'g Gazetteer,
    /// Made when the first page is surveyed, for it takes a while and bare texts do not need it.
    addresses: OnceLock<Addresses<'g>>,
    weights: Weights,
    /// The countries whose states newspapers abbreviate with full stops.
    american: Vec<PlaceId>,
    explains: bool,
}

impl<'g> Geoparser<'g> {
    /// A geoparser that knows the places of this gazetteer.
    pub fn new(gazetteer: &'g Gazetteer) -> Self {
        // The United States and Canada.
        let american = ["gn:6252001", "gn:6251999"];
        let american = american.iter().filter_map(|key| gazetteer.by_key(key).map(|it| it.id()));
        Self {
            gazetteer,
            addresses: OnceLock::new(),
            weights: Weights::default(),
            american: american.collect(),
            explains: false,
        }
    }

    /// The same with other weights.
    #[must_use]
    pub fn weighing(mut self, weights: Weights) -> Self {
        self.weights = weights;
        self
    }

    /// The same, giving for every mention why it was taken for this place.
    #[must_use]
    pub fn explaining(mut self) -> Self {
        self.explains = true;
        self
    }

    /// The reader of addresses.
    pub fn addresses(&self) -> &Addresses<'g> {
        self.addresses.get_or_init(|| Addresses::new(self.gazetteer))
    }

    /// The places a text names, in order.
    pub fn mentions(&self, text: &str, hints: &Hints) -> Vec<Mention> {
        let tokens = Tokens::of(text);
        let languages = match hints.language.as_deref().map_or(0, language_bit) {
            0 => language::guess(&tokens),
            known => known,
        };
        let sentences = sentences(&tokens);
        let persons = Persons::of(&tokens, &sentences);
        let reader =
            Reader { gazetteer: self.gazetteer, tokens: &tokens, persons: &persons, languages };
        let mut spotted = Vec::new();
        let mut sighted = Vec::new();
        for sentence in &sentences {
            reader.spots(*sentence, &mut spotted);
            sights(&tokens, *sentence, &mut sighted);
        }
        let inner = settle(&spotted, &mut sighted);
        let (names, of_spot) = names(self.gazetteer, &tokens, &spotted);
        let judge = Judge {
            weights: &self.weights,
            tokens: &tokens,
            persons: &persons,
            languages,
            explains: self.explains,
        };
        let mut reading = Reading {
            gazetteer: self.gazetteer,
            weights: &self.weights,
            american: &self.american,
            explains: self.explains,
            text,
            tokens: &tokens,
            tallies: spotted
                .iter()
                .zip(&of_spot)
                .map(|(spot, name)| judge.judge(spot, &names[*name]))
                .collect(),
            spots: spotted,
            sights: sighted,
            inner,
            names,
            of_spot,
            chains: Vec::new(),
        };
        reading.resolve(hints);
        reading.mentions()
    }
}

/// A sight that the gazetteer knows is a spot and no sight; the spots in another are part of it.
///
/// Gives for every spot whether it is part of a sight.
fn settle(spots: &[Spot], sights: &mut Vec<Sight>) -> Vec<bool> {
    let mut inner = vec![false; spots.len()];
    sights.retain(|sight| {
        let first = spots.partition_point(|it| it.end <= sight.first);
        let overlapping = spots[first..].iter().take_while(|it| it.first < sight.end);
        let count = overlapping.clone().count();
        let is_known = overlapping
            .clone()
            .any(|it| it.end > sight.end || it.end - it.first >= sight.end - sight.first);
        if !is_known {
            inner[first..first + count].fill(true);
        }
        !is_known
    });
    inner
}

/// A text on its way from words to places.
struct Reading<'a> {
    gazetteer: &'a Gazetteer,
    weights: &'a Weights,
    american: &'a [PlaceId],
    explains: bool,
    text: &'a str,
    tokens: &'a Tokens,
    spots: Vec<Spot>,
    sights: Vec<Sight>,
    /// Whether a spot is part of a sight.
    inner: Vec<bool>,
    names: Vec<Name>,
    of_spot: Vec<usize>,
    tallies: Vec<Tally>,
    chains: Vec<Chain>,
}

impl Reading<'_> {
    /// Decides which place each name means.
    fn resolve(&mut self, hints: &Hints) {
        self.look_up_bearers();
        resolve::begin(self.american, self.weights, &mut self.names);
        let definitions;
        (self.chains, definitions) = resolve::chains(
            self.gazetteer,
            self.weights,
            self.tokens,
            &self.spots,
            &self.of_spot,
            &mut self.names,
        );
        self.add_chains();
        self.add_lists();
        for (at, _) in &definitions {
            self.tallies[*at].add(self.weights, Reason::Chain, 1.0);
        }
        self.spread();
        let home = Home::of(self.gazetteer, hints);
        for _ in 0..2 {
            resolve::weigh(
                self.weights,
                &home,
                self.explains,
                &self.of_spot,
                &self.chains,
                &mut self.names,
            );
        }
        self.note_unlisted(&definitions);
    }

    /// Where a text says what a place lies in and none of its name lies there, it is one that nobody listed.
    fn note_unlisted(&mut self, definitions: &[(usize, usize)]) {
        for (at, other) in definitions {
            let (Some(best), Some(holder)) = (self.best(*at), self.best(*other)) else { continue };
            let is_division = matches!(
                holder.kind,
                Kind::Country | Kind::Region | Kind::County | Kind::Municipality | Kind::City
            );
            let is_sure = self.tallies[*other].total > 1.0
                && holder.share > 0.5
                && holder.class != NameClass::Demonym;
            let lies_there = best.within.has(holder.place)
                || holder.within.has(best.place)
                || best.place == holder.place
                || best.spherical.nearness(holder.spherical) > 0.2;
            let is_famous = best.importance > FAMOUS;
            let found = (holder.place, holder.point);
            let name = &mut self.names[self.of_spot[*at]];
            if is_division && is_sure && !is_famous && !lies_there && name.unlisted_in.is_none() {
                name.unlisted_in = Some(found);
            }
        }
    }

    /// Looks up the places of the names that may be places.
    fn look_up_bearers(&mut self) {
        for (tally, name) in self.tallies.iter().zip(&self.of_spot) {
            let name = &mut self.names[*name];
            if tally.total > HOPELESS && name.bearers.is_empty() {
                name.bearers = bearers(self.gazetteer, name);
            }
        }
    }

    /// What stands beside a spot speaks for its being a place.
    fn add_chains(&mut self) {
        let mut gains = vec![0.0_f32; self.tallies.len()];
        for chain in &self.chains {
            gains[chain.spot] = gains[chain.spot].max(chain.gain);
        }
        for (tally, gain) in self.tallies.iter_mut().zip(&gains).filter(|it| *it.1 > 0.0) {
            tally.add(self.weights, Reason::Chain, *gain);
        }
        // `Davis, CA`: beside what lies there a code is as good as a name.
        for (at, tally) in self.tallies.iter_mut().enumerate() {
            if gains[at] > 0.7 && self.names[self.of_spot[at]].is_code() {
                tally.add(self.weights, Reason::Short, -0.9);
            }
        }
    }

    /// What stands in a list with places is probably one: `Oslo, Bergen and Trondheim`.
    fn add_lists(&mut self) {
        let sure: Vec<f32> = self.tallies.iter().map(Tally::sure).collect();
        for at in 1..self.spots.len() {
            if self.are_listed(at) {
                for (it, other) in [(at - 1, at), (at, at - 1)] {
                    let amount = (sure[other] - 0.5).max(0.0) * 2.0;
                    self.tallies[it].add(self.weights, Reason::Listed, amount);
                }
            }
        }
    }

    /// True if a comma or a word for "and" is all that stands between this spot and the one before it.
    fn are_listed(&self, at: usize) -> bool {
        let (one, other) = (&self.spots[at - 1], &self.spots[at]);
        let Some(token) = self.tokens.get(other.first) else { return false };
        let ends = Gap::STOP.and(Gap::BREAK).and(Gap::OPEN);
        match other.first - one.end {
            0 => token.gap.has(Gap::COMMA) && !token.gap.has(ends),
            1 => {
                let word = self.tokens.word(one.end);
                token.gap.is_only(Gap::BLANK)
                    && matches!(
                        word,
                        "and"
                            | "to"
                            | "nach"
                            | "or"
                            | "und"
                            | "oder"
                            | "et"
                            | "ou"
                            | "y"
                            | "e"
                            | "en"
                            | "och"
                            | "og"
                            | "ja"
                            | "i"
                    )
            }
            _ => false,
        }
    }

    /// A name that is surely a place once is more probably one elsewhere on the page.
    fn spread(&mut self) {
        for (at, tally) in self.tallies.iter().enumerate().filter(|it| !self.inner[it.0]) {
            let name = &mut self.names[self.of_spot[at]];
            name.sure = name.sure.max(tally.sure());
        }
        for (tally, name) in self.tallies.iter_mut().zip(&self.of_spot) {
            let elsewhere = self.names[*name].sure - tally.sure();
            if elsewhere > 0.0 {
                tally.add(self.weights, Reason::SameName, elsewhere * 2.0);
            }
        }
    }

    /// The mentions of the page, in order.
    fn mentions(&self) -> Vec<Mention> {
        let mut list: Vec<Mention> = (0..self.spots.len())
            .filter(|it| !self.inner[*it])
            .filter_map(|it| self.mention(it))
            .collect();
        let sure: Vec<Mention> = list
            .iter()
            .filter(|it| {
                matches!(it.class, Class::Place | Class::Metonym) && it.confidence > SURE_ENOUGH
            })
            .cloned()
            .collect();
        let sights: Vec<Mention> = self.sights.iter().map(|it| self.located(it, &sure)).collect();
        list.extend(sights);
        list.sort_by_key(|it| it.span.start);
        list
    }

    /// What a spot names, if it names a place.
    fn mention(&self, at: usize) -> Option<Mention> {
        let spot = &self.spots[at];
        let name = &self.names[self.of_spot[at]];
        let best = self.best(at)?;
        let support = self.weights.of(Reason::Supported, (best.support - 0.5).clamp(-0.5, 1.5));
        let less_known =
            self.weights.of(Reason::Known, (best.importance - name.importance).min(0.0) * 0.5);
        let total = self.tallies[at].total + support + less_known;
        if total <= 0.0 {
            return None;
        }
        let (place, point) = name.unlisted_in.unwrap_or((best.place, best.point));
        Some(Mention {
            span: self.span(spot.first, spot.end),
            class: self.class(spot, best),
            place: Some(place),
            point: Some(point),
            is_listed: name.unlisted_in.is_none(),
            confidence: best.share / (1.0 + (-total).exp()),
            why: self.explains.then(|| Box::new(self.why(at, support, less_known))),
        })
    }

    /// In what way a spot names its place.
    fn class(&self, spot: &Spot, best: &Bearer) -> Class {
        match (best.class, best.kind) {
            (NameClass::Demonym, _) => Class::Demonym,
            (_, Kind::Street) => Class::Street,
            (_, Kind::Poi | Kind::Airport) => Class::Poi,
            _ if self.acts(spot) => Class::Metonym,
            _ => Class::Place,
        }
    }

    /// True if what is named does something that only those who act for a place can do: `Moscow denied it`.
    fn acts(&self, spot: &Spot) -> bool {
        let close = |at: usize| self.tokens.get(at).is_some_and(|it| it.gap.is_only(Gap::BLANK));
        let is_located = spot.first > 0
            && close(spot.first)
            && self
                .tokens
                .cue(spot.first - 1)
                .has(Cue::LOCATIVE.and(Cue::WEAK_LOCATIVE).and(Cue::SORT_BEFORE));
        !is_located && close(spot.end) && self.tokens.cue(spot.end).has(Cue::ACTS)
    }

    /// Why a spot was taken for this place.
    fn why(&self, at: usize, support: f32, less_known: f32) -> Why {
        let mut is_place = self.tallies[at].pieces.clone().unwrap_or_default();
        is_place.extend([(Reason::Supported, support), (Reason::Known, less_known)]);
        is_place.retain(|it| it.1 != 0.0);
        let mut bearers: Vec<&Bearer> = self.names[self.of_spot[at]].bearers.iter().collect();
        bearers.sort_by(|a, b| b.share.total_cmp(&a.share));
        let candidates = bearers.iter().take(MOST_SHOWN).map(|it| Considered {
            place: it.place,
            share: it.share,
            reasons: it.pieces.clone(),
        });
        Why { is_place, candidates: candidates.collect() }
    }

    /// The place a spot means: that of its name on this page, unless what stands beside it says another.
    fn best(&self, spot: usize) -> Option<&Bearer> {
        let start = self.chains.partition_point(|it| it.spot < spot);
        let chains = || self.chains[start..].iter().take_while(|it| it.spot == spot);
        let own = |it: &Bearer| {
            let gain = chains()
                .filter(|chain| chain.place == it.place)
                .map(|chain| chain.gain)
                .fold(0.0, f32::max);
            it.score + self.weights.of(Reason::Holds, 0.6 * gain)
        };
        self.names[self.of_spot[spot]].bearers.iter().max_by(|a, b| own(a).total_cmp(&own(b)))
    }

    /// A sight with the place it is in or near: the one in its name, if the page speaks for it, or the one
    /// named nearest to it.
    fn located(&self, sight: &Sight, mentions: &[Mention]) -> Mention {
        let span = self.span(sight.first, sight.end);
        let first = self.spots.partition_point(|it| it.end <= sight.first);
        let inner = (first..self.spots.len())
            .take_while(|it| self.spots[*it].first < sight.end)
            .filter_map(|it| self.best(it))
            .find(|it| it.support > 0.6);
        // What stands before is twice as near as what stands behind.
        let behind = mentions.partition_point(|it| it.span.start < span.start);
        let before = behind.checked_sub(1).map(|it| &mentions[it]);
        let after = mentions.get(behind);
        let gap_before = before.map_or(usize::MAX, |it| span.start.saturating_sub(it.span.end));
        let gap_after =
            after.map_or(usize::MAX, |it| it.span.start.saturating_sub(span.end).saturating_mul(2));
        let nearest = if gap_before <= gap_after { before } else { after };
        let near = || nearest.and_then(|it| it.place.zip(it.point));
        let at = inner.map(|it| (it.place, it.point)).or_else(near);
        Mention {
            span,
            class: sight.class,
            place: at.map(|it| it.0),
            point: at.map(|it| it.1),
            is_listed: false,
            confidence: if at.is_some() { 0.5 } else { 0.2 },
            why: None,
        }
    }

    /// Where words stand in the text; the full stop of an abbreviation is part of it, and the bracket of a name.
    fn span(&self, first: usize, end: usize) -> std::ops::Range<usize> {
        let start = self.tokens.get(first).map_or(0, |it| it.start as usize);
        let Some(last) = self.tokens.get(end - 1) else { return start..start };
        let behind = self.text.as_bytes().get(last.end as usize);
        let has_bracket = || self.text[start..last.end as usize].contains('(');
        let belongs =
            last.is_dotted && behind == Some(&b'.') || behind == Some(&b')') && has_bracket();
        start..last.end as usize + usize::from(belongs)
    }
}
