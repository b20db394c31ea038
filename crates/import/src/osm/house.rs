//! Houses: addresses found their streets for, and those between two numbers.

use std::collections::{BTreeMap, HashMap, HashSet};

use gazetteer::{Fact, HouseFact, Kind, PlaceFact};
use xxhash_rust::xxh3::xxh3_64;

use crate::osm::meaning::Address;
use crate::osm::pbf::{Sort, Tags};
use crate::osm::spot::{Nodes, Spot};
use crate::osm::street::Streets;
use crate::sink::Sink;

/// The longest text taken for a house number: `12b-14c` is one, the story of a house is none.
const LONGEST: usize = 24;

/// The longest of several numbers: `120-124`, and no `5th floor`.
const LONGEST_OF_SEVERAL: usize = 7;

/// The most houses between two numbers; what is more is a slip of the pen.
const MOST_BETWEEN: u32 = 500;

/// The most houses along one line, however many numbered nodes it has: a line follows one side of a block.
const MOST_ALONG: usize = 500;

/// An element that has an address.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Bearer(pub(crate) Sort, pub(crate) i64);

/// Hands over houses, each number of a street once.
pub(crate) struct Houses {
    streets: Streets,
    known: HashSet<(u32, u64)>,
    postcodes: BTreeMap<String, Gathering>,
}

/// The houses of a postcode, gathered to find its middle.
struct Gathering {
    first: Bearer,
    lat: i64,
    lon: i64,
    houses: i64,
}

impl Houses {
    pub(crate) fn new(streets: Streets) -> Self {
        Self { streets, known: HashSet::new(), postcodes: BTreeMap::new() }
    }

    /// Hands over the house or houses of an address, if its street is near.
    pub(crate) fn put(
        &mut self,
        bearer: Bearer,
        address: &Address,
        spot: Spot,
        sink: &mut Sink<'_>,
    ) {
        let Some(street) = self.streets.nearest(&address.street, spot) else {
            sink.pass();
            return;
        };
        self.gather(bearer, &address.postcode, spot);
        for number in numbers(&address.number) {
            if self.known.insert((street, xxh3_64(number.to_lowercase().as_bytes()))) {
                sink.fact(Fact::House(HouseFact {
                    street: self.streets.key(street).to_owned(),
                    number: number.to_owned(),
                    point: spot.point(),
                    postcode: address.postcode.clone(),
                }));
            }
        }
    }

    fn gather(&mut self, bearer: Bearer, postcode: &str, spot: Spot) {
        if postcode.is_empty() || postcode.len() > LONGEST {
            return;
        }
        let none = Gathering { first: bearer, lat: 0, lon: 0, houses: 0 };
        let gathering = self.postcodes.entry(postcode.to_owned()).or_insert(none);
        gathering.first = gathering.first.min(bearer);
        gathering.lat += i64::from(spot.lat);
        gathering.lon += i64::from(spot.lon);
        gathering.houses += 1;
    }

    /// Hands over the postcodes of the houses, but those with an outline of their own.
    ///
    /// The same code may occur in other countries: the key names the first element that bears it.
    pub(crate) fn put_postcodes(self, outlined: &HashSet<String>, sink: &mut Sink<'_>) {
        for (code, gathering) in self.postcodes {
            if outlined.contains(&code) {
                continue;
            }
            let Bearer(sort, id) = gathering.first;
            let key = format!("osm:zip:{code}:{}{id}", sort.letter());
            let [lat, lon] =
                [gathering.lat, gathering.lon].map(|sum| (sum / gathering.houses) as i32);
            let mut place = PlaceFact::new(key, Kind::Postcode, code);
            place.point = Some(Spot { lat, lon }.point());
            sink.fact(Fact::Place(place));
        }
    }
}

/// The numbers of an address: `5`, `12b`, or several as `5;7`.
///
/// After a comma people also write the floor: of several, only what looks like a number is one.
fn numbers(text: &str) -> impl Iterator<Item = &str> {
    let several = text.contains([';', ',']);
    let is_number = move |number: &&str| {
        if several {
            number.len() <= LONGEST_OF_SEVERAL && number.starts_with(|c: char| c.is_ascii_digit())
        } else {
            number.len() <= LONGEST && number.contains(char::is_alphanumeric)
        }
    };
    text.split([';', ',']).map(str::trim).filter(is_number)
}

/// A line along which house numbers run between those of its nodes.
pub(crate) struct Interpolation {
    pub(crate) way: i64,
    pub(crate) nodes: Vec<i64>,
    /// From one number to the next.
    step: u32,
    /// The street, if the line names it and its nodes do not.
    street: Option<String>,
}

/// The numbered nodes of all such lines.
pub(crate) type Numbered = HashMap<i64, Option<Address>>;

impl Interpolation {
    /// The line a way with these tags is; none for letters (`12a` to `12f`).
    pub(crate) fn of(way: i64, nodes: &[i64], tags: &Tags<'_>) -> Option<Self> {
        let step = match tags.get("addr:interpolation")? {
            "odd" | "even" => 2,
            "all" => 1,
            number => number.parse().ok().filter(|step| (1..=MOST_BETWEEN).contains(step))?,
        };
        let street = tags.get("addr:street").map(str::to_owned);
        Some(Self { way, nodes: nodes.to_vec(), step, street })
    }

    /// The houses between the numbered nodes, up to [`MOST_ALONG`].
    pub(crate) fn houses(&self, nodes: &Nodes, numbered: &Numbered) -> Vec<(Address, Spot)> {
        let has_number = |id: &i64| numbered.get(id).is_some_and(Option::is_some);
        let ends: Vec<usize> =
            (0..self.nodes.len()).filter(|&at| has_number(&self.nodes[at])).collect();
        let mut houses = Vec::new();
        for pair in ends.windows(2) {
            if houses.len() >= MOST_ALONG {
                break;
            }
            let line = &self.nodes[pair[0]..=pair[1]];
            let address = |at: usize| numbered.get(&self.nodes[at])?.as_ref();
            if let (Some(from), Some(to)) = (address(pair[0]), address(pair[1])) {
                houses.extend(self.between(from, to, &nodes.spots(line)));
            }
        }
        houses.truncate(MOST_ALONG);
        houses
    }

    fn between(&self, from: &Address, to: &Address, line: &[Spot]) -> Vec<(Address, Spot)> {
        let (Ok(first), Ok(last)) = (from.number.parse::<u32>(), to.number.parse::<u32>()) else {
            return Vec::new();
        };
        let (low, high) = (first.min(last), first.max(last));
        let steps = (high - low) / self.step;
        if steps > MOST_BETWEEN || (high - low) % self.step != 0 {
            return Vec::new();
        }
        let known = [&from.street, &to.street].into_iter().chain(&self.street);
        let Some(street) = known.into_iter().find(|street| !street.is_empty()) else {
            return Vec::new();
        };
        let house = |step: u32| {
            let part = f64::from(step) / f64::from(steps);
            let number =
                if first < last { low + step * self.step } else { high - step * self.step };
            let (street, postcode) = (street.clone(), from.postcode.clone());
            Some((Address { street, number: number.to_string(), postcode }, along(line, part)?))
        };
        (1..steps).filter_map(house).collect()
    }
}

/// The spot this part of the way along a line.
fn along(line: &[Spot], part: f64) -> Option<Spot> {
    let length: f64 = line.windows(2).map(|pair| pair[0].distance(pair[1])).sum();
    let mut left = length * part;
    for pair in line.windows(2) {
        let piece = pair[0].distance(pair[1]);
        if left <= piece && piece > 0.0 {
            return Some(pair[0].toward(pair[1], left / piece));
        }
        left -= piece;
    }
    line.last().copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_may_have_several_numbers() {
        let found: Vec<_> = numbers("5;7, 9 b;;-, 5. krs./Floor 5").collect();
        assert_eq!(found, ["5", "7", "9 b"]);
        assert_eq!(numbers("Haus 3").collect::<Vec<_>>(), ["Haus 3"]);
    }

    #[test]
    fn even_numbers_run_between_the_ends() {
        check("even", "2", "8", &[("4", 0.01), ("6", 0.02)]);
    }

    #[test]
    fn numbers_may_run_down() {
        check("all", "3", "1", &[("2", 0.015)]);
    }

    #[test]
    fn ends_that_do_not_fit_the_step_give_nothing() {
        check("even", "2", "9", &[]);
        check("all", "1", "1000000", &[]);
        check("all", "1a", "5", &[]);
        check("all", "7", "7", &[]);
    }

    #[test]
    fn letters_are_not_understood() {
        assert!(
            Interpolation::of(1, &[1, 2], &Tags(vec![("addr:interpolation", "alphabetic")]))
                .is_none()
        );
        assert!(Interpolation::of(1, &[1, 2], &Tags(vec![("addr:interpolation", "0")])).is_none());
    }

    #[test]
    fn a_line_to_and_fro_gives_no_more_houses_than_one_may_have() {
        assert_eq!(along_nodes(&[1, 3].repeat(1000), "all", "1", "500").len(), MOST_ALONG);
    }

    fn along_nodes(line: &[i64], step: &str, from: &str, to: &str) -> Vec<(Address, Spot)> {
        let mut nodes = Nodes::default();
        let at = [(1, 0), (2, 100_000), (3, 300_000)];
        for (id, _) in at {
            nodes.want(id);
        }
        nodes.close();
        for (id, lon) in at {
            nodes.put(id, Spot { lat: 0, lon });
        }
        let address = |number: &str| {
            Some(Address { street: "A".into(), number: number.into(), postcode: String::new() })
        };
        let numbered = [(1, address(from)), (2, None), (3, address(to))].into();
        let tags = Tags(vec![("addr:interpolation", step)]);
        Interpolation::of(1, line, &tags).unwrap().houses(&nodes, &numbered)
    }

    #[track_caller]
    fn check(step: &str, from: &str, to: &str, expected: &[(&str, f64)]) {
        let houses = along_nodes(&[1, 2, 3], step, from, to);
        let found: Vec<_> =
            houses.iter().map(|(a, s)| (a.number.as_str(), s.point().lon)).collect();
        let close = |(a, b): (&(&str, f64), &(&str, f64))| a.0 == b.0 && (a.1 - b.1).abs() < 1e-6;
        assert!(
            found.len() == expected.len() && found.iter().zip(expected).all(close),
            "{found:?}"
        );
    }
}
