//! What operators order: run, pause, resume, stop, remove, another number of threads.

use axum::extract::Path;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Redirect, Response};
use crawl::{Error, Request, Wish};
use serde::Deserialize;

use super::office::Office;
use super::signed::{Posted, Signed};
use super::task_form;
use super::{aside, refuse};
use crate::message_page::message;

#[derive(Default, Deserialize)]
#[serde(default)]
pub(crate) struct Order {
    /// `list` to come back to the list.
    back: String,
    threads: String,
}

/// `POST /crawls/NAME/ORDER`.
pub(crate) async fn obey(
    Path((name, what)): Path<(String, String)>,
    posted: Posted<Order>,
) -> Response {
    aside(move || {
        let Posted { signed: Signed { office, frame, .. }, form } = &posted;
        let obeyed = match what.as_str() {
            "run" => office.tasks.start(&name),
            "pause" => office.tasks.want(&name, Wish::Pause),
            "resume" => office.tasks.want(&name, Wish::Run),
            "stop" => office.tasks.want(&name, Wish::Stop),
            "remove" => remove(office, &name),
            "threads" => {
                let Some(threads) = task_form::threads(&form.threads) else {
                    let fact = frame.say("Write a whole number from 1 to 10000.");
                    return message(frame, StatusCode::BAD_REQUEST, fact);
                };
                set_threads(office, &name, threads)
            }
            _ => return message(frame, StatusCode::NOT_FOUND, ""),
        };
        match obeyed {
            Ok(()) => {
                tracing::info!(task = name, order = what, "an operator gave an order");
                let is_gone = what == "remove" || form.back == "list";
                let back = if is_gone { "/crawls".to_owned() } else { format!("/crawls/{name}") };
                Redirect::to(&back).into_response()
            }
            Err(error) => refuse(frame, &error),
        }
    })
    .await
}

fn remove(office: &Office, name: &str) -> Result<(), Error> {
    office.tasks.remove(name)?;
    office.forget(name);
    Ok(())
}

/// Changes the task, and the crawl that runs, whichever process runs it.
fn set_threads(office: &Office, name: &str, threads: usize) -> Result<(), Error> {
    let mut task = office.tasks.task(name)?;
    task.threads = threads;
    office.tasks.keep(&task)?;
    crawl::ask(&office.tasks.folder(name), &Request::Threads { threads })?;
    Ok(())
}
