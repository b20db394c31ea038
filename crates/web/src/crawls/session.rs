//! Sessions: operators who have signed in.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use subtle::ConstantTimeEq;

use crate::secret::secret;

/// A working day: whoever signs in in the morning is not asked again until the evening.
pub(crate) const LIFE: Duration = Duration::from_hours(12);
/// So many may be signed in at once; the oldest session makes room.
const MOST: usize = 64;

/// All sessions. They live in memory alone: after a restart operators sign in again.
#[derive(Default)]
pub(crate) struct Sessions(Mutex<HashMap<String, Session>>);

/// One operator who has signed in.
#[derive(Clone, Debug)]
pub(crate) struct Session {
    /// What the cookie holds.
    pub(crate) key: String,
    /// What every form of the session carries, so that no other site can send one.
    pub(crate) seal: String,
    ends: Instant,
}

impl Session {
    /// Whether a form bears the seal of the session.
    pub(crate) fn has_sealed(&self, seal: &str) -> bool {
        self.seal.as_bytes().ct_eq(seal.as_bytes()).into()
    }
}

impl Sessions {
    /// A new session; nothing if the system has no random numbers.
    pub(crate) fn begin(&self, now: Instant) -> Option<Session> {
        let session = Session { key: secret()?, seal: secret()?, ends: now + LIFE };
        let mut all = self.all();
        all.retain(|_, it| it.ends > now);
        while all.len() >= MOST {
            let oldest = all.values().min_by_key(|it| it.ends).map(|it| it.key.clone())?;
            all.remove(&oldest);
        }
        all.insert(session.key.clone(), session.clone());
        Some(session)
    }

    /// The session of a cookie, unless it is over.
    pub(crate) fn of(&self, key: &str, now: Instant) -> Option<Session> {
        self.all().get(key).filter(|it| it.ends > now).cloned()
    }

    /// Ends a session.
    pub(crate) fn end(&self, key: &str) {
        self.all().remove(key);
    }

    fn all(&self) -> MutexGuard<'_, HashMap<String, Session>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_session_ends_after_half_a_day_or_when_it_is_left() {
        let (sessions, now) = (Sessions::default(), Instant::now());
        let session = sessions.begin(now).expect("a session");
        assert!(sessions.of(&session.key, now + LIFE / 2).is_some());
        assert!(sessions.of(&session.key, now + LIFE).is_none());
        assert!(sessions.of("", now).is_none());
        sessions.end(&session.key);
        assert!(sessions.of(&session.key, now).is_none());
    }

    #[test]
    fn every_session_has_its_own_secrets() {
        let (sessions, now) = (Sessions::default(), Instant::now());
        let (one, other) = (sessions.begin(now).expect("one"), sessions.begin(now).expect("other"));
        assert!(one.key != other.key && one.seal != other.seal && one.key != one.seal);
        assert!(one.has_sealed(&one.seal) && !one.has_sealed(&other.seal) && !one.has_sealed(""));
    }

    #[test]
    fn the_oldest_session_makes_room() {
        let (sessions, now) = (Sessions::default(), Instant::now());
        let first = sessions.begin(now).expect("a session");
        let later = now + Duration::from_secs(1);
        let second = sessions.begin(later).expect("a session");
        for _ in 0..MOST - 1 {
            sessions.begin(later + Duration::from_secs(1)).expect("a session");
        }
        assert!(sessions.of(&first.key, later).is_none());
        assert!(sessions.of(&second.key, later).is_some());
    }
}
