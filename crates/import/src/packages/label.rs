//! The point at which a place is shown: inside its outline, near the middle.

use earth::Point;
use geo::{Area, Centroid, Contains, InteriorPoint, MultiPolygon};

/// The middle of the largest part; if that lies outside, a point surely inside.
pub(super) fn label(outline: &MultiPolygon<f64>) -> Option<Point> {
    let largest = outline.iter().max_by(|a, b| a.unsigned_area().total_cmp(&b.unsigned_area()))?;
    let middle = largest.centroid().filter(|middle| largest.contains(middle));
    let inside = middle.or_else(|| largest.interior_point())?;
    // Five decimals, as all coordinates of the gazetteer's sources.
    let round = |degrees: f64| (degrees * 1e5).round() / 1e5;
    Some(Point::new(round(inside.y()), round(inside.x())))
}

#[cfg(test)]
mod tests {
    use geo::polygon;

    use super::*;

    #[test]
    fn the_middle_of_a_square_is_its_label() {
        let square = polygon![
            (x: 0.0, y: 0.0), (x: 2.0, y: 0.0), (x: 2.0, y: 2.0), (x: 0.0, y: 2.0),
        ];
        assert_eq!(label(&square.into()), Some(Point::new(1.0, 1.0)));
    }

    #[test]
    fn the_label_of_a_horseshoe_lies_in_it() {
        let horseshoe: MultiPolygon<f64> = polygon![
            (x: 0.0, y: 0.0), (x: 9.0, y: 0.0), (x: 9.0, y: 9.0), (x: 8.0, y: 9.0),
            (x: 8.0, y: 1.0), (x: 1.0, y: 1.0), (x: 1.0, y: 9.0), (x: 0.0, y: 9.0),
        ]
        .into();
        let point = label(&horseshoe).unwrap();
        assert!(horseshoe.contains(&geo::Point::new(point.lon, point.lat)));
    }
}
