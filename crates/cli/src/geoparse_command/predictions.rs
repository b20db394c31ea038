//! What is found in the documents of a corpus, one JSON object a line.

use std::path::Path;

use anyhow::{Context, Result};
use gazetteer::Gazetteer;
use geoparse::{Geoparser, Mention};
use serde_json::{Value, json};
use web::Characters;
use web::findings::class_name;
use web::findings_json::rounded;

use super::json::escaped;
use crate::corpus::{self, Document};
use crate::eval::geoparse::Counted;
use crate::output::say;
use crate::progress;

/// Reads a file of documents and prints what each names.
pub(crate) fn run(
    gazetteer: &Gazetteer,
    file: &Path,
    classes: &[Counted],
    learns_sites: bool,
) -> Result<()> {
    let documents = corpus::documents(file)
        .with_context(|| format!("cannot read the documents of {}", file.display()))?;
    let sign = progress::waiting(&format!("reading {} documents", documents.len()));
    let found = corpus::mentions(gazetteer, &Geoparser::new(gazetteer), &documents, learns_sites);
    sign.finish_and_clear();
    let mut lines = String::new();
    for (document, mentions) in documents.iter().zip(&found) {
        lines += &escaped(&prediction(gazetteer, classes, document, mentions).to_string());
        lines.push('\n');
    }
    if lines.is_empty() { Ok(()) } else { say(&lines) }
}

/// What a document names, with spans in characters.
fn prediction(
    gazetteer: &Gazetteer,
    classes: &[Counted],
    document: &Document,
    mentions: &[Mention],
) -> Value {
    let mut characters = Characters::of(&document.text);
    let wanted = mentions.iter().filter(|it| classes.contains(&Counted::of(it.class)));
    let told = wanted.map(|it| {
        json!({
            "start": characters.before(it.span.start),
            "end": characters.before(it.span.end),
            "text": document.text.get(it.span.clone()),
            "class": class_name(it.class),
            "key": it.place.map(|it| gazetteer.place(it).key()),
            "lat": it.point.map(|it| it.lat),
            "lon": it.point.map(|it| it.lon),
            "confidence": rounded(it.confidence.into()),
        })
    });
    json!({"id": document.id, "toponyms": told.collect::<Vec<_>>()})
}
