//! Rings on the globe as rings on the map: across the date line and around the poles.

use earth::{Bearing, Bounds, Meters, Point};

use crate::drawing::Ground;
use crate::mercator::{Spot, spot};

/// How many corners a circle gets: at a radius of 250 pixels they are within a twentieth of a pixel of it.
const CORNERS: u32 = 180;

/// Degrees of longitude beside the date line in which an edge is where data was cut, not a border.
const CUT: f64 = 1e-4;

/// The rings of a ground on the map; a position is in it if it is in an odd number of them.
pub(super) fn rings(ground: &Ground) -> Vec<Vec<Spot>> {
    match ground {
        Ground::Box(bounds) => vec![box_ring(*bounds)],
        Ground::Circle(center, radius) => {
            let mut rings = vec![unwrapped(&rim(*center, *radius))];
            let holds = |pole: f64| center.distance(Point::new(pole, 0.0)) <= *radius;
            if holds(90.0) && holds(-90.0) {
                // What is left out lies around the other side of the globe: the circle is all but that.
                rings.push(box_ring(Bounds::WORLD));
            }
            rings
        }
        Ground::Sector(center, radius, bearing, spread) => {
            vec![unwrapped(&sector(*center, *radius, *bearing, *spread))]
        }
        Ground::Polygon(rings) => of_rings(rings),
    }
}

/// The edges of a ground as lines.
pub(super) fn edges(ground: &Ground) -> Vec<Vec<Spot>> {
    match ground {
        Ground::Box(bounds) => {
            let ring = box_ring(*bounds);
            vec![ring.iter().chain(ring.first()).copied().collect()]
        }
        Ground::Circle(center, radius) => edges_of_rings(&[rim(*center, *radius)]),
        Ground::Sector(center, radius, bearing, spread) => {
            edges_of_rings(&[sector(*center, *radius, *bearing, *spread)])
        }
        Ground::Polygon(rings) => edges_of_rings(rings),
    }
}

fn rim(center: Point, radius: Meters) -> Vec<Point> {
    let course = |part: u32| Bearing::new(f64::from(part) * 360.0 / f64::from(CORNERS));
    (0..CORNERS).map(|part| center.destination(course(part), radius)).collect()
}

fn sector(center: Point, radius: Meters, bearing: Bearing, spread: f64) -> Vec<Point> {
    let spread = spread.abs().min(180.0);
    let course = |part: u32| {
        let share = f64::from(part) / f64::from(CORNERS) * 2.0 - 1.0;
        Bearing::new(bearing.degrees() + share * spread)
    };
    let rim = (0..=CORNERS).map(|part| center.destination(course(part), radius));
    // The sides are great circles, which are no straight lines on the map.
    let side = |part: u32, share: u32| {
        center.destination(course(part), Meters(radius.0 * f64::from(share) / 16.0))
    };
    let out = (0..16).map(|share| side(0, share));
    let back = (1..16).rev().map(|share| side(CORNERS, share));
    out.chain(rim).chain(back).collect()
}

/// Each ring on the map.
fn of_rings(rings: &[Vec<Point>]) -> Vec<Vec<Spot>> {
    rings.iter().map(|ring| unwrapped(ring)).filter(|ring| ring.len() > 2).collect()
}

/// The edges of rings as lines, without those along the date line, where data is cut in two.
pub(super) fn edges_of_rings(rings: &[Vec<Point>]) -> Vec<Vec<Spot>> {
    let is_cut = |a: Point, b: Point| {
        let beside = |it: Point| 180.0 - it.lon.abs() < CUT;
        beside(a) && beside(b)
    };
    let mut lines = Vec::new();
    for ring in rings {
        let mut line: Vec<Point> = Vec::new();
        for &point in ring.iter().chain(ring.first()) {
            if line.last().is_some_and(|&last| is_cut(last, point)) {
                lines.push(std::mem::take(&mut line));
            }
            line.push(point);
        }
        lines.push(line);
    }
    lines.iter().map(|line| following(line)).filter(|line| line.len() > 1).collect()
}

fn box_ring(bounds: Bounds) -> Vec<Spot> {
    let [west, low] = spot(Point::new(bounds.south, bounds.west));
    let [east, high] = spot(Point::new(bounds.north, bounds.east));
    let east = if east < west { east + 1.0 } else { east };
    vec![[west, high], [east, high], [east, low], [west, low]]
}

/// A ring on the map. One that goes around the globe goes on to the pole it goes around.
fn unwrapped(ring: &[Point]) -> Vec<Spot> {
    let Some(&first) = ring.first() else { return Vec::new() };
    let closed: Vec<Point> = ring.iter().copied().chain([first]).collect();
    let mut spots = following(&closed);
    let Some(end) = spots.pop() else { return Vec::new() };
    let start = spots[0];
    if (end[0] - start[0]).abs() > 0.5 {
        let mean = ring.iter().map(|point| point.lat).sum::<f64>() / ring.len() as f64;
        let [_, pole] = spot(Point::new(90.0_f64.copysign(mean), 0.0));
        spots.extend([end, [end[0], pole], [start[0], pole]]);
    }
    spots
}

/// Positions of which each is on the copy of the world that is nearest to the one before.
fn following(points: &[Point]) -> Vec<Spot> {
    let mut spots: Vec<Spot> = Vec::with_capacity(points.len());
    for &point in points {
        let [x, y] = spot(point);
        let last = spots.last().map_or(x, |it| it[0]);
        if x.is_finite() && y.is_finite() {
            spots.push([x + (last - x).round(), y]);
        }
    }
    spots
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_circle_over_the_date_line_is_whole() {
        let rings = rings(&Ground::Circle(Point::new(-17.0, 179.5), Meters(200_000.0)));
        check(&rings, 1, 0.02);
    }

    #[test]
    fn a_circle_around_a_pole_reaches_all_around() {
        check(&rings(&Ground::Circle(Point::new(89.0, 20.0), Meters(900_000.0))), 1, 1.01);
        check(&rings(&Ground::Circle(Point::new(-85.0, 20.0), Meters(900_000.0))), 1, 1.01);
        check(&rings(&Ground::Circle(Point::new(0.0, 20.0), Meters(15_000_000.0))), 2, 1.01);
    }

    #[test]
    fn a_sector_begins_and_ends_at_its_point() {
        let center = Point::new(60.0, 25.0);
        let sector = Ground::Sector(center, Meters(100_000.0), Bearing::new(0.0), 45.0);
        let rings = rings(&sector);
        check(&rings, 1, 0.01);
        let is_there = rings[0][0].iter().zip(spot(center)).all(|(a, b)| (a - b).abs() < 1e-12);
        assert!(is_there, "{:?}", rings[0][0]);
        assert!(rings[0].iter().all(|it| it[1] <= spot(center)[1] + 1e-9));
    }

    #[test]
    fn data_cut_at_the_date_line_has_no_border_there() {
        let half = vec![
            Point::new(-17.0, 179.0),
            Point::new(-17.0, 180.0),
            Point::new(-16.0, 180.0),
            Point::new(-16.0, 179.0),
        ];
        let lines = edges_of_rings(&[half]);
        assert_eq!(lines.iter().map(Vec::len).collect::<Vec<_>>(), [2, 3]);
    }

    #[track_caller]
    fn check(rings: &[Vec<Spot>], count: usize, widest: f64) {
        assert_eq!(rings.len(), count);
        for ring in rings {
            let xs = || ring.iter().map(|it| it[0]);
            let width = xs().fold(f64::MIN, f64::max) - xs().fold(f64::MAX, f64::min);
            assert!(width <= widest, "{width}");
        }
    }
}
