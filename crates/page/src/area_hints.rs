//! What classes, ids and ARIA roles say about the part of the page.

use crate::block::Area;
use crate::element::Element;
use crate::tag::Tag;

/// Classes beyond this many bytes are the work of machines.
const LONGEST_CLASS: usize = 200;

/// The area inside this element, given the one around it.
pub(crate) fn area_inside(around: Area, element: Element, tag: &Tag<'_>) -> Area {
    match (element, around) {
        (Element::Main, _) | (Element::Article, Area::Body) => Area::Main,
        (Element::Nav, _) => Area::Navigation,
        (Element::Footer, _) => Area::Footer,
        // The head of an article belongs to it.
        (Element::Header, Area::Body) => Area::Header,
        (Element::Aside, Area::Body | Area::Main) => Area::Aside,
        _ if may_be_hinted(element) => hinted(around, tag),
        _ => around,
    }
}

/// Words in the classes of the whole page or of inline elements tell nothing about a part of it.
fn may_be_hinted(element: Element) -> bool {
    use Element::{Block, Cell, Div, Dl, Form, List, P, Row, Section, Table};
    matches!(element, Block | Cell | Div | Dl | Form | List | P | Row | Section | Table)
}

fn hinted(around: Area, tag: &Tag<'_>) -> Area {
    if let Some(area) = tag.role.raw().and_then(of_role) {
        return if area == Area::Header && around == Area::Main { around } else { area };
    }
    let names = [tag.id, tag.class];
    let mut words = names.iter().flat_map(|it| it.words()).filter(|it| it.len() <= LONGEST_CLASS);
    let mut area = None;
    for name in &mut words {
        match says(name) {
            Some(Hint::Content) => return around,
            Some(Hint::Part(part)) => area = area.or(Some(part)),
            None => {}
        }
    }
    match area {
        // Inside the article, only what is certainly no part of it leaves it.
        Some(Area::Header) if around == Area::Main => around,
        Some(area) if !around.is_frame() => area,
        _ => around,
    }
}

fn of_role(role: &str) -> Option<Area> {
    Some(match role {
        "main" => Area::Main,
        "navigation" | "menu" | "menubar" => Area::Navigation,
        "banner" => Area::Header,
        "contentinfo" => Area::Footer,
        "complementary" | "search" => Area::Aside,
        "dialog" | "alertdialog" => Area::Notice,
        _ => return None,
    })
}

enum Hint {
    Part(Area),
    /// This is what the page is there for, whatever else it is called.
    Content,
}

/// What one class or id says: `main-nav`, `siteFooter`, `cookie_bar`, but not `has-sidebar`.
fn says(name: &str) -> Option<Hint> {
    if name.eq_ignore_ascii_case("header") {
        return Some(Hint::Part(Area::Header));
    }
    let mut found = None;
    for word in parts(name) {
        match of_word(word) {
            Some(Hint::Content) if found.is_none() => found = Some(Hint::Content),
            Some(Hint::Part(area)) => found = Some(Hint::Part(area)),
            _ if ["has", "with", "no", "without", "not"].contains(&word) => return None,
            _ => {}
        }
    }
    found
}

/// The parts of a compound name, at hyphens, underscores and capital letters.
fn parts(name: &str) -> impl Iterator<Item = &str> {
    name.split(['-', '_', ':', '/']).flat_map(|compound| {
        let mut rest = compound;
        std::iter::from_fn(move || {
            let inner = rest.get(1..)?;
            let end =
                inner.find(|it: char| it.is_ascii_uppercase()).map_or(rest.len(), |at| at + 1);
            let (part, after) = rest.split_at(end);
            rest = after;
            Some(part)
        })
    })
}

fn of_word(word: &str) -> Option<Hint> {
    let mut lower = [0; 14];
    let lower = lower.get_mut(..word.len())?;
    lower.copy_from_slice(word.as_bytes());
    lower.make_ascii_lowercase();
    Some(match &*lower {
        b"content" | b"main" | b"article" | b"post" | b"entry" => Hint::Content,
        b"nav" | b"navi" | b"navigation" | b"navbar" | b"menu" | b"submenu" | b"breadcrumb"
        | b"breadcrumbs" | b"pagination" | b"pager" | b"toc" => Hint::Part(Area::Navigation),
        b"masthead" | b"topbar" => Hint::Part(Area::Header),
        b"footer" | b"colophon" | b"copyright" => Hint::Part(Area::Footer),
        b"sidebar" | b"aside" | b"widget" | b"related" | b"share" | b"sharing" | b"social"
        | b"newsletter" | b"subscribe" | b"ad" | b"ads" | b"advert" | b"advertisement"
        | b"sponsored" | b"promo" | b"recommended" => Hint::Part(Area::Aside),
        b"comment" | b"comments" | b"disqus" => Hint::Part(Area::Comments),
        b"cookie" | b"cookies" | b"consent" | b"gdpr" | b"popup" | b"modal" => {
            Hint::Part(Area::Notice)
        }
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tokens::Attribute;

    #[track_caller]
    fn check(around: Area, element: Element, class: &str, expected: Area) {
        let attributes = [Attribute { name: "class", value: class }];
        assert_eq!(area_inside(around, element, &Tag::of(&attributes)), expected, "{class}");
    }

    #[test]
    fn elements_name_their_area() {
        check(Area::Body, Element::Nav, "", Area::Navigation);
        check(Area::Body, Element::Article, "", Area::Main);
        check(Area::Main, Element::Header, "", Area::Main);
        check(Area::Body, Element::Header, "", Area::Header);
        check(Area::Aside, Element::Article, "", Area::Aside);
    }

    #[test]
    fn classes_name_theirs() {
        check(Area::Body, Element::Div, "main-nav", Area::Navigation);
        check(Area::Body, Element::Div, "siteFooter", Area::Footer);
        check(Area::Body, Element::List, "breadcrumb x", Area::Navigation);
        check(Area::Main, Element::Section, "comments", Area::Comments);
        check(Area::Body, Element::Div, "cookie_bar", Area::Notice);
        check(Area::Body, Element::Div, "header", Area::Header);
    }

    #[test]
    fn a_layout_is_no_area() {
        check(Area::Body, Element::Div, "has-sidebar", Area::Body);
        check(Area::Body, Element::Div, "content with-nav", Area::Body);
        check(Area::Body, Element::Div, "content footer", Area::Body);
        check(Area::Body, Element::Body, "nav", Area::Body);
        check(Area::Body, Element::Span, "menu", Area::Body);
    }

    #[test]
    fn nothing_inside_a_menu_leaves_it() {
        check(Area::Navigation, Element::Div, "sidebar", Area::Navigation);
        check(Area::Footer, Element::Div, "content", Area::Footer);
    }

    #[test]
    fn odd_classes_do_no_harm() {
        check(Area::Body, Element::Div, "ä-ö _ - A", Area::Body);
    }
}
