//! A region that somebody drew on a map.

use earth::{Bounds, Meters, Point};

/// Nobody draws a polygon of more points by hand.
const MOST_POINTS: usize = 1_000;

/// A text that is no region or point, and how to write one.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoRegion {
    /// It says something else.
    #[error("\"{text}\" is no {what}: write {form}")]
    Unread {
        /// What it says.
        text: String,
        /// What it is to be.
        what: &'static str,
        /// How that is written.
        form: &'static str,
    },
    /// There are several.
    #[error("give one of bbox, circle and polygon, not several")]
    Several,
}

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

impl Region {
    /// The region that was given in one of the three ways; nothing if there is none.
    pub fn drawn(
        bounds: Option<&str>,
        circle: Option<&str>,
        polygon: Option<&str>,
    ) -> Result<Option<Self>, NoRegion> {
        let given = |it: Option<&'_ str>| it.is_some_and(|it| !it.trim().is_empty());
        match (given(bounds), given(circle), given(polygon)) {
            (false, false, false) => Ok(None),
            (true, false, false) => Self::parse_box(bounds.unwrap_or_default()).map(Some),
            (false, true, false) => Self::parse_circle(circle.unwrap_or_default()).map(Some),
            (false, false, true) => Self::parse_polygon(polygon.unwrap_or_default()).map(Some),
            _ => Err(NoRegion::Several),
        }
    }

    /// The box of `west,south,east,north`; it crosses the date line if the west lies east of the east.
    pub fn parse_box(text: &str) -> Result<Self, NoRegion> {
        let found = match numbers(text).as_deref() {
            Some(&[west, south, east, north]) if south <= north => on_globe(south, west)
                .and(on_globe(north, east))
                .map(|_| Self::Box(Bounds::new(south, west, north, east))),
            _ => None,
        };
        found.ok_or_else(|| no(text, "box", "west,south,east,north in degrees"))
    }

    /// The circle of `latitude,longitude,metres`.
    pub fn parse_circle(text: &str) -> Result<Self, NoRegion> {
        let found = match numbers(text).as_deref() {
            Some(&[lat, lon, radius]) if radius >= 0.0 => {
                on_globe(lat, lon).map(|center| Self::Circle(center, Meters(radius)))
            }
            _ => None,
        };
        found.ok_or_else(|| no(text, "circle", "latitude,longitude,metres"))
    }

    /// The polygon of `longitude latitude`, with commas between the points.
    pub fn parse_polygon(text: &str) -> Result<Self, NoRegion> {
        let is_ring = |it: &Vec<f64>| {
            it.len().is_multiple_of(2) && (3..=MOST_POINTS).contains(&(it.len() / 2))
        };
        let numbers = numbers(text).filter(is_ring);
        let ring: Option<Vec<Point>> =
            numbers.and_then(|it| it.chunks(2).map(|at| on_globe(at[1], at[0])).collect());
        let form = "three to a thousand points as longitude latitude, with commas between";
        ring.map(Self::Polygon).ok_or_else(|| no(text, "polygon", form))
    }
}

/// The point of `latitude,longitude`.
pub fn parse_position(text: &str) -> Result<Point, NoRegion> {
    let found = match numbers(text).as_deref() {
        Some(&[lat, lon]) => on_globe(lat, lon),
        _ => None,
    };
    found.ok_or_else(|| no(text, "position", "latitude,longitude"))
}

fn no(text: &str, what: &'static str, form: &'static str) -> NoRegion {
    NoRegion::Unread { text: text.to_owned(), what, form }
}

fn numbers(text: &str) -> Option<Vec<f64>> {
    let parts = text.split([',', ' ']).filter(|it| !it.is_empty());
    parts.map(|it| it.parse::<f64>().ok().filter(|it| it.is_finite())).collect()
}

/// The point, if the globe has it; here the eastern edge of the map is 180.
fn on_globe(lat: f64, lon: f64) -> Option<Point> {
    let has_it = lat.abs() <= 90.0 && lon.abs() <= 180.0;
    has_it.then(|| Point::new(lat, lon))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn one_region_is_drawn_at_most() {
        assert_eq!(Region::drawn(None, Some(""), None), Ok(None));
        let circle = Region::parse_circle("60,24,500").map(Some);
        assert_eq!(Region::drawn(None, Some("60,24,500"), None), circle);
        let several = Region::drawn(Some("1,2,3,4"), Some("60,24,500"), None);
        assert_eq!(several, Err(NoRegion::Several));
    }

    #[test]
    fn regions_are_read_as_maps_write_them() {
        let bounds = Bounds::new(60.0, 24.0, 61.0, 26.0);
        assert_eq!(Region::parse_box("24,60,26,61"), Ok(Region::Box(bounds)));
        let circle = Region::Circle(Point::new(60.0, 24.0), Meters(500.0));
        assert_eq!(Region::parse_circle("60, 24, 500"), Ok(circle));
        let ring = vec![Point::new(0.0, 1.0), Point::new(0.0, 2.0), Point::new(1.0, 1.0)];
        assert_eq!(Region::parse_polygon("1 0,2 0,1 1"), Ok(Region::Polygon(ring)));
        assert_eq!(parse_position("60,24"), Ok(Point::new(60.0, 24.0)));
    }

    #[test]
    fn what_is_no_region_is_told_how_to_write_one() {
        for text in ["", "1,2,3", "0,10,0,5", "0,-91,0,0", "200,0,201,1", "a,b,c,d"] {
            assert!(Region::parse_box(text).is_err(), "{text}");
        }
        assert!(Region::parse_circle("60,24,-1").is_err());
        assert!(Region::parse_polygon("1 0,2 0").is_err());
        let error = parse_position("here").unwrap_err().to_string();
        assert_eq!(error, "\"here\" is no position: write latitude,longitude");
    }

    proptest! {
        #[test]
        fn any_text_is_a_region_or_none(text in any::<String>()) {
            let _ = (Region::parse_box(&text), Region::parse_circle(&text), Region::parse_polygon(&text));
        }
    }
}
