//! How many requests all crawls of a process may have on their way.

use std::sync::Arc;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// How many requests all crawls of a process may have on their way at once.
///
/// A crawl takes a slot before it takes a link: whoever waits for one keeps no host's turn from others.
#[derive(Clone, Debug)]
pub struct Slots(Arc<Semaphore>);

/// The right to one request, which whoever waits for something else than an answer can lend. Whoever waits longest has it
/// next when it is lent or dropped.
pub(crate) struct Slot {
    all: Slots,
    /// Nothing while it is lent.
    permit: Option<OwnedSemaphorePermit>,
}

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
        Slot { all: self.clone(), permit: Some(self.permit().await) }
    }

    async fn permit(&self) -> OwnedSemaphorePermit {
        let permit = Arc::clone(&self.0).acquire_owned().await;
        permit.expect("nobody closes it")
    }
}

impl Default for Slots {
    /// As many as anybody wants: each crawl keeps to its own number.
    fn default() -> Self {
        Self::new(Semaphore::MAX_PERMITS)
    }
}

impl Slot {
    /// Lets others have it.
    pub(crate) fn lend(&mut self) {
        self.permit = None;
    }

    /// Has it again, as soon as there is one.
    pub(crate) async fn take_back(&mut self) {
        self.permit = Some(self.all.permit().await);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_slot_is_for_others_when_it_is_dropped() {
        let all = Slots::new(2);
        let (first, second) = (all.take().await, all.take().await);
        drop(first);
        assert_eq!(all.0.available_permits(), 1);
        drop(second);
        assert_eq!(all.0.available_permits(), 2);
    }

    #[tokio::test]
    async fn a_slot_that_is_lent_is_for_others_until_it_is_taken_back() {
        let all = Slots::new(1);
        let mut slot = all.take().await;
        slot.lend();
        drop(all.take().await);
        slot.take_back().await;
        assert_eq!(all.0.available_permits(), 0);
        drop(slot);
        assert_eq!(all.0.available_permits(), 1);
    }

    #[tokio::test]
    async fn a_slot_that_is_lent_when_it_is_dropped_is_given_back_once() {
        let all = Slots::new(1);
        let mut slot = all.take().await;
        slot.lend();
        drop(slot);
        assert_eq!(all.0.available_permits(), 1);
    }
}
