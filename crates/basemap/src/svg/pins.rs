//! Where pins stand so that each can be read.

use std::f64::consts::TAU;

use super::view::View;
use crate::drawing::Pin;
use crate::mercator::Spot;

/// How large a pin is: two digits fit in.
pub(super) const RADIUS: f64 = 9.0;

/// How near the middles of two pins may come.
const DISTANCE: f64 = 15.0;

/// A page has ten results, perhaps fifty; a hundred pins hide the map.
const MOST: usize = 100;

/// A pin that has found its place.
pub(super) struct Stuck<'p> {
    pub(super) pin: &'p Pin,
    /// Where it points to.
    pub(super) tip: Spot,
    /// Where its number is written: there, or as near as other pins let it.
    pub(super) head: Spot,
}

/// The pins that lie in the picture. Where several meet they move aside, the first the least.
pub(super) fn stick<'p>(view: &View, pins: &'p [Pin]) -> Vec<Stuck<'p>> {
    let mut stuck: Vec<Stuck<'p>> = Vec::new();
    for pin in pins {
        let tip = view.pixel_of(pin.point);
        let is_finite = tip.iter().all(|it| it.is_finite());
        if !is_finite || !view.pixels(0.0).contains(tip) || stuck.len() >= MOST {
            continue;
        }
        let inner = view.pixels(-RADIUS - 1.0);
        // Pins at the edge would be cut off.
        let tip_inside = [0, 1].map(|axis| {
            tip[axis]
                .clamp(inner.low[axis].min(inner.high[axis]), inner.high[axis].max(inner.low[axis]))
        });
        let is_free = |head: &Spot| {
            stuck
                .iter()
                .all(|other| (other.head[0] - head[0]).hypot(other.head[1] - head[1]) >= DISTANCE)
        };
        let free = around(tip_inside).find(|head| inner.contains(*head) && is_free(head));
        stuck.push(Stuck { pin, tip, head: free.unwrap_or(tip_inside) });
    }
    stuck
}

/// The position itself, then more and more around it.
fn around([x, y]: Spot) -> impl Iterator<Item = Spot> {
    let rings = (1..6_u32).flat_map(|ring| (0..6 * ring).map(move |part| (ring, part)));
    let moved = rings.map(move |(ring, part)| {
        let angle = TAU * f64::from(part) / f64::from(6 * ring);
        let radius = DISTANCE * 1.05 * f64::from(ring);
        [x + radius * angle.cos(), y - radius * angle.sin()]
    });
    std::iter::once([x, y]).chain(moved)
}

#[cfg(test)]
mod tests {
    use earth::{Bounds, Point};

    use super::*;

    #[test]
    fn pins_at_one_place_stand_side_by_side() {
        let heads = check(&[(60.17, 24.94); 12], 12);
        for (number, head) in heads.iter().enumerate() {
            let apart = |it: &Spot| (it[0] - head[0]).hypot(it[1] - head[1]) >= DISTANCE;
            assert!(heads[..number].iter().all(apart));
        }
    }

    #[test]
    fn a_pin_outside_of_the_picture_is_left_out() {
        check(&[(60.17, 24.94), (10.0, 24.94), (f64::NAN, 24.94)], 1);
    }

    #[track_caller]
    fn check(points: &[(f64, f64)], expected: usize) -> Vec<Spot> {
        let view = View::of(Bounds::new(59.0, 22.0, 61.0, 27.0), 640, 400);
        let pin = |(number, &(lat, lon)): (usize, &(f64, f64))| Pin {
            number: number + 1,
            point: Point::new(lat, lon),
            label: String::new(),
        };
        let pins: Vec<Pin> = points.iter().enumerate().map(pin).collect();
        let stuck = stick(&view, &pins);
        assert_eq!(stuck.len(), expected);
        stuck.iter().map(|it| it.head).collect()
    }
}
