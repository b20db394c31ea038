//! `GET /api` and `GET /reverse`: places as the geocoder Photon gives them, for its clients.

use std::sync::Arc;

use axum::extract::State;
use earth::Point;
use gazetteer::{Gazetteer, Kind};
use query::Region;
use serde::Deserialize;
use serde_json::{Map, Value, json};
use utoipa::IntoParams;

use super::address_parts::AddressParts;
use super::failure::Failure;
use super::fields::{Fields, text};
use super::finding::{self, Finding};
use super::place_card::pair;
use super::reply::GeoJson;
use crate::aside::aside;
use crate::inquiry::Refusal;
use crate::shelf::Shelf;

/// As many as Photon gives if nobody says how many.
const USUAL: usize = 15;
/// More are never given; who asks for more gets these, as with Photon.
const MOST: usize = 50;

/// What is typed. Parameters that are not listed are passed over, as Photon does.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct Typed {
    /// What was typed so far.
    #[param(max_length = 1_000, example = "berl")]
    q: String,
    /// Where the user is: near places come first.
    #[param(minimum = -90, maximum = 90)]
    lat: Option<f64>,
    #[param(minimum = -180, maximum = 180)]
    lon: Option<f64>,
    /// Only in this box: west,south,east,north.
    bbox: Option<String>,
    /// At most so many; above 50 it is 50.
    #[param(default = 15)]
    limit: Option<usize>,
    /// Taken and not looked at: names are given as the gazetteer has them.
    #[serde(rename = "lang")]
    #[allow(dead_code, reason = "it is part of the shape and described")]
    language: Option<String>,
}

/// Places by what is typed, in the shape of Photon.
#[utoipa::path(
    get,
    path = "/api",
    tag = "shapes of others",
    params(Typed),
    responses(
        (status = 200, description = "features with `properties.extent` as west, north, east, south", body = Object,
            content_type = "application/geo+json"),
    ),
)]
pub(crate) async fn search(
    State(shelf): State<Arc<Shelf>>,
    Fields(typed): Fields<Typed>,
) -> Result<GeoJson<Value>, Failure> {
    let answer = aside(move || {
        let at = point(typed.lat, typed.lon)?;
        let asked = text("q", &typed.q)?;
        let most = typed.limit.unwrap_or(USUAL).min(MOST);
        let drawn = typed.bbox.as_deref().filter(|it| !it.is_empty());
        let drawn = drawn.map(Region::parse_box).transpose().map_err(Refusal::bad)?;
        let gazetteer = shelf.gazetteer();
        let mut found =
            finding::typed(gazetteer, asked, at, if drawn.is_some() { 1_000 } else { most });
        if let Some(Region::Box(bounds)) = drawn {
            found.retain(|it| bounds.contains(it.point));
        }
        found.truncate(most);
        Ok(collection(gazetteer, &found))
    });
    Ok(GeoJson(answer.await?))
}

/// A point. Parameters that are not listed are passed over, as Photon does.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct Pointed {
    #[param(minimum = -90, maximum = 90, example = 60.17)]
    lat: f64,
    #[param(minimum = -180, maximum = 180, example = 24.94)]
    lon: f64,
    /// At most so many; above 50 it is 50.
    #[param(default = 1)]
    limit: Option<usize>,
}

/// What is at a point, in the shape of Photon: the house or the city first, then what holds it.
#[utoipa::path(
    get,
    path = "/reverse",
    tag = "shapes of others",
    params(Pointed),
    responses(
        (status = 200, description = "features; none far from everything", body = Object,
            content_type = "application/geo+json"),
    ),
)]
pub(crate) async fn reverse(
    State(shelf): State<Arc<Shelf>>,
    Fields(pointed): Fields<Pointed>,
) -> Result<GeoJson<Value>, Failure> {
    let answer = aside(move || {
        let at = point(Some(pointed.lat), Some(pointed.lon))?.ok_or_else(no_point)?;
        let mut found = finding::here(shelf.gazetteer(), at);
        found.truncate(pointed.limit.unwrap_or(1).min(MOST));
        Ok(collection(shelf.gazetteer(), &found))
    });
    Ok(GeoJson(answer.await?))
}

/// The point of two numbers; nothing if one is missing.
pub(crate) fn point(lat: Option<f64>, lon: Option<f64>) -> Result<Option<Point>, Refusal> {
    let (Some(lat), Some(lon)) = (lat, lon) else { return Ok(None) };
    Point::checked(lat, lon).map(Some).ok_or_else(no_point)
}

pub(crate) fn no_point() -> Refusal {
    Refusal::bad("lat and lon are not on the globe: latitude goes to 90, longitude to 180")
}

fn collection(gazetteer: &Gazetteer, found: &[Finding<'_>]) -> Value {
    let features: Vec<Value> = found.iter().map(|it| feature(gazetteer, it)).collect();
    json!({ "type": "FeatureCollection", "features": features })
}

fn feature(gazetteer: &Gazetteer, finding: &Finding<'_>) -> Value {
    let parts = AddressParts::of(gazetteer, finding);
    let mut properties = Map::new();
    let mut set = |name: &str, value: Option<String>| {
        if let Some(value) = value {
            properties.insert(name.to_owned(), value.into());
        }
    };
    let kind = finding.place.kind();
    // Of what is itself one of the parts, the name stands in `name` alone.
    let unless =
        |own: Kind, part: Option<String>| part.filter(|_| kind != own || !finding.is_place());
    let street = parts.street.filter(|_| finding.house.is_some() || kind == Kind::Street);
    if finding.is_coordinate {
        set("name", Some(finding.point.to_string()));
    } else if finding.house.is_none() {
        set("name", Some(finding.place.name().to_owned()));
    }
    set("housenumber", parts.house_number);
    set("street", street.filter(|_| finding.house.is_some()));
    set("postcode", unless(Kind::Postcode, parts.postcode));
    set("district", unless(Kind::District, parts.district));
    set("city", unless(Kind::City, parts.city));
    set("county", unless(Kind::County, parts.county));
    set("state", unless(Kind::Region, parts.state));
    set("country", unless(Kind::Country, parts.country));
    set("countrycode", parts.country_code);
    set("type", Some(photon_type(finding).to_owned()));
    set("strabo_id", finding.is_place().then(|| finding.place.key().to_owned()));
    set("strabo_kind", Some(finding.kind().to_owned()));
    let bounds = finding.place.bounds().filter(|_| finding.is_place());
    let mut feature = json!({
        "type": "Feature",
        "geometry": { "type": "Point", "coordinates": pair(finding.point) },
    });
    if let Some(it) = bounds {
        // Photon gives the corner in the north-west and the one in the south-east.
        properties.insert("extent".to_owned(), json!([it.west, it.north, it.east, it.south]));
        feature["bbox"] = json!([it.west, it.south, it.east, it.north]);
    }
    feature["properties"] = Value::Object(properties);
    feature
}

/// The layer in which Photon would have it.
fn photon_type(finding: &Finding<'_>) -> &'static str {
    match finding.place.kind() {
        _ if finding.house.is_some() => "house",
        _ if finding.is_coordinate => "other",
        Kind::Country => "country",
        Kind::Region => "state",
        Kind::County => "county",
        Kind::Municipality | Kind::City => "city",
        Kind::District => "district",
        Kind::Street => "street",
        Kind::Airport | Kind::Poi => "house",
        Kind::World | Kind::Continent | Kind::Postcode | Kind::Feature => "other",
    }
}
