//! `GET /api/openapi.json`: the API described for programs.

use std::sync::LazyLock;

use axum::response::Response;
use utoipa::OpenApi;

use super::reply::json;
use super::{export_routes, places, suggest};
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
        export_routes::geojson,
    ),
)]
struct Description;

static TEXT: LazyLock<utoipa::openapi::OpenApi> = LazyLock::new(Description::openapi);

/// The description.
pub(crate) async fn openapi() -> Response {
    json("application/json", &*TEXT)
}
