//! Work aside: searches have threads of their own, and wait for them in the order they came.

use std::num::NonZeroUsize;
use std::sync::{Arc, OnceLock};

use axum::http::StatusCode;
use tokio::sync::Semaphore;

use crate::inquiry::Refusal;

/// So many searches are worked on at once for each core; the others wait in the order they came. With two hundred at once
/// on two cores, a thread each, some were answered after ten seconds and others at once.
const AT_ONCE: usize = 4;

/// The places to work at.
fn places() -> Arc<Semaphore> {
    static PLACES: OnceLock<Arc<Semaphore>> = OnceLock::new();
    let places = PLACES.get_or_init(|| {
        let cores = std::thread::available_parallelism().map_or(1, NonZeroUsize::get);
        Arc::new(Semaphore::new(cores * AT_ONCE))
    });
    Arc::clone(places)
}

/// Does work on a thread of its own, so that a slow search holds up nobody and can be given up.
pub(crate) async fn aside<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, Refusal> + Send + 'static,
) -> Result<T, Refusal> {
    let place = places().acquire_owned().await;
    let work = move || {
        let done = work();
        drop(place);
        done
    };
    tokio::task::spawn_blocking(work).await.unwrap_or_else(|error| {
        tracing::error!(%error, "search broke off");
        let status = StatusCode::INTERNAL_SERVER_ERROR;
        Err(Refusal { status, fact: "the search broke off".to_owned() })
    })
}
