//! A region of interest, and whether something lies in it.

use earth::{Meters, Point};
use gazetteer::{Gazetteer, PlaceId};
use geo::{Contains, Coord, MultiPolygon};

/// A region of interest: what somebody wants to know about.
#[derive(Clone, Debug, PartialEq)]
pub enum Region {
    /// A place of the hierarchy with all that lies in it.
    Place(PlaceId),
    /// What is no farther from a point than this.
    Circle(Point, Meters),
    /// An outline.
    Outline(MultiPolygon<f64>),
    /// Any of several.
    Any(Vec<Region>),
}

impl Region {
    /// True if a place, or a point of it, lies in the region.
    ///
    /// Of a place of the hierarchy its number decides; a point that is nobody's lies in it if its outline holds it.
    pub fn holds(
        &self,
        gazetteer: &Gazetteer,
        place: Option<PlaceId>,
        point: Option<Point>,
    ) -> bool {
        match self {
            Self::Place(region) => match place {
                Some(place) => {
                    place == *region || gazetteer.holders(place).any(|it| it.0 == *region)
                }
                None => point.is_some_and(|point| {
                    gazetteer.place(*region).outline().is_some_and(|it| is_inside(&it, point))
                }),
            },
            Self::Circle(center, radius) => {
                let point = point.or_else(|| place.map(|it| gazetteer.place(it).point()));
                point.is_some_and(|it| center.distance(it).0 <= radius.0)
            }
            Self::Outline(outline) => {
                let point = point.or_else(|| place.map(|it| gazetteer.place(it).point()));
                point.is_some_and(|it| is_inside(outline, it))
            }
            Self::Any(regions) => regions.iter().any(|it| it.holds(gazetteer, place, point)),
        }
    }
}

fn is_inside(outline: &MultiPolygon<f64>, point: Point) -> bool {
    outline.contains(&Coord { x: point.lon, y: point.lat })
}

#[cfg(test)]
mod tests {
    use gazetteer::{Draft, Fact, Kind, PlaceFact};
    use geo::polygon;

    use super::*;

    fn gazetteer() -> Gazetteer {
        let mut draft = Draft::new();
        let mut add = |key: &str, kind, name: &str, lat, lon, parent: &str| {
            draft.add(Fact::Place(PlaceFact::new(key, kind, name).at(lat, lon).within(parent)));
        };
        add("de", Kind::Country, "Germany", 51.0, 10.0, "world");
        add("ni", Kind::Region, "Lower Saxony", 52.8, 9.0, "de");
        add("ol", Kind::City, "Oldenburg", 53.14, 8.21, "ni");
        add("hh", Kind::City, "Hamburg", 53.55, 10.0, "de");
        let mut file = Vec::new();
        draft.finish(&mut file).expect("the facts are good");
        Gazetteer::from_bytes("small", file).expect("it was just written")
    }

    #[test]
    fn a_place_holds_itself_and_what_lies_in_it() {
        let gazetteer = gazetteer();
        let id = |key: &str| gazetteer.by_key(key).map(|it| it.id()).expect("it is there");
        let holds = |region: &str, place: &str| {
            Region::Place(id(region)).holds(&gazetteer, Some(id(place)), None)
        };
        assert!(holds("ol", "ol"));
        assert!(holds("ni", "ol"));
        assert!(holds("de", "ol"));
        assert!(!holds("ni", "hh"));
        assert!(!holds("ol", "ni"));
    }

    #[test]
    fn circles_and_outlines_look_at_the_point() {
        let gazetteer = gazetteer();
        let oldenburg = gazetteer.by_key("ol").map(|it| it.id());
        let circle = Region::Circle(Point::new(53.1, 8.2), Meters(10_000.0));
        assert!(circle.holds(&gazetteer, oldenburg, None));
        assert!(!circle.holds(&gazetteer, oldenburg, Some(Point::new(53.5, 8.2))));
        let square =
            polygon![(x: 8.0, y: 53.0), (x: 9.0, y: 53.0), (x: 9.0, y: 54.0), (x: 8.0, y: 54.0)];
        let outline = Region::Outline(MultiPolygon(vec![square]));
        assert!(outline.holds(&gazetteer, oldenburg, None));
        assert!(!outline.holds(&gazetteer, None, None));
        assert!(Region::Any(vec![circle, outline]).holds(
            &gazetteer,
            None,
            Some(Point::new(53.9, 8.9))
        ));
    }
}
