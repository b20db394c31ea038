//! Seeds that the strategy did not let in, and why.

use std::collections::BTreeMap;

use frontier::Frontier;
use serde::{Deserialize, Serialize};
use url::Url;

use crate::error::Error;

/// The fact of a frontier that holds them.
const FACT: &str = "refused seeds";
/// Of so many it is kept why; who gives more does not look at each.
const MOST: usize = 10_000;

/// Seeds that the strategy did not let in. They are no links of the crawl: a page may still lead to them.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(crate) struct RefusedSeeds(BTreeMap<String, String>);

impl RefusedSeeds {
    /// Those of a crawl.
    pub(crate) fn of(frontier: &Frontier) -> Result<Self, Error> {
        let kept = frontier.fact(FACT)?;
        Ok(kept.and_then(|it| serde_json::from_slice(&it).ok()).unwrap_or_default())
    }

    /// Keeps them with the crawl.
    pub(crate) fn keep(&self, frontier: &mut Frontier) -> Result<(), Error> {
        Ok(frontier.set_fact(FACT, &serde_json::to_vec(self).unwrap_or_default())?)
    }

    /// Takes one in, with the reason.
    pub(crate) fn add(&mut self, url: &Url, reason: String) {
        if self.0.len() < MOST {
            self.0.insert(url.to_string(), reason);
        }
    }

    /// Why a seed was not let in.
    pub(crate) fn reason(&self, url: &Url) -> Option<&str> {
        self.0.get(url.as_str()).map(String::as_str)
    }
}
