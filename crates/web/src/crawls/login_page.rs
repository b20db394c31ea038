//! Signing in and out, and the page that says that there is nothing to sign in to.

use std::net::SocketAddr;
use std::time::Instant;

use askama::Template;
use axum::Form;
use axum::extract::{ConnectInfo, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Redirect, Response};
use serde::Deserialize;

use super::door::is_from_here;
use super::session::LIFE;
use super::signed::{COOKIE, Posted};
use crate::app::App;
use crate::frame::{Frame, page};
use crate::guard;
use crate::message_page::message;

#[derive(Template)]
#[template(path = "crawls/login.html")]
struct LoginPage<'a> {
    frame: &'a Frame,
    back: &'a str,
    problem: Option<&'a str>,
}

#[derive(Template)]
#[template(path = "crawls/closed.html")]
struct ClosedPage<'a> {
    frame: &'a Frame,
}

#[derive(Deserialize)]
pub(crate) struct Attempt {
    #[serde(default)]
    token: String,
    #[serde(default)]
    back: String,
}

#[derive(Deserialize)]
pub(crate) struct Nothing {}

/// The page to sign in on.
pub(crate) fn show(
    frame: &Frame,
    status: StatusCode,
    back: &str,
    problem: Option<&str>,
) -> Response {
    page(status, &LoginPage { frame, back: own(back), problem })
}

/// The page that says that the pages of the operators are switched off, and how to switch them on.
pub(crate) fn closed(frame: &Frame) -> Response {
    page(StatusCode::FORBIDDEN, &ClosedPage { frame })
}

/// `GET /crawls/login`.
pub(crate) async fn form(State(app): State<App>, frame: Frame) -> Response {
    if app.office.is_none() {
        return closed(&frame);
    }
    show(&frame, StatusCode::OK, "", None)
}

/// `POST /crawls/login`: whoever has the token gets a session.
pub(crate) async fn enter(
    State(app): State<App>,
    ConnectInfo(peer): ConnectInfo<SocketAddr>,
    frame: Frame,
    headers: HeaderMap,
    Form(attempt): Form<Attempt>,
) -> Response {
    let Some(office) = &app.office else { return closed(&frame) };
    if !is_from_here(&headers, app.settings.behind_proxy) {
        let fact = frame.say("This form was not sent from a page of this server.");
        return message(&frame, StatusCode::FORBIDDEN, fact);
    }
    // Here those on this machine are counted, too: a proxy may stand in front that nobody told us of.
    let who = guard::asker(peer.ip(), &headers, app.settings.behind_proxy).unwrap_or(peer.ip());
    if !office.door.hears(who) {
        let problem = frame.say("Too many attempts. Wait a minute, then try again.");
        let refusal = show(&frame, StatusCode::TOO_MANY_REQUESTS, &attempt.back, Some(problem));
        return ([(header::RETRY_AFTER, "60")], refusal).into_response();
    }
    if !office.token.is(&attempt.token) {
        tracing::warn!(%who, "somebody tried to sign in with a wrong token");
        let problem = frame.say("This is not the token.");
        return show(&frame, StatusCode::FORBIDDEN, &attempt.back, Some(problem));
    }
    let Some(session) = office.sessions.begin(Instant::now()) else {
        return message(&frame, StatusCode::INTERNAL_SERVER_ERROR, "");
    };
    tracing::info!(%who, "an operator signed in");
    let cookie = cookie(&session.key, LIFE.as_secs(), is_secure(&app, &headers));
    ([(header::SET_COOKIE, cookie)], Redirect::to(own(&attempt.back))).into_response()
}

/// `POST /crawls/logout`.
pub(crate) async fn leave(
    State(app): State<App>,
    headers: HeaderMap,
    posted: Posted<Nothing>,
) -> Response {
    let Posted { signed, form: Nothing {} } = posted;
    signed.office.sessions.end(&signed.session.key);
    let cookie = cookie("", 0, is_secure(&app, &headers));
    ([(header::SET_COOKIE, cookie)], Redirect::to("/crawls")).into_response()
}

fn cookie(value: &str, seconds: u64, is_secure: bool) -> String {
    let secure = if is_secure { "; Secure" } else { "" };
    format!("{COOKIE}={value}; Path=/crawls; Max-Age={seconds}; HttpOnly; SameSite=Strict{secure}")
}

/// Whether the operator came by https, as far as the proxy in front says so.
fn is_secure(app: &App, headers: &HeaderMap) -> bool {
    let scheme = headers.get("x-forwarded-proto").and_then(|it| it.to_str().ok());
    app.settings.behind_proxy && scheme.is_some_and(|it| it.trim().eq_ignore_ascii_case("https"))
}

/// The address, if it is a page of the operators; else their front page.
fn own(back: &str) -> &str {
    let rest = back.strip_prefix("/crawls").unwrap_or("?");
    let is_own = (rest.is_empty() || rest.starts_with(['/', '?']))
        && rest != "?"
        && !rest.ends_with("/events")
        && back.bytes().all(|it| (0x21..0x7f).contains(&it) && it != b'\\');
    if is_own { back } else { "/crawls" }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn after_signing_in_one_stays_among_the_pages_of_the_operators() {
        for back in ["/crawls", "/crawls/oldenburg", "/crawls/new?from=oldenburg"] {
            assert_eq!(own(back), back);
        }
        for back in
            ["", "/", "//crawls", "/crawlsx", "https://example.org/crawls", "/crawls/a\r\nb"]
        {
            assert_eq!(own(back), "/crawls", "{back}");
        }
    }
}
