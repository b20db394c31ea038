//! What can go wrong with an index.

use std::path::PathBuf;

/// What can go wrong with an index.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// There is no index yet.
    #[error("{0} holds no index: build one with \"strabo index\"")]
    NoIndex(PathBuf),
    /// The index belongs to another gazetteer.
    #[error(
        "generation {0} was built with another gazetteer: run \"strabo index --full\", or name the one it was built with"
    )]
    OtherGazetteer(u64),
    /// The index has another format.
    #[error(
        "generation {generation} has format {found}, this program reads {known}: run \"strabo index --full\""
    )]
    Format {
        /// Which generation.
        generation: u64,
        /// The format it has.
        found: u32,
        /// The format this program reads.
        known: u32,
    },
    /// A file is torn or was changed.
    #[error("{0} is damaged: {1}; run \"strabo index --rollback\" or \"strabo index --full\"")]
    Damaged(String, String),
    /// Somebody else is writing.
    #[error("{0} is being indexed by another process: wait for it to end")]
    Busy(PathBuf),
    /// There is nothing to go back to.
    #[error("there is no generation before {0} to go back to")]
    NoEarlier(u64),
    /// There is nothing to index.
    #[error("nothing to index: name WARC or JSONL files")]
    NoSources,
    /// The inputs have no documents; an empty index would replace a good one.
    #[error("there is no document to index in what was named: nothing is changed{0}")]
    NoDocuments(String),
    /// An input cannot be read at all.
    #[error("{}: {fact}", path.display())]
    Source {
        /// The input.
        path: PathBuf,
        /// What is wrong with it.
        fact: String,
    },
    /// The disk.
    #[error(transparent)]
    Io(#[from] std::io::Error),
    /// The text index.
    #[error(transparent)]
    Text(#[from] tantivy::TantivyError),
}
