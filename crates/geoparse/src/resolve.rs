//! Which of the places of a name is meant: what the page says for each.

use std::collections::HashMap;

use earth::Point;
use gazetteer::{Gazetteer, Kind, NameClass, PlaceId};

use crate::hints::Hints;
use crate::name::{MOST_SEARCHED, Name, bearer};
use crate::reason::{Reason, Weights};
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
pub(crate) fn begin(weights: &Weights, names: &mut [Name]) {
    for name in names {
        for it in &mut name.bearers {
            it.score = weights.of(Reason::Prior, it.importance) + aptness(it.class, it.kind);
        }
        share(name);
    }
}

/// How much less a place is meant by a name that is not its main one, or if it is of a sort seldom named.
fn aptness(class: NameClass, kind: Kind) -> f32 {
    let class = match class {
        NameClass::Main | NameClass::Demonym => 0.0,
        NameClass::Alternate => -1.0,
        NameClass::Short => -1.5,
    };
    let kind = match kind {
        Kind::Street => -2.0,
        Kind::Airport => -1.5,
        Kind::Poi => -1.0,
        Kind::District => -0.5,
        _ => 0.0,
    };
    class + kind
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
    tokens: &Tokens,
    spots: &[Spot],
    of_spot: &[usize],
    names: &mut [Name],
) -> Vec<Chain> {
    let mut list = Vec::new();
    for at in 0..spots.len() {
        for other in at + 1..spots.len().min(at + 3) {
            let strength = bond(tokens, &spots[at], &spots[other]);
            if strength > 0.0 && of_spot[at] != of_spot[other] {
                let pair = (at, other);
                let before = list.len();
                tie(names, of_spot, pair, strength, &mut list);
                if list.len() == before && strength >= 0.9 {
                    search(gazetteer, names, (of_spot[at], of_spot[other]));
                    tie(names, of_spot, pair, strength, &mut list);
                }
            }
        }
    }
    list
}

/// How closely two spots hang together, 0 to 1.
fn bond(tokens: &Tokens, one: &Spot, other: &Spot) -> f32 {
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

/// Notes what speaks for the places of two names if one lies in the other.
fn tie(
    names: &[Name],
    of_spot: &[usize],
    (at, other): (usize, usize),
    strength: f32,
    list: &mut Vec<Chain>,
) {
    let (one, two) = (&names[of_spot[at]], &names[of_spot[other]]);
    for inner in &one.bearers {
        for outer in &two.bearers {
            if inner.within.has(outer.place) {
                list.push(Chain {
                    spot: at,
                    place: inner.place,
                    gain: strength * outer.share.sqrt(),
                });
                list.push(Chain {
                    spot: other,
                    place: outer.place,
                    gain: 0.5 * strength * inner.share.sqrt(),
                });
            } else if outer.within.has(inner.place) {
                list.push(Chain {
                    spot: other,
                    place: outer.place,
                    gain: strength * inner.share.sqrt(),
                });
                list.push(Chain {
                    spot: at,
                    place: inner.place,
                    gain: 0.5 * strength * outer.share.sqrt(),
                });
            }
        }
    }
}

/// Looks among the less known places of a name for those that lie in a place of the other.
fn search(gazetteer: &Gazetteer, names: &mut [Name], (inner, outer): (usize, usize)) {
    let known = names[inner].bearers.len();
    let holders: Vec<PlaceId> = names[outer].bearers.iter().take(3).map(|it| it.place).collect();
    let more: Vec<_> = gazetteer
        .bearers(names[inner].found)
        .skip(known)
        .take(MOST_SEARCHED)
        .filter(|(id, _)| gazetteer.ancestors(*id).any(|it| holders.contains(&it.id())))
        .take(8)
        .map(|(id, class)| bearer(gazetteer, id, class))
        .collect();
    names[inner].bearers.extend(more);
}

/// What the page as a whole says of places.
#[derive(Default)]
struct Ground {
    /// How much of the page lies in a place or is it.
    mass: HashMap<PlaceId, f32>,
    /// How much a place itself is named.
    named: HashMap<PlaceId, f32>,
    /// The places that are most surely meant and small enough to be near something.
    anchors: Vec<(usize, Point, f32)>,
}

impl Ground {
    fn of(names: &[Name]) -> Self {
        let mut ground = Self::default();
        for (index, name) in names.iter().enumerate() {
            let weight = name_weight(name);
            if weight < 0.02 {
                continue;
            }
            for it in name.bearers.iter().filter(|it| it.share > 0.03) {
                let amount = weight * it.share;
                *ground.named.entry(it.place).or_default() += amount;
                *ground.mass.entry(it.place).or_default() += amount;
                for (holder, _) in it.within.iter() {
                    *ground.mass.entry(holder).or_default() += amount;
                }
                if it.kind >= Kind::County && amount > 0.2 {
                    ground.anchors.push((index, it.point, amount));
                }
            }
        }
        ground.anchors.sort_by(|a, b| b.2.total_cmp(&a.2));
        ground.anchors.truncate(16);
        ground
    }

    fn get(map: &HashMap<PlaceId, f32>, place: PlaceId) -> f32 {
        map.get(&place).copied().unwrap_or(0.0)
    }
}

fn name_weight(name: &Name) -> f32 {
    name.sure * (1.0 + (name.times as f32).ln())
}

/// Weighs the places of all names against each other.
pub(crate) fn weigh(
    weights: &Weights,
    hints: &Hints,
    of_spot: &[usize],
    chains: &[Chain],
    names: &mut [Name],
) {
    let ground = Ground::of(names);
    let mut gains: HashMap<(usize, PlaceId), f32> = HashMap::new();
    for chain in chains {
        let gain = gains.entry((of_spot[chain.spot], chain.place)).or_default();
        *gain = gain.max(chain.gain);
    }
    for index in 0..names.len() {
        let own = Own::of(&names[index]);
        let name = &mut names[index];
        for it in &mut name.bearers {
            let mut hierarchy = 0.0;
            for (holder, kind) in it.within.iter() {
                let named = (Ground::get(&ground.named, holder) - own.named(holder)).max(0.0);
                let inside =
                    (Ground::get(&ground.mass, holder) - own.mass(holder) - named).max(0.0);
                hierarchy += closeness(kind) * (full(named) + 0.5 * full(inside));
            }
            let parts = (Ground::get(&ground.mass, it.place) - own.mass(it.place)).max(0.0);
            hierarchy += 0.6 * full(parts);
            let near: f32 = ground
                .anchors
                .iter()
                .filter(|(of, _, _)| *of != index)
                .map(|(_, point, amount)| amount * (-distance_km(*point, it.point) / 60.0).exp())
                .sum();
            let near = full(near);
            let gain = gains.get(&(index, it.place)).copied().unwrap_or(0.0);
            it.support = hierarchy + near + gain;
            it.score = weights.of(Reason::Prior, it.importance)
                + aptness(it.class, it.kind)
                + weights.of(Reason::Holds, 0.6 * gain)
                + weights.of(Reason::Hierarchy, hierarchy)
                + weights.of(Reason::Near, near)
                + weights.of(Reason::Home, hints.home(it));
        }
        share(name);
    }
}

/// What a name itself adds to the ground, which must not speak for it.
struct Own(Vec<(PlaceId, f32, bool)>);

impl Own {
    fn of(name: &Name) -> Self {
        let weight = name_weight(name);
        let mut list = Vec::new();
        if weight >= 0.02 {
            for it in name.bearers.iter().filter(|it| it.share > 0.03) {
                list.push((it.place, weight * it.share, true));
                list.extend(it.within.iter().map(|(holder, _)| (holder, weight * it.share, false)));
            }
        }
        Self(list)
    }

    fn mass(&self, place: PlaceId) -> f32 {
        self.0.iter().filter(|it| it.0 == place).map(|it| it.1).sum()
    }

    fn named(&self, place: PlaceId) -> f32 {
        self.0.iter().filter(|it| it.0 == place && it.2).map(|it| it.1).sum()
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
    amount / (amount + 0.7)
}

pub(crate) fn distance_km(one: Point, other: Point) -> f32 {
    // Flat, for it need not be exact: it is asked for every place of every name.
    let lat = (one.lat - other.lat) as f32;
    let mut lon = (one.lon - other.lon).abs() as f32;
    if lon > 180.0 {
        lon = 360.0 - lon;
    }
    let lon = lon * (((one.lat + other.lat) / 2.0).to_radians().cos() as f32);
    111.2 * lat.hypot(lon)
}
