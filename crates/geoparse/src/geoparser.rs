//! The places named in a text, found and told apart.

use gazetteer::{Gazetteer, Kind, NameClass};

use crate::hints::Hints;
use crate::judge::{Judge, Tally};
use crate::language;
use crate::lexicon::language_bit;
use crate::mention::{Class, Mention};
use crate::name::{Bearer, Name, names};
use crate::person::Persons;
use crate::reason::{Reason, Weights};
use crate::resolve::{self, Chain};
use crate::spot::{Spot, sentences, spots};
use crate::token::Tokens;

/// Finds the places that texts name.
pub struct Geoparser<'g> {
    gazetteer: &'g Gazetteer,
    weights: Weights,
}

impl<'g> Geoparser<'g> {
    /// A geoparser that knows the places of this gazetteer.
    pub fn new(gazetteer: &'g Gazetteer) -> Self {
        Self { gazetteer, weights: Weights::default() }
    }

    /// The same with other weights.
    #[must_use]
    pub fn weighing(mut self, weights: Weights) -> Self {
        self.weights = weights;
        self
    }

    /// The places a text names, in order.
    pub fn mentions(&self, text: &str, hints: &Hints) -> Vec<Mention> {
        let tokens = Tokens::of(text);
        let languages = match hints.language.as_deref().map_or(0, language_bit) {
            0 => language::guess(&tokens),
            known => known,
        };
        let sentences = sentences(&tokens);
        let mut found = Vec::new();
        for sentence in &sentences {
            spots(self.gazetteer, &tokens, languages, *sentence, &mut found);
        }
        let spots = found;
        let (mut names, of_spot) = names(self.gazetteer, &tokens, &spots);
        let persons = Persons::of(&tokens, &sentences);
        let judge = Judge { weights: &self.weights, tokens: &tokens, persons: &persons, languages };

        resolve::begin(&self.weights, &mut names);
        let chains = resolve::chains(self.gazetteer, &tokens, &spots, &of_spot, &mut names);
        let mut tallies: Vec<Tally> = spots
            .iter()
            .zip(&of_spot)
            .map(|(spot, name)| {
                let mut tally = Tally::default();
                judge.judge(spot, &names[*name], &mut tally);
                tally
            })
            .collect();
        add_chains(&self.weights, &chains, &mut tallies);
        spread(&self.weights, &of_spot, &mut names, &mut tallies);
        for _ in 0..2 {
            resolve::weigh(&self.weights, hints, &of_spot, &chains, &mut names);
        }
        let mut list = Vec::new();
        for (at, spot) in spots.iter().enumerate() {
            let name = &names[of_spot[at]];
            let Some(best) = best(&self.weights, name, at, &chains) else { continue };
            let support = (best.support - 0.5).clamp(-0.5, 1.5);
            let known = self.weights.of(Reason::Known, best.importance - top(name)) * 0.5;
            let total = tallies[at].total + self.weights.of(Reason::Supported, support) + known;
            if total > 0.0 {
                list.push(mention(&tokens, spot, best, total));
            }
        }
        list
    }
}

fn top(name: &Name) -> f32 {
    name.bearers.iter().map(|it| it.importance).fold(0.0, f32::max)
}

/// What stands beside a spot speaks for its being a place.
fn add_chains(weights: &Weights, chains: &[Chain], tallies: &mut [Tally]) {
    let mut gains = vec![0.0_f32; tallies.len()];
    for chain in chains {
        gains[chain.spot] = gains[chain.spot].max(chain.gain);
    }
    for (tally, gain) in tallies.iter_mut().zip(gains) {
        tally.total += weights.of(Reason::Chain, gain);
    }
}

/// A name that is surely a place once is more probably one elsewhere on the page.
fn spread(weights: &Weights, of_spot: &[usize], names: &mut [Name], tallies: &mut [Tally]) {
    for (tally, name) in tallies.iter().zip(of_spot) {
        names[*name].sure = names[*name].sure.max(tally.sure());
    }
    for (tally, name) in tallies.iter_mut().zip(of_spot) {
        let elsewhere = names[*name].sure - tally.sure();
        tally.total += weights.of(Reason::SameName, elsewhere.max(0.0) * 2.0);
    }
}

/// The place a spot means: that of its name on this page, unless what stands beside it says another.
fn best<'n>(
    weights: &Weights,
    name: &'n Name,
    spot: usize,
    chains: &[Chain],
) -> Option<&'n Bearer> {
    let start = chains.partition_point(|it| it.spot < spot);
    let own = |it: &Bearer| {
        let gain = chains[start..]
            .iter()
            .take_while(|chain| chain.spot == spot)
            .filter(|chain| chain.place == it.place)
            .map(|chain| chain.gain)
            .fold(0.0, f32::max);
        it.score + weights.of(Reason::Holds, 0.4 * gain)
    };
    name.bearers.iter().max_by(|a, b| own(a).total_cmp(&own(b)))
}

fn mention(tokens: &Tokens, spot: &Spot, best: &Bearer, total: f32) -> Mention {
    let start = tokens.get(spot.first).map_or(0, |it| it.start as usize);
    let end = tokens.get(spot.end - 1).map_or(0, |it| it.end as usize);
    Mention {
        span: start..end,
        class: class(best),
        place: best.place,
        point: best.point,
        confidence: best.share / (1.0 + (-total).exp()),
        reasons: Vec::new(),
    }
}

fn class(best: &Bearer) -> Class {
    match (best.class, best.kind) {
        (NameClass::Demonym, _) => Class::Demonym,
        (_, Kind::Street) => Class::Street,
        (_, Kind::Poi | Kind::Airport) => Class::Poi,
        _ => Class::Place,
    }
}
