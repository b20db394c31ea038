//! Areas: the outlines of relations, put together from their ways.

use std::collections::HashMap;

use gazetteer::PlaceFact;
use geo::algorithm::bounding_rect::BoundingRect;
use geo::algorithm::contains::Contains;
use geo::{LineString, MultiPolygon, Point};
use rstar::primitives::{GeomWithData, Rectangle};
use rstar::{AABB, RTree};

use crate::osm::meaning::Address;
use crate::osm::pbf::{Relation, Sort};
use crate::osm::spot::Nodes;
use crate::outline::nested;

/// A relation of interest.
pub(crate) struct Area {
    pub(crate) id: i64,
    /// What it is, if it is a place.
    pub(crate) place: Option<PlaceFact>,
    pub(crate) address: Option<Address>,
    /// True for boundaries, whose outline is kept beside the place.
    pub(crate) is_boundary: bool,
    pub(crate) outer: Vec<i64>,
    pub(crate) inner: Vec<i64>,
}

impl Area {
    /// Takes over the ways around the area and around the holes in it.
    pub(crate) fn take_members(&mut self, relation: &Relation<'_>) {
        for member in relation.members.iter().filter(|member| member.sort == Sort::Way) {
            match member.role {
                "outer" | "" | "exclave" => self.outer.push(member.id),
                "inner" | "enclave" => self.inner.push(member.id),
                _ => {}
            }
        }
        for ways in [&mut self.outer, &mut self.inner] {
            ways.sort_unstable();
            ways.dedup();
        }
    }

    /// The outline, or why there is none.
    pub(crate) fn outline(
        &self,
        ways: &HashMap<i64, Vec<i64>>,
        nodes: &Nodes,
    ) -> Result<MultiPolygon<f64>, String> {
        let drawn = |members: &[i64]| -> Result<Vec<LineString<f64>>, String> {
            rings(members, ways)?.iter().map(|ring| drawn(ring, nodes)).collect()
        };
        let outer = drawn(&self.outer)?;
        if outer.is_empty() {
            return Err("it has no outline".to_owned());
        }
        Ok(nested(outer, drawn(&self.inner)?))
    }
}

fn drawn(ring: &[i64], nodes: &Nodes) -> Result<LineString<f64>, String> {
    let missing = |id: i64| format!("node {id} of its outline is not in the file");
    ring.iter().map(|&id| Ok(nodes.get(id).ok_or_else(|| missing(id))?.coord())).collect()
}

/// Joins ways end to end to closed rings of nodes.
fn rings(members: &[i64], ways: &HashMap<i64, Vec<i64>>) -> Result<Vec<Vec<i64>>, String> {
    let mut lines = Vec::new();
    for id in members {
        let nodes = ways.get(id).filter(|nodes| nodes.len() > 1);
        lines.push(nodes.ok_or_else(|| format!("way {id} of its outline is not in the file"))?);
    }
    let mut at_end: HashMap<i64, Vec<usize>> = HashMap::new();
    for (number, line) in lines.iter().enumerate() {
        for end in [line[0], line[line.len() - 1]] {
            at_end.entry(end).or_default().push(number);
        }
    }
    let mut used = vec![false; lines.len()];
    let mut rings = Vec::new();
    for start in 0..lines.len() {
        if used[start] {
            continue;
        }
        used[start] = true;
        let mut ring = lines[start].clone();
        close(&mut ring, &lines, &mut at_end, &mut used)?;
        if ring.len() > 3 {
            rings.push(ring);
        }
    }
    Ok(rings)
}

/// Goes on from the end of a ring over unused lines until it is back at its start.
///
/// If at every node an even number of lines end, the walk cannot end anywhere else.
fn close(
    ring: &mut Vec<i64>,
    lines: &[&Vec<i64>],
    at_end: &mut HashMap<i64, Vec<usize>>,
    used: &mut [bool],
) -> Result<(), String> {
    while ring.first() != ring.last() {
        let end = ring.last().copied().unwrap_or_default();
        let on = loop {
            match at_end.get_mut(&end).and_then(Vec::pop) {
                Some(line) if used[line] => {}
                Some(line) => break line,
                None => return Err(format!("its outline does not close at node {end}")),
            }
        };
        used[on] = true;
        if lines[on][0] == end {
            ring.extend(&lines[on][1..]);
        } else {
            ring.extend(lines[on].iter().rev().skip(1));
        }
    }
    Ok(())
}

/// The municipalities of a file: streets of one name in two of them are two streets.
#[derive(Default)]
pub(crate) struct Towns {
    boxes: Vec<GeomWithData<Rectangle<[f64; 2]>, usize>>,
    tree: RTree<GeomWithData<Rectangle<[f64; 2]>, usize>>,
    outlines: Vec<MultiPolygon<f64>>,
}

impl Towns {
    /// Takes up a municipality.
    pub(crate) fn add(&mut self, outline: &MultiPolygon<f64>) {
        let Some(bounds) = outline.bounding_rect() else { return };
        let [min, max] = [bounds.min(), bounds.max()];
        let rectangle = Rectangle::from_corners([min.x, min.y], [max.x, max.y]);
        self.boxes.push(GeomWithData::new(rectangle, self.outlines.len()));
        self.outlines.push(outline.clone());
    }

    /// Ends the taking up.
    pub(crate) fn close(&mut self) {
        self.tree = RTree::bulk_load(std::mem::take(&mut self.boxes));
    }

    /// The number of the municipality at a spot, the smallest of several.
    pub(crate) fn at(&self, spot: crate::osm::spot::Spot) -> Option<usize> {
        let at = spot.coord();
        let near = self.tree.locate_in_envelope_intersecting(AABB::from_point([at.x, at.y]));
        let around = near.filter(|found| self.outlines[found.data].contains(&Point::from(at)));
        let area = |found: &GeomWithData<Rectangle<[f64; 2]>, usize>| {
            let ([west, south], [east, north]) = (found.geom().lower(), found.geom().upper());
            (east - west) * (north - south)
        };
        around.min_by(|a, b| area(a).total_cmp(&area(b))).map(|found| found.data)
    }
}

#[cfg(test)]
mod tests {
    use geo::algorithm::area::Area as _;

    use super::*;
    use crate::osm::spot::Spot;

    #[test]
    fn ways_in_any_order_and_direction_make_a_ring() {
        let ways = [(1, vec![1, 2, 3]), (2, vec![1, 4]), (3, vec![4, 3])];
        check(&ways, &[1, 2, 3], &[], Ok(100.0));
    }

    #[test]
    fn two_closed_ways_are_a_ring_and_its_hole() {
        let ways = [(1, vec![1, 2, 3, 4, 1]), (2, vec![5, 6, 7, 8, 5])];
        check(&ways, &[1], &[2], Ok(99.0));
    }

    #[test]
    fn two_rings_may_touch_in_a_node() {
        let ways = [(1, vec![1, 2, 3]), (2, vec![3, 4, 1]), (3, vec![3, 9, 10]), (4, vec![10, 3])];
        check(&ways, &[1, 2, 3, 4], &[], Ok(150.0));
    }

    #[test]
    fn an_open_outline_is_told_with_its_end() {
        let ways = [(1, vec![1, 2, 3]), (2, vec![3, 4])];
        check(&ways, &[1, 2], &[], Err("its outline does not close at node 4"));
        check(&ways, &[1, 2, 7], &[], Err("way 7 of its outline is not in the file"));
        check(
            &[(1, vec![1, 2, 99, 1])],
            &[1],
            &[],
            Err("node 99 of its outline is not in the file"),
        );
        check(&[], &[], &[], Err("it has no outline"));
    }

    #[test]
    fn a_spot_is_in_the_smallest_town_around_it() {
        let square = |from: f64, to: f64| {
            let ring = vec![(from, from), (to, from), (to, to), (from, to), (from, from)];
            MultiPolygon(vec![geo::Polygon::new(ring.into(), Vec::new())])
        };
        let mut towns = Towns::default();
        towns.add(&square(0.0, 10.0));
        towns.add(&square(1.0, 2.0));
        towns.close();
        let at =
            |degrees: i32| towns.at(Spot { lat: degrees * 5_000_000, lon: degrees * 5_000_000 });
        assert_eq!([at(3), at(6), at(60)], [Some(1), Some(0), None]);
    }

    #[track_caller]
    fn check(ways: &[(i64, Vec<i64>)], outer: &[i64], inner: &[i64], expected: Result<f64, &str>) {
        let points = [
            (1, 0, 0),
            (2, 0, 10),
            (3, 10, 10),
            (4, 10, 0),
            (5, 4, 4),
            (6, 4, 5),
            (7, 5, 5),
            (8, 5, 4),
        ];
        let corners = [(9, 20, 10), (10, 10, 20)];
        let mut nodes = Nodes::default();
        points.iter().chain(&corners).for_each(|&(id, _, _)| nodes.want(id));
        nodes.close();
        for &(id, lat, lon) in points.iter().chain(&corners) {
            nodes.put(id, Spot { lat: lat * 10_000_000, lon: lon * 10_000_000 });
        }
        let area = Area {
            id: 1,
            place: None,
            address: None,
            is_boundary: true,
            outer: outer.to_vec(),
            inner: inner.to_vec(),
        };
        let outline = area.outline(&ways.iter().cloned().collect(), &nodes);
        let found = outline.map(|outline| outline.unsigned_area());
        assert_eq!(found, expected.map_err(str::to_owned));
    }
}
