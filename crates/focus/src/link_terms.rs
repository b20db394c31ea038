//! The terms of a link: what is known of it before it is followed, word by word.

use std::ops::Range;
use std::sync::Arc;

use page::{Link, Page};
use url::{Position, Url};

use crate::address_like::is_address_like;
use crate::aim::Aim;
use crate::stop_words::is_stop_word;
use crate::strategy::{Candidate, Source};
use crate::term::Term;
use crate::tokens;
use crate::topic::Topic;
use crate::toponyms::{Seen, Toponyms};

/// So many words before a link and as many after it belong to it.
const WORDS_AROUND: usize = 10;
/// They stand within so many bytes. Ten words need a sixth of it; whoever writes longer ones has
/// many links on the page and wants to keep us busy.
const BYTES_AROUND: usize = 400;
/// Of the words of a link and of its URL so many bytes are read.
const MOST_BYTES: usize = 1_000;
/// So many terms of a host are read. The longest names of honest hosts have a dozen.
const MOST_HOST: usize = 12;
/// So many terms of a path and its query are read; what follows are mostly the numbers of a session.
const MOST_PATH: usize = 24;
/// So many terms of a link's own words are read. Some wrap a whole article into a link.
const MOST_ANCHOR: usize = 24;

/// Reads the terms of links, in the namespaces of Ahlers and Boll: `switch:`, `host:`, `path:`,
/// `anchor:` (words, alternative texts of images and title) and `ctx:` (words around the link).
#[derive(Default)]
pub(crate) struct LinkTerms {
    /// Finds places for the terms that begin with `@`; nothing if these are not wanted.
    toponyms: Option<Toponyms>,
    /// Whose keywords are looked for.
    topic: Option<Arc<Topic>>,
    /// The name of the term that is being read.
    name: String,
}

impl LinkTerms {
    /// With terms for more than words: `@roi` for a place in the region, `@geo` for another one, in
    /// `host:`, `path:`, `anchor:` and `ctx:`; `@key` for a keyword of the topic in the last two;
    /// `ctx:@addr` beside what looks like an address, and `parent:@rel` on a relevant page.
    pub(crate) fn with_hints(aim: &Aim) -> Self {
        let toponyms = Some(Toponyms::of(aim));
        Self { toponyms, topic: aim.topic.clone(), name: String::new() }
    }

    /// Terms for all links of a page: whether its title or its address names a place in the region, or
    /// another one.
    pub(crate) fn about(&mut self, source: &Source<'_>) -> Vec<&'static str> {
        let mut terms = Vec::new();
        let Some(toponyms) = &mut self.toponyms else { return terms };
        let title = source.page.map_or("", |it| it.title.as_str());
        let titled = toponyms.in_text(head(title, MOST_BYTES));
        let host = toponyms.in_host(&tokens::host(source.url));
        let located = host | toponyms.in_path(source.url.path());
        let mut add = |is_so: bool, name: &'static str| terms.extend(is_so.then_some(name));
        add(titled.in_region, "title:@roi");
        add(titled.elsewhere, "title:@geo");
        add(located.in_region, "source:@roi");
        add(located.elsewhere, "source:@geo");
        terms
    }

    /// Gives every term of a link with its name. A word that stands there twice is given twice.
    pub(crate) fn read(
        &mut self,
        home: &Home<'_>,
        candidate: &Candidate<'_>,
        mut each: impl FnMut(Term, &str),
    ) {
        let mut writer = Writer { name: &mut self.name, each: &mut each };
        let url = candidate.url;
        let is_same = home.is_home_of(url);
        writer.one("switch:", if is_same { "same" } else { "other" });
        let host = tokens::host(url);
        writer.all("host:", tokens::parts(&host).take(MOST_HOST));
        let path = head(&url[Position::BeforePath..Position::AfterQuery], MOST_BYTES);
        let path = tokens::plain(path);
        writer.all("path:", tokens::parts(&path).take(MOST_PATH));
        let said = home.source.page.zip(candidate.link).map(|(page, link)| Said::of(page, link));
        if let Some(said) = &said {
            writer.all("anchor:", said.own().flat_map(tokens::words).take(MOST_ANCHOR));
            writer.all("ctx:", said.around().filter(|it| !is_stop_word(it)));
        }
        if let Some(toponyms) = &mut self.toponyms {
            if home.source.relevant == Some(true) {
                writer.one("parent:", "@rel");
            }
            writer.seen("host:", toponyms.in_host(&host));
            writer.seen("path:", toponyms.in_path(&path));
            if let Some(said) = &said {
                let anchor = said.own().fold(Seen::default(), |all, it| all | toponyms.in_text(it));
                writer.seen("anchor:", anchor);
                let around = toponyms.in_text(said.before) | toponyms.in_text(said.after);
                writer.seen("ctx:", around);
                if [said.before, said.anchor, said.after].into_iter().any(is_address_like) {
                    writer.one("ctx:", "@addr");
                }
            }
        }
        if let (Some(topic), Some(said)) = (&self.topic, &said) {
            if said.own().any(|it| topic.names_keyword(it)) {
                writer.one("anchor:", "@key");
            }
            if [said.before, said.after].into_iter().any(|it| topic.names_keyword(it)) {
                writer.one("ctx:", "@key");
            }
        }
    }
}

/// The page whose links are read.
pub(crate) struct Home<'a> {
    source: &'a Source<'a>,
    host: &'a str,
    domain: &'a str,
}

impl<'a> Home<'a> {
    pub(crate) fn of(source: &'a Source<'a>) -> Self {
        let host = source.url.host_str().unwrap_or_default();
        Self { source, host, domain: registered_domain(host) }
    }

    /// How near the page comes to what the crawl looks for.
    pub(crate) fn nearness(&self) -> Option<f32> {
        self.source.nearness
    }

    /// Whether a URL belongs to whoever the page belongs to, as far as names tell.
    pub(crate) fn is_home_of(&self, url: &Url) -> bool {
        let host = url.host_str().unwrap_or_default();
        host == self.host || registered_domain(host) == self.domain
    }
}

/// The domain that somebody registered and the host is part of; addresses stand for themselves.
fn registered_domain(host: &str) -> &str {
    let is_address = host.ends_with(']') || host.ends_with(|it: char| it.is_ascii_digit());
    if is_address { host } else { psl::domain_str(host).unwrap_or(host) }
}

/// What a page says about a link.
struct Said<'a> {
    anchor: &'a str,
    unseen: &'a str,
    title: &'a str,
    before: &'a str,
    after: &'a str,
}

impl<'a> Said<'a> {
    fn of(page: &'a Page, link: &'a Link) -> Self {
        let Range { start, end } = link.anchor;
        let block = link.block.and_then(|it| page.blocks.get(it)).map(|it| &it.range);
        let (first, last) = block.map_or((0, page.text.len()), |it| (it.start, it.end));
        let text = |range: Range<usize>| page.text.get(range).unwrap_or_default();
        let anchor = head(text(start..end), MOST_BYTES);
        let is_repeated = link.title.eq_ignore_ascii_case(anchor);
        Self {
            anchor,
            unseen: head(&link.unseen, MOST_BYTES),
            // A title that repeats the link's words makes nothing surer.
            title: if is_repeated { "" } else { head(&link.title, MOST_BYTES) },
            before: tail(text(first.min(start)..start), BYTES_AROUND),
            after: head(text(end..last.max(end)), BYTES_AROUND),
        }
    }

    /// The words of the link itself.
    fn own(&self) -> impl Iterator<Item = &'a str> + use<'a> {
        [self.anchor, self.unseen, self.title].into_iter()
    }

    /// The words around it, the nearest first.
    fn around(&self) -> impl Iterator<Item = &'a str> + use<'a> {
        let before = tokens::words(self.before).rev().take(WORDS_AROUND);
        before.chain(tokens::words(self.after).take(WORDS_AROUND))
    }
}

/// Writes terms, all into one buffer.
struct Writer<'a, E> {
    name: &'a mut String,
    each: &'a mut E,
}

impl<E: FnMut(Term, &str)> Writer<'_, E> {
    fn one(&mut self, space: &str, token: &str) {
        self.name.clear();
        self.name.push_str(space);
        self.name.push_str(token);
        (self.each)(Term::of(self.name), self.name);
    }

    fn all<'t>(&mut self, space: &str, tokens: impl Iterator<Item = &'t str>) {
        self.name.clear();
        self.name.push_str(space);
        for token in tokens {
            self.name.truncate(space.len());
            tokens::write(token, self.name);
            (self.each)(Term::of(self.name), self.name);
        }
    }

    fn seen(&mut self, space: &str, seen: Seen) {
        if seen.in_region {
            self.one(space, "@roi");
        }
        if seen.elsewhere {
            self.one(space, "@geo");
        }
    }
}

fn head(text: &str, most: usize) -> &str {
    &text[..text.floor_char_boundary(most)]
}

fn tail(text: &str, most: usize) -> &str {
    &text[text.ceil_char_boundary(text.len().saturating_sub(most))..]
}

#[cfg(test)]
mod tests {
    use page::Response;
    use proptest::prelude::*;

    use super::*;
    use crate::toponyms::tests::{aim, topic_aim};

    const HERE: &str = "http://www.stadt.example.co.uk/a";

    fn terms(reader: &mut LinkTerms, html: &str, relevant: bool) -> String {
        let here = Url::parse(HERE).expect("a URL");
        let page = page::read(&Response { url: Some(HERE), ..Response::new(html.as_bytes()) });
        let source = Source {
            url: &here,
            page: Some(&page),
            relevant: Some(relevant),
            similarity: None,
            nearness: None,
            depth: 1,
            note: &[],
        };
        let url = page.links[0].url.clone();
        let candidate =
            Candidate { url: &url, link: page.links.first(), depth: 2, is_known: false };
        let mut all = Vec::new();
        reader.read(&Home::of(&source), &candidate, |term, name| {
            assert_eq!(term, Term::of(name));
            all.push(name.to_owned());
        });
        all.join(" ")
    }

    #[track_caller]
    fn check(html: &str, expected: &str) {
        assert_eq!(terms(&mut LinkTerms::default(), html, false), expected);
    }

    #[test]
    fn every_part_of_a_link_has_its_terms() {
        check(
            "<p>One.</p><p>You find us at the <b>old harbour</b>: see \
             <a href='http://portal.example/Branches/list12?x=1' title='All firms'>Companies \
             <img alt='a ship'></a> for the firms.</p><p>Two.</p>",
            "switch:other host:portal host:example path:branches path:list path:# path:x path:# \
             anchor:companies anchor:a anchor:ship anchor:all anchor:firms \
             ctx:see ctx:harbour ctx:old ctx:find ctx:firms",
        );
    }

    #[test]
    fn a_domain_is_what_somebody_registered() {
        check(
            "<a href='//other.example.co.uk'>x</a>",
            "switch:same host:other host:example host:co host:uk anchor:x",
        );
        check("<a href='//other.co.uk'>x</a>", "switch:other host:other host:co host:uk anchor:x");
        check("<a href='//10.0.0.1'>x</a>", "switch:other host:# host:# host:# host:# anchor:x");
    }

    #[test]
    fn escaped_letters_are_letters_and_a_repeated_title_is_nothing_new() {
        check(
            "<a href='/stra%C3%9Fe/%zz%f' title='STREETS'>Streets</a>",
            "switch:same host:www host:stadt host:example host:co host:uk path:straße path:zz \
             path:f anchor:streets",
        );
    }

    #[test]
    fn hosts_are_read_in_their_own_letters() {
        check(
            "<a href='//xn--mnchen-3ya.example'>x</a>",
            "switch:other host:münchen host:example anchor:x",
        );
    }

    #[test]
    fn ten_words_on_each_side_belong_to_a_link() {
        let many = (0..30).map(|it| format!("w{it}")).collect::<Vec<_>>().join(" ");
        let html = format!("<p>{many} <a href='//x.example'></a> {many}</p>");
        let found = terms(&mut LinkTerms::default(), &html, false);
        let around: Vec<_> = found.split(' ').filter_map(|it| it.strip_prefix("ctx:w")).collect();
        let before = (20..30).rev();
        assert_eq!(around, before.chain(0..10).map(|it| it.to_string()).collect::<Vec<_>>());
    }

    #[test]
    fn places_addresses_and_relevant_pages_are_hints() {
        let mut reader = LinkTerms::with_hints(&aim());
        let html = "<p>From Bad Urach to <a href='//x.example/oldenburg/'>Oldenburg</a>, Lange \
                    Straße 5, oldenburg</p>";
        let found = terms(&mut reader, html, true);
        let hints: Vec<_> = found.split(' ').filter(|it| it.contains('@')).collect();
        assert_eq!(hints, ["parent:@rel", "path:@roi", "anchor:@roi", "ctx:@geo", "ctx:@addr"]);
    }

    #[test]
    fn keywords_of_the_topic_are_hints() {
        let mut reader = LinkTerms::with_hints(&topic_aim("storm tide", &["ol"]));
        let check = |reader: &mut LinkTerms, html: &str, expected: &[&str]| {
            let found = terms(reader, html, false);
            let hints: Vec<_> = found.split(' ').filter(|it| it.contains('@')).collect();
            assert_eq!(hints, expected);
        };
        check(
            &mut reader,
            "<p>Oldenburg: <a href='/x'>Storm tides</a>, the storm tide of 1962</p>",
            &["ctx:@roi", "ctx:@key"],
        );
        check(&mut reader, "<p><a href='/x'><img alt='STORM TIDE'></a></p>", &["anchor:@key"]);
    }

    proptest! {
        #[test]
        fn any_page_has_bounded_terms(html in "(<p>|<a href='[a-zA-Z%0-9/?é]{0,20}'>|[\\PC]{0,9}|</a>){0,30}") {
            let html = format!("<a href=x>{html}");
            let found = terms(&mut LinkTerms::with_hints(&Aim::default()), &html, true);
            let most = 1 + MOST_HOST + MOST_PATH + MOST_ANCHOR + 2 * WORDS_AROUND + 10;
            prop_assert!(found.split(' ').count() <= most);
        }
    }
}
