//! Which blocks a page is there for, and which are menus, teasers and small print.
//!
//! After Kohlschütter, Fankhauser and Nejdl, *Boilerplate detection using shallow text features*
//! (2010): a block is judged by its length, the share of its words that are links, and the same of
//! its neighbours. Length is counted in letters, so that languages without blanks are served as
//! well. What the elements and classes say comes on top.

use crate::block::{Area, Block, Role};

/// Six bytes are taken for a word.
const BYTES_PER_WORD: usize = 6;
/// A block with a larger share of links is a list of links.
const LINKED: f64 = 0.34;
/// After a block with a larger share of links, a short one is likely to be one of them.
const MOSTLY_LINKED: f64 = 0.56;
/// An article that holds at least this share of the unlinked text is what the page is there for.
const ARTICLE_SHARE: f64 = 0.25;

/// Marks the main blocks.
pub(crate) fn mark_main(blocks: &mut [Block]) {
    let judged: Vec<Judged> = blocks.iter().map(Judged::of).collect();
    let article_only = has_telling_article(blocks);
    for at in 0..blocks.len() {
        let before = if at > 0 { judged[at - 1] } else { Judged::default() };
        let after = judged.get(at + 1).copied().unwrap_or_default();
        let block = &blocks[at];
        blocks[at].is_main = may_be_main(block)
            && match (block.area, article_only) {
                (Area::Main, true) => judged[at].link_share <= MOSTLY_LINKED,
                (_, true) => false,
                _ => judged[at].is_content(before, after),
            };
    }
    fill_gaps(blocks);
    if blocks.iter().all(|block| !block.is_main) {
        let is_fallback = |it: &Block| may_be_main(it) && it.link_share() <= MOSTLY_LINKED;
        blocks.iter_mut().for_each(|block| block.is_main = is_fallback(block));
    }
}

fn may_be_main(block: &Block) -> bool {
    matches!(block.area, Area::Body | Area::Main) && block.role != Role::Choice
}

/// Whether the page says which part is the main one, and can be believed.
fn has_telling_article(blocks: &[Block]) -> bool {
    let unlinked = |block: &Block| block.range.len().saturating_sub(block.linked);
    let in_article = blocks.iter().filter(|it| it.area == Area::Main).map(unlinked);
    let all = blocks.iter().filter(|it| it.role != Role::Choice).map(unlinked);
    let (in_article, all) = (in_article.sum::<usize>(), all.sum::<usize>());
    in_article > 0 && in_article as f64 >= ARTICLE_SHARE * all as f64
}

/// A heading belongs to what it heads; a short block between two main ones belongs to them.
fn fill_gaps(blocks: &mut [Block]) {
    let is_main: Vec<bool> = blocks.iter().map(|block| block.is_main).collect();
    for at in 0..blocks.len() {
        let block = &blocks[at];
        if block.is_main || !may_be_main(block) || block.link_share() > MOSTLY_LINKED {
            continue;
        }
        let next = is_main.get(at + 1).copied().unwrap_or(false);
        let previous = at > 0 && is_main[at - 1];
        blocks[at].is_main = next && (previous || matches!(block.role, Role::Heading(_)));
    }
}

/// What counts in judging a block. Beyond the ends of the page there is nothing.
#[derive(Clone, Copy, Debug, Default)]
struct Judged {
    words: usize,
    link_share: f64,
}

impl Judged {
    fn of(block: &Block) -> Self {
        Self { words: block.range.len() / BYTES_PER_WORD, link_share: block.link_share() }
    }

    /// The decision tree of the paper (figure 3: number of words and link density).
    fn is_content(self, before: Self, after: Self) -> bool {
        if self.link_share > LINKED {
            return false;
        }
        if before.link_share > MOSTLY_LINKED {
            return self.words > 40 || after.words > 17;
        }
        self.words > 16 || after.words > 15 || before.words > 4
    }
}

#[cfg(test)]
mod tests {
    use crate::page::read;
    use crate::response::Response;

    const STORY: &str = "The old harbour lies at the mouth of the river, where ships from the whole \
        north used to take in salt and timber before the railway came and trade went inland.";
    const MENU: &str =
        "<ul><li><a href=a>Home</a><li><a href=b>Rooms</a><li><a href=c>Prices</a></ul>";

    #[track_caller]
    fn check(html: &str, expected: &[&str]) {
        let page = read(&Response::new(html.as_bytes()));
        assert_eq!(page.main_blocks().collect::<Vec<_>>(), expected, "{html}");
    }

    #[test]
    fn a_menu_is_not_main() {
        check(&format!("{MENU}<p>{STORY}</p>{MENU}"), &[STORY]);
    }

    #[test]
    fn a_heading_belongs_to_its_text() {
        check(&format!("{MENU}<h1>Harbour</h1><p>{STORY}</p>"), &["Harbour", STORY]);
    }

    #[test]
    fn the_foot_of_the_page_is_not_main() {
        check(&format!("<p>{STORY}</p><footer><p>{STORY}</p></footer>"), &[STORY]);
        check(&format!("<p>{STORY}</p><div class='cookie-notice'><p>{STORY}</p></div>"), &[STORY]);
    }

    #[test]
    fn an_article_is_all_there_is() {
        check(
            &format!("<p>{STORY}</p><article><p>{STORY}</p><p>Short.</p></article>"),
            &[STORY, "Short."],
        );
    }

    #[test]
    fn an_article_with_next_to_nothing_is_not_believed() {
        check(
            &format!("<article>Yes</article><p>{STORY}</p><p>{STORY}</p>"),
            &["Yes", STORY, STORY],
        );
    }

    #[test]
    fn of_short_lines_all_are_main_but_links() {
        check(
            &format!("{MENU}<div>Quay 4</div><div>12345 Portville</div>"),
            &["Quay 4", "12345 Portville"],
        );
    }

    #[test]
    fn what_can_be_chosen_in_a_form_is_not_main() {
        check(&format!("<p>{STORY}</p><select><option>{STORY}</select>"), &[STORY]);
    }
}
