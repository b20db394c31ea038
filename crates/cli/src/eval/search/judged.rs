//! Judged queries: what is asked, and how good which pages are as answers.

use std::collections::HashMap;
use std::io::{BufRead, BufReader};
use std::path::Path;

use anyhow::{Context, Result, bail};
use serde_json::Value;

use crate::corpus;

/// The best grade there is.
const BEST: u8 = 3;

/// A query with the grades of its answers.
#[derive(Debug)]
pub(crate) struct Judged {
    pub(crate) query: String,
    /// What it is about, if the file says so.
    pub(crate) theme: Option<String>,
    /// The place it names, if the file says so.
    pub(crate) place: Option<String>,
    /// Under which relation it is counted, if the file says so.
    pub(crate) relation: Option<String>,
    /// The grades of pages, by URL or id.
    grades: HashMap<String, u8>,
    /// The group of a page that says the same as others.
    groups: HashMap<String, usize>,
}

/// Reads a file of judged queries, gzipped or not.
pub(crate) fn read(path: &Path) -> Result<Vec<Judged>> {
    let lines = BufReader::new(corpus::opened(path)?).lines();
    lines
        .enumerate()
        .filter(|(_, line)| line.as_ref().map_or(true, |it| !it.trim().is_empty()))
        .map(|(at, line)| {
            let read =
                || Judged::of(&serde_json::from_str(&line?).context("the line is no JSON object")?);
            read().with_context(|| format!("{}, line {}", path.display(), at + 1))
        })
        .collect()
}

impl Judged {
    pub(crate) fn of(value: &Value) -> Result<Self> {
        let text = |name: &str| value[name].as_str().map(str::to_owned);
        let mut grades = HashMap::new();
        for (page, grade) in value["judged"].as_object().context("the query has no \"judged\"")? {
            match grade.as_u64().and_then(|it| u8::try_from(it).ok()) {
                Some(grade @ 0..=BEST) => grades.insert(page.clone(), grade),
                _ => bail!("{page} has the grade {grade}: grades go from 0 to {BEST}"),
            };
        }
        let mut groups = HashMap::new();
        for (number, group) in value["same"].as_array().into_iter().flatten().enumerate() {
            let pages = group.as_array().into_iter().flatten().filter_map(Value::as_str);
            groups.extend(pages.map(|it| (it.to_owned(), number)));
        }
        Ok(Self {
            query: text("query").context("the line has no \"query\"")?,
            theme: text("theme"),
            place: text("place"),
            relation: text("relation"),
            grades,
            groups,
        })
    }

    /// The grades of an answer's pages, each known by any of its names. What repeats an earlier page has grade 0.
    pub(crate) fn graded<'n>(&self, pages: impl Iterator<Item = [&'n str; 2]>) -> Vec<u8> {
        let mut seen = Vec::new();
        let mut grade = |names: [&str; 2]| {
            let group = names.iter().find_map(|it| self.groups.get(*it));
            if group.is_some_and(|it| seen.contains(it)) {
                return 0;
            }
            seen.extend(group);
            names.iter().find_map(|it| self.grades.get(*it)).copied().unwrap_or(0)
        };
        pages.map(&mut grade).collect()
    }

    /// All grades above 0, the best first; of pages that say the same only the best.
    pub(crate) fn ideal(&self) -> Vec<u8> {
        let mut best: HashMap<usize, u8> = HashMap::new();
        let mut grades = Vec::new();
        for (page, grade) in self.grades.iter().filter(|it| *it.1 > 0) {
            match self.groups.get(page) {
                Some(group) => {
                    let best = best.entry(*group).or_default();
                    *best = (*best).max(*grade);
                }
                None => grades.push(*grade),
            }
        }
        grades.extend(best.into_values());
        grades.sort_unstable_by(|a, b| b.cmp(a));
        grades
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn judged() -> Judged {
        let same = json!([["a", "a-print"]]);
        let judged = json!({"a": 3, "a-print": 2, "b": 1, "c": 0});
        Judged::of(&json!({"query": "mills", "judged": judged, "same": same})).unwrap()
    }

    #[test]
    fn a_page_that_repeats_another_is_worth_nothing() {
        let pages = ["a-print", "b", "a", "elsewhere"].map(|it| [it, ""]);
        assert_eq!(judged().graded(pages.into_iter()), [2, 1, 0, 0]);
        assert_eq!(judged().ideal(), [3, 1]);
    }

    #[test]
    fn a_page_is_known_by_its_url_or_its_id() {
        assert_eq!(judged().graded([["http://a/", "a"]].into_iter()), [3]);
    }

    #[test]
    fn a_grade_beyond_the_scale_is_an_error() {
        let error = Judged::of(&json!({"query": "mills", "judged": {"a": 4}})).unwrap_err();
        assert_eq!(error.to_string(), "a has the grade 4: grades go from 0 to 3");
    }
}
