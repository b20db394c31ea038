//! The loop: a link is taken, fetched, kept, read, and its links go back to the frontier.

mod dispatch;
mod door;
mod guest;
mod lost_seed;
mod manners;
mod opening;
mod question;
mod record;
mod torn;
mod visit;

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use archive::{Position, Writer};
use fetch::Client;
use frontier::{Courtesy, Frontier, LinkId, Moment, Visit};
use geoparse::Region;
use tokio::sync::{Notify, watch};
use tokio::task::JoinSet;

use self::door::Door;
pub use self::lost_seed::LostSeed;
use self::opening::{add_seeds, aim, archive_settings, client};
use crate::budget::Spent;
use crate::clock::{Clock, timestamp};
use crate::counters::{Counters, Progress};
use crate::desk::{self, Desk};
use crate::ending::Ending;
use crate::error::Error;
use crate::goal::Goal;
use crate::insight::Insight;
use crate::keeper::Keeper;
use crate::ledger::Ledger;
use crate::line::Line;
use crate::mark::{Mark, kept_progress};
use crate::metrics::Meters;
use crate::model;
use crate::replay::Replay;
use crate::setback::Setbacks;
use crate::slots::Slots;
use crate::status::{Activity, Run, Status};
use crate::stopwatch::Stopwatch;
use crate::surroundings::Surroundings;
use crate::task::Task;
use crate::traps::Traps;
use crate::wish::Wish;

/// So many answers are passed over at a start that the program cannot deal with; with more the whole of it is wrong.
const MOST_SKIPPED: usize = 10;

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
    courtesy: Arc<Courtesy>,
    slots: Slots,
    desk: Door<Desk>,
    keeper: Mutex<Keeper>,
    counters: Counters,
    /// What earlier runs have spent.
    before: Mutex<Spent>,
    /// What earlier runs have done.
    earlier: Progress,
    started: Moment,
    /// How long it has been at work since it was opened.
    work: Mutex<Stopwatch>,
    threads: watch::Sender<usize>,
    archive: PathBuf,
    meters: Meters,
    wish: watch::Sender<Wish>,
    news: Notify,
    trouble: Mutex<Option<String>>,
    line: Line,
    /// Links for which a connection that had been kept broke off; they are asked for once more.
    broken: Mutex<HashSet<LinkId>>,
    setbacks: Setbacks,
    /// Whether a panic came between keeping an answer and having dealt with it.
    is_broken: AtomicBool,
}

impl Crawl {
    /// Opens the crawl of a task: begins it, or brings it up to date with its archive.
    #[expect(
        clippy::needless_pass_by_value,
        reason = "the crawl keeps both; they are copied only because it may have to be opened again"
    )]
    pub fn open(task: Task, region: Option<Region>, around: &Surroundings) -> Result<Self, Error> {
        task.check_numbers()?;
        let mut skipped = HashSet::new();
        loop {
            let opened = Self::open_without(&skipped, task.clone(), region.clone(), around)?;
            let position = match opened {
                Ok(crawl) => return Ok(crawl),
                Err(position) => position,
            };
            tracing::error!(%position, "an answer is passed over: this is an error of the program");
            if skipped.len() >= MOST_SKIPPED || !skipped.insert(position) {
                return Err(Error::torn());
            }
        }
    }

    /// The same; answers at these positions of the archive are not dealt with. Gives the position of another one
    /// that cannot be dealt with, if there is one.
    fn open_without(
        skipped: &HashSet<Position>,
        task: Task,
        region: Option<Region>,
        around: &Surroundings,
    ) -> Result<Result<Self, Position>, Error> {
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
        model::recall(&frontier, &task, strategy.as_mut())?;
        let mut desk = Desk::new(frontier, strategy, ledger, &task);
        desk.traps = Traps::recall(folder.join("traps"))?;
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
            skipped,
            waiting: None,
            broken: None,
            result: Ok(()),
        };
        let writer = Writer::resume(
            &around.data.join("archive"),
            &archive_settings(&task, &user_agent),
            mark.archive.as_ref().map(|it| &it.all_before),
            |position, record| again.hear(&position, &record),
        )?;
        again.end();
        if let Some(position) = again.broken {
            return Ok(Err(position));
        }
        again.result?;
        let shared = Shared {
            token: user_agent.product_token().to_owned(),
            folder,
            client,
            goal,
            clock: around.clock.clone(),
            courtesy: Arc::clone(&around.courtesy),
            slots: around.slots.clone(),
            desk: Door::new(desk),
            keeper: Mutex::new(Keeper::new(writer)),
            counters,
            before: Mutex::new(mark.spent),
            earlier,
            started: around.clock.now(),
            work: Mutex::new(Stopwatch::begin(around.clock.ran())),
            threads: watch::Sender::new(task.threads.max(1)),
            archive: around.data.join("archive"),
            meters: Meters::new(&task.name),
            wish: watch::Sender::new(Wish::Run),
            news: Notify::new(),
            trouble: Mutex::default(),
            line: Line::new(),
            broken: Mutex::default(),
            setbacks: Setbacks::default(),
            is_broken: AtomicBool::new(false),
            task,
        };
        let crawl = Self { shared: Arc::new(shared) };
        crawl.shared.commit(false)?;
        Ok(Ok(crawl))
    }

    /// The task it does.
    pub fn task(&self) -> &Task {
        &self.shared.task
    }

    /// Writes into the log that it begins, and with what.
    pub fn announce(&self, region: Option<&str>) {
        let task = self.task();
        tracing::info!(
            task = task.name,
            region = region.unwrap_or("anything"),
            seeds = task.seeds.len(),
            strategy = task.strategy,
            budget = %task.budget,
            threads = task.threads,
            "the crawl begins"
        );
    }

    /// The folder of its frontier and its log.
    pub fn folder(&self) -> &Path {
        &self.shared.folder
    }

    /// Tells it what to do.
    pub fn wish(&self, wish: Wish) {
        self.shared.work().go(wish != Wish::Pause, self.shared.clock.ran());
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

    /// What earlier runs have spent, as far as that counts.
    pub fn spent_before(&self) -> Spent {
        *self.shared.before.lock().unwrap_or_else(PoisonError::into_inner)
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
            traps: &desk.traps,
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

    /// Puts seeds back into the queue with what they lead to, also those that were given up, and pages
    /// whose time to be looked at again has come; tells how many. New pages are mostly found by way of
    /// the seeds.
    ///
    /// What was spent before does not count any more: this begins another run.
    pub fn revisit(&self) -> Result<usize, Error> {
        let now = self.shared.clock.now();
        let revisits = self.shared.task.revisits;
        let mut desk = self.shared.desk();
        let is_due = |visit: &Visit| revisits.next(visit) <= now;
        let mut due = desk
            .frontier
            .revisit(|it| it.via.is_none() || it.visit.as_ref().is_some_and(is_due))?;
        for url in self.task().check_seeds()? {
            if let Some((id, _)) = desk.frontier.find(&url)? {
                due += desk.frontier.begin_again(id)?;
            }
        }
        drop(desk);
        *self.shared.before.lock().unwrap_or_else(PoisonError::into_inner) = Spent::default();
        // Whoever opens the crawl again goes on with this run.
        self.shared.commit(false)?;
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
        running.spawn(dispatch::run(Arc::clone(&self.shared)));
        match running.join_next().await {
            Some(Ok(ending)) => ending,
            Some(Err(_)) => Err(Error::torn()),
            None => Ok(Ending::Stopped),
        }
    }
}

impl Shared {
    fn desk(&self) -> MutexGuard<'_, Desk> {
        self.desk.enter()
    }

    fn work(&self) -> MutexGuard<'_, Stopwatch> {
        self.work.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn keeper(&self) -> MutexGuard<'_, Keeper> {
        self.keeper.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn spent(&self) -> Spent {
        let before = *self.before.lock().unwrap_or_else(PoisonError::into_inner);
        Spent {
            pages: before.pages + self.counters.pages.load(Ordering::Relaxed),
            bytes: before.bytes + self.counters.bytes.load(Ordering::Relaxed),
            time: before.time + self.work().shown(self.clock.ran()),
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
        if self.is_torn() {
            return Err(Error::torn());
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
        desk.committed(is_end);
        Ok(())
    }
}
