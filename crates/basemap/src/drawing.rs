//! What is drawn on top of the base map.

use earth::{Bearing, Bounds, Meters, Point};
use gazetteer::Gazetteer;

use crate::basemap::Basemap;

/// What a map without JavaScript shows beside the world itself.
#[derive(Clone, Default)]
pub struct Drawing<'g> {
    /// What the map shows, for those who do not see it: `Map of 10 results around Helsinki`.
    pub title: String,
    /// Where the results are; the first lies on top.
    pub pins: Vec<Pin>,
    /// What is pointed at without a number, below the pins.
    pub marks: Vec<Mark>,
    /// The ground that was asked about.
    pub grounds: Vec<Ground>,
    /// Outlines of places.
    pub outlines: Vec<Rings>,
    /// Where names of streets and house numbers come from when the map shows a town.
    pub gazetteer: Option<&'g Gazetteer>,
    /// The map to draw on, if it is another than the one that is part of the program.
    pub basemap: Option<&'g Basemap>,
}

/// Rings of one or more polygons: a point is in them if it is in an odd number of them.
///
/// Neither end needs to be repeated, and rings may cross the date line.
pub type Rings = Vec<Vec<Point>>;

/// Where a result is.
#[derive(Clone, Debug, PartialEq)]
pub struct Pin {
    /// Its number in the list.
    pub number: usize,
    /// Where it is.
    pub point: Point,
    /// What it is, to be read when the pointer rests on it.
    pub label: String,
}

/// A point without a number: a place that has no outline, one more point of a page.
#[derive(Clone, Debug, PartialEq)]
pub struct Mark {
    /// Where it is.
    pub point: Point,
    /// What it is, to be read when the pointer rests on it.
    pub label: String,
}

/// Ground that was asked about.
#[derive(Clone, Debug, PartialEq)]
pub enum Ground {
    /// A box, which may cross the date line.
    Box(Bounds),
    /// All within a distance of a point.
    Circle(Point, Meters),
    /// The part of a circle around a direction, with so many degrees to either side of it.
    Sector(Point, Meters, Bearing, f64),
    /// Polygons.
    Polygon(Rings),
}
