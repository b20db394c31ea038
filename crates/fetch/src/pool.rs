//! Connections that wait for the next request.

use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::task::AbortHandle;
use tokio::time::{Instant, sleep_until};

use crate::connection::Connection;

/// Connections that wait for the next request: so many at most, each for so long at most.
pub(crate) struct Pool {
    most: usize,
    time: Duration,
    waiting: Mutex<Waiting>,
}

#[derive(Default)]
struct Waiting {
    /// All connections, the one that waits longest first.
    by_age: BTreeMap<u64, Idle>,
    /// The keys in `by_age` of the connections of an origin, the one that waits longest first.
    by_origin: HashMap<Arc<str>, Vec<u64>>,
    next: u64,
    /// Closes those that have waited long enough; nothing before there were any.
    sweeper: Option<AbortHandle>,
}

struct Idle {
    connection: Connection,
    until: Instant,
}

impl Pool {
    /// Room for so many connections, each for so long.
    pub(crate) fn new(most: usize, time: Duration) -> Arc<Self> {
        Arc::new(Self { most, time, waiting: Mutex::default() })
    }

    /// A connection of this origin that was alive when last looked at, just now.
    pub(crate) async fn take(&self, origin: &str) -> Option<Connection> {
        loop {
            // Held for the line alone. What waited too long is closed by the sweeper, soon.
            let idle = self.lock().take(origin)?;
            let mut connection = idle.connection;
            if idle.until > Instant::now() && connection.is_ready().await {
                return Some(connection);
            }
        }
    }

    /// Keeps a connection for the next request, if it may be used again.
    pub(crate) async fn keep(self: &Arc<Self>, mut connection: Connection) {
        if self.most == 0 || !connection.is_ready().await {
            return;
        }
        let Some(until) = Instant::now().checked_add(self.time) else { return };
        let mut waiting = self.lock();
        let surplus = if waiting.by_age.len() >= self.most { waiting.take_oldest() } else { None };
        waiting.put(Idle { connection, until });
        if waiting.sweeper.as_ref().is_none_or(AbortHandle::is_finished) {
            let pool = Arc::downgrade(self);
            let sweeper = tokio::spawn(async move {
                let mut next = Some(until);
                while let Some(until) = next {
                    sleep_until(until).await;
                    let Some(pool) = pool.upgrade() else { return };
                    next = pool.sweep(Instant::now());
                }
            });
            waiting.sweeper = Some(sweeper.abort_handle());
        }
        // Closing takes its time and is done outside of the lock.
        drop(waiting);
        drop(surplus);
    }

    /// How many connections wait.
    pub(crate) fn len(&self) -> usize {
        self.lock().by_age.len()
    }

    /// Closes all connections that wait.
    pub(crate) fn clear(&self) {
        let mut waiting = self.lock();
        waiting.by_origin.clear();
        let all = std::mem::take(&mut waiting.by_age);
        drop(waiting);
        drop(all);
    }

    /// Closes what has waited long enough; tells when to come again, if at all.
    fn sweep(&self, now: Instant) -> Option<Instant> {
        let mut surplus = Vec::new();
        let mut waiting = self.lock();
        let next = loop {
            match waiting.by_age.first_key_value() {
                Some((_, idle)) if idle.until <= now => surplus.extend(waiting.take_oldest()),
                Some((_, idle)) => break Some(idle.until),
                None => break None,
            }
        };
        if next.is_none() {
            // The next connection finds nobody here, even before this task is over.
            waiting.sweeper = None;
        }
        drop(waiting);
        drop(surplus);
        next
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Waiting> {
        // A panic within cannot leave the maps in disorder.
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Pool {
    fn drop(&mut self) {
        let waiting = self.waiting.get_mut().unwrap_or_else(PoisonError::into_inner);
        if let Some(sweeper) = &waiting.sweeper {
            sweeper.abort();
        }
    }
}

impl Waiting {
    fn put(&mut self, idle: Idle) {
        self.by_origin.entry(Arc::clone(&idle.connection.origin)).or_default().push(self.next);
        self.by_age.insert(self.next, idle);
        self.next += 1;
    }

    /// The one that was used last: it is the least likely to have been closed.
    fn take(&mut self, origin: &str) -> Option<Idle> {
        let keys = self.by_origin.get_mut(origin)?;
        let key = keys.pop();
        if keys.is_empty() {
            self.by_origin.remove(origin);
        }
        self.by_age.remove(&key?)
    }

    fn take_oldest(&mut self) -> Option<Idle> {
        let (key, idle) = self.by_age.pop_first()?;
        if let Some(keys) = self.by_origin.get_mut(&idle.connection.origin) {
            keys.retain(|it| *it != key);
            if keys.is_empty() {
                self.by_origin.remove(&idle.connection.origin);
            }
        }
        Some(idle)
    }
}
