//! Streets: ways of one name that lie together, and which of them an address means.

use std::collections::HashMap;

use gazetteer::PlaceFact;
use xxhash_rust::xxh3::xxh3_64;

use crate::osm::area::Towns;
use crate::osm::spot::{Spot, mean};

/// The side of a square in which ways of one name are one street, in units of 10⁻⁷ degrees of latitude.
///
/// Ways in the same square or in neighbouring ones are joined: those up to 250 m apart for certain,
/// those over 700 m for certain not. Streets are interrupted by squares and crossings that broad.
const JOINING: i32 = 22_500;

/// The side of a square in which the streets of an address are looked for: some two kilometres.
const SEARCH: i32 = 200_000;

/// How far a house may be from the street of its address, in metres.
const FARTHEST: f64 = 1_500.0;

/// How many ways of one name are looked at for an address; the longest avenues have some hundred.
const LOOKED_AT: usize = 4096;

/// A way, square or node of a street.
pub(crate) struct Trail {
    /// What the street would be, if this were all of it.
    pub(crate) place: PlaceFact,
    /// Ways come before relations and nodes, small ids before large ones: the first gives the key.
    pub(crate) rank: (u8, i64),
    pub(crate) spots: Vec<Spot>,
}

/// The streets of a file, to be found by name and position.
#[derive(Default)]
pub(crate) struct Streets {
    /// Which trails bear a name in a square.
    cells: HashMap<(u64, Cell), Vec<u32>>,
    trails: Vec<Vec<Spot>>,
    /// The street of each trail.
    owners: Vec<u32>,
    keys: Vec<String>,
}

impl Streets {
    /// Joins trails to streets and hands each street to `put`.
    pub(crate) fn join(
        mut trails: Vec<Trail>,
        towns: &Towns,
        put: &mut dyn FnMut(PlaceFact),
    ) -> Self {
        trails.retain(|trail| !trail.spots.is_empty());
        let town = |trail: &Trail| towns.at(trail.spots[trail.spots.len() / 2]);
        let mut named: Vec<(u64, Option<usize>, Trail)> = trails
            .into_iter()
            .map(|trail| (name_id(&trail.place.name), town(&trail), trail))
            .collect();
        named.sort_by_key(|(name, town, trail)| (*name, *town, trail.rank));

        let mut streets = Self::default();
        for group in named.chunk_by(|a, b| (a.0, a.1) == (b.0, b.1)) {
            let group: Vec<&Trail> = group.iter().map(|(_, _, trail)| trail).collect();
            let sets = joined(&group);
            for set in sets {
                let members: Vec<&Trail> = set.into_iter().map(|member| group[member]).collect();
                put(streets.add(&members));
            }
        }
        streets
    }

    /// Takes up a street made of these trails, the first of which gives it its key.
    fn add(&mut self, members: &[&Trail]) -> PlaceFact {
        let mut place = members[0].place.clone();
        for member in &members[1..] {
            member.place.names.iter().for_each(|name| place.also(name.class, &name.text));
        }
        place.point = middle(members).map(Spot::point);
        let names = place.names.iter().map(|name| name_id(&name.text));
        let mut names: Vec<u64> = names.chain([name_id(&place.name)]).collect();
        names.sort_unstable();
        names.dedup();
        for member in members {
            self.add_trail(&names, &member.spots);
        }
        self.keys.push(place.key.clone());
        place
    }

    fn add_trail(&mut self, names: &[u64], spots: &[Spot]) {
        let number = self.trails.len() as u32;
        let mut cells: Vec<Cell> = spots.iter().map(|&spot| Cell::of(spot, SEARCH)).collect();
        cells.sort_unstable();
        cells.dedup();
        for &name in names {
            for &cell in &cells {
                self.cells.entry((name, cell)).or_default().push(number);
            }
        }
        self.trails.push(spots.to_vec());
        self.owners.push(self.keys.len() as u32);
    }

    /// The number of the nearest street of this name.
    pub(crate) fn nearest(&self, name: &str, spot: Spot) -> Option<u32> {
        let name = name_id(name);
        let near = Cell::around(spot, SEARCH).filter_map(|cell| self.cells.get(&(name, cell)));
        let distances = near
            .flatten()
            .take(LOOKED_AT)
            .map(|&trail| (trail, distance(spot, &self.trails[trail as usize])));
        let nearest = distances.min_by(|a, b| a.1.total_cmp(&b.1));
        let (trail, _) = nearest.filter(|&(_, distance)| distance <= FARTHEST)?;
        Some(self.owners[trail as usize])
    }

    /// The key of a street by its number.
    pub(crate) fn key(&self, street: u32) -> &str {
        &self.keys[street as usize]
    }
}

/// Names are the same if they differ in case alone.
fn name_id(name: &str) -> u64 {
    xxh3_64(name.trim().to_lowercase().as_bytes())
}

/// The spot of the street that is nearest to the mean of all.
fn middle(members: &[&Trail]) -> Option<Spot> {
    let spots: Vec<Spot> = members.iter().flat_map(|member| member.spots.iter().copied()).collect();
    let mean = mean(&spots)?;
    spots.into_iter().min_by(|a, b| a.distance(mean).total_cmp(&b.distance(mean)))
}

fn distance(spot: Spot, trail: &[Spot]) -> f64 {
    match trail {
        [only] => spot.distance(*only),
        trail => {
            let lines = trail.windows(2).map(|line| spot.distance_to_line(line[0], line[1]));
            lines.fold(f64::INFINITY, f64::min)
        }
    }
}

/// The sets of trails that lie together, each in the order of the trails.
fn joined(trails: &[&Trail]) -> Vec<Vec<usize>> {
    let mut sets = Sets { above: (0..trails.len()).collect() };
    let mut first_in: HashMap<Cell, usize> = HashMap::new();
    for (number, trail) in trails.iter().enumerate() {
        for &spot in &trail.spots {
            for cell in Cell::around(spot, JOINING) {
                if let Some(&other) = first_in.get(&cell) {
                    sets.join(number, other);
                }
            }
            first_in.entry(Cell::of(spot, JOINING)).or_insert(number);
        }
    }
    let mut members: HashMap<usize, Vec<usize>> = HashMap::new();
    for number in 0..trails.len() {
        members.entry(sets.top(number)).or_default().push(number);
    }
    let mut members: Vec<_> = members.into_values().collect();
    members.sort_unstable();
    members
}

/// Which things belong together (union–find).
struct Sets {
    above: Vec<usize>,
}

impl Sets {
    fn top(&mut self, mut member: usize) -> usize {
        while self.above[member] != member {
            self.above[member] = self.above[self.above[member]];
            member = self.above[member];
        }
        member
    }

    fn join(&mut self, a: usize, b: usize) {
        let (a, b) = (self.top(a), self.top(b));
        self.above[a.max(b)] = a.min(b);
    }
}

/// A square of the earth's surface, as wide as it is high.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct Cell {
    row: i32,
    column: i32,
}

impl Cell {
    /// The square around a spot, with sides of `side` units of latitude.
    fn of(spot: Spot, side: i32) -> Self {
        let row = spot.lat.div_euclid(side);
        Self { row, column: Self::column(spot, row, side) }
    }

    /// Degrees of longitude shrink towards the poles; all of a row by the same measure.
    fn column(spot: Spot, row: i32, side: i32) -> i32 {
        let latitude = f64::from(row) * f64::from(side) / 1e7;
        let width = f64::from(side) / latitude.to_radians().cos().max(0.01);
        (f64::from(spot.lon) / width).floor() as i32
    }

    /// The square around a spot and its neighbours.
    fn around(spot: Spot, side: i32) -> impl Iterator<Item = Self> {
        let middle = spot.lat.div_euclid(side);
        (middle - 1..=middle + 1).flat_map(move |row| {
            let column = Self::column(spot, row, side);
            (column - 1..=column + 1).map(move |column| Self { row, column })
        })
    }
}

#[cfg(test)]
mod tests {
    use gazetteer::{Kind, NameClass};

    use super::*;

    #[test]
    fn ways_of_one_name_that_meet_are_one_street() {
        let (places, _) = join(vec![
            trail(9, "Unioninkatu", &[(60.170, 24.95), (60.172, 24.95)]),
            trail(4, "Unioninkatu", &[(60.172, 24.95), (60.176, 24.95)]),
        ]);
        let keys: Vec<_> = places.iter().map(|place| place.key.as_str()).collect();
        assert_eq!(keys, ["osm:w4"]);
        assert_eq!(places[0].point, Some(spot(60.172, 24.95).point()));
    }

    #[test]
    fn a_gap_of_two_hundred_metres_does_not_part_a_street_and_two_kilometres_do() {
        let street = |lat| trail((lat * 1e4) as i64, "Kirkkokatu", &[(lat, 24.95)]);
        assert_eq!(join(vec![street(60.17), street(60.1718)]).0.len(), 1);
        assert_eq!(join(vec![street(60.17), street(60.19)]).0.len(), 2);
    }

    #[test]
    fn streets_of_other_names_stay_apart() {
        let line = [(60.17, 24.95), (60.18, 24.95)];
        assert_eq!(join(vec![trail(1, "A", &line), trail(2, "B", &line)]).0.len(), 2);
    }

    #[test]
    fn an_address_finds_the_nearest_street_by_any_of_its_names() {
        let mut near = trail(1, "Kirkkokatu", &[(60.17, 24.95), (60.17, 24.97)]);
        near.place.also(NameClass::Alternate, "Kyrkogatan");
        let far = trail(2, "Kirkkokatu", &[(60.18, 24.95), (60.18, 24.97)]);
        let (_, streets) = join(vec![near, far]);
        let key =
            |name, lat| streets.nearest(name, spot(lat, 24.96)).map(|found| streets.key(found));
        assert_eq!(key("kyrkogatan", 60.171), Some("osm:w1"));
        assert_eq!(key("Kirkkokatu", 60.179), Some("osm:w2"));
        assert_eq!(key("Kirkkokatu", 60.30), None);
        assert_eq!(key("Torikatu", 60.17), None);
    }

    #[test]
    fn streets_on_the_pole_and_the_date_line_are_survived() {
        let (places, streets) = join(vec![trail(1, "A", &[(90.0, 180.0), (-90.0, -180.0)])]);
        assert_eq!(places.len(), 1);
        assert!(streets.nearest("A", spot(90.0, 180.0)).is_some());
    }

    fn join(trails: Vec<Trail>) -> (Vec<PlaceFact>, Streets) {
        let mut places = Vec::new();
        let streets = Streets::join(trails, &Towns::default(), &mut |place| places.push(place));
        (places, streets)
    }

    fn trail(id: i64, name: &str, points: &[(f64, f64)]) -> Trail {
        let place = PlaceFact::new(format!("osm:w{id}"), Kind::Street, name);
        let spots = points.iter().map(|&(lat, lon)| spot(lat, lon)).collect();
        Trail { place, rank: (0, id), spots }
    }

    fn spot(lat: f64, lon: f64) -> Spot {
        Spot { lat: (lat * 1e7).round() as i32, lon: (lon * 1e7).round() as i32 }
    }
}
