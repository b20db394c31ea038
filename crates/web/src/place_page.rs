//! The place page: a place, what it is part of, its parts, and the pages about it.

mod parts;

use askama::Template;
use axum::extract::{Path, Query, RawQuery, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Redirect, Response};
use earth::{Bounds, Meters};
use gazetteer::{Gazetteer, Kind, Place, PlaceId, Relation};
use index::Generation;
use search::{Answer, Engine, Options, reach_of_spot};
use serde::Deserialize;
use serde_json::json;

use self::parts::{Parts, counts};
use crate::app::App;
use crate::aside::aside;
use crate::card::{Card, direction, place_link};
use crate::credits;
use crate::frame::{Frame, page};
use crate::inquiry::Refusal;
use crate::map_data::{island, outline};
use crate::message_page::message;
use crate::parameters::{PER_PAGE, Parameters};
use crate::shelf::Shelf;

/// So many neighbours are listed.
const MOST_NEIGHBOURS: usize = 50;
/// So many places nearby are listed.
const MOST_NEARBY: usize = 12;
/// So many of the nearest places are asked whether they have pages about a theme.
const MOST_ASKED: usize = 48;
/// Places with pages are looked for no farther than this.
const NEARBY: Meters = Meters(50_000.0);
/// So many places, the best known, are compared by their shapes; comparing takes up to a millisecond.
const MOST_COMPARED: usize = 40;

/// What is asked of a place's page, and of the picture on it.
#[derive(Debug, Default, Deserialize)]
pub(crate) struct Asked {
    /// A theme to browse within.
    #[serde(default)]
    theme: String,
    #[serde(default)]
    page: String,
    /// Which page of the parts.
    #[serde(default)]
    parts: String,
}

impl Asked {
    /// Which page of the list is asked for, from 1.
    pub(crate) fn number(&self, frame: &Frame) -> Result<usize, Refusal> {
        page_number(frame, &self.page)
    }

    /// The query for the pages about a place, within the theme.
    fn query(&self, place: &Place<'_>) -> String {
        let theme = self.theme.trim();
        let sign = if theme.is_empty() { "" } else { ", " };
        match place.kind() {
            Kind::World => format!("{theme}{sign}[]"),
            _ => format!("{theme}{sign}in [{} {}]", place.name(), place.key()),
        }
    }
}

/// The number of a page as it stands in an address, from 1.
fn page_number(frame: &Frame, text: &str) -> Result<usize, Refusal> {
    let text = text.trim();
    let number = if text.is_empty() { Some(1) } else { text.parse().ok() };
    let unreadable = || Refusal::bad(frame.fill("“{}” is no number of a page.", text));
    number.map(|it: usize| it.max(1)).ok_or_else(unreadable)
}

#[derive(Template)]
#[template(path = "place.html")]
struct PlacePage<'a> {
    frame: &'a Frame,
    here: String,
    name: String,
    kind: &'static str,
    theme: &'a str,
    trail: Vec<(String, String)>,
    facts: Vec<(&'static str, String)>,
    count: String,
    parts: Parts,
    cards: Vec<Card>,
    previous: Option<String>,
    next: Option<String>,
    nearby: Vec<Near>,
    relatives: Vec<(&'static str, Vec<(String, String)>)>,
    search: String,
    map: String,
    static_map: String,
    /// Whose map it is, as HTML.
    credits: String,
}

/// A place nearby with pages.
struct Near {
    name: String,
    link: String,
    pages: u64,
    /// How far it is, and in which direction.
    way: String,
}

/// Shows the world.
pub(crate) async fn world(
    frame: Frame,
    State(app): State<App>,
    Query(asked): Query<Asked>,
) -> Response {
    show(frame, app, PlaceId::WORLD, asked).await
}

/// Shows a place; its name in the address is for who reads it.
pub(crate) async fn place(
    frame: Frame,
    State(app): State<App>,
    Path((key, _)): Path<(String, String)>,
    Query(asked): Query<Asked>,
) -> Response {
    match app.shelf.gazetteer().by_key(&key).map(|it| it.id()) {
        Some(id) => show(frame, app, id, asked).await,
        None => message(&frame, StatusCode::NOT_FOUND, &frame.fill("There is no place {}.", key)),
    }
}

/// Leads from the bare key to the page, with all that was asked of it.
pub(crate) async fn bare(
    frame: Frame,
    State(app): State<App>,
    Path(key): Path<String>,
    RawQuery(asked): RawQuery,
) -> Response {
    match app.shelf.gazetteer().by_key(&key) {
        Some(place) => {
            let asked = asked.map(|it| format!("?{it}")).unwrap_or_default();
            Redirect::permanent(&format!("{}{asked}", place_link(&place))).into_response()
        }
        None => message(&frame, StatusCode::NOT_FOUND, &frame.fill("There is no place {}.", key)),
    }
}

async fn show(frame: Frame, app: App, id: PlaceId, asked: Asked) -> Response {
    let shown = {
        let frame = frame.clone();
        aside(move || render(&frame, &app, id, &asked)).await
    };
    shown.unwrap_or_else(|it| message(&frame, it.status, &it.fact))
}

fn render(frame: &Frame, app: &App, id: PlaceId, asked: &Asked) -> Result<Response, Refusal> {
    let shelf = &app.shelf;
    let gazetteer = shelf.gazetteer();
    let place = gazetteer.place(id);
    let generation = shelf.generation();
    let is_world = place.kind() == Kind::World;
    let theme = asked.theme.trim();
    let number = asked.number(frame)?;
    let parts_number = page_number(frame, &asked.parts)?;
    let answer = listed(shelf, &generation, &place, asked, number)?;
    let counts = counts(&generation, gazetteer, id, theme, answer.as_ref())?;
    let name_of = |it: &Place<'_>| (frame.language.name(it), themed(&place_link(it), theme));
    let total = answer.as_ref().and_then(|it| it.total).unwrap_or(0);
    let skipped = (number - 1) * PER_PAGE;
    let cards: Vec<Card> = answer
        .iter()
        .flat_map(|it| it.hits.iter().zip(skipped + 1..))
        .map(|(hit, number)| Card::of(gazetteer, frame, hit, number))
        .collect();
    let here = place_link(&place);
    let other_page = |to: usize| format!("{}page={to}", separated(&themed(&here, theme)));
    let points: Vec<_> = cards.iter().filter_map(|card| {
        let at = card.place.as_ref()?;
        let (lat, lon): (f64, f64) = (at.lat.parse().ok()?, at.lon.parse().ok()?);
        Some(json!({ "lon": lon, "lat": lat, "label": at.label, "link": card.copy, "number": card.number }))
    }).collect();
    let rings: Vec<Vec<[f64; 2]>> = outline(gazetteer, id)
        .iter()
        .map(|ring| ring.iter().map(|it| [it.lon, it.lat]).collect())
        .collect();
    let bounds = place.bounds().filter(|_| !is_world);
    let center = place.point();
    let data = json!({
        "rings": rings,
        "points": points,
        "center": (!is_world).then_some([center.lon, center.lat]),
        "isDot": is_dot(&place, &rings),
        "frame": bounds.map(|it| [it.west, it.south, it.east, it.north]),
    });
    let mut trail: Vec<(String, String)> = gazetteer.ancestors(id).map(|it| name_of(&it)).collect();
    trail.reverse();
    let is_whole = is_world && theme.is_empty();
    let template = PlacePage {
        frame,
        here: here.clone(),
        name: if is_world {
            frame.say("The world").to_owned()
        } else {
            frame.language.name(&place)
        },
        kind: kind_name(frame, place.kind()),
        theme,
        trail,
        facts: facts(frame, &place),
        count: count(
            frame,
            theme,
            reach_of_spot(gazetteer, id),
            if is_whole { generation.manifest.documents() } else { total },
        ),
        parts: Parts::of(frame, gazetteer, id, theme, &counts, parts_number),
        previous: (number > 1).then(|| other_page(number - 1)),
        next: (skipped + cards.len() < total as usize).then(|| other_page(number + 1)),
        cards,
        nearby: if is_world {
            Vec::new()
        } else {
            nearby(frame, shelf, &generation, &place, asked)?
        },
        relatives: if is_world {
            Vec::new()
        } else {
            relatives(frame, &generation, gazetteer, &place, theme)?
        },
        search: Parameters::of(asked.query(&place)).link(),
        map: island(app, data),
        static_map: picture(&place, theme, number),
        credits: credits::line(app),
    };
    Ok(page(StatusCode::OK, &template))
}

/// How many pages there are about the place, or around one that has no ground of its own, within the theme.
fn count(frame: &Frame, theme: &str, reach: Option<Meters>, pages: u64) -> String {
    let told = match (pages, theme.is_empty()) {
        (1, true) => frame.say("One page about this place").to_owned(),
        (1, false) => frame.fill("One page about {} here", theme),
        (_, true) => frame.fill("{} pages about this place", frame.number(&pages)),
        (_, false) => frame.fill2("{} pages about {} here", frame.number(&pages), theme),
    };
    match reach {
        Some(reach) => frame.fill2("{}, or within {} m of it", told, reach.0),
        None => told,
    }
}

/// True for a place that is drawn as a dot: one whose shape is not known.
pub(crate) fn is_dot<Ring>(place: &Place<'_>, rings: &[Ring]) -> bool {
    place.kind() != Kind::World && rings.is_empty()
}

/// The address of the picture for people without scripts, which has the pins of the list.
fn picture(place: &Place<'_>, theme: &str, number: usize) -> String {
    let mut pairs = url::form_urlencoded::Serializer::new(String::new());
    pairs.append_pair("place", place.key());
    if !theme.is_empty() {
        pairs.append_pair("theme", theme);
    }
    if number > 1 {
        pairs.append_pair("page", &number.to_string());
    }
    format!("/map.svg?{}", pairs.finish())
}

/// The pages about the place that its list has; nothing for the whole world without a theme.
pub(crate) fn listed(
    shelf: &Shelf,
    generation: &Generation,
    place: &Place<'_>,
    asked: &Asked,
    number: usize,
) -> Result<Option<Answer>, Refusal> {
    let parameters = Parameters { page: Some(number), ..Parameters::of(asked.query(place)) };
    let understood = crate::inquiry::understand(shelf, &parameters, None)?;
    if understood.query.theme.is_empty() && understood.query.space.is_none() {
        return Ok(None);
    }
    let skip = (number - 1).saturating_mul(PER_PAGE);
    if skip > search::FARTHEST {
        return Err(Refusal::bad("there are no so many pages: go back to an earlier one"));
    }
    let options = Options { skip, parts_of: Some(place.id()), ..Options::default() };
    let engine = Engine::new(generation, shelf.gazetteer());
    engine.answer(&understood.query, &options).map(Some).map_err(|it| Refusal::broken(&it))
}

fn facts(frame: &Frame, place: &Place<'_>) -> Vec<(&'static str, String)> {
    if place.kind() == Kind::World {
        return Vec::new();
    }
    let at = place.point();
    let mut facts = vec![
        (frame.say("Latitude"), format!("{:.5}", at.lat)),
        (frame.say("Longitude"), format!("{:.5}", at.lon)),
    ];
    if place.population() > 0 {
        facts.push((frame.say("Population"), frame.number(&place.population())));
    }
    let mut names: Vec<&str> =
        place.names().map(|it| it.1).filter(|it| *it != place.name()).collect();
    names.dedup();
    names.truncate(12);
    if !names.is_empty() {
        facts.push((frame.say("Other names"), names.join(", ")));
    }
    facts.push((frame.say("Key"), place.key().to_owned()));
    facts
}

/// Places nearby that have pages about the theme, with how far they are.
fn nearby(
    frame: &Frame,
    shelf: &Shelf,
    generation: &Generation,
    place: &Place<'_>,
    asked: &Asked,
) -> Result<Vec<Near>, Refusal> {
    let (here, gazetteer) = (place.point(), shelf.gazetteer());
    let around = Bounds::around(here, NEARBY);
    let found = generation.places_in(gazetteer, around).map_err(|it| Refusal::broken(&it))?;
    let is_other = |it: &PlaceId| {
        *it != place.id() && !gazetteer.holds(*it, place.id()) && !gazetteer.holds(place.id(), *it)
    };
    let mut near: Vec<(f64, Place<'_>)> = found
        .into_iter()
        .filter(is_other)
        .map(|it| gazetteer.place(it))
        .map(|it| (here.distance(it.point()).0, it))
        .filter(|it| it.0 <= NEARBY.0)
        .collect();
    near.sort_by(|a, b| a.0.total_cmp(&b.0));
    near.truncate(MOST_ASKED);
    let mut shown = Vec::new();
    for (far, it) in near {
        let pages = pages_about(shelf, generation, &it, asked)?;
        if pages == 0 {
            continue;
        }
        let way = direction(frame, here.bearing(it.point()).compass());
        shown.push(Near {
            name: frame.language.name(&it),
            link: themed(&place_link(&it), asked.theme.trim()),
            pages,
            way: format!("{} {way}", frame.language.distance(far)),
        });
        if shown.len() == MOST_NEARBY {
            break;
        }
    }
    Ok(shown)
}

/// How many pages there are about a place within the theme.
fn pages_about(
    shelf: &Shelf,
    generation: &Generation,
    place: &Place<'_>,
    asked: &Asked,
) -> Result<u64, Refusal> {
    if asked.theme.trim().is_empty() {
        return generation.count_within(place.id()).map_err(|it| Refusal::broken(&it));
    }
    let understood = crate::inquiry::understand(shelf, &Parameters::of(asked.query(place)), None)?;
    let engine = Engine::new(generation, shelf.gazetteer());
    engine.count(&understood.query).map_err(|it| Refusal::broken(&it))
}

/// A heading, and the places under it with their addresses.
type Relatives = (&'static str, Vec<(String, String)>);

/// Places that share a border with it, and those with pages that share some ground.
fn relatives(
    frame: &Frame,
    generation: &Generation,
    gazetteer: &Gazetteer,
    place: &Place<'_>,
    theme: &str,
) -> Result<Vec<Relatives>, Refusal> {
    let Some(bounds) = place.bounds().filter(|_| place.has_outline()) else {
        return Ok(Vec::new());
    };
    let links = |list: &[Place<'_>]| -> Vec<(String, String)> {
        list.iter().map(|it| (frame.language.name(it), themed(&place_link(it), theme))).collect()
    };
    let mut adjacent = gazetteer.neighbours(place.id());
    let touching: Vec<PlaceId> = adjacent.iter().map(Place::id).collect();
    adjacent.truncate(MOST_NEIGHBOURS);
    let named = generation.places_in(gazetteer, bounds).map_err(|it| Refusal::broken(&it))?;
    let shaped = named.into_iter().map(|it| gazetteer.place(it));
    let shaped = shaped.filter(|it| {
        it.has_outline()
            && it.id() != place.id()
            && !touching.contains(&it.id())
            && !gazetteer.holds(place.id(), it.id())
            && !gazetteer.holds(it.id(), place.id())
    });
    let mut shaped: Vec<Place<'_>> = shaped.collect();
    shaped.sort_by(|a, b| b.importance().total_cmp(&a.importance()));
    let overlapping: Vec<Place<'_>> = shaped
        .into_iter()
        .take(MOST_COMPARED)
        .filter(|it| gazetteer.relation(place.id(), it.id()) == Relation::Overlaps)
        .collect();
    let both = [
        (frame.say("Neighbours"), links(&adjacent)),
        (frame.say("Overlapping places with pages"), links(&overlapping)),
    ];
    Ok(both.into_iter().filter(|it| !it.1.is_empty()).collect())
}

/// An address with the theme kept.
fn themed(link: &str, theme: &str) -> String {
    if theme.is_empty() {
        return link.to_owned();
    }
    let mut pairs = url::form_urlencoded::Serializer::new(String::new());
    format!("{link}?{}", pairs.append_pair("theme", theme).finish())
}

fn separated(link: &str) -> String {
    format!("{link}{}", if link.contains('?') { '&' } else { '?' })
}

/// What sort of place it is, in the reader's language.
pub(crate) fn kind_name(frame: &Frame, kind: Kind) -> &'static str {
    match kind {
        Kind::World => frame.say("world"),
        Kind::Continent => frame.say("continent"),
        Kind::Country => frame.say("country"),
        Kind::Region => frame.say("region"),
        Kind::County => frame.say("county"),
        Kind::Municipality => frame.say("municipality"),
        Kind::City => frame.say("town"),
        Kind::District => frame.say("district"),
        Kind::Postcode => frame.say("postcode"),
        Kind::Street => frame.say("street"),
        Kind::Airport => frame.say("airport"),
        Kind::Feature => frame.say("feature"),
        Kind::Poi => frame.say("sight"),
    }
}
