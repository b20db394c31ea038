//! The engine: answers queries from a generation.

use std::collections::HashSet;

use earth::{Meters, Point};
use gazetteer::{Gazetteer, Kind, PlaceId};
use index::{Address, Document, Error, Generation, Shard};
use query::{Anchor, Query, Relation, Spot};

use crate::answer::{Answer, Explanation, Hit, HitPlace, Suggestion, WordScore};
use crate::facets::Counter;
use crate::ground::{Fit, Ground, weight};
use crate::plan::{Plan, Runner};
use crate::prepare::{place_of, prepare};
use crate::reach::Reach;
use crate::snippet::{marked, snippet};
use crate::top::{Entry, Sink, Top};
use crate::wanted::{Order, Walk, Wanted, Weights, Wish};

/// Nobody reads beyond this hit, and a robot should not.
pub const FARTHEST: usize = 10_000;
/// So many hits are given at once.
pub const MOST_HITS: usize = 1_000;

/// A quarter of a document makes a place its own, in 255ths: a passing mention makes nobody a neighbour.
const OWN: u8 = 64;
/// What lies around a place is told apart by the parts of its county, from the first distance on by those of its region, and
/// from the second on by those of its country.
const AROUND: Meters = Meters(25_000.0);
const FAR_AROUND: Meters = Meters(100_000.0);
/// What is nearer is at the same place: a house is wider.
const SAME: Meters = Meters(5.0);
/// So many points of a shard are looked at for what is nearby, or a few times more.
const MOST_POINTS: usize = 1_000;

/// How a query is to be answered.
#[derive(Clone, Debug)]
pub struct Options {
    /// How many hits to leave out at the start.
    pub skip: usize,
    /// How many hits to give.
    pub most: usize,
    /// Count all documents, and what they are.
    pub counts: bool,
    /// Tell how every score came about.
    pub explains: bool,
    /// Show near-duplicates one by one.
    pub shows_duplicates: bool,
    /// Count by the parts of this place; nothing for those of the place asked about or, if none was, for countries.
    pub parts_of: Option<PlaceId>,
    /// Use this plan wherever it can be used.
    pub plan: Option<Plan>,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            skip: 0,
            most: 10,
            counts: true,
            explains: false,
            shows_duplicates: false,
            parts_of: None,
            plan: None,
        }
    }
}

/// Answers queries from a generation. It holds nothing and is made anew for every query.
#[derive(Clone, Copy)]
pub struct Engine<'a> {
    pub(crate) generation: &'a Generation,
    pub(crate) gazetteer: &'a Gazetteer,
}

impl<'a> Engine<'a> {
    /// An engine over a generation, with the gazetteer it was built with.
    pub fn new(generation: &'a Generation, gazetteer: &'a Gazetteer) -> Self {
        Self { generation, gazetteer }
    }

    /// The answer to a query.
    pub fn answer(&self, query: &Query, options: &Options) -> Result<Answer, Error> {
        let mut wanted = prepare(self.generation, self.gazetteer, query)?;
        wanted.collapses = !options.shows_duplicates;
        let weights = Weights::of(self.generation, &wanted.wishes)?;
        let runner = Runner {
            generation: self.generation,
            gazetteer: self.gazetteer,
            wanted: &wanted,
            weights: &weights,
            forced: options.plan,
        };
        let skip = options.skip.min(FARTHEST);
        let most = skip + options.most.min(MOST_HITS);
        let mut answer =
            Answer { generation: self.generation.manifest.number, ..Answer::default() };
        let entries = if options.counts {
            let whole = options.parts_of.or_else(|| facet_place(self.gazetteer, query));
            let mut tally = Tally {
                top: Top::new(most),
                counter: Counter::new(self.generation, self.gazetteer, whole),
                groups: HashSet::new(),
                total: 0,
                duplicates: 0,
                near: Near { engine: self, wanted: &wanted, groups: HashSet::new(), total: 0 },
            };
            answer.plans = runner.all(&mut tally)?;
            answer.total = Some(tally.total);
            answer.total_near = wanted.near.is_some().then_some(tally.near.total);
            answer.duplicates = tally.duplicates;
            answer.facets = Some(tally.counter.facets());
            tally.top.into_best()
        } else {
            let (entries, plans) = runner.best(most)?;
            answer.plans = plans;
            entries
        };
        for entry in entries.iter().skip(skip) {
            answer.hits.push(self.hit(&wanted, &weights, entry, options.explains)?);
        }
        answer.center = center(&wanted.ground);
        match &wanted.ground {
            Ground::Anywhere => {}
            Ground::Points { reach, .. } => {
                (answer.frame, answer.outline) = (reach.frame(), reach.rings());
                answer.near = reach.end();
            }
            Ground::Places(places) => answer.within.clone_from(&places.within),
        }
        if answer.hits.is_empty() && skip == 0 && most > 0 {
            answer.suggestions = self.suggestions(&wanted)?;
        }
        Ok(answer)
    }

    /// How many documents a query wants, near-duplicates counted once.
    pub fn count(&self, query: &Query) -> Result<u64, Error> {
        self.count_up_to(query, u64::MAX)
    }

    /// The same for those who need not know how many more there are than this.
    pub fn count_up_to(&self, query: &Query, most: u64) -> Result<u64, Error> {
        let wanted = prepare(self.generation, self.gazetteer, query)?;
        self.count_with(&wanted, &wanted.wishes, most)
    }

    /// A hit with all that is shown of it.
    fn hit(
        &self,
        wanted: &Wanted,
        weights: &Weights,
        entry: &Entry,
        explains: bool,
    ) -> Result<Hit, Error> {
        let shard = &self.generation.shards[entry.address.shard as usize];
        let number = entry.address.document;
        let document = shard.document(number)?;
        let fit = wanted.ground.fit(self.gazetteer, shard, number);
        let mut walk = Walk::new(shard, wanted, weights)?;
        let stands = walk.meets(number);
        let text = if stands { walk.text(number) } else { 0.0 };
        let place = fit.map_or(1.0, |it| it.score);
        let score = f64::from(text * place);
        let is_asked = |word: &str| asked(wanted, &document.language, word);
        // Who asks for the nearest is shown what is near.
        let nearest = || wanted.ground.nearest(self.gazetteer, shard, number);
        let shown = match wanted.order {
            Order::Distance => nearest(),
            // By time it stands among what is near if any spot of it is near: then that is shown.
            Order::Time if fit.is_some_and(|it| is_far(&wanted.ground, &it)) => nearest(),
            _ => fit,
        };
        let fits = |place: u32| self.fits(wanted, shown, place);
        Ok(Hit {
            title: marked(&document.title, &is_asked),
            snippet: snippet(&document, &is_asked, &fits),
            place: self.hit_place(wanted, shard, (number, &document), shown),
            is_far: shown.is_some_and(|it| is_far(&wanted.ground, &it)),
            explanation: explains.then(|| explanation(&mut walk, number, text, fit, score)),
            published: document.published,
            language: document.language.clone(),
            id: document.id,
            url: document.url,
            score,
        })
    }

    /// True if a place that a document names is the one that fits, or in what was asked about.
    fn fits(&self, wanted: &Wanted, fit: Option<Fit>, place: u32) -> bool {
        let is_it = fit.and_then(|it| it.spot.place) == Some(place);
        is_it
            || match &wanted.ground {
                Ground::Places(places) => places
                    .within
                    .iter()
                    .any(|it| self.gazetteer.holds(*it, PlaceId(place)) || it.0 == place),
                _ => false,
            }
    }

    fn hit_place(
        &self,
        wanted: &Wanted,
        shard: &Shard,
        (number, document): (u32, &Document),
        fit: Option<Fit>,
    ) -> Option<HitPlace> {
        // Without a ground a document is shown where it mostly is.
        let heaviest = || {
            shard.space.spots(number).max_by(|a, b| {
                weight(a.part, a.sure)
                    .total_cmp(&weight(b.part, b.sure))
                    .then(b.place.cmp(&a.place))
            })
        };
        let spot = fit.map(|it| it.spot).or_else(heaviest)?;
        let point = spot.point();
        let way = center(&wanted.ground).filter(|_| fit.is_some_and(|it| it.distance.is_some()));
        Some(HitPlace {
            place: spot.place.map(PlaceId),
            label: document
                .label(self.gazetteer, &spot)
                .unwrap_or_else(|| format!("{:.5}, {:.5}", point.lat, point.lon)),
            street_line: document.street_line(&spot).map(str::to_owned),
            point,
            way: way.map(|it| (it.distance(point), it.bearing(point))),
        })
    }

    /// What would be found with other spellings, or with fewer words.
    fn suggestions(&self, wanted: &Wanted) -> Result<Vec<Suggestion>, Error> {
        let mut suggestions = Vec::new();
        for (at, wish) in wanted.wishes.iter().enumerate().filter(|it| !it.1.is_phrase) {
            let mut documents = 0;
            for shard in &self.generation.shards {
                documents += wish.frequency(shard)?;
            }
            if documents > 0 {
                continue;
            }
            let mut like: Vec<(String, u32)> = Vec::new();
            for shard in &self.generation.shards {
                like.extend(shard.like(&wish.terms[0], 5)?);
            }
            let Some((instead, _)) = like.into_iter().next() else { continue };
            let mut wishes = wanted.wishes.clone();
            wishes[at].terms = vec![instead.clone()];
            let documents = self.count_with(wanted, &wishes, u64::MAX)?;
            if documents > 0 {
                let word = wish.text.clone();
                suggestions.push(Suggestion::Spelling { word, instead, documents });
            }
        }
        if wanted.wishes.len() > 1 {
            for left_out in 0..wanted.wishes.len() {
                let mut wishes = wanted.wishes.clone();
                wishes.remove(left_out);
                let documents = self.count_with(wanted, &wishes, u64::MAX)?;
                if documents > 0 {
                    let word = wanted.wishes[left_out].text.clone();
                    suggestions.push(Suggestion::Without { word, documents });
                }
            }
        }
        Ok(suggestions)
    }

    /// How many documents are wanted with these words instead; no more than so many are counted.
    fn count_with(&self, wanted: &Wanted, wishes: &[Wish], most: u64) -> Result<u64, Error> {
        let runner = Runner {
            generation: self.generation,
            gazetteer: self.gazetteer,
            wanted,
            weights: &Weights::none(),
            forced: None,
        };
        runner.count(wishes, most)
    }

    /// Documents about the same place as one, and documents nearby, each with how far they are.
    pub fn neighbours(&self, at: Address, reach: Meters, most: usize) -> Result<Neighbours, Error> {
        let shard = &self.generation.shards[at.shard as usize];
        let mut neighbours = Neighbours::default();
        if let Some(focus) = shard.facts.focus(at.document) {
            for (other, number) in self.generation.shards.iter().zip(0..) {
                let mut clause = other.within(std::iter::once(focus))?;
                let mut document = clause.document();
                while document != index::TERMINATED && neighbours.same_place.len() < most {
                    let address = Address { shard: number, document };
                    if other.facts.focus(document) == Some(focus)
                        && !other.dead.has(document)
                        && address != at
                    {
                        neighbours.same_place.push(address);
                    }
                    document = clause.seek(document + 1);
                }
            }
        }
        let spots = shard.space.spots(at.document).filter(|it| !it.is_area);
        let Some(home) = spots.max_by_key(|it| it.part) else { return Ok(neighbours) };
        let mut seen: HashSet<Address> =
            neighbours.same_place.iter().copied().chain([at]).collect();
        for (address, far) in self.around(home.point(), reach, most) {
            if !seen.insert(address) {
                continue;
            }
            if far < SAME && neighbours.same_place.len() < most {
                neighbours.same_place.push(address);
            } else if far >= SAME && neighbours.nearby.len() < most {
                neighbours.nearby.push((address, far));
            }
        }
        Ok(neighbours)
    }

    /// Documents that are for a good part about a point around another, the nearest first: as many as are wanted, beside
    /// those at the point itself.
    fn around(&self, center: Point, reach: Meters, most: usize) -> Vec<(Address, Meters)> {
        let mut found = Vec::new();
        for (shard, number) in self.generation.shards.iter().zip(0..) {
            let mut asked = most * 4 + 8;
            let taken = loop {
                let points = shard.space.nearest(center, asked);
                let is_all = points.len() < asked || asked >= MOST_POINTS;
                let far = |it: &(u32, Point)| it.1.distance(center);
                let is_own = |(document, point): &(u32, Point)| {
                    let mut spots = shard.space.spots(*document);
                    spots.any(|it| it.part >= OWN && it.point().distance(*point) < SAME)
                };
                let is_past = points.last().is_some_and(|it| far(it) > reach);
                let taken: Vec<(Address, Meters)> = points
                    .into_iter()
                    .filter(|it| far(it) <= reach && !shard.dead.has(it.0) && is_own(it))
                    .map(|it| (Address { shard: number, document: it.0 }, far(&it)))
                    .collect();
                let away: HashSet<u32> =
                    taken.iter().filter(|it| it.1 >= SAME).map(|it| it.0.document).collect();
                if is_all || is_past || away.len() > most {
                    break taken;
                }
                // A town's middle may have many documents, and only beyond them is what is nearby.
                asked *= 4;
            };
            found.extend(taken);
        }
        found.sort_by(|a, b| a.1.0.total_cmp(&b.1.0).then(a.0.cmp(&b.0)));
        found
    }
}

/// Documents that are close to one.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Neighbours {
    /// About the same place, or at the same point.
    pub same_place: Vec<Address>,
    /// Nearby, the nearest first, none of them at the same point.
    pub nearby: Vec<(Address, Meters)>,
}

/// Takes all documents, keeps the best, and counts.
struct Tally<'a> {
    top: Top,
    counter: Counter<'a>,
    groups: HashSet<u32>,
    total: u64,
    duplicates: u64,
    near: Near<'a>,
}

/// Counts what is near, near-duplicates once.
struct Near<'a> {
    engine: &'a Engine<'a>,
    wanted: &'a Wanted,
    groups: HashSet<u32>,
    total: u64,
}

impl Near<'_> {
    fn add(&mut self, entry: &Entry) {
        let Address { shard, document } = entry.address;
        let shard = &self.engine.generation.shards[shard as usize];
        if self.wanted.is_near(self.engine.gazetteer, shard, document) == Some(true) {
            self.total += u64::from(entry.group.is_none_or(|it| self.groups.insert(it)));
        }
    }
}

impl Sink for Tally<'_> {
    fn bar(&self) -> f64 {
        f64::NEG_INFINITY
    }

    fn add(&mut self, entry: Entry) {
        if entry.group.is_some_and(|it| !self.groups.insert(it)) {
            self.duplicates += 1;
        } else {
            self.total += 1;
            self.counter.add(entry.address);
        }
        self.near.add(&entry);
        self.top.add(entry);
    }
}

/// Where distances are measured from.
fn center(ground: &Ground) -> Option<Point> {
    match ground {
        Ground::Anywhere => None,
        Ground::Points { reach, .. } => Some(reach.center()),
        Ground::Places(places) => places.center,
    }
}

/// True if a spot is farther away than anybody calls near.
fn is_far(ground: &Ground, fit: &Fit) -> bool {
    let Ground::Points { reach, .. } = ground else { return false };
    reach.end().zip(fit.distance).is_some_and(|(end, far)| far > end.0)
}

/// The place whose parts are counted: the one that is asked about or, where hits lie around it, what holds it; nothing for
/// the countries of the world.
fn facet_place(gazetteer: &Gazetteer, query: &Query) -> Option<PlaceId> {
    let space = query.space.as_ref()?;
    let place = |it: &Anchor| match it.at {
        Spot::Point(at) | Spot::Me(at) => {
            gazetteer.containing(at).first().map(gazetteer::Place::id)
        }
        _ => place_of(it),
    };
    let places = space.anchors.iter().map(place).collect::<Option<Vec<_>>>()?;
    let first = *places.first()?;
    let is_place = matches!(space.anchors[0].at, Spot::Place(_));
    let widest = match space.relation {
        Relation::In | Relation::At if is_place => return Some(first),
        Relation::Within(far) | Relation::Ring(_, far) if far > FAR_AROUND => Kind::Country,
        Relation::Within(far) | Relation::Ring(_, far) if far > AROUND => Kind::Region,
        Relation::Outside | Relation::Toward(_) | Relation::Between | Relation::Along => {
            Kind::Country
        }
        _ => Kind::County,
    };
    let holds_all = |whole: PlaceId| places.iter().all(|it| gazetteer.holds(whole, *it));
    // A town may be a county of its own.
    let has_parts = |whole: PlaceId| gazetteer.children(whole).nth(1).is_some();
    let is_whole = |it: &(PlaceId, Kind)| it.1 <= widest && holds_all(it.0) && has_parts(it.0);
    let whole = gazetteer.holders(first).find(is_whole)?;
    (whole.1 >= Kind::Country).then_some(whole.0)
}

/// Which of the wishes a word of a document meets.
fn asked(wanted: &Wanted, language: &str, word: &str) -> Option<usize> {
    let stem = index::stem_term(word, language);
    wanted.wishes.iter().position(|wish| {
        wish.terms.iter().any(|it| it == word || (!wish.is_phrase && stem.as_ref() == Some(it)))
    })
}

fn explanation(
    walk: &mut Walk<'_>,
    document: u32,
    text: f32,
    fit: Option<Fit>,
    score: f64,
) -> Explanation {
    let words = walk.parts(document).into_iter().map(|it| WordScore {
        word: it.text,
        rareness: it.rareness.into(),
        times: it.times,
        in_title: it.in_title,
        in_strong: it.in_strong,
        score: it.score.into(),
    });
    Explanation {
        words: words.collect(),
        text: text.into(),
        lie: fit.map_or(1.0, |it| it.lie.into()),
        part: fit.map_or(1.0, |it| f64::from(it.spot.part) / 255.0),
        sure: fit.map_or(1.0, |it| f64::from(it.spot.sure) / 255.0),
        weight: fit.map_or(1.0, |it| it.weight.into()),
        place: fit.map_or(1.0, |it| it.score.into()),
        score,
    }
}

/// A bare query: words and points, without a gazetteer to read it. What benchmarks ask.
#[derive(Clone, Debug)]
pub struct Bare {
    /// Words that must all be there.
    pub words: Vec<String>,
    /// Where.
    pub ground: BareGround,
    /// How many documents.
    pub most: usize,
}

/// Where a bare query looks.
#[derive(Clone, Debug)]
pub enum BareGround {
    /// The nearest first.
    Nearest(Point),
    /// In a box, the best first.
    Box(earth::Bounds),
    /// In a circle, the best first.
    Circle(Point, Meters),
    /// Everywhere, nearer is better: half as good at the distance given.
    Near(Point, Meters),
    /// Between two distances, the best first.
    Ring(Point, Meters, Meters),
    /// A quarter of a circle around a direction, in degrees; nearer is better.
    Sector(Point, f64, Meters),
    /// Between two points, best on the way.
    Between(Point, Point),
    /// Along a line, within this distance of it.
    Along(Vec<Point>, Meters),
    /// In a polygon, the best first.
    Polygon(Vec<Point>),
}

impl Engine<'_> {
    /// The ids of the best documents for a bare query.
    pub fn bare(&self, bare: &Bare) -> Result<Vec<String>, Error> {
        let nowhere = || Reach::ring(Point::default(), Meters(0.0), Meters(0.0));
        let order = match bare.ground {
            BareGround::Nearest(_) => Order::Distance,
            _ => Order::Score,
        };
        let reach = match &bare.ground {
            BareGround::Nearest(point) => Reach::near(*point, Meters(1_000.0), Meters(0.0)),
            BareGround::Box(bounds) => Reach::bounds(*bounds),
            BareGround::Circle(point, radius) => Reach::ring(*point, Meters(0.0), *radius),
            BareGround::Near(point, scale) => Reach::near(*point, *scale, Meters(0.0)),
            BareGround::Ring(point, from, to) => Reach::ring(*point, *from, *to),
            BareGround::Sector(point, bearing, to) => {
                Reach::sector(*point, *bearing, Meters(0.0), *to, *to)
            }
            BareGround::Between(one, other) => Reach::between(*one, *other, crate::prepare::DETOUR),
            BareGround::Along(line, width) => Reach::along(line, *width).unwrap_or_else(nowhere),
            BareGround::Polygon(ring) => Reach::polygon(ring.clone()).unwrap_or_else(nowhere),
        };
        let languages = self.generation.languages();
        let wish = |word: &String| Wish {
            terms: index::terms_of_word(word, languages),
            is_phrase: false,
            in_title: false,
            text: word.clone(),
        };
        let wanted = Wanted {
            wishes: bare.words.iter().map(wish).collect(),
            refused: Vec::new(),
            sites: Vec::new(),
            not_sites: Vec::new(),
            languages: Vec::new(),
            topics: Vec::new(),
            after: None,
            before: None,
            near: None,
            ground: Ground::Points { reach, not_in: None },
            order,
            collapses: false,
        };
        let weights = Weights::of(self.generation, &wanted.wishes)?;
        let (generation, gazetteer) = (self.generation, self.gazetteer);
        let runner =
            Runner { generation, gazetteer, wanted: &wanted, weights: &weights, forced: None };
        let (entries, _) = runner.best(bare.most)?;
        let id = |it: &Entry| {
            generation.shards[it.address.shard as usize].facts.id(it.address.document).to_owned()
        };
        Ok(entries.iter().map(id).collect())
    }
}
