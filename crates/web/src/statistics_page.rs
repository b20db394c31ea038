//! The statistics page: how many pages there are of several queries, over time and by place.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use askama::Template;
use axum::extract::{RawQuery, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use search::{Engine, Facets, Options};

use crate::aside::aside;
use crate::card::place_link;
use crate::examples::topics;
use crate::export::harmless;
use crate::frame::{Frame, page};
use crate::inquiry::{Refusal, understand};
use crate::message_page::message;
use crate::parameters::Parameters;
use crate::shelf::Shelf;
use crate::trend::{month_number, month_of};
use crate::wording::Language;

/// So many lines can be told apart.
const MOST_LINES: usize = 5;
/// So many topics are offered.
const MOST_TOPICS: usize = 30;
/// So many places are compared at first; a link leads to all of them.
const MOST_PLACES: usize = 20;
/// The size of the chart, in its own units, and the room for its labels.
const WIDTH: f64 = 720.0;
const HEIGHT: f64 = 240.0;
const LEFT: f64 = 48.0;
const BELOW: f64 = 26.0;
/// The name of a month nearer to the right edge than this ends where the month is, so that nothing of it is cut off.
const RIGHT: f64 = 48.0;

#[derive(Template)]
#[template(path = "statistics.html")]
struct StatisticsPage<'a> {
    frame: &'a Frame,
    /// What stands in the fields; one more is empty.
    fields: Vec<String>,
    queries: Vec<Counted>,
    problem: Option<String>,
    months: Vec<(String, Vec<u64>)>,
    places: Vec<PlaceRow>,
    /// How many places there are in all, and the page with all of them; nothing if they are here.
    all_places: Option<(String, String)>,
    chart: Option<Chart>,
    /// The same for other programs, by month and by place.
    csv: (String, String),
    /// Topics of the index with their counts and where they are counted over time.
    topics: Vec<(String, u64, String)>,
}

impl StatisticsPage<'_> {
    fn finds_nothing(&self) -> bool {
        self.queries.iter().all(|it| it.total == 0)
    }
}

/// A place with what was counted there.
struct PlaceRow {
    key: String,
    name: String,
    link: String,
    /// How many pages of each query, and where they are.
    counts: Vec<(u64, String)>,
}

/// A query and what was counted.
struct Counted {
    text: String,
    /// What it is about, leaving aside where.
    theme: String,
    link: String,
    total: u64,
    facets: Facets,
}

/// A chart of lines.
struct Chart {
    lines: Vec<String>,
    /// Lines across: their height and what they stand for.
    rules: Vec<(String, String)>,
    names: Vec<MonthName>,
}

/// The name of a month below the chart.
struct MonthName {
    x: String,
    /// Which end of the name is there.
    anchor: &'static str,
    text: String,
    /// The first or the last of them: on a narrow screen there is no room for others.
    is_end: bool,
}

/// Shows the page.
pub(crate) async fn show(
    frame: Frame,
    State(shelf): State<Arc<Shelf>>,
    RawQuery(raw): RawQuery,
) -> Response {
    let shown = {
        let frame = frame.clone();
        aside(move || {
            let asked = asked(raw.as_deref());
            let (queries, problem) = match count(&frame, &shelf, &asked) {
                Ok(queries) => (queries, None),
                Err(refusal) if refusal.status == StatusCode::BAD_REQUEST => {
                    (Vec::new(), Some(frame.told(&refusal.fact)))
                }
                Err(refusal) => return Err(refusal),
            };
            let shows_all = has(raw.as_deref(), "places", "all");
            Ok(render(&frame, &shelf, asked, queries, problem, shows_all))
        })
        .await
    };
    shown.unwrap_or_else(|it| message(&frame, it.status, &it.fact))
}

/// The same as a table for other programs.
pub(crate) async fn csv(
    frame: Frame,
    State(shelf): State<Arc<Shelf>>,
    RawQuery(raw): RawQuery,
) -> Response {
    let reader = frame.clone();
    let made = aside(move || {
        let queries = count(&reader, &shelf, &asked(raw.as_deref()))?;
        let lines = if has(raw.as_deref(), "by", "place") {
            place_lines(&shelf, &queries)
        } else {
            month_lines(&queries)
        };
        Ok(lines.join("\r\n") + "\r\n")
    });
    match made.await {
        Ok(text) => {
            let headers = [
                (header::CONTENT_TYPE, "text/csv; charset=utf-8"),
                (header::CONTENT_DISPOSITION, "attachment; filename=\"statistics.csv\""),
            ];
            (headers, text).into_response()
        }
        Err(it) => message(&frame, it.status, &it.fact),
    }
}

fn month_lines(queries: &[Counted]) -> Vec<String> {
    let mut lines = vec![row("month", queries.iter().map(|it| it.text.clone()))];
    for (month, counts) in by_month(queries) {
        let name = format!("{:04}-{:02}", month.0, month.1);
        lines.push(row(&name, counts.iter().map(u64::to_string)));
    }
    lines.push(row("undated", queries.iter().map(|it| it.facets.undated.to_string())));
    lines
}

fn place_lines(shelf: &Shelf, queries: &[Counted]) -> Vec<String> {
    let head = ["key".to_owned()].into_iter().chain(queries.iter().map(|it| it.text.clone()));
    let mut lines = vec![row("place", head)];
    for place in by_place(Language::English, shelf, queries, usize::MAX).0 {
        let counts = place.counts.iter().map(|it| it.0.to_string());
        lines.push(row(&place.name, [place.key.clone()].into_iter().chain(counts)));
    }
    lines
}

/// A line of a table, every cell quoted.
fn row(first: &str, others: impl Iterator<Item = String>) -> String {
    let quoted = |cell: String| format!("\"{}\"", harmless(cell).replace('"', "\"\""));
    let cells: Vec<String> = std::iter::once(first.to_owned()).chain(others).map(quoted).collect();
    cells.join(",")
}

/// The queries of an address: `q` may stand several times.
fn asked(raw: Option<&str>) -> Vec<String> {
    let pairs = url::form_urlencoded::parse(raw.unwrap_or_default().as_bytes());
    let texts = pairs.filter(|it| it.0 == "q").map(|it| it.1.trim().to_owned());
    texts.filter(|it| !it.is_empty()).take(MOST_LINES).collect()
}

/// Whether the address says something: `by=place` for the table by place, `places=all` for all rows of it.
fn has(raw: Option<&str>, name: &str, value: &str) -> bool {
    let mut pairs = url::form_urlencoded::parse(raw.unwrap_or_default().as_bytes());
    pairs.any(|it| it.0 == name && it.1 == value)
}

fn count(frame: &Frame, shelf: &Shelf, asked: &[String]) -> Result<Vec<Counted>, Refusal> {
    let generation = shelf.generation();
    if generation.is_blank() {
        let fact = frame.say("There is no index yet.").to_owned();
        return Err(Refusal { fact, ..Refusal::no_index() });
    }
    let engine = Engine::new(&generation, shelf.gazetteer());
    let mut queries = Vec::new();
    for text in asked {
        let parameters = Parameters::of(text);
        let understood = understand(shelf, &parameters, None)?;
        if understood.query.theme.is_empty() && understood.query.space.is_none() {
            return Err(Refusal::bad(format!("nothing to look for was understood in \"{text}\"")));
        }
        let options = Options { most: 0, ..Options::default() };
        let answer =
            engine.answer(&understood.query, &options).map_err(|it| Refusal::broken(&it))?;
        queries.push(Counted {
            text: text.clone(),
            theme: understood.query.theme.to_string(),
            link: parameters.link(),
            total: answer.total.unwrap_or(0),
            facets: answer.facets.unwrap_or_default(),
        });
    }
    Ok(queries)
}

fn render(
    frame: &Frame,
    shelf: &Shelf,
    asked: Vec<String>,
    queries: Vec<Counted>,
    problem: Option<String>,
    shows_all: bool,
) -> Response {
    let by_month = by_month(&queries);
    let address = |page: &str, first: Option<(&str, &str)>, queries: &[String]| {
        let mut pairs = url::form_urlencoded::Serializer::new(String::new());
        pairs.extend_pairs(first).extend_pairs(queries.iter().map(|it| ("q", it)));
        format!("{page}?{}", pairs.finish())
    };
    let csv = (
        address("/statistics.csv", None, &asked),
        address("/statistics.csv", Some(("by", "place")), &asked),
    );
    // A topic is compared with what is shown already, as long as there is room for it.
    let topics =
        topics(&shelf.generation(), MOST_TOPICS).into_iter().map(|(name, count, query)| {
            let others = asked.iter().filter(|it| **it != query).take(MOST_LINES - 1).cloned();
            let queries: Vec<String> = others.chain([query.clone()]).collect();
            (name, count, address("/statistics", None, &queries))
        });
    let topics = topics.collect();
    let most = if shows_all { usize::MAX } else { MOST_PLACES };
    let (places, total) = by_place(frame.language, shelf, &queries, most);
    let all_places = (places.len() < total).then(|| {
        let shown = frame.number(&(places.len() as u64));
        let told = frame.fill2(
            "The {} with most pages, of {} places.",
            shown,
            frame.number(&(total as u64)),
        );
        (told, address("/statistics", Some(("places", "all")), &asked) + "#by-place")
    });
    let month_name = |(year, month): &(i16, i8)| format!("{} {year}", frame.language.month(*month));
    let mut fields = asked;
    if fields.len() < MOST_LINES {
        fields.push(String::new());
    }
    let template = StatisticsPage {
        frame,
        chart: chart(frame, &by_month),
        months: by_month.iter().map(|it| (month_name(it.0), it.1.clone())).collect(),
        places,
        all_places,
        fields,
        queries,
        problem,
        csv,
        topics,
    };
    let status = if template.problem.is_some() { StatusCode::BAD_REQUEST } else { StatusCode::OK };
    page(status, &template)
}

/// For every month from the first to the last, how many pages of each query.
fn by_month(queries: &[Counted]) -> BTreeMap<(i16, i8), Vec<u64>> {
    let all: BTreeSet<(i16, i8)> =
        queries.iter().flat_map(|it| it.facets.months.iter().map(|it| it.0)).collect();
    let (Some(first), Some(last)) = (all.first(), all.last()) else { return BTreeMap::new() };
    let (from, to) = (month_number(*first), month_number(*last));
    // A page with a mistaken date of long ago must not make a table of a thousand empty months.
    let months = (from..=to).map(month_of).filter(|it| to - from < 240 || all.contains(it));
    let count = |query: &Counted, month: &(i16, i8)| {
        query.facets.months.iter().find(|it| it.0 == *month).map_or(0, |it| it.1)
    };
    months.map(|month| (month, queries.iter().map(|it| count(it, &month)).collect())).collect()
}

/// The places with most pages of all queries together, and how many places there are.
fn by_place(
    language: Language,
    shelf: &Shelf,
    queries: &[Counted],
    most: usize,
) -> (Vec<PlaceRow>, usize) {
    let mut all: BTreeMap<u32, Vec<u64>> = BTreeMap::new();
    for (number, query) in queries.iter().enumerate() {
        for (place, count) in &query.facets.places {
            all.entry(place.0).or_insert_with(|| vec![0; queries.len()])[number] = *count;
        }
    }
    let mut rows: Vec<(u32, Vec<u64>)> = all.into_iter().collect();
    rows.sort_by_key(|it| std::cmp::Reverse(it.1.iter().sum::<u64>()));
    let total = rows.len();
    rows.truncate(most);
    let row = |(id, counts): (u32, Vec<u64>)| {
        let place = shelf.gazetteer().place(gazetteer::PlaceId(id));
        let there = |query: &Counted| {
            let sign = if query.theme.is_empty() { "" } else { ", " };
            let text = format!("{}{sign}in [{} {}]", query.theme, place.name(), place.key());
            Parameters::of(text).link()
        };
        let counts = counts.into_iter().zip(queries.iter().map(there)).collect();
        let (key, name) = (place.key().to_owned(), language.name(&place));
        PlaceRow { key, name, link: place_link(&place), counts }
    };
    (rows.into_iter().map(row).collect(), total)
}

fn chart(frame: &Frame, months: &BTreeMap<(i16, i8), Vec<u64>>) -> Option<Chart> {
    let lines = months.values().next()?.len();
    let most = months.values().flatten().copied().max().unwrap_or(0).max(1);
    let step = round_step(most);
    let top = most.div_ceil(step) * step;
    let last = (months.len() - 1).max(1) as f64;
    let x = |place: usize| LEFT + (WIDTH - LEFT - 8.0) * place as f64 / last;
    let y = |count: u64| 8.0 + (HEIGHT - BELOW - 8.0) * (1.0 - count as f64 / top as f64);
    let line = |number: usize| {
        let points = months.values().enumerate();
        let points = points.map(|(place, it)| format!("{:.1},{:.1}", x(place), y(it[number])));
        points.collect::<Vec<_>>().join(" ")
    };
    let rules = (0..=top / step).map(|it| it * step);
    let every = months.len().div_ceil(6).max(1);
    let anchor = |at: f64| {
        if at <= LEFT {
            "start"
        } else if at > WIDTH - RIGHT {
            "end"
        } else {
            "middle"
        }
    };
    let last_name = (months.len() - 1) / every * every;
    let names = months.keys().enumerate().step_by(every).map(|(place, (year, month))| MonthName {
        x: format!("{:.1}", x(place)),
        anchor: anchor(x(place)),
        text: format!("{month}/{year}"),
        is_end: place == 0 || place == last_name,
    });
    Some(Chart {
        lines: (0..lines).map(line).collect(),
        rules: rules.map(|it| (format!("{:.1}", y(it)), frame.number(&it))).collect(),
        names: names.collect(),
    })
}

/// A round number of which a few make up the most.
fn round_step(most: u64) -> u64 {
    let mut unit: u64 = 1;
    loop {
        for step in [1, 2, 5].map(|it| unit.saturating_mul(it)) {
            if most <= step.saturating_mul(5) {
                return step;
            }
        }
        unit = unit.saturating_mul(10);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn several_queries_stand_in_one_address() {
        assert_eq!(asked(Some("q=flood&q=+&q=fair+in+Rome&x=y")), ["flood", "fair in Rome"]);
        assert_eq!(asked(Some("q=1&q=2&q=3&q=4&q=5&q=6")).len(), MOST_LINES);
        assert!(asked(None).is_empty());
    }

    #[test]
    fn the_table_is_by_month_unless_it_is_asked_for_by_place() {
        let is_by_place = |raw| has(raw, "by", "place");
        assert!(is_by_place(Some("by=place&q=flood")));
        assert!(!is_by_place(Some("q=by%3Dplace")) && !is_by_place(None));
    }

    #[test]
    fn rules_are_round_numbers() {
        assert_eq!([1, 7, 11, 26, 480, 9_999].map(round_step), [1, 2, 5, 10, 100, 2_000]);
        assert!(round_step(u64::MAX) > 0);
    }

    #[test]
    fn the_names_of_months_stay_within_the_chart() {
        let frame = Frame { language: Language::English, here: String::new() };
        let months: BTreeMap<(i16, i8), Vec<u64>> =
            (1..=4).map(|it| ((2026, it), vec![1])).collect();
        let names = chart(&frame, &months).expect("there are months").names;
        let anchors: Vec<&str> = names.iter().map(|it| it.anchor).collect();
        assert_eq!(anchors, ["start", "middle", "middle", "end"]);
        let ends: Vec<bool> = names.iter().map(|it| it.is_end).collect();
        assert_eq!(ends, [true, false, false, true]);
    }

    #[test]
    fn a_cell_is_never_reckoned_with() {
        assert_eq!(
            row("a", ["=1+1".to_owned(), "say \"x\"".to_owned()].into_iter()),
            "\"a\",\"'=1+1\",\"say \"\"x\"\"\""
        );
    }
}
