//! A crawl of a small web in a folder of its own.
#![allow(dead_code, reason = "not every test needs everything")]

use std::collections::BTreeMap;
use std::fs;
use std::net::IpAddr;
use std::path::{Path, PathBuf};

use archive::Records;
use crawl::{Crawl, Ending, Error, Progress, Surroundings, Task};
use frontier::State;
use serde_json::Value;
use tempfile::TempDir;

use crate::web::Web;

/// A task with all around it.
pub(crate) struct Trial {
    pub(crate) task: Task,
    pub(crate) around: Surroundings,
    folder: TempDir,
}

/// What came of a run.
pub(crate) struct Ran {
    pub(crate) ending: Ending,
    pub(crate) progress: Progress,
    /// What became of each link.
    pub(crate) states: BTreeMap<String, State>,
}

impl Trial {
    /// A crawl that begins at these pages, in a hurry.
    pub(crate) fn new(web: &Web, seeds: &[String]) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        // Webs of tests are trees, which are deeper than sites.
        let scope = frontier::Scope { depth_in_host: None, ..frontier::Scope::default() };
        let task = Task {
            scope,
            name: "trial".to_owned(),
            seeds: seeds.to_vec(),
            allow_private: true,
            contact: Some("https://bot.example/".to_owned()),
            threads: 8,
            ..Task::default()
        };
        let around = Surroundings {
            clock: web.clock().clone(),
            ..Surroundings::new(folder.path(), world::gazetteer())
        };
        Self { task, around, folder }
    }

    /// The same with another task.
    pub(crate) fn with(mut self, change: impl FnOnce(&mut Task)) -> Self {
        change(&mut self.task);
        self
    }

    pub(crate) fn open(&self) -> Result<Crawl, Error> {
        Crawl::open(self.task.clone(), None, &self.around)
    }

    /// Opens the crawl and lets it run to an end.
    #[track_caller]
    pub(crate) fn run(&self) -> Ran {
        self.try_run().expect("it runs")
    }

    pub(crate) fn try_run(&self) -> Result<Ran, Error> {
        let crawl = self.open()?;
        let ending = runtime().block_on(crawl.run())?;
        Ok(Ran::of(&crawl, ending))
    }

    /// The lines of the log of judgements.
    pub(crate) fn lines(&self) -> Vec<Value> {
        lines(&self.around.data, &self.task.name)
    }

    /// The addresses in the log of judgements, in their order there.
    pub(crate) fn judged(&self) -> Vec<String> {
        let url = |it: &Value| it["url"].as_str().expect("a URL").to_owned();
        self.lines().iter().map(url).collect()
    }

    pub(crate) fn archive(&self) -> PathBuf {
        self.around.data.join("archive")
    }

    /// The addresses of all answers in the archive but robots.txt, in alphabetical order.
    pub(crate) fn archived(&self) -> Vec<String> {
        archived(&self.archive())
    }

    /// Fails if anything is wrong with the archive.
    #[track_caller]
    pub(crate) fn check_archive(&self) {
        check_archive(&self.archive());
    }
}

impl Ran {
    pub(crate) fn of(crawl: &Crawl, ending: Ending) -> Self {
        let mut states = BTreeMap::new();
        let listed = crawl.frontier(|it| {
            it.links(|_, entry| {
                states.insert(entry.url, entry.state);
            })
        });
        listed.expect("the frontier can be read");
        Self { ending, progress: crawl.progress(), states }
    }

    /// What became of a link.
    #[track_caller]
    pub(crate) fn state(&self, url: &str) -> String {
        self.states.get(url).map_or("not known".to_owned(), ToString::to_string)
    }
}

/// Two threads, as on a small machine; bodies are read aside on one of them.
pub(crate) fn runtime() -> tokio::runtime::Runtime {
    let mut builder = tokio::runtime::Builder::new_multi_thread();
    builder.worker_threads(2).enable_all().build().expect("a runtime")
}

/// The lines of the log of a task.
pub(crate) fn lines(data: &Path, task: &str) -> Vec<Value> {
    let text = fs::read_to_string(data.join("tasks").join(task).join("judged.jsonl"));
    let text = text.expect("the log can be read");
    text.lines().map(|it| serde_json::from_str(it).expect("a line of JSON")).collect()
}

/// The addresses of all answers in an archive but robots.txt, in alphabetical order.
pub(crate) fn archived(folder: &Path) -> Vec<String> {
    let mut found = Vec::new();
    for path in warcs(folder) {
        for record in Records::new(fs::File::open(path).expect("a file")) {
            let record = record.expect("a record");
            if record.kind == archive::Kind::Response {
                let url = record.target.clone().expect("responses have a target");
                assert!(record.http().is_some(), "{url} has no whole answer");
                found.push(url);
            }
        }
    }
    found.retain(|it| !it.ends_with("/robots.txt"));
    found.sort();
    found
}

/// Fails if anything is wrong with an archive.
#[track_caller]
pub(crate) fn check_archive(folder: &Path) {
    let verified = archive::verify(folder, &mut |_| {}).expect("it can be read");
    assert!(verified.is_whole(), "{verified:?}");
}

fn warcs(folder: &Path) -> Vec<PathBuf> {
    let files = fs::read_dir(folder).expect("the archive is there");
    let paths = files.map(|it| it.expect("a file").path());
    let mut paths: Vec<_> = paths.filter(|it| it.to_string_lossy().ends_with(".warc.gz")).collect();
    paths.sort();
    paths
}

/// Knows some names; the others have no address, or nobody knows.
pub(crate) struct Names(pub(crate) Vec<(&'static str, IpAddr)>, pub(crate) fetch::NameError);

impl fetch::Resolve for Names {
    fn resolve<'a>(&'a self, name: &'a str) -> fetch::Lookup<'a> {
        let known = self.0.iter().find(|it| it.0 == name);
        Box::pin(std::future::ready(known.map(|it| vec![it.1]).ok_or(self.1)))
    }
}
