//! Documents as JSON lines, with the places people marked in them, and what the geoparser finds there.

use std::collections::HashMap;
use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;

use anyhow::{Context, Result, bail};
use earth::Point;
use gazetteer::{Gazetteer, PlaceId};
use geoparse::{Geoparser, Hints, Mention, Site};
use serde_json::Value;

/// A document of a corpus.
pub(crate) struct Document {
    pub(crate) id: Value,
    pub(crate) text: String,
    /// The host it comes from, if the corpus says.
    pub(crate) host: Option<String>,
    /// The places people marked in it.
    pub(crate) gold: Vec<Marked>,
}

/// A place that somebody marked: its span in characters, the end exclusive, and where it is if that is known.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Marked {
    pub(crate) start: usize,
    pub(crate) end: usize,
    pub(crate) point: Option<Point>,
}

/// Reads a file of documents, gzipped or not.
pub(crate) fn documents(path: &Path) -> Result<Vec<Document>> {
    let lines = BufReader::new(opened(path)?).lines();
    lines
        .enumerate()
        .filter(|(_, line)| line.as_ref().map_or(true, |it| !it.trim().is_empty()))
        .map(|(at, line)| {
            let read =
                || document(&serde_json::from_str(&line?).context("the line is no JSON object")?);
            read().with_context(|| format!("{}, line {}", path.display(), at + 1))
        })
        .collect()
}

/// A file to read, unpacked if its name says that it is gzipped.
pub(crate) fn opened(path: &Path) -> Result<Box<dyn Read>> {
    let file = File::open(path).with_context(|| format!("cannot open {}", path.display()))?;
    let is_packed = path.extension().is_some_and(|it| it == "gz");
    Ok(if is_packed { Box::new(flate2::read::MultiGzDecoder::new(file)) } else { Box::new(file) })
}

fn document(value: &Value) -> Result<Document> {
    let text = value["text"].as_str().context("the document has no \"text\"")?.to_owned();
    let length = text.chars().count();
    let marks: Vec<_> =
        value["toponyms"].as_array().into_iter().flatten().filter_map(marked).collect();
    if let Some(bad) = marks.iter().find(|it| it.start >= it.end || it.end > length) {
        bail!(
            "a place is marked from {} to {} in a text of {length} characters: mend it",
            bad.start,
            bad.end
        );
    }
    let of_url = || value["url"].as_str().and_then(host_of).map(str::to_owned);
    Ok(Document {
        id: value["id"].clone(),
        text,
        host: value["domain"].as_str().map(str::to_owned).or_else(of_url),
        gold: marks,
    })
}

fn host_of(url: &str) -> Option<&str> {
    url.split_once("://")?.1.split(['/', '?', '#', ':']).next()
}

fn marked(value: &Value) -> Option<Marked> {
    let number = |name: &str| usize::try_from(value[name].as_u64()?).ok();
    let point =
        value["lat"].as_f64().zip(value["lon"].as_f64()).map(|(lat, lon)| Point::new(lat, lon));
    Some(Marked { start: number("start")?, end: number("end")?, point })
}

/// What the geoparser finds in each document.
///
/// With `learns_sites` the documents of a host are read twice, the second time with the home that the first
/// reading found for it.
pub(crate) fn mentions(
    gazetteer: &Gazetteer,
    geoparser: &Geoparser<'_>,
    documents: &[Document],
    learns_sites: bool,
) -> Vec<Vec<Mention>> {
    let hints = |it: &Document| it.host.as_deref().map(Hints::of_host).unwrap_or_default();
    let mut found: Vec<_> =
        documents.iter().map(|it| geoparser.mentions(&it.text, &hints(it))).collect();
    if !learns_sites {
        return found;
    }
    let mut sites: HashMap<&str, Site> = HashMap::new();
    for (document, mentions) in documents.iter().zip(&found) {
        if let Some(host) = document.host.as_deref() {
            sites.entry(host).or_default().add(mentions);
        }
    }
    let homes: HashMap<&str, Option<PlaceId>> =
        sites.into_iter().map(|(host, site)| (host, site.home(gazetteer))).collect();
    for (document, mentions) in documents.iter().zip(&mut found) {
        let home = document.host.as_deref().and_then(|it| homes.get(it)).copied().flatten();
        if home.is_some() {
            *mentions = geoparser.mentions(&document.text, &Hints { home, ..hints(document) });
        }
    }
    found
}
