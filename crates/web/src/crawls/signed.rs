//! Who has signed in: no page of the operators is shown, and no form taken, without.

use std::sync::Arc;
use std::time::Instant;

use axum::Form;
use axum::extract::{FromRequest, FromRequestParts, Request};
use axum::http::request::Parts;
use axum::http::{HeaderMap, Method, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Deserialize;
use serde::de::DeserializeOwned;

use super::door::is_from_here;
use super::login_page;
use super::office::Office;
use super::session::Session;
use crate::app::App;
use crate::frame::Frame;
use crate::message_page::message;

/// The cookie of a session.
pub(crate) const COOKIE: &str = "operator";

/// An operator who has signed in, and the office that he has come into.
pub(crate) struct Signed {
    pub(crate) office: Arc<Office>,
    pub(crate) session: Session,
    pub(crate) frame: Frame,
}

/// A form that an operator has sent from one of our own pages.
pub(crate) struct Posted<T> {
    pub(crate) signed: Signed,
    pub(crate) form: T,
}

#[derive(Deserialize)]
struct Sealed<T> {
    #[serde(default)]
    seal: String,
    #[serde(flatten)]
    form: T,
}

impl FromRequestParts<App> for Signed {
    type Rejection = Response;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, Response> {
        let frame = Frame::of(&parts.headers, &parts.uri);
        let Some(office) = app.office.clone() else { return Err(login_page::closed(&frame)) };
        let session = key(&parts.headers).and_then(|it| office.sessions.of(it, Instant::now()));
        let Some(session) = session else {
            let back = if parts.method == Method::GET { frame.here.as_str() } else { "" };
            return Err(login_page::show(&frame, StatusCode::UNAUTHORIZED, back, None));
        };
        Ok(Self { office, session, frame })
    }
}

impl<T: DeserializeOwned> FromRequest<App> for Posted<T> {
    type Rejection = Response;

    async fn from_request(request: Request, app: &App) -> Result<Self, Response> {
        let (mut parts, body) = request.into_parts();
        let signed = Signed::from_request_parts(&mut parts, app).await?;
        let frame = &signed.frame;
        let foreign = || {
            let fact = frame.say("This form was not sent from a page of this session.");
            message(frame, StatusCode::FORBIDDEN, fact)
        };
        if !is_from_here(&parts.headers, app.settings.behind_proxy) {
            return Err(foreign());
        }
        let request = Request::from_parts(parts, body);
        let Form(sealed) = Form::<Sealed<T>>::from_request(request, app)
            .await
            .map_err(IntoResponse::into_response)?;
        if !signed.session.has_sealed(&sealed.seal) {
            return Err(foreign());
        }
        Ok(Self { signed, form: sealed.form })
    }
}

/// What the cookie of a session holds.
pub(crate) fn key(headers: &HeaderMap) -> Option<&str> {
    let cookies = headers.get_all(header::COOKIE).iter().filter_map(|it| it.to_str().ok());
    let mut pairs = cookies.flat_map(|it| it.split(';')).filter_map(|it| it.trim().split_once('='));
    pairs.find_map(|(name, value)| (name == COOKIE).then_some(value))
}
