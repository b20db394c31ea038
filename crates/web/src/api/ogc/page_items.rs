//! Pages as records.

use index::{Document, Generation, Spot};
use search::{Hit, Options};
use serde_json::{Value, json};

use super::{Choice, Items, RECORD_CORE, item_address, link};
use crate::api::base_url::BaseUrl;
use crate::api::failure::Failure;
use crate::api::place_card::point_geometry;
use crate::export::{plain, written};
use crate::inquiry::{Refusal, inquire};
use crate::parameters::Parameters;
use crate::shelf::Shelf;

/// So many letters of a page's text describe it where nothing was asked.
const DESCRIPTION: usize = 300;

/// The pages that were asked for; all, in the order of the index, where nothing was.
pub(super) fn list(shelf: &Shelf, base: &BaseUrl, choice: &Choice) -> Result<Items, Refusal> {
    let q = choice.period.within(&choice.q);
    if q.is_empty() && choice.bounds.is_none() {
        return all(&shelf.generation(), base, choice);
    }
    let bbox = choice.bounds.map(|it| format!("{},{},{},{}", it.west, it.south, it.east, it.north));
    let parameters = Parameters {
        q,
        bbox,
        skip: Some(choice.offset),
        limit: Some(choice.limit),
        counts: Some(Options::default().counts),
        ..Parameters::default()
    };
    let answer = inquire(shelf, &parameters, None)?.answer;
    let shown = (choice.offset + answer.hits.len()) as u64;
    Ok(Items {
        features: answer.hits.iter().map(|it| of_hit(base, it)).collect(),
        matched: answer.total,
        has_more: !answer.hits.is_empty() && answer.total.is_some_and(|it| shown < it),
    })
}

fn all(generation: &Generation, base: &BaseUrl, choice: &Choice) -> Result<Items, Refusal> {
    let living = generation.shards.iter().flat_map(|shard| {
        let numbers = (0..shard.documents()).filter(|it| !shard.dead.has(*it));
        numbers.map(move |it| (shard, it))
    });
    let wanted = living.skip(choice.offset).take(choice.limit);
    let features = wanted.map(|(shard, number)| {
        let document = shard.document(number).map_err(|error| Refusal::broken(&error))?;
        Ok(of_document(base, &document))
    });
    let features: Vec<Value> = features.collect::<Result<_, Refusal>>()?;
    let matched = generation.manifest.documents();
    let has_more = !features.is_empty() && ((choice.offset + features.len()) as u64) < matched;
    Ok(Items { features, matched: Some(matched), has_more })
}

/// The page with this id.
pub(super) fn one(shelf: &Shelf, base: &BaseUrl, id: &str) -> Result<Value, Refusal> {
    let generation = shelf.generation();
    let missing = || {
        Failure::missing(format!(
            "the index has no page {id}: /ogc/collections/pages/items lists them"
        ))
        .0
    };
    let at = generation.by_id(id).ok_or_else(missing)?;
    let document = generation.document(at).map_err(|error| Refusal::broken(&error))?;
    Ok(of_document(base, &document))
}

/// What a record says, wherever it comes from.
struct Record<'a> {
    id: &'a str,
    url: &'a str,
    title: String,
    description: String,
    language: &'a str,
    published: Option<String>,
    topics: &'a [String],
    geometry: Option<Value>,
}

fn of_hit(base: &BaseUrl, hit: &Hit) -> Value {
    let record = Record {
        id: &hit.id,
        url: &hit.url,
        title: plain(&hit.title),
        description: plain(&hit.snippet),
        language: &hit.language,
        published: hit.published.and_then(written),
        topics: &[],
        geometry: hit.place.as_ref().map(|it| point_geometry(it.point)),
    };
    record.value(base)
}

fn of_document(base: &BaseUrl, document: &Document) -> Value {
    let weight = |it: &&Spot| u32::from(it.part) * u32::from(it.sure);
    let record = Record {
        id: &document.id,
        url: &document.url,
        title: document.title.clone(),
        description: document.text.chars().take(DESCRIPTION).collect(),
        language: &document.language,
        published: document.published.and_then(written),
        topics: &document.topics,
        // Of equal ones the first counts, as in a search.
        geometry: document
            .spots
            .iter()
            .rev()
            .max_by_key(weight)
            .map(|it| point_geometry(it.point())),
    };
    record.value(base)
}

impl Record<'_> {
    fn value(self, base: &BaseUrl) -> Value {
        let address = item_address(base, "pages", self.id);
        let mut links = vec![link("self", "application/geo+json", "this record", &address)];
        if self.url.starts_with("https://") || self.url.starts_with("http://") {
            links.push(link("item", "text/html", "the page", self.url));
        }
        let day = self.published.as_ref().and_then(|it| it.get(..10));
        let title = if self.title.is_empty() { self.id.to_owned() } else { self.title };
        let mut properties = json!({
            "type": "document",
            "title": title,
            "description": self.description,
            "keywords": self.topics,
        });
        if let Some(published) = &self.published {
            properties["created"] = json!(published);
        }
        if !self.language.is_empty() {
            properties["language"] = json!({ "code": self.language });
        }
        json!({
            "type": "Feature",
            "id": self.id,
            "conformsTo": [RECORD_CORE],
            "time": day.map(|it| json!({ "date": it })),
            "geometry": self.geometry,
            "properties": properties,
            "links": links,
        })
    }
}
