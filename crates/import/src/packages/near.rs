//! Points found again by where they are.

use std::collections::HashMap;

use earth::Point;

/// Kilometres in a degree of latitude.
const KM_PER_DEGREE: f64 = 111.2;

/// Points in cells of a tenth of a degree, each with its number.
#[derive(Debug, Default)]
pub(super) struct Near {
    cells: HashMap<(i32, i32), Vec<(u32, Point)>>,
}

impl Near {
    /// The points in cells, numbered in their order.
    pub(super) fn new(points: impl IntoIterator<Item = Point>) -> Self {
        let mut near = Self::default();
        for (number, point) in points.into_iter().enumerate() {
            near.insert(number, point);
        }
        near
    }

    /// Adds a point under a number.
    pub(super) fn insert(&mut self, number: usize, point: Point) {
        self.cells.entry(cell(point)).or_default().push((number as u32, point));
    }

    /// Numbers and kilometres of the points within this distance, the nearest first.
    ///
    /// The date line is a wall: what lies just beyond is not found.
    pub(super) fn within(&self, km: f64, middle: Point) -> Vec<(usize, f64)> {
        let high = km / KM_PER_DEGREE;
        let wide = high / middle.lat.to_radians().cos().max(0.05);
        let (south, west) = cell(Point::new(middle.lat - high, middle.lon - wide));
        let (north, east) = cell(Point::new(middle.lat + high, middle.lon + wide));
        let cells = (south..=north).flat_map(|y| (west..=east).map(move |x| (y, x)));
        let mut found: Vec<(usize, f64)> = cells
            .filter_map(|cell| self.cells.get(&cell))
            .flatten()
            .map(|&(number, point)| (number as usize, middle.distance(point).km()))
            .filter(|&(_, distance)| distance <= km)
            .collect();
        found.sort_by(|a, b| a.1.total_cmp(&b.1).then(a.0.cmp(&b.0)));
        found
    }
}

fn cell(point: Point) -> (i32, i32) {
    ((point.lat * 10.0).floor() as i32, (point.lon * 10.0).floor() as i32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_comes_first_and_the_far_not_at_all() {
        let points = [(60.0, 25.0), (60.0, 25.4), (60.01, 25.0), (61.0, 25.0)];
        let near = Near::new(points.map(|(lat, lon)| Point::new(lat, lon)));
        let found: Vec<_> = near.within(30.0, points_middle()).into_iter().map(|f| f.0).collect();
        assert_eq!(found, [2, 0, 1]);
    }

    fn points_middle() -> Point {
        Point::new(60.02, 25.0)
    }
}
