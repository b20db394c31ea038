//! Blocks: the pieces of a text that stand apart, and where on the page they stand.

use std::ops::Range;

/// A paragraph, heading, list item or table cell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Block {
    /// Where it stands in the page's text, in bytes. Blocks are in order and do not overlap.
    pub range: Range<usize>,
    /// What it is.
    pub role: Role,
    /// In which part of the page it stands.
    pub area: Area,
    /// Whether it is part of an `<address>`.
    pub is_address: bool,
    /// Whether it belongs to what the page is there for, as opposed to menus and small print.
    pub is_main: bool,
    /// How many of its bytes are the words of links.
    pub linked: usize,
}

/// What a block is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Role {
    /// Running text, or anything that does not say what it is.
    #[default]
    Paragraph,
    /// A heading with its level, 1 to 6.
    Heading(u8),
    /// An item of a list.
    Item,
    /// A term that is explained.
    Term,
    /// What is said of a term.
    Description,
    /// A cell of a table; a tab stands between the cells of a row.
    Cell,
    /// The caption of a table or figure.
    Caption,
    /// A quotation.
    Quote,
    /// Text whose line ends were kept.
    Preformatted,
    /// Something to choose in a form.
    Choice,
}

/// A part of the page, as its elements, classes and ids say.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Area {
    /// Nothing is said.
    #[default]
    Body,
    /// In `<main>` or `<article>`.
    Main,
    /// A menu, a path, page numbers.
    Navigation,
    /// The head of the page.
    Header,
    /// The foot of the page.
    Footer,
    /// A side bar, things to share, what else there is.
    Aside,
    /// What readers wrote.
    Comments,
    /// A notice in front of the page, such as one about cookies.
    Notice,
}

impl Block {
    /// The share of its bytes that are words of links, 0 to 1.
    pub fn link_share(&self) -> f64 {
        self.linked as f64 / self.range.len().max(1) as f64
    }
}

impl Area {
    /// Whether it is the same on many pages of a site.
    pub fn is_frame(self) -> bool {
        !matches!(self, Self::Body | Self::Main | Self::Comments)
    }
}
