//! `strabo topic score`: how much a page is about a topic, and why.

use std::ffi::OsString;
use std::path::PathBuf;

use anyhow::Result;
use clap::Args;
use crawl::{GazetteerKinship, Score, Tie, Topic, TopicFile};
use gazetteer::Gazetteer;
use geoparse::{Geoparser, Hints};
use serde_json::{Value, json};

use crate::geoparse_command::Input;
use crate::opened::Choice;
use crate::output::{say, say_json, table};

/// So many places of the page are shown; JSON has all.
const MOST_SHOWN: usize = 20;

/// Say how much a page is about a topic, and why.
#[derive(Args)]
pub(crate) struct Arguments {
    /// The file of the topic.
    #[arg(value_name = "TOPIC.toml")]
    topic: PathBuf,
    /// A page or a text: a file, an address that begins with http, or - for standard input.
    #[arg(value_name = "FILE|URL|-")]
    page: OsString,
    /// The address that a file came from: its domain tells something too.
    #[arg(long, value_name = "URL")]
    url: Option<String>,
    /// Also fetch pages from this machine or a private network.
    #[arg(long)]
    allow_private: bool,
    /// Answer in JSON.
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    gazetteer: Choice,
}

pub(super) fn run(arguments: &Arguments) -> Result<()> {
    let gazetteer = arguments.gazetteer.open()?;
    let topic = TopicFile::read(&gazetteer, &arguments.topic)?;
    let url = arguments.url.as_deref();
    let input = Input::read(&arguments.page, None, url, arguments.allow_private)?;
    let page = input.page()?;
    let hints = input.url().map(Hints::of_url).unwrap_or_default();
    let survey = Geoparser::new(&gazetteer).survey(&page, &hints);
    let score = topic.score_page(&GazetteerKinship::new(&gazetteer), &page, &survey.mentions);
    if arguments.json {
        return say_json(&as_json(&gazetteer, &topic, &score));
    }
    say(&report(&gazetteer, &topic, &score))
}

fn report(gazetteer: &Gazetteer, topic: &Topic, score: &Score) -> String {
    let settings = topic.settings();
    let mut text = format!("topic     {}\n", topic.name);
    text += &format!(
        "verdict   {}\n",
        if score.is_accepted { "the page is about it" } else { "the page is not about it" }
    );
    text += &format!("together  {:.4}{}\n", score.similarity, sum(topic, score));
    text += &format!("one list  {:.4}, if all terms were alike\n", score.one_vector);
    text += &test("keywords", score.keyword_similarity, settings.sigma1, topic.keywords().len());
    let mut rows = vec![["times", "weight", "keyword"].map(String::from).to_vec()];
    for ((phrase, weight), times) in topic.keywords().zip(&score.keywords) {
        rows.push(vec![times.to_string(), weight.to_string(), phrase.to_owned()]);
    }
    if rows.len() > 1 {
        text += &table(&rows);
    }
    text += &test("places", score.raw_place_similarity, settings.sigma2, topic.places().len());
    let mut rows = vec![["times", "place", "has to do with"].map(String::from).to_vec()];
    for part in score.places.iter().take(MOST_SHOWN) {
        let ties = part.ties.iter().filter(|it| it.2 > 0.0).map(|(at, tie, weight)| {
            let name = gazetteer.place(topic.places()[*at].0).name();
            format!("{} {name} ({weight:.1})", phrase(*tie))
        });
        let ties = ties.collect::<Vec<_>>().join(", ");
        let ties = if ties.is_empty() { "nothing".to_owned() } else { ties };
        rows.push(vec![part.times.to_string(), gazetteer.place(part.place).label(), ties]);
    }
    if rows.len() > 1 {
        text += &table(&rows);
    }
    if score.places.len() > MOST_SHOWN {
        text += &format!("… and {} more: --json shows all\n", score.places.len() - MOST_SHOWN);
    }
    text
}

/// How the two similarities become one, if there are two.
fn sum(topic: &Topic, score: &Score) -> String {
    if topic.keywords().len() == 0 || topic.places().is_empty() {
        return String::new();
    }
    let settings = topic.settings();
    format!(
        " = {} · {:.4} + {} · {:.4}",
        settings.a, score.keyword_similarity, settings.b, score.place_similarity
    )
}

/// The line of one of the two tests.
fn test(what: &str, similarity: f64, threshold: f64, terms: usize) -> String {
    if terms == 0 {
        return format!("\n{what}: the topic has none\n");
    }
    let most = if similarity > 1.0 { ", which counts as 1" } else { "" };
    let verdict = if similarity > threshold { "enough" } else { "not enough" };
    format!("\n{what}: {similarity:.4}{most}; {verdict}, it takes more than {threshold}\n")
}

fn phrase(tie: Tie) -> String {
    let steps =
        |count: usize| if count == 1 { "1 step".to_owned() } else { format!("{count} steps") };
    match tie {
        Tie::Equal => "is".to_owned(),
        Tie::Holds(count) => format!("{} within", steps(count)),
        Tie::Within(count) => format!("{} around", steps(count)),
        Tie::Overlaps => "overlaps".to_owned(),
        Tie::Adjacent => "beside".to_owned(),
        Tie::Disjoint => "apart from".to_owned(),
    }
}

fn as_json(gazetteer: &Gazetteer, topic: &Topic, score: &Score) -> Value {
    let settings = topic.settings();
    let keywords = topic.keywords().zip(&score.keywords).map(
        |((phrase, weight), times)| json!({"keyword": phrase, "weight": weight, "times": times}),
    );
    let places = score.places.iter().map(|part| {
        let place = gazetteer.place(part.place);
        let ties = part.ties.iter().map(|(at, tie, weight)| {
            let (relation, steps) = relation(*tie);
            let key = gazetteer.place(topic.places()[*at].0).key();
            json!({"topic_place": key, "relation": relation, "steps": steps, "counts": weight})
        });
        json!({
            "key": place.key(),
            "label": place.label(),
            "times": part.times,
            "ties": ties.collect::<Vec<_>>(),
        })
    });
    json!({
        "topic": topic.name,
        "accepted": score.is_accepted,
        "similarity": score.similarity,
        "keyword_similarity": score.keyword_similarity,
        "keyword_threshold": settings.sigma1,
        "place_similarity": score.place_similarity,
        "raw_place_similarity": score.raw_place_similarity,
        "place_threshold": settings.sigma2,
        "one_vector": score.one_vector,
        "keywords": keywords.collect::<Vec<_>>(),
        "places": places.collect::<Vec<_>>(),
    })
}

/// The relation of the page's place to the topic's in a word, and how many steps lie between.
fn relation(tie: Tie) -> (&'static str, Option<usize>) {
    match tie {
        Tie::Equal => ("equal", None),
        Tie::Holds(steps) => ("within", Some(steps)),
        Tie::Within(steps) => ("contains", Some(steps)),
        Tie::Overlaps => ("overlaps", None),
        Tie::Adjacent => ("adjacent", None),
        Tie::Disjoint => ("disjoint", None),
    }
}
