//! `/ogc`: pages and places as OGC API Records and Features have them. A core subset, not certified.

mod page_items;
mod place_items;

use std::sync::Arc;

use axum::Router;
use axum::extract::Path;
use axum::extract::rejection::PathRejection;
use axum::extract::{FromRequestParts, State};
use axum::http::request::Parts;
use axum::response::Response;
use axum::routing::get;
use earth::Bounds;
use query::Region;
use serde::Deserialize;
use serde_json::{Value, json};
use url::form_urlencoded::{Serializer, byte_serialize};
use utoipa::IntoParams;

use super::base_url::BaseUrl;
use super::failure::Failure;
use super::fields::{Fields, Key, text};
use super::period::Period;
use super::reply::{GeoJson, json as send_json};
use crate::aside::aside;
use crate::inquiry::Refusal;
use crate::shelf::Shelf;

const USUAL: usize = 10;
/// More are never given at once; the standard wants that who asks for more gets these.
const MOST: usize = 1_000;
/// Nobody reads beyond this item.
const FARTHEST: usize = search::FARTHEST;
const GLOBE: &str = "http://www.opengis.net/def/crs/OGC/1.3/CRS84";
/// What a record says it keeps to.
const RECORD_CORE: &str = "http://www.opengis.net/spec/ogcapi-records-1/1.0/conf/record-core";

/// What the server keeps to, as far as it goes.
const CONFORMANCE: [&str; 5] = [
    "http://www.opengis.net/spec/ogcapi-common-1/1.0/conf/core",
    "http://www.opengis.net/spec/ogcapi-common-2/1.0/conf/collections",
    "http://www.opengis.net/spec/ogcapi-features-1/1.0/conf/core",
    "http://www.opengis.net/spec/ogcapi-features-1/1.0/conf/geojson",
    RECORD_CORE,
];

/// The routes below `/ogc`.
pub(crate) fn routes() -> Router<Arc<Shelf>> {
    Router::new()
        .route("/ogc", get(landing))
        .route("/ogc/", get(landing))
        .route("/ogc/conformance", get(conformance))
        .route("/ogc/collections", get(collections))
        .route("/ogc/collections/{id}", get(collection))
        .route("/ogc/collections/{id}/items", get(items))
        .route("/ogc/collections/{id}/items/{item}", get(item))
}

/// The address of one item of a collection.
pub(crate) fn item_address(base: &BaseUrl, collection: &str, id: &str) -> String {
    // A form writes blanks as plus signs, a path does not.
    let id = byte_serialize(id.as_bytes()).collect::<String>().replace('+', "%20");
    format!("{base}/ogc/collections/{collection}/items/{id}")
}

/// One of the two collections.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Collection {
    Pages,
    Places,
}

impl Collection {
    const ALL: [Self; 2] = [Self::Pages, Self::Places];

    fn named(id: &str) -> Result<Self, Failure> {
        let known = Self::ALL.into_iter().find(|it| it.id() == id);
        known.ok_or_else(|| {
            Failure::missing(format!("there is no collection {id}: ask for pages or places"))
        })
    }

    const fn id(self) -> &'static str {
        match self {
            Self::Pages => "pages",
            Self::Places => "places",
        }
    }

    fn value(self, base: &BaseUrl) -> Value {
        let (title, about, item) = match self {
            Self::Pages => {
                ("Pages", "Pages of the index, with the places they are about.", "record")
            }
            Self::Places => ("Places", "Places of the gazetteer.", "feature"),
        };
        let here = format!("{base}/ogc/collections/{}", self.id());
        json!({
            "id": self.id(),
            "title": title,
            "description": about,
            "itemType": item,
            "crs": [GLOBE],
            "extent": { "spatial": { "bbox": [[-180.0, -90.0, 180.0, 90.0]], "crs": GLOBE } },
            "links": [
                link("self", "application/json", "this collection", &here),
                link("items", "application/geo+json", "its items", &format!("{here}/items")),
            ],
        })
    }
}

fn link(relation: &str, media_type: &str, title: &str, address: &str) -> Value {
    json!({ "rel": relation, "type": media_type, "title": title, "href": address })
}

/// The form of a response. There is one.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct Form {
    /// `json`.
    f: Option<String>,
}

impl Form {
    fn check(&self) -> Result<(), Refusal> {
        match self.f.as_deref() {
            None | Some("json" | "geojson") => Ok(()),
            Some(other) => Err(Refusal::bad(format!(
                "f is \"{other}\", and there is json alone: write f=json"
            ))),
        }
    }
}

/// The landing page: where everything else is.
#[utoipa::path(
    get,
    path = "/ogc",
    tag = "OGC API",
    params(Form),
    responses((status = 200, description = "links", body = Object)),
)]
pub(crate) async fn landing(
    base: BaseUrl,
    Fields(form): Fields<Form>,
) -> Result<Response, Failure> {
    form.check()?;
    let at = |path: &str| format!("{base}{path}");
    Ok(send_json(
        "application/json",
        &json!({
            "title": "Strabo",
            "description": "Pages by what and where, and the places of a gazetteer. A core subset of OGC API Records and Features, not certified.",
            "links": [
                link("self", "application/json", "this page", &at("/ogc")),
                link("service-desc", "application/json", "the API described", &at("/api/openapi.json")),
                link("conformance", "application/json", "what it keeps to", &at("/ogc/conformance")),
                link("http://www.opengis.net/def/rel/ogc/1.0/conformance", "application/json", "what it keeps to", &at("/ogc/conformance")),
                link("data", "application/json", "the collections", &at("/ogc/collections")),
                link("search", "application/opensearchdescription+xml", "OpenSearch", &at("/opensearch.xml")),
            ],
        }),
    ))
}

/// The parts of the standards that are kept to.
#[utoipa::path(
    get,
    path = "/ogc/conformance",
    tag = "OGC API",
    params(Form),
    responses((status = 200, description = "their names", body = Object)),
)]
pub(crate) async fn conformance(Fields(form): Fields<Form>) -> Result<Response, Failure> {
    form.check()?;
    Ok(send_json("application/json", &json!({ "conformsTo": CONFORMANCE })))
}

/// The collections: pages and places.
#[utoipa::path(
    get,
    path = "/ogc/collections",
    tag = "OGC API",
    params(Form),
    responses((status = 200, description = "the collections", body = Object)),
)]
pub(crate) async fn collections(
    base: BaseUrl,
    Fields(form): Fields<Form>,
) -> Result<Response, Failure> {
    form.check()?;
    let here = format!("{base}/ogc/collections");
    Ok(send_json(
        "application/json",
        &json!({
            "links": [link("self", "application/json", "these collections", &here)],
            "collections": Collection::ALL.map(|it| it.value(&base)),
        }),
    ))
}

/// One collection.
#[utoipa::path(
    get,
    path = "/ogc/collections/{id}",
    tag = "OGC API",
    params(("id" = String, Path, description = "`pages` or `places`", example = "pages"), Form),
    responses((status = 200, description = "the collection", body = Object)),
)]
pub(crate) async fn collection(
    base: BaseUrl,
    Key(id): Key,
    Fields(form): Fields<Form>,
) -> Result<Response, Failure> {
    form.check()?;
    Ok(send_json("application/json", &Collection::named(&id)?.value(&base)))
}

/// Which items are wanted.
#[derive(Clone, Debug, Default, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct Wanted {
    /// What they are about: of pages, in the query language, place names included; of places, a name.
    #[param(max_length = 1_000)]
    q: Option<String>,
    /// In this box: west,south,east,north.
    #[param(example = "24.5,60.0,25.5,60.5")]
    bbox: Option<String>,
    /// A day, a moment, or two of them with a slash between; two dots are an open end. Places have no time and are all
    /// taken.
    #[param(example = "2024-01-01/..")]
    datetime: Option<String>,
    /// At most so many; above 1,000 it is 1,000.
    #[param(minimum = 1, default = 10)]
    limit: Option<usize>,
    /// So many are left out at the start.
    #[param(maximum = 10_000, default = 0)]
    offset: Option<usize>,
    /// `json`.
    f: Option<String>,
}

/// What the parameters say, checked.
struct Choice {
    q: String,
    bounds: Option<Bounds>,
    period: Period,
    limit: usize,
    offset: usize,
}

/// Some items, and how many there are in all if that is known.
struct Items {
    features: Vec<Value>,
    matched: Option<u64>,
    has_more: bool,
}

impl Wanted {
    fn choice(&self) -> Result<Choice, Refusal> {
        Form { f: self.f.clone() }.check()?;
        let given = |it: &Option<String>| it.clone().filter(|it| !it.trim().is_empty());
        let limit = self.limit.unwrap_or(USUAL).min(MOST);
        if limit == 0 {
            return Err(Refusal::bad("limit is 0: ask for one item or more"));
        }
        let offset = self.offset.unwrap_or(0);
        if offset > FARTHEST {
            return Err(Refusal::bad(format!(
                "offset is {offset}, and at most {FARTHEST} are left out: narrow the search instead"
            )));
        }
        Ok(Choice {
            q: text("q", &given(&self.q).unwrap_or_default())?.to_owned(),
            bounds: given(&self.bbox).as_deref().map(bounds).transpose()?,
            period: Period::of_interval(&given(&self.datetime).unwrap_or_default())?,
            limit,
            offset,
        })
    }

    /// The part of the address behind the question mark, for another part of the list.
    fn query_string(&self, offset: usize, limit: usize) -> String {
        let mut pairs = Serializer::new(String::new());
        let given = [("q", &self.q), ("bbox", &self.bbox), ("datetime", &self.datetime)];
        for (name, value) in given {
            if let Some(value) = value {
                pairs.append_pair(name, value);
            }
        }
        pairs.append_pair("limit", &limit.to_string());
        pairs.append_pair("offset", &offset.to_string());
        pairs.finish()
    }
}

/// The box of four numbers, or of six, of which two are heights.
fn bounds(text: &str) -> Result<Bounds, Refusal> {
    let parts: Vec<&str> = text.split(',').collect();
    let flat = match parts.as_slice() {
        [west, south, _, east, north, _] => [*west, *south, *east, *north].join(","),
        _ => text.to_owned(),
    };
    match Region::parse_box(&flat).map_err(Refusal::bad)? {
        Region::Box(bounds) => Ok(bounds),
        _ => Err(Refusal::bad("bbox is no box: write west,south,east,north in degrees")),
    }
}

/// The items of a collection, in parts.
#[utoipa::path(
    get,
    path = "/ogc/collections/{id}/items",
    tag = "OGC API",
    params(("id" = String, Path, description = "`pages` or `places`", example = "pages"), Wanted),
    responses(
        (status = 200, description = "the items, with links to the parts before and behind", body = Object,
            content_type = "application/geo+json"),
    ),
)]
pub(crate) async fn items(
    State(shelf): State<Arc<Shelf>>,
    base: BaseUrl,
    Key(id): Key,
    Fields(wanted): Fields<Wanted>,
) -> Result<GeoJson<Value>, Failure> {
    let collection = Collection::named(&id)?;
    let choice = wanted.choice()?;
    let (limit, offset) = (choice.limit, choice.offset);
    let links_base = base.clone();
    let items = aside(move || match collection {
        Collection::Pages => page_items::list(&shelf, &base, &choice),
        Collection::Places => Ok(place_items::list(shelf.gazetteer(), &base, &choice)),
    });
    let items = items.await?;
    let at = |offset: usize| {
        let id = collection.id();
        format!("{links_base}/ogc/collections/{id}/items?{}", wanted.query_string(offset, limit))
    };
    let media_type = "application/geo+json";
    let mut links = vec![link("self", media_type, "this part", &at(offset))];
    let next = offset + items.features.len();
    if items.has_more && next <= FARTHEST {
        links.push(link("next", media_type, "the part behind", &at(next)));
    }
    if offset > 0 {
        let before = at(offset.saturating_sub(limit));
        links.push(link("prev", media_type, "the part before", &before));
    }
    let mut value = json!({
        "type": "FeatureCollection",
        "timeStamp": jiff::Timestamp::now().to_string(),
        "numberReturned": items.features.len(),
        "features": items.features,
        "links": links,
    });
    if let Some(matched) = items.matched {
        value["numberMatched"] = json!(matched);
    }
    Ok(GeoJson(value))
}

/// A collection and one of its items, from the path.
pub(crate) struct ItemPath(String, String);

impl<S: Send + Sync> FromRequestParts<S> for ItemPath {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Failure> {
        let read: Result<Path<(String, String)>, PathRejection> =
            Path::from_request_parts(parts, state).await;
        let Path((collection, item)) =
            read.map_err(|error| Failure(Refusal::bad(error.body_text())))?;
        Ok(Self(collection, item))
    }
}

/// One item of a collection.
#[utoipa::path(
    get,
    path = "/ogc/collections/{id}/items/{item}",
    tag = "OGC API",
    params(
        ("id" = String, Path, description = "`pages` or `places`", example = "places"),
        ("item" = String, Path, description = "the id of the item", example = "gn:658225"),
        Form,
    ),
    responses((status = 200, description = "the item", body = Object, content_type = "application/geo+json")),
)]
pub(crate) async fn item(
    State(shelf): State<Arc<Shelf>>,
    base: BaseUrl,
    ItemPath(id, item): ItemPath,
    Fields(form): Fields<Form>,
) -> Result<GeoJson<Value>, Failure> {
    form.check()?;
    let collection = Collection::named(&id)?;
    let found = aside(move || match collection {
        Collection::Pages => page_items::one(&shelf, &base, &item),
        Collection::Places => place_items::one(shelf.gazetteer(), &base, &item),
    });
    Ok(GeoJson(found.await?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_box_may_have_heights() {
        let expected = Bounds::new(60.0, 24.0, 61.0, 25.0);
        assert_eq!(bounds("24,60,25,61").unwrap(), expected);
        assert_eq!(bounds("24,60,0,25,61,100").unwrap(), expected);
        assert!(bounds("24,60,25").is_err());
    }

    #[test]
    fn a_list_can_be_walked_by_its_addresses() {
        let wanted = Wanted { q: Some("a&b".into()), limit: Some(5_000), ..Wanted::default() };
        assert_eq!(wanted.choice().unwrap().limit, MOST);
        assert_eq!(wanted.query_string(20, 10), "q=a%26b&limit=10&offset=20");
    }

    #[test]
    fn no_items_and_too_far_are_refused() {
        assert!(Wanted { limit: Some(0), ..Wanted::default() }.choice().is_err());
        assert!(Wanted { offset: Some(10_001), ..Wanted::default() }.choice().is_err());
    }
}
