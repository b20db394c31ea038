//! The region a crawl is about, from what an operator writes.

use gazetteer::{Gazetteer, Precision, is_key};
use geo::{LineString, MultiPolygon, Polygon};
use geoparse::Region;

use crate::error::Error;

/// How many other places of the same name are told.
const MOST_OTHERS: usize = 4;
/// Whoever is less likely meant than this is not told: every name has namesakes.
const LEAST_CONFIDENCE: f64 = 0.02;

/// A region, with how it was understood.
#[derive(Clone, Debug, PartialEq)]
pub struct Understood {
    /// The region.
    pub region: Region,
    /// What each part was taken for.
    pub parts: Vec<RegionPart>,
}

/// One part of a region, as it was understood.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RegionPart {
    /// What was written.
    pub asked: String,
    /// What it was taken for: `Oldenburg, Lower Saxony, Germany`.
    pub label: String,
    /// The key of the place, if it is one.
    pub key: Option<String>,
    /// Other places that could be meant, with their keys.
    pub others: Vec<(String, String)>,
}

impl Understood {
    /// The region in words: `Monaco or Oldenburg, Lower Saxony, Germany`.
    pub fn label(&self) -> String {
        let labels: Vec<_> = self.parts.iter().map(|it| it.label.as_str()).collect();
        labels.join(" or ")
    }
}

/// The region of names, keys, `circle:lat,lon,metres`, `box:west,south,east,north` and
/// `polygon:lon lat,…`; several are one region together, none is no region.
pub fn region(gazetteer: &Gazetteer, asked: &[String]) -> Result<Option<Understood>, Error> {
    let mut regions = Vec::new();
    let mut parts = Vec::new();
    for text in asked {
        let (region, part) = one(gazetteer, text)?;
        regions.push(region);
        parts.push(part);
    }
    let region = match regions.len() {
        0 => return Ok(None),
        1 => regions.remove(0),
        _ => Region::Any(regions),
    };
    Ok(Some(Understood { region, parts }))
}

fn one(gazetteer: &Gazetteer, text: &str) -> Result<(Region, RegionPart), Error> {
    let text = text.trim();
    let drawn = match text.split_once(':') {
        Some(("circle", rest)) => Some(query::Region::parse_circle(rest)),
        Some(("box", rest)) => Some(query::Region::parse_box(rest)),
        Some(("polygon", rest)) => Some(query::Region::parse_polygon(rest)),
        _ => None,
    };
    if let Some(drawn) = drawn {
        let drawn = drawn.map_err(|error| Error::Region(error.to_string()))?;
        let part = RegionPart {
            asked: text.to_owned(),
            label: text.to_owned(),
            key: None,
            others: Vec::new(),
        };
        return Ok((outlined(drawn), part));
    }
    if let Some(place) = gazetteer.by_key(text) {
        return Ok((Region::Place(place.id()), part(text, &place, Vec::new())));
    }
    if is_key(text) {
        return Err(Error::Region(format!(
            "no place has the key {text}: \"strabo place\" finds places and their keys"
        )));
    }
    let found = gazetteer.geocode(text, None, MOST_OTHERS + 1);
    let Some(best) = found.first() else {
        return Err(Error::Region(format!(
            "nothing is known of \"{text}\": \"strabo place\" finds places and their keys"
        )));
    };
    if best.precision == Precision::Coordinate {
        return Err(Error::Region(format!(
            "\"{text}\" is a point: write circle:latitude,longitude,metres for what is around it"
        )));
    }
    // A crawl is dear: who wrote something else than a name may have meant another place.
    if !best.notes.is_empty() {
        return Err(Error::Region(format!(
            "\"{text}\" is not known ({}): if {} is meant, write {}; \"strabo place\" finds others",
            best.notes.join("; "),
            best.label(),
            best.place.key()
        )));
    }
    let others = found[1..].iter().filter(|it| {
        it.matched == best.matched
            && it.confidence >= LEAST_CONFIDENCE
            && it.place.id() != best.place.id()
    });
    let others = others.map(|it| (it.label(), it.place.key().to_owned())).collect();
    Ok((Region::Place(best.place.id()), part(text, &best.place, others)))
}

fn part(asked: &str, place: &gazetteer::Place<'_>, others: Vec<(String, String)>) -> RegionPart {
    RegionPart {
        asked: asked.to_owned(),
        label: place.label(),
        key: Some(place.key().to_owned()),
        others,
    }
}

/// What was drawn, as a page is held against it.
fn outlined(drawn: query::Region) -> Region {
    match drawn {
        query::Region::Circle(center, radius) => Region::Circle(center, radius),
        query::Region::Polygon(ring) => {
            let ring: Vec<(f64, f64)> = ring.iter().map(|it| (it.lon, it.lat)).collect();
            Region::Outline(MultiPolygon(vec![polygon(ring)]))
        }
        query::Region::Box(bounds) => {
            let (south, north) = (bounds.south, bounds.north);
            let (west, east) = (bounds.west, bounds.east);
            let side = |west: f64, east: f64| {
                polygon(vec![(west, south), (east, south), (east, north), (west, north)])
            };
            // A box over the date line has a side on either end of the map.
            let sides = if west <= east {
                vec![side(west, east)]
            } else {
                vec![side(west, 180.0), side(-180.0, east)]
            };
            Region::Outline(MultiPolygon(sides))
        }
    }
}

fn polygon(ring: Vec<(f64, f64)>) -> Polygon<f64> {
    Polygon::new(LineString::from(ring), Vec::new())
}

#[cfg(test)]
mod tests {
    use earth::Point;
    use proptest::prelude::*;

    use super::*;

    fn understood(text: &str) -> Result<Option<Understood>, Error> {
        region(world::gazetteer(), &[text.to_owned()])
    }

    #[track_caller]
    fn check(text: &str, inside: (f64, f64), outside: (f64, f64)) {
        let region = understood(text).expect("it is a region").expect("it is one").region;
        let holds = |(lat, lon)| region.holds(world::gazetteer(), None, Some(Point::new(lat, lon)));
        assert!(holds(inside), "{text} holds {inside:?}");
        assert!(!holds(outside), "{text} does not hold {outside:?}");
    }

    #[test]
    fn what_is_drawn_holds_what_lies_in_it() {
        check("circle:53.14,8.21,10000", (53.1, 8.2), (53.5, 8.2));
        check("box:8,53,9,54", (53.5, 8.5), (53.5, 9.5));
        check("box:170,-20,-170,-10", (-15.0, 175.0), (-15.0, 160.0));
        check("box:170,-20,-170,-10", (-15.0, -175.0), (-15.0, 0.0));
        check("polygon:8 53,9 53,8 54", (53.1, 8.1), (53.9, 8.9));
    }

    #[test]
    fn a_name_is_a_place_and_its_namesakes_are_told() {
        let oldenburg = understood("Oldenburg, Germany").expect("it is known").expect("it is one");
        assert_eq!(oldenburg.parts[0].label, "Oldenburg, Lower Saxony, Germany");
        let key = oldenburg.parts[0].key.clone().expect("it is a place");
        let again = understood(&key).expect("it is known").expect("it is one");
        assert_eq!(again.region, oldenburg.region);
        let perth = understood("Perth").expect("it is known").expect("it is one");
        assert!(!perth.parts[0].others.is_empty(), "{perth:?}");
    }

    #[test]
    fn what_is_almost_a_name_is_refused_and_the_name_offered() {
        let told = |text: &str| understood(text).expect_err("it is none").to_string();
        assert_eq!(
            told("Oldenbrug"),
            "\"Oldenbrug\" is not known (read as \"oldenburg\"): if Oldenburg, Lower Saxony, Germany \
             is meant, write gn:2857458; \"strabo place\" finds others"
        );
        let half = told("Oldenburg, Xyzzyqwop");
        assert!(half.contains("not found there: Xyzzyqwop"), "{half}");
        assert!(told("gn:99999999999").starts_with("no place has the key gn:99999999999"));
        let district = told("Landkreis Oldenburg");
        assert!(district.contains("not found there: Landkreis"), "{district}");
        for name in ["Oldenburg", "oldenburg germany", "New York City", "Lower Saxony"] {
            assert!(understood(name).is_ok(), "{name}");
        }
    }

    #[test]
    fn a_place_in_relation_to_another_is_no_region() {
        for text in ["next to Oldenburg", "near Oldenburg", "next to Iceland", "outside of Iceland"]
        {
            let told = understood(text).expect_err("it is none").to_string();
            assert!(told.contains("\"strabo place\" finds"), "{told}");
        }
    }

    #[test]
    fn what_is_no_region_is_told() {
        let told = |text: &str| understood(text).expect_err("it is none").to_string();
        assert_eq!(
            told("Xyzzyqwop"),
            "nothing is known of \"Xyzzyqwop\": \"strabo place\" finds places and their keys"
        );
        assert!(told("circle:1,2").contains("write latitude,longitude,metres"));
        assert!(told("53.1, 8.2").contains("is a point"));
        assert_eq!(region(world::gazetteer(), &[]).expect("none is fine"), None);
    }

    proptest! {
        #[test]
        fn any_text_is_a_region_or_an_error(text in ".{0,30}") {
            let _ = understood(&text);
        }
    }
}
