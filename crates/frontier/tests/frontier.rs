//! The frontier as its callers see it, against a plain twin.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::net::{IpAddr, Ipv4Addr};
use std::sync::Arc;
use std::time::Duration;

use frontier::{
    Courtesy, Delays, Ended, Frontier, Kind, Link, LinkId, Moment, Next, Outcome, Priority,
    Settings, State, Taken, Tally, Visit,
};
use proptest::prelude::*;
use tempfile::TempDir;
use url::Url;

const START: Moment = Moment(1_700_000_000_000);

fn polite() -> Settings {
    Settings::default()
}

fn hasty() -> Settings {
    let delays = Delays { least: Duration::ZERO, ..Delays::default() };
    Settings { delays, connections: 1 }
}

fn open(folder: &TempDir, settings: Settings) -> Frontier {
    let courtesy = Arc::new(Courtesy::default());
    Frontier::open(&folder.path().join("frontier.redb"), settings, courtesy).expect("it opens")
}

fn link(url: &str, priority: f32) -> Link {
    let url = Url::parse(url).expect("it is a URL");
    Link { priority: Priority(priority), ..Link::seed(url) }
}

fn take(frontier: &mut Frontier, now: Moment) -> Taken {
    match frontier.next(now).expect("the frontier works") {
        Next::Link(taken) => *taken,
        other => panic!("no link but {other:?}"),
    }
}

fn visited(now: Moment) -> Outcome {
    Outcome {
        state: State::Visited,
        visit: Some(Visit { at: now, status: 200, ..Visit::default() }),
        again: None,
        ended: Some(Ended::Answered(Duration::from_millis(10))),
        address: None,
        tally: Tally { visited: true, ..Tally::default() },
    }
}

#[test]
fn the_best_link_of_a_host_comes_first_and_the_host_is_left_alone() {
    let folder = TempDir::new().expect("a folder");
    let mut frontier = open(&folder, polite());
    let links = [link("http://a.example/low", 0.1), link("http://a.example/high", 0.9)];
    frontier.add(&links, false, START).expect("they are added");

    let taken = take(&mut frontier, START);
    assert_eq!(taken.entry.url, "http://a.example/high");
    assert!(matches!(frontier.next(START), Ok(Next::Busy)));
    frontier.finish(taken.id, visited(START), START).expect("it is finished");
    let later = START + Duration::from_secs(1);
    assert!(matches!(frontier.next(START), Ok(Next::Wait(moment)) if moment == later));
    assert_eq!(take(&mut frontier, later).entry.url, "http://a.example/low");
}

#[test]
fn a_link_is_known_once() {
    let folder = TempDir::new().expect("a folder");
    let mut frontier = open(&folder, polite());
    let links = [link("http://a.example/", 0.1), link("http://a.example/", 0.1)];
    let added = frontier.add(&links, false, START).expect("they are added");
    assert_eq!((added.new, added.known), (1, 1));
    frontier.commit().expect("it is written");
    drop(frontier);
    let mut frontier = open(&folder, polite());
    assert_eq!(frontier.add(&links, false, START).expect("they are added").new, 0);
}

#[test]
fn what_was_taken_and_not_finished_is_queued_again_after_a_crash() {
    let folder = TempDir::new().expect("a folder");
    let mut frontier = open(&folder, hasty());
    let links: Vec<_> = (0..100).map(|it| link(&format!("http://a.example/{it}"), 0.5)).collect();
    frontier.add(&links, false, START).expect("they are added");
    for _ in 0..10 {
        let taken = take(&mut frontier, START);
        frontier.finish(taken.id, visited(START), START).expect("it is finished");
    }
    frontier.commit().expect("it is written");
    take(&mut frontier, START);
    drop(frontier);
    let mut frontier = open(&folder, hasty());
    assert_eq!((frontier.counts().queued, frontier.counts().visited), (90, 10));
    assert_eq!(take(&mut frontier, START).entry.url, "http://a.example/10");
}

#[test]
fn the_delay_of_a_host_outlives_the_process_but_not_a_clock_that_was_set_back() {
    let folder = TempDir::new().expect("a folder");
    let mut frontier = open(&folder, polite());
    let links = [link("http://a.example/1", 0.5), link("http://a.example/2", 0.5)];
    frontier.add(&links, false, START).expect("they are added");
    let taken = take(&mut frontier, START);
    let outcome = Outcome { ended: Some(Ended::Refused(None)), ..visited(START) };
    frontier.finish(taken.id, outcome, START).expect("it is finished");
    frontier.commit().expect("it is written");
    drop(frontier);

    let mut frontier = open(&folder, polite());
    let minute = START + Duration::from_mins(1);
    assert!(matches!(frontier.next(START), Ok(Next::Wait(moment)) if moment == minute));
    drop(frontier);
    let mut frontier = open(&folder, polite());
    let year_before = START - Duration::from_hours(24 * 365);
    let minute = year_before + Duration::from_mins(1);
    assert!(matches!(frontier.next(year_before), Ok(Next::Wait(moment)) if moment == minute));
    assert!(matches!(frontier.next(minute), Ok(Next::Link(_))));
}

#[test]
fn a_frontier_that_is_given_up_leaves_no_gate_closed() {
    let folder = TempDir::new().expect("a folder");
    let courtesy = Arc::new(Courtesy::default());
    let path = folder.path().join("frontier.redb");
    let open = || Frontier::open(&path, hasty(), Arc::clone(&courtesy)).expect("it opens");
    let mut frontier = open();
    frontier.add(&[link("http://a.example/1", 0.5)], false, START).expect("it is added");
    take(&mut frontier, START);
    frontier.commit().expect("it is written");
    drop(frontier);
    assert_eq!(take(&mut open(), START).entry.url, "http://a.example/1");
}

#[test]
fn a_link_with_a_better_priority_is_raised() {
    let folder = TempDir::new().expect("a folder");
    let mut frontier = open(&folder, hasty());
    let links = [link("http://a.example/1", 0.5), link("http://a.example/2", 0.4)];
    frontier.add(&links, true, START).expect("they are added");
    frontier.add(&[link("http://a.example/2", 0.3)], true, START).expect("it is known");
    assert_eq!(frontier.top(1).expect("there is one")[0].1.url, "http://a.example/1");
    frontier.add(&[link("http://a.example/2", 0.6)], true, START).expect("it is known");
    assert_eq!(frontier.top(1).expect("there is one")[0].1.url, "http://a.example/2");
    assert_eq!(take(&mut frontier, START).entry.url, "http://a.example/2");
}

#[test]
fn the_order_of_parameters_makes_no_other_link_and_the_first_is_fetched() {
    let folder = TempDir::new().expect("a folder");
    let mut frontier = open(&folder, hasty());
    let links = ["?id=7&c=news", "?c=news&id=7", "?c=news&id=8"];
    let links = links.map(|it| link(&format!("http://a.example/{it}"), 0.5));
    let added = frontier.add(&links, false, START).expect("they are added");
    assert_eq!(added.is_new, [true, false, true]);
    assert!(frontier.knows(&links[1].url).expect("it is readable"));
    assert_eq!(take(&mut frontier, START).entry.url, "http://a.example/?id=7&c=news");
}

#[test]
fn all_links_can_be_valued_anew() {
    let folder = TempDir::new().expect("a folder");
    let mut frontier = open(&folder, hasty());
    let links: Vec<_> =
        (0..200).map(|it| link(&format!("http://a.example/{it:03}"), 0.5)).collect();
    frontier.add(&links, false, START).expect("they are added");
    let number = |url: &str| url[url.len() - 3..].parse::<f32>().expect("a number");
    let check = |frontier: &mut Frontier, expected: usize| {
        let taken = take(frontier, START);
        assert_eq!(taken.entry.url, format!("http://a.example/{expected:03}"));
        frontier.finish(taken.id, visited(START), START).expect("it is finished");
    };
    // Some at a time, and others get a turn between.
    let mut next = Some(LinkId(0));
    let lasts = [63, 127, 191, 199];
    for last in lasts {
        let first = next.expect("there are more");
        let value = |it: &frontier::Entry| Priority(number(&it.url));
        next = frontier.revalue_from(first, 64, value).expect("they are valued");
        check(&mut frontier, last);
    }
    assert_eq!(next, None);
    let host = frontier.known_host_of(&links[0].url).expect("it works").expect("it is known");
    let changed = frontier.revalue(host, |it| Priority(-number(&it.url))).expect("they are valued");
    assert_eq!(changed, 195, "0 is worth 0 either way");
    for expected in (0..200).filter(|it| !lasts.contains(it)) {
        check(&mut frontier, expected);
    }
    assert!(matches!(frontier.next(START), Ok(Next::Empty)));
}

#[test]
fn a_host_that_sinks_is_asked_after_all_others() {
    let folder = TempDir::new().expect("a folder");
    let mut frontier = open(&folder, hasty());
    let links = [link("http://farm.example/", 0.9), link("http://good.example/", 0.1)];
    frontier.add(&links, false, START).expect("they are added");
    let farm = frontier.host_of(&links[0].url).expect("it is known");
    frontier.sink(farm, 1).expect("it sinks");
    assert_eq!(take(&mut frontier, START).entry.url, "http://good.example/");
    assert_eq!(take(&mut frontier, START).entry.url, "http://farm.example/");
}

#[test]
fn what_waits_for_a_moment_comes_back_then() {
    let folder = TempDir::new().expect("a folder");
    let mut frontier = open(&folder, hasty());
    frontier.add(&[link("http://a.example/", 0.5)], false, START).expect("it is added");
    let taken = take(&mut frontier, START);
    let hour = START + Duration::from_hours(1);
    let outcome = Outcome { again: Some(hour), ..visited(START) };
    frontier.finish(taken.id, outcome, START).expect("it is finished");
    assert!(matches!(frontier.next(START), Ok(Next::Wait(moment)) if moment == hour));
    let again = take(&mut frontier, hour);
    assert_eq!(again.id, taken.id);
    assert_eq!(again.entry.visit.expect("it was visited").status, 200);
}

#[test]
fn a_failure_that_was_nobodys_fault_is_taken_back() {
    let folder = TempDir::new().expect("a folder");
    let mut frontier = open(&folder, hasty());
    let failures = [
        (State::Queued, None),
        (State::Visited, Some(START + Duration::from_hours(24))),
        (State::Dropped("refused, 3 times".to_owned()), None),
    ];
    for (number, (state, again)) in failures.into_iter().enumerate() {
        let url = format!("http://{number}.example/");
        frontier.add(&[link(&url, 1.0 + number as f32)], false, START).expect("it is added");
        let taken = take(&mut frontier, START);
        assert_eq!(taken.entry.url, url);
        let failed = Outcome { state, visit: None, again, ..visited(START) };
        frontier.finish(taken.id, failed, START).expect("it is finished");
        assert_eq!(frontier.entry(taken.id).expect("it is known").tries, 1);
        frontier.forgive(taken.id).expect("it is forgiven");
        let entry = frontier.entry(taken.id).expect("it is known");
        assert_eq!((entry.tries, entry.state), (0, State::Queued));
    }
    let counts = frontier.counts();
    assert_eq!((counts.queued, counts.waiting, counts.dropped), (3, 0, 0));
    let visited = take(&mut frontier, START);
    frontier.forgive(visited.id).expect("it is in work, and stays as it is");
    let rest: BTreeSet<_> = (0..2).map(|_| take(&mut frontier, START).entry.url).collect();
    assert_eq!(rest.len(), 2);
    assert!(!rest.contains(&visited.entry.url));
}

#[test]
fn two_frontiers_that_meet_at_a_host_take_turns() {
    let (one, two) = (TempDir::new().expect("a folder"), TempDir::new().expect("a folder"));
    let courtesy = Arc::new(Courtesy::default());
    let open = |folder: &TempDir| {
        let file = folder.path().join("frontier.redb");
        Frontier::open(&file, polite(), Arc::clone(&courtesy)).expect("it opens")
    };
    let (mut one, mut two) = (open(&one), open(&two));
    one.add(&[link("http://a.example/1", 0.5)], false, START).expect("it is added");
    two.add(&[link("https://a.example/2", 0.5)], false, START).expect("it is added");
    let taken = take(&mut one, START);
    assert!(matches!(two.next(START), Ok(Next::Wait(_))));
    one.finish(taken.id, visited(START), START).expect("it is finished");
    let second = START + Duration::from_secs(1);
    assert!(matches!(two.next(START + Duration::from_millis(100)), Ok(Next::Wait(_))));
    assert_eq!(take(&mut two, second).entry.url, "https://a.example/2");
}

/// The address of a server with several hosts.
const SERVER: IpAddr = IpAddr::V4(Ipv4Addr::new(192, 0, 2, 1));

#[test]
fn a_host_found_on_a_server_does_not_let_another_in_there() {
    let folder = TempDir::new().expect("a folder");
    let mut frontier = open(&folder, hasty());
    frontier.add(&[link("http://known.example/1", 0.9)], false, START).expect("it is added");
    let taken = take(&mut frontier, START);
    let outcome = Outcome { address: Some(SERVER), ..visited(START) };
    frontier.finish(taken.id, outcome.clone(), START).expect("it is finished");

    let others = ["http://strange.example/", "http://known.example/2", "http://known.example/3"];
    let others: Vec<_> = others.iter().map(|it| link(it, 0.5)).collect();
    frontier.add(&others, false, START).expect("they are added");
    let strange = take(&mut frontier, START);
    assert_eq!(strange.entry.url, "http://strange.example/");
    assert_eq!(take(&mut frontier, START).entry.url, "http://known.example/2");
    frontier.finish(strange.id, outcome, START).expect("it is finished");
    frontier.add(&[link("http://strange.example/2", 0.5)], false, START).expect("it is added");
    assert!(!matches!(frontier.next(START), Ok(Next::Link(_))), "the server is being asked");
}

#[test]
fn hosts_that_are_met_for_the_first_time_take_turns_at_their_server() {
    let folder = TempDir::new().expect("a folder");
    let mut frontier = open(&folder, polite());
    let links = ["http://a.example/", "http://b.example/"].map(|it| link(it, 0.5));
    frontier.add(&links, false, START).expect("they are added");
    let (one, two) = (take(&mut frontier, START), take(&mut frontier, START));
    assert!(frontier.locate(one.id, SERVER, START).expect("it is known"));
    assert!(!frontier.locate(two.id, SERVER, START).expect("it is known"), "the server is busy");
    assert_eq!(frontier.in_work(), 1);
    frontier.finish(one.id, visited(START), START).expect("it is finished");
    let later = START + Duration::from_secs(1);
    assert!(
        matches!(frontier.next(START + Duration::from_millis(60)), Ok(Next::Wait(it)) if it == later)
    );
    let two = take(&mut frontier, later);
    assert_eq!((two.entry.url.as_str(), two.address), ("http://b.example/", Some(SERVER)));
}

#[test]
fn a_link_that_is_given_back_for_later_keeps_nobody_else_waiting() {
    let folder = TempDir::new().expect("a folder");
    let mut frontier = open(&folder, polite());
    let links = [link("http://a.example/", 0.9), link("http://b.example/", 0.5)];
    frontier.add(&links, false, START).expect("they are added");
    let taken = take(&mut frontier, START);
    let later = START + Duration::from_secs(9);
    frontier.give_back_until(taken.id, later).expect("it is known");
    assert_eq!(take(&mut frontier, START).entry.url, "http://b.example/");
    assert!(matches!(frontier.next(START), Ok(Next::Wait(it)) if it == later));
    assert_eq!(take(&mut frontier, later).entry.url, "http://a.example/");
}

#[test]
fn a_file_in_use_is_told_as_such() {
    let folder = TempDir::new().expect("a folder");
    let _first = open(&folder, polite());
    let courtesy = Arc::new(Courtesy::default());
    let second = Frontier::open(&folder.path().join("frontier.redb"), polite(), courtesy);
    let told = second.err().expect("it is in use").to_string();
    assert!(told.contains("is in use by another process"), "{told}");
}

/// What the frontier should do, written down plainly.
#[derive(Default)]
struct Twin {
    ids: HashMap<String, u64>,
    queued: BTreeMap<u64, (f32, String)>,
    taken: BTreeMap<u64, (f32, String)>,
    next: HashMap<String, Moment>,
}

fn host(url: &str) -> String {
    url.split('/').nth(2).expect("a host").to_owned()
}

impl Twin {
    fn add(&mut self, url: &str, priority: f32, raising: bool) {
        let new = self.ids.len() as u64;
        let id = *self.ids.entry(url.to_owned()).or_insert(new);
        if id == new {
            self.queued.insert(id, (priority, url.to_owned()));
        } else if let Some(it) = self.queued.get_mut(&id)
            && raising
            && priority > it.0
        {
            it.0 = priority;
        }
    }

    fn next(&mut self, now: Moment) -> Option<u64> {
        let busy: BTreeSet<_> = self.taken.values().map(|it| host(&it.1)).collect();
        let free = |url: &str| {
            !busy.contains(&host(url)) && self.next.get(&host(url)).is_none_or(|it| *it <= now)
        };
        let mut best: Option<(f32, u64)> = None;
        for (id, (priority, url)) in &self.queued {
            if free(url) && best.is_none_or(|it| *priority > it.0) {
                best = Some((*priority, *id));
            }
        }
        let id = best?.1;
        self.taken.insert(id, self.queued.remove(&id).expect("it is queued"));
        Some(id)
    }
}

#[derive(Clone, Debug)]
enum Step {
    Add { host: u8, path: u8, priority: u8, raising: bool },
    Next,
    Finish { which: u8 },
    GiveBack { which: u8 },
    Later { millis: u16 },
    Commit,
    Crash,
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        6 => (0..5_u8, 0..80_u8, 0..6_u8, any::<bool>())
            .prop_map(|(host, path, priority, raising)| Step::Add { host, path, priority, raising }),
        4 => Just(Step::Next),
        3 => any::<u8>().prop_map(|which| Step::Finish { which }),
        1 => any::<u8>().prop_map(|which| Step::GiveBack { which }),
        2 => (0..1500_u16).prop_map(|millis| Step::Later { millis }),
        1 => Just(Step::Commit),
        1 => Just(Step::Crash),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]
    #[test]
    fn it_hands_out_what_the_plain_twin_hands_out(steps in prop::collection::vec(step(), 1..250)) {
        let folder = TempDir::new().expect("a folder");
        let mut frontier = open(&folder, polite());
        let mut twin = Twin::default();
        let mut now = START;
        for step in steps {
            match step {
                Step::Add { host, path, priority, raising } => {
                    let url = format!("http://h{host}.example/{path}");
                    let priority = f32::from(priority) / 5.0;
                    twin.add(&url, priority, raising);
                    frontier.add(&[link(&url, priority)], raising, now).expect("it is added");
                }
                Step::Next => {
                    let found = match frontier.next(now).expect("the frontier works") {
                        Next::Link(taken) => Some(taken.id.0),
                        _ => None,
                    };
                    prop_assert_eq!(found, twin.next(now));
                }
                Step::Finish { which } => {
                    let Some(id) = twin.taken.keys().nth(usize::from(which) % twin.taken.len().max(1)).copied() else { continue };
                    let (_, url) = twin.taken.remove(&id).expect("it is taken");
                    frontier.finish(LinkId(id), visited(now), now).expect("it is finished");
                    twin.next.insert(host(&url), now + Duration::from_secs(1));
                }
                Step::GiveBack { which } => {
                    let Some(id) = twin.taken.keys().nth(usize::from(which) % twin.taken.len().max(1)).copied() else { continue };
                    let link = twin.taken.remove(&id).expect("it is taken");
                    frontier.give_back(LinkId(id), None, None, now).expect("it is given back");
                    twin.queued.insert(id, link);
                }
                Step::Later { millis } => now = now + Duration::from_millis(millis.into()),
                Step::Commit => frontier.commit().expect("it is written"),
                Step::Crash => {
                    frontier.commit().expect("it is written");
                    drop(frontier);
                    frontier = open(&folder, polite());
                    twin.queued.append(&mut twin.taken);
                }
            }
            prop_assert_eq!(frontier.counts().queued as usize, twin.queued.len() + twin.taken.len());
            prop_assert_eq!(frontier.counts().known as usize, twin.ids.len());
        }
        let best: Vec<_> = frontier.top(5).expect("it can be read").iter().map(|it| it.0.0).collect();
        let mut all: Vec<_> = twin.queued.iter().map(|(id, it)| (*id, it.0)).collect();
        all.sort_by(|one, other| other.1.total_cmp(&one.1).then(one.0.cmp(&other.0)));
        prop_assert_eq!(best, all.iter().take(5).map(|it| it.0).collect::<Vec<_>>());
    }
}

#[test]
fn a_sitemap_stays_one() {
    let folder = TempDir::new().expect("a folder");
    let mut frontier = open(&folder, hasty());
    let sitemap = Link { kind: Kind::Sitemap, ..link("http://a.example/sitemap.xml", 0.5) };
    frontier.add(&[sitemap], false, START).expect("it is added");
    assert_eq!(take(&mut frontier, START).entry.kind, Kind::Sitemap);
}
