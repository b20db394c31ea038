//! The help page and the page about this server.

use std::sync::Arc;

use askama::Template;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use basemap::Basemap;
use gazetteer::SourceFact;

use crate::app::App;
use crate::aside::aside;
use crate::card::{day, safe_link};
use crate::examples::{Example, topics};
use crate::frame::{Frame, page};
use crate::markup::escaped;
use crate::message_page::message;
use crate::parameters::Parameters;
use crate::shelf::Shelf;
use crate::wording::Language;

/// What is in the built scripts, with its versions.
const LICENCES: &str = include_str!("../../../static/built/licenses.txt");
/// So many topics are named.
const MOST_TOPICS: usize = 30;

#[derive(Template)]
#[template(path = "help.html")]
struct HelpPage<'a> {
    frame: &'a Frame,
    relations: &'a [Example],
    /// Topics with their counts, where they lead to, and how they are written.
    topics: Vec<(String, u64, String, String)>,
}

impl HelpPage<'_> {
    /// An example as HTML, with a link if it finds something.
    fn example(&self, number: usize) -> String {
        let Some(Example { text, link }) = self.relations.get(number) else { return String::new() };
        match link {
            Some(link) => format!("<a href=\"{}\">{}</a>", escaped(link), escaped(text)),
            None => escaped(text),
        }
    }
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
    /// The editions of what the map is made of and drawn with.
    natural_earth: String,
    open_layers: &'static str,
}

impl AboutPage<'_> {
    /// What a source says of itself, in the reader's language where it is not a name.
    fn said(&self, text: &str) -> String {
        let said = match text {
            "public domain" => self.frame.say("public domain"),
            "see each source" => self.frame.say("see each source"),
            "written from general knowledge" => self.frame.say("written from general knowledge"),
            "The authors of Strabo" => self.frame.say("The authors of Strabo"),
            other => other,
        };
        said.to_owned()
    }
}

/// Explains the query language.
pub(crate) async fn help(frame: Frame, State(app): State<App>) -> Response {
    let work = {
        let frame = frame.clone();
        move || {
            let relations = app.examples.relations(&app.shelf, frame.language);
            let topics = topics(&app.shelf.generation(), MOST_TOPICS);
            let topics = topics
                .into_iter()
                .map(|(name, count, query)| (name, count, Parameters::of(&query).link(), query));
            let topics = topics.collect();
            let template = HelpPage { frame: &frame, relations: &relations, topics };
            Ok(page(StatusCode::OK, &template))
        }
    };
    aside(work).await.unwrap_or_else(|it| message(&frame, it.status, &it.fact))
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
        natural_earth: natural_earth().unwrap_or_default(),
        open_layers: open_layers(),
    };
    page(StatusCode::OK, &template)
}

/// The edition of Natural Earth that the embedded map was baked from, as the map says.
fn natural_earth() -> Option<String> {
    let about: serde_json::Value = serde_json::from_str(&Basemap::embedded().about().ok()?).ok()?;
    let said = about.get("description")?.as_str()?.strip_prefix("Natural Earth ")?;
    Some(said.split(" in ").next()?.to_owned())
}

/// The version of `OpenLayers` that is part of the map's script.
fn open_layers() -> &'static str {
    LICENCES.lines().find_map(|it| it.strip_prefix("ol ")).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_map_is_made_of_has_its_edition() {
        assert_eq!(natural_earth().as_deref(), Some("2.0.0 to 4.1.0"));
        assert!(open_layers().starts_with("10."), "{}", open_layers());
    }
}
