//! How we read sitemaps, held against the cases of crawler-commons.

#[path = "conformance/mod.rs"]
mod conformance;

use conformance::{bytes, cases, text};
use fetch::sitemap::{self, Child, Entry, Flaws, Kind, Sitemap};
use serde_json::{Value, json};
use url::Url;

#[test]
fn sitemaps_come_out_as_in_crawler_commons() {
    for case in cases("sitemaps_crawler_commons.jsonl") {
        let url = Url::parse(text(&case, "url")).expect("a sitemap has a URL");
        let sitemap = sitemap::read(&bytes(&case, "content_b64"), &url);
        let told = tell(&case, &sitemap);
        let expected = match &case["error"] {
            Value::Null => json!([case["type"], case["urls"]]),
            error => error.clone(),
        };
        assert_eq!(told, expected, "{} {:?}", case["test"], sitemap.flaws);
    }
}

/// The sitemap in the words of crawler-commons.
fn tell(case: &Value, sitemap: &Sitemap) -> Value {
    if is_refused(case, &sitemap.flaws) {
        return json!("UnknownFormat");
    }
    let kind = match sitemap.kind {
        Kind::Unknown => return json!("UnknownFormat"),
        Kind::Urls => "XML",
        Kind::Index => "INDEX",
        Kind::Rss => "RSS",
        Kind::Atom => "ATOM",
        Kind::Text => "TEXT",
    };
    let is_strict = case["strict"] == json!(true);
    let urls = sitemap.urls.iter().filter(|it| it.within || !is_strict).map(tell_entry);
    let sitemaps = sitemap.sitemaps.iter().map(tell_child);
    json!([kind, urls.chain(sitemaps).collect::<Vec<_>>()])
}

/// Whether crawler-commons was set to refuse such a sitemap.
///
/// The cases do not tell all settings: document types are refused in the one of two tests whose
/// name does not say that they are allowed, and foreign namespaces in the first case of its test,
/// the one with an error.
fn is_refused(case: &Value, flaws: &Flaws) -> bool {
    let is_strict = case["strict"] == json!(true);
    let refuses_types = text(case, "test").ends_with("testSitemapXXE");
    let refuses_namespaces = !case["error"].is_null();
    is_strict && flaws.torn
        || refuses_types && flaws.document_type
        || refuses_namespaces && flaws.foreign_namespace
}

fn tell_entry(entry: &Entry) -> Value {
    json!({
        "loc": entry.url.as_str(),
        "lastmod": entry.modified.map(|it| it.to_string()),
        "changefreq": entry.changes.map(|it| format!("{it:?}").to_uppercase()),
        // In tenths, as the cases have no more and 0.8 is not the same in 32 bits.
        "priority": f64::from((entry.priority.unwrap_or(0.5) * 10.0).round()) / 10.0,
        "valid": entry.within,
    })
}

fn tell_child(child: &Child) -> Value {
    json!({ "loc": child.url.as_str(), "lastmod": child.modified.map(|it| it.to_string()) })
}
