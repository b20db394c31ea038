//! Live pages: pieces of a page that are sent again when they have changed.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::{Duration, Instant};

use askama::Template;
use axum::http::StatusCode;
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use futures_util::stream;
use tokio::sync::{OwnedSemaphorePermit, watch};

use super::office::Office;
use super::session::Session;
use super::signed::Signed;
use crate::frame::Frame;
use crate::message_page::message;

/// So often a live page looks for changes.
const TICK: Duration = Duration::from_secs(1);

/// How a page keeps up with what happens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Pulse {
    /// By events, or by loading it again where there are no scripts.
    Live,
    /// By loading it again, whatever there is.
    Reloading,
    /// Not at all.
    Still,
}

impl Pulse {
    /// What `?live=…` says: `0` for loading again, `no` for a page that holds still.
    pub(crate) fn of(parameter: &str) -> Self {
        match parameter {
            "0" => Self::Reloading,
            "no" => Self::Still,
            _ => Self::Live,
        }
    }

    pub(crate) fn is_live(self) -> bool {
        self == Self::Live
    }

    pub(crate) fn is_reloading(self) -> bool {
        self == Self::Reloading
    }
}

/// The pieces of a page that change, by the id of their element.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Sections(Vec<(String, String)>);

impl Sections {
    /// Adds a piece. One that cannot be written is left empty.
    pub(crate) fn add(&mut self, id: String, template: &impl Template) {
        let text = template.render().unwrap_or_else(|error| {
            tracing::error!(%error, id, "a piece of a page cannot be written");
            String::new()
        });
        self.0.push((id, text));
    }

    /// The text of a piece.
    pub(crate) fn of(&self, id: &str) -> &str {
        self.0.iter().find(|it| it.0 == id).map_or("", |it| &it.1)
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &(String, String)> {
        self.0.iter()
    }

    /// Those that are not as they were, as JSON; nothing if all are.
    fn changed(&self, before: &Self) -> Option<String> {
        let changed = self.0.iter().filter(|it| before.of(&it.0) != it.1);
        let changed: serde_json::Map<_, _> =
            changed.map(|it| (it.0.clone(), it.1.clone().into())).collect();
        (!changed.is_empty()).then(|| serde_json::Value::from(changed).to_string())
    }
}

/// Makes the pieces of a page; nothing if what it shows is gone.
pub(crate) type Look = dyn Fn(&Office, &Frame, &str) -> Option<Sections> + Send + Sync;

struct Watcher {
    office: Arc<Office>,
    session: Session,
    frame: Frame,
    look: Arc<Look>,
    before: Sections,
    closing: watch::Receiver<bool>,
    ticks: tokio::time::Interval,
    _place: OwnedSemaphorePermit,
}

/// Sends the pieces of a page whenever they have changed, as long as the session lasts.
pub(crate) fn stream(signed: Signed, look: Arc<Look>) -> Response {
    let Signed { office, session, frame } = signed;
    let Ok(place) = Arc::clone(&office.live).try_acquire_owned() else {
        let fact = frame.say("Too many pages are live already.");
        return message(&frame, StatusCode::SERVICE_UNAVAILABLE, fact);
    };
    let closing = office.closing();
    let before = Sections::default();
    let mut ticks = tokio::time::interval(TICK);
    ticks.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
    let watcher = Watcher { office, session, frame, look, before, closing, ticks, _place: place };
    let events = stream::unfold(watcher, |mut watcher| async move {
        let text = watcher.next().await?;
        Some((Ok::<_, Infallible>(Event::default().data(text)), watcher))
    });
    let keep_alive = KeepAlive::new().interval(Duration::from_secs(15));
    // A proxy that gathers answers would make them come in heaps.
    ([("x-accel-buffering", "no")], Sse::new(events).keep_alive(keep_alive)).into_response()
}

impl Watcher {
    /// The next changes; nothing when it is over.
    async fn next(&mut self) -> Option<String> {
        loop {
            if *self.closing.borrow() {
                return None;
            }
            tokio::select! {
                _ = self.ticks.tick() => {}
                _ = self.closing.changed() => continue,
            }
            self.office.sessions.of(&self.session.key, Instant::now())?;
            let (office, look) = (Arc::clone(&self.office), Arc::clone(&self.look));
            let (frame, seal) = (self.frame.clone(), self.session.seal.clone());
            let looking = tokio::task::spawn_blocking(move || look(&office, &frame, &seal));
            let now = looking.await.ok()??;
            if let Some(changed) = now.changed(&self.before) {
                self.before = now;
                return Some(changed);
            }
        }
    }
}
