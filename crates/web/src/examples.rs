//! Examples: queries to try that find something in the index there is.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use earth::{Bounds, Meters};
use gazetteer::{Gazetteer, Kind, Place, PlaceId};
use index::Generation;
use query::Relation;
use search::{Engine, Options};

use crate::app::App;
use crate::frame::Frame;
use crate::inquiry::understand;
use crate::parameters::Parameters;
use crate::shelf::Shelf;
use crate::wording::Language;

/// How relations are written, in English and in German; `{}` stands for a place.
const RELATIONS: [(&str, &str); 9] = [
    ("in {}", "in {}"),
    ("near {}", "nahe {}"),
    ("within 5 km of {}", "im Umkreis von 5 km um {}"),
    ("north of {}", "nördlich von {}"),
    ("between 10 and 20 km from {}", "zwischen 10 und 20 km von {}"),
    ("between {} and {}", "zwischen {} und {}"),
    ("from {} to {}", "von {} nach {}"),
    ("outside {}", "außerhalb von {}"),
    ("next to {}", "angrenzend an {}"),
];
/// The same with places and things that everybody knows, for a server that has no index yet.
const FIXED: [(&str, &str); 9] = [
    ("museums in Berlin", "Museen in Berlin"),
    ("hotels near Helsinki", "Hotels nahe Helsinki"),
    ("hotels within 5 km of Oldenburg", "Hotels im Umkreis von 5 km um Oldenburg"),
    ("castles north of Edinburgh", "Burgen nördlich von Edinburgh"),
    ("castles between 10 and 20 km from Heidelberg", "Burgen zwischen 10 und 20 km von Heidelberg"),
    ("hotels between Bremen and Hamburg", "Hotels zwischen Bremen und Hamburg"),
    ("trains from Berlin to Munich", "Züge von Berlin nach München"),
    ("villages outside Munich", "Dörfer außerhalb von München"),
    ("towns next to Vienna", "Länder angrenzend an Deutschland"),
];
/// What people look for; topics of the index are tried too.
const THINGS: [(&str, &str); 4] = [
    ("museums", "Museen"),
    ("bakeries", "Bäckereien"),
    ("restaurants", "Restaurants"),
    ("news", "Nachrichten"),
];
/// What is written alike in German and English, for pages in a language that is not the reader's.
const SHARED: [&str; 4] = ["Museum", "Hotel", "Restaurant", "Park"];
/// So many topics are tried as themes.
const MOST_TOPICS: usize = 4;
/// So many countries are offered, and as many towns are tried.
const MOST_PLACES: usize = 4;
/// So many queries are asked for one example.
const MOST_TRIES: usize = 40;
/// What is called near is no farther away than this, in metres.
const NEAR: f64 = 50_000.0;
/// Two towns that are named together are so far apart at least, and at most, in metres.
const APART: std::ops::RangeInclusive<f64> = 15_000.0..=300_000.0;

/// An example: what to write, and where that leads to if it finds something.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Example {
    pub(crate) text: String,
    pub(crate) link: Option<String>,
}

/// The examples of each generation and language, once somebody has looked at them.
#[derive(Default)]
pub(crate) struct Examples(Mutex<HashMap<Edition, Arc<Vec<Example>>>>);

/// A generation by its number and when it was made, and a language.
type Edition = (u64, i64, &'static str);

impl Examples {
    /// An example for every relation that the help explains, in its order.
    pub(crate) fn relations(&self, books: &Shelf, language: Language) -> Arc<Vec<Example>> {
        let generation = books.generation();
        let manifest = &generation.manifest;
        let key = (manifest.number, manifest.made, language.code());
        let known =
            |of: &Self| of.0.lock().unwrap_or_else(PoisonError::into_inner).get(&key).cloned();
        if let Some(found) = known(self) {
            return found;
        }
        let made = Arc::new(made(books, &generation, language));
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        // Generations of the past are asked for no more.
        all.retain(|it, _| (it.0, it.1) == (key.0, key.1));
        all.insert(key, Arc::clone(&made));
        made
    }
}

/// Queries for the front page: those of the operator; or some that find something, and the countries with most pages.
pub(crate) fn for_front(app: &App, frame: &Frame) -> Vec<(String, String)> {
    let named = |it: &String| (it.clone(), Parameters::of(it).link());
    if !app.settings.examples.is_empty() {
        return app.settings.examples.iter().map(named).collect();
    }
    let generation = app.shelf.generation();
    if generation.is_blank() {
        return Vec::new();
    }
    let relations = app.examples.relations(&app.shelf, frame.language);
    let found = relations.iter().take(3).filter_map(|it| Some((it.text.clone(), it.link.clone()?)));
    let countries = countries(&generation, app.shelf.gazetteer());
    let countries = countries.iter().map(|it| {
        let text = format!("in [{} {}]", it.name(), it.key());
        (frame.language.name(it), Parameters::of(text).link())
    });
    found.chain(countries).collect()
}

/// The topics with most pages: names, counts, and queries for them.
pub(crate) fn topics(generation: &Generation, most: usize) -> Vec<(String, u64, String)> {
    let topics = generation.topics().unwrap_or_default();
    let shown = topics.iter().take(most).map(|it| {
        let name = generation.topic_as_written(it);
        let query = format!("inclass:\"{}\"", name.replace('"', " "));
        (name, it.documents, query)
    });
    shown.collect()
}

fn made(shelf: &Shelf, generation: &Generation, language: Language) -> Vec<Example> {
    let own = |pair: &(&'static str, &'static str)| {
        if language == Language::German { pair.1 } else { pair.0 }
    };
    if generation.is_blank() {
        let fixed = FIXED.iter().map(own);
        return fixed
            .map(|it| Example { text: it.to_owned(), link: Some(Parameters::of(it).link()) })
            .collect();
    }
    let gazetteer = shelf.gazetteer();
    let countries = countries(generation, gazetteer);
    let towns: Vec<Place<'_>> =
        countries.iter().filter_map(|it| town(generation, gazetteer, *it)).collect();
    let topics = topics(generation, MOST_TOPICS).into_iter().map(|it| it.0);
    let shared = SHARED.iter().copied().filter(|_| language == Language::German);
    let things = THINGS.iter().map(own).chain(shared).map(str::to_owned);
    let themes: Vec<String> = things.chain(topics).collect();
    let pairs = pairs(generation, gazetteer, &towns);
    let mut examples = Vec::new();
    for (number, relation) in RELATIONS.iter().map(own).enumerate() {
        let ends: Vec<Vec<&Place<'_>>> = match relation.matches("{}").count() {
            2 => pairs.iter().map(|it| it.iter().collect()).collect(),
            _ => towns.iter().chain(&countries).map(|it| vec![it]).collect(),
        };
        let tries = ends.iter().flat_map(|places| {
            // Each relation begins with another thing, so that they are not all about museums.
            let themes = themes.iter().cycle().skip(number % THINGS.len()).take(themes.len());
            themes.map(String::as_str).chain([""]).map(move |theme| (theme, places))
        });
        let found = tries.take(MOST_TRIES).find_map(|(theme, places)| {
            let text = format!("{theme} {}", filled(language, relation, places)).trim().to_owned();
            finds(shelf, generation, language, &text, places)
                .then(|| Example { link: Some(Parameters::of(&text).link()), text })
        });
        let fixed = || Example { text: own(&FIXED[number]).to_owned(), link: None };
        examples.push(found.unwrap_or_else(fixed));
    }
    examples
}

/// Each of the towns with others around it, those with most pages first: nobody asks what lies between two continents.
fn pairs<'g>(
    generation: &Generation,
    gazetteer: &'g Gazetteer,
    towns: &[Place<'g>],
) -> Vec<[Place<'g>; 2]> {
    let around = |town: &Place<'g>| {
        let bounds = Bounds::around(town.point(), Meters(*APART.end()));
        let found = generation.places_in(gazetteer, bounds).unwrap_or_default();
        let others = found.into_iter().map(|it| gazetteer.place(it));
        let fitting = others.filter(|it| it.kind() == Kind::City && is_apart(town, it));
        let mut counted: Vec<_> = fitting.map(|it| (count(generation, it), it)).collect();
        counted.sort_by_key(|it| std::cmp::Reverse(it.0));
        let town = *town;
        counted.into_iter().take(MOST_PLACES).map(move |it| [town, it.1])
    };
    towns.iter().flat_map(around).collect()
}

/// Whether two towns can be named together.
fn is_apart(one: &Place<'_>, other: &Place<'_>) -> bool {
    APART.contains(&one.point().distance(other.point()).0)
}

fn filled(language: Language, relation: &str, places: &[&Place<'_>]) -> String {
    let filled = |text: String, it: &&Place<'_>| text.replacen("{}", &language.name(it), 1);
    places.iter().fold(relation.to_owned(), filled)
}

/// Whether a text is understood as it is meant, and pages are found that fit it.
fn finds(
    shelf: &Shelf,
    generation: &Generation,
    language: Language,
    text: &str,
    places: &[&Place<'_>],
) -> bool {
    let Ok(understood) = understand(shelf, &Parameters::of(text), Some(language.code())) else {
        return false;
    };
    let Some(space) = &understood.query.space else { return false };
    let is_meant = space.anchors.len() == places.len()
        && space
            .anchors
            .iter()
            .zip(places)
            .all(|(it, place)| it.key.as_deref() == Some(place.key()));
    let options = Options { most: 1, ..Options::default() };
    let engine = Engine::new(generation, shelf.gazetteer());
    let Ok(answer) = engine.answer(&understood.query, &options) else { return false };
    let far = answer.hits.first().and_then(|it| it.place.as_ref()?.way).map(|it| it.0.0);
    // Near has no end: the best page may be a thousand kilometres away.
    let is_near = space.relation != Relation::Near || far.is_some_and(|it| it <= NEAR);
    is_meant && is_near && !answer.hits.is_empty()
}

/// The countries with most pages.
fn countries<'g>(generation: &Generation, gazetteer: &'g Gazetteer) -> Vec<Place<'g>> {
    let continents = gazetteer.children(PlaceId::WORLD);
    let countries = continents.flat_map(|it| gazetteer.children(it.id()));
    let mut counted: Vec<(u64, Place<'_>)> =
        countries.map(|it| (count(generation, it), it)).filter(|it| it.0 > 0).collect();
    counted.sort_by_key(|it| std::cmp::Reverse(it.0));
    counted.into_iter().take(MOST_PLACES).map(|it| it.1).collect()
}

/// The town with most pages, by way of the region and the county that have most.
fn town<'g>(generation: &Generation, gazetteer: &'g Gazetteer, of: Place<'g>) -> Option<Place<'g>> {
    let mut at = of;
    while at.kind() != Kind::City {
        let parts = gazetteer.children(at.id()).filter(|it| it.kind() <= Kind::City);
        let counted = parts.map(|it| (count(generation, it), it)).filter(|it| it.0 > 0);
        at = counted.max_by_key(|it| it.0)?.1;
    }
    Some(at)
}

fn count(generation: &Generation, place: Place<'_>) -> u64 {
    generation.count_within(place.id()).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    #[test]
    fn towns_are_named_together_if_they_are_near_each_other() {
        let town = |name: &str| world::gazetteer().geocode(name, None, 1)[0].place;
        let is_apart = |one: &str, other: &str| super::is_apart(&town(one), &town(other));
        assert!(is_apart("Bremen", "Hamburg") && is_apart("Helsinki", "Tampere"));
        assert!(!is_apart("Helsinki", "Cullman, Alabama") && !is_apart("Helsinki", "Helsinki"));
    }
}
