//! A watch on a task: asks it no more often than it changes, however many look on.

use std::sync::Arc;
use std::time::{Duration, Instant};

use crawl::{
    Activity, Doing, HostReport, Listed, QueuedLink, Reply, Request, Status, Task, TaskState,
};
use jiff::Timestamp;

use super::journal::{Journal, Record};
use super::office::Office;

/// Numbers are asked for once a second.
const FRESH: Duration = Duration::from_millis(900);
/// Links and hosts are looked through more seldom, since that keeps the crawl waiting.
const SELDOM: Duration = Duration::from_secs(4);
/// At most a twentieth of the time the crawl is kept waiting.
const SHARE: u32 = 20;
/// So many links and hosts are shown.
const MOST: usize = 20;

/// A task at one moment.
#[derive(Clone)]
pub(crate) struct Snapshot {
    pub(crate) name: String,
    /// What it is, or why that cannot be read.
    pub(crate) task: Result<Arc<Task>, String>,
    pub(crate) state: TaskState,
    /// How its crawl is doing, if it has ever begun.
    pub(crate) status: Option<Status>,
    /// The best links that wait for their turn.
    pub(crate) frontier: Vec<QueuedLink>,
    /// The hosts that were visited most.
    pub(crate) hosts: Vec<HostReport>,
    /// What it has found so far.
    pub(crate) record: Arc<Record>,
}

/// A watch on a task.
#[derive(Default)]
pub(crate) struct Watch {
    glance: Option<(Instant, Arc<Snapshot>)>,
    look: Option<(Instant, Arc<Snapshot>)>,
    /// The state of the task when it was last read from the disk, and what was found there.
    idle: Option<(TaskState, Status)>,
    details: Details,
    journal: Journal,
}

#[derive(Default)]
struct Details {
    after: Option<Instant>,
    /// The state of the task if they were read from the disk.
    idle: Option<TaskState>,
    frontier: Vec<QueuedLink>,
    hosts: Vec<HostReport>,
}

impl Snapshot {
    /// What it is doing.
    pub(crate) fn doing(&self) -> Doing {
        match &self.task {
            Ok(_) => {
                let activity = self.status.as_ref().map(|it| it.activity);
                Doing::of(&self.state, activity, Timestamp::now())
            }
            Err(_) => Doing::Unreadable,
        }
    }

    /// Whether a process has it open.
    pub(crate) fn is_live(&self) -> bool {
        self.status.as_ref().is_some_and(|it| it.activity != Activity::Idle)
    }
}

impl Watch {
    /// The task with its numbers alone.
    pub(crate) fn glance(&mut self, office: &Office, listed: Listed) -> Arc<Snapshot> {
        if let Some((at, snapshot)) = &self.glance
            && at.elapsed() < FRESH
            && snapshot.state == listed.state
        {
            return Arc::clone(snapshot);
        }
        let snapshot = Arc::new(self.numbers(office, listed));
        self.glance = Some((Instant::now(), Arc::clone(&snapshot)));
        snapshot
    }

    /// The task with all that is shown of it.
    pub(crate) fn look(&mut self, office: &Office, listed: Listed) -> Arc<Snapshot> {
        if let Some((at, snapshot)) = &self.look
            && at.elapsed() < FRESH
            && snapshot.state == listed.state
            && snapshot.task.as_ref().ok() == listed.task.as_ref().ok()
        {
            return Arc::clone(snapshot);
        }
        let mut snapshot = self.numbers(office, listed);
        self.fetch_details(office, &snapshot);
        snapshot.frontier.clone_from(&self.details.frontier);
        snapshot.hosts.clone_from(&self.details.hosts);
        let path = office.tasks.folder(&snapshot.name).join("judged.jsonl");
        snapshot.record = self.journal.read(&path);
        let snapshot = Arc::new(snapshot);
        self.look = Some((Instant::now(), Arc::clone(&snapshot)));
        self.glance = self.look.clone();
        snapshot
    }

    fn numbers(&mut self, office: &Office, listed: Listed) -> Snapshot {
        let Listed { name, task, state } = listed;
        let task = task.map_err(|error| error.to_string());
        let status = if task.is_ok() { self.status(office, &name, &state) } else { None };
        let (frontier, hosts) = (Vec::new(), Vec::new());
        Snapshot { name, task, state, status, frontier, hosts, record: Arc::default() }
    }

    fn status(&mut self, office: &Office, name: &str, state: &TaskState) -> Option<Status> {
        let asked = crawl::ask(&office.tasks.folder(name), &Request::Status);
        if let Ok(Some(Reply::Status(status))) = asked {
            self.idle = None;
            return Some(*status);
        }
        if let Some((known, status)) = &self.idle
            && (known == state || state.is_due(Timestamp::now()))
        {
            return Some(status.clone());
        }
        // Whoever reads it from the disk keeps it from beginning.
        if state.is_due(Timestamp::now()) {
            return None;
        }
        match crawl::inquire(&office.data, name, &Request::Status) {
            Ok(Reply::Status(status)) => {
                self.idle = Some((state.clone(), (*status).clone()));
                Some(*status)
            }
            Ok(_) => None,
            Err(error) => {
                tracing::warn!(task = name, %error, "the task cannot be looked at");
                None
            }
        }
    }

    /// Asks for links and hosts, unless that was done just now or nothing can have changed.
    fn fetch_details(&mut self, office: &Office, snapshot: &Snapshot) {
        let now = Instant::now();
        if self.details.after.is_some_and(|it| now < it) && snapshot.is_live() {
            return;
        }
        let is_idle = !snapshot.is_live();
        if is_idle
            && (snapshot.state.is_due(Timestamp::now())
                || self.details.idle.as_ref() == Some(&snapshot.state))
        {
            return;
        }
        let ask = |request| {
            crawl::inquire(&office.data, &snapshot.name, &request)
                .inspect_err(|error| tracing::debug!(%error, "the task does not tell its links"))
                .ok()
        };
        if let Some(Reply::Frontier(links)) = ask(Request::Frontier { top: MOST }) {
            self.details.frontier = links;
        }
        if let Some(Reply::Hosts(hosts)) = ask(Request::Hosts { limit: MOST }) {
            self.details.hosts = hosts;
        }
        self.details.idle = is_idle.then(|| snapshot.state.clone());
        self.details.after = Some(Instant::now() + SELDOM.max(now.elapsed() * SHARE));
    }
}
