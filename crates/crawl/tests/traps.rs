//! Whole crawls of webs that have little to say and much to fetch.

mod trial;
mod web;

use std::collections::{BTreeMap, BTreeSet};
use std::net::{IpAddr, Ipv4Addr};
use std::sync::Arc;

use crawl::Ending;

use crate::trial::{Trial, runtime};
use crate::web::{Asked, Reply, Web, page};

/// Every name is one of this machine.
struct Here;

impl fetch::Resolve for Here {
    fn resolve<'a>(&'a self, _: &'a str) -> fetch::Lookup<'a> {
        Box::pin(std::future::ready(Ok(vec![IpAddr::V4(Ipv4Addr::LOCALHOST)])))
    }
}

/// How many pages of its own a host has that has any.
const PAGES: usize = 40;

/// The name of the host that is asked, and its port.
fn host<'a>(asked: &'a Asked) -> (&'a str, &'a str) {
    asked.headers["host"].split_once(':').expect("an odd port")
}

/// A list of all pages of a site, and the pages.
fn site(asked: &Asked, more: &[String]) -> Option<Reply> {
    if asked.path == "/" {
        let list = (0..PAGES).map(|it| format!("/page/{it}"));
        return Some(Reply::html(page(
            "list",
            &list.chain(more.iter().cloned()).collect::<Vec<_>>(),
        )));
    }
    let number: usize = asked.path.strip_prefix("/page/")?.parse().ok()?;
    (number < PAGES).then(|| Reply::html(page(&format!("page {number}"), &["/".to_owned()])))
}

/// A site, a mirror of it, a host that says of every page politely that there is none, and a domain with
/// two hundred hosts, which all say the same.
fn motley(asked: &Asked) -> Reply {
    let (name, port) = host(asked);
    let number = |text: &str| text.trim_matches(|it: char| !it.is_ascii_digit()).parse::<usize>();
    if asked.path == "/robots.txt" {
        return Reply::not_found();
    }
    let found = match name {
        "site.example" => site(
            asked,
            &["mirror.example", "polite.example", "h1.farm.example"]
                .map(|it| format!("http://{it}:{port}/")),
        ),
        "mirror.example" => site(asked, &[]),
        "polite.example" => {
            let first = number(asked.path).unwrap_or(0);
            let links: Vec<_> =
                (1..=5).map(|it| format!("/articles/{}", (5 * first + it) % 10_000)).collect();
            let sorry = page("We are sorry, there is no such article any more", &links);
            Some(Reply::html(sorry))
        }
        _ => {
            // They lead to one another, each to others.
            let first = number(name).unwrap_or(0);
            let link = |it| format!("<a href='http://h{}.farm.example:{port}/'>More</a>", it % 200);
            let links: String = (1..=100).map(|it| link(first + it)).collect();
            Some(Reply::html(format!(
                "<h1>Shoes</h1><p>{}</p>{links}",
                "Buy our shoes! ".repeat(20)
            )))
        }
    };
    found.unwrap_or_else(Reply::not_found)
}

#[test]
fn a_site_is_fetched_whole_though_mirrors_soft_errors_and_a_farm_of_hosts_lie_beside_it() {
    let web = Web::new(1, motley);
    let seed = format!("http://site.example:{}/", web.port(0));
    let mut trial = Trial::new(&web, &[seed]);
    trial.around.resolver = Some(Arc::new(Here));
    let ran = trial.run();
    assert_eq!(ran.ending, Ending::Finished);
    let mut asked: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for request in web.requests() {
        let host = request.headers["host"].split(':').next().expect("a name").to_owned();
        asked.entry(host).or_default().insert(request.path);
    }
    let pages = |host: &str| asked.get(host).map_or(0, |it| it.len() - 1);
    assert_eq!(pages("site.example"), PAGES + 1);
    // What is known of a host comes with its first pages, some of which are on their way already.
    assert!((5..PAGES / 2).contains(&pages("mirror.example")), "{}", pages("mirror.example"));
    assert!((2..PAGES).contains(&pages("polite.example")), "{}", pages("polite.example"));
    let farm = asked.keys().filter(|it| it.ends_with("farm.example")).count();
    assert!((20..=40).contains(&farm), "{farm}");
    for reason in ["mirror", "host flood"] {
        assert!(ran.progress.filtered.contains_key(reason), "{:?}", ran.progress.filtered);
    }
}

/// How deep a host sinks that answers twenty links, so many of them with pages and the others in vain.
#[track_caller]
fn check_sunk(pages: usize, expected: u8) {
    let web = Web::new(1, move |asked| match asked.path[1..].parse::<usize>() {
        Ok(number) if number < pages => Reply::html(page(asked.path, &[])),
        _ => Reply::not_found(),
    });
    let seeds: Vec<_> = (0..20).map(|it| web.url(0, &format!("/{it}"))).collect();
    let trial = Trial::new(&web, &seeds);
    let crawl = trial.open().expect("it opens");
    let ending = runtime().block_on(crawl.run()).expect("it runs");
    assert_eq!(ending, Ending::Finished);
    let url = web.url(0, "/0").parse().expect("a URL");
    let sunk = crawl.frontier(|it| {
        let id = it.known_host_of(&url).expect("it works").expect("it is known");
        it.host(id).expect("it works").sunk
    });
    assert_eq!(sunk, expected, "{pages} pages");
}

#[test]
fn a_host_that_yields_next_to_nothing_sinks_and_one_that_yields_nothing_sinks_deeper() {
    check_sunk(20, 0);
    check_sunk(7, 0);
    check_sunk(6, 1);
    check_sunk(2, 1);
    check_sunk(1, 2);
    check_sunk(0, 2);
}

#[test]
fn a_host_that_yields_nothing_is_asked_after_the_others() {
    let web = Web::new(2, |asked| match asked.path {
        "/robots.txt" => Reply::not_found(),
        "/" => {
            let links: Vec<_> = (1..=60).map(|it| format!("/{it}")).collect();
            Reply::html(page(&format!("{} list", asked.host), &links))
        }
        path if asked.host == 0 => Reply::html(page(path, &[])),
        _ => Reply::not_found(),
    });
    // The first twenty answers of a host decide, and seeds are asked for whatever their like have brought.
    let first = |host: usize| {
        let path = |it: usize| if it == 0 { "/".to_owned() } else { format!("/{it}") };
        (0..20).map(move |it| (host, path(it)))
    };
    let seeds = (0..2).flat_map(first).map(|(host, path)| web.url(host, &path));
    let seeds: Vec<_> = seeds.collect();
    let trial = Trial::new(&web, &seeds).with(|it| {
        it.threads = 1;
        it.politeness.delay = 0.0;
    });
    assert_eq!(trial.run().ending, Ending::Finished);
    let asked: Vec<_> = web.requests().iter().map(|it| it.host).collect();
    let last = asked.iter().rposition(|it| *it == 0).expect("it was asked");
    let before = asked[..last].iter().filter(|it| **it == 1).count();
    assert!(before <= 22, "{before} requests to the host of errors came before the last page");
}
