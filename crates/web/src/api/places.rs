//! `GET /api/v1/places…`: the places of the gazetteer, and what the index has about them.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use earth::Meters;
use gazetteer::{Gazetteer, Kind, NameClass, Place};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::{IntoParams, ToSchema};

use super::failure::Failure;
use super::fields::{Fields, Key, limit, position, text};
use super::place_card::{Holder, PlaceCard, holders, outline_geometry, pair, point_geometry};
use super::reply::GeoJson;
use crate::aside::aside;
use crate::inquiry::{Refusal, inquire};
use crate::parameters::Parameters;
use crate::rendering::answer_json;
use crate::shelf::Shelf;

/// So many candidates for a name are worth looking at.
const MOST_NAMED: usize = 100;
/// A page of a list.
const USUAL: usize = 100;
/// The longest page of a list.
const MOST: usize = 1_000;
/// So many places nearby are given if nobody says how many.
const USUAL_NEARBY: usize = 10;
const MOST_NEARBY: usize = 100;
/// So far "nearby" goes if nobody says how far.
const REACH: f64 = 50_000.0;
/// Farther there is nothing that is nearby.
const LONGEST_REACH: f64 = 1_000_000.0;

/// A name to look for.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct Named {
    /// A name, an address, a coordinate, a `geo:` link, a plus code.
    #[param(max_length = 1_000, example = "Paris, Texas")]
    name: String,
    /// Where the user is, `lat,lon`: near places come first.
    at: Option<String>,
    /// At most so many.
    #[param(maximum = 100, default = 10)]
    limit: Option<usize>,
}

/// A place that a name may mean.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct NamedPlace {
    #[serde(flatten)]
    place: PlaceCard,
    /// The house number, if it was asked for and is known; `point` is that of the house then.
    house: Option<String>,
    /// How exact the point is: region, city, postcode, street, spot, house, coordinate.
    precision: &'static str,
    /// How sure it is that this one is meant, 0 to 1.
    confidence: f64,
    /// What was not understood, or only in part.
    notes: Vec<String>,
}

/// The places that a name may mean, the best first.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct NamedPlaces {
    places: Vec<NamedPlace>,
}

/// The places that a name or an address may mean.
#[utoipa::path(
    get,
    path = "/api/v1/places",
    tag = "places",
    params(Named),
    responses((status = 200, description = "the places, the best first", body = NamedPlaces)),
)]
pub(crate) async fn named(
    State(shelf): State<Arc<Shelf>>,
    Fields(named): Fields<Named>,
) -> Result<Json<NamedPlaces>, Failure> {
    let places = aside(move || {
        let at = position(named.at.as_deref())?;
        let most = limit(named.limit, 10, MOST_NAMED)?;
        let found = shelf.gazetteer().geocode(text("name", &named.name)?, at, most);
        let place = found.into_iter().map(|it| NamedPlace {
            place: PlaceCard { point: pair(it.point), ..PlaceCard::of(&it.place) },
            house: it.house,
            precision: it.precision.name(),
            confidence: it.confidence,
            notes: it.notes,
        });
        Ok(place.collect())
    });
    Ok(Json(NamedPlaces { places: places.await? }))
}

/// How much of a place is wanted.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct Extent {
    /// `false` gives the point of the place in place of its outline, which may be long.
    outline: Option<bool>,
}

/// A place as a `GeoJSON` feature.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct PlaceFeature {
    #[serde(rename = "type")]
    #[schema(example = "Feature")]
    kind: &'static str,
    id: String,
    /// West, south, east, north, if there is an outline.
    #[serde(skip_serializing_if = "Option::is_none")]
    bbox: Option<[f64; 4]>,
    /// The outline as a `MultiPolygon`, or a `Point`.
    #[schema(value_type = Object)]
    geometry: Value,
    properties: PlaceFacts,
}

/// Everything about a place.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct PlaceFacts {
    #[serde(flatten)]
    place: PlaceCard,
    /// How well known it is, 0 to 1.
    importance: f64,
    /// Its names beside the one to show.
    names: Vec<OtherName>,
    /// What it is part of, the narrowest first.
    lineage: Vec<Holder>,
    /// How many parts it has, one step down.
    children: usize,
    /// How many documents are about it or anything in it.
    documents: u64,
    /// The generation of the index in which they were counted.
    generation: u64,
}

/// A name beside the one to show.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct OtherName {
    name: &'static str,
    /// `alternate`, `short` for codes and abbreviations, or `demonym`.
    class: &'static str,
}

/// A place with its names, what it is part of, its outline, and how many documents are about it.
#[utoipa::path(
    get,
    path = "/api/v1/places/{id}",
    tag = "places",
    params(("id" = String, Path, description = "the id of the place", example = "gn:658225"), Extent),
    responses((status = 200, description = "the place", body = PlaceFeature, content_type = "application/geo+json")),
)]
pub(crate) async fn place(
    State(shelf): State<Arc<Shelf>>,
    Key(key): Key,
    Fields(extent): Fields<Extent>,
) -> Result<GeoJson<PlaceFeature>, Failure> {
    let feature = aside(move || {
        let gazetteer = shelf.gazetteer();
        let place = known(gazetteer, &key)?;
        let with_outline = extent.outline.unwrap_or(true);
        let generation = shelf.generation();
        let documents = generation.count_within(place.id());
        let card = PlaceCard::of(&place);
        Ok(PlaceFeature {
            kind: "Feature",
            id: card.id.clone(),
            bbox: card.bounds,
            geometry: if with_outline {
                outline_geometry(&place)
            } else {
                point_geometry(place.point())
            },
            properties: PlaceFacts {
                importance: place.importance(),
                names: place.names().map(other_name).collect(),
                lineage: holders(gazetteer, &place),
                children: gazetteer.children(place.id()).count(),
                documents: documents.map_err(|error| Refusal::broken(&error))?,
                generation: generation.manifest.number,
                place: card,
            },
        })
    });
    Ok(GeoJson(feature.await?))
}

fn other_name((class, name): (NameClass, &'static str)) -> OtherName {
    let class = match class {
        NameClass::Main => "main",
        NameClass::Alternate => "alternate",
        NameClass::Short => "short",
        NameClass::Demonym => "demonym",
    };
    OtherName { name, class }
}

/// Which part of a list is wanted.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct Stretch {
    /// So many are left out at the start.
    skip: Option<usize>,
    /// At most so many.
    #[param(maximum = 1_000, default = 100)]
    limit: Option<usize>,
}

/// A place with how many documents are about it.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct CountedPlace {
    #[serde(flatten)]
    place: PlaceCard,
    /// How many documents are about it or anything in it.
    documents: u64,
}

/// Places, and how many there are in all.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct CountedPlaces {
    total: usize,
    places: Vec<CountedPlace>,
}

/// The parts of a place one step down, best known first.
#[utoipa::path(
    get,
    path = "/api/v1/places/{id}/children",
    tag = "places",
    params(("id" = String, Path, description = "the id of the place", example = "gn:660013"), Stretch),
    responses((status = 200, description = "the parts", body = CountedPlaces)),
)]
pub(crate) async fn children(
    State(shelf): State<Arc<Shelf>>,
    Key(key): Key,
    Fields(stretch): Fields<Stretch>,
) -> Result<Json<CountedPlaces>, Failure> {
    let listed = aside(move || {
        let place = known(shelf.gazetteer(), &key)?;
        listed(&shelf, shelf.gazetteer().children(place.id()), &stretch)
    });
    Ok(Json(listed.await?))
}

/// The places of the same kind that border on a place.
#[utoipa::path(
    get,
    path = "/api/v1/places/{id}/neighbours",
    tag = "places",
    params(("id" = String, Path, description = "the id of the place", example = "gn:660013"), Stretch),
    responses((status = 200, description = "the neighbours", body = CountedPlaces)),
)]
pub(crate) async fn neighbours(
    State(shelf): State<Arc<Shelf>>,
    Key(key): Key,
    Fields(stretch): Fields<Stretch>,
) -> Result<Json<CountedPlaces>, Failure> {
    let listed = aside(move || {
        let place = known(shelf.gazetteer(), &key)?;
        listed(&shelf, shelf.gazetteer().neighbours(place.id()).into_iter(), &stretch)
    });
    Ok(Json(listed.await?))
}

fn listed<'g>(
    shelf: &Shelf,
    places: impl Iterator<Item = Place<'g>>,
    stretch: &Stretch,
) -> Result<CountedPlaces, Refusal> {
    let most = limit(stretch.limit, USUAL, MOST)?;
    let generation = shelf.generation();
    let places: Vec<Place<'_>> = places.collect();
    let wanted = places.iter().skip(stretch.skip.unwrap_or(0)).take(most);
    let counted = wanted.map(|it| {
        let documents = generation.count_within(it.id());
        let documents = documents.map_err(|error| Refusal::broken(&error))?;
        Ok(CountedPlace { place: PlaceCard::of(it), documents })
    });
    Ok(CountedPlaces { total: places.len(), places: counted.collect::<Result<_, Refusal>>()? })
}

/// What counts as nearby.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct Around {
    /// `city` for cities and their districts, or one of postcode, street, airport, feature, poi.
    #[param(default = "city")]
    kind: Option<String>,
    /// How far, in metres.
    #[param(minimum = 0, maximum = 1_000_000, default = 50_000)]
    reach: Option<f64>,
    /// At most so many.
    #[param(maximum = 100, default = 10)]
    limit: Option<usize>,
}

/// A place with how far it is and in which direction.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct NearPlace {
    #[serde(flatten)]
    place: PlaceCard,
    distance_m: f64,
    /// N, NE, E, …
    direction: &'static str,
}

/// Places nearby, the nearest first.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct NearPlaces {
    places: Vec<NearPlace>,
}

/// The cities, streets, airports or sights nearest to a place.
#[utoipa::path(
    get,
    path = "/api/v1/places/{id}/nearby",
    tag = "places",
    params(("id" = String, Path, description = "the id of the place", example = "gn:658225"), Around),
    responses((status = 200, description = "the nearest first", body = NearPlaces)),
)]
pub(crate) async fn nearby(
    State(shelf): State<Arc<Shelf>>,
    Key(key): Key,
    Fields(around): Fields<Around>,
) -> Result<Json<NearPlaces>, Failure> {
    let places = aside(move || near(shelf.gazetteer(), &key, &around)).await?;
    Ok(Json(NearPlaces { places }))
}

fn near(gazetteer: &Gazetteer, key: &str, around: &Around) -> Result<Vec<NearPlace>, Refusal> {
    let place = known(gazetteer, key)?;
    let most = limit(around.limit, USUAL_NEARBY, MOST_NEARBY)?;
    let reach = around.reach.unwrap_or(REACH);
    if !(0.0..=LONGEST_REACH).contains(&reach) {
        let fact = format!("reach is {reach}: write metres from 0 to {LONGEST_REACH}");
        return Err(Refusal::bad(fact));
    }
    let kind = around.kind.as_deref().unwrap_or("city");
    let kind: Kind = kind.parse().map_err(Refusal::bad)?;
    let from = place.point();
    // The place itself is among them and left out.
    let found = match kind {
        Kind::City | Kind::District => gazetteer.nearest_cities(from, most + 1, Meters(reach)),
        Kind::Postcode | Kind::Street | Kind::Airport | Kind::Feature | Kind::Poi => {
            gazetteer.nearest_spots(from, most + 1, Meters(reach), |it| it == kind)
        }
        _ => {
            let fact = format!(
                "a {kind} is too large to be near anything: ask for city, postcode, street, airport, feature or poi"
            );
            return Err(Refusal::bad(fact));
        }
    };
    let found = found.into_iter().filter(|it| it.0 != place.id()).take(most);
    let near = found.map(|(id, distance)| {
        let other = gazetteer.place(id);
        NearPlace {
            place: PlaceCard::of(&other),
            distance_m: distance.0.round(),
            direction: from.bearing(other.point()).compass().short_name(),
        }
    });
    Ok(near.collect())
}

/// Which pages about a place are wanted.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct About {
    /// What they are about beside the place, in the query language.
    what: Option<String>,
    /// `relevance`, `distance` or `time`.
    sort: Option<String>,
    /// So many are left out at the start.
    #[param(maximum = 10_000)]
    skip: Option<usize>,
    /// At most so many.
    #[param(maximum = 1_000, default = 10)]
    limit: Option<usize>,
}

/// The pages about a place or anything in it: the answer of a search, as `GeoJSON`.
#[utoipa::path(
    get,
    path = "/api/v1/places/{id}/pages",
    tag = "places",
    params(("id" = String, Path, description = "the id of the place", example = "gn:658225"), About),
    responses((status = 200, description = "the pages", body = Object, content_type = "application/geo+json")),
)]
pub(crate) async fn pages(
    State(shelf): State<Arc<Shelf>>,
    Key(key): Key,
    Fields(about): Fields<About>,
) -> Result<GeoJson<Value>, Failure> {
    let answer = aside(move || {
        known(shelf.gazetteer(), &key)?;
        let parameters = Parameters {
            what: about.what,
            relation: Some("in".to_owned()),
            r#where: Some(key),
            sort: about.sort,
            skip: about.skip,
            limit: about.limit,
            ..Parameters::default()
        };
        let inquiry = inquire(&shelf, &parameters, None)?;
        Ok(answer_json(shelf.gazetteer(), &inquiry.understood, &inquiry.answer))
    });
    Ok(GeoJson(answer.await?))
}

/// The place of a key.
pub(crate) fn known<'g>(gazetteer: &'g Gazetteer, key: &str) -> Result<Place<'g>, Refusal> {
    gazetteer.by_key(key).ok_or_else(|| {
        Failure::missing(format!(
            "the gazetteer has no place {key}: /api/v1/places?name=… finds the ids of places"
        ))
        .0
    })
}
