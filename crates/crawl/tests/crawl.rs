//! Crawls of small webs, from the seeds to the end.

mod trial;
mod web;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, OnceLock};
use std::time::Duration;

use crawl::{Budget, Clock, Crawl, Ending, Wish};
use fetch::NameError;
use frontier::{Moment, State};
use proptest::prelude::*;

use crate::trial::{Names, Ran, Trial, runtime};
use crate::web::{Asked, Reply, Web, page, prose};

/// Days and weeks pass in no time by a hurried clock.
const VERY_PATIENT: f64 = 1e9;

/// A host with these pages, and a robots.txt that allows everything.
fn site(
    pages: impl Fn(&Asked) -> Option<Reply> + Send + Sync + 'static,
) -> impl Fn(&Asked) -> Reply + Send + Sync + 'static {
    move |asked| match asked.path {
        "/robots.txt" => Reply::text("User-agent: *\nDisallow:"),
        _ => pages(asked).unwrap_or_else(Reply::not_found),
    }
}

/// A page whose links are these paths of its host.
fn linking(asked: &Asked, paths: &[&str]) -> Reply {
    let links: Vec<_> = paths.iter().map(|it| asked.url(asked.host, it)).collect();
    Reply::html(page(asked.path, &links))
}

/// Crawls a host from its root; tells which paths were asked for, and what came of it.
fn crawl(respond: impl Fn(&Asked) -> Reply + Send + Sync + 'static) -> (Vec<String>, Ran) {
    let web = Web::new(1, respond);
    let trial = Trial::new(&web, &[web.url(0, "/")]);
    let ran = trial.run();
    check_agreement(&trial, &web);
    (web.paths(0), ran)
}

/// Crawls a host from its root, where only these paths are to be asked for.
#[track_caller]
fn check(respond: impl Fn(&Asked) -> Reply + Send + Sync + 'static, expected: &[&str]) -> Ran {
    let (paths, ran) = crawl(respond);
    assert_eq!(paths, expected);
    assert_eq!(ran.progress.in_flight, 0);
    ran
}

/// The hosts, the log and the archive tell the same story.
#[track_caller]
fn check_agreement(trial: &Trial, web: &Web) {
    let mut asked = web.asked();
    asked.sort();
    let mut judged = trial.judged();
    judged.sort();
    assert_eq!(judged, asked, "the log has a line for every answer");
    trial.check_archive();
}

/// How long a host had peace between an answer and the next request, in seconds.
fn pauses(web: &Web, host: usize) -> Vec<f64> {
    let requests = web.requests();
    let requests: Vec<_> = requests.iter().filter(|it| it.host == host).collect();
    let pause = |pair: &[&web::Request]| {
        pair[1].came.since(pair[0].answered.expect("it was answered")).as_secs_f64()
    };
    requests.windows(2).map(pause).collect()
}

#[test]
fn every_page_is_fetched_once() {
    let ran = check(
        site(|asked| match asked.path {
            "/" => Some(linking(asked, &["/a", "/b", "/b#part", "/missing"])),
            "/a" => Some(linking(asked, &["/", "/b", "/a"])),
            "/b" => Some(linking(asked, &["/c", "/c?"])),
            "/c" => Some(linking(asked, &["/a"])),
            _ => None,
        }),
        &["/", "/a", "/b", "/c", "/missing"],
    );
    assert_eq!(ran.ending, Ending::Finished);
    assert_eq!(ran.progress.errors, BTreeMap::from([("404".to_owned(), 1)]));
}

/// Pages by host and number, and which of them a host forbids.
#[derive(Clone, Debug)]
struct Graph {
    links: Vec<Vec<Vec<(usize, usize)>>>,
    forbidden: Vec<BTreeSet<usize>>,
}

impl Graph {
    fn path(page: usize) -> String {
        format!("/p{page}/")
    }

    /// What can be reached from the first page along links that nobody forbids, the plain way.
    fn reached(&self) -> BTreeSet<(usize, usize)> {
        let (mut reached, mut next) = (BTreeSet::new(), vec![(0, 0)]);
        while let Some((host, page)) = next.pop() {
            if !self.forbidden[host].contains(&page) && reached.insert((host, page)) {
                next.extend(&self.links[host][page]);
            }
        }
        reached
    }

    fn respond(&self, asked: &Asked) -> Reply {
        if asked.path == "/robots.txt" {
            let rules = self.forbidden[asked.host].iter();
            let rules: String = rules
                .flat_map(|it| ["Disallow: ".to_owned(), Self::path(*it), "\n".to_owned()])
                .collect();
            return Reply::text(format!("User-agent: *\n{rules}"));
        }
        let number = asked.path.trim_matches(['/', 'p']).parse::<usize>();
        let Some(links) = number.ok().and_then(|it| self.links[asked.host].get(it)) else {
            return Reply::not_found();
        };
        let links: Vec<_> = links.iter().map(|it| asked.url(it.0, &Self::path(it.1))).collect();
        Reply::html(page(&format!("{} {}", asked.host, asked.path), &links))
    }
}

fn graphs() -> impl Strategy<Value = Graph> {
    (1_usize..4, 1_usize..12).prop_flat_map(|(hosts, pages)| {
        let links = prop::collection::vec((0..hosts, 0..pages), 0..5);
        let links = prop::collection::vec(prop::collection::vec(links, pages), hosts);
        let forbidden = prop::collection::vec(prop::collection::btree_set(0..pages, 0..3), hosts);
        (links, forbidden).prop_map(|(links, forbidden)| Graph { links, forbidden })
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(16))]

    #[test]
    fn a_crawl_reaches_what_a_plain_walk_along_the_links_reaches(graph in graphs()) {
        let respond = graph.clone();
        let web = Web::new(graph.links.len(), move |asked| respond.respond(asked));
        let trial = Trial::new(&web, &[web.url(0, "/p0/")]);
        let ran = trial.run();
        prop_assert_eq!(ran.ending, Ending::Finished);
        let reached = graph.reached();
        let mut expected: Vec<_> =
            reached.iter().map(|it| web.url(it.0, &Graph::path(it.1))).collect();
        expected.sort();
        let mut asked = web.asked();
        asked.sort();
        prop_assert_eq!(&asked, &expected);
        prop_assert_eq!(&trial.archived(), &expected);
        check_agreement(&trial, &web);
        prop_assert!(web.most_at_once() <= 1);
    }

    #[test]
    fn whatever_hosts_answer_the_crawl_comes_to_its_end(
        answers in prop::collection::vec(hostile(), 24)
    ) {
        let count = answers.len();
        let web = Web::new(1, site(move |asked| {
            if asked.path == "/" {
                let links: Vec<_> = (0..count).map(|it| asked.url(0, &format!("/x{it}"))).collect();
                return Some(Reply::html(page("/", &[links, vec![asked.url(0, "/end")]].concat())));
            }
            if asked.path == "/end" {
                return Some(Reply::html(prose("the end")));
            }
            let number: usize = asked.path.strip_prefix("/x")?.parse().ok()?;
            answers.get(number).cloned().map(Reply::Bytes)
        }));
        let mut trial = Trial::new(&web, &[web.url(0, "/")]);
        trial.task.politeness.patience = VERY_PATIENT;
        let ran = trial.run();
        prop_assert_eq!(ran.ending, Ending::Finished);
        prop_assert_eq!(ran.progress.in_flight, 0);
        prop_assert_eq!(ran.state(&web.url(0, "/end")), "visited");
        for number in 0..count {
            let state = ran.state(&web.url(0, &format!("/x{number}")));
            prop_assert!(state != "queued" && state != "waiting", "{} {}", number, state);
        }
        trial.check_archive();
    }
}

/// Bytes that are no answer, or hardly one.
fn hostile() -> impl Strategy<Value = Vec<u8>> {
    let bytes = prop::collection::vec(any::<u8>(), 0..400);
    let head = prop::sample::select(vec![
        "",
        "HTTP/1.1 200 OK\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<a href=/x1>",
        "HTTP/1.1 200 OK\r\nContent-Length: 9999999\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nfffffffff\r\n",
        "HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-16\r\n\r\n",
        "HTTP/1.1 302 Found\r\nLocation: ",
        "HTTP/1.1 304 Not Modified\r\n\r\n",
        "HTTP/1.1 999 Beyond\r\n\r\n",
        "HTTP/1.1 429 Slow\r\nRetry-After: ",
        "HTTP/1.1 206 Partial\r\n",
    ]);
    (head, bytes).prop_map(|(head, bytes)| [head.as_bytes(), &bytes].concat())
}

#[test]
fn robots_txt_is_asked_first_and_obeyed() {
    let respond = |asked: &Asked| match asked.path {
        "/robots.txt" => Reply::text("User-agent: *\nDisallow: /private/\nAllow: /private/map"),
        "/" => linking(asked, &["/open", "/private/letters", "/private/map"]),
        _ => linking(asked, &[]),
    };
    let ran = check(respond, &["/", "/open", "/private/map"]);
    assert_eq!(ran.progress.filtered["robots.txt"], 1);
    let web = Web::new(2, move |asked| match asked.path {
        "/" if asked.host == 0 => Reply::html(page("/", &[asked.url(1, "/")])),
        _ => respond(asked),
    });
    Trial::new(&web, &[web.url(0, "/")]).run();
    for host in 0..2 {
        let requests = web.requests();
        let first = requests.iter().find(|it| it.host == host).expect("it was asked");
        assert_eq!(first.path, "/robots.txt");
        let rules = requests.iter().filter(|it| it.host == host && it.path == "/robots.txt");
        assert_eq!(rules.count(), 1);
    }
}

#[test]
fn without_a_robots_txt_everything_is_allowed() {
    let respond = |asked: &Asked| match asked.path {
        "/" => linking(asked, &["/a"]),
        "/a" => linking(asked, &[]),
        _ => Reply::not_found(),
    };
    assert_eq!(check(respond, &["/", "/a"]).ending, Ending::Finished);
}

#[test]
fn a_host_that_cannot_tell_its_rules_is_asked_for_nothing_else() {
    for status in [500, 503, 429] {
        let ran = check(
            move |asked| match asked.path {
                "/robots.txt" => Reply::new(status, "busy"),
                _ => linking(asked, &[]),
            },
            &[],
        );
        assert_eq!(ran.ending, Ending::OnlySilentHosts);
        assert_eq!(ran.progress.queued, 1);
    }
}

/// An answer that says to be longer than it is, and a connection that ends there.
fn torn(headers: &str, body: &str) -> Reply {
    let length = body.len() + 100;
    let head = format!("HTTP/1.1 200 OK\r\nContent-Length: {length}\r\n{headers}\r\n");
    Reply::Bytes([head.as_bytes(), body.as_bytes()].concat())
}

#[test]
fn a_robots_txt_that_breaks_off_is_asked_for_again_before_anything_else() {
    let web = Web::new(1, |asked| match asked.path {
        "/robots.txt" if asked.before == 0 => torn("", "User-agent: *\nDisallow: /a\n"),
        "/robots.txt" => Reply::text("User-agent: *\nDisallow: /a\nDisallow: /b"),
        "/" => linking(asked, &["/a", "/b", "/c"]),
        _ => linking(asked, &[]),
    });
    let ran = Trial::new(&web, &[web.url(0, "/")]).run();
    assert_eq!(ran.ending, Ending::Finished);
    assert_eq!(web.paths(0), ["/", "/c"]);
    assert_eq!(ran.progress.robots, 2);
    assert!(pauses(&web, 0)[0] >= 60.0);
}

#[test]
fn a_robots_txt_that_breaks_off_is_none_in_the_archive_either() {
    let web = Web::new(1, |asked| match asked.path {
        "/robots.txt" => torn("", "User-agent: *\nDisallow: /a\n"),
        _ => linking(asked, &[]),
    });
    let trial = Trial::new(&web, &[web.url(0, "/")]);
    let forgotten = Forgotten::begin(&trial);
    let crawl = trial.open().expect("it opens");
    assert_eq!(runtime().block_on(crawl.run()).expect("it runs"), Ending::OnlySilentHosts);
    let lost = crawl.lost_seeds(1).expect("they can be told").0;
    assert!(lost[0].reason.starts_with("its host breaks off in the middle of its robots.txt"));
    drop(crawl);
    forgotten.restore();
    let crawl = trial.open().expect("it opens");
    let mut rules = Vec::new();
    crawl.frontier(|it| it.hosts(|_, host| rules.push(host.manners))).expect("it works");
    assert_eq!(rules, [None]);
}

#[test]
fn a_robots_txt_that_is_longer_than_anybody_has_to_read_counts_up_to_there() {
    let web = Web::new(1, |asked| match asked.path {
        "/robots.txt" => {
            let rest = "# and so on\n".repeat(60_000);
            Reply::text(format!("User-agent: *\nDisallow: /a\n{rest}Disallow: /b"))
        }
        "/" => linking(asked, &["/a", "/b"]),
        _ => linking(asked, &[]),
    });
    Trial::new(&web, &[web.url(0, "/")]).run();
    assert_eq!(web.paths(0), ["/", "/b"]);
}

#[test]
fn a_long_robots_txt_is_read_as_far_in_the_archive_as_it_was_when_it_came() {
    let web = Web::new(1, |asked| match asked.path {
        "/robots.txt" => {
            let rest = "# and so on\n".repeat(30_000);
            Reply::text(format!("User-agent: *\n{rest}Disallow: /a\n{rest}Disallow: /b"))
        }
        "/" => linking(asked, &["/a", "/b"]),
        _ => linking(asked, &[]),
    });
    let trial = Trial::new(&web, &[web.url(0, "/")]).with(|it| it.limits.unpacked = 10_000);
    let forgotten = Forgotten::begin(&trial);
    let rules = |crawl: &Crawl| {
        let mut rules = Vec::new();
        let each = |_, host: frontier::Host| rules.push(host.manners.map(|it| it.rules));
        crawl.frontier(|it| it.hosts(each)).expect("the frontier works");
        rules
    };
    let crawl = trial.open().expect("it opens");
    runtime().block_on(crawl.run()).expect("it runs");
    assert_eq!(web.paths(0), ["/", "/b"]);
    let expected = rules(&crawl);
    drop(crawl);
    forgotten.restore();
    assert_eq!(rules(&trial.open().expect("it opens")), expected);
}

/// The frontier of a crawl as it was before something, to be taken for what a power cut has left of it.
struct Forgotten(std::path::PathBuf);

impl Forgotten {
    fn begin(trial: &Trial) -> Self {
        drop(trial.open().expect("it opens"));
        let folder = trial.around.data.join("tasks").join("trial");
        let copied = std::fs::copy(folder.join("frontier.redb"), folder.join("before.redb"));
        copied.expect("it is copied");
        Self(folder)
    }

    fn restore(self) {
        let copied = std::fs::copy(self.0.join("before.redb"), self.0.join("frontier.redb"));
        copied.expect("it is copied");
    }
}

#[test]
fn a_robots_txt_that_is_elsewhere_is_read_there() {
    let respond = |asked: &Asked| match asked.path {
        "/robots.txt" => {
            let elsewhere = asked.url(0, "/rules/1").replace("//", "//me:secret@");
            Reply::redirect(&elsewhere)
        }
        "/rules/1" => Reply::redirect("/rules/2"),
        "/rules/2" => Reply::text("User-agent: *\nDisallow: /a"),
        "/" => linking(asked, &["/a", "/b"]),
        _ => linking(asked, &[]),
    };
    let web = Web::new(1, respond);
    let trial = Trial::new(&web, &[web.url(0, "/")]);
    trial.run();
    assert_eq!(web.paths(0), ["/", "/b", "/rules/1", "/rules/2"]);
    assert!(trial.archived().iter().all(|it| !it.contains("secret")));
    let mut judged = trial.judged();
    judged.sort();
    assert_eq!(judged, [web.url(0, "/"), web.url(0, "/b")]);
    let pauses = pauses(&web, 0);
    assert!(pauses.iter().all(|it| *it >= 1.0), "{pauses:?}");
}

#[test]
fn rules_that_are_elsewhere_are_heard_of_again_from_the_archive() {
    let web = Web::new(2, |asked| match (asked.host, asked.path) {
        (0, "/robots.txt") => Reply::redirect("/"),
        (1, "/robots.txt") => Reply::redirect("/rules"),
        (1, "/rules") => Reply::text("User-agent: *\nDisallow: /a"),
        _ => linking(asked, &["/a", "/b"]),
    });
    let trial = Trial::new(&web, &[web.url(0, "/"), web.url(1, "/")]);
    let forgotten = Forgotten::begin(&trial);
    let tell = |crawl: &Crawl| {
        let mut rules = Vec::new();
        let listed = crawl.frontier(|it| it.hosts(|_, host| rules.push(host.manners)));
        listed.expect("the frontier works");
        assert!(rules.len() == 2 && rules.iter().all(Option::is_some), "{rules:?}");
        let mut known = known(crawl);
        // What robots.txt forbids is found out anew when its turn comes.
        known.remove(&web.url(1, "/a"));
        known
    };
    let crawl = trial.open().expect("it opens");
    runtime().block_on(crawl.run()).expect("it runs");
    let expected = tell(&crawl);
    drop(crawl);
    forgotten.restore();
    assert_eq!(tell(&trial.open().expect("it opens")), expected);
}

#[test]
fn a_robots_txt_at_another_host_is_asked_for_when_that_may_be_asked() {
    let web = Web::new(2, |asked| match asked.path {
        "/robots.txt" if asked.host == 0 => Reply::redirect(&asked.url(1, "/rules")),
        "/rules" => Reply::text("User-agent: *\nDisallow: /a"),
        "/robots.txt" => Reply::not_found(),
        "/" => linking(asked, &["/a", "/b"]),
        _ => linking(asked, &[]),
    });
    let ran = Trial::new(&web, &[web.url(0, "/"), web.url(1, "/")]).run();
    assert_eq!(ran.ending, Ending::Finished);
    assert_eq!(web.paths(0), ["/", "/b"]);
    assert_eq!(web.paths(1), ["/", "/a", "/b", "/rules"]);
    assert_eq!(web.most_at_once(), 1);
    for host in 0..2 {
        let pauses = pauses(&web, host);
        assert!(pauses.iter().all(|it| *it >= 1.0), "host {host}: {pauses:?}");
    }
}

#[test]
fn a_robots_txt_at_another_host_of_the_same_server_is_read() {
    let names = ["a.example", "www.a.example"];
    let web = Web::new(1, |asked| {
        let is_www = asked.headers["host"].starts_with("www.");
        let there = asked.headers["host"].trim_start_matches("www.").to_owned();
        match asked.path {
            "/robots.txt" if is_www => Reply::text("User-agent: *\nDisallow: /a"),
            "/robots.txt" => Reply::redirect(&format!("http://www.{there}/robots.txt")),
            "/" => {
                Reply::html(page("/", &[format!("http://{there}/a"), format!("http://{there}/b")]))
            }
            _ => linking(asked, &[]),
        }
    });
    let mut trial = Trial::new(&web, &[format!("http://a.example:{}/", web.port(0))]);
    let known = names.map(|it| (it, [127, 0, 0, 1].into())).to_vec();
    trial.around.resolver = Some(Arc::new(Names(known, NameError::NoSuchName)));
    assert_eq!(trial.run().ending, Ending::Finished);
    assert_eq!(web.paths(0), ["/", "/b"]);
    let pauses = pauses(&web, 0);
    assert!(pauses.iter().all(|it| *it >= 1.0), "{pauses:?}");
}

#[test]
fn a_robots_txt_that_leads_round_in_circles_allows_nothing() {
    let respond = |asked: &Asked| match asked.path {
        "/robots.txt" => Reply::redirect("/robots.txt"),
        _ => linking(asked, &[]),
    };
    let web = Web::new(1, respond);
    let ran = Trial::new(&web, &[web.url(0, "/")]).run();
    assert_eq!(ran.ending, Ending::OnlySilentHosts);
    assert!(web.paths(0).is_empty());
}

#[test]
fn a_host_is_never_asked_twice_at_once_nor_within_its_delay() {
    let respond = |asked: &Asked| match asked.path {
        "/robots.txt" if asked.host == 1 => Reply::text("User-agent: *\nCrawl-delay: 5"),
        "/robots.txt" => Reply::not_found(),
        "/" => {
            let links = (0..12).map(|it| asked.url(it % 3, &format!("/{it}")));
            Reply::html(page(&format!("{}", asked.host), &links.collect::<Vec<_>>()))
        }
        _ => linking(asked, &[]),
    };
    let clock = Clock::hurried();
    let web = Web::with_clock(3, &clock, respond);
    let ran = Trial::new(&web, &[0, 1, 2].map(|it| web.url(it, "/"))).run();
    assert_eq!(ran.ending, Ending::Finished);
    assert_eq!(web.asked().len(), 15);
    assert_eq!(web.most_at_once(), 1);
    for (host, least) in [(0, 1.0), (1, 5.0), (2, 1.0)] {
        let pauses = pauses(&web, host);
        assert_eq!(pauses.len(), 5);
        // The answer that brings the wish is the one before the first delay.
        assert!(pauses.iter().all(|it| *it >= least), "host {host}: {pauses:?}");
    }
}

#[test]
fn a_host_that_wants_minutes_between_requests_gets_them_and_keeps_nobody_else_waiting() {
    let web = Web::new(2, |asked| match asked.path {
        "/robots.txt" if asked.host == 0 => Reply::text("User-agent: *\nCrawl-delay: 600"),
        "/robots.txt" => Reply::not_found(),
        "/" => linking(asked, &["/a", "/b"]),
        _ => linking(asked, &[]),
    });
    let seeds = [web.url(0, "/"), web.url(1, "/")];
    assert_eq!(Trial::new(&web, &seeds).run().ending, Ending::Finished);
    assert_eq!(web.paths(0), ["/", "/a", "/b"]);
    let slow = pauses(&web, 0);
    assert!(slow.iter().all(|it| (600.0..700.0).contains(it)), "{slow:?}");
    let quick = pauses(&web, 1);
    assert!(quick.iter().all(|it| (1.0..30.0).contains(it)), "{quick:?}");
    let budget = |task: &mut crawl::Task| task.budget = "20min".parse().expect("a budget");
    let trial = Trial::new(&web, &[web.url(0, "/")]).with(budget);
    let started = web.clock().now();
    assert_eq!(trial.run().ending, Ending::BudgetUsed);
    let took = web.clock().now().since(started);
    assert!(took < Duration::from_mins(21), "{took:?}");
}

#[test]
fn hosts_of_one_server_take_turns_from_the_first_request_on() {
    let names = ["a.example", "b.example", "c.example", "d.example"];
    let web = Web::new(1, site(|asked| (asked.path == "/").then(|| linking(asked, &[]))));
    let seeds = names.map(|it| format!("http://{it}:{}/", web.port(0)));
    let mut trial = Trial::new(&web, &seeds);
    let address = [127, 0, 0, 1].into();
    let known = names.iter().map(|it| (*it, address)).collect();
    trial.around.resolver = Some(Arc::new(Names(known, NameError::NoSuchName)));
    assert_eq!(trial.run().ending, Ending::Finished);
    assert_eq!(web.requests().len(), 2 * names.len());
    assert_eq!(web.most_at_once(), 1);
    let pauses = pauses(&web, 0);
    assert!(pauses.iter().all(|it| *it >= 1.0), "{pauses:?}");
}

#[test]
fn a_host_that_complains_is_left_alone_as_long_as_it_wishes() {
    let web = Web::new(
        1,
        site(|asked| match asked.path {
            "/" => Some(linking(asked, &["/busy", "/z"])),
            "/busy" if asked.before == 0 => Some(Reply::new(429, "").with("Retry-After", "300")),
            _ => Some(linking(asked, &[])),
        }),
    );
    let trial = Trial::new(&web, &[web.url(0, "/")]);
    let trial = trial.with(|it| it.politeness.patience = VERY_PATIENT);
    let ran = trial.run();
    assert_eq!(ran.ending, Ending::Finished);
    assert_eq!(web.paths(0), ["/", "/busy", "/busy", "/z"]);
    assert_eq!(ran.state(&web.url(0, "/busy")), "visited");
    let pauses = pauses(&web, 0);
    assert_eq!(pauses.iter().filter(|it| **it >= 300.0).count(), 1, "{pauses:?}");
    check_agreement(&trial, &web);
}

#[test]
fn a_host_in_trouble_is_left_alone_as_long_as_it_wishes() {
    for status in [500, 502, 504] {
        let web = Web::new(
            1,
            site(move |asked| match asked.path {
                "/" => Some(linking(asked, &["/busy", "/z"])),
                "/busy" if asked.before == 0 => {
                    Some(Reply::new(status, "").with("Retry-After", "300"))
                }
                _ => Some(linking(asked, &[])),
            }),
        );
        let trial = Trial::new(&web, &[web.url(0, "/")]);
        let ran = trial.with(|it| it.politeness.patience = VERY_PATIENT).run();
        assert_eq!(ran.state(&web.url(0, "/busy")), "visited");
        let requests = web.requests();
        let busy = requests.iter().find(|it| it.path == "/busy").expect("it was asked for");
        let left_alone = busy.answered.expect("it was answered") + Duration::from_mins(5);
        let early = requests.iter().filter(|it| it.came > busy.came && it.came < left_alone);
        assert_eq!(early.count(), 0, "{status}");
    }
}

#[test]
fn a_host_that_hangs_up_is_asked_again_when_its_delay_is_over() {
    let web = Web::new(
        1,
        site(|asked| match asked.path {
            "/" => Some(linking(asked, &["/torn"])),
            "/torn" if asked.before == 0 => Some(Reply::HangUp),
            _ => Some(linking(asked, &[])),
        }),
    );
    let ran = Trial::new(&web, &[web.url(0, "/")]).run();
    assert_eq!(ran.ending, Ending::Finished);
    assert_eq!(web.paths(0), ["/", "/torn", "/torn"]);
    assert_eq!(ran.state(&web.url(0, "/torn")), "visited");
    let came: Vec<_> = web.requests().iter().map(|it| it.came).collect();
    let is_polite = |it: &[Moment]| it[1].since(it[0]) >= Duration::from_secs(1);
    assert!(came.windows(2).all(is_polite), "{came:?}");
}

#[test]
fn a_page_that_fails_is_tried_on_other_days_and_then_given_up() {
    let web = Web::new(
        1,
        site(|asked| match asked.path {
            "/" => Some(linking(asked, &["/broken", "/torn", "/fine"])),
            "/broken" => Some(Reply::new(500, "oh")),
            "/torn" => Some(Reply::HangUp),
            _ => Some(linking(asked, &[])),
        }),
    );
    let trial = Trial::new(&web, &[web.url(0, "/")]);
    let trial = trial.with(|it| it.politeness.patience = VERY_PATIENT);
    let ran = trial.run();
    assert_eq!(ran.ending, Ending::Finished);
    assert_eq!(ran.state(&web.url(0, "/broken")), "dropped: 500, 3 times");
    assert_eq!(ran.state(&web.url(0, "/torn")), "dropped: closed, 3 times");
    assert_eq!(web.paths(0).iter().filter(|it| *it == "/broken").count(), 3);
    let requests = web.requests();
    let broken: Vec<_> = requests.iter().filter(|it| it.path == "/broken").collect();
    assert!(broken.windows(2).all(|it| it[1].came.since(it[0].came) >= Duration::from_hours(24)));
}

#[test]
fn links_that_are_not_to_be_followed_are_not() {
    let page = |before: &str, after: &str| format!("<html>{before}{}{after}", prose(before));
    let link = "<a href=/a>a</a>";
    check(
        site(move |asked| {
            let html = page("", "<a rel='nofollow ugc' href=/a>a</a><a href=/b>b</a>");
            (asked.path == "/").then(|| Reply::html(html))
        }),
        &["/", "/b"],
    );
    check(
        site(move |asked| {
            let html = page("<meta name=robots content='noindex, nofollow'>", link);
            (asked.path == "/").then(|| Reply::html(html))
        }),
        &["/"],
    );
    check(
        site(move |asked| {
            let reply = Reply::html(page("", link)).with("X-Robots-Tag", "noarchive");
            (asked.path == "/").then(|| reply.with("X-Robots-Tag", "nofollow"))
        }),
        &["/"],
    );
}

#[test]
fn redirects_are_followed_from_host_to_host_but_not_without_end() {
    let web = Web::new(
        2,
        site(|asked| {
            let number = |prefix| asked.path.strip_prefix(prefix)?.parse::<u32>().ok();
            if asked.path == "/" && asked.host == 0 {
                return Some(linking(
                    asked,
                    &["/five1", "/six1", "/loop1", "/out", "/self", "/none"],
                ));
            }
            if let Some(step) = number("/five") {
                let to = asked.url(0, &format!("/five{}", step + 1));
                return Some(if step > 5 { linking(asked, &[]) } else { Reply::redirect(&to) });
            }
            if let Some(step) = number("/six") {
                return Some(Reply::redirect(&asked.url(0, &format!("/six{}", step + 1))));
            }
            Some(match asked.path {
                "/loop1" => Reply::redirect("/loop2"),
                "/loop2" => Reply::redirect("/loop1"),
                "/self" => Reply::redirect("/self"),
                "/none" => Reply::new(301, ""),
                "/out" => Reply::redirect(&asked.url(1, "/in")),
                _ => linking(asked, &[]),
            })
        }),
    );
    let trial = Trial::new(&web, &[web.url(0, "/")]);
    let ran = trial.run();
    assert_eq!(ran.ending, Ending::Finished);
    assert_eq!(ran.state(&web.url(0, "/five1")), "redirected");
    assert_eq!(ran.state(&web.url(0, "/five6")), "visited");
    assert_eq!(ran.state(&web.url(0, "/six6")), "dropped: too many redirects");
    assert_eq!(ran.state(&web.url(0, "/six7")), "not known");
    assert_eq!(ran.state(&web.url(0, "/loop2")), "redirected");
    assert_eq!(ran.state(&web.url(1, "/in")), "visited");
    assert_eq!(web.paths(1), ["/in"]);
    let mut asked = web.asked();
    asked.sort();
    asked.dedup();
    assert_eq!(asked.len(), web.asked().len());
    check_agreement(&trial, &web);
}

#[test]
fn private_addresses_are_asked_for_nothing_wherever_the_way_to_them_begins() {
    let inner = ["http://10.0.0.7/", "http://localhost/admin", "http://169.254.169.254/latest"];
    let web = Web::new(1, move |asked| {
        let host = asked.headers.get("host").map_or("", String::as_str);
        assert_eq!(host, "public.example", "nobody else is asked for");
        match asked.path {
            "/robots.txt" => Reply::not_found(),
            "/" => {
                let mut links: Vec<_> = (0..3).map(|it| format!("/{it}")).collect();
                links.extend(inner.map(str::to_owned));
                Reply::html(page("/", &links))
            }
            path => Reply::redirect(inner[path[1..].parse::<usize>().expect("a number")]),
        }
    });
    let mut trial = Trial::new(&web, &["http://public.example/".to_owned()]);
    trial.task.allow_private = false;
    trial.task.contact = Some("https://bot.example/".to_owned());
    trial.task.proxy = Some(web.url(0, ""));
    let ran = trial.run();
    assert_eq!(ran.ending, Ending::Finished);
    assert_eq!(web.paths(0), ["/", "/0", "/1", "/2"]);
    for url in inner {
        assert_eq!(ran.state(url), "dropped: private-address");
    }
}

#[test]
fn a_name_that_leads_into_a_private_network_is_given_up_at_once() {
    let web = Web::new(1, |_| Reply::not_found());
    let mut trial = Trial::new(&web, &["http://inner.example/".to_owned()]);
    trial.task.allow_private = false;
    trial.task.contact = Some("https://bot.example/".to_owned());
    let names = Names(vec![("inner.example", [127, 0, 0, 1].into())], NameError::NoSuchName);
    trial.around.resolver = Some(Arc::new(names));
    let ran = trial.run();
    assert_eq!(ran.ending, Ending::Finished);
    assert_eq!(ran.state("http://inner.example/"), "dropped: private-address");
    let line = trial.lines().remove(0);
    assert_eq!(
        (line["status"].as_u64(), line["error"].as_str()),
        (Some(0), Some("private-address"))
    );
}

#[test]
fn what_a_page_says_about_itself_is_fetched() {
    check(
        site(|asked| {
            let html = format!(
                "<html><head><link rel=canonical href=/proper>\
                 <link rel=alternate hreflang=de href=/de/>\
                 <meta http-equiv=refresh content='0; url=/later'></head>{}",
                prose("/")
            );
            Some(if asked.path == "/" { Reply::html(html) } else { linking(asked, &[]) })
        }),
        &["/", "/de/", "/later", "/proper"],
    );
}

#[test]
fn what_a_server_says_about_a_page_is_fetched() {
    let link =
        "</proper>; rel=\"canonical\", </de/>; rel=alternate; hreflang=de, </style>; rel=preload";
    let respond = site(move |asked| match asked.path {
        "/" => Some(linking(asked, &[]).with("Link", link)),
        _ => Some(linking(asked, &[])),
    });
    check(respond, &["/", "/de/", "/proper"]);
}

#[test]
fn a_page_with_too_many_links_still_says_where_it_belongs() {
    let web = Web::new(
        1,
        site(|asked| match asked.path {
            "/" => {
                Some(linking(asked, &["/a", "/b", "/c"]).with("Link", "</proper>; rel=canonical"))
            }
            _ => Some(linking(asked, &[])),
        }),
    );
    let trial = Trial::new(&web, &[web.url(0, "/")]).with(|it| it.limits.links = 2);
    let ran = trial.run();
    assert_eq!(web.paths(0), ["/", "/a", "/proper"]);
    assert_eq!(ran.progress.filtered, BTreeMap::from([("too many".to_owned(), 2)]));
}

#[test]
fn a_sitemap_names_pages_in_other_languages() {
    let respond = |asked: &Asked| match asked.path {
        "/robots.txt" => Reply::text("User-agent: *\nDisallow:\nSitemap: /map.xml"),
        "/map.xml" => {
            let list = format!(
                "<urlset xmlns:x=\"http://www.w3.org/1999/xhtml\"><url><loc>{}</loc>\
                 <x:link rel=\"alternate\" hreflang=\"de\" href=\"{}\"/></url></urlset>",
                asked.url(0, "/en/a"),
                asked.url(0, "/de/a"),
            );
            Reply::new(200, list).with("Content-Type", "application/xml")
        }
        _ => linking(asked, &[]),
    };
    check(respond, &["/", "/de/a", "/en/a", "/map.xml"]);
}

#[test]
fn a_page_that_is_said_to_be_in_another_language_is_left_out() {
    let link = "</a>; rel=alternate; hreflang=de-AT, </b>; rel=alternate; hreflang=fr, \
                </c>; rel=alternate; hreflang=x-default";
    let web = Web::new(
        1,
        site(move |asked| match asked.path {
            "/" => Some(linking(asked, &["/b", "/d"]).with("Link", link)),
            _ => Some(linking(asked, &[])),
        }),
    );
    let trial = Trial::new(&web, &[web.url(0, "/")]);
    trial.with(|it| it.scope.languages = ["de".to_owned()].into()).run();
    assert_eq!(web.paths(0), ["/", "/a", "/c", "/d"]);
}

/// A feed in RSS with a link to this page.
fn feed(url: &str) -> Reply {
    let feed = format!("<rss><channel><item><link>{url}</link></item></channel></rss>");
    Reply::new(200, feed).with("Content-Type", "application/rss+xml")
}

#[test]
fn the_feeds_of_a_site_are_read_where_it_is_entered() {
    let respond = site(|asked| match asked.path {
        "/" | "/news" => {
            let link = |it: &str| {
                let number = asked.path.len();
                format!("<link rel=alternate type=application/rss+xml href=/{it}{number}>")
            };
            let links = ["site", "notes", "comments"].map(link).concat();
            Some(Reply::html(format!("{links}<a href=/news>News</a>{}", prose(asked.path))))
        }
        "/site1" => Some(feed(&asked.url(0, "/today"))),
        "/notes1" => Some(feed(&asked.url(0, "/note"))),
        _ => Some(linking(asked, &[])),
    });
    check(respond, &["/", "/news", "/note", "/notes1", "/site1", "/today"]);
}

#[test]
fn a_crawl_may_begin_with_a_sitemap_or_a_feed() {
    let web = Web::new(
        1,
        site(|asked| match asked.path {
            "/map.xml" => {
                let page = asked.url(0, "/a");
                Some(
                    Reply::new(200, format!("<urlset><url><loc>{page}</loc></url></urlset>"))
                        .with("Content-Type", "text/xml"),
                )
            }
            "/feed" => Some(feed(&asked.url(0, "/b"))),
            "/data.xml" => Some(Reply::new(200, "<data/>").with("Content-Type", "text/xml")),
            // Not everything that a page links to is a list.
            "/a" => Some(linking(asked, &["/more"])),
            "/more" => Some(feed(&asked.url(0, "/c"))),
            _ => Some(linking(asked, &[])),
        }),
    );
    let trial = Trial::new(&web, &["/map.xml", "/feed", "/data.xml"].map(|it| web.url(0, it)));
    let crawl = trial.open().expect("it opens");
    runtime().block_on(crawl.run()).expect("it runs");
    assert_eq!(web.paths(0), ["/a", "/b", "/data.xml", "/feed", "/map.xml", "/more"]);
    let (lost, count) = crawl.lost_seeds(9).expect("they can be told");
    assert_eq!((count, lost[0].url.as_str()), (1, &*web.url(0, "/data.xml")));
    check_agreement(&trial, &web);
}

#[test]
fn sitemaps_are_found_in_robots_txt_and_read_in_every_form() {
    let respond = |asked: &Asked| {
        let list = |kind: &str, item: &str, paths: &[&str]| {
            let entries = paths
                .iter()
                .map(|it| format!("<{item}><loc>{}</loc></{item}>", asked.url(asked.host, it)));
            let space = "http://www.sitemaps.org/schemas/sitemap/0.9";
            format!("<{kind} xmlns=\"{space}\">{}</{kind}>", entries.collect::<String>())
        };
        match asked.path {
            "/robots.txt" => Reply::text(format!(
                "User-agent: *\nDisallow: /hidden\nSitemap: {}\nSitemap: /list.txt",
                asked.url(0, "/index.xml")
            )),
            "/index.xml" => {
                Reply::new(200, list("sitemapindex", "sitemap", &["/a.xml", "/b.xml.gz"]))
                    .with("Content-Type", "application/xml")
            }
            "/a.xml" => Reply::redirect("/a2.xml"),
            "/a2.xml" => Reply::new(200, list("urlset", "url", &["/a", "/hidden"]))
                .with("Content-Type", "text/xml"),
            "/b.xml.gz" => Reply::new(200, gzip(list("urlset", "url", &["/b"]).as_bytes()))
                .with("Content-Type", "application/gzip"),
            "/list.txt" => Reply::text(asked.url(0, "/t")),
            _ => linking(asked, &[]),
        }
    };
    check(
        respond,
        &["/", "/a", "/a.xml", "/a2.xml", "/b", "/b.xml.gz", "/index.xml", "/list.txt", "/t"],
    );
}

#[test]
fn sitemaps_may_be_longer_than_pages_and_those_that_are_cut_off_are_counted() {
    let list = |asked: &Asked, folder: &str| -> String {
        (0..9).map(|it| asked.url(0, &format!("/{folder}/{it}\n"))).collect()
    };
    let web = Web::new(1, move |asked| match asked.path {
        "/robots.txt" => Reply::text("User-agent: *\nDisallow:\nSitemap: /a.txt\nSitemap: /b.gz"),
        "/a.txt" => Reply::text(list(asked, "a")),
        "/b.gz" => Reply::new(200, gzip(list(asked, "b").as_bytes()))
            .with("Content-Type", "application/gzip"),
        "/c.xml" => Reply::new(200, list(asked, "c")).with("Content-Type", "text/xml"),
        _ => Reply::html("<p>a page"),
    });
    let crawl = |sitemap: usize| {
        let trial = Trial::new(&web, &[web.url(0, "/"), web.url(0, "/c.xml")]).with(|it| {
            (it.limits.body, it.limits.unpacked, it.limits.sitemap) = (100, 100, sitemap);
        });
        trial.run().progress
    };
    let all = crawl(1000);
    assert_eq!((all.known, all.errors.get("list cut off")), (4 + 3 * 9, None));
    let some = crawl(100);
    assert_eq!((some.known < 4 + 3 * 4, some.errors["list cut off"]), (true, 3));
}

#[test]
fn sitemaps_out_of_scope_are_not_asked_for() {
    let web = Web::new(1, |asked| match asked.path {
        "/robots.txt" => {
            let port = asked.url(0, "").rsplit(':').next().expect("a port").to_owned();
            let elsewhere = format!("http://other.example:{port}/other.xml");
            Reply::text(format!("Sitemap: {elsewhere}\nSitemap: /film.mp4\nSitemap: /map.xml"))
        }
        "/map.xml" => Reply::text(asked.url(0, "/listed/a")),
        _ => linking(asked, &[]),
    });
    let mut trial = Trial::new(&web, &[web.url(0, "/")]).with(|task| {
        // The list of what is in scope may lie elsewhere on its host.
        let scope = "allow.hosts = ['127.0.0.1']\nallow.paths = ['/listed/']";
        task.scope = toml::from_str(scope).expect("a scope");
    });
    let known = vec![("other.example", [127, 0, 0, 1].into())];
    trial.around.resolver = Some(Arc::new(Names(known, NameError::NoSuchName)));
    let ran = trial.run();
    assert_eq!(web.paths(0), ["/", "/listed/a", "/map.xml"]);
    assert_eq!((ran.progress.filtered["host"], ran.progress.filtered["file type"]), (1, 1));
}

/// A host whose sitemap lists two hundred pages, which are there or not, and has room for five of them.
#[track_caller]
fn check_listed(are_there: bool, expected: impl Fn(usize) -> bool) -> Ran {
    let web = Web::new(1, move |asked| match asked.path {
        "/robots.txt" => Reply::text("User-agent: *\nDisallow:\nSitemap: /map.txt"),
        "/map.txt" => {
            let listed: String = (0..200).map(|it| asked.url(0, &format!("/{it}\n"))).collect();
            match asked.headers.get("if-none-match") {
                Some(_) => Reply::new(304, ""),
                None => Reply::text(listed).with("ETag", "\"1\""),
            }
        }
        "/" => linking(asked, &[]),
        _ if are_there => linking(asked, &[]),
        _ => Reply::not_found(),
    });
    let ran = Trial::new(&web, &[web.url(0, "/")]).with(|it| it.limits.listed = 5).run();
    assert_eq!(ran.ending, Ending::Finished);
    let listed = web.paths(0).iter().filter(|it| *it != "/" && *it != "/map.txt").count();
    assert!(expected(listed), "{listed}");
    ran
}

#[test]
fn a_host_may_list_as_many_pages_as_it_likes_once_they_turn_out_to_be_new() {
    let ran = check_listed(true, |it| it == 200);
    assert_eq!(ran.progress.known, 202);
}

#[test]
fn a_host_that_lists_what_is_not_there_is_believed_for_some_time_only() {
    let ran = check_listed(false, |it| (3..60).contains(&it));
    assert!(ran.progress.filtered["listed only"] >= 140, "{:?}", ran.progress.filtered);
}

#[test]
fn links_of_pages_take_no_room_from_those_of_lists() {
    let web = Web::new(1, |asked| {
        let paths = |folder: &str, count: usize| -> Vec<_> {
            (0..count).map(|it| asked.url(0, &format!("/{folder}/{it}"))).collect()
        };
        match asked.path {
            "/robots.txt" => Reply::text("User-agent: *\nDisallow: /linked/\nSitemap: /map.txt"),
            "/" => Reply::html(page("/", &paths("linked", 100))),
            // Nothing is new in the first round, when the page may not have been read yet.
            "/map.txt" => Reply::text(paths("listed", 10 * asked.before.min(1)).join("\n")),
            _ => linking(asked, &[]),
        }
    });
    let trial = Trial::new(&web, &[web.url(0, "/")]).with(|it| it.limits.listed = 5);
    for _ in 0..2 {
        let crawl = trial.open().expect("it opens");
        crawl.frontier(|it| it.revisit(|it| it.url.ends_with("map.txt"))).expect("it works");
        runtime().block_on(crawl.run()).expect("it runs");
    }
    assert_eq!(web.paths(0).iter().filter(|it| it.starts_with("/listed/")).count(), 10);
}

#[test]
fn what_a_host_has_listed_counts_after_a_new_start() {
    let web = Web::new(1, |asked| match asked.path {
        "/robots.txt" => Reply::text("User-agent: *\nDisallow:\nSitemap: /map.txt"),
        "/map.txt" => {
            let url = |it: usize| asked.url(0, &format!("/{it}"));
            Reply::text((0..300).map(url).collect::<Vec<_>>().join("\n"))
        }
        "/" => linking(asked, &[]),
        _ => Reply::not_found(),
    });
    let trial = Trial::new(&web, &[web.url(0, "/")]).with(|it| it.limits.listed = 100);
    let mut known = Vec::new();
    for _ in 0..2 {
        let crawl = trial.open().expect("it opens");
        crawl.frontier(|it| it.revisit(|it| it.url.ends_with("map.txt"))).expect("it works");
        runtime().block_on(crawl.run()).expect("it runs");
        known.push(crawl.progress().known);
    }
    assert!(known[0] > 100 && known[1] < known[0] + 50, "{known:?}");
}

#[test]
fn a_list_to_begin_with_is_taken_in_whole_however_long_it_is() {
    const LISTED: u64 = 5_000;
    let item = |it| format!("<url><loc>/listed/{it}</loc></url>");
    let list = format!("<urlset>{}", (0..LISTED).map(item).collect::<String>());
    let web = Web::new(1, move |asked| match asked.path {
        "/robots.txt" => Reply::text("User-agent: *\nDisallow: /listed/"),
        _ => Reply::new(200, list.clone()).with("Content-Type", "text/xml"),
    });
    let trial = Trial::new(&web, &[web.url(0, "/list.xml")]).with(|it| it.limits.listed = 5);
    let ran = trial.run();
    assert_eq!((ran.progress.known, ran.progress.filtered["robots.txt"]), (LISTED + 1, LISTED));
    check_agreement(&trial, &web);
}

#[test]
fn a_list_names_no_more_hosts_that_nobody_knows_than_a_page_may() {
    let web = Web::new(1, |asked| match asked.path {
        "/robots.txt" => Reply::text("User-agent: *\nDisallow:\nSitemap: /map.txt"),
        "/map.txt" => {
            let stranger = |it| format!("http://h{it}.d{it}.example/\n");
            let strangers: String = (0..50).map(stranger).collect();
            Reply::text(strangers + &asked.url(0, "/last"))
        }
        _ => linking(asked, &[]),
    });
    let mut trial = Trial::new(&web, &[web.url(0, "/")]).with(|it| it.limits.links = 7);
    trial.around.resolver = Some(Arc::new(Names(Vec::new(), NameError::NoSuchName)));
    let ran = trial.run();
    assert_eq!((ran.progress.known, ran.progress.filtered["listed only"]), (3 + 7, 43));
    assert_eq!(ran.state(&web.url(0, "/last")), "visited");
}

#[test]
fn an_index_of_indexes_comes_to_an_end() {
    let respond = |asked: &Asked| match asked.path {
        "/robots.txt" => Reply::text("Sitemap: /0.xml"),
        "/" => linking(asked, &[]),
        path => {
            let number: u32 = path[1..].trim_end_matches(".xml").parse().expect("a number");
            let next = asked.url(0, &format!("/{}.xml", number + 1));
            let index =
                format!("<sitemapindex><sitemap><loc>{next}</loc></sitemap></sitemapindex>");
            Reply::new(200, index).with("Content-Type", "text/xml")
        }
    };
    check(respond, &["/", "/0.xml", "/1.xml"]);
}

#[test]
fn no_more_urls_of_a_host_are_taken_in_than_the_scope_says() {
    let respond = |asked: &Asked| {
        let mut links: Vec<_> = (0..30).map(|it| asked.url(0, &format!("/{it}"))).collect();
        links.push("http://elsewhere.example/".to_owned());
        match asked.path {
            "/" => Some(Reply::html(page("/", &links))),
            "/1" => Some(Reply::redirect("http://elsewhere.example/")),
            _ => Some(linking(asked, &[])),
        }
    };
    let web = Web::new(1, site(respond));
    let trial = Trial::new(&web, &[web.url(0, "/")]).with(|task| {
        task.scope.urls_per_host = Some(5);
        task.scope.deny.hosts.insert("elsewhere.example".to_owned());
    });
    let ran = trial.run();
    assert_eq!((ran.progress.known, web.asked().len()), (5, 5));
    assert_eq!(ran.progress.hosts, 1, "a host that is out of scope is not one of the crawl");
}

/// Packed with gzip without being any smaller.
fn gzip(bytes: &[u8]) -> Vec<u8> {
    let length = u16::try_from(bytes.len()).expect("it is short");
    let crc = bytes.iter().fold(u32::MAX, |crc, byte| {
        (0..8).fold(crc ^ u32::from(*byte), |crc, _| {
            if crc & 1 == 1 { (crc >> 1) ^ 0xedb8_8320 } else { crc >> 1 }
        })
    });
    [
        &[0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255, 1][..],
        &length.to_le_bytes(),
        &(!length).to_le_bytes(),
        bytes,
        &(!crc).to_le_bytes(),
        &u32::from(length).to_le_bytes(),
    ]
    .concat()
}

#[test]
fn what_is_no_page_is_not_fetched_and_what_turns_out_to_be_none_is_not_read() {
    let large = 60_usize << 20;
    let web = Web::new(
        1,
        site(move |asked| match asked.path {
            "/" => Some(linking(asked, &["/a.pdf", "/b.jpg", "/document", "/c"])),
            "/document" => {
                Some(Reply::new(200, vec![b' '; large]).with("Content-Type", "application/pdf"))
            }
            _ => Some(linking(asked, &[])),
        }),
    );
    let trial = Trial::new(&web, &[web.url(0, "/")]);
    let ran = trial.run();
    assert_eq!(web.paths(0), ["/", "/c", "/document"]);
    assert_eq!(ran.progress.filtered["file type"], 2);
    assert_eq!(ran.progress.errors["unwanted type"], 1);
    // What the system holds ready between the two is gone; the rest was never sent.
    assert!(web.sent() < large as u64 / 4, "{} bytes were sent", web.sent());
    assert!(ran.progress.bytes < 100_000);
}

#[test]
fn links_out_of_scope_are_not_followed_not_even_along_redirects() {
    let web = Web::new(
        2,
        site(|asked| match asked.path {
            "/" if asked.host == 0 => {
                let mut links = ["/shop/1", "/a", "/leads-out"].map(|it| asked.url(0, it)).to_vec();
                links.push(asked.url(1, "/"));
                Some(Reply::html(page("/", &links)))
            }
            "/a" => Some(linking(asked, &["/b"])),
            "/b" => Some(linking(asked, &["/too-deep"])),
            "/leads-out" => Some(Reply::redirect(&asked.url(0, "/shop/2"))),
            _ => Some(linking(asked, &[])),
        }),
    );
    let trial = Trial::new(&web, &[web.url(0, "/")]).with(|task| {
        task.scope = toml::from_str("depth = 2\ndeny.paths = ['/shop/']").expect("a scope");
    });
    let ran = trial.run();
    assert_eq!(web.paths(0), ["/", "/a", "/b", "/leads-out"]);
    assert_eq!(web.paths(1), ["/"]);
    let state = ran.state(&web.url(0, "/leads-out"));
    assert!(state.starts_with("dropped: leads to"), "{state}");
    assert_eq!(ran.ending, Ending::Finished);
}

/// A host without end: every page leads to two more.
#[allow(clippy::unnecessary_wraps, reason = "a web may have no reply")]
fn endless(asked: &Asked) -> Option<Reply> {
    let number: u64 = asked.path[1..].parse().unwrap_or(0);
    let links = [2 * number + 1, 2 * number + 2].map(|it| asked.url(asked.host, &format!("/{it}")));
    Some(Reply::html(page(&format!("{} {}", asked.host, asked.path), &links)))
}

#[test]
fn a_calendar_without_end_is_left_after_some_days() {
    let calendar = site(|asked| {
        let day: u64 = asked.path[1..].parse().unwrap_or(0);
        let links = [1, 7, 30, 365].map(|it| asked.url(asked.host, &format!("/{}", day + it)));
        let links = links.map(|it| format!("<a href={it}>next</a>")).join(" ");
        Some(Reply::html(format!("<h1>Calendar</h1><p>No events on day {day}.<p>{links}")))
    });
    let (paths, ran) = crawl(calendar);
    assert!(paths.len() < 30, "{paths:?}");
    assert_eq!(ran.ending, Ending::Finished);
}

#[test]
fn numbered_pages_that_lead_on_are_no_trap() {
    let album = site(|asked| {
        if asked.path.starts_with("/article/") {
            return Some(linking(asked, &[]));
        }
        let number: u64 = asked.path[1..].parse().unwrap_or(0);
        let next = (number < 60).then(|| asked.url(asked.host, &format!("/{}", number + 1)));
        let article = asked.url(asked.host, &format!("/article/{number}"));
        let next = next.map_or(String::new(), |it| format!("<a href={it}>next</a>"));
        let body = format!("<h1>Album</h1><p>Sheet {number}<p><a href={article}>large</a> {next}");
        Some(Reply::html(body))
    });
    let (paths, _) = crawl(album);
    assert_eq!(paths.iter().filter(|it| it.starts_with("/article/")).count(), 61);
}

#[test]
fn a_parameter_that_changes_nothing_is_found_out() {
    let both = site(|asked| {
        if asked.path != "/" {
            let plain = asked.path.split('?').next().unwrap_or_default();
            return Some(Reply::html(page(plain, &[])));
        }
        let paths = (1..=20).flat_map(|it| [format!("/{it}"), format!("/{it}?view=full")]);
        let links: Vec<_> = paths.map(|it| asked.url(asked.host, &it)).collect();
        Some(Reply::html(page("all", &links)))
    });
    let (paths, _) = crawl(both);
    let (full, plain): (Vec<_>, Vec<_>) = paths.iter().partition(|it| it.contains('?'));
    assert_eq!(plain.len(), 21);
    assert!((1..6).contains(&full.len()), "{full:?}");
}

#[test]
fn a_budget_is_kept_over_all_runs() {
    let web = Web::new(3, site(endless));
    let trial = Trial::new(&web, &[0, 1, 2].map(|it| web.url(it, "/")));
    let mut trial = trial.with(|it| it.budget = Budget::Pages(10));
    assert_eq!(trial.run().ending, Ending::BudgetUsed);
    assert_eq!(web.asked().len(), 10);
    assert_eq!(trial.run().ending, Ending::BudgetUsed);
    assert_eq!(web.asked().len(), 10);
    trial.task.budget = Budget::Pages(25);
    assert_eq!(trial.run().ending, Ending::BudgetUsed);
    assert_eq!(web.asked().len(), 25);
    check_agreement(&trial, &web);
}

#[test]
fn a_budget_of_bytes_or_time_ends_the_crawl() {
    let web = Web::new(1, site(endless));
    let trial = Trial::new(&web, &[web.url(0, "/")]).with(|it| it.budget = Budget::Bytes(10_000));
    let ran = trial.run();
    assert_eq!(ran.ending, Ending::BudgetUsed);
    assert!((10_000..12_000).contains(&ran.progress.bytes), "{} bytes", ran.progress.bytes);

    let trial = Trial::new(&web, &[web.url(0, "/")]);
    let trial = trial.with(|it| it.budget = Budget::Time(Duration::from_secs(30)));
    let ran = trial.run();
    assert_eq!(ran.ending, Ending::BudgetUsed);
    assert!(
        (20..=30).contains(&ran.progress.pages),
        "{} pages at one a second",
        ran.progress.pages
    );
}

/// A host with sixty pages.
#[allow(clippy::unnecessary_wraps, reason = "a web may have no reply")]
fn sixty(asked: &Asked) -> Option<Reply> {
    let number: u64 = asked.path[1..].parse().unwrap_or(0);
    let links = [2 * number + 1, 2 * number + 2].into_iter().filter(|it| *it < 60);
    let links: Vec<_> = links.map(|it| asked.url(asked.host, &format!("/{it}"))).collect();
    Some(Reply::html(page(&format!("{} {}", asked.host, asked.path), &links)))
}

#[test]
fn a_crawl_that_was_stopped_goes_on_where_it_was() {
    let handle: Arc<Mutex<Option<Crawl>>> = Arc::default();
    let stopping = Arc::clone(&handle);
    let web = Web::new(
        2,
        site(move |asked| {
            if asked.path == "/20"
                && let Some(crawl) = stopping.lock().expect("no panic").take()
            {
                crawl.wish(Wish::Stop);
            }
            sixty(asked)
        }),
    );
    let trial = Trial::new(&web, &[0, 1].map(|it| web.url(it, "/")));
    let crawl = trial.open().expect("it opens");
    let told = trial.open().err().expect("it is open already").to_string();
    assert!(told.contains("in use by another process"), "{told}");
    *handle.lock().expect("no panic") = Some(crawl.clone());
    let ending = runtime().block_on(crawl.run()).expect("it runs");
    assert_eq!(ending, Ending::Stopped);
    assert_eq!(crawl.progress().in_flight, 0);
    assert!(web.asked().len() < 60, "{}", web.asked().len());
    drop(crawl);
    assert_eq!(trial.run().ending, Ending::Finished);
    assert_eq!(web.asked().len(), 2 * 60);
    check_agreement(&trial, &web);
}

#[test]
fn a_crawl_that_pauses_asks_for_nothing_and_then_goes_on() {
    let handle: Arc<OnceLock<Crawl>> = Arc::default();
    let pausing = Arc::clone(&handle);
    let web = Web::new(
        2,
        site(move |asked| {
            if asked.path == "/20" {
                pausing.get().expect("it is there").wish(Wish::Pause);
            }
            sixty(asked)
        }),
    );
    let trial = Trial::new(&web, &[0, 1].map(|it| web.url(it, "/")));
    let crawl = trial.open().expect("it opens");
    assert!(handle.set(crawl.clone()).is_ok());
    let runtime = runtime();
    let running = runtime.spawn({
        let crawl = crawl.clone();
        async move { crawl.run().await.expect("it runs") }
    });
    // Both hosts come to their page 20, each after the crawl went on.
    for _ in 0..2 {
        runtime.block_on(async {
            while crawl.wished() == Wish::Run || crawl.progress().in_flight > 0 {
                tokio::task::yield_now().await;
            }
        });
        let before = web.requests().len();
        assert!(before < 2 * 61);
        crawl.wish(Wish::Run);
        web.wait_for_requests(before + 1);
        if web.asked().iter().filter(|it| it.ends_with("/20")).count() == 2 {
            break;
        }
    }
    crawl.wish(Wish::Run);
    let ending = runtime.block_on(async {
        while !running.is_finished() {
            crawl.wish(Wish::Run);
            tokio::task::yield_now().await;
        }
        running.await.expect("no panic")
    });
    assert_eq!(ending, Ending::Finished);
    assert_eq!(web.asked().len(), 2 * 60);
    check_agreement(&trial, &web);
}

#[test]
fn a_budget_of_time_is_not_spent_on_a_pause() {
    let web = Web::new(1, site(sixty));
    let crawl = Trial::new(&web, &[web.url(0, "/")]).open().expect("it opens");
    let later = |hours| {
        let clock = web.clock();
        let moment = clock.now() + Duration::from_hours(hours);
        runtime().block_on(clock.wait_until(moment));
        crawl.spent().time.as_secs() / 3600
    };
    assert_eq!(later(1), 1);
    crawl.wish(Wish::Pause);
    assert_eq!(later(5), 1);
    crawl.wish(Wish::Run);
    assert_eq!(later(2), 3);
}

#[test]
fn two_crawls_that_meet_at_a_host_take_turns() {
    let web = Web::new(2, site(sixty));
    let one = Trial::new(&web, &[web.url(0, "/"), web.url(1, "/")]);
    let mut other = Trial::new(&web, &[web.url(0, "/"), web.url(1, "/")]);
    other.around.courtesy = Arc::clone(&one.around.courtesy);
    let crawls = [one.open().expect("it opens"), other.open().expect("it opens")];
    let endings = runtime().block_on(async {
        let (one, other) = tokio::join!(crawls[0].run(), crawls[1].run());
        [one.expect("it runs"), other.expect("it runs")]
    });
    assert_eq!(endings, [Ending::Finished; 2]);
    assert_eq!(web.asked().len(), 2 * 2 * 60);
    assert_eq!(web.most_at_once(), 1);
    for host in 0..2 {
        let pauses = pauses(&web, host);
        assert!(pauses.iter().all(|it| *it >= 1.0), "{pauses:?}");
    }
}

/// A host with a bit of everything that can happen to a link.
fn motley(asked: &Asked) -> Reply {
    match asked.path {
        "/robots.txt" => Reply::text("User-agent: *\nDisallow: /hidden\nSitemap: /map.xml"),
        "/map.xml" => {
            let entry = format!("<url><loc>{}</loc></url>", asked.url(0, "/mapped"));
            Reply::new(200, format!("<urlset>{entry}</urlset>")).with("Content-Type", "text/xml")
        }
        "/" => linking(
            asked,
            &["/a", "/hidden", "/gone", "/moved", "/doc", "/busy", "/broken", "/torn", "/a.zip"],
        ),
        "/gone" => Reply::not_found(),
        "/moved" => Reply::redirect("/there"),
        "/doc" => Reply::new(200, "%PDF").with("Content-Type", "application/pdf"),
        "/busy" if asked.before == 0 => Reply::new(429, "").with("Retry-After", "100"),
        "/broken" => Reply::new(500, "oh"),
        "/torn" => Reply::Bytes(b"no answer\r\n\r\n".to_vec()),
        _ if asked.headers.contains_key("if-none-match") => Reply::new(304, ""),
        _ => match linking(asked, &["/a", "/b"]) {
            page @ Reply::Answer { .. } => page.with("ETag", "\"1\"").with("X-Robots-Tag", "all"),
            other => other,
        },
    }
}

#[test]
fn pages_that_were_seen_before_are_asked_for_only_if_they_changed() {
    let web = Web::new(1, motley);
    let trial = Trial::new(&web, &[web.url(0, "/")]);
    let trial = trial.with(|it| it.politeness.patience = VERY_PATIENT);
    trial.run();
    let before = web.requests().len();
    let crawl = trial.open().expect("it opens");
    let again = crawl.frontier(|it| it.revisit(|_| true)).expect("the frontier works");
    assert!(again > 3, "{again}");
    assert_eq!(runtime().block_on(crawl.run()).expect("it runs"), Ending::Finished);
    let requests = web.requests().split_off(before);
    let asked = |path: &str| requests.iter().filter(|it| it.path == path).collect::<Vec<_>>();
    assert_eq!(asked("/a").len(), 1);
    assert_eq!(asked("/a")[0].headers["if-none-match"], "\"1\"");
    assert!(!asked("/gone")[0].headers.contains_key("if-none-match"));
    let ran = Ran::of(&crawl, Ending::Finished);
    assert_eq!(ran.state(&web.url(0, "/a")), "visited");
    let lines = trial.lines();
    let last = lines.iter().rfind(|it| it["url"] == web.url(0, "/a")).expect("it was judged");
    assert_eq!(last["status"], 304);
    check_agreement(&trial, &web);
}

#[test]
fn a_new_round_begins_with_seeds_that_lead_elsewhere_and_with_those_that_were_given_up() {
    let web = Web::new(
        1,
        site(|asked| match asked.path {
            "/" => Some(Reply::redirect(&asked.url(0, "/start"))),
            "/start" => Some(linking(asked, if asked.before == 0 { &[] } else { &["/new"] })),
            "/busy" if asked.before < 3 => Some(Reply::new(500, "")),
            "/new" | "/busy" => Some(linking(asked, &[])),
            _ => None,
        }),
    );
    let trial = Trial::new(&web, &["/", "/busy"].map(|it| web.url(0, it)));
    let trial = trial.with(|it| it.politeness.patience = VERY_PATIENT);
    let crawl = trial.open().expect("it opens");
    runtime().block_on(crawl.run()).expect("it runs");
    let (lost, _) = crawl.lost_seeds(9).expect("they can be told");
    assert!(lost[0].reason.ends_with("it was given up, --revisit asks for it again"), "{lost:?}");
    drop(crawl);
    let crawl = trial.open().expect("it opens");
    assert_eq!(crawl.revisit().expect("the frontier works"), 3);
    runtime().block_on(crawl.run()).expect("it runs");
    let expected = ["/", "/", "/busy", "/busy", "/busy", "/busy", "/new", "/start", "/start"];
    assert_eq!(web.paths(0), expected);
    assert_eq!(crawl.lost_seeds(9).expect("they can be told").1, 0);
    let counts = crawl.frontier(|it| it.counts());
    assert_eq!((counts.redirected, counts.dropped, counts.queued), (1, 0, 0));
}

#[test]
fn changes_of_a_sitemap_are_counted() {
    let web = Web::new(1, |asked| match asked.path {
        "/robots.txt" => Reply::text("User-agent: *\nDisallow:\nSitemap: /news.xml\n"),
        "/news.xml" => {
            let news = asked.url(0, &format!("/{}", asked.before / 2));
            Reply::new(200, format!("<urlset><url><loc>{news}</loc></url></urlset>"))
                .with("Content-Type", "application/xml")
        }
        _ => linking(asked, &[]),
    });
    let trial = Trial::new(&web, &[web.url(0, "/")]);
    for _ in 0..4 {
        let crawl = trial.open().expect("it opens");
        crawl.frontier(|it| it.revisit(|it| it.url.contains(".xml"))).expect("it works");
        runtime().block_on(crawl.run()).expect("it runs");
    }
    let crawl = trial.open().expect("it opens");
    let url = web.url(0, "/news.xml").parse().expect("a URL");
    let found = crawl.frontier(|it| it.find(&url)).expect("it works").expect("it is known");
    let visit = found.1.visit.expect("it was visited");
    assert_eq!((visit.checks, visit.changes), (3, 1));
}

#[test]
fn a_page_has_changed_when_it_says_something_else_and_not_with_every_byte() {
    let news = ["The ferry leaves", "The ferry leaves", "The ferry leaves", "The ferry sank"];
    let web = Web::new(
        1,
        site(move |asked| match asked.path {
            "/" => {
                let (nonce, clock) = (asked.before * 7 + 12_345, asked.before + 10);
                let head = format!("<form><input type=hidden value=x{nonce}></form>");
                Some(Reply::html(format!(
                    "{head}<p>{} today, it is {clock}:00",
                    news[asked.before]
                )))
            }
            _ => None,
        }),
    );
    let trial = Trial::new(&web, &[web.url(0, "/")]);
    let visit = |crawl: &Crawl| {
        let url = web.url(0, "/").parse().expect("a URL");
        let found = crawl.frontier(|it| it.find(&url)).expect("it works").expect("it is known");
        found.1.visit.expect("it was visited")
    };
    let mut digests = BTreeSet::new();
    for (looks, changes) in [(0, 0), (1, 0), (2, 0), (3, 1)] {
        let crawl = trial.open().expect("it opens");
        crawl.frontier(|it| it.revisit(|_| true)).expect("it works");
        runtime().block_on(crawl.run()).expect("it runs");
        let visit = visit(&crawl);
        assert_eq!((visit.checks, visit.changes), (looks, changes));
        assert_eq!(visit.kept, visit.at, "the archive has every one of them");
        digests.insert(visit.digest);
    }
    assert_eq!(digests.len(), 4);
}

#[test]
fn of_a_page_that_came_by_half_the_whole_is_asked_for() {
    let web = Web::new(
        1,
        site(|asked| match asked.path {
            "/" if asked.before == 0 => Some(torn("ETag: \"1\"\r\n", "<p>half a page")),
            "/" if asked.headers.contains_key("if-none-match") => Some(Reply::new(304, "")),
            "/" => Some(linking(asked, &["/rest"]).with("ETag", "\"1\"")),
            _ => Some(linking(asked, &[])),
        }),
    );
    let trial = Trial::new(&web, &[web.url(0, "/")]);
    for _ in 0..3 {
        let crawl = trial.open().expect("it opens");
        crawl.frontier(|it| it.revisit(|it| it.depth == 0)).expect("it works");
        runtime().block_on(crawl.run()).expect("it runs");
    }
    let requests = web.requests();
    let asked = requests.iter().filter(|it| it.path == "/");
    let with_mark: Vec<_> = asked.map(|it| it.headers.contains_key("if-none-match")).collect();
    assert_eq!(with_mark, [false, false, true]);
    assert_eq!(web.paths(0).last().map(String::as_str), Some("/rest"));
}

/// What a frontier knows of its links, without what only a live visit can tell.
type Known = (State, u8, Option<(u16, u64, u16)>);

fn known(crawl: &Crawl) -> BTreeMap<String, Known> {
    let mut known = BTreeMap::new();
    let listed = crawl.frontier(|it| {
        it.links(|_, entry| {
            let visit = entry.visit.as_ref().map(|it| (it.status, it.digest, it.checks));
            let state = match entry.state {
                // Numbers are given in the order in which links are found.
                State::Redirected(_) => State::Redirected(frontier::LinkId(0)),
                State::Waiting(_) => State::Waiting(Moment(0)),
                other => other,
            };
            // What robots.txt forbids is found out anew when its turn comes.
            if !entry.url.ends_with("/hidden") {
                known.insert(entry.url, (state, entry.tries, visit));
            }
        })
    });
    listed.expect("the frontier works");
    known
}

#[test]
fn what_the_frontier_forgot_it_hears_again_from_the_archive_without_a_request() {
    let web = Web::new(1, motley);
    let trial = Trial::new(&web, &[web.url(0, "/")]);
    let trial = trial.with(|it| it.politeness.patience = VERY_PATIENT);
    let folder = trial.around.data.join("tasks").join("trial");
    let copy = |from: &str, to: &str| {
        std::fs::copy(folder.join(from), folder.join(to)).expect("it is copied");
    };
    for round in 0..2 {
        let crawl = trial.open().expect("it opens");
        if round == 1 {
            crawl.frontier(|it| {
                it.revisit(|_| true).expect("the frontier works");
                it.commit().expect("it is written");
            });
        }
        drop(crawl);
        copy("frontier.redb", "before.redb");
        let length = std::fs::metadata(folder.join("judged.jsonl")).expect("it is there").len();

        let crawl = trial.open().expect("it opens");
        runtime().block_on(crawl.run()).expect("it runs");
        let expected = known(&crawl);
        drop(crawl);
        let mut lines = trial.lines();
        let requests = web.requests().len();

        copy("before.redb", "frontier.redb");
        let crawl = trial.open().expect("it opens");
        assert_eq!(known(&crawl), expected, "round {round}");
        let mut again = trial.lines();
        // A sitemap's robots.txt does not remember for which link it was asked.
        for line in lines.iter_mut().chain(&mut again) {
            line.as_object_mut().expect("an object").remove("via");
        }
        // In the archive answers stand in the order in which they came, in the log in that in which
        // they were read.
        lines.sort_by_key(ToString::to_string);
        again.sort_by_key(ToString::to_string);
        assert_eq!(again, lines, "round {round}");
        assert_eq!(web.requests().len(), requests);
        assert!(length < std::fs::metadata(folder.join("judged.jsonl")).expect("there").len());
    }
}

/// A crawl of all pages of a web with a strategy that learns, in a folder of its own.
fn learning(
    web: &Web,
    change: impl FnOnce(&mut crawl::Task),
) -> (Trial, Result<u64, crawl::Error>) {
    let trial = Trial::new(web, &[web.url(0, "/")]).with(|it| {
        "adaptive".clone_into(&mut it.strategy);
        change(it);
    });
    let region = crawl::region(world::gazetteer(), &["Oldenburg, Germany".to_owned()]);
    let region = region.expect("it is known").map(|it| it.region);
    let heard = Crawl::open(trial.task.clone(), region, &trial.around).map(|crawl| {
        assert_eq!(runtime().block_on(crawl.run()).expect("it runs"), Ending::Finished);
        let model = crawl.frontier(|it| it.fact("model")).expect("it can be read");
        let model = model.expect("it has learned");
        // The form of the model, and how many pages were heard of.
        postcard::from_bytes::<(u16, u64)>(&model).expect("it can be read").1
    });
    (trial, heard)
}

#[test]
fn a_crawl_can_begin_with_what_another_has_learned() {
    let web = Web::new(
        1,
        site(|asked| match asked.path {
            "/" => Some(linking(asked, &["/a", "/b", "/c"])),
            _ => Some(linking(asked, &[])),
        }),
    );
    let (first, heard) = learning(&web, |_| ());
    assert_eq!(heard.expect("it runs"), 4);
    let folder = first.around.data.join("tasks/trial");
    let (_second, heard) = learning(&web, |it| it.warm_from = Some(folder.clone()));
    assert_eq!(heard.expect("it runs"), 4, "what the other has heard of is not counted");
    let (_third, told) = learning(&web, |it| {
        it.warm_from = Some(folder.clone());
        it.strategy = "best".to_owned();
    });
    let told = told.expect_err("they differ").to_string();
    assert!(told.ends_with("\"adaptive\" and this crawl has \"best\": take the same"), "{told}");
}
