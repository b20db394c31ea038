//! What the operator wants a crawl to do.

use serde::{Deserialize, Serialize};

/// What the operator wants a crawl to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Wish {
    /// Go on.
    Run,
    /// Begin no new requests until told otherwise.
    Pause,
    /// End, when the requests on their way have ended.
    Stop,
}
