//! The part of the world that a picture shows, and where in the picture a position is.

use earth::{Bounds, Point};

use crate::mercator::{Frame, Spot, point, spot};

/// The largest picture in pixels along one side: more is nothing for a page.
const LARGEST: u32 = 4096;

/// Pixels around the world at zoom 0.
const TILE: f64 = 256.0;

/// The part of the shorter side that is left on each side of the box, so that pins at its edge are whole.
const PADDING: f64 = 0.05;

/// Metres around the equator.
const EQUATOR: f64 = 40_075_017.0;

/// The deepest zoom of a picture: a house fills it.
const DEEPEST: f64 = 18.0;

/// What is wider than this part of the world is all of it.
const WORLD: f64 = 0.999;

/// Mercator's square ends here; boxes that go on to the pole are cut off.
const EDGE: f64 = 85.05;

/// A picture of a part of the world.
#[derive(Clone, Copy, Debug)]
pub(super) struct View {
    /// Width and height in pixels.
    pub(super) size: Spot,
    /// What is shown; x may run on beyond the edges of the square.
    pub(super) frame: Frame,
    /// Pixels around the world.
    pub(super) scale: f64,
}

impl View {
    /// The picture of this size that shows the whole box as large as possible.
    pub(super) fn of(bounds: Bounds, width: u32, height: u32) -> Self {
        let size = [width, height].map(|it| f64::from(it.clamp(1, LARGEST)));
        let (south, north) = latitudes(bounds);
        let [west, low] = spot(Point::new(south, finite(bounds.west)));
        let [east, high] = spot(Point::new(north, finite(bounds.east)));
        let east = if east < west { east + 1.0 } else { east };
        let padding = size[0].min(size[1]) * PADDING;
        // Beside the whole world there is only the world again.
        let is_world = east - west > WORLD;
        let room = if is_world { size } else { size.map(|it| it - 2.0 * padding) };
        let wanted = [room[0] / (east - west), room[1] / (low - high)];
        let scale = wanted[0].min(wanted[1]).clamp(TILE, TILE * DEEPEST.exp2());
        let middle = [f64::midpoint(west, east), f64::midpoint(low, high)];
        let corner = |sign: f64| [0, 1].map(|axis| middle[axis] + sign * size[axis] / scale / 2.0);
        Self { size, frame: Frame { low: corner(-1.0), high: corner(1.0) }, scale }
    }

    /// The zoom at which a tile is 256 pixels wide, with a fraction.
    pub(super) fn zoom(&self) -> f64 {
        (self.scale / TILE).log2()
    }

    /// The zoom nearest to it.
    pub(super) fn whole_zoom(&self) -> u8 {
        self.zoom().round().clamp(0.0, DEEPEST) as u8
    }

    /// How many pixels a metre has in the middle of the picture.
    pub(super) fn pixels_per_meter(&self) -> f64 {
        let middle = point([0, 1].map(|it| f64::midpoint(self.frame.low[it], self.frame.high[it])));
        self.scale / (EQUATOR * middle.lat.to_radians().cos())
    }

    /// The pixel of a position.
    pub(super) fn pixel(&self, spot: Spot) -> Spot {
        [0, 1].map(|axis| (spot[axis] - self.frame.low[axis]) * self.scale)
    }

    /// The pixel of a point, on the copy of the world that is nearest to the middle of the picture.
    pub(super) fn pixel_of(&self, point: Point) -> Spot {
        let [x, y] = spot(point);
        let middle = f64::midpoint(self.frame.low[0], self.frame.high[0]);
        self.pixel([x + (middle - x).round(), y])
    }

    /// The picture in pixels, with a margin around it.
    pub(super) fn pixels(&self, margin: f64) -> Frame {
        Frame { low: [-margin; 2], high: self.size.map(|it| it + margin) }
    }

    /// By how many worlds something from `west` to `east` is to be moved to be seen.
    pub(super) fn copies(&self, west: f64, east: f64) -> impl Iterator<Item = f64> + use<> {
        let first = (self.frame.low[0] - east).ceil().max(-4.0) as i32;
        let last = (self.frame.high[0] - west).floor().min(4.0) as i32;
        (first..=last).map(f64::from)
    }
}

fn latitudes(bounds: Bounds) -> (f64, f64) {
    let (south, north) = (finite(bounds.south), finite(bounds.north));
    let (south, north) = (south.min(north), south.max(north));
    let is_polar = south > EDGE - 1.0 || north < 1.0 - EDGE;
    if is_polar { (south, north) } else { (south.max(-EDGE), north.min(EDGE)) }
}

/// Numbers come from URLs, and "NaN" is one of them.
fn finite(degrees: f64) -> f64 {
    if degrees.is_finite() { degrees } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_whole_box_is_in_the_picture() {
        check(Bounds::new(35.0, -12.0, 71.0, 45.0));
        check(Bounds::new(-20.0, 177.0, -16.0, -178.0));
        check(Bounds::new(86.0, 10.0, 89.0, 20.0));
        check(Bounds::new(60.0, 24.0, 60.0, 24.0));
        check(Bounds::WORLD);
    }

    #[test]
    fn the_world_is_as_wide_as_its_picture() {
        let view = View::of(Bounds::new(-57.0, -169.0, 83.7, -169.001), 600, 400);
        assert!((view.frame.high[0] - view.frame.low[0] - 1.0).abs() < 1e-3, "{view:?}");
        assert!(view.frame.low[1] > 0.0 && view.frame.high[1] < 1.0, "{view:?}");
    }

    #[test]
    fn a_point_beyond_the_date_line_is_on_the_near_copy() {
        let view = View::of(Bounds::new(-20.0, 177.0, -16.0, -178.0), 800, 500);
        let [west, _] = view.pixel_of(Point::new(-18.0, 179.0));
        let [east, _] = view.pixel_of(Point::new(-18.0, -179.0));
        assert!(west < east && east < 800.0, "{west} {east}");
    }

    #[track_caller]
    fn check(bounds: Bounds) {
        let view = View::of(bounds, 800, 500);
        let (south, north) = latitudes(bounds);
        for corner in [Point::new(south, bounds.west), Point::new(north, bounds.east)] {
            let pixel = view.pixel_of(corner);
            assert!(view.pixels(0.01).contains(pixel), "{corner} is at {pixel:?}");
        }
    }
}
