//! The links of a page as they are met.

use url::Url;

use crate::base::Base;
use crate::block::Area;
use crate::flow::{Flow, Setting};
use crate::link::{Link, Rel};
use crate::map_link::map_link;
use crate::place::{Places, StructuredPlace};
use crate::tag::Tag;

/// So many links of a page are kept.
const MOST_LINKS: usize = 5_000;
/// So many bytes of links are kept, for a long base makes every link long.
const MOST_BYTES: usize = 4 << 20;
/// Of the words of a link that are not in the text, so many bytes are kept.
const MOST_UNSEEN: usize = 500;

/// Links in the making.
#[derive(Default)]
pub(crate) struct Links {
    pub(crate) found: Vec<Link>,
    /// Whether a limit was met and later links are missing.
    pub(crate) is_full: bool,
    open: Option<OpenLink>,
    /// Where the text ended when the last link did.
    last_end: Option<usize>,
    bytes: usize,
}

struct OpenLink {
    /// None if it leads nowhere that a crawler could go.
    link: Option<Link>,
    /// The place on a map to which it leads.
    place: Option<StructuredPlace>,
    start: usize,
    unseen: Flow,
}

impl Links {
    pub(crate) fn is_open(&self) -> bool {
        self.open.is_some()
    }

    /// Whether the last link ended right here. Two links that touch are two words: style sheets
    /// draw space between them.
    pub(crate) fn ended_at(&self, position: usize) -> bool {
        self.last_end == Some(position)
    }

    /// An `<a>` begins at this position of the text.
    pub(crate) fn begin(&mut self, tag: &Tag<'_>, base: &Base, position: usize, area: Area) {
        let Some(href) = tag.href.text() else { return };
        let mut open =
            OpenLink { link: None, place: None, start: position, unseen: Flow::default() };
        // Resolving takes time, and beyond the limit nobody asks for it.
        if !self.is_full {
            let url = base.resolve(&href);
            open.place = map_link(&href, url.as_ref());
            let leads_on = !href.starts_with('#');
            open.link =
                url.filter(|_| leads_on).and_then(|url| self.link(url, tag, position, area));
        }
        self.open = Some(open);
    }

    /// The link that is open, if any, ends where the text does.
    pub(crate) fn end(&mut self, flow: &Flow, places: &mut Places) {
        let Some(open) = self.open.take() else { return };
        self.last_end = Some(flow.text.len());
        let anchor = flow.since(open.start);
        if let Some(mut place) = open.place {
            place.range = Some(anchor.clone());
            places.add(place);
        }
        if let Some(mut link) = open.link {
            link.anchor = anchor;
            link.unseen = open.unseen.text;
            self.keep(link);
        }
    }

    /// Words inside the open link that are not part of the text.
    pub(crate) fn write_unseen(&mut self, words: &str) {
        let Some(open) = &mut self.open else { return };
        if open.unseen.text.len() + words.len() <= MOST_UNSEEN {
            open.unseen.write(words, Setting::default());
        }
    }

    /// An `<img>` inside a link speaks through its alternative text.
    pub(crate) fn image(&mut self, tag: &Tag<'_>) {
        if let Some(alt) = tag.alt.raw() {
            self.write_unseen(" ");
            self.write_unseen(alt);
        }
    }

    /// An `<area>` of a map of links.
    pub(crate) fn area(&mut self, tag: &Tag<'_>, base: &Base, position: usize, area: Area) {
        let Some(url) = tag.href.text().and_then(|href| base.resolve(&href)) else { return };
        let Some(mut link) = self.link(url, tag, position, area) else { return };
        link.unseen = tag.alt.text().unwrap_or_default().into_owned();
        self.keep(link);
    }

    /// A page shown inside this one: a link without words, or a map.
    pub(crate) fn frame(&mut self, url: Url, position: usize, area: Area) {
        if let Some(link) = self.link(url, &Tag::default(), position, area) {
            self.keep(link);
        }
    }

    fn link(&self, url: Url, tag: &Tag<'_>, position: usize, area: Area) -> Option<Link> {
        let is_wanted = matches!(url.scheme(), "http" | "https") && !self.is_full;
        is_wanted.then(|| Link {
            url,
            anchor: position..position,
            unseen: String::new(),
            title: tag.title.text().unwrap_or_default().into_owned(),
            rel: Rel::of(tag.rel.raw().unwrap_or_default()),
            block: None,
            area,
        })
    }

    fn keep(&mut self, link: Link) {
        self.bytes += link.url.as_str().len() + link.title.len() + link.unseen.len();
        self.is_full |= self.found.len() >= MOST_LINKS || self.bytes > MOST_BYTES;
        if !self.is_full {
            self.found.push(link);
        }
    }
}
