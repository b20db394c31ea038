//! What can go wrong with a server.

/// What can go wrong with a server.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The index.
    #[error(transparent)]
    Index(#[from] index::Error),
    /// The base map.
    #[error(transparent)]
    Basemap(#[from] basemap::BasemapError),
    /// The network.
    #[error(transparent)]
    Io(#[from] std::io::Error),
}
