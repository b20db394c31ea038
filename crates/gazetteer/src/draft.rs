//! A gazetteer on its way into a file: facts in, sections out.

use std::collections::HashMap;
use std::io::{self, Write};

use earth::{Meters, Point};
use geo::MultiPolygon;

use crate::fact::{Fact, HouseFact, NameClass, PlaceFact, Seat, ShapeFact, SourceFact};
use crate::file;
use crate::importance::{given_importance, importance, importance_from_city};
use crate::kd;
use crate::kind::Kind;
use crate::layout;
use crate::section_writer::SectionWriter;
use crate::shape::{self, ShapeWriter, degrees, steps};
use crate::strings::StringWriter;

/// The key of the root of the hierarchy.
pub const WORLD: &str = "world";

/// A gazetteer on its way into a file.
///
/// Facts come in any order. What they leave open is settled in [`Draft::finish`]: parents from positions,
/// positions from outlines and parts, populations from cities.
pub struct Draft {
    pub(crate) strings: StringWriter,
    pub(crate) rows: Vec<Row>,
    pub(crate) by_key: HashMap<u32, u32>,
    /// `(row, class, text)`.
    pub(crate) names: Vec<(u32, NameClass, u32)>,
    /// `(row, key of the neighbour)`.
    pub(crate) adjacent: Vec<(u32, u32)>,
    /// `(row, outline)`, the row being that of the key at finish.
    pub(crate) shapes: Vec<(u32, MultiPolygon<f64>)>,
    pub(crate) houses: Vec<House>,
    pub(crate) sources: Vec<SourceFact>,
}

/// What came of finishing a draft.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Settled {
    /// How many places the gazetteer has.
    pub places: usize,
    /// How many parents were found by position.
    pub placed_by_position: usize,
    /// The first of the places nobody gave a position or a name, which are left out.
    pub left_out: Vec<String>,
    /// How many those are.
    pub left_out_count: usize,
    /// Places that were part of themselves, put under the root.
    pub cycles: Vec<String>,
    /// Shapes and houses of places nobody knows, left out.
    pub orphans: usize,
}

/// More people than there are on earth; what is more was miswritten.
const MOST_PEOPLE: u64 = 10_000_000_000;
/// How many left-out keys are kept to be shown.
const SHOWN: usize = 20;

/// A place on its way into the file, its texts as numbers.
#[derive(Clone)]
pub(crate) struct Row {
    pub(crate) key: u32,
    pub(crate) name: u32,
    pub(crate) kind: Kind,
    pub(crate) point: Option<(i32, i32)>,
    pub(crate) parent: u32,
    pub(crate) population: u64,
    pub(crate) seat: Seat,
    pub(crate) tags: u32,
}

/// A house on its way into the file.
pub(crate) struct House {
    pub(crate) street: u32,
    pub(crate) number: u32,
    pub(crate) lat: i32,
    pub(crate) lon: i32,
    pub(crate) postcode: u32,
}

impl Default for Draft {
    fn default() -> Self {
        Self::new()
    }
}

impl Draft {
    /// A draft that knows only the root.
    pub fn new() -> Self {
        let mut draft = Self {
            strings: StringWriter::new(),
            rows: Vec::new(),
            by_key: HashMap::new(),
            names: Vec::new(),
            adjacent: Vec::new(),
            shapes: Vec::new(),
            houses: Vec::new(),
            sources: Vec::new(),
        };
        draft.place(PlaceFact::new(WORLD, Kind::World, "World").at(0.0, 0.0));
        draft
    }

    /// Takes a fact.
    pub fn add(&mut self, fact: Fact) {
        match fact {
            Fact::Place(place) => self.place(place),
            Fact::Shape(shape) => self.shape(shape),
            Fact::House(house) => self.house(&house),
            Fact::Source(source) if !self.sources.contains(&source) => self.sources.push(source),
            Fact::Source(_) => {}
        }
    }

    fn place(&mut self, fact: PlaceFact) {
        let key = self.strings.put(&fact.key);
        let row = match self.by_key.get(&key) {
            Some(&row) => {
                self.fill(row, &fact);
                row
            }
            None => self.push(key, &fact),
        };
        for name in fact.names {
            let text = self.strings.put(name.text.trim());
            self.names.push((row, name.class, text));
        }
        for neighbour in &fact.adjacent {
            let neighbour = self.strings.put(neighbour);
            self.adjacent.push((row, neighbour));
        }
    }

    fn push(&mut self, key: u32, fact: &PlaceFact) -> u32 {
        let row = self.rows.len() as u32;
        let tags = self.strings.put(&join_tags(&fact.tags));
        self.rows.push(Row {
            key,
            name: self.strings.put(fact.name.trim()),
            kind: fact.kind,
            point: fact.point.map(|it| (steps(it.lat), steps(it.lon))),
            parent: self.strings.put(&fact.parent),
            population: fact.population.min(MOST_PEOPLE),
            seat: fact.seat,
            tags,
        });
        self.by_key.insert(key, row);
        row
    }

    /// A later fact fills what the earlier ones left empty; a fact without a name says nothing of the kind, but
    /// it was written with the place in mind, and its point replaces the earlier one.
    fn fill(&mut self, row: u32, fact: &PlaceFact) {
        let name = self.strings.put(fact.name.trim());
        let parent = self.strings.put(&fact.parent);
        let mut tags = split_tags(self.strings.get(self.rows[row as usize].tags));
        for (word, value) in &fact.tags {
            if !tags.iter().any(|(known, _)| known == word) {
                tags.push((word.clone(), value.clone()));
            }
        }
        let tags = self.strings.put(&join_tags(&tags));
        let known = &mut self.rows[row as usize];
        if known.name == 0 && name != 0 {
            known.name = name;
            known.kind = fact.kind;
        } else if name != known.name && name != 0 {
            self.names.push((row, NameClass::Alternate, name));
        }
        // A place named outright is narrower than the division a code leads to.
        let by_code = self.strings.get(known.parent).starts_with("adm:");
        if known.parent == 0 || (by_code && parent != 0) {
            known.parent = parent;
        }
        let point = fact.point.map(|it| (steps(it.lat), steps(it.lon)));
        known.point = if name == 0 { point.or(known.point) } else { known.point.or(point) };
        known.population = known.population.max(fact.population.min(MOST_PEOPLE));
        known.seat = known.seat.max(fact.seat);
        known.tags = tags;
    }

    fn shape(&mut self, fact: ShapeFact) {
        let key = self.strings.put(&fact.place);
        self.shapes.push((key, fact.outline));
    }

    fn house(&mut self, fact: &HouseFact) {
        let house = House {
            street: self.strings.put(&fact.street),
            number: self.strings.put(fact.number.trim()),
            lat: steps(fact.point.lat),
            lon: steps(fact.point.lon),
            postcode: self.strings.put(&fact.postcode),
        };
        self.houses.push(house);
    }

    /// Settles what is open and writes the file.
    pub fn finish(mut self, out: &mut impl Write) -> io::Result<Settled> {
        if self.strings.is_full() {
            return Err(io::Error::other(
                "the names take more than 1 GiB: leave out some places or their other names",
            ));
        }
        let mut settled = Settled::default();
        self.settle_shapes(&mut settled);
        let mut parents = self.parents_by_key();
        self.settle_points(&parents);
        self.leave_out_the_unplaced(&mut parents, &mut settled);
        self.parents_by_position(&mut parents, &mut settled);
        break_cycles(&self.rows, &self.strings, &mut parents, &mut settled);
        self.settle_populations(&parents);

        let ranks = self.importances(&parents);
        let order = breadth_first(&self.rows, &self.strings, &parents, &ranks);
        settled.places = order.len();
        let sections = SectionWriter { draft: self, parents, ranks, order }.sections();
        file::write(out, &sections)?;
        Ok(settled)
    }

    /// Gives shapes their rows, the last one of a place winning, and drops those of unknown places.
    fn settle_shapes(&mut self, settled: &mut Settled) {
        let mut outlines: HashMap<u32, MultiPolygon<f64>> = HashMap::new();
        for (key, outline) in std::mem::take(&mut self.shapes) {
            match self.by_key.get(&key) {
                Some(&row) => {
                    outlines.insert(row, outline);
                }
                None => settled.orphans += 1,
            }
        }
        self.shapes = outlines.into_iter().collect();
        self.shapes.sort_by_key(|(row, _)| *row);
        let streets = &self.by_key;
        let houses = self.houses.len();
        self.houses.retain(|house| streets.contains_key(&house.street));
        settled.orphans += houses - self.houses.len();
    }

    /// Each row's parent as far as keys tell: by the key itself, or by the code path `adm:DE.06.03403`,
    /// which stands for the division with that code or, if nobody knows it, the next wider one.
    fn parents_by_key(&mut self) -> Vec<Option<u32>> {
        let mut by_code: HashMap<String, u32> = HashMap::new();
        for (row, it) in self.rows.iter().enumerate().filter(|(_, it)| it.kind.is_administrative())
        {
            if let Some((_, code)) =
                split_tags(self.strings.get(it.tags)).into_iter().find(|it| it.0 == "adm")
            {
                by_code.entry(code).or_insert(row as u32);
            }
        }
        let find = |row: &Row| {
            if row.parent == 0 {
                return None;
            }
            if let Some(&found) = self.by_key.get(&row.parent) {
                return Some(found);
            }
            let mut code = self.strings.get(row.parent).strip_prefix("adm:")?;
            loop {
                if let Some(&found) = by_code.get(code) {
                    return Some(found);
                }
                code = code.rsplit_once('.')?.0;
            }
        };
        self.rows.iter().map(find).collect()
    }

    /// Points that are missing come from the outline, else from the middle of the parts.
    fn settle_points(&mut self, parents: &[Option<u32>]) {
        for (row, outline) in &self.shapes {
            let row = &mut self.rows[*row as usize];
            if row.point.is_none() {
                row.point = shape::point_inside(outline).map(|it| (steps(it.lat), steps(it.lon)));
            }
        }
        // Parts have their points before wholes: from the narrowest kind to the widest.
        let mut open: Vec<_> =
            (0..self.rows.len()).filter(|&row| self.rows[row].point.is_none()).collect();
        open.sort_by_key(|&row| std::cmp::Reverse(self.rows[row].kind));
        let mut parts: HashMap<u32, Vec<u32>> = HashMap::new();
        for (row, parent) in parents.iter().enumerate() {
            if let Some(parent) = parent.filter(|&it| self.rows[it as usize].point.is_none()) {
                parts.entry(parent).or_default().push(row as u32);
            }
        }
        for row in open {
            let points = parts.get(&(row as u32)).into_iter().flatten();
            let points = points.filter_map(|&part| self.rows[part as usize].point);
            self.rows[row].point = middle(points);
        }
    }

    fn leave_out_the_unplaced(&mut self, parents: &mut Vec<Option<u32>>, settled: &mut Settled) {
        let keep: Vec<bool> =
            self.rows.iter().map(|it| it.point.is_some() && it.name != 0).collect();
        if keep.iter().all(|&it| it) {
            return;
        }
        let mut renumbered = vec![None; self.rows.len()];
        let kept = keep.iter().enumerate().filter(|(_, kept)| **kept);
        for (number, (row, _)) in kept.enumerate() {
            renumbered[row] = Some(number as u32);
        }
        for (it, _) in self.rows.iter().zip(&keep).filter(|(_, kept)| !**kept) {
            settled.left_out_count += 1;
            if settled.left_out.len() < SHOWN {
                settled.left_out.push(self.strings.get(it.key).to_owned());
            }
        }
        let mut kept = keep.iter();
        self.rows.retain(|_| *kept.next().unwrap_or(&false));
        let old = std::mem::take(parents);
        *parents = old
            .into_iter()
            .zip(&keep)
            .filter(|(_, kept)| **kept)
            .map(|(parent, _)| parent.and_then(|it| renumbered[it as usize]))
            .collect();
        self.names =
            renumber(&self.names, |it| renumbered[it.0 as usize].map(|row| (row, it.1, it.2)));
        self.adjacent =
            renumber(&self.adjacent, |it| renumbered[it.0 as usize].map(|row| (row, it.1)));
        self.shapes = std::mem::take(&mut self.shapes)
            .into_iter()
            .filter_map(|(row, outline)| Some((renumbered[row as usize]?, outline)))
            .collect();
        self.by_key.retain(|_, row| renumbered[*row as usize].is_some());
        self.by_key.values_mut().for_each(|row| *row = renumbered[*row as usize].unwrap_or(0));
    }

    /// Parents that are missing come from where the place lies: the narrowest outline around it, or the
    /// nearest city for what lies in cities.
    fn parents_by_position(&self, parents: &mut [Option<u32>], settled: &mut Settled) {
        let outlines = Outlines::new(&self.shapes, &self.rows);
        let point_of = |row: u32| self.rows[row as usize].degrees();
        let is_city = |row: &u32| self.rows[*row as usize].kind == Kind::City;
        let mut cities: Vec<u32> = (0..self.rows.len() as u32).filter(is_city).collect();
        kd::arrange(&mut cities, point_of);
        let tree = kd::Tree { len: cities.len(), member: |at| cities[at], point_of };

        for row in 1..self.rows.len() {
            let it = &self.rows[row];
            if parents[row].is_some() {
                continue;
            }
            let around = outlines.narrowest(it.degrees(), it.kind, row as u32);
            let country = around.and_then(|it| country_of(&self.rows, parents, it));
            let city = || {
                // Across a border the nearest city is not the one.
                let wanted = |city: u32| {
                    let other = country_of(&self.rows, parents, city);
                    city as usize != row
                        && (country.is_none() || other.is_none() || country == other)
                };
                tree.nearest(it.degrees(), 1, reach_of_a_city(it.kind)?, wanted)
                    .first()
                    .map(|it| it.0)
            };
            let lies_in_cities = it.kind > Kind::City;
            let found = if lies_in_cities { city().or(around) } else { around };
            settled.placed_by_position += usize::from(found.is_some());
            parents[row] = Some(found.unwrap_or(0));
        }
    }

    /// A division nobody counted has as many people as its cities.
    fn settle_populations(&mut self, parents: &[Option<u32>]) {
        let mut sums = vec![0_u64; self.rows.len()];
        for (row, it) in self.rows.iter().enumerate().filter(|(_, it)| it.kind == Kind::City) {
            let mut at = parents[row];
            while let Some(parent) = at {
                sums[parent as usize] = (sums[parent as usize] + it.population).min(MOST_PEOPLE);
                at = parents[parent as usize];
            }
        }
        for (row, sum) in self.rows.iter_mut().zip(sums) {
            if row.population == 0 && row.kind.is_administrative() {
                row.population = sum;
            }
        }
    }

    fn importances(&mut self, parents: &[Option<u32>]) -> Vec<u16> {
        self.names.sort_by_key(|&(row, class, _)| (row, class));
        let mut known: std::collections::HashSet<(u32, NameClass, u32)> =
            std::collections::HashSet::new();
        let rows = &self.rows;
        self.names.retain(|name| {
            let repeats = name.1 == NameClass::Alternate && name.2 == rows[name.0 as usize].name;
            !repeats && name.2 != 0 && known.insert(*name)
        });
        let mut counts = vec![0_usize; self.rows.len()];
        let mut has_code = vec![false; self.rows.len()];
        for &(row, class, text) in &self.names {
            counts[row as usize] += usize::from(class == NameClass::Alternate);
            has_code[row as usize] |=
                class == NameClass::Short && self.strings.get(text).len() == 3;
        }
        let alone = |row: usize| {
            let it = &self.rows[row];
            importance(it.kind, it.population, counts[row], it.seat, has_code[row])
        };
        let rank = |row: usize| {
            let serves = has_code[row] && self.rows[row].kind == Kind::Airport;
            let city =
                parents[row].filter(|&it| serves && self.rows[it as usize].kind == Kind::City);
            let known =
                alone(row) + city.map_or(0.0, |city| importance_from_city(alone(city as usize)));
            let given = given_importance(self.strings.get(self.rows[row].tags));
            (known.max(given).min(1.0) * f64::from(u16::MAX)) as u16
        };
        (0..self.rows.len()).map(rank).collect()
    }
}

impl Row {
    pub(crate) fn degrees(&self) -> Point {
        let (lat, lon) = self.point.unwrap_or_default();
        Point::new(degrees(lat), degrees(lon))
    }
}

/// The country a row is known to lie in.
fn country_of(rows: &[Row], parents: &[Option<u32>], row: u32) -> Option<u32> {
    // Nothing is nested so deep; a cycle, which is broken later, ends here.
    let lineage = std::iter::successors(Some(row), |&it| parents[it as usize]).take(20);
    lineage.into_iter().find(|&it| rows[it as usize].kind == Kind::Country)
}

/// How far from a city's middle its parts can lie.
fn reach_of_a_city(kind: Kind) -> Option<Meters> {
    match kind {
        Kind::District | Kind::Street | Kind::Postcode | Kind::Poi => Some(Meters(15_000.0)),
        _ => None,
    }
}

/// The middle of points on the globe, wherever the date line runs.
fn middle(points: impl Iterator<Item = (i32, i32)>) -> Option<(i32, i32)> {
    let [mut x, mut y, mut z] = [0.0; 3];
    let mut some = false;
    for (lat, lon) in points {
        some = true;
        let (lat, lon) = (degrees(lat).to_radians(), degrees(lon).to_radians());
        x += lat.cos() * lon.cos();
        y += lat.cos() * lon.sin();
        z += lat.sin();
    }
    let (lat, lon) = (z.atan2(x.hypot(y)), y.atan2(x));
    some.then(|| (steps(lat.to_degrees()), steps(lon.to_degrees())))
}

fn renumber<T: Copy, U>(list: &[T], renumbered: impl Fn(T) -> Option<U>) -> Vec<U> {
    list.iter().filter_map(|&it| renumbered(it)).collect()
}

/// The outlines with the sizes of their boxes, to find the narrowest around a point.
struct Outlines<'a> {
    file: shape::Shapes,
    tree: rstar::RTree<shape::RingBox>,
    rows: &'a [Row],
}

impl<'a> Outlines<'a> {
    fn new(shapes: &[(u32, MultiPolygon<f64>)], rows: &'a [Row]) -> Self {
        let mut writer = ShapeWriter::default();
        shapes.iter().for_each(|(row, outline)| writer.push(*row, outline));
        let file = layout::shapes_in_memory(writer);
        let tree = file.tree();
        Self { file, tree, rows }
    }

    /// The narrowest place around a point that can hold a place of this kind.
    fn narrowest(&self, point: Point, kind: Kind, itself: u32) -> Option<u32> {
        let holding =
            self.file.holding(&self.tree, point).into_iter().map(|it| self.file.place(it));
        holding
            .filter(|&it| it != itself && self.rows[it as usize].kind < kind)
            .max_by_key(|&it| self.rows[it as usize].kind)
    }
}

/// Puts places that are part of themselves under the root.
fn break_cycles(
    rows: &[Row],
    strings: &StringWriter,
    parents: &mut [Option<u32>],
    settled: &mut Settled,
) {
    parents[0] = None;
    let mut safe = vec![false; rows.len()];
    safe[0] = true;
    for start in 0..rows.len() {
        let mut path = Vec::new();
        let mut at = start;
        while !safe[at] {
            safe[at] = true;
            path.push(at);
            at = parents[at].map_or(0, |parent| parent as usize);
        }
        // Whoever walked into the path just walked has gone round.
        if path.contains(&at) {
            parents[at] = Some(0);
            settled.cycles.push(strings.get(rows[at].key).to_owned());
        }
    }
}

/// The rows breadth first from the root, the best known of each parent first; so a parent always stands
/// before its children, and children stand together.
fn breadth_first(
    rows: &[Row],
    strings: &StringWriter,
    parents: &[Option<u32>],
    ranks: &[u16],
) -> Vec<u32> {
    let mut children: Vec<Vec<u32>> = vec![Vec::new(); rows.len()];
    for (row, parent) in parents.iter().enumerate() {
        if let Some(parent) = parent {
            children[*parent as usize].push(row as u32);
        }
    }
    let mut order = Vec::with_capacity(rows.len());
    order.push(0);
    let mut next = 0;
    while next < order.len() {
        let mut parts = std::mem::take(&mut children[order[next] as usize]);
        parts.sort_by(|&a, &b| {
            let (one, other) = (&rows[a as usize], &rows[b as usize]);
            let by_rank = ranks[b as usize].cmp(&ranks[a as usize]);
            by_rank.then_with(|| strings.get(one.key).cmp(strings.get(other.key)))
        });
        order.extend(parts);
        next += 1;
    }
    order
}

pub(crate) fn join_tags(tags: &[(String, String)]) -> String {
    // The two signs that part tags in the file have no place in them, nor has in a word what parts it from
    // its value in text.
    let clean = |text: &str| text.replace(['\u{1e}', '\u{1f}'], " ");
    let pair = |(word, value): &(String, String)| {
        format!("{}\u{1f}{}", clean(word).replace('=', " "), clean(value))
    };
    tags.iter().map(pair).collect::<Vec<_>>().join("\u{1e}")
}

pub(crate) fn split_tags(joined: &str) -> Vec<(String, String)> {
    let pairs = joined.split('\u{1e}').filter_map(|it| it.split_once('\u{1f}'));
    pairs.map(|(word, value)| (word.to_owned(), value.to_owned())).collect()
}
