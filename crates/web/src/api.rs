//! What is served to programs: our own API, and the shapes that programs know from others.

mod address_parts;
mod atom;
mod base_url;
mod description;
mod export_routes;
mod failure;
mod fields;
pub(crate) mod finding;
mod geoparse_route;
mod meter;
mod nominatim;
mod ogc;
mod opening;
mod opensearch;
mod period;
mod photon;
mod place_card;
mod places;
mod readiness;
mod reply;
mod suggest;

use std::sync::Arc;

use axum::middleware::from_fn;
use axum::routing::{any, get, post};
use axum::{Extension, Router};

pub(crate) use self::failure::{Failure, lost, wrong_method};
pub(crate) use self::fields::Fields;
use self::geoparse_route::Reader;
pub(crate) use self::meter::{measure, metrics};
use crate::search_route;
use crate::shelf::Shelf;

/// The routes for programs.
pub(crate) fn routes() -> Router<Arc<Shelf>> {
    Router::new()
        .route("/api/v1/search", get(search_route::search))
        .route("/api/v1/suggest", get(suggest::suggest))
        .route("/api/v1/places", get(places::named))
        .route("/api/v1/places/{id}", get(places::place))
        .route("/api/v1/places/{id}/children", get(places::children))
        .route("/api/v1/places/{id}/neighbours", get(places::neighbours))
        .route("/api/v1/places/{id}/nearby", get(places::nearby))
        .route("/api/v1/places/{id}/pages", get(places::pages))
        .route("/api/v1/geoparse", post(geoparse_route::geoparse))
        .route("/api/v1/{*rest}", any(lost))
        .route("/api/openapi.json", get(description::openapi))
        .route("/api", get(photon::search))
        .route("/reverse", get(photon::reverse))
        .route("/nominatim/search", get(nominatim::search))
        .route("/nominatim/reverse", get(nominatim::reverse))
        .route("/opensearch.xml", get(opensearch::description))
        .route("/opensearch/html", get(opensearch::html))
        .route("/opensearch/atom", get(opensearch::atom))
        .route("/opensearch/geojson", get(opensearch::geojson))
        .route("/opensearch/suggest", get(opensearch::suggest))
        .merge(ogc::routes())
        .route("/search.geojson", get(export_routes::geojson))
        .route("/search.kml", get(export_routes::kml))
        .route("/search.csv", get(export_routes::csv))
        .route("/search.atom", get(export_routes::atom))
        .method_not_allowed_fallback(wrong_method)
        .layer(Extension(Arc::new(Reader::default())))
        .layer(from_fn(opening::open))
        // Who runs the server asks for this, not pages of other sites.
        .route("/readyz", get(readiness::ready))
}
