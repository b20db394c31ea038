//! The elements of HTML that a reader of text has to know.

/// An element by its name. Names that change nothing are all [`Element::Other`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Element {
    Other,
    A,
    Address,
    Area,
    Article,
    Aside,
    Base,
    Block,
    Blockquote,
    Body,
    Br,
    Button,
    Caption,
    Cell,
    Dd,
    Div,
    Dl,
    Dt,
    Figcaption,
    Footer,
    Form,
    Frame,
    H1,
    H2,
    H3,
    H4,
    H5,
    H6,
    Head,
    Header,
    Hr,
    Html,
    Iframe,
    Img,
    /// All that only changes how letters look. They end each other, which does no harm.
    Inline,
    Li,
    Link,
    List,
    Main,
    Meta,
    Nav,
    Noscript,
    Option,
    P,
    Plaintext,
    Pre,
    Row,
    Script,
    Section,
    Select,
    Span,
    Style,
    Svg,
    Table,
    Template,
    Textarea,
    Time,
    Title,
    Void,
}

/// How many elements there are, for tables by element.
pub(crate) const ELEMENTS: usize = Element::Void as usize + 1;

/// Longer names are none that we know.
const LONGEST_NAME: usize = 12;

impl Element {
    /// The element of this name, in any case.
    pub(crate) fn named(name: &str) -> Self {
        let mut lower = [0; LONGEST_NAME];
        let Some(lower) = lower.get_mut(..name.len()) else { return Self::Other };
        lower.copy_from_slice(name.as_bytes());
        lower.make_ascii_lowercase();
        Self::of_lower_case(lower)
    }

    fn of_lower_case(name: &[u8]) -> Self {
        match name {
            b"a" => Self::A,
            b"abbr" | b"b" | b"bdi" | b"bdo" | b"big" | b"cite" | b"code" | b"data" | b"del"
            | b"dfn" | b"em" | b"font" | b"i" | b"ins" | b"kbd" | b"label" | b"mark" | b"nobr"
            | b"q" | b"s" | b"samp" | b"small" | b"strike" | b"strong" | b"sub" | b"sup"
            | b"tt" | b"u" | b"var" => Self::Inline,
            b"address" => Self::Address,
            b"area" => Self::Area,
            b"article" => Self::Article,
            b"aside" => Self::Aside,
            b"base" => Self::Base,
            b"blockquote" => Self::Blockquote,
            b"body" => Self::Body,
            b"br" => Self::Br,
            b"button" => Self::Button,
            b"caption" => Self::Caption,
            b"center" | b"details" | b"dialog" | b"dir" | b"fieldset" | b"figure" | b"hgroup"
            | b"legend" | b"optgroup" | b"search" | b"summary" | b"tbody" | b"tfoot" | b"thead" => {
                Self::Block
            }
            b"td" | b"th" => Self::Cell,
            b"dd" => Self::Dd,
            b"div" => Self::Div,
            b"dl" => Self::Dl,
            b"dt" => Self::Dt,
            b"figcaption" => Self::Figcaption,
            b"footer" => Self::Footer,
            b"form" => Self::Form,
            b"frame" => Self::Frame,
            b"h1" => Self::H1,
            b"h2" => Self::H2,
            b"h3" => Self::H3,
            b"h4" => Self::H4,
            b"h5" => Self::H5,
            b"h6" => Self::H6,
            b"head" => Self::Head,
            b"header" => Self::Header,
            b"hr" => Self::Hr,
            b"html" => Self::Html,
            b"iframe" => Self::Iframe,
            b"img" => Self::Img,
            b"li" => Self::Li,
            b"link" => Self::Link,
            b"ul" | b"ol" | b"menu" => Self::List,
            b"main" => Self::Main,
            b"meta" => Self::Meta,
            b"nav" => Self::Nav,
            b"noscript" => Self::Noscript,
            b"option" => Self::Option,
            b"p" => Self::P,
            b"plaintext" => Self::Plaintext,
            b"pre" | b"listing" | b"xmp" => Self::Pre,
            b"tr" => Self::Row,
            b"script" => Self::Script,
            b"section" => Self::Section,
            b"select" | b"datalist" => Self::Select,
            b"span" => Self::Span,
            b"style" => Self::Style,
            b"svg" | b"math" => Self::Svg,
            b"table" => Self::Table,
            b"template" => Self::Template,
            b"textarea" => Self::Textarea,
            b"time" => Self::Time,
            b"title" => Self::Title,
            b"col" | b"embed" | b"input" | b"param" | b"source" | b"track" | b"wbr" => Self::Void,
            _ => Self::Other,
        }
    }

    /// It has no end tag and nothing inside.
    pub(crate) fn is_void(self) -> bool {
        use Element::{Area, Base, Br, Frame, Hr, Img, Link, Meta, Void};
        matches!(self, Area | Base | Br | Frame | Hr | Img | Link | Meta | Void)
    }

    /// Its text stands apart from what is before and after it.
    pub(crate) fn is_block(self) -> bool {
        use Element::{
            A, Button, Head, Html, Inline, Noscript, Other, Span, Style, Svg, Template, Time, Title,
        };
        !self.is_void()
            && !matches!(
                self,
                A | Button | Head | Html | Inline | Noscript | Other | Span | Style | Svg
            )
            && !matches!(self, Template | Time | Title)
    }

    /// An end tag of something inside does not reach beyond it.
    pub(crate) fn is_fence(self) -> bool {
        use Element::{Caption, Cell, Noscript, Svg, Table, Template};
        matches!(self, Caption | Cell | Noscript | Svg | Table | Template)
    }

    /// The level of a heading.
    pub(crate) fn heading(self) -> Option<u8> {
        let level = (self as u8).checked_sub(Self::H1 as u8)?;
        (level < 6).then_some(level + 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(name: &str, expected: Element) {
        assert_eq!(Element::named(name), expected);
    }

    #[test]
    fn case_does_not_matter() {
        check("div", Element::Div);
        check("DIV", Element::Div);
        check("BlockQuote", Element::Blockquote);
    }

    #[test]
    fn unknown_and_overlong_names_are_other_elements() {
        check("my-card", Element::Other);
        check("a-very-long-name-of-an-element", Element::Other);
        check("ä", Element::Other);
        check("", Element::Other);
    }

    #[test]
    fn headings_know_their_level() {
        let levels: Vec<_> =
            ["h1", "h6", "p", "head"].map(|it| Element::named(it).heading()).into();
        assert_eq!(levels, [Some(1), Some(6), None, None]);
    }
}
