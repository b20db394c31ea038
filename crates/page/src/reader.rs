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
    /// How many bytes of JSON-LD were read.
    scripts: usize,
}

/// So many bytes of JSON-LD are read on a page.
const MOST_SCRIPTS: usize = 1 << 20;

impl Reader {
    /// Reads a document whose links start from here, and which may have rules for this robot.
    pub(crate) fn read(html: &str, base: Base, robot: Option<&str>) -> Self {
        let mut reader = Self {
            flow: Flow::default(),
            head: Head::for_robot(robot),
            links: Links::default(),
            places: Places::default(),
            dates: Dates::default(),
            base,
            items: Items::default(),
            stack: Stack::new(),
            scripts: 0,
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
        self.links.end(&self.flow, &mut self.places);
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
            Element::A => self.links.end(&self.flow, &mut self.places),
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
                self.links.end(&self.flow, &mut self.places);
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
        if !tag.kind.raw().is_some_and(|kind| kind.to_ascii_lowercase().contains("ld+json")) {
            return;
        }
        self.scripts = self.scripts.saturating_add(text.len());
        if self.scripts <= MOST_SCRIPTS {
            json_ld::read(text, &mut self.places, &mut self.dates, &mut self.head.sections);
        }
    }

    fn link(&mut self, tag: &Tag<'_>) {
        self.links.end(&self.flow, &mut self.places);
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

#[cfg(test)]
mod tests {
    use crate::block::{Area, Role};
    use crate::page::{Page, read};
    use crate::response::Response;

    fn page(html: &str) -> Page {
        let (url, content_type) = (Some("http://a.example/b/c"), Some("text/html"));
        read(&Response { url, content_type, ..Response::new(html.as_bytes()) })
    }

    #[track_caller]
    fn check(html: &str, text: &str) {
        assert_eq!(page(html).text, text, "{html}");
    }

    /// URL and words of each link.
    #[track_caller]
    fn check_links(html: &str, expected: &[(&str, &str)]) {
        let page = page(html);
        let links: Vec<_> =
            page.links.iter().map(|it| (it.url.as_str(), it.words(&page))).collect();
        let links: Vec<_> = links.iter().map(|it| (it.0, it.1.as_str())).collect();
        assert_eq!(links, expected, "{html}");
    }

    #[test]
    fn inline_markup_joins_and_blocks_part() {
        check("<p>Mün<b>chen</b> <i>am</i>\n  See</p><div>B<p>C</div>D", "München am See\nB\nC\nD");
        check("A<br>B<br/><br>C", "A\nB\nC");
        check("<span>A</span><span>B</span>", "AB");
    }

    #[test]
    fn cells_are_parted_by_tabs_and_rows_by_lines() {
        check("<table><tr><td>A<td>B<tr><th>C</th><td><p>D</p></td></table>E", "A\tB\nC\tD\nE");
    }

    #[test]
    fn a_table_inside_a_cell_has_lines_of_its_own() {
        check("<table><tr><td>A<table><tr><td>B</table><td>C</table>", "A\nB\nC");
    }

    #[test]
    fn blanks_of_all_kinds_are_one() {
        check("A&nbsp; \u{2009}\u{3000}B\r\n\tC\0D", "A B C D");
        check("Straßen&shy;bahn\u{200b}hof", "Straßenbahnhof");
    }

    #[test]
    fn preformatted_text_keeps_its_lines() {
        check("<pre>Quay  4\n12345 Portville\n</pre>", "Quay 4\n12345 Portville");
    }

    #[test]
    fn code_and_hidden_text_are_no_text() {
        check("A<script>var b = '<p>';</script><style>p {}</style><template>C</template>D", "AD");
        check("<p hidden>A</p><p style='color:red; DISPLAY: none'>B</p>C", "C");
        check("<noscript><p>Enable scripts</noscript>A<textarea>B</textarea>", "A");
        check("<svg><text>A</text><style/><title/></svg>B<iframe src=x>C</iframe>", "B");
        check("<body style='visibility:hidden'>A", "A");
    }

    #[test]
    fn missing_end_tags_are_implied() {
        let page = page("<ul><li>A<li>B</ul><dl><dt>C<dd>D</dl><p>E<h2>F</h2>");
        let roles: Vec<_> = page.blocks.iter().map(|it| it.role).collect();
        let expected = [
            Role::Item,
            Role::Item,
            Role::Term,
            Role::Description,
            Role::Paragraph,
            Role::Heading(2),
        ];
        assert_eq!(roles, expected);
    }

    #[test]
    fn a_heading_without_an_end_ends_at_the_next_paragraph() {
        let page = page("<h1>A<p>B<div>C</div><h2><div>D</div></h2>");
        let roles: Vec<_> = page.blocks.iter().map(|it| it.role).collect();
        let expected = [Role::Heading(1), Role::Paragraph, Role::Paragraph, Role::Heading(2)];
        assert_eq!(roles, expected);
    }

    #[test]
    fn stray_end_tags_do_no_harm() {
        check("</div></td>A</b></p>B<b><div></b>C</div></i>", "A\nB\nC");
        let page = page("<nav><table><tr><td>A</nav>B</table></nav>C");
        let areas: Vec<_> = page.blocks.iter().map(|it| it.area).collect();
        assert_eq!(areas, [Area::Navigation, Area::Body]);
    }

    #[test]
    fn an_address_is_marked() {
        let page = page("<p>A</p><address>Quay 4<br>Portville</address><p>B");
        let marked: Vec<_> = page.blocks.iter().filter(|it| it.is_address).collect();
        assert_eq!(marked.len(), 1);
        assert_eq!(page.text_of(marked[0]), "Quay 4\nPortville");
    }

    #[test]
    fn links_have_their_words() {
        check_links(
            "<a href=x> the <b>islands</b> </a>.",
            &[("http://a.example/b/x", "the islands")],
        );
        check_links(
            "<a href=x>A<a href=y>B</a>",
            &[("http://a.example/b/x", "A"), ("http://a.example/b/y", "B")],
        );
        check_links("<p><a href=x>A</p>B", &[("http://a.example/b/x", "A")]);
        check_links("<a href=x><div>A</a>B</div>", &[("http://a.example/b/x", "A")]);
        check_links("<a href='x?a=1&amp;b=2'></a>", &[("http://a.example/b/x?a=1&b=2", "")]);
    }

    #[test]
    fn links_that_touch_are_two_words() {
        check("<a href=x>A</a><a href=y>B</a>C", "A BC");
    }

    #[test]
    fn images_speak_for_their_links() {
        check_links(
            "<a href=x><img alt='The &quot;sea&quot;'> A</a>",
            &[("http://a.example/b/x", "A The \"sea\"")],
        );
        check_links("<map><area href=x alt=Sea></map>", &[("http://a.example/b/x", "Sea")]);
    }

    #[test]
    fn hidden_links_are_links() {
        check_links(
            "<div hidden><a href=x>A &amp; B</a></div>",
            &[("http://a.example/b/x", "A & B")],
        );
        check_links("<template><a href=x>A</a></template>", &[]);
    }

    #[test]
    fn what_leads_nowhere_is_no_link() {
        check_links("<a href='#top'>A</a><a name=x>B</a><a href=mailto:a@b>C</a><a href=''>", &[]);
    }

    #[test]
    fn frames_are_links_and_maps_are_places() {
        check_links(
            "<frame src=x><iframe src=y></iframe>",
            &[("http://a.example/b/x", ""), ("http://a.example/b/y", "")],
        );
        let page = page("<iframe src='https://www.openstreetmap.org/?mlat=1&amp;mlon=2'></iframe>");
        assert_eq!((page.links.len(), page.places.len()), (0, 1));
    }

    #[test]
    fn the_base_element_counts() {
        check_links("<base href=/z/><a href=x>A</a>", &[("http://a.example/z/x", "A")]);
    }

    #[test]
    fn a_link_knows_its_block_and_area() {
        let page = page("<p>A</p><nav>B <a href=x>C</a></nav>");
        assert_eq!((page.links[0].block, page.links[0].area), (Some(1), Area::Navigation));
    }
}
