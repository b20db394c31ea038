//! A region that somebody drew on a map.

use earth::{Bounds, Meters, Point};

/// A region that somebody drew on a map.
#[derive(Clone, Debug, PartialEq)]
pub enum Region {
    /// A box between two latitudes and two longitudes.
    Box(Bounds),
    /// What is no farther from a point than this.
    Circle(Point, Meters),
    /// A line around an area; its end is its beginning.
    Polygon(Vec<Point>),
}
