//! The runner: runs the tasks of the folder of data on threads of its own, beside the searches.

use std::path::Path;
use std::sync::{Arc, LazyLock, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

use crawl::{Company, Error, Event, Exposition, Slots, Surroundings};
use gazetteer::Gazetteer;
use tokio::sync::watch;

/// So often the runner looks whether the process that runs the tasks now has ended.
const LATER: Duration = Duration::from_secs(5);
/// So long answers on their way are waited for at the end. What comes later is fetched again next time.
const FAREWELL: Duration = Duration::from_secs(20);

/// The numbers of the crawls of the process, if they can be collected.
static NUMBERS: LazyLock<Option<Exposition>> = LazyLock::new(|| {
    let begun = Exposition::begin();
    begun.inspect_err(|error| tracing::warn!(%error, "/metrics says nothing of the crawls")).ok()
});

/// Who runs the tasks.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) enum Standing {
    /// This server.
    #[default]
    Here,
    /// Another process: here one can only look on.
    Elsewhere,
    /// Nobody, for this reason.
    Nobody(String),
}

/// Runs the tasks of a folder of data until it is told to end.
pub(crate) struct Runner {
    standing: Arc<Mutex<Standing>>,
    company: Arc<Company>,
    stop: watch::Sender<bool>,
    thread: Mutex<Option<JoinHandle<()>>>,
}

impl Runner {
    /// Begins to run the tasks.
    pub(crate) fn begin(data: &Path, gazetteer: &'static Gazetteer, most_requests: u32) -> Self {
        // What a crawl measures it hands to whoever collects when it is opened.
        LazyLock::force(&NUMBERS);
        let slots = Slots::new(most_requests as usize);
        let around = Surroundings { slots, ..Surroundings::new(data, gazetteer) };
        let company = Arc::new(Company::new(around));
        let standing = Arc::<Mutex<Standing>>::default();
        let (stop, stopped) = watch::channel(false);
        let (told, all) = (Arc::clone(&standing), Arc::clone(&company));
        let thread = std::thread::Builder::new()
            .name("crawls".to_owned())
            .spawn(move || run(&all, &told, stopped))
            .inspect_err(|error| note(&standing, Standing::Nobody(error.to_string())))
            .ok();
        Self { standing, company, stop, thread: Mutex::new(thread) }
    }

    /// What the crawls tell Prometheus.
    pub(crate) fn numbers(&self) -> String {
        NUMBERS.as_ref().map(|it| it.of(&self.company.crawls())).unwrap_or_default()
    }

    /// Who runs the tasks now.
    pub(crate) fn standing(&self) -> Standing {
        self.standing.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Tells all tasks to end their runs; after a restart they go on.
    pub(crate) fn end(&self) {
        self.stop.send_replace(true);
    }

    /// Comes back when all runs have ended, or when that takes too long.
    pub(crate) async fn ended(&self) {
        let thread = self.thread.lock().unwrap_or_else(PoisonError::into_inner).take();
        let Some(thread) = thread else { return };
        let joined = tokio::task::spawn_blocking(move || thread.join());
        if tokio::time::timeout(FAREWELL * 2, joined).await.is_err() {
            tracing::warn!(
                "some crawls did not end in time; they go on where they were written down"
            );
        }
    }
}

fn run(company: &Company, standing: &Arc<Mutex<Standing>>, mut stop: watch::Receiver<bool>) {
    let runtime =
        tokio::runtime::Builder::new_multi_thread().thread_name("crawls").enable_all().build();
    let runtime = match runtime {
        Ok(runtime) => runtime,
        Err(error) => return note(standing, Standing::Nobody(error.to_string())),
    };
    runtime.block_on(async {
        while !*stop.borrow() {
            note(standing, Standing::Here);
            let ending = company.run(stop.clone(), |_| None, |event| tell(&event));
            let ended = tokio::select! {
                ended = ending => ended,
                () = too_long(stop.clone()) => break,
            };
            match ended {
                Ok(()) => break,
                Err(Error::Engaged(_)) => note(standing, Standing::Elsewhere),
                Err(error) => {
                    tracing::error!(%error, "the tasks cannot be run");
                    note(standing, Standing::Nobody(error.to_string()));
                }
            }
            tokio::select! {
                () = tokio::time::sleep(LATER) => {}
                _ = stop.changed() => {}
            }
        }
    });
    runtime.shutdown_timeout(Duration::from_secs(1));
}

/// Comes back when the end was told and answers have been waited for long enough.
async fn too_long(mut stop: watch::Receiver<bool>) {
    if stop.wait_for(|it| *it).await.is_err() {
        return std::future::pending().await;
    }
    tokio::time::sleep(FAREWELL).await;
}

fn note(standing: &Mutex<Standing>, now: Standing) {
    *standing.lock().unwrap_or_else(PoisonError::into_inner) = now;
}

fn tell(event: &Event) {
    match event {
        Event::Began(task) => tracing::info!(task, "the task runs"),
        Event::Ended(task, ending) => tracing::info!(task, ?ending, "the task ended"),
        Event::Failed(task, error) => tracing::warn!(task, error, "the task failed"),
    }
}
