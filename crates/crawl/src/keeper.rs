//! Keeps answers in the archive, and knows which of them the frontier has heard of.

use std::collections::BTreeMap;

use archive::{Failure, Flushing, Packed, Position, Writer};
use serde::{Deserialize, Serialize};

/// The archive's writer with the answers from the first on that the frontier has not heard of yet.
pub(crate) struct Keeper {
    writer: Writer,
    open: BTreeMap<Ticket, Kept>,
    next: Ticket,
}

struct Kept {
    position: Position,
    is_heard: bool,
}

/// Up to where the frontier has heard of the archive.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Heard {
    /// It has heard of all that is before.
    pub(crate) all_before: Position,
    /// What it has heard of behind that. Answers of two threads may be dealt with in another order
    /// than they were written.
    pub(crate) behind: Vec<Position>,
}

/// An answer that the frontier has not heard of yet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Ticket(u64);

impl Keeper {
    pub(crate) fn new(writer: Writer) -> Self {
        Self { writer, open: BTreeMap::new(), next: Ticket(0) }
    }

    /// Writes an answer down.
    pub(crate) fn keep(&mut self, packed: &Packed) -> Result<(Ticket, Position), Failure> {
        let position = self.writer.append(packed)?;
        let ticket = self.next;
        self.next.0 += 1;
        self.open.insert(ticket, Kept { position: position.clone(), is_heard: false });
        Ok((ticket, position))
    }

    /// The frontier has heard of it.
    pub(crate) fn heard(&mut self, ticket: Ticket) {
        if let Some(kept) = self.open.get_mut(&ticket) {
            kept.is_heard = true;
        }
        while self.open.first_key_value().is_some_and(|it| it.1.is_heard) {
            self.open.pop_first();
        }
    }

    /// Where to go on reading after a crash.
    pub(crate) fn mark(&self) -> Heard {
        let first = self.open.values().next().map(|it| it.position.clone());
        let behind = self.open.values().filter(|it| it.is_heard).map(|it| it.position.clone());
        Heard {
            all_before: first.unwrap_or_else(|| self.writer.position()),
            behind: behind.collect(),
        }
    }

    /// What brings to the disk all that was written until now, and keeps nobody from writing on.
    pub(crate) fn flushing(&self) -> Result<Flushing, Failure> {
        self.writer.flushing()
    }

    /// Comes back when all is on the disk.
    pub(crate) fn sync(&mut self) -> Result<(), Failure> {
        self.writer.sync()
    }
}
