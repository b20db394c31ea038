//! A topic as a file says it: names and keys instead of numbers.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use focus::{NoTopic, Topic, TopicSettings};
use gazetteer::{Gazetteer, PlaceId, Precision};
use serde::Deserialize;

use crate::error::Error;
use crate::task::Task;

/// A longer file is no topic.
const LARGEST: u64 = 1 << 20;

/// A topic as a file says it.
///
/// ```toml
/// name = "harbours"
///
/// [keywords]
/// "container terminal" = 1.0
/// quay = 0.4
///
/// [places]
/// "gn:2855745" = 1.0
/// "Bremerhaven, Germany" = 0.5
///
/// [settings]
/// sigma1 = 0.5
/// ```
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct TopicFile {
    /// What it is called.
    pub name: String,
    /// Words and phrases with their weights.
    pub keywords: BTreeMap<String, f64>,
    /// Places by key or name with their weights.
    pub places: BTreeMap<String, f64>,
    settings: Settings,
}

/// As [`TopicSettings`].
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct Settings {
    sigma1: f64,
    sigma2: f64,
    a: f64,
    b: f64,
    ancestor_factor: f64,
    soft_cosine: bool,
    expand_children: bool,
    follow_rejected: bool,
}

impl Default for TopicFile {
    fn default() -> Self {
        Self {
            name: "topic".to_owned(),
            keywords: BTreeMap::new(),
            places: BTreeMap::new(),
            settings: Settings::default(),
        }
    }
}

impl Default for Settings {
    fn default() -> Self {
        let usual = TopicSettings::default();
        Self {
            sigma1: usual.sigma1,
            sigma2: usual.sigma2,
            a: usual.a,
            b: usual.b,
            ancestor_factor: usual.ancestor_factor,
            soft_cosine: usual.soft_cosine,
            expand_children: usual.expand_children,
            follow_rejected: usual.follow_rejected,
        }
    }
}

impl TopicFile {
    /// The topic of a file.
    pub fn read(gazetteer: &Gazetteer, path: &Path) -> Result<Topic, Error> {
        let mut text = String::new();
        let read = File::open(path).and_then(|it| it.take(LARGEST).read_to_string(&mut text));
        read.map_err(Error::file(path))?;
        Self::understand(gazetteer, &text)
            .map_err(|reason| Error::Topic { path: path.to_owned(), reason })
    }

    /// The topic that the text of a file says, or why it is none.
    pub fn understand(gazetteer: &Gazetteer, text: &str) -> Result<Topic, String> {
        Self::parse(text).and_then(|it| it.topic(gazetteer))
    }

    /// What a text says, or why it is no topic.
    fn parse(text: &str) -> Result<Self, String> {
        toml::from_str(text).map_err(|error| error.to_string().trim_end().to_owned())
    }

    /// The topic with its places found in the gazetteer, or why it is none.
    fn topic(&self, gazetteer: &Gazetteer) -> Result<Topic, String> {
        let mut places = Vec::with_capacity(self.places.len());
        for (name, weight) in by_weight(&self.places) {
            if !(weight > 0.0 && weight.is_finite()) {
                let term = name.to_owned();
                return Err(NoTopic::Weight { term, weight }.to_string());
            }
            places.push((place(gazetteer, name)?, weight));
        }
        let keywords =
            by_weight(&self.keywords).map(|(phrase, weight)| (phrase.to_owned(), weight));
        let keywords: Vec<_> = keywords.collect();
        let topic = Topic::new(&self.name, &keywords, &places, self.settings.usual());
        let topic = topic.map_err(|it| it.to_string())?;
        Ok(if self.settings.expand_children { topic.expanded(gazetteer) } else { topic })
    }

    /// The text of a file that says this: places by key, with their names beside them.
    pub fn text_of(
        gazetteer: &Gazetteer,
        name: &str,
        keywords: &[(String, f64)],
        places: &[(PlaceId, f64)],
    ) -> String {
        let mut text = format!("name = {}\n\n[keywords]\n", quoted(name));
        for (phrase, weight) in keywords {
            text += &format!("{} = {weight:?}\n", quoted(phrase));
        }
        text += "\n[places]\n";
        for (place, weight) in places {
            let place = gazetteer.place(*place);
            let label: String = place.label().chars().filter(|it| !it.is_control()).collect();
            text += &format!("{} = {weight:?} # {label}\n", quoted(place.key()));
        }
        let usual = TopicSettings::default();
        text += &format!(
            "\n[settings]\n\
             # A page is about the topic if its keywords and its places are more similar than this.\n\
             sigma1 = {:?}\nsigma2 = {:?}\n\
             # What keywords and places count for the order of links; 1 together.\n\
             a = {:?}\nb = {:?}\n\
             # What a place counts that only holds one of the topic: Asia for Korea.\n\
             ancestor_factor = {:?}\n\
             # Whether links of pages that are not about the topic are followed, after others.\n\
             follow_rejected = {}\n",
            usual.sigma1,
            usual.sigma2,
            usual.a,
            usual.b,
            usual.ancestor_factor,
            usual.follow_rejected
        );
        text
    }
}

impl Settings {
    fn usual(self) -> TopicSettings {
        TopicSettings {
            sigma1: self.sigma1,
            sigma2: self.sigma2,
            a: self.a,
            b: self.b,
            ancestor_factor: self.ancestor_factor,
            soft_cosine: self.soft_cosine,
            expand_children: self.expand_children,
            follow_rejected: self.follow_rejected,
        }
    }
}

/// The topic of a task, if it has one; the strategy may need one.
pub(crate) fn topic_of(task: &Task, gazetteer: &Gazetteer) -> Result<Option<Topic>, Error> {
    let path: Option<&PathBuf> = task.topic.as_ref();
    if path.is_none() && task.strategy == "topic" {
        return Err(Error::NoTopic);
    }
    path.map(|it| TopicFile::read(gazetteer, it)).transpose()
}

/// The heaviest first.
fn by_weight(terms: &BTreeMap<String, f64>) -> impl Iterator<Item = (&str, f64)> {
    let mut list: Vec<_> = terms.iter().map(|(term, weight)| (term.as_str(), *weight)).collect();
    list.sort_by(|a, b| b.1.total_cmp(&a.1));
    list.into_iter()
}

fn place(gazetteer: &Gazetteer, text: &str) -> Result<PlaceId, String> {
    if let Some(place) = gazetteer.by_key(text.trim()) {
        return Ok(place.id());
    }
    let found = gazetteer.geocode(text, None, 1);
    match found.first() {
        Some(best) if best.precision != Precision::Coordinate => Ok(best.place.id()),
        Some(_) => Err(format!("\"{text}\" is a point: write the key or the name of a place")),
        None => Err(format!(
            "nothing is known of \"{text}\": \"strabo place\" finds places and their keys"
        )),
    }
}

/// A text as TOML writes it.
fn quoted(text: &str) -> String {
    toml::Value::String(text.to_owned()).to_string()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn topic(text: &str) -> Result<Topic, String> {
        TopicFile::parse(text)?.topic(world::gazetteer())
    }

    #[track_caller]
    fn check(text: &str, expected: &str) {
        let told = topic(text).expect_err("it is no topic");
        assert!(told.contains(expected), "{told}");
    }

    #[test]
    fn a_topic_is_read_with_its_places_by_key_or_name() {
        let found = topic(
            "name = \"beer\"\n[keywords]\n\"malt house\" = 0.5\nbrewery = 1\n\
             [places]\n\"gn:2862926\" = 0.5\n\"Germany\" = 1.0\n[settings]\nsoft_cosine = true",
        )
        .expect("it is a topic");
        assert_eq!(found.name, "beer");
        assert_eq!(found.keywords().collect::<Vec<_>>(), [("brewery", 1.0), ("malt house", 0.5)]);
        let keys: Vec<_> =
            found.places().iter().map(|it| world::gazetteer().place(it.0).key()).collect();
        assert_eq!(keys, ["gn:2921044", "gn:2862926"]);
        assert!(found.settings().soft_cosine);
    }

    #[test]
    fn the_parts_of_places_become_places_if_that_is_wished() {
        let text = "[places]\nBelgium = 1.0\n[settings]\nexpand_children = true";
        let found = topic(text).expect("it is a topic");
        assert!(found.places().len() > 2);
        assert!(found.places()[1..].iter().all(|it| (it.1 - 0.6).abs() < 1e-9));
    }

    #[test]
    fn what_is_no_topic_is_told_with_the_way_out() {
        check("", "neither keywords nor places: give some");
        check("[places]\nXyzzyqwop = 1", "nothing is known of \"Xyzzyqwop\": \"strabo place\"");
        check("[places]\n\"53.1, 8.2\" = 1", "is a point: write the key or the name");
        check("[places]\nGermany = -1", "\"Germany\" has the weight -1: write a number above 0");
        check("[keywords]\nbeer = \"much\"", "beer = \"much\"");
        check("[keyword]\nbeer = 1", "unknown field `keyword`");
        check("[keywords]\nbeer = 1\n[settings]\nsigma1 = 2", "sigma1 is 2: write a number");
    }

    #[test]
    fn what_is_written_is_read_again() {
        let gazetteer = world::gazetteer();
        let germany = gazetteer.geocode("Germany", None, 1)[0].place.id();
        let keywords = [("a \"b\" c".to_owned(), 1.0), ("d".to_owned(), 0.25)];
        let text = TopicFile::text_of(gazetteer, "x \"y\"\n", &keywords, &[(germany, 0.5)]);
        let found = topic(&text).expect("it is a topic");
        let terms: Vec<_> = found.keywords().map(|it| (it.0.to_owned(), it.1)).collect();
        assert_eq!(terms, keywords);
        assert_eq!(found.places(), [(germany, 0.5)]);
        assert_eq!(found.settings(), TopicSettings::default());
    }

    #[test]
    fn the_strategy_topic_needs_a_topic() {
        let task = Task { strategy: "topic".to_owned(), ..Task::default() };
        let told = topic_of(&task, world::gazetteer()).expect_err("it has none").to_string();
        assert!(told.contains("needs a topic: name a file"), "{told}");
    }

    proptest! {
        #[test]
        fn any_text_is_a_topic_or_an_error(text in ".{0,80}", weight in any::<f64>()) {
            let _ = topic(&text);
            let _ = topic(&format!("[keywords]\n{} = {weight:?}", quoted(&text)));
            let _ = topic(&format!("[places]\n{} = {weight:?}", quoted(&text)));
        }

        #[test]
        fn any_page_is_scored_from_0_to_1(text in "(nuclear|test|[^ ]{0,5}| ){0,40}", places in prop::collection::vec((0_u32..5000, 0.0_f64..1e6), 0..20)) {
            let topic = topic("[keywords]\n\"nuclear test\" = 1.0\ntest = 0.3\n[places]\nGermany = 1.0\nAsia = 0.1")
                .expect("it is a topic");
            let gazetteer = world::gazetteer();
            let places: Vec<_> = places.into_iter().map(|it| (PlaceId(it.0), it.1)).collect();
            let score = topic.score(&focus::GazetteerKinship::new(gazetteer), &text, &places);
            for it in [score.similarity, score.keyword_similarity, score.place_similarity, score.one_vector] {
                prop_assert!((0.0..=1.0 + 1e-9).contains(&it), "{score:?}");
            }
        }

        #[test]
        fn any_list_of_registrants_is_read(text in ".{0,80}", host in ".{0,20}") {
            use focus::{RegistrantList, RegistrantLocator};
            let list = RegistrantList::parse(world::gazetteer(), &format!("{text}\n{host},{text}"));
            let _ = list.locate(&host);
        }
    }
}
