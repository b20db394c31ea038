//! Why a crawl ended.

use serde::{Deserialize, Serialize};

/// Why a crawl ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Ending {
    /// Nothing is left to fetch.
    Finished,
    /// Nothing is left but hosts that do not answer.
    OnlySilentHosts,
    /// Nobody can be reached any more: it seems that the network is down.
    NoNetwork,
    /// The budget is used up.
    BudgetUsed,
    /// The operator stopped it.
    Stopped,
}
