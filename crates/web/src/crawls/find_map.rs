//! The map of finds: where the places lie that relevant pages are about.

use crawl::RegionPart;
use earth::{Bounds, Point};
use gazetteer::{Gazetteer, Place, PlaceId};

use super::journal::Record;
use crate::map_data::outline;
use crate::wording::Language;

/// The size of the drawing.
const WIDTH: f64 = 600.0;
const HEIGHT: f64 = 400.0;
/// The map shows at least so many degrees, so that one village does not fill it.
const LEAST_DEGREES: f64 = 0.2;
/// So many places are drawn, those with most pages.
const MOST: usize = 300;
/// The picture shows the places of so many of the pages, of a hundred; strays may lie outside.
const SHOWN: u64 = 95;
/// So many places have their names beside them.
const MOST_NAMES: usize = 8;
/// Names nearer to each other than this would overlap: so wide and so high a letter is, about.
const LETTER: (f64, f64) = (7.0, 15.0);

/// The corners of a coast are so far apart at least, in units of the drawing; the drawing is sent with every find.
const COARSE: f64 = 4.0;

/// The map of finds as a page draws it.
pub(crate) struct FindMap {
    /// The lands, so that one sees where in the world it is.
    pub(crate) lands: String,
    /// The lines around the region.
    pub(crate) outlines: Vec<String>,
    pub(crate) finds: Vec<Find>,
    /// How many places lie outside the picture.
    pub(crate) outside: usize,
    /// The places with most pages.
    pub(crate) best: Vec<(String, u64)>,
}

/// A place on the map.
pub(crate) struct Find {
    pub(crate) x: String,
    pub(crate) y: String,
    pub(crate) radius: String,
    pub(crate) label: String,
    /// The name with where it begins and which of its ends is there, if there is room for it.
    pub(crate) name: Option<Name>,
    pub(crate) pages: u64,
    /// Whether the last relevant page is about it.
    pub(crate) is_last: bool,
}

/// A name on the map.
pub(crate) struct Name {
    pub(crate) text: String,
    pub(crate) x: String,
    pub(crate) y: String,
    pub(crate) anchor: &'static str,
}

/// The names that stand on the map already: left, right and height of each.
#[derive(Default)]
struct Names(Vec<(f64, f64, f64)>);

impl Names {
    /// The name beside its place, to the right or to the left, unless it would lie on another.
    fn beside(&mut self, name: &str, (x, y): (f64, f64), radius: f64) -> Option<Name> {
        let wide = name.chars().count() as f64 * LETTER.0;
        let gap = radius + 3.0;
        let is_right = x + gap + wide <= WIDTH;
        let left = if is_right { x + gap } else { x - gap - wide };
        let overlaps =
            |it: &(f64, f64, f64)| (it.2 - y).abs() < LETTER.1 && it.0 < left + wide && left < it.1;
        if self.0.len() >= MOST_NAMES || left < 0.0 || self.0.iter().any(overlaps) {
            return None;
        }
        self.0.push((left, left + wide, y));
        let at = if is_right { left } else { left + wide };
        Some(Name {
            text: name.to_owned(),
            x: format!("{at:.1}"),
            y: format!("{:.1}", (y + 4.0).clamp(LETTER.1, HEIGHT - 4.0)),
            anchor: if is_right { "start" } else { "end" },
        })
    }
}

/// How large the circle of a place is.
fn radius(pages: u64) -> f64 {
    4.0 + (pages as f64).ln_1p().min(7.0) * 1.6
}

/// West, south, east, north.
#[derive(Clone, Copy)]
struct Window {
    west: f64,
    south: f64,
    east: f64,
    north: f64,
}

impl FindMap {
    /// The map of a record, around a region; nothing if nothing was found yet.
    pub(crate) fn of(
        language: Language,
        gazetteer: &Gazetteer,
        region: &[String],
        record: &Record,
    ) -> Option<Self> {
        let mut found: Vec<_> = record
            .finds
            .iter()
            .filter_map(|(key, pages)| Some((gazetteer.by_key(key)?, *pages)))
            .collect();
        if found.is_empty() {
            return None;
        }
        found
            .sort_by(|one, other| other.1.cmp(&one.1).then_with(|| one.0.key().cmp(other.0.key())));
        let rings = rings(gazetteer, region);
        let window = Window::of(gazetteer, region, &rings, &found)?.with_margin();
        let outlines = rings.iter().map(|it| window.line(it)).collect();
        let lands = lands(gazetteer, window);
        let mut finds = Vec::new();
        let mut names = Names::default();
        let mut outside = 0;
        for (place, pages) in found.iter().take(MOST) {
            let Some((x, y)) = window.at(place.point()) else {
                outside += 1;
                continue;
            };
            finds.push(Find {
                x: format!("{x:.1}"),
                y: format!("{y:.1}"),
                radius: format!("{:.1}", radius(*pages)),
                label: place.label(),
                name: names.beside(&language.name(place), (x, y), radius(*pages)),
                pages: *pages,
                is_last: record.last_find.as_deref() == Some(place.key()),
            });
        }
        let best = found.iter().take(8).map(|it| (it.0.label(), it.1)).collect();
        Some(Self { lands, outlines, finds, outside, best })
    }
}

/// What the parts of a region were taken for.
fn parts(gazetteer: &Gazetteer, region: &[String]) -> Vec<RegionPart> {
    crawl::region(gazetteer, region).ok().flatten().map(|it| it.parts).unwrap_or_default()
}

/// The lines around the places of a region; what was drawn has none.
fn rings(gazetteer: &Gazetteer, region: &[String]) -> Vec<Vec<Point>> {
    let keys = parts(gazetteer, region).into_iter().filter_map(|it| it.key);
    let places = keys.filter_map(|it| gazetteer.by_key(&it).map(|it| it.id()));
    places.flat_map(|it| outline(gazetteer, it)).collect()
}

/// Where a part of a region is, also if there is no line around it: its point, or the corners of what was drawn.
fn region_points(gazetteer: &Gazetteer, part: &RegionPart) -> Vec<Point> {
    match &part.key {
        Some(key) => gazetteer.by_key(key).map(|it| it.point()).into_iter().collect(),
        None => drawn_points(&part.asked),
    }
}

fn drawn_points(text: &str) -> Vec<Point> {
    let corners = |it: Bounds| vec![Point::new(it.south, it.west), Point::new(it.north, it.east)];
    let drawn = match text.split_once(':') {
        Some(("circle", rest)) => query::Region::parse_circle(rest),
        Some(("box", rest)) => query::Region::parse_box(rest),
        Some(("polygon", rest)) => query::Region::parse_polygon(rest),
        _ => return Vec::new(),
    };
    match drawn {
        Ok(query::Region::Circle(center, far)) => corners(Bounds::around(center, far)),
        Ok(query::Region::Box(bounds)) => corners(bounds),
        Ok(query::Region::Polygon(ring)) => ring,
        Err(_) => Vec::new(),
    }
}

/// The countries that are seen, as one line.
fn lands(gazetteer: &Gazetteer, window: Window) -> String {
    let continents = gazetteer.children(PlaceId::WORLD);
    let countries = continents.flat_map(|it| gazetteer.children(it.id()));
    // To take an outline is much work, and most countries are elsewhere.
    let seen = countries.filter(|it| it.bounds().is_some_and(|it| window.may_show(it)));
    let rings = seen.flat_map(|it| outline(gazetteer, it.id()));
    rings.filter_map(|it| window.coarse_line(&it)).collect()
}

impl Window {
    /// What is around a region, and around as many of its places as most pages are about; without a region all places
    /// count.
    fn of(
        gazetteer: &Gazetteer,
        region: &[String],
        rings: &[Vec<Point>],
        found: &[(Place<'_>, u64)],
    ) -> Option<Self> {
        let parts = parts(gazetteer, region);
        let own = parts.iter().flat_map(|it| region_points(gazetteer, it));
        let mut points: Vec<Point> = own.chain(rings.iter().flatten().copied()).collect();
        let holders: Vec<PlaceId> =
            parts.iter().filter_map(|it| Some(gazetteer.by_key(it.key.as_ref()?)?.id())).collect();
        // A stray must not make the region a dot in the middle of the world.
        let counts = |it: &Place<'_>| {
            let lies_in =
                |holder: &PlaceId| *holder == it.id() || gazetteer.holds(*holder, it.id());
            parts.is_empty() || holders.iter().any(lies_in)
        };
        let counted: Vec<_> = found.iter().filter(|it| counts(&it.0)).collect();
        let all: u64 = counted.iter().map(|it| it.1).sum();
        let mut window = Self::around(points.iter().copied());
        let mut shown = 0;
        for (place, pages) in counted {
            if shown * 100 >= all * SHOWN {
                break;
            }
            points.push(place.point());
            window = Self::around(points.iter().copied());
            shown += pages;
        }
        window
    }

    fn around(points: impl Iterator<Item = Point>) -> Option<Self> {
        let grow = |window: Option<Self>, it: Point| {
            let so_far =
                window.unwrap_or(Self { west: it.lon, south: it.lat, east: it.lon, north: it.lat });
            Some(Self {
                west: so_far.west.min(it.lon),
                south: so_far.south.min(it.lat),
                east: so_far.east.max(it.lon),
                north: so_far.north.max(it.lat),
            })
        };
        points.fold(None, grow)
    }

    /// A little wider, and in the shape of the drawing.
    fn with_margin(self) -> Self {
        let (lat, lon) =
            (f64::midpoint(self.south, self.north), f64::midpoint(self.west, self.east));
        let squeeze = squeeze(lat);
        let tall = ((self.north - self.south) * 1.15).max(LEAST_DEGREES);
        let wide = ((self.east - self.west) * squeeze * 1.15).max(LEAST_DEGREES);
        let tall = tall.max(wide * HEIGHT / WIDTH);
        let wide = (tall * WIDTH / HEIGHT) / squeeze;
        Self {
            west: lon - wide / 2.0,
            south: lat - tall / 2.0,
            east: lon + wide / 2.0,
            north: lat + tall / 2.0,
        }
    }

    fn project(&self, point: Point) -> (f64, f64) {
        let x = (point.lon - self.west) / (self.east - self.west) * WIDTH;
        let y = (self.north - point.lat) / (self.north - self.south) * HEIGHT;
        (x, y)
    }

    /// Whether something of a box may be in the drawing; of one across the date line something always may.
    fn may_show(&self, bounds: Bounds) -> bool {
        let is_level = bounds.south <= self.north && bounds.north >= self.south;
        let is_beside = bounds.east < self.west || bounds.west > self.east;
        is_level && (bounds.west > bounds.east || !is_beside)
    }

    /// Where a point is in the drawing, unless it is outside.
    fn at(&self, point: Point) -> Option<(f64, f64)> {
        let (x, y) = self.project(point);
        ((0.0..=WIDTH).contains(&x) && (0.0..=HEIGHT).contains(&y)).then_some((x, y))
    }

    /// A line without what is too small to be seen; nothing if little is left, or nothing of it in the drawing.
    fn coarse_line(&self, ring: &[Point]) -> Option<String> {
        let mut kept: Vec<(f64, f64)> = Vec::new();
        for point in ring {
            let (x, y) = self.project(*point);
            // What is far outside lies on one line there, and mostly falls together.
            let (x, y) = (x.clamp(-WIDTH, 2.0 * WIDTH), y.clamp(-HEIGHT, 2.0 * HEIGHT));
            let is_apart = |last: &(f64, f64)| (x - last.0).hypot(y - last.1) >= COARSE;
            if kept.last().is_none_or(is_apart) {
                kept.push((x, y));
            }
        }
        let reaches = |low: f64, high: f64, of: fn(&(f64, f64)) -> f64| {
            kept.iter().any(|it| of(it) > low) && kept.iter().any(|it| of(it) < high)
        };
        let is_seen = reaches(0.0, WIDTH, |it| it.0) && reaches(0.0, HEIGHT, |it| it.1);
        let corners: Vec<String> = kept.iter().map(|(x, y)| format!("{x:.0} {y:.0}")).collect();
        (is_seen && kept.len() > 3).then(|| format!("M{}Z", corners.join("L")))
    }

    fn line(&self, ring: &[Point]) -> String {
        let points = ring.iter().map(|it| {
            let (x, y) = self.project(*it);
            format!("{x:.1} {y:.1}")
        });
        format!("M{}Z", points.collect::<Vec<_>>().join(" L"))
    }
}

/// How much narrower a degree of longitude is than one of latitude; near the poles no narrower than a tenth.
fn squeeze(lat: f64) -> f64 {
    lat.to_radians().cos().max(0.1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(places: &[(&str, u64)]) -> Record {
        let key = |name: &str| world::gazetteer().geocode(name, None, 1)[0].place.key().to_owned();
        let finds = places.iter().map(|it| (key(it.0), it.1)).collect();
        Record { finds, ..Record::default() }
    }

    #[test]
    fn finds_are_drawn_within_their_region() {
        let record = record(&[("Oldenburg, Germany", 5), ("Hannover, Germany", 1), ("Tokyo", 1)]);
        let map = FindMap::of(
            Language::English,
            world::gazetteer(),
            &["Lower Saxony".to_owned()],
            &record,
        );
        let map = map.expect("something was found");
        assert_eq!((map.finds.len(), map.outside), (2, 1));
        assert!(!map.outlines.is_empty());
        assert!(map.lands.starts_with('M') && map.lands.len() < 20_000, "{}", map.lands.len());
        assert_eq!(map.best[0], ("Oldenburg, Lower Saxony, Germany".to_owned(), 5));
    }

    #[test]
    fn a_region_of_two_far_towns_is_shown_whole_and_a_stray_is_not() {
        let record = record(&[("Helsinki", 513), ("Monaco, Monaco", 340), ("Jos, Nigeria", 2)]);
        let region = ["gn:658225", "gn:2993457"].map(str::to_owned);
        let shown = |region: &[String]| {
            let map = FindMap::of(Language::English, world::gazetteer(), region, &record);
            let map = map.expect("something was found");
            let labels: Vec<String> = map.finds.iter().map(|it| it.label.clone()).collect();
            let names: Vec<String> =
                map.finds.iter().filter_map(|it| Some(it.name.as_ref()?.text.clone())).collect();
            (labels.len(), map.outside, names)
        };
        let expected = (2, 1, vec!["Helsinki".to_owned(), "Monaco".to_owned()]);
        assert_eq!(shown(&region), expected);
        // Where the task names no region, the finds alone tell where to look.
        assert_eq!(shown(&[]), expected);
    }

    #[test]
    fn names_on_the_map_do_not_overlap() {
        let mut names = Names::default();
        assert!(names.beside("Helsinki", (300.0, 200.0), 5.0).is_some());
        assert!(names.beside("Keskusta", (303.0, 205.0), 5.0).is_none());
        let last = names.beside("Vladivostok", (595.0, 205.0), 5.0).expect("there is room");
        assert_eq!(last.anchor, "end");
    }

    #[test]
    fn only_countries_that_reach_the_drawing_are_drawn() {
        let window = Window { west: 5.0, south: 50.0, east: 10.0, north: 55.0 };
        let shown = [
            Bounds::new(47.0, 6.0, 55.0, 15.0),
            Bounds::new(47.0, 10.5, 55.0, 15.0),
            Bounds::new(40.0, 6.0, 49.0, 15.0),
            Bounds::new(41.0, 19.0, 82.0, -169.0),
        ]
        .map(|it| window.may_show(it));
        assert_eq!(shown, [true, false, false, true]);
    }

    #[test]
    fn without_finds_there_is_no_map() {
        assert!(
            FindMap::of(Language::English, world::gazetteer(), &[], &Record::default()).is_none()
        );
        let strange = Record { finds: [("nothing".to_owned(), 1)].into(), ..Record::default() };
        assert!(FindMap::of(Language::English, world::gazetteer(), &[], &strange).is_none());
    }

    #[test]
    fn a_single_place_is_in_the_middle() {
        let map =
            FindMap::of(Language::English, world::gazetteer(), &[], &record(&[("Helsinki", 1)]));
        let map = map.expect("something was found");
        assert_eq!((map.finds[0].x.as_str(), map.finds[0].y.as_str()), ("300.0", "200.0"));
    }

    #[test]
    fn places_have_the_names_that_the_reader_has_for_them() {
        let record = record(&[("Munich, Germany", 3)]);
        let map = FindMap::of(Language::German, world::gazetteer(), &[], &record);
        let name = map.and_then(|it| it.finds.into_iter().next()?.name);
        assert_eq!(name.map(|it| it.text).as_deref(), Some("München"));
    }
}
