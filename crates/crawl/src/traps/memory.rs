//! What is remembered of a host: what its links have brought, and its last pages.

use std::collections::VecDeque;

use frontier::{NotFoundPages, Patterns, are_alike};
use serde::{Deserialize, Serialize};

use crate::parameters::Pairs;
use crate::reading::ReadPage;

/// With how many of its host's last pages a page is compared.
const LAST_PAGES: usize = 256;

/// What is remembered of a host.
#[derive(Default, Serialize, Deserialize)]
pub(super) struct Memory {
    pub(super) patterns: Patterns,
    pub(super) not_found: NotFoundPages,
    /// Its last pages.
    last: VecDeque<Last>,
    pub(super) pairs: Pairs,
}

/// By what a page is known again.
#[derive(Clone, Copy, Serialize, Deserialize)]
pub(super) struct Last {
    fingerprint: u64,
    /// A part of the digest, so that less has to be written down.
    wording: u32,
}

impl Last {
    /// By what this page will be known again.
    pub(super) fn of(read: &ReadPage) -> Self {
        Self { fingerprint: read.page.fingerprint, wording: read.page.wording as u32 }
    }
}

impl Memory {
    /// Remembers a page, and forgets the oldest if there are too many.
    pub(super) fn keep(&mut self, page: Last) {
        if self.last.len() >= LAST_PAGES {
            self.last.pop_front();
        }
        self.last.push_back(page);
    }

    /// Whether one of the last pages looks like this one.
    pub(super) fn has_like(&self, page: Last) -> bool {
        self.last.iter().any(|it| are_alike(it.fingerprint, page.fingerprint))
    }

    /// Whether one of the last pages has the words of this one. A page without words has nobody's.
    pub(super) fn has_words_of(&self, page: Last) -> bool {
        page.wording != 0 && self.last.iter().any(|it| it.wording == page.wording)
    }
}
