//! `strabo eval search`: how good the answers to judged queries are, beside those of a search by words alone.

mod judged;
mod measure;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Instant;

use anyhow::{Result, bail};
use clap::Args;
use jiff::civil::Date;
use query::{Asked, Parser, Query, Theme};
use search::{Engine, Hit, Options};
use serde_json::{Value, json};

use self::judged::Judged;
use self::measure::{ANSWERS, DEPTH, Difference, Measures};
use crate::index_command::Place;
use crate::opened::Choice;
use crate::output::{grouped, say, say_json, table};

/// Searches, against queries whose answers were judged.
///
/// Three systems answer from the same index: Strabo; a search for the words of the theme, with the place left out; and a
/// search for the words of the theme and the place, filled up with the answers of the second if there are fewer than ten.
#[derive(Args)]
#[command(after_help = FORMAT)]
pub(crate) struct Arguments {
    /// A file of judged queries, one JSON object a line, gzipped or not.
    #[arg(long, value_name = "FILE", required = true)]
    queries: Vec<PathBuf>,
    /// Show so many of the queries that were answered worst.
    #[arg(long, value_name = "N", default_value_t = 0)]
    worst: usize,
    /// Answer in JSON, query by query.
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    place: Place,
    #[command(flatten)]
    choice: Choice,
}

const FORMAT: &str = "A query: {\"query\": \"mills near Leiden\", \"judged\": {\"http://example.org/1\": 3, \"http://example.org/2\": 1}}
Pages are named by URL or id and have grades from 0 to 3; what is not named has grade 0. There may be more:
  \"theme\": \"mills\", \"place\": \"Leiden\"     what the searches by words alone look for, instead of what was understood
  \"relation\": \"near\"                      under which relation the query is counted
  \"same\": [[\"http://example.org/1\", …]]   pages that say the same: only the first of them that is found counts";

/// The systems that are compared.
const SYSTEMS: [&str; 3] = ["strabo", "theme words", "theme and place words"];

/// A query with what became of it.
struct Outcome {
    query: String,
    relation: String,
    /// For each system.
    measures: [Measures; SYSTEMS.len()],
    /// The grades of Strabo's answers.
    grades: Vec<u8>,
    ideal: Vec<u8>,
}

pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    let gazetteer = arguments.choice.open()?;
    let generation = arguments.place.library().open(&gazetteer)?;
    let systems = Systems {
        engine: Engine::new(&generation, &gazetteer),
        parser: Parser::new(&gazetteer),
        today: jiff::Zoned::now().date(),
    };
    let mut outcomes = Vec::new();
    let start = Instant::now();
    for file in &arguments.queries {
        for judged in judged::read(file)? {
            outcomes.push(systems.outcome(&judged)?);
        }
    }
    if outcomes.is_empty() {
        bail!("there are no queries to ask: the help tells what a line looks like");
    }
    let seconds = start.elapsed().as_secs_f64();
    if arguments.json {
        return say_json(&as_json(&outcomes));
    }
    say(&as_text(&outcomes, seconds, arguments.worst))
}

/// Three ways to answer a query from one index.
struct Systems<'a> {
    engine: Engine<'a>,
    parser: Parser<'a>,
    today: Date,
}

impl Systems<'_> {
    fn outcome(&self, judged: &Judged) -> Result<Outcome> {
        let understood = self.parser.understand(&Asked::new(&judged.query, self.today)).query;
        let theme =
            judged.theme.as_ref().map_or_else(|| understood.theme.clone(), |it| self.words(it));
        let anchors = understood.space.iter().flat_map(|it| &it.anchors);
        let names: Vec<&str> = match &judged.place {
            Some(place) => vec![place],
            None => anchors.map(|it| it.text.as_str()).collect(),
        };
        let mut both = theme.clone();
        both.terms.extend(names.into_iter().flat_map(|it| self.words(it).terms));

        let strabo = self.answer(&understood)?;
        let by_theme = self.answer(&Query { theme, ..Query::default() })?;
        let mut by_both = self.answer(&Query { theme: both, ..Query::default() })?;
        let is_new = |it: &&Hit| by_both.iter().all(|other| other.id != it.id);
        let more: Vec<Hit> = by_theme.iter().filter(is_new).cloned().collect();
        by_both.extend(more);
        by_both.truncate(DEPTH);

        let ideal = judged.ideal();
        let lists = [strabo, by_theme, by_both];
        let grades = lists
            .map(|list| judged.graded(list.iter().map(|it| [it.url.as_str(), it.id.as_str()])));
        let relation = understood.space.as_ref().map_or("none", |it| it.relation.name());
        Ok(Outcome {
            query: judged.query.clone(),
            relation: judged.relation.clone().unwrap_or_else(|| relation.to_owned()),
            measures: std::array::from_fn(|it| Measures::of(&grades[it], &ideal)),
            grades: grades[0].clone(),
            ideal,
        })
    }

    /// A text as words and nothing else, whatever places it names.
    fn words(&self, text: &str) -> Theme {
        let plain = format!("{} []", text.replace(['[', ']'], " "));
        self.parser.understand(&Asked::new(&plain, self.today)).query.theme
    }

    fn answer(&self, query: &Query) -> Result<Vec<Hit>> {
        let options = Options { most: DEPTH, counts: false, ..Options::default() };
        Ok(self.engine.answer(query, &options)?.hits)
    }
}

/// The means of each system, over all or over some of the outcomes.
fn means<'o>(outcomes: &(impl Iterator<Item = &'o Outcome> + Clone)) -> [Measures; SYSTEMS.len()] {
    std::array::from_fn(|system| Measures::mean(outcomes.clone().map(|it| &it.measures[system])))
}

/// How Strabo differs from another system in nDCG.
fn difference(outcomes: &[Outcome], other: usize) -> Difference {
    let differences: Vec<f64> =
        outcomes.iter().map(|it| it.measures[0].ndcg - it.measures[other].ndcg).collect();
    Difference::of(&differences)
}

fn by_relation(outcomes: &[Outcome]) -> BTreeMap<&str, Vec<&Outcome>> {
    let mut relations: BTreeMap<&str, Vec<&Outcome>> = BTreeMap::new();
    for outcome in outcomes {
        relations.entry(&outcome.relation).or_default().push(outcome);
    }
    relations
}

fn as_text(outcomes: &[Outcome], seconds: f64, worst: usize) -> String {
    let heads = |first: &[&str], then: &[&str]| -> Vec<String> {
        first.iter().chain(then).map(|it| (*it).to_owned()).collect()
    };
    let figure = |it: f64| format!("{it:.3}");
    let mut rows = vec![heads(&["system"], &["nDCG@10", "P@10", "MRR"])];
    for (name, it) in SYSTEMS.iter().zip(means(&outcomes.iter())) {
        rows.push(vec![
            (*name).to_owned(),
            figure(it.ndcg),
            figure(it.precision),
            figure(it.reciprocal_rank),
        ]);
    }
    let mut text = table(&rows);
    text += &format!(
        "\n{} queries, three systems, in {seconds:.1} s; P and MRR count pages of grade {ANSWERS} or better\n\n",
        grouped(outcomes.len())
    );
    for (other, name) in SYSTEMS.iter().enumerate().skip(1) {
        let it = difference(outcomes, other);
        text += &format!(
            "nDCG@10 against {name}: {:+.3}, p = {:.4}, better on {}, worse on {}\n",
            it.mean, it.p, it.better, it.worse
        );
    }
    let mut rows = vec![heads(&["relation", "queries"], &SYSTEMS)];
    for (relation, outcomes) in by_relation(outcomes) {
        let mut row = vec![relation.to_owned(), grouped(outcomes.len())];
        row.extend(means(&outcomes.iter().copied()).iter().map(|it| figure(it.ndcg)));
        rows.push(row);
    }
    text += &format!("\nnDCG@10 by relation\n{}", table(&rows));
    let mut by_quality: Vec<&Outcome> = outcomes.iter().collect();
    by_quality.sort_by(|a, b| a.measures[0].ndcg.total_cmp(&b.measures[0].ndcg));
    for it in by_quality.iter().take(worst) {
        let list = |grades: &[u8]| -> String {
            grades.iter().take(DEPTH).map(u8::to_string).collect::<String>()
        };
        text += &format!(
            "{:.3} {:.3} {:.3}  {}  (grades {}, at best {})\n",
            it.measures[0].ndcg,
            it.measures[1].ndcg,
            it.measures[2].ndcg,
            it.query,
            list(&it.grades),
            list(&it.ideal)
        );
    }
    text
}

fn as_json(outcomes: &[Outcome]) -> Value {
    let figures = |it: &Measures| json!({"ndcg": it.ndcg, "precision": it.precision, "reciprocal_rank": it.reciprocal_rank});
    let systems = |all: &[Measures; SYSTEMS.len()]| -> Value {
        SYSTEMS.iter().zip(all).map(|(name, it)| ((*name).to_owned(), figures(it))).collect()
    };
    let against: Value = SYSTEMS
        .iter()
        .enumerate()
        .skip(1)
        .map(|(other, name)| {
            let it = difference(outcomes, other);
            let value = json!({"ndcg": it.mean, "p": it.p, "better": it.better, "worse": it.worse});
            ((*name).to_owned(), value)
        })
        .collect();
    let relations: Value = by_relation(outcomes)
        .into_iter()
        .map(|(name, outcomes)| {
            let means = systems(&means(&outcomes.iter().copied()));
            (name.to_owned(), json!({"queries": outcomes.len(), "systems": means}))
        })
        .collect();
    let each: Vec<Value> = outcomes
        .iter()
        .map(|it| {
            json!({"query": it.query, "relation": it.relation, "systems": systems(&it.measures),
                   "grades": it.grades, "ideal": it.ideal})
        })
        .collect();
    json!({"queries": outcomes.len(), "depth": DEPTH, "answer_from_grade": ANSWERS,
           "systems": systems(&means(&outcomes.iter())), "against": against, "relations": relations, "each": each})
}
