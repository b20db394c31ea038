//! The log that a crawl writes about its answers, as far as it is evaluated.

use std::collections::HashMap;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result};
use serde::Deserialize;
use serde_json::json;

/// An answer, as the crawl saw it.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(default)]
pub(super) struct Judged {
    pub(super) url: String,
    /// The page on which its link was found; nothing for a seed.
    pub(super) via: Option<String>,
    /// Whether it is what the crawl looks for; nothing if it is no page.
    pub(super) relevant: Option<bool>,
    /// What its link was worth.
    pub(super) priority: Option<f64>,
    /// The keys of the places it is about.
    pub(super) places: Vec<String>,
}

/// The answers of a log in the order they came, of each URL the last.
pub(super) fn read(path: &Path) -> Result<Vec<Judged>> {
    let text = fs::read_to_string(path).with_context(|| format!("{}", path.display()))?;
    parse(&text).with_context(|| format!("{} is no log of a crawl", path.display()))
}

fn parse(text: &str) -> Result<Vec<Judged>> {
    let mut answers: Vec<Judged> = Vec::new();
    let mut places: HashMap<String, usize> = HashMap::new();
    for (number, line) in text.lines().enumerate().filter(|it| !it.1.trim().is_empty()) {
        let answer: Judged =
            serde_json::from_str(line).with_context(|| format!("line {}", number + 1))?;
        // A page that failed and was asked for again is one page.
        if let Some(at) = places.get(&answer.url) {
            answers[*at] = answer;
        } else {
            places.insert(answer.url.clone(), answers.len());
            answers.push(answer);
        }
    }
    Ok(answers)
}

/// The answers as the scorer reads them: places by their number at `GeoNames`, and what was not
/// judged is not relevant.
pub(super) fn for_scorer(answers: &[Judged]) -> String {
    let mut text = String::new();
    for answer in answers {
        let mut line = json!({"url": answer.url, "relevant": answer.relevant.unwrap_or_default()});
        if answer.relevant.is_some() {
            let number = |it: &String| it.strip_prefix("gn:")?.parse::<u64>().ok();
            line["places"] = answer.places.iter().filter_map(number).collect();
        }
        text += &line.to_string();
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    const LOG: &str = r#"{"url":"http://a.example/","at":"2026-01-01","status":0,"error":"timeout","relevant":null,"priority":1.0,"reason":"","depth":0}
{"url":"http://b.example/","at":"2026-01-01","status":200,"relevant":true,"places":["gn:7","osm:r5"],"priority":0.5,"reason":"","depth":1,"via":"http://a.example/"}

{"url":"http://a.example/","at":"2026-01-01","status":200,"relevant":false,"priority":1.0,"reason":"","depth":0}
"#;

    #[test]
    fn of_each_url_the_last_answer_counts_at_its_first_place() {
        let answers = parse(LOG).expect("it is a log");
        let seen: Vec<_> = answers.iter().map(|it| (it.url.as_str(), it.relevant)).collect();
        let expected = [("http://a.example/", Some(false)), ("http://b.example/", Some(true))];
        assert_eq!(seen, expected);
        assert_eq!(answers[1].via.as_deref(), Some("http://a.example/"));
    }

    #[test]
    fn the_scorer_gets_numbers_of_places_and_a_yes_or_no() {
        let first = LOG.lines().next().expect("it has lines");
        let answers = parse(first).expect("it is a log");
        assert_eq!(for_scorer(&answers), "{\"relevant\":false,\"url\":\"http://a.example/\"}\n");
        let answers = parse(LOG).expect("it is a log");
        assert_eq!(
            for_scorer(&answers).lines().nth(1),
            Some(r#"{"places":[7],"relevant":true,"url":"http://b.example/"}"#)
        );
    }

    #[test]
    fn what_is_no_log_is_told_with_its_line() {
        let told = parse("{}\n[1").expect_err("it is none").to_string();
        assert_eq!(told, "line 2");
    }
}
