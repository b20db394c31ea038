//! `GET /nominatim/search` and `/nominatim/reverse`: places as the geocoder Nominatim gives them, for its clients.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use earth::Bounds;
use gazetteer::{Gazetteer, Kind};
use query::Region;
use serde::Deserialize;
use serde_json::{Map, Value, json};
use utoipa::IntoParams;

use super::address_parts::AddressParts;
use super::failure::Failure;
use super::fields::{Fields, text};
use super::finding::{self, Finding};
use super::photon::{no_point, point};
use super::place_card::{outline_geometry, pair};
use super::reply::GeoJson;
use crate::aside::aside;
use crate::inquiry::Refusal;
use crate::shelf::Shelf;

/// As many as Nominatim gives if nobody says how many.
const USUAL: usize = 10;
/// More are never given; who asks for more gets these, as with Nominatim.
const MOST: usize = 40;
/// So many are looked at where some are left out again.
const LOOKED_AT: usize = 400;

/// What is sought. Parameters that are not listed are passed over, as Nominatim does.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct Sought {
    /// The text; or the parts of an address below.
    #[param(max_length = 1_000, example = "Helsinki")]
    q: Option<String>,
    amenity: Option<String>,
    street: Option<String>,
    city: Option<String>,
    county: Option<String>,
    state: Option<String>,
    country: Option<String>,
    postalcode: Option<String>,
    /// `json`, `jsonv2` or `geojson`.
    #[param(default = "jsonv2")]
    format: Option<String>,
    /// At most so many; above 40 it is 40.
    #[param(default = 10)]
    limit: Option<usize>,
    /// 1 adds the parts of the address.
    #[param(default = "0")]
    addressdetails: Option<String>,
    /// 1 adds the outline.
    #[param(default = "0")]
    polygon_geojson: Option<String>,
    /// Prefer this box: two corners as longitude,latitude,longitude,latitude.
    viewbox: Option<String>,
    /// 1 leaves out what is not in the box.
    #[param(default = "0")]
    bounded: Option<String>,
    /// Only in these countries, by two letters, with commas between.
    countrycodes: Option<String>,
}

/// Places by text, in the shape of Nominatim.
#[utoipa::path(
    get,
    path = "/nominatim/search",
    tag = "shapes of others",
    params(Sought),
    responses((status = 200, description = "a list, or features for `format=geojson`", body = Value)),
)]
pub(crate) async fn search(
    State(shelf): State<Arc<Shelf>>,
    Fields(sought): Fields<Sought>,
) -> Result<Response, Failure> {
    let answer = aside(move || {
        let gazetteer = shelf.gazetteer();
        let form = Form::of(sought.format.as_deref())?;
        let shape = Shape {
            form,
            has_address: is_on(sought.addressdetails.as_deref(), false),
            has_outline: is_on(sought.polygon_geojson.as_deref(), false),
        };
        let found = find(gazetteer, &sought)?;
        Ok(shape.list(gazetteer, &found))
    });
    Ok(answer.await?)
}

fn find<'g>(gazetteer: &'g Gazetteer, sought: &Sought) -> Result<Vec<Finding<'g>>, Refusal> {
    let given = |it: &Option<String>| it.clone().filter(|it| !it.trim().is_empty());
    let parts = [
        &sought.amenity,
        &sought.street,
        &sought.city,
        &sought.county,
        &sought.state,
        &sought.postalcode,
        &sought.country,
    ];
    let parts: Vec<String> = parts.into_iter().filter_map(given).collect();
    let asked = given(&sought.q).unwrap_or_else(|| parts.join(", "));
    let asked = text("q", &asked)?;
    if asked.is_empty() {
        return Err(Refusal::bad(
            "nothing to look for was given: send q, or the parts of an address",
        ));
    }
    let view = given(&sought.viewbox).as_deref().map(corners).transpose()?;
    let is_bounded = is_on(sought.bounded.as_deref(), false);
    let codes = given(&sought.countrycodes).map(|it| it.to_uppercase());
    let most = sought.limit.unwrap_or(USUAL).min(MOST);
    let is_narrowed = codes.is_some() || (is_bounded && view.is_some());
    let looked_at = if is_narrowed { LOOKED_AT } else { most };
    let mut found = finding::meant(gazetteer, asked, view.map(Bounds::center), looked_at);
    if let (Some(view), true) = (view, is_bounded) {
        found.retain(|it| view.contains(it.point));
    }
    if let Some(codes) = codes {
        found.retain(|it| {
            let code = it.place.country().and_then(|it| it.tag("iso2"));
            code.is_some_and(|code| codes.split(',').any(|it| it.trim() == code))
        });
    }
    found.truncate(most);
    Ok(found)
}

/// The box between two corners, whichever they are.
fn corners(text: &str) -> Result<Bounds, Refusal> {
    let numbers: Vec<&str> = text.split(',').map(str::trim).collect();
    let written = match numbers.as_slice() {
        [west, one, east, other] => {
            let is_upside_down = one.parse::<f64>().ok() > other.parse::<f64>().ok();
            let (south, north) = if is_upside_down { (other, one) } else { (one, other) };
            format!("{west},{south},{east},{north}")
        }
        _ => text.to_owned(),
    };
    match Region::parse_box(&written) {
        Ok(Region::Box(bounds)) => Ok(bounds),
        _ => Err(Refusal::bad(format!(
            "\"{text}\" is no viewbox: write two corners as longitude,latitude,longitude,latitude"
        ))),
    }
}

/// A point. Parameters that are not listed are passed over, as Nominatim does.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct Pointed {
    #[param(minimum = -90, maximum = 90, example = 60.17)]
    lat: f64,
    #[param(minimum = -180, maximum = 180, example = 24.94)]
    lon: f64,
    /// `json`, `jsonv2` or `geojson`.
    #[param(default = "jsonv2")]
    format: Option<String>,
    /// How narrow: 3 country, 5 state, 8 county, 10 city, 18 house.
    #[param(minimum = 0, maximum = 18, default = 18)]
    zoom: Option<u8>,
    /// 0 leaves out the parts of the address.
    #[param(default = "1")]
    addressdetails: Option<String>,
    /// 1 adds the outline.
    #[param(default = "0")]
    polygon_geojson: Option<String>,
}

/// What is at a point, in the shape of Nominatim. Far from everything it is `{ "error": … }` with status 200, as there.
#[utoipa::path(
    get,
    path = "/nominatim/reverse",
    tag = "shapes of others",
    params(Pointed),
    responses((status = 200, description = "one place, or features for `format=geojson`", body = Value)),
)]
pub(crate) async fn reverse(
    State(shelf): State<Arc<Shelf>>,
    Fields(pointed): Fields<Pointed>,
) -> Result<Response, Failure> {
    let answer = aside(move || {
        let gazetteer = shelf.gazetteer();
        let at = point(Some(pointed.lat), Some(pointed.lon))?.ok_or_else(no_point)?;
        let form = Form::of(pointed.format.as_deref())?;
        let shape = Shape {
            form,
            has_address: is_on(pointed.addressdetails.as_deref(), true),
            has_outline: is_on(pointed.polygon_geojson.as_deref(), false),
        };
        let narrowest = narrowest(pointed.zoom.unwrap_or(18));
        let mut found = finding::here(gazetteer, at).into_iter();
        let found = found.find(|it| match narrowest {
            None => true,
            Some(kind) => it.is_place() && it.place.kind() <= kind,
        });
        Ok(match (form, found) {
            // So Nominatim says it, and so its clients look for it.
            (_, None) => Json(json!({ "error": "Unable to geocode" })).into_response(),
            (Form::GeoJson, Some(it)) => shape.list(gazetteer, &[it]),
            (_, Some(it)) => Json(shape.entry(gazetteer, &it)).into_response(),
        })
    });
    Ok(answer.await?)
}

/// The narrowest kind of place that is shown at a zoom of the map; nothing for all, houses included.
fn narrowest(zoom: u8) -> Option<Kind> {
    match zoom {
        0..=4 => Some(Kind::Country),
        5..=7 => Some(Kind::Region),
        8..=9 => Some(Kind::County),
        10..=13 => Some(Kind::City),
        14..=15 => Some(Kind::District),
        16..=17 => Some(Kind::Street),
        _ => None,
    }
}

/// The form of an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    Json,
    JsonV2,
    GeoJson,
}

impl Form {
    fn of(name: Option<&str>) -> Result<Self, Refusal> {
        match name.unwrap_or("jsonv2") {
            "json" => Ok(Self::Json),
            "jsonv2" | "" => Ok(Self::JsonV2),
            "geojson" => Ok(Self::GeoJson),
            other => {
                let fact = format!("format is \"{other}\": write json, jsonv2 or geojson");
                Err(Refusal::bad(fact))
            }
        }
    }
}

fn is_on(given: Option<&str>, usual: bool) -> bool {
    given.map_or(usual, |it| !matches!(it, "0" | "" | "false"))
}

/// What an answer looks like.
#[derive(Clone, Copy)]
struct Shape {
    form: Form,
    has_address: bool,
    has_outline: bool,
}

impl Shape {
    fn list(self, gazetteer: &Gazetteer, found: &[Finding<'_>]) -> Response {
        if self.form != Form::GeoJson {
            let list: Vec<Value> = found.iter().map(|it| self.entry(gazetteer, it)).collect();
            return Json(list).into_response();
        }
        let features: Vec<Value> = found.iter().map(|it| self.feature(gazetteer, it)).collect();
        let licence = licence(gazetteer);
        GeoJson(json!({ "type": "FeatureCollection", "licence": licence, "features": features }))
            .into_response()
    }

    /// What both forms say of a finding.
    fn facts(self, gazetteer: &Gazetteer, finding: &Finding<'_>) -> Map<String, Value> {
        let place = &finding.place;
        let mut facts = Map::new();
        let mut set = |name: &str, value: Value| facts.insert(name.to_owned(), value);
        set("place_id", place.id().0.into());
        set("strabo_id", place.key().into());
        let class = if self.form == Form::Json { "class" } else { "category" };
        set(class, category(finding).into());
        set("type", finding.kind().into());
        set("place_rank", rank(finding).into());
        set("importance", place.importance().into());
        set("addresstype", finding.kind().into());
        set("name", if finding.is_place() { place.name().into() } else { "".into() });
        set("display_name", finding.label().into());
        if self.has_address {
            set("address", address(gazetteer, finding));
        }
        facts
    }

    fn entry(self, gazetteer: &Gazetteer, finding: &Finding<'_>) -> Value {
        let mut facts = self.facts(gazetteer, finding);
        let frame = finding.frame();
        let edges = [frame.south, frame.north, frame.west, frame.east];
        facts.insert("licence".to_owned(), licence(gazetteer).into());
        facts.insert("lat".to_owned(), finding.point.lat.to_string().into());
        facts.insert("lon".to_owned(), finding.point.lon.to_string().into());
        facts.insert("boundingbox".to_owned(), json!(edges.map(|it| it.to_string())));
        if self.has_outline && finding.is_place() {
            facts.insert("geojson".to_owned(), outline_geometry(&finding.place));
        }
        Value::Object(facts)
    }

    fn feature(self, gazetteer: &Gazetteer, finding: &Finding<'_>) -> Value {
        let frame = finding.frame();
        let outline = self.has_outline && finding.is_place();
        json!({
            "type": "Feature",
            "properties": self.facts(gazetteer, finding),
            "bbox": [frame.west, frame.south, frame.east, frame.north],
            "geometry": if outline {
                outline_geometry(&finding.place)
            } else {
                json!({ "type": "Point", "coordinates": pair(finding.point) })
            },
        })
    }
}

fn address(gazetteer: &Gazetteer, finding: &Finding<'_>) -> Value {
    let parts = AddressParts::of(gazetteer, finding);
    let named = [
        ("house_number", parts.house_number),
        ("road", parts.street),
        ("suburb", parts.district),
        ("city", parts.city),
        ("postcode", parts.postcode),
        ("county", parts.county),
        ("state", parts.state),
        ("country", parts.country),
        ("country_code", parts.country_code.map(|it| it.to_lowercase())),
    ];
    let known = named.into_iter().filter_map(|(name, it)| Some((name.to_owned(), it?.into())));
    Value::Object(known.collect())
}

fn category(finding: &Finding<'_>) -> &'static str {
    match finding.place.kind() {
        _ if finding.house.is_some() || finding.is_coordinate => "place",
        it if it.is_administrative() => "boundary",
        Kind::Street => "highway",
        Kind::Airport => "aeroway",
        Kind::Feature => "natural",
        Kind::Poi => "amenity",
        _ => "place",
    }
}

/// Nominatim's rank of an address: the narrower the higher.
fn rank(finding: &Finding<'_>) -> u8 {
    match finding.place.kind() {
        _ if finding.house.is_some() || finding.is_coordinate => 30,
        Kind::World | Kind::Continent => 2,
        Kind::Country => 4,
        Kind::Region => 8,
        Kind::County => 12,
        Kind::Municipality => 14,
        Kind::City => 16,
        Kind::District => 20,
        Kind::Postcode => 21,
        Kind::Street => 26,
        Kind::Airport | Kind::Feature | Kind::Poi => 30,
    }
}

/// Who is to be thanked for the places.
fn licence(gazetteer: &Gazetteer) -> String {
    let sources = gazetteer.sources();
    let named: Vec<_> = sources.iter().map(|it| format!("{} ({})", it.title, it.licence)).collect();
    format!("places: {}", named.join("; "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_corners_of_a_viewbox_may_come_in_any_order() {
        let expected = Bounds::new(60.0, 24.0, 61.0, 25.0);
        assert_eq!(corners("24,61,25,60").unwrap(), expected);
        assert_eq!(corners("24, 60, 25, 61").unwrap(), expected);
        assert!(corners("24,60").is_err());
        assert!(corners("a,b,c,d").is_err());
    }

    #[test]
    fn the_nearer_the_map_the_narrower_the_place() {
        assert_eq!(narrowest(3), Some(Kind::Country));
        assert_eq!(narrowest(10), Some(Kind::City));
        assert_eq!(narrowest(18), None);
    }
}
