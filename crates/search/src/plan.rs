//! Plans: ways through a shard that find the same documents at different cost.

use std::collections::HashSet;
use std::ops::ControlFlow;

use earth::Meters;
use gazetteer::Gazetteer;
use index::{Address, Cell, Error, Generation, Shard, TERMINATED};

use crate::ground::Ground;
use crate::reach::Reach;
use crate::top::{Entry, Sink, Top};
use crate::wanted::{Order, Walk, Wanted, Weights, Wish};

/// A way through a shard.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Plan {
    /// Along the documents with all the words; each is asked where it is.
    Words,
    /// Along the documents on the ground; each is asked for the words.
    Ground,
    /// Outwards from the middle, ring by ring, until nothing farther can be better.
    Rings,
}

/// Why a plan was chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Chosen {
    /// The plan.
    pub plan: Plan,
    /// About so many documents have the words.
    pub with_words: u64,
    /// About so many points are on the ground.
    pub on_ground: u64,
}

/// A document found by its place costs so many times one found by its words: it has to be put in order, and the
/// lists of words are then entered at many places.
const GROUND_COST: usize = 2;
/// With fewer documents than this along the words, rings cost more than they save.
const FEW: u32 = 1_500;
/// In the order of time what is far comes after all that is near: so much lower, which is longer ago than any day.
const FAR_IN_TIME: f64 = 1e13;
/// A document without a date comes after those that have one.
const UNDATED: f64 = -5e12;
/// Half way round the globe and a little more: nothing is farther.
const ANTIPODE: f64 = 2.01e7;

impl Plan {
    /// The plan in one word.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Words => "words",
            Self::Ground => "ground",
            Self::Rings => "rings",
        }
    }
}

/// Runs a query, ready made, over all shards.
pub(crate) struct Runner<'a> {
    pub(crate) generation: &'a Generation,
    pub(crate) gazetteer: &'a Gazetteer,
    pub(crate) wanted: &'a Wanted,
    pub(crate) weights: &'a Weights,
    /// Use this plan wherever it can be used, instead of choosing.
    pub(crate) forced: Option<Plan>,
}

impl Runner<'_> {
    /// The best documents, up to so many, and the plans that found them.
    pub(crate) fn best(&self, most: usize) -> Result<(Vec<Entry>, Vec<Chosen>), Error> {
        let mut top = Top::new(most);
        let mut chosen = Vec::new();
        for (shard, number) in self.generation.shards.iter().zip(0..) {
            let walk = Walk::new(shard, self.wanted, self.weights)?;
            let plan = self.choose(&walk, true);
            chosen.push(plan);
            match plan.plan {
                Plan::Rings => self.rings(number, walk, &mut top),
                plan => self.scan(plan, number, walk, &mut top),
            }
        }
        Ok((top.into_best(), chosen))
    }

    /// Visits all documents that are wanted, in no order.
    pub(crate) fn all(&self, sink: &mut impl Sink) -> Result<Vec<Chosen>, Error> {
        let mut chosen = Vec::new();
        for (shard, number) in self.generation.shards.iter().zip(0..) {
            let walk = Walk::new(shard, self.wanted, self.weights)?;
            let plan = self.choose(&walk, false);
            chosen.push(plan);
            self.scan(plan.plan, number, walk, sink);
        }
        Ok(chosen)
    }

    /// How many documents are wanted with these words, near-duplicates counted once where they are collapsed; no more
    /// than so many are counted.
    pub(crate) fn count(&self, wishes: &[Wish], most: u64) -> Result<u64, Error> {
        let mut groups = HashSet::new();
        let mut count = 0;
        for shard in &self.generation.shards {
            let walk = Walk::with_wishes(shard, self.wanted, wishes, self.weights)?;
            let plan = self.choose(&walk, false).plan;
            let walked = self.each(plan, walk, |_, document| {
                if count >= most {
                    return ControlFlow::Break(());
                }
                if self.wanted.ground.holds(self.gazetteer, shard, document) {
                    let group = self.group(shard, document);
                    count += u64::from(group.is_none_or(|it| groups.insert(it.0)));
                }
                ControlFlow::Continue(())
            });
            if walked.is_break() {
                break;
            }
        }
        Ok(count)
    }

    fn choose(&self, walk: &Walk<'_>, may_stop: bool) -> Chosen {
        let with_words = walk.documents();
        let space = &walk.shard.space;
        let Ground::Points { reach, .. } = &self.wanted.ground else {
            return Chosen { plan: Plan::Words, with_words: with_words.into(), on_ground: 0 };
        };
        let cells = reach.cells();
        let on_ground = cells.map_or(space.points(), |it| space.estimate(it));
        let stops = may_stop && cells.is_none() && self.wanted.order != Order::Time;
        let plan = match self.forced {
            Some(Plan::Rings) if stops => Plan::Rings,
            Some(plan @ (Plan::Words | Plan::Ground)) => plan,
            _ if stops && (walk.is_open() || with_words > FEW) => Plan::Rings,
            _ if walk.is_open() || on_ground * GROUND_COST < with_words as usize => Plan::Ground,
            _ => Plan::Words,
        };
        Chosen { plan, with_words: with_words.into(), on_ground: on_ground as u64 }
    }

    fn scan(&self, plan: Plan, shard: u32, walk: Walk<'_>, sink: &mut impl Sink) {
        let _ = self.each(plan, walk, |walk, document| {
            if let Some(entry) = self.entry(shard, walk, document, sink.bar()) {
                sink.add(entry);
            }
            ControlFlow::Continue(())
        });
    }

    /// Visits the documents of a shard that have the words, and perhaps lie on the ground, until the visitor has enough.
    #[inline]
    fn each(
        &self,
        plan: Plan,
        mut walk: Walk<'_>,
        mut visit: impl FnMut(&mut Walk<'_>, u32) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        if let (Plan::Ground, Ground::Points { reach, .. }) = (plan, &self.wanted.ground) {
            let whole = [Cell { south: i32::MIN, west: i32::MIN, north: i32::MAX, east: i32::MAX }];
            let cells = reach.cells().unwrap_or(&whole);
            let mut found = Vec::new();
            if reach.fills_its_cells() {
                walk.shard.space.documents_in(cells, |_, _| true, &mut found);
            } else {
                walk.shard.space.documents_in(
                    cells,
                    |lat, lon| reach.fit(lat, lon).is_some(),
                    &mut found,
                );
            }
            for document in found {
                if walk.meets(document) && walk.passes(document) {
                    visit(&mut walk, document)?;
                }
            }
            return ControlFlow::Continue(());
        }
        let mut document = walk.next(0);
        while document != TERMINATED {
            if walk.passes(document) {
                visit(&mut walk, document)?;
            }
            document = walk.next(document + 1);
        }
        ControlFlow::Continue(())
    }

    /// The group of near-duplicates that a document belongs to, where they are collapsed, and whether it stands for it.
    #[inline]
    fn group(&self, shard: &Shard, document: u32) -> Option<(u32, bool)> {
        if self.wanted.collapses { shard.facts.group(document) } else { None }
    }

    /// A document that has the words, if it is on the ground too.
    #[inline]
    fn entry(&self, number: u32, walk: &mut Walk<'_>, document: u32, bar: f64) -> Option<Entry> {
        let shard = walk.shard;
        let ground = &self.wanted.ground;
        let key = match self.wanted.order {
            Order::Score => {
                // No ground makes a document better than its words are; where it is costs more to find out.
                let text = walk.text(document);
                if f64::from(text) < bar {
                    return None;
                }
                f64::from(text * ground.score(self.gazetteer, shard, document)?)
            }
            Order::Distance => {
                if let Ground::Anywhere = ground {
                    f64::from(walk.text(document))
                } else {
                    let distance = ground.distance(self.gazetteer, shard, document);
                    // What is on the ground and has no distance, an area, comes last.
                    if distance.is_none() {
                        ground.score(self.gazetteer, shard, document)?;
                    }
                    distance.map_or(f64::MIN, |it| -it)
                }
            }
            Order::Time => {
                ground.score(self.gazetteer, shard, document)?;
                let time = shard.facts.published(document).map_or(UNDATED, |it| it as f64);
                if self.wanted.is_near(self.gazetteer, shard, document) == Some(false) {
                    time - FAR_IN_TIME
                } else {
                    time
                }
            }
        };
        let group = self.group(shard, document);
        Some(Entry {
            key,
            leads: group.is_none_or(|it| it.1),
            address: Address { shard: number, document },
            group: group.map(|it| it.0),
        })
    }

    /// Ring by ring outwards.
    fn rings(&self, number: u32, walk: Walk<'_>, top: &mut Top) {
        let Ground::Points { reach, .. } = &self.wanted.ground else {
            self.scan(Plan::Words, number, walk, top);
            return;
        };
        let shard = walk.shard;
        let with_words = walk.documents() as usize;
        let budget = match self.forced {
            Some(Plan::Rings) => usize::MAX,
            _ if walk.is_open() => usize::MAX,
            _ => with_words / GROUND_COST,
        };
        let mut radius = first_radius(shard, reach, with_words, top.most());
        let mut before = -1.0;
        let mut found = Vec::new();
        let mut spent = 0;
        loop {
            let cells = reach.disc(Meters(radius));
            let ring = Reach::ring(reach.center(), Meters(before), Meters(radius));
            if budget < usize::MAX {
                spent += shard.space.estimate(&cells);
                if spent > budget {
                    // Too many for too little: along the words it is, for what is not yet seen.
                    return self.sweep(number, walk, reach, &ring, top);
                }
            }
            shard.space.documents_in(&cells, |lat, lon| ring.fit(lat, lon).is_some(), &mut found);
            let mut step = walk.clone();
            // Nothing in this ring lies better than at its inner edge, but for the rounding of scores.
            let best = reach.best_beyond(Meters(before)).map_or(1.0, f64::from) * 1.000_001;
            let is_by_score = self.wanted.order == Order::Score;
            for document in &found {
                if !step.meets(*document)
                    || (is_by_score && f64::from(step.text(*document)) * best < top.bar())
                    || was_seen(shard, &ring, *document)
                    || !step.passes(*document)
                {
                    continue;
                }
                if let Some(entry) = self.entry(number, &mut step, *document, top.bar()) {
                    top.add(entry);
                }
            }
            let best_left = match self.wanted.order {
                Order::Distance => Some(-radius),
                _ => reach.best_beyond(Meters(radius)).map(f64::from),
            };
            if best_left.is_some_and(|left| top.bar() > left) || radius >= ANTIPODE {
                return;
            }
            before = radius;
            // When there are enough, it is known how far the last ring has to reach.
            let farthest = match self.wanted.order {
                Order::Distance => Some(-top.bar()),
                _ => reach.farthest(top.bar()).map(|it| it.0),
            };
            let last = farthest.filter(|it| it.is_finite() && *it > radius);
            radius = last.map_or(radius * 2.0, |it| (it * 1.000_001 + 1.0).min(ANTIPODE));
        }
    }

    /// Along the words, leaving out what is within the ring, for it was seen, and what is so far off that it cannot be
    /// among the best.
    fn sweep(&self, number: u32, mut walk: Walk<'_>, reach: &Reach, ring: &Reach, top: &mut Top) {
        let shard = walk.shard;
        let mut bar = f64::NEG_INFINITY;
        let mut fence: Option<Vec<Cell>> = None;
        let mut document = walk.next(0);
        while document != TERMINATED {
            // The fence is drawn closer when it is worth the work.
            if top.bar() > bar + bar.abs() * 0.05 || (bar.is_infinite() && top.bar() > bar) {
                bar = top.bar();
                let farthest = match self.wanted.order {
                    Order::Distance => Some(Meters(-bar)),
                    _ => reach.farthest(bar),
                };
                fence = farthest.filter(|it| it.0 < ANTIPODE).map(|it| reach.disc(it));
            }
            let is_inside = fence.as_ref().is_none_or(|cells| {
                let mut points = shard.space.document_points(document);
                points.any(|it| cells.iter().any(|cell| cell.holds(it.0, it.1)))
            });
            if is_inside
                && walk.passes(document)
                && !was_seen(shard, ring, document)
                && let Some(entry) = self.entry(number, &mut walk, document, top.bar())
            {
                top.add(entry);
            }
            document = walk.next(document + 1);
        }
    }
}

/// True if a document has a point within the inner edge of the ring, so that an earlier ring had it.
#[inline]
fn was_seen(shard: &Shard, ring: &Reach, document: u32) -> bool {
    shard.space.document_points(document).any(|it| ring.is_short_of(it.0, it.1))
}

/// The radius within which there should be enough documents, by how many points there are around.
fn first_radius(shard: &Shard, reach: &Reach, with_words: usize, most: usize) -> f64 {
    let odds = with_words as f64 / f64::from(shard.documents().max(1));
    let mut radius = 500.0;
    while radius < ANTIPODE {
        let points = shard.space.estimate(&reach.disc(Meters(radius)));
        if points as f64 * odds >= most as f64 {
            break;
        }
        radius *= 2.0;
    }
    radius.min(ANTIPODE)
}
