//! Links with the words around them.

use std::ops::Range;

use url::Url;

use crate::block::Area;
use crate::page::Page;

/// A URL on a page with what the page says about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Link {
    /// `http` or `https`.
    pub url: Url,
    /// Where its words stand in the page's text; empty if it has none there.
    pub anchor: Range<usize>,
    /// Its words that are not in the text: the alternative texts of its images, or all of them if
    /// the link is hidden.
    pub unseen: String,
    /// Its title attribute.
    pub title: String,
    /// What the page says it has to do with the target.
    pub rel: Rel,
    /// The block in which it stands, as an index; the one before it if it has no words.
    pub block: Option<usize>,
    /// In which part of the page it stands.
    pub area: Area,
}

/// What `rel` says.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Rel {
    /// The author does not vouch for it.
    pub nofollow: bool,
    /// A visitor put it there.
    pub ugc: bool,
    /// It was paid for.
    pub sponsored: bool,
}

/// How far the words around a link may reach.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reach {
    /// To the end of its block.
    Block,
    /// Over the borders of blocks, to the end of the page.
    Page,
}

impl Rel {
    /// Reads the value of a `rel` attribute.
    pub(crate) fn of(value: &str) -> Self {
        let says =
            |word: &str| value.split_ascii_whitespace().any(|it| it.eq_ignore_ascii_case(word));
        Self { nofollow: says("nofollow"), ugc: says("ugc"), sponsored: says("sponsored") }
    }
}

impl Link {
    /// The words of the link, those of its images included.
    pub fn words(&self, page: &Page) -> String {
        let seen = page.text.get(self.anchor.clone()).unwrap_or_default();
        match (seen.is_empty(), self.unseen.is_empty()) {
            (false, false) => format!("{seen} {}", self.unseen),
            (true, _) => self.unseen.clone(),
            (_, true) => seen.to_owned(),
        }
    }

    /// At most so many words right before the link.
    pub fn before<'a>(&self, page: &'a Page, words: usize, reach: Reach) -> &'a str {
        let end = self.anchor.start;
        let start = match self.block_range(page, reach) {
            Some(block) => block.start.min(end),
            None => 0,
        };
        last_words(page.text.get(start..end).unwrap_or_default(), words)
    }

    /// At most so many words right after the link.
    pub fn after<'a>(&self, page: &'a Page, words: usize, reach: Reach) -> &'a str {
        let start = self.anchor.end;
        let end = match self.block_range(page, reach) {
            Some(block) => block.end.max(start),
            None => page.text.len(),
        };
        first_words(page.text.get(start..end).unwrap_or_default(), words)
    }

    fn block_range(&self, page: &Page, reach: Reach) -> Option<Range<usize>> {
        if reach == Reach::Page {
            return None;
        }
        Some(page.blocks.get(self.block?)?.range.clone())
    }
}

/// Texts are written with single separators, so a word ends where one stands.
fn is_separator(letter: char) -> bool {
    matches!(letter, ' ' | '\n' | '\t')
}

fn first_words(text: &str, words: usize) -> &str {
    let text = text.trim_matches(is_separator);
    let end = text.match_indices(is_separator).nth(words.saturating_sub(1));
    if words == 0 { "" } else { &text[..end.map_or(text.len(), |(at, _)| at)] }
}

fn last_words(text: &str, words: usize) -> &str {
    let text = text.trim_matches(is_separator);
    let start = text.rmatch_indices(is_separator).nth(words.saturating_sub(1));
    if words == 0 { "" } else { &text[start.map_or(0, |(at, _)| at + 1)..] }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::page::read;
    use crate::response::Response;

    fn page() -> Page {
        read(&Response {
            url: Some("http://a.example/"),
            ..Response::new(
                b"<p>One.</p><p>Ships <b>leave</b> for <a href=x>the islands</a>, every morning.</p>\
                  <p>Two.</p>",
            )
        })
    }

    #[track_caller]
    fn check(words: usize, reach: Reach, before: &str, after: &str) {
        let page = page();
        let link = &page.links[0];
        assert_eq!(link.before(&page, words, reach), before);
        assert_eq!(link.after(&page, words, reach), after);
    }

    #[test]
    fn words_around_a_link_cross_inline_markup() {
        check(2, Reach::Block, "leave for", ", every");
        check(1, Reach::Block, "for", ",");
        check(0, Reach::Block, "", "");
    }

    #[test]
    fn they_cross_blocks_only_if_they_may() {
        check(9, Reach::Block, "Ships leave for", ", every morning.");
        check(9, Reach::Page, "One.\nShips leave for", ", every morning.\nTwo.");
    }

    #[test]
    fn rel_is_read_word_by_word() {
        let rel = Rel::of("noopener NoFollow ugc");
        assert_eq!(rel, Rel { nofollow: true, ugc: true, sponsored: false });
    }
}
