//! `GET /search.geojson`, `.kml`, `.csv`, `.atom`: the result page's own query string, answered with a file.

use std::sync::Arc;

use axum::extract::State;
use axum::response::Response;

use super::atom::Feed;
use super::base_url::BaseUrl;
use super::failure::Failure;
use super::fields::Fields;
use super::reply::{document, file};
use crate::aside::aside;
use crate::export::{self, LineEnd};
use crate::inquiry::{Inquiry, inquire};
use crate::parameters::Parameters;
use crate::shelf::Shelf;

/// So many hits a file has if nobody says how many: all that can be had at once.
const WHOLE: usize = search::MOST_HITS;
/// So many entries a feed has if nobody says how many: what a reader shows.
const FEED: usize = 20;

pub(crate) const ATOM: &str = "application/atom+xml; charset=utf-8";

/// The hits as plain `GeoJSON`: one point for each. All parameters are those of `/api/v1/search`.
#[utoipa::path(
    get,
    path = "/search.geojson",
    tag = "exports",
    params(Parameters),
    responses((status = 200, description = "the hits", body = Object, content_type = "application/geo+json")),
)]
pub(crate) async fn geojson(
    State(shelf): State<Arc<Shelf>>,
    Fields(asked): Fields<Parameters>,
) -> Result<Response, Failure> {
    let asked = stretch(asked, WHOLE);
    let inquiry = answered(shelf, asked).await?;
    let text = export::geojson(&inquiry.answer).to_string();
    Ok(file("application/geo+json", "strabo.geojson", text))
}

/// The hits as placemarks, for globes.
pub(crate) async fn kml(
    State(shelf): State<Arc<Shelf>>,
    Fields(asked): Fields<Parameters>,
) -> Result<Response, Failure> {
    let asked = stretch(asked, WHOLE);
    let inquiry = answered(shelf, asked).await?;
    let text = export::kml(&inquiry.understood.text, &inquiry.answer);
    Ok(file("application/vnd.google-earth.kml+xml", "strabo.kml", text))
}

/// The hits as a table.
pub(crate) async fn csv(
    State(shelf): State<Arc<Shelf>>,
    Fields(asked): Fields<Parameters>,
) -> Result<Response, Failure> {
    let asked = stretch(asked, WHOLE);
    let skip = asked.skip.unwrap_or(0);
    let inquiry = answered(shelf, asked).await?;
    let text = export::table(&inquiry.answer, skip, LineEnd::Net);
    Ok(file("text/csv; charset=utf-8; header=present", "strabo.csv", text))
}

/// The hits as a feed.
pub(crate) async fn atom(
    State(shelf): State<Arc<Shelf>>,
    base: BaseUrl,
    Fields(asked): Fields<Parameters>,
) -> Result<Response, Failure> {
    feed(shelf, &base, asked).await
}

/// A search answered with a feed.
pub(crate) async fn feed(
    shelf: Arc<Shelf>,
    base: &BaseUrl,
    asked: Parameters,
) -> Result<Response, Failure> {
    let asked = Parameters { counts: Some(true), ..stretch(asked, FEED) };
    let made = shelf.generation().manifest.made;
    let inquiry = answered(shelf, asked.clone()).await?;
    // All is counted for a feed anyway: its address need not say so.
    let parameters = &Parameters { counts: None, ..asked };
    let (title, answer) = (&inquiry.understood.text, &inquiry.answer);
    Ok(document(ATOM, Feed { base, parameters, title, answer, made }.text()))
}

/// What to answer with a file: it begins at the first hit, whatever page is shown, unless `skip` says otherwise.
fn stretch(asked: Parameters, usual: usize) -> Parameters {
    let limit = Some(asked.limit.unwrap_or(usual));
    Parameters { page: None, counts: Some(false), limit, ..asked }
}

async fn answered(shelf: Arc<Shelf>, asked: Parameters) -> Result<Inquiry, Failure> {
    Ok(aside(move || inquire(&shelf, &asked, None)).await?)
}
