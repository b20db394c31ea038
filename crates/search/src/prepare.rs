//! From a query to what is wanted: words to terms, relations to ground.

use std::collections::HashMap;

use earth::{Meters, Point};
use gazetteer::{Gazetteer, Kind, PlaceId, Precision, Relation as Lie};
use index::{Error, Generation, Topic, terms_of_word};
use query::{Anchor, Query, Region, Relation, Sort, Space, Spot, Term};

use crate::ground::{Ground, Places};
use crate::reach::Reach;
use crate::wanted::{Order, Wanted, Wish};

/// With so many points around, "near" need not reach farther.
const ENOUGH_POINTS: usize = 30;
/// "Near" shrinks at most so much where there is much, and grows at most so much where there is little.
const SHRINK: f64 = 0.25;
/// See [`SHRINK`].
const GROW: f64 = 12.0;
/// Farther than so many times the usual scale nobody calls near: 56 km for a city of half a million, 17 km for a village.
const NEAR_END: f64 = 10.0;
/// And so much farther than its edge not even of a country.
const NEAR_MOST: f64 = 100_000.0;
/// "Around" reaches so much farther than "near".
const AROUND: f64 = 2.0;
/// At so many times as far as "near" of a place of the kind, what lies in a direction is half as good as beside the place:
/// 25 km for a city of half a million. That is where "near" has long ended, since who names a direction looks out of the place.
const FADE: f64 = 5.0;
/// A direction has no end, but it ends where what lies there counts less than a tenth: nobody north of Edinburgh means
/// Norway. That is 270 km for a city of half a million, 70 km for a village, 5,000 km for a country.
const SECTOR: f64 = 10.0 * FADE;
/// The way over a point between two others may be so much longer than the straight one.
pub(crate) const DETOUR: f64 = 0.15;
/// The corridor along a line is so much of its length wide, to each side.
const CORRIDOR: f64 = 0.05;
/// And at least so wide.
const LEAST_CORRIDOR: f64 = 5_000.0;
/// What is "at" an address is no farther from it than this.
const AT: Meters = Meters(250.0);

/// Makes a query ready to run.
pub(crate) fn prepare(
    generation: &Generation,
    gazetteer: &Gazetteer,
    query: &Query,
) -> Result<Wanted, Error> {
    let theme = &query.theme;
    let languages: Vec<String> = if theme.languages.is_empty() {
        generation.languages().to_vec()
    } else {
        theme.languages.clone()
    };
    // Words that every text has say nothing, unless they are all there is.
    let says_something = |it: &&Term| !it.is_excluded && !it.is_common;
    let only_common = !theme.terms.iter().any(|it| says_something(&it));
    let wanted = theme.terms.iter().filter(|it| !it.is_excluded && (only_common || !it.is_common));
    let refused = theme.terms.iter().filter(|it| it.is_excluded);
    let day = |date: jiff::civil::Date| {
        date.to_zoned(jiff::tz::TimeZone::UTC).map_or(0, |it| it.timestamp().as_second())
    };
    let ground = match &query.space {
        Some(space) => ground(generation, gazetteer, space)?,
        None => Ground::Anywhere,
    };
    Ok(Wanted {
        wishes: wanted.flat_map(|it| wishes(it, &languages)).collect(),
        refused: refused.flat_map(|it| wishes(it, &languages)).collect(),
        sites: theme.sites.clone(),
        not_sites: theme.not_sites.clone(),
        languages: theme.languages.clone(),
        topics: topics(generation, &theme.topics)?,
        after: theme.after.map(day),
        before: theme.before.map(day),
        near: ground.near(),
        ground,
        order: match query.sort {
            Sort::Relevance => Order::Score,
            Sort::Distance => Order::Distance,
            Sort::Time => Order::Time,
        },
        collapses: true,
    })
}

/// The topics that are meant: those of the name or, where there is none, those that have its words in theirs.
fn topics(generation: &Generation, asked: &[String]) -> Result<Vec<String>, Error> {
    let mut meant = Vec::new();
    for asked in asked {
        let asked = text::fold(asked);
        let known = generation.topics()?;
        let has_words = |topic: &&Topic| {
            asked.split(' ').all(|word| topic.folded.split(' ').any(|it| it == word))
        };
        let is_named = known.iter().any(|it| it.folded == asked);
        if !is_named {
            meant.extend(known.iter().filter(has_words).map(|it| it.folded.clone()));
        }
        // Also if nothing is called so: then nothing is found.
        meant.push(asked);
    }
    Ok(meant)
}

/// What a term of a query asks of the words of a document.
fn wishes(term: &Term, languages: &[String]) -> Vec<Wish> {
    let words: Vec<String> = term.words.iter().flat_map(|it| text::terms(it)).collect();
    let wish = |terms: Vec<String>, is_phrase: bool, text: String| Wish {
        terms,
        is_phrase,
        in_title: term.in_title,
        text,
    };
    match words.as_slice() {
        [] => Vec::new(),
        [word] if term.is_phrase => vec![wish(vec![word.clone()], false, term.text.clone())],
        [word] => vec![wish(terms_of_word(word, languages), false, term.text.clone())],
        // What is one word to the reader and several to the index, as in "auto-école" or 東京, is a phrase.
        _ => vec![wish(words, true, term.text.clone())],
    }
}

/// The ground that a relation to a place means.
fn ground(generation: &Generation, gazetteer: &Gazetteer, space: &Space) -> Result<Ground, Error> {
    let Some(anchor) = space.anchors.first() else { return Ok(Ground::Anywhere) };
    let whole = place_of(anchor);
    let center = point_of(gazetteer, anchor);
    let near = || scale(generation, gazetteer, anchor);
    let core = || core(gazetteer, anchor);
    let points = |reach: Reach| Ground::Points { reach, not_in: None };
    let nearby = |scale: Meters| {
        let usual = (usual_scale_of(gazetteer, anchor) * NEAR_END).min(NEAR_MOST);
        let end = (farthest_corner(gazetteer, anchor) + usual).max(scale.0 + core().0);
        Reach::near(center, scale, core()).ending(Meters(end))
    };
    Ok(match (space.relation, &anchor.at) {
        (Relation::Outside, Spot::Drawn(_)) => points(nearby(near())),
        (_, Spot::Drawn(region)) => match drawn(region) {
            Some(reach) => points(reach),
            None => Ground::Places(Places::default()),
        },
        (Relation::In | Relation::At, Spot::Place(place)) if !is_spot(gazetteer, *place) => {
            Ground::Places(Places {
                within: vec![*place],
                center: Some(center),
                ..Places::default()
            })
        }
        // Of an address that is known by its town alone, the town is meant.
        (Relation::In | Relation::At, Spot::Address { place: Some(place), precision, .. })
            if *precision <= Precision::City =>
        {
            let within = vec![*place];
            Ground::Places(Places { within, center: Some(center), ..Places::default() })
        }
        (Relation::In | Relation::At, _) => points(Reach::ring(center, Meters(0.0), AT)),
        (Relation::Near, _) => points(nearby(near())),
        (Relation::Around, _) => points(nearby(Meters(near().0 * AROUND))),
        (Relation::Within(far), _) => {
            points(Reach::ring(center, Meters(0.0), Meters(far.0 + core().0)))
        }
        (Relation::Ring(from, to), _) => {
            let core = core();
            points(Reach::ring(center, Meters(from.0 + core.0), Meters(to.0 + core.0)))
        }
        (Relation::Outside, _) => Ground::Points { reach: nearby(near()), not_in: whole },
        (Relation::Toward(compass), _) => {
            // How much there is at the place itself says nothing about how far one looks out of it.
            let near = usual_scale_of(gazetteer, anchor);
            let to = Meters(near * SECTOR + core().0);
            // A place is left behind first; of an address that is known there is nothing to leave.
            let from = match &anchor.at {
                Spot::Address { precision, .. } if *precision >= Precision::Spot => 0.0,
                _ => own_radius(gazetteer, anchor).min(to.0 / 4.0),
            };
            let from = Meters(from);
            let fade = Meters(near * FADE);
            points(Reach::sector(center, compass.bearing().degrees(), from, to, fade))
        }
        (Relation::Between, _) => match space.anchors.get(1) {
            Some(other) => points(Reach::between(center, point_of(gazetteer, other), DETOUR)),
            None => points(nearby(near())),
        },
        (Relation::Along, _) => {
            let line: Vec<Point> = space.anchors.iter().map(|it| point_of(gazetteer, it)).collect();
            let length: f64 = line.windows(2).map(|it| it[0].distance(it[1]).0).sum();
            let width = Meters((length * CORRIDOR).max(LEAST_CORRIDOR));
            Reach::along(&line, width).map_or_else(|| points(nearby(near())), points)
        }
        (Relation::Overlaps, Spot::Place(place)) => {
            Ground::Places(overlapping(generation, gazetteer, *place)?)
        }
        (Relation::NextTo, Spot::Place(place)) if !is_spot(gazetteer, *place) => beside(
            gazetteer, *place,
        )
        .map_or_else(|| Ground::Points { reach: nearby(near()), not_in: whole }, Ground::Places),
        (Relation::Overlaps | Relation::NextTo, _) => {
            points(Reach::ring(center, Meters(0.0), Meters(AT.0 * 2.0)))
        }
    })
}

/// The region somebody drew; nothing for a polygon without an inside.
fn drawn(region: &Region) -> Option<Reach> {
    match region {
        Region::Box(bounds) => Some(Reach::bounds(*bounds)),
        Region::Circle(center, radius) => Some(Reach::ring(*center, Meters(0.0), *radius)),
        Region::Polygon(ring) => Reach::polygon(ring.clone()),
    }
}

/// The place of an anchor.
pub(crate) fn place_of(anchor: &Anchor) -> Option<PlaceId> {
    match &anchor.at {
        Spot::Place(place) => Some(*place),
        Spot::Address { place, .. } => *place,
        _ => None,
    }
}

/// The point of an anchor.
pub(crate) fn point_of(gazetteer: &Gazetteer, anchor: &Anchor) -> Point {
    match &anchor.at {
        Spot::Place(place) => gazetteer.place(*place).point(),
        Spot::Address { point, .. } | Spot::Point(point) | Spot::Me(point) => *point,
        Spot::Drawn(Region::Box(bounds)) => bounds.center(),
        Spot::Drawn(Region::Circle(center, _)) => *center,
        Spot::Drawn(Region::Polygon(ring)) => earth::Bounds::of(ring.iter().copied())
            .map_or_else(Point::default, earth::Bounds::center),
    }
}

/// How far from its middle a place is looked for that has no ground of its own to look on, such as a street; nothing
/// for others.
pub fn reach_of_spot(gazetteer: &Gazetteer, place: PlaceId) -> Option<Meters> {
    is_spot(gazetteer, place).then_some(AT)
}

/// True for places that nothing lies in: a street, a sight, an airport.
fn is_spot(gazetteer: &Gazetteer, place: PlaceId) -> bool {
    let place = gazetteer.place(place);
    matches!(place.kind(), Kind::Street | Kind::Airport | Kind::Poi)
        || (place.kind() == Kind::Feature && !place.has_outline())
}

/// How far "near" reaches: by the kind of place, and by how much there is around.
fn scale(generation: &Generation, gazetteer: &Gazetteer, anchor: &Anchor) -> Meters {
    let usual = usual_scale_of(gazetteer, anchor);
    let center = point_of(gazetteer, anchor);
    // The distance within which there are enough points, all shards together.
    let mut nearest: Vec<f64> = generation
        .shards
        .iter()
        .flat_map(|it| it.space.nearest(center, ENOUGH_POINTS))
        .map(|it| it.1.distance(center).0)
        .collect();
    nearest.sort_by(f64::total_cmp);
    let enough = nearest.get(ENOUGH_POINTS - 1).or(nearest.last()).copied().unwrap_or(usual);
    Meters(enough.clamp(usual * SHRINK, usual * GROW))
}

/// How far "near" reaches by the kind of anchor alone.
fn usual_scale_of(gazetteer: &Gazetteer, anchor: &Anchor) -> f64 {
    match &anchor.at {
        Spot::Place(place) => usual_scale(gazetteer, *place),
        Spot::Drawn(_) => 5_000.0,
        _ => 1_000.0,
    }
}

/// How far "near" reaches by the kind of place alone.
fn usual_scale(gazetteer: &Gazetteer, place: PlaceId) -> f64 {
    let place = gazetteer.place(place);
    match place.kind() {
        Kind::World | Kind::Continent => 1_000_000.0,
        Kind::Country => 100_000.0,
        Kind::Region => 40_000.0,
        Kind::County => 15_000.0,
        Kind::Municipality => 5_000.0,
        // A town of 10,000 has 2 km, a city of a million 6 km.
        Kind::City => 500.0 * ((place.population().max(300)) as f64).powf(0.18),
        Kind::District | Kind::Postcode => 2_000.0,
        Kind::Airport => 3_000.0,
        Kind::Street | Kind::Poi => 1_000.0,
        Kind::Feature => own_radius_of(gazetteer, place.id()).max(2_000.0),
    }
}

/// What is nearer to the middle of a wide place than this is in it.
fn core(gazetteer: &Gazetteer, anchor: &Anchor) -> Meters {
    match &anchor.at {
        Spot::Place(place) if gazetteer.place(*place).kind() < Kind::City => {
            Meters(own_radius_of(gazetteer, *place) * 0.7)
        }
        _ => Meters(0.0),
    }
}

/// How far a place reaches from its middle at most: nothing in it is farther.
fn farthest_corner(gazetteer: &Gazetteer, anchor: &Anchor) -> f64 {
    let Some(place) = place_of(anchor).map(|it| gazetteer.place(it)) else { return 0.0 };
    let corners = place.bounds().into_iter().flat_map(|it| {
        [(it.south, it.west), (it.south, it.east), (it.north, it.west), (it.north, it.east)]
    });
    let far = corners.map(|(lat, lon)| place.point().distance(Point::new(lat, lon)).0);
    far.fold(0.0, f64::max)
}

fn own_radius(gazetteer: &Gazetteer, anchor: &Anchor) -> f64 {
    place_of(anchor).map_or(0.0, |it| own_radius_of(gazetteer, it))
}

/// About how far a place reaches from its middle.
fn own_radius_of(gazetteer: &Gazetteer, place: PlaceId) -> f64 {
    let place = gazetteer.place(place);
    match (place.bounds(), place.kind()) {
        (Some(bounds), _) => {
            let height = Point::new(bounds.south, bounds.west)
                .distance(Point::new(bounds.north, bounds.west))
                .0;
            let middle = f64::midpoint(bounds.south, bounds.north);
            let width = Point::new(middle, bounds.west).distance(Point::new(middle, bounds.east)).0;
            (height * width / std::f64::consts::PI).sqrt()
        }
        (None, Kind::City) => index::city_radius(place.population()),
        (None, Kind::County) => 15_000.0,
        (None, Kind::Region) => 80_000.0,
        (None, Kind::Country) => 200_000.0,
        _ => 500.0,
    }
}

/// Places that share ground with a place: all in it, what holds it, and what overlaps it, by how much they share.
fn overlapping(
    generation: &Generation,
    gazetteer: &Gazetteer,
    place: PlaceId,
) -> Result<Places, Error> {
    let mut naming = HashMap::new();
    let own = gazetteer.place(place);
    if let Some(bounds) = own.bounds() {
        for other in generation.places_in(gazetteer, bounds)? {
            let share = match gazetteer.relation(place, other) {
                Lie::Within => shared(gazetteer, other, place),
                Lie::Overlaps => shared(gazetteer, other, place).max(0.1),
                // What it contains is found by the hierarchy.
                Lie::Equal | Lie::Contains | Lie::Adjacent | Lie::Disjoint => continue,
            };
            naming.insert(other.0, share);
        }
    }
    for holder in gazetteer.ancestors(place).filter(|it| it.kind() > Kind::Continent) {
        naming.entry(holder.id().0).or_insert_with(|| shared(gazetteer, holder.id(), place));
    }
    Ok(Places { within: vec![place], naming, center: Some(own.point()), ..Places::default() })
}

/// About how much of the ground of a place another, that it overlaps, has: by their boxes.
fn shared(gazetteer: &Gazetteer, whole: PlaceId, part: PlaceId) -> f32 {
    let (large, small) = (own_radius_of(gazetteer, whole), own_radius_of(gazetteer, part));
    ((small * small) / (large * large)).clamp(0.02, 1.0).sqrt() as f32
}

/// The neighbours of a place, without the place itself; nothing if nobody knows them.
fn beside(gazetteer: &Gazetteer, place: PlaceId) -> Option<Places> {
    let within: Vec<PlaceId> =
        gazetteer.neighbours(place).iter().map(gazetteer::Place::id).collect();
    let center = Some(gazetteer.place(place).point());
    (!within.is_empty()).then(|| Places {
        within,
        not_in: Some(place),
        center,
        ..Places::default()
    })
}
