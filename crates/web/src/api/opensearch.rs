//! `/opensearch.xml` and the addresses it describes: `OpenSearch` 1.1 with its Geo and Time extensions.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::response::{IntoResponse, Redirect, Response};
use serde::Deserialize;
use serde_json::json;

use super::base_url::BaseUrl;
use super::export_routes::feed;
use super::failure::Failure;
use super::fields::{Fields, text};
use super::finding;
use super::period::Period;
use super::reply::{GeoJson, document};
use crate::aside::aside;
use crate::export;
use crate::inquiry::{Refusal, inquire};
use crate::markup::escaped;
use crate::parameters::Parameters;
use crate::shelf::Shelf;

/// So many hits are given if nobody says how many.
const USUAL: usize = 20;
/// So far around a point is looked if nobody says how far, in metres.
const RADIUS: f64 = 10_000.0;
/// So many lines a browser shows below its box.
const SUGGESTIONS: usize = 8;

/// The parameters of a template, filled in by a client: what it does not say is blank.
#[derive(Default, Deserialize)]
#[serde(default)]
pub(crate) struct Filled {
    q: String,
    count: String,
    #[serde(rename = "startIndex")]
    start_index: String,
    #[serde(rename = "startPage")]
    start_page: String,
    bbox: String,
    lat: String,
    lon: String,
    radius: String,
    name: String,
    start: String,
    end: String,
}

/// The parameters with what stands for them in templates; all but the first may stay blank.
const PARAMETERS: [(&str, &str); 11] = [
    ("q", "searchTerms"),
    ("count", "count"),
    ("startIndex", "startIndex"),
    ("startPage", "startPage"),
    ("bbox", "geo:box"),
    ("lat", "geo:lat"),
    ("lon", "geo:lon"),
    ("radius", "geo:radius"),
    ("name", "geo:name"),
    ("start", "time:start"),
    ("end", "time:end"),
];

const HEAD: &str = r#"<?xml version="1.0" encoding="UTF-8"?>
<OpenSearchDescription xmlns="http://a9.com/-/spec/opensearch/1.1/" xmlns:geo="http://a9.com/-/opensearch/extensions/geo/1.0/" xmlns:time="http://a9.com/-/opensearch/extensions/time/1.0/" xmlns:parameters="http://a9.com/-/spec/opensearch/extensions/parameters/1.0/">
<ShortName>Strabo</ShortName>
<LongName>Strabo geographic search</LongName>
<Description>Pages by what they are about and where that is.</Description>
<Tags>geography places maps search</Tags>
"#;
const TAIL: &str = r#"<Query role="example" searchTerms="museums near Helsinki"/>
<SyndicationRight>open</SyndicationRight>
<AdultContent>false</AdultContent>
<Language>*</Language>
<OutputEncoding>UTF-8</OutputEncoding>
<InputEncoding>UTF-8</InputEncoding>
</OpenSearchDescription>
"#;

/// The description, for browsers and programs.
pub(crate) async fn description(base: BaseUrl) -> Response {
    let mut text = HEAD.to_owned();
    let forms = [
        ("text/html", "html"),
        ("application/atom+xml", "atom"),
        ("application/geo+json", "geojson"),
    ];
    for (media_type, form) in forms {
        text += &results(&base, media_type, form);
    }
    let others = [
        ("application/x-suggestions+json", "suggestions", "/opensearch/suggest?q={searchTerms}"),
        ("application/opensearchdescription+xml", "self", "/opensearch.xml"),
    ];
    for (media_type, relation, path) in others {
        let template = escaped(&format!("{base}{path}"));
        text +=
            &format!("<Url type=\"{media_type}\" rel=\"{relation}\" template=\"{template}\"/>\n");
    }
    document("application/opensearchdescription+xml; charset=utf-8", text + TAIL)
}

/// The address of results in one form, with its parameters once in the template and once as a list for programs.
fn results(base: &BaseUrl, media_type: &str, form: &str) -> String {
    let filled = PARAMETERS.map(|(name, value)| {
        let mark = if name == "q" { "" } else { "?" };
        format!("{name}={{{value}{mark}}}")
    });
    let template = escaped(&format!("{base}/opensearch/{form}?{}", filled.join("&")));
    let mut text = format!("<Url type=\"{media_type}\" rel=\"results\" template=\"{template}\">\n");
    for (name, value) in PARAMETERS {
        let least = u8::from(name == "q");
        text += &format!(
            "<parameters:Parameter name=\"{name}\" value=\"{{{value}}}\" minimum=\"{least}\"/>\n"
        );
    }
    text + "</Url>\n"
}

/// Sends a browser to the result page.
pub(crate) async fn html(Fields(filled): Fields<Filled>) -> Result<Redirect, Failure> {
    let parameters = filled.parameters()?;
    Ok(Redirect::to(&Parameters { limit: None, skip: None, ..parameters }.link()))
}

/// A feed.
pub(crate) async fn atom(
    State(shelf): State<Arc<Shelf>>,
    base: BaseUrl,
    Fields(filled): Fields<Filled>,
) -> Result<Response, Failure> {
    feed(shelf, &base, filled.parameters()?).await
}

/// Points.
pub(crate) async fn geojson(
    State(shelf): State<Arc<Shelf>>,
    Fields(filled): Fields<Filled>,
) -> Result<Response, Failure> {
    let parameters = filled.parameters()?;
    let skip = parameters.skip.unwrap_or(0);
    let inquiry = aside(move || inquire(&shelf, &parameters, None)).await?;
    let mut features = export::geojson(&inquiry.answer);
    features["totalResults"] = json!(inquiry.answer.total);
    features["startIndex"] = json!(skip + 1);
    features["itemsPerPage"] = json!(inquiry.answer.hits.len());
    Ok(GeoJson(features).into_response())
}

/// What was typed into the box of a browser, and what it may become.
pub(crate) async fn suggest(
    State(shelf): State<Arc<Shelf>>,
    Fields(filled): Fields<Filled>,
) -> Result<Response, Failure> {
    let typed = aside(move || {
        let typed = text("q", &filled.q)?;
        let found = finding::typed(shelf.gazetteer(), typed, None, SUGGESTIONS);
        let labels: Vec<String> = found.iter().map(finding::Finding::label).collect();
        Ok(json!([typed, labels]))
    });
    let media_type = "application/x-suggestions+json";
    Ok(([(axum::http::header::CONTENT_TYPE, media_type)], Json(typed.await?)).into_response())
}

impl Filled {
    /// What it asks for, as a search of ours.
    fn parameters(&self) -> Result<Parameters, Refusal> {
        let given = |it: &str| Some(it.trim().to_owned()).filter(|it| !it.is_empty());
        let limit = number("count", &self.count)?.unwrap_or(USUAL);
        let index = number("startIndex", &self.start_index)?;
        let page = number("startPage", &self.start_page)?;
        let of_page = page.map_or(0, |it| it.saturating_sub(1).saturating_mul(limit));
        let skip = index.map_or(of_page, |it| it.saturating_sub(1));
        let text = Period::between(&self.start, &self.end)?.within(&self.q);
        let name = given(&self.name);
        let (q, what) = if name.is_some() { (String::new(), Some(text)) } else { (text, None) };
        let circle = match (given(&self.lat), given(&self.lon)) {
            (Some(lat), Some(lon)) => {
                let radius = given(&self.radius).unwrap_or_else(|| RADIUS.to_string());
                Some(format!("{lat},{lon},{radius}"))
            }
            _ => None,
        };
        let bbox = given(&self.bbox);
        // A box is more exact than a circle; who sends both has drawn the box.
        let circle = circle.filter(|_| bbox.is_none());
        Ok(Parameters {
            q,
            what,
            r#where: name,
            bbox,
            circle,
            skip: Some(skip).filter(|it| *it > 0),
            limit: Some(limit),
            ..Parameters::default()
        })
    }
}

fn number(name: &str, given: &str) -> Result<Option<usize>, Refusal> {
    if given.trim().is_empty() {
        return Ok(None);
    }
    let no = |_| Refusal::bad(format!("{name} is \"{given}\": write a whole number"));
    given.trim().parse().map(Some).map_err(no)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(filled: &Filled, expected: &str) {
        assert_eq!(filled.parameters().unwrap().query_string(), expected);
    }

    #[test]
    fn blanks_ask_for_nothing() {
        check(&Filled { q: "museum".into(), ..Filled::default() }, "q=museum&limit=20");
    }

    #[test]
    fn a_point_is_a_circle_and_a_box_goes_before_it() {
        let point = |bbox: &str| Filled {
            q: "museum".into(),
            lat: "60".into(),
            lon: "24".into(),
            bbox: bbox.into(),
            ..Filled::default()
        };
        check(&point(""), "q=museum&circle=60%2C24%2C10000&limit=20");
        check(&point("1,2,3,4"), "q=museum&bbox=1%2C2%2C3%2C4&limit=20");
    }

    #[test]
    fn times_become_operators_and_a_name_a_field() {
        let filled = Filled {
            q: "museum".into(),
            start: "2024-01-01T00:00:00Z".into(),
            end: "2024-12-31".into(),
            name: "Helsinki".into(),
            start_page: "3".into(),
            count: "5".into(),
            ..Filled::default()
        };
        let expected =
            "what=museum+after%3A2024-01-01+before%3A2025-01-01&where=Helsinki&skip=10&limit=5";
        check(&filled, expected);
    }

    #[test]
    fn what_is_no_number_is_refused() {
        assert!(Filled { count: "few".into(), ..Filled::default() }.parameters().is_err());
    }
}
