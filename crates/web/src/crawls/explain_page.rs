//! All that is known about one link of a task.

use askama::Template;
use axum::extract::{Path, Query};
use axum::http::StatusCode;
use axum::response::Response;
use crawl::{Explanation, Reply, Request};
use serde::Deserialize;

use super::reason::{self, Reasons, reasons};
use super::signed::Signed;
use super::task_view::moment;
use super::{aside, refuse};
use crate::card::safe_link;
use crate::frame::{Frame, page};
use crate::message_page::message;

/// A longer link is none.
const LONGEST: usize = 8_000;

#[derive(Template)]
#[template(path = "crawls/explain.html")]
struct ExplainPage<'a> {
    frame: &'a Frame,
    name: &'a str,
    link: Option<String>,
    explanation: &'a Explanation,
    reasons: Reasons,
}

#[derive(Deserialize)]
pub(crate) struct Asked {
    #[serde(default)]
    url: String,
}

/// `GET /crawls/NAME/explain?url=…`.
pub(crate) async fn show(
    signed: Signed,
    Path(name): Path<String>,
    Query(Asked { url }): Query<Asked>,
) -> Response {
    aside(move || {
        let Signed { office, frame, .. } = &signed;
        if url.is_empty() || url.len() > LONGEST {
            let fact = frame.say("Name a link with url=…");
            return message(frame, StatusCode::BAD_REQUEST, fact);
        }
        match crawl::inquire(&office.data, &name, &Request::Explain { url }) {
            Ok(Reply::Explanation(it)) => {
                let link = safe_link(&it.url);
                let reasons = reasons(frame, &it.reasons);
                let explained = ExplainPage { frame, name: &name, link, explanation: &it, reasons };
                page(StatusCode::OK, &explained)
            }
            Ok(Reply::Failed(reason)) => message(frame, StatusCode::BAD_REQUEST, &reason),
            Ok(_) => message(frame, StatusCode::INTERNAL_SERVER_ERROR, ""),
            Err(error) => refuse(frame, &error),
        }
    })
    .await
}

impl ExplainPage<'_> {
    fn priority(&self) -> Option<String> {
        self.explanation.priority.map(|it| self.frame.language.decimal(it.into(), 4))
    }

    /// The links that led to it, without itself.
    fn chain(&self) -> &[crawl::Step] {
        self.explanation.chain.get(1..).unwrap_or_default()
    }

    /// What became of a link.
    fn state(&self, told: &str) -> String {
        reason::state(self.frame, told)
    }

    /// Why the link belongs to the crawl, or not.
    fn scope(&self) -> String {
        match self.explanation.scope.ground.as_str() {
            "in scope" => self.frame.say("in scope").to_owned(),
            other => self.frame.told(other),
        }
    }

    /// A time as people read it.
    fn moment(&self, at: &str) -> String {
        moment(self.frame, at)
    }

    fn seconds(&self, seconds: f64) -> String {
        self.frame.language.decimal(seconds, 1)
    }
}
