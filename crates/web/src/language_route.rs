//! `GET /language/CODE?back=…`: chooses the language of the page and goes back to it.

use axum::extract::{Path, Query};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Deserialize;

use crate::frame::Frame;
use crate::message_page::message;
use crate::wording::{COOKIE, Language};

#[derive(Deserialize)]
pub(crate) struct Back {
    #[serde(default)]
    back: String,
}

/// Remembers the choice in a cookie, which holds nothing else.
pub(crate) async fn choose(
    frame: Frame,
    Path(code): Path<String>,
    Query(Back { back }): Query<Back>,
) -> Response {
    let Some(language) = Language::of_code(&code) else {
        return message(&frame, StatusCode::NOT_FOUND, "");
    };
    let cookie =
        format!("{COOKIE}={}; Path=/; Max-Age=31536000; SameSite=Lax; HttpOnly", language.code());
    let headers = [(header::LOCATION, own(&back)), (header::SET_COOKIE, cookie.as_str())];
    (StatusCode::SEE_OTHER, headers).into_response()
}

/// The address, if it is one of this server; else the front page.
fn own(back: &str) -> &str {
    let is_own = back.starts_with('/')
        && !back.starts_with("//")
        && back.bytes().all(|it| (0x21..0x7f).contains(&it) && it != b'\\');
    if is_own { back } else { "/" }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nobody_is_sent_to_another_server() {
        assert_eq!(own("/search?q=caf%C3%A9"), "/search?q=caf%C3%A9");
        for back in ["", "https://example.org/", "//example.org", "/\\example.org", "/a\r\nb", "x"]
        {
            assert_eq!(own(back), "/", "{back}");
        }
    }
}
