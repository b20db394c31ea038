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
    visits: Mutex<Visits>,
}

#[derive(Default)]
struct Visits {
    /// Which visit of a link is the last one, and its slot unless that is lent.
    slots: HashMap<LinkId, (u64, Option<Slot>)>,
    /// How many there were.
    count: u64,
}

/// The slot of a visit, until that ends.
pub(crate) struct Visiting<'a> {
    slots: &'a TakenSlots,
    link: LinkId,
    number: u64,
}

impl TakenSlots {
    pub(crate) fn of(all: &Slots) -> Self {
        Self { all: all.clone(), visits: Mutex::default() }
    }

    /// A slot for a link that is not known yet.
    pub(crate) async fn take(&self) -> Slot {
        self.all.take().await
    }

    /// The visit of a link begins.
    pub(crate) fn begin(&self, link: LinkId, slot: Slot) -> Visiting<'_> {
        let mut visits = self.visits();
        visits.count += 1;
        let number = visits.count;
        visits.slots.insert(link, (number, Some(slot)));
        Visiting { slots: self, link, number }
    }

    /// Lets others have the slot of a link that waits for something else than an answer.
    pub(crate) fn lend(&self, link: LinkId) {
        if let Some(visit) = self.visits().slots.get_mut(&link) {
            visit.1 = None;
        }
    }

    /// Has a slot for the link again.
    pub(crate) async fn take_back(&self, link: LinkId) {
        let slot = self.take().await;
        if let Some(visit) = self.visits().slots.get_mut(&link) {
            visit.1 = Some(slot);
        }
    }

    fn visits(&self) -> MutexGuard<'_, Visits> {
        self.visits.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Visiting<'_> {
    fn drop(&mut self) {
        let mut visits = self.slots.visits();
        // A link that was given back may be visited again before its last visit has quite ended.
        if visits.slots.get(&self.link).is_some_and(|it| it.0 == self.number) {
            visits.slots.remove(&self.link);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn the_end_of_a_visit_leaves_the_next_one_of_its_link_its_slot() {
        let all = Slots::new(2);
        let slots = TakenSlots::of(&all);
        let link = LinkId(7);
        let first = slots.begin(link, slots.take().await);
        let second = slots.begin(link, slots.take().await);
        drop(first);
        assert_eq!(all.0.available_permits(), 1);
        drop(second);
        assert_eq!(all.0.available_permits(), 2);
    }

    #[tokio::test]
    async fn a_slot_that_is_lent_is_for_others_until_it_is_taken_back() {
        let all = Slots::new(1);
        let slots = TakenSlots::of(&all);
        let link = LinkId(7);
        let visiting = slots.begin(link, slots.take().await);
        slots.lend(link);
        drop(slots.take().await);
        slots.take_back(link).await;
        assert_eq!(all.0.available_permits(), 0);
        drop(visiting);
        assert_eq!(all.0.available_permits(), 1);
    }
}
