//! The app: what every request may need.

use std::sync::Arc;

use axum::extract::FromRef;
use basemap::Basemap;

use crate::crawls::Office;
use crate::examples::Examples;
use crate::server::Settings;
use crate::shelf::Shelf;

/// What every request may need.
#[derive(Clone)]
pub(crate) struct App {
    pub(crate) shelf: Arc<Shelf>,
    pub(crate) settings: Arc<Settings>,
    /// The operator's own base map.
    pub(crate) own_map: Option<Arc<Basemap>>,
    /// Queries to try, once they were looked for.
    pub(crate) examples: Arc<Examples>,
    /// What the operators work with, if there are any.
    pub(crate) office: Option<Arc<Office>>,
}

impl App {
    /// The base map: the operator's own, or the one that is part of the program.
    pub(crate) fn basemap(&self) -> &Basemap {
        self.own_map.as_deref().unwrap_or_else(|| Basemap::embedded())
    }
}

impl FromRef<App> for Arc<Shelf> {
    fn from_ref(app: &App) -> Self {
        Self::clone(&app.shelf)
    }
}
