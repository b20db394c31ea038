//! Natural Earth at one scale, on Mercator's square.

use std::collections::BTreeMap;

use earth::Point;

use super::chain;
use super::package::Package;
use super::polygon::{Ring, nested, plain};
use super::shapefile::{self, Record, Shape};
use super::{BakeError, Item, Tags};
use crate::mercator::{Frame, Spot, spot};
use crate::outline::Outline;
use crate::tile::Value;

/// Degrees of longitude below which a piece of the sea is a lake: the Caspian, but not an ocean.
const WIDEST_LAKE: f64 = 30.0;

/// What there is to draw, layer by layer.
pub(super) struct Atlas {
    pub(super) land: Vec<Item>,
    pub(super) lakes: Vec<Item>,
    pub(super) rivers: Vec<Item>,
    pub(super) borders: Vec<Item>,
}

impl Atlas {
    /// Reads the atlas at a scale: `10m`, `50m` or `110m`.
    pub(super) fn read(package: &Package, scale: &str) -> Result<Self, BakeError> {
        Ok(Self {
            land: land(package, scale)?,
            lakes: items(package, scale, "ocean", lake)?,
            rivers: joined(items(package, scale, "rivers_lake_centerlines", river)?),
            borders: joined(items(package, scale, "admin_0_boundary_lines_land", border)?),
        })
    }
}

/// Lines between regions of a country; `from` is the zoom at which they are worth showing.
pub(super) fn regions(package: &Package) -> Result<Vec<Item>, BakeError> {
    items(package, "10m", "admin_1_states_provinces_lines", |record| {
        // Statistical bounds divide what nobody but a statistician divides.
        if record.field("featurecla").contains("statistical") {
            return None;
        }
        let from = record.number("min_zoom").unwrap_or(11.0);
        let rank = from.clamp(0.0, 20.0).ceil() as u8;
        let tags = vec![("rank".to_owned(), Value::Number(u64::from(rank)))];
        Some(Item { outline: lines(record)?, rank, tags })
    })
    .map(joined)
}

/// Cities, the best known first.
pub(super) fn cities(package: &Package) -> Result<Vec<Item>, BakeError> {
    let mut cities = items(package, "10m", "populated_places_simple", |record| {
        let Shape::Point(point) = record.shape else { return None };
        let name = record.field("name");
        let rank = record.number("scalerank")?.clamp(0.0, 10.0) as u8;
        let mut tags = vec![
            ("name".to_owned(), Value::Text(name)),
            ("rank".to_owned(), Value::Number(u64::from(rank))),
        ];
        if record.field("featurecla") == "Admin-0 capital" {
            tags.push(("capital".to_owned(), Value::Flag(true)));
        }
        // A thousand people more or less make no other label.
        let people = record.number("pop_max").unwrap_or(0.0).max(0.0) as u64;
        tags.push(("people".to_owned(), Value::Number(rounded(people))));
        Some(Item { outline: Outline::Point(spot(point)), rank, tags })
    })?;
    let people = |item: &Item| item.tags.last().map(|(_, value)| value.clone());
    cities.sort_by(|a, b| a.rank.cmp(&b.rank).then(people(b).cmp(&people(a))));
    Ok(cities)
}

/// The number to two digits.
fn rounded(people: u64) -> u64 {
    let step = 10_u64.pow(people.max(1).ilog10().saturating_sub(1));
    people / step * step
}

/// The items that `read` finds in the records of a theme.
fn items<I: IntoIterator<Item = Item>>(
    package: &Package,
    scale: &str,
    theme: &str,
    read: impl Fn(&Record<'_>) -> I,
) -> Result<Vec<Item>, BakeError> {
    let files = package.files(scale, theme)?;
    let records = shapefile::records(&files.shp, &files.shx, &files.dbf).ok_or_else(|| {
        let file = format!("ne_{scale}_{theme}.shp").into();
        BakeError::Torn { file, reason: "it is torn" }
    })?;
    Ok(records.iter().flat_map(read).collect())
}

/// The same lines in as few pieces as possible: those of which the same is known go on in each other.
fn joined(items: Vec<Item>) -> Vec<Item> {
    let mut alike: BTreeMap<(u8, Tags), Vec<Vec<Spot>>> = BTreeMap::new();
    for item in items {
        let Outline::Lines(lines) = item.outline else { continue };
        alike.entry((item.rank, item.tags)).or_default().extend(lines);
    }
    let join = |((rank, tags), lines): ((u8, Tags), Vec<Vec<Spot>>)| {
        let lines = chain::chained(lines).into_iter();
        lines.map(move |line| Item {
            outline: Outline::Lines(vec![line]),
            rank,
            tags: tags.clone(),
        })
    };
    alike.into_iter().flat_map(join).collect()
}

/// The land with its lakes filled: lakes are a layer of their own, with their islands as holes.
fn land(package: &Package, scale: &str) -> Result<Vec<Item>, BakeError> {
    let polygons = items(package, scale, "land", polygons)?;
    let (mut outers, mut holes) = (Vec::new(), Vec::new());
    for polygon in polygons {
        let Outline::Polygon(rings) = polygon.outline else { continue };
        let mut rings = rings.into_iter();
        outers.extend(rings.next());
        holes.extend(rings.filter_map(Ring::new));
    }
    let is_in_a_lake = |ring: &Vec<Spot>| {
        let Some(ring) = Ring::new(ring.clone()) else { return true };
        holes.iter().any(|hole| hole.holds(&ring))
    };
    outers.retain(|ring| !is_in_a_lake(ring));
    Ok(outers.into_iter().map(|ring| plain(Outline::Polygon(vec![ring]))).collect())
}

/// The package has put lakes among the oceans, of which they differ by their size.
fn lake(record: &Record<'_>) -> Vec<Item> {
    let is_small = |item: &Item| match &item.outline {
        Outline::Polygon(rings) => Frame::around(&rings[0])
            .is_some_and(|it| (it.high[0] - it.low[0]) * 360.0 < WIDEST_LAKE),
        _ => false,
    };
    let is_ocean = record.field("featurecla") == "Ocean";
    polygons(record).into_iter().filter(|item| !is_ocean || is_small(item)).collect()
}

fn river(record: &Record<'_>) -> Option<Item> {
    // The line goes on through lakes so that a river is whole; on a map that has the lakes it is too much.
    if record.field("featurecla") == "Lake Centerline" {
        return None;
    }
    let rank = record.number("scalerank")?.clamp(0.0, 10.0) as u8;
    let tags = vec![("rank".to_owned(), Value::Number(u64::from(rank)))];
    Some(Item { outline: lines(record)?, rank, tags })
}

/// Borders, with a tag on those that not everybody agrees on.
fn border(record: &Record<'_>) -> Option<Item> {
    let class = record.field("featurecla");
    if class.starts_with("Overlay") || class.starts_with("Lease") {
        return None;
    }
    let mut tags = Vec::new();
    // "ForgetMagics" is what the package calls the border of Western Sahara.
    let doubtful = ["Disputed", "Indefinite", "Indeterminant", "Line of control", "ForgetMagics"];
    if doubtful.iter().any(|it| class.starts_with(it)) {
        tags.push(("disputed".to_owned(), Value::Flag(true)));
    }
    Some(Item { outline: lines(record)?, rank: 0, tags })
}

fn lines(record: &Record<'_>) -> Option<Outline> {
    let Shape::Parts(parts) = &record.shape else { return None };
    Some(Outline::Lines(parts.iter().map(|part| spots(part)).collect()))
}

/// The polygons of a record.
///
/// The package does not keep to the rule that outer rings go clockwise, in 115 records of the 1:10m land.
fn polygons(record: &Record<'_>) -> Vec<Item> {
    let Shape::Parts(parts) = &record.shape else { return Vec::new() };
    // The end of a ring repeats its beginning.
    nested(parts.iter().map(|part| spots(&part[..part.len().saturating_sub(1)])))
}

fn spots(points: &[Point]) -> Vec<Spot> {
    points.iter().map(|&point| spot(point)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn people_are_rounded_to_two_digits() {
        check(756_000, 750_000);
        check(36_371, 36_000);
        check(7, 7);
        check(0, 0);
    }

    #[track_caller]
    fn check(people: u64, expected: u64) {
        assert_eq!(rounded(people), expected);
    }
}
