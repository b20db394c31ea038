//! Maps: tiles for the map of the browser, and whole pictures for people without JavaScript.

use std::borrow::Cow;
use std::ops::RangeInclusive;

use axum::extract::rejection::PathRejection;
use axum::extract::{Path, Query, State};
use axum::http::{StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};
use basemap::{Drawing, Ground, Mark, Pin};
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
use crate::place_page::{self, is_dot};
use crate::secret::secret;
use crate::stored_page::{label, numbered};

/// How wide a picture is in pixels if nobody says otherwise, and may be: names on it are as large as on the page only if
/// it is shown as wide as it is drawn.
const WIDTH: u32 = 640;
const WIDTHS: RangeInclusive<u32> = 240..=960;
/// The world as it is looked at: parted in the Bering Strait, where no land is, and without the Antarctic.
const WORLD: Bounds = Bounds { south: -57.0, west: -169.0, north: 83.7, east: -169.001 };
/// A picture of so many degrees of longitude is two thirds as high as it is wide, as the world is; others are square.
const WIDE: f64 = 200.0;
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
    /// How wide the picture is to be, in pixels.
    wide: Option<String>,
}

impl Shown {
    fn width(&self) -> u32 {
        let wide = self.wide.as_deref().and_then(|it| it.parse().ok());
        wide.filter(|it| WIDTHS.contains(it)).unwrap_or(WIDTH)
    }
}

/// A picture of a place, of a page's places, or of the hits of a search.
pub(crate) async fn picture(
    frame: Frame,
    State(app): State<App>,
    Query(shown): Query<Shown>,
    Query(asked): Query<place_page::Asked>,
    uri: Uri,
) -> Response {
    let width = shown.width();
    let picture = {
        let frame = frame.clone();
        aside(move || match (shown.place, shown.document) {
            (Some(key), _) => place(&frame, &app, &key, &asked, width),
            (None, Some(id)) => document(&frame, &app, &id, width),
            (None, None) => {
                let unread =
                    |it| frame.fill("“{}” in the address of this page cannot be read.", it);
                let parameters =
                    Parameters::of_page(&uri).map_err(|it| Refusal::bad(unread(it)))?;
                search(&frame, &app, &parameters, width)
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
            (headers, styled(&nonce, &svg)).into_response()
        }
        Err(refusal) => message(&frame, refusal.status, &refusal.fact),
    }
}

fn search(
    frame: &Frame,
    app: &App,
    parameters: &Parameters,
    width: u32,
) -> Result<String, Refusal> {
    let gazetteer = app.shelf.gazetteer();
    let Inquiry { answer, .. } = inquire(&app.shelf, parameters, Some(frame.language.code()))?;
    let pins = pins(frame, &answer, parameters.page());
    let outlines: Vec<Vec<Vec<Point>>> =
        answer.within.iter().map(|it| outline(gazetteer, *it)).collect();
    // What is far is left outside if anything is near.
    let is_near = |it: &&Hit| !it.is_far;
    let looks_near = answer.hits.iter().any(|it| !it.is_far);
    let shown = answer.hits.iter().filter(|it| !looks_near || is_near(it));
    let shown = shown.filter_map(|it| it.place.as_ref()).map(|it| it.point);
    let points = shown.chain(answer.center);
    // Without hits the ground itself is what there is to see.
    let ground = || around(outlines.iter().flatten().flatten().copied()).or(answer.frame);
    let bounds = if pins.is_empty() { ground() } else { None };
    let bounds = bounds.or_else(|| around(points));
    let grounds =
        if answer.outline.is_empty() { Vec::new() } else { vec![Ground::Polygon(answer.outline)] };
    let title = frame.say("Map of the results").to_owned();
    // A place whose shape is not known is a dot.
    let is_bare = grounds.is_empty() && outlines.iter().all(Vec::is_empty);
    let mark = |point| Mark { point, label: String::new() };
    let marks = answer.center.filter(|_| is_bare).map(mark).into_iter().collect();
    let drawing = Drawing { title, pins, marks, grounds, outlines, ..on_its_map(app) };
    Ok(drawn(bounds, width, &credits::text(app), &drawing))
}

/// The pins of a page of hits, with the numbers of the list.
fn pins(frame: &Frame, answer: &Answer, page: usize) -> Vec<Pin> {
    let numbered = answer.hits.iter().zip((page - 1) * PER_PAGE + 1..);
    let pin = |(hit, number): (&Hit, usize)| {
        let place = hit.place.as_ref()?;
        Some(Pin { number, point: place.point, label: frame.label(&place.label) })
    };
    numbered.filter_map(pin).collect()
}

/// A place with the pins of its list.
fn place(
    frame: &Frame,
    app: &App,
    key: &str,
    asked: &place_page::Asked,
    width: u32,
) -> Result<String, Refusal> {
    let gazetteer = app.shelf.gazetteer();
    let unknown = || Refusal {
        status: StatusCode::NOT_FOUND,
        fact: frame.fill("There is no place {}.", key),
    };
    let place = gazetteer.by_key(key).ok_or_else(unknown)?;
    let number = asked.number(frame)?;
    let answer = place_page::listed(&app.shelf, &app.shelf.generation(), &place, asked, number)?;
    let pins = answer.map(|it| pins(frame, &it, number)).unwrap_or_default();
    if place.id() == PlaceId::WORLD {
        let title = frame.say("The world").to_owned();
        let drawing = Drawing { title, pins, ..on_its_map(app) };
        return Ok(drawn(None, width, &credits::text(app), &drawing));
    }
    let near = || around(pins.iter().map(|it| it.point).chain([place.point()]));
    let bounds = place.bounds().or_else(near);
    let rings = outline(gazetteer, place.id());
    let name = frame.language.name(&place);
    let mark = Mark { point: place.point(), label: name.clone() };
    let drawing = Drawing {
        title: frame.fill("Map of {}", name),
        marks: is_dot(&place, &rings).then_some(mark).into_iter().collect(),
        outlines: vec![rings],
        pins,
        ..on_its_map(app)
    };
    Ok(drawn(bounds, width, &credits::text(app), &drawing))
}

fn document(frame: &Frame, app: &App, id: &str, width: u32) -> Result<String, Refusal> {
    let generation = app.shelf.generation();
    let gazetteer = app.shelf.gazetteer();
    let gone = || Refusal {
        status: StatusCode::NOT_FOUND,
        fact: frame.say("This page is not in the index, or no more.").to_owned(),
    };
    let at = generation.by_id(id).ok_or_else(gone)?;
    let document = generation.document(at).map_err(|it| Refusal::broken(&it))?;
    let (mut pins, mut marks) = (Vec::new(), Vec::new());
    for (number, spot) in numbered(&document) {
        let (point, label) = (spot.point(), label(frame, gazetteer, &document, spot));
        let label = label.unwrap_or_default();
        match number {
            Some(number) => pins.push(Pin { number, point, label }),
            None => marks.push(Mark { point, label }),
        }
    }
    let points = pins.iter().map(|it| it.point).chain(marks.iter().map(|it| it.point));
    let bounds = around(points);
    let title = frame.say("Where the page's places are").to_owned();
    let drawing = Drawing { title, pins, marks, ..on_its_map(app) };
    Ok(drawn(bounds, width, &credits::text(app), &drawing))
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

/// The picture of a box, so many pixels wide, with a line in its corner that says whose map it is: the picture may be
/// taken away. Without a box it is of the world.
fn drawn(bounds: Option<Bounds>, width: u32, credits: &str, drawing: &Drawing<'_>) -> String {
    let bounds = bounds.unwrap_or(WORLD);
    let across = (bounds.east - bounds.west).rem_euclid(360.0);
    let height = if across > WIDE { width * 2 / 3 } else { width };
    let svg = basemap::svg(bounds, width, height, drawing);
    // Names that reach into the corner are covered. A letter of this size is hardly wider than five and a half.
    let (right, wide) = (f64::from(width), credits.chars().count() as f64 * 5.5 + 8.0);
    let line = format!(
        "<rect class=\"map-land\" x=\"{:.0}\" y=\"{}\" width=\"{wide:.0}\" height=\"17\" fill-opacity=\"0.85\"/>\
         <text class=\"map-label\" x=\"{}\" y=\"{}\" text-anchor=\"end\" font-size=\"10\">{}</text></svg>",
        right - wide,
        height - 17,
        width - 4,
        height - 5,
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
        let svg = drawn(None, 640, "A & B", &Drawing::default());
        assert!(svg.ends_with(">A &amp; B</text></svg>"), "{}", &svg[svg.len() - 80..]);
    }

    #[test]
    fn the_world_is_a_wide_picture_and_a_town_a_square_one() {
        let size = |bounds| {
            let svg = drawn(bounds, 360, "", &Drawing::default());
            let [wide, high] = ["width", "height"].map(|it| format!(" {it}=\""));
            let value =
                |it: &str| svg.split(it).nth(1).and_then(|it| it.split('"').next()?.parse().ok());
            (value(&wide), value(&high))
        };
        assert_eq!(size(None), (Some(360), Some(240)));
        assert_eq!(size(around([Point::new(60.0, 25.0)])), (Some(360), Some(360)));
    }

    #[test]
    fn a_picture_is_as_wide_as_was_asked_within_reason() {
        let width =
            |wide: Option<&str>| Shown { wide: wide.map(Into::into), ..Shown::default() }.width();
        assert_eq!([width(Some("320")), width(None)], [320, 640]);
        assert_eq!([width(Some("99999")), width(Some("0")), width(Some("x"))], [640; 3]);
    }

    #[test]
    fn a_picture_has_its_styles() {
        let drawing = Drawing { title: "a & b".into(), ..Drawing::default() };
        let svg = drawn(None, 640, "", &drawing);
        let svg = styled("7", &svg);
        assert!(svg.contains("<style nonce=\"7\">") && svg.contains("prefers-color-scheme: dark"));
    }
}
