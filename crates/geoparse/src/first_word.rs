//! What the names of a gazetteer begin with, remembered: a few words are met again and again.

use std::cell::RefCell;

use gazetteer::{Found, Gazetteer, Walk, long_form};
use xxhash_rust::xxh3::xxh3_64;

/// How many words a thread remembers. The words of a language that begin with a capital mostly fit.
const SLOTS: usize = 1 << 13;

/// Where the first word of a name leads.
#[derive(Clone, Copy, Default)]
pub(crate) struct FirstStep {
    /// The walk after it, if any name begins so.
    pub(crate) walk: Option<Walk>,
    /// The name that it is, if it is one.
    pub(crate) found: Option<Found>,
    /// The name that it is without an `s` at its end.
    pub(crate) without_s: Option<Found>,
}

impl FirstStep {
    fn of(gazetteer: &Gazetteer, word: &str) -> Self {
        let step = |word: &str| gazetteer.step(gazetteer.walk(), word);
        let walk = step(long_form(word).unwrap_or(word));
        let found = walk.and_then(|it| gazetteer.found(it));
        let without_s = stem(word)
            .filter(|_| found.is_none())
            .and_then(step)
            .and_then(|it| gazetteer.found(it));
        Self { walk, found, without_s }
    }
}

/// A word without the `s` at its end, if it may be an ending.
pub(crate) fn stem(word: &str) -> Option<&str> {
    word.strip_suffix('s').filter(|it| it.len() > 3 && !it.ends_with('s'))
}

thread_local! {
    /// Words with where they lead; the hash of word and gazetteer stands for both.
    static REMEMBERED: RefCell<Vec<(u64, FirstStep)>> = const { RefCell::new(Vec::new()) };
}

/// Where a word leads as the first of a name.
pub(crate) fn first_step(gazetteer: &Gazetteer, word: &str) -> FirstStep {
    let hash = xxh3_64(word.as_bytes()) ^ gazetteer.fingerprint();
    REMEMBERED.with_borrow_mut(|slots| {
        if slots.is_empty() {
            slots.resize(SLOTS, (0, FirstStep::default()));
        }
        let slot = &mut slots[hash as usize & (SLOTS - 1)];
        if slot.0 != hash {
            *slot = (hash, FirstStep::of(gazetteer, word));
        }
        slot.1
    })
}
