//! The office: all that the pages of the operators work with.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use crawl::{Error, Listed, Tasks};
use gazetteer::Gazetteer;
use tokio::sync::{Semaphore, watch};

use super::door::Door;
use super::rebuild::Rebuild;
use super::runner::Runner;
use super::session::Sessions;
use super::token::Token;
use super::watch::{Snapshot, Watch};
use crate::shelf::Shelf;

/// So many pages may be live at once: each is a connection that stays open.
const MOST_LIVE: usize = 64;

/// What operators may do, and who they are.
#[derive(Clone, Debug)]
pub struct Operators {
    /// Whoever has it is an operator.
    pub token: Token,
    /// The folder of the tasks and the archive.
    pub data: PathBuf,
    /// Whether tasks made on the page may ask this machine and private networks.
    pub allow_private: bool,
    /// How many requests all crawls together may have on their way at once.
    pub most_requests: u32,
}

/// All that the pages of the operators work with.
pub(crate) struct Office {
    pub(crate) data: PathBuf,
    pub(crate) tasks: Tasks,
    pub(crate) shelf: Arc<Shelf>,
    pub(crate) token: Token,
    pub(crate) allows_private: bool,
    pub(crate) sessions: Sessions,
    pub(crate) door: Door,
    pub(crate) runner: Runner,
    pub(crate) rebuild: Rebuild,
    /// Permission to be live.
    pub(crate) live: Arc<Semaphore>,
    watches: Mutex<HashMap<String, Arc<Mutex<Watch>>>>,
    closing: watch::Sender<bool>,
}

impl Office {
    /// Opens the office and begins to run the tasks.
    pub(crate) fn open(operators: &Operators, shelf: Arc<Shelf>) -> Self {
        let data = std::path::absolute(&operators.data).unwrap_or_else(|_| operators.data.clone());
        Self {
            tasks: Tasks::at(&data),
            token: operators.token.clone(),
            allows_private: operators.allow_private,
            sessions: Sessions::default(),
            door: Door::new(),
            runner: Runner::begin(&data, shelf.gazetteer(), operators.most_requests),
            rebuild: Rebuild::default(),
            live: Arc::new(Semaphore::new(MOST_LIVE)),
            watches: Mutex::default(),
            closing: watch::Sender::new(false),
            shelf,
            data,
        }
    }

    /// Where places are looked up.
    pub(crate) fn gazetteer(&self) -> &'static Gazetteer {
        self.shelf.gazetteer()
    }

    /// Tells live pages and tasks that the end is near.
    pub(crate) fn close(&self) {
        self.closing.send_replace(true);
        self.runner.end();
    }

    /// Hears when the office closes.
    pub(crate) fn closing(&self) -> watch::Receiver<bool> {
        self.closing.subscribe()
    }

    /// How a task is doing, in short.
    pub(crate) fn glance(&self, listed: Listed) -> Arc<Snapshot> {
        let name = listed.name.clone();
        self.watch(&name, |it| it.glance(self, listed))
    }

    /// How a task is doing, with its links, hosts and last pages.
    pub(crate) fn look(&self, name: &str) -> Result<Arc<Snapshot>, Error> {
        let task = match self.tasks.task(name) {
            Err(error @ (Error::NoTask { .. } | Error::Name(_))) => return Err(error),
            task => task,
        };
        let task = task.map(Arc::new);
        let listed = Listed { name: name.to_owned(), task, state: self.tasks.state(name)? };
        Ok(self.watch(name, |it| it.look(self, listed)))
    }

    /// What was known of a task is forgotten.
    pub(crate) fn forget(&self, name: &str) {
        self.watches.lock().unwrap_or_else(PoisonError::into_inner).remove(name);
    }

    fn watch<T>(&self, name: &str, look: impl FnOnce(&mut Watch) -> T) -> T {
        let watch = {
            let mut all = self.watches.lock().unwrap_or_else(PoisonError::into_inner);
            Arc::clone(all.entry(name.to_owned()).or_default())
        };
        let mut watch = watch.lock().unwrap_or_else(PoisonError::into_inner);
        look(&mut watch)
    }
}
