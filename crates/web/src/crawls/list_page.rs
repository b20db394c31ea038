//! The list of all tasks, and the rebuilding of the index.

use std::sync::Arc;

use askama::Template;
use axum::extract::{Query, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Redirect, Response};
use index::Skip;
use serde::Deserialize;

use super::feedback::feedback;
use super::live::{self, Pulse, Sections};
use super::office::Office;
use super::rebuild::Standing as Rebuilt;
use super::signed::{Posted, Signed};
use super::task_view::TaskView;
use super::{aside, login_page::Nothing, refuse, runner};
use crate::app::App;
use crate::frame::{Frame, page};

#[derive(Template)]
#[template(path = "crawls/list.html")]
struct ListPage<'a> {
    frame: &'a Frame,
    seal: &'a str,
    pulse: Pulse,
    runner: runner::Standing,
    /// The names of the tasks, with how each is doing and what can be ordered.
    entries: Vec<(String, String, String)>,
    index: String,
    /// What readers said; nothing if they are not asked.
    feedback: Option<String>,
}

#[derive(Template)]
#[template(path = "crawls/task-line.html")]
struct TaskLine<'a> {
    frame: &'a Frame,
    view: TaskView,
}

#[derive(Template)]
#[template(path = "crawls/controls.html")]
pub(crate) struct Controls<'a> {
    pub(crate) frame: &'a Frame,
    pub(crate) seal: &'a str,
    pub(crate) view: &'a TaskView,
    /// The page to come back to.
    pub(crate) back: &'static str,
}

#[derive(Template)]
#[template(path = "crawls/index.html")]
struct IndexView<'a> {
    frame: &'a Frame,
    seal: &'a str,
    rebuilt: Rebuilt,
    generation: u64,
    documents: u64,
    made: String,
}

impl IndexView<'_> {
    /// Why something was not indexed.
    #[expect(clippy::trivially_copy_pass_by_ref, reason = "templates hand over references")]
    fn skipped(&self, skip: &Skip) -> &'static str {
        let frame = self.frame;
        match skip {
            Skip::Status => frame.say("error or redirect"),
            Skip::Rules => frame.say("rules for robots"),
            Skip::NotText => frame.say("no text"),
            Skip::NoIndex => frame.say("asks not to be indexed"),
            Skip::Empty => frame.say("empty"),
            Skip::Revisit => frame.say("seen again without a change"),
            Skip::Broken => frame.say("broken"),
            Skip::Unchanged => frame.say("unchanged"),
            Skip::Superseded => frame.say("superseded by a later copy"),
        }
    }
}

#[derive(Deserialize)]
pub(crate) struct Live {
    #[serde(default)]
    pub(crate) live: String,
}

/// `GET /crawls`.
pub(crate) async fn show(
    State(app): State<App>,
    signed: Signed,
    Query(Live { live }): Query<Live>,
) -> Response {
    aside(move || {
        let Signed { office, session, frame } = &signed;
        let sections = match sections(office, frame, &session.seal) {
            Ok(sections) => sections,
            Err(error) => return refuse(frame, &error),
        };
        let book = app.settings.feedback.as_deref();
        let names = sections.iter().filter_map(|it| it.0.strip_prefix("task-"));
        let entries = names.map(|name| {
            let piece = |kind: &str| sections.of(&format!("{kind}-{name}")).to_owned();
            (name.to_owned(), piece("task"), piece("controls"))
        });
        let template = ListPage {
            frame,
            seal: &session.seal,
            pulse: Pulse::of(&live),
            runner: office.runner.standing(),
            entries: entries.collect(),
            index: sections.of("index").to_owned(),
            feedback: book.map(|it| feedback(frame, &office.shelf.generation(), it)),
        };
        page(StatusCode::OK, &template)
    })
    .await
}

/// `GET /crawls/events`: the list as it changes.
pub(crate) async fn events(signed: Signed) -> Response {
    let look = |office: &Office, frame: &Frame, seal: &str| sections(office, frame, seal).ok();
    live::stream(signed, Arc::new(look))
}

/// `POST /crawls/reindex`: begins to index the archive, unless that is under way.
pub(crate) async fn rebuild(posted: Posted<Nothing>) -> Response {
    let office = &posted.signed.office;
    let library = office.shelf.library().clone();
    let archive = office.data.join("archive");
    if office.rebuild.begin(library, office.gazetteer(), archive) {
        tracing::info!("an operator began to rebuild the index");
    }
    Redirect::to("/crawls#index").into_response()
}

fn sections(office: &Office, frame: &Frame, seal: &str) -> Result<Sections, crawl::Error> {
    let mut sections = Sections::default();
    for listed in office.tasks.list()? {
        let view = TaskView::of(office.gazetteer(), frame, &office.glance(listed));
        let name = view.name.clone();
        let controls = Controls { frame, seal, view: &view, back: "list" };
        sections.add(format!("controls-{name}"), &controls);
        sections.add(format!("task-{name}"), &TaskLine { frame, view });
    }
    let generation = office.shelf.generation();
    let made = jiff::Timestamp::from_second(generation.manifest.made);
    let index = IndexView {
        frame,
        seal,
        rebuilt: office.rebuild.standing(),
        generation: generation.manifest.number,
        documents: generation.manifest.documents(),
        made: made.map(|it| frame.moment(&it)).unwrap_or_default(),
    };
    sections.add("index".to_owned(), &index);
    Ok(sections)
}
