//! Keeps answers in the archive, and knows up to where the frontier has heard of them.

use std::collections::BTreeMap;

use archive::{Failure, Packed, Position, Writer};

/// The archive's writer with the answers that the frontier has not heard of yet.
pub(crate) struct Keeper {
    writer: Writer,
    unheard: BTreeMap<Ticket, Position>,
    next: Ticket,
}

/// An answer that the frontier has not heard of yet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Ticket(u64);

impl Keeper {
    pub(crate) fn new(writer: Writer) -> Self {
        Self { writer, unheard: BTreeMap::new(), next: Ticket(0) }
    }

    /// Writes an answer down.
    pub(crate) fn keep(&mut self, packed: &Packed) -> Result<(Ticket, Position), Failure> {
        let position = self.writer.append(packed)?;
        let ticket = self.next;
        self.next.0 += 1;
        self.unheard.insert(ticket, position.clone());
        Ok((ticket, position))
    }

    /// The frontier has heard of it.
    pub(crate) fn heard(&mut self, ticket: Ticket) {
        self.unheard.remove(&ticket);
    }

    /// Where to go on reading after a crash: the frontier has heard of all that is before.
    pub(crate) fn mark(&self) -> Position {
        self.unheard.first_key_value().map_or_else(|| self.writer.position(), |it| it.1.clone())
    }

    /// Comes back when all is on the disk.
    pub(crate) fn sync(&mut self) -> Result<(), Failure> {
        self.writer.sync()
    }
}
