//! The page of a page: what is kept of it, with every place it names, and what is near it.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::path::Path as FilePath;

use archive::Catalogue;
use askama::Template;
use axum::Form;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Redirect, Response};
use earth::Meters;
use gazetteer::{Gazetteer, Place, PlaceId};
use index::{Address, Document, Generation, Spot};
use search::Engine;
use serde::Deserialize;
use serde_json::json;

use crate::app::App;
use crate::aside::aside;
use crate::card::{copy_link, day, place_link, safe_link};
use crate::crawls::is_from_here;
use crate::credits;
use crate::frame::{Frame, page};
use crate::inquiry::Refusal;
use crate::map_data::island;
use crate::message_page::message;
use crate::shelf::Shelf;

/// Pages nearby are no farther than this.
const NEARBY: Meters = Meters(10_000.0);
/// So many pages nearby are named.
const MOST: usize = 8;
/// So many visits to a page are listed.
const MOST_VISITS: usize = 10;
/// So many places are listed, and so many pins are on the map; more would only hide each other.
const MOST_PLACES: usize = 30;
const MOST_PINS: usize = 50;
/// Nobody reads a longer text here; the original has the rest.
const LONGEST: usize = 200_000;

#[derive(Template)]
#[template(path = "stored.html")]
struct StoredPage<'a> {
    frame: &'a Frame,
    here: String,
    title: String,
    original: Option<String>,
    document: &'a Document,
    published: Option<(String, String)>,
    fetched: Option<(String, String)>,
    /// When the page was fetched, and what the server answered, the newest first.
    history: Vec<(String, String)>,
    blocks: Vec<Block>,
    is_cut: bool,
    tree: Tree,
    places: Vec<Entry>,
    same_place: Vec<(String, String)>,
    nearby: Vec<(String, String, String)>,
    map: String,
    static_map: String,
    /// Whose map it is, as HTML.
    credits: String,
    takes_feedback: bool,
    reply: Reply,
}

/// What became of a reader's word.
#[derive(Clone, Copy, PartialEq)]
enum Reply {
    None,
    Thanks,
    /// Nothing was said.
    Empty,
}

impl Reply {
    /// As it stands in the address of the page.
    fn of(query: Option<&str>) -> Self {
        match query {
            Some("thanks") => Self::Thanks,
            Some("empty") => Self::Empty,
            _ => Self::None,
        }
    }
}

/// A place that the page is about; its number in the list is that of its pins.
struct Entry {
    number: usize,
    label: String,
    part: String,
    link: Option<String>,
}

/// Places as a list, each with a list of its parts in it.
#[derive(Template)]
#[template(path = "tree.html")]
struct Tree {
    branches: Vec<Branch>,
}

struct Branch {
    name: String,
    link: String,
    /// The page names it, and not only something in it.
    is_named: bool,
    parts: Tree,
}

/// A paragraph or a heading.
struct Block {
    is_heading: bool,
    pieces: Vec<(String, Option<(String, String)>)>,
}

/// Shows what is kept of a page.
pub(crate) async fn show(
    frame: Frame,
    State(app): State<App>,
    Path(id): Path<String>,
    axum::extract::RawQuery(query): axum::extract::RawQuery,
) -> Response {
    let reply = Reply::of(query.as_deref());
    let shown = {
        let frame = frame.clone();
        aside(move || render(&frame, &app, &id, reply)).await
    };
    shown.unwrap_or_else(|it| message(&frame, it.status, &it.fact))
}

fn render(frame: &Frame, app: &App, id: &str, reply: Reply) -> Result<Response, Refusal> {
    let gazetteer = app.shelf.gazetteer();
    let generation = app.shelf.generation();
    let Some(at) = generation.by_id(id) else {
        return Ok(message(
            frame,
            StatusCode::NOT_FOUND,
            frame.say("This page is not in the index, or no more."),
        ));
    };
    let document = generation.document(at).map_err(|it| Refusal::broken(&it))?;
    let engine = Engine::new(&generation, gazetteer);
    let neighbours = engine.neighbours(at, NEARBY, MOST).map_err(|it| Refusal::broken(&it))?;
    let (text, is_cut) = cut(&document.text);
    let mut nearby = Vec::new();
    for (address, far) in &neighbours.nearby {
        let (title, link) = titled(frame, &generation, *address)?;
        nearby.push((title, frame.language.distance(far.0), link));
    }
    let same_place = neighbours.same_place.iter().map(|it| titled(frame, &generation, *it));
    let title = title_of(frame, &document);
    let template = StoredPage {
        frame,
        here: copy_link(id),
        title,
        original: safe_link(&document.url),
        published: document.published.and_then(|it| day(frame.language, it)),
        fetched: document.fetched.and_then(|it| day(frame.language, it)),
        history: history(frame, app.settings.archive.as_deref(), &document.url),
        blocks: blocks(frame, gazetteer, &document, text),
        is_cut,
        tree: tree(frame, gazetteer, &document),
        places: places(frame, gazetteer, &document),
        same_place: same_place.collect::<Result<_, _>>()?,
        nearby,
        map: island(app, map(frame, gazetteer, &document)),
        static_map: format!("/map.svg?document={}", crate::card::path_piece(id)),
        credits: credits::line(app),
        takes_feedback: app.settings.feedback.is_some(),
        reply,
        document: &document,
    };
    // Its form has to say where it comes from.
    let referrer = (header::REFERRER_POLICY, "same-origin");
    Ok(([referrer], page(StatusCode::OK, &template)).into_response())
}

/// When the page was fetched, as the archive has it.
fn history(frame: &Frame, archive: Option<&FilePath>, url: &str) -> Vec<(String, String)> {
    let Some(archive) = archive.filter(|it| it.exists()) else { return Vec::new() };
    let found = Catalogue::open(archive).and_then(|it| it.find(url));
    let found = found.unwrap_or_else(|error| {
        tracing::warn!(%error, "the archive cannot be asked when a page was fetched");
        Vec::new()
    });
    let visit = |it: &archive::Entry| {
        let outcome = match it.status {
            _ if it.is_revisit() => frame.say("unchanged").to_owned(),
            Some(200) => frame.say("fetched").to_owned(),
            Some(status) => frame.fill("answer {}", status),
            None => String::new(),
        };
        let time = it.date.strftime("%Y-%m-%d %H:%M UTC").to_string();
        (time, outcome)
    };
    found.iter().take(MOST_VISITS).map(visit).collect()
}

fn title_of(frame: &Frame, document: &Document) -> String {
    let title = document.title.trim();
    if title.is_empty() { frame.say("Without a title").to_owned() } else { title.to_owned() }
}

fn titled(
    frame: &Frame,
    generation: &Generation,
    at: Address,
) -> Result<(String, String), Refusal> {
    let document = generation.document(at).map_err(|it| Refusal::broken(&it))?;
    Ok((title_of(frame, &document), copy_link(&document.id)))
}

/// The text, or its beginning.
fn cut(text: &str) -> (&str, bool) {
    if text.len() <= LONGEST {
        return (text, false);
    }
    let end = (0..=LONGEST).rev().find(|it| text.is_char_boundary(*it)).unwrap_or(0);
    (&text[..end], true)
}

/// The text in blocks, every mention of a place linked to it.
fn blocks(frame: &Frame, gazetteer: &Gazetteer, document: &Document, text: &str) -> Vec<Block> {
    let mut blocks = Vec::new();
    let mut start = 0;
    for line in text.split('\n') {
        let end = start + line.len();
        if !line.trim().is_empty() {
            let holds = |it: &Range<u32>| (it.start as usize) < end && it.end as usize > start;
            blocks.push(Block {
                is_heading: document.headings.iter().any(holds),
                pieces: pieces(frame, gazetteer, document, text, start..end),
            });
        }
        start = end + 1;
    }
    blocks
}

type Piece = (String, Option<(String, String)>);

fn pieces(
    frame: &Frame,
    gazetteer: &Gazetteer,
    document: &Document,
    text: &str,
    block: Range<usize>,
) -> Vec<Piece> {
    let mut pieces: Vec<Piece> = Vec::new();
    let Range { start: mut done, end } = block;
    let mut marks: Vec<_> = document.marks.iter().collect();
    marks.sort_by_key(|it| it.start);
    for mark in marks {
        let (from, to) = (mark.start as usize, mark.end as usize);
        let (Some(before), Some(name)) = (text.get(done..from), text.get(from..to)) else {
            continue;
        };
        if from < done || to > end || mark.place as usize >= gazetteer.len() {
            continue;
        }
        let place = gazetteer.place(PlaceId(mark.place));
        pieces.push((before.to_owned(), None));
        let label = frame.label(&place.label());
        pieces.push((name.to_owned(), Some((label, place_link(&place)))));
        done = to;
    }
    pieces.push((text.get(done..end).unwrap_or_default().to_owned(), None));
    pieces
}

/// The places of a page, the weightiest first, with their part of it.
fn places(frame: &Frame, gazetteer: &Gazetteer, document: &Document) -> Vec<Entry> {
    let mut entries: Vec<Entry> = Vec::new();
    for (number, spot) in numbered(document) {
        let Some(number) = number else { continue };
        let bare = spot.point();
        entries.push(Entry {
            number,
            label: label(frame, gazetteer, document, spot)
                .unwrap_or_else(|| format!("{:.5}, {:.5}", bare.lat, bare.lon)),
            // Addresses share the part of their town: that each of them is all of the page would tell nobody anything.
            part: match document.street_line(spot) {
                Some(_) => String::new(),
                None => frame.fill("{} %", (f64::from(spot.part) / 2.55).round()),
            },
            link: known_place(gazetteer, spot).as_ref().map(place_link),
        });
    }
    entries
}

/// What a spot of a page is called, as the reader calls it.
pub(crate) fn label(
    frame: &Frame,
    gazetteer: &Gazetteer,
    document: &Document,
    spot: &Spot,
) -> Option<String> {
    document.label(gazetteer, spot).map(|it| frame.label(&it))
}

/// The spots of a page, the weightiest first, with the numbers that they have in the list and on the map. Each address
/// has one, and each place; of further points in the same place nobody could tell which is which in the list, and they
/// have none.
pub(crate) fn numbered(document: &Document) -> Vec<(Option<usize>, &Spot)> {
    let mut spots: Vec<&Spot> = document.spots.iter().collect();
    spots.sort_by_key(|it| std::cmp::Reverse(it.part));
    let is_same = |one: &Spot, other: &Spot| match (one.place, other.place) {
        (None, None) => one.point() == other.point(),
        (one, other) => one == other,
    };
    let line = |it: &Spot| document.street_line(it);
    let mut entries: Vec<&Spot> = Vec::new();
    let mut numbered: Vec<(Option<usize>, &Spot)> = Vec::new();
    for spot in spots {
        let is_told = |it: &&Spot| is_same(it, spot) && line(it) == line(spot);
        let is_there = |it: &(_, &Spot)| it.1.point() == spot.point() && is_told(&it.1);
        if !entries.iter().any(is_told) {
            entries.push(spot);
            numbered.push((Some(entries.len()), spot));
        } else if !numbered.iter().any(is_there) {
            numbered.push((None, spot));
        }
    }
    numbered.retain(|it| it.0.is_none_or(|it| it <= MOST_PLACES));
    numbered.truncate(MOST_PINS);
    numbered
}

/// The place of a spot, unless it is a bare point or of another gazetteer.
fn known_place<'g>(gazetteer: &'g Gazetteer, spot: &Spot) -> Option<Place<'g>> {
    let id = spot.place.filter(|it| (*it as usize) < gazetteer.len())?;
    Some(gazetteer.place(PlaceId(id)))
}

/// The page's own small hierarchy: the places it names, under what holds them.
fn tree(frame: &Frame, gazetteer: &Gazetteer, document: &Document) -> Tree {
    let mut below: BTreeMap<u32, BTreeSet<u32>> = BTreeMap::new();
    let named: BTreeSet<u32> = document
        .spots
        .iter()
        .filter_map(|it| it.place)
        .filter(|it| (*it as usize) < gazetteer.len())
        .take(60)
        .collect();
    for place in &named {
        let mut part = *place;
        for holder in gazetteer.ancestors(PlaceId(*place)) {
            below.entry(holder.id().0).or_default().insert(part);
            part = holder.id().0;
        }
    }
    branches(frame, gazetteer, &below, &named, PlaceId::WORLD)
}

/// What is directly below a place, each with what is below it.
fn branches(
    frame: &Frame,
    gazetteer: &Gazetteer,
    below: &BTreeMap<u32, BTreeSet<u32>>,
    named: &BTreeSet<u32>,
    whole: PlaceId,
) -> Tree {
    let parts = below.get(&whole.0).into_iter().flatten();
    let branch = |part: &u32| {
        let place = gazetteer.place(PlaceId(*part));
        Branch {
            name: frame.language.name(&place),
            link: place_link(&place),
            is_named: named.contains(part),
            parts: branches(frame, gazetteer, below, named, place.id()),
        }
    };
    Tree { branches: parts.map(branch).collect() }
}

fn map(frame: &Frame, gazetteer: &Gazetteer, document: &Document) -> serde_json::Value {
    let point = |(number, spot): (Option<usize>, &Spot)| {
        let at = spot.point();
        json!({
            "lon": at.lon, "lat": at.lat, "weight": spot.part, "number": number,
            "label": label(frame, gazetteer, document, spot),
            "link": known_place(gazetteer, spot).as_ref().map(place_link),
        })
    };
    let points: Vec<_> = numbered(document).into_iter().map(point).collect();
    json!({ "rings": [], "points": points })
}

/// What somebody says is wrong with a page.
#[derive(Deserialize)]
pub(crate) struct Feedback {
    #[serde(default)]
    wrong: String,
    #[serde(default)]
    right: String,
}

/// Keeps a reader's word that a place is wrong, for the operator.
pub(crate) async fn feedback(
    frame: Frame,
    State(app): State<App>,
    Path(id): Path<String>,
    headers: HeaderMap,
    Form(told): Form<Feedback>,
) -> Response {
    let Some(book) = app.settings.feedback.clone() else {
        return message(&frame, StatusCode::NOT_FOUND, "");
    };
    if !is_from_here(&headers, app.settings.behind_proxy) {
        let fact = frame.say("This form was not sent from a page of this server.");
        return message(&frame, StatusCode::FORBIDDEN, fact);
    }
    let back = |reply: &str| Redirect::to(&format!("{}?{reply}#feedback", copy_link(&id)));
    if told.wrong.trim().is_empty() && told.right.trim().is_empty() {
        return back("empty").into_response();
    }
    let (shelf, page) = (app.shelf, id.clone());
    match aside(move || keep(&shelf, &book, &page, &told)).await {
        Ok(()) => back("thanks").into_response(),
        Err(it) => message(&frame, it.status, &it.fact),
    }
}

/// The book of feedback is no larger than this: some fifty thousand entries.
const LARGEST_BOOK: u64 = 16 << 20;

fn keep(shelf: &Shelf, book: &FilePath, id: &str, told: &Feedback) -> Result<(), Refusal> {
    use std::io::Write;
    let generation = shelf.generation();
    if generation.by_id(id).is_none() {
        return Err(Refusal {
            status: StatusCode::NOT_FOUND,
            fact: "this page is not in the index".into(),
        });
    }
    let short = |it: &str| it.chars().take(300).collect::<String>();
    let (wrong, right) = (short(told.wrong.trim()), short(told.right.trim()));
    let broken = |error: std::io::Error| Refusal::broken(&error);
    if std::fs::metadata(book).is_ok_and(|it| it.len() > LARGEST_BOOK) {
        tracing::warn!(book = %book.display(), "the book of feedback is full: read it and remove it");
        return Err(Refusal {
            status: StatusCode::SERVICE_UNAVAILABLE,
            fact: "no more can be kept at the moment".into(),
        });
    }
    let line = json!({ "at": jiff::Timestamp::now().to_string(), "id": id, "wrong": wrong, "right": right });
    let mut file =
        std::fs::OpenOptions::new().create(true).append(true).open(book).map_err(broken)?;
    file.write_all(format!("{line}\n").as_bytes()).map_err(broken)
}

#[cfg(test)]
mod tests {
    use axum::http::{HeaderMap, Uri};
    use earth::Point;
    use index::StreetLine;

    use super::*;

    fn document() -> Document {
        let gazetteer = world::gazetteer();
        let place = |name: &str| Some(gazetteer.geocode(name, None, 1)[0].place.id());
        let spot = |place: Option<PlaceId>, lat: f64, part: f64| {
            Spot::new(Point::new(lat, 24.9), place, part, 1.0)
        };
        Document {
            spots: vec![
                spot(place("Denmark"), 56.0, 0.3),
                spot(place("Helsinki"), 60.17, 0.4),
                spot(place("Helsinki"), 60.2, 0.2),
                spot(None, 61.0, 0.1),
            ],
            ..Document::default()
        }
    }

    #[test]
    fn pins_have_the_numbers_of_the_list_and_no_number_is_there_twice() {
        let (document, gazetteer) = (document(), world::gazetteer());
        let frame = Frame::of(&HeaderMap::new(), &Uri::from_static("/page/a"));
        let map = map(&frame, gazetteer, &document);
        let points = map["points"].as_array().expect("there are points");
        let pins: Vec<_> = points.iter().map(|it| it["number"].as_u64()).collect();
        assert_eq!(pins, [Some(1), Some(2), None, Some(3)]);
        let listed = places(&frame, gazetteer, &document);
        let listed: Vec<_> = listed.iter().map(|it| (it.number, it.label.as_str())).collect();
        let expected =
            [(1, "Helsinki, Uusimaa, Finland"), (2, "Denmark"), (3, "61.00000, 24.90000")];
        assert_eq!(listed, expected);
    }

    #[test]
    fn every_address_of_a_page_has_a_number_of_its_own() {
        let mut document = document();
        let streets = ["Aleksanterinkatu 1", "Kaivokatu 2"];
        document.street_lines = document.spots[1..3]
            .iter()
            .zip(streets)
            .map(|(it, text)| StreetLine { lat: it.lat, lon: it.lon, text: text.to_owned() })
            .collect();
        let frame = Frame::of(&HeaderMap::new(), &Uri::from_static("/page/a"));
        let listed = places(&frame, world::gazetteer(), &document);
        let listed: Vec<_> = listed.iter().map(|it| (it.number, it.label.as_str())).collect();
        let expected = [
            (1, "Aleksanterinkatu 1, Helsinki, Uusimaa, Finland"),
            (2, "Denmark"),
            (3, "Kaivokatu 2, Helsinki, Uusimaa, Finland"),
            (4, "61.00000, 24.90000"),
        ];
        assert_eq!(listed, expected);
    }

    #[test]
    fn places_have_the_names_that_the_reader_has_for_them() {
        let frame = Frame { language: crate::wording::Language::German, here: String::new() };
        let listed = places(&frame, world::gazetteer(), &document());
        assert_eq!(listed[0].label, "Helsinki, Uusimaa, Finnland");
        assert_eq!(listed[1].label, "Dänemark");
        let names = |it: &Tree| it.branches.iter().map(|it| it.name.clone()).collect::<Vec<_>>();
        assert_eq!(names(&tree(&frame, world::gazetteer(), &document())), ["Europa"]);
    }
}
