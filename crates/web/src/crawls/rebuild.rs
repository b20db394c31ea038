//! Rebuilding the index from the archive, beside the searches.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use gazetteer::Gazetteer;
use index::{Library, Order, Phase, Progress, Report};
use jiff::Timestamp;

/// How a rebuild goes, or how the last one went.
#[derive(Clone, Debug, Default)]
pub(crate) enum Standing {
    /// None was asked for since the server began.
    #[default]
    None,
    /// It is under way.
    Busy(Stage),
    /// It has made a generation, or found nothing new.
    Done(Outcome),
    /// It failed, for this reason; the index is as it was.
    Failed(Timestamp, String),
}

impl Standing {
    /// Whether one is under way.
    pub(crate) fn is_busy(&self) -> bool {
        matches!(self, Self::Busy(_))
    }
}

/// How far a rebuild has come.
#[derive(Clone, Debug)]
pub(crate) struct Stage {
    pub(crate) since: Timestamp,
    pub(crate) phase: Phase,
    /// In percent of the phase.
    pub(crate) percent: u64,
    pub(crate) documents: u64,
}

/// What a rebuild has brought.
#[derive(Clone, Debug)]
pub(crate) struct Outcome {
    pub(crate) ended: Timestamp,
    pub(crate) seconds: i64,
    pub(crate) report: Report,
}

/// Rebuilds the index, one time after the other.
#[derive(Clone, Default)]
pub(crate) struct Rebuild(Arc<Mutex<Standing>>);

impl Rebuild {
    /// How it goes, or how it went.
    pub(crate) fn standing(&self) -> Standing {
        self.lock().clone()
    }

    /// Begins to index an archive on a thread of its own; tells whether it did, or one is under way.
    ///
    /// Whoever looks after the library sees by itself when the new generation is current.
    pub(crate) fn begin(
        &self,
        library: Library,
        gazetteer: &'static Gazetteer,
        archive: PathBuf,
    ) -> bool {
        let since = Timestamp::now();
        {
            let mut standing = self.lock();
            if standing.is_busy() {
                return false;
            }
            let phase = Phase::Reading;
            *standing = Standing::Busy(Stage { since, phase, percent: 0, documents: 0 });
        }
        let rebuild = self.clone();
        let work = move || {
            // A panic must not leave it busy for ever.
            let guarded =
                std::panic::AssertUnwindSafe(|| rebuild.build(&library, gazetteer, archive, since));
            let built = std::panic::catch_unwind(guarded).unwrap_or_else(|_| {
                Err("the program broke off: this is an error of the program".to_owned())
            });
            let now = Timestamp::now();
            let seconds = now.as_second() - since.as_second();
            *rebuild.lock() = match built {
                Ok(report) => Standing::Done(Outcome { ended: now, seconds, report }),
                Err(error) => {
                    tracing::error!(error, "the index cannot be rebuilt");
                    Standing::Failed(now, error)
                }
            };
        };
        let spawned = std::thread::Builder::new().name("rebuild".to_owned()).spawn(work);
        if let Err(error) = spawned {
            *self.lock() = Standing::Failed(since, error.to_string());
        }
        true
    }

    fn build(
        &self,
        library: &Library,
        gazetteer: &Gazetteer,
        archive: PathBuf,
        since: Timestamp,
    ) -> Result<Report, String> {
        if !archive.is_dir() {
            return Err("there is no archive yet: let a task run first".to_owned());
        }
        let order = Order { sources: vec![archive], ..Order::default() };
        let mut watch = |progress: &Progress| {
            *self.lock() = Standing::Busy(Stage {
                since,
                phase: progress.phase,
                percent: (progress.done * 100).checked_div(progress.total).unwrap_or(0).min(100),
                documents: progress.documents,
            });
        };
        library.index(gazetteer, &order, &mut watch).map_err(|error| error.to_string())
    }

    fn lock(&self) -> MutexGuard<'_, Standing> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
