//! Which points are nearest: a tree that is nothing but an order of the points.
//!
//! The middle of a range parts it, by turns along the three axes of space; so the tree lies in the file as
//! a plain list and costs nothing to open. In space there is neither a date line nor a pole.

use std::collections::BinaryHeap;

use earth::{Meters, Point};

/// A position as a point of the unit sphere.
type Space = [f64; 3];

/// Puts the members in the order of the tree.
pub(crate) fn arrange(members: &mut [u32], point_of: impl Fn(u32) -> Point) {
    let mut placed: Vec<_> = members.iter().map(|&it| (space(point_of(it)), it)).collect();
    arrange_range(&mut placed, 0);
    for (slot, (_, member)) in members.iter_mut().zip(placed) {
        *slot = member;
    }
}

fn arrange_range(range: &mut [(Space, u32)], axis: usize) {
    if range.len() < 2 {
        return;
    }
    let middle = range.len() / 2;
    range
        .select_nth_unstable_by(middle, |a, b| a.0[axis].total_cmp(&b.0[axis]).then(a.1.cmp(&b.1)));
    let (left, right) = range.split_at_mut(middle);
    arrange_range(left, (axis + 1) % 3);
    arrange_range(&mut right[1..], (axis + 1) % 3);
}

/// A tree to be asked: how many members, which one, and where it is.
pub(crate) struct Tree<M, P> {
    pub(crate) len: usize,
    pub(crate) member: M,
    pub(crate) point_of: P,
}

struct Asked {
    from: Space,
    most: usize,
    /// The square of the longest chord that still counts.
    reach: f64,
    found: BinaryHeap<Found>,
}

#[derive(PartialEq)]
struct Found {
    chord: f64,
    member: u32,
}

impl Eq for Found {}

impl PartialOrd for Found {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Found {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.chord.total_cmp(&other.chord).then(self.member.cmp(&other.member))
    }
}

impl<M: Fn(usize) -> u32, P: Fn(u32) -> Point> Tree<M, P> {
    /// The nearest members that are wanted, nearest first; ties go to the smaller number.
    pub(crate) fn nearest(
        &self,
        from: Point,
        most: usize,
        reach: Meters,
        wanted: impl Fn(u32) -> bool,
    ) -> Vec<(u32, Meters)> {
        let reach = (reach.0 / 2.0 / 6_371_008.8).min(std::f64::consts::FRAC_PI_2).sin() * 2.0;
        // A hair more, so that rounding loses nothing at the very edge.
        let reach = reach * reach * (1.0 + 1e-9);
        let mut asked = Asked { from: space(from), most, reach, found: BinaryHeap::new() };
        if most > 0 {
            self.visit(0, self.len, 0, &mut asked, &wanted);
        }
        let sorted = asked.found.into_sorted_vec().into_iter();
        sorted.map(|it| (it.member, from.distance((self.point_of)(it.member)))).collect()
    }

    fn visit(
        &self,
        start: usize,
        end: usize,
        axis: usize,
        asked: &mut Asked,
        wanted: &impl Fn(u32) -> bool,
    ) {
        if start >= end {
            return;
        }
        let middle = start + (end - start) / 2;
        let member = (self.member)(middle);
        let at = space((self.point_of)(member));
        asked.offer(member, at, wanted);

        let aside = asked.from[axis] - at[axis];
        let next = (axis + 1) % 3;
        let (near, far) = if aside < 0.0 {
            ((start, middle), (middle + 1, end))
        } else {
            ((middle + 1, end), (start, middle))
        };
        self.visit(near.0, near.1, next, asked, wanted);
        if aside * aside <= asked.reach {
            self.visit(far.0, far.1, next, asked, wanted);
        }
    }
}

impl Asked {
    fn offer(&mut self, member: u32, at: Space, wanted: &impl Fn(u32) -> bool) {
        let chord = (0..3).map(|axis| (self.from[axis] - at[axis]).powi(2)).sum();
        if chord > self.reach || !wanted(member) {
            return;
        }
        self.found.push(Found { chord, member });
        if self.found.len() > self.most {
            self.found.pop();
        }
        if self.found.len() == self.most {
            self.reach = self.found.peek().map_or(self.reach, |worst| worst.chord);
        }
    }
}

fn space(point: Point) -> Space {
    let (lat, lon) = (point.lat.to_radians(), point.lon.to_radians());
    [lat.cos() * lon.cos(), lat.cos() * lon.sin(), lat.sin()]
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn anywhere() -> impl Strategy<Value = Point> {
        (-90.0..=90.0, -180.0..=180.0).prop_map(|(lat, lon)| Point::new(lat, lon))
    }

    proptest! {
        #[test]
        fn the_nearest_are_those_of_a_linear_scan(
            points in prop::collection::vec(anywhere(), 0..200),
            from in anywhere(),
            most in 0_usize..6,
            reach in 0.0..2e7,
        ) {
            let mut order: Vec<u32> = (0..points.len() as u32).collect();
            arrange(&mut order, |it| points[it as usize]);
            let tree = Tree { len: order.len(), member: |at| order[at], point_of: |it| points[it as usize] };
            let even = |it: u32| it.is_multiple_of(2);
            let found: Vec<_> = tree.nearest(from, most, Meters(reach), even).into_iter().map(|it| it.1.0).collect();

            let mut slow: Vec<_> = (0..points.len() as u32)
                .filter(|&it| even(it))
                .map(|it| from.distance(points[it as usize]).0)
                .filter(|&distance| distance <= reach)
                .collect();
            slow.sort_by(f64::total_cmp);
            slow.truncate(most);
            prop_assert_eq!(found.len(), slow.len());
            for (fast, slow) in found.iter().zip(&slow) {
                prop_assert!((fast - slow).abs() < 0.5, "{} is not {}", fast, slow);
            }
        }
    }
}
