//! Passages: the paragraphs by which one page is known to repeat another.
//!
//! Mirrors, printed views and the same article under another address share what was written, not the
//! menus around it, so whole pages are not compared. What stands on many pages is nobody's.

use std::collections::HashMap;

use frontier::LinkId;
use page::{Page, Role};
use xxhash_rust::xxh3::xxh3_64;

/// A shorter paragraph may stand anywhere.
const SHORTEST: usize = 40;
/// A page is compared by its longest paragraphs, so many of them.
const MOST: usize = 24;
/// A paragraph on more pages than this belongs to the site and not to a page.
const COMMON: u8 = 4;
/// A page repeats another if it shares so much of what is not common.
const SHARED: f64 = 0.6;
/// How many passages are remembered, twice: the older half is forgotten at once.
const REMEMBERED: usize = 1 << 18;

/// A paragraph: a digest and how long it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Passage {
    digest: u64,
    length: u32,
}

/// The passages of a page, the longest first.
pub(crate) fn passages(page: &Page) -> Vec<Passage> {
    let mut found: Vec<_> = page
        .blocks
        .iter()
        .filter(|it| it.range.len() >= SHORTEST && !matches!(it.role, Role::Heading(_)))
        .filter(|it| !it.area.is_frame() && it.linked * 2 < it.range.len())
        .map(|it| {
            let text = page.text_of(it);
            Passage { digest: xxh3_64(text.as_bytes()), length: text.len() as u32 }
        })
        .collect();
    found.sort_by_key(|it| std::cmp::Reverse(it.length));
    found.truncate(MOST);
    found
}

/// Which page had a passage first, and on how many it stands.
#[derive(Default)]
pub(crate) struct Passages {
    recent: HashMap<u64, Known>,
    older: HashMap<u64, Known>,
}

/// What the passages of a page tell.
#[derive(Default)]
pub(crate) struct Found {
    /// The page that it repeats.
    pub(crate) original: Option<LinkId>,
    /// The digest of its longest passage that does not stand on many pages, 0 if there is none.
    pub(crate) longest: u64,
}

/// The page that had a passage first, and in the lowest byte on how many it stands: there are half a million of
/// them, which take eight bytes less each for it.
#[derive(Clone, Copy)]
struct Known(u64);

impl Known {
    fn new(page: LinkId) -> Self {
        Self(page.0 << 8)
    }

    fn page(self) -> LinkId {
        LinkId(self.0 >> 8)
    }

    fn pages(self) -> u8 {
        self.0 as u8
    }

    fn on_one_more(self) -> Self {
        if self.pages() == u8::MAX { self } else { Self(self.0 + 1) }
    }
}

impl Passages {
    /// Takes in a page, and tells which one it repeats and which of its passages is its own.
    pub(crate) fn compare(&mut self, id: LinkId, passages: &[Passage]) -> Found {
        let mut longest = 0;
        let mut own = 0_u32;
        let mut shared: Vec<(LinkId, u32)> = Vec::new();
        for passage in passages {
            let known = self.meet(id, passage.digest);
            if longest == 0 && known.is_none_or(|it| it.pages() < COMMON) {
                longest = passage.digest;
            }
            match known {
                Some(known) if known.pages() >= COMMON => {}
                Some(known) => {
                    own += passage.length;
                    match shared.iter_mut().find(|it| it.0 == known.page()) {
                        Some(it) => it.1 += passage.length,
                        None => shared.push((known.page(), passage.length)),
                    }
                }
                None => own += passage.length,
            }
        }
        let most = shared.into_iter().max_by_key(|it| it.1);
        let original =
            most.filter(|(page, most)| *page != id && f64::from(*most) >= SHARED * f64::from(own));
        Found { original: original.map(|it| it.0), longest }
    }

    /// What was known of a passage before it was met on this page.
    fn meet(&mut self, id: LinkId, digest: u64) -> Option<Known> {
        if let Some(known) = self.recent.get_mut(&digest) {
            let before = *known;
            *known = before.on_one_more();
            return Some(before);
        }
        if self.recent.len() >= REMEMBERED {
            self.older = std::mem::take(&mut self.recent);
        }
        let before = self.older.get(&digest).copied();
        self.recent.insert(digest, before.unwrap_or(Known::new(id)).on_one_more());
        before
    }
}

#[cfg(test)]
mod tests {
    use page::Response;

    use super::*;

    const COOKIES: &str =
        "This site uses cookies, as all sites do, to make your visit more pleasant.";

    fn read(text: &str) -> Vec<Passage> {
        passages(&page::read(&Response::new(text.as_bytes())))
    }

    fn article(number: usize) -> String {
        format!("The ferry of {number} o'clock to the islands leaves from the old harbour today.")
    }

    #[test]
    fn a_printed_view_repeats_its_page() {
        let mut known = Passages::default();
        let page = format!("<a href=/>Home</a><h1>Ferries</h1><p>{}<p>{COOKIES}", article(7));
        let print = format!("<h2>Ferries, to print</h2><p>{}", article(7));
        assert_eq!(known.compare(LinkId(1), &read(&page)).original, None);
        assert_eq!(known.compare(LinkId(2), &read(&print)).original, Some(LinkId(1)));
    }

    #[test]
    fn what_stands_on_every_page_makes_none_a_repetition() {
        let mut known = Passages::default();
        let repeated = (0..100)
            .filter(|it| {
                let page = format!("<p>{}<p>{COOKIES}", article(*it));
                known.compare(LinkId(*it as u64), &read(&page)).original.is_some()
            })
            .count();
        // Until the notice is known as one, a page that shares it and has little else is taken for
        // a repetition.
        assert!(repeated <= usize::from(COMMON), "{repeated}");
    }

    #[test]
    fn a_page_does_not_repeat_itself() {
        let mut known = Passages::default();
        let page = read(&format!("<p>{}", article(1)));
        assert_eq!(known.compare(LinkId(1), &page).original, None);
        assert_eq!(known.compare(LinkId(1), &page).original, None);
    }
}
