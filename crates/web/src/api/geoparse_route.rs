//! `POST /api/v1/geoparse`: a text or a page in, the places it means out.

use std::sync::{Arc, OnceLock};

use axum::body::{Body, to_bytes};
use axum::extract::{Extension, Request, State};
use axum::http::{StatusCode, header};
use gazetteer::Gazetteer;
use geoparse::{Geoparser, Hints, url_places};
use page::{Language, Response as Answered};
use serde::Deserialize;
use serde_json::Value;
use utoipa::{IntoParams, ToSchema};

use super::failure::{Failure, Fault};
use super::fields::Fields;
use super::reply;
use crate::aside::aside;
use crate::findings::Findings;
use crate::findings_json;
use crate::inquiry::Refusal;
use crate::shelf::Shelf;

/// Nobody has to send more: it is the text of a long book's chapter, or a page without its pictures.
pub(crate) const LARGEST: usize = 256_000;
/// A URL that is longer is none.
const LONGEST_URL: usize = 2_000;

/// The geoparsers of the server, made when they are first asked for: that takes a while.
#[derive(Default)]
pub(crate) struct Reader {
    plain: OnceLock<Geoparser<'static>>,
    explaining: OnceLock<Geoparser<'static>>,
}

impl Reader {
    fn of(&self, gazetteer: &'static Gazetteer, explains: bool) -> &Geoparser<'static> {
        if explains {
            self.explaining.get_or_init(|| Geoparser::new(gazetteer).explaining())
        } else {
            self.plain.get_or_init(|| Geoparser::new(gazetteer))
        }
    }
}

/// What is known of the text.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct Known {
    /// Where it came from: its domain and its words tell something too.
    #[param(max_length = 2_000)]
    url: Option<String>,
    /// Its language by two letters.
    #[param(example = "en")]
    language: Option<String>,
    /// The country where it is at home, by two letters.
    #[param(example = "FI")]
    country: Option<String>,
    /// `true` tells of every mention why it was taken for a place, and for this one.
    explain: Option<bool>,
}

/// A text or a page: one of the two.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Sent {
    text: Option<String>,
    html: Option<String>,
}

/// The places that a text or a page means: mentions with spans and confidence, addresses, and the ground it is about.
///
/// The body is at most 256,000 bytes of `text/plain`, `text/html` or JSON. The answer is what `strabo geoparse --json`
/// prints.
#[utoipa::path(
    post,
    path = "/api/v1/geoparse",
    tag = "places",
    params(Known),
    request_body(content(
        (Sent = "application/json"),
        (String = "text/plain"),
        (String = "text/html"),
    )),
    responses(
        (status = 200, description = "mentions, addresses, stated places and the footprint", body = Object),
        (status = 400, description = "body or parameters cannot be read", body = Fault),
        (status = 413, description = "the body is too long", body = Fault),
        (status = 415, description = "the body is neither text nor HTML nor JSON", body = Fault),
    ),
)]
pub(crate) async fn geoparse(
    State(shelf): State<Arc<Shelf>>,
    Extension(reader): Extension<Arc<Reader>>,
    Fields(known): Fields<Known>,
    request: Request,
) -> Result<axum::response::Response, Failure> {
    let media_type = request.headers().get(header::CONTENT_TYPE).and_then(|it| it.to_str().ok());
    let media_type = media_type.unwrap_or("text/plain").to_owned();
    let body = read(request.into_body()).await?;
    let value = aside(move || survey(shelf.gazetteer(), &reader, &known, &media_type, body));
    Ok(reply::json("application/json", &value.await?))
}

async fn read(body: Body) -> Result<Vec<u8>, Refusal> {
    let too_long = |_| Refusal {
        status: StatusCode::PAYLOAD_TOO_LARGE,
        fact: format!("the body has more than {LARGEST} bytes: send a part of it"),
    };
    Ok(to_bytes(body, LARGEST).await.map_err(too_long)?.into())
}

fn survey(
    gazetteer: &'static Gazetteer,
    reader: &Reader,
    known: &Known,
    media_type: &str,
    body: Vec<u8>,
) -> Result<Value, Refusal> {
    let hints = hints(known)?;
    let (media_type, body) = unwrapped(media_type, body)?;
    let page = page::read(&Answered {
        url: known.url.as_deref(),
        content_type: Some(&media_type),
        ..Answered::new(&body)
    });
    let survey = reader.of(gazetteer, known.explain.unwrap_or(false)).survey(&page, &hints);
    let in_url = known.url.as_deref().map(|it| url_places(gazetteer, it)).unwrap_or_default();
    Ok(findings_json::of(&Findings {
        gazetteer,
        url: known.url.as_deref(),
        language: hints.language.or_else(|| page.language().map(|it| it.to_string())),
        page: &page,
        survey: &survey,
        in_url,
        verdicts: Vec::new(),
    }))
}

/// The media type and the bytes of what is to be read.
fn unwrapped(media_type: &str, body: Vec<u8>) -> Result<(String, Vec<u8>), Refusal> {
    let essence = media_type.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
    match essence.as_str() {
        "text/plain" | "text/html" | "application/xhtml+xml" => Ok((media_type.to_owned(), body)),
        "application/json" => {
            let sent: Sent = serde_json::from_slice(&body).map_err(|error| {
                Refusal::bad(format!(
                    "the body is no JSON of ours ({error}): send {{\"text\": \"…\"}}"
                ))
            })?;
            match (sent.text, sent.html) {
                (Some(text), None) => {
                    Ok(("text/plain; charset=utf-8".to_owned(), text.into_bytes()))
                }
                (None, Some(html)) => {
                    Ok(("text/html; charset=utf-8".to_owned(), html.into_bytes()))
                }
                _ => Err(Refusal::bad("send one of text and html")),
            }
        }
        _ => Err(Refusal {
            status: StatusCode::UNSUPPORTED_MEDIA_TYPE,
            fact: format!("the body is {essence}: send text/plain, text/html or application/json"),
        }),
    }
}

fn hints(known: &Known) -> Result<Hints, Refusal> {
    let url = known.url.as_deref();
    if url.is_some_and(|it| it.len() > LONGEST_URL) {
        let fact = format!("the URL is longer than {LONGEST_URL} bytes: leave it out");
        return Err(Refusal::bad(fact));
    }
    let mut hints = url.map(Hints::of_url).unwrap_or_default();
    if let Some(code) = &known.language {
        let no = || format!("\"{code}\" is no code of a language: write two letters, such as de");
        let language = Language::parse(code).ok_or_else(|| Refusal::bad(no()))?;
        hints.language = Some(language.code().to_owned());
    }
    if let Some(code) = &known.country {
        let is_code = code.len() == 2 && code.bytes().all(|it| it.is_ascii_alphabetic());
        if !is_code {
            let fact = format!("\"{code}\" is no code of a country: write two letters, such as DE");
            return Err(Refusal::bad(fact));
        }
        hints.country = Some(code.to_ascii_uppercase());
    }
    Ok(hints)
}
