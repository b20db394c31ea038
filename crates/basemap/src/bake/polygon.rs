//! Which ring is a hole of which.

use super::Item;
use crate::mercator::{Frame, Spot};
use crate::outline::Outline;

/// An item of which nothing is known but its outline.
pub(super) fn plain(outline: Outline) -> Item {
    Item { outline, rank: 0, tags: Vec::new() }
}

/// The polygons that rings make, each an outer ring and its holes; rings do not repeat their end.
///
/// Which is which is told by what lies in what, not by the way round they go: data does not keep to the rule.
pub(super) fn nested(rings: impl IntoIterator<Item = Vec<Spot>>) -> Vec<Item> {
    let rings: Vec<Ring> = rings.into_iter().filter_map(Ring::new).collect();
    let holders = |inner: usize| -> Vec<usize> {
        let others = (0..rings.len()).filter(|&it| it != inner);
        others.filter(|&outer| rings[outer].holds(&rings[inner])).collect()
    };
    let holders: Vec<Vec<usize>> = (0..rings.len()).map(holders).collect();
    let is_hole_of = |inner: usize, outer: usize| {
        holders[inner].len() == holders[outer].len() + 1 && holders[inner].contains(&outer)
    };
    let outers = (0..rings.len()).filter(|&it| holders[it].len().is_multiple_of(2));
    let polygon = |outer: usize| {
        let holes = (0..rings.len()).filter(|&inner| is_hole_of(inner, outer));
        let numbers = [outer].into_iter().chain(holes);
        plain(Outline::Polygon(numbers.map(|number| rings[number].spots.clone()).collect()))
    };
    outers.map(polygon).collect()
}

/// A ring and the frame around it.
pub(super) struct Ring {
    spots: Vec<Spot>,
    frame: Frame,
}

impl Ring {
    /// None if there are too few corners for an area.
    pub(super) fn new(spots: Vec<Spot>) -> Option<Self> {
        let frame = Frame::around(&spots).filter(|_| spots.len() > 2)?;
        Some(Self { spots, frame })
    }

    /// Whether the other ring lies in it; rings do not cross each other.
    pub(super) fn holds(&self, other: &Self) -> bool {
        self.frame.contains(other.frame.low)
            && self.frame.contains(other.frame.high)
            && is_within(&self.spots, other.spots[0])
    }
}

/// Whether a ray to the right crosses the ring an odd number of times.
fn is_within(ring: &[Spot], [x, y]: Spot) -> bool {
    let edges = ring.iter().zip(ring.iter().cycle().skip(1));
    let crossed = edges.filter(|(a, b)| {
        (a[1] > y) != (b[1] > y) && x < (b[0] - a[0]) * (y - a[1]) / (b[1] - a[1]) + a[0]
    });
    crossed.count() % 2 == 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ring_knows_what_is_in_it() {
        let ring = |from: f64, to: f64| Ring::new(square(from, to)).unwrap();
        assert!(ring(0.0, 1.0).holds(&ring(0.2, 0.5)));
        assert!(!ring(0.2, 0.5).holds(&ring(0.0, 1.0)));
        assert!(!ring(0.0, 1.0).holds(&ring(0.5, 1.5)));
    }

    #[test]
    fn a_lake_on_an_island_in_a_lake_is_a_polygon_of_its_own() {
        check(&[(0.0, 1.0)], &[1]);
        check(&[(0.0, 1.0), (0.1, 0.9)], &[2]);
        check(&[(0.3, 0.6), (0.1, 0.9), (0.0, 1.0)], &[1, 2]);
        check(&[(0.0, 0.2), (0.3, 0.6)], &[1, 1]);
    }

    #[track_caller]
    fn check(squares: &[(f64, f64)], expected: &[usize]) {
        let items = nested(squares.iter().map(|&(from, to)| square(from, to)));
        let rings = items.iter().map(|item| match &item.outline {
            Outline::Polygon(rings) => rings.len(),
            _ => 0,
        });
        assert_eq!(rings.collect::<Vec<_>>(), expected);
    }

    fn square(from: f64, to: f64) -> Vec<Spot> {
        vec![[from, from], [to, from], [to, to], [from, to]]
    }
}
