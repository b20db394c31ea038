//! Sitemaps and feeds in XML, however broken.

use std::borrow::Cow;

use jiff::Timestamp;
use quick_xml::Reader;
use quick_xml::escape::unescape;
use quick_xml::events::{BytesRef, BytesStart, Event};

use super::address::{MAX_URL, Site};
use super::open::Open;
use super::{Alternate, Changes, Child, Entry, Kind, Sitemap, date};

/// All namespaces that the protocol has had; the last two are from before it was a common one.
const NAMESPACES: [&str; 4] = [
    "http://www.sitemaps.org/schemas/sitemap/0.9",
    "https://www.sitemaps.org/schemas/sitemap/0.9",
    "http://www.google.com/schemas/sitemap/0.84",
    "http://www.google.com/schemas/sitemap/0.90",
];

/// A file of 50 MB has room for a million; the pages themselves are in the sitemap anyway.
const MAX_ALTERNATES: usize = 50_000;

/// The longest language tags that RFC 5646 expects.
const MAX_LANGUAGE: usize = 35;

/// Puts what a document says into a sitemap.
pub(super) struct Document<'a> {
    site: &'a Site<'a>,
    sitemap: &'a mut Sitemap,
    /// What the names of the protocol's elements begin with, such as `sm:`; mostly nothing.
    prefix: String,
    open: Open,
    item: Option<Item>,
    /// What the text is collected for, and how many elements are open around it.
    field: Option<(Field, usize)>,
    text: String,
    alternates: usize,
}

/// What is known of a page or sitemap while its element is read.
#[derive(Default)]
struct Item {
    /// How many elements are open around it.
    depth: usize,
    address: String,
    /// What might be the address if there is none.
    substitute: String,
    modified: Option<Timestamp>,
    published: Option<Timestamp>,
    changes: Option<Changes>,
    priority: Option<f32>,
    alternates: Vec<Alternate>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Field {
    Address,
    Substitute,
    Modified,
    Published,
    Changes,
    Priority,
}

impl<'a> Document<'a> {
    pub(super) fn new(site: &'a Site<'a>, sitemap: &'a mut Sitemap) -> Self {
        Self {
            site,
            sitemap,
            prefix: String::new(),
            open: Open::default(),
            item: None,
            field: None,
            text: String::new(),
            alternates: 0,
        }
    }

    /// Reads to the end, or up to where nothing more can be read.
    pub(super) fn read(mut self, text: &str) {
        let mut reader = Reader::from_str(text);
        let config = reader.config_mut();
        config.allow_dangling_amp = true;
        config.allow_unmatched_ends = true;
        config.check_end_names = false;
        let mut goes_on = true;
        while goes_on {
            goes_on = match reader.read_event() {
                Ok(Event::Eof) => self.end_of_file(),
                Ok(event) => self.take(&event),
                Err(_) => self.torn(),
            };
        }
        self.close(0);
    }

    /// Whether it goes on after this.
    fn take(&mut self, event: &Event) -> bool {
        match event {
            Event::Start(tag) => self.start(tag),
            Event::Empty(tag) => self.start(tag) && self.end(tag.name().0),
            Event::End(tag) => self.end(tag.name().0),
            Event::Text(text) => self.take_text(text),
            Event::CData(text) => self.take_text(text),
            Event::GeneralRef(reference) => self.take_reference(reference),
            Event::DocType(_) => {
                self.sitemap.flaws.document_type = true;
                true
            }
            _ => true,
        }
    }

    fn torn(&mut self) -> bool {
        self.sitemap.flaws.torn = true;
        false
    }

    /// A URL without an end may lack some of it.
    fn end_of_file(&mut self) -> bool {
        if self.open.depth() == 0 {
            return false;
        }
        self.text.clear();
        self.torn()
    }

    fn start(&mut self, tag: &BytesStart) -> bool {
        let name = tag.name().0;
        if self.open.depth() == 0 && !self.start_root(tag) {
            return false;
        }
        if self.is_item(name) {
            self.start_item();
        } else if self.item.is_some() {
            self.take_link(tag);
            self.start_field(name);
        }
        self.has_room() && (self.open.push(name) || self.torn())
    }

    /// Whether the root is that of a sitemap.
    fn start_root(&mut self, tag: &BytesStart) -> bool {
        let name = tag.name().0;
        let (prefix, local) = name.split_at(name.find(':').map_or(0, |at| at + 1));
        let kinds = [
            ("urlset", Kind::Urls),
            ("sitemapindex", Kind::Index),
            ("rss", Kind::Rss),
            ("RDF", Kind::Rss),
            ("feed", Kind::Atom),
        ];
        let Some((_, kind)) = kinds.iter().find(|it| it.0.eq_ignore_ascii_case(local)) else {
            return false;
        };
        self.sitemap.kind = *kind;
        if *kind != Kind::Rss {
            prefix.clone_into(&mut self.prefix);
        }
        if matches!(kind, Kind::Urls | Kind::Index) {
            let declaration = format!("xmlns:{prefix}");
            let namespace = attribute(tag, declaration.trim_end_matches(':'));
            let is_foreign = namespace.is_some_and(|it| !NAMESPACES.contains(&it.trim()));
            self.sitemap.flaws.foreign_namespace |= is_foreign;
        }
        true
    }

    fn is_item(&self, name: &str) -> bool {
        let expected = match self.sitemap.kind {
            Kind::Urls => "url",
            Kind::Index => "sitemap",
            Kind::Rss => "item",
            Kind::Atom => "entry",
            Kind::Unknown | Kind::Text => return false,
        };
        // A field may hold an element of this name around its text.
        self.field.is_none() && self.local(name).is_some_and(|it| it.eq_ignore_ascii_case(expected))
    }

    /// The name without prefix, if the element is one of the protocol.
    fn local<'n>(&self, name: &'n str) -> Option<&'n str> {
        name.strip_prefix(&self.prefix).filter(|it| !it.contains(':'))
    }

    fn start_item(&mut self) {
        if let Some(unclosed) = &self.item {
            let depth = unclosed.depth;
            self.sitemap.flaws.torn = true;
            self.close(depth);
        }
        self.item = Some(Item { depth: self.open.depth(), ..Item::default() });
    }

    fn start_field(&mut self, name: &str) {
        let Some(field) = self.field_of(name) else { return };
        if let Some((_, depth)) = self.field {
            self.sitemap.flaws.torn = true;
            self.close(depth);
        }
        let depth = self.open.depth();
        let Some(item) = &self.item else { return };
        let is_extension = field == Field::Published;
        if depth != item.depth + 1 && !is_extension {
            return;
        }
        let is_next = field == Field::Address && !item.address.is_empty();
        if is_next && matches!(self.sitemap.kind, Kind::Urls | Kind::Index) {
            let depth = item.depth;
            self.finish_item();
            self.item = Some(Item { depth, ..Item::default() });
        }
        self.text.clear();
        self.field = Some((field, depth));
    }

    fn field_of(&self, name: &str) -> Option<Field> {
        let fields: &[(&str, Field)] = match self.sitemap.kind {
            Kind::Urls | Kind::Index => &[
                ("loc", Field::Address),
                ("lastmod", Field::Modified),
                ("changefreq", Field::Changes),
                ("priority", Field::Priority),
            ],
            Kind::Rss => &[
                ("link", Field::Address),
                ("guid", Field::Substitute),
                ("pubDate", Field::Modified),
            ],
            Kind::Atom => &[("updated", Field::Modified), ("published", Field::Published)],
            Kind::Unknown | Kind::Text => &[],
        };
        match name {
            "news:publication_date" => return Some(Field::Published),
            "dc:date" => return Some(Field::Modified),
            _ => {}
        }
        let local = self.local(name)?;
        fields.iter().find(|(name, _)| name.eq_ignore_ascii_case(local)).map(|(_, field)| *field)
    }

    /// Takes the link of an Atom entry, or one to the same page in another language.
    fn take_link(&mut self, tag: &BytesStart) {
        if tag.local_name().as_ref() != "link" {
            return;
        }
        let Some(item) = &mut self.item else { return };
        let Some(address) = attribute(tag, "href") else { return };
        let relation = attribute(tag, "rel");
        let is_alternate = relation.as_deref().is_none_or(|it| it == "alternate");
        if self.sitemap.kind == Kind::Atom && is_alternate && item.address.is_empty() {
            item.address = address;
        } else if self.sitemap.kind == Kind::Urls
            && is_alternate
            && self.alternates < MAX_ALTERNATES
            && let Some(language) = attribute(tag, "hreflang")
            && language.len() <= MAX_LANGUAGE
            && let Some(url) = self.site.resolve(&address)
        {
            self.alternates += 1;
            item.alternates.push(Alternate { language, url });
        }
    }

    fn end(&mut self, name: &str) -> bool {
        let Some(depth) = self.open.depth_outside(name) else {
            self.sitemap.flaws.torn = true;
            return true;
        };
        self.sitemap.flaws.torn |= depth + 1 != self.open.depth();
        self.close(depth);
        self.has_room()
    }

    /// Closes elements until so many are open.
    fn close(&mut self, depth: usize) {
        if self.field.is_some_and(|field| field.1 >= depth) {
            self.finish_field();
        }
        if self.item.as_ref().is_some_and(|item| item.depth >= depth) {
            self.finish_item();
        }
        self.open.truncate(depth);
    }

    fn take_text(&mut self, text: &str) -> bool {
        let Some(item) = &mut self.item else { return true };
        let is_protocol = matches!(self.sitemap.kind, Kind::Urls | Kind::Index);
        if self.field.is_some() {
            append(&mut self.text, text);
        } else if is_protocol && self.open.depth() == item.depth + 1 {
            append(&mut item.substitute, text);
        }
        true
    }

    /// Takes a character; entities that the document defines are left out.
    fn take_reference(&mut self, reference: &BytesRef) -> bool {
        let named = match &**reference {
            "amp" => Some('&'),
            "lt" => Some('<'),
            "gt" => Some('>'),
            "quot" => Some('"'),
            "apos" => Some('\''),
            _ => None,
        };
        match named.or(reference.resolve_char_ref().ok().flatten()) {
            Some(char) => self.take_text(char.encode_utf8(&mut [0; 4])),
            None => true,
        }
    }

    fn finish_field(&mut self) {
        let (Some((field, _)), Some(item)) = (self.field.take(), &mut self.item) else { return };
        let text = self.text.trim();
        match field {
            Field::Address if item.address.is_empty() => text.clone_into(&mut item.address),
            Field::Substitute => text.clone_into(&mut item.substitute),
            Field::Modified => item.modified = item.modified.or(date::parse(text)),
            Field::Published => item.published = item.published.or(date::parse(text)),
            Field::Changes => item.changes = Changes::read(text),
            Field::Priority => {
                item.priority = text.parse().ok().filter(|it| (0.0..=1.0).contains(it));
            }
            Field::Address => {}
        }
        self.text.clear();
    }

    fn finish_item(&mut self) {
        let Some(item) = self.item.take() else { return };
        let substitute = item.substitute.trim();
        let url = match item.address.trim() {
            "" => self.site.absolute(substitute),
            address => self.site.resolve(address),
        };
        let Some(url) = url else {
            self.sitemap.flaws.bad_urls +=
                usize::from(!item.address.is_empty() || !substitute.is_empty());
            return;
        };
        if self.sitemap.kind == Kind::Index {
            self.sitemap.sitemaps.push(Child { url, modified: item.modified });
            return;
        }
        self.sitemap.urls.push(Entry {
            modified: item.modified,
            published: item.published,
            changes: item.changes,
            priority: item.priority,
            alternates: item.alternates,
            ..Entry::new(self.site, url)
        });
    }

    fn has_room(&mut self) -> bool {
        self.item.is_none() || self.sitemap.has_room()
    }
}

/// Appends text that may be part of a URL: no more than makes it too long, and no space before it.
fn append(to: &mut String, text: &str) {
    let text = if to.is_empty() { text.trim_start() } else { text };
    let room = MAX_URL + 1 - to.len().min(MAX_URL + 1);
    to.push_str(&text[..text.floor_char_boundary(room)]);
}

fn attribute(tag: &BytesStart, name: &str) -> Option<String> {
    let mut attributes = tag.html_attributes();
    attributes.with_checks(false);
    let found = attributes.flatten().find(|it| it.key.0 == name)?;
    let value = unescape(&found.value).unwrap_or(Cow::Borrowed(&found.value));
    Some(value.into_owned())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use url::Url;

    use super::*;
    use crate::sitemap;

    fn read(text: &str) -> Sitemap {
        let url = Url::parse("https://a.org/sitemap.xml").expect("a URL");
        sitemap::read(text.as_bytes(), &url)
    }

    #[track_caller]
    fn check(text: &str, expected: &[&str]) {
        let sitemap = read(text);
        let mut urls: Vec<_> = sitemap.urls.iter().map(|it| &it.url).collect();
        urls.extend(sitemap.sitemaps.iter().map(|it| &it.url));
        let urls: Vec<_> = urls.iter().map(|it| it.as_str().replace("https://a.org", "")).collect();
        assert_eq!(urls, expected, "{text}");
    }

    #[test]
    fn what_stands_around_an_address_does_not_matter() {
        check(
            "<urlset><url><loc>/1</loc></url><url><loc> /2\n</loc></url></urlset>",
            &["/1", "/2"],
        );
        check("<s:urlset xmlns:s='a'><s:url><s:loc>/1</s:loc></s:url></s:urlset>", &["/1"]);
        check("<urlset><url><loc><url><![CDATA[/1]]></url></loc></url></urlset>", &["/1"]);
        check("<sitemapindex><sitemap>https://a.org/1</sitemap></sitemapindex>", &["/1"]);
        check(
            "\u{FEFF} \n<?xml version='1.0'?><!-- --><urlset><url><loc>/1</loc></url></urlset>",
            &["/1"],
        );
    }

    #[test]
    fn addresses_are_unescaped_even_if_they_never_were_escaped() {
        check("<urlset><url><loc>/?a&amp;b&#38;c</loc></url></urlset>", &["/?a&b&c"]);
        check("<urlset><url><loc>/?a&b=1&c</loc></url></urlset>", &["/?a&b=1&c"]);
    }

    #[test]
    fn addresses_of_pictures_are_not_pages() {
        check(
            "<urlset><url><image:image><image:loc>/i</image:loc></image:image><loc>/1</loc>\
             <image xmlns='i'><loc>/j</loc></image></url></urlset>",
            &["/1"],
        );
    }

    #[test]
    fn a_torn_document_gives_what_came_before() {
        check("<urlset><url><loc>/1</loc></url><url><loc>/2</lo", &["/1", "/2"]);
        check("<urlset><url><loc>/1</loc></url><url><loc>/2", &["/1"]);
        check("<urlset><url><loc>/1</loc><url><loc>/2</loc></url></urlset>", &["/1", "/2"]);
        check("<urlset><url><loc>/1<lastmod>2020</lastmod></url><url><loc>/2</loc>", &["/1", "/2"]);
        check("<urlset><url><loc>/1</loc></url></url></b><url><loc>/2</loc></url>", &["/1", "/2"]);
        assert!(read("<urlset><url><loc>/1</loc></url>").flaws.torn);
        assert!(read("<urlset><url><loc>/1</loc></url></url></urlset>").flaws.torn);
        assert!(!read("<urlset><url><loc>/1</loc><b/></url></urlset>").flaws.torn);
    }

    #[test]
    fn several_addresses_in_one_element_are_several_pages() {
        let sitemap =
            read("<urlset><url><loc>/1</loc><lastmod>2020</lastmod><loc>/2</loc></url></urlset>");
        let modified: Vec<_> = sitemap.urls.iter().map(|it| it.modified.is_some()).collect();
        assert_eq!(modified, [true, false]);
    }

    #[test]
    fn pages_in_other_languages_and_news_are_told() {
        let sitemap = read(
            "<urlset><url><loc>/1</loc><xhtml:link rel='alternate' hreflang='de' href='/de?a&amp;b'/>\
             <news:news><news:publication_date>2020-01-01</news:publication_date></news:news>\
             <priority>0.3</priority><changefreq> Weekly </changefreq></url>\
             <url><loc>/2</loc><priority>7</priority><changefreq>often</changefreq></url></urlset>",
        );
        let entry = &sitemap.urls[0];
        assert_eq!(entry.alternates[0].language, "de");
        assert_eq!(entry.alternates[0].url.as_str(), "https://a.org/de?a&b");
        assert_eq!(
            entry.published.map(|it| it.to_string()).as_deref(),
            Some("2020-01-01T00:00:00Z")
        );
        assert_eq!((entry.priority, entry.changes), (Some(0.3), Some(Changes::Weekly)));
        assert_eq!((sitemap.urls[1].priority, sitemap.urls[1].changes), (None, None));
    }

    #[test]
    fn feeds_name_the_pages_of_their_items() {
        check(
            "<rss><channel><link>/</link><image><url>/i</url></image><item><link>/1</link>\
             <guid>https://a.org/g</guid></item><item><guid>https://a.org/2</guid></item>\
             <item><guid>abc</guid></item></channel></rss>",
            &["/1", "/2"],
        );
        check(
            "<feed><link href='/'/><entry><link rel='self' href='/s'/><link href='/1'/>\
             <link href='/x'/></entry></feed>",
            &["/1"],
        );
    }

    #[test]
    fn entities_of_the_document_are_left_out() {
        let bomb = "<!DOCTYPE b [<!ENTITY a 'aaaa'><!ENTITY b '&a;&a;&a;'>]>\
                    <urlset><url><loc>/1&b;</loc></url><url><loc>&b;</loc></url></urlset>";
        check(bomb, &["/1"]);
        assert!(read(bomb).flaws.document_type);
    }

    #[test]
    fn a_page_is_no_sitemap() {
        assert_eq!(read("<!DOCTYPE html><html><body><url><loc>/1</loc></url>").kind, Kind::Unknown);
        assert_eq!(read("<").kind, Kind::Unknown);
    }

    #[test]
    fn no_more_is_taken_than_the_protocol_allows() {
        let sitemap = read(&format!("<urlset>{}", "<url><loc>/1</loc></url>".repeat(50_001)));
        assert_eq!(sitemap.urls.len(), 50_000);
        assert!(sitemap.flaws.too_long);
        let sitemap =
            read(&format!("<urlset>{}</urlset>", "<url><loc>/1</loc></url>".repeat(50_000)));
        assert!(!sitemap.flaws.too_long);
        let sitemap = read(&"https://a.org/1\n".repeat(50_001));
        assert_eq!((sitemap.urls.len(), sitemap.flaws.too_long), (50_000, true));
    }

    #[test]
    fn too_much_of_anything_is_harmless() {
        read(&"<urlset>".repeat(100_000));
        read(&format!("<urlset><url>{}", "<loc>".repeat(100_000)));
        read(&format!("<urlset><url><loc>{}</loc></url>", "a".repeat(1_000_000)));
        read(&format!("<urlset {}>", "a='b' ".repeat(100_000)));
        read(&format!("<urlset><url>{}", "</loc>".repeat(100_000)));
    }

    proptest! {
        #[test]
        fn any_bytes_may_be_a_sitemap(bytes: Vec<u8>) {
            let url = Url::parse("https://a.org/sitemap.xml").expect("a URL");
            sitemap::read(&bytes, &url);
        }

        #[test]
        fn almost_a_sitemap_is_read(
            parts in prop::collection::vec(
                prop::sample::select(vec![
                    "<urlset>", "<url>", "<loc>", "/a", "&amp;", "&b", "&c;", "</loc>", "</url>", "<lastmod>",
                    "</lastmod>", "2020", "<![CDATA[", "]]>", "<!--", "-->", "<x/>", "<", ">", "é", "<sitemap>",
                    "<sitemapindex>", "<rss>", "<item>", "<link>", "<link href='/b'/>", "<!DOCTYPE", "<?", "?>",
                ]),
                0..40,
            ),
        ) {
            read(&parts.concat());
            read(&format!("<urlset><url><loc>{}", parts.concat()));
        }
    }
}
