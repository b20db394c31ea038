//! The page on which a task is made, and what is understood while somebody types.

use std::fs;

use askama::Template;
use axum::extract::Query;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Redirect, Response};
use crawl::{Error, STRATEGIES, Task};
use gazetteer::{Gazetteer, Kind};
use serde::Deserialize;

use super::office::Office;
use super::signed::{Posted, Signed};
use super::task_form::{Problems, TaskForm};
use super::understood::{self, Part, TopicView, topic_text};
use super::{aside, refuse};
use crate::frame::{Frame, page};
use crate::place_page::kind_name;
use crate::wording::Language;

/// A longer region is not looked up while somebody types.
const LONGEST_REGION: usize = 4_000;

#[derive(Template)]
#[template(path = "crawls/form.html")]
struct FormPage<'a> {
    frame: &'a Frame,
    seal: &'a str,
    form: &'a TaskForm,
    problems: &'a Problems,
    strategies: Vec<(&'static str, &'static str)>,
    allows_private: bool,
    understood: String,
}

#[derive(Template)]
#[template(path = "crawls/understood.html")]
struct UnderstoodView<'a> {
    frame: &'a Frame,
    parts: Vec<Part>,
    topic: Option<Result<TopicView, String>>,
}

impl UnderstoodView<'_> {
    #[expect(clippy::trivially_copy_pass_by_ref, reason = "templates hand over references")]
    fn kind(&self, kind: &Kind) -> &'static str {
        kind_name(self.frame, *kind)
    }
}

#[derive(Deserialize)]
pub(crate) struct Origin {
    #[serde(default)]
    from: String,
}

#[derive(Default, Deserialize)]
#[serde(default)]
pub(crate) struct Typed {
    region: String,
    topic: String,
}

/// `GET /crawls/new`, or with `?from=NAME` a clone.
pub(crate) async fn show(signed: Signed, Query(Origin { from }): Query<Origin>) -> Response {
    aside(move || {
        let Signed { office, session, frame } = &signed;
        let form = if from.is_empty() {
            Ok(TaskForm::blank())
        } else {
            let task = office.tasks.task(&from);
            task.map(|it| TaskForm::clone_of(office.gazetteer(), &office.tasks, &it))
        };
        match form {
            Ok(form) => {
                view(office, frame, &session.seal, &form, &Problems::default(), StatusCode::OK)
            }
            Err(error) => refuse(frame, &error),
        }
    })
    .await
}

/// `POST /crawls/new`: keeps a task, or shows what is wrong with it.
pub(crate) async fn keep(posted: Posted<TaskForm>) -> Response {
    aside(move || {
        let Posted { signed: Signed { office, session, frame }, form } = &posted;
        let (task, mut problems) =
            form.task(frame, office.gazetteer(), &office.tasks, office.allows_private);
        if form.then == "preview" || !form.choose.is_empty() {
            let form = form.with_choice();
            return view(office, frame, &session.seal, &form, &Problems::default(), StatusCode::OK);
        }
        if problems.is_empty() {
            match take_in(office, form, task) {
                Ok(name) => return Redirect::to(&format!("/crawls/{name}")).into_response(),
                Err(error) => problems.add("name", error),
            }
        }
        view(office, frame, &session.seal, form, &problems, StatusCode::UNPROCESSABLE_ENTITY)
    })
    .await
}

/// `GET /crawls/preview?region=…`: what was understood, as a piece of a page.
pub(crate) async fn preview(signed: Signed, Query(typed): Query<Typed>) -> Response {
    understand(signed, typed).await
}

/// `POST /crawls/preview`: the same for long topics.
pub(crate) async fn preview_posted(posted: Posted<Typed>) -> Response {
    understand(posted.signed, posted.form).await
}

async fn understand(signed: Signed, typed: Typed) -> Response {
    aside(move || {
        let text =
            understood_text(signed.office.gazetteer(), &signed.frame, &typed.region, &typed.topic);
        axum::response::Html(text).into_response()
    })
    .await
}

/// Writes down a task that was found good; tells its name.
fn take_in(office: &Office, form: &TaskForm, mut task: Task) -> Result<String, Error> {
    let name = task.name.clone();
    if !form.topic.trim().is_empty() {
        let topic = topic_text(office.gazetteer(), &form.topic);
        let folder = office.tasks.folder(&name);
        let path = folder.join("topic.toml");
        fs::create_dir_all(&folder)
            .and_then(|()| fs::write(&path, topic.as_bytes()))
            .map_err(|error| Error::File { path: path.clone(), error })?;
        task.topic = Some(path);
    }
    if form.then == "keep" {
        office.tasks.keep(&task)?;
    } else {
        office.tasks.add(office.gazetteer(), &task)?;
    }
    tracing::info!(task = name, "an operator made a task");
    Ok(name)
}

fn view(
    office: &Office,
    frame: &Frame,
    seal: &str,
    form: &TaskForm,
    problems: &Problems,
    status: StatusCode,
) -> Response {
    let understood = understood_text(office.gazetteer(), frame, &form.region, &form.topic);
    let strategies = STRATEGIES.iter().map(|it| (*it, explained(frame.language, it))).collect();
    let allows_private = office.allows_private;
    let problems = &problems.told(frame);
    page(status, &FormPage { frame, seal, form, problems, strategies, allows_private, understood })
}

fn understood_text(gazetteer: &Gazetteer, frame: &Frame, region: &str, topic: &str) -> String {
    let is_short = region.len() <= LONGEST_REGION;
    let parts = if is_short { understood::region(frame, gazetteer, region) } else { Vec::new() };
    let topic = understood::topic(gazetteer, topic);
    let topic = topic.map(|it| it.map_err(|error| understood::problem(frame, &error)));
    UnderstoodView { frame, parts, topic }.render().unwrap_or_default()
}

/// What a strategy does, in a line.
fn explained(frame: Language, strategy: &str) -> &'static str {
    match strategy {
        "adaptive" => frame.say("learns which words lead to relevant pages, near and far"),
        "best" => frame.say("learns from every page what is most likely relevant; the usual one"),
        "broad" => frame.say("what is nearest to a seed"),
        "distance" => frame.say("what is nearest to a relevant page or a seed"),
        "random" => frame.say("by lot"),
        "rank" => frame.say("links that name places which lie together"),
        "topic" => frame.say("links of pages that are about the topic"),
        _ => "",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_strategy_is_explained() {
        for strategy in STRATEGIES {
            assert!(!explained(Language::English, strategy).is_empty(), "{strategy}");
        }
    }
}
