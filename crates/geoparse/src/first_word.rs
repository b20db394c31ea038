//! What the names of a gazetteer begin with, remembered: a few words are met again and again.

use std::cell::RefCell;

use gazetteer::{Gazetteer, Walk, long_form};
use xxhash_rust::xxh3::xxh3_64;

/// How many words a thread remembers. The words of a language that begin with a capital mostly fit.
const SLOTS: usize = 1 << 13;

/// A word with where it leads; the hash of word and gazetteer stands for both.
type Slot = (u64, Option<Walk>);

thread_local! {
    static REMEMBERED: RefCell<Vec<Slot>> = const { RefCell::new(Vec::new()) };
}

/// The walk after the first word of a name, if any name begins so.
pub(crate) fn first_step(gazetteer: &Gazetteer, word: &str) -> Option<Walk> {
    let hash = xxh3_64(word.as_bytes()) ^ gazetteer.fingerprint();
    REMEMBERED.with_borrow_mut(|slots| {
        if slots.is_empty() {
            slots.resize(SLOTS, (0, None));
        }
        let slot = &mut slots[hash as usize & (SLOTS - 1)];
        if slot.0 != hash {
            let word = long_form(word).unwrap_or(word);
            *slot = (hash, gazetteer.step(gazetteer.walk(), word));
        }
        slot.1
    })
}
