//! The app: what every request may need.

use std::sync::Arc;

use axum::extract::FromRef;

use crate::server::Settings;
use crate::shelf::Shelf;

/// What every request may need.
#[derive(Clone)]
pub(crate) struct App {
    pub(crate) shelf: Arc<Shelf>,
    pub(crate) settings: Arc<Settings>,
}

impl FromRef<App> for Arc<Shelf> {
    fn from_ref(app: &App) -> Self {
        Self::clone(&app.shelf)
    }
}
