//! A clause: one condition on the words of a document, walked along the documents of a shard.

use tantivy::postings::{Postings, SegmentPostings};
use tantivy::{DocSet, TERMINATED};

/// One condition on the words of a document, standing at a document that meets it.
#[derive(Clone)]
pub struct Clause {
    how: How,
    documents: u32,
}

#[derive(Clone)]
enum How {
    /// No document.
    Nothing,
    /// One term.
    Term(Box<SegmentPostings>),
    /// Any of several terms; the document is the least that one of them stands at.
    Any { lists: Vec<SegmentPostings>, at: u32, first_is_repeated: bool },
    /// All terms, one behind the other; the rarest comes first in the order of asking.
    Phrase(Box<Phrase>),
}

#[derive(Clone)]
struct Phrase {
    /// The terms with their places in the phrase.
    terms: Vec<(SegmentPostings, u32)>,
    starts: Vec<u32>,
    positions: Vec<u32>,
}

impl Clause {
    /// Any of the terms; no document if there are none.
    pub(crate) fn any(mut lists: Vec<SegmentPostings>) -> Self {
        let documents = lists.iter().map(SegmentPostings::doc_freq).sum();
        let how = match lists.len() {
            0 => How::Nothing,
            1 => How::Term(Box::new(lists.remove(0))),
            _ => {
                let least = lists.iter().map(DocSet::doc).min().unwrap_or(TERMINATED);
                How::Any { lists, at: least, first_is_repeated: false }
            }
        };
        Self { how, documents }
    }

    /// The same, where the others of the terms stand wherever the first does, so that it must not be counted again.
    #[must_use]
    pub(crate) fn repeating_first(mut self) -> Self {
        if let How::Any { first_is_repeated, .. } = &mut self.how {
            *first_is_repeated = true;
        }
        self
    }

    /// The same, with a better estimate of how many documents meet it.
    #[must_use]
    pub(crate) fn estimated(self, documents: u32) -> Self {
        Self { documents, ..self }
    }

    /// The terms one behind the other: nothing if one of them does not occur.
    pub(crate) fn phrase(lists: Option<Vec<SegmentPostings>>) -> Self {
        let Some(lists) = lists.filter(|it| !it.is_empty()) else { return Self::any(Vec::new()) };
        let mut terms: Vec<_> = lists.into_iter().zip(0..).collect();
        terms.sort_by_key(|it| it.0.doc_freq());
        let documents = terms[0].0.doc_freq();
        let mut phrase = Phrase { terms, starts: Vec::new(), positions: Vec::new() };
        phrase.settle(0);
        Self { how: How::Phrase(Box::new(phrase)), documents }
    }

    /// About so many documents meet it: an estimate to plan with.
    pub fn documents(&self) -> u32 {
        self.documents
    }

    /// The document it stands at; [`TERMINATED`] behind the last.
    #[inline]
    pub fn document(&self) -> u32 {
        match &self.how {
            How::Nothing => TERMINATED,
            How::Term(list) => list.doc(),
            How::Any { at, .. } => *at,
            How::Phrase(phrase) => phrase.document(),
        }
    }

    /// Goes to the first document from this one on that meets it.
    #[inline]
    pub fn seek(&mut self, document: u32) -> u32 {
        match &mut self.how {
            How::Nothing => TERMINATED,
            How::Term(list) => forward(list, document),
            How::Any { lists, at, .. } => {
                if *at < document {
                    let mut least = TERMINATED;
                    for list in lists {
                        least = least.min(forward(list, document));
                    }
                    *at = least;
                }
                *at
            }
            How::Phrase(phrase) => {
                if phrase.document() < document {
                    phrase.settle(document)
                } else {
                    phrase.document()
                }
            }
        }
    }

    /// How often the document it stands at meets it.
    #[inline]
    pub fn times(&self) -> u32 {
        match &self.how {
            How::Nothing => 0,
            How::Term(list) => list.term_freq(),
            How::Any { lists, at, first_is_repeated } => {
                let here = |it: &SegmentPostings| if it.doc() == *at { it.term_freq() } else { 0 };
                let rest: u32 = lists[1..].iter().map(here).sum();
                let first = here(&lists[0]);
                if *first_is_repeated { first.max(rest) } else { first + rest }
            }
            How::Phrase(phrase) => phrase.starts.len() as u32,
        }
    }
}

/// Goes on to the first document from this one on, never back: lists must not be asked for what they have passed.
#[inline]
fn forward(list: &mut SegmentPostings, document: u32) -> u32 {
    if list.doc() < document { list.seek(document) } else { list.doc() }
}

impl Phrase {
    fn document(&self) -> u32 {
        self.terms[0].0.doc()
    }

    /// Goes to the first document from this one on in which the terms stand one behind the other.
    fn settle(&mut self, mut document: u32) -> u32 {
        loop {
            document = self.meet(document);
            if document == TERMINATED || self.stands_here() {
                return document;
            }
            document += 1;
        }
    }

    /// The first document from this one on that has all terms.
    fn meet(&mut self, mut document: u32) -> u32 {
        'again: loop {
            for (list, _) in &mut self.terms {
                let at = forward(list, document);
                if at > document {
                    document = at;
                    if document == TERMINATED {
                        // The first list is the one that is asked for the document.
                        if self.terms[0].0.doc() != TERMINATED {
                            self.terms[0].0.seek(TERMINATED);
                        }
                        return TERMINATED;
                    }
                    continue 'again;
                }
            }
            return document;
        }
    }

    /// True if the terms stand one behind the other in the document; remembers where.
    fn stands_here(&mut self) -> bool {
        for (number, (list, offset)) in self.terms.iter_mut().enumerate() {
            self.positions.clear();
            list.append_positions_with_offset(0, &mut self.positions);
            let starts = self.positions.iter().filter_map(|it| it.checked_sub(*offset));
            if number == 0 {
                self.starts.clear();
                self.starts.extend(starts);
            } else {
                let starts: Vec<u32> = starts.collect();
                self.starts.retain(|it| starts.binary_search(it).is_ok());
            }
            if self.starts.is_empty() {
                return false;
            }
        }
        true
    }
}
