//! The loop: a link is taken, fetched, kept, read, and its links go back to the frontier.

use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use archive::{Exchange, Writer};
use fetch::{Client, FetchError, Request, Response, Standing, UserAgent};
use focus::{Aim, RegistrantList, RegistrantLocator};
use frontier::{
    Courtesy, Ended, Frontier, Kind, Link, LinkId, Moment, Next, Outcome, Priority, State, Taken,
    Tally, Visit,
};
use gazetteer::Gazetteer;
use geoparse::Region;
use serde::{Deserialize, Serialize};
use tokio::sync::{Notify, watch};
use tokio::task::{JoinError, JoinSet};
use url::Url;
use xxhash_rust::xxh3::xxh3_64;

use crate::answer::Answer;
use crate::budget::{Budget, Spent};
use crate::clock::{Clock, timestamp};
use crate::counters::{Counters, Progress};
use crate::desk::{self, Desk};
use crate::error::Error;
use crate::goal::Goal;
use crate::insight::Insight;
use crate::keeper::{Heard, Keeper, Ticket};
use crate::ledger::Ledger;
use crate::line::{self, Attempt, Blame, Line};
use crate::metrics::Meters;
use crate::reading::{is_wanted, read};
use crate::replay::Replay;
use crate::status::{Activity, Run, Status};
use crate::task::{Task, seconds};
use crate::topic_file::topic_of;

/// How many redirects of a robots.txt are followed, as RFC 9309 says.
const ROBOTS_REDIRECTS: usize = 5;
/// What is read of a robots.txt at most; RFC 9309 asks for 500 KiB.
const LARGEST_ROBOTS: usize = 512 << 10;
/// Bodies above this are read on a thread where they keep nobody waiting.
const LARGE: usize = 256 << 10;
/// How long to wait when it is our own side that fails: the proxy, the number of open files.
const OUR_FAULT: Duration = Duration::from_secs(5);
/// When to look again whether a host has told its rules.
const SOON: Duration = Duration::from_millis(20);
/// What pages are asked for.
const PAGES: &str = "text/html,application/xhtml+xml,text/plain;q=0.5";
/// What sitemaps are asked for.
const LISTS: &str =
    "application/xml,text/xml,application/rss+xml,application/atom+xml,text/plain,*/*;q=0.1";

/// What a crawl needs beside its task.
#[derive(Clone)]
pub struct Surroundings {
    /// The folder of all data; the crawl has its own in `tasks`.
    pub data: PathBuf,
    /// Where places are looked up.
    pub gazetteer: &'static Gazetteer,
    /// Who may be asked, shared by all crawls of the process.
    pub courtesy: Arc<Courtesy>,
    /// What time it is.
    pub clock: Clock,
    /// Who knows the addresses of names, if not the system.
    pub resolver: Option<Arc<dyn fetch::Resolve>>,
}

impl Surroundings {
    /// Those of a folder of data on this machine, with so many connections to one host at most.
    pub fn new(data: &Path, gazetteer: &'static Gazetteer, connections: u16) -> Self {
        Self {
            data: data.to_owned(),
            gazetteer,
            courtesy: Arc::new(Courtesy::new(connections)),
            clock: Clock::system(),
            resolver: None,
        }
    }
}

/// A crawl, ready to run.
#[derive(Clone)]
pub struct Crawl {
    shared: Arc<Shared>,
}

struct Shared {
    task: Task,
    folder: PathBuf,
    client: Client,
    token: String,
    goal: Goal,
    clock: Clock,
    desk: Mutex<Desk>,
    keeper: Mutex<Keeper>,
    counters: Counters,
    /// What earlier runs have spent.
    before: Mutex<Spent>,
    /// What earlier runs have done.
    earlier: Progress,
    started: Moment,
    threads: watch::Sender<usize>,
    archive: PathBuf,
    meters: Meters,
    wish: watch::Sender<Wish>,
    news: Notify,
    trouble: Mutex<Option<String>>,
    line: Line,
}

/// The requests on their way.
type Visits = JoinSet<Result<(), Error>>;

/// What the operator wants a crawl to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Wish {
    /// Go on.
    Run,
    /// Begin no new requests until told otherwise.
    Pause,
    /// End, when the requests on their way have ended.
    Stop,
}

/// Why a crawl ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Ending {
    /// Nothing is left to fetch.
    Finished,
    /// Nothing is left but hosts that do not answer.
    OnlySilentHosts,
    /// Nobody can be reached any more: it seems that the network is down.
    NoNetwork,
    /// The budget is used up.
    BudgetUsed,
    /// The operator stopped it.
    Stopped,
}

/// What the crawl keeps about itself in the frontier's file.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
struct Mark {
    archive: Option<Heard>,
    ledger: u64,
    spent: Spent,
}

impl Crawl {
    /// Opens the crawl of a task: begins it, or brings it up to date with its archive.
    pub fn open(task: Task, region: Option<Region>, around: &Surroundings) -> Result<Self, Error> {
        let folder = around.data.join("tasks").join(&task.name);
        std::fs::create_dir_all(&folder).map_err(Error::file(&folder))?;
        let user_agent = task.user_agent()?;
        let client = client(&task, user_agent.clone(), around)?;
        let settings = frontier::Settings {
            delays: task.politeness.delays(),
            connections: task.politeness.connections,
        };
        let frontier =
            Frontier::open(&folder.join("frontier.redb"), settings, Arc::clone(&around.courtesy))?;
        let mark: Mark = match frontier.fact("crawl")? {
            Some(bytes) => {
                postcard::from_bytes(&bytes).map_err(|_| Error::State(folder.clone()))?
            }
            None => Mark::default(),
        };
        let earlier = kept_progress(&frontier)?;
        let ledger = Ledger::open(&folder.join("judged.jsonl"), mark.ledger)?;
        let aim = aim(&task, around.gazetteer, region.as_ref())?;
        let mut strategy = focus::named(&task.strategy, &aim)?;
        if let Some(model) = frontier.fact("model")? {
            strategy.recall(&model);
        }
        let mut desk = Desk::new(frontier, strategy, ledger, &task);
        let goal = Goal::new(around.gazetteer, region, aim.topic, task.geoparse);
        let counters = Counters::default();
        add_seeds(&task, &mut desk, around.clock.now())?;
        let mut again = Replay {
            task: &task,
            goal: &goal,
            counters: &counters,
            desk: &mut desk,
            token: user_agent.product_token(),
            heard: mark.archive.iter().flat_map(|it| &it.behind).collect(),
            result: Ok(()),
        };
        let writer = Writer::resume(
            &around.data.join("archive"),
            &archive_settings(&task, &user_agent),
            mark.archive.as_ref().map(|it| &it.all_before),
            |position, record| again.hear(&position, &record),
        )?;
        again.result?;
        let shared = Shared {
            token: user_agent.product_token().to_owned(),
            folder,
            client,
            goal,
            clock: around.clock.clone(),
            desk: Mutex::new(desk),
            keeper: Mutex::new(Keeper::new(writer)),
            counters,
            before: Mutex::new(mark.spent),
            earlier,
            started: around.clock.now(),
            threads: watch::Sender::new(task.threads.max(1)),
            archive: around.data.join("archive"),
            meters: Meters::new(&task.name),
            wish: watch::Sender::new(Wish::Run),
            news: Notify::new(),
            trouble: Mutex::default(),
            line: Line::new(),
            task,
        };
        let crawl = Self { shared: Arc::new(shared) };
        crawl.shared.commit(false)?;
        Ok(crawl)
    }

    /// The task it does.
    pub fn task(&self) -> &Task {
        &self.shared.task
    }

    /// The folder of its frontier and its log.
    pub fn folder(&self) -> &Path {
        &self.shared.folder
    }

    /// Tells it what to do.
    pub fn wish(&self, wish: Wish) {
        self.shared.wish.send_replace(wish);
        self.shared.news.notify_one();
    }

    /// What it was told to do.
    pub fn wished(&self) -> Wish {
        *self.shared.wish.borrow()
    }

    /// What it has done since it was opened.
    pub fn progress(&self) -> Progress {
        self.shared.progress()
    }

    /// What it has spent since it was begun, earlier runs included.
    pub fn spent(&self) -> Spent {
        self.shared.spent()
    }

    /// What it has done since it was begun, earlier runs included.
    pub fn total(&self) -> Progress {
        self.shared.earlier.plus(self.progress())
    }

    /// How many answers came since it was opened.
    pub fn pages(&self) -> u64 {
        self.shared.counters.pages.load(Ordering::Relaxed)
    }

    /// What time it is for it.
    pub fn now(&self) -> Moment {
        self.shared.clock.now()
    }

    /// Fetches so many pages at a time from now on.
    pub fn set_threads(&self, threads: usize) {
        let changed = |it: &mut usize| std::mem::replace(it, threads.max(1)) != threads.max(1);
        if self.shared.threads.send_if_modified(changed) {
            self.shared.news.notify_one();
        }
    }

    /// The folder of the archive.
    pub fn archive(&self) -> &Path {
        &self.shared.archive
    }

    /// How it is doing; how fast pages came lately is the caller's to know.
    pub fn status(&self, lately: f64) -> Status {
        let progress = self.progress();
        let seconds = self.now().since(self.shared.started).as_secs_f64();
        let counts = self.frontier(|it| it.counts());
        let total = self.shared.earlier.plus(progress.clone());
        Status {
            activity: match self.wished() {
                Wish::Run => Activity::Running,
                Wish::Pause => Activity::Paused,
                Wish::Stop => Activity::Stopping,
            },
            threads: *self.shared.threads.borrow(),
            run: Some(Run {
                since: timestamp(self.shared.started).to_string(),
                seconds,
                pages_per_second: progress.pages as f64 / seconds.max(0.001),
                lately,
                progress,
            }),
            ..Status::of(self.task(), self.spent(), counts, total)
        }
    }

    /// Looks into the frontier with the strategy at hand.
    pub(crate) fn insight<T>(&self, look: impl FnOnce(Insight<'_>) -> T) -> T {
        let mut desk = self.shared.desk();
        let desk = &mut *desk;
        look(Insight {
            frontier: &mut desk.frontier,
            strategy: desk.strategy.as_ref(),
            task: &self.shared.task,
            now: self.shared.clock.now(),
        })
    }

    /// Looks into the frontier.
    pub fn frontier<T>(&self, look: impl FnOnce(&mut Frontier) -> T) -> T {
        look(&mut self.shared.desk().frontier)
    }

    /// Says in words why a link has its priority.
    pub fn explain(&self, entry: &frontier::Entry) -> Vec<String> {
        self.shared.desk().strategy.explain(&desk::value_of(entry), entry.depth)
    }

    /// Puts seeds back into the queue, and pages whose time to be looked at again has come; tells how
    /// many. New pages are mostly found by way of the seeds.
    ///
    /// What was spent before does not count any more: this begins another run.
    pub fn revisit(&self) -> Result<usize, Error> {
        let now = self.shared.clock.now();
        let revisits = self.shared.task.revisits;
        let mut desk = self.shared.desk();
        let is_due = |visit: &Visit| revisits.next(visit) <= now;
        let due = desk
            .frontier
            .revisit(|it| it.via.is_none() || it.visit.as_ref().is_some_and(is_due))?;
        drop(desk);
        *self.shared.before.lock().unwrap_or_else(PoisonError::into_inner) = Spent::default();
        Ok(due)
    }

    /// Crawls until there is a reason to end.
    ///
    /// After an error the crawl has to be opened again: it is as it was at its last commit then,
    /// and hears of what came later from its archive.
    pub async fn run(&self) -> Result<Ending, Error> {
        // Among the visits it hands out, and not on the caller's thread: passing links from thread
        // to thread takes longer than most of what is done with them.
        let mut running = JoinSet::new();
        running.spawn(run(Arc::clone(&self.shared)));
        match running.join_next().await {
            Some(Ok(ending)) => ending,
            Some(Err(panicked)) => std::panic::resume_unwind(panicked.into_panic()),
            None => Ok(Ending::Stopped),
        }
    }
}

async fn run(shared: Arc<Shared>) -> Result<Ending, Error> {
    let mut visits = JoinSet::new();
    let mut ticking = JoinSet::new();
    ticking.spawn(commit_now_and_then(Arc::clone(&shared)));
    let ending = tokio::select! {
        ending = dispatch(&shared, &mut visits) => ending,
        // What cannot be written down is not to be asked for.
        Some(Ok(error)) = ticking.join_next() => Err(error),
    };
    // Nobody goes on behind the caller's back, who may want to open the crawl again.
    visits.shutdown().await;
    ticking.shutdown().await;
    shared.client.close_idle();
    let ending = ending?;
    shared.commit(true)?;
    Ok(ending)
}

/// Hands links out to those who fetch them, until there is a reason to end.
async fn dispatch(shared: &Arc<Shared>, visits: &mut Visits) -> Result<Ending, Error> {
    shared.line.take_up();
    let ending = loop {
        while let Some(done) = visits.try_join_next() {
            ended(done)?;
        }
        // Whoever looks at the wish keeps others from changing it, so nobody may wait while looking.
        let wish = *shared.wish.borrow();
        match wish {
            Wish::Stop => break Ending::Stopped,
            Wish::Run => {}
            Wish::Pause => {
                shared.news.notified().await;
                continue;
            }
        }
        let in_flight = visits.len();
        let mut spent = shared.spent();
        let is_down = shared.line.state() == line::State::Down;
        // Those who wait for the line may wait for long, and bring nothing.
        if !is_down {
            spent.pages += in_flight as u64;
        }
        if shared.task.budget.is_used_up(&spent) {
            if in_flight == 0 || is_down {
                break Ending::BudgetUsed;
            }
            hear_of_one(shared, visits).await?;
            continue;
        }
        if is_down {
            if wait_for_line(shared, visits).await? {
                continue;
            }
            break Ending::NoNetwork;
        }
        // How many there may be can change at any time, and so can what is wished for.
        if in_flight >= *shared.threads.borrow() {
            hear_of_one(shared, visits).await?;
            continue;
        }
        let now = shared.clock.now();
        let next = shared.desk().frontier.next(now)?;
        match next {
            Next::Link(taken) => begin_visit(shared, visits, *taken),
            Next::Empty => break Ending::Finished,
            Next::Busy => hear_of_one(shared, visits).await?,
            Next::Wait(moment) => {
                if visits.is_empty() && moment.since(now) > shared.task.politeness.patience() {
                    break Ending::OnlySilentHosts;
                }
                if shared.clock.is_hurried() && !visits.is_empty() {
                    hear_of_one(shared, visits).await?;
                    continue;
                }
                tokio::select! {
                    () = shared.news.notified() => {}
                    // News of a visit may come just before it has ended; then this is the last word.
                    Some(done) = visits.join_next() => ended(done)?,
                    () = shared.clock.wait_until(moment) => {}
                }
            }
        }
    };
    shared.line.give_up();
    while !visits.is_empty() {
        join_one(visits).await?;
    }
    Ok(ending)
}

fn begin_visit(shared: &Arc<Shared>, visits: &mut Visits, taken: Taken) {
    let shared = Arc::clone(shared);
    visits.spawn(async move {
        let result = shared.visit(taken).await;
        shared.news.notify_one();
        result
    });
}

/// While the line is down nothing is handed out but a link now and then, to try it: one of a host that
/// was not asked yet, or else one of those that wait. Tells whether there is still hope.
async fn wait_for_line(shared: &Arc<Shared>, visits: &mut Visits) -> Result<bool, Error> {
    let now = shared.clock.now();
    shared.forgive()?;
    if shared.line.down_for(now) > shared.task.politeness.patience() {
        tracing::warn!("the network is still down: ending, nothing is lost");
        return Ok(false);
    }
    let attempt = shared.line.attempt();
    if attempt <= Attempt::At(now) {
        shared.line.begin_attempt();
        let has_room = visits.len() < *shared.threads.borrow();
        match has_room.then(|| shared.desk().frontier.next(now)).transpose()? {
            Some(Next::Link(taken)) => begin_visit(shared, visits, *taken),
            // Nobody is left who could tell.
            _ if visits.is_empty() => shared.line.heard(),
            _ => shared.line.give_turn(),
        }
        return Ok(true);
    }
    let next = async {
        match attempt {
            Attempt::At(moment) => shared.clock.wait_until(moment).await,
            Attempt::Going => std::future::pending().await,
        }
    };
    tokio::select! {
        biased;
        () = shared.news.notified() => {}
        Some(done) = visits.join_next() => {
            // It may have ended without asking anybody.
            shared.line.end_attempt(shared.clock.now());
            ended(done)?;
        }
        () = next => {}
    }
    Ok(true)
}

/// Comes back when a visit has ended, or something else has happened that is to be looked at.
async fn hear_of_one(shared: &Shared, visits: &mut Visits) -> Result<(), Error> {
    if visits.is_empty() {
        return Ok(());
    }
    tokio::select! {
        Some(done) = visits.join_next() => ended(done),
        () = shared.news.notified() => Ok(()),
    }
}

async fn join_one(visits: &mut Visits) -> Result<(), Error> {
    visits.join_next().await.map_or(Ok(()), ended)
}

fn ended(visit: Result<Result<(), Error>, JoinError>) -> Result<(), Error> {
    visit.unwrap_or_else(|panic| std::panic::resume_unwind(panic.into_panic()))
}

/// Comes back with the error when the state can no longer be written to disk.
async fn commit_now_and_then(shared: Arc<Shared>) -> Error {
    let every = seconds(shared.task.limits.commit).max(Duration::from_millis(50));
    let mut ticks = tokio::time::interval(every);
    ticks.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
    loop {
        ticks.tick().await;
        let result = tokio::task::block_in_place(|| shared.commit(false));
        if let Err(error) = result {
            tracing::error!(%error, "the state cannot be written");
            return error;
        }
    }
}

impl Shared {
    fn desk(&self) -> MutexGuard<'_, Desk> {
        self.desk.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn keeper(&self) -> MutexGuard<'_, Keeper> {
        self.keeper.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn spent(&self) -> Spent {
        let before = *self.before.lock().unwrap_or_else(PoisonError::into_inner);
        Spent {
            pages: before.pages + self.counters.pages.load(Ordering::Relaxed),
            bytes: before.bytes + self.counters.bytes.load(Ordering::Relaxed),
            time: before.time + self.clock.now().since(self.started),
        }
    }

    fn progress(&self) -> Progress {
        let desk = self.desk();
        let counts = desk.frontier.counts();
        Progress {
            queued: counts.queued,
            known: counts.known,
            hosts: counts.hosts,
            hosts_with_links: desk.frontier.hosts_with_links() as u64,
            in_flight: desk.frontier.in_work() as u64,
            waiting_for: self.trouble.lock().unwrap_or_else(PoisonError::into_inner).clone(),
            ..self.counters.progress()
        }
    }

    /// Makes all that happened durable: first the archive, then the frontier that refers to it.
    fn commit(&self, is_end: bool) -> Result<(), Error> {
        // Most of the archive goes to the disk while the desk is open.
        let flushing = self.keeper().flushing()?;
        flushing.flush()?;
        // The desk stays closed, so that frontier, log and mark are of the same moment.
        let mut desk = self.desk();
        // An answer that was dealt with by half is heard of again from the archive.
        if desk.is_torn {
            return Ok(());
        }
        let archive = {
            let mut keeper = self.keeper();
            keeper.sync()?;
            keeper.mark()
        };
        let ledger = desk.ledger.flush()?;
        let mark = Mark { archive: Some(archive), ledger, spent: self.spent() };
        let mark = postcard::to_stdvec(&mark).map_err(frontier::Error::from)?;
        desk.frontier.set_fact("crawl", &mark)?;
        desk.remember(is_end)?;
        let done = self.earlier.plus(self.counters.progress());
        desk.frontier.set_fact("progress", &serde_json::to_vec(&done).unwrap_or_default())?;
        let start = Instant::now();
        desk.frontier.commit()?;
        self.meters.committed(start.elapsed());
        Ok(())
    }

    /// Visits a link, or finds out whether it may.
    async fn visit(&self, taken: Taken) -> Result<(), Error> {
        let Ok(url) = Url::parse(&taken.entry.url) else {
            return self.drop_link(&taken, "no link");
        };
        let now = self.clock.now();
        match self.verdict(&taken, &url, now)? {
            Verdict::Ask => self.ask_manners(&taken, &url).await,
            Verdict::Wait => {
                tokio::time::sleep(SOON).await;
                self.give_back(taken.id)
            }
            Verdict::Forbidden(reason) => {
                self.counters.filtered("robots.txt");
                self.drop_link(&taken, &reason)
            }
            Verdict::NotWorthIt(reason) => {
                self.counters.filtered(reason);
                self.drop_link(&taken, reason)
            }
            Verdict::Go => self.fetch(taken, url).await,
        }
    }

    /// Whether a link is to be visited now.
    fn verdict(&self, taken: &Taken, url: &Url, now: Moment) -> Result<Verdict, Error> {
        let mut desk = self.desk();
        let host = taken.entry.host;
        let Some(standing) = desk.standing(host, now)? else {
            return Ok(if desk.is_asked(host) { Verdict::Wait } else { Verdict::Ask });
        };
        let verdict = standing.verdict(&url[url::Position::BeforePath..url::Position::AfterQuery]);
        if !verdict.allowed {
            return Ok(Verdict::Forbidden(verdict.ground.to_string()));
        }
        Ok(match desk.is_worth_it(&taken.entry, url)? {
            Ok(()) => Verdict::Go,
            Err(reason) => Verdict::NotWorthIt(reason),
        })
    }

    /// A link that is not to be visited.
    fn drop_link(&self, taken: &Taken, reason: &str) -> Result<(), Error> {
        let outcome = Outcome {
            state: State::Dropped(reason.to_owned()),
            visit: None,
            again: None,
            ended: None,
            address: None,
            tally: Tally::default(),
        };
        Ok(self.desk().frontier.finish(taken.id, outcome, self.clock.now())?)
    }

    /// Asks a host for its robots.txt. The link waits for its turn again, since this was a request.
    async fn ask_manners(&self, taken: &Taken, url: &Url) -> Result<(), Error> {
        let mut address = None;
        let mut tickets = Vec::new();
        let mut target = url.join("/robots.txt").unwrap_or_else(|_| url.clone());
        let (mut ended, mut standing) = (Ended::Refused(None), Standing::Unreachable);
        let mut at = self.clock.now();
        for _ in 0..=ROBOTS_REDIRECTS {
            let request = Request {
                accept: "text/plain,*/*;q=0.5",
                largest_body: Some(LARGEST_ROBOTS),
                ..Request::new(&target)
            };
            let Some((asked_at, answer)) = self.ask(taken, request).await else {
                self.desk().was_asked(taken.entry.host);
                self.heard(&tickets);
                return self.give_back(taken.id);
            };
            at = asked_at;
            match answer {
                Err(error) if error.is_ours() => {
                    self.desk().was_asked(taken.entry.host);
                    self.heard(&tickets);
                    return self.our_fault(taken.id, &error).await;
                }
                // Without redirects it is the link itself that is not to be asked for.
                Err(error) if desk::is_for_good(error.class()) && tickets.is_empty() => {
                    self.desk().was_asked(taken.entry.host);
                    return self.no_answer(taken, url, at, &error);
                }
                Err(error) => {
                    self.counters.error(error.class());
                    tracing::debug!(url = %target, %error, "no robots.txt");
                    break;
                }
                Ok(response) => {
                    self.counters.robots.fetch_add(1, Ordering::Relaxed);
                    address = response.address.map(|it| it.ip()).or(address);
                    let answer = Answer::live(target.clone(), at, &response, LARGEST_ROBOTS);
                    tickets.push(self.keep(&target, at, &response, None, &[("via", "robots")])?);
                    let next = answer.told.location.as_deref().and_then(|it| target.join(it).ok());
                    if (300..400).contains(&answer.status)
                        && let Some(next) = next
                    {
                        target = next;
                        continue;
                    }
                    standing = Standing::of(answer.status, &answer.body, &self.token);
                    ended = if standing == Standing::Unreachable {
                        Ended::Refused(answer.told.retry_after(at))
                    } else {
                        Ended::Answered(answer.took)
                    };
                    break;
                }
            }
        }
        let mut desk = self.desk();
        let now = self.clock.now();
        let sitemaps = sitemaps(&self.task, url, &standing).into_iter().map(|url| {
            let entry = &taken.entry;
            let (depth, inside, priority) = (entry.depth, entry.inside, entry.priority);
            Link { via: Some(taken.id), depth, inside, priority, ..sitemap(url) }
        });
        desk.frontier.add(&sitemaps.collect::<Vec<_>>(), false, now)?;
        desk.set_standing(taken.entry.host, standing, at)?;
        desk.was_asked(taken.entry.host);
        desk.frontier.give_back(taken.id, Some(ended), address, now)?;
        self.heard(&tickets);
        Ok(())
    }

    /// The frontier has heard of these answers. It may not be committed between hearing and this.
    fn heard(&self, tickets: &[Ticket]) {
        let mut keeper = self.keeper();
        tickets.iter().for_each(|it| keeper.heard(*it));
    }

    /// Fetches a link, keeps the answer and deals with it.
    async fn fetch(&self, taken: Taken, url: Url) -> Result<(), Error> {
        let entry = &taken.entry;
        let kind = entry.kind;
        let known = entry.visit.as_ref();
        let wanted = |head: fetch::Head<'_>| is_wanted(kind, head);
        let request = Request {
            etag: known.and_then(|it| it.etag.as_deref()),
            last_modified: known.and_then(|it| it.last_modified.as_deref()),
            accept: if kind == Kind::Sitemap { LISTS } else { PAGES },
            wanted: &wanted,
            ..Request::new(&url)
        };
        let Some((at, answer)) = self.ask(&taken, request).await else {
            return self.give_back(taken.id);
        };
        match answer {
            Err(error) if error.is_ours() => self.our_fault(taken.id, &error).await,
            Err(error) => {
                self.all_is_well();
                self.no_answer(&taken, &url, at, &error)
            }
            Ok(response) => {
                self.meters.fetched(response.timing.whole);
                if response.body.len() > LARGE {
                    tokio::task::block_in_place(|| self.deal_with(&taken, url, at, &response))
                } else {
                    self.deal_with(&taken, url, at, &response)
                }
            }
        }
    }

    /// Asks a host, and tells when it was asked. While it is our line that is down nobody is blamed: the
    /// question waits, and is asked again. Nothing comes back if nobody waits for the line any more.
    async fn ask(
        &self,
        taken: &Taken,
        request: Request<'_>,
    ) -> Option<(Moment, Result<Response, FetchError>)> {
        let host = taken.entry.host;
        let mut has_waited = false;
        loop {
            let at = self.clock.now();
            let error = match self.client.get(request).await {
                Err(error) if error.is_silence() => error,
                // A connection that breaks off may have been cut on its way: it tells nothing.
                Err(error) if error.is_ours() || matches!(error, FetchError::Closed { .. }) => {
                    return Some((at, Err(error)));
                }
                heard => {
                    self.line.heard();
                    self.all_is_well();
                    return Some((at, heard));
                }
            };
            // Others are heard again, and this one is not.
            if has_waited && self.line.state() == line::State::Up {
                return Some((at, Err(error)));
            }
            let is_known = taken.manners_until.is_some();
            match self.line.silent(host, is_known, &error, self.clock.now()) {
                Blame::Host => return Some((at, Err(error))),
                Blame::NowLine(hosts) => {
                    tracing::warn!(hosts, %error, "the network seems to be down: waiting");
                    let trouble = format!("the network seems to be down: {error}");
                    *self.trouble.lock().unwrap_or_else(PoisonError::into_inner) = Some(trouble);
                }
                Blame::Line => {}
            }
            self.news.notify_one();
            has_waited = true;
            if !self.line.wait().await {
                return None;
            }
        }
    }

    /// Takes back what links were blamed for before the line was found to be down.
    fn forgive(&self) -> Result<(), Error> {
        let mut desk = self.desk();
        for link in self.line.blamed() {
            desk.frontier.forgive(link)?;
        }
        Ok(())
    }

    /// A link that was not visited waits for its turn again.
    fn give_back(&self, id: LinkId) -> Result<(), Error> {
        Ok(self.desk().frontier.give_back(id, None, None, self.clock.now())?)
    }

    /// Keeps that there was no answer, and tells the frontier.
    fn no_answer(
        &self,
        taken: &Taken,
        url: &Url,
        at: Moment,
        error: &FetchError,
    ) -> Result<(), Error> {
        tracing::debug!(%url, %error, "no answer");
        let fields = [("error", error.class()), ("reason", &error.to_string())];
        let ticket = self.keep_failure(url, at, &fields)?;
        let now = self.clock.now();
        let mut desk = self.desk();
        if error.is_silence() && !self.line.blames(taken.id) {
            // It was found in the meantime that the line is down.
            desk.frontier.give_back(taken.id, None, None, now)?;
            self.heard(&[ticket]);
            return Ok(());
        }
        let dealt = desk.deal_with_failure(&self.counters, taken.id, error.class(), at, now);
        desk.is_torn |= dealt.is_err();
        dealt?;
        self.heard(&[ticket]);
        Ok(())
    }

    /// Keeps an answer, reads it, and tells the frontier.
    fn deal_with(
        &self,
        taken: &Taken,
        url: Url,
        at: Moment,
        response: &Response,
    ) -> Result<(), Error> {
        let hops = taken.entry.depth.to_string();
        let took = response.timing.whole.as_millis().to_string();
        let fields = [("hopsFromSeed", hops.as_str()), ("fetchTimeMs", took.as_str())];
        let known = taken.entry.visit.as_ref();
        let ticket = self.keep(&url, at, response, known, &fields)?;
        let answer = Answer::live(url, at, response, self.task.limits.unpacked);
        let limits = &self.task.limits;
        let reading = read(&self.goal, &self.task.links, limits.links, taken.entry.kind, &answer);
        if let crate::reading::Reading::Page(page) = &reading
            && page.judgement.relevant == Some(true)
        {
            self.counters.relevant.fetch_add(1, Ordering::Relaxed);
        }
        self.counters.pages.fetch_add(1, Ordering::Relaxed);
        self.counters.bytes.fetch_add(answer.size, Ordering::Relaxed);
        let now = self.clock.now();
        let mut desk = self.desk();
        let counters = &self.counters;
        let dealt = desk.deal_with(&self.goal, counters, taken.id, &answer, reading, now);
        desk.is_torn |= dealt.is_err();
        dealt?;
        self.heard(&[ticket]);
        Ok(())
    }

    /// Writes an answer into the archive.
    fn keep(
        &self,
        url: &Url,
        at: Moment,
        response: &Response,
        known: Option<&Visit>,
        fields: &[(&str, &str)],
    ) -> Result<Ticket, Error> {
        let truncated = if response.unwanted {
            Some(archive::Truncated::Unspecified)
        } else {
            response.truncated.map(|it| match it {
                fetch::Truncated::Length => archive::Truncated::Length,
                fetch::Truncated::Time => archive::Truncated::Time,
                fetch::Truncated::Disconnect => archive::Truncated::Disconnect,
            })
        };
        // A body that is in the archive already is not written again.
        let sameness = |known: &Visit| match response.status {
            304 => Some(archive::Sameness::NotModified),
            200 if known.status == 200
                && truncated.is_none()
                && known.digest == xxh3_64(&response.body) =>
            {
                Some(archive::Sameness::Digest)
            }
            _ => None,
        };
        let revisit = known.and_then(|known| {
            let (url, date) = (url.as_str(), timestamp(known.kept));
            Some(archive::Revisit { sameness: sameness(known)?, url, date })
        });
        let exchange = Exchange {
            url: url.as_str(),
            date: timestamp(at),
            address: response.address.map(|it| it.ip()),
            protocol: Some(response.protocol.as_str()),
            request: &response.request_head,
            response: Some(archive::Response {
                truncated,
                revisit,
                ..archive::Response::new(&response.head, &response.body)
            }),
            fields,
        };
        let packed = archive::pack(&exchange);
        Ok(self.keeper().keep(&packed)?.0)
    }

    /// Writes down that there was no answer.
    fn keep_failure(
        &self,
        url: &Url,
        at: Moment,
        fields: &[(&str, &str)],
    ) -> Result<Ticket, Error> {
        let exchange = Exchange {
            url: url.as_str(),
            date: timestamp(at),
            address: None,
            protocol: None,
            request: &[],
            response: None,
            fields,
        };
        let packed = archive::pack(&exchange);
        Ok(self.keeper().keep(&packed)?.0)
    }

    /// The proxy is gone, or there are no more connections to be had: wait, and blame nobody.
    async fn our_fault(&self, id: LinkId, error: &FetchError) -> Result<(), Error> {
        {
            let mut trouble = self.trouble.lock().unwrap_or_else(PoisonError::into_inner);
            if trouble.is_none() {
                tracing::warn!(%error, "waiting");
            }
            *trouble = Some(error.to_string());
        }
        self.clock.wait_until(self.clock.now() + OUR_FAULT).await;
        self.give_back(id)
    }

    fn all_is_well(&self) {
        let mut trouble = self.trouble.lock().unwrap_or_else(PoisonError::into_inner);
        if trouble.take().is_some() {
            tracing::info!("going on");
        }
    }
}

/// Whether a link is to be visited.
enum Verdict {
    /// Yes.
    Go,
    /// The host has to be asked for its rules first.
    Ask,
    /// The host is being asked for its rules.
    Wait,
    /// Its host forbids it.
    Forbidden(String),
    /// Its like have brought nothing.
    NotWorthIt(&'static str),
}

/// What a crawl has spent, as its frontier keeps it.
pub(crate) fn kept_spent(frontier: &Frontier) -> Result<Spent, Error> {
    let mark = frontier.fact("crawl")?;
    let mark = mark.and_then(|it| postcard::from_bytes::<Mark>(&it).ok());
    Ok(mark.unwrap_or_default().spent)
}

/// What a crawl has done, as its frontier keeps it. What another version kept may be less.
pub(crate) fn kept_progress(frontier: &Frontier) -> Result<Progress, Error> {
    let progress = frontier.fact("progress")?;
    Ok(progress.and_then(|it| serde_json::from_slice(&it).ok()).unwrap_or_default())
}

fn add_seeds(task: &Task, desk: &mut Desk, now: Moment) -> Result<(), Error> {
    let mut seeds: Vec<_> = task.check_seeds()?.into_iter().map(Link::seed).collect();
    let urls: Vec<_> = seeds.iter().map(|it| it.url.clone()).collect();
    for (seed, value) in seeds.iter_mut().zip(desk.strategy.seeds(&urls)) {
        seed.priority = Priority(value.priority);
        seed.note = value.note;
    }
    seeds.retain(|it| it.priority.0 != f32::NEG_INFINITY);
    if seeds.is_empty() && desk.frontier.counts().known == 0 {
        return Err(Error::NoSeeds);
    }
    desk.frontier.add(&seeds, false, now)?;
    Ok(())
}

/// What strategies may know of a crawl.
fn aim(task: &Task, gazetteer: &'static Gazetteer, region: Option<&Region>) -> Result<Aim, Error> {
    let budget = match task.budget {
        Budget::Pages(pages) => Some(pages),
        _ => None,
    };
    let topic = topic_of(task, gazetteer)?.map(Arc::new);
    let registrants = task.registrants.as_ref().map(|path| {
        let text = std::fs::read_to_string(path).map_err(Error::file(path))?;
        let list: Arc<dyn RegistrantLocator> = Arc::new(RegistrantList::parse(gazetteer, &text));
        Ok::<_, Error>(list)
    });
    Ok(Aim {
        gazetteer: Some(gazetteer),
        region: region.cloned(),
        topic,
        registrants: registrants.transpose()?,
        budget,
        ..Aim::default()
    })
}

/// The sitemaps that a host names in its robots.txt.
pub(crate) fn sitemaps(task: &Task, host: &Url, standing: &Standing) -> Vec<Url> {
    let named = standing.robots().map(fetch::Robots::sitemaps).unwrap_or_default();
    let absolute = named.iter().filter_map(|it| host.join(it).ok());
    absolute.filter_map(|it| task.links.normal_form(it.as_str()).ok()).collect()
}

pub(crate) fn sitemap(url: Url) -> Link {
    Link { kind: Kind::Sitemap, ..Link::seed(url) }
}

fn client(task: &Task, user_agent: UserAgent, around: &Surroundings) -> Result<Client, Error> {
    let mut settings = fetch::Settings::new(user_agent);
    settings.allow_private = task.allow_private;
    settings.largest_body = task.limits.body;
    settings.timeouts.whole = seconds(task.limits.seconds);
    settings.most_idle = task.threads.max(64);
    if let Some(proxy) = &task.proxy {
        let url = Url::parse(proxy).map_err(|_| fetch::SettingsError::Proxy(proxy.clone()))?;
        settings.proxy = Some(url);
    }
    Ok(match &around.resolver {
        Some(resolver) => Client::with_resolver(settings, Arc::clone(resolver))?,
        None => Client::new(settings)?,
    })
}

fn archive_settings(task: &Task, user_agent: &UserAgent) -> archive::Settings {
    archive::Settings {
        prefix: task.name.clone(),
        rotate_at: task.limits.archive_file,
        software: task.user_agent.clone(),
        operator: task.contact.clone().unwrap_or_default(),
        user_agent: user_agent.to_string(),
        ..archive::Settings::default()
    }
}
