//! Addresses of names that were asked for before.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::sync::OnceCell;
use tokio::time::{Instant, timeout};

use crate::resolver::{NameError, Resolve};
use crate::settings::NameSettings;

/// How many addresses of a name are remembered. Hosts with more have them for balance, not for need.
const MOST_ADDRESSES: usize = 16;

/// The addresses of a name, shared by all who asked for them at the same time.
pub(crate) type Addresses = Result<Arc<[IpAddr]>, NameError>;

/// A resolver with a memory. It is asked once for a name, however many wait for the answer.
pub(crate) struct Names {
    resolver: Arc<dyn Resolve>,
    settings: NameSettings,
    patience: Duration,
    entries: Mutex<HashMap<Box<str>, Arc<Entry>>>,
}

#[derive(Default)]
struct Entry {
    answer: OnceCell<Answer>,
}

struct Answer {
    addresses: Addresses,
    until: Instant,
}

impl Entry {
    /// Whether it is of use: it is being asked for, or the answer still holds.
    fn holds(&self, now: Instant) -> bool {
        self.answer.get().is_none_or(|it| now < it.until)
    }
}

impl Names {
    /// A memory of a resolver that has so long to answer.
    pub(crate) fn new(
        resolver: Arc<dyn Resolve>,
        settings: NameSettings,
        patience: Duration,
    ) -> Self {
        Self { resolver, settings, patience, entries: Mutex::default() }
    }

    /// The addresses of a name, at least one.
    pub(crate) async fn addresses(&self, name: &str) -> Addresses {
        let entry = self.entry(name);
        entry.answer.get_or_init(|| self.ask(name)).await.addresses.clone()
    }

    /// The entry of a name, made where there is none that holds.
    fn entry(&self, name: &str) -> Arc<Entry> {
        let now = Instant::now();
        // A panic within cannot leave the map in disorder.
        let mut entries = self.entries.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(entry) = entries.get(name)
            && entry.holds(now)
        {
            return Arc::clone(entry);
        }
        if entries.len() >= self.settings.most.max(1) {
            make_room(&mut entries, now);
        }
        let entry = Arc::new(Entry::default());
        entries.insert(name.into(), Arc::clone(&entry));
        entry
    }

    async fn ask(&self, name: &str) -> Answer {
        let addresses = match timeout(self.patience, self.resolver.resolve(name)).await {
            Ok(Ok(addresses)) if addresses.is_empty() => Err(NameError::NoSuchName),
            Ok(Ok(addresses)) => Ok(addresses.into_iter().take(MOST_ADDRESSES).collect()),
            Ok(Err(error)) => Err(error),
            Err(_) => Err(NameError::NoAnswer),
        };
        let time_to_live = match addresses {
            Ok(_) => self.settings.time_to_live,
            Err(_) => self.settings.negative_time_to_live,
        };
        Answer { addresses, until: Instant::now() + time_to_live }
    }
}

/// Forgets what no longer holds, and if that is less than one entry in eight, as many as are missing,
/// whichever come first. Fewer would have the next name look through all of them again.
fn make_room(entries: &mut HashMap<Box<str>, Arc<Entry>>, now: Instant) {
    let wanted = entries.len() - entries.len().div_ceil(8);
    entries.retain(|_, entry| entry.holds(now));
    let mut surplus = entries.len().saturating_sub(wanted);
    entries.retain(|_, _| {
        let goes = surplus > 0;
        surplus = surplus.saturating_sub(1);
        !goes
    });
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;
    use crate::resolver::Lookup;

    /// Knows the names that begin with `a`, never answers those with `s`, and counts.
    #[derive(Default)]
    struct Counting(AtomicUsize);

    impl Resolve for Counting {
        fn resolve<'a>(&'a self, name: &'a str) -> Lookup<'a> {
            Box::pin(async move {
                self.0.fetch_add(1, Ordering::Relaxed);
                tokio::task::yield_now().await;
                match name.as_bytes().first() {
                    Some(b'a') => Ok(vec![IpAddr::from([8, 8, 8, 8])]),
                    Some(b's') => std::future::pending().await,
                    _ => Err(NameError::NoSuchName),
                }
            })
        }
    }

    fn names(time_to_live: Duration, most: usize) -> (Arc<Counting>, Names) {
        let resolver = Arc::new(Counting::default());
        let settings = NameSettings {
            time_to_live,
            negative_time_to_live: time_to_live,
            most,
            ..NameSettings::default()
        };
        (Arc::clone(&resolver), Names::new(resolver, settings, Duration::from_millis(5)))
    }

    const LONG: Duration = Duration::from_secs(100);

    #[track_caller]
    fn check(resolver: &Counting, expected: usize) {
        assert_eq!(resolver.0.load(Ordering::Relaxed), expected);
    }

    #[tokio::test]
    async fn a_name_is_asked_for_once() {
        let (resolver, names) = names(LONG, 10);
        for _ in 0..3 {
            assert!(names.addresses("a").await.is_ok());
        }
        check(&resolver, 1);
    }

    #[tokio::test]
    async fn who_asks_at_the_same_time_shares_the_answer() {
        let (resolver, names) = names(LONG, 10);
        let (a, b, c) =
            tokio::join!(names.addresses("a"), names.addresses("a"), names.addresses("a"));
        assert!(a.is_ok() && b.is_ok() && c.is_ok());
        check(&resolver, 1);
    }

    #[tokio::test]
    async fn who_gives_up_leaves_the_question_to_the_next() {
        let (resolver, names) = names(LONG, 10);
        {
            let mut first = Box::pin(names.addresses("a"));
            let waker = std::task::Waker::noop();
            assert!(first.as_mut().poll(&mut std::task::Context::from_waker(waker)).is_pending());
        }
        assert!(names.addresses("a").await.is_ok());
        check(&resolver, 2);
    }

    #[tokio::test]
    async fn an_answer_holds_for_its_time_alone() {
        let (resolver, names) = names(Duration::ZERO, 10);
        let _ = names.addresses("a").await;
        let _ = names.addresses("a").await;
        check(&resolver, 2);
    }

    #[tokio::test]
    async fn a_failure_is_remembered_too() {
        let (resolver, names) = names(LONG, 10);
        assert_eq!(names.addresses("b").await, Err(NameError::NoSuchName));
        assert_eq!(names.addresses("b").await, Err(NameError::NoSuchName));
        check(&resolver, 1);
    }

    #[tokio::test]
    async fn a_silent_resolver_is_not_waited_for() {
        let (_, names) = names(LONG, 10);
        assert_eq!(names.addresses("s").await, Err(NameError::NoAnswer));
    }

    #[tokio::test]
    async fn the_memory_is_bounded() {
        let (_, names) = names(LONG, 10);
        for number in 0..1000 {
            let _ = names.addresses(&format!("a{number}")).await;
        }
        assert!(names.entries.lock().unwrap().len() <= 10);
    }
}
