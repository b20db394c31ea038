//! Extracts of OpenStreetMap in the PBF format: streets, houses, places and boundaries.
//!
//! An extract is read four times: for the relations, for the ways, for the positions of their nodes,
//! and for what stands at nodes and ways by itself. So no more is held than the streets, the ways of
//! boundaries, and the positions of the nodes on ways of interest.

mod area;
#[cfg(test)]
mod extract;
mod house;
mod meaning;
mod pbf;
mod spot;
mod street;

use std::collections::{HashMap, HashSet};
use std::path::Path;

use gazetteer::{Fact, Kind, PlaceFact, ShapeFact};
use geo::{Area as _, Centroid, Contains, InteriorPoint, LineString, MultiPolygon, Polygon};

use crate::dateline::cut_at_dateline;
use crate::lines::Pass;
use crate::osm::area::{Area, Towns};
use crate::osm::house::{Bearer, Houses, Interpolation, Numbered};
use crate::osm::meaning::Address;
use crate::osm::pbf::{Node, Relation, Sort, Visit, Way, each_element};
use crate::osm::spot::{Nodes, Spot, mean};
use crate::osm::street::{Streets, Trail};
use crate::sink::{ImportError, Sink};
use crate::source;

/// Reads an extract of OpenStreetMap (`.osm.pbf`).
///
/// Keys are the element's sort and id: `osm:n25038093`, `osm:w4`, `osm:r34914`; of a street, those of
/// its first way. A boundary that is cut off at the edge of the extract is a bad record.
pub fn osm(path: &Path, sink: &mut Sink<'_>) -> Result<(), ImportError> {
    let pass = |number| Pass { number, of: 4 };
    let mut relations = Relations::default();
    each_element(pass(0), path, sink, &mut relations)?;
    sink.fact(source::OPENSTREETMAP.of(path));

    let mut ways = Ways::around(&relations.areas);
    each_element(pass(1), path, sink, &mut ways)?;
    ways.nodes.close();

    let mut positions =
        Positions { nodes: ways.nodes, numbered: ways.numbered, trails: Vec::new() };
    each_element(pass(2), path, sink, &mut positions)?;
    let Positions { nodes, numbered, mut trails } = positions;
    trails.extend(ways.streets.into_iter().map(|street| street.trail(&nodes)));

    let mut drawn = Drawn { trails, ..Drawn::default() };
    let file = path.display().to_string();
    for area in relations.areas {
        drawn.put(&file, area, &ways.members, &nodes, sink)?;
    }
    drawn.towns.close();
    let streets =
        Streets::join(drawn.trails, &drawn.towns, &mut |street| sink.fact(Fact::Place(street)));

    let mut places = Places { nodes: &nodes, houses: Houses::new(streets) };
    each_element(pass(3), path, sink, &mut places)?;
    let mut houses = places.houses;
    for (bearer, address, spot) in drawn.addresses {
        houses.put(bearer, &address, spot, sink);
    }
    for line in ways.interpolations {
        for (address, spot) in line.houses(&nodes, &numbered) {
            houses.put(Bearer(Sort::Way, line.way), &address, spot, sink);
        }
    }
    houses.put_postcodes(&drawn.postcodes, sink);
    Ok(())
}

impl Sort {
    /// The letter that stands for the sort in keys.
    fn letter(self) -> char {
        match self {
            Self::Node => 'n',
            Self::Way => 'w',
            Self::Relation => 'r',
        }
    }
}

fn key(sort: Sort, id: i64) -> String {
    format!("osm:{}{id}", sort.letter())
}

/// The first reading: relations that are areas.
#[derive(Default)]
struct Relations {
    areas: Vec<Area>,
}

impl Visit for Relations {
    /// The first reading looks at everything, so that what is torn is told.
    fn wants(&self, _: Sort) -> bool {
        true
    }

    fn relation(&mut self, relation: &Relation<'_>, sink: &mut Sink<'_>) {
        let tags = &relation.tags;
        let key = || key(Sort::Relation, relation.id);
        let boundary = meaning::boundary(key(), tags);
        let is_boundary = boundary.is_some();
        let place = boundary
            .or_else(|| meaning::street(key(), tags))
            .or_else(|| meaning::place(key(), tags));
        let address = meaning::address(tags);
        let is_area = matches!(tags.get("type"), Some("boundary" | "multipolygon"));
        if !is_area || (place.is_none() && address.is_none()) {
            sink.pass();
            return;
        }
        let (outer, inner) = (Vec::new(), Vec::new());
        let mut area = Area { id: relation.id, place, address, is_boundary, outer, inner };
        area.take_members(relation);
        self.areas.push(area);
    }
}

/// The second reading: the ways of areas and streets, and which nodes are of interest.
struct Ways {
    /// The nodes of ways that areas are made of.
    members: HashMap<i64, Vec<i64>>,
    streets: Vec<StreetWay>,
    interpolations: Vec<Interpolation>,
    /// The nodes along interpolations, whose addresses the third reading finds.
    numbered: Numbered,
    nodes: Nodes,
}

/// A way of a street before the positions of its nodes are known.
struct StreetWay {
    id: i64,
    place: PlaceFact,
    nodes: Vec<i64>,
}

impl StreetWay {
    fn trail(self, nodes: &Nodes) -> Trail {
        Trail { place: self.place, rank: (0, self.id), spots: nodes.spots(&self.nodes) }
    }
}

impl Ways {
    fn around(areas: &[Area]) -> Self {
        let members = areas.iter().flat_map(|area| area.outer.iter().chain(&area.inner));
        Self {
            members: members.map(|&id| (id, Vec::new())).collect(),
            streets: Vec::new(),
            interpolations: Vec::new(),
            numbered: HashMap::new(),
            nodes: Nodes::default(),
        }
    }
}

impl Visit for Ways {
    fn wants(&self, sort: Sort) -> bool {
        sort == Sort::Way
    }

    fn way(&mut self, way: &Way<'_>, _: &mut Sink<'_>) {
        let mut wanted = meaning::is_place(&way.tags) || meaning::address(&way.tags).is_some();
        if let Some(member) = self.members.get_mut(&way.id) {
            member.clone_from(&way.nodes);
            wanted = true;
        }
        if let Some(place) = meaning::street(key(Sort::Way, way.id), &way.tags) {
            self.streets.push(StreetWay { id: way.id, place, nodes: way.nodes.clone() });
            wanted = true;
        }
        if let Some(line) = Interpolation::of(way.id, &way.nodes, &way.tags) {
            self.numbered.extend(line.nodes.iter().map(|&id| (id, None)));
            self.interpolations.push(line);
            wanted = true;
        }
        if wanted {
            way.nodes.iter().for_each(|&id| self.nodes.want(id));
        }
    }
}

/// The third reading: where the nodes of interest are.
struct Positions {
    nodes: Nodes,
    numbered: Numbered,
    /// Squares that are drawn as a node.
    trails: Vec<Trail>,
}

impl Visit for Positions {
    fn wants(&self, sort: Sort) -> bool {
        sort == Sort::Node
    }

    fn node(&mut self, node: &Node<'_>, _: &mut Sink<'_>) {
        let Some(spot) = node.spot else { return };
        self.nodes.put(node.id, spot);
        if node.tags.is_empty() {
            return;
        }
        if let Some(numbered) = self.numbered.get_mut(&node.id) {
            *numbered = meaning::numbered(&node.tags);
        }
        if let Some(place) = meaning::square(key(Sort::Node, node.id), &node.tags) {
            self.trails.push(Trail { place, rank: (2, node.id), spots: vec![spot] });
        }
    }
}

/// What comes of the areas.
#[derive(Default)]
struct Drawn {
    trails: Vec<Trail>,
    towns: Towns,
    addresses: Vec<(Bearer, Address, Spot)>,
    /// The postcodes that have an outline.
    postcodes: HashSet<String>,
}

impl Drawn {
    /// Hands over the place of an area, with its outline if it is a boundary.
    fn put(
        &mut self,
        file: &str,
        area: Area,
        ways: &HashMap<i64, Vec<i64>>,
        nodes: &Nodes,
        sink: &mut Sink<'_>,
    ) -> Result<(), ImportError> {
        let outline = match area.outline(ways, nodes) {
            Ok(outline) => cut_at_dateline(outline),
            Err(reason) => {
                let name = area.place.as_ref().map_or("", |place| place.name.as_str());
                let reason = format!("relation {} \"{name}\": {reason}", area.id);
                return sink.bad(file, area.id.unsigned_abs(), reason);
            }
        };
        let Some(spot) = middle(&outline) else { return Ok(()) };
        let bearer = Bearer(Sort::Relation, area.id);
        self.addresses.extend(area.address.map(|address| (bearer, address, spot)));
        match area.place {
            Some(place) if place.kind == Kind::Street => {
                let spots = outline.iter().flat_map(|polygon| polygon.exterior().0.clone());
                let spots = spots.filter_map(|at| spot_of(at.y, at.x)).collect();
                self.trails.push(Trail { place, rank: (1, area.id), spots });
            }
            Some(mut place) if area.is_boundary => {
                place.point = Some(spot.point());
                self.put_boundary(place, outline, sink);
            }
            Some(mut place) => {
                place.point = Some(spot.point());
                put_place(place, Some(outline), sink);
            }
            None => {}
        }
        Ok(())
    }

    fn put_boundary(&mut self, place: PlaceFact, outline: MultiPolygon<f64>, sink: &mut Sink<'_>) {
        match place.kind {
            Kind::Municipality => self.towns.add(&outline),
            Kind::Postcode => drop(self.postcodes.insert(place.name.clone())),
            _ => {}
        }
        let key = place.key.clone();
        sink.fact(Fact::Place(place));
        sink.fact(Fact::Shape(ShapeFact { place: key, outline }));
    }
}

/// The fourth reading: what stands at nodes and ways by itself.
struct Places<'n> {
    nodes: &'n Nodes,
    houses: Houses,
}

impl Visit for Places<'_> {
    fn wants(&self, sort: Sort) -> bool {
        sort != Sort::Relation
    }

    fn node(&mut self, node: &Node<'_>, sink: &mut Sink<'_>) {
        let Some(spot) = node.spot.filter(|_| !node.tags.is_empty()) else { return };
        let address = meaning::address(&node.tags);
        if let Some(address) = &address {
            self.houses.put(Bearer(Sort::Node, node.id), address, spot, sink);
        }
        match meaning::place(key(Sort::Node, node.id), &node.tags) {
            Some(mut place) => {
                place.point = Some(spot.point());
                sink.fact(Fact::Place(place));
            }
            None if address.is_none() => sink.pass(),
            None => {}
        }
    }

    fn way(&mut self, way: &Way<'_>, sink: &mut Sink<'_>) {
        if meaning::is_street(&way.tags) {
            return;
        }
        let address = meaning::address(&way.tags);
        let place = meaning::place(key(Sort::Way, way.id), &way.tags);
        if address.is_none() && place.is_none() {
            sink.pass();
            return;
        }
        let outline = outline(way, self.nodes);
        let spot =
            outline.as_ref().and_then(middle).or_else(|| mean(&self.nodes.spots(&way.nodes)));
        let Some(spot) = spot else { return };
        if let Some(address) = &address {
            self.houses.put(Bearer(Sort::Way, way.id), address, spot, sink);
        }
        if let Some(mut place) = place {
            place.point = Some(spot.point());
            put_place(place, outline, sink);
        }
    }
}

/// Hands over a place; of cities and their parts the outline too.
fn put_place(place: PlaceFact, outline: Option<MultiPolygon<f64>>, sink: &mut Sink<'_>) {
    let outlined = matches!(place.kind, Kind::City | Kind::District);
    let key = place.key.clone();
    sink.fact(Fact::Place(place));
    if let Some(outline) = outline.filter(|_| outlined) {
        sink.fact(Fact::Shape(ShapeFact { place: key, outline }));
    }
}

/// The area of a way that ends where it began, cut at the date line.
fn outline(way: &Way<'_>, nodes: &Nodes) -> Option<MultiPolygon<f64>> {
    let closed = way.nodes.len() > 3 && way.nodes.first() == way.nodes.last();
    let spots = if closed { nodes.spots(&way.nodes) } else { Vec::new() };
    if spots.len() != way.nodes.len() || spots.is_empty() {
        return None;
    }
    let ring: LineString<f64> = spots.into_iter().map(Spot::coord).collect();
    Some(cut_at_dateline(MultiPolygon(vec![Polygon::new(ring, Vec::new())])))
}

/// The middle of the largest polygon; if that lies outside, a point surely inside.
fn middle(outline: &MultiPolygon<f64>) -> Option<Spot> {
    let largest = outline.iter().max_by(|a, b| a.unsigned_area().total_cmp(&b.unsigned_area()))?;
    let middle = largest.centroid().filter(|middle| largest.contains(middle));
    let inside = middle.or_else(|| largest.interior_point())?;
    spot_of(inside.y(), inside.x())
}

fn spot_of(lat: f64, lon: f64) -> Option<Spot> {
    Spot::from_nano((lat * 1e9).round() as i64, (lon * 1e9).round() as i64)
}

#[cfg(test)]
mod tests {
    use earth::Point;
    use gazetteer::NameClass;
    use proptest::prelude::*;

    use super::*;
    use crate::osm::extract::Extract;
    use crate::trial::{Trial, check_thanks, with_file};

    #[test]
    fn the_contributors_are_thanked_first() {
        check_thanks("OpenStreetMap contributors", "town.osm.pbf", &import(&town()));
    }

    #[test]
    fn a_street_of_two_ways_has_the_houses_beside_it() {
        let trial = import(&town());
        let street = trial.place("osm:w10");
        assert_eq!((street.kind, street.name.as_str()), (Kind::Street, "Unioninkatu"));
        assert!(street.names.iter().any(|name| name.text == "Unionsgatan"));
        check_houses(&trial, "osm:w10", &["1", "3", "5", "7", "9", "11"]);
    }

    #[test]
    fn a_house_drawn_as_a_building_is_in_its_middle() {
        let trial = import(&town());
        let house = trial.houses().into_iter().find(|house| house.number == "1").unwrap();
        assert_eq!((house.point, house.postcode.as_str()), (Point::new(60.1705, 24.9505), "00170"));
    }

    #[test]
    fn a_shop_with_an_address_is_a_place_and_a_house() {
        let trial = import(&town());
        let shop = trial.place("osm:n21");
        assert_eq!((shop.kind, shop.tag("shop")), (Kind::Poi, Some("bakery")));
        assert_eq!((shop.tag("street"), shop.tag("housenumber")), (Some("Unionsgatan"), Some("3")));
    }

    #[test]
    fn a_boundary_is_a_place_with_an_outline() {
        let trial = import(&town());
        let city = trial.place("osm:r90");
        assert_eq!(
            (city.kind, city.name.as_str(), city.population),
            (Kind::Municipality, "Helsinki", 658_000)
        );
        let shape = trial.shapes()[0];
        assert_eq!(shape.place, "osm:r90");
        assert!((shape.outline.unsigned_area() - 0.01 * 0.01).abs() < 1e-12);
    }

    #[test]
    fn a_boundary_cut_off_at_the_edge_is_a_bad_record() {
        let cut = town().relation(
            91,
            &[(Sort::Way, 30, "outer"), (Sort::Way, 99, "outer")],
            &[
                ("type", "boundary"),
                ("boundary", "administrative"),
                ("admin_level", "2"),
                ("name", "Suomi"),
            ],
        );
        let trial = import(&cut);
        assert_eq!(
            trial.reason(),
            "relation 91 \"Suomi\": way 99 of its outline is not in the file"
        );
        assert_eq!(trial.report.bad, 1);
    }

    #[test]
    fn the_point_of_an_area_over_the_date_line_lies_in_its_larger_part() {
        let extract = Extract::default()
            .node(1, -17.0, 177.0, &[])
            .node(2, -17.0, -179.0, &[])
            .node(3, -16.0, -179.0, &[])
            .node(4, -16.0, 177.0, &[])
            .way(5, &[1, 2, 3, 4, 1], &[("place", "town"), ("name", "Taveuni")])
            .relation(
                6,
                &[(Sort::Way, 5, "outer")],
                &[
                    ("type", "boundary"),
                    ("boundary", "administrative"),
                    ("admin_level", "4"),
                    ("name", "Cakaudrove"),
                ],
            );
        let trial = import(&extract);
        for key in ["osm:w5", "osm:r6"] {
            assert_eq!(trial.place(key).point, Some(Point::new(-16.5, 178.5)), "{key}");
        }
    }

    #[test]
    fn the_point_of_a_horseshoe_lies_in_it() {
        let corners = [(0, 0), (0, 9), (9, 9), (9, 8), (1, 8), (1, 1), (9, 1), (9, 0), (0, 0)];
        let ring: LineString<f64> =
            corners.iter().map(|&(y, x)| (f64::from(x), f64::from(y))).collect();
        let horseshoe = MultiPolygon(vec![Polygon::new(ring, Vec::new())]);
        assert!(!horseshoe.contains(&horseshoe.centroid().unwrap()));
        assert!(horseshoe.contains(&middle(&horseshoe).unwrap().coord()));
    }

    #[test]
    fn streets_of_one_name_in_two_municipalities_are_two() {
        let street = [("highway", "service"), ("name", "Unioninkatu")];
        let extract = town().node(61, 60.1761, 24.9620, &[]).way(60, &[3, 61], &street);
        assert_eq!(import(&extract).place("osm:w60").kind, Kind::Street);
    }

    #[test]
    fn the_postcodes_of_houses_are_places() {
        let trial = import(&town());
        assert_eq!(trial.place("osm:zip:00170:w20").kind, Kind::Postcode);
    }

    #[test]
    fn an_airport_and_a_suburb_keep_their_kinds() {
        let trial = import(&town());
        let airport = trial.place("osm:n50");
        assert_eq!(airport.kind, Kind::Airport);
        assert!(airport.names.iter().any(|n| n.text == "HEM" && n.class == NameClass::Short));
        assert_eq!(trial.place("osm:n51").kind, Kind::District);
    }

    #[test]
    fn addresses_far_from_any_street_of_that_name_are_passed() {
        let tags = [("addr:street", "Torikatu"), ("addr:housenumber", "1")];
        let trial = import(&Extract::default().node(1, 60.0, 24.0, &tags));
        assert_eq!((trial.report.kept, trial.report.passed), (0, 1));
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(256))]
        #[test]
        fn any_ring_has_a_middle_or_none(
            corners in prop::collection::vec((-9_i8..9, -9_i8..9), 0..12),
        ) {
            let ring: LineString<f64> =
                corners.iter().map(|&(x, y)| (f64::from(x), f64::from(y))).collect();
            let _ = middle(&MultiPolygon(vec![Polygon::new(ring, Vec::new())]));
        }

        #[test]
        fn any_change_to_an_extract_is_survived(
            changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..12),
        ) {
            let mut bytes = town().raw_bytes();
            for (at, byte) in changes {
                let at = at.index(bytes.len());
                bytes[at] = byte;
            }
            let _ = with_file("any.osm.pbf", &bytes, osm);
        }
    }

    /// A street of two ways, three houses, numbers between two more, and a boundary around it all.
    fn town() -> Extract {
        let street =
            [("highway", "residential"), ("name", "Unioninkatu"), ("name:sv", "Unionsgatan")];
        let house = [
            ("building", "yes"),
            ("addr:street", "Unioninkatu"),
            ("addr:housenumber", "1"),
            ("addr:postcode", "00170"),
        ];
        let shop = [
            ("shop", "bakery"),
            ("name", "Kanniston"),
            ("addr:street", "Unionsgatan"),
            ("addr:housenumber", "3"),
        ];
        let boundary = [
            ("type", "boundary"),
            ("boundary", "administrative"),
            ("admin_level", "8"),
            ("name", "Helsinki"),
            ("population", "658 000"),
        ];
        Extract::default()
            .node(1, 60.1702, 24.9510, &[])
            .node(2, 60.1720, 24.9510, &[])
            .node(3, 60.1760, 24.9510, &[])
            .way(12, &[1, 2], &street)
            .way(10, &[2, 3], &street[..2])
            .node(4, 60.1704, 24.9504, &[])
            .node(5, 60.1704, 24.9506, &[])
            .node(6, 60.1706, 24.9506, &[])
            .node(7, 60.1706, 24.9504, &[])
            .way(20, &[4, 5, 6, 7, 4], &house)
            .node(21, 60.1725, 24.9508, &shop)
            .node(
                22,
                60.1730,
                24.9508,
                &[("addr:housenumber", "5"), ("addr:street", "Unioninkatu")],
            )
            .node(23, 60.1750, 24.9508, &[("addr:housenumber", "11")])
            .way(25, &[22, 23], &[("addr:interpolation", "odd"), ("addr:street", "Unioninkatu")])
            .way(
                26,
                &[23, 22, 21],
                &[("building", "yes"), ("addr:street", "Unioninkatu"), ("addr:housenumber", "11")],
            )
            .node(31, 60.17, 24.95, &[])
            .node(32, 60.18, 24.95, &[])
            .node(33, 60.18, 24.96, &[])
            .node(34, 60.17, 24.96, &[])
            .way(30, &[31, 32, 33], &[])
            .way(35, &[31, 34, 33], &[])
            .relation(90, &[(Sort::Way, 30, "outer"), (Sort::Way, 35, "outer")], &boundary)
            .node(50, 60.25, 25.04, &[("aeroway", "aerodrome"), ("name", "Malmi"), ("iata", "HEM")])
            .node(51, 60.17, 24.95, &[("place", "suburb"), ("name", "Kruununhaka")])
    }

    #[track_caller]
    fn check_houses(trial: &Trial, street: &str, expected: &[&str]) {
        let of_street = trial.houses().into_iter().filter(|house| house.street == street);
        let mut numbers: Vec<u32> = of_street.map(|house| house.number.parse().unwrap()).collect();
        numbers.sort_unstable();
        assert_eq!(numbers.iter().map(u32::to_string).collect::<Vec<_>>(), expected);
    }

    fn import(extract: &Extract) -> Trial {
        let trial = with_file("town.osm.pbf", &extract.bytes(), osm);
        assert!(trial.result.is_ok());
        trial
    }
}
