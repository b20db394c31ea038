//! What is noted about a link by the strategy `best`.

use crate::distance::Away;
use crate::term::Term;
use crate::yields::{Groups, KINDS};

/// Distance, promise and groups.
const HEAD: usize = 2 + 1 + 4 * KINDS;

/// Whether a link names a place of the region, and where.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Promise(pub(crate) u8);

impl Promise {
    /// In the host; in or beside the rest of it.
    pub(crate) fn of(in_host: bool, beside: bool) -> Self {
        Self(u8::from(in_host) | u8::from(beside) << 1)
    }

    /// Whether it names it in its host.
    pub(crate) fn is_in_host(self) -> bool {
        self.0 & 1 == 1
    }
}

/// What is noted about a link, as it lies in the frontier.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Note<'a> {
    /// Whether it names a place of the region.
    pub(crate) promise: Promise,
    /// The groups it belongs to.
    pub(crate) groups: Groups,
    terms: &'a [u8],
}

impl<'a> Note<'a> {
    /// The note in these bytes; nothing for a seed, which has none, and for bytes that are no note.
    pub(crate) fn read(bytes: &'a [u8]) -> Option<Self> {
        let (head, terms) = bytes.split_first_chunk::<HEAD>()?;
        if terms.len() % 4 != 0 {
            return None;
        }
        // The first two bytes are the distance, where all strategies that have one keep it.
        let (promise, groups) = head[2..].split_first()?;
        let (groups, _) = groups.as_chunks();
        Some(Self {
            promise: Promise(promise & 3),
            groups: Groups(std::array::from_fn(|kind| u32::from_le_bytes(groups[kind]))),
            terms,
        })
    }

    /// The bytes of a note.
    pub(crate) fn write(away: Away, promise: Promise, groups: Groups, terms: &[Term]) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(HEAD + 4 * terms.len());
        bytes.extend(away.0.to_le_bytes());
        bytes.push(promise.0);
        groups.0.iter().for_each(|it| bytes.extend(it.to_le_bytes()));
        terms.iter().for_each(|it| bytes.extend(it.0.to_le_bytes()));
        bytes
    }

    /// Its terms.
    pub(crate) fn terms(&self) -> impl Iterator<Item = Term> + use<'a> {
        let (terms, _) = self.terms.as_chunks();
        terms.iter().map(|it| Term(u32::from_le_bytes(*it)))
    }
}
