//! What the gazetteer can add to a map of a town: names of streets, house numbers, districts, sights.
//!
//! It has points and no lines of streets. Lines are drawn in the towns that come with the program; elsewhere a
//! street is a name where the street is, for nobody has measured its line.

use earth::{Meters, Point};
use flate2::Compression;
use gazetteer::{Gazetteer, Kind, Place};

use crate::clip;
use crate::mercator::{Frame, Spot, TileId, point, spot};
use crate::outline::MARGIN;
use crate::tile::{self, EXTENT, Feature, Layer, Shape, Value};
use crate::town;

/// The zooms at which a town is drawn: from some ten kilometres across a tile down to a hundred metres.
const ZOOMS: std::ops::RangeInclusive<u8> = 12..=18;

/// The most names taken for one map. The best known come first, so a crowded tile loses the least of them.
const MOST: usize = 2000;

/// A house may be this far from the point of its street.
const STREET_REACH: Meters = Meters(1500.0);

/// Something to write on the map of a town.
#[derive(Clone, Debug)]
pub(crate) struct Name<'g> {
    pub(crate) text: &'g str,
    pub(crate) spot: Spot,
    pub(crate) sort: Sort,
    kind: Kind,
    importance: f64,
    /// The how many-th of its sort it is.
    turn: usize,
}

/// What a name is the name of, in the order in which they are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Sort {
    /// A city or a part of one.
    District,
    /// A park, a hill, an airport.
    Feature,
    /// What people travel to see or are looking for.
    Sight,
    Street,
    /// Any other house with a name: shops, offices.
    Spot,
    /// A house number.
    House,
}

impl Sort {
    fn of(place: &Place<'_>) -> Option<Self> {
        match place.kind() {
            Kind::City | Kind::District => Some(Self::District),
            Kind::Feature | Kind::Airport => Some(Self::Feature),
            Kind::Street => Some(Self::Street),
            Kind::Poi if is_sight(place) => Some(Self::Sight),
            Kind::Poi => Some(Self::Spot),
            _ => None,
        }
    }

    /// The first zoom at which there is room for it.
    fn zoom(self) -> u8 {
        match self {
            Self::District => 12,
            Self::Feature => 13,
            Self::Sight | Self::Street => 14,
            Self::Spot => 16,
            Self::House => 17,
        }
    }

    fn layer(self) -> &'static str {
        match self {
            Self::Street => "streets",
            Self::House => "houses",
            _ => "places",
        }
    }
}

fn is_sight(place: &Place<'_>) -> bool {
    let is_one_of =
        |tag: &str, values: &[&str]| place.tag(tag).is_some_and(|value| values.contains(&value));
    is_one_of("tourism", &["attraction", "gallery", "museum", "theme_park", "viewpoint", "zoo"])
        || is_one_of("amenity", &["hospital", "library", "theatre", "townhall", "university"])
        || is_one_of("historic", &["castle", "fort", "monument"])
        || is_one_of("railway", &["station"])
        || place.tag("sort").is_some()
}

/// The names in a frame that have room at a zoom, the most important first.
pub(crate) fn names<'g>(gazetteer: &'g Gazetteer, frame: Frame, zoom: u8) -> Vec<Name<'g>> {
    if zoom < *ZOOMS.start() {
        return Vec::new();
    }
    let middle = point([0, 1].map(|axis| f64::midpoint(frame.low[axis], frame.high[axis])));
    let reach = middle.distance(point(frame.low)).0.max(middle.distance(point(frame.high)).0);
    let has_room = |kind: Kind| match kind {
        Kind::Feature | Kind::Airport => zoom >= Sort::Feature.zoom(),
        Kind::Street | Kind::Poi => zoom >= Sort::Street.zoom(),
        _ => false,
    };
    let cities = gazetteer.nearest_cities(middle, MOST, Meters(reach));
    let spots = gazetteer.nearest_spots(middle, MOST, Meters(reach), has_room);
    let mut names: Vec<Name<'g>> = Vec::new();
    for (id, _) in cities.into_iter().chain(spots) {
        let place = gazetteer.place(id);
        let Some(sort) = Sort::of(&place).filter(|sort| sort.zoom() <= zoom) else { continue };
        let (kind, importance) = (place.kind(), place.importance());
        let Some(spot) = within(frame, place.point()) else { continue };
        names.push(Name { text: place.name(), spot, sort, kind, importance, turn: 0 });
    }
    names.sort_by(|a, b| a.sort.cmp(&b.sort).then(b.importance.total_cmp(&a.importance)));
    take_turns(&mut names);
    if zoom >= Sort::House.zoom() {
        names.extend(houses(gazetteer, frame, middle, reach));
    }
    names.truncate(MOST);
    names
}

/// Cities and districts stay first; then sorts take turns, or parks would leave no room for streets.
fn take_turns(names: &mut [Name<'_>]) {
    let mut turns = [0_usize; Sort::House as usize + 1];
    for name in names.iter_mut() {
        name.turn = turns[name.sort as usize];
        turns[name.sort as usize] += usize::from(name.sort != Sort::District);
    }
    names.sort_by_key(|name| (name.sort == Sort::Spot, name.turn, name.sort));
}

/// The house numbers in a frame, by streets from the middle outwards.
fn houses(gazetteer: &Gazetteer, frame: Frame, middle: Point, reach: f64) -> Vec<Name<'_>> {
    let reach = Meters(reach + STREET_REACH.0);
    let streets = gazetteer.nearest_spots(middle, MOST, reach, |kind| kind == Kind::Street);
    let houses = streets.into_iter().flat_map(|(street, _)| gazetteer.houses(street));
    let names = houses.filter_map(|house| {
        let spot = within(frame, house.point)?;
        let (sort, kind) = (Sort::House, Kind::Poi);
        Some(Name { text: house.number, spot, sort, kind, importance: 0.0, turn: 0 })
    });
    names.take(MOST).collect()
}

/// The position of a point if it lies in the frame, which may run on beyond the edge of the square.
fn within(frame: Frame, point: Point) -> Option<Spot> {
    let [x, y] = spot(point);
    let x = x + (frame.low[0] - x).ceil();
    // The edges belong to one side only, or a name would be written twice.
    (x < frame.high[0] && (frame.low[1]..frame.high[1]).contains(&y)).then_some([x, y])
}

/// Outlines of districts, as lines in the frame.
pub(crate) fn districts(gazetteer: &Gazetteer, frame: Frame, zoom: u8) -> Vec<Vec<Spot>> {
    if zoom < *ZOOMS.start() {
        return Vec::new();
    }
    let middle = point([0, 1].map(|axis| f64::midpoint(frame.low[axis], frame.high[axis])));
    let reach = middle.distance(point(frame.low)).0.max(middle.distance(point(frame.high)).0);
    let around = gazetteer.nearest_cities(middle, MOST, Meters(reach + STREET_REACH.0));
    let mut lines = Vec::new();
    for (id, _) in around {
        let place = gazetteer.place(id);
        if place.kind() != Kind::District || !place.has_outline() {
            continue;
        }
        let Some(outline) = place.outline() else { continue };
        for polygon in &outline.0 {
            let ring = polygon.exterior().0.iter().map(|it| spot(Point::new(it.y, it.x)));
            lines.extend(clip::line(frame, &ring.collect::<Vec<_>>()));
        }
    }
    lines
}

/// A tile with what is known of a town, in gzip; none where nothing is, or outside zooms 12 to 18.
///
/// Its layers: `green`, `water`, `buildings` (polygons), `coast` and `roads` (lines; `class` is `major`, `minor`, `path` or
/// `rail`, some have a `name`) where the town comes with the program; and from the gazetteer `districts` (lines), `places` (`name`, `kind`, `rank`), `streets` (`name`) and `houses` (`number`),
/// all but the first of points. A smaller `rank` is more important.
pub fn street_tile(gazetteer: &Gazetteer, z: u8, x: u32, y: u32) -> Option<Vec<u8>> {
    let tile = TileId::checked(z, x, y).filter(|_| ZOOMS.contains(&z))?;
    let extent = f64::from(EXTENT);
    let mut layers: Vec<Layer> = town::LAYERS.into_iter().map(Layer::new).collect();
    for piece in town::pieces(tile.frame(0.0), z) {
        let clipped = piece.outline.clipped(tile, MARGIN);
        let layer = layers.iter_mut().find(|layer| layer.name == piece.layer);
        if let (Some(shape), Some(layer)) = (clipped.and_then(|it| it.shape(tile)), layer) {
            layer.features.push(Feature { shape, tags: piece.tags });
        }
    }
    let names_from = layers.len();
    layers.extend(["districts", "places", "streets", "houses"].map(Layer::new));
    let lines = districts(gazetteer, tile.frame(MARGIN), z);
    if !lines.is_empty() {
        let steps = |line: &Vec<Spot>| line.iter().map(|&it| tile.steps(extent, it)).collect();
        let shape = Shape::Lines(lines.iter().map(steps).collect());
        layers[names_from].features.push(Feature { shape, tags: Vec::new() });
    }
    for name in names(gazetteer, tile.frame(0.0), z) {
        let text = Value::Text(name.text.to_owned());
        let mut tags = match name.sort {
            Sort::House => vec![("number".to_owned(), text)],
            _ => vec![("name".to_owned(), text)],
        };
        if name.sort.layer() == "places" {
            tags.push(("kind".to_owned(), Value::Text(name.kind.name().to_owned())));
            tags.push(("rank".to_owned(), Value::Number(name.sort as u64)));
        }
        let shape = Shape::Points(vec![tile.steps(extent, name.spot)]);
        let layer = layers.iter_mut().find(|layer| layer.name == name.sort.layer());
        if let Some(layer) = layer {
            layer.features.push(Feature { shape, tags });
        }
    }
    let is_empty = layers.iter().all(|layer| layer.features.is_empty());
    (!is_empty).then(|| tile::write(Compression::fast(), &layers))
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use super::*;

    #[test]
    fn monaco_has_its_quarters_streets_and_numbers() {
        check(12, "places", "Monte-Carlo");
        check(14, "places", "Musée Océanographique");
        check(15, "streets", "Boulevard des Moulins");
        check(17, "streets", "Boulevard des Moulins");
    }

    #[test]
    fn numbers_wait_until_there_is_room() {
        let houses = |z: u8| tiles_of_monaco(z).iter().filter(|it| it.name == "houses").count();
        assert_eq!(houses(16), 0);
        assert!(houses(17) > 0);
    }

    #[test]
    fn every_house_is_in_one_tile() {
        let gazetteer = world::gazetteer();
        let layers = tiles_of_monaco(18);
        let drawn: usize =
            layers.iter().filter(|it| it.name == "houses").map(|it| it.features.len()).sum();
        let known = gazetteer.places().filter(|it| it.kind() == Kind::Street);
        let known = known.flat_map(|it| gazetteer.houses(it.id()));
        let known = known.filter(|it| BOX.contains(it.point)).count();
        assert_eq!(drawn, known);
    }

    #[test]
    fn where_nothing_is_known_there_is_no_tile() {
        assert_eq!(street_tile(world::gazetteer(), 14, 0, 0), None);
        assert_eq!(street_tile(world::gazetteer(), 3, 1, 1), None);
        assert_eq!(street_tile(world::gazetteer(), 14, u32::MAX, 0), None);
    }

    #[test]
    fn a_tile_of_a_town_is_quick() {
        let gazetteer = world::gazetteer();
        let tile = tile_at(14, Point::new(60.1699, 24.9384));
        street_tile(gazetteer, tile.z, tile.x, tile.y);
        let quickest = (0..5).map(|_| {
            let start = Instant::now();
            street_tile(gazetteer, tile.z, tile.x, tile.y);
            start.elapsed()
        });
        // It takes about one; the rest is for machines that have other things to do.
        assert!(quickest.min() < Some(Duration::from_millis(20)));
    }

    const BOX: earth::Bounds = earth::Bounds::new(43.72, 7.40, 43.755, 7.45);

    fn tile_at(z: u8, point: Point) -> TileId {
        let [x, y] = spot(point);
        let count = f64::from(1_u32 << z);
        TileId { z, x: (x * count) as u32, y: (y * count) as u32 }
    }

    /// The layers of all tiles that Monaco lies in, and some around them.
    fn tiles_of_monaco(z: u8) -> Vec<Layer> {
        let first = tile_at(z, Point::new(BOX.north, BOX.west));
        let last = tile_at(z, Point::new(BOX.south, BOX.east));
        let tiles = (first.x..=last.x).flat_map(|x| (first.y..=last.y).map(move |y| (x, y)));
        let bytes = tiles.filter_map(|(x, y)| street_tile(world::gazetteer(), z, x, y));
        bytes.flat_map(|it| tile::read(&it)).collect()
    }

    #[track_caller]
    fn check(z: u8, layer: &str, name: &str) {
        let layers = tiles_of_monaco(z);
        let features = layers.iter().filter(|it| it.name == layer).flat_map(|it| &it.features);
        let names: Vec<_> = features.filter_map(|it| it.tag("name")).collect();
        assert!(names.contains(&&Value::Text(name.to_owned())), "{names:?}");
    }
}
