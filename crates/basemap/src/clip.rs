//! Lines and rings cut at the edges of a rectangle.

use crate::mercator::{Frame, Spot};

/// What of a ring lies in the frame, as one ring; empty if nothing does.
///
/// After Sutherland and Hodgman: where the ring leaves the frame and comes back, it now runs along the
/// frame's edge, forth and back if need be. Every position inside the frame is in the ring after as before.
pub(crate) fn ring(frame: Frame, ring: &[Spot]) -> Vec<Spot> {
    let Some(around) = Frame::around(ring) else { return Vec::new() };
    if !frame.meets(around) {
        return Vec::new();
    }
    let mut left = ring.to_vec();
    for edge in Edge::of(frame) {
        if edge.keeps(around.low) && edge.keeps(around.high) {
            continue;
        }
        left = edge.cut_ring(&left);
    }
    left
}

/// The pieces of a line that lie in the frame.
pub(crate) fn line(frame: Frame, line: &[Spot]) -> Vec<Vec<Spot>> {
    let Some(around) = Frame::around(line) else { return Vec::new() };
    if !frame.meets(around) {
        return Vec::new();
    }
    let mut left = vec![line.to_vec()];
    for edge in Edge::of(frame) {
        if edge.keeps(around.low) && edge.keeps(around.high) {
            continue;
        }
        left = left.iter().flat_map(|piece| edge.cut_line(piece)).collect();
    }
    left
}

/// One edge of a frame; it keeps what lies on its inner side.
#[derive(Clone, Copy)]
struct Edge {
    axis: usize,
    at: f64,
    is_low: bool,
}

impl Edge {
    fn of(frame: Frame) -> [Self; 4] {
        let low = |axis: usize| Self { axis, at: frame.low[axis], is_low: true };
        let high = |axis: usize| Self { axis, at: frame.high[axis], is_low: false };
        [low(0), high(0), low(1), high(1)]
    }

    fn keeps(self, spot: Spot) -> bool {
        if self.is_low { spot[self.axis] >= self.at } else { spot[self.axis] <= self.at }
    }

    /// Where the way between two positions on both sides meets the edge.
    fn crossing(self, from: Spot, to: Spot) -> Spot {
        let share = (self.at - from[self.axis]) / (to[self.axis] - from[self.axis]);
        let other = 1 - self.axis;
        let mut spot = [self.at; 2];
        spot[other] = from[other] + share * (to[other] - from[other]);
        spot
    }

    fn cut_ring(self, ring: &[Spot]) -> Vec<Spot> {
        let Some(mut last) = ring.last().copied() else { return Vec::new() };
        let mut left = Vec::with_capacity(ring.len());
        for &next in ring {
            if self.keeps(last) != self.keeps(next) {
                left.push(self.crossing(last, next));
            }
            if self.keeps(next) {
                left.push(next);
            }
            last = next;
        }
        left
    }

    fn cut_line(self, line: &[Spot]) -> Vec<Vec<Spot>> {
        let mut pieces = Vec::new();
        let mut piece: Vec<Spot> = Vec::new();
        for (number, &next) in line.iter().enumerate() {
            let last = line[number.saturating_sub(1)];
            if self.keeps(last) != self.keeps(next) {
                piece.push(self.crossing(last, next));
            }
            if self.keeps(next) {
                piece.push(next);
            } else if !piece.is_empty() {
                pieces.push(std::mem::take(&mut piece));
            }
        }
        pieces.push(piece);
        pieces.retain(|piece| piece.len() > 1);
        pieces
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use proptest::prelude::*;

    use super::*;

    const FRAME: Frame = Frame { low: [0.25, 0.25], high: [0.75, 0.75] };

    #[test]
    fn a_ring_around_the_frame_becomes_the_frame() {
        let left = ring(FRAME, &[[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]]);
        assert_eq!(left.len(), 4);
        assert_eq!(Frame::around(&left), Some(FRAME));
    }

    #[test]
    fn a_line_that_comes_back_becomes_two() {
        check_line(&[[0.0, 0.5], [0.5, 0.5], [0.5, 0.9], [0.6, 0.9], [0.6, 0.5]], 2);
        check_line(&[[0.0, 0.5], [1.0, 0.5]], 1);
        check_line(&[[0.0, 0.1], [1.0, 0.1]], 0);
        check_line(&[], 0);
    }

    proptest! {
        #[test]
        fn what_is_in_the_ring_is_in_what_is_left_of_it(
            corners in prop::collection::vec([0.0..1.0, 0.0..1.0], 3..12),
            tried in prop::collection::vec([0.25..0.75, 0.25..0.75], 40),
        ) {
            let left = ring(FRAME, &corners);
            prop_assert!(left.iter().all(|&spot| FRAME.contains(spot)));
            for spot in tried {
                prop_assert_eq!(is_within(&corners, spot), is_within(&left, spot));
            }
        }

        #[test]
        fn every_part_of_a_line_within_the_frame_is_kept(
            corners in prop::collection::vec([0.0..1.0, 0.0..1.0], 2..12),
        ) {
            let length = |line: &[Spot]| -> f64 { line.windows(2).map(distance).sum() };
            // The slow twin walks the line in small steps and counts those that are inside.
            let walked: f64 = corners
                .windows(2)
                .map(|pair| {
                    let steps = 2000;
                    let inside = (0..steps).filter(|step| {
                        let share = (f64::from(*step) + 0.5) / f64::from(steps);
                        let at = |axis: usize| {
                            pair[0][axis] + share * (pair[1][axis] - pair[0][axis])
                        };
                        FRAME.contains([at(0), at(1)])
                    });
                    inside.count() as f64 / f64::from(steps) * distance(pair)
                })
                .sum();
            let kept: f64 = line(FRAME, &corners).iter().map(|piece| length(piece)).sum();
            prop_assert!((kept - walked).abs() < 0.002 * corners.len() as f64, "{kept} {walked}");
        }
    }

    fn distance(pair: &[Spot]) -> f64 {
        (pair[0][0] - pair[1][0]).hypot(pair[0][1] - pair[1][1])
    }

    /// Whether a ray to the right crosses the ring an odd number of times.
    fn is_within(ring: &[Spot], [x, y]: Spot) -> bool {
        let mut is_within = false;
        for (number, &[ax, ay]) in ring.iter().enumerate() {
            let [bx, by] = ring[(number + 1) % ring.len()];
            if (ay > y) != (by > y) && x < (bx - ax) * (y - ay) / (by - ay) + ax {
                is_within = !is_within;
            }
        }
        is_within
    }

    #[track_caller]
    fn check_line(corners: &[Spot], pieces: usize) {
        let left = line(FRAME, corners);
        assert_eq!(left.len(), pieces, "{left:?}");
        assert!(left.iter().flatten().all(|&spot| FRAME.contains(spot)));
    }
}
