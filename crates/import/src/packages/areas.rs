//! Which of many outlines a point lies in.

use std::collections::HashMap;

use earth::Point;
use geo::{Coord, MultiPolygon};

/// Rows of edges and cells of rows are this many to the degree.
const ROWS: f64 = 10.0;

/// Many outlines, ready to be asked which of them holds a point.
#[derive(Debug, Default)]
pub(super) struct Areas {
    /// For each row of latitude and each outline the edges that pass through it.
    rows: HashMap<i32, Vec<Row>>,
}

#[derive(Debug)]
struct Row {
    outline: usize,
    west: f64,
    east: f64,
    edges: Vec<[Coord<f64>; 2]>,
}

impl Areas {
    /// The outlines under their numbers.
    pub(super) fn new<'a>(
        outlines: impl IntoIterator<Item = (usize, &'a MultiPolygon<f64>)>,
    ) -> Self {
        let mut areas = Self::default();
        for (number, outline) in outlines {
            // Polygons of one outline do not overlap, so they may share a row.
            for polygon in outline {
                areas.add(number, polygon.exterior().0.windows(2));
                polygon.interiors().iter().for_each(|ring| areas.add(number, ring.0.windows(2)));
            }
        }
        areas
    }

    fn add<'a>(&mut self, outline: usize, edges: impl Iterator<Item = &'a [Coord<f64>]>) {
        for pair in edges {
            let (a, b) = (pair[0], pair[1]);
            for y in row(a.y.min(b.y))..=row(a.y.max(b.y)) {
                let rows = self.rows.entry(y).or_default();
                if rows.last().is_none_or(|last| last.outline != outline) {
                    rows.push(Row { outline, west: a.x, east: a.x, edges: Vec::new() });
                }
                if let Some(last) = rows.last_mut() {
                    last.west = last.west.min(a.x).min(b.x);
                    last.east = last.east.max(a.x).max(b.x);
                    last.edges.push([a, b]);
                }
            }
        }
    }

    /// The first outline that holds the point.
    pub(super) fn at(&self, point: Point) -> Option<usize> {
        let rows = self.rows.get(&row(point.lat))?;
        rows.iter().find(|row| row.holds(point)).map(|row| row.outline)
    }
}

impl Row {
    /// Even-odd rule: a ray to the east crosses the border an odd number of times.
    fn holds(&self, point: Point) -> bool {
        let (x, y) = (point.lon, point.lat);
        let crosses = |&[a, b]: &[Coord<f64>; 2]| {
            (a.y > y) != (b.y > y) && x < (b.x - a.x) * (y - a.y) / (b.y - a.y) + a.x
        };
        (self.west..=self.east).contains(&x)
            && self.edges.iter().filter(|&edge| crosses(edge)).count() % 2 == 1
    }
}

fn row(lat: f64) -> i32 {
    (lat * ROWS).floor() as i32
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::packages::topology::tests::square;

    #[test]
    fn a_point_is_found_in_its_square() {
        let squares = [square(0.0, 0.0, 1.0), square(1.0, 0.0, 1.0)];
        let areas = Areas::new(squares.iter().enumerate());
        assert_eq!(areas.at(Point::new(0.55, 0.5)), Some(0));
        assert_eq!(areas.at(Point::new(0.55, 1.5)), Some(1));
        assert_eq!(areas.at(Point::new(0.55, 2.5)), None);
        assert_eq!(areas.at(Point::new(1.5, 0.5)), None);
    }
}
