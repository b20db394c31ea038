//! The help page and the page about this server.

use std::sync::Arc;

use askama::Template;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use gazetteer::SourceFact;

use crate::card::{day, safe_link};
use crate::frame::{Frame, page};
use crate::shelf::Shelf;
use crate::wording::Language;

#[derive(Template)]
#[template(path = "help.html")]
struct HelpPage<'a> {
    frame: &'a Frame,
}

#[derive(Template)]
#[template(path = "about.html")]
struct AboutPage<'a> {
    frame: &'a Frame,
    version: &'static str,
    documents: u64,
    generation: u64,
    made: Option<(String, String)>,
    places: u64,
    houses: u64,
    sources: Vec<(SourceFact, Option<String>)>,
}

/// Explains the query language.
pub(crate) async fn help(frame: Frame) -> Response {
    page(StatusCode::OK, &HelpPage { frame: &frame })
}

/// Tells what this server has, whose data it uses, and under which licences.
pub(crate) async fn about(frame: Frame, State(shelf): State<Arc<Shelf>>) -> Response {
    let generation = shelf.generation();
    let gazetteer = shelf.gazetteer();
    let sources = gazetteer.sources().into_iter().map(|it| {
        let link = safe_link(&it.url);
        (it, link)
    });
    let template = AboutPage {
        frame: &frame,
        version: env!("CARGO_PKG_VERSION"),
        documents: generation.manifest.documents(),
        generation: generation.manifest.number,
        made: day(frame.language, generation.manifest.made),
        places: gazetteer.len() as u64,
        houses: gazetteer.house_count() as u64,
        sources: sources.collect(),
    };
    page(StatusCode::OK, &template)
}
