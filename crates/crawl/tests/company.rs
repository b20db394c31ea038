//! Several tasks in one process: what they share, and what becomes of one that fails.

mod trial;
mod web;

use std::fs;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};

use crawl::{Clock, Company, Ending, Event, Schedule, Slots, TaskState, Tasks, Wish};
use frontier::Moment;
use tokio::sync::watch;

use crate::trial::{Trial, runtime};
use crate::web::{Asked, Reply, Web, page};

/// Some more pages than any test fetches before something happens.
const PAGES: u64 = 90;

/// A host of pages, page `n` leading to `2n + 1` and `2n + 2`.
fn pages(asked: &Asked) -> Reply {
    if asked.path == "/robots.txt" {
        return Reply::not_found();
    }
    let number: u64 = asked.path[1..].parse().unwrap_or(0);
    let links = [2 * number + 1, 2 * number + 2].into_iter().filter(|it| *it < PAGES);
    let links: Vec<_> = links.map(|it| asked.url(asked.host, &format!("/{it}"))).collect();
    Reply::html(page(&format!("{} {}", asked.host, asked.path), &links))
}

/// Takes in the task of a trial under this name.
fn add(trial: &Trial, name: &str) {
    let task = crawl::Task { name: name.to_owned(), ..trial.task.clone() };
    tasks(trial).add(trial.around.gazetteer, &task).expect("it can be done");
}

fn tasks(trial: &Trial) -> Tasks {
    Tasks::at(&trial.around.data)
}

fn state(trial: &Trial, name: &str) -> TaskState {
    tasks(trial).state(name).expect("it has one")
}

/// Runs what is due to its end; tells what happened.
fn run(company: &Company) -> Vec<Event> {
    let mut events = Vec::new();
    let (_stop, stopped) = watch::channel(false);
    let running = company.run(stopped, Some, |it| events.push(it));
    runtime().block_on(running).expect("nobody else runs them");
    events
}

/// When each request to a host came and was answered, one after the other.
fn visits(web: &Web, host: usize) -> Vec<(Moment, Moment)> {
    let requests = web.requests();
    let requests = requests.iter().filter(|it| it.host == host);
    requests.map(|it| (it.came, it.answered.expect("it was answered"))).collect()
}

#[test]
fn two_tasks_ask_a_host_one_after_the_other_and_no_faster_than_its_delay() {
    let web = Web::with_clock(2, &Clock::hurried(), pages);
    let trial = Trial::new(&web, &[web.url(0, "/"), web.url(1, "/")]);
    for name in ["one", "other"] {
        add(&trial, name);
    }
    let events = run(&Company::new(trial.around.clone()));
    let is_end = |it: &&Event| matches!(it, Event::Ended(_, Ending::Finished));
    assert_eq!(events.iter().filter(is_end).count(), 2, "{events:?}");
    assert_eq!(web.asked().len(), 2 * 2 * PAGES as usize);
    assert_eq!(web.most_at_once(), 1);
    for host in 0..2 {
        let visits = visits(&web, host);
        let pauses = visits.windows(2).map(|it| it[1].0.since(it[0].1).as_secs_f64());
        let shortest = pauses.fold(f64::MAX, f64::min);
        assert!(shortest >= 1.0, "host {host}: {shortest}");
    }
}

#[test]
fn all_tasks_together_have_no_more_requests_on_their_way_than_they_may() {
    const MOST: usize = 3;
    // Without politeness and with time to meet at the hosts.
    let late = std::time::Duration::from_millis(5);
    let respond = move |asked: &Asked| Reply::Late(late, Box::new(pages(asked)));
    let web = Web::with_clock(12, &Clock::system(), respond);
    let seeds: Vec<_> = (0..12).map(|it| web.url(it, "/")).collect();
    let mut trial = Trial::new(&web, &seeds).with(|it| it.politeness.delay = 0.0);
    trial.task.budget = "200 pages".parse().expect("a budget");
    trial.around.slots = Slots::new(MOST);
    for name in ["one", "other"] {
        add(&trial, name);
    }
    let events = run(&Company::new(trial.around.clone()));
    let is_end = |it: &&Event| matches!(it, Event::Ended(_, Ending::BudgetUsed));
    assert_eq!(events.iter().filter(is_end).count(), 2, "{events:?}");
    let all: Vec<_> = (0..12).flat_map(|it| visits(&web, it)).collect();
    let at_once = |moment: Moment| all.iter().filter(|it| it.0 <= moment && moment < it.1).count();
    let most = all.iter().map(|it| at_once(it.0)).max();
    assert_eq!(most, Some(MOST));
}

/// A web whose archive cannot be written to any more when page 50 is asked for, until somebody mends it.
struct Spoilt {
    web: Web,
    trial: Trial,
}

impl Spoilt {
    fn new() -> Self {
        let folder: Arc<OnceLock<PathBuf>> = Arc::default();
        let place = Arc::clone(&folder);
        let has_happened = AtomicBool::new(false);
        let web = Web::new(1, move |asked| {
            if asked.path == "/50" && !has_happened.swap(true, Ordering::SeqCst) {
                let folder = place.get().expect("it is known");
                fs::rename(folder, folder.with_extension("away")).expect("it is moved");
                fs::write(folder, "in the way").expect("it is written");
            }
            pages(asked)
        });
        let mut trial = Trial::new(&web, &[web.url(0, "/")]);
        trial.task.limits.archive_file = 20_000;
        folder.set(trial.archive()).expect("it is set once");
        Self { web, trial }
    }

    /// Runs the task until it fails.
    fn fail(&self, company: &Company) {
        add(&self.trial, "task");
        let events = run(company);
        assert!(matches!(&events[..], [Event::Began(_), Event::Failed(..)]), "{events:?}");
    }

    fn mend(&self) {
        let folder = self.trial.archive();
        fs::remove_file(&folder).expect("it is removed");
        fs::rename(folder.with_extension("away"), folder).expect("it is moved back");
    }
}

#[test]
fn a_task_that_failed_and_is_started_goes_on_with_its_links_and_its_budget() {
    let spoilt = Spoilt::new();
    let trial = &spoilt.trial;
    let company = Company::new(trial.around.clone());
    spoilt.fail(&company);
    let failed = state(trial, "task");
    assert!(failed.is_in_round && failed.error.is_some(), "{failed:?}");
    assert_eq!(failed.wanted, Wish::Stop);
    spoilt.mend();
    tasks(trial).start("task").expect("it can be started");
    let events = run(&company);
    assert!(matches!(&events[..], [_, Event::Ended(_, Ending::Finished)]), "{events:?}");
    let ended = state(trial, "task");
    assert_eq!((ended.is_in_round, ended.rounds, &ended.error), (false, 1, &None));
    // A new round would look at the seed again.
    assert_eq!(spoilt.web.asked().iter().filter(|it| **it == spoilt.web.url(0, "/")).count(), 1);
    assert_eq!(trial.archived().len() as u64, PAGES);
}

#[test]
fn a_timed_task_that_failed_goes_on_when_it_is_due_and_not_before() {
    let mut spoilt = Spoilt::new();
    spoilt.trial.task.timing = "every 2 hours".parse::<Schedule>().expect("a timing");
    let company = Company::new(spoilt.trial.around.clone());
    spoilt.fail(&company);
    let failed = state(&spoilt.trial, "task");
    assert!(failed.is_in_round && failed.wanted == Wish::Run, "{failed:?}");
    let next = failed.next.as_deref().expect("there is a time").parse().expect("it is one");
    assert!(!failed.is_due(jiff::Timestamp::now()) && failed.is_due(next), "{failed:?}");
    spoilt.mend();
    tasks(&spoilt.trial).want("task", Wish::Run).expect("it can be resumed");
    let events = run(&company);
    assert!(matches!(&events[..], [_, Event::Ended(_, Ending::Finished)]), "{events:?}");
    assert_eq!(state(&spoilt.trial, "task").rounds, 1);
}
