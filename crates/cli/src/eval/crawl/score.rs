//! What the scorer says about a crawl, which alone knows the truth about the web.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result};
use serde::Deserialize;

use super::baselines::SHARES;
use super::curve::Curve;

/// What the scorer says about a crawl.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct Score {
    pub(super) relevant_in_web: u64,
    /// Requests for pages, whatever came back.
    pub(super) downloads: u64,
    pub(super) relevant: u64,
    pub(super) relevant_groups: u64,
    pub(super) relevant_groups_in_web: u64,
    /// By share of the web: `10%`. Nothing where the crawl did not get so far.
    at: BTreeMap<String, Option<Point>>,
    /// Downloads, relevant ones among them, harvest.
    curve: Vec<(u64, u64, f64)>,
    /// Downloads that were not relevant, by cause.
    pub(super) waste: BTreeMap<String, u64>,
    pub(super) robots_violations: u64,
    pub(super) judgement: Option<Agreement>,
    pub(super) web: Stamp,
}

/// How far a crawl was after some share of the web.
#[derive(Clone, Copy, Debug, Deserialize)]
pub(super) struct Point {
    pub(super) downloads: u64,
    pub(super) relevant: u64,
    pub(super) harvest: f64,
}

/// How the crawl's own judgement of pages agrees with the truth.
#[derive(Clone, Copy, Debug, Deserialize)]
pub(super) struct Agreement {
    pub(super) pages: u64,
    pub(super) precision: f64,
    pub(super) recall: f64,
    pub(super) places_precision: Option<f64>,
    pub(super) places_recall: Option<f64>,
}

/// Which web it was; webs with different hashes must not be compared.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub(super) struct Stamp {
    pub(super) simweb: String,
    pub(super) tool_hash: String,
    pub(super) profile: String,
    pub(super) profile_hash: String,
    pub(super) seed: u64,
}

impl Score {
    /// Reads what the scorer has written.
    pub(super) fn read(path: &Path) -> Result<Self> {
        let text = fs::read_to_string(path).with_context(|| format!("{}", path.display()))?;
        serde_json::from_str(&text).with_context(|| {
            format!("{} is not what this program knows of a score", path.display())
        })
    }

    /// How far the crawl was at one of the shares of the web.
    pub(super) fn at(&self, share: usize) -> Option<Point> {
        let percent = SHARES.get(share)? * 100.0;
        *self.at.get(&format!("{percent:.0}%"))?
    }

    /// What had been found after so many downloads.
    pub(super) fn curve(&self) -> Curve {
        Curve::new(self.curve.iter().map(|it| (it.0, it.1)))
    }

    /// The share of all relevant pages that was found.
    pub(super) fn recall_of(&self, relevant: f64) -> f64 {
        relevant / (self.relevant_in_web.max(1)) as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What the scorer writes, shortened.
    pub(crate) const SCORE: &str = r#"{"urls_in_web": 3026, "relevant_in_web": 93, "requests": 390, "downloads": 300, "distinct": 299,
        "relevant": 20, "harvest": 0.06667, "recall": 0.21505, "relevant_groups": 15, "relevant_groups_in_web": 60,
        "at": {"1%": {"downloads": 30, "relevant": 4, "harvest": 0.13333, "recall": 0.04301}, "10%": null},
        "curve": [[150, 14, 0.09333], [300, 20, 0.06667]], "waste": {"offtopic": 200, "error": 80}, "robots_violations": 0,
        "judgement": {"pages": 299, "tp": 20, "fp": 0, "fn": 0, "tn": 279, "precision": 1.0, "recall": 1.0, "f1": 1.0},
        "relevance": "roi", "web": {"simweb": "1.0.0", "tool_hash": "f7f0", "profile": "urban", "profile_hash": "0318", "seed": 7}}"#;

    #[test]
    fn a_score_is_read_with_what_was_not_reached() {
        let score: Score = serde_json::from_str(SCORE).expect("it is a score");
        assert_eq!(score.at(0).map(|it| it.relevant), Some(4));
        assert!(score.at(3).is_none());
        assert!(score.at(4).is_none());
        assert!(score.at(9).is_none());
        assert_eq!(score.curve().relevant_at(225), Some(17.0));
        assert_eq!(score.web.seed, 7);
        assert_eq!(score.judgement.and_then(|it| it.places_recall), None);
    }
}
