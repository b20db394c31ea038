//! Lines with fewer corners that look the same.

use crate::mercator::Spot;

/// The line without the corners that lie within the tolerance of what is left (Douglas and Peucker).
///
/// Both ends stay.
pub(crate) fn line(tolerance: f64, line: &[Spot]) -> Vec<Spot> {
    let mut keeps = vec![false; line.len()];
    let Some(last) = line.len().checked_sub(1) else { return Vec::new() };
    (keeps[0], keeps[last]) = (true, true);
    // A list of what is still to do instead of calls: a coast has a hundred thousand corners.
    let mut open = vec![(0, last)];
    while let Some((from, to)) = open.pop() {
        let inner = from + 1..to;
        let farthest = inner
            .map(|number| (number, distance(line[from], line[to], line[number])))
            .max_by(|a, b| a.1.total_cmp(&b.1));
        if let Some((number, far)) = farthest
            && far > tolerance
        {
            keeps[number] = true;
            open.extend([(from, number), (number, to)]);
        }
    }
    line.iter().zip(keeps).filter_map(|(&spot, keep)| keep.then_some(spot)).collect()
}

/// The same for a ring whose end is not repeated; empty if nothing of it is wider than the tolerance.
pub(crate) fn ring(tolerance: f64, ring: &[Spot]) -> Vec<Spot> {
    let Some(&first) = ring.first() else { return Vec::new() };
    let far = |spot: &Spot| (spot[0] - first[0]).hypot(spot[1] - first[1]);
    let opposite = (0..ring.len()).max_by(|&a, &b| far(&ring[a]).total_cmp(&far(&ring[b])));
    let opposite = opposite.unwrap_or(0);
    let back: Vec<Spot> = ring[opposite..].iter().chain([&first]).copied().collect();
    let mut left = line(tolerance, &ring[..=opposite]);
    left.pop();
    left.extend(line(tolerance, &back));
    left.pop();
    if left.len() < 3 { Vec::new() } else { left }
}

/// How far a position lies from the way between two others.
fn distance(from: Spot, to: Spot, spot: Spot) -> f64 {
    let way = [to[0] - from[0], to[1] - from[1]];
    let there = [spot[0] - from[0], spot[1] - from[1]];
    let length = way[0] * way[0] + way[1] * way[1];
    let share = if length > 0.0 { (way[0] * there[0] + way[1] * there[1]) / length } else { 0.0 };
    let share = share.clamp(0.0, 1.0);
    (there[0] - share * way[0]).hypot(there[1] - share * way[1])
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn corners_on_the_way_go() {
        check(&[[0.0, 0.0], [0.5, 0.001], [1.0, 0.0]], &[[0.0, 0.0], [1.0, 0.0]]);
        check(&[[0.0, 0.0], [0.5, 0.5], [1.0, 0.0]], &[[0.0, 0.0], [0.5, 0.5], [1.0, 0.0]]);
        check(&[], &[]);
        check(&[[0.2, 0.2]], &[[0.2, 0.2]]);
    }

    #[test]
    fn a_ring_too_small_to_be_seen_is_gone() {
        assert!(ring(0.01, &[[0.0, 0.0], [0.005, 0.0], [0.005, 0.005]]).is_empty());
        assert_eq!(ring(0.01, &[[0.0, 0.0], [0.5, 0.0], [1.0, 0.0], [1.0, 1.0]]).len(), 3);
    }

    proptest! {
        #[test]
        fn no_corner_is_farther_away_than_the_tolerance(
            corners in prop::collection::vec([0.0..1.0, 0.0..1.0], 1..60), tolerance in 0.0..0.3,
        ) {
            let left = line(tolerance, &corners);
            for corner in corners {
                let near = left.windows(2).any(|it| distance(it[0], it[1], corner) <= tolerance);
                prop_assert!(near || left.len() < 2);
            }
        }
    }

    #[track_caller]
    fn check(corners: &[Spot], expected: &[Spot]) {
        assert_eq!(line(0.01, corners), expected);
    }
}
