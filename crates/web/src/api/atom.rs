//! An answer as an Atom feed with `GeoRSS` and `OpenSearch`.

use std::fmt::Write;

use search::{Answer, FARTHEST, Hit};

use super::base_url::BaseUrl;
use crate::export::{plain, written};
use crate::markup::escaped;
use crate::parameters::Parameters;

/// What a feed is made of.
pub(crate) struct Feed<'a> {
    pub(crate) base: &'a BaseUrl,
    /// What was asked, with `skip` and `limit`.
    pub(crate) parameters: &'a Parameters,
    /// What was understood, to be shown.
    pub(crate) title: &'a str,
    pub(crate) answer: &'a Answer,
    /// When the index was made, in seconds since 1970.
    pub(crate) made: i64,
}

const HEAD: &str = r#"<?xml version="1.0" encoding="UTF-8"?>
<feed xmlns="http://www.w3.org/2005/Atom" xmlns:georss="http://www.georss.org/georss" xmlns:opensearch="http://a9.com/-/spec/opensearch/1.1/">
"#;

impl Feed<'_> {
    /// The feed as XML.
    pub(crate) fn text(&self) -> String {
        let mut text = HEAD.to_owned();
        element(&mut text, "title", &format!("{} – Strabo", self.title));
        let here = self.address(self.skip());
        element(&mut text, "id", &here);
        let made = written(self.made).unwrap_or_else(|| "1970-01-01T00:00:00Z".to_owned());
        element(&mut text, "updated", &made);
        text += "<author><name>Strabo</name></author>\n<generator>Strabo</generator>\n";
        self.links(&mut text, &here);
        let (skip, limit) = (self.skip(), self.limit());
        if let Some(total) = self.answer.total {
            element(&mut text, "opensearch:totalResults", &total.to_string());
        }
        element(&mut text, "opensearch:startIndex", &(skip + 1).to_string());
        element(&mut text, "opensearch:itemsPerPage", &limit.to_string());
        let _ = writeln!(
            text,
            "<opensearch:Query role=\"request\" searchTerms=\"{}\" startIndex=\"{}\" count=\"{limit}\"/>",
            escaped(self.title),
            skip + 1
        );
        for hit in &self.answer.hits {
            self.entry(&mut text, hit, &made);
        }
        text + "</feed>\n"
    }

    fn skip(&self) -> usize {
        self.parameters.skip.unwrap_or(0)
    }

    fn limit(&self) -> usize {
        self.parameters.limit.unwrap_or(0)
    }

    /// The address of the feed that begins behind so many hits.
    fn address(&self, skip: usize) -> String {
        let at = Parameters { skip: Some(skip).filter(|it| *it > 0), ..self.parameters.clone() };
        format!("{}/search.atom?{}", self.base, at.query_string())
    }

    fn links(&self, text: &mut String, here: &str) {
        let page = Parameters { skip: None, limit: None, counts: None, ..self.parameters.clone() };
        let (skip, limit) = (self.skip(), self.limit());
        let behind = skip + self.answer.hits.len();
        let has_more = self.answer.total.is_some_and(|it| (behind as u64) < it);
        let atom = "application/atom+xml";
        link(text, "self", atom, here);
        link(text, "alternate", "text/html", &format!("{}{}", self.base, page.link()));
        let description = format!("{}/opensearch.xml", self.base);
        link(text, "search", "application/opensearchdescription+xml", &description);
        link(text, "first", atom, &self.address(0));
        if skip > 0 {
            link(text, "previous", atom, &self.address(skip.saturating_sub(limit)));
        }
        if has_more && limit > 0 && behind <= FARTHEST {
            link(text, "next", atom, &self.address(behind));
        }
    }

    fn entry(&self, text: &mut String, hit: &Hit, made: &str) {
        *text += "<entry>\n";
        let title = plain(&hit.title);
        element(text, "title", if title.is_empty() { &hit.id } else { &title });
        let record = super::ogc::item_address(self.base, "pages", &hit.id);
        let is_on_the_web = hit.url.starts_with("https://") || hit.url.starts_with("http://");
        element(text, "id", &record);
        let target = if is_on_the_web { &hit.url } else { &record };
        let _ = writeln!(text, "<link rel=\"alternate\" href=\"{}\"/>", escaped(target));
        let published = hit.published.and_then(written);
        element(text, "updated", published.as_deref().unwrap_or(made));
        if let Some(published) = &published {
            element(text, "published", published);
        }
        element(text, "summary", &plain(&hit.snippet));
        if let Some(place) = &hit.place {
            element(text, "georss:point", &format!("{} {}", place.point.lat, place.point.lon));
            element(text, "georss:featurename", &place.label);
        }
        *text += "</entry>\n";
    }
}

fn element(text: &mut String, name: &str, value: &str) {
    let _ = writeln!(text, "<{name}>{}</{name}>", escaped(value));
}

fn link(text: &mut String, relation: &str, media_type: &str, address: &str) {
    let address = escaped(address);
    let _ = writeln!(text, "<link rel=\"{relation}\" type=\"{media_type}\" href=\"{address}\"/>");
}
