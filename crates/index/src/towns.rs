//! Which place a bare point belongs to.

use earth::{Meters, Point};
use gazetteer::{Gazetteer, Kind, Place, PlaceId};
use rstar::RTree;
use rstar::primitives::GeomWithData;

use crate::spot::city_radius;

/// A smaller town does not swallow the places around it.
const LARGE: u64 = 20_000;
/// A point this near to a town is in it, or as good as in it.
const NEAR: Meters = Meters(10_000.0);

/// Which place a bare point belongs to.
///
/// In the gazetteer the quarters of a city need not be in it: a point in Helsinki is nearer to the middle of some quarter,
/// and is in Helsinki all the same. So large cities are asked first whether they reach the point.
pub(crate) struct Towns<'g> {
    gazetteer: &'g Gazetteer,
    /// Large cities on the unit sphere, where there is no date line, with how many people they have.
    large: RTree<GeomWithData<[f64; 3], (u32, u64)>>,
    /// How far the largest of them reaches.
    farthest: f64,
}

impl<'g> Towns<'g> {
    pub(crate) fn of(gazetteer: &'g Gazetteer) -> Self {
        let large: Vec<_> = gazetteer
            .places()
            .filter(|it| it.kind() == Kind::City && it.population() >= LARGE)
            .map(|it| GeomWithData::new(on_sphere(it.point()), (it.id().0, it.population())))
            .collect();
        let most = large.iter().map(|it| it.data.1).max().unwrap_or(0);
        Self { gazetteer, large: RTree::bulk_load(large), farthest: city_radius(most) }
    }

    /// The large city that a point is deepest in, else the nearest town if it is near, else the narrowest outline around it.
    pub(crate) fn around(&self, point: Point) -> Option<PlaceId> {
        let chord = 2.0 * (self.farthest / 6_371_008.8 / 2.0).sin();
        let near = self.large.locate_within_distance(on_sphere(point), chord * chord);
        // Of two cities that reach the point, it is in the one it is deeper in: Newark is not New York.
        let depth = |it: &&GeomWithData<[f64; 3], (u32, u64)>| {
            let middle = self.gazetteer.place(PlaceId(it.data.0)).point();
            middle.distance(point).0 / city_radius(it.data.1)
        };
        let reaching = near.map(|it| (depth(&it), it.data.0)).filter(|it| it.0 <= 1.0);
        let deepest = reaching.min_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        let nearest = || self.gazetteer.nearest_cities(point, 1, NEAR).first().map(|it| it.0);
        let outline = || self.gazetteer.containing(point).first().map(Place::id);
        deepest.map(|it| PlaceId(it.1)).or_else(nearest).or_else(outline)
    }
}

fn on_sphere(point: Point) -> [f64; 3] {
    let (lat, lon) = (point.lat.to_radians(), point.lon.to_radians());
    [lat.cos() * lon.cos(), lat.cos() * lon.sin(), lat.sin()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(lat: f64, lon: f64, expected: &str) {
        let gazetteer = world::gazetteer();
        let found = Towns::of(gazetteer).around(Point::new(lat, lon));
        assert_eq!(gazetteer.place(found.unwrap()).name(), expected);
    }

    #[test]
    fn a_point_in_a_quarter_is_in_the_city() {
        check(60.1790, 24.9513, "Helsinki");
        check(60.1454, 24.9881, "Helsinki");
    }

    #[test]
    fn a_city_beside_a_larger_one_keeps_its_own() {
        check(-4.2661, 15.2832, "Brazzaville");
        check(31.7587, -106.4869, "El Paso");
        check(40.7357, -74.1724, "Newark");
    }

    #[test]
    fn a_point_in_a_village_is_in_the_village() {
        check(53.5739, 7.9006, "Jever");
    }

    #[test]
    fn a_point_far_from_all_towns_is_in_its_region() {
        let gazetteer = world::gazetteer();
        let found = Towns::of(gazetteer).around(Point::new(-25.0, 125.0)).unwrap();
        assert!(gazetteer.lineage(found).any(|it| it.name() == "Australia"));
    }
}
