//! What a crawl needs beside its task.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use frontier::Courtesy;
use gazetteer::Gazetteer;

use crate::clock::Clock;
use crate::slots::Slots;

/// What a crawl needs beside its task.
#[derive(Clone)]
pub struct Surroundings {
    /// The folder of all data; the crawl has its own in `tasks`.
    pub data: PathBuf,
    /// Where places are looked up.
    pub gazetteer: &'static Gazetteer,
    /// Who may be asked, shared by all crawls of the process.
    pub courtesy: Arc<Courtesy>,
    /// How many requests may be on their way, shared by them as well.
    pub slots: Slots,
    /// What time it is.
    pub clock: Clock,
    /// Who knows the addresses of names, if not the system.
    pub resolver: Option<Arc<dyn fetch::Resolve>>,
}

impl Surroundings {
    /// Those of a folder of data on this machine.
    pub fn new(data: &Path, gazetteer: &'static Gazetteer) -> Self {
        Self {
            data: data.to_owned(),
            gazetteer,
            courtesy: Arc::default(),
            slots: Slots::default(),
            clock: Clock::system(),
            resolver: None,
        }
    }
}
