//! What a crawl keeps about itself in the frontier's file.

use frontier::Frontier;
use serde::{Deserialize, Serialize};

use crate::budget::Spent;
use crate::counters::Progress;
use crate::error::Error;
use crate::keeper::Heard;

/// What the crawl keeps about itself in the frontier's file.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Mark {
    pub(crate) archive: Option<Heard>,
    pub(crate) ledger: u64,
    pub(crate) spent: Spent,
}

/// What a crawl has spent, as its frontier keeps it.
pub(crate) fn kept_spent(frontier: &Frontier) -> Result<Spent, Error> {
    let mark = frontier.fact("crawl")?;
    let mark = mark.and_then(|it| postcard::from_bytes::<Mark>(&it).ok());
    Ok(mark.unwrap_or_default().spent)
}

/// What a crawl has done, as its frontier keeps it. What another version kept may be less.
pub(crate) fn kept_progress(frontier: &Frontier) -> Result<Progress, Error> {
    let progress = frontier.fact("progress")?;
    Ok(progress.and_then(|it| serde_json::from_slice(&it).ok()).unwrap_or_default())
}
