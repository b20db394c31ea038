//! One walk through a document, in which everything is collected that stands on the page.

use crate::area_hints::area_inside;
use crate::base::Base;
use crate::block::{Area, Role};
use crate::dates::Dates;
use crate::element::Element;
use crate::flow::{Flow, Gap, Setting};
use crate::head::Head;
use crate::items::{Items, Spot};
use crate::json_ld;
use crate::links::Links;
use crate::map_link::map_link;
use crate::place::Places;
use crate::stack::{Scene, Shown, Stack};
use crate::tag::Tag;
use crate::tokens::{Token, Tokens};

/// All that was found on the way.
pub(crate) struct Reader {
    pub(crate) flow: Flow,
    pub(crate) head: Head,
    pub(crate) links: Links,
    pub(crate) places: Places,
    pub(crate) dates: Dates,
    pub(crate) base: Base,
    items: Items,
    stack: Stack,
}

impl Reader {
    /// Reads a document whose links start from here.
    pub(crate) fn read(html: &str, base: Base) -> Self {
        let mut reader = Self {
            flow: Flow::default(),
            head: Head::default(),
            links: Links::default(),
            places: Places::default(),
            dates: Dates::default(),
            base,
            items: Items::default(),
            stack: Stack::new(),
        };
        reader.walk(&mut Tokens::new(html));
        reader
    }

    fn walk(&mut self, tokens: &mut Tokens<'_>) {
        while let Some(token) = tokens.next() {
            match token {
                Token::Text(text) => self.text(text),
                Token::Start { name, self_closing } => {
                    self.start(Element::named(name), self_closing, tokens);
                }
                Token::End { name } => self.end(Element::named(name)),
            }
            if self.flow.is_full {
                break;
            }
        }
        self.close_down_to(0);
        self.links.end(&self.flow.text, &mut self.places);
    }

    fn text(&mut self, text: &str) {
        let scene = self.stack.scene();
        match scene.shown {
            Shown::Yes => self.flow.write(text, self.setting(scene)),
            Shown::Hidden => {
                self.links.write_unseen(text);
                self.items.write_unseen(text);
            }
            Shown::Dropped => {}
        }
    }

    fn setting(&self, scene: Scene) -> Setting {
        Setting { is_linked: self.links.is_open(), ..scene.setting }
    }

    fn start(&mut self, element: Element, self_closing: bool, tokens: &mut Tokens<'_>) {
        let is_foreign = self.stack.scene().shown == Shown::Dropped;
        if is_foreign && self_closing {
            return;
        }
        if let Some(depth) = self.stack.closed_by_start_of(element) {
            self.close_down_to(depth - 1);
        }
        let tag = Tag::of(tokens.attributes());
        if element.is_void() {
            return self.void(element, &tag);
        }
        match element {
            Element::Script => return self.script(&tag, tokens.script_text()),
            Element::Style => return skip(tokens.raw_text("style")),
            _ if is_foreign => {}
            Element::A => self.link(&tag),
            Element::Html => self.head.html(&tag),
            Element::Iframe => {
                self.frame(&tag);
                return skip(tokens.raw_text("iframe"));
            }
            Element::Plaintext => return self.flow.write_plain(tokens.rest(), Setting::default()),
            Element::Textarea => return skip(tokens.raw_text("textarea")),
            Element::Time => self.dates.time_element(&tag),
            Element::Title => return self.head.title(tokens.raw_text("title")),
            _ => {}
        }
        self.open(element, &tag);
    }

    /// Elements without content.
    fn void(&mut self, element: Element, tag: &Tag<'_>) {
        if self.stack.scene().shown == Shown::Dropped {
            return;
        }
        match element {
            Element::Br => self.flow.part(Gap::Line),
            Element::Hr => self.flow.part(Gap::Block),
            Element::Img => self.links.image(tag),
            Element::Area => self.links.area(tag, &self.base, self.flow.text.len(), self.area()),
            Element::Frame => self.frame(tag),
            Element::Base => {
                if let Some(href) = tag.href.text() {
                    self.base.settle(&href);
                }
            }
            Element::Link => self.head.link(tag, &self.base),
            Element::Meta => {
                self.head.meta(tag, &self.base);
                self.dates.meta(tag);
                self.places.meta(tag);
            }
            _ => {}
        }
        self.items.void(element, tag);
        self.dates.property(element, tag);
    }

    fn open(&mut self, element: Element, tag: &Tag<'_>) {
        self.flow.part(gap_around(element));
        let scene = self.scene_inside(element, tag);
        self.dates.property(element, tag);
        let (depth, start) = (self.stack.depth() + 1, self.flow.text.len());
        let spot = Spot { depth, start, shown: scene.shown };
        let is_marked = !self.stack.is_full()
            && scene.shown != Shown::Dropped
            && self.items.open(element, tag, spot);
        self.stack.push(element, scene, is_marked);
    }

    fn end(&mut self, element: Element) {
        match element {
            Element::P | Element::Br => self.flow.part(Gap::Line.max(gap_around(element))),
            Element::A => self.links.end(&self.flow.text, &mut self.places),
            _ => {}
        }
        if let Some(depth) = self.stack.closed_by_end_of(element) {
            self.close_down_to(depth - 1);
        }
    }

    /// Closes what is open until so many elements are left.
    fn close_down_to(&mut self, depth: usize) {
        while self.stack.depth() > depth {
            let at = self.stack.depth();
            let Some(open) = self.stack.pop() else { return };
            if open.is_marked {
                self.items.close(at, &self.flow, &mut self.places);
            }
            if open.element == Element::A {
                self.links.end(&self.flow.text, &mut self.places);
            }
            self.flow.part(gap_around(open.element));
        }
    }

    fn scene_inside(&self, element: Element, tag: &Tag<'_>) -> Scene {
        let mut scene = self.stack.scene();
        scene.setting.area = area_inside(scene.setting.area, element, tag);
        scene.setting.is_address |= element == Element::Address;
        scene.setting.keeps_lines |= element == Element::Pre;
        if let Some(role) = role_of(element) {
            scene.setting.role = role;
        }
        scene.shown = match (scene.shown, element) {
            (Shown::Dropped, _) | (_, Element::Template | Element::Svg) => Shown::Dropped,
            (Shown::Hidden, _) | (_, Element::Noscript) => Shown::Hidden,
            // The whole page is hidden by scripts that show it when they are done.
            (_, Element::Html | Element::Body) => Shown::Yes,
            _ if tag.is_hidden() => Shown::Hidden,
            _ => Shown::Yes,
        };
        scene
    }

    fn script(&mut self, tag: &Tag<'_>, text: &str) {
        if tag.kind.raw().is_some_and(|kind| kind.to_ascii_lowercase().contains("ld+json")) {
            json_ld::read(text, &mut self.places, &mut self.dates);
        }
    }

    fn link(&mut self, tag: &Tag<'_>) {
        self.links.end(&self.flow.text, &mut self.places);
        let position = self.flow.text.len();
        if self.links.ended_at(position) {
            self.flow.part(Gap::Blank);
        }
        self.links.begin(tag, &self.base, position, self.area());
    }

    fn frame(&mut self, tag: &Tag<'_>) {
        let Some(source) = tag.src.text() else { return };
        let Some(url) = self.base.resolve(&source) else { return };
        match map_link(&source, Some(&url)) {
            Some(place) => self.places.add(place),
            None => self.links.frame(url, self.flow.text.len(), self.area()),
        }
    }

    fn area(&self) -> Area {
        self.stack.scene().setting.area
    }
}

/// Code and what was typed into forms is no text.
fn skip(_raw: &str) {}

/// What stands between an element's text and the rest.
fn gap_around(element: Element) -> Gap {
    match element {
        Element::Cell => Gap::Cell,
        Element::Row | Element::Table => Gap::Row,
        Element::Button => Gap::Blank,
        _ if element.is_block() => Gap::Block,
        _ => Gap::None,
    }
}

/// What an element makes of the blocks inside it.
fn role_of(element: Element) -> Option<Role> {
    if let Some(level) = element.heading() {
        return Some(Role::Heading(level));
    }
    Some(match element {
        Element::Li => Role::Item,
        Element::Dt => Role::Term,
        Element::Dd => Role::Description,
        Element::Cell => Role::Cell,
        Element::Caption | Element::Figcaption => Role::Caption,
        Element::Blockquote => Role::Quote,
        Element::Pre => Role::Preformatted,
        Element::Select | Element::Option => Role::Choice,
        _ => return None,
    })
}
