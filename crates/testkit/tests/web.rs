//! The small web as a whole: the same every time, without loose ends, with addresses that exist.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::OnceLock;

use geoparse::{Geoparser, Hints, Region};
use page::Response;
use testkit::{Answer, Language, Topic, Web, web};

fn today() -> jiff::civil::Date {
    jiff::civil::date(2026, 5, 1)
}

fn small_web() -> &'static Web {
    static WEB: OnceLock<Web> = OnceLock::new();
    WEB.get_or_init(|| web(world::gazetteer(), today(), 1))
}

fn read(it: &testkit::Page) -> page::Page {
    page::read(&Response { url: Some(&it.url), ..Response::new(it.html.as_bytes()) })
}

/// Host and path of a URL.
fn split(url: &str) -> (&str, &str) {
    let rest = url.strip_prefix("http://").expect(url);
    rest.split_at(rest.find('/').unwrap_or(rest.len()))
}

#[test]
fn the_same_seed_makes_the_same_web() {
    let again = web(world::gazetteer(), today(), 1);
    assert!(small_web().pages().eq(again.pages()));
    let other = web(world::gazetteer(), today(), 2);
    assert!(!small_web().pages().eq(other.pages()));
}

#[test]
fn it_is_small_and_has_many_hosts_and_four_languages() {
    let pages = small_web().pages().count();
    assert!((1_500..=3_000).contains(&pages), "{pages} pages");
    let hosts: BTreeSet<_> = small_web().hosts().collect();
    assert!((80..=150).contains(&hosts.len()), "{} hosts", hosts.len());
    assert!(hosts.iter().all(|it| it.ends_with(".example")));
    let mut languages: BTreeMap<Language, usize> = BTreeMap::new();
    for it in small_web().pages() {
        *languages.entry(it.language).or_default() += 1;
    }
    assert!(languages.len() == 4 && languages.values().all(|it| *it >= 100), "{languages:?}");
}

#[test]
fn every_link_leads_to_a_page_or_to_a_dead_end_on_purpose() {
    let web = small_web();
    for it in web.pages() {
        for link in read(it).links {
            let (host, path) = split(link.url.as_str());
            let leads = web.answer(host, path) != Answer::Missing;
            assert!(leads || web.is_dead_end(link.url.as_str()), "{} on {}", link.url, it.url);
        }
    }
}

#[test]
fn every_page_is_reached_from_the_seeds() {
    let web = small_web();
    let mut reached: BTreeSet<String> = web.seeds().iter().cloned().collect();
    let mut waiting: Vec<String> = web.seeds().to_vec();
    while let Some(url) = waiting.pop() {
        for link in web.page(&url).map(|it| read(it).links).unwrap_or_default() {
            let url = String::from(link.url);
            if reached.insert(url.clone()) {
                waiting.push(url);
            }
        }
    }
    let lost: Vec<_> =
        web.pages().filter(|it| !reached.contains(&it.url)).map(|it| &it.url).collect();
    assert!(lost.is_empty(), "{lost:?}");
}

#[test]
fn addresses_on_pages_are_those_of_the_gazetteer() {
    let gazetteer = world::gazetteer();
    for it in small_web().pages() {
        let text = read(it).text;
        for address in &it.addresses {
            let mut houses = gazetteer.houses(address.place);
            assert!(houses.any(|it| it.number == address.number), "{}", address.line());
            assert_eq!(gazetteer.place(address.place).name(), address.street);
            assert!(text.contains(&address.street), "{} on {}", address.line(), it.url);
        }
    }
}

#[test]
fn the_geoparser_finds_the_addresses_and_no_others() {
    let gazetteer = world::gazetteer();
    let geoparser = Geoparser::new(gazetteer);
    let place = |key: &str| Region::Place(gazetteer.by_key(key).expect(key).id());
    let region = Region::Any(vec![place("gn:658225"), place("gn:2993457")]);
    let (mut right, mut missed, mut invented) = (0, Vec::new(), Vec::new());
    for it in small_web().pages().step_by(5) {
        let survey = geoparser.survey(&read(it), &Hints::of_url(&it.url));
        match (survey.has_address_in(gazetteer, &region), it.addresses.is_empty()) {
            (true, true) => invented.push(&it.url),
            (false, false) => missed.push(&it.url),
            _ => right += 1,
        }
    }
    let wrong = missed.len() + invented.len();
    assert!(wrong * 50 <= right, "missed {missed:#?}, invented {invented:#?}");
}

#[test]
fn articles_have_dates_of_the_last_two_years_and_topics() {
    let mut topics: BTreeMap<Topic, usize> = BTreeMap::new();
    for it in small_web().pages() {
        if let Some(topic) = it.topic {
            *topics.entry(topic).or_default() += 1;
            let date = it.published.expect("an article has a date");
            let age = (today() - date).get_days();
            assert!((1..=730).contains(&age), "{age} days: {}", it.url);
            let read = read(it).date().expect("programs find it");
            assert_eq!(read.at.date(), date);
        }
    }
    assert!(topics[&Topic::Harbour] > 100 && topics[&Topic::Flood] > 100, "{topics:?}");
}

#[test]
fn a_calendar_without_end_a_mirror_and_rules_are_there() {
    let web = small_web();
    let calendar = |path: &str| web.answer("round-the-year.example", path);
    assert!(matches!(calendar("/calendar/2026/12"), Answer::Page(_)));
    assert!(matches!(calendar("/calendar/9000/1"), Answer::Page(_)));
    assert_eq!(
        web.answer("www2.hello-helsinki.example", "/"),
        web.answer("hello-helsinki.example", "/")
    );
    let with_map = web.hosts().filter(|it| {
        matches!(web.answer(it, "/robots.txt"), Answer::Robots(rules) if rules.contains("Sitemap:"))
    });
    assert!(with_map.count() > 20);
    assert_eq!(web.answer("elsewhere.example", "/robots.txt"), Answer::Missing);
}
