//! The frame: what all pages share, and who reads them.

use std::convert::Infallible;
use std::fmt::Display;

use askama::Template;
use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use axum::http::{HeaderMap, StatusCode, Uri, header};
use axum::response::{Html, IntoResponse, Response};

use crate::asset;
use crate::wording::Language;

/// What all pages share, and who reads them.
#[derive(Clone, Debug)]
pub(crate) struct Frame {
    /// The language of the reader.
    pub(crate) language: Language,
    /// The address of the page, to come back to.
    pub(crate) here: String,
}

impl Frame {
    /// The frame for a request.
    pub(crate) fn of(headers: &HeaderMap, uri: &Uri) -> Self {
        let here = uri.path_and_query().map_or("/", |it| it.as_str()).to_owned();
        Self { language: Language::of_request(headers), here }
    }

    /// A sentence in the reader's language.
    pub(crate) fn say(&self, english: &'static str) -> &'static str {
        self.language.say(english)
    }

    /// A sentence in the reader's language, with a value in it.
    pub(crate) fn fill(&self, english: &'static str, value: impl Display) -> String {
        self.language.fill(english, &[&value])
    }

    /// A sentence in the reader's language, with two values in it.
    pub(crate) fn fill2(
        &self,
        english: &'static str,
        one: impl Display,
        other: impl Display,
    ) -> String {
        self.language.fill(english, &[&one, &other])
    }

    /// What another crate told, in the reader's language.
    pub(crate) fn told(&self, english: &str) -> String {
        self.language.told(english)
    }

    /// A label of a place as the reader calls it.
    pub(crate) fn label(&self, label: &str) -> String {
        self.language.label(label)
    }

    /// A whole number as the reader writes it.
    #[expect(clippy::trivially_copy_pass_by_ref, reason = "templates hand over references")]
    pub(crate) fn number(&self, number: &u64) -> String {
        self.language.number(*number)
    }

    /// A moment as people read it: the day, then the time of the world.
    pub(crate) fn moment(&self, at: &jiff::Timestamp) -> String {
        let at = at.to_zoned(jiff::tz::TimeZone::UTC);
        format!("{}, {} UTC", self.language.day(at.date()), at.strftime("%H:%M"))
    }

    /// The address of an asset.
    #[expect(clippy::unused_self, reason = "templates know the frame alone")]
    pub(crate) fn asset(&self, name: &str) -> String {
        asset::link(name)
    }

    /// Other languages of this page: their names, codes and where to choose them.
    pub(crate) fn other_languages(&self) -> Vec<(&'static str, &'static str, String)> {
        let others = Language::ALL.iter().filter(|it| it.0 != self.language);
        let back: String = url::form_urlencoded::byte_serialize(self.here.as_bytes()).collect();
        others
            .map(|(language, name)| {
                (*name, language.code(), format!("/language/{}?back={back}", language.code()))
            })
            .collect()
    }
}

impl<S: Send + Sync> FromRequestParts<S> for Frame {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Infallible> {
        Ok(Self::of(&parts.headers, &parts.uri))
    }
}

/// A page, sent with this status.
pub(crate) fn page(status: StatusCode, template: &impl Template) -> Response {
    match template.render() {
        Ok(text) => {
            let headers = [
                (header::CACHE_CONTROL, "no-cache"),
                (header::VARY, "accept-language, cookie, accept-encoding"),
            ];
            (status, headers, Html(text)).into_response()
        }
        Err(error) => {
            tracing::error!(%error, "a page cannot be written");
            (StatusCode::INTERNAL_SERVER_ERROR, "the page cannot be written\n").into_response()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_moment_is_read_as_a_day_and_a_time() {
        let moment = |language: Language| {
            let at: jiff::Timestamp = "2026-11-18T01:29:16.699Z".parse().expect("a time");
            Frame { language, here: String::new() }.moment(&at)
        };
        assert_eq!(moment(Language::English), "18 November 2026, 01:29 UTC");
        assert_eq!(moment(Language::German), "18. November 2026, 01:29 UTC");
    }
}
