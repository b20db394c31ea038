//! What is served to programs: our own API, and the shapes that programs know from others.

mod atom;
mod base_url;
mod description;
mod export_routes;
mod failure;
mod fields;
mod ogc;
mod opening;
mod place_card;
mod places;
mod reply;
mod suggest;

use std::sync::Arc;

use axum::Router;
use axum::middleware::from_fn;
use axum::routing::{any, get};

pub(crate) use self::failure::Fault;
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
        .route("/api/v1/{*rest}", any(failure::lost))
        .route("/api/openapi.json", get(description::openapi))
        .route("/search.geojson", get(export_routes::geojson))
        .route("/search.kml", get(export_routes::kml))
        .route("/search.csv", get(export_routes::csv))
        .route("/search.atom", get(export_routes::atom))
        .method_not_allowed_fallback(failure::wrong_method)
        .layer(from_fn(opening::open))
}
