//! A link that waits for its turn.

use serde::{Deserialize, Serialize};

/// A link that waits for its turn, as operators see it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct QueuedLink {
    /// The first is 1.
    pub rank: usize,
    /// What it is worth.
    pub priority: f32,
    /// Why, in words.
    pub reasons: Vec<String>,
    /// How many links it is away from a seed.
    pub depth: u16,
    /// The page on which it was found.
    pub via: Option<String>,
    /// Where it points.
    pub url: String,
}
