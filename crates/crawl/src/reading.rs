//! What an answer means for the crawl. Nothing here touches the world.

use std::collections::HashSet;
use std::panic::{AssertUnwindSafe, catch_unwind};

use fetch::Head;
use fetch::sitemap::Sitemap;
use frontier::{Address, Entry, FileKind, Kind, Rules, Wanted};
use page::{Page, Response};
use url::Url;
use xxhash_rust::xxh3::xxh3_64;

use crate::answer::Answer;
use crate::counters::Counters;
use crate::desk::Room;
use crate::goal::{Goal, Judgement};
use crate::passages::{Passage, passages};
use crate::promise::may_be_list;

/// So many feeds of a page are taken: that of the site, and one more. The third is mostly that of the
/// page's own comments.
const MOST_FEEDS: usize = 2;

/// A shorter text may be that of many pages, which differ in their pictures or their form.
const TELLING: usize = 200;

/// What an answer turned out to be.
pub(crate) enum Reading {
    /// A page.
    Page(Box<ReadPage>),
    /// A list of links: a sitemap or a feed.
    List(List),
    /// It is elsewhere.
    Elsewhere(Url),
    /// It is as it was the last time.
    Unchanged,
    /// It is nothing that has links or addresses.
    Unwanted,
    /// There is no such page, for good; with the fingerprint of what the host says then.
    Gone(u64),
    /// The host complains; it should be left alone.
    Complaint,
    /// An error that may pass.
    Trouble,
}

/// What a sitemap or a feed lists, in normal form.
pub(crate) struct List {
    pub(crate) pages: Vec<FoundLink>,
    pub(crate) sitemaps: Vec<FoundLink>,
    /// A digest of its links, whatever else it says of them; 0 if there are none.
    pub(crate) wording: u64,
    /// What room there is for its links.
    pub(crate) room: Room,
}

impl List {
    /// How many of its links have not been taken in.
    pub(crate) fn rest(&self) -> usize {
        self.pages.len() + self.sitemaps.len()
    }
}

/// A page with what it says about places, and its links in normal form.
pub(crate) struct ReadPage {
    pub(crate) page: Page,
    pub(crate) judgement: Judgement,
    /// A digest of the body, as it was transferred.
    pub(crate) digest: u64,
    /// A digest of all that a visitor reads; of the body where that is too little to tell pages apart, and where the
    /// page is what the crawl looks for: what it says of places may be in its markup.
    pub(crate) content: u64,
    /// The paragraphs by which it is known again.
    pub(crate) passages: Vec<Passage>,
    pub(crate) links: Vec<FoundLink>,
    /// The feeds that it names, in normal form.
    pub(crate) feeds: Vec<FoundLink>,
}

/// A link of a page, in normal form.
pub(crate) struct FoundLink {
    pub(crate) url: Url,
    /// Which of the page's links it is; nothing for canonical links, other languages and forwardings.
    pub(crate) index: Option<usize>,
    /// The language that it is said to be in, as a tag.
    pub(crate) hreflang: Option<String>,
}

impl FoundLink {
    /// A link of which nothing else is known.
    fn plain(url: Url) -> Self {
        Self { url, index: None, hreflang: None }
    }
}

/// Who reads answers, and what for.
#[derive(Clone, Copy)]
pub(crate) struct Reader<'a> {
    pub(crate) goal: &'a Goal,
    pub(crate) rules: &'a Rules,
    /// How many links of a page are taken.
    pub(crate) most_links: usize,
    /// The name under which rules for robots address us.
    pub(crate) token: &'a str,
}

impl Reader<'_> {
    /// Reads an answer to the question for a link. If that fails by an error of the program there is
    /// nothing in it: it is in the archive, and would fail again whenever the crawl is opened.
    pub(crate) fn read(self, counters: &Counters, entry: &Entry, answer: &Answer) -> Reading {
        guarded(counters, answer, || self.try_read(counters, entry, answer))
    }

    fn try_read(self, counters: &Counters, entry: &Entry, answer: &Answer) -> Reading {
        match answer.status {
            _ if answer.is_unchanged => Reading::Unchanged,
            300..400 => elsewhere(self.rules, answer),
            429 | 503 => Reading::Complaint,
            500..600 => Reading::Trouble,
            200..300 if answer.is_unwanted => Reading::Unwanted,
            200..300 if entry.kind == Kind::Sitemap => {
                self.list(counters, answer, &sitemap(answer))
            }
            200..300 if may_be_list(entry, answer.told.content_type.as_deref()) => {
                let sitemap = sitemap(answer);
                let is_list = sitemap.kind != fetch::sitemap::Kind::Unknown;
                if is_list { self.list(counters, answer, &sitemap) } else { Reading::Unwanted }
            }
            200..300 => self.page(counters, answer),
            _ => Reading::Gone(self.look(answer).fingerprint),
        }
    }

    fn page(self, counters: &Counters, answer: &Answer) -> Reading {
        let page = self.look(answer);
        let judgement = self.goal.judge(answer.url.as_str(), &page);
        let passages = passages(&page);
        let (links, left_out) = links(self.rules, self.most_links, &answer.url, &page);
        counters.filtered_all("too many", left_out);
        let feeds = page.feeds.iter().filter_map(|it| self.rules.normal_form(it).ok());
        let feeds = feeds.take(MOST_FEEDS).map(FoundLink::plain).collect();
        let digest = answer.digest;
        let is_wanted = judgement.relevant == Some(true);
        let content = if is_wanted { None } else { content(&page) }.unwrap_or(digest);
        let read = ReadPage { page, judgement, digest, content, passages, links, feeds };
        Reading::Page(Box::new(read))
    }

    fn list(self, counters: &Counters, answer: &Answer, sitemap: &Sitemap) -> Reading {
        if answer.cut.is_some() || sitemap.flaws.too_long {
            counters.error("list cut off");
        }
        let normal = |it: &Url| self.rules.normal_form(it.as_str()).ok();
        let mut pages = Vec::with_capacity(sitemap.urls.len());
        // The same page in other languages is mostly listed by itself as well.
        let mut met = HashSet::new();
        for entry in &sitemap.urls {
            let others = entry.alternates.iter().map(|it| (&it.url, Some(it.language.as_str())));
            // An entry that has others may stand among them, with its language.
            let itself = others.clone().find(|it| *it.0 == entry.url);
            for (url, hreflang) in itself.or(Some((&entry.url, None))).into_iter().chain(others) {
                if met.insert(url.as_str())
                    && let Some(url) = normal(url)
                {
                    let hreflang = hreflang.map(str::to_owned);
                    pages.push(FoundLink { hreflang, ..FoundLink::plain(url) });
                }
            }
        }
        let sitemaps = sitemap.sitemaps.iter().filter_map(|it| normal(&it.url));
        let sitemaps: Vec<_> = sitemaps.map(FoundLink::plain).collect();
        let urls = pages.iter().chain(&sitemaps).map(|it| it.url.as_str());
        // Many lists have another order each time.
        let wording = urls.map(|it| xxh3_64(it.as_bytes())).fold(0, u64::wrapping_add);
        Reading::List(List { pages, sitemaps, wording, room: Room::default() })
    }

    fn look(self, answer: &Answer) -> Page {
        page::read(&Response {
            url: Some(answer.url.as_str()),
            content_type: answer.told.content_type.as_deref(),
            content_language: answer.told.content_language.as_deref(),
            last_modified: answer.told.last_modified.as_deref(),
            robots_tag: answer.told.robots_tag.as_deref(),
            link: answer.told.link.as_deref(),
            robot: Some(self.token),
            body: &answer.body,
        })
    }
}

fn elsewhere(rules: &Rules, answer: &Answer) -> Reading {
    let resolve = |location: &str| match answer.url.join(location) {
        Ok(url) => rules.of_url(&url).ok(),
        // Some of what the parser refuses browsers follow.
        Err(_) => rules.resolve(&Address::parse(answer.url.as_str(), None).ok()?, location).ok(),
    };
    match answer.told.location.as_deref().and_then(resolve) {
        Some(url) => Reading::Elsewhere(url),
        None => Reading::Gone(0),
    }
}

/// What is read, or a page with nothing in it if reading panics.
fn guarded(counters: &Counters, answer: &Answer, read: impl FnOnce() -> Reading) -> Reading {
    // Whatever it had begun to make is gone with it.
    catch_unwind(AssertUnwindSafe(read)).unwrap_or_else(|_| {
        tracing::error!(url = %answer.url, "the answer cannot be read: this is an error of the program");
        counters.error("reading");
        Reading::Page(Box::new(ReadPage {
            page: Page::default(),
            judgement: Judgement::default(),
            digest: answer.digest,
            content: answer.digest,
            passages: Vec::new(),
            links: Vec::new(),
            feeds: Vec::new(),
        }))
    })
}

/// What a page says is the same though its links have another session in them, or lead to the next host of a farm.
fn content(page: &Page) -> Option<u64> {
    let hash = |text: &str| xxh3_64(text.as_bytes());
    (page.text.len() >= TELLING).then(|| hash(&page.text) ^ hash(&page.title).rotate_left(1))
}

fn sitemap(answer: &Answer) -> Sitemap {
    fetch::sitemap::read(&answer.body, &answer.url)
}

/// The links of a page that may be followed, each once, in normal form. However many there are, there
/// is room for what the page says about itself; tells how many there is none for.
fn links(rules: &Rules, most: usize, here: &Url, page: &Page) -> (Vec<FoundLink>, usize) {
    let mut met = HashSet::new();
    let mut is_new = |url: &Url| url != here && met.insert(xxh3_64(url.as_str().as_bytes()));
    // It is no link that one follows: it holds although links do not.
    let itself = page.canonical.iter().chain(&page.refresh).map(|it| (it, None));
    let others = page.alternates.iter().map(|it| (&it.url, Some(&it.hreflang)));
    let mut found: Vec<_> = itself
        .chain(others)
        .filter_map(|(url, hreflang)| Some((rules.normal_form(url).ok()?, hreflang.cloned())))
        .filter(|it| is_new(&it.0))
        .map(|(url, hreflang)| FoundLink { hreflang, ..FoundLink::plain(url) })
        .collect();
    let mut left_out = found.len().saturating_sub(most);
    found.truncate(most);
    let said = found.len();
    for (index, link) in page.links.iter().enumerate() {
        if page.robots.nofollow || link.rel.nofollow {
            continue;
        }
        let Ok(url) = rules.of_url(&link.url) else { continue };
        if is_new(&url) {
            if found.len() == most {
                left_out += 1;
                continue;
            }
            found.push(FoundLink { index: Some(index), ..FoundLink::plain(url) });
        } else if let Some(known) = found[..said].iter_mut().find(|it| it.url == url) {
            // Where it is also a link it is worth what its words say.
            known.index = known.index.or(Some(index));
        }
    }
    // What stands on the page is first as it was found.
    found.rotate_left(said);
    (found, left_out)
}

/// Whether the body of an answer is worth reading, by its head.
pub(crate) fn is_wanted(entry: &Entry, head: Head<'_>) -> bool {
    if !(200..300).contains(&head.status) {
        // What errors and redirects say is short and goes into the archive.
        return true;
    }
    let wanted = if entry.kind == Kind::Sitemap { Wanted::Feeds } else { Wanted::Pages };
    FileKind::of_content_type(head.content_type()).serves(wanted)
        || may_be_list(entry, head.content_type())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_page_says_is_the_same_though_its_links_differ() {
        let of = |title: &str, link: &str, times: usize| {
            let text = "Buy our shoes! ".repeat(times);
            let body = format!("<title>{title}</title><p>{text}<a href='/{link}'>More</a>");
            content(&page::read(&Response::new(body.as_bytes())))
        };
        assert!(of("Shoes", "?sid=1", 20).is_some());
        assert_eq!(of("Shoes", "?sid=1", 20), of("Shoes", "?sid=2", 20));
        assert_ne!(of("Shoes", "?sid=1", 20), of("Boots", "?sid=1", 20));
        assert_ne!(of("Shoes", "?sid=1", 20), of("Shoes", "?sid=1", 21));
        assert_eq!(of("Shoes", "?sid=1", 2), None);
    }

    #[test]
    fn an_error_while_reading_makes_a_page_with_nothing_in_it() {
        let answer = Answer {
            url: Url::parse("http://a.example/").expect("a URL"),
            at: frontier::Moment(0),
            status: 200,
            told: crate::answer::Told::default(),
            body: bytes::Bytes::new(),
            digest: 7,
            size: 0,
            took: std::time::Duration::ZERO,
            address: None,
            is_unwanted: false,
            is_unchanged: false,
            cut: None,
        };
        let counters = Counters::default();
        let read = guarded(&counters, &answer, || panic!("no page is known that leads here"));
        let Reading::Page(read) = read else { panic!("it is no page") };
        assert_eq!((read.digest, read.links.len(), read.judgement.relevant), (7, 0, None));
        assert_eq!(counters.progress().errors["reading"], 1);
    }
}
