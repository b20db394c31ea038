//! Web Mercator: the globe as a square of side one, cut into tiles.

use std::f64::consts::PI;

use earth::Point;

/// A position on the square: x from west to east, y from north to south, both 0 to 1 between the edges.
pub(crate) type Spot = [f64; 2];

/// Mercator's poles are infinitely far away. A tenth of a degree before them a map ends at the latest.
const LAST_LATITUDE: f64 = 89.9;

/// The position of a point on the square; beyond 85.05 degrees it lies above or below it.
pub(crate) fn spot(point: Point) -> Spot {
    let lat = point.lat.clamp(-LAST_LATITUDE, LAST_LATITUDE).to_radians();
    let y = 0.5 - lat.tan().asinh() / (2.0 * PI);
    [(point.lon + 180.0) / 360.0, y]
}

/// The point at this position; x may run on beyond the edges.
pub(crate) fn point([x, y]: Spot) -> Point {
    let lat = ((0.5 - y) * 2.0 * PI).sinh().atan().to_degrees();
    Point::new(lat, (x.rem_euclid(1.0)) * 360.0 - 180.0)
}

/// One tile of the square: at zoom z it has 2^z columns and as many rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct TileId {
    pub(crate) z: u8,
    pub(crate) x: u32,
    pub(crate) y: u32,
}

/// A rectangle on the square.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Frame {
    pub(crate) low: Spot,
    pub(crate) high: Spot,
}

/// The deepest zoom whose tiles have numbers of 32 bits.
pub(crate) const DEEPEST: u8 = 31;

impl TileId {
    /// The tile of these numbers, if the zoom has such a column and row.
    pub(crate) fn checked(z: u8, x: u32, y: u32) -> Option<Self> {
        let count = 1_u64 << z.min(DEEPEST);
        (z <= DEEPEST && u64::from(x) < count && u64::from(y) < count).then_some(Self { z, x, y })
    }

    /// How wide and how high it is.
    pub(crate) fn side(self) -> f64 {
        0.5_f64.powi(i32::from(self.z))
    }

    /// The tile and a margin around it, both as shares of the tile's side.
    pub(crate) fn frame(self, margin: f64) -> Frame {
        let side = self.side();
        let (x, y) = (f64::from(self.x), f64::from(self.y));
        Frame {
            low: [(x - margin) * side, (y - margin) * side],
            high: [(x + 1.0 + margin) * side, (y + 1.0 + margin) * side],
        }
    }

    /// The four tiles of the next zoom that it is made of.
    pub(crate) fn quarters(self) -> [Self; 4] {
        [(0, 0), (1, 0), (0, 1), (1, 1)].map(|(x, y)| Self {
            z: self.z + 1,
            x: self.x * 2 + x,
            y: self.y * 2 + y,
        })
    }

    /// Where a position lies in the tile, in whole steps of which the tile is `extent` wide.
    pub(crate) fn steps(self, extent: f64, [x, y]: Spot) -> [i32; 2] {
        let side = self.side();
        let step = |at: f64, from: u32| ((at / side - f64::from(from)) * extent).round() as i32;
        [step(x, self.x), step(y, self.y)]
    }
}

impl TileId {
    /// The position of a step in the tile.
    pub(crate) fn spot(self, extent: f64, step: [i32; 2]) -> Spot {
        let side = self.side();
        let at = |step: i32, from: u32| (f64::from(from) + f64::from(step) / extent) * side;
        [at(step[0], self.x), at(step[1], self.y)]
    }
}

impl Frame {
    /// Whether the position lies in it or on its edge.
    pub(crate) fn contains(self, [x, y]: Spot) -> bool {
        (self.low[0]..=self.high[0]).contains(&x) && (self.low[1]..=self.high[1]).contains(&y)
    }

    /// Whether the two have a position in common.
    pub(crate) fn meets(self, other: Self) -> bool {
        (0..2).all(|axis| self.low[axis] <= other.high[axis] && other.low[axis] <= self.high[axis])
    }

    /// The smallest frame around these positions; none around none.
    pub(crate) fn around(spots: &[Spot]) -> Option<Self> {
        let first = *spots.first()?;
        let mut frame = Self { low: first, high: first };
        for spot in spots {
            for (axis, &at) in spot.iter().enumerate() {
                frame.low[axis] = frame.low[axis].min(at);
                frame.high[axis] = frame.high[axis].max(at);
            }
        }
        Some(frame)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn greenwich_and_the_equator_meet_in_the_middle() {
        check((0.0, 0.0), [0.5, 0.5]);
        check((0.0, -180.0), [0.0, 0.5]);
        check((85.051_128_779_806_6, 180.0), [1.0, 0.0]);
    }

    #[test]
    fn the_poles_lie_outside_but_not_infinitely_far() {
        let [_, y] = spot(Point::new(-90.0, 0.0));
        assert!(y > 1.0 && y < 2.0, "{y}");
    }

    #[test]
    fn a_zoom_has_only_so_many_tiles() {
        assert!(TileId::checked(0, 0, 0).is_some());
        assert!(TileId::checked(3, 7, 7).is_some());
        assert!(TileId::checked(3, 8, 0).is_none());
        assert!(TileId::checked(200, 0, 0).is_none());
    }

    proptest! {
        #[test]
        fn a_point_comes_back_from_its_position(lat in -85.0..85.0, lon in -180.0..179.999) {
            let there = point(spot(Point::new(lat, lon)));
            prop_assert!((there.lat - lat).abs() < 1e-9 && (there.lon - lon).abs() < 1e-9);
        }

        #[test]
        fn the_quarters_cover_their_tile(x in 0.0..1.0, y in 0.0..1.0, z in 0_u8..12) {
            let count = f64::from(1_u32 << z);
            let tile = TileId { z, x: (x * count) as u32, y: (y * count) as u32 };
            prop_assert!(tile.frame(0.0).contains([x, y]));
            prop_assert!(tile.quarters().iter().any(|it| it.frame(0.0).contains([x, y])));
        }
    }

    #[track_caller]
    fn check((lat, lon): (f64, f64), expected: Spot) {
        let found = spot(Point::new(lat, lon));
        assert!((0..2).all(|axis| (found[axis] - expected[axis]).abs() < 1e-12), "{found:?}");
    }
}
