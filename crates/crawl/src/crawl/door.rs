//! The door to the desk: one is in at a time, and who has been in long can let in those who wait.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// When to look again whether as many have been in as waited.
const SOON: Duration = Duration::from_micros(100);

/// A lock that knows who waits for it.
pub(super) struct Door<T> {
    lock: Mutex<T>,
    /// How often somebody came.
    came: AtomicU64,
    /// How often somebody was let in.
    entered: AtomicU64,
}

impl<T> Door<T> {
    pub(super) fn new(inside: T) -> Self {
        Self { lock: Mutex::new(inside), came: AtomicU64::new(0), entered: AtomicU64::new(0) }
    }

    /// Goes in as soon as nobody is.
    pub(super) fn enter(&self) -> MutexGuard<'_, T> {
        self.came.fetch_add(1, Ordering::Relaxed);
        let guard = self.lock.lock().unwrap_or_else(PoisonError::into_inner);
        self.entered.fetch_add(1, Ordering::Relaxed);
        guard
    }

    /// Comes back when as many have been let in as wait now. A lock is given to whoever comes first when it is free, and
    /// who goes in again at once is faster than those who have to be woken.
    pub(super) fn let_others_in(&self) {
        let came = self.came.load(Ordering::Relaxed);
        while self.entered.load(Ordering::Relaxed) < came {
            std::thread::sleep(SOON);
        }
    }

    /// Whether somebody panicked inside.
    pub(super) fn is_poisoned(&self) -> bool {
        self.lock.is_poisoned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_waits_is_let_in_before_one_goes_in_again() {
        let door = Door::new(Vec::new());
        std::thread::scope(|scope| {
            for part in 0..20 {
                let mut inside = door.enter();
                let came = door.came.load(Ordering::Relaxed);
                scope.spawn(|| door.enter().push("another"));
                while door.came.load(Ordering::Relaxed) == came {
                    std::thread::yield_now();
                }
                inside.push("one");
                drop(inside);
                door.let_others_in();
                let inside = door.enter();
                assert_eq!(inside[2 * part..], ["one", "another"]);
            }
        });
    }
}
