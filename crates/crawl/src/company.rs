//! Several tasks in one process: starts what is due, obeys what is wanted, notes how it went.

use std::collections::BTreeMap;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::Duration;

use jiff::Timestamp;
use jiff::tz::TimeZone;
use tokio::sync::watch;
use tokio::task::JoinHandle;

use crate::control;
use crate::crawl::Crawl;
use crate::ending::Ending;
use crate::error::Error;
use crate::metrics;
use crate::region::{Understood, region};
use crate::schedule::{Schedule, zone};
use crate::surroundings::Surroundings;
use crate::task::Task;
use crate::task_state::TaskState;
use crate::tasks::{Listed, ReadBefore, Tasks};
use crate::wish::Wish;

/// How often the files of the tasks are looked at.
const LOOK: Duration = Duration::from_millis(250);
/// When to try again to start a task that another process is running, or that cannot be noted.
const LATER: Duration = Duration::from_secs(5);

/// All tasks of a folder of data, run in one process with one courtesy.
pub struct Company {
    around: Surroundings,
    tasks: Tasks,
    zone: TimeZone,
    running: Mutex<BTreeMap<String, Running>>,
    /// Tasks that cannot be started now, and when to try again.
    put_off: Mutex<BTreeMap<String, Timestamp>>,
}

/// A task that runs.
struct Running {
    /// There as soon as it is opened.
    crawl: Arc<OnceLock<Crawl>>,
    work: JoinHandle<Result<Ending, Error>>,
    began: Timestamp,
    is_new_round: bool,
    obeyed: Wish,
}

/// Something that happened to a task.
#[derive(Clone, Debug)]
pub enum Event {
    /// It began or went on.
    Began(String),
    /// It came to an end.
    Ended(String, Ending),
    /// It could not go on.
    Failed(String, String),
}

impl Company {
    /// The tasks of a folder of data.
    pub fn new(around: Surroundings) -> Self {
        Self {
            tasks: Tasks::at(&around.data),
            around,
            zone: zone().0,
            running: Mutex::default(),
            put_off: Mutex::default(),
        }
    }

    /// The crawls that run.
    pub fn crawls(&self) -> Vec<Crawl> {
        self.running().values().filter_map(|it| it.crawl.get().cloned()).collect()
    }

    fn running(&self) -> MutexGuard<'_, BTreeMap<String, Running>> {
        self.running.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Runs tasks until told to stop, or until nothing runs or is due before that moment.
    ///
    /// One process at a time does so for a folder of data, since courtesy is shared within a process.
    pub async fn run(
        &self,
        mut stop: watch::Receiver<bool>,
        until_idle: impl Fn(Timestamp) -> Option<Timestamp>,
        mut tell: impl FnMut(Event),
    ) -> Result<(), Error> {
        let _engaged = self.engage()?;
        let mut read = ReadBefore::default();
        while !*stop.borrow() {
            let now = Timestamp::now();
            self.gather(&mut tell).await;
            let listed = self.tasks.list_changed(&mut read)?;
            for it in &listed {
                if let Err(error) = self.look_after(it, now, &mut tell) {
                    tracing::warn!(task = it.name, %error, "the task cannot be started");
                    self.put_off(&it.name);
                }
            }
            if let Some(end) = until_idle(now)
                && self.running().is_empty()
                && !listed.iter().any(|it| is_awaited(&it.state, end))
            {
                return Ok(());
            }
            tokio::select! {
                () = tokio::time::sleep(LOOK) => {}
                changed = stop.changed() => if changed.is_err() { break },
            }
        }
        for running in self.running().values() {
            running.wish(Wish::Stop);
        }
        while !self.running().is_empty() {
            self.gather(&mut tell).await;
            tokio::time::sleep(LOOK / 5).await;
            // One that was just beginning hears it as soon as it is there.
            self.running().values().for_each(|it| it.wish(Wish::Stop));
        }
        Ok(())
    }

    /// Keeps other processes from running the tasks of the folder, as long as the result is kept.
    fn engage(&self) -> Result<File, Error> {
        let folder = self.around.data.join("tasks");
        fs::create_dir_all(&folder).map_err(Error::file(&folder))?;
        let path = folder.join("running.lock");
        let lock = OpenOptions::new().create(true).truncate(false).write(true).open(&path);
        let lock = lock.map_err(Error::file(&path))?;
        match lock.try_lock() {
            Ok(()) => Ok(lock),
            Err(TryLockError::WouldBlock) => Err(Error::Engaged(self.around.data.clone())),
            Err(TryLockError::Error(error)) => Err(Error::file(path)(error)),
        }
    }

    /// Notes those that have ended.
    async fn gather(&self, tell: &mut impl FnMut(Event)) {
        let ended: Vec<String> = {
            let running = self.running();
            running.iter().filter(|it| it.1.work.is_finished()).map(|it| it.0.clone()).collect()
        };
        for name in ended {
            let Some(running) = self.running().remove(&name) else { continue };
            let result = match running.work.await {
                Ok(result) => result,
                Err(panic) if panic.is_panic() => Err(Error::Broken(
                    "the crawl broke off: this is an error of the program".into(),
                )),
                Err(_) => Ok(Ending::Stopped),
            };
            // Before it was opened nothing of it was written down.
            let is_unbegun = running.is_new_round && running.crawl.get().is_none();
            if let Err(error) = self.note_end(&name, running.began, is_unbegun, result, tell)
                && self.tasks.task(&name).is_ok()
            {
                tracing::warn!(task = name, %error, "how the task ended cannot be noted");
                self.put_off(&name);
            }
        }
    }

    fn note_end(
        &self,
        name: &str,
        began: Timestamp,
        is_unbegun: bool,
        result: Result<Ending, Error>,
        tell: &mut impl FnMut(Event),
    ) -> Result<(), Error> {
        let take_back = |state: &mut TaskState| {
            if is_unbegun {
                state.is_in_round = false;
                state.rounds = state.rounds.saturating_sub(1);
            }
        };
        if result.as_ref().is_err_and(Error::is_in_use) {
            // Another process runs it: it is not ours to say how it went.
            self.put_off(name);
            return self.tasks.change(name, take_back);
        }
        let timing = self.tasks.task(name).map(|it| it.timing).unwrap_or_default();
        let next = timing.next(began, &self.zone);
        let changed = self.tasks.change(name, |state| {
            state.ended = Some(TaskState::written(Timestamp::now()));
            match &result {
                // Its round is not over: it goes on when it is looked after next.
                Ok(ending @ (Ending::Stopped | Ending::NoNetwork)) => state.ending = Some(*ending),
                Ok(ending) => {
                    state.ending = Some(*ending);
                    end_round(state, &timing, next);
                }
                // Nor is that of one that failed, whose links and budget wait for whoever mends what is wrong.
                Err(error) => {
                    state.ending = None;
                    state.error = Some(error.to_string());
                    take_back(state);
                    wait(state, &timing, timing.next(Timestamp::now(), &self.zone));
                }
            }
        });
        if matches!(result, Ok(Ending::NoNetwork)) {
            self.put_off(name);
        }
        tell(match result {
            Ok(ending) => Event::Ended(name.to_owned(), ending),
            Err(error) => {
                tracing::error!(task = name, %error, "the task cannot go on");
                Event::Failed(name.to_owned(), error.to_string())
            }
        });
        changed
    }

    /// Starts a task that is due, and tells one that runs what is wanted.
    fn look_after(
        &self,
        listed: &Listed,
        now: Timestamp,
        tell: &mut impl FnMut(Event),
    ) -> Result<(), Error> {
        let mut all = self.running();
        if let Some(running) = all.get_mut(&listed.name) {
            running.obey(listed);
            return Ok(());
        }
        let Ok(task) = &listed.task else { return Ok(()) };
        if !listed.state.is_due(now) || self.is_put_off(&listed.name, now) {
            return Ok(());
        }
        if self.tasks.is_running(&listed.name) {
            // By another process.
            self.put_off(&listed.name);
            return Ok(());
        }
        let is_new_round = !listed.state.is_in_round;
        self.tasks.change(&listed.name, |state| {
            if is_new_round {
                state.began = Some(TaskState::written(now));
                state.rounds += 1;
                state.is_in_round = true;
            }
            state.error = None;
        })?;
        let began = listed.state.began.as_deref().filter(|_| !is_new_round);
        let began = began.and_then(|it| it.parse().ok()).unwrap_or(now);
        let is_again = is_new_round && listed.state.rounds > 0;
        let crawl = Arc::new(OnceLock::new());
        let work = work(Task::clone(task), self.around.clone(), is_again, Arc::clone(&crawl));
        let work = tokio::spawn(work);
        let running = Running { crawl, work, began, is_new_round, obeyed: Wish::Run };
        all.insert(listed.name.clone(), running);
        tell(Event::Began(listed.name.clone()));
        Ok(())
    }

    fn put_off(&self, name: &str) {
        let mut put_off = self.put_off.lock().unwrap_or_else(PoisonError::into_inner);
        put_off.insert(name.to_owned(), Timestamp::now() + LATER);
    }

    fn is_put_off(&self, name: &str, now: Timestamp) -> bool {
        let mut put_off = self.put_off.lock().unwrap_or_else(PoisonError::into_inner);
        put_off.retain(|_, until| *until > now);
        put_off.contains_key(name)
    }
}

impl Running {
    fn wish(&self, wish: Wish) {
        if let Some(crawl) = self.crawl.get() {
            crawl.wish(wish);
        }
    }

    /// Does what the files of the task say now.
    fn obey(&mut self, listed: &Listed) {
        let Some(crawl) = self.crawl.get() else { return };
        if self.obeyed != listed.state.wanted {
            self.obeyed = listed.state.wanted;
            crawl.wish(self.obeyed);
        }
        if let Ok(task) = &listed.task {
            crawl.set_threads(task.threads);
        }
    }
}

/// Opens a crawl and runs it to its end.
async fn work(
    task: Task,
    around: Surroundings,
    is_again: bool,
    opened: Arc<OnceLock<Crawl>>,
) -> Result<Ending, Error> {
    let opening = tokio::task::spawn_blocking(move || {
        let understood = region(around.gazetteer, &task.region)?;
        let label = understood.as_ref().map(Understood::label);
        let crawl = Crawl::open(task, understood.map(|it| it.region), &around)?;
        if is_again {
            crawl.revisit()?;
        }
        crawl.announce(label.as_deref());
        Ok::<_, Error>(crawl)
    });
    let crawl = opening.await.unwrap_or_else(|it| std::panic::resume_unwind(it.into_panic()))?;
    let _control = control::serve(&crawl)?;
    let crawl = opened.get_or_init(|| crawl);
    let ending = crawl.run().await;
    // Nobody asks it any more: what is shown of it from now on is how it ended.
    metrics::report(crawl);
    ending
}

/// A round is over: the next one is due as the timing says, or never.
fn end_round(state: &mut TaskState, timing: &Schedule, next: Option<Timestamp>) {
    state.is_in_round = false;
    wait(state, timing, next);
}

/// A task waits for its time, or for whoever starts it.
fn wait(state: &mut TaskState, timing: &Schedule, next: Option<Timestamp>) {
    state.next = next.map(TaskState::written);
    if *timing == Schedule::Once {
        state.wanted = Wish::Stop;
    }
}

/// Whether a task is to run before that moment.
fn is_awaited(state: &TaskState, end: Timestamp) -> bool {
    state.wanted == Wish::Run && (state.goes_on() || state.next().is_some_and(|it| it < end))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tasks_of_a_folder_are_run_by_one_process_at_a_time() {
        let folder = tempfile::tempdir().expect("a folder");
        let company = || Company::new(Surroundings::new(folder.path(), world::gazetteer()));
        let (one, other) = (company(), company());
        let engaged = one.engage().expect("nobody else runs them");
        let refused = other.engage().expect_err("they are run").to_string();
        assert!(refused.contains("another process runs the tasks"), "{refused}");
        drop(engaged);
        other.engage().expect("nobody runs them any more");
    }
}
