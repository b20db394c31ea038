//! The page of a page: what is kept of it, with every place it names, and what is near it.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path as FilePath;

use archive::Catalogue;
use askama::Template;
use axum::Form;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Redirect, Response};
use earth::Meters;
use gazetteer::{Gazetteer, PlaceId};
use index::{Address, Document, Generation};
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
    places: Vec<(String, String, String)>,
    same_place: Vec<(String, String)>,
    nearby: Vec<(String, String, String)>,
    map: String,
    static_map: String,
    /// Whose map it is, as HTML.
    credits: String,
    takes_feedback: bool,
    is_thanked: bool,
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
    let is_thanked = query.as_deref() == Some("thanks");
    let shown = {
        let frame = frame.clone();
        aside(move || render(&frame, &app, &id, is_thanked)).await
    };
    shown.unwrap_or_else(|it| message(&frame, it.status, &it.fact))
}

fn render(frame: &Frame, app: &App, id: &str, is_thanked: bool) -> Result<Response, Refusal> {
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
        blocks: blocks(gazetteer, &document, text),
        is_cut,
        tree: tree(gazetteer, &document),
        places: places(frame, gazetteer, &document),
        same_place: same_place.collect::<Result<_, _>>()?,
        nearby,
        map: island(app, map(gazetteer, &document)),
        static_map: format!("/map.svg?document={}", crate::card::path_piece(id)),
        credits: credits::line(app),
        takes_feedback: app.settings.feedback.is_some(),
        is_thanked,
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
fn blocks(gazetteer: &Gazetteer, document: &Document, text: &str) -> Vec<Block> {
    let mut blocks = Vec::new();
    let mut start = 0;
    for line in text.split('\n') {
        let end = start + line.len();
        if !line.trim().is_empty() {
            let holds =
                |it: &std::ops::Range<u32>| (it.start as usize) < end && it.end as usize > start;
            blocks.push(Block {
                is_heading: document.headings.iter().any(holds),
                pieces: pieces(gazetteer, document, text, start, end),
            });
        }
        start = end + 1;
    }
    blocks
}

type Piece = (String, Option<(String, String)>);

fn pieces(
    gazetteer: &Gazetteer,
    document: &Document,
    text: &str,
    start: usize,
    end: usize,
) -> Vec<Piece> {
    let mut pieces: Vec<Piece> = Vec::new();
    let mut done = start;
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
        pieces.push((name.to_owned(), Some((place.label(), place_link(&place)))));
        done = to;
    }
    pieces.push((text.get(done..end).unwrap_or_default().to_owned(), None));
    pieces
}

/// The places of a page, the weightiest first, with their part of it.
fn places(
    frame: &Frame,
    gazetteer: &Gazetteer,
    document: &Document,
) -> Vec<(String, String, String)> {
    let mut spots: Vec<_> = document.spots.iter().collect();
    spots.sort_by_key(|it| (it.place, std::cmp::Reverse(it.part)));
    // Several addresses in a town are one place here.
    spots.dedup_by_key(|it| it.place);
    spots.sort_by_key(|it| std::cmp::Reverse(it.part));
    let shown = spots.iter().filter_map(|spot| {
        let place =
            gazetteer.place(PlaceId(spot.place.filter(|it| (*it as usize) < gazetteer.len())?));
        let part = frame.fill("{} %", (f64::from(spot.part) / 2.55).round());
        Some((place.label(), part, place_link(&place)))
    });
    shown.take(30).collect()
}

/// The page's own small hierarchy: the places it names, under what holds them.
fn tree(gazetteer: &Gazetteer, document: &Document) -> Tree {
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
    branches(gazetteer, &below, &named, PlaceId::WORLD)
}

/// What is directly below a place, each with what is below it.
fn branches(
    gazetteer: &Gazetteer,
    below: &BTreeMap<u32, BTreeSet<u32>>,
    named: &BTreeSet<u32>,
    whole: PlaceId,
) -> Tree {
    let parts = below.get(&whole.0).into_iter().flatten();
    let branch = |part: &u32| {
        let place = gazetteer.place(PlaceId(*part));
        Branch {
            name: place.name().to_owned(),
            link: place_link(&place),
            is_named: named.contains(part),
            parts: branches(gazetteer, below, named, place.id()),
        }
    };
    Tree { branches: parts.map(branch).collect() }
}

fn map(gazetteer: &Gazetteer, document: &Document) -> serde_json::Value {
    let point = |spot: &index::Spot| {
        let at = spot.point();
        let place = spot.place.filter(|it| (*it as usize) < gazetteer.len());
        let place = place.map(|it| gazetteer.place(PlaceId(it)));
        json!({
            "lon": at.lon, "lat": at.lat, "weight": spot.part,
            "label": document.label(gazetteer, spot),
            "link": place.as_ref().map(place_link),
        })
    };
    let mut spots: Vec<_> = document.spots.iter().collect();
    spots.sort_by_key(|it| std::cmp::Reverse(it.part));
    json!({ "rings": [], "points": spots.iter().take(50).map(|it| point(it)).collect::<Vec<_>>() })
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
    let back = format!("{}?thanks", copy_link(&id));
    let kept = aside(move || keep(&app.shelf, &book, &id, &told)).await;
    match kept {
        Ok(()) => Redirect::to(&back).into_response(),
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
    if wrong.is_empty() && right.is_empty() {
        return Err(Refusal::bad("say which place is wrong, or which is right"));
    }
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
