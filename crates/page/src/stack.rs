//! The elements that are open, and which of them an end tag closes.

use crate::element::{ELEMENTS, Element};
use crate::flow::Setting;

/// Deeper elements are not remembered; browsers stop at the same depth.
const DEEPEST: usize = 512;

/// Open elements, the innermost last. Finding the one that an end tag closes takes one step.
pub(crate) struct Stack {
    open: Vec<Open>,
    nearest: Nearest,
    outside: Scene,
}

/// An open element.
#[derive(Clone, Copy)]
pub(crate) struct Open {
    pub(crate) element: Element,
    pub(crate) scene: Scene,
    /// Whether it is a structured item or a property of one.
    pub(crate) is_marked: bool,
    /// What was nearest before it was opened: the same element, a block, a fence.
    before: [u16; 3],
}

/// What holds inside an element.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Scene {
    pub(crate) setting: Setting,
    pub(crate) shown: Shown,
}

/// Whether text is seen by a visitor.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Shown {
    #[default]
    Yes,
    /// Not seen, but its links lead somewhere.
    Hidden,
    /// Neither text nor links: templates and drawings.
    Dropped,
}

/// For each element the innermost open one, as its depth; zero if there is none.
struct Nearest {
    same: [u16; ELEMENTS],
    block: u16,
    fence: u16,
}

impl Stack {
    pub(crate) fn new() -> Self {
        let nearest = Nearest { same: [0; ELEMENTS], block: 0, fence: 0 };
        Self { open: Vec::with_capacity(32), nearest, outside: Scene::default() }
    }

    /// What holds here.
    pub(crate) fn scene(&self) -> Scene {
        self.open.last().map_or(self.outside, |open| open.scene)
    }

    pub(crate) fn depth(&self) -> usize {
        self.open.len()
    }

    pub(crate) fn is_full(&self) -> bool {
        self.open.len() >= DEEPEST
    }

    /// Opens an element, unless it is too deep.
    pub(crate) fn push(&mut self, element: Element, scene: Scene, is_marked: bool) {
        if self.is_full() {
            return;
        }
        let nearest = &mut self.nearest;
        let before = [nearest.same[element as usize], nearest.block, nearest.fence];
        self.open.push(Open { element, scene, is_marked, before });
        let depth = self.open.len() as u16;
        nearest.same[element as usize] = depth;
        if element.is_block() {
            nearest.block = depth;
        }
        if element.is_fence() {
            nearest.fence = depth;
        }
    }

    /// Closes the innermost element.
    pub(crate) fn pop(&mut self) -> Option<Open> {
        let open = self.open.pop()?;
        [self.nearest.same[open.element as usize], self.nearest.block, self.nearest.fence] =
            open.before;
        Some(open)
    }

    /// The depth of the element that an end tag closes; none if there is no such element.
    ///
    /// The end of a block closes whatever is open inside; the end of an inline element does not
    /// reach out of a block, and nothing reaches out of a table cell but the end of the table.
    pub(crate) fn closed_by_end_of(&self, element: Element) -> Option<usize> {
        let depth = self.nearest.same[element as usize];
        let border = match element {
            Element::Table | Element::Row | Element::Cell => 0,
            _ if element.is_fence() => 0,
            _ if element.is_block() => self.nearest.fence,
            _ => self.nearest.fence.max(self.nearest.block),
        };
        (depth > border).then_some(usize::from(depth))
    }

    /// The depth of the element that ends because this one begins: a paragraph at a block, an
    /// item at the next one, a heading at whatever cannot be part of it.
    pub(crate) fn closed_by_start_of(&self, element: Element) -> Option<usize> {
        use Element::{Cell, Dd, Dl, Dt, Li, List, P, Row, Table};
        let nearest = |element: Element| self.nearest.same[element as usize];
        let (depth, border) = match element {
            Li => (nearest(Li), nearest(List).max(self.nearest.fence)),
            Dd | Dt => (nearest(Dd).max(nearest(Dt)), nearest(Dl).max(self.nearest.fence)),
            Row => (nearest(Row), nearest(Table)),
            Cell => (nearest(Cell), nearest(Table).max(nearest(Row))),
            Element::Option => (nearest(Element::Option), 0),
            _ if ends_heading(element) => (self.paragraph_or_heading(), self.nearest.fence),
            _ if element.is_block() => (nearest(P), self.nearest.fence),
            _ => (0, 0),
        };
        (depth > border).then_some(usize::from(depth))
    }

    /// The outermost that is open of the innermost paragraph and headings on this side of the fence.
    fn paragraph_or_heading(&self) -> u16 {
        use Element::{H1, H2, H3, H4, H5, H6, P};
        let depths = [P, H1, H2, H3, H4, H5, H6].map(|it| self.nearest.same[it as usize]);
        depths.into_iter().filter(|&depth| depth > self.nearest.fence).min().unwrap_or(0)
    }
}

/// What is never part of a heading. A `<div>` may be.
fn ends_heading(element: Element) -> bool {
    use Element::{Address, Article, Blockquote, Dl, List, P, Pre, Section, Table};
    element.heading().is_some()
        || matches!(element, Address | Article | Blockquote | Dl | List | P | Pre | Section | Table)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A stack with these elements open, the innermost last.
    fn stack(names: &str) -> Stack {
        let mut stack = Stack::new();
        for name in names.split(' ') {
            stack.push(Element::named(name), Scene::default(), false);
        }
        stack
    }

    #[track_caller]
    fn check_end(open: &str, end: &str, expected: Option<usize>) {
        assert_eq!(stack(open).closed_by_end_of(Element::named(end)), expected, "{open} </{end}>");
    }

    #[track_caller]
    fn check_start(open: &str, start: &str, expected: Option<usize>) {
        let closed = stack(open).closed_by_start_of(Element::named(start));
        assert_eq!(closed, expected, "{open} <{start}>");
    }

    #[test]
    fn an_end_tag_closes_the_innermost_of_its_kind() {
        check_end("div div b", "div", Some(2));
        check_end("div b", "p", None);
    }

    #[test]
    fn the_end_of_an_inline_element_stays_in_its_block() {
        check_end("span b", "span", Some(1));
        check_end("span div b", "span", None);
    }

    #[test]
    fn only_the_end_of_a_table_leaves_its_cells() {
        check_end("div table tr td p", "div", None);
        check_end("div table tr td p", "table", Some(2));
    }

    #[test]
    fn items_and_cells_end_where_the_next_begins() {
        check_start("ul li b", "li", Some(2));
        check_start("ul li ul", "li", None);
        check_start("table tr td", "td", Some(3));
        check_start("table tr td", "tr", Some(2));
        check_start("table tr td table", "tr", None);
    }

    #[test]
    fn paragraphs_and_headings_end_where_a_block_begins() {
        check_start("p b", "div", Some(1));
        check_start("p b", "span", None);
        check_start("h1", "p", Some(1));
        check_start("h1", "div", None);
        check_start("p table tr td", "p", None);
    }

    #[test]
    fn what_was_closed_is_forgotten() {
        let mut stack = stack("b div b");
        stack.pop();
        stack.pop();
        assert_eq!(stack.closed_by_end_of(Element::named("b")), Some(1));
        assert_eq!(stack.closed_by_end_of(Element::named("div")), None);
    }

    #[test]
    fn the_depth_is_bounded() {
        assert_eq!(stack(&vec!["b"; 2 * DEEPEST].join(" ")).depth(), DEEPEST);
    }
}
