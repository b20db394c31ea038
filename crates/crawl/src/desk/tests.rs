//! What a strategy is told of the links that a crawl has to do with.

use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use bytes::Bytes;
use focus::{Aim, Candidate, Source, Stale, Visited};
use frontier::{Courtesy, Link, LinkId, Outcome, Settings, State, Tally, Visit};

use super::*;
use crate::answer::{Answer, Told};
use crate::counters::Counters;
use crate::goal::Goal;
use crate::reading::{FoundLink, List, Reader};

/// What a strategy was told, one word after the other.
#[derive(Clone, Default)]
struct Listener(Arc<Mutex<Vec<String>>>);

impl Listener {
    fn note(&self, word: String) {
        self.0.lock().expect("nobody panics with it").push(word);
    }

    /// What was told since this was asked last.
    fn told(&self) -> Vec<String> {
        std::mem::take(&mut *self.0.lock().expect("nobody panics with it"))
    }
}

impl Strategy for Listener {
    fn name(&self) -> &'static str {
        "listener"
    }

    fn value(&mut self, _: &Source<'_>, links: &[Candidate<'_>]) -> Vec<Value> {
        links.iter().map(|_| Value { priority: 0.5, note: Vec::new() }).collect()
    }

    fn hear(&mut self, visited: &Visited<'_>) -> Stale {
        let how = if visited.is_in_vain { "in vain" } else { "visited" };
        self.note(format!("{} {how}", visited.url.path()));
        Stale::Nothing
    }

    fn forgo(&mut self, url: &Url) {
        self.note(format!("{} forgone", url.path()));
    }

    fn forward(&mut self, from: &Url, to: &Url) {
        self.note(format!("{} leads to {}", from.path(), to.path()));
    }

    fn explain(&self, _: &Value, _: u16) -> Vec<String> {
        vec![format!("{} told", self.0.lock().expect("nobody panics with it").len())]
    }
}

/// A desk with a host, and who is told what happens there.
struct Trial {
    desk: Desk,
    listener: Listener,
    goal: Goal,
    now: Moment,
    folder: tempfile::TempDir,
}

impl Trial {
    fn new() -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let open = |name: &str| folder.path().join(name);
        let courtesy = Arc::new(Courtesy::default());
        let frontier = Frontier::open(&open("frontier.redb"), Settings::default(), courtesy);
        let listener = Listener::default();
        let ledger = Ledger::open(&open("judged.jsonl"), 0).expect("it opens");
        let frontier = frontier.expect("it opens");
        let desk = Desk::new(frontier, Box::new(listener.clone()), ledger, &Task::default());
        let goal = Goal::new(world::gazetteer(), None, None, false);
        Self { desk, listener, goal, now: Moment::default(), folder }
    }

    /// A host answers a link so; the link is taken for a seed if it is not known.
    #[track_caller]
    fn answer(&mut self, path: &str, status: u16, body: &str) {
        self.now = self.now + Duration::from_mins(1);
        let url = url(path);
        self.desk.frontier.add(&[Link::seed(url.clone())], false, self.now).expect("it is added");
        let (id, entry) = self.desk.frontier.find(&url).expect("it works").expect("it is known");
        let answer = answer(url, self.now, status, body);
        let rules = &Task::default().links;
        let reader = Reader { goal: &self.goal, rules, most_links: 100, token: "strabo" };
        let counters = Counters::default();
        let reading = reader.read(&counters, &entry, &answer);
        let dealt = self.desk.deal_with(&self.goal, &counters, id, &answer, reading, self.now);
        dealt.expect("it is dealt with");
    }

    /// A link is not followed.
    #[track_caller]
    fn drop(&mut self, path: &str, reason: &str) {
        let found = self.desk.frontier.find(&url(path)).expect("it works");
        let (id, entry) = found.expect("it is known");
        self.desk.drop_link(id, &entry, reason, self.now).expect("it is dropped");
    }

    #[track_caller]
    fn check(&self, expected: &[&str]) {
        assert_eq!(self.listener.told(), expected);
    }

    /// Why links had their values, as the log has it.
    fn reasons(&mut self) -> Vec<String> {
        self.desk.ledger.flush().expect("it is written");
        let lines = std::fs::read_to_string(self.path().join("judged.jsonl")).expect("it is there");
        let reason = |line: &str| {
            let line: serde_json::Value = serde_json::from_str(line).expect("it is JSON");
            line["reason"].as_str().expect("it has one").to_owned()
        };
        lines.lines().map(reason).collect()
    }

    fn path(&self) -> &Path {
        self.folder.path()
    }
}

/// The answer to the question for a link.
fn answer(url: Url, at: Moment, status: u16, body: &str) -> Answer {
    let location = (300..400).contains(&status).then(|| body.to_owned());
    Answer {
        url,
        at,
        status,
        told: Told { location, content_type: Some("text/html".to_owned()), ..Told::default() },
        body: Bytes::copy_from_slice(body.as_bytes()),
        digest: 1,
        size: body.len() as u64,
        took: Duration::ZERO,
        address: None,
        is_unwanted: false,
        is_unchanged: status == 304,
        cut: None,
    }
}

fn url(path: &str) -> Url {
    Url::parse("http://a.example/").and_then(|it| it.join(path)).expect("a URL")
}

#[test]
fn a_page_is_told_of_once_however_often_it_is_looked_at() {
    let mut trial = Trial::new();
    trial.answer("/a", 200, "<p>one</p>");
    trial.check(&["/a visited"]);
    trial.answer("/a", 200, "<p>another</p>");
    trial.answer("/a", 304, "");
    trial.answer("/a", 404, "");
    trial.answer("/a", 500, "");
    trial.check(&[]);
}

#[test]
fn a_host_that_has_enough_says_nothing_about_its_page_before_that_is_given_up() {
    let mut trial = Trial::new();
    let tries = Limits::default().tries;
    for _ in 1..tries {
        trial.answer("/a", 429, "");
    }
    trial.check(&[]);
    trial.answer("/a", 503, "");
    trial.check(&["/a in vain"]);
    (0..tries).for_each(|_| trial.answer("/b", 500, ""));
    trial.check(&["/b in vain"]);
}

#[test]
fn what_becomes_of_a_link_that_is_not_followed_is_told() {
    let mut trial = Trial::new();
    trial.answer("/a", 301, "/b");
    trial.check(&["/a visited", "/a leads to /b"]);
    trial.answer("/c", 301, "/b");
    trial.check(&["/c visited", "/c forgone"]);
    trial.drop("/b", "trap");
    trial.check(&["/b forgone"]);
}

#[test]
fn what_a_mirror_alone_has_is_asked_of_its_original() {
    let mut trial = Trial::new();
    let pages =
        |it: u32| format!("<h1>Ferry {it}</h1><p>Leaves at the {it}th stroke of the bell.</p>");
    for host in ["a.example", "b.example"] {
        for it in 0..5 {
            trial.answer(&format!("http://{host}/{it}"), 200, &pages(it));
        }
    }
    trial.listener.told();
    let known = |trial: &mut Trial, url: &str| {
        trial.desk.frontier.find(&absolute(url)).expect("it works").map(|it| it.1.state)
    };
    // Met before it was known as a mirror, and after.
    let link = Link::seed(absolute("http://b.example/queued"));
    trial.desk.frontier.add(&[link], false, trial.now).expect("it is added");
    trial.drop("http://b.example/queued", "mirror");
    assert_eq!(known(&mut trial, "http://a.example/queued"), Some(State::Queued));
    trial.check(&["/queued leads to /queued"]);
    trial.answer("/list", 200, "<a href='http://b.example/met'>met</a>");
    assert_eq!(known(&mut trial, "http://a.example/met"), Some(State::Queued));
    assert_eq!(known(&mut trial, "http://b.example/met"), None);
}

#[test]
fn a_reason_is_what_was_known_before_the_visit() {
    let mut trial = Trial::new();
    trial.answer("/a", 200, "<p>one</p>");
    trial.answer("/b", 404, "");
    assert_eq!(trial.reasons(), ["0 told", "1 told"]);
}

const NOW: Moment = Moment(1_700_000_000_000);

/// The desk of a task, and the folder of its files.
fn desk(task: &Task) -> (Desk, tempfile::TempDir) {
    let folder = tempfile::tempdir().expect("a folder");
    (desk_in(&folder, task), folder)
}

/// The same, with the files of this folder.
fn desk_in(folder: &tempfile::TempDir, task: &Task) -> Desk {
    let file = folder.path().join("frontier.redb");
    let courtesy = Arc::new(Courtesy::default());
    let frontier = Frontier::open(&file, Settings::default(), courtesy).expect("it opens");
    let strategy = focus::named("broad", &Aim::default()).expect("it is known");
    let ledger = Ledger::open(&folder.path().join("judged.jsonl"), 0).expect("it opens");
    Desk::new(frontier, strategy, ledger, task)
}

fn absolute(text: &str) -> Url {
    Url::parse(text).expect("a URL")
}

#[test]
fn a_link_out_of_scope_is_refused_for_that_and_teaches_nothing() {
    let task =
        |scope: &str| Task { scope: toml::from_str(scope).expect("a scope"), ..Task::default() };
    let (mut desk, _folder) = desk(&task("allow.hosts = ['a.example']"));
    let judge = |desk: &mut Desk, url: &str| {
        desk.judge(&absolute(url), Kind::Page, 1, 0, NOW).expect("it works")
    };
    assert_eq!(judge(&mut desk, "http://b.example/?page=20000"), Err("host"));
    assert_eq!(judge(&mut desk, "http://a.example/?page=20000"), Err("counter"));
    // More hosts than their domain may have.
    for host in 0..100 {
        let url = format!("http://h{host}.farm.example/");
        assert_eq!(judge(&mut desk, &url), Err("host"), "{url}");
    }
    desk.scope = Scope::default();
    assert_eq!(judge(&mut desk, "http://other.farm.example/"), Ok(()));
}

/// A strategy that cannot stand some page.
struct Faint;

impl Strategy for Faint {
    fn name(&self) -> &'static str {
        "faint"
    }

    fn value(&mut self, _: &Source<'_>, links: &[Candidate<'_>]) -> Vec<Value> {
        links.iter().map(|_| Value { priority: 0.5, note: Vec::new() }).collect()
    }

    fn hear(&mut self, visited: &Visited<'_>) -> Stale {
        assert!(visited.url.path() != "/faint", "an error of the program");
        Stale::Nothing
    }

    fn explain(&self, _: &Value, _: u16) -> Vec<String> {
        Vec::new()
    }
}

#[test]
fn an_answer_that_cannot_be_dealt_with_is_passed_over_when_the_crawl_is_opened_again() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    let mut writer =
        archive::Writer::open(folder, &archive::Settings::default()).expect("it opens");
    for path in ["/one", "/faint", "/other"] {
        let exchange = archive::Exchange {
            url: &format!("http://a.example{path}"),
            date: crate::clock::timestamp(NOW),
            address: None,
            protocol: None,
            request: &[],
            response: None,
            fields: &[("error", "refused")],
        };
        writer.append(&archive::pack(&exchange)).expect("it is written");
    }
    drop(writer);
    let hear = |skipped: &HashSet<archive::Position>| {
        let task = Task::default();
        let (mut desk, _folder) = desk(&task);
        desk.strategy = Box::new(Faint);
        let seeds = ["/one", "/faint", "/other"].map(|it| Link::seed(url(it)));
        desk.frontier.add(&seeds, false, Moment(0)).expect("they are added");
        let goal = Goal::new(world::gazetteer(), None, None, false);
        let mut replay = crate::replay::Replay {
            task: &task,
            goal: &goal,
            counters: &Counters::default(),
            desk: &mut desk,
            token: "strabo",
            heard: HashSet::new(),
            skipped,
            waiting: None,
            broken: None,
            result: Ok(()),
        };
        let settings = archive::Settings::default();
        archive::Writer::resume(folder, &settings, None, |it, record| replay.hear(&it, &record))
            .expect("it opens");
        replay.result.expect("it is heard");
        let broken = replay.broken;
        let states = ["/one", "/faint", "/other"].map(|it| {
            let found = desk.frontier.find(&url(it)).expect("it works");
            found.expect("it is known").1.state.to_string()
        });
        (broken, states)
    };
    let (broken, _) = hear(&HashSet::new());
    let skipped = HashSet::from([broken.expect("it cannot be dealt with")]);
    let (broken, states) = hear(&skipped);
    assert_eq!(broken, None);
    assert_eq!(states, ["queued", "dropped: an error of the program", "queued"]);
}

#[test]
fn who_is_sent_to_the_same_host_by_another_scheme_has_not_entered_it_anew() {
    let (mut desk, _folder) = desk(&Task::default());
    let deep = Link { inside: 4, depth: 4, ..Link::seed(absolute("http://a.example/deep")) };
    desk.frontier.add(std::slice::from_ref(&deep), false, NOW).expect("it is added");
    let (id, entry) = desk.frontier.find(&deep.url).expect("it works").expect("it is known");
    for (target, inside) in [("https://a.example/deep", 4), ("https://b.example/deep", 0)] {
        let followed = desk.follow(id, &entry, &absolute(target), NOW).expect("it works");
        assert_eq!(followed, Ok(true));
        let found = desk.frontier.find(&absolute(target)).expect("it works").expect("it is known");
        assert_eq!(found.1.inside, inside, "{target}");
    }
}

/// A sitemap names these paths; gives the sitemap, and how many are new.
#[track_caller]
fn take_in(desk: &mut Desk, counters: &Counters, paths: &[&str]) -> (LinkId, usize) {
    let map = Link { kind: Kind::Sitemap, ..Link::seed(url("/map.xml")) };
    desk.frontier.add(std::slice::from_ref(&map), false, NOW).expect("it is added");
    let (id, entry) = desk.frontier.find(&map.url).expect("it works").expect("it is known");
    let found = |path: &&str| FoundLink { url: url(path), index: None, hreflang: None };
    let pages = paths.iter().map(found).collect();
    let mut list = List { pages, sitemaps: Vec::new(), wording: 0, room: Room::default() };
    let answer = answer(map.url, NOW, 200, "");
    let new = desk.add_list(counters, id, &entry, &answer, &mut list, NOW).expect("they are added");
    desk.remember_unfinished(id, &list.room).expect("it is remembered");
    (id, new)
}

/// A desk whose hosts have room for five links that only lists name.
fn narrow_desk(scope: Scope) -> (Desk, tempfile::TempDir) {
    desk(&narrow_task(scope))
}

fn narrow_task(scope: Scope) -> Task {
    let limits = Limits { listed: 5, ..Limits::default() };
    Task { limits, scope, ..Task::default() }
}

/// A strategy that wants nothing with "no" in it, and counts what it is asked about.
#[derive(Default)]
struct Picky(Arc<AtomicUsize>);

impl Strategy for Picky {
    fn name(&self) -> &'static str {
        "picky"
    }

    fn value(&mut self, _: &Source<'_>, links: &[Candidate<'_>]) -> Vec<Value> {
        self.0.fetch_add(links.len(), Ordering::Relaxed);
        let wanted = Value { priority: 0.5, note: Vec::new() };
        let value = |it: &Candidate<'_>| {
            if it.url.path().contains("no") { Value::refused() } else { wanted.clone() }
        };
        links.iter().map(value).collect()
    }

    fn raises(&self) -> bool {
        true
    }

    fn explain(&self, _: &Value, _: u16) -> Vec<String> {
        Vec::new()
    }
}

#[test]
fn only_what_is_taken_in_takes_room() {
    let listed = ["/no/1", "/no/2", "/no/3", "/no/4", "/1", "/1", "/2", "/2", "/3", "/4", "/5"];
    let full = [listed.as_slice(), &["/no/5", "/6", "/no/6", "/7", "/5"]].concat();
    for (urls_per_host, reason) in [(None, "listed only"), (Some(6), "host_full")] {
        let (mut desk, _folder) = narrow_desk(Scope { urls_per_host, ..Scope::default() });
        if urls_per_host.is_some() {
            desk.limits.listed = 100;
        }
        desk.strategy = Box::new(Picky::default());
        let counters = Counters::default();
        let (_, new) = take_in(&mut desk, &counters, &full);
        let filtered = counters.progress().filtered;
        assert_eq!((new, filtered["strategy"], filtered[reason]), (5, 6, 2), "{filtered:?}");
    }
}

#[test]
fn the_strategy_hears_of_no_links_without_room() {
    let (mut desk, _folder) = narrow_desk(Scope::default());
    let asked = Arc::default();
    desk.strategy = Box::new(Picky(Arc::clone(&asked)));
    let counters = Counters::default();
    assert_eq!(take_in(&mut desk, &counters, &["/1", "/2", "/3", "/4", "/5"]).1, 5);
    assert_eq!(take_in(&mut desk, &counters, &["/6", "/7", "/8"]).1, 0);
    assert_eq!(asked.load(Ordering::Relaxed), 5);
}

#[test]
fn an_index_names_a_tenth_of_the_room_in_sitemaps_and_is_not_read_on() {
    let limits = Limits { listed: 100, ..Limits::default() };
    let (mut desk, _folder) = desk(&Task { limits, ..Task::default() });
    let map = Link { kind: Kind::Sitemap, ..Link::seed(url("/index.xml")) };
    desk.frontier.add(std::slice::from_ref(&map), false, NOW).expect("it is added");
    let (id, entry) = desk.frontier.find(&map.url).expect("it works").expect("it is known");
    let found = |it| FoundLink { url: url(&format!("/{it}.xml")), index: None, hreflang: None };
    let sitemaps = (0..30).map(found).collect();
    let mut list = List { pages: Vec::new(), sitemaps, wording: 0, room: Room::default() };
    let (answer, counters) = (answer(map.url, NOW, 200, ""), Counters::default());
    let new = desk.add_list(&counters, id, &entry, &answer, &mut list, NOW);
    assert_eq!(new.expect("they are added"), 10);
    // It is to be sent again in the next round, and not before.
    assert!(desk.remember_unfinished(id, &list.room).expect("it is remembered"));
    assert_eq!(desk.frontier.first_unfinished(entry.host).expect("it works"), None);
}

#[test]
fn what_lists_have_named_and_which_came_to_no_end_is_kept_with_every_commit() {
    let (mut desk, folder) = narrow_desk(Scope::default());
    let counters = Counters::default();
    let (list, new) = take_in(&mut desk, &counters, &["/1", "/2", "/3", "/4", "/5", "/6"]);
    assert_eq!(new, 5);
    desk.remember(false).expect("it is kept");
    desk.frontier.commit().expect("it is written");
    desk.committed(false);
    drop(desk);

    let mut desk = desk_in(&folder, &narrow_task(Scope::default()));
    assert_eq!(take_in(&mut desk, &counters, &["/6", "/7"]).1, 0);
    // Pages that turn out to be new make room, and the list is read again.
    let (_, entry) = desk.frontier.find(&url("/1")).expect("it works").expect("it is known");
    let visited = |desk: &mut Desk, id| {
        let tally = Tally { visited: true, ..Tally::default() };
        let (state, visit) = (State::Visited, Some(Visit::default()));
        let (again, ended, address) = (None, None, None);
        let outcome = Outcome { state, visit, again, ended, address, tally };
        desk.frontier.finish(id, outcome, NOW).expect("it is dealt with");
        desk.read_on(entry.host).expect("it works");
        desk.frontier.entry(list).expect("it is known").state
    };
    let states = [list, LinkId(1)].map(|it| visited(&mut desk, it));
    assert_eq!(states, [State::Visited, State::Queued]);
}

#[test]
fn a_long_index_is_taken_in_by_parts_like_any_list() {
    let (mut desk, _folder) = desk(&Task::default());
    let index = Link::seed(url("/index.xml"));
    desk.frontier.add(std::slice::from_ref(&index), false, NOW).expect("it is added");
    let (id, entry) = desk.frontier.find(&index.url).expect("it works").expect("it is known");
    let found = |path: &str| FoundLink { url: url(path), index: None, hreflang: None };
    let sitemaps = (0..=SLICE).map(|it| found(&format!("/{it}.xml"))).collect();
    let (pages, room) = (vec![found("/page")], Room::default());
    let mut list = List { pages, sitemaps, wording: 0, room };
    let answer = answer(index.url, NOW, 200, "");
    let counters = Counters::default();
    let mut parts = Vec::new();
    while list.rest() > 0 {
        let new = desk.add_slice(&counters, id, &entry, &answer, &mut list, NOW);
        parts.push(new.expect("they are added"));
    }
    assert_eq!(parts, [1, SLICE, 1]);
}
