//! Why a crawl cannot begin or go on.

use std::io;
use std::path::PathBuf;

/// Why a crawl cannot begin or go on. Nothing that was fetched is lost.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The archive cannot be written.
    #[error(transparent)]
    Archive(#[from] archive::Failure),
    /// The frontier cannot be read or written.
    #[error(transparent)]
    Frontier(#[from] frontier::Error),
    /// The client cannot be made.
    #[error(transparent)]
    Client(#[from] fetch::SettingsError),
    /// The crawler cannot present itself.
    #[error(transparent)]
    UserAgent(#[from] fetch::UserAgentError),
    /// There is no such strategy.
    #[error(transparent)]
    Strategy(#[from] focus::NoStrategy),
    /// A seed is no link.
    #[error("the seed \"{seed}\" is no link: {reason}")]
    Seed {
        /// What was given.
        seed: String,
        /// What is wrong with it.
        reason: frontier::NoLink,
    },
    /// A seed may not be asked.
    #[error(
        "the seed \"{seed}\" may not be asked: {reason}; only a task that allows private networks may (allow_private)"
    )]
    PrivateSeed {
        /// What was given.
        seed: String,
        /// Why not.
        reason: fetch::FetchError,
    },
    /// This is no link.
    #[error("\"{link}\" is no link: {reason}")]
    Link {
        /// What was given.
        link: String,
        /// What is wrong with it.
        reason: frontier::NoLink,
    },
    /// The region cannot be made out.
    #[error("{0}")]
    Region(String),
    /// A topic file makes no sense.
    #[error("{path} is no topic: {reason}")]
    Topic {
        /// Which.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
    /// The strategy cannot do without a topic.
    #[error(
        "the strategy \"topic\" needs a topic: name a file, such as \"strabo topic build\" makes"
    )]
    NoTopic,
    /// What another crawl has learned cannot be taken over.
    #[error("{place} cannot be begun with: {reason}")]
    WarmStart {
        /// The folder of the other crawl.
        place: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
    /// Folders and files cannot bear this name.
    #[error(
        "\"{0}\" is no name of a task: write up to 64 letters, digits, hyphens and underscores"
    )]
    Name(String),
    /// There is no such task.
    #[error("there is no task \"{name}\"{}", known_tasks(known))]
    NoTask {
        /// What was asked for.
        name: String,
        /// The tasks there are.
        known: String,
    },
    /// There is such a task already.
    #[error("there is a task \"{0}\" already: replace it, or remove it first")]
    Exists(String),
    /// The task is running.
    #[error("the task \"{0}\" is running: stop it first")]
    Running(String),
    /// Another process runs the tasks of the folder of data.
    #[error("another process runs the tasks of {}: stop it first, or look at them meanwhile", .0.display())]
    Engaged(PathBuf),
    /// The task has never run.
    #[error("the task \"{0}\" has not begun yet")]
    Unbegun(String),
    /// Numbers cannot be collected.
    #[error("{0}")]
    Metrics(String),
    /// A number makes no sense.
    #[error("{name} is {number}: {way_out}")]
    Number {
        /// Which.
        name: &'static str,
        /// What is given.
        number: f64,
        /// What may be given.
        way_out: String,
    },
    /// Something went wrong that should not.
    #[error("{0}")]
    Broken(String),
    /// There is nothing to begin with.
    #[error("there are no seeds: name pages to begin with, or a file of them")]
    NoSeeds,
    /// The crawler has to say who runs it.
    #[error(
        "a crawl of the public web needs a contact: give an e-mail address or the address of a page that explains the crawl (--contact)"
    )]
    NoContact,
    /// A file beside the archive and the frontier fails.
    #[error("{path}: {error}")]
    File {
        /// Which.
        path: PathBuf,
        /// What the system says.
        error: io::Error,
    },
    /// A task file makes no sense.
    #[error("{path} is no task: {reason}")]
    Task {
        /// Which.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
    /// What another program version kept cannot be read.
    #[error("the state of the crawl in {0} cannot be read: begin anew in another folder")]
    State(PathBuf),
}

impl Error {
    /// An error of the program has left the state of a crawl in the middle of something.
    pub(crate) fn torn() -> Self {
        let told = "the crawl broke off by an error of the program, nothing is lost: start it again, it goes on \
                    from what was written down last";
        Self::Broken(told.to_owned())
    }

    /// Whether another process runs the crawl.
    pub fn is_in_use(&self) -> bool {
        matches!(self, Self::Frontier(frontier::Error::InUse(_)))
    }

    /// A failure of a file.
    pub(crate) fn file(path: impl Into<PathBuf>) -> impl FnOnce(io::Error) -> Self {
        let path = path.into();
        move |error| Self::File { path, error }
    }
}

fn known_tasks(known: &str) -> String {
    if known.is_empty() {
        " yet: \"strabo crawl --seeds URL\" begins one".to_owned()
    } else {
        format!(": there are {known}")
    }
}
