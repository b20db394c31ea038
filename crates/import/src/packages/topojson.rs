//! Outlines in TopoJSON, the form of us-atlas and world-atlas.

use std::collections::BTreeMap;

use geo::{Coord, LineString, MultiPolygon, Polygon};
use serde::Deserialize;

/// Coordinates are rounded to this many steps in a degree, so that equal vertices stay equal.
const STEPS: f64 = 1e5;

/// A TopoJSON file.
#[derive(Deserialize)]
pub(super) struct TopoJson {
    transform: Transform,
    objects: BTreeMap<String, Collection>,
    arcs: Vec<Vec<[f64; 2]>>,
}

#[derive(Deserialize)]
struct Transform {
    scale: [f64; 2],
    translate: [f64; 2],
}

#[derive(Deserialize)]
struct Collection {
    geometries: Vec<Geometry>,
}

#[derive(Deserialize)]
struct Geometry {
    #[serde(default)]
    id: Option<String>,
    #[serde(flatten)]
    shape: Shape,
}

/// Rings as lists of arc numbers; the number n, negated and less one, is arc n backwards.
#[derive(Deserialize)]
#[serde(tag = "type", content = "arcs")]
enum Shape {
    Polygon(Vec<Vec<i64>>),
    MultiPolygon(Vec<Vec<Vec<i64>>>),
}

impl TopoJson {
    /// The outlines of an object by their ids; those without an id are left out.
    pub(super) fn outlines(&self, object: &str) -> BTreeMap<String, MultiPolygon<f64>> {
        let arcs: Vec<Vec<Coord<f64>>> = self.arcs.iter().map(|arc| self.decode(arc)).collect();
        let geometries = self.objects.get(object).map_or(&[][..], |found| &found.geometries);
        geometries
            .iter()
            .filter_map(|geometry| Some((geometry.id.clone()?, geometry.shape.outline(&arcs))))
            .collect()
    }

    /// Vertices are written as differences in whole steps of the file's own.
    fn decode(&self, arc: &[[f64; 2]]) -> Vec<Coord<f64>> {
        let (scale, translate) = (self.transform.scale, self.transform.translate);
        let round = |degrees: f64| (degrees * STEPS).round() / STEPS;
        let mut sum = [0.0, 0.0];
        let place = |step: &[f64; 2]| {
            sum = [sum[0] + step[0], sum[1] + step[1]];
            let [x, y] = [0, 1].map(|n| round(sum[n] * scale[n] + translate[n]));
            Coord { x, y }
        };
        arc.iter().map(place).collect()
    }
}

impl Shape {
    fn outline(&self, arcs: &[Vec<Coord<f64>>]) -> MultiPolygon<f64> {
        let polygons = match self {
            Self::Polygon(rings) => std::slice::from_ref(rings),
            Self::MultiPolygon(polygons) => polygons,
        };
        MultiPolygon::new(polygons.iter().filter_map(|rings| polygon(arcs, rings)).collect())
    }
}

/// A polygon of rings that still have an area: rounding has left some with two vertices.
fn polygon(arcs: &[Vec<Coord<f64>>], rings: &[Vec<i64>]) -> Option<Polygon<f64>> {
    let mut rings = rings.iter().map(|ring| line(arcs, ring));
    let wide = |ring: &LineString<f64>| ring.0.len() > 3;
    let outer = rings.next().filter(wide)?;
    Some(Polygon::new(outer, rings.filter(wide).collect()))
}

fn line(arcs: &[Vec<Coord<f64>>], ring: &[i64]) -> LineString<f64> {
    let mut coords: Vec<Coord<f64>> = Vec::new();
    for &number in ring {
        let forward = number >= 0;
        let index = if forward { number } else { -number - 1 };
        let Some(arc) = usize::try_from(index).ok().and_then(|index| arcs.get(index)) else {
            continue;
        };
        coords.pop();
        if forward {
            coords.extend(arc);
        } else {
            coords.extend(arc.iter().rev());
        }
    }
    LineString::new(coords)
}

#[cfg(test)]
mod tests {
    use geo::Area;

    use super::*;

    #[test]
    fn two_counties_share_an_arc_in_both_directions() {
        let json = r#"{"type": "Topology",
            "transform": {"scale": [0.5, 0.5], "translate": [-100, 40]},
            "arcs": [[[2, 0], [0, 2]], [[2, 2], [-2, 0], [0, -2], [2, 0]],
                [[2, 0], [2, 0], [0, 2], [-2, 0]]],
            "objects": {"counties": {"type": "GeometryCollection", "geometries": [
                {"type": "Polygon", "id": "01001", "arcs": [[0, 1]], "properties": {"name": "West"}},
                {"type": "MultiPolygon", "id": "01003", "arcs": [[[2, -1]]]}]}}}"#;
        let outlines = serde_json::from_str::<TopoJson>(json).unwrap().outlines("counties");
        assert_eq!(outlines.len(), 2);
        assert_eq!(outlines["01001"].0[0].exterior().0.len(), 5);
        for outline in outlines.values() {
            assert!((outline.unsigned_area() - 1.0).abs() < 1e-9);
        }
    }
}
