//! Which of the places of a name is meant: what the page says for each.

use gazetteer::{Gazetteer, Kind, NameClass, PlaceId};

use crate::hints::Home;
use crate::name::{Bearer, Name, less_known};
use crate::quick::QuickMap;
use crate::reason::{Reason, Weights};
use crate::spherical::Spherical;
use crate::spot::Spot;
use crate::token::{Gap, Tokens};

/// What stands beside a spot speaks for one of the places of its name.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Chain {
    pub(crate) spot: usize,
    pub(crate) place: PlaceId,
    pub(crate) gain: f32,
}

/// Gives every place of a name what speaks for it before the page is looked at: how well known it is by
/// this name.
pub(crate) fn begin(american: &[PlaceId], weights: &Weights, names: &mut [Name]) {
    for name in names {
        for it in &mut name.bearers {
            let is_state = it.class == NameClass::Short && it.kind == Kind::Region;
            let is_american = is_state && it.within.iter().any(|(id, _)| american.contains(&id));
            it.dotted = if name.is_dotted && is_american { 3.0 } else { 0.0 };
            it.score = weights.of(Reason::Prior, it.importance) + it.aptness + it.dotted;
        }
        share(name);
    }
}

/// Turns scores into shares of one.
fn share(name: &mut Name) {
    let best = name.bearers.iter().map(|it| it.score).fold(f32::MIN, f32::max);
    let whole: f32 = name.bearers.iter().map(|it| (it.score - best).exp()).sum();
    for it in &mut name.bearers {
        it.share = (it.score - best).exp() / whole;
    }
}

/// What names beside each other say: `Springfield, Illinois`.
pub(crate) fn chains(
    gazetteer: &Gazetteer,
    weights: &Weights,
    tokens: &Tokens,
    spots: &[Spot],
    of_spot: &[usize],
    names: &mut [Name],
) -> (Vec<Chain>, Vec<(usize, usize)>) {
    let mut list = Vec::new();
    let mut definitions = Vec::new();
    for at in 0..spots.len() {
        for other in at + 1..spots.len().min(at + 3) {
            let strength = bond(tokens, &spots[at], &spots[other]);
            if strength > 0.0 && of_spot[at] != of_spot[other] {
                let pair = (at, other);
                let before = list.len();
                tie(names, of_spot, pair, strength, &mut list);
                if list.len() == before && strength >= 0.9 {
                    search(gazetteer, weights, names, (of_spot[at], of_spot[other]));
                    tie(names, of_spot, pair, strength, &mut list);
                }
                if strength == DEFINITION {
                    definitions.push((at, other));
                }
            }
        }
    }
    list.sort_by_key(|it: &Chain| it.spot);
    (list, definitions)
}

/// How closely two spots hang together, 0 to 1.
fn bond(tokens: &Tokens, one: &Spot, other: &Spot) -> f32 {
    if defines(tokens, one, other) {
        return DEFINITION;
    }
    let between = other.first - one.end;
    let Some(token) = tokens.get(other.first) else { return 0.0 };
    let gap = (one.end..=other.first)
        .filter_map(|it| tokens.get(it))
        .fold(Gap::default(), |gap, it| gap.and(it.gap));
    let ends = Gap::BREAK.and(Gap::STOP);
    match between {
        0 if token.gap.has(Gap::COMMA.and(Gap::OPEN)) && !token.gap.has(ends) => 1.0,
        0 if token.gap.is_only(Gap::BLANK) => 0.7,
        0 if token.gap.has(Gap::COMMA) => 0.7,
        1 if !gap.has(ends) && matches!(tokens.word(one.end), "in" | "of" | "county" | "co") => 0.8,
        1..=4 if gap.has(Gap::COMMA) && !gap.has(ends) => 0.4,
        1..=12 if !gap.has(ends) => 0.3,
        _ => 0.0,
    }
}

/// With such a share a place is meant whatever the second look brings.
const SETTLED: f32 = 0.97;
/// Names with no more places than this are weighed whole every time.
const FEW: usize = 4;
/// A place with a smaller share of its name than this is out of the question.
const LEAST_SHARE: f32 = 0.001;

/// How closely a name hangs together with the place that its sentence says it lies in.
const DEFINITION: f32 = 1.01;

/// `Hastings is a village in Wetzel County`: a name, a word for being, and what it lies in.
fn defines(tokens: &Tokens, one: &Spot, other: &Spot) -> bool {
    let between = one.end..other.first;
    if !one.begins || between.len() > 16 || between.len() < 2 {
        return false;
    }
    let ends = Gap::STOP.and(Gap::BREAK);
    let is_one_sentence =
        (one.end..=other.first).all(|it| tokens.get(it).is_some_and(|it| !it.gap.has(ends)));
    let says_being = between.clone().take(7).any(|it| {
        is_article(tokens, it + 1)
            && matches!(
                tokens.word(it),
                "is" | "was"
                    | "ist"
                    | "war"
                    | "est"
                    | "etait"
                    | "es"
                    | "era"
                    | "e"
                    | "on"
                    | "ar"
                    | "jest"
            )
    });
    let says_in = between.clone().rev().take(9).any(|it| {
        matches!(
            tokens.word(it),
            "in" | "of" | "im" | "dans" | "en" | "de" | "nel" | "van" | "em" | "i" | "w" | "near"
        )
    });
    is_one_sentence && says_being && says_in
}

fn is_article(tokens: &Tokens, at: usize) -> bool {
    at < tokens.len()
        && matches!(
            tokens.word(at),
            "a" | "an"
                | "the"
                | "one"
                | "ein"
                | "eine"
                | "der"
                | "die"
                | "das"
                | "un"
                | "une"
                | "la"
                | "le"
                | "una"
                | "uno"
                | "el"
                | "il"
                | "een"
                | "de"
                | "het"
                | "um"
                | "uma"
                | "o"
                | "en"
                | "ett"
                | "et"
        )
}

/// Notes what speaks for the places of two names if one lies in the other.
///
/// The best such pair has all of it, others as much less as they are less probable.
fn tie(
    names: &[Name],
    of_spot: &[usize],
    (at, other): (usize, usize),
    strength: f32,
    list: &mut Vec<Chain>,
) {
    let (one, two) = (&names[of_spot[at]], &names[of_spot[other]]);
    let mut pairs: Vec<(PlaceId, PlaceId, f32)> = Vec::new();
    for a in &one.bearers {
        for b in &two.bearers {
            if a.within.has(b.place) || b.within.has(a.place) {
                pairs.push((a.place, b.place, (a.share * b.share).sqrt()));
            }
        }
    }
    let best = pairs.iter().map(|it| it.2).fold(0.0, f32::max);
    for (a, b, joint) in pairs {
        let gain = if best > 0.0 { strength * (joint / best).sqrt() } else { strength };
        list.push(Chain { spot: at, place: a, gain });
        list.push(Chain { spot: other, place: b, gain: 0.8 * gain });
    }
}

/// Looks among the less known places of a name for those that lie in a place of the other.
fn search(
    gazetteer: &Gazetteer,
    weights: &Weights,
    names: &mut [Name],
    (inner, outer): (usize, usize),
) {
    if names[inner].bearers.is_empty() || names[inner].is_searched {
        return;
    }
    let holders: Vec<PlaceId> = names[outer].bearers.iter().take(12).map(|it| it.place).collect();
    let more = less_known(gazetteer, &names[inner], &holders);
    let name = &mut names[inner];
    // Once is enough: otherwise a hostile page could make a name grow with every comma.
    name.is_searched = !more.is_empty();
    name.bearers.extend(more);
    for it in &mut name.bearers {
        it.score = weights.of(Reason::Prior, it.importance) + it.aptness + it.dotted;
    }
    share(name);
}

/// What the page as a whole says of places.
#[derive(Default)]
struct Ground {
    /// How much of the page lies in a place or is it, and how much names the place itself.
    mass: QuickMap<PlaceId, (f32, f32)>,
    /// The places that are most surely meant and small enough to be near something.
    anchors: Vec<(usize, Spherical, f32)>,
}

impl Ground {
    fn of(names: &[Name]) -> Self {
        let mut ground = Self::default();
        for (index, name) in names.iter().enumerate() {
            ground.add(name, 1.0);
            let weight = name_weight(name);
            for it in name.bearers.iter().filter(|it| it.kind >= Kind::County) {
                if weight * it.share > 0.2 {
                    ground.anchors.push((index, it.spherical, weight * it.share));
                }
            }
        }
        ground.anchors.sort_by(|a, b| b.2.total_cmp(&a.2));
        ground.anchors.truncate(16);
        ground
    }

    /// Adds what a name says, or takes it away again: nothing speaks for itself.
    fn add(&mut self, name: &Name, sign: f32) {
        let weight = sign * name_weight(name);
        if weight.abs() < 0.02 {
            return;
        }
        for it in name.bearers.iter().filter(|it| it.share > 0.03) {
            let amount = weight * it.share;
            let own = self.mass.entry(it.place).or_default();
            *own = (own.0 + amount, own.1 + amount);
            for (holder, _) in it.within.iter() {
                self.mass.entry(holder).or_default().0 += amount;
            }
        }
    }

    fn hierarchy(&self, bearer: &Bearer) -> f32 {
        let get = |place| self.mass.get(&place).copied().unwrap_or((0.0, 0.0));
        let mut sum = 0.6 * full(get(bearer.place).0);
        for (holder, kind) in bearer.within.iter() {
            let (mass, named) = get(holder);
            sum += closeness(kind) * (full(named) + 0.5 * full(mass - named));
        }
        sum
    }

    fn near(&self, index: usize, bearer: &Bearer) -> f32 {
        let others = self.anchors.iter().filter(|(of, _, _)| *of != index);
        full(others.map(|(_, at, amount)| amount * bearer.spherical.nearness(*at)).sum())
    }
}

fn name_weight(name: &Name) -> f32 {
    name.sure * (1.0 + (name.times as f32).ln())
}

/// Weighs the places of all names against each other.
pub(crate) fn weigh(
    weights: &Weights,
    home: &Home,
    explains: bool,
    of_spot: &[usize],
    chains: &[Chain],
    names: &mut [Name],
) {
    let mut ground = Ground::of(names);
    let mut gains: QuickMap<(usize, PlaceId), f32> = QuickMap::default();
    for chain in chains {
        let gain = gains.entry((of_spot[chain.spot], chain.place)).or_default();
        *gain = gain.max(chain.gain);
    }
    for (index, name) in names.iter_mut().enumerate().filter(|(_, it)| it.is_open()) {
        ground.add(name, -1.0);
        for it in &mut name.bearers {
            let hierarchy = ground.hierarchy(it);
            let near = ground.near(index, it);
            let gain = gains.get(&(index, it.place)).copied().unwrap_or(0.0);
            it.support = hierarchy + near + gain;
            let pieces = [
                (Reason::Prior, weights.of(Reason::Prior, it.importance)),
                (Reason::NameClass, it.aptness + it.dotted),
                (Reason::Holds, weights.of(Reason::Holds, 0.4 * gain)),
                (Reason::Hierarchy, weights.of(Reason::Hierarchy, hierarchy)),
                (Reason::Near, weights.of(Reason::Near, near)),
                (Reason::Home, weights.of(Reason::Home, home.nearness(it))),
            ];
            it.score = pieces.iter().map(|it| it.1).sum();
            if explains {
                it.pieces = pieces.into_iter().filter(|it| it.1 != 0.0).collect();
            }
        }
        ground.add(name, 1.0);
    }
    for name in names {
        share(name);
        name.is_settled = name.bearers.iter().any(|it| it.share > SETTLED);
        // What is out of the question need not be weighed again.
        if name.bearers.len() > FEW {
            name.bearers.retain(|it| it.share > LEAST_SHARE);
        }
    }
}

/// How much it says that a place of this kind holds two others.
fn closeness(kind: Kind) -> f32 {
    match kind {
        Kind::Country => 0.5,
        Kind::Region => 1.0,
        _ => 1.4,
    }
}

/// Much is not much more than enough.
fn full(amount: f32) -> f32 {
    let amount = amount.max(0.0);
    amount / (amount + 0.7)
}
