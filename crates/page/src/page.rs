//! The page: all that was read from one response.

use xxhash_rust::xxh3::xxh3_64;

use crate::base::Base;
use crate::block::{Block, Role};
use crate::charset;
use crate::dates::Event;
use crate::fingerprint::Shingles;
use crate::flow::{Flow, Gap, Setting};
use crate::head::Alternate;
use crate::language::{self, Language};
use crate::link::Link;
use crate::main_text::mark_main;
use crate::page_date::{DateSource, PageDate};
use crate::place::StructuredPlace;
use crate::plus_codes;
use crate::reader::Reader;
use crate::response::Response;
use crate::robots::Robots;
use crate::wording::{Wording, has_digit, may_have_digits};
use crate::words::each_word;
use crate::written_date::written_date;

/// A page, read. Whatever the bytes were, there is one; of a torn page there is less.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Page {
    /// The name of the encoding that the body was read in; empty if it is no text.
    pub encoding: &'static str,
    /// Its title: `<title>`, else `og:title`, else the first heading; empty if there is none.
    pub title: String,
    /// Its description for search engines; empty if there is none.
    pub description: String,
    /// All that a visitor sees, in the order of the document. Blanks are single; `\n` stands
    /// between blocks and for `<br>`, a tab between the cells of a row.
    pub text: String,
    /// The paragraphs, headings, items and cells of the text, in order.
    pub blocks: Vec<Block>,
    /// The links to other pages, in the order in which they end.
    pub links: Vec<Link>,
    /// The sections it was filed under: `article:section` in its head, `articleSection` in JSON-LD.
    pub sections: Vec<String>,
    /// The places that are stated for machines.
    pub places: Vec<StructuredPlace>,
    /// The language that the page or the server declares.
    pub declared_language: Option<Language>,
    /// The language that the words are in, where they tell or had to be asked.
    pub detected_language: Option<Language>,
    /// When it was published.
    pub published: Option<PageDate>,
    /// When it was changed last.
    pub modified: Option<PageDate>,
    /// The URL that the page wants to be known by.
    pub canonical: Option<String>,
    /// The same page in other languages.
    pub alternates: Vec<Alternate>,
    /// The feeds that it names, in RSS or Atom.
    pub feeds: Vec<String>,
    /// Where `<meta http-equiv="refresh">` sends the visitor.
    pub refresh: Option<String>,
    /// What robots may not do.
    pub robots: Robots,
    /// The simhash of the main text, near that of texts that are nearly the same.
    pub fingerprint: u64,
    /// A digest of the set of words of the title and of all that is no frame, whatever their numbers and their order;
    /// a long paragraph counts as one word, and what has a digit in it as none. 0 if there are none.
    pub wording: u64,
    /// What was left out.
    pub truncated: Truncated,
}

/// Which limits a page was too large for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Truncated {
    /// It has more text or blocks; what comes after was not read.
    pub text: bool,
    /// It has more links.
    pub links: bool,
}

/// A date this near to the beginning of the main text is taken for that of the page.
const DATELINE: usize = 400;

/// Reads a page. It never fails, and takes time and memory in proportion to the body.
pub fn read(response: &Response<'_>) -> Page {
    let form = Form::of(response);
    if form == Form::Other {
        return Page::default();
    }
    let (text, encoding) = charset::decode(response);
    let base = Base::of_page(response.url);
    let reader = match form {
        Form::Plain => Reader::of_plain_text(&text, base),
        _ => Reader::read(&text, base, response.robot),
    };
    Page { encoding: encoding.name(), ..finish(reader, response) }
}

impl Page {
    /// The language that the page is in: the one of its words, else the one declared.
    pub fn language(&self) -> Option<Language> {
        self.detected_language.or(self.declared_language)
    }

    /// The text of a block.
    pub fn text_of(&self, block: &Block) -> &str {
        self.text.get(block.range.clone()).unwrap_or_default()
    }

    /// The texts of the main blocks, in order.
    pub fn main_blocks(&self) -> impl Iterator<Item = &str> {
        self.blocks.iter().filter(|block| block.is_main).map(|block| self.text_of(block))
    }

    /// The main text, a line for each block.
    pub fn main_text(&self) -> String {
        self.main_blocks().collect::<Vec<_>>().join("\n")
    }

    /// The headings with their levels, in order.
    pub fn headings(&self) -> impl Iterator<Item = (u8, &str)> {
        self.blocks.iter().filter_map(|block| match block.role {
            Role::Heading(level) => Some((level, self.text_of(block))),
            _ => None,
        })
    }

    /// When it was published, else when it was changed.
    pub fn date(&self) -> Option<PageDate> {
        self.published.or(self.modified)
    }
}

impl Reader {
    /// Reads a text without markup: paragraphs end at empty lines.
    fn of_plain_text(text: &str, base: Base) -> Self {
        let mut reader = Self::read("", base, None);
        reader.flow = plain_text(text);
        reader
    }
}

fn plain_text(text: &str) -> Flow {
    let mut flow = Flow::default();
    for line in text.lines() {
        let gap = if line.trim().is_empty() { Gap::Block } else { Gap::Line };
        flow.part(gap);
        flow.write_plain(line, Setting::default());
    }
    flow
}

/// What remains to be done once everything is collected.
fn finish(reader: Reader, response: &Response<'_>) -> Page {
    let Reader { flow, mut head, links, mut places, mut dates, .. } = reader;
    plus_codes::find(&flow.text, &mut places);
    if let Some(header) = response.link {
        head.link_header(header, &Base::of_page(response.url));
    }
    let mut robots = head.robots;
    robots.heed_headers(response.robot, response.robots_tag.unwrap_or_default());
    dates.url(response.url.unwrap_or_default());
    dates.note(Event::Modified, response.last_modified.unwrap_or_default(), DateSource::Header);
    let header_language = response.content_language.and_then(Language::parse);
    let mut page = Page {
        title: head.title.or(head.og_title).unwrap_or_default(),
        description: head.description.unwrap_or_default(),
        truncated: Truncated { text: flow.is_full, links: links.is_full },
        text: flow.text,
        blocks: flow.blocks,
        links: links.found,
        sections: head.sections.0,
        places: places.finish(),
        declared_language: head.html_language.or(head.meta_language).or(header_language),
        published: dates.published,
        modified: dates.modified,
        canonical: head.canonical,
        alternates: head.alternates,
        feeds: head.feeds,
        refresh: head.refresh,
        robots,
        ..Page::default()
    };
    mark_main(&mut page.blocks);
    page.find_blocks_of_links();
    page.learn_from_main_text();
    page
}

impl Page {
    /// Both are in order of the text, up to nested links, so one look at each is enough.
    fn find_blocks_of_links(&mut self) {
        for link in &mut self.links {
            let started = |block: &Block| block.range.start <= link.anchor.start;
            link.block = self.blocks.partition_point(started).checked_sub(1);
        }
    }

    fn learn_from_main_text(&mut self) {
        if self.title.is_empty() {
            let heading = self.headings().next().map(|it| it.1.to_owned());
            self.title = heading.unwrap_or_default();
        }
        self.compare_words();
        let beginning = self.beginning();
        self.detected_language = language::detect(self.declared_language, &beginning);
        if self.published.is_none() {
            let dateline = &beginning[..beginning.floor_char_boundary(DATELINE)];
            let date = written_date(dateline).map(|date| date.at(0, 0, 0, 0));
            self.published = date.map(|at| PageDate { at, source: DateSource::Text });
        }
    }

    /// Works out by what the page is known again, in one walk over its words: they are hashed once for both.
    fn compare_words(&mut self) {
        let (mut shingles, mut wording) = (Shingles::default(), Wording::default());
        let blocks = self.blocks.iter().filter(|it| !it.area.is_frame());
        let blocks = blocks.map(|it| (self.text_of(it), it.is_main));
        for (text, is_main) in std::iter::once((self.title.as_str(), false)).chain(blocks) {
            let may_have_digits = may_have_digits(text);
            each_word(text, |word| {
                let hash = xxh3_64(word.as_bytes());
                if is_main {
                    shingles.add(hash);
                }
                if !(may_have_digits && has_digit(word)) {
                    wording.add(hash);
                }
            });
            wording.end_block();
        }
        (self.fingerprint, self.wording) = (shingles.fingerprint(), wording.digest());
    }

    /// The first two kilobytes or so of the main text.
    fn beginning(&self) -> String {
        let mut beginning = String::new();
        for block in self.main_blocks() {
            beginning.push_str(&block[..block.floor_char_boundary(2000)]);
            beginning.push('\n');
            if beginning.len() > 2000 {
                break;
            }
        }
        beginning
    }
}

/// What kind of document a body is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    Html,
    Plain,
    /// Pictures, archives, code: nothing to read.
    Other,
}

impl Form {
    /// As the server says; if it says nothing, as it looks.
    fn of(response: &Response<'_>) -> Self {
        match response.media_type().as_deref() {
            Some("text/css" | "text/javascript") => Self::Other,
            Some(kind) if kind.contains("html") || kind.contains("xml") => Self::Html,
            Some(kind) if kind.starts_with("text/") => Self::Plain,
            None | Some("application/octet-stream") => Self::by_look(response.body),
            Some(_) => Self::Other,
        }
    }

    fn by_look(body: &[u8]) -> Self {
        let start = &body[..body.len().min(1024)];
        let has_mark = encoding_rs::Encoding::for_bom(body).is_some();
        if start.contains(&0) && !has_mark {
            return Self::Other;
        }
        if start.contains(&b'<') { Self::Html } else { Self::Plain }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn of(content_type: Option<&str>, body: &[u8]) -> Page {
        read(&Response { url: Some("http://a.example/"), content_type, ..Response::new(body) })
    }

    #[test]
    fn plain_text_is_text() {
        let page = of(Some("text/plain"), b"A <b> &amp;\r\nB\r\n\r\nC");
        assert_eq!(page.text, "A <b> &amp;\nB\nC");
        assert_eq!(page.blocks.len(), 2);
    }

    #[test]
    fn pictures_and_code_are_pages_without_text() {
        assert_eq!(of(Some("text/css; charset=utf-8"), b"p { color: red }").text, "");
        assert_eq!(of(Some("image/png"), b"<p>A").text, "");
        assert_eq!(of(None, b"\x89PNG\0\0<p>A").text, "");
    }

    #[test]
    fn what_says_nothing_is_taken_as_it_looks() {
        assert_eq!(of(None, b"<p>A</p>").text, "A");
        assert_eq!(of(None, b"A & B").text, "A & B");
        assert_eq!(of(Some("application/octet-stream"), b"<p>A").text, "A");
    }

    #[test]
    fn dates_come_from_the_best_source() {
        let response = Response {
            url: Some("http://a.example/2024/03/12/x"),
            last_modified: Some("Wed, 13 Mar 2024 10:00:00 GMT"),
            ..Response::new(b"<p>1 May 2020</p>")
        };
        let page = read(&response);
        assert_eq!(page.published.map(|it| it.source), Some(DateSource::Url));
        assert_eq!(page.modified.map(|it| it.source), Some(DateSource::Header));
        let page = read(&Response::new(b"<time datetime=2024-03-12>x</time>"));
        assert_eq!(page.date().map(|it| it.source), Some(DateSource::TimeElement));
        let page = read(&Response::new(b"<p>Portville, 1 May 2020. The harbour opened.</p>"));
        assert_eq!(page.date().map(|it| it.source), Some(DateSource::Text));
        assert_eq!(read(&Response::new(b"")).date(), None);
    }

    #[test]
    fn headings_are_told_with_their_levels() {
        let page = of(None, b"<h1>A</h1><p>B</p><h3>C</h3>");
        assert_eq!(page.headings().collect::<Vec<_>>(), [(1, "A"), (3, "C")]);
    }

    /// All that must hold of any page.
    fn hold_invariants(page: &Page) -> Result<(), TestCaseError> {
        let mut end = 0;
        for block in &page.blocks {
            prop_assert!(block.range.start >= end && !block.range.is_empty());
            prop_assert!(page.text.get(block.range.clone()).is_some());
            prop_assert_eq!(page.text_of(block).trim(), page.text_of(block));
            prop_assert!(block.linked <= block.range.len());
            end = block.range.end;
        }
        prop_assert_eq!(end, page.text.len());
        prop_assert_eq!(page.fingerprint, crate::fingerprint(page.main_blocks()));
        for link in &page.links {
            prop_assert!(page.text.get(link.anchor.clone()).is_some());
            prop_assert!(link.url.as_str().starts_with("http"));
            prop_assert!(link.block.is_none_or(|it| it < page.blocks.len()));
            for reach in [crate::Reach::Block, crate::Reach::Page] {
                link.before(page, 5, reach);
                link.after(page, 5, reach);
            }
            link.words(page);
        }
        for place in &page.places {
            prop_assert!(place.range.as_ref().is_none_or(|it| page.text.get(it.clone()).is_some()));
        }
        Ok(())
    }

    /// Pieces that make trouble together.
    const SOUP: [&str; 48] = [
        "<p>",
        "</p>",
        "<div class='nav'>",
        "</div>",
        "<a href='x'>",
        "<a href=geo:1,2>",
        "</a>",
        "<table>",
        "<tr>",
        "<td>",
        "</table>",
        "<ul>",
        "<li>",
        "</ul>",
        "<b>",
        "</b>",
        "<br>",
        "<pre>",
        "</pre>",
        "<select>",
        "<option>",
        "<svg>",
        "</svg>",
        "<template>",
        "</template>",
        "<div hidden>",
        "<p itemscope itemprop=address>",
        "<i itemprop=name>",
        "<span class=h-card>",
        "<em class='p-name p-locality'>",
        "<script>",
        "</script>",
        "<script type=application/ld+json>",
        "{\"address\":\"x\"}",
        "<title>",
        "</title>",
        "<!--",
        "-->",
        "&amp;",
        "&shy;",
        "&nbsp;",
        " ",
        "\n",
        "wörd",
        "東京",
        "12 May 2024",
        "<img alt='ä'>",
        "8FVC9G8F+6X",
    ];

    proptest! {
        #[test]
        fn any_bytes_are_a_page(body in proptest::collection::vec(any::<u8>(), 0..300)) {
            hold_invariants(&of(None, &body))?;
            hold_invariants(&of(Some("text/html"), &body))?;
            hold_invariants(&of(Some("text/plain"), &body))?;
        }

        #[test]
        fn any_soup_of_tags_is_a_page(
            pieces in proptest::collection::vec(proptest::sample::select(&SOUP[..]), 0..60),
        ) {
            hold_invariants(&of(Some("text/html"), pieces.concat().as_bytes()))?;
        }
    }
}
