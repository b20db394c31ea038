//! The small web: its pages, and what its hosts answer.

use std::collections::{BTreeMap, BTreeSet};

use gazetteer::Gazetteer;
use jiff::civil::Date;

use crate::address::Address;
use crate::business::{Business, businesses, directory};
use crate::chance::Chance;
use crate::city::{City, with_portal};
use crate::language::Language;
use crate::markup::escaped;
use crate::paper::{PAPERS, Topic};
use crate::pastime::{Pastime, pastimes};
use crate::town::Town;
use crate::{calendar, directory as directories, portal, site};

/// How many businesses Helsinki has, and how many of them a site of their own; the rest has a page in the directory.
const HELSINKI: (usize, usize) = (360, 34);
/// The same for Monaco, of which the gazetteer knows some 240 houses.
const MONACO: (usize, usize) = (210, 24);
/// To how many businesses the sites about other things link.
const FRIENDS: usize = 40;
/// The host that says the same as another, and that other.
const MIRROR: (&str, &str) = ("www2.hello-helsinki.example", "hello-helsinki.example");
/// Links that lead nowhere, as every web has them.
const DEAD_ENDS: [&str; 1] = ["/subscribe/summer-offer"];
/// Where no crawler may go.
const PRIVATE: &str = "/private/";

/// A page of the small web.
#[derive(Clone, Debug, PartialEq)]
pub struct Page {
    /// Where it is.
    pub url: String,
    /// What it is, as HTML.
    pub html: String,
    /// The language it is written in.
    pub language: Language,
    /// The addresses that stand on it.
    pub addresses: Vec<Address>,
    /// When it was published, if it says so.
    pub published: Option<Date>,
    /// What it is about, if it is an article.
    pub topic: Option<Topic>,
}

/// What a host answers.
#[derive(Clone, Debug, PartialEq)]
pub enum Answer {
    /// A page, as HTML.
    Page(String),
    /// Rules for crawlers.
    Robots(String),
    /// A sitemap, as XML.
    Sitemap(String),
    /// It is there, at another URL.
    Moved(String),
    /// There is no such page.
    Missing,
}

/// A small web on invented hosts.
#[derive(Clone, Debug, Default)]
pub struct Web {
    pages: BTreeMap<String, Page>,
    hosts: BTreeSet<String>,
    seeds: Vec<String>,
}

/// The web that this seed makes on this day from the streets and cities of a gazetteer.
///
/// Of a gazetteer without streets in Helsinki and Monaco it has no businesses.
pub fn web(gazetteer: &Gazetteer, today: Date, seed: u64) -> Web {
    let chance = Chance::new(seed);
    let mut web = Web::default();
    let of = |town: Town, counts: (usize, usize)| businesses(gazetteer, town, &chance, counts);
    let towns =
        [(Town::Helsinki, of(Town::Helsinki, HELSINKI)), (Town::Monaco, of(Town::Monaco, MONACO))];
    let cities = with_portal(gazetteer);
    let pastimes = pastimes();

    let elsewhere = elsewhere(&pastimes, &cities);
    for (town, all) in &towns {
        web.seeds.push(format!("{}/", portal::root(*town)));
        web.extend(portal::pages(*town, all, &chance, &elsewhere));
        web.extend(directories::pages(*town, all));
        for it in all {
            web.extend(site::pages(it, today));
        }
    }
    let everybody: Vec<Business> = towns.iter().flat_map(|it| it.1.clone()).collect();
    let homes: Vec<(String, String)> =
        everybody.iter().take(FRIENDS).map(|it| (it.url(), it.name.clone())).collect();
    for city in &cities {
        let mut choice = chance.of(city.name);
        let links: Vec<_> = choice.some(&elsewhere, 7).into_iter().cloned().collect();
        web.extend(city.pages(&chance, &links));
    }
    for paper in &PAPERS {
        web.seeds.push(format!("{}/", paper.root));
        web.extend(paper.pages(gazetteer, &everybody, today, &chance));
    }
    for it in &pastimes {
        web.extend(it.pages(&pastimes, &chance, &homes));
    }
    web
}

/// Links to everything: URLs and words.
fn elsewhere(pastimes: &[Pastime], cities: &[City]) -> Vec<(String, String)> {
    let mut links = Vec::new();
    let mut add = |root: &str, words: &str| links.push((format!("{root}/"), words.to_owned()));
    for town in Town::ALL {
        add(portal::root(town), &format!("Hello, {}", town.name()));
        add(directory(town), &format!("Directory of {}", town.name()));
    }
    PAPERS.iter().for_each(|it| add(it.root, it.name));
    cities.iter().for_each(|it| add(&it.portal(), &it.label()));
    pastimes.iter().for_each(|it| add(&it.root, it.name));
    add(&format!("http://{}", calendar::HOST), "Round the Year");
    add(&format!("http://{}", MIRROR.0), "Hello, Helsinki (second server)");
    links
}

impl Web {
    fn extend(&mut self, pages: Vec<Page>) {
        for page in pages {
            self.hosts.insert(host_of(&page.url).to_owned());
            self.pages.insert(page.url.clone(), page);
        }
    }

    /// All pages that were written, by URL; the calendar and the mirror come on top of them.
    pub fn pages(&self) -> impl Iterator<Item = &Page> {
        self.pages.values()
    }

    /// The page at a URL.
    pub fn page(&self, url: &str) -> Option<&Page> {
        self.pages.get(url)
    }

    /// The names of all hosts, with those of the calendar and the mirror.
    pub fn hosts(&self) -> impl Iterator<Item = &str> {
        self.hosts.iter().map(String::as_str).chain([calendar::HOST, MIRROR.0])
    }

    /// Where a crawl may begin: the portals of the towns, and the papers.
    pub fn seeds(&self) -> &[String] {
        &self.seeds
    }

    /// What a host answers to a path.
    pub fn answer(&self, host: &str, path: &str) -> Answer {
        let host = if host == MIRROR.0 { MIRROR.1 } else { host };
        let url = format!("http://{host}{path}");
        match path {
            "/robots.txt" => return self.robots(host),
            "/sitemap.xml" if self.has_sitemap(host) => return Answer::Sitemap(self.sitemap(host)),
            "/index.html" if self.hosts.contains(host) => {
                return Answer::Moved(format!("http://{host}/"));
            }
            _ => {}
        }
        if let Some(page) = self.pages.get(&url) {
            return Answer::Page(page.html.clone());
        }
        let month = (host == calendar::HOST).then(|| calendar::html(path)).flatten();
        month.map_or(Answer::Missing, Answer::Page)
    }

    /// Whether a link to this URL leads nowhere on purpose: to a dead end, or where no crawler may go.
    pub fn is_dead_end(&self, url: &str) -> bool {
        let path = url.splitn(4, '/').nth(3).map_or(String::new(), |it| format!("/{it}"));
        self.hosts.contains(host_of(url))
            && (DEAD_ENDS.contains(&path.as_str()) || path.starts_with(PRIVATE))
    }

    /// Every second host has a sitemap.
    fn has_sitemap(&self, host: &str) -> bool {
        self.hosts.contains(host) && xxhash_rust::xxh3::xxh3_64(host.as_bytes()).is_multiple_of(2)
    }

    fn robots(&self, host: &str) -> Answer {
        if !self.hosts.contains(host) && host != calendar::HOST {
            return Answer::Missing;
        }
        let mut rules = format!("User-agent: *\nDisallow: {PRIVATE}\n");
        if self.has_sitemap(host) {
            rules += &format!("Sitemap: http://{host}/sitemap.xml\n");
        }
        Answer::Robots(rules)
    }

    fn sitemap(&self, host: &str) -> String {
        let root = format!("http://{host}/");
        let urls = self.pages.range(root.clone()..).take_while(|it| it.0.starts_with(&root));
        let urls = urls.map(|it| format!("<url><loc>{}</loc></url>\n", escaped(it.0)));
        let urls = urls.collect::<Vec<_>>().concat();
        format!(
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
             <urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">\n{urls}</urlset>\n"
        )
    }
}

fn host_of(url: &str) -> &str {
    url.split('/').nth(2).unwrap_or_default()
}
