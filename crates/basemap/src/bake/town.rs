//! What of an extract of OpenStreetMap is drawn: streets, houses, green, water.

use super::osm::{Shape, Tags};
use super::polygon::{nested, plain};
use super::{Item, chain};
use crate::mercator::Spot;
use crate::outline::Outline;
use crate::tile::Value;

/// The layers of a town, in the order in which they are drawn.
pub(super) struct Town {
    pub(super) green: Vec<Item>,
    pub(super) water: Vec<Item>,
    pub(super) coast: Vec<Item>,
    pub(super) buildings: Vec<Item>,
    pub(super) roads: Vec<Item>,
}

impl Town {
    /// Sorts the shapes of an extract.
    pub(super) fn of(shapes: &[Shape]) -> Self {
        let areas = |is_wanted: &dyn Fn(&Tags) -> bool| -> Vec<Item> {
            shapes.iter().filter(|it| is_wanted(&it.tags)).flat_map(area).collect()
        };
        let coast = shapes.iter().filter(|it| is(&it.tags, "natural", &["coastline"]));
        let coast = chain::chained(coast.flat_map(|it| it.lines.clone()).collect());
        let mut streets: std::collections::BTreeMap<(&str, String), Vec<Vec<Spot>>> =
            std::collections::BTreeMap::new();
        for shape in shapes {
            let Some(class) = class(&shape.tags) else { continue };
            let name = shape.tags.get("name").cloned().unwrap_or_default();
            streets.entry((class, name)).or_default().extend(shape.lines.clone());
        }
        Self {
            green: areas(&is_green),
            water: areas(&|tags| {
                is(tags, "natural", &["water"]) || is(tags, "landuse", &["basin"])
            }),
            coast: vec![plain(Outline::Lines(coast))],
            buildings: areas(&|tags| tags.get("building").is_some_and(|it| it != "no")),
            roads: streets.into_iter().map(road).collect(),
        }
    }
}

fn is(tags: &Tags, key: &str, values: &[&str]) -> bool {
    tags.get(key).is_some_and(|value| values.contains(&value.as_str()))
}

fn is_green(tags: &Tags) -> bool {
    is(tags, "leisure", &["garden", "park", "pitch", "playground"])
        || is(tags, "landuse", &["cemetery", "flowerbed", "forest", "grass"])
        || is(tags, "natural", &["heath", "scrub", "wood"])
}

/// `major`, `minor`, `path` or `rail`; none for what is no way to go, or goes on below others.
fn class(tags: &Tags) -> Option<&'static str> {
    let is_hidden = tags.get("tunnel").is_some_and(|it| it != "no")
        || is(tags, "indoor", &["yes"])
        || is(tags, "area", &["yes"])
        || is(tags, "footway", &["sidewalk", "crossing"]);
    if is_hidden {
        return None;
    }
    if is(tags, "railway", &["rail"]) {
        return Some("rail");
    }
    let road = tags.get("highway")?;
    match road.strip_suffix("_link").unwrap_or(road) {
        "motorway" | "trunk" | "primary" | "secondary" | "tertiary" => Some("major"),
        "residential" | "unclassified" | "living_street" | "pedestrian" => Some("minor"),
        "service" | "footway" | "steps" | "cycleway" | "path" | "track" => Some("path"),
        _ => None,
    }
}

fn road(((class, name), lines): ((&str, String), Vec<Vec<Spot>>)) -> Item {
    let mut tags = vec![("class".to_owned(), Value::Text(class.to_owned()))];
    // Paths have the names of what they lead to, if any; written on the map they are in the way.
    if !name.is_empty() && class != "path" && class != "rail" {
        tags.push(("name".to_owned(), Value::Text(name)));
    }
    Item { outline: Outline::Lines(chain::chained(lines)), rank: 0, tags }
}

/// The polygons of an area; lines that do not close are none.
fn area(shape: &Shape) -> Vec<Item> {
    let closed = shape.lines.iter().filter(|line| line.len() > 3 && line.first() == line.last());
    nested(closed.map(|line| line[..line.len() - 1].to_vec()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn streets_have_their_class_and_tunnels_are_not_drawn() {
        check(&[("highway", "primary")], Some("major"));
        check(&[("highway", "secondary_link")], Some("major"));
        check(&[("highway", "residential")], Some("minor"));
        check(&[("highway", "steps")], Some("path"));
        check(&[("railway", "rail")], Some("rail"));
        check(&[("highway", "primary"), ("tunnel", "yes")], None);
        check(&[("highway", "footway"), ("footway", "sidewalk")], None);
        check(&[("highway", "elevator")], None);
        check(&[], None);
    }

    #[track_caller]
    fn check(tags: &[(&str, &str)], expected: Option<&str>) {
        let tags = tags.iter().map(|&(key, value)| (key.to_owned(), value.to_owned())).collect();
        assert_eq!(class(&tags), expected);
    }
}
