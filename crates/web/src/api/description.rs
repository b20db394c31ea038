//! `GET /api/openapi.json`: the API described for programs.

use std::sync::LazyLock;

use axum::response::Response;
use utoipa::openapi::response::ResponseBuilder;
use utoipa::openapi::{Content, Ref};
use utoipa::{Modify, OpenApi};

use super::failure::Fault;
use super::reply::json;
use super::{export_routes, geoparse_route, nominatim, ogc, photon, places, readiness, suggest};
use crate::search_route;

#[derive(OpenApi)]
#[openapi(
    info(
        title = "Strabo",
        version = env!("CARGO_PKG_VERSION"),
        description = "Search for pages by what and where, and ask for places. Whatever is wrong with a request is told \
            as `{ \"error\": \"the fact and the way out\" }`.",
        license(name = "Apache-2.0 OR MIT"),
    ),
    paths(
        search_route::search,
        suggest::suggest,
        places::named,
        places::place,
        places::children,
        places::neighbours,
        places::nearby,
        places::pages,
        geoparse_route::geoparse,
        export_routes::geojson,
        photon::search,
        photon::reverse,
        nominatim::search,
        nominatim::reverse,
        ogc::landing,
        ogc::conformance,
        ogc::collections,
        ogc::collection,
        ogc::items,
        ogc::item,
        readiness::ready,
    ),
    components(schemas(Fault)),
    modifiers(&Troubles),
)]
struct Description;

/// What may happen to any request.
const TROUBLES: [(&str, &str); 4] = [
    ("400", "a parameter cannot be read"),
    ("429", "too many requests from this address"),
    ("500", "the index cannot be read"),
    ("503", "there is no index yet, or the answer takes too long"),
];
/// What may happen where something is asked for by its name.
const MISSING: (&str, &str) = ("404", "there is no such thing");

/// Adds to every route what may happen to any request.
struct Troubles;

impl Modify for Troubles {
    fn modify(&self, description: &mut utoipa::openapi::OpenApi) {
        for (path, route) in &mut description.paths.paths {
            let missing = path.contains('{').then_some(MISSING);
            for operation in [&mut route.get, &mut route.post].into_iter().flatten() {
                for (status, fact) in TROUBLES.into_iter().chain(missing) {
                    let body = Content::new(Some(Ref::from_schema_name("Error")));
                    let response =
                        ResponseBuilder::new().description(fact).content("application/json", body);
                    let known = &mut operation.responses.responses;
                    known.entry(status.to_owned()).or_insert_with(|| response.build().into());
                }
            }
        }
    }
}

static TEXT: LazyLock<utoipa::openapi::OpenApi> = LazyLock::new(Description::openapi);

/// The description.
pub(crate) async fn openapi() -> Response {
    json("application/json", &*TEXT)
}
