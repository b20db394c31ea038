//! What is noted about a link: how far away it is, its lot, its terms.

use crate::distance::Away;
use crate::lots::Lot;
use crate::term::Term;

/// How far away and which lot, two bytes each.
const HEAD: usize = 4;

/// What is noted about a link, as it lies in the frontier.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Note<'a> {
    /// How far away the last relevant page is.
    pub(crate) away: Away,
    /// What is taken off its priority.
    pub(crate) lot: Lot,
    /// What it says.
    pub(crate) terms: Terms<'a>,
}

impl<'a> Note<'a> {
    /// The note in these bytes; nothing for a seed, which has none, and for bytes that are no note.
    pub(crate) fn read(bytes: &'a [u8]) -> Option<Self> {
        let (&[low, high, lot, more], terms) = bytes.split_first_chunk::<HEAD>()?;
        (terms.len() % 4 == 0).then_some(Self {
            away: Away(u16::from_le_bytes([low, high])),
            lot: Lot(u16::from_le_bytes([lot, more])),
            terms: Terms(terms),
        })
    }

    /// The bytes of a note.
    pub(crate) fn write(away: Away, lot: Lot, terms: &[Term]) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(HEAD + 4 * terms.len());
        bytes.extend(away.0.to_le_bytes());
        bytes.extend(lot.0.to_le_bytes());
        for term in terms {
            bytes.extend(term.0.to_le_bytes());
        }
        bytes
    }
}

/// Terms as they lie in a note.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Terms<'a>(&'a [u8]);

impl Terms<'_> {
    pub(crate) fn iter(self) -> impl Iterator<Item = Term> {
        let (terms, _) = self.0.as_chunks();
        terms.iter().map(|it| Term(u32::from_le_bytes(*it)))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn a_note_is_read_as_it_was_written(away in any::<u16>(), lot in any::<u16>(), terms in any::<Vec<u32>>()) {
            let terms: Vec<_> = terms.into_iter().map(Term).collect();
            let bytes = Note::write(Away(away), Lot(lot), &terms);
            let note = Note::read(&bytes).expect("it was just written");
            prop_assert_eq!((note.away, note.lot), (Away(away), Lot(lot)));
            prop_assert_eq!(note.terms.iter().collect::<Vec<_>>(), terms);
        }

        #[test]
        fn any_bytes_are_a_note_or_none(bytes in any::<Vec<u8>>()) {
            let terms = Note::read(&bytes).map(|it| it.terms.iter().count());
            prop_assert_eq!(terms, (bytes.len() >= HEAD && bytes.len() % 4 == 0).then(|| bytes.len() / 4 - 1));
        }
    }
}
