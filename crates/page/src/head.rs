//! What the head of a document says about the page.

use crate::base::Base;
use crate::entity::decode_attribute;
use crate::flow::{Flow, Setting};
use crate::language::Language;
use crate::link_header::stated_links;
use crate::robots::Robots;
use crate::sections::Sections;
use crate::tag::Tag;

/// The same page in another language.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Alternate {
    /// The value of `hreflang`: `de`, `de-AT`, `x-default`.
    pub hreflang: String,
    /// Its absolute URL.
    pub url: String,
}

/// So many alternates are kept. There are not many more languages.
const MOST_ALTERNATES: usize = 200;
/// So many feeds are kept: most sites name that of the site first, then those of its parts.
const MOST_FEEDS: usize = 8;
/// Of a title or description so many bytes are kept.
const LONGEST_TITLE: usize = 1000;

/// What was said so far; of two titles and the like, the first counts.
#[derive(Default)]
pub(crate) struct Head {
    pub(crate) title: Option<String>,
    pub(crate) og_title: Option<String>,
    pub(crate) description: Option<String>,
    pub(crate) canonical: Option<String>,
    pub(crate) alternates: Vec<Alternate>,
    pub(crate) feeds: Vec<String>,
    pub(crate) refresh: Option<String>,
    pub(crate) robots: Robots,
    /// The name of ours under which there may be rules for us alone, in lower case.
    robot: Option<String>,
    pub(crate) sections: Sections,
    pub(crate) html_language: Option<Language>,
    pub(crate) meta_language: Option<Language>,
}

impl Head {
    /// Nothing said yet to anybody, nor to the robot of this name.
    pub(crate) fn for_robot(name: Option<&str>) -> Self {
        Self { robot: name.map(str::to_ascii_lowercase), ..Self::default() }
    }

    /// The `<html>` element.
    pub(crate) fn html(&mut self, tag: &Tag<'_>) {
        self.html_language = self.html_language.or_else(|| Language::parse(tag.lang.raw()?));
    }

    /// The text of a `<title>`.
    pub(crate) fn title(&mut self, raw: &str) {
        if self.title.is_none() {
            self.title = plain(raw);
        }
    }

    /// A `<link>`.
    pub(crate) fn link(&mut self, tag: &Tag<'_>, base: &Base) {
        let rels = || tag.rel.words();
        let is = |word: &str| rels().any(|rel| rel.eq_ignore_ascii_case(word));
        let url = || Some(String::from(base.resolve_web(&tag.href.text()?)?));
        if is("canonical") && self.canonical.is_none() {
            self.canonical = url();
        }
        let hreflang = tag.hreflang.text().filter(|_| is("alternate"));
        if let Some(hreflang) = hreflang.filter(|_| self.alternates.len() < MOST_ALTERNATES) {
            let hreflang = hreflang.into_owned();
            self.alternates.extend(url().map(|url| Alternate { hreflang, url }));
        }
        let is_feed =
            || ["application/rss+xml", "application/atom+xml"].iter().any(|it| tag.kind.is(it));
        if is("alternate") && self.feeds.len() < MOST_FEEDS && is_feed() {
            self.feeds.extend(url());
        }
    }

    /// The header `Link`, whose links start from the page's own URL. Of what the page says itself the
    /// server knows less.
    pub(crate) fn link_header(&mut self, header: &str, base: &Base) {
        for link in stated_links(header) {
            let url = || base.resolve_web(link.target).map(String::from);
            if link.is("canonical") && self.canonical.is_none() {
                self.canonical = url();
            }
            if let Some(hreflang) = link.hreflang.as_deref().filter(|_| link.is("alternate"))
                && self.alternates.len() < MOST_ALTERNATES
            {
                let hreflang = hreflang.to_owned();
                self.alternates.extend(url().map(|url| Alternate { hreflang, url }));
            }
        }
    }

    /// A `<meta>`.
    pub(crate) fn meta(&mut self, tag: &Tag<'_>, base: &Base) {
        let Some(content) = tag.content.raw() else { return };
        if let Some(pragma) = tag.http_equiv.raw() {
            return self.pragma(pragma, content, base);
        }
        let Some(name) = tag.name.raw().or(tag.property.raw()) else { return };
        match name.to_ascii_lowercase().as_str() {
            "robots" => self.robots.heed(content),
            name if self.robot.as_deref() == Some(name) => self.robots.heed(content),
            "description" => self.description = self.description.take().or_else(|| plain(content)),
            "article:section" => self.sections.note(content),
            "og:title" => self.og_title = self.og_title.take().or_else(|| plain(content)),
            "language" | "dc.language" | "og:locale" => self.note_language(content),
            _ => {}
        }
    }

    fn pragma(&mut self, pragma: &str, content: &str, base: &Base) {
        if pragma.eq_ignore_ascii_case("refresh") && self.refresh.is_none() {
            let target = refresh_target(content);
            let url = target.and_then(|it| base.resolve_web(&decode_attribute(it)));
            self.refresh = url.map(String::from);
        } else if pragma.eq_ignore_ascii_case("content-language") {
            self.note_language(content);
        }
    }

    fn note_language(&mut self, content: &str) {
        self.meta_language = self.meta_language.or_else(|| Language::parse(content));
    }
}

/// The text without references and doubled blanks, in bounds; none if nothing is left.
fn plain(raw: &str) -> Option<String> {
    let mut flow = Flow::default();
    // References are longer than what they stand for; four times is enough for most.
    flow.write(&raw[..raw.floor_char_boundary(LONGEST_TITLE * 4)], Setting::default());
    flow.text.truncate(flow.text.floor_char_boundary(LONGEST_TITLE));
    (!flow.text.is_empty()).then_some(flow.text)
}

/// The target in `5; url='/new'`; none if the page only loads itself again.
fn refresh_target(content: &str) -> Option<&str> {
    let (_, rest) = content.split_once([';', ','])?;
    let rest = rest.trim_start();
    let rest = match rest.get(..3) {
        Some(start) if start.eq_ignore_ascii_case("url") => {
            rest[3..].trim_start().strip_prefix('=').unwrap_or(rest).trim_start()
        }
        _ => rest,
    };
    let target = match rest.chars().next()? {
        quote @ ('"' | '\'') => rest[1..].split(quote).next()?,
        _ => rest,
    };
    Some(target.trim()).filter(|it| !it.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::page::{Page, read};
    use crate::response::Response;

    fn page(html: &str) -> Page {
        read(&Response { url: Some("http://a.example/b"), ..Response::new(html.as_bytes()) })
    }

    #[track_caller]
    fn check_title(html: &str, expected: &str) {
        assert_eq!(page(html).title, expected, "{html}");
    }

    #[track_caller]
    fn check_refresh(content: &str, expected: Option<&str>) {
        assert_eq!(refresh_target(content), expected, "{content}");
    }

    #[test]
    fn the_first_title_counts() {
        check_title("<title> A &amp;\n B </title><title>C</title>", "A & B");
        check_title("<title>A <b></title>", "A <b>");
        check_title("<svg><title>Icon</title></svg><title>A</title>", "A");
    }

    #[test]
    fn without_a_title_something_else_serves() {
        check_title("<meta property=og:title content=A><h1>B</h1>", "A");
        check_title("<p>A<h2>B</h2>", "B");
        check_title("", "");
    }

    #[test]
    fn canonical_and_alternates_are_resolved() {
        let page = page(
            "<link rel=canonical href=/c><link rel='alternate' hreflang=de href=//a.example/de>\
             <link rel=alternate type=application/rss+xml href=/feed>",
        );
        assert_eq!(page.canonical.as_deref(), Some("http://a.example/c"));
        let german = Alternate { hreflang: "de".into(), url: "http://a.example/de".into() };
        assert_eq!(page.alternates, [german]);
        assert_eq!(page.feeds, ["http://a.example/feed"]);
    }

    #[test]
    fn canonical_and_alternates_may_stand_in_a_header() {
        let stated = |html: &str| {
            let link =
                Some("</c>; rel=canonical, <de>; rel=alternate; hreflang=de, </x>; rel=next");
            let url = Some("http://a.example/b");
            read(&Response { url, link, ..Response::new(html.as_bytes()) })
        };
        // The base is that of the document, of which the server knows nothing.
        let page = stated("<base href=//b.example/>");
        assert_eq!(page.canonical.as_deref(), Some("http://a.example/c"));
        let german = Alternate { hreflang: "de".into(), url: "http://a.example/de".into() };
        assert_eq!(page.alternates, [german]);
        let page = stated("<link rel=canonical href=/d>");
        assert_eq!(page.canonical.as_deref(), Some("http://a.example/d"));
    }

    #[test]
    fn a_refresh_leads_on_only_with_a_target() {
        check_refresh("0; url=/new", Some("/new"));
        check_refresh("5;URL = '/new' x", Some("/new"));
        check_refresh("0, /new", Some("/new"));
        check_refresh("300", None);
        check_refresh("0;", None);
        check_refresh("0;url=", None);
    }

    #[test]
    fn robots_are_told_by_meta_and_header() {
        let response = Response {
            robots_tag: Some("noarchive"),
            ..Response::new(b"<meta name=ROBOTS content='noindex, follow'>")
        };
        let robots = read(&response).robots;
        assert!(robots.noindex && robots.noarchive && !robots.nofollow);
    }

    #[test]
    fn a_page_may_have_rules_for_us_alone() {
        let html = b"<meta name=Strabo content=nofollow><meta name=otherbot content=noindex>";
        let response = Response { robot: Some("strabo"), ..Response::new(html) };
        let robots = read(&response).robots;
        assert!(robots.nofollow && !robots.noindex);
        assert!(!read(&Response::new(html)).robots.nofollow);
    }

    #[test]
    fn languages_are_declared_in_many_places() {
        let declared = |html: &str| page(html).declared_language.map(|it| it.to_string());
        assert_eq!(declared("<html lang=de-AT>").as_deref(), Some("de"));
        assert_eq!(
            declared("<meta http-equiv=content-language content=fi>").as_deref(),
            Some("fi")
        );
        assert_eq!(
            declared("<html lang=''><meta property=og:locale content=fr_FR>").as_deref(),
            Some("fr")
        );
        assert_eq!(declared("<p lang=de>"), None);
    }
}
