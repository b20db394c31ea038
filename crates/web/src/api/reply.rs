//! Replies with the media types of their formats.

use axum::http::{HeaderName, header};
use axum::response::{IntoResponse, Response};
use serde::Serialize;

use crate::inquiry::Refusal;

use super::failure::Failure;

/// A value as `GeoJSON`.
pub(crate) struct GeoJson<T>(pub(crate) T);

impl<T: Serialize> IntoResponse for GeoJson<T> {
    fn into_response(self) -> Response {
        json("application/geo+json", &self.0)
    }
}

/// A value as JSON with a media type of its own.
pub(crate) fn json(media_type: &'static str, value: &impl Serialize) -> Response {
    match serde_json::to_vec(value) {
        Ok(body) => ([(header::CONTENT_TYPE, media_type)], body).into_response(),
        Err(error) => Failure(Refusal::broken(&error)).into_response(),
    }
}

/// A text with its media type.
pub(crate) fn document(media_type: &'static str, text: String) -> Response {
    ([(header::CONTENT_TYPE, media_type)], text).into_response()
}

/// A file that a browser saves under this name.
pub(crate) fn file(media_type: &'static str, name: &str, text: String) -> Response {
    let disposition = format!("attachment; filename=\"{name}\"");
    let headers: [(HeaderName, &str); 2] =
        [(header::CONTENT_TYPE, media_type), (header::CONTENT_DISPOSITION, &disposition)];
    (headers, text).into_response()
}
