//! Maps: tiles for the map of the browser, and whole pictures for people without JavaScript.

use std::borrow::Cow;

use axum::extract::rejection::PathRejection;
use axum::extract::{Path, Query, State};
use axum::http::{StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};
use basemap::{Drawing, Ground, Pin};
use earth::{Bounds, Meters, Point};
use gazetteer::PlaceId;
use search::{Answer, Hit};
use serde::Deserialize;

use crate::api::Failure;
use crate::app::App;
use crate::aside::aside;
use crate::credits;
use crate::frame::Frame;
use crate::inquiry::{Inquiry, Refusal, inquire};
use crate::map_data::outline;
use crate::markup::escaped;
use crate::message_page::message;
use crate::parameters::{PER_PAGE, Parameters};
use crate::place_page;
use crate::secret::secret;
use crate::stored_page::numbered;

/// The size of a picture, in pixels.
const WIDTH: u32 = 640;
const HEIGHT: u32 = 640;
/// A picture around one point shows at least so much.
const LEAST: Meters = Meters(700.0);
/// Tiles change with the program alone.
const KEEP: &str = "public, max-age=86400";
/// The picture's own styles.
const STYLE: &str = include_str!("../../../static/source/map.css");

/// A tile of the base map.
pub(crate) async fn tile(
    State(app): State<App>,
    path: Result<Path<(u8, u32, String)>, PathRejection>,
) -> Response {
    let Some((z, x, y)) = tile_of(path) else { return nothing() };
    let found = aside(move || {
        let tile = app.basemap().tile(z, x, y).map_err(|error| Refusal::broken(&error))?;
        Ok(tile.map(Cow::into_owned))
    });
    sent(found.await)
}

/// A tile with streets and houses, where the gazetteer has them.
pub(crate) async fn streets(
    State(app): State<App>,
    path: Result<Path<(u8, u32, String)>, PathRejection>,
) -> Response {
    let Some((z, x, y)) = tile_of(path) else { return nothing() };
    sent(aside(move || Ok(basemap::street_tile(app.shelf.gazetteer(), z, x, y))).await)
}

/// Zoom, column and row of a tile's address.
fn tile_of(path: Result<Path<(u8, u32, String)>, PathRejection>) -> Option<(u8, u32, u32)> {
    let Path((z, x, y)) = path.ok()?;
    Some((z, x, row(&y)?))
}

/// The last part of a tile's address: `12.mvt`.
fn row(name: &str) -> Option<u32> {
    name.strip_suffix(".mvt")?.parse().ok()
}

fn nothing() -> Response {
    Failure::missing("there is no such tile: write /tiles/zoom/column/row.mvt".to_owned())
        .into_response()
}

/// A tile that is empty is no failure: the map asks for many of the sea.
fn sent(found: Result<Option<Vec<u8>>, Refusal>) -> Response {
    let kind = (header::CONTENT_TYPE, "application/vnd.mapbox-vector-tile");
    match found {
        Ok(Some(bytes)) => {
            let headers = [kind, (header::CACHE_CONTROL, KEEP), (header::CONTENT_ENCODING, "gzip")];
            (headers, bytes).into_response()
        }
        Ok(None) => (StatusCode::NO_CONTENT, [(header::CACHE_CONTROL, KEEP)]).into_response(),
        Err(refusal) => Failure(refusal).into_response(),
    }
}

/// What a picture shows, if it is not a search: a place, or what is kept of a page.
#[derive(Default, Deserialize)]
pub(crate) struct Shown {
    place: Option<String>,
    document: Option<String>,
}

/// A picture of a place, of a page's places, or of the hits of a search.
pub(crate) async fn picture(
    frame: Frame,
    State(app): State<App>,
    Query(shown): Query<Shown>,
    Query(asked): Query<place_page::Asked>,
    uri: Uri,
) -> Response {
    let credits = credits::text(&app);
    let picture = {
        let frame = frame.clone();
        aside(move || match (shown.place, shown.document) {
            (Some(key), _) => place(&frame, &app, &key, &asked),
            (None, Some(id)) => document(&frame, &app, &id),
            (None, None) => {
                let unread =
                    |it| frame.fill("“{}” in the address of this page cannot be read.", it);
                let parameters =
                    Parameters::of_page(&uri).map_err(|it| Refusal::bad(unread(it)))?;
                search(&frame, &app, &parameters)
            }
        })
    };
    match picture.await {
        Ok(svg) => {
            let nonce = secret().unwrap_or_default();
            // Nothing but its own styles may be loaded by the picture.
            let policy =
                format!("default-src 'none'; style-src 'nonce-{nonce}'; frame-ancestors 'none'");
            let headers = [
                (header::CONTENT_TYPE, "image/svg+xml"),
                (header::CACHE_CONTROL, "no-cache"),
                (header::CONTENT_SECURITY_POLICY, policy.as_str()),
            ];
            (headers, styled(&nonce, &credited(&credits, &svg))).into_response()
        }
        Err(refusal) => message(&frame, refusal.status, &refusal.fact),
    }
}

fn search(frame: &Frame, app: &App, parameters: &Parameters) -> Result<String, Refusal> {
    let gazetteer = app.shelf.gazetteer();
    let Inquiry { answer, .. } = inquire(&app.shelf, parameters, Some(frame.language.code()))?;
    let pins = pins(&answer, parameters.page());
    let outlines: Vec<Vec<Vec<Point>>> =
        answer.within.iter().map(|it| outline(gazetteer, *it)).collect();
    let points = pins.iter().map(|it| it.point).chain(answer.center);
    // Without hits the ground itself is what there is to see.
    let ground = || around(outlines.iter().flatten().flatten().copied()).or(answer.frame);
    let bounds = if pins.is_empty() { ground() } else { None };
    let bounds = bounds.or_else(|| around(points));
    let grounds =
        if answer.outline.is_empty() { Vec::new() } else { vec![Ground::Polygon(answer.outline)] };
    let title = frame.say("Map of the results").to_owned();
    Ok(drawn(bounds, &Drawing { title, pins, grounds, outlines, ..on_its_map(app) }))
}

/// The pins of a page of hits, with the numbers of the list.
fn pins(answer: &Answer, page: usize) -> Vec<Pin> {
    let numbered = answer.hits.iter().zip((page - 1) * PER_PAGE + 1..);
    let pin = |(hit, number): (&Hit, usize)| {
        let place = hit.place.as_ref()?;
        Some(Pin { number, point: place.point, label: place.label.clone() })
    };
    numbered.filter_map(pin).collect()
}

/// A place with the pins of its list.
fn place(
    frame: &Frame,
    app: &App,
    key: &str,
    asked: &place_page::Asked,
) -> Result<String, Refusal> {
    let gazetteer = app.shelf.gazetteer();
    let unknown = || Refusal {
        status: StatusCode::NOT_FOUND,
        fact: frame.fill("There is no place {}.", key),
    };
    let place = gazetteer.by_key(key).ok_or_else(unknown)?;
    let number = asked.number(frame)?;
    let answer = place_page::listed(&app.shelf, &app.shelf.generation(), &place, asked, number)?;
    let pins = answer.map(|it| pins(&it, number)).unwrap_or_default();
    if place.id() == PlaceId::WORLD {
        let title = frame.say("The world").to_owned();
        return Ok(drawn(None, &Drawing { title, pins, ..on_its_map(app) }));
    }
    let near = || around(pins.iter().map(|it| it.point).chain([place.point()]));
    let bounds = place.bounds().or_else(near);
    let drawing = Drawing {
        title: frame.fill("Map of {}", frame.language.name(&place)),
        outlines: vec![outline(gazetteer, place.id())],
        pins,
        ..on_its_map(app)
    };
    Ok(drawn(bounds, &drawing))
}

fn document(frame: &Frame, app: &App, id: &str) -> Result<String, Refusal> {
    let generation = app.shelf.generation();
    let gazetteer = app.shelf.gazetteer();
    let gone = || Refusal {
        status: StatusCode::NOT_FOUND,
        fact: frame.say("This page is not in the index, or no more.").to_owned(),
    };
    let at = generation.by_id(id).ok_or_else(gone)?;
    let document = generation.document(at).map_err(|it| Refusal::broken(&it))?;
    let label = |spot: &index::Spot| {
        document.label(gazetteer, spot).map(|it| frame.label(&it)).unwrap_or_default()
    };
    let pins: Vec<Pin> = numbered(&document)
        .into_iter()
        .map(|(number, it)| Pin { number, point: it.point(), label: label(it) })
        .collect();
    let bounds = around(pins.iter().map(|it| it.point));
    let title = frame.say("Where the page's places are").to_owned();
    Ok(drawn(bounds, &Drawing { title, pins, ..on_its_map(app) }))
}

/// A drawing with nothing on it yet but the map of this server and the names of its gazetteer.
fn on_its_map(app: &App) -> Drawing<'_> {
    let gazetteer = Some(app.shelf.gazetteer());
    Drawing { gazetteer, basemap: app.own_map.as_deref(), ..Drawing::default() }
}

/// A box with some room around points.
fn around(points: impl IntoIterator<Item = Point>) -> Option<Bounds> {
    let bounds = Bounds::of(points)?;
    let corner = |lat: f64, lon: f64| Point::new(lat, lon);
    let across = corner(bounds.south, bounds.west).distance(corner(bounds.north, bounds.east));
    Some(bounds.widen(Meters((across.0 * 0.12).max(LEAST.0))))
}

/// The picture of a box; without one it is of the world.
fn drawn(bounds: Option<Bounds>, drawing: &Drawing<'_>) -> String {
    let bounds = bounds.unwrap_or(Bounds::new(-60.0, -180.0, 80.0, 180.0));
    basemap::svg(bounds, WIDTH, HEIGHT, drawing)
}

/// The picture with a line in its corner that says whose map it is: the picture may be taken away.
fn credited(credits: &str, svg: &str) -> String {
    let line = format!(
        "<text class=\"map-label\" x=\"{}\" y=\"{}\" text-anchor=\"end\" font-size=\"10\">{}</text></svg>",
        WIDTH - 4,
        HEIGHT - 5,
        escaped(credits)
    );
    svg.replacen("</svg>", &line, 1)
}

/// The picture with its styles, which a browser heeds if the policy has the same nonce.
fn styled(nonce: &str, svg: &str) -> String {
    let style = STYLE.replace(['<', '&'], "");
    svg.replacen("</title>", &format!("</title><style nonce=\"{nonce}\">{style}</style>"), 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_is_a_number_with_its_ending() {
        assert_eq!(
            (row("12.mvt"), row("12"), row("x.mvt"), row("-1.mvt")),
            (Some(12), None, None, None)
        );
    }

    #[test]
    fn one_point_is_shown_with_what_is_around_it() {
        let bounds = around([Point::new(60.0, 25.0)]).expect("a box");
        assert!(bounds.north > 60.005 && bounds.south < 59.995, "{bounds:?}");
        assert!(around([]).is_none());
    }

    #[test]
    fn a_picture_says_whose_map_it_is() {
        let svg = drawn(None, &Drawing::default());
        let svg = credited("A & B", &svg);
        assert!(svg.ends_with(">A &amp; B</text></svg>"), "{}", &svg[svg.len() - 80..]);
    }

    #[test]
    fn a_picture_has_its_styles() {
        let svg = drawn(None, &Drawing { title: "a & b".into(), ..Drawing::default() });
        let svg = styled("7", &svg);
        assert!(svg.contains("<style nonce=\"7\">") && svg.contains("prefers-color-scheme: dark"));
    }
}
