//! How many requests all crawls of a process may have on their way.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use frontier::LinkId;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// How many requests all crawls of a process may have on their way at once.
///
/// A crawl takes a slot before it takes a link: whoever waits for one keeps no host's turn from others.
#[derive(Clone, Debug)]
pub struct Slots(Arc<Semaphore>);

/// The right to one request. Whoever waits longest has it next when it is dropped.
pub(crate) type Slot = OwnedSemaphorePermit;

impl Slots {
    /// How many are enough where tasks are run together: four tasks with the usual threads. With the connections that
    /// are kept, they stay below the 1,024 files that a process may usually have open.
    pub const USUAL: u32 = 256;

    /// So many, but one at least.
    pub fn new(most: usize) -> Self {
        Self(Arc::new(Semaphore::new(most.clamp(1, Semaphore::MAX_PERMITS))))
    }

    /// A slot, as soon as there is one.
    pub(crate) async fn take(&self) -> Slot {
        let slot = Arc::clone(&self.0).acquire_owned().await;
        slot.expect("nobody closes it")
    }
}

impl Default for Slots {
    /// As many as anybody wants: each crawl keeps to its own number.
    fn default() -> Self {
        Self::new(Semaphore::MAX_PERMITS)
    }
}

/// The slots of one crawl, by the links that are being visited.
pub(crate) struct TakenSlots {
    all: Slots,
    taken: Mutex<HashMap<LinkId, Slot>>,
}

/// The slot of a visit, until that ends.
pub(crate) struct Visiting<'a> {
    slots: &'a TakenSlots,
    link: LinkId,
}

impl TakenSlots {
    pub(crate) fn of(all: &Slots) -> Self {
        Self { all: all.clone(), taken: Mutex::default() }
    }

    /// A slot for a link that is not known yet.
    pub(crate) async fn take(&self) -> Slot {
        self.all.take().await
    }

    /// The visit of a link begins.
    pub(crate) fn begin(&self, link: LinkId, slot: Slot) -> Visiting<'_> {
        self.taken().insert(link, slot);
        Visiting { slots: self, link }
    }

    /// Lets others have the slot of a link that waits for something else than an answer.
    pub(crate) fn lend(&self, link: LinkId) {
        self.taken().remove(&link);
    }

    /// Has a slot for the link again.
    pub(crate) async fn take_back(&self, link: LinkId) {
        let slot = self.take().await;
        self.taken().insert(link, slot);
    }

    fn taken(&self) -> MutexGuard<'_, HashMap<LinkId, Slot>> {
        self.taken.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Visiting<'_> {
    fn drop(&mut self) {
        self.slots.lend(self.link);
    }
}
